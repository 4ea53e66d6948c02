//! The texts of the help pages.

use eval_message::{CATALOGUES, chinese_help};

use crate::cli::languages::commands;
use crate::fixtures::context::TestContext;
use crate::repository::docs::is_accepted;

/// Returns the help page of every command in a language.
fn pages(lang: &str) -> Vec<String> {
    let mut context = TestContext::new();
    context.env("COLUMNS", "400");
    let mut paths = Vec::new();
    commands(&context, &[], &mut paths);
    let page = |path: Vec<String>| {
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        context.run(&[&path[..], &["--lang", lang, "--help"]].concat()).expect(0).stdout
    };
    paths.into_iter().map(page).collect()
}

/// Removes white space, which depends on the width of the page.
fn dense(text: &str) -> String {
    text.split_whitespace().collect()
}

/// Returns the lines of a page that name an argument: each has the beginning of its text.
fn arguments(page: &str) -> impl Iterator<Item = &str> {
    let is_argument = |line: &&str| line.find(['-', '<', '[']).is_some_and(|indent| (2..=6).contains(&indent));
    let is_name = |line: &&str| line.trim_start().starts_with(['-', '<', '[']);
    page.lines().filter(is_name).filter(is_argument).map(str::trim_start)
}

/// Where the catalogue lacks a text, the page has its key.
#[test]
fn every_command_and_argument_has_a_chinese_text() {
    for page in pages("zh") {
        let missing: Vec<&str> = page.split_whitespace().filter(|word| word.starts_with("help-")).collect();
        assert!(missing.is_empty(), "the Chinese `help` catalogue lacks {missing:?}");
        for argument in arguments(&page) {
            assert!(argument.contains(|c| ('\u{4e00}'..='\u{9fff}').contains(&c)), "`{argument}` is not in Chinese");
        }
    }
}

#[test]
fn every_chinese_text_is_of_a_command_or_argument() {
    let shown = dense(&pages("zh").concat());
    let (_, _, chinese) = CATALOGUES.iter().find(|(name, ..)| *name == "help").unwrap();
    let keys = chinese.lines().filter_map(|line| Some(line.split_once(" =")?.0)).filter(|key| key.starts_with("help-"));
    // The flag is accepted and not shown.
    for key in keys.filter(|key| *key != "help--bootstrap") {
        assert!(shown.contains(&dense(&chinese_help(key).unwrap())), "`{key}` is on no page");
    }
}

#[test]
fn every_command_and_argument_has_an_english_text() {
    for page in pages("en") {
        assert!(!page.starts_with("Usage:"), "{page}");
        assert!(arguments(&page).count() > 2, "{page}");
        for argument in arguments(&page) {
            assert!(argument.contains("  "), "`{argument}` has no text in\n{page}");
        }
    }
}

/// Readers copy the commands under "Examples".
#[test]
fn examples_of_the_help_pages_parse() {
    let mut count = 0;
    for page in [pages("en"), pages("zh")].concat() {
        let examples = page.lines().skip_while(|line| !line.starts_with("Examples") && !line.starts_with("示例"));
        let commands: Vec<&str> = examples.filter_map(|line| line.strip_prefix("      ")).collect();
        let next = commands.iter().skip(1).copied().chain([""]);
        for (line, next) in commands.iter().zip(next).filter(|(line, _)| line.starts_with("omk ")) {
            // A long command goes on in the next line.
            let is_wrapped = !next.is_empty() && !next.starts_with("omk ");
            let line = if is_wrapped { format!("{line} {next}") } else { (*line).to_owned() };
            let typed = line.split("  ").next().unwrap();
            for command in typed.split(" && ").filter_map(|command| command.strip_prefix("omk ")) {
                count += 1;
                assert!(is_accepted(&shlex::split(command).unwrap()), "{command}");
            }
        }
    }
    assert!(count > 40, "only {count} examples were found");
}
