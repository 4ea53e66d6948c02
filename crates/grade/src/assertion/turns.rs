//! `turns_min`, `turns_max`: the model turns of the main thread.

use eval_message::{Message, msg};

use super::limit::{Limit, compile, spec};
use crate::answer::GradedAnswer;
use crate::assertion::kind::AssertionType;

pub(crate) const TURNS_MIN: AssertionType = AssertionType {
    spec: spec("turns_min", eval_message::key!("grade-type-turns-min")),
    compile: |assertion, _| {
        let statement = |actual, limit| msg!("grade-turns-min", actual = actual, limit = limit);
        Ok(compile(assertion, Limit::Min, turns, statement)?)
    },
};

pub(crate) const TURNS_MAX: AssertionType = AssertionType {
    spec: spec("turns_max", eval_message::key!("grade-type-turns-max")),
    compile: |assertion, _| {
        let statement = |actual, limit| msg!("grade-turns-max", actual = actual, limit = limit);
        Ok(compile(assertion, Limit::Max, turns, statement)?)
    },
};

fn turns(answer: &GradedAnswer<'_>) -> Result<u64, Message> {
    answer.output.trace.turns.map(u64::from).ok_or_else(|| msg!("grade-no-turns"))
}
