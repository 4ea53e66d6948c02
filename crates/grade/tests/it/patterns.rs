//! Patterns of other regex flavours are refused, with what ECMAScript has for them.

use eval_grade::scorer::{Scoring, ScoringSetup};
use eval_grade::type_specs;
use eval_spec::Diagnostic;
use eval_spec::callable::{Scorer, Task};

/// What the loader says of a file with this one pattern.
fn loaded(pattern: &str, flags: Option<&str>) -> Vec<Diagnostic> {
    let folder = tempfile::tempdir().unwrap();
    let flags = flags.map_or_else(String::new, |flags| format!("\n      flags: '{flags}'"));
    let text = format!(
        "- sample_id: s1\n  prompt: hello\n  assertions:\n    - type: regex\n      pattern: '{}'{flags}\n",
        pattern.replace('\'', "''")
    );
    let file = folder.path().join("s.yaml");
    std::fs::write(&file, text).unwrap();
    let context = crate::scorers::benchmarks::context();
    match eval_load::samples(&context, &file, &type_specs()) {
        Ok(_) => Vec::new(),
        Err(problems) => problems.0,
    }
}

#[test]
fn foreign_syntax_is_an_error_at_the_pattern_with_the_ecmascript_form() {
    for (pattern, flags, written, help) in [
        (r"\Afoo", None, r"`\A`", "`^`"),
        (r"foo\Z", None, r"`\Z`", "`$`"),
        (r"foo\z", Some(""), r"`\z`", "`$`"),
        (r"\Afoo", Some("m"), r"`\A`", "`(?<![^])`"),
        (r"foo\z", Some("m"), r"`\z`", "`(?![^])`"),
        (r"\Afoo", Some("u"), r"`\A`", "`^`"),
        ("^[[:alpha:]]+$", None, "`[[:alpha:]]`", "`[A-Za-z]`"),
        ("^[[:alpha:]]+$", None, "`[[:alpha:]]`", r"`\p{L}` with `flags: iu`"),
        ("[[:^digit:]]", Some("v"), "`[[:^digit:]]`", "`[^0-9]`"),
        ("[^[:alpha:]_]", None, "`[:alpha:]`", "`A-Za-z`"),
        ("[_[:^alpha:]]", None, "`[:^alpha:]`", "no such syntax"),
        ("[:space:]", None, "`[:space:]`", r"`[\s]`"),
        (r"\p{Han}+", None, r"`\p{Han}`", r"`\p{Script=Han}` with `flags: iu`"),
        (r"\p{Han}+", Some(""), r"`\p{Han}`", r"`\p{Script=Han}` with `flags: u`"),
        (r"\p{Han}+", Some("u"), r"`\p{Han}`", r"`\p{Script=Han}`"),
        (r"\P{L}", None, r"`\P{L}`", r"`\P{L}` with `flags: iu`"),
        (r"\pL", Some("u"), r"`\pL`", r"`\p{L}`"),
        (r"\u{4E00}", None, r"`\u{4E00}`", r"`\u{4E00}` with `flags: iu`"),
        (r"\x{4E00}", Some("u"), r"`\x{4E00}`", r"`\u{4E00}`"),
        ("/foo/i", None, "`/foo/i`", "`foo` with `flags: i`"),
        ("/foo/m", None, "`/foo/m`", "`foo` with `flags: im`"),
        ("/foo/i", Some(""), "`/foo/i`", r"`\/foo/i`"),
        ("/^foo$/", None, "`/^foo$/`", "`^foo$`"),
        ("(?i)foo", Some(""), "`(?i)`", "`flags: \"i\"`"),
        ("(?-i)foo", None, "`(?-i)`", "`flags: \"\"`"),
        ("(?P<n>foo)", None, "`(?P<n>`", "`(?<n>`"),
        ("(?<n>f)(?P=n)", None, "`(?P=n)`", r"`\k<n>`"),
        (r"a\h+b", None, r"`\h`", r"`[ \t]`"),
        (r"a\Kb", None, r"`\K`", "no such syntax"),
    ] {
        let problems = loaded(pattern, flags);
        assert_eq!(problems.len(), 1, "{pattern}: {problems:?}");
        let problem = &problems[0];
        assert_eq!(problem.place.as_ref().unwrap().line_column(), (5, 16), "{pattern}");
        let (message, said) = (problem.message.to_string(), problem.help.as_ref().map(ToString::to_string));
        assert!(message.contains(written), "{pattern}: {message}");
        assert!(said.as_ref().is_some_and(|said| said.contains(help)), "{pattern}: {said:?} should say {help}");
    }
}

#[test]
fn ecmascript_is_not_refused() {
    for (pattern, flags) in [
        (r"\/x\/i", ""),
        ("/usr/bin/", ""),
        ("/home/me/s", ""),
        ("/tmp/", ""),
        ("/bin/sh", ""),
        ("a/b", ""),
        (r"https?:\/\/x", ""),
        ("(?<n>a)(?:b)(?=c)(?!d)(?<=c)(?<!d)", ""),
        (r"(?<n>a)\k<n>", ""),
        (r"[\[:]", ""),
        ("[[:]", ""),
        ("[[:a-z]", ""),
        (r"\[:alpha:\]", ""),
        (r"\\A\\Z\\p{Han}", ""),
        (r"[\A\Z]", ""),
        (r"\p{Script=Han}\p{L}", "u"),
        (r"[\p{L}--[a-z]]", "v"),
        (r"\u{1F600}", "u"),
        (r"\u4E00\x41\bA\B\d\D\s\S\w\W\cA\0\t\v\f\n\r", ""),
        (r"\(?i\)", ""),
        ("[(?i)]", ""),
        (r"\-\:\<\>", ""),
        (r"[/]x/i", ""),
    ] {
        let problems = loaded(pattern, Some(flags));
        assert!(problems.is_empty(), "{pattern}: {problems:?}");
    }
}

#[test]
fn the_pattern_of_a_scorer_is_refused_alike() {
    let scorer = Scorer::Regex { patterns: vec![r"\Afoo\z".to_owned()], flags: String::new() };
    let task = Task { scorer, ..crate::scorers::task(Scorer::Gaia { answer: "x".to_owned() }) };
    let refused = Scoring::new(&[task], &[], ScoringSetup::default()).err().unwrap();
    assert!(refused.to_string().contains(r"`\A`"), "{refused}");
    assert!(refused.0[0].help.as_ref().unwrap().to_string().contains("`^`"));
}
