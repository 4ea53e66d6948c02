//! The types that a judge model scores, 1–5. Known to the loader already; while judging is off they
//! are unscored, and grading refuses to start when it is on.

use eval_spec::types::{FieldProblem, FieldSpec, Shape, TypeSpec};
use eval_spec::{Assertion, Layer, msg};

use super::{AssertionType, Compiled, Refusal, Scope};
use crate::fields::{filled, number, optional, problem, required};
use crate::finding::Finding;

const THRESHOLD: FieldSpec = optional("threshold", Shape::Number(1.0, 5.0));

pub(crate) const SEMANTIC_SIMILARITY: AssertionType = AssertionType {
    spec: TypeSpec {
        name: "semantic_similarity",
        layer: Layer::Fact,
        summary: "grade-type-semantic-similarity",
        fields: &[required("reference", Shape::NonEmptyText), THRESHOLD],
        judged: true,
        validate: |assertion| filled(assertion, "reference").and(threshold(assertion)),
    },
    compile: |assertion, scope| {
        filled(assertion, "reference")?;
        compile(assertion, scope)
    },
};

pub(crate) const FAITHFULNESS: AssertionType = AssertionType {
    spec: TypeSpec {
        name: "faithfulness",
        layer: Layer::Fact,
        summary: "grade-type-faithfulness",
        fields: &[THRESHOLD],
        judged: true,
        validate: threshold,
    },
    compile,
};

pub(crate) const ANSWER_RELEVANCY: AssertionType = AssertionType {
    spec: TypeSpec { name: "answer_relevancy", summary: "grade-type-answer-relevancy", ..FAITHFULNESS.spec },
    compile,
};

pub(crate) const CONTEXT_RECALL: AssertionType = AssertionType {
    spec: TypeSpec {
        name: "context_recall",
        layer: Layer::Fact,
        summary: "grade-type-context-recall",
        fields: &[optional("reference", Shape::NonEmptyText), THRESHOLD],
        judged: true,
        validate: threshold,
    },
    compile,
};

fn compile(assertion: &Assertion, scope: &Scope<'_>) -> Result<Compiled, Refusal> {
    threshold(assertion)?;
    match scope.setup.judging {
        true => Err(problem("type", msg!("grade-judge-absent", kind = &assertion.kind)).into()),
        false => Ok(Compiled::quick(|_| Finding::unscored(msg!("grade-judging-off")))),
    }
}

fn threshold(assertion: &Assertion) -> Result<(), FieldProblem> {
    match assertion.field("threshold") {
        None => Ok(()),
        Some(_) if (1.0..=5.0).contains(&number(assertion, "threshold")?) => Ok(()),
        Some(_) => Err(problem("threshold", msg!("grade-field-not-score"))),
    }
}
