//! `omk report export` and `omk eval --export`: which files are written, and what is refused before anything runs.

use std::fs;

use serde_json::{Value, json};

use crate::fixtures::context::{Finished, TestContext};

/// Twelve samples that the second skill answers better.
fn context() -> TestContext {
    let context = TestContext::with_agent();
    context.samples(12, &json!([{"type": "contains", "value": "better"}]));
    context
}

fn eval(context: &TestContext, flags: &[&str]) -> Finished {
    let base = ["eval", "--variants", "v1,v2", "--executor", "./agent", "--no-judge", "--no-cache"];
    context.run(&[&base, flags].concat())
}

fn ran(context: &TestContext) -> bool {
    !context.reports().is_empty() || context.home().join("journal").exists()
}

#[test]
fn run_writes_its_exports_with_its_report() {
    let context = context();
    let flags = ["--export", "json=out/report.json", "--export", "junit=out/report.xml", "--export", "csv=rows.csv"];
    let finished = eval(&context, &[&flags[..], &["--export", "markdown=comment.md"]].concat());
    let code = context.report()["verdict"]["exitCode"].as_i64().unwrap();
    let finished = finished.expect(i32::try_from(code).unwrap());
    for name in ["out/report.json", "out/report.xml", "rows.csv", "comment.md"] {
        assert!(finished.stderr.contains(name), "{}", finished.stderr);
    }
    assert_eq!(fs::read(context.path("out/report.json")).unwrap(), fs::read(context.report_path()).unwrap());
    assert_eq!(fs::read_to_string(context.path("rows.csv")).unwrap().lines().count(), 1 + 12 * 2);
    let comment = fs::read_to_string(context.path("comment.md")).unwrap();
    let tier = context.report()["verdict"]["tier"].as_str().unwrap().to_owned();
    assert!(comment.starts_with(&format!("## omk: {tier}\n")), "{comment}");
    let xml = fs::read_to_string(context.path("out/report.xml")).unwrap();
    assert_eq!(xml.matches("<testcase ").count(), 1 + 12);
}

#[test]
fn invalid_export_is_refused_before_anything_runs() {
    let context = context();
    context.write("taken", "a file, not a directory");
    fs::create_dir(context.path("folder")).unwrap();
    for (flags, why) in [
        (&["--export", "pdf=a.pdf"][..], "`terminal`, `json`, `markdown`, `junit`, `csv`"),
        (&["--export", "png=a.png"], "no format of this report"),
        (&["--export", "junit"], "FORMAT=FILE"),
        (&["--export", "junit="], "FORMAT=FILE"),
        (&["--export", "junit=taken/report.xml"], "cannot write"),
        (&["--export", "junit=folder"], "cannot write"),
        (&["--export", "csv=a", "--export", "json=./a"], "two exports"),
        (&["--export", "csv=a", "--dry-run"], "exclude each other"),
    ] {
        let finished = eval(&context, flags).expect(2);
        assert!(finished.stderr.contains(why), "{flags:?}: {}", finished.stderr);
        assert!(!ran(&context), "{flags:?}");
    }
}

#[test]
fn partial_run_is_exported() {
    let context = TestContext::with_agent();
    context.script("agent", "cat > /dev/null; exit 3\n");
    context.samples(3, &json!([{"type": "contains", "value": "better"}]));
    eval(&context, &["--retry", "0", "--export", "junit=report.xml"]).expect(3);
    let xml = fs::read_to_string(context.path("report.xml")).unwrap();
    assert!(xml.contains("type=\"INVALID\"") && xml.contains("<error"), "{xml}");
}

#[test]
fn failed_export_is_reported_and_fails_the_command() {
    let context = context();
    // its directory is writable when the run begins and gone when it ends
    context.script("agent", "cat > /dev/null; rm -rf gone; : > gone; echo better\n");
    let finished = eval(&context, &["--export", "csv=gone/rows.csv", "--export", "markdown=comment.md"]).expect(3);
    assert!(finished.stderr.contains("gone/rows.csv"), "{}", finished.stderr);
    assert!(context.path("comment.md").is_file(), "the others are written");
    assert_eq!(context.reports().len(), 1, "and so is the report");
}

#[test]
fn stored_report_is_exported_by_id_path_or_latest() {
    let context = context();
    eval(&context, &[]);
    let path = context.report_path();
    let id = path.file_stem().unwrap().to_str().unwrap();
    let by = |report: &str| context.run(&["report", "export", report, "--format", "csv"]).expect(0).stdout;
    let rows = by("latest");
    assert!(rows.starts_with("report,sample,variant,"), "{rows}");
    assert_eq!((by(id), by(path.to_str().unwrap())), (rows.clone(), rows.clone()));
    let to_file = ["report", "export", id, "--format", "csv", "--output", "new/rows.csv", "--json"];
    let document: Value = serde_json::from_str(&context.run(&to_file).expect(0).stdout).unwrap();
    assert_eq!((&document["format"], fs::read_to_string(context.path("new/rows.csv")).unwrap()), (&json!("csv"), rows));
    let document = context.run(&["report", "export", id, "--format", "json", "--json"]).expect(0).stdout;
    assert_eq!(serde_json::from_str::<Value>(&document).unwrap(), context.report());
}

#[test]
fn invalid_export_of_a_stored_report_is_refused() {
    let context = context();
    eval(&context, &[]);
    let path = context.report_path();
    let before = fs::read(&path).unwrap();
    for (arguments, why) in [
        (&["latest", "--format", "pdf"][..], "`terminal`, `json`, `markdown`, `junit`, `csv`"),
        (&["latest", "--format", "csv", "--output", path.to_str().unwrap()], "an input of this command"),
        (&["latest", "--format", "csv", "--json"], "--output"),
        (&["nothing", "--format", "csv"], "there is no report"),
        (&["eval-samples.json", "--format", "csv"], "not a report"),
        (&["latest"], "--format"),
        (&["--format", "csv"], "REPORT"),
    ] {
        let finished = context.run(&[&["report", "export"], arguments].concat()).expect(2);
        let output = format!("{}{}", finished.stderr, finished.stdout);
        assert!(output.contains(why), "{arguments:?}: {output}");
    }
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn formats_are_listed_with_their_purpose() {
    let context = TestContext::new();
    let listed = context.run(&["report", "export", "--list"]).expect(0).stdout;
    let names: Vec<&str> = listed.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(
        names,
        [
            "terminal",
            "json",
            "markdown",
            "junit",
            "csv",
            "jsonl",
            "html",
            "github",
            "github-annotations",
            "gitlab",
            "otel",
            "otel-logs",
            "atif",
            "agent-skills",
            "inspect"
        ]
    );
    let listed = context.run(&["report", "export", "--list", "--json"]).expect(0).stdout;
    let listed: Vec<Value> = serde_json::from_str(&listed).unwrap();
    assert!(listed.iter().all(|one| one["about"].as_str().is_some_and(|about| !about.is_empty())));
}

/// Standard output has room for one document: the report.
#[test]
fn lost_export_is_no_second_document() {
    let context = TestContext::with_agent();
    context.samples(2, &json!([{"type": "contains", "value": "better"}]));
    let arguments = ["eval", "--executor", "./agent", "--json", "--export", "junit=/dev/full"];
    let run = context.run(&arguments);
    assert_eq!(run.code, 3, "{run:#?}");
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(report["verdict"]["exitCode"], 1);
    assert!(run.stderr.contains("/dev/full"), "{}", run.stderr);
}

/// What the run reads, and what omk keeps, is never written over.
#[test]
fn export_over_an_input_or_a_stored_file_is_refused() {
    let context = context();
    context.write("eval.yaml", "control: v1\ntreatments: v2\nsamples: eval-samples.json\n");
    std::os::unix::fs::symlink("eval.yaml", context.path("link.xml")).unwrap();
    let inputs = ["eval.yaml", "link.xml", "eval-samples.json", "skills/v2.md"];
    let contents =
        |paths: &[std::path::PathBuf]| -> Vec<Vec<u8>> { paths.iter().map(|path| fs::read(path).unwrap()).collect() };
    let paths: Vec<_> = inputs.iter().map(|file| context.path(file)).collect();
    let before = contents(&paths);
    for file in inputs {
        let export = format!("junit={file}");
        let finished = context.run(&["eval", "--executor", "./agent", "--no-judge", "--export", &export]).expect(2);
        assert!(finished.stderr.contains("not written over"), "{file}: {}", finished.stderr);
        assert!(!ran(&context), "{file}");
    }
    assert_eq!(contents(&paths), before);

    eval(&context, &[]);
    let journal = fs::read_dir(context.home().join("journal")).unwrap().next().unwrap().unwrap().path();
    let stored = [context.report_path(), journal, paths[2].clone(), paths[3].clone()];
    let before = contents(&stored);
    for path in &stored {
        let path = path.to_str().unwrap();
        let finished = context.run(&["report", "export", "latest", "--format", "csv", "--output", path]).expect(2);
        assert!(finished.stderr.contains("not written over"), "{path}: {}", finished.stderr);
        let finished = eval(&context, &["--export", &format!("markdown={path}")]).expect(2);
        assert!(finished.stderr.contains("not written over"), "{path}: {}", finished.stderr);
    }
    assert_eq!(contents(&stored), before);
    // An earlier export is.
    eval(&context, &["--export", "csv=rows.csv"]);
    eval(&context, &["--export", "csv=rows.csv"]);
}
