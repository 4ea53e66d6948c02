//! `word_count_min`, `word_count_max`: the number of Unicode words, each Han or Kana character being one.

use eval_spec::types::{Shape, TypeSpec};
use eval_spec::{Layer, msg};

use super::{AssertionType, Compiled};
use crate::fields::{required, whole};
use crate::finding::Finding;

pub(crate) const WORD_COUNT_MIN: AssertionType = AssertionType {
    spec: TypeSpec {
        name: "word_count_min",
        layer: Layer::Behavior,
        summary: "grade-type-word-count-min",
        fields: &[required("value", Shape::WholeNumber(0))],
        judged: false,
        validate: |assertion| whole(assertion, "value").map(drop),
    },
    compile: |assertion, _| {
        let limit = whole(assertion, "value")?;
        Ok(Compiled::quick(move |answer| {
            let words = answer.words();
            let statement = msg!("grade-words-min", actual = words, limit = limit);
            Finding::new(words as u64 >= limit, words, statement)
        }))
    },
};

pub(crate) const WORD_COUNT_MAX: AssertionType = AssertionType {
    spec: TypeSpec { name: "word_count_max", summary: "grade-type-word-count-max", ..WORD_COUNT_MIN.spec },
    compile: |assertion, _| {
        let limit = whole(assertion, "value")?;
        Ok(Compiled::quick(move |answer| {
            let words = answer.words();
            let statement = msg!("grade-words-max", actual = words, limit = limit);
            Finding::new(words as u64 <= limit, words, statement)
        }))
    },
};
