//! The terminal as a person sees it: what the example prints on a terminal, into a pipe and in CI, at several widths, in
//! both languages.

use std::process::Command;

use testkit::tools::tool;

use crate::fixtures::context::TestContext;

/// The project that `omk init` makes, with recorded answers.
fn example() -> TestContext {
    let mut context = TestContext::new();
    context.env("OMK_FIXED_TIME", "2026-11-22T00:00:00Z");
    context.run(&["init", "--lang", "en"]).expect(0);
    context
}

const EVAL: [&str; 6] = ["eval", "--executor", "replay", "--report-only", "--concurrency", "1"];

/// What is shown, with escape sequences as text. Of a line of progress it is the number done, which alone is always the same;
/// of the last one also what was answered and failed.
fn shown(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let line = line.trim_end_matches('\r');
        // what redraws the progress bar
        let line = line.rsplit("\u{1b}[2K").next().unwrap();
        let line = line.rsplit('\r').next().unwrap();
        let is_progress = line.contains("/96 done, ") || line.starts_with("已完成 ");
        let end = match is_progress {
            true if line.contains("96/96") => line.find(['(', '（']),
            true => line.find([',', '，']),
            false => None,
        };
        end.map_or_else(|| line.replace('\u{1b}', "␛"), |end| format!("{}…", &line[..end]))
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn fresh(context: &TestContext) {
    let _ = std::fs::remove_dir_all(context.path(".omk"));
    std::fs::create_dir(context.path(".omk")).unwrap();
    let _ = std::fs::remove_dir_all(context.home());
}

fn piped(context: &TestContext, lang: &str, width: &str, ci: bool) -> String {
    fresh(context);
    let mut command = context.command(&EVAL);
    command.env("OMK_LANG", lang).env("COLUMNS", width);
    if ci {
        command.env("CI", "true");
    }
    let output = command.output().unwrap();
    let text = String::from_utf8([output.stderr, output.stdout].concat()).unwrap();
    assert!(!text.contains(['\u{1b}', '\r']), "{text}");
    shown(&text)
}

/// On a terminal of so many columns and 24 rows; `COLUMNS` isn't exported there.
fn on_a_terminal(context: &TestContext, script: &std::path::Path, lang: &str, width: &str) -> String {
    fresh(context);
    let plain = context.command(&EVAL);
    let line = format!("stty cols {width} rows 24; exec {} {}", env!("CARGO_BIN_EXE_omk"), EVAL.join(" "));
    let mut command = Command::new(script);
    command.args(["-qec", &line, "/dev/null"]).stdin(std::process::Stdio::null());
    command.current_dir(plain.get_current_dir().unwrap()).env_clear();
    command.envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let output = command.env("OMK_LANG", lang).env("TERM", "xterm").output().unwrap();
    shown(&String::from_utf8(output.stdout).unwrap())
}

#[test]
fn recordings_of_the_terminal() {
    let context = example();
    let script = tool(&["script"]);
    for lang in ["en", "zh"] {
        for width in ["60", "80", "200"] {
            let pipe = piped(&context, lang, width, false);
            insta::assert_snapshot!(format!("pipe-{lang}-{width}"), pipe);
            assert_eq!(piped(&context, lang, width, true), pipe, "CI prints what a pipe does");
            let Some(script) = &script else { continue };
            let terminal = on_a_terminal(&context, script, lang, width);
            insta::assert_snapshot!(format!("terminal-{lang}-{width}"), terminal);
        }
    }
}

#[test]
fn terminal_of_24_rows_shows_the_whole_summary() {
    let Some(script) = tool(&["script"]) else { return };
    let context = example();
    let text = on_a_terminal(&context, &script, "en", "80");
    let summary: Vec<&str> = text.lines().skip_while(|line| !line.starts_with("`v2` against")).collect();
    assert!(summary.len() <= 23 && summary.last().unwrap().starts_with("report: .omk/"), "{text}");
    assert!(summary.iter().any(|line| line.contains("PROGRESS")), "{text}");
}
