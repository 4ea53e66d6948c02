//! `tool_output_contains`: some tool call (of `tool`, where it is given) returned a text, in any case.

use eval_message::msg;
use eval_spec::types::{FieldProblem, FieldShape, TypeSpec};
use eval_spec::{Assertion, Layer};
use serde_json::json;

use super::tools_called::same_tool;
use crate::answer::{CallView, GradedAnswer};
use crate::assertion::kind::{AssertionType, Compiled};
use crate::excerpt::{INLINE, excerpt};
use crate::fields::{filled, optional, optional_text, required};
use crate::finding::CheckFinding;
use crate::fold::Needle;

pub(crate) const TOOL_OUTPUT_CONTAINS: AssertionType = AssertionType {
    spec: TypeSpec {
        name: "tool_output_contains",
        layer: Layer::Fact,
        summary: eval_message::key!("grade-type-tool-output-contains"),
        fields: &[required("value", FieldShape::NonEmptyText), optional("tool", FieldShape::NonEmptyText)],
        judged: false,
        validate: |assertion| ToolCallSearch::new(assertion).map(drop),
    },
    compile: |assertion, _| {
        let search = ToolCallSearch::new(assertion)?;
        Ok(Compiled::quick(move |answer| check(&search, answer)))
    },
};

/// What is searched for in tool calls, and in which.
pub(crate) struct ToolCallSearch {
    /// The text.
    pub(crate) needle: Needle,
    tool: Option<String>,
}

impl ToolCallSearch {
    /// Reads `value` and `tool`.
    pub(crate) fn new(assertion: &Assertion) -> Result<ToolCallSearch, FieldProblem> {
        Ok(ToolCallSearch {
            needle: Needle::new(filled(assertion, "value")?),
            tool: optional_text(assertion, "tool")?.map(str::to_owned),
        })
    }

    /// The calls that are searched, each with its number among all calls, from 1.
    pub(crate) fn calls<'b, 'a>(&self, answer: &'b GradedAnswer<'a>) -> Vec<(usize, &'b CallView<'a>)> {
        let wanted = |view: &CallView<'_>| self.tool.as_ref().is_none_or(|tool| same_tool(&view.call.name, tool));
        (1..).zip(answer.calls()).filter(|(_, view)| wanted(view)).collect()
    }
}

fn check(search: &ToolCallSearch, answer: &GradedAnswer<'_>) -> CheckFinding {
    if !answer.has_trace() {
        return CheckFinding::unscored(msg!("grade-no-trace"));
    }
    let calls = search.calls(answer);
    let value = excerpt(&search.needle.written, INLINE);
    let hit = calls.iter().find(|(_, view)| view.output.as_ref().is_some_and(|text| search.needle.is_in(text)));
    let unseen = calls.iter().filter(|(_, view)| view.output.is_none()).count();
    match hit {
        Some((number, view)) => {
            let tool = excerpt(&view.call.name, INLINE);
            CheckFinding::new(
                true,
                json!({ "found": true, "call": number, "tool": tool }),
                msg!("grade-tool-output-found", value = value, call = *number, tool = tool),
            )
        }
        None if unseen > 0 => CheckFinding::unscored(msg!("grade-tool-output-unseen", count = unseen)),
        None => CheckFinding::new(
            false,
            json!({ "found": false, "searched": calls.len() }),
            msg!("grade-tool-output-absent", value = value, count = calls.len()),
        ),
    }
}
