//! `mock_hit`: `Bash:2` is the second of the sample's mocks whose tool is `Bash`; it answered at least
//! `threshold` (default 1) tool calls.

use eval_message::msg;
use eval_spec::types::{FieldProblem, FieldShape, TypeSpec};
use eval_spec::{Assertion, Layer, Sample};

use crate::assertion::kind::{AssertionType, Compiled};
use crate::excerpt::{INLINE, excerpt};
use crate::fields::{count_or, filled, optional, problem, required};
use crate::finding::CheckFinding;

pub(crate) const MOCK_HIT: AssertionType = AssertionType {
    spec: TypeSpec {
        name: "mock_hit",
        layer: Layer::Behavior,
        summary: eval_message::key!("grade-type-mock-hit"),
        fields: &[required("value", FieldShape::NonEmptyText), optional("threshold", FieldShape::WholeNumber(1))],
        judged: false,
        validate: |assertion| name(assertion).and(count_or(assertion, "threshold", 1)).map(drop),
    },
    compile: |assertion, scope| {
        let mock = index(assertion, scope.sample)?;
        let threshold = count_or(assertion, "threshold", 1)?;
        let value = excerpt(filled(assertion, "value")?, INLINE);
        let executor_mocks = scope.setup.mocks;
        Ok(Compiled::quick(move |answer| {
            let hits: Vec<usize> = answer.output.trace.tool_calls().filter_map(|call| call.mock).collect();
            // Zero hits mean something only where mocks were in force.
            let in_force = executor_mocks || !hits.is_empty();
            if !answer.has_trace() || !in_force {
                return CheckFinding::unscored(msg!("grade-no-mocks"));
            }
            let hits = hits.into_iter().filter(|hit| *hit == mock).count() as u64;
            let statement = msg!("grade-mock-hits", value = &value, actual = hits, limit = threshold);
            CheckFinding::new(hits >= threshold, hits, statement)
        }))
    },
};

fn name(assertion: &Assertion) -> Result<(&str, usize), FieldProblem> {
    filled(assertion, "value")?
        .rsplit_once(':')
        .and_then(|(tool, number)| Some((tool, number.parse().ok()?)))
        .filter(|(tool, number)| !tool.is_empty() && *number > 0)
        .ok_or_else(|| problem("value", msg!("grade-mock-name")))
}

fn index(assertion: &Assertion, sample: &Sample) -> Result<usize, FieldProblem> {
    let (tool, number) = name(assertion)?;
    let mocks = sample.mocks.iter().enumerate().filter(|(_, mock)| mock.tool == tool);
    let count = mocks.clone().count();
    mocks.map(|(index, _)| index).nth(number - 1).ok_or_else(|| {
        problem("value", msg!("grade-mock-absent", tool = excerpt(tool, INLINE), number = number, count = count))
    })
}
