//! The types that judges score, 1–5: they hold from `threshold` on (3 when there is none).

use eval_message::{Message, msg};
use eval_spec::types::{FieldProblem, FieldShape, FieldSpec, TypeSpec};
use eval_spec::{Assertion, HOLDS_FROM, Judged, Layer};
use serde_json::json;

use crate::assertion::kind::{AssertionRefusal, AssertionScope, AssertionType, Compiled};
use crate::fields::{filled, number, optional, optional_text, problem, required};
use crate::finding::CheckFinding;
use crate::judge::Question;

const THRESHOLD: FieldSpec = optional("threshold", FieldShape::Number(1.0, 5.0));
const MODE: FieldSpec = optional("mode", FieldShape::OneOf(&["score", "claims"]));

pub(crate) const SEMANTIC_SIMILARITY: AssertionType = AssertionType {
    spec: TypeSpec {
        name: "semantic_similarity",
        layer: Layer::Fact,
        summary: eval_message::key!("grade-type-semantic-similarity"),
        fields: &[required("reference", FieldShape::NonEmptyText), THRESHOLD],
        judged: true,
        validate: |assertion| filled(assertion, "reference").and(threshold(assertion).map(drop)),
    },
    compile: |assertion, scope| {
        let reference = filled(assertion, "reference")?;
        compile(assertion, scope, Question::similarity(scope.sample, reference))
    },
};

pub(crate) const FAITHFULNESS: AssertionType = AssertionType {
    spec: TypeSpec {
        name: "faithfulness",
        layer: Layer::Fact,
        summary: eval_message::key!("grade-type-faithfulness"),
        fields: &[THRESHOLD, MODE],
        judged: true,
        validate: |assertion| threshold(assertion).and(by_claims(assertion)).map(drop),
    },
    compile: |assertion, scope| {
        let context = scope.sample.sent_context();
        let context = needed(context, scope, || msg!("grade-needs-context"))?;
        compile(assertion, scope, Question::faithfulness(scope.sample, context, by_claims(assertion)?))
    },
};

pub(crate) const ANSWER_RELEVANCY: AssertionType = AssertionType {
    spec: TypeSpec {
        name: "answer_relevancy",
        layer: Layer::Fact,
        summary: eval_message::key!("grade-type-answer-relevancy"),
        fields: &[THRESHOLD],
        judged: true,
        validate: |assertion| threshold(assertion).map(drop),
    },
    compile: |assertion, scope| compile(assertion, scope, Question::relevancy(scope.sample)),
};

pub(crate) const CONTEXT_RECALL: AssertionType = AssertionType {
    spec: TypeSpec {
        name: "context_recall",
        layer: Layer::Fact,
        summary: eval_message::key!("grade-type-context-recall"),
        fields: &[optional("reference", FieldShape::NonEmptyText), THRESHOLD, MODE],
        judged: true,
        validate: |assertion| threshold(assertion).and(by_claims(assertion)).map(drop),
    },
    compile: |assertion, scope| {
        let facts = optional_text(assertion, "reference")?.or(scope.sample.sent_context());
        let facts = needed(facts, scope, || msg!("grade-needs-facts"))?;
        compile(assertion, scope, Question::recall(scope.sample, facts, by_claims(assertion)?))
    },
};

pub(crate) const EXPECTATION: AssertionType = AssertionType {
    spec: TypeSpec {
        name: eval_spec::sample::EXPECTATION,
        layer: Layer::Fact,
        summary: eval_message::key!("grade-type-expectation"),
        fields: &[required("value", FieldShape::NonEmptyText)],
        judged: true,
        validate: |assertion| filled(assertion, "value").map(drop),
    },
    compile: |assertion, scope| {
        let statement = filled(assertion, "value")?;
        compile(assertion, scope, Question::expectation(scope.sample, statement))
    },
};

/// A text that judges need; it may be missing while judging is off.
fn needed<'a>(
    text: Option<&'a str>,
    scope: &AssertionScope<'_>,
    why: fn() -> Message,
) -> Result<&'a str, FieldProblem> {
    match text {
        None if scope.setup.judging => Err(problem("type", why())),
        text => Ok(text.unwrap_or_default()),
    }
}

fn compile(
    assertion: &Assertion,
    scope: &AssertionScope<'_>,
    question: Question,
) -> Result<Compiled, AssertionRefusal> {
    let threshold = threshold(assertion)?;
    if !scope.setup.judging {
        return Ok(Compiled::quick(|_| CheckFinding::unscored(msg!("grade-judging-off"))));
    }
    let (at, is_first) = scope.ask(question);
    Ok(Compiled::quick(move |answer| {
        let Some(judged) = answer.judged(at) else { return CheckFinding::unscored(msg!("grade-judging-off")) };
        let finding = match (judged.score, judged.why()) {
            (Some(score), _) => {
                let statement = msg!("grade-judged", score = format!("{score:.2}"), threshold = threshold);
                CheckFinding::new(score >= threshold, json!(score), statement)
            }
            (None, Some(why)) => CheckFinding::unscored(why.clone()),
            (None, None) => CheckFinding::unscored(msg!("grade-judging-off")),
        };
        // The opinions are stored at the first assertion that asked: stored at others too they would count, and cost, several times.
        let opinions = if is_first { judged.opinions.clone() } else { Vec::new() };
        finding.judged_by(Judged { opinions, dimension: judged.dimension.clone(), ..*judged })
    }))
}

fn threshold(assertion: &Assertion) -> Result<f64, FieldProblem> {
    match assertion.field("threshold") {
        None => Ok(HOLDS_FROM),
        Some(_) => match number(assertion, "threshold")? {
            threshold if (1.0..=5.0).contains(&threshold) => Ok(threshold),
            _ => Err(problem("threshold", msg!("grade-field-not-score"))),
        },
    }
}

fn by_claims(assertion: &Assertion) -> Result<bool, FieldProblem> {
    match optional_text(assertion, "mode")? {
        None | Some("score") => Ok(false),
        Some("claims") => Ok(true),
        Some(_) => Err(problem("mode", msg!("grade-judged-mode"))),
    }
}
