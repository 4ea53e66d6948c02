//! Standard output, standard error, colour and progress.

use std::process::Stdio;

use serde_json::json;

use crate::cli::{either, eval, project};
use crate::fixtures::context::TestContext;

#[test]
fn text_goes_to_stdout_and_progress_to_stderr() {
    let context = project(4);
    let run = eval(&context, &["--report-only"]).expect(0);
    assert!(run.stdout.starts_with("`v2` against `v1`") && run.stdout.contains("\nUNDERPOWERED"), "{run:?}");
    assert!(run.stderr.contains("8/8 done") && !run.stdout.contains("/8 done"), "{run:?}");
    let help = context.run(&["--help"]).expect(0);
    assert!(help.stdout.contains("Usage: omk") && help.stderr.is_empty());
    let version = context.run(&["--version"]).expect(0);
    assert_eq!(
        (version.stdout.as_str(), version.stderr.as_str()),
        (concat!("omk ", env!("CARGO_PKG_VERSION"), "\n"), "")
    );
    let wrong = context.run(&["eval", "--samples", "none.yaml"]).expect(2);
    assert!(wrong.stdout.is_empty() && wrong.stderr.contains("none.yaml"), "{wrong:?}");
    let usage = context.run(&["evall"]).expect(2);
    assert!(usage.stdout.is_empty() && usage.stderr.contains("evall"), "{usage:?}");
}

#[test]
fn json_output_is_a_single_document() {
    let context = project(4);
    let report = eval(&context, &["--json", "--report-only"]).expect(0);
    assert_eq!(report.json(), context.report());
    assert!(report.stderr.contains("8/8 done"), "progress stays: {report:?}");
    let plan = eval(&context, &["--json", "--dry-run"]).expect(0).json();
    assert_eq!((&plan["calls"], &plan["cached"]), (&json!(8), &json!(8)));
    let explained =
        context.run(&["cache", "explain", "s001", "--variants", "v1,v2", "--executor", "./agent", "--json"]);
    let explained = explained.expect(0).json();
    let cells: Vec<_> = explained.as_array().unwrap().iter().map(|one| one["cell"].as_str().unwrap()).collect();
    assert_eq!(cells.len(), 2, "{explained:#}");
    assert!(cells.contains(&"s001/v1/0") && cells.contains(&"s001/v2/0"));
    let files = context.run(&["init", "p", "--json"]).expect(0).json();
    assert_eq!(files["files"][0], json!({"path": "p/eval.yaml", "created": true}));
    // Errors go to standard error as text and to standard output as the JSON document.
    let wrong = eval(&context, &["--json", "--threshold", "9"]).expect(2);
    let message = wrong.json()["diagnostics"][0]["message"].clone();
    assert!(message.as_str().unwrap().contains("--threshold") && wrong.stderr.contains("--threshold"), "{wrong:?}");
    let ci = context.run(&["bench", "ci", "--json", "--executor", "./agent"]).expect(1);
    assert!(ci.json()["verdict"].is_object());
}

#[test]
fn colour_can_be_switched_off() {
    let context = project(4);
    let commands: [&[&str]; 4] = [
        &["eval", "--report-only", "--executor", "./agent"],
        &["eval", "--samples", "none.yaml"],
        &["--help"],
        &["evall"],
    ];
    let printed = |env: &[(&str, &str)], arguments: &[&str]| {
        let output = context.command(arguments).envs(env.iter().copied()).output().unwrap();
        String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
    };
    for arguments in commands {
        let forced = [("CLICOLOR_FORCE", "1")];
        assert!(printed(&forced, arguments).contains('\u{1b}'), "no colour to switch off in {arguments:?}");
        assert!(!printed(&[], arguments).contains('\u{1b}'), "no terminal: {arguments:?}");
        let no_color = [&["--no-color"], arguments].concat();
        assert!(!printed(&forced, &no_color).contains('\u{1b}'), "{no_color:?}");
        assert!(!printed(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], arguments).contains('\u{1b}'), "{arguments:?}");
    }
}

#[test]
fn progress_without_a_terminal_is_one_line_per_tenth() {
    let mut context = TestContext::with_agent();
    context.sample_each((0..20).map(|_| either()));
    context.env("CI", "true");
    let run = eval(&context, &["--report-only"]).expect(0);
    let lines: Vec<&str> = run.stderr.lines().filter(|line| line.contains(" done, ")).collect();
    assert_eq!(lines.len(), 10, "{run:?}");
    for (line, tenth) in lines.iter().zip(1..) {
        let done = tenth * 4;
        let expected = format!("{done}/40 done, {done} answered, 0 failed, cost unknown (s0");
        assert!(line.starts_with(&expected), "{expected}: {line}");
    }
    assert!(!run.stderr.contains(['\r', '\u{1b}']), "{run:?}");
}

#[test]
fn repeated_failures_are_printed_only_a_few_times() {
    let context = TestContext::with_agent();
    context.sample_each((0..20).map(|_| either()));
    // Only the first call is answered: a run that fails alike from its start ends there.
    context.script("fails", "mkdir once 2>/dev/null && echo better");
    let run = context.run(&["eval", "--variants", "v1,v2", "--executor", "./fails", "--retry", "0"]).expect(3);
    assert_eq!(run.stderr.lines().filter(|line| line.contains(" failed: ")).count(), 5, "{run:?}");
    assert!(run.stderr.contains("40/40 done, 1 answered, 39 failed"), "{run:?}");
}

#[test]
fn closed_standard_output_is_no_failure() {
    let context = project(4);
    let mut command = context.command(&["bench", "run", "--executor", "./agent"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
