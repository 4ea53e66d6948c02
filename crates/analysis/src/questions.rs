//! What makes two assertions the same question, and how an assertion is named in lists.

use eval_format::{AssertionDetail, CheckRef};
use eval_spec::{Assertion, Suite};
use serde_json::{Map, Value};

use crate::likeness::hash;
use crate::numbers::count;

/// Names one assertion of one sample.
pub(crate) fn check_ref(suite: &Suite, sample: usize, index: usize) -> CheckRef {
    let of = &suite.samples[sample];
    CheckRef {
        sample_id: of.id.clone(),
        index: count(index),
        label: of.assertions.get(index).map_or_else(String::new, label),
    }
}

/// A number for what an assertion asks: the same for assertions that are written alike, whatever they weigh.
pub(crate) fn question_key(assertion: &Assertion) -> u64 {
    question(&assertion.kind, assertion.not, &assertion.written, assertion.children.iter().map(question_key))
}

/// The same of an assertion as a report has it.
pub fn question_key_in_report(of: &AssertionDetail) -> u64 {
    question(&of.kind, of.not, &of.written, of.children.iter().map(question_key_in_report))
}

/// The key of a question: all fields as written, in any order, without those that a report adds.
fn question(kind: &str, not: bool, written: &Map<String, Value>, children: impl Iterator<Item = u64>) -> u64 {
    let mut fields: Vec<(&String, &Value)> = written.iter().filter(|(name, _)| !is_ours(name)).collect();
    fields.sort_unstable_by_key(|(name, _)| *name);
    let mut asked = Vec::with_capacity(128);
    asked.extend_from_slice(kind.as_bytes());
    asked.push(0);
    for (name, value) in fields {
        asked.extend_from_slice(name.as_bytes());
        asked.push(b'=');
        // into memory, which takes everything
        let _ = serde_json::to_writer(&mut asked, value);
        asked.push(0);
    }
    for child in children {
        asked.extend(child.to_le_bytes());
    }
    hash(&asked, u64::from(not))
}

/// The type, and the first thing it looks for, cut to a length that fits into a line.
pub(crate) fn label(assertion: &Assertion) -> String {
    label_of(&assertion.kind, assertion.not, &assertion.written)
}

/// The same of an assertion as a report has it.
pub fn label_of(kind: &str, not: bool, written: &Map<String, Value>) -> String {
    const LOOKS_FOR: [&str; 6] = ["value", "values", "pattern", "reference", "fn", "mode"];
    const LENGTH: usize = 40;
    let not = if not { "not " } else { "" };
    let looks_for = LOOKS_FOR.iter().find_map(|field| written.get(*field)).map(|value| match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    });
    match looks_for {
        None => format!("{not}{kind}"),
        Some(text) if text.chars().count() > LENGTH => {
            format!("{not}{kind} {}…", text.chars().take(LENGTH - 1).collect::<String>())
        }
        Some(text) => format!("{not}{kind} {text}"),
    }
}

/// Whether an assertion's result has a field of its own by this name.
pub(crate) fn is_ours(name: &str) -> bool {
    const OURS: [&str; 14] = [
        "type",
        "status",
        "weight",
        "not",
        "children",
        "passed",
        "rating",
        "layer",
        "actual",
        "message",
        "messageKey",
        "passedRuns",
        "evaluatedRuns",
        "judged",
    ];
    OURS.contains(&name)
}

/// How many assertions one is with those inside it.
pub(crate) fn size(assertion: &Assertion) -> usize {
    1 + assertion.children.iter().map(size).sum::<usize>()
}
