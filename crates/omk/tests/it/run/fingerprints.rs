//! What is known of the agent that really answered: a hash of its program, its version, tools and MCP servers.

use rustix::process::Signal;
use serde_json::{Value, json};
use testkit::wait_until;

use super::claude::stand_in;
use super::{Running, eval_with, finished, results, says, says_better, sum, valid};
use crate::fixtures::context::TestContext;

/// A project whose `claude` notes in `$SEEN` what it does, which requires `--no-sandbox`. It begins as `init` says, a piece of
/// shell that sets `version`, `model` and `servers`, and then answers as its artifact says.
fn with_init(init: &str) -> TestContext {
    let mut context = stand_in(&format!(
        r#"version=2.1.330 model=m-1 servers='[]' answer=plain
cat > /dev/null
while [ $# -gt 0 ]; do case "$1" in --append-system-prompt-file) grep -q better "$2" && answer=better ;; esac; shift; done
{init}
echo "{{\"type\":\"system\",\"subtype\":\"init\",\"claude_code_version\":\"$version\",\"model\":\"$model\",\"tools\":[\"Read\"],\"mcp_servers\":$servers}}"
echo "{{\"type\":\"assistant\",\"message\":{{\"id\":\"1\",\"model\":\"$model\",\"content\":[{{\"type\":\"text\",\"text\":\"$answer\"}}]}}}}"
echo "{{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"result\":\"$answer\"}}""#
    ));
    context.env("SEEN", &context.path("seen").display().to_string());
    context.write(".gitignore", "seen\n");
    context.samples(24, &says_better());
    context
}

/// The report of a run, and the reasons of its verdict; `omk report verdict` comes to the same.
fn verdict(context: &TestContext) -> (Value, Vec<Value>) {
    context.run(&eval_with("claude", &["--no-sandbox", "--no-cache"]));
    let report = valid(context.report());
    let reasons = report["verdict"]["perTreatment"][0]["reasons"].as_array().unwrap().clone();
    let again = context.run(&["report", "verdict", "latest"]);
    assert_eq!(i64::from(again.code), report["verdict"]["exitCode"].as_i64().unwrap(), "{again:#?}");
    (report, reasons)
}

fn said(reasons: &[Value], id: &str) -> Option<String> {
    let of = reasons.iter().find(|reason| reason["messageKey"]["id"] == id)?;
    of["message"].as_str().map(str::to_owned)
}

#[test]
fn report_has_a_hash_of_the_program_and_what_each_run_says_of_itself() {
    let (report, reasons) = verdict(&with_init(""));
    let program = &report["meta"]["executorRuntime"]["program"];
    assert_eq!(program["sha256"].as_str().unwrap().len(), 12);
    assert_eq!((&program["files"], &program["script"]), (&json!(["claude"]), &json!(true)), "{program}");
    assert_eq!(results(&report)["s001/v1"]["runtime"], json!({"version": "2.1.330", "tools": ["Read"]}));
    let counted = json!({"executions": 24, "versions": {"2.1.330": 24}, "tools": {"Read": 24}});
    assert_eq!(report["summary"]["v2"]["runtimes"], counted);
    assert!(reasons.iter().all(|of| !of["messageKey"]["id"].as_str().unwrap().contains("alarm")), "{reasons:#?}");
}

#[test]
fn version_that_changes_during_a_run_is_named() {
    let context = with_init("[ -e \"$SEEN\" ] && version=2.1.331; : > \"$SEEN\"");
    let (report, reasons) = verdict(&context);
    let said = said(&reasons, "report-alarm-versions").unwrap();
    assert!(said.contains("2.1.330 (") && said.contains("2.1.331 ("), "{said}");
    assert_ne!(report["verdict"]["tier"], "PROGRESS");
}

#[test]
fn arm_that_another_model_answers_is_named() {
    let context = with_init("[ $answer = better ] && model=m-2");
    let (report, reasons) = verdict(&context);
    assert!(said(&reasons, "report-alarm-models").is_some(), "{reasons:#?}");
    assert_ne!(report["verdict"]["tier"], "PROGRESS");
}

#[test]
fn program_that_is_replaced_during_a_run_is_named() {
    // It says the same version as before.
    let context = with_init(
        "if [ ! -e \"$SEEN\" ]; then : > \"$SEEN\"; { cat \"$0\"; echo '# new'; } > \"$0.new\"; chmod +x \"$0.new\"; mv \"$0.new\" \"$0\"; fi",
    );
    let (report, reasons) = verdict(&context);
    let said = said(&reasons, "report-alarm-program").unwrap();
    assert!(said.contains("replaced during the run"), "{said}");
    let replaced = report["summary"]["v1"]["runtimes"]["replacedBy"].as_object().unwrap();
    let before = report["meta"]["executorRuntime"]["program"]["sha256"].as_str().unwrap();
    assert!(!replaced.contains_key(before) && replaced.len() == 1, "{replaced:?}");
}

#[test]
fn server_that_could_not_be_used_is_named() {
    let context = with_init(
        r#"[ $answer = better ] && servers='[{"name":"docs","status":"failed"},{"name":"web","status":"connected"}]'"#,
    );
    let (report, reasons) = verdict(&context);
    let said = said(&reasons, "report-alarm-server").unwrap();
    assert!(said.contains("`docs`") && said.contains("24 of 24") && said.contains("`v2`"), "{said}");
    assert_eq!(report["summary"]["v2"]["runtimes"]["failedServers"], json!({"docs": 24}));
}

/// A run that was interrupted when some of its answers were there, and the id to resume it by.
fn interrupted_beside(file: &str) -> (TestContext, String) {
    let context = with_init("sleep 0.2; cat notes.txt >> \"$SEEN\"");
    context.write(file, "old\n");
    let running = Running::start(&context, &eval_with("claude", &["--no-sandbox", "--concurrency", "2"]));
    wait_until("some answers", || finished(&context.home()).len() > 3);
    running.signal(Signal::INT);
    running.finish().expect(130);
    let id = crate::fixtures::context::files(&context.home().join("journal"))[0].file_stem().unwrap().to_owned();
    (context, id.into_string().unwrap())
}

#[test]
fn changed_files_of_a_working_directory_are_named_before_a_resumed_run_asks() {
    let (context, id) = interrupted_beside("notes.txt");
    let answered = finished(&context.home()).len();
    context.write("notes.txt", "new\n");
    context.write("sub/more.txt", "new\n");
    let refused = context.run(&["eval", "--resume", &id]).expect(2);
    for text in ["notes.txt", "sub/more.txt", "--accept-changes"] {
        assert!(says(&refused, text), "{text}: {refused:#?}");
    }
    assert_eq!(finished(&context.home()).len(), answered);
    // Put back as they were.
    context.write("notes.txt", "old\n");
    std::fs::remove_dir_all(context.path("sub")).unwrap();
    context.run(&["eval", "--resume", &id]);
    let report = valid(context.report());
    assert_eq!(sum(&report, "/outcomes/answered"), 48);
    assert_eq!(report["summary"]["v2"]["runtimes"]["changedCwds"], Value::Null);
    assert!(!context.read("seen").contains("new"));
}

#[test]
fn log_of_the_run_itself_is_no_file_that_agents_work_beside() {
    let context = with_init("sleep 0.2; ls >> \"$SEEN\"");
    context.write("notes.txt", "old\n");
    let log = std::fs::File::create(context.path("run.log")).unwrap();
    let mut command = context.command(&eval_with("claude", &["--no-sandbox", "--concurrency", "2"]));
    let mut running = command.stdout(log.try_clone().unwrap()).stderr(log).spawn().unwrap();
    wait_until("some answers", || finished(&context.home()).len() > 3);
    running.kill().unwrap();
    running.wait().unwrap();
    assert!(!context.read("seen").contains("run.log"));
    // Something else was removed, which has no name any more.
    std::fs::remove_file(context.path("notes.txt")).unwrap();
    let refused = context.run(&["eval", "--resume", "latest"]).expect(2);
    assert!(says(&refused, "`.` (something in it was removed)") && !says(&refused, "run.log"), "{refused:#?}");
    context.write("notes.txt", "old\n");
    context.write("run.log", "other\n");
    context.run(&["eval", "--resume", "latest"]);
    assert_eq!(sum(&valid(context.report()), "/outcomes/answered"), 48);
    assert!(!context.read("seen").contains("run.log"));
}

#[test]
fn answers_beside_changed_files_are_counted_and_are_no_progress() {
    let (context, id) = interrupted_beside("notes.txt");
    let answered = u64::try_from(finished(&context.home()).len()).unwrap();
    context.write("notes.txt", "new\n");
    context.run(&["eval", "--resume", &id, "--accept-changes"]);
    let report = valid(context.report());
    let counted = |variant: &str| {
        let changed = report["summary"][variant]["runtimes"]["changedCwds"].as_object().unwrap();
        changed.values().map(|count| count.as_u64().unwrap()).sum::<u64>()
    };
    assert_eq!(counted("v1") + counted("v2"), 48 - answered);
    let reasons = report["verdict"]["perTreatment"][0]["reasons"].as_array().unwrap();
    assert!(said(reasons, "report-alarm-files").is_some(), "{reasons:#?}");
    assert!(context.read("seen").contains("new"));
    // They are no answers beside the old files.
    context.write("notes.txt", "old\n");
    drop(std::fs::remove_file(context.path("seen")));
    context.run(&eval_with("claude", &["--no-sandbox"]));
    // Beside a treatment of today, the control's answers of the cache are asked again.
    let again = context.report()["cachedControl"]["askedAgain"].as_u64().unwrap_or(0);
    assert_eq!(context.read("seen").matches("old").count(), usize::try_from(48 - answered + again).unwrap());
    // A flag for nothing.
    context.run(&eval_with("claude", &["--accept-changes"])).expect(2);
}
