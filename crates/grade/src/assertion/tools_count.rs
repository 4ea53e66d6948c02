//! `tools_count_min`, `tools_count_max`: how many tool calls the agent made, sub-agents' included.

use eval_spec::types::{FieldProblem, Shape, TypeSpec};
use eval_spec::{Assertion, Layer, Message, msg};

use super::{AssertionType, Compiled};
use crate::fields::{required, whole};
use crate::finding::Finding;

pub(crate) const TOOLS_COUNT_MIN: AssertionType = AssertionType {
    spec: TypeSpec {
        name: "tools_count_min",
        layer: Layer::Behavior,
        summary: "grade-type-tools-count-min",
        fields: &[required("value", Shape::WholeNumber(0))],
        judged: false,
        validate: |assertion| whole(assertion, "value").map(drop),
    },
    compile: |assertion, _| {
        let statement = |calls, limit| msg!("grade-calls-min", actual = calls, limit = limit);
        Ok(compile(assertion, |calls, limit| calls >= limit, statement)?)
    },
};

pub(crate) const TOOLS_COUNT_MAX: AssertionType = AssertionType {
    spec: TypeSpec { name: "tools_count_max", summary: "grade-type-tools-count-max", ..TOOLS_COUNT_MIN.spec },
    compile: |assertion, _| {
        let statement = |calls, limit| msg!("grade-calls-max", actual = calls, limit = limit);
        Ok(compile(assertion, |calls, limit| calls <= limit, statement)?)
    },
};

fn compile(
    assertion: &Assertion,
    holds: fn(u64, u64) -> bool,
    statement: fn(u64, u64) -> Message,
) -> Result<Compiled, FieldProblem> {
    let limit = whole(assertion, "value")?;
    Ok(Compiled::quick(move |answer| {
        if !answer.has_trace() {
            return Finding::unscored(msg!("grade-no-trace"));
        }
        let calls = answer.output.trace.tool_calls().count() as u64;
        Finding::new(holds(calls, limit), calls, statement(calls, limit))
    }))
}
