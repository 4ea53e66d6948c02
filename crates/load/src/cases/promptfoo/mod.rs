//! promptfoo's configuration: `prompts`, `tests`, `defaultTest`, `scenarios`, `assertionTemplates`.
//!
//! Its prompts are templates with variables in them, ours are an artifact beside the sample's own words. What stands
//! before the first variable becomes the artifact, what is from there on the prompt of the sample, if all prompts agree
//! in that; see [`prompts`].

mod assertions;
pub(super) mod chat;
mod javascript;
mod prompts;
mod providers;
mod references;
mod scalar;
mod templates;
mod tests;

use eval_message::msg;
use eval_spec::source::Span;

use self::scalar::is_empty;
use super::reader::{CaseReader, CaseSource, RowColumns};
use crate::tree::NodeData;

pub(super) fn detect(source: &CaseSource) -> bool {
    source.has("prompts")
        || source.has("redteam")
        || ((source.has("providers") || source.has("targets")) && source.has("tests"))
}

pub(super) fn read(reader: &mut CaseReader, source: &CaseSource, _: &RowColumns) {
    let Some(root) = &source.root else {
        return reader.problems.error_with_help(
            Span::default(),
            msg!("import-promptfoo-code"),
            Some(msg!("import-promptfoo-code-help")),
        );
    };
    let (root, named) = &references::resolved(root, &[root]);
    reader.model = providers::model(root);
    let is_transformed = providers::differences(reader, root);
    reader.parses_answers = providers::parses_answers(reader, root);
    let templates = templates::Templates::new();
    let tests = tests::read(reader, root, &templates, is_transformed);
    if let Some(node) = root.get("redteam") {
        reader.lacks("`redteam`", msg!("import-redteam"), node.span);
    }
    // A callable skill is given the variables, and not the words around them.
    let is_for_skills = reader.is_for_skills;
    let is_asked = |test: &tests::TestCase| !is_for_skills || test.vars.is_empty();
    let shape = tests.iter().any(is_asked).then(|| {
        let mut prompts = prompts::read(reader, root);
        prompts::shape(reader, &mut prompts, root.span)
    });
    if let Some(node) = root.get("prompts").filter(|_| is_for_skills) {
        reader.differs("`prompts`", true, msg!("import-task-prompts"), node.span);
    }
    for test in tests {
        let prompt = match &shape {
            Some(shape) if is_asked(&test) => shape.prompt(reader, &templates, &test),
            _ => Some(String::new()),
        };
        let Some(prompt) = prompt else {
            reader.tests_left += 1;
            continue;
        };
        let case = assertions::case(reader, &templates, &test, prompt);
        reader.cases.push(case);
    }
    let NodeData::Object(entries) = &root.data else { return };
    let is_read = |key: &String| KEYS.contains(&key.as_str()) || named.contains(key);
    for entry in entries.iter().filter(|entry| !is_read(&entry.key) && !is_empty(&entry.value)) {
        reader.lacks(format!("`{}`", entry.key), msg!("import-key-unused"), entry.key_span);
    }
    if let Some(node) = root.get("evaluateOptions").and_then(|options| options.get("repeat")) {
        reader.differs("`evaluateOptions.repeat`", true, msg!("import-repeat"), node.span);
    }
}

/// Keys that are carried over, or mean nothing for what is asked and how it is checked.
const KEYS: &[&str] = &[
    "$schema",
    "description",
    "tags",
    "prompts",
    "providers",
    "targets",
    "tests",
    "scenarios",
    "defaultTest",
    "assertionTemplates",
    "redteam",
    "evaluateOptions",
    "commandLineOptions",
    "outputPath",
    "sharing",
    "writeLatestResults",
    "metadata",
];
