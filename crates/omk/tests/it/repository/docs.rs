//! The chapters and the README agree with the program: the names in their tables, the commands and the
//! files they show. The reference part is generated, see `book::reference`.

use std::fs;

use eval_format::Report;
use eval_render::formats::formats_of;

use crate::book::{BOOKS as GUIDES, read};
use crate::fixtures::context::TestContext;

/// The cells of the table between `<!-- name -->` and `<!-- /name -->`, without its head.
fn table<'a>(text: &'a str, name: &str) -> Vec<Vec<&'a str>> {
    let (_, rest) = text.split_once(&format!("<!-- {name} -->")).unwrap();
    let (table, _) = rest.split_once(&format!("<!-- /{name} -->")).unwrap();
    let rows = table.lines().filter(|line| line.starts_with("| ")).skip(1);
    rows.map(|row| row.trim_matches('|').split('|').map(str::trim).collect()).collect()
}

/// The words in backticks.
fn code(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// The fenced blocks of a language.
fn blocks<'a>(text: &'a str, language: &str) -> Vec<&'a str> {
    let parts = text.split(&format!("\n```{language}\n")[..]).skip(1).collect::<Vec<_>>();
    parts.into_iter().map(|part| part.split("\n```").next().unwrap()).collect()
}

#[test]
fn guides_list_every_executor_and_tier() {
    for guide in GUIDES {
        let text = read(guide);
        for executor in eval_exec::EXECUTORS {
            let start = format!("| `{}` |", executor.name);
            let row = text.lines().find(|line| line.starts_with(&start));
            let row = row.unwrap_or_else(|| panic!("{guide} has no row {start}"));
            let model = executor.default_model;
            assert!(model.is_empty() || code(row).contains(&model), "{guide}: {row} lacks `{model}`");
        }
        for tier in eval_format::Tier::ALL {
            assert!(text.contains(&format!("\n| {} | ", tier.name())), "{guide}: {}", tier.name());
        }
    }
}

/// The reference is generated; the chapters that people read first are not.
#[test]
fn chapters_name_every_row_of_the_tables() {
    let types = eval_grade::type_specs();
    let types: Vec<&str> = types.iter().map(|spec| spec.name).collect();
    let executors: Vec<&str> = eval_exec::EXECUTORS.iter().map(|executor| executor.name).collect();
    let formats: Vec<&str> = formats_of::<Report>().map(|format| format.name).collect();
    let results: Vec<&str> = eval_results::RESULT_FORMATS.iter().map(|format| format.name).collect();
    for (chapter, names) in
        [("assertions", types), ("executors", executors), ("ci", formats), ("verdict-on-results", results)]
    {
        for guide in GUIDES {
            let path = format!("{guide}/{chapter}.md");
            let text = read(&path);
            let missing: Vec<&&str> = names.iter().filter(|name| !text.contains(&format!("`{name}`"))).collect();
            assert!(missing.is_empty(), "{path} lacks {missing:?}");
        }
    }
}

/// At the root there are two programs to run.
#[test]
fn cargo_run_of_the_readme_is_omk() {
    assert!(read("README.md").contains("cargo run -- eval "));
    assert!(read("crates/omk/Cargo.toml").contains("\ndefault-run = \"omk\"\n"));
    let others =
        std::fs::read_dir(super::super::book::path("crates")).unwrap().flatten().filter(|of| of.file_name() != "omk");
    for other in others {
        let manifest = std::fs::read_to_string(other.path().join("Cargo.toml")).unwrap();
        assert!(!manifest.contains("default-run"), "{}", other.path().display());
    }
}

#[test]
fn documented_report_fields_are_in_the_schema() {
    let schema = read("schemas/report.schema.json");
    for guide in GUIDES {
        let text = read(guide);
        let paths: Vec<&str> = table(&text, "report").iter().flat_map(|row| code(row[0])).collect();
        assert!(paths.len() > 30, "{guide}: {paths:?}");
        for segment in paths.iter().flat_map(|path| path.split('.')) {
            let property = format!("\"{}\":", segment.trim_end_matches("[]"));
            assert!(schema.contains(&property), "{guide}: {property}");
        }
    }
}

/// The arguments of every `omk …` in the `sh` blocks of a text.
fn commands(text: &str) -> Vec<Vec<String>> {
    let lines = blocks(text, "sh").join("\n").replace("\\\n", " ");
    let mut commands = Vec::new();
    for line in lines.lines() {
        let words = shlex::split(line).unwrap_or_else(|| panic!("no shell line: {line}"));
        for command in words.split(|word| word == "&&") {
            let mut command = command.iter().skip_while(|word| word.contains('=') && !word.starts_with('-')).peekable();
            let is_omk = match command.next().map(String::as_str) {
                Some("omk") => true,
                Some("cargo") => {
                    command.next_if(|word| *word == "run").is_some() && command.next_if(|word| *word == "--").is_some()
                }
                _ => false,
            };
            if is_omk {
                commands.push(command.take_while(|word| !matches!(word.as_str(), ">" | "|")).cloned().collect());
            }
        }
    }
    commands
}

/// Whether the parser accepts the arguments. They run in an empty directory without any executor, so that nothing else
/// happens.
pub(crate) fn is_accepted(arguments: &[String]) -> bool {
    let context = TestContext::new();
    let mut arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    // A report server would not end: without a port it doesn't start, and with one of its own it shows its help.
    if arguments.contains(&"--port") {
        arguments.push("--help");
    }
    let output = context.command(&arguments).env("PATH", "").env("OMK_BENCH_PORT", "none").output().unwrap();
    // An error of the parser ends with this hint, in either language.
    !(output.status.code() == Some(2) && String::from_utf8_lossy(&output.stderr).contains("--help"))
}

#[test]
fn documented_commands_are_accepted() {
    let wrong = |line: &str| !is_accepted(&shlex::split(line).unwrap());
    assert!(wrong("eval --no-such-flag"), "the check sees an unknown flag");
    assert!(wrong("evaluate --lang zh"), "the check sees an unknown command");
    assert!(!wrong("eval --dry-run"), "the check lets a real one pass");
    let documents = [
        ("README.md", 6),
        ("README.zh.md", 6),
        (GUIDES[0], 20),
        (GUIDES[1], 20),
        ("examples/code-review/README.md", 3),
        ("examples/knowledge-gaps/README.md", 3),
        ("examples/mail-to-ticket/README.md", 4),
        ("examples/mail-to-ticket-zh/README.md", 3),
    ];
    for (name, least) in documents {
        let commands = commands(&read(name));
        assert!(commands.len() >= least, "{name}: {commands:?}");
        for arguments in commands {
            assert!(is_accepted(&arguments), "{name}: omk {}", arguments.join(" "));
        }
    }
}

#[test]
fn example_files_of_the_guides_are_accepted() {
    for guide in GUIDES {
        let text = read(guide);
        let context = TestContext::with_agent();
        context.write("skills/v2/SKILL.md", "---\nname: v2\ndescription: Better.\n---\nANSWER better\n");
        fs::remove_file(context.path("skills/v2.md")).unwrap();
        for block in blocks(&text, "js") {
            let name = block.strip_prefix("// ").and_then(|rest| rest.split(':').next()).unwrap();
            context.write(name, block);
        }
        let mut seen = 0;
        for block in blocks(&text, "yaml") {
            let name = block.lines().next().and_then(|line| line.strip_prefix("# ")).unwrap_or_default();
            // Mocks are for agents.
            let executor = if block.contains("mocks:") { "claude" } else { "./agent" };
            let arguments: &[&str] = match name {
                "eval-samples.yaml" => &["eval", "--dry-run", "--executor", executor, "--variants", "v1,v2"],
                "eval.yaml" => &["eval", "--dry-run"],
                _ => continue,
            };
            let before = fs::read_to_string(context.path(name)).ok();
            context.write(name, block);
            context.run(arguments).expect(0);
            seen += 1;
            // The settings below are for other executors.
            if let Some(before) = before.filter(|_| executor == "claude") {
                context.write(name, &before);
            }
        }
        assert_eq!(seen, 6, "{guide}");
        let prices = blocks(&text, "json").into_iter().find(|block| block.contains("models")).unwrap();
        context.write(".home/prices.json", prices);
        let plan = context.run(&["eval", "--dry-run", "--executor", "./agent", "--model", "fast"]).expect(0);
        assert!(plan.stdout.contains('$'), "{guide}: {}", plan.stdout);
    }
}

#[test]
fn both_guides_have_the_same_headings_commands_and_examples() {
    let [english, chinese] = GUIDES.map(read);
    let headings = |text: &str| text.lines().filter(|line| line.starts_with("##")).count();
    assert_eq!(headings(&english), headings(&chinese));
    for language in ["js", "json"] {
        assert_eq!(blocks(&english, language), blocks(&chinese, language));
    }
    assert_eq!(commands(&english), commands(&chinese));
}

#[test]
fn both_readmes_say_the_same() {
    let [english, chinese] = ["README.md", "README.zh.md"].map(read);
    let shape = |text: &str| -> Vec<usize> {
        let blocks = text.split("\n## ");
        blocks
            .map(|block| block.lines().filter(|line| line.starts_with("| ") || line.starts_with("- ")).count())
            .collect()
    };
    assert_eq!(shape(&english), shape(&chinese));
    assert_eq!(commands(&english), commands(&chinese));
}
