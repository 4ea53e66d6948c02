//! `tool_input_contains`, `tool_input_not_contains`, `tool_output_contains`: whether a tool call, of `tool` where it is
//! given, has a text in its arguments or in its result, in any case. Every string of the arguments is searched, at any
//! depth; names of arguments are not.

use eval_message::{key, msg};
use eval_spec::types::{FieldProblem, FieldShape, TypeSpec};
use eval_spec::{Assertion, Layer};
use serde_json::json;

use super::tools_called::same_tool;
use crate::answer::{CallView, GradedAnswer};
use crate::assertion::kind::{AssertionRefusal, AssertionType, Compiled};
use crate::excerpt::{INLINE, excerpt};
use crate::fields::{filled, optional, optional_text, required};
use crate::finding::CheckFinding;
use crate::fold::Needle;

pub(crate) const TOOL_OUTPUT_CONTAINS: AssertionType = AssertionType {
    spec: TypeSpec {
        name: "tool_output_contains",
        layer: Layer::Fact,
        summary: key!("grade-type-tool-output-contains"),
        fields: &[required("value", FieldShape::NonEmptyText), optional("tool", FieldShape::NonEmptyText)],
        judged: false,
        validate: |assertion| ToolCallSearch::new(assertion).map(drop),
    },
    compile: |assertion, _| compile(assertion, ToolCallSearch::in_outputs),
};

pub(crate) const TOOL_INPUT_CONTAINS: AssertionType = AssertionType {
    spec: TypeSpec {
        name: "tool_input_contains",
        summary: key!("grade-type-tool-input-contains"),
        ..TOOL_OUTPUT_CONTAINS.spec
    },
    compile: |assertion, _| compile(assertion, |search, calls| search.in_inputs(calls, true)),
};

pub(crate) const TOOL_INPUT_NOT_CONTAINS: AssertionType = AssertionType {
    spec: TypeSpec {
        name: "tool_input_not_contains",
        summary: key!("grade-type-tool-input-not-contains"),
        ..TOOL_OUTPUT_CONTAINS.spec
    },
    compile: |assertion, _| compile(assertion, |search, calls| search.in_inputs(calls, false)),
};

/// The searched calls, each with its number among all calls, from 1.
type NumberedCalls<'b, 'a> = [(usize, &'b CallView<'a>)];

fn compile(
    assertion: &Assertion,
    check: fn(&ToolCallSearch, &NumberedCalls<'_, '_>) -> CheckFinding,
) -> Result<Compiled, AssertionRefusal> {
    let search = ToolCallSearch::new(assertion)?;
    Ok(Compiled::quick(move |answer| match answer.has_trace() {
        true => check(&search, &search.calls(answer)),
        false => CheckFinding::unscored(msg!("grade-no-trace")),
    }))
}

/// A text to search for in tool calls.
struct ToolCallSearch {
    needle: Needle,
    /// The only tool whose calls are searched.
    tool: Option<String>,
}

impl ToolCallSearch {
    fn new(assertion: &Assertion) -> Result<ToolCallSearch, FieldProblem> {
        Ok(ToolCallSearch {
            needle: Needle::new(filled(assertion, "value")?),
            tool: optional_text(assertion, "tool")?.map(str::to_owned),
        })
    }

    fn calls<'b, 'a>(&self, answer: &'b GradedAnswer<'a>) -> Vec<(usize, &'b CallView<'a>)> {
        let wanted = |view: &CallView<'_>| self.tool.as_ref().is_none_or(|tool| same_tool(&view.call.name, tool));
        (1..).zip(answer.calls()).filter(|(_, view)| wanted(view)).collect()
    }

    fn value(&self) -> String {
        excerpt(&self.needle.written, INLINE)
    }

    fn in_inputs(&self, calls: &NumberedCalls<'_, '_>, wanted: bool) -> CheckFinding {
        let hit = calls.iter().find(|(_, view)| view.inputs.iter().any(|text| self.needle.is_in(text)));
        match hit {
            Some((number, view)) => {
                let tool = excerpt(&view.call.name, INLINE);
                let actual = json!({ "found": true, "call": number, "tool": tool });
                let statement = msg!("grade-tool-input-found", value = self.value(), call = *number, tool = tool);
                CheckFinding::new(wanted, actual, statement)
            }
            None => CheckFinding::new(
                !wanted,
                json!({ "found": false, "searched": calls.len() }),
                msg!("grade-tool-input-absent", value = self.value(), count = calls.len()),
            ),
        }
    }

    fn in_outputs(&self, calls: &NumberedCalls<'_, '_>) -> CheckFinding {
        let hit = calls.iter().find(|(_, view)| view.output.as_ref().is_some_and(|text| self.needle.is_in(text)));
        let unseen = calls.iter().filter(|(_, view)| view.output.is_none()).count();
        match hit {
            Some((number, view)) => {
                let tool = excerpt(&view.call.name, INLINE);
                let actual = json!({ "found": true, "call": number, "tool": tool });
                let statement = msg!("grade-tool-output-found", value = self.value(), call = *number, tool = tool);
                CheckFinding::new(true, actual, statement)
            }
            None if unseen > 0 => CheckFinding::unscored(msg!("grade-tool-output-unseen", count = unseen)),
            None => CheckFinding::new(
                false,
                json!({ "found": false, "searched": calls.len() }),
                msg!("grade-tool-output-absent", value = self.value(), count = calls.len()),
            ),
        }
    }
}
