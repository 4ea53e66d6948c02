//! `llm_judge`: a model's opinion, asked for as omk asks its judges: the whole output between marks that it can't
//! contain, the request's id in the reply, one JSON object and nothing else, asked again when it isn't. Its 1–5 is 0–1
//! here; 0.5 passes. Any failure leaves the task unscored.

use eval_message::{Message, msg};
use eval_spec::callable::Task;
use eval_spec::{Cell, Judged};
use serde_json::Value;

use crate::excerpt::{EVIDENCE, excerpt};
use crate::finding::CheckFinding;
use crate::judge::{Panel, Question};
use crate::scorer::scored::{CompiledScorer, How, PASSING, ScorerScope};

/// The longest output that is sent, in bytes: longer ones exceed the context of models, and cost money.
const LONGEST: usize = 256 << 10;

pub(super) fn compile(rubric: &str, task: &Task, scope: &ScorerScope<'_>) -> Result<CompiledScorer, Message> {
    if scope.setup.judge.is_none() {
        return Err(msg!("skills-grade-no-judge"));
    }
    if rubric.trim().is_empty() {
        return Err(msg!("skills-grade-no-rubric"));
    }
    Ok(CompiledScorer { how: How::Judge(Question::task_rubric(&task_text(task), rubric)), slow: false })
}

/// The task as the judge reads it.
fn task_text(task: &Task) -> String {
    let input = serde_json::to_string_pretty(&task.input).unwrap_or_default();
    match task.description.trim() {
        "" => input,
        description => format!("{description}\n\n{input}"),
    }
}

/// The judge's opinion on an output, given as JSON; `None` when it isn't asked.
pub(super) async fn ask(panel: &Panel, question: &Question, cell: &Cell, json: &str) -> Option<Judged> {
    if json.len() > LONGEST {
        return None;
    }
    // A text is shown without its quotes and escapes.
    let shown = match serde_json::from_str(json) {
        Ok(Value::String(text)) => text,
        Ok(_) => json.to_owned(),
        Err(_) => return None,
    };
    panel.ask(std::slice::from_ref(question), &cell.key, &shown).await.pop()
}

/// The finding that an opinion makes.
pub(super) fn finding(judged: Option<Judged>) -> CheckFinding {
    let Some(judged) = judged else {
        return CheckFinding::unscored(msg!("skills-grade-judge-too-long", kib = LONGEST >> 10));
    };
    let finding = match judged.score {
        None => CheckFinding::unscored(judged.why().cloned().unwrap_or_else(|| msg!("grade-reply-empty"))),
        Some(score) => {
            let ratio = (score - 1.0) / 4.0;
            let reasoning = judged.opinions.first().map_or("", |opinion| opinion.reasoning.as_str());
            let reason = msg!("skills-grade-judged", score = score, reasoning = excerpt(reasoning, EVIDENCE));
            CheckFinding::partial(ratio >= PASSING, ratio, reason)
        }
    };
    CheckFinding { judged: Some(Box::new(judged)), ..finding }
}
