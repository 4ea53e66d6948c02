//! `custom`, in the embedded engine and in Node.

use std::path::Path;
use std::time::Duration;

use eval_grade::{CustomRuntime, GraderSetup, Grading, GradingLimits};
use eval_spec::{Check, Diagnostics, Output};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::make::{assertion_in, check_in, message, sample, verdict, why};

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}

fn run_in(base: &Path, written: &Value, setup: GraderSetup, text: &str) -> Result<Check, Diagnostics> {
    check_in(sample(vec![assertion_in(base, written)]), setup, &Output::text(text))
}

fn quick() -> GraderSetup {
    let limits =
        GradingLimits { custom_time: Duration::from_millis(500), custom_memory: 32 << 20, ..GradingLimits::default() };
    GraderSetup { limits, ..GraderSetup::default() }
}

fn run(source: &str) -> Check {
    let folder = folder(&[("check.mjs", source)]);
    run_in(folder.path(), &json!({"type": "custom", "fn": "check.mjs"}), quick(), "SQL 注入").unwrap()
}

fn refused(source: &str) -> String {
    let folder = folder(&[("check.mjs", source)]);
    let written = json!({"type": "custom", "fn": "check.mjs"});
    run_in(folder.path(), &written, quick(), "x").err().map(|problems| problems.to_string()).unwrap_or_default()
}

#[test]
fn a_checker_file_passes_and_says_why() {
    let check = run("
        // my-assertion.mjs
        export default function(output, { sample, assertion }) {
            return { pass: output.includes('SQL'), message: '检查了 SQL 关键字' };
        }");
    assert_eq!(verdict(&check), Some(true));
    assert_eq!(message(&check), "检查了 SQL 关键字");
    assert_eq!(check.actual.unwrap(), json!({"pass": true}));
}

#[test]
fn sync_and_async_booleans_scores_and_logs() {
    assert_eq!(verdict(&run("export default () => true")), Some(true));
    assert_eq!(verdict(&run("export default async () => { await null; return false }")), Some(false));
    assert_eq!(verdict(&run("const x = await Promise.resolve(3); export default () => x === 3")), Some(true));
    let scored =
        run("export default (o) => { console.log('len', o.length, {a: 1}); return { pass: false, score: 0.25 } }");
    assert_eq!(scored.actual.unwrap(), json!({"pass": false, "score": 0.25, "log": ["len 6 {\"a\":1}"]}));
    let waited = run("export default () => new Promise(done => setTimeout(done, 60_000, { pass: true }))");
    assert_eq!(verdict(&waited), Some(true), "timers don't wait");
    assert_eq!(verdict(&run("export default function* () {}")), None);
}

#[test]
fn the_sample_and_the_assertion_arrive_as_written() {
    let folder =
        folder(&[("check.mjs", "export default (output, given) => ({ pass: true, message: JSON.stringify(given) })")]);
    let written = json!({"type": "custom", "fn": "check.mjs", "weight": 2, "value": {"least": 3}});
    let check = run_in(folder.path(), &written, quick(), "x").unwrap();
    let given: Value = serde_json::from_str(&message(&check)).unwrap();
    assert_eq!(
        given,
        json!({
            "sample": { "sample_id": "s001", "prompt": "审查这段代码", "assertions": [written] },
            "assertion": written,
        })
    );
}

#[test]
fn calls_do_not_see_each_other() {
    let folder = folder(&[("check.mjs", "let calls = 0; export default () => ++calls === 1")]);
    let sample = sample(vec![assertion_in(folder.path(), &json!({"type": "custom", "fn": "check.mjs"}))]);
    let grading = Grading::new(&[sample], quick()).unwrap();
    for _ in 0..3 {
        assert_eq!(verdict(&grading.grade_now(0, &Output::text("x")).checks[0]), Some(true));
    }
}

#[test]
fn a_broken_checker_is_not_a_wrong_answer() {
    for (source, reason) in [
        ("export default () => { throw new Error('kaputt') }", "`check.mjs` failed: kaputt"),
        ("export default () => { throw 'text' }", "`check.mjs` failed: \"text\""),
        ("export default async () => { null.x }", "cannot read property 'x' of null"),
        ("export default () => 1", "it returned `1`"),
        ("export default () => ({ passed: true })", "it returned `{\"passed\":true}`"),
        ("export default () => {}", "it returned `undefined`"),
        ("export default () => new Promise(() => {})", "never settles"),
        ("export default () => { const f = () => f() + 1; return f() }", "Maximum call stack size exceeded"),
        ("export default async () => (await import('node:fs')).existsSync('/')", "only relative imports"),
        ("export default () => process.exit(0)", "process is not defined"),
        ("export default () => fetch('http://localhost')", "fetch is not defined"),
        ("export default () => { const o = {}; o.o = o; return o }", "circular"),
    ] {
        let check = run(source);
        assert!(why(&check).contains(reason), "{source}: {}", why(&check));
    }
    let logged = run("export default () => { console.warn('so far'); throw 1 }");
    assert_eq!(logged.actual.unwrap(), json!({"log": ["so far"]}));
}

#[test]
fn time_and_memory_are_limited() {
    for source in [
        "export default () => { for (;;) {} }",
        "export default async () => { for (;;) await 0 }",
        "export default () => /^(a+)+$/.test('a'.repeat(40) + '!')",
        "export default () => new Promise(() => { const again = () => setTimeout(again, 1); again() })",
        "export default () => { for (;;) { try { for (;;) {} } catch {} } }",
    ] {
        let check = run(source);
        assert!(why(&check).contains("took more than 0.5 s"), "{source}: {}", why(&check));
    }
    for source in [
        "export default () => { const all = []; for (;;) all.push('x'.repeat(1 << 20) + all.length) }",
        "export default () => new Uint8Array(1 << 30).length > 0",
        "export default () => 'x'.repeat(2 ** 29).length > 0",
    ] {
        let check = run(source);
        assert!(why(&check).contains("32 MiB"), "{source}: {}", why(&check));
    }
}

#[test]
fn what_never_asks_for_the_time_is_left_behind() {
    // A built-in loop of QuickJS over 2^40 holes, which looks at no clock.
    let check = run("export default () => Array.prototype.indexOf.call({ length: 2 ** 40 }, 1) === -1");
    assert_eq!(verdict(&check), None);
    assert!(why(&check).contains("took more than"), "{}", why(&check));
}

#[test]
fn a_script_that_loops_when_loaded_is_refused() {
    let folder = folder(&[("check.mjs", "for (;;) {} export default () => true")]);
    let written = json!({"type": "custom", "fn": "check.mjs"});
    let problems = run_in(folder.path(), &written, GraderSetup::default(), "x").unwrap_err();
    assert!(problems.to_string().contains("took more than 5 s"), "{problems}");
}

#[test]
fn a_script_in_commonjs_is_told_what_to_write() {
    for script in [
        "module.exports = () => true",
        "exports.default = () => true",
        "const fs = require('fs'); export default () => true",
    ] {
        let said = refused(script);
        assert!(said.contains("CommonJS") && said.contains("`export default function (output, context)`"), "{said}");
    }
}

#[test]
fn errors_of_a_script_are_reported_at_load() {
    assert!(refused("export default () => {").contains("failed: "), "{}", refused("export default () => {"));
    assert!(refused("export const check = () => true").contains("no default export that is a function"));
    assert!(refused("export default 3").contains("no default export that is a function"));
    assert!(refused("throw new Error('top'); export default () => true").contains("top"));
    assert!(refused("import './none.mjs'; export default () => true").contains("no such file"));
    assert!(refused("import fs from 'node:fs'; export default () => true").contains("--custom-runtime node"));
    assert!(refused("for (;;) {} export default () => true").contains("took more than"));
    let empty = folder(&[]);
    let missing = run_in(empty.path(), &json!({"type": "custom", "fn": "none.mjs"}), quick(), "x").unwrap_err();
    assert!(missing.to_string().starts_with("`none.mjs` can't be read"), "{missing}");
}

#[test]
fn imports_stay_in_the_folder_of_the_samples() {
    let outer = folder(&[
        ("secret.mjs", "export const secret = 1; export default () => true"),
        (
            "samples/check.mjs",
            "import { least } from './lib/limits.mjs'; import data from './lib/data.json'; export default (o) => o.length > least && data.a[0] === 1",
        ),
        ("samples/lib/limits.mjs", "import { two } from '../two.mjs'; export const least = two"),
        ("samples/two.mjs", "export const two = 2"),
        ("samples/lib/data.json", "{\"a\": [1]}"),
        ("samples/up.mjs", "import '../secret.mjs'; export default () => true"),
        ("samples/late.mjs", "export default async () => (await import('../secret.mjs')).secret === 1"),
    ]);
    let base = outer.path().join("samples");
    let custom = |file: &str| run_in(&base, &json!({"type": "custom", "fn": file}), quick(), "abc");
    assert_eq!(verdict(&custom("check.mjs").unwrap()), Some(true));
    assert!(custom("up.mjs").unwrap_err().to_string().contains("outside the folder of the samples"));
    assert!(why(&custom("late.mjs").unwrap()).contains("outside the folder of the samples"));
    assert!(custom("../secret.mjs").unwrap_err().to_string().contains("is not a file in the folder"));
    assert!(custom(outer.path().join("secret.mjs").to_str().unwrap()).is_err());
    std::os::unix::fs::symlink("../secret.mjs", base.join("link.mjs")).unwrap();
    assert!(custom("link.mjs").is_err());
}

#[test]
fn a_file_changed_during_the_run_changes_no_result() {
    let folder = folder(&[
        ("check.mjs", "import { answer } from './answer.mjs'; export default () => answer"),
        ("answer.mjs", "export const answer = true"),
    ]);
    let sample = sample(vec![assertion_in(folder.path(), &json!({"type": "custom", "fn": "check.mjs"}))]);
    let grading = Grading::new(&[sample], quick()).unwrap();
    let files: Vec<&str> = grading.script_hashes().keys().map(String::as_str).collect();
    assert_eq!(files, ["answer.mjs", "check.mjs"]);
    std::fs::write(folder.path().join("answer.mjs"), "export const answer = false").unwrap();
    std::fs::write(folder.path().join("check.mjs"), "export default () => false").unwrap();
    assert_eq!(verdict(&grading.grade_now(0, &Output::text("x")).checks[0]), Some(true));
}

fn node() -> Option<GraderSetup> {
    let program = testkit::tools::tool(&["node"])?;
    let path = std::env::var("PATH").unwrap();
    let env = [("PATH", path.as_str()), ("SECRET_API_KEY", "sk-1"), ("LANG", "C.UTF-8")];
    Some(GraderSetup {
        custom_runtime: CustomRuntime::Node { program },
        env: env.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
        limits: GradingLimits {
            custom_time: Duration::from_secs(60),
            custom_memory: 64 << 20,
            ..GradingLimits::default()
        },
        ..GraderSetup::default()
    })
}

#[test]
fn node_runs_what_imports_packages() {
    let Some(setup) = node() else { return };
    let folder = folder(&[
        ("a b.mjs", "
            import path from 'node:path';
            import { two } from './two.mjs';
            export default async (output, { sample, assertion }) => {
                console.log('seen', Object.keys(process.env).filter((name) => name.includes('KEY')).length);
                return { pass: path.basename(assertion.fn) === 'a b.mjs' && two === 2, message: sample.sample_id + output };
            }"),
        ("two.mjs", "export const two = 2"),
        ("throws.mjs", "export default () => { throw new Error('kaputt') }"),
        ("loop.mjs", "export default () => { for (;;) {} }"),
        ("never.mjs", "export default () => new Promise(() => {})"),
        ("large.mjs", "export default () => { const all = []; for (;;) all.push({ a: [all.length] }) }"),
        ("exits.mjs", "export default () => process.exit(0)"),
        ("syntax.mjs", "export default () => {"),
        ("none.mjs", "export const x = 1"),
    ]);
    let custom = |file: &str| run_in(folder.path(), &json!({"type": "custom", "fn": file}), setup.clone(), "注入");
    let check = custom("a b.mjs").unwrap();
    assert_eq!((verdict(&check), message(&check).as_str()), (Some(true), "s001注入"));
    assert_eq!(check.actual.unwrap(), json!({"pass": true, "log": ["seen 0"]}));
    assert!(why(&custom("throws.mjs").unwrap()).contains("kaputt"));
    assert!(why(&custom("never.mjs").unwrap()).contains("never settles"));
    assert!(why(&custom("exits.mjs").unwrap()).contains("never settles"));
    assert!(why(&custom("large.mjs").unwrap()).contains("64 MiB"));
    assert!(custom("syntax.mjs").unwrap_err().to_string().contains("SyntaxError"));
    assert!(custom("none.mjs").unwrap_err().to_string().contains("no default export"));
    let quick =
        GraderSetup { limits: GradingLimits { custom_time: Duration::from_secs(6), ..setup.limits }, ..setup.clone() };
    let looping = run_in(folder.path(), &json!({"type": "custom", "fn": "loop.mjs"}), quick, "x").unwrap();
    assert!(why(&looping).contains("took more than 6 s"), "{}", why(&looping));
}

#[test]
fn without_node_it_is_an_input_error() {
    let folder = folder(&[("check.mjs", "export default () => true")]);
    let setup = GraderSetup {
        custom_runtime: CustomRuntime::Node { program: "/nonexistent/node".into() },
        ..GraderSetup::default()
    };
    let refused = run_in(folder.path(), &json!({"type": "custom", "fn": "check.mjs"}), setup, "x").unwrap_err();
    assert!(refused.to_string().starts_with("`/nonexistent/node` does not start"), "{refused}");
}

/// A script that never returns would cost its time limit for each answer.
#[test]
fn a_script_that_keeps_passing_its_time_limit_is_called_no_more() {
    let limits = GradingLimits { custom_time: Duration::from_millis(200), ..GradingLimits::default() };
    let setup = GraderSetup { limits, ..GraderSetup::default() };
    let source = "export default (output) => { while (output.includes('slow')) {} return true }";
    let folder = folder(&[("check.mjs", source)]);
    let sample = sample(vec![assertion_in(folder.path(), &json!({"type": "custom", "fn": "check.mjs"}))]);
    let grading = || Grading::new(std::slice::from_ref(&sample), setup.clone()).unwrap();
    let check = |grading: &Grading, text: &str| grading.grade_now(0, &Output::text(text)).checks.remove(0);
    let never = grading();
    for _ in 0..3 {
        assert!(why(&check(&never, "slow")).contains("took more than 0.2 s"));
    }
    for text in ["slow", "quick"] {
        let said = why(&check(&never, text));
        assert!(said.contains("3 times") && said.contains("--regrade"), "{said}");
    }
    // one that returns in between is only slow
    let at_times = grading();
    for _ in 0..2 {
        check(&at_times, "slow");
        check(&at_times, "slow");
        assert_eq!(verdict(&check(&at_times, "quick")), Some(true));
    }
}

#[test]
fn answer_and_sample_reach_node_as_data_and_a_wild_script_is_ended() {
    let Some(setup) = node() else { return };
    let echo = "export default (output, { sample, assertion }) => ({
        pass: {}.pass === undefined && globalThis.broken === undefined,
        message: JSON.stringify([output, assertion.note]) })";
    let folder = folder(&[
        ("echo.mjs", echo),
        (
            "floods.mjs",
            "import fs from 'node:fs'; export default () => { for (;;) fs.writeSync(1, 'x'.repeat(65536)) }",
        ),
        ("large.mjs", "export default () => ({ pass: true, message: 'x'.repeat(8 << 20) })"),
        ("kills.mjs", "export default () => process.kill(process.pid, 'SIGKILL')"),
        ("closes.mjs", "import fs from 'node:fs'; export default () => { fs.closeSync(1); return true }"),
    ]);
    let custom = |file: &str, note: &str, text: &str| {
        run_in(folder.path(), &json!({"type": "custom", "fn": file, "note": note}), setup.clone(), text).unwrap()
    };
    let hostile = [
        "'); globalThis.broken = 1; ('",
        "`${process.exit(0)}`",
        "{\"__proto__\": {\"pass\": true}}",
        "\n{\"value\": \"true\"}\n",
        "\u{2028}*/process.exit(0)//\u{0}",
    ];
    for text in hostile {
        let check = custom("echo.mjs", text, text);
        assert_eq!(verdict(&check), Some(true), "{text}");
        assert_eq!(message(&check), serde_json::to_string(&[text, text]).unwrap());
    }
    for file in ["floods.mjs", "large.mjs", "kills.mjs"] {
        assert!(why(&custom(file, "", "x")).contains("without a repl"), "{file}: {}", why(&custom(file, "", "x")));
    }
    assert_ne!(verdict(&custom("closes.mjs", "", "x")), Some(true), "its reply is lost");
}
