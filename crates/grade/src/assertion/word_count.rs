//! `word_count_min`, `word_count_max`: the number of Unicode words, each Han or Kana character being one.

use eval_message::{Message, msg};

use super::limit::{Limit, compile, spec};
use crate::answer::GradedAnswer;
use crate::assertion::kind::AssertionType;

pub(crate) const WORD_COUNT_MIN: AssertionType = AssertionType {
    spec: spec("word_count_min", eval_message::key!("grade-type-word-count-min")),
    compile: |assertion, _| {
        let statement = |actual, limit| msg!("grade-words-min", actual = actual, limit = limit);
        Ok(compile(assertion, Limit::Min, words, statement)?)
    },
};

pub(crate) const WORD_COUNT_MAX: AssertionType = AssertionType {
    spec: spec("word_count_max", eval_message::key!("grade-type-word-count-max")),
    compile: |assertion, _| {
        let statement = |actual, limit| msg!("grade-words-max", actual = actual, limit = limit);
        Ok(compile(assertion, Limit::Max, words, statement)?)
    },
};

fn words(answer: &GradedAnswer<'_>) -> Result<u64, Message> {
    Ok(answer.words() as u64)
}
