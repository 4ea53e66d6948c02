//! Judges: what they are asked, and how their replies are read.

mod hedging;
mod pair_templates;
mod pairwise;
mod panel;
mod questions;
mod replies;
mod templates;

use std::collections::BTreeMap;
use std::time::Duration;

use eval_grade::internals::{JudgeRequest, Question};
use eval_spec::call::Generation;
use eval_spec::{Call, CellKey, Sample};

pub(crate) const ID: &str = "0123456789ab";

pub(crate) fn call(request: JudgeRequest) -> Call {
    Call {
        key: CellKey { sample: "s".into(), subject: "v".into(), repeat: 0 },
        model: "m".to_owned(),
        effort: None,
        system: Some(request.system.into()),
        prompt: request.prompt.into(),
        cwd: None,
        cwd_fingerprint: None,
        surroundings: None,
        generation: Generation::default(),
        allowed_tools: None,
        timeout: Duration::ZERO,
    }
}

fn sample(prompt: &str, context: &str) -> Sample {
    Sample { id: "s".to_owned(), prompt: prompt.to_owned(), context: Some(context.to_owned()), ..Sample::default() }
}

/// Every kind of question, by name, in both languages.
pub(crate) fn questions() -> BTreeMap<String, Question> {
    let of = |lang: &'static str, sample: &Sample, beside: &str| {
        let context = sample.context.clone().unwrap_or_default();
        [
            ("rubric", Question::rubric(sample, None, beside)),
            ("dimension", Question::rubric(sample, Some("tone"), beside)),
            ("similarity", Question::similarity(sample, beside)),
            ("faithfulness", Question::faithfulness(sample, &context, false)),
            ("faithfulness-claims", Question::faithfulness(sample, &context, true)),
            ("relevancy", Question::relevancy(sample)),
            ("recall", Question::recall(sample, beside, false)),
            ("recall-claims", Question::recall(sample, beside, true)),
            ("expectation", Question::expectation(sample, beside)),
        ]
        .map(|(name, question)| (format!("{name} {lang}"), question))
    };
    let english = of("en", &sample("the task", "the context"), "what stands beside it");
    let chinese = of("zh", &sample("任务在此", "上下文在此"), "旁边的文字");
    english.into_iter().chain(chinese).collect()
}
