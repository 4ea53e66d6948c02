//! `custom` assertions: scripts in the embedded engine and in Node.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::fixtures::context::TestContext;

/// Runs each script on the answer `plain` and gives the details in their order.
fn scripts(files: &[(&str, &str)], flags: &[&str]) -> Vec<Value> {
    let context = TestContext::with_agent();
    let called: Vec<&str> = files.iter().map(|file| file.0).filter(|name| !name.contains('/')).collect();
    for (name, source) in files {
        context.write(name, source);
    }
    let assertions: Value = called.iter().map(|name| json!({"type": "custom", "fn": name, "value": "SQL"})).collect();
    context.samples(1, &assertions);
    let arguments = ["eval", "--control", "v1", "--executor", "./agent", "--report-only"];
    context.run(&[&arguments, flags].concat()).expect(0);
    let report = context.report();
    let details = report["results"][0]["variants"]["v1"]["assertions"]["details"].as_array().unwrap().clone();
    assert_eq!(details.len(), called.len());
    assert!(details.iter().all(|detail| detail["layer"] == "behavior"));
    details
}

#[test]
fn custom_scripts_run_in_the_embedded_engine() {
    let details = scripts(
        &[
            ("sync.mjs", "export default (output) => output === 'plain'"),
            ("async.mjs", "export default async (output) => ({ pass: output === 'better', message: '异步', score: 0.5 })"),
            (
                "given.mjs",
                "export default (output, { sample, assertion }) =>
                    ({ pass: sample.sample_id === 's001' && sample.prompt === 'question 1' && assertion.value === 'SQL', message: 'seen' })",
            ),
            ("imports.mjs", "import { least } from './lib/least.mjs'; export default (output) => output.length >= least"),
            ("lib/least.mjs", "export const least = 5;"),
            ("throws.mjs", "export default () => { throw new Error('kaputt') }"),
            ("reads.mjs", "export default async () => (await import('node:fs')).existsSync('/')"),
            ("fetches.mjs", "export default () => fetch('http://127.0.0.1')"),
            ("exits.mjs", "export default () => process.exit(0)"),
            ("requires.mjs", "export default () => require('child_process')"),
            ("improper.mjs", "export default () => 'yes'"),
            ("deep.mjs", "export default () => { const f = () => 1 + f(); return f() }"),
            ("big.mjs", "export default () => { const all = []; for (;;) all.push(new Uint8Array(1 << 24).fill(1)) }"),
            ("never.mjs", "export default () => new Promise(() => {})"),
        ],
        &[],
    );
    let of = |i: usize| (details[i]["passed"].as_bool(), details[i]["message"].as_str().unwrap_or_default().to_owned());
    assert_eq!(of(0), (Some(true), String::new()));
    assert_eq!(of(1), (Some(false), "异步".to_owned()));
    assert_eq!(details[1]["actual"], json!({"pass": false, "score": 0.5}));
    assert_eq!(of(2), (Some(true), "seen".to_owned()));
    assert_eq!(of(3), (Some(true), String::new()));
    // A script that breaks says nothing about the answer.
    for (i, why) in [
        (4, "`throws.mjs` failed: kaputt"),
        (5, "only relative imports"),
        (6, "fetch is not defined"),
        (7, "process is not defined"),
        (8, "require is not defined"),
        (9, "it returned `\"yes\"`"),
        (10, "`deep.mjs` failed"),
        (11, "needs more than 256 MiB"),
        (12, "never settles"),
    ] {
        let (passed, message) = of(i);
        assert_eq!(passed, None, "{}", details[i]);
        assert_eq!(details[i]["status"], "unavailable");
        assert!(message.contains(why), "{message} lacks {why}");
    }
}

#[test]
fn unloadable_script_is_an_input_error() {
    let outside = TestContext::new();
    let file = outside.write("outside.mjs", "export default () => true");
    for (source, name, why) in [
        ("export default (", "check.mjs", "check.mjs"),
        ("export const x = 1", "check.mjs", "no default export that is a function"),
        ("throw new Error('at load')", "check.mjs", "at load"),
        ("import './gone.mjs'; export default () => true", "check.mjs", "gone.mjs"),
        ("export default () => true", file.to_str().unwrap(), "is not a file in the folder"),
    ] {
        let context = TestContext::with_agent();
        context.write("check.mjs", source);
        context.samples(1, &json!([{ "type": "custom", "fn": name }]));
        let done = context.run(&["eval", "--control", "v1", "--executor", "./agent"]).expect(2);
        assert!(done.stderr.contains(why) && done.stderr.contains("eval-samples.json:"), "{source}: {}", done.stderr);
    }
}

#[test]
fn node_runs_scripts_that_import_packages() {
    let Some(node) = testkit::tools::tool(&["node"]) else { return };
    let version = Command::new(node).arg("--version").output().unwrap().stdout;
    let source = "import { sep } from 'node:path'; import { is } from './lib/is.mjs';
        export default async (output) => ({ pass: is(output) && sep.length === 1, message: 'in node' })";
    let files = [("check.mjs", source), ("lib/is.mjs", "export const is = (text) => text === 'plain'")];
    let details = scripts(&files, &["--custom-runtime", "node"]);
    assert_eq!((&details[0]["passed"], &details[0]["message"]), (&json!(true), &json!("in node")));
    let context = TestContext::with_agent();
    context.write("check.mjs", "export default () => true");
    context.samples(1, &json!([{"type": "custom", "fn": "check.mjs"}]));
    let run = |flags: &[&str]| {
        let arguments = ["eval", "--control", "v1", "--executor", "./agent", "--output-dir", "out"];
        let _ = std::fs::remove_dir_all(context.path("out"));
        context.run(&[&arguments, flags].concat()).expect(0);
        let path = crate::fixtures::context::files(Path::new(&context.path("out"))).remove(0);
        serde_json::from_slice::<Value>(&std::fs::read(path).unwrap()).unwrap()["meta"]["nodeVersion"].clone()
    };
    assert_eq!(run(&[]), Value::Null, "null unless Node ran something");
    assert_eq!(run(&["--custom-runtime", "node"]), json!(String::from_utf8(version).unwrap().trim()));
}
