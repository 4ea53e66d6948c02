//! A court: two artifacts, samples with rubrics, and a server that answers for the model and its judges.

use serde_json::{Value, json};
use testkit::{FakeApi, Reply, Request, Script};

use crate::context::{Finished, TestContext};

pub(crate) const JUDGE: &str = "judge-1";

/// Two skills, `n` samples with a rubric each, and a server that answers for model and judge.
pub(crate) struct Court {
    pub(crate) context: TestContext,
    pub(crate) api: FakeApi,
}

/// What the judge is shown and told.
pub(crate) struct Case<'a> {
    pub(crate) request: &'a Request,
    pub(crate) system: String,
    pub(crate) prompt: String,
    pub(crate) id: String,
    pub(crate) answer: String,
}

impl Case<'_> {
    pub(crate) fn of(request: &Request) -> Case<'_> {
        let said = |role: &str| {
            let messages = request.body["messages"].as_array().unwrap();
            let message = messages.iter().find(|message| message["role"] == role).unwrap();
            message["content"].as_str().unwrap().to_owned()
        };
        let (system, prompt) = (said("system"), said("user"));
        let id = prompt.split_once("<<<").unwrap().1.lines().next().unwrap().to_owned();
        let answer = prompt.rsplit_once(&format!("<<<{id}\n")).unwrap().1;
        let answer = answer.split_once(&format!("\n{id}>>>")).unwrap().0.to_owned();
        Case { request, system, prompt, id, answer }
    }

    /// A proper reply.
    pub(crate) fn scores(&self, score: u8) -> Reply {
        Reply::text(json!({"id": self.id, "reasoning": "because", "score": score}).to_string())
    }
}

impl Court {
    /// `answer` is told the artifact's text and the prompt, `judge` each case.
    pub(crate) fn new(
        n: usize,
        answer: impl Fn(&str, &str) -> String + Send + Sync + 'static,
        judge: impl Fn(&Case<'_>) -> Reply + Send + Sync + 'static,
    ) -> Court {
        let mut context = TestContext::new();
        context.write("skills/v1.md", "plain");
        context.write("skills/v2.md", "better");
        let samples: Vec<Value> = (1..=n)
            .map(|i| json!({"sample_id": format!("s{i:03}"), "prompt": format!("question {i}"), "rubric": "names the cause"}))
            .collect();
        context.write("eval-samples.json", &Value::from(samples).to_string());
        let api = FakeApi::start(Script::with(move |request| {
            if request.body["model"].as_str().unwrap().starts_with("judge") {
                return judge(&Case::of(request));
            }
            let messages = &request.body["messages"];
            Reply::text(answer(messages[0]["content"].as_str().unwrap(), messages[1]["content"].as_str().unwrap()))
        }));
        context.env("OPENAI_API_KEY", "sk-judge-0123456789abcdef");
        context.env("OPENAI_BASE_URL", &format!("{}/v1", api.url));
        Court { context, api }
    }

    /// Plain answers, one judge.
    pub(crate) fn judged_by(n: usize, judge: impl Fn(&Case<'_>) -> Reply + Send + Sync + 'static) -> Court {
        Court::new(n, |system, prompt| format!("{system} answer to {prompt}"), judge)
    }

    pub(crate) fn run(&self, flags: &[&str]) -> Finished {
        let base = ["eval", "--variants", "v1,v2", "--executor", "openai-api", "--model", "m", "--retry", "0"];
        self.context.run(&[&base, ["--judge-model", JUDGE].as_slice(), flags].concat())
    }

    pub(crate) fn judge_requests(&self) -> usize {
        let is_judge = |request: &&Request| request.body["model"].as_str().unwrap().starts_with("judge");
        self.api.requests().iter().filter(is_judge).count()
    }

    /// The result of a sample and variant.
    pub(crate) fn result(&self, sample: usize, variant: &str) -> Value {
        self.context.report()["results"][sample]["variants"][variant].clone()
    }
}

pub(crate) fn opinion(result: &Value) -> &Value {
    &result["judged"][0]["opinions"][0]
}
