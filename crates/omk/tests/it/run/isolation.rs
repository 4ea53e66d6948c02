//! Isolation of the variants: which channels are cut, and which are `unverified`.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};
use testkit::{FakeApi, ReplyScript, wait_until};

use super::{eval_with, says_better, valid, with_agent};
use crate::fixtures::context::{TestContext, tree};

const CHANNELS: [&str; 7] =
    ["user-settings", "project-settings", "skills", "mcp", "plugins", "auto-memory", "working-directory"];

/// The report's state of each channel, which must be the same for both variants.
fn isolation(context: &TestContext) -> Value {
    let report = valid(context.report());
    let isolation = &report["meta"]["skillIsolation"];
    assert_eq!(isolation["v1"], isolation["v2"]);
    assert_eq!(isolation["v1"].as_object().unwrap().len(), CHANNELS.len());
    isolation["v1"].clone()
}

fn all(state: &str) -> Value {
    CHANNELS.iter().map(|channel| ((*channel).to_owned(), json!(state))).collect::<serde_json::Map<_, _>>().into()
}

#[test]
fn command_isolation_is_unverified_and_api_isolation_is_complete() {
    let mut context = TestContext::with_agent();
    context.samples(1, &says_better());
    context.run(&with_agent(&["--report-only"])).expect(0);
    assert_eq!(isolation(&context), all("unverified"));
    fs::remove_dir_all(context.home()).unwrap();
    let api = FakeApi::start(ReplyScript::happy());
    context.env("ANTHROPIC_BASE_URL", &api.url);
    context.run(&eval_with("anthropic-api", &["--report-only"])).expect(0);
    assert_eq!(isolation(&context), all("cut"));
}

#[test]
fn claude_is_started_with_isolation_flags() {
    let mut context = TestContext::with_agent();
    context.samples(1, &says_better());
    let stream = json!({"type": "result", "subtype": "success", "is_error": false, "result": "better"});
    context.script(
        "bin/claude",
        &format!("[ \"$1\" = --version ] && {{ echo 2.1.330; exit; }}\ncat > /dev/null; printf '<%s>' \"$@\" > \"$ARGS\"; echo '{stream}'"),
    );
    context.env("PATH", &format!("{}:{}", context.path("bin").display(), std::env::var("PATH").unwrap()));
    context.env("ANTHROPIC_API_KEY", "sk-ant-isolation-0123456789");
    context.env("ARGS", &context.path("args").display().to_string());
    context.run(&eval_with("claude", &["--report-only", "--no-sandbox", "--no-cache"])).expect(0);
    let arguments = fs::read_to_string(context.path("args")).unwrap();
    assert!(arguments.contains("<--setting-sources><><--strict-mcp-config><--disable-slash-commands>"), "{arguments}");
    assert_eq!(isolation(&context), all("cut"));

    fs::remove_dir_all(context.home()).unwrap();
    context
        .run(&eval_with("claude", &["--report-only", "--no-sandbox", "--no-cache", "--no-strict-baseline"]))
        .expect(0);
    let arguments = fs::read_to_string(context.path("args")).unwrap();
    assert!(!arguments.contains("--strict-mcp-config"), "{arguments}");
    assert_eq!(isolation(&context), all("open"));
}

/// A project whose `claude` runs `body` in the place of a model. It logs in `$LOG`, which requires `--no-sandbox`.
pub(crate) fn with_claude(body: &str) -> TestContext {
    let mut context = TestContext::with_agent();
    let stream = json!({"type": "result", "subtype": "success", "is_error": false, "result": "better"});
    context.script(
        "bin/claude",
        &format!("[ \"$1\" = --version ] && {{ echo 2.1.330; exit; }}\ncat > /dev/null\n{body}\necho '{stream}'"),
    );
    context.env("PATH", &format!("{}:{}", context.path("bin").display(), std::env::var("PATH").unwrap()));
    context.env("ANTHROPIC_API_KEY", "sk-ant-isolation-0123456789");
    context.env("LOG", &context.path("calls").display().to_string());
    context.samples(2, &says_better());
    context
}

#[test]
fn each_call_of_an_agent_works_in_a_copy_of_its_own() {
    let context = with_claude(
        "ls | tr '\\n' ' ' >> \"$LOG\"; readlink inner >> \"$LOG\"; cat deep/inner/a.txt >> \"$LOG\"\n\
         touch was-here; echo changed > deep/a.txt; chmod -R a-w deep",
    );
    context.write("deep/a.txt", "a\n");
    context.write("build/ignored.txt", "much\n");
    context.write(".gitignore", "build\ncalls\n");
    symlink(context.path("deep"), context.path("inner")).unwrap();
    symlink("../deep", context.path("deep/inner")).unwrap();
    let before = tree(&context.path("deep"));
    context.run(&eval_with("claude", &["--report-only", "--no-sandbox"])).expect(0);
    assert_eq!(tree(&context.path("deep")), before);
    assert!(!context.path("was-here").exists());
    assert_eq!(context.read("calls"), "agent bin deep inner deep\na\n".repeat(4));
    // Nothing is left of the copies.
    let temporary = context.path("temporary");
    fs::create_dir(&temporary).unwrap();
    let named = temporary.display().to_string();
    context
        .run_with(&eval_with("claude", &["--report-only", "--no-sandbox", "--no-cache"]), &[("TMPDIR", &named)])
        .expect(0);
    assert_eq!(tree(&temporary), []);
}

#[test]
fn copies_that_a_killed_run_left_are_removed_by_the_next_one() {
    let context = with_claude("echo $PWD >> \"$LOG\"; if [ -n \"$STAY\" ]; then sleep 60; fi");
    let temporary = context.path("temporary");
    fs::create_dir(&temporary).unwrap();
    let named = temporary.display().to_string();
    let mut run = context.command(&eval_with("claude", &["--report-only", "--no-sandbox"]));
    let mut run =
        run.env("TMPDIR", &named).env("STAY", "1").stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    wait_until("a call is under way", || context.path("calls").exists());
    // Another run beside it leaves its copies alone.
    context.run_with(&eval_with("claude", &["--report-only", "--no-sandbox"]), &[("TMPDIR", &named)]).expect(0);
    let first = context.read("calls").lines().next().unwrap().to_owned();
    assert!(Path::new(&first).is_dir(), "{first}");
    run.kill().unwrap();
    run.wait().unwrap();
    assert!(Path::new(&first).is_dir(), "{first}");
    context
        .run_with(&eval_with("claude", &["--report-only", "--no-sandbox", "--no-cache"]), &[("TMPDIR", &named)])
        .expect(0);
    assert!(
        !tree(&temporary).iter().any(|(path, _)| path.to_string_lossy().contains("omk-run-"))
            && !Path::new(&first).exists()
    );
}

#[test]
fn login_that_an_agent_renews_is_kept() {
    let mut context = with_claude(
        "cat \"$CLAUDE_CONFIG_DIR/.credentials.json\" >> \"$LOG\"; ls -A \"$CLAUDE_CONFIG_DIR\" >> \"$LOG\"\n\
         echo renewed > \"$CLAUDE_CONFIG_DIR/.credentials.json\"",
    );
    let user = tempfile::tempdir().unwrap();
    context.env("HOME", &user.path().display().to_string());
    let login = user.path().join(".claude/.credentials.json");
    fs::create_dir_all(login.parent().unwrap()).unwrap();
    fs::write(&login, "first\n").unwrap();
    fs::write(user.path().join(".claude/CLAUDE.md"), "mine").unwrap();
    context.run(&eval_with("claude", &["--report-only", "--no-sandbox"])).expect(0);
    let seen = context.read("calls");
    assert_eq!(seen, format!("first\n.credentials.json\n{}", "renewed\n.credentials.json\n".repeat(3)));
    assert_eq!(fs::read_to_string(&login).unwrap(), "renewed\n");
    assert_eq!(fs::metadata(&login).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn requests_of_the_variants_differ_only_in_the_artifact() {
    let api = FakeApi::start(ReplyScript::happy());
    let mut context = TestContext::with_agent();
    context.samples(2, &says_better());
    context.env("OPENAI_BASE_URL", &format!("{}/v1", api.url));
    context
        .run(&["eval", "--control", "baseline", "--treatment", "v2", "--executor", "openai-api", "--report-only"])
        .expect(0);
    let bodies: Vec<Value> = api.requests().into_iter().map(|request| request.body).collect();
    let (with, without): (Vec<&Value>, Vec<&Value>) =
        bodies.iter().partition(|body| body.to_string().contains("ANSWER"));
    assert_eq!((with.len(), without.len()), (2, 2));
    for (treated, bare) in with.iter().zip(&without) {
        let mut stripped = (*treated).clone();
        stripped["messages"].as_array_mut().unwrap().retain(|message| message["role"] != "system");
        let same_sample = without.iter().any(|bare| **bare == stripped);
        assert!(same_sample && bare["messages"].as_array().unwrap().len() == 1, "{treated} beside {bare}");
    }
}

#[test]
fn links_to_what_holds_an_artifact_are_left_out_of_copies() {
    // A link above the project, and one to a folder elsewhere in which the skill is a link.
    let context = with_claude("find -L . -name SKILL.md >> \"$LOG\"; ls | tr '\\n' ' ' >> \"$LOG\"");
    context.write("skills/v3/SKILL.md", "---\nname: v3\ndescription: d\n---\nANSWER better\n");
    fs::create_dir(context.path("sub")).unwrap();
    context.write("sub/data.txt", "kept\n");
    symlink("..", context.path("sub/up")).unwrap();
    symlink("../skills", context.path("sub/lib")).unwrap();
    symlink("data.txt", context.path("sub/link")).unwrap();
    context.write(
        "eval-samples.json",
        &json!([{"sample_id": "s", "prompt": "question", "cwd": "sub", "assertions": says_better()}]).to_string(),
    );
    let one = ["eval", "--control", "v3", "--executor", "claude", "--report-only", "--no-sandbox"];
    context.run(&one).expect(0);
    assert_eq!(context.read("calls"), "data.txt link ");
}

#[test]
fn directory_inside_of_an_artifact_that_a_sample_names_is_copied() {
    let context = with_claude("ls -A | tr '\\n' ' ' >> \"$LOG\"");
    context.write("skills/v3/SKILL.md", "---\nname: v3\ndescription: d\n---\nANSWER better\n");
    context.write("skills/v3/evals/repo/data.txt", "kept\n");
    let cwd = "skills/v3/evals/repo";
    context.write(
        "eval-samples.json",
        &json!([{"sample_id": "s", "prompt": "question", "cwd": cwd, "assertions": says_better()}]).to_string(),
    );
    context.run(&["eval", "--control", "v3", "--executor", "claude", "--report-only", "--no-sandbox"]).expect(0);
    assert_eq!(context.read("calls"), "data.txt ");
}

#[test]
fn answers_that_were_given_beside_another_version_are_not_taken_from_the_cache() {
    let context = with_claude("ls -A .claude/skills 2>/dev/null | tr '\\n' ' ' >> \"$LOG\"; echo >> \"$LOG\"");
    for name in ["v3", "v4"] {
        let text = format!("---\nname: {name}\ndescription: d\n---\nANSWER better {name}\n");
        context.write(&format!("skills/{name}/SKILL.md"), &text);
        context.write(&format!(".claude/skills/{name}/SKILL.md"), &text);
    }
    context.write(".gitignore", "calls\n");
    let against = |treatment: &str| {
        drop(fs::remove_file(context.path("calls")));
        let two = [
            "eval",
            "--control",
            "baseline",
            "--treatment",
            treatment,
            "--executor",
            "claude",
            "--report-only",
            "--no-sandbox",
        ];
        context.run(&two).expect(0);
        fs::read_to_string(context.path("calls")).unwrap_or_default()
    };
    assert_eq!(against("v3"), "v4 \n".repeat(4));
    // The baseline's directory had `v4` in it, which is now the treatment.
    assert_eq!(against("v4"), "v3 \n".repeat(4));
    assert_eq!(against("v4"), "");
}

#[test]
fn answer_of_an_agent_that_does_not_end_in_time_counts() {
    let stream = json!({"type": "result", "subtype": "success", "is_error": false, "result": "better"});
    let context = with_claude(&format!("echo started >> \"$LOG\"; echo '{stream}'; sleep 60"));
    context.run(&eval_with("claude", &["--report-only", "--no-sandbox", "--timeout", "2"])).expect(0);
    assert_eq!(context.read("calls"), "started\n".repeat(4));
    let report = valid(context.report());
    let results = super::results(&report);
    assert!(results.values().all(|result| result["outcome"] == "answered"), "{results:#?}");
    assert!(results.values().all(|result| result["durationMs"].as_u64().unwrap() < 2000), "{results:#?}");
}
