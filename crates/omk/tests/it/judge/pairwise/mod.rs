//! Judges that compare two answers instead of scoring each.

mod preferences;
mod weak_judges;

use serde_json::{Value, json};
use testkit::{FakeApi, FakeReply, ReplyScript, Request};

use crate::fixtures::context::{Finished, TestContext};

const PAIRWISE: &[&str] = &["--judge-mode", "pairwise"];

/// What a judge is shown.
struct Shown {
    model: String,
    id: String,
    system: String,
    prompt: String,
    a: String,
    b: String,
}

impl Shown {
    fn of(request: &Request) -> Shown {
        let prompt = request.prompt();
        let id = prompt.split("<<<").nth(1).unwrap()[..12].to_owned();
        let shown = |title: &str| {
            let after = prompt.split(&format!("# {title}\n<<<{id}\n")).nth(1).unwrap_or_default();
            after.split(&format!("\n{id}>>>")).next().unwrap().trim().to_owned()
        };
        let system = request.body["messages"][0]["content"].as_str().unwrap_or_default().to_owned();
        let model = request.body["model"].as_str().unwrap_or_default().to_owned();
        Shown { a: shown("Answer A"), b: shown("Answer B"), model, system, id, prompt }
    }

    fn says(&self, winner: &str) -> FakeReply {
        FakeReply::text(json!({"id": self.id, "reasoning": "one by one", "winner": winner}).to_string())
    }

    /// The reply of a judge that prefers the answer containing `better`.
    fn prefers(&self, better: &str) -> FakeReply {
        match (self.a.starts_with(better), self.b.starts_with(better)) {
            (true, false) => self.says("A"),
            (false, true) => self.says("B"),
            _ => self.says("tie"),
        }
    }
}

/// A project of `n` samples with a rubric, and a judge that replies by `judge`.
fn project(n: usize, judge: impl Fn(&Shown) -> FakeReply + Send + Sync + 'static) -> (TestContext, FakeApi) {
    let mut context = TestContext::with_agent();
    let samples: Vec<Value> = (1..=n).map(sample).collect();
    context.write("eval-samples.json", &json!(samples).to_string());
    let api = FakeApi::start(ReplyScript::with(move |request| judge(&Shown::of(request))));
    context.env("OPENAI_API_KEY", "sk-test");
    context.env("OPENAI_BASE_URL", &format!("{}/v1", api.url));
    (context, api)
}

fn sample(i: usize) -> Value {
    json!({"sample_id": format!("s{i:03}"), "prompt": format!("question {i}"), "rubric": "is it good?"})
}

const JUDGE: &[&str] = &[
    "eval",
    "--control",
    "v1",
    "--treatment",
    "v2",
    "--executor",
    "./agent",
    "--judge-executor",
    "openai-api",
    "--judge-model",
    "judge-1",
    "--concurrency",
    "8",
    "--retry",
    "0",
];

fn eval(context: &TestContext, flags: &[&str]) -> Finished {
    context.run(&[JUDGE, flags].concat())
}

fn tier(report: &Value) -> &str {
    report["verdict"]["tier"].as_str().unwrap()
}

fn reasons(report: &Value) -> Vec<&str> {
    let of = |notes: &'static str, from: &'_ Value| -> Vec<String> {
        let notes = from[notes].as_array().cloned().unwrap_or_default();
        notes.iter().map(|note| note["messageKey"]["id"].as_str().unwrap().to_owned()).collect()
    };
    let mut all = of("reasons", &report["verdict"]);
    all.extend(of("reasons", &report["verdict"]["perTreatment"][0]));
    all.into_iter().map(|id| &*id.leak()).collect()
}
