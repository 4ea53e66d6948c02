//! `contains`, `not_contains`: the output contains a text, ignoring case.

use eval_message::msg;
use eval_spec::types::{FieldShape, TypeSpec};
use eval_spec::{Assertion, Layer};
use serde_json::json;

use crate::answer::GradedAnswer;
use crate::assertion::kind::{AssertionType, Compiled};
use crate::excerpt::{EVIDENCE, INLINE, excerpt};
use crate::fields::{filled, required};
use crate::finding::CheckFinding;
use crate::fold::Needle;

pub(crate) const CONTAINS: AssertionType = AssertionType {
    spec: TypeSpec {
        name: "contains",
        layer: Layer::Fact,
        summary: eval_message::key!("grade-type-contains"),
        fields: &[required("value", FieldShape::NonEmptyText)],
        judged: false,
        validate: |assertion| filled(assertion, "value").map(drop),
    },
    compile: |assertion, _| Ok(compile(assertion, true)?),
};

pub(crate) const NOT_CONTAINS: AssertionType = AssertionType {
    spec: TypeSpec { name: "not_contains", summary: eval_message::key!("grade-type-not-contains"), ..CONTAINS.spec },
    compile: |assertion, _| Ok(compile(assertion, false)?),
};

fn compile(assertion: &Assertion, wanted: bool) -> Result<Compiled, eval_spec::types::FieldProblem> {
    let needle = Needle::new(filled(assertion, "value")?);
    Ok(Compiled::quick(move |answer| check(&needle, wanted, answer)))
}

fn check(needle: &Needle, wanted: bool, answer: &GradedAnswer<'_>) -> CheckFinding {
    let value = excerpt(&needle.written, INLINE);
    match answer.folded().find(needle) {
        Some(spot) => CheckFinding::new(
            wanted,
            json!({ "found": true, "at": spot.at, "text": excerpt(spot.text, EVIDENCE) }),
            msg!("grade-found", value = value, at = spot.at),
        ),
        None => CheckFinding::new(!wanted, json!({ "found": false }), msg!("grade-absent", value = value)),
    }
}
