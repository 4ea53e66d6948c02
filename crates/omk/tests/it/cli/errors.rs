//! Errors as text and as JSON, and untrusted text inside them.

use serde_json::{Value, json};
use testkit::{FakeApi, FakeReply, ReplyScript};

use crate::fixtures::context::{Finished, TestContext};

/// A control sequence that sets the terminal's title.
const TITLE: &str = "\u{1b}]0;pwned\u{7}";

/// A project whose two skills answer one sample.
fn project() -> TestContext {
    let context = TestContext::with_agent();
    context.samples(1, &json!([{"type": "contains", "value": "better"}]));
    context
}

/// The JSON document that a failed command prints.
#[track_caller]
fn document(finished: &Finished) -> Value {
    let document = finished.json();
    assert!(document["error"].as_str().is_some_and(|text| !text.is_empty()), "{finished:#?}");
    let diagnostics = document["diagnostics"].as_array().unwrap();
    assert!(!diagnostics.is_empty(), "{finished:#?}");
    for one in diagnostics {
        let keys: Vec<&str> = one.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(keys.len(), 6, "{keys:?}");
        assert!(one["message"].is_string() && (one["severity"] == "error" || one["severity"] == "warning"), "{one}");
    }
    assert!(!finished.stderr.is_empty(), "people get a text too");
    document
}

#[test]
fn failure_with_json_is_a_single_document() {
    let context = project();
    context.write("eval.yaml", "control: v1\ntreatments: [v2]\nexecutor: ./agent\nthresholdd: 3\nrepeat: x\n");
    let input = document(&context.run(&["eval", "--json"]).expect(2));
    let found = input["diagnostics"].as_array().unwrap();
    assert_eq!(found.len(), 2, "{input:#}");
    let at: Vec<_> = found.iter().map(|one| (&one["file"], &one["line"], &one["column"])).collect();
    assert_eq!(
        at,
        [(&json!("eval.yaml"), &json!(4), &json!(1)), (&json!("eval.yaml"), &json!(5), &json!(9))],
        "{input:#}"
    );
    assert_eq!(found[0]["help"], "did you mean `threshold`?");
    assert_eq!(input["error"], "2 errors in the input; nothing was executed");

    context.write("eval.yaml", "control: v1\ntreatments: [v2]\nexecutor: ./nothing\n");
    let executor = document(&context.run(&["eval", "--json"]).expect(2));
    let place = &executor["diagnostics"][0];
    assert_eq!((&place["file"], &place["line"]), (&json!("eval.yaml"), &json!(3)), "{executor:#}");
    assert!(executor["error"].as_str().unwrap().contains("./nothing"));

    let missing = document(&context.run(&["eval", "nowhere", "--json"]).expect(2));
    assert_eq!(missing["error"], "`nowhere` does not exist");
    assert_eq!(missing["diagnostics"][0]["file"], Value::Null);
    let resumed = context.run(&["eval", "--resume", "nothing", "--json"]).expect(2);
    assert!(document(&resumed)["error"].as_str().unwrap().contains("nothing"));
}

#[test]
fn usage_error_with_json_is_a_single_document() {
    let context = TestContext::new();
    let one = |arguments: &[&str]| document(&context.run(arguments).expect(2))["error"].as_str().unwrap().to_owned();
    assert!(one(&["eval", "--json", "--budgett", "1"]).contains("--budgett"));
    assert!(one(&["--json", "evall"]).contains("evall"));
    assert!(one(&["eval", "--rpm", "0", "--json"]).contains("--rpm"));
    assert!(!one(&["gold", "--json"]).is_empty());
    assert!(!one(&["--json"]).is_empty());
    // Without `--json`, standard output stays empty; help is not an error.
    assert_eq!(context.run(&["evall"]).expect(2).stdout, "");
    assert_eq!(context.run(&["evall", "--", "--json"]).expect(2).stdout, "");
    assert!(context.run(&["eval", "--json", "--help"]).expect(0).stdout.contains("--treatment"));
}

#[test]
fn file_content_cannot_control_the_terminal() {
    let context = project();
    context.write("eval.yaml", "control: v1\ntreatments: [v2]\n\"as\\e]0;pwned\\a\": 1\n\"\u{202e}x\": 2\n");
    for arguments in [&["eval"][..], &["eval", "--json"]] {
        let finished = context.run(arguments).expect(2);
        let printed = format!("{}{}", finished.stdout, finished.stderr);
        assert!(printed.contains("unknown key `as"), "{printed}");
        assert!(!printed.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{printed:?}");
    }
}

#[test]
fn server_error_cannot_control_the_terminal_and_is_no_interruption() {
    let says = format!("{TITLE}\u{1b}[2Jbad \u{9b}31m key");
    let mut context = project();
    context.samples(6, &json!([{"type": "contains", "value": "better"}]));
    let api = FakeApi::start(ReplyScript::with(move |_| FakeReply::error(401, "some_error", &says)));
    context.env("OPENAI_BASE_URL", &format!("{}/v1", api.url));
    let arguments = [
        "eval",
        "--control",
        "v1",
        "--treatment",
        "v2",
        "--executor",
        "openai-api",
        "--model",
        "m",
        "--concurrency",
        "4",
    ];
    let finished = context.run(&arguments).expect(3);
    assert!(finished.stderr.contains("the first call failed") && finished.stderr.contains("key"), "{finished:#?}");
    let printed = format!("{}{}", finished.stdout, finished.stderr);
    assert!(!printed.contains(['\u{1b}', '\u{7}', '\u{9b}']), "{printed:?}");
    assert!(!finished.stderr.contains("stopping:") && !finished.stderr.contains("once more"), "{}", finished.stderr);
}

#[test]
fn negative_number_is_out_of_range_and_not_a_flag() {
    let context = project();
    let refused =
        |arguments: &[&str]| context.run(&[&["eval", "--executor", "./agent"], arguments].concat()).expect(2).stderr;
    assert!(refused(&["--budget-usd", "-1"]).contains("`--budget-usd` is -1"));
    let seed = refused(&["--seed", "-1"]);
    assert!(seed.contains("`-1` is no value for `--seed <N>`") && seed.contains("not negative"), "{seed}");
    assert!(refused(&["--repeat", "-3"]).contains("expected 1 to 10000"));
    assert!(refused(&["--seed", "abc"]).contains("expected a number\n"));
    let explain = context.run(&["cache", "explain", "s001", "--seed", "-1"]).expect(2).stderr;
    assert!(explain.contains("not negative"), "{explain}");
}

#[test]
fn misspelt_executor_gets_a_suggestion() {
    let context = project();
    for (written, meant) in [("calude", "claude"), ("anthropic_api", "anthropic-api"), ("Replay", "replay")] {
        let finished = context.run(&["eval", "--executor", written]).expect(2);
        assert!(finished.stderr.contains(&format!("did you mean `{meant}`?")), "{finished:#?}");
    }
    let finished = context.run(&["eval", "--executor", "something-else"]).expect(2);
    assert!(!finished.stderr.contains("did you mean"), "{finished:#?}");
}

#[test]
fn wrong_word_leads_to_nothing_that_costs_or_means_the_opposite() {
    let context = TestContext::new();
    let hints = |arguments: &[&str]| {
        let refused = context.run(arguments).expect(2);
        refused.stderr.lines().filter(|line| !line.contains("--help")).map(str::to_owned).collect::<Vec<_>>()
    };
    let unknown = |word: &str| format!("error: unknown command `{word}`");
    assert_eq!(hints(&["evla"]), [unknown("evla"), "hint: did you mean `eval --dry-run`?".to_owned()]);
    assert_eq!(hints(&["bench", "rum"]), [unknown("rum")]);
    assert_eq!(hints(&["debais"]), [unknown("debais")]);
    assert_eq!(hints(&["repot"]), [unknown("repot"), "hint: did you mean `report`?".to_owned()]);
    assert_eq!(hints(&["eval", "--strict-base"]).len(), 2, "a switch in the same direction");
    assert_eq!(hints(&["eval", "--blin"])[1], "hint: did you mean `--blind`?");
    assert_eq!(hints(&["eval", "--cache"]), ["error: unknown argument `--cache`"], "not `--no-cache`");
    assert_eq!(hints(&["evolve"]), ["error: `evolve` isn't there yet"]);
}

#[test]
fn strict_baseline_is_a_flag_too() {
    let context = TestContext::with_agent();
    context.write("eval.yaml", "control: v1\ntreatments: [v2]\nexecutor: ./agent\nstrictBaseline: false\n");
    context.samples(1, &json!([{"type": "contains", "value": "a"}]));
    let strict = |flags: &[&str]| {
        let plan = context.run(&[&["eval", "--json", "--report-only"], flags].concat()).expect(0).json();
        plan["meta"]["settings"]["strictBaseline"].clone()
    };
    assert_eq!((strict(&[]), strict(&["--strict-baseline"])), (false.into(), true.into()));
    context.run(&["eval", "--strict-baseline", "--no-strict-baseline"]).expect(2);
    context.write("eval.yaml", "control: v1\ntreatments: [v2]\nallowedSkills: [a]\n");
    let refused = context.run(&["eval", "--dry-run"]).expect(2).stderr;
    assert!(refused.contains("`allowedSkills` belongs to a variant, beside its `artifact`"), "{refused}");
    assert!(!refused.contains("allowedTools"), "{refused}");
}

#[test]
fn target_that_is_neither_file_nor_directory_is_not_said_to_be_missing() {
    let context = TestContext::with_agent();
    let refused = context.run(&["doctor", "/dev/null"]).expect(2);
    let said = "`/dev/null` is neither a file nor a directory";
    assert!(refused.stderr.contains(said) || refused.stdout.contains(said), "{refused:#?}");
}

#[test]
fn folder_of_temporary_files_that_cannot_be_used_is_named_with_its_variable() {
    let context = project();
    context.write("eval.yaml", "control: v1\ntreatments: [v2]\nexecutor: ./agent\n");
    for folder in ["/nonexist", &context.path("eval.yaml").display().to_string()] {
        let refused = context.run_with(&["eval"], &[("TMPDIR", folder)]).expect(2);
        let text = refused.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(&format!("cannot make temporary files in `{folder}`: ")), "{text}");
        assert!(text.contains("set `TMPDIR` to a folder") && !text.contains(".tmp"), "{text}");
        let checked = context.run_with(&["doctor"], &[("TMPDIR", folder)]).expect(2);
        assert!(checked.stdout.contains("where temporary files go, is no folder"), "{checked:#?}");
    }
}
