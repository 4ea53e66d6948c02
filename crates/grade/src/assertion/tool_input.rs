//! `tool_input_contains`, `tool_input_not_contains`: some, or no, tool call (of `tool`, where it is
//! given) was made with a text in its arguments, in any case. Every string of the arguments is
//! searched, at any depth; names of arguments are not.

use eval_message::msg;
use eval_spec::Layer;
use eval_spec::types::{FieldShape, TypeSpec};
use serde_json::json;

use super::tool_output_contains::{TOOL_OUTPUT_CONTAINS, ToolCallSearch};
use crate::answer::GradedAnswer;
use crate::assertion::kind::{AssertionType, Compiled};
use crate::excerpt::{INLINE, excerpt};
use crate::fields::{optional, required};
use crate::finding::CheckFinding;

pub(crate) const TOOL_INPUT_CONTAINS: AssertionType = AssertionType {
    spec: TypeSpec {
        name: "tool_input_contains",
        layer: Layer::Fact,
        summary: eval_message::key!("grade-type-tool-input-contains"),
        fields: &[required("value", FieldShape::NonEmptyText), optional("tool", FieldShape::NonEmptyText)],
        judged: false,
        validate: TOOL_OUTPUT_CONTAINS.spec.validate,
    },
    compile: |assertion, _| {
        let search = ToolCallSearch::new(assertion)?;
        Ok(Compiled::quick(move |answer| check(&search, true, answer)))
    },
};

pub(crate) const TOOL_INPUT_NOT_CONTAINS: AssertionType = AssertionType {
    spec: TypeSpec {
        name: "tool_input_not_contains",
        summary: eval_message::key!("grade-type-tool-input-not-contains"),
        ..TOOL_INPUT_CONTAINS.spec
    },
    compile: |assertion, _| {
        let search = ToolCallSearch::new(assertion)?;
        Ok(Compiled::quick(move |answer| check(&search, false, answer)))
    },
};

fn check(search: &ToolCallSearch, wanted: bool, answer: &GradedAnswer<'_>) -> CheckFinding {
    if !answer.has_trace() {
        return CheckFinding::unscored(msg!("grade-no-trace"));
    }
    let calls = search.calls(answer);
    let value = excerpt(&search.needle.written, INLINE);
    match calls.iter().find(|(_, view)| view.inputs.iter().any(|text| search.needle.is_in(text))) {
        Some((number, view)) => {
            let tool = excerpt(&view.call.name, INLINE);
            CheckFinding::new(
                wanted,
                json!({ "found": true, "call": number, "tool": tool }),
                msg!("grade-tool-input-found", value = value, call = *number, tool = tool),
            )
        }
        None => CheckFinding::new(
            !wanted,
            json!({ "found": false, "searched": calls.len() }),
            msg!("grade-tool-input-absent", value = value, count = calls.len()),
        ),
    }
}
