//! `tools_count_min`, `tools_count_max`: how many tool calls the agent made, sub-agents' included.

use eval_message::{Message, msg};

use super::limit::{Limit, compile, spec};
use crate::answer::GradedAnswer;
use crate::assertion::kind::AssertionType;

pub(crate) const TOOLS_COUNT_MIN: AssertionType = AssertionType {
    spec: spec("tools_count_min", eval_message::key!("grade-type-tools-count-min")),
    compile: |assertion, _| {
        let statement = |actual, limit| msg!("grade-calls-min", actual = actual, limit = limit);
        Ok(compile(assertion, Limit::Min, calls, statement)?)
    },
};

pub(crate) const TOOLS_COUNT_MAX: AssertionType = AssertionType {
    spec: spec("tools_count_max", eval_message::key!("grade-type-tools-count-max")),
    compile: |assertion, _| {
        let statement = |actual, limit| msg!("grade-calls-max", actual = actual, limit = limit);
        Ok(compile(assertion, Limit::Max, calls, statement)?)
    },
};

fn calls(answer: &GradedAnswer<'_>) -> Result<u64, Message> {
    match answer.has_trace() {
        true => Ok(answer.output.trace.tool_calls().count() as u64),
        false => Err(msg!("grade-no-trace")),
    }
}
