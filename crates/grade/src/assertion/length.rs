//! `min_length`, `max_length`: the length of the output as it is, in Unicode scalar values.

use eval_spec::types::{Shape, TypeSpec};
use eval_spec::{Layer, msg};

use super::{AssertionType, Compiled};
use crate::fields::{required, whole};
use crate::finding::Finding;

pub(crate) const MIN_LENGTH: AssertionType = AssertionType {
    spec: TypeSpec {
        name: "min_length",
        layer: Layer::Behavior,
        summary: "grade-type-min-length",
        fields: &[required("value", Shape::WholeNumber(0))],
        judged: false,
        validate: |assertion| whole(assertion, "value").map(drop),
    },
    compile: |assertion, _| {
        let limit = whole(assertion, "value")?;
        Ok(Compiled::quick(move |answer| {
            let length = answer.chars();
            let statement = msg!("grade-length-min", actual = length, limit = limit);
            Finding::new(length as u64 >= limit, length, statement)
        }))
    },
};

pub(crate) const MAX_LENGTH: AssertionType = AssertionType {
    spec: TypeSpec { name: "max_length", summary: "grade-type-max-length", ..MIN_LENGTH.spec },
    compile: |assertion, _| {
        let limit = whole(assertion, "value")?;
        Ok(Compiled::quick(move |answer| {
            let length = answer.chars();
            let statement = msg!("grade-length-max", actual = length, limit = limit);
            Finding::new(length as u64 <= limit, length, statement)
        }))
    },
};
