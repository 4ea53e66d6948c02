//! How signals become rates: by sample, not by event.

use serde_json::{Value, json};

use super::said;
use crate::fixtures::context::{Finished, TestContext};
use crate::run::valid;

fn looked_for(patterns: &[&str], answer: &str) -> Value {
    let found = json!({"name": "Read", "input": {"file_path": "docs/a.md"}, "output": "text"});
    let miss = |pattern: &&str| json!({"name": "Grep", "input": {"pattern": pattern}, "output": "No matches found"});
    let calls: Vec<Value> = std::iter::once(found).chain(patterns.iter().map(miss)).collect();
    json!({"output": answer, "toolCalls": calls})
}

/// An agent with an answer for each sample; it fails on those without one.
fn project(answers: &[Option<Value>]) -> TestContext {
    let context = TestContext::new();
    let id = "id=$(sed -n 's/.*case \\([a-z0-9]*\\);.*/\\1/p' | head -n 1)";
    context.script("agent", &format!("{id}\nexec cat \"answers/$id.json\"\n"));
    context.write("skills/v1/SKILL.md", "---\nname: v1\ndescription: d\n---\nText.\n");
    let mut samples = Vec::new();
    for (at, answer) in answers.iter().enumerate() {
        let id = format!("s{:02}", at + 1);
        if let Some(answer) = answer {
            context.write(&format!("answers/{id}.json"), &answer.to_string());
        }
        let check = json!([{"type": "contains", "not": true, "value": "zzz"}]);
        samples.push(json!({"sample_id": id, "prompt": format!("case {id}; where is it?"), "assertions": check}));
    }
    context.write("eval-samples.json", &Value::from(samples).to_string());
    context
}

fn eval(context: &TestContext) -> (Finished, Value) {
    let fixed = ["eval", "--executor", "./agent", "--control", "v1", "--no-cache", "--no-judge", "--details"];
    let run = context.run(&[&fixed[..], &["--retry", "0", "--report-only"]].concat());
    let gap = valid(context.report())["analysis"]["gap"]["v1"].clone();
    (run, gap)
}

fn rates(gap: &Value) -> [f64; 2] {
    ["gapRate", "weightedGapRate"].map(|name| (gap[name].as_f64().unwrap() * 1e6).round() / 1e6)
}

/// 5 of 12 samples have a signal: many signals of one sample count once, the same thing that two samples miss counts twice, and a
/// sample whose execution failed isn't counted.
#[test]
fn gap_rate_is_the_share_of_executed_samples_with_a_signal() {
    let mut answers = vec![
        looked_for(&["revenue_schema"], "I'm not sure which table holds it."),
        looked_for(&["alpha", "beta", "gamma", "delta"], "None."),
        looked_for(&[], "[inferred] It is in the table."),
        looked_for(&["revenue_schema"], "None."),
        looked_for(&["customers"], "None."),
    ];
    answers.resize(12, looked_for(&[], "It is 42."));
    let all = |answers: &[Value]| answers.iter().cloned().map(Some).chain([None]).collect::<Vec<_>>();
    let context = project(&all(&answers));
    let (run, gap) = eval(&context);
    // Of each sample the strongest signal counts: four times 1, once 0.5.
    assert_eq!(rates(&gap), [0.416_667, 0.375], "{gap:#}");
    assert_eq!((&gap["samples"], &gap["withoutTrace"]), (&json!(12), &json!(1)));
    let kinds = |name: &str| gap["kinds"][name]["samples"].clone();
    let counted = ["failed_search", "repeated_failure", "explicit_marker", "hedging"].map(kinds);
    assert_eq!(counted, [json!(4), json!(1), json!(1), json!(1)], "the classification by source");
    assert!(said(&run).contains("gap rate 41.7 %") && !said(&run).contains("only say"), "{}", run.stdout);
    // Three of five only say it: the rates are 12.5 percentage points apart.
    answers[3] = looked_for(&[], "[unknown] owner.");
    answers[4] = looked_for(&[], "I'm not sure who owns it.");
    let (run, gap) = eval(&project(&all(&answers)));
    assert_eq!(rates(&gap), [0.416_667, 0.291_667], "{gap:#}");
    assert!(said(&run).contains("rest on what agents only say"), "{}", run.stdout);
}
