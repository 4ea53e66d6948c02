//! `turns_min`, `turns_max`: the model turns of the main thread.

use eval_spec::types::{FieldProblem, Shape, TypeSpec};
use eval_spec::{Assertion, Layer, Message, msg};

use super::{AssertionType, Compiled};
use crate::fields::{required, whole};
use crate::finding::Finding;

pub(crate) const TURNS_MIN: AssertionType = AssertionType {
    spec: TypeSpec {
        name: "turns_min",
        layer: Layer::Behavior,
        summary: "grade-type-turns-min",
        fields: &[required("value", Shape::WholeNumber(0))],
        judged: false,
        validate: |assertion| whole(assertion, "value").map(drop),
    },
    compile: |assertion, _| {
        let statement = |turns, limit| msg!("grade-turns-min", actual = turns, limit = limit);
        Ok(compile(assertion, |turns, limit| turns >= limit, statement)?)
    },
};

pub(crate) const TURNS_MAX: AssertionType = AssertionType {
    spec: TypeSpec { name: "turns_max", summary: "grade-type-turns-max", ..TURNS_MIN.spec },
    compile: |assertion, _| {
        let statement = |turns, limit| msg!("grade-turns-max", actual = turns, limit = limit);
        Ok(compile(assertion, |turns, limit| turns <= limit, statement)?)
    },
};

fn compile(
    assertion: &Assertion,
    holds: fn(u64, u64) -> bool,
    statement: fn(u64, u64) -> Message,
) -> Result<Compiled, FieldProblem> {
    let limit = whole(assertion, "value")?;
    Ok(Compiled::quick(move |answer| match answer.output.trace.turns.map(u64::from) {
        Some(turns) => Finding::new(holds(turns, limit), turns, statement(turns, limit)),
        None => Finding::unscored(msg!("grade-no-turns")),
    }))
}
