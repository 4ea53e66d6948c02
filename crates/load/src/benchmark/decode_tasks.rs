//! The tasks of a benchmark.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use eval_message::msg;
use eval_spec::Diagnostic;
use eval_spec::callable::{Decimal, Task};
use serde_json::{Value, json};

use super::super::decode::{self, Keys};
use super::super::problems::Problems;
use super::super::tree::{Node, NodeData};
use super::MAX_MS;
use super::scorer::{self, ScorerContext};

const KEYS: Keys<'_> = Keys {
    known: &[
        "id",
        "description",
        "prompt",
        "inputData",
        "expectedOutput",
        "evaluator",
        "timeoutMs",
        "tags",
        "weight",
        "metadata",
    ],
    foreign: &[
        ("input", "inputData"),
        ("inputs", "inputData"),
        ("expected", "expectedOutput"),
        ("output", "expectedOutput"),
        ("scorer", "evaluator"),
        ("timeout", "timeoutMs"),
        ("taskId", "id"),
        ("name", "id"),
    ],
};

/// All tasks that can be read; ids are unique.
pub(super) fn tasks(items: &[Node], around: &ScorerContext<'_>, problems: &mut Problems) -> Vec<Task> {
    let mut tasks: Vec<Task> = Vec::with_capacity(items.len());
    let mut seen: HashMap<Arc<str>, usize> = HashMap::with_capacity(items.len());
    if !around.is_weighted {
        warn_of_weights(items, problems);
    }
    for item in items {
        let Some(task) = task(item, around, problems) else { continue };
        match (seen.get(&task.id), &task.place) {
            (Some(first), Some(place)) => {
                let message = msg!("skills-load-task-twice", id = decode::short(&task.id));
                let error = Diagnostic::error(message, place.clone());
                let first = tasks[*first].place.clone();
                problems.push(first.into_iter().fold(error, |e, first| e.also(first, msg!("load-first-here"))));
            }
            _ => {
                seen.insert(Arc::clone(&task.id), tasks.len());
                tasks.push(task);
            }
        }
    }
    tasks
}

/// Weights that would be ignored in silence.
fn warn_of_weights(items: &[Node], problems: &mut Problems) {
    let is_one = |node: &Node| matches!(&node.data, NodeData::Number(weight) if weight.as_f64() == Some(1.0));
    if let Some(node) = items.iter().filter_map(|item| item.get("weight")).find(|node| !is_one(node)) {
        problems.warning(node.span, msg!("skills-load-weight-unused"), Some(msg!("skills-load-weight-unused-help")));
    }
}

/// An id of a benchmark or a task: tables and keys show it, on one line.
pub(super) fn id(node: &Node, problems: &mut Problems) -> Option<String> {
    const MAX_CHARS: usize = 200;
    let id = match &node.data {
        // NodeData sets number their tasks.
        NodeData::Number(number) if !number.is_f64() => number.to_string(),
        _ => decode::filled_text(node, problems)?,
    };
    if id.trim() != id || id.chars().any(char::is_control) || id.chars().count() > MAX_CHARS {
        problems.error(node.span, msg!("skills-load-task-id", id = decode::short(&id), limit = MAX_CHARS));
        return None;
    }
    Some(id)
}

fn task(node: &Node, around: &ScorerContext<'_>, problems: &mut Problems) -> Option<Task> {
    let fields = decode::object(node, KEYS, problems)?;
    let id_node = fields.require("id", problems);
    let id = id_node.and_then(|node| id(node, problems));
    let description = fields.decoded("description", decode::text, problems);
    let prompt = fields.decoded("prompt", decode::filled_text, problems);
    let scorer = scorer::read(node, fields, around, problems);
    let input = match (fields.get("inputData"), &scorer) {
        (Some(input), _) => Some(input.value()),
        // Without an input the prompt is what the skill is given; beside one it describes the task.
        (None, _) if prompt.is_some() => Some(json!({ "prompt": prompt })),
        (None, Some(scorer)) if !scorer.kind().calls_skill() => Some(Value::Null),
        (None, _) => fields.require("inputData", problems).map(Node::value),
    };
    for key in ["expectedOutput", "evaluator"] {
        fields.get(key).into_iter().for_each(|node| refuse_inexact(node, |_| true, problems));
    }
    // A fraction in an input is read by the skill as we read it; a whole number may not be.
    fields.get("inputData").into_iter().for_each(|node| refuse_inexact(node, Decimal::is_whole, problems));
    let timeout = fields.get("timeoutMs").and_then(|node| decode::whole(node, 1..=MAX_MS, problems));
    let tags = fields.decoded("tags", decode::texts, problems);
    let weight =
        fields.decoded("weight", |node, problems| decode::number(node, 0.0..=decode::MAX_WEIGHT, problems), problems);
    if let Some(node) = fields.get("metadata") {
        decode::any_object(node, problems);
    }
    Some(Task {
        id: id?.into(),
        description: description.or(prompt).unwrap_or_default(),
        input: input?,
        expected: fields.get("expectedOutput").map(Node::value).unwrap_or_default(),
        scorer: scorer?,
        timeout: timeout.map(Duration::from_millis),
        weight: around.is_weighted.then(|| weight.unwrap_or(1.0)),
        tags: unique(tags.unwrap_or_default()),
        place: id_node.map(|node| problems.head(node.span)),
    })
}

/// Refuses numbers with more digits than a 64-bit number holds: rounded, another answer would pass, or the skill would
/// get another input.
pub(crate) fn refuse_inexact(node: &Node, counts: fn(&Decimal) -> bool, problems: &mut Problems) {
    match &node.data {
        NodeData::Number(_) => {
            let written = problems.written(node.span);
            // YAML has other notations too, none of them longer than what fits.
            if Decimal::read(&written).is_some_and(|number| counts(&number) && !number.fits(&written)) {
                let message = msg!("skills-load-number-inexact", number = decode::short(&written));
                problems.error_with_help(node.span, message, Some(msg!("skills-load-number-inexact-help")));
            }
        }
        NodeData::List(items) => items.iter().for_each(|item| refuse_inexact(item, counts, problems)),
        NodeData::Object(entries) => entries.iter().for_each(|entry| refuse_inexact(&entry.value, counts, problems)),
        NodeData::Null | NodeData::Bool(_) | NodeData::Text(_) | NodeData::Broken => {}
    }
}

/// A tag twice would count a task twice.
fn unique(mut tags: Vec<String>) -> Vec<String> {
    let mut seen = std::collections::HashSet::new();
    tags.retain(|tag| seen.insert(tag.clone()));
    tags
}
