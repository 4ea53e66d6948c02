//! Which version of its artifact a run measured: the commit in the report, and in the trend.

use std::process::Command;

use serde_json::{Value, json};

use super::server::site;
use crate::fixtures::context::TestContext;

fn git(context: &TestContext, arguments: &[&str]) -> String {
    let output = Command::new("git")
        .args(["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "init.defaultBranch=trunk"])
        .args(arguments)
        .current_dir(context.root())
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

fn commit(context: &TestContext, subject: &str) -> String {
    git(context, &["add", "skills", "eval-samples.json"]);
    git(context, &["commit", "-q", "--allow-empty", "-m", subject]);
    git(context, &["rev-parse", "HEAD"])
}

fn eval(context: &TestContext, more: &[&str]) {
    let flags = ["eval", "--variants", "v1,v2", "--executor", "./agent", "--no-judge", "--no-cache", "--report-only"];
    context.run(&[&flags, more].concat()).expect(0);
}

fn recorded(context: &TestContext) -> Value {
    context.report()["meta"]["artifacts"]["v2"]["commit"].clone()
}

fn context() -> TestContext {
    let context = TestContext::with_agent();
    context.samples(6, &json!([{"type": "contains", "value": "better"}]));
    git(&context, &["init", "-q"]);
    context
}

#[test]
fn report_has_the_commit_that_touched_the_artifact_last() {
    let mut context = context();
    context.env("OMK_TEST_TOKEN", "hunter2-hunter2");
    let first = commit(&context, "Begin with hunter2-hunter2");
    context.write("other.md", "x");
    git(&context, &["add", "other.md"]);
    git(&context, &["commit", "-q", "-m", "Something else"]);
    eval(&context, &[]);
    let found = recorded(&context);
    assert_eq!((&found["hash"], &found["dirty"]), (&json!(first), &json!(false)));
    let subject = found["subject"].as_str().unwrap();
    assert!(subject.starts_with("Begin with ") && !subject.contains("hunter2"), "{subject}");
    assert_ne!(context.report()["meta"]["gitInfo"]["commit"], json!(first), "the repository is further on");
    context.write("skills/v2.md", "ANSWER better still\n");
    eval(&context, &[]);
    assert_eq!(recorded(&context)["dirty"], true);
    eval(&context, &["--no-texts"]);
    assert_eq!(recorded(&context), json!({"hash": first, "dirty": true}));
    eval(&context, &["--blind"]);
    assert_eq!(context.report()["meta"].get("artifacts"), None);
}

#[test]
fn trend_shows_which_commit_each_run_measured() {
    let context = context();
    let first = commit(&context, "Begin");
    eval(&context, &[]);
    eval(&context, &[]);
    context.write("skills/v2.md", "ANSWER better still\n");
    let second = commit(&context, "Say \u{1b}[31mmore\u{1b}[0m <b>of\u{202e} it</b>");
    eval(&context, &[]);
    context.write("skills/v2.md", "ANSWER better yet\n");
    eval(&context, &[]);
    let trend = context.run(&["trend", "--json"]).expect(0).json();
    let points = trend["series"][0]["points"].as_array().unwrap();
    let commits: Vec<&Value> = points.iter().map(|of| &of["variants"][1]["commit"]["hash"]).collect();
    assert_eq!(commits, [&json!(first), &json!(first), &json!(second), &json!(second)]);
    let shown = context.run(&["trend"]).expect(0).stdout;
    let (_, versions) = shown.split_once("versions of `v2`, each from its first run on").expect(&shown);
    let lines: Vec<&str> = versions.lines().skip(1).take(4).map(str::trim).collect();
    let short = |commit: &str| commit[..7].to_owned();
    assert!(lines[0].ends_with(&format!("{} Begin", short(&first))) && !lines[0].contains('▼'), "{lines:?}");
    assert!(lines[1].contains(&format!("▼ {} Say more", short(&second))), "{lines:?}");
    assert!(lines[2].contains(&format!("▼ {}+ Say more", short(&second))), "{lines:?}");
    assert!(lines[3].starts_with("+ what was measured is not what that commit has"), "{lines:?}");
    assert!(!shown.contains(['\u{1b}', '\u{202e}']), "{shown}");
    let page = site(&context, &[]).page("/trends");
    let card = page.split("<section").find(|of| of.contains("><bdi>v2</bdi></h2>")).expect(&page);
    assert_eq!(card.matches("<path class=\"m-event\"").count(), 2, "{card}");
    for text in [format!("{} Begin", short(&first)), format!("▼ {} Say more &#60;b&#62;of", short(&second))] {
        assert!(card.contains(&text), "{text}: {card}");
    }
    assert!(!page.contains('\u{202e}') && !page.contains("<b>of"), "{page}");
}

#[test]
fn trend_of_artifacts_outside_of_a_repository_has_no_versions() {
    let context = TestContext::with_agent();
    context.samples(6, &json!([{"type": "contains", "value": "better"}]));
    eval(&context, &[]);
    assert_eq!(recorded(&context), Value::Null);
    assert!(!context.run(&["trend"]).expect(0).stdout.contains("versions of"));
}
