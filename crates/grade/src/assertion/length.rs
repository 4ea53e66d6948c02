//! `min_length`, `max_length`: the length of the output as it is, in Unicode scalar values.

use eval_message::{Message, msg};

use super::limit::{Limit, compile, spec};
use crate::answer::GradedAnswer;
use crate::assertion::kind::AssertionType;

pub(crate) const MIN_LENGTH: AssertionType = AssertionType {
    spec: spec("min_length", eval_message::key!("grade-type-min-length")),
    compile: |assertion, _| {
        let statement = |actual, limit| msg!("grade-length-min", actual = actual, limit = limit);
        Ok(compile(assertion, Limit::Min, length, statement)?)
    },
};

pub(crate) const MAX_LENGTH: AssertionType = AssertionType {
    spec: spec("max_length", eval_message::key!("grade-type-max-length")),
    compile: |assertion, _| {
        let statement = |actual, limit| msg!("grade-length-max", actual = actual, limit = limit);
        Ok(compile(assertion, Limit::Max, length, statement)?)
    },
};

fn length(answer: &GradedAnswer<'_>) -> Result<u64, Message> {
    Ok(answer.chars() as u64)
}
