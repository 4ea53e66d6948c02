//! `omk diff`, `omk trend`, `omk power`: reports compared, reports over time, samples for an effect.

use std::fs;

use serde_json::{Value, json};

use crate::fixtures::context::{Finished, TestContext};
use crate::fixtures::recorded::RecordedProject;

/// Two runs over the same samples: in the second, the answers of `v2` are short enough too, and there are two repeats.
fn two() -> (TestContext, [String; 2]) {
    let context = TestContext::with_agent();
    context.samples(24, &json!([{"type": "contains", "value": "better"}, {"type": "max_length", "value": 7}]));
    let mut ids = Vec::new();
    for (answer, repeat) in [("better thing", "1"), ("better", "2")] {
        context.write("skills/v2.md", &format!("ANSWER {answer}\n"));
        let flags = ["eval", "--variants", "v1,v2", "--executor", "./agent", "--no-cache", "--report-only"];
        context.run(&[&flags, ["--repeat", repeat].as_slice()].concat()).expect(0);
        ids.push(context.report()["id"].as_str().unwrap().to_owned());
    }
    (context, [ids[0].clone(), ids[1].clone()])
}

fn diff(context: &TestContext, arguments: &[&str]) -> Value {
    context.run(&[&["diff"], arguments, &["--json"]].concat()).expect(0).json()
}

fn edited(context: &TestContext, id: &str, name: &str, edit: impl FnOnce(&mut Value)) -> String {
    let path = context.home().join(format!("reports/{id}.json"));
    let mut report: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    report["id"] = json!(name);
    edit(&mut report);
    context.write(&format!("edited/{name}.json"), &report.to_string()).to_str().unwrap().to_owned()
}

#[test]
fn diff_lists_changes_per_sample_between_two_runs() {
    let (context, [a, b]) = two();
    let of = diff(&context, &[&a, &b]);
    assert_eq!(of["samples"], json!({"common": 24, "changed": [], "added": [], "removed": []}));
    assert_eq!(of["differs"], json!([{"what": "repeat", "a": 1, "b": 2}]));
    let [v1, v2] = [&of["comparisons"][0], &of["comparisons"][1]];
    assert_eq!((&v1["a"], &v1["sameArtifact"], &v1["diff"]["mean"]), (&json!("v1"), &json!(true), &json!(0.0)));
    // Fact 5 and 5, behaviour 1 and 5: composites 3 and 5.
    assert_eq!(
        (&v2["sameArtifact"], &v2["meanA"], &v2["meanB"], &v2["diff"]["mean"]),
        (&json!(false), &json!(3.0), &json!(5.0), &json!(2.0))
    );
    assert_eq!((&v2["layers"]["behavior"]["mean"], &v2["layers"]["fact"]["mean"]), (&json!(4.0), &json!(0.0)));
    assert_eq!((v2["crossed"]["up"].as_array().unwrap().len(), &v2["crossed"]["threshold"]), (24, &json!(3.5)));
    // McNemar: 2 · 0.5²⁴.
    assert!((v2["crossed"]["pValue"].as_f64().unwrap() - 2.0 * 0.5_f64.powi(24)).abs() < 1e-15);
    assert_eq!(v2["checks"]["newlyPassing"].as_array().unwrap().len(), 24);
    assert_eq!(v2["samples"].as_array().unwrap().len(), 24);
    assert_eq!(
        v2["samples"][0],
        json!({"sample_id": "s001", "a": 3.0, "b": 5.0, "diff": 2.0,
        "layers": {"fact": 0.0, "behavior": 4.0, "judge": null}})
    );
    // In reverse order it is a regression, and the gate refuses it.
    let text = context.run(&["diff", &b, &a, "--fail-on-regress"]).expect(1);
    assert!(text.stderr.contains("`v2` got worse") && text.stdout.contains("24 fail that passed"), "{text:#?}");
    context.run(&["diff", &a, &b, "--fail-on-regress"]).expect(0);
    // A gate does not open when nothing was measured.
    let mut broken = context.report();
    broken["verdict"]["inputs"]["incompleteReason"] = json!("budget-exhausted");
    let broken = context.write("broken.json", &broken.to_string());
    let refused = context.run(&["diff", &a, broken.to_str().unwrap(), "--fail-on-regress"]).expect(3);
    assert!(refused.stderr.contains("no valid measurement"), "{}", refused.stderr);
    context.run(&["diff", &b, &a]).expect(0);
    for lang in ["en", "zh"] {
        let text = context.run(&["diff", &a, &b, "--lang", lang]).expect(0).stdout;
        assert!(text.lines().all(|line| unicode_width(line) <= 80), "{text}");
    }
}

/// Terminal columns of a line: Han characters and full-width punctuation take two.
fn unicode_width(line: &str) -> usize {
    line.chars().map(|c| if ('\u{2E80}'..='\u{FFEF}').contains(&c) { 2 } else { 1 }).sum()
}

#[test]
fn diff_within_a_run_repeats_its_comparisons() {
    let prepared = RecordedProject::pairs(&(0..24).map(|i| (i * 3 % 50, i * 5 % 90)).collect::<Vec<_>>());
    let context = &prepared.context;
    context
        .run(&["eval", "--variants", "v1,v2", "--executor", "replay", "--recordings", "recordings", "--report-only"])
        .expect(0);
    let (report, of) = (context.report(), diff(context, &["latest"]));
    let (theirs, ours) = (&report["comparisons"][0], &of["comparisons"][0]);
    for field in ["n", "mean", "sd", "ci", "pValue", "pValueAdjusted", "exact"] {
        assert_eq!(theirs["diff"][field], ours["diff"][field], "{field}");
        assert_eq!(theirs["layers"]["fact"][field], ours["layers"]["fact"][field], "{field}");
    }
    assert_eq!((&theirs["wins"], &theirs["losses"], &theirs["ties"]), (&ours["better"], &ours["worse"], &ours["same"]));
    let alone = ["eval", "--control", "v1", "--executor", "replay", "--recordings", "recordings", "--report-only"];
    context.run(&alone).expect(0);
    context.run(&["diff", "latest"]).expect(2);
}

/// Two early-stopped runs, one of which is `by` hundredths better or worse.
#[test]
fn diff_gate_works_for_early_stopped_runs() {
    let run = |name: &str, moved: u32| {
        let prepared = RecordedProject::pairs(&(0..60).map(|i| (20 + i % 5, moved + i * 3 % 7)).collect::<Vec<_>>());
        let flags = ["--stop-when-decided", "--report-only", "--bootstrap-samples", "1000"];
        let report = prepared.report(0, &flags);
        assert!(report["stopping"]["samplesSaved"].as_u64().unwrap() > 0, "{name}: {:#}", report["stopping"]);
        (prepared, report)
    };
    let (prepared, better) = run("better", 80);
    let (_, worse) = run("worse", 50);
    let context = &prepared.context;
    let put = |name: &str, report: &Value| {
        let mut report = report.clone();
        report["id"] = json!(name);
        context.write(&format!("guarded/{name}.json"), &report.to_string()).to_str().unwrap().to_owned()
    };
    let (better, worse) = (put("better", &better), put("worse", &worse));
    let shown = context.run(&["diff", &better, &worse, "--fail-on-regress"]).expect(1);
    assert!(shown.stderr.contains("`v2` got worse"), "{shown:#?}");
    let shown = context.run(&["diff", &worse, &better, "--fail-on-regress"]).expect(0);
    assert!(!shown.stderr.contains("got worse"), "{shown:#?}");
    context.run(&["diff", &better, &worse]).expect(0);
}

#[test]
fn diff_refuses_different_test_sets_and_names_the_samples() {
    let (context, [a, b]) = two();
    let other = edited(&context, &b, "other", |report| {
        report["meta"]["sampleHashes"]["s002"] = json!("000000000000");
        report["results"][2]["sample_id"] = json!("new");
        let hash = report["meta"]["sampleHashes"].as_object_mut().unwrap().remove("s003").unwrap();
        report["meta"]["sampleHashes"]["new"] = hash;
    });
    let shown = context.run(&["diff", &a, &other]).expect(2);
    for says in ["changed: `s002`", "in B: `new`", "in A: `s003`", "--force", "22"] {
        assert!(shown.stderr.contains(says), "{says}: {shown:#?}");
    }
    let of = diff(&context, &[&a, &other, "--force"]);
    assert_eq!(of["samples"], json!({"common": 22, "changed": ["s002"], "added": ["new"], "removed": ["s003"]}));
    assert_eq!(of["comparisons"][1]["diff"]["n"], 22);
    let nothing = edited(&context, &b, "nothing", |report| {
        report["meta"]["sampleHashes"].as_object_mut().unwrap().values_mut().for_each(|hash| *hash = json!("0"));
    });
    context.run(&["diff", &a, &nothing, "--force"]).expect(2);
}

#[test]
fn diff_lists_other_differences_and_pairs_variants() {
    let (context, [a, b]) = two();
    let other = edited(&context, &b, "other", |report| {
        report["meta"]["model"] = json!("another");
        report["meta"]["executorRuntime"]["version"] = json!("2.0");
        report["meta"]["settings"]["generation"]["temperature"] = json!(0.5);
        report["meta"]["judgePromptHash"] = json!("0123456789ab");
        report["meta"]["cliVersion"] = json!("9.9.9");
    });
    let of = diff(&context, &[&a, &other]);
    let what: Vec<&str> = of["differs"].as_array().unwrap().iter().map(|one| one["what"].as_str().unwrap()).collect();
    assert_eq!(what, ["model", "executorVersion", "temperature", "repeat", "judgePromptHash", "cliVersion"]);
    let of = diff(&context, &[&a, &b, "--variant", "v1:v2"]);
    assert_eq!((&of["comparisons"][0]["a"], &of["comparisons"][0]["b"]), (&json!("v1"), &json!("v2")));
    let shown = context.run(&["diff", &a, &b, "--variant", "v1:v9"]).expect(2);
    assert!(shown.stderr.contains("`v9`") && shown.stderr.contains("`v1`, `v2`"), "{shown:#?}");
    let blind = edited(&context, &b, "blind", |report| report["meta"]["settings"]["blind"] = json!(true));
    assert!(context.run(&["diff", &a, &blind]).expect(2).stderr.contains("blind"));
    for text in ["{", "[]", "{\"schemaVersion\": 99, \"id\": \"x\"}"] {
        let broken = context.write("edited/broken.json", text);
        context.run(&["diff", &a, broken.to_str().unwrap()]).expect(2);
        context.run(&["power", broken.to_str().unwrap()]).expect(2);
        context.run(&["trend", broken.to_str().unwrap()]).expect(2);
    }
}

#[test]
fn report_is_found_by_an_id_prefix() {
    let (context, [a, _]) = two();
    let directory = context.home().join("reports");
    fs::copy(directory.join(format!("{a}.json")), directory.join("1999-one.json")).unwrap();
    context.run(&["diff", "1999-o"]).expect(0);
    let shown = context.run(&["diff", "20"]).expect(2);
    assert!(shown.stderr.contains("no report `20`"), "{shown:#?}");
    let shown = context.run(&["diff", &a[..4]]).expect(2);
    assert!(shown.stderr.contains("2 reports") && shown.stderr.contains(&a), "{shown:#?}");
}

fn trend(context: &TestContext, arguments: &[&str]) -> Value {
    context.run(&[&["trend"], arguments, &["--json"]].concat()).expect(0).json()
}

#[test]
fn trend_series_contains_only_comparable_reports() {
    let (context, [a, b]) = two();
    let all = trend(&context, &[]);
    let points = all["series"][0]["points"].as_array().unwrap();
    assert_eq!((all["series"].as_array().unwrap().len(), points.len()), (1, 2));
    assert_eq!((&points[0]["id"], &points[1]["id"]), (&json!(a), &json!(b)));
    assert_eq!(points[1]["noted"], json!([{"what": "repeat", "a": 1, "b": 2}]));
    assert_eq!((&points[1]["variants"][1]["mean"], &points[1]["differences"][0]["mean"]), (&json!(5.0), &json!(2.0)));
    let reports = context.home().join("reports");
    let put = |name: &str, time: &str, edit: &dyn Fn(&mut Value)| {
        let path = edited(&context, &b, name, |report| {
            report["meta"]["timestamp"] = json!(time);
            edit(report);
        });
        fs::copy(path, reports.join(format!("{name}.json"))).unwrap();
    };
    put("later-model", "2099-01-01T00:00:00.000Z", &|report| report["meta"]["model"] = json!("another"));
    // Another project with a file of the same name and the same samples.
    put("zz-project", "2098-01-01T00:00:00.000Z", &|report| {
        report["meta"]["testSet"]["project"] = json!("ffffffffffff")
    });
    put("samples", "2097-01-01T00:00:00.000Z", &|report| {
        report["meta"]["testSet"]["id"] = json!("eval-samples.json@00000000")
    });
    fs::write(reports.join("broken.json"), "{\"id\": ").unwrap();
    fs::write(reports.join("newer.json"), "{\"schemaVersion\": 99}").unwrap();
    let all = trend(&context, &[]);
    let series = all["series"].as_array().unwrap();
    let ids: Vec<&str> = series.iter().map(|of| of["points"][0]["id"].as_str().unwrap()).collect();
    assert_eq!(ids, [&a, "samples", "zz-project", "later-model"]);
    assert_eq!(series[1]["changed"][0]["what"], "testSet");
    assert_eq!(series[2]["changed"], json!([]), "another project is no continuation");
    assert!(series[3]["changed"].as_array().unwrap().contains(&json!({"what": "model", "a": "", "b": "another"})));
    let skipped: Vec<&str> = all["skipped"].as_array().unwrap().iter().map(|of| of["path"].as_str().unwrap()).collect();
    assert!(
        skipped.len() == 2 && skipped[0].ends_with("broken.json") && skipped[1].ends_with("newer.json"),
        "{skipped:?}"
    );
    // By project, by test set, and the newest file.
    assert_eq!(trend(&context, &["zz-project"])["series"].as_array().unwrap().len(), 1);
    assert_eq!(
        trend(&context, &["--samples", "eval-samples.json@00000000"])["series"][0]["points"][0]["id"],
        "samples"
    );
    let one = context.run(&["trend", "--limit", "1"]).expect(0);
    assert!(one.stderr.contains("6 older reports were left out"), "{one:#?}");
    for lang in ["en", "zh"] {
        let text = context.run(&["trend", "--lang", lang]).expect(0).stdout;
        assert!(text.lines().all(|line| unicode_width(line) <= 80), "{text}");
    }
    context.run(&["trend", "--reports-dir", "nowhere"]).expect(2);
}

fn power(context: &TestContext, arguments: &[&str]) -> Finished {
    context.run(&[&["power"], arguments].concat())
}

#[test]
fn power_from_given_numbers_matches_the_paired_t_test() {
    let context = TestContext::new();
    // sqrt(2 · 0.4) · 0.9 = 0.805; SciPy 1.17.1 (nct): power 0.7968 with 58 pairs, 0.8037 with 59
    let of = power(&context, &["--sd", "0.9", "--correlation", "0.6", "--effect", "0.3", "--n", "50", "--json"])
        .expect(0)
        .json();
    let spread = &of["spreads"][0];
    assert!((spread["sd"].as_f64().unwrap() - 0.804_984_471_899_924).abs() < 1e-12);
    assert_eq!((&spread["needed"][0]["n"], &spread["needed"][0]["low"]), (&json!(59), &json!(null)));
    let shown = spread["detectable"][0]["difference"].as_f64().unwrap();
    // SciPy 1.17.1: the root of `nct.sf(c, 49, nc) + nct.cdf(-c, 49, nc) = 0.8`, c = t.ppf(0.975, 49)
    assert!((shown - 0.325_361_040_525_408_1).abs() < 1e-9, "{shown}");
    for wrong in [
        &["--sd", "0", "--correlation", "0.5"][..],
        &["--sd", "-1", "--correlation", "0.5"],
        &["--sd", "nan", "--correlation", "0.5"],
        &["--sd", "1", "--correlation", "1"],
        &["--sd", "1", "--correlation", "1.5"],
        &["--sd", "1", "--correlation", "0.5", "--effect", "0"],
        &["--sd", "1", "--correlation", "0.5", "--effect", "0.2,-1"],
        &["--sd", "1", "--correlation", "0.5", "--power", "1"],
        &["--sd", "1", "--correlation", "0.5", "--alpha", "0"],
        &["--sd", "1", "--correlation", "0.5", "--power", "0.04"],
        &["--sd", "1", "--correlation", "0.5", "--n", "1"],
        &["--sd", "1"],
        &["latest", "--sd", "1", "--correlation", "0.5"],
        &[],
        &["nothing"],
    ] {
        let shown = power(&context, wrong).expect(2);
        assert!(!shown.stderr.is_empty(), "{wrong:?}");
    }
}

#[test]
fn power_from_a_pilot_gives_a_range_for_its_spread() {
    let pairs: Vec<(u32, u32)> = (0..8).map(|i| (20 + i * 5 % 20, 30 + i * 11 % 50)).collect();
    let prepared = RecordedProject::pairs(&pairs);
    let context = &prepared.context;
    context
        .run(&["eval", "--variants", "v1,v2", "--executor", "replay", "--recordings", "recordings", "--report-only"])
        .expect(0);
    let of = power(context, &["latest", "--effect", "0.2", "--json"]).expect(0).json();
    let (spread, report) = (&of["spreads"][0], context.report());
    let diff = &report["comparisons"][0]["diff"];
    assert_eq!((&spread["sd"], &spread["pairs"], &spread["family"]), (&diff["sd"], &json!(8), &json!(1)));
    assert_eq!(spread["needed"][0]["n"], report["comparisons"][0]["power"]["pairsForMinEffect"]);
    let sd = spread["sd"].as_f64().unwrap();
    let [low, high] = [0, 1].map(|i| spread["sdInterval"][i].as_f64().unwrap() / sd);
    assert!((low - 0.6612).abs() < 1e-4 && (high - 2.0353).abs() < 1e-4, "{low} {high}");
    let [low, n, high] = ["low", "n", "high"].map(|name| spread["needed"][0][name].as_u64().unwrap());
    assert!(low < n && n < high && high > 3 * n, "{low} {n} {high}");
    for lang in ["en", "zh"] {
        let text = power(context, &["latest", "--lang", lang]).expect(0).stdout;
        assert!(text.lines().all(|line| unicode_width(line) <= 80), "{text}");
    }
}

/// The place of what is damaged is that in the file, in every command that reads results.
#[test]
fn damage_in_a_results_is_named_by_its_line_and_column_in_the_file() {
    let (context, [id, _]) = two();
    let text = fs::read_to_string(context.home().join(format!("reports/{id}.json"))).unwrap();
    let (number, line) = text.lines().enumerate().find(|(_, line)| line.contains(r#""sample_id": "s003""#)).unwrap();
    let damaged = text.replacen(r#""sample_id": "s003""#, r#""sample_id": 7"#, 1);
    let path = context.write("edited/damaged.json", &damaged).to_str().unwrap().to_owned();
    let column = line.find(r#""s003""#).unwrap() + 1;
    let place = format!("line {}, column {column}", number + 1);
    for command in [&["diff", &path][..], &["failures", &path], &["report", "verdict", &path]] {
        let stderr = context.run(command).expect(2).stderr;
        assert!(stderr.contains(&place), "{command:?} should say {place}: {stderr}");
    }
    // All on one line, as another program may store it.
    let compact = serde_json::to_string(&serde_json::from_str::<Value>(&damaged).unwrap()).unwrap();
    let path = context.write("edited/compact.json", &compact).to_str().unwrap().to_owned();
    let place = format!("line 1, column {}", compact.find(r#""sample_id":7"#).unwrap() + r#""sample_id":7"#.len());
    for command in [&["diff", &path][..], &["failures", &path], &["report", "verdict", &path]] {
        let stderr = context.run(command).expect(2).stderr;
        assert!(stderr.contains(&place), "{command:?} should say {place}: {stderr}");
    }
}
