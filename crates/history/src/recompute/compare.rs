//! Two reports compared as JSON: every leaf that differs, with its path and its source. What is added to a report is compared too.

use std::collections::BTreeSet;

use eval_format::report::Note;
use eval_message::{Message, msg};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// A stored number that doesn't follow.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NotFollowing {
    /// A JSON pointer into the report.
    pub path: String,
    /// The stored value.
    pub stored: Value,
    /// The value that follows.
    pub recomputed: Value,
    /// The part it follows from.
    pub from: Note,
}

/// The source of a part of a report.
#[derive(Clone, Copy, Debug)]
pub(super) enum FieldSource {
    Checks,
    Results,
    Pairs,
    Opinions,
    Summary,
    Inputs,
    Verdict,
    Costs,
    Findings,
    Gold,
    Key,
}

impl FieldSource {
    fn message(self) -> Message {
        match self {
            FieldSource::Checks => msg!("report-from-checks"),
            FieldSource::Results => msg!("report-from-results"),
            FieldSource::Pairs => msg!("report-from-pairs"),
            FieldSource::Opinions => msg!("report-from-opinions"),
            FieldSource::Summary => msg!("report-from-summary"),
            FieldSource::Inputs => msg!("report-from-inputs"),
            FieldSource::Verdict => msg!("report-from-verdict"),
            FieldSource::Costs => msg!("report-from-costs"),
            FieldSource::Findings => msg!("report-from-findings"),
            FieldSource::Gold => msg!("report-from-gold"),
            FieldSource::Key => msg!("report-from-key"),
        }
    }
}

/// Sources of parts: the first pattern that is a prefix of a path decides; the default is the results.
/// Blocks are compared in this order, those that are not named here after them.
const SOURCES: &[(&str, FieldSource)] = &[
    ("results/*/variants/*/failedAttemptsCost", FieldSource::Costs),
    ("results/*/variants/*/runs/*/failedAttemptsCost", FieldSource::Costs),
    ("results", FieldSource::Checks),
    ("summary", FieldSource::Results),
    ("comparisons", FieldSource::Results),
    ("gold", FieldSource::Gold),
    ("pairwise", FieldSource::Pairs),
    ("judging", FieldSource::Opinions),
    ("tripwires", FieldSource::Results),
    ("triggers", FieldSource::Results),
    ("variance", FieldSource::Results),
    ("verdict/inputs", FieldSource::Summary),
    ("verdict", FieldSource::Inputs),
    ("analysis/sampleQuality", FieldSource::Findings),
    ("analysis", FieldSource::Results),
    ("status", FieldSource::Verdict),
    ("incompleteReason", FieldSource::Verdict),
    ("incompleteDetail", FieldSource::Verdict),
    ("meta/totalCostUSD", FieldSource::Costs),
    ("meta/knownCostUSD", FieldSource::Costs),
    ("meta/judgeCost", FieldSource::Costs),
    ("meta", FieldSource::Results),
];

/// Parts whose inputs the report doesn't have; they are not compared.
const NOT_COMPARED: &[&str] = &[
    "id",
    "schemaVersion",
    "feedback",
    "stopping/judgeCallsSaved",
    "stopping/costSavedEstimate",
    "stopping/costSavedWhy",
];

/// Numbers nearer than this, of their size, are the same: sums in another order differ by less.
const TOLERANCE: f64 = 1e-9;

/// The longest list that is shown whole where another length follows.
const SHOWN: usize = 1000;

fn matches(pattern: &str, path: &[String]) -> bool {
    let mut path = path.iter();
    pattern.split('/').all(|part| path.next().is_some_and(|name| part == "*" || part == name))
}

/// Compares what is below `path` as stored with what follows.
pub(super) fn compare<T: Serialize + Sync>(path: &[&str], stored: &T, follows: &T) -> Vec<NotFollowing> {
    let value = |of: &T| serde_json::to_value(of).unwrap_or_default();
    let (stored, mut follows) = rayon::join(|| value(stored), || value(follows));
    word(&mut follows);
    let path: Vec<String> = path.iter().map(|name| (*name).to_owned()).collect();
    let mut walk = Walk { path, differences: Vec::new() };
    match (&stored, &follows) {
        (stored, follows) if stored == follows => {}
        (Value::Object(stored), Value::Object(follows)) if walk.path.is_empty() => walk.blocks(stored, follows),
        (stored, follows) => walk.value(stored, follows),
    }
    let differences = walk.differences;
    rayon::spawn(|| drop((stored, follows)));
    differences
}

/// Sets the English text beside every key: parts taken as stored may have another one.
fn word(of: &mut Value) {
    match of {
        Value::Array(items) => items.iter_mut().for_each(word),
        Value::Object(fields) => {
            let key = fields.get("messageKey").and_then(|key| serde_json::from_value::<Message>(key.clone()).ok());
            if let (Some(text @ Value::String(_)), Some(key)) = (fields.get_mut("message"), key) {
                *text = key.to_string().into();
            }
            fields.values_mut().for_each(word);
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// A walk along both trees at once. A key that lacks is `null`.
struct Walk {
    path: Vec<String>,
    differences: Vec<NotFollowing>,
}

impl Walk {
    fn blocks(&mut self, stored: &Map<String, Value>, follows: &Map<String, Value>) {
        let first = SOURCES.iter().map(|(pattern, _)| pattern.split('/').next().unwrap_or_default());
        let names: Vec<&str> = first.chain(stored.keys().chain(follows.keys()).map(String::as_str)).collect();
        let mut seen = BTreeSet::from(["results"]);
        for name in names.into_iter().filter(|name| seen.insert(*name)) {
            self.below(name, stored.get(name), follows.get(name));
        }
    }

    fn below(&mut self, name: &str, stored: Option<&Value>, follows: Option<&Value>) {
        self.path.push(name.to_owned());
        self.value(stored.unwrap_or(&Value::Null), follows.unwrap_or(&Value::Null));
        self.path.pop();
    }

    fn value(&mut self, stored: &Value, follows: &Value) {
        if stored == follows || NOT_COMPARED.iter().any(|pattern| matches(pattern, &self.path)) {
            return;
        }
        match (stored, follows) {
            (Value::Object(stored), Value::Object(follows)) => {
                for key in stored.keys().chain(follows.keys().filter(|key| !stored.contains_key(*key))) {
                    self.below(key, stored.get(key), follows.get(key));
                }
            }
            (Value::Array(stored), Value::Array(follows)) if stored.len() == follows.len() => {
                for (place, (stored, follows)) in stored.iter().zip(follows).enumerate() {
                    self.below(&place.to_string(), Some(stored), Some(follows));
                }
            }
            (stored, follows) if is_same(stored, follows) => {}
            (stored, follows) => self.push(shortened(stored), shortened(follows)),
        }
    }

    fn push(&mut self, stored: Value, recomputed: Value) {
        let source = SOURCES.iter().find(|(pattern, _)| matches(pattern, &self.path));
        let is_text = self.path.last().is_some_and(|name| name == "message");
        let from = if is_text { FieldSource::Key } else { source.map_or(FieldSource::Results, |(_, source)| *source) };
        let from = from.message().into();
        self.differences.push(NotFollowing { path: self.pointer(), stored, recomputed, from });
    }

    fn pointer(&self) -> String {
        // a name inside a JSON pointer (RFC 6901)
        self.path.iter().map(|name| format!("/{}", name.replace('~', "~0").replace('/', "~1"))).collect()
    }
}

/// Returns a long list's length in its place.
fn shortened(value: &Value) -> Value {
    match value {
        Value::Array(items) if items.len() > SHOWN => json!({ "length": items.len() }),
        value => value.clone(),
    }
}

/// Compares two leaves: numbers are the same but for rounding.
fn is_same(stored: &Value, follows: &Value) -> bool {
    let numbers = stored.as_f64().zip(follows.as_f64()).filter(|_| stored.is_f64() || follows.is_f64());
    stored == follows || numbers.is_some_and(|(a, b)| (a - b).abs() <= TOLERANCE * a.abs().max(b.abs()).max(1.0))
}
