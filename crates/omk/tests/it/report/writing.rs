//! Writing reports: files, reproducible bytes, harmless text, hidden names.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;

use eval_spec::{Failure, Layer, Outcome};
use serde_json::{Value, json};

use super::example;
use crate::fixtures::context::{Finished, TestContext, files};
use crate::fixtures::recorded::{RecordedProject, RecordedResult, both, checked, ended, fact};

#[test]
fn unwritable_output_directory_prevents_the_run() {
    let context = example();
    let calls = context.path("calls");
    context.script("counted", "echo x >> calls\nexec ./agent\n");
    let eval = |directory: &str| {
        context.run(&["eval", "--variants", "v1,v2", "--executor", "./counted", "--output-dir", directory])
    };
    // A file is in the directory's place.
    context.write("out", "in the way");
    let done = eval("out").expect(2);
    assert!(done.stderr.contains("cannot write `out`"), "{}", done.stderr);
    assert_eq!(fs::read_to_string(context.path("out")).unwrap(), "in the way");
    // A directory without write permission, except for root.
    let locked = context.path("locked");
    fs::create_dir(&locked).unwrap();
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o555)).unwrap();
    if fs::write(locked.join("probe"), "").is_err() {
        let done = eval("locked/inside").expect(2);
        assert!(done.stderr.contains("cannot write `locked/inside`"), "{}", done.stderr);
        eval("locked").expect(2);
        assert_eq!(files(&locked), Vec::<PathBuf>::new());
    }
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o755)).unwrap();
    assert!(!calls.exists(), "nothing was executed");
    assert!(!context.home().join("journal").exists());
}

#[test]
fn failed_report_write_loses_no_results() {
    let context = example();
    // The directory is replaced by a file during the run.
    context.script("counted", "echo x >> calls\nrm -rf out\necho 'in the way' > out\nexec ./agent\n");
    let done =
        context.run(&["eval", "--variants", "v1,v2", "--executor", "./counted", "--output-dir", "out"]).expect(3);
    assert_eq!(fs::read_to_string(context.path("out")).unwrap(), "in the way\n");
    assert!(done.stderr.contains("out/") && done.stderr.contains("omk eval --resume "), "{}", done.stderr);
    context.run(&["eval", "--resume", "latest", "--output-dir", "elsewhere"]).expect(1);
    let calls = fs::read_to_string(context.path("calls")).unwrap();
    assert_eq!(calls.lines().count(), 6, "nothing was asked for twice");
    let [report] = <[PathBuf; 1]>::try_from(files(&context.path("elsewhere"))).expect("the report and nothing else");
    assert_eq!(checked(&report)["status"], "complete");
}

#[test]
fn runs_within_one_second_write_separate_reports() {
    let mut context = example();
    context.env("OMK_FIXED_TIME", "2026-03-24T15:30:45Z");
    let mut children: Vec<_> = (0..4)
        .map(|_| {
            let mut command =
                context.command(&["eval", "--variants", "v1,v2", "--executor", "./agent", "--report-only"]);
            command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null()).spawn().unwrap()
        })
        .collect();
    let codes: Vec<_> = children.iter_mut().map(|child| child.wait().unwrap().code()).collect();
    assert_eq!(codes, [Some(0); 4]);
    let mut names: Vec<String> =
        context.reports().iter().map(|path| path.file_name().unwrap().to_str().unwrap().to_owned()).collect();
    names.sort();
    let id = "2026-03-24T15-30-45-v1-v2";
    assert_eq!(names, [format!("{id}-2.json"), format!("{id}-3.json"), format!("{id}-4.json"), format!("{id}.json")]);
    for path in context.reports() {
        assert_eq!(checked(&path)["id"], path.file_stem().unwrap().to_str().unwrap());
    }
}

/// A run with everything that could depend on order: refusals, failures, repeats, three variants, two layers.
fn eventful() -> RecordedProject {
    RecordedProject::new(12, &["v1", "v2", "v3"], 2, &[Layer::Fact, Layer::Behavior], |at| {
        match (at.sample, at.variant, at.repeat) {
            (3, 1, _) => ended(Outcome::Refused),
            (4, 2, 0) => ended(Outcome::Truncated),
            (5, 0, 1) => RecordedResult::Failed(Failure::Timeout),
            (sample, variant, repeat) => {
                let score = u32::try_from(sample * 5 + variant * 7).unwrap() + repeat * 3;
                both(score.min(100), 100 - score.min(100))
            }
        }
    })
}

#[test]
fn report_bytes_do_not_depend_on_concurrency() {
    let bytes = |prepared: &RecordedProject, flags: &[&str]| {
        let _ = fs::remove_dir_all(prepared.context.home());
        let _ = fs::remove_dir_all(prepared.context.path("out"));
        prepared.eval(&[&["--output-dir", "out"], flags].concat()).expect(1);
        let text = fs::read_to_string(&files(&prepared.context.path("out"))[0]).unwrap();
        assert!(text.contains("2026-03-24T15:30:45.000Z"), "the clock is pinned");
        text
    };
    let mut prepared = eventful();
    let first = bytes(&prepared, &[]);
    assert_eq!(bytes(&prepared, &[]), first, "twice the same");
    assert_eq!(bytes(&prepared, &["--concurrency", "16"]), first, "with 16 at once");
    assert_eq!(bytes(&eventful(), &["--concurrency", "3"]), first, "in another directory");
    prepared.context.env("RAYON_NUM_THREADS", "1");
    prepared.context.env("OMK_LANG", "zh");
    assert_eq!(bytes(&prepared, &[]), first, "on one thread, for a reader of Chinese");
    assert_ne!(bytes(&prepared, &["--seed", "1"]), first, "the seed is what differs");
}

/// Checks for escapes, control characters except the line feed, and bidirectional marks.
#[track_caller]
fn assert_harmless(done: &Finished) {
    for text in [&done.stdout, &done.stderr] {
        let bad = |c: &char| (c.is_control() && *c != '\n') || ('\u{202a}'..='\u{202e}').contains(c);
        let found: Vec<char> = text.chars().filter(bad).collect();
        assert!(found.is_empty(), "{found:?} in {text:?}");
    }
}

#[test]
fn hostile_output_is_stored_and_never_controls_the_terminal() {
    let context = TestContext::new();
    let evil =
        "</script><script>alert(1)</script> \u{1b}[2J\u{1b}]0;owned\u{7} \u{9b}31m \u{202e}evil \u{0}\u{8}\r PROGRESS";
    context.write("skills/v1.md", "v1\n");
    context.write("skills/v2.md", "v2\n");
    context.write("evil", evil);
    context.script(
        "agent",
        r#"input=$(cat)
case "$input" in
  *ask-evil*) cat evil ;;
  *ask-bytes*) printf 'a\377\376b\300\200c' ;;
  *ask-large*) head -c 10485760 /dev/zero | tr '\0' 'x' ;;
  *ask-fail*) cat evil >&2; exit 1 ;;
  *ask-json*) printf '{"output": "\\u001b[31mred\\ud800 lone", "toolCalls": [{"name": "\\u001b[2J", "input": {"a": "\\u0000"}, "output": "\\u001b]0;x\\u0007"}]}' ;;
esac
"#,
    );
    let sample = |id: &str| {
        json!({"sample_id": id, "prompt": format!("ask-{id}"), "assertions": [
            {"type": "contains", "value": "\u{1b}[2J\u{202e}nothing"}, {"type": "equals", "value": "x"},
            {"type": "tools_not_called", "value": "Bash"}]})
    };
    let samples: Vec<Value> = ["evil", "bytes", "large", "fail", "json"].map(sample).into();
    context.write("eval-samples.json", &Value::from(samples).to_string());
    for lang in ["en", "zh"] {
        let arguments = ["eval", "--variants", "v1,v2", "--executor", "./agent", "--lang", lang, "--retry", "0"];
        let done = context.run(&arguments);
        assert!(matches!(done.code, 1 | 3), "{done:#?}");
        assert_harmless(&done);
        assert!(done.stdout.len() < 100_000);
    }
    let report = checked(&context.report_path());
    let of = |id: &str| {
        let results = report["results"].as_array().unwrap();
        results.iter().find(|result| result["sample_id"] == id).unwrap()["variants"]["v1"].clone()
    };
    assert_eq!(of("evil")["fullOutput"], evil, "stored unchanged");
    assert_eq!(of("bytes")["fullOutput"], "a\u{fffd}\u{fffd}b\u{fffd}\u{fffd}c");
    assert_eq!(of("large")["fullOutput"].as_str().unwrap().len(), 10 << 20);
    assert!(of("large")["outputPreview"].as_str().unwrap().len() < 300);
    assert_eq!(of("fail")["outcome"], "failed");
    // A JSON report on a terminal is harmless as well: control characters are escaped in it.
    let raw = fs::read(context.report_path()).unwrap();
    assert!(raw.iter().all(|&byte| byte >= 0x20 || byte == b'\n'), "raw control characters in the file");
}

#[test]
fn blind_summary_hides_variant_names() {
    let names = ["old-prompt", "new-prompt", "other-prompt"];
    let prepared = RecordedProject::new(24, &names, 1, &[Layer::Fact], |at| match (at.sample, at.variant) {
        (0, 1) => ended(Outcome::Refused),
        (1, 2) => RecordedResult::Failed(Failure::Crashed),
        (sample, variant) => fact(50 + u32::try_from(sample + variant * 9).unwrap()),
    });
    for lang in ["en", "zh"] {
        let done = prepared.eval(&["--blind", "--lang", lang]).expect(1);
        for name in names {
            assert!(!done.stdout.contains(name), "{name} is not hidden: {}", done.stdout);
            assert!(!done.stderr.contains(name), "{name} is not hidden: {}", done.stderr);
        }
        for label in ["Variant A", "Variant B", "Variant C"] {
            assert!(done.stdout.contains(label), "{label}: {}", done.stdout);
        }
    }
    let report = prepared.report(1, &["--blind"]);
    for name in names {
        assert!(!report.to_string().contains(name), "{name} is in the report");
    }
    // Only the file beside it contains the names.
    let path = prepared.context.path(&format!("out/{}.blind", report["id"].as_str().unwrap()));
    let beside: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    let mapping = beside["labels"].as_object().unwrap();
    let mut hidden: Vec<&str> = mapping.values().map(|name| name.as_str().unwrap()).collect();
    hidden.sort_unstable();
    assert_eq!(hidden, ["new-prompt", "old-prompt", "other-prompt"]);
    // The numbers equal those of the open report.
    let open = prepared.report(1, &[]);
    for (label, name) in mapping {
        assert_eq!(report["summary"][label], open["summary"][name.as_str().unwrap()]);
    }
    assert_eq!(report["verdict"]["tier"], open["verdict"]["tier"]);
}

#[test]
fn latest_is_the_last_report_of_this_project() {
    let context = example();
    let eval = ["eval", "--variants", "v1,v2", "--executor", "./agent"];
    context.run(&eval).expect(1);
    let ours = context.report_path();
    let shown = context.run(&["failures", "latest"]).expect(0);
    let id = ours.file_stem().unwrap().to_str().unwrap();
    assert!(shown.stderr.contains(&format!("{id}.json")), "{}", shown.stderr);

    // A newer run of another project, in the same home directory.
    for name in ["eval-samples.json", "agent", "skills"] {
        let to = context.path("other").join(name);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        assert!(Command::new("cp").arg("-r").arg(context.path(name)).arg(to).status().unwrap().success());
    }
    let in_other = |arguments: &[&str]| {
        let mut command = context.command(arguments);
        let done = command.current_dir(context.path("other")).output().unwrap();
        (done.status.code(), String::from_utf8(done.stderr).unwrap())
    };
    assert_eq!(in_other(&eval).0, Some(1));
    let [_, theirs] = <[PathBuf; 2]>::try_from(context.reports()).unwrap();
    let theirs = theirs.file_stem().unwrap().to_str().unwrap();
    assert!(context.run(&["failures", "latest"]).expect(0).stderr.contains(id), "that of the other project is newer");
    assert!(in_other(&["failures", "latest"]).1.contains(theirs));
    fs::create_dir(context.path("skills/deep")).unwrap();
    let mut below = context.command(&["failures", "latest"]);
    let below = below.current_dir(context.path("skills/deep")).output().unwrap();
    assert!(String::from_utf8(below.stderr).unwrap().contains(id), "the project is the directory above");

    // Nothing was run in a directory beside them.
    let beside = tempfile::tempdir().unwrap();
    let refused = context.command(&["failures", "latest"]).current_dir(beside.path()).output().unwrap();
    let said = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(refused.status.code(), Some(2), "{said}");
    assert!(said.contains(theirs) && said.contains("another"), "{said}");
}

#[test]
fn project_with_an_omk_directory_keeps_its_reports_there() {
    let context = example();
    fs::create_dir(context.path(".omk")).unwrap();
    let eval = ["eval", "--variants", "v1,v2", "--executor", "./agent"];
    context.run(&eval).expect(1);
    let [report] = <[PathBuf; 1]>::try_from(files(&context.path(".omk/reports"))).unwrap();
    assert!(context.reports().is_empty(), "nothing in the home directory");
    let found = context.run(&["report", "verdict", "latest"]).expect(1);
    assert!(found.stderr.contains(report.file_stem().unwrap().to_str().unwrap()), "{}", found.stderr);
    // The reports are no part of what the agent works in: the second run takes the answers of the first.
    let again = context.run(&[&eval[..], &["--json"]].concat()).expect(1).json();
    assert_eq!(again["summary"]["v1"]["cached"], 3, "{}", again["summary"]["v1"]);

    let elsewhere = ["--reports-dir", "elsewhere"];
    context.run(&[&eval[..], &elsewhere].concat()).expect(1);
    assert_eq!(files(&context.path("elsewhere")).len(), 1, "both names of the flag write");
    context.run(&["report", "verdict", "latest", "--output-dir", "elsewhere"]).expect(1);
}
