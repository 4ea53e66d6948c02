//! Diagnostics of input files: position, source line, suggestion, all in one run.

use eval_cli::terminal::without_controls;
use serde_json::json;

use crate::cli::{AGENT, eval, project, width};
use crate::fixtures::context::TestContext;

#[test]
fn all_errors_of_a_file_are_reported_with_position_and_line() {
    let context = project(2);
    context.write(
        "sub/bad.yaml",
        "- sample_id: s1\n  promt: hello\n  assertions:\n    - type: contian\n      value: x\n    - type: regex\n      pattern: \"((\"\n    - type: min_length\n      value: ten\n- sample_id: s1\n  prompt: 3\n",
    );
    let run = eval(&context, &["--samples", "sub/bad.yaml"]).expect(2);
    for (position, line, hint) in [
        ("[sub/bad.yaml:2:3]", "2 │   promt: hello", "did you mean `prompt`?"),
        ("[sub/bad.yaml:4:13]", "4 │     - type: contian", "did you mean `contains`?"),
        ("[sub/bad.yaml:7:16]", "7 │       pattern: \"((\"", "the pattern does not compile"),
        ("[sub/bad.yaml:9:14]", "9 │       value: ten", "expected a whole number"),
        ("[sub/bad.yaml:10:14]", "10 │ - sample_id: s1", "sample `s1` is there twice"),
        ("[sub/bad.yaml:11:11]", "11 │   prompt: 3", "expected text, found the number `3`"),
    ] {
        for part in [position, line, hint] {
            assert!(run.stderr.contains(part), "no `{part}` in\n{}", run.stderr);
        }
    }
    assert!(!run.stderr.contains(context.root().to_str().unwrap()), "paths are relative\n{}", run.stderr);
    assert!(run.stderr.trim_end().ends_with("errors in the input; nothing was executed"), "{}", run.stderr);
}

#[test]
fn errors_of_several_files_are_reported_together() {
    let context = project(2);
    context.write("bad.json", "[{\"sample_id\": \"s1\", \"prompt\": \"\"}]");
    let run = context.run(&["eval", "--samples", "bad.json", "--variants", "v8,v9", "--executor", "./agent"]).expect(2);
    for part in ["[bad.json:1:32]", "no skill `v8`", "no skill `v9`", "3 errors"] {
        assert!(run.stderr.contains(part), "no `{part}` in\n{}", run.stderr);
    }
}

#[test]
fn errors_in_eval_yaml_have_a_position() {
    for (yaml, position, expected) in [
        ("control: v1\nsamples: none.yaml\n", "[eval.yaml:2:10]", "there is no file `none.yaml`"),
        ("samples: skills\n", "[eval.yaml:1:10]", "is a directory"),
        ("executor: ./nobody -x\n", "[eval.yaml:1:11]", "./nobody"),
        ("executor: cluade\n", "[eval.yaml:1:11]", "no executor"),
        ("executor: replay\nrecordings: none\n", "[eval.yaml:2:13]", "none"),
        ("skillDir: none\n", "[eval.yaml:1:11]", "nothing to compare"),
        ("control: v8\ntreatments: [v2]\n", "[eval.yaml:1:10]", "no skill `v8`"),
        ("contrl: v1\n", "[eval.yaml:1:1]", "did you mean `control`?"),
        ("threshold: 9\n", "[eval.yaml:1:12]", "1 to 5"),
        ("minEffect: 0\n", "[eval.yaml:1:12]", "0.001 to 4"),
        ("control: {artifact: v1, cwd: none}\ntreatments: v2\n", "[eval.yaml:1:30]", "is not a directory"),
    ] {
        let context = project(2);
        context.write("eval.yaml", yaml);
        let executor: &[&str] = if yaml.contains("executor") { &[] } else { &AGENT };
        let run = context.run(&[&["eval"], executor].concat());
        assert_eq!(run.code, 2, "{yaml}: {run:#?}");
        for part in [position, expected] {
            assert!(run.stderr.contains(part), "{yaml}: no `{part}` in\n{}", run.stderr);
        }
    }
}

#[test]
fn command_line_errors_suggest_the_nearest_value() {
    let context = project(2);
    for (arguments, expected) in [
        (&["evl"][..], "did you mean `eval --dry-run`?"),
        (&["eval", "--treatmnet", "v2"], "did you mean `--treatment`?"),
        (&["eval", "--ci", "percentil"], "did you mean `percentile`?"),
        (&["bench", "runn"], "unknown command `runn`"),
        (&["eval", "--repeat", "0"], "expected 1 to 10000"),
        (&["eval", "--seed", "-1"], "`-1` is no value for `--seed <N>`"),
        (&["eval", "--threshold", "9"], "expected 1 to 5"),
        (
            &["eval", "--treatment", "v3", "--executor", "./agent"],
            "did you mean `v1`? There are `v1`, `v2`, `baseline`",
        ),
        (&["cache", "explain", "s01", "--executor", "./agent"], "s001, s002"),
    ] {
        let run = context.run(arguments).expect(2);
        assert!(run.stderr.contains(expected), "{arguments:?}: no `{expected}` in\n{}", run.stderr);
    }
}

/// Columns count characters, also for the last of a thousand samples on one line.
#[test]
fn long_lines_are_cut_around_the_error() {
    let context = project(2);
    let mut text = "[".to_owned();
    for i in 0..1000 {
        text += &format!("{{\"sample_id\": \"s{i}\", \"prompt\": \"审查\"}}, ");
    }
    text += "{\"sample_id\": \"s0\", \"promt\": \"审查\"}]";
    context.write("long.json", &text);
    let column = text.split("\"promt\"").next().unwrap().chars().count() + 1;
    let run = eval(&context, &["--samples", "long.json"]).expect(2);
    assert!(run.stderr.contains(&format!("[long.json:1:{column}]")), "no column {column} in\n{}", run.stderr);
    let lines: Vec<&str> = run.stderr.lines().collect();
    assert!(lines.iter().all(|line| line.chars().count() < 200), "{}", run.stderr);
    let mark = lines.iter().position(|line| line.contains("───────")).unwrap();
    let (before, _) = lines[mark].split_once('─').unwrap();
    let (text, _) = lines[mark - 1].split_once("\"promt\"").unwrap();
    assert_eq!(width(before), width(text), "the mark is under the key\n{}", run.stderr);
    assert!(!run.stderr.contains("first here"), "what is far away is not marked here\n{}", run.stderr);
}

/// Sample files are untrusted: their content must not reach the terminal as control sequences.
#[test]
fn shown_file_content_has_no_control_characters() {
    let context = project(2);
    context.write("a.yaml", "- sample_id: s1\n  \u{1b}[31mpromt\u{202e}: x\n");
    context.write("a.json", "[{\"sample_id\": \"s1\", \"prompt\": \"x\", \"k\\u001b[31m\\u009b2J\\u202e\": 1}]");
    for file in ["a.yaml", "a.json"] {
        let run = eval(&context, &["--samples", file]).expect(2);
        assert!(!run.stderr.contains(['\u{1b}', '\u{9b}', '\u{202e}']), "{run:?}");
    }
}

#[test]
fn one_mistake_in_many_places_is_shown_twice_and_counted() {
    let context = TestContext::with_agent();
    let sample = |id: usize| json!({"sample_id": format!("s{id}"), "prompt": "p", "capability": "billing"});
    let text: String = (0..48).map(|id| format!("{}{}\n", if id == 0 { "[" } else { "," }, sample(id))).collect();
    context.write("eval-samples.json", &(text + "]"));
    let refused = context.run(&["eval", "--variants", "v1,v2", "--executor", "./agent"]).expect(2).stderr;
    assert_eq!(refused.matches("expected a list of texts").count(), 2, "{refused}");
    assert!(refused.contains("46 more like these in `eval-samples.json`: lines 3, 4, 5, "), "{refused}");
    assert!(refused.contains("48 errors"), "{refused}");
    assert!(refused.lines().count() < 30, "{refused}");
    let document = context.run(&["eval", "--variants", "v1,v2", "--executor", "./agent", "--json"]).expect(2).json();
    assert_eq!(document["diagnostics"].as_array().unwrap().len(), 48, "a program gets all of them");
}

#[test]
fn replacing_control_characters_keeps_length_and_lines() {
    for text in ["a\nb\tc", "\u{1b}[31mred\u{9b}0m", "\u{202e}evil\u{feff}\u{61c}", "审查 é 😀\r", "\u{0}\u{7f}\u{85}"]
    {
        let shown = without_controls(text);
        assert_eq!(shown.len(), text.len(), "{text:?} → {shown:?}");
        assert_eq!(shown.matches('\n').count(), text.matches('\n').count());
        assert!(!shown.chars().any(|c| c.is_control() && c != '\n' && c != '\t'), "{shown:?}");
    }
    assert_eq!(without_controls("plain — 文本\n"), "plain — 文本\n");
}
