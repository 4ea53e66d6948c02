//! The book's command blocks in both languages: each is run as written, or its flags are checked by a dry run.

use std::fs;
use std::path::Path;

use testkit::skills;

use crate::fixtures::shell::ShellProject;

const BOOKS: [&str; 2] = ["docs/en", "docs/zh"];

/// The chapters on `eval-skills`, in the order of the book.
fn chapters(book: &str) -> String {
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(book);
    let summary = fs::read_to_string(book.join("SUMMARY.md")).unwrap();
    let links = summary.lines().filter_map(|line| Some(line.split_once("](")?.1.split_once(')')?.0));
    let ours = links.filter(|link| link.starts_with("skills-"));
    ours.map(|link| fs::read_to_string(book.join(link)).unwrap()).collect::<Vec<_>>().join("\n")
}

/// How a block is checked; blocks are found by their first line.
struct BlockCheck {
    /// The exit code that it ends with.
    code: i32,
    /// Makes what it needs.
    prepare: fn(&ShellProject),
}

impl BlockCheck {
    const fn new(code: i32, prepare: fn(&ShellProject)) -> BlockCheck {
        BlockCheck { code, prepare }
    }
}

const BLOCKS: &[(&str, BlockCheck)] = &[
    ("eval-skills init --dir .", BlockCheck::new(0, |_| {})),
    (
        "eval-skills eval --skills ./skills/my_calc --benchmark coding-easy --runs 3 --format json markdown html",
        BlockCheck::new(0, |project| {
            project.ok("eval-skills create --name my_calc --from-template python_script");
            skills::implement_in_python(&project.path("skills/my_calc"));
        }),
    ),
    (
        "eval-skills benchmark import promptfoo promptfooconfig.yaml",
        BlockCheck::new(0, |project| {
            let config = "prompts: ['{{n}}']\ntests: [{ vars: { n: 1 }, assert: [{ type: equals, value: '1' }] }]\n";
            project.write("promptfooconfig.yaml", config);
            project.write("questions.jsonl", "{\"question\": \"Which city?\", \"answer\": \"Paris\"}\n");
        }),
    ),
    (
        "eval-skills eval --skills ./skills/production_skill --benchmark coding-easy \\",
        BlockCheck::new(0, |project| {
            skills::persistent_calculator(&project.path("skills/production_skill"));
            project.ok("eval-skills eval --skills ./skills/production_skill --benchmark coding-easy --store before.db");
            fs::copy(project.path("reports/eval-result.json"), project.path("reports/baseline.json")).unwrap();
        }),
    ),
];

/// The fenced shell blocks.
fn blocks(text: &str) -> Vec<&str> {
    text.split("\n```sh\n").skip(1).map(|part| part.split("\n```").next().unwrap()).collect()
}

#[test]
fn command_blocks_of_the_guides_work() {
    let mut texts = Vec::new();
    for guide in BOOKS {
        let text = chapters(guide);
        let found: Vec<String> = blocks(&text).into_iter().map(str::to_owned).collect();
        assert_eq!(found.len(), text.matches("\n```sh\n").count(), "{guide}");
        texts.push(found);
    }
    assert_eq!(texts[0], texts[1], "both guides show the same commands");
    assert_eq!(texts[0].len(), BLOCKS.len(), "{:#?}", texts[0]);
    for block in &texts[0] {
        let first = block.lines().next().unwrap();
        let known = BLOCKS.iter().find(|(line, _)| *line == first);
        let (_, check) = known.unwrap_or_else(|| panic!("no preparation is known for this block:\n{block}"));
        let project = ShellProject::new();
        let BlockCheck { code, prepare } = check;
        prepare(&project);
        let ended = project.shell(block);
        assert_eq!(ended.code, *code, "{block}\n{}\n{}", ended.stdout, ended.stderr);
    }
}
