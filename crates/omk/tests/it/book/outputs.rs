//! What the chapters show of the program's output is what it prints.
//!
//! A block below `<!-- shows PROJECT: COMMAND -->` is compared with the output of that command, in the language of the
//! book. `PROJECT` is `init`, what `omk init` makes in that language, or `tickets`, the folder beside this file. The commands of a chapter
//! run one after another in the same folder. A line `…` stands for any number of lines, a `…` at the end of a line for the
//! rest of it. `<!-- runs PROJECT: COMMAND -->` only runs a command that the next one needs.

use std::collections::BTreeMap;

use super::{BOOKS, chapters, path, read};
use crate::fixtures::context::TestContext;

/// The files of the project `tickets`.
const TICKETS: [(&str, &str); 7] = [
    ("eval.yaml", include_str!("tickets/eval.yaml")),
    ("eval-samples.yaml", include_str!("tickets/eval-samples.yaml")),
    ("bad.yaml", include_str!("tickets/bad.yaml")),
    ("model.sh", include_str!("tickets/model.sh")),
    ("skills/v1.md", include_str!("tickets/skills/v1.md")),
    ("skills/v2/SKILL.md", include_str!("tickets/skills/v2/SKILL.md")),
    ("skills/triage/SKILL.md", include_str!("tickets/skills/triage/SKILL.md")),
];

fn project(name: &str, lang: &str) -> TestContext {
    let mut context = TestContext::new();
    context.env("OMK_FIXED_TIME", "2026-11-22T00:00:00Z");
    match name {
        "init" => drop(context.run(&["--lang", lang, "init"]).expect(0)),
        "tickets" => TICKETS.iter().for_each(|(name, content)| drop(context.write(name, content))),
        _ => panic!("there is no project `{name}`"),
    }
    // The program that this machine may have is in no chapter.
    context.env("PATH", "/usr/bin:/bin");
    context
}

/// A command of a chapter: its project, what is run there, and the lines that the chapter shows of its output.
struct Shown<'a> {
    project: &'a str,
    command: &'a str,
    lines: Option<Vec<&'a str>>,
}

fn shown(text: &str) -> Vec<Shown<'_>> {
    let mut found = Vec::new();
    for part in text.split("\n<!-- ").skip(1) {
        let (head, rest) = part.split_once(" -->\n").unwrap();
        let (is_shown, head) = match (head.strip_prefix("shows "), head.strip_prefix("runs ")) {
            (Some(head), _) => (true, head),
            (_, Some(head)) => (false, head),
            _ => continue,
        };
        let (project, command) = head.split_once(": ").unwrap();
        let lines = is_shown.then(|| {
            let block = rest.trim_start().strip_prefix("```text\n").unwrap_or_else(|| panic!("no block below {head}"));
            block.split("\n```").next().unwrap().lines().collect()
        });
        found.push(Shown { project, command, lines });
    }
    found
}

/// What a command prints: standard output, then standard error.
fn output(context: &TestContext, command: &str, lang: &str) -> String {
    let words = shlex::split(command).unwrap();
    let variables: Vec<&String> = words.iter().take_while(|word| word.contains('=')).collect();
    let (program, arguments) = words[variables.len()..].split_first().unwrap();
    assert_eq!(program, "omk", "{command}");
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut command = context.command(&arguments);
    command.envs(variables.iter().filter_map(|word| word.split_once('='))).env("OMK_LANG", lang);
    let output = command.output().unwrap();
    String::from_utf8([output.stdout, b"\n".to_vec(), output.stderr].concat()).unwrap()
}

/// Whether the lines of an output are these, from the first of them on.
fn matches(expected: &[&str], actual: &[&str]) -> bool {
    let Some((first, expected)) = expected.split_first() else { return true };
    if first.trim() == "…" {
        return (0..=actual.len()).any(|skipped| matches(expected, &actual[skipped..]));
    }
    let Some((line, actual)) = actual.split_first() else { return false };
    let is_equal = line.trim_end() == *first;
    let begins = first.strip_suffix('…').is_some_and(|start| line.starts_with(start));
    (is_equal || begins) && matches(expected, actual)
}

#[test]
fn check_of_generated_pages_detects_a_difference() {
    let actual = ["a", "b", "c d", "e"];
    assert!(matches(&["a", "…", "c…", "e"], &actual));
    assert!(!matches(&["a", "c d"], &actual));
    assert!(!matches(&["a", "b", "c"], &actual));
}

#[test]
fn chapters_show_what_the_program_prints() {
    let mut wrong = Vec::new();
    for (book, lang) in BOOKS.into_iter().zip(["en", "zh"]) {
        let mut count = 0;
        for name in chapters(book) {
            let text = read(&name);
            let mut projects = BTreeMap::new();
            for block in shown(&text) {
                let context = projects.entry(block.project.to_owned()).or_insert_with(|| project(block.project, lang));
                let actual = output(context, block.command, lang);
                let Some(expected) = block.lines else { continue };
                count += 1;
                let lines: Vec<&str> = actual.lines().collect();
                if !(0..lines.len()).any(|start| matches(&expected, &lines[start..])) {
                    let expected = expected.join("\n");
                    wrong.push(format!("{name}: {}\n{expected}\n--- prints\n{actual}", block.command));
                }
            }
        }
        assert!(count >= 10, "{book} shows {count} outputs");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n=====\n"));
}

/// Both books show the same commands.
#[test]
fn both_books_show_the_same_outputs() {
    let [english, chinese] = BOOKS.map(|book| {
        let texts: Vec<(String, String)> =
            chapters(book).into_iter().map(|name| (name.replace(book, ""), read(&name))).collect();
        let commands = texts.iter().flat_map(|(name, text)| {
            shown(text).into_iter().map(move |block| format!("{name} {}: {}", block.project, block.command))
        });
        commands.collect::<Vec<_>>()
    });
    assert_eq!(english, chinese);
}

#[test]
fn the_project_has_every_file_of_its_folder() {
    let folder = path("crates/omk/tests/it/book/tickets");
    let mut there: Vec<String> = testkit::tree(&folder)
        .into_iter()
        .filter(|(_, content)| content.is_some())
        .map(|(name, _)| name.to_string_lossy().into_owned())
        .collect();
    there.sort();
    let mut expected = TICKETS.map(|(name, _)| name);
    expected.sort_unstable();
    assert_eq!(there, expected);
}
