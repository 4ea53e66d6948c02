//! Sample quality before and after a run.

use serde_json::{Value, json};

use crate::fixtures::context::TestContext;

/// Twelve samples: two are duplicates, one contains its answer, one has a vague rubric.
fn project() -> TestContext {
    let context = TestContext::with_agent();
    let mut samples: Vec<Value> = (1..=12)
        .map(|i| {
            let topic = ["tides", "glaciers", "deltas", "geysers"][i % 4];
            json!({"sample_id": format!("s{i:03}"), "prompt": format!("Explain {topic}, case {i}"), "capability": ["earth"],
                   "assertions": [{"type": "contains", "value": "better"}]})
        })
        .collect();
    samples[3]["prompt"] = json!("EXPLAIN  deltas, case 2");
    samples[5]["prompt"] = json!("Say the word better, case 6");
    samples[7]["rubric"] = json!("good\u{1b}]0;owned\u{7} style");
    samples[8]["capability"] = json!(["rare"]);
    context.write("eval-samples.json", &Value::from(samples).to_string());
    context
}

fn finding<'q>(quality: &'q Value, kind: &str) -> &'q Value {
    quality["findings"].as_array().unwrap().iter().find(|of| of["type"] == kind).unwrap_or(&Value::Null)
}

#[test]
fn dry_run_reports_sample_quality() {
    let context = project();
    let plan = ["eval", "--dry-run", "--executor", "./agent", "--variants", "v1,v2", "--judge-executor", "./agent"];
    let shown = context.run(&plan).expect(0).stdout;
    for text in [
        "s002 = s004",
        "1 of 12 samples repeat another one",
        "`better` (assertion 1) stands in the prompt",
        "`good style`",
    ] {
        assert!(shown.replace("\n            ", " ").contains(text), "{text}: {shown}");
    }
    assert!(!shown.contains('\u{1b}') && shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
    let chinese = context.run(&[&plan[..], &["--lang", "zh"]].concat()).expect(0).stdout;
    assert!(chinese.contains("12 个用例中有 1 个与其他用例重复"), "{chinese}");

    let quality = &context.run(&[&plan[..], &["--json"]].concat()).expect(0).json()["sampleQuality"];
    // 30 · 2/12 + 25 · 2/12 + 20 · min(1, 2/1) + 10 · min(1, 2 · 1/2)
    let points: Vec<&Value> = quality["findings"].as_array().unwrap().iter().map(|of| &of["points"]).collect();
    assert_eq!(points, [20.0, 10.0, 5.0, 4.2]);
    assert_eq!(quality["score"], 60.8);
    assert_eq!(finding(quality, "thin_capabilities")["items"][0]["sampleIds"], json!(["s009"]));
    let later = quality["notChecked"].as_array().unwrap();
    assert!(later.len() == 4 && later.iter().all(|of| of["why"]["messageKey"]["id"] == "quality-why-run"), "{later:?}");
    assert!(context.reports().is_empty());
}

#[test]
fn quality_score_is_in_the_summary_and_its_findings_are_in_the_report() {
    let context = project();
    let run = ["eval", "--details", "--executor", "./agent", "--variants", "v1,v2", "--no-judge", "--report-only"];
    let shown = context.run(&run).expect(0).stdout;
    assert!(shown.contains("sample quality: 80.8 of 100, by "), "{shown}");
    let quality = &context.report()["analysis"]["sampleQuality"];
    assert_eq!(finding(quality, "leaky_prompts")["items"][0]["sampleIds"], json!(["s006"]));
    let why = |kind: &str| {
        let of = quality["notChecked"].as_array().unwrap().iter().find(|of| of["type"] == kind).unwrap();
        of["why"]["messageKey"]["id"].clone()
    };
    assert_eq!(why("ambiguous_rubrics"), "quality-why-no-rubric", "nothing is judged");
    assert_eq!(why("cost_outliers"), "quality-why-no-cost");
    assert_eq!(why("item_discrimination"), "quality-why-few-runs");
}

#[test]
fn expensive_samples_are_reported() {
    let context = TestContext::new();
    context.write("skills/v1.md", "one\n");
    // The cost of an answer depends on the number at the end of the prompt.
    context.script(
        "agent",
        r#"input=$(cat)
case "$input" in *"case 7\""*) cost=0.9 ;; *"case 1"*) cost=0.011 ;; *) cost=0.01 ;; esac
printf '{"output": "fine", "costUSD": %s}' "$cost"
"#,
    );
    context.samples(14, &json!([{"type": "contains", "value": "fine"}]));
    let samples = std::fs::read_to_string(context.path("eval-samples.json")).unwrap().replace("question ", "case ");
    context.write("eval-samples.json", &samples);
    let run = ["eval", "--details", "--executor", "./agent", "--control", "v1", "--treatment", "baseline"];
    let shown = context.run(&[&run[..], &["--report-only"]].concat());
    let report = context.report();
    let insights = report["analysis"]["insights"].as_array().unwrap();
    let dear = insights.iter().find(|insight| insight["type"] == "high_cost").unwrap_or(&Value::Null);
    assert_eq!((&dear["severity"], &dear["sampleIds"]), (&json!("info"), &json!(["s007"])), "{insights:#?}");
    assert!(shown.stdout.contains("1/14 samples cost far more than the others"), "{}", shown.stdout);
}

#[test]
fn patterns_that_match_no_answer_are_named_first() {
    let context = TestContext::new();
    context.write("skills/v1.md", "one\n");
    context.script("agent", r#"printf '{"output": "fine, thanks", "costUSD": 0.01}'"#);
    let asked = json!([
        {"type": "regex", "pattern": "fine"},
        {"type": "regex", "pattern": "^thanks"},
        {"type": "regex", "pattern": "\\bsorry\\b", "not": true},
        {"type": "regex", "pattern": "THANKS$", "flags": "", "not": true},
        {"type": "regex", "pattern": "THANKS$", "not": true},
    ]);
    context.samples(14, &asked);
    let run = ["eval", "--details", "--executor", "./agent", "--control", "v1", "--treatment", "baseline"];
    let shown = context.run(&[&run[..], &["--report-only"]].concat()).stdout;
    let report = context.report();
    let insights = report["analysis"]["insights"].as_array().unwrap();
    let of = |at: usize| {
        let insight = &insights[at];
        let checks: Vec<_> = insight["checks"].as_array().unwrap().iter().map(|check| check["label"].clone()).collect();
        (insight["type"].clone(), insight["severity"].clone(), json!(checks))
    };
    let kind = json!("unmatched_regex");
    assert_eq!(of(0), (kind.clone(), json!("warning"), json!(["regex ^thanks"])), "{insights:#?}");
    assert_eq!(of(1), (kind, json!("info"), json!(["not regex \\bsorry\\b", "not regex THANKS$"])), "{insights:#?}");
    assert!(shown.contains("1/5 `regex` patterns matched no answer of any variant"), "{shown}");
    assert!(shown.contains("2/5 `regex` patterns under `not:` matched no answer"), "{shown}");
}
