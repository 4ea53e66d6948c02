//! Limits on what was measured, the limit itself being allowed: `min_length` and `max_length` (Unicode scalar values),
//! `word_count_*` (Unicode words, each Han or Kana character being one), `turns_*` (model turns of the main thread),
//! `tools_count_*` (tool calls, sub-agents' included), `cost_max` (US dollars) and `latency_max` (milliseconds, queueing
//! excluded). A quantity that is unknown leaves the check unscored.

use eval_message::{Message, MessageKey, key, msg};
use eval_spec::types::{FieldShape, TypeSpec};
use eval_spec::{Assertion, Layer};

use crate::answer::GradedAnswer;
use crate::assertion::kind::{AssertionRefusal, AssertionType, Compiled};
use crate::fields::{number, required, whole};
use crate::finding::CheckFinding;
use crate::tokens::word_count;

pub(crate) const MIN_LENGTH: AssertionType = AssertionType {
    spec: count_limit("min_length", key!("grade-type-min-length")),
    compile: |assertion, _| {
        at_least(assertion, length, |actual, limit| msg!("grade-length-min", actual = actual, limit = limit))
    },
};

pub(crate) const MAX_LENGTH: AssertionType = AssertionType {
    spec: count_limit("max_length", key!("grade-type-max-length")),
    compile: |assertion, _| {
        at_most(assertion, length, |actual, limit| msg!("grade-length-max", actual = actual, limit = limit))
    },
};

pub(crate) const WORD_COUNT_MIN: AssertionType = AssertionType {
    spec: count_limit("word_count_min", key!("grade-type-word-count-min")),
    compile: |assertion, _| {
        at_least(assertion, words, |actual, limit| msg!("grade-words-min", actual = actual, limit = limit))
    },
};

pub(crate) const WORD_COUNT_MAX: AssertionType = AssertionType {
    spec: count_limit("word_count_max", key!("grade-type-word-count-max")),
    compile: |assertion, _| {
        at_most(assertion, words, |actual, limit| msg!("grade-words-max", actual = actual, limit = limit))
    },
};

pub(crate) const TURNS_MIN: AssertionType = AssertionType {
    spec: count_limit("turns_min", key!("grade-type-turns-min")),
    compile: |assertion, _| {
        at_least(assertion, turns, |actual, limit| msg!("grade-turns-min", actual = actual, limit = limit))
    },
};

pub(crate) const TURNS_MAX: AssertionType = AssertionType {
    spec: count_limit("turns_max", key!("grade-type-turns-max")),
    compile: |assertion, _| {
        at_most(assertion, turns, |actual, limit| msg!("grade-turns-max", actual = actual, limit = limit))
    },
};

pub(crate) const TOOLS_COUNT_MIN: AssertionType = AssertionType {
    spec: count_limit("tools_count_min", key!("grade-type-tools-count-min")),
    compile: |assertion, _| {
        at_least(assertion, tool_calls, |actual, limit| msg!("grade-calls-min", actual = actual, limit = limit))
    },
};

pub(crate) const TOOLS_COUNT_MAX: AssertionType = AssertionType {
    spec: count_limit("tools_count_max", key!("grade-type-tools-count-max")),
    compile: |assertion, _| {
        at_most(assertion, tool_calls, |actual, limit| msg!("grade-calls-max", actual = actual, limit = limit))
    },
};

pub(crate) const COST_MAX: AssertionType = AssertionType {
    spec: TypeSpec {
        name: "cost_max",
        summary: key!("grade-type-cost-max"),
        fields: &[required("value", FieldShape::Number(0.0, f64::MAX))],
        validate: |assertion| number(assertion, "value").map(drop),
        ..MIN_LENGTH.spec
    },
    compile: |assertion, _| {
        let limit = number(assertion, "value")?;
        Ok(Compiled::quick(move |answer| match answer.output.cost.map(|cost| cost.usd.0) {
            Some(cost) if cost.is_finite() => {
                CheckFinding::new(cost <= limit, cost, msg!("grade-cost", actual = cost, limit = limit))
            }
            _ => CheckFinding::unscored(msg!("grade-cost-unknown")),
        }))
    },
};

pub(crate) const LATENCY_MAX: AssertionType = AssertionType {
    spec: TypeSpec { name: "latency_max", summary: key!("grade-type-latency-max"), ..COST_MAX.spec },
    compile: |assertion, _| {
        let limit = number(assertion, "value")?;
        Ok(Compiled::quick(move |answer| match answer.output.latency_ms {
            #[expect(clippy::cast_precision_loss, reason = "exact for 285,000 years")]
            Some(latency) => CheckFinding::new(
                latency as f64 <= limit,
                latency,
                msg!("grade-latency", actual = latency, limit = limit),
            ),
            None => CheckFinding::unscored(msg!("grade-latency-unknown")),
        }))
    },
};

const fn count_limit(name: &'static str, summary: MessageKey) -> TypeSpec {
    TypeSpec {
        name,
        layer: Layer::Behavior,
        summary,
        fields: const { &[required("value", FieldShape::WholeNumber(0))] },
        judged: false,
        validate: |assertion| whole(assertion, "value").map(drop),
    }
}

/// A count of something in the answer, or why it is unknown.
type Count = fn(&GradedAnswer<'_>) -> Result<u64, Message>;

/// The message for a count and its limit.
type Statement = fn(u64, u64) -> Message;

fn at_least(assertion: &Assertion, count: Count, statement: Statement) -> Result<Compiled, AssertionRefusal> {
    compile(assertion, |count, limit| count >= limit, count, statement)
}

fn at_most(assertion: &Assertion, count: Count, statement: Statement) -> Result<Compiled, AssertionRefusal> {
    compile(assertion, |count, limit| count <= limit, count, statement)
}

fn compile(
    assertion: &Assertion,
    holds: fn(u64, u64) -> bool,
    count: Count,
    statement: Statement,
) -> Result<Compiled, AssertionRefusal> {
    let limit = whole(assertion, "value")?;
    Ok(Compiled::quick(move |answer| match count(answer) {
        Ok(count) => CheckFinding::new(holds(count, limit), count, statement(count, limit)),
        Err(why) => CheckFinding::unscored(why),
    }))
}

fn length(answer: &GradedAnswer<'_>) -> Result<u64, Message> {
    Ok(answer.text().chars().count() as u64)
}

fn words(answer: &GradedAnswer<'_>) -> Result<u64, Message> {
    Ok(word_count(answer.text()) as u64)
}

fn turns(answer: &GradedAnswer<'_>) -> Result<u64, Message> {
    answer.output.trace.turns.map(u64::from).ok_or_else(|| msg!("grade-no-turns"))
}

fn tool_calls(answer: &GradedAnswer<'_>) -> Result<u64, Message> {
    match answer.has_trace() {
        true => Ok(answer.output.trace.tool_calls().count() as u64),
        false => Err(msg!("grade-no-trace")),
    }
}
