//! Every edit of a report is reported by `report verdict`, for every kind of report, except for a short list of fields
//! that nothing in a report determines.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use eval_format::Report;
use eval_spec::{Failure, Layer, Outcome};
use serde_json::{Value, json};
use testkit::FakeReply;

use crate::fixtures::context::files;
use crate::fixtures::judged::{JUDGE, JudgeQuestion, JudgedProject};
use crate::fixtures::recorded::{RecordedProject, RecordedResult, both, ended};
use crate::verdict::recompute::rich;

/// Fields that do not follow from anything else in a report, so that an edit cannot be detected. `#` matches numbers,
/// `*` names; everything below a path is included.
const FOUND: &[&str] = &[
    // The file's own name.
    "/id",
    // What was run, by whom, where and when.
    "/meta/artifacts",
    "/meta/cliVersion",
    "/meta/executor",
    "/meta/executorRuntime",
    "/meta/gitInfo",
    "/meta/judgePromptHash",
    "/meta/judgeRuntime",
    "/meta/judgeRuntimes",
    "/meta/judgeTemplate",
    "/meta/model",
    "/meta/nodeVersion",
    "/meta/regradeOf",
    "/meta/sampleHashes/*",
    "/meta/skillHashes",
    "/meta/skillIsolation",
    "/meta/testSet/id",
    "/meta/testSet/path",
    "/meta/timestamp",
    "/pairwise/promptHash",
    "/pairwise/template",
    // Settings of the calls: no number depends on them.
    "/meta/settings/cache",
    "/meta/settings/customRuntime",
    "/meta/settings/retry",
    "/meta/settings/strictBaseline",
    "/meta/settings/timeoutMs",
    // In reports without resampling (`--ci t`) and without judges.
    "/meta/seed",
    "/meta/settings/bootstrapSamples",
    "/meta/settings/judge",
    "/meta/settings/judgeRepeat",
    "/meta/settings/debiasLength",
    // The texts of a sample: no number rests on them.
    "/results/#/texts",
    // A blind label's name, where it does not change the drawn order.
    // Whether the cost of all failed attempts is known, where no price is known at all.
    "/results/#/variants/*/failedAttemptsCost/totalUSD",
    // People's scores are in files of their own: where these were, who scored what, and what only they decide besides
    // the numbers that the verdict uses.
    "/gold/directory",
    "/gold/counts/files",
    "/gold/annotators/#/name",
    "/gold/means/#/ci",
    "/gold/means/#/lambda",
    "/gold/means/#/effectiveN",
    "/gold/means/#/tuning",
    "/gold/differences/#/lambda",
    "/gold/differences/#/tuning",
    // Prompts and rubrics are not in the report: which of them are duplicates or vague, and why some could not be
    // checked.
    "/analysis/sampleQuality/findings/#/items/#/sampleIds",
    "/analysis/sampleQuality/findings/#/items/#/value",
    "/analysis/sampleQuality/findings/#/items/#/detail",
    "/analysis/sampleQuality/notChecked/#/why",
    // Reported by an executor about its answer, with no score depending on it.
    "/results/#/variants/*/startedAt",
    "/results/#/variants/*/requestId",
    "/results/#/variants/*/stopReason",
    "/results/#/variants/*/turns",
    "/results/#/variants/*/toolCalls",
    "/results/#/variants/*/runs/#/toolCalls",
    // A millisecond more is rounded away in the mean.
    "/results/#/variants/*/durationMs",
    // What a check measured, where it does not follow from the checks inside it.
    "/results/#/variants/*/assertions/details/#/actual",
    // The name of the question to the judges.
    "/results/#/questions",
    "/results/#/variants/*/runs/#/startedAt",
    "/results/#/variants/*/runs/#/requestId",
    "/results/#/variants/*/runs/#/stopReason",
    "/results/#/variants/*/runs/#/turns",
    "/results/#/variants/*/runs/#/durationMs",
    "/results/#/variants/*/runs/#/assertions/details/#/actual",
    // What a check searched for; its result is stored beside it.
    "/results/#/variants/*/assertions/details/#/value",
    "/results/#/variants/*/assertions/details/#/reference",
    "/results/#/variants/*/runs/#/assertions/details/#/value",
    "/results/#/variants/*/runs/#/assertions/details/#/reference",
    // The text that judges wrote.
    "/pairwise/pairs/#/questions/#/opinions/#/forward/reasoning",
    "/pairwise/pairs/#/questions/#/opinions/#/reversed/reasoning",
    // What traces tell: they are not stored.
    "/analysis/gap",
    // Requests that were not made are not stored.
    "/stopping/judgeCallsSaved",
    "/stopping/costSavedWhy",
];

/// Number of leaves of each report that are edited without `OMK_TEST_VERIFY`.
const LEAVES: usize = 14;

/// A different value of the same type, if there is one.
fn edited(leaf: &Value) -> Option<Value> {
    Some(match leaf {
        Value::Bool(yes) => json!(!yes),
        Value::Number(number) if number.is_f64() => json!(number.as_f64().unwrap() + 0.37),
        Value::Number(number) => json!(number.as_u64().unwrap() + 1),
        Value::String(text) => json!(format!("{text} and more")),
        Value::Null | Value::Array(_) | Value::Object(_) => return None,
    })
}

/// Pointers to every value of a report.
fn pointers(of: &Value, path: &str, found: &mut Vec<String>) {
    found.push(path.to_owned());
    match of {
        Value::Object(fields) => fields.iter().for_each(|(name, value)| {
            pointers(value, &format!("{path}/{}", name.replace('~', "~0").replace('/', "~1")), found);
        }),
        Value::Array(all) => {
            all.iter().enumerate().for_each(|(i, value)| pointers(value, &format!("{path}/{i}"), found));
        }
        Value::Number(_) | Value::Bool(_) | Value::Null | Value::String(_) => {}
    }
}

/// A path without its numbers and names: one leaf of a kind stands for all of them.
fn kind(path: &str) -> String {
    let part = |part: &str| match part {
        "v1" | "v2" | "v3" | "Variant A" | "Variant B" => "*".to_owned(),
        part if part.len() == 4 && part.starts_with('s') && part[1..].bytes().all(|c| c.is_ascii_digit()) => {
            "*".to_owned()
        }
        part if !part.is_empty() && part.bytes().all(|c| c.is_ascii_digit()) => "#".to_owned(),
        part => part.to_owned(),
    };
    path.split('/').map(part).collect::<Vec<_>>().join("/")
}

/// Whether recomputing the report finds a difference.
fn is_detected(path: &Path, report: &Value) -> bool {
    fs::write(path, report.to_string()).unwrap();
    // A file that is no longer a report counts as detected.
    eval_history::recompute(path, env!("CARGO_PKG_VERSION")).map_or(true, |of| !of.agrees)
}

/// The kinds of leaves that can be edited, and of fields that can be removed, without being detected.
fn undetected(report: &Value) -> BTreeSet<String> {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("report.json");
    assert!(!is_detected(&file, report), "{:#?}", eval_history::recompute(&file, env!("CARGO_PKG_VERSION")).unwrap());
    let mut all = Vec::new();
    pointers(report, "", &mut all);
    let mut kinds = BTreeSet::new();
    all.retain(|path| kinds.insert(kind(path)));
    // All leaves of a report with judges take minutes; by default every block and some of its leaves are edited.
    if std::env::var_os("OMK_TEST_VERIFY").is_none() {
        let step = all.len().div_ceil(LEAVES);
        let is_chosen = |(at, path): &(usize, String)| path.matches('/').count() == 1 || at % step == 0;
        all = all.into_iter().enumerate().filter(is_chosen).map(|(_, path)| path).collect();
    }
    let half = all.len().div_ceil(2);
    let of = |paths: &[String], file: &str| -> Vec<String> {
        let file = directory.path().join(file);
        paths.iter().flat_map(|path| undetected_edits_of(report, path, &file)).collect()
    };
    std::thread::scope(|scope| {
        let first = scope.spawn(|| of(&all[..half], "a.json"));
        let second = of(&all[half..], "b.json");
        first.join().unwrap().into_iter().chain(second).collect()
    })
}

fn undetected_edits_of(report: &Value, path: &str, file: &Path) -> Vec<String> {
    let whole: Report = serde_json::from_value(report.clone()).unwrap();
    let mut undetected = Vec::new();
    if let Some(other) = report.pointer(path).and_then(edited) {
        let mut report = report.clone();
        *report.pointer_mut(path).unwrap() = other;
        if !is_detected(file, &report) {
            undetected.push(kind(path));
        }
    }
    let (parent, name) = path.rsplit_once('/').unwrap_or_default();
    let mut shorter = report.clone();
    let taken = match shorter.pointer_mut(parent) {
        Some(Value::Object(fields)) if !path.is_empty() => {
            fields.remove(&name.replace("~1", "/").replace("~0", "~")).filter(|of| !of.is_null())
        }
        _ => None,
    };
    if taken.is_some() && !is_detected(file, &shorter) && eval_history::read(file).unwrap() != whole {
        undetected.push(format!("-{}", kind(path)));
    }
    undetected
}

fn is_below(path: &str, known: &str) -> bool {
    path.strip_prefix(known).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[track_caller]
fn assert_edits_are_detected(report: &Value) {
    let undetected = undetected(report);
    let listed = |path: &String| FOUND.iter().any(|known| is_below(path.trim_start_matches('-'), known));
    let unlisted: Vec<&String> = undetected.iter().filter(|path| !listed(path)).collect();
    assert!(unlisted.is_empty(), "{}: {unlisted:#?}", unlisted.len());
}

const QUICK: [&str; 5] = ["--report-only", "--ci", "t", "--bootstrap-samples", "1000"];

#[test]
fn edits_of_a_judged_report_are_reported() {
    let report = rich(&["--ci", "t"]).1;
    assert_edits_are_detected(&report);
}

#[test]
fn edits_of_a_blind_report_are_reported() {
    assert_edits_are_detected(&rich(&["--ci", "t", "--blind"]).1);
}

#[test]
fn edits_of_a_regraded_report_are_reported() {
    let (context, _) = rich(&[]);
    context.run(&[&["eval", "--regrade", "latest"], QUICK.as_slice()].concat()).expect(0);
    assert_edits_are_detected(&context.report());
}

/// A dozen samples of three variants, some of which failed, were refused or truncated.
fn scored(flags: &[&str]) -> Value {
    let odd = |at: crate::fixtures::recorded::CellIndex| match (at.sample, at.variant) {
        (1, 1) => RecordedResult::Failed(Failure::Rejected),
        (2, _) => ended(Outcome::Refused),
        (3, 0) => ended(Outcome::Truncated),
        (sample, variant) => both(u32::try_from(sample * 7 % 60 + variant * 20).unwrap(), 50),
    };
    let prepared = RecordedProject::new(12, &["v1", "v2", "v3"], 1, &[Layer::Fact], odd);
    prepared.report(0, &[QUICK.as_slice(), flags].concat())
}

#[test]
fn edits_of_a_report_without_judges_are_reported() {
    assert_edits_are_detected(&scored(&[]));
}

#[test]
fn edits_of_a_holdout_report_are_reported() {
    assert_edits_are_detected(&scored(&["--holdout", "0.4"]));
}

#[test]
fn edits_of_a_single_variant_report_are_reported() {
    let prepared = RecordedProject::new(8, &["v1"], 1, &[Layer::Fact], |at| {
        both(u32::try_from(at.sample * 9 + 40).unwrap().min(99), 0)
    });
    assert_edits_are_detected(&prepared.report(0, &QUICK));
}

#[test]
fn edits_of_an_early_stopped_report_are_reported() {
    let pairs: Vec<(u32, u32)> = (0..40).map(|i| (40 + i % 7, 60 + i * 3 % 11)).collect();
    let prepared = RecordedProject::pairs(&pairs);
    let report = prepared.report(0, &[QUICK.as_slice(), &["--stop-when-decided"]].concat());
    assert!(report["stopping"]["callsSaved"].as_u64().unwrap() > 0);
    assert_edits_are_detected(&report);
}

fn compared(case: &JudgeQuestion<'_>) -> FakeReply {
    let winner = ["A", "B", "tie"][case.prompt.bytes().map(usize::from).sum::<usize>() % 3];
    FakeReply::text(json!({"id": case.id, "reasoning": "one by one", "winner": winner}).to_string())
}

#[test]
fn edits_of_a_pairwise_report_are_reported() {
    let project = JudgedProject::judged_by(8, compared);
    let judges = ["--judge-models", "judge-1,judge-22", "--judge-mode", "pairwise"];
    let flags = ["eval", "--variants", "v1,v2", "--executor", "openai-api", "--model", "m"];
    project.context.run(&[flags.as_slice(), &judges, &QUICK].concat()).expect(0);
    assert_edits_are_detected(&project.context.report());
}

#[test]
fn edits_of_a_report_with_gold_are_reported() {
    let score =
        |case: &JudgeQuestion<'_>| u8::try_from(case.answer.bytes().map(usize::from).sum::<usize>() % 4).unwrap() + 1;
    let project = JudgedProject::judged_by(8, move |case| case.scores(score(case)));
    project.run(&QUICK).expect(0);
    project.context.run(&["gold", "init", "latest", "--gold-dir", "gold", "--annotator", "ann"]).expect(0);
    for (i, path) in files(&project.context.path("gold")).iter().enumerate() {
        let text = fs::read_to_string(path).unwrap().replace(": null", &format!(": {}", i % 4 + 1));
        fs::write(path, text).unwrap();
    }
    project.run(&[QUICK.as_slice(), &["--gold-dir", "gold"]].concat()).expect(0);
    let report = project.context.report();
    assert!(report["gold"]["counts"]["used"].as_u64().unwrap() > 0, "{JUDGE}: {}", report["gold"]);
    assert_edits_are_detected(&report);
}
