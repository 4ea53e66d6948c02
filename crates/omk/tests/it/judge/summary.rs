//! What report, summary and verdict say of judges, of answer length, and of tripwires.

use serde_json::{Value, json};
use testkit::{FakeApi, FakeReply, ReplyScript, Request};

use crate::fixtures::context::{Finished, TestContext};

/// Two skills, `n` samples with a rubric, and a server that answers for the model and several judges.
struct PanelProject {
    context: TestContext,
    /// Serves until it is dropped.
    _api: FakeApi,
}

/// A judge's name and the answer it is asked about.
struct PanelQuestion {
    judge: String,
    answer: String,
}

impl PanelProject {
    /// `answer` gets the artifact's text and the prompt; `judge` gives a score, or `None` for an unusable reply.
    fn new(
        n: usize,
        answer: impl Fn(&str, &str) -> String + Send + Sync + 'static,
        judge: impl Fn(&PanelQuestion) -> Option<u64> + Send + Sync + 'static,
    ) -> PanelProject {
        let mut context = TestContext::new();
        context.write("skills/v1.md", "plain");
        context.write("skills/v2.md", "better");
        let sample =
            |i| json!({"sample_id": format!("s{i:03}"), "prompt": format!("question {i}"), "rubric": "is right"});
        context.write("eval-samples.json", &Value::from((1..=n).map(sample).collect::<Vec<_>>()).to_string());
        let api = FakeApi::start(ReplyScript::with(move |request| {
            let message = |role: &str| message(request, role);
            let model = request.body["model"].as_str().unwrap();
            if !message("system").contains("{\"id\": ") {
                return FakeReply::text(answer(&message("system"), &message("user")));
            }
            let prompt = message("user");
            let id = prompt.split_once("<<<").unwrap().1.lines().next().unwrap();
            let shown = prompt.rsplit_once(&format!("<<<{id}\n")).unwrap().1;
            let shown = shown.split_once(&format!("\n{id}>>>")).unwrap().0;
            match judge(&PanelQuestion { judge: model.to_owned(), answer: shown.to_owned() }) {
                Some(score) => FakeReply::text(json!({"id": id, "reasoning": "because", "score": score}).to_string()),
                None => FakeReply::text("I would rather not say"),
            }
        }));
        context.env("OPENAI_API_KEY", "sk-judge-0123456789abcdef");
        context.env("OPENAI_BASE_URL", &format!("{}/v1", api.url));
        PanelProject { context, _api: api }
    }

    fn run(&self, judges: &str, flags: &[&str]) -> Finished {
        let base = [
            "eval",
            "--details",
            "--variants",
            "v1,v2",
            "--executor",
            "openai-api",
            "--model",
            "tested-1",
            "--retry",
            "0",
        ];
        self.context.run(&[&base, ["--judge-models", judges].as_slice(), flags].concat())
    }

    /// Checks that the stored verdict equals the recomputed one.
    fn verdict_again(&self, exit_code: i32) {
        let stored = self.context.report();
        let path = self.context.report_path();
        let again = self.context.run(&["report", "verdict", path.to_str().unwrap(), "--json"]);
        let again: Value = serde_json::from_str(&again.expect(exit_code).stdout).unwrap();
        assert!(again["agrees"] == true && again["recomputed"] == stored["verdict"]);
    }
}

fn message(request: &Request, role: &str) -> String {
    let messages = request.body["messages"].as_array().unwrap();
    let message = messages.iter().find(|message| message["role"] == role);
    message.and_then(|message| message["content"].as_str()).unwrap_or_default().to_owned()
}

/// The number at the end of the question that an answer repeats.
fn number(text: &str) -> u64 {
    text.rsplit(' ').next().and_then(|word| word.parse().ok()).unwrap_or(0)
}

fn echo(system: &str, prompt: &str) -> String {
    format!("{system} answer to {prompt}")
}

/// 4 or 5 for the better skill, 3 or 4 for the plain one.
fn fair(case: &PanelQuestion) -> u64 {
    3 + u64::from(case.answer.starts_with("better")) + number(&case.answer) % 2
}

fn reasons(report: &Value) -> Vec<&str> {
    let all = report["verdict"]["perTreatment"][0]["reasons"].as_array().unwrap().iter();
    all.chain(report["verdict"]["reasons"].as_array().unwrap())
        .map(|r| r["messageKey"]["id"].as_str().unwrap())
        .collect()
}

#[test]
fn report_names_the_judges_and_their_agreement() {
    let project = PanelProject::new(24, echo, |case| {
        Some((fair(case) + u64::from(case.judge == "strict-1" && number(&case.answer) == 1)).min(5))
    });
    let finished = project.run("lenient-1,strict-1", &["--judge-repeat", "2"]);
    let text = finished.expect(0).stdout;
    let report = project.context.report();
    let judging = &report["judging"];
    assert_eq!((&judging["template"], &judging["repeat"]), (&json!("v3-cot-length"), &json!(2)));
    assert_eq!(judging["promptHash"], report["meta"]["judgePromptHash"]);
    assert_eq!(judging["languages"], json!({"en": 48, "zh": 0}));
    assert_eq!(judging["judges"][0]["judge"], "openai-api:lenient-1");
    assert_eq!((&judging["judges"][1]["planned"], &judging["judges"][1]["scored"]), (&json!(96), &json!(96)));
    assert_eq!(judging["judges"][0]["selfPreference"], false);
    let alpha = &judging["agreement"]["alpha"];
    assert!(alpha["value"].as_f64().unwrap() > 0.9 && alpha["n"] == 48, "{alpha}");
    assert!(alpha["ci"]["low"].as_f64().unwrap() <= alpha["value"].as_f64().unwrap());
    assert_eq!(judging["agreement"]["pairs"][0]["n"], 48);
    assert_eq!(
        (&judging["repeatability"][0]["withinSd"], &judging["repeatability"][0]["alpha"]["value"]),
        (&json!(0.0), &json!(1.0))
    );
    for expected in ["judges\n", "`openai-api:lenient-1`: 4.00", "Krippendorff's α", "asked 2 times"] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    let chinese = project.run("lenient-1,strict-1", &["--judge-repeat", "2", "--lang", "zh"]).expect(0).stdout;
    assert!(chinese.contains("评委\n") && chinese.contains("一致性：Krippendorff α"), "{chinese}");
}

#[test]
fn judged_difference_is_also_given_at_equal_length() {
    let longer = |system: &str, prompt: &str| {
        let words = if system.contains("better") { number(prompt) % 4 * 10 } else { 0 };
        format!("{} {system} answer to {prompt}", "so ".repeat(usize::try_from(words).unwrap()))
    };
    // The judge counts characters only.
    let project = PanelProject::new(24, longer, |case| Some(2 + (case.answer.len() as u64).saturating_sub(20) / 30));
    let text = project.run("judge-1", &["--report-only"]).expect(0).stdout;
    let comparison = &project.context.report()["comparisons"][0];
    let (raw, equal) = (comparison["diff"]["mean"].as_f64().unwrap(), &comparison["equalLength"]);
    assert!(raw > 1.0, "{raw}");
    assert!(equal["diff"].as_f64().unwrap().abs() < 0.4 && equal["slope"].as_f64().unwrap() > 0.5, "{equal}");
    assert_eq!(equal["n"], 24);
    assert!(text.contains("at equal length: "), "{text}");
}

#[test]
fn judge_failing_on_one_variant_is_named_and_yields_no_progress() {
    for (lost, exit_code) in [(3, 1), (24, 3)] {
        for arm in ["plain", "better"] {
            let project = PanelProject::new(24, echo, move |case| {
                let silent = case.answer.starts_with(arm) && number(&case.answer) <= lost;
                (!silent).then(|| fair(case))
            });
            let text = project.run("judge-1", &[]).expect(exit_code).stdout;
            let report = project.context.report();
            assert_ne!(report["verdict"]["tier"], "PROGRESS", "{lost} of {arm}");
            let reasons = reasons(&report);
            assert!(reasons.contains(&"report-alarm-judges-differ"), "{lost} of {arm}: {reasons:?}");
            assert_eq!(reasons.contains(&"report-invalid-judges"), exit_code == 3, "{reasons:?}");
            let unwrapped = text.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(unwrapped.contains(&format!("{lost} of 48 missing, mostly: ")), "{text}");
            let judge = &report["judging"]["judges"][0];
            assert_eq!((&judge["missing"], &judge["unusable"]), (&json!(lost), &json!(3 * lost)), "asked three times");
            project.verdict_again(exit_code);
        }
    }
}

#[test]
fn disagreeing_judges_make_the_verdict_cautious() {
    let project = PanelProject::new(24, echo, |case| {
        let (better, n) = (case.answer.starts_with("better"), number(&case.answer) % 2);
        Some(match (case.judge.as_str(), better) {
            ("one-1", true) => 4 + n,
            ("one-1", false) => 3 - n,
            (_, true) => 5 - 2 * n,
            (_, false) => 2 + 2 * n,
        })
    });
    let text = project.run("one-1,two-1", &[]).expect(1).stdout;
    let report = project.context.report();
    assert_eq!(report["verdict"]["tier"], "CAUTIOUS", "{text}");
    assert!(reasons(&report).contains(&"report-alarm-agreement"));
    assert!(report["verdict"]["inputs"]["judging"]["agreement"].as_f64().unwrap() < 0.4);
    project.verdict_again(1);
}

#[test]
fn constant_judges_are_reported() {
    let project = PanelProject::new(8, echo, |_| Some(4));
    let text = project.run("one-1,two-1", &["--report-only"]).expect(0).stdout;
    assert!(text.contains("agreement: undefined, no variance"), "{text}");
    let mut silent = project.context.report();
    silent["judging"]["agreement"]["alpha"]["why"] = Value::Null;
    let path = project.context.write("silent.json", &silent.to_string());
    let show = ["report", "export", path.to_str().unwrap(), "--format", "terminal"];
    let text = project.context.run(&show).expect(0).stdout;
    assert!(text.contains("agreement: undefined, the report gives no reason"), "{text}");
    let alpha = project.context.report()["judging"]["agreement"]["alpha"].clone();
    assert_eq!(
        (&alpha["value"], &alpha["why"]["messageKey"]["id"]),
        (&Value::Null, &json!("report-undefined-variance"))
    );
}

#[test]
fn judge_of_the_same_vendor_is_reported_without_changing_the_tier() {
    let project = PanelProject::new(24, echo, |case| Some(fair(case)));
    let text = project.run("tested-2", &[]).expect(0).stdout;
    let report = project.context.report();
    assert_eq!(report["verdict"]["tier"], "PROGRESS");
    assert_eq!(report["judging"]["judges"][0]["selfPreference"], true);
    assert!(reasons(&report).contains(&"report-note-self-preference"));
    let insights = report["analysis"]["insights"].as_array().unwrap();
    assert!(insights.iter().any(|insight| insight["type"] == "self_preference"));
    assert!(text.contains("come from the same vendor"), "{text}");
}

#[test]
fn tripwires_are_reported_separately() {
    let project = PanelProject::new(3, echo, |_| Some(4));
    let samples = json!([
        {"sample_id": "held", "prompt": "p 1", "tripwire": true, "assertions": [{"type": "contains", "value": "impossible"}]},
        {"sample_id": "tripped", "prompt": "p 2", "tripwire": true, "assertions": [{"type": "contains", "value": "better"}]},
        {"sample_id": "normal", "prompt": "p 3", "assertions": [{"type": "contains", "value": "answer"}]}
    ]);
    project.context.write("eval-samples.json", &samples.to_string());
    let text = project.run("judge-1", &["--report-only"]).expect(0).stdout;
    let report = project.context.report();
    assert_eq!(
        (&report["comparisons"][0]["n"], &report["summary"]["v1"]["avgCompositeScore"]),
        (&json!(1), &json!(5.0))
    );
    let [v1, v2] = &report["tripwires"].as_array().unwrap()[..] else { panic!("two variants") };
    assert_eq!((&v1["failedAsDesigned"], &v1["passed"]), (&json!(2), &json!(0)));
    assert_eq!((&v2["failedAsDesigned"], &v2["passedSamples"]), (&json!(1), &json!(["tripped"])));
    assert!(text.contains("`v2` failed 1 of 2 as designed; passed 1: tripped"), "{text}");
    // Only tripwires: no verdict.
    project.context.write("eval-samples.json", &json!([samples[0]]).to_string());
    let text = project.run("judge-1", &[]).expect(1).stdout;
    assert!(text.contains("UNDERPOWERED") && text.contains("failed 1 of 1 as designed"), "{text}");
}

#[test]
fn tripwires_count_in_no_preference() {
    let project = PanelProject::new(3, echo, |_| None);
    let sample =
        |id: &str, tripwire: bool| json!({"sample_id": id, "prompt": "p", "rubric": "is right", "tripwire": tripwire});
    let samples = json!([sample("trap", true), sample("one", false), sample("two", false)]);
    project.context.write("eval-samples.json", &samples.to_string());
    project.run("judge-1", &["--judge-mode", "pairwise"]).expect(3);
    let report = project.context.report();
    assert_eq!(report["tripwires"][0]["samples"], 1, "{}", report["tripwires"]);
    assert!(!report["pairwise"].to_string().contains("trap"), "{}", report["pairwise"]);
}
