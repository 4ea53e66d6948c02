//! `tools_called`, `tools_not_called`: which tools the agent used. Names are compared exactly;
//! `Task` and `Agent` are two names of claude's one tool for sub-agents.

use std::collections::BTreeMap;

use eval_message::{Message, msg};
use eval_spec::types::{FieldProblem, FieldShape, TypeSpec};
use eval_spec::{Assertion, Layer};
use serde_json::json;

use crate::answer::{CallView, GradedAnswer};
use crate::assertion::kind::{AssertionRefusal, AssertionType, Compiled};
use crate::excerpt::{INLINE, excerpt};
use crate::fields::{filled, optional, problem, texts};
use crate::finding::CheckFinding;

pub(crate) const TOOLS_CALLED: AssertionType = AssertionType {
    spec: TypeSpec {
        name: "tools_called",
        layer: Layer::Behavior,
        summary: eval_message::key!("grade-type-tools-called"),
        fields: &[optional("value", FieldShape::NonEmptyText), optional("values", FieldShape::Texts)],
        judged: false,
        validate: |assertion| names(assertion).map(drop),
    },
    compile: |assertion, _| {
        compile(assertion, |answer, names| match names.iter().find(|name| !called(answer, name)) {
            None => (true, msg!("grade-tools-all-called")),
            Some(missing) => (false, msg!("grade-tool-not-called", tool = excerpt(missing, INLINE))),
        })
    },
};

pub(crate) const TOOLS_NOT_CALLED: AssertionType = AssertionType {
    spec: TypeSpec {
        name: "tools_not_called",
        summary: eval_message::key!("grade-type-tools-not-called"),
        ..TOOLS_CALLED.spec
    },
    compile: |assertion, _| {
        compile(assertion, |answer, names| match names.iter().find(|name| called(answer, name)) {
            None => (true, msg!("grade-tools-none-called")),
            Some(present) => (false, msg!("grade-tool-called", tool = excerpt(present, INLINE))),
        })
    },
};

/// Names of one tool in different agents, and in different versions of one.
const SAME_TOOLS: [&[&str]; 10] = [
    &["Task", "Agent"],
    &["Bash", "exec_command", "shell", "shell_command", "local_shell", "run_shell_command"],
    &["Read", "read_file"],
    &["Write", "write_file"],
    &["Edit", "replace", "apply_patch", "file_change"],
    &["Grep", "grep_search", "search_file_content"],
    &["Glob", "glob"],
    &["WebFetch", "web_fetch"],
    &["WebSearch", "web_search", "google_web_search"],
    &["Skill", "activate_skill"],
];

/// Whether two names mean the same tool.
pub(crate) fn same_tool(one: &str, other: &str) -> bool {
    one == other || SAME_TOOLS.iter().any(|names| names.contains(&one) && names.contains(&other))
}

/// How often each tool was called, by name.
pub(crate) fn counts(calls: &[CallView<'_>]) -> BTreeMap<String, u64> {
    const LISTED: usize = 50;
    let mut counts = BTreeMap::new();
    for view in calls {
        let name = excerpt(&view.call.name, INLINE);
        if counts.len() < LISTED || counts.contains_key(&name) {
            *counts.entry(name).or_default() += 1;
        }
    }
    counts
}

fn compile(
    assertion: &Assertion,
    check: fn(&GradedAnswer<'_>, &[String]) -> (bool, Message),
) -> Result<Compiled, AssertionRefusal> {
    let names = names(assertion)?;
    Ok(Compiled::quick(move |answer| {
        if !answer.has_trace() {
            return CheckFinding::unscored(msg!("grade-no-trace"));
        }
        let (holds, statement) = check(answer, &names);
        CheckFinding::new(holds, json!(counts(answer.calls())), statement)
    }))
}

fn called(answer: &GradedAnswer<'_>, name: &str) -> bool {
    answer.calls().iter().any(|view| same_tool(&view.call.name, name))
}

fn names(assertion: &Assertion) -> Result<Vec<String>, FieldProblem> {
    let mut names = Vec::new();
    if assertion.field("value").is_some() {
        names.push(filled(assertion, "value")?.to_owned());
    }
    if assertion.field("values").is_some() {
        names.extend(texts(assertion, "values")?.into_iter().map(str::to_owned));
    }
    match names.is_empty() {
        true => Err(problem("value", msg!("grade-tools-unnamed"))),
        false => Ok(names),
    }
}
