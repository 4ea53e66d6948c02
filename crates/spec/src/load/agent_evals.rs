//! The Agent Skills `evals/evals.json` (row S1), read-only: `skill_name`, and `evals` with `id`,
//! `prompt`, `expected_output`, `files`, and `expectations` (formerly `assertions`).
//!
//! The expected output and the expectations become one rubric, a line each. The format belongs to
//! others and grows, so unknown keys are warnings here.

use super::decode::{self, Fields};
use super::problems::Problems;
use super::samples::sample_id;
use super::tree::{Data, Entry, Node};
use crate::sample::{Environment, Metadata};
use crate::{Sample, msg};

const ROOT_KEYS: &[&str] = &["skill_name", "evals"];
const EVAL_KEYS: &[&str] = &["id", "name", "prompt", "expected_output", "files", "expectations", "assertions"];

/// The samples of an `evals.json`.
pub(super) fn samples(root: &Node, problems: &mut Problems) -> Vec<Sample> {
    let Some(fields) = decode::any_object(root, problems) else { return Vec::new() };
    warn_unknown(fields, ROOT_KEYS, problems);
    if let Some(node) = fields.get("skill_name") {
        decode::filled_text(node, problems);
    }
    let Some(node) = fields.require("evals", problems) else { return Vec::new() };
    let Some(items) = decode::list(node, "list-of-samples", problems) else { return Vec::new() };
    if items.is_empty() && !node.cut {
        problems.error(node.span, msg!("load-samples-empty"));
    }
    items.iter().filter_map(|item| sample(item, problems)).collect()
}

fn warn_unknown(fields: Fields<'_>, known: &[&str], problems: &mut Problems) {
    let unknown = |entry: &&Entry| !known.contains(&entry.key.as_str());
    for entry in fields.entries.iter().filter(unknown) {
        problems.warning(entry.key_span, msg!("load-key-ignored", key = entry.key.as_str()), None);
    }
}

fn sample(node: &Node, problems: &mut Problems) -> Option<Sample> {
    let fields = decode::any_object(node, problems)?;
    warn_unknown(fields, EVAL_KEYS, problems);
    let prompt = fields.require("prompt", problems).and_then(|node| decode::filled_text(node, problems));
    let expected = fields.get("expected_output").and_then(|node| decode::text(node, problems));
    let mut lines: Vec<String> = expected.filter(|text| !text.trim().is_empty()).into_iter().collect();
    for key in ["expectations", "assertions"] {
        lines.extend(fields.get(key).map(|node| expectations(node, problems)).unwrap_or_default());
    }
    if lines.is_empty() && !node.cut {
        problems.warning(node.span, msg!("load-nothing-scored"), Some(msg!("load-evals-unscored-help")));
    }
    let files = fields.get("files").and_then(|node| decode::texts(node, problems)).unwrap_or_default();
    if let (Some(node), false) = (fields.get("files"), files.is_empty()) {
        problems.warning(node.span, msg!("load-evals-files"), None);
    }
    let id_node = fields.require("id", problems)?;
    Some(Sample {
        id: id(id_node, problems)?,
        prompt: prompt?,
        context: None,
        cwd: None,
        rubric: (!lines.is_empty()).then(|| rubric(&lines)),
        dimensions: Vec::new(),
        assertions: Vec::new(),
        metadata: Metadata::default(),
        mocks: Vec::new(),
        mocks_strict: false,
        tripwire: false,
        judge: None,
        environment: (!files.is_empty()).then(|| Environment { files_available: files, ..Environment::default() }),
        place: Some(problems.head(id_node.span)),
    })
}

/// A number or a text; the format has both.
fn id(node: &Node, problems: &mut Problems) -> Option<String> {
    match &node.data {
        Data::Number(number) if !number.is_f64() => Some(number.to_string()),
        _ => sample_id(node, problems),
    }
}

fn rubric(lines: &[String]) -> String {
    let lines: Vec<String> = lines.iter().map(|line| format!("- {}", line.trim())).collect();
    lines.join("\n")
}

/// Texts, or objects with a `text`, as graded files repeat them.
fn expectations(node: &Node, problems: &mut Problems) -> Vec<String> {
    let Some(items) = decode::list(node, "list-of-texts", problems) else { return Vec::new() };
    let text = |item: &Node, problems: &mut Problems| match item.get("text") {
        Some(text) => decode::filled_text(text, problems),
        None => decode::filled_text(item, problems),
    };
    items.iter().filter_map(|item| text(item, problems)).collect()
}
