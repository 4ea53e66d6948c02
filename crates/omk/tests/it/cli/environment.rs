//! Home, executor and model from the environment.

use serde_json::Value;

use crate::cli::project;
use crate::fixtures::context::{TestContext, files};

#[test]
fn home_and_output_directory_are_configurable() {
    let context = project(4);
    let arguments = ["eval", "--variants", "v1,v2", "--executor", "./agent", "--report-only"];
    let in_home = |home: &str, more: &[&str]| {
        let mut command = context.command(&[&arguments[..], more].concat());
        command.env_remove("OMK_HOME").env("HOME", context.path(home));
        assert_eq!(command.output().unwrap().status.code(), Some(0));
    };
    in_home("me", &[]);
    let ours = context.path("me/.oh-my-knowledge");
    let names: Vec<_> = files(&ours).iter().map(|path| path.file_name().unwrap().to_owned()).collect();
    assert_eq!(names, ["cache", "journal", "reports"]);
    assert_eq!(files(&ours.join("reports")).len(), 1);

    context.run(&arguments).expect(0);
    assert_eq!(context.reports().len(), 1, "OMK_HOME moves it");
    let mut relative = context.command(&arguments);
    assert_eq!(relative.env("OMK_HOME", "here").output().unwrap().status.code(), Some(0));
    assert_eq!(files(&context.path("here/reports")).len(), 1);

    in_home("you", &["--output-dir", "out"]);
    assert!(!context.path("you/.oh-my-knowledge/reports").exists());
    let report = files(&context.path("out")).pop().unwrap();
    let id = report.file_stem().unwrap().to_str().unwrap().to_owned();
    let saved: Value = serde_json::from_str(&std::fs::read_to_string(&report).unwrap()).unwrap();
    assert_eq!(saved["id"], *id);
    assert!(context.path(&format!("you/.oh-my-knowledge/journal/{id}.jsonl")).is_file());
}

#[test]
fn executor_and_model_come_from_the_environment() {
    let mut context = project(2);
    context.script("agent", "cat\n");
    let asked = |context: &TestContext, flags: &[&str]| {
        context.run(&[&["eval", "--variants", "v1,v2", "--report-only", "--no-cache"], flags].concat()).expect(0);
        context.report()["meta"]["model"].as_str().unwrap().to_owned()
    };
    context.env("OMK_EXECUTOR", "./agent");
    context.env("OMK_MODEL", "from-env");
    assert_eq!(asked(&context, &[]), "from-env");
    assert!(context.report()["results"][0]["variants"]["v1"]["fullOutput"].as_str().unwrap().contains("from-env"));
    assert_eq!(asked(&context, &["--model", "from-flag"]), "from-flag");
    context.write("eval.yaml", "model: from-file\n");
    assert_eq!(asked(&context, &[]), "from-file");
    // A model configured for another executor is ignored.
    context.script("other", "cat\n");
    context.write("eval.yaml", "executor: ./other\n");
    assert_eq!(asked(&context, &[]), "");
}
