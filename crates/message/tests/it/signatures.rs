//! Catalogues that the build script rejects.

use crate::catalogue::{Catalogue, HELP, Signature, signatures};

fn file(name: &str, language: &str, source: &str) -> Vec<Catalogue> {
    vec![Catalogue { name: name.to_owned(), place: format!("{language}/{name}.ftl"), source: source.to_owned() }]
}

/// Reads one file in both languages.
fn both(english: &str, chinese: &str) -> Result<Vec<Signature>, Vec<String>> {
    signatures(&file("run", "en", english), &file("run", "zh", chinese))
}

fn signature(key: &str, arguments: &[&str]) -> Signature {
    Signature { key: key.to_owned(), arguments: arguments.iter().map(ToString::to_string).collect() }
}

#[test]
fn arguments_are_read_from_selectors_variants_and_functions() {
    let text = "b = { $n ->\n    [one] { $one }\n   *[other] { NUMBER($many) }\n  } { \"{\" }$no\na = one\n";
    assert_eq!(both(text, text), Ok(vec![signature("a", &[]), signature("b", &["many", "n", "one"])]));
}

#[test]
fn a_reference_brings_its_arguments() {
    let english = "a = { b } { -term }\nb = { $x } { c }\nc = { $y }\n-term = omk { $case }\n";
    let chinese = "a = { $y } { $x }\nb = { $x } { $y }\nc = { $y }\n";
    let expected = vec![signature("a", &["x", "y"]), signature("b", &["x", "y"]), signature("c", &["y"])];
    assert_eq!(both(english, chinese), Ok(expected));
}

#[test]
fn a_circle_of_references_ends() {
    let text = "a = { b } { $x }\nb = { a }\n";
    assert_eq!(both(text, text), Ok(vec![signature("a", &["x"]), signature("b", &["x"])]));
}

#[test]
fn every_problem_names_file_and_key() {
    for (english, chinese, problem) in [
        ("a = 1\na = 2\n", "a = 1\n", "en/run.ftl: `a` is defined twice, first in en/run.ftl"),
        ("a = 1\nb = 2\n", "a = 1\n", "en/run.ftl: the other language has no `b`"),
        ("a = 1\n", "a = 1\nb = 2\n", "zh/run.ftl: the other language has no `b`"),
        ("a = { $x }\n", "a = { $y }\n", "en/run.ftl: `a` has the arguments {\"x\"}, in zh/run.ftl {\"y\"}"),
        ("a = { b }\n", "a = 1\n", "en/run.ftl: no `b` to refer to"),
        ("a = { -b }\n", "a = 1\n", "en/run.ftl: no `-b` to refer to"),
        ("a =\n    .title = 1\n", "a = 1\n", "en/run.ftl: `a` has no text"),
    ] {
        assert_eq!(both(english, chinese), Err(vec![problem.to_owned()]), "{english}");
    }
}

#[test]
fn syntax_errors_are_reported_with_their_line() {
    let problems = both("a = 1\nb = { $\n", "a = 1\n").unwrap_err();
    assert!(problems[0].starts_with("en/run.ftl:2: "), "{problems:?}");
}

#[test]
fn both_languages_have_the_same_files() {
    assert!(signatures(&file("run", "en", ""), &file("load", "zh", "")).is_err());
}

#[test]
fn only_help_may_be_in_chinese_alone() {
    assert_eq!(signatures(&file(HELP, "en", "# help\n"), &file(HELP, "zh", "help-about = 1\n")), Ok(Vec::new()));
}
