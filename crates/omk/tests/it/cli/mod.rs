//! The command line. Shared here: a project, and checks of the language of a text.

mod bench;
mod completions;
mod diagnostics;
mod doctor;
mod dry_run;
mod environment;
mod errors;
mod exit_codes;
mod help;
mod home_permissions;
mod init;
mod languages;
mod progress;
mod screens;
mod streams;

use serde_json::{Value, json};

use crate::fixtures::context::{Finished, TestContext};

pub(crate) const AGENT: [&str; 2] = ["--executor", "./agent"];

/// Only the answer of `v2` passes.
pub(crate) fn only_better() -> Value {
    json!([{"type": "contains", "value": "better"}])
}

/// Both answers pass.
pub(crate) fn either() -> Value {
    json!([{"type": "contains_any", "values": ["plain", "better"]}])
}

/// `n` samples: `v2` passes all, `v1` every second one.
pub(crate) fn project(n: usize) -> TestContext {
    let context = TestContext::with_agent();
    context.sample_each((0..n).map(|i| if i % 2 == 0 { only_better() } else { either() }));
    context
}

pub(crate) fn eval(context: &TestContext, more: &[&str]) -> Finished {
    let arguments =
        [&["eval", "--control", "v1", "--treatment", "v2", "--concurrency", "8"], &AGENT[..], more].concat();
    context.run(&arguments)
}

/// Lines of `text` with English words and without Chinese characters; commands to type are not counted.
pub(crate) fn english(text: &str) -> Vec<&str> {
    let is_chinese = |line: &str| line.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c));
    let is_word = |word: &&str| word.len() > 2 && word.chars().all(|c| c.is_ascii_lowercase());
    let is_command = |line: &str| line.trim_start().trim_start_matches('`').starts_with("omk ");
    let is_english =
        |line: &&str| !is_chinese(line) && !is_command(line) && line.split(' ').filter(is_word).count() > 1;
    text.lines().filter(is_english).collect()
}

/// Terminal columns that a line takes.
pub(crate) fn width(line: &str) -> usize {
    line.chars().map(|c| if ('\u{2e80}'..='\u{ffef}').contains(&c) { 2 } else { 1 }).sum()
}

/// English words of the argument parser and of drawn diagnostics.
const ENGLISH: &[&str] = &[
    "Usage",
    "Options",
    "Arguments",
    "Commands",
    "[OPTIONS]",
    "<COMMAND>",
    "possible",
    "alias",
    "default:",
    "Print",
    "error",
    "hint",
    "help:",
    "warning",
    "expected",
    "required",
    "invalid",
    "found",
    "similar",
    "tip:",
];

#[track_caller]
pub(crate) fn assert_chinese(text: &str) {
    // flags and types are called the same in every language
    let is_name = |word: &&str| word.starts_with("--") || word.contains('_');
    let texts: Vec<&str> = text.split_inclusive(char::is_whitespace).filter(|word| !is_name(word)).collect();
    let texts = texts.concat();
    for word in ENGLISH {
        assert!(!texts.contains(word), "`{word}` in\n{text}");
    }
    assert_eq!(english(text), [""; 0], "in\n{text}");
}
