//! What `…_min` and `…_max` have in common: a count taken from the answer, against a whole number.

use eval_message::Message;
use eval_spec::types::{FieldProblem, FieldShape, FieldSpec, TypeSpec};
use eval_spec::{Assertion, Layer};

use crate::answer::GradedAnswer;
use crate::assertion::kind::Compiled;
use crate::fields::{required, whole};
use crate::finding::CheckFinding;

/// Which side of the limit is allowed; the limit itself always is.
#[derive(Clone, Copy)]
pub(super) enum Limit {
    Min,
    Max,
}

impl Limit {
    fn holds(self, count: u64, limit: u64) -> bool {
        match self {
            Limit::Min => count >= limit,
            Limit::Max => count <= limit,
        }
    }
}

const FIELDS: &[FieldSpec] = &[required("value", FieldShape::WholeNumber(0))];

pub(super) const fn spec(name: &'static str, summary: eval_message::MessageKey) -> TypeSpec {
    TypeSpec {
        name,
        layer: Layer::Behavior,
        summary,
        fields: FIELDS,
        judged: false,
        validate: |assertion| whole(assertion, "value").map(drop),
    }
}

/// `count` says why there is nothing to count; `statement` gets the count and the limit.
pub(super) fn compile(
    assertion: &Assertion,
    side: Limit,
    count: fn(&GradedAnswer<'_>) -> Result<u64, Message>,
    statement: fn(u64, u64) -> Message,
) -> Result<Compiled, FieldProblem> {
    let limit = whole(assertion, "value")?;
    Ok(Compiled::quick(move |answer| match count(answer) {
        Ok(count) => CheckFinding::new(side.holds(count, limit), count, statement(count, limit)),
        Err(why) => CheckFinding::unscored(why),
    }))
}
