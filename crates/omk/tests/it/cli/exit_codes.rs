//! Exit codes of `omk eval`.

use std::ffi::OsStr;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use testkit::tools::tool;
use testkit::wait_until;

use crate::cli::{AGENT, either, eval, only_better, project};
use crate::fixtures::context::{TestContext, files};

fn tier(context: &TestContext) -> String {
    context.report()["verdict"]["tier"].as_str().unwrap().to_owned()
}

/// Neither answer passes.
fn neither() -> Value {
    json!([{"type": "contains", "value": "neither"}])
}

/// `n` samples that take the assertions in turn.
fn turns<const N: usize>(n: usize, assertions: [fn() -> Value; N]) -> Vec<Value> {
    (0..n).map(|i| assertions[i % N]()).collect()
}

#[test]
fn verdict_decides_the_exit_code() {
    const FORTH: &[&str] = &["--control", "v1", "--treatment", "v2"];
    const BACK: &[&str] = &["--control", "v2", "--treatment", "v1"];
    let check = |what: &str, samples: Vec<Value>, flags: &[&[&str]], expected: &str, code: i32| {
        let context = TestContext::with_agent();
        context.sample_each(samples);
        let run = context.run(&[&["eval", "--concurrency", "8"], &AGENT[..], &flags.concat()].concat());
        assert_eq!((tier(&context).as_str(), run.code), (expected, code), "{what}: {run:#?}");
        assert_eq!(context.report()["verdict"]["exitCode"], code, "{what}");
    };
    check("better", turns(24, [only_better, either]), &[FORTH], "PROGRESS", 0);
    check("better by the same everywhere", turns(24, [only_better]), &[FORTH], "PROGRESS", 0);
    check("better in few samples", turns(12, [only_better, either]), &[FORTH], "CAUTIOUS", 1);
    check("better, under the gate", turns(24, [only_better, neither]), &[FORTH], "CAUTIOUS", 1);
    check("a lower gate", turns(24, [only_better, neither]), &[FORTH, &["--threshold", "2.5"]], "PROGRESS", 0);
    check("the same", turns(60, [either]), &[FORTH], "NOISE", 1);
    check("the same in too few", turns(24, [either]), &[FORTH], "UNDERPOWERED", 1);
    check("very few", turns(4, [only_better]), &[FORTH], "UNDERPOWERED", 1);
    check("worse", turns(24, [only_better]), &[BACK], "REGRESS", 1);
    check("worse, only reported", turns(24, [only_better]), &[BACK, &["--report-only"]], "REGRESS", 0);
}

#[test]
fn single_variant_passes_at_its_threshold() {
    let context = project(24);
    // v1 has a mean of 3.00.
    for (threshold, code) in [("3", 0), ("3.1", 1)] {
        let run = context.run(&["eval", "--control", "v1", "--executor", "./agent", "--threshold", threshold]);
        assert_eq!((tier(&context).as_str(), run.code), ("SOLO", code), "{run:#?}");
    }
}

#[test]
fn input_errors_exit_with_2_and_execute_nothing() {
    let context = project(4);
    context.script("agent", "touch called\necho better\n");
    context.write("bad.yaml", "- sample_id: s1\n  promt: x\n");
    context.write("bad/eval.yaml", "contrl: v1\n");
    context.write("judged.yaml", "- sample_id: s1\n  prompt: x\n  rubric: good?\n");
    for flags in [
        &["--samples", "bad.yaml"][..],
        &["--samples", "none.yaml"],
        &["--samples", "judged.yaml"],
        &["--no-such-flag"],
        &["--threshold", "9"],
        &["--repeat", "0"],
        &["--treatment", "v9"],
        &["--executor", "./nobody"],
        &["--executor", "openai-api"],
        &["--budget-usd", "-1"],
        &["--resume", "2020-01-01T00-00-00-v1-v2"],
        &["--treatment-cwd", "a,b"],
        &["bad"],
        &["nowhere"],
    ] {
        let run = context.run(&[&["eval"], &AGENT[..], flags].concat());
        let run = if run.code == 2 { run } else { context.run(&[&["eval"], flags].concat()) };
        assert_eq!(run.code, 2, "{flags:?}: {run:#?}");
        assert!(run.stdout.is_empty() && !run.stderr.is_empty(), "{flags:?}: {run:#?}");
        assert!(!context.path("called").exists(), "{flags:?} called the executor");
    }
    assert!(!context.home().join("journal").exists(), "no run began");
    // With valid input, the same agent is called.
    context.run(&[&["eval"], &AGENT[..]].concat());
    assert!(context.path("called").exists());
}

/// Failed executions are missing scores, not low ones: the report is written and marked incomplete.
#[test]
fn too_many_failures_exit_with_3_and_mark_the_report_incomplete() {
    let context = project(10);
    // 3 of 20 executions fail.
    context.script(
        "agent",
        "input=$(cat)\ncase \"$input\" in *better*question\\ [123]\\\"*) exit 1 ;; esac\necho plain better\n",
    );
    let run = eval(&context, &["--retry", "0"]).expect(3);
    let report = context.report();
    assert_eq!((&report["status"], &report["incompleteReason"]), (&json!("incomplete"), &json!("too-many-failures")));
    assert_eq!(report["verdict"]["valid"], false);
    assert_eq!(report["summary"]["v2"]["errorCount"], 3);
    assert_eq!(report["summary"]["v2"]["avgCompositeScore"], json!(5.0), "what failed is missing, not 1 or 0");
    assert!(run.stdout.contains("3 of 20 executions failed"), "{run:?}");
    // With a higher allowed rate the run is a valid measurement.
    let allowed = eval(&context, &["--retry", "0", "--max-failure-rate", "0.2", "--no-cache"]);
    assert!(allowed.code < 2, "{allowed:?}");
    assert_eq!(context.report()["status"], "complete");
}

#[test]
fn exhausted_budget_exits_with_3() {
    let context = project(4);
    context.script("agent", "echo '{\"output\": \"better\", \"costUSD\": 1.0}'\n");
    let flags = ["--budget-usd", "3", "--allow-unknown-cost", "--concurrency", "1"];
    let run = context.run(&[&["eval", "--variants", "v1,v2"], &AGENT[..], &flags].concat()).expect(3);
    let report = context.report();
    assert_eq!((&report["status"], &report["incompleteReason"]), (&json!("incomplete"), &json!("budget-exhausted")));
    let spent = report["meta"]["knownCostUSD"].as_f64().unwrap();
    assert!((1.0..=3.0).contains(&spent), "{spent}");
    assert!(run.stderr.contains("omk eval --resume "), "{run:?}");
    assert_eq!(report["results"].as_array().unwrap().len(), 4, "every sample is listed");
}

#[test]
fn interruption_exits_with_130_and_prints_the_resume_command() {
    let context = project(6);
    // The calls after the third are slow until the run is resumed.
    let agent = "echo x >> calls\n[ \"$(wc -l < calls)\" -le 3 ] || [ -e resumed ] || sleep 2\necho better\n";
    context.script("agent", agent);
    let arguments = [&["eval", "--variants", "v1,v2", "--no-cache"], &AGENT[..]].concat();
    let child = context.command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let calls = || std::fs::read_to_string(context.path("calls")).unwrap_or_default().lines().count();
    wait_until("the third call", || calls() >= 3);
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{stderr}");
    assert!(output.stdout.is_empty());
    assert_eq!(
        files(&context.home().join("journal"))
            .iter()
            .filter(|path| path.extension().is_some_and(|e| e == "jsonl"))
            .count(),
        1
    );
    let done = calls();
    assert!((3..12).contains(&done), "{done} calls before the interruption took hold");

    context.write("resumed", "");
    let resume = stderr.lines().find_map(|line| line.split_once("omk ").map(|(_, rest)| rest)).unwrap();
    let resumed = context.run(&resume.split(' ').collect::<Vec<_>>());
    assert!(resumed.code < 2, "{resumed:?}");
    assert_eq!(calls(), 12, "what was finished is not asked again");
    assert_eq!(context.report()["status"], "complete");
}

/// Before the run nothing is lost, and the run can't be resumed: a usage error.
#[test]
fn journal_that_cannot_be_created_is_an_input_error() {
    let context = TestContext::with_agent();
    context.sample_each(turns(2, [either]));
    let home = context.write("file", "");
    let mut command = context.command(&[&["eval"], &AGENT[..]].concat());
    let run = command.env("OMK_HOME", &home).output().unwrap();
    let stderr = String::from_utf8(run.stderr).unwrap();
    assert_eq!(run.status.code(), Some(2), "{stderr}");
    assert!(!stderr.contains("resume"), "{stderr}");
}

/// During the run answers may have been paid for: no valid measurement, and how to go on.
#[test]
fn journal_that_cannot_be_written_during_the_run_invalidates_it() {
    let context = TestContext::with_agent();
    context.sample_each(turns(24, [either]));
    // blocks of 512 bytes: room for the header and a few answers
    let (code, stderr) = limited(&context, &["sh", "-c"], "ulimit -f 24", &context.command(&[]).get_program());
    assert_eq!(code, Some(3), "{stderr}");
    assert!(stderr.contains("--resume"), "{stderr}");
}

/// Runs `omk eval` in a shell below a limit; its exit code and standard error.
fn limited(context: &TestContext, shell: &[&str], limit: &str, program: &impl AsRef<OsStr>) -> (Option<i32>, String) {
    let omk = context.command(&[&["eval"], &AGENT[..]].concat());
    let mut command = Command::new(shell[0]);
    command.args(&shell[1..]).arg(format!("{limit}; exec \"$0\" \"$@\"")).arg(program.as_ref()).args(omk.get_args());
    command
        .envs(omk.get_envs().filter_map(|(name, value)| Some((name, value?))))
        .current_dir(omk.get_current_dir().unwrap());
    let run = command.output().unwrap();
    (run.status.code(), String::from_utf8_lossy(&run.stderr).into_owned())
}

#[test]
#[cfg(target_os = "linux")]
fn limits_of_files_and_threads_are_errors_that_name_them() {
    use std::os::unix::fs::MetadataExt;
    let context = TestContext::with_agent();
    context.sample_each(turns(2, [either]));
    let omk = context.command(&[]).get_program().to_owned();
    for files in [6, 8, 10] {
        let (code, stderr) = limited(&context, &["sh", "-c"], &format!("ulimit -n {files}"), &omk);
        assert!(matches!(code, Some(2 | 3)), "{files}: {code:?} {stderr}");
        assert!(stderr.contains("error:") && stderr.contains("os error 24"), "{files}: {stderr}");
    }
    // Nothing limits root's threads.
    let is_root = std::fs::metadata("/proc/self").unwrap().uid() == 0;
    let Some(setpriv) = is_root.then(|| tool(&["setpriv"])).flatten() else { return };
    let shell = [setpriv.to_str().unwrap(), "--reuid=65534", "--regid=65534", "--clear-groups", "sh", "-c"];
    // Where it is built, others may not look.
    let copy = context.path("omk");
    std::fs::hard_link(&omk, &copy).or_else(|_| std::fs::copy(&omk, &copy).map(drop)).unwrap();
    std::os::unix::fs::chown(context.root(), Some(65534), Some(65534)).unwrap();
    let (code, stderr) = limited(&context, &shell, "exec prlimit --nproc=3 \"$0\" \"$@\"", &copy);
    assert_eq!(code, Some(2), "{stderr}");
    assert!(stderr.contains("too few for any work") && stderr.contains("--pids-limit"), "{stderr}");
}

#[test]
fn run_that_nothing_would_be_measured_by_is_refused_before_a_call() {
    let context = TestContext::with_agent();
    context.script("counted", "echo x >> calls\nexec ./agent\n");
    let eval =
        |flags: &[&str]| context.run(&[&["eval", "--variants", "v1,v2", "--executor", "./counted"], flags].concat());
    context.write_json("eval-samples.json", &json!([{"sample_id": "a", "prompt": "p", "rubric": "is it good?"}]));
    let refused = eval(&["--no-judge"]).expect(2).stderr;
    assert!(refused.contains("nothing would score the answers"), "{refused}");
    assert!(!context.path("calls").exists(), "nothing was asked");

    // A check that can't be evaluated anywhere shows later.
    context.write("bad.mjs", "export default () => { throw new Error('x') }\n");
    let samples: Vec<_> = (0..12)
        .map(|id| json!({"sample_id": format!("s{id}"), "prompt": format!("p{id}"), "assertions": [{"type": "custom", "fn": "bad.mjs"}]}))
        .collect();
    context.write_json("eval-samples.json", &json!(samples));
    let invalid = eval(&[]).expect(3).stdout;
    let flat = invalid.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains("no answer of v1 has a score: its checks could not be evaluated"), "{invalid}");
}

#[test]
fn failed_command_shows_its_last_words_at_once() {
    let context = TestContext::with_agent();
    context.samples(3, &json!([{"type": "contains", "value": "a"}]));
    context.script("broken", "echo starting >&2\necho 'ImportError: no module named foo' >&2\nexit 3\n");
    let done = context.run(&["eval", "--variants", "v1,v2", "--executor", "./broken"]).expect(3).stderr;
    assert!(done.contains("failed: the command ended with exit code 3: ImportError: no module named foo\n"), "{done}");
}
