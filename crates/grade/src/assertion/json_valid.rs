//! `json_valid`: the whole output is JSON; with `extract: fenced`, its one fenced JSON block is.

use eval_message::{Message, msg};
use eval_spec::types::{FieldProblem, FieldShape, FieldSpec, TypeSpec};
use eval_spec::{Assertion, Layer};
use serde_json::json;

use crate::answer::GradedAnswer;
use crate::assertion::kind::{AssertionType, Compiled};
use crate::excerpt::{EVIDENCE, excerpt};
use crate::fenced::{NoBlock, json_block};
use crate::fields::{optional, optional_text, problem};
use crate::finding::CheckFinding;
use crate::json;

/// Which part of the output is read.
pub(crate) const EXTRACT: FieldSpec = optional("extract", FieldShape::OneOf(&["fenced"]));

pub(crate) const JSON_VALID: AssertionType = AssertionType {
    spec: TypeSpec {
        name: "json_valid",
        layer: Layer::Fact,
        summary: eval_message::key!("grade-type-json-valid"),
        fields: &[EXTRACT],
        judged: false,
        validate: |assertion| is_fenced(assertion).map(drop),
    },
    compile: |assertion, _| {
        let fenced = is_fenced(assertion)?;
        Ok(Compiled::quick(move |answer| check(answer, fenced)))
    },
};

/// Whether `extract: fenced` is written.
pub(crate) fn is_fenced(assertion: &Assertion) -> Result<bool, FieldProblem> {
    match optional_text(assertion, "extract")? {
        None => Ok(false),
        Some("fenced") => Ok(true),
        Some(_) => Err(problem("extract", msg!("grade-json-extract"))),
    }
}

/// A text that is no JSON.
pub(crate) fn invalid(error: &str, hint: bool) -> CheckFinding {
    let error = excerpt(error, EVIDENCE);
    let statement = match hint {
        true => msg!("grade-json-invalid-but-fenced", error = &error),
        false => msg!("grade-json-invalid", error = &error),
    };
    CheckFinding::new(false, json!({ "valid": false, "error": error }), statement)
}

/// An output without exactly one fenced JSON block.
pub(crate) fn no_block(none: &NoBlock) -> CheckFinding {
    let (blocks, statement): (usize, Message) = match none {
        NoBlock::None => (0, msg!("grade-json-no-block")),
        NoBlock::Several(count) => (*count, msg!("grade-json-blocks", count = *count)),
    };
    CheckFinding::new(false, json!({ "valid": false, "blocks": blocks }), statement)
}

fn check(answer: &GradedAnswer<'_>, fenced: bool) -> CheckFinding {
    let text = match fenced.then(|| json_block(answer.text())) {
        None => answer.text(),
        Some(Ok(block)) => block,
        Some(Err(none)) => return no_block(&none),
    };
    let block_passes = || !fenced && json_block(answer.text()).is_ok_and(|block| json::check(block).is_ok());
    match json::check(text) {
        Ok(()) => CheckFinding::new(true, json!({ "valid": true }), msg!("grade-json-is-valid")),
        Err(error) => invalid(&error, block_passes()),
    }
}
