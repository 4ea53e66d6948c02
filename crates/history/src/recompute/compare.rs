//! Two reports compared as JSON: every leaf that differs, with its path and its source.
//!
//! The comparison knows fields by name only in the tables of this file, so that what is added to a report is compared too.

use std::collections::BTreeSet;

use eval_format::report::Note;
use eval_message::{Message, msg};
use serde::Serialize;
use serde_json::{Map, Value};

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
    Version,
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
            FieldSource::Version => msg!("report-from-version"),
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

/// Objects whose keys are names, so that a key which lacks is a difference and no older format.
const BY_NAME: &[&str] =
    &["variants", "summary", "models", "failures", "languages", "perVariant", "sampleHashes", "blindMapping"];

/// Texts of ours: their keys and arguments stand beside them, and another version may word them otherwise.
const TEXTS: &[&str] = &["message", "why"];

/// Findings whose texts are not compared when another version wrote them.
const ADVICE: [&str; 2] = ["suggestions", "insights"];
const WORDS: [&str; 3] = ["message", "messageKey", "severity"];

/// Numbers nearer than this, of their size, are the same: sums in another order differ by less.
const TOLERANCE: f64 = 1e-9;

/// The longest list that is shown whole where another length follows; of a longer one, the length is.
const SHOWN: usize = 1000;

fn matches(pattern: &str, path: &[String]) -> bool {
    let mut path = path.iter();
    pattern.split('/').all(|part| path.next().is_some_and(|name| part == "*" || part == name))
}

/// Differences, and fields that the report doesn't have.
#[derive(Debug, Default)]
pub(super) struct DocumentDifferences {
    pub(super) differences: Vec<NotFollowing>,
    pub(super) not_stored: BTreeSet<String>,
}

impl DocumentDifferences {
    pub(super) fn extend(&mut self, other: DocumentDifferences) {
        self.differences.extend(other.differences);
        self.not_stored.extend(other.not_stored);
    }
}

pub(super) fn difference(path: String, stored: Value, recomputed: Value, from: FieldSource) -> NotFollowing {
    NotFollowing { path, stored, recomputed, from: from.message().into() }
}

/// Compares what is below `path`: as it was read, as it follows, and as it is in the file, where an absent field shows.
/// `is_own` tells that this very version wrote it: another one may word its texts otherwise and know fewer reasons.
pub(super) fn compare<T: Serialize + Sync>(
    path: &[&str],
    was: &T,
    is: &T,
    file: impl FnOnce() -> Value,
    is_own: bool,
) -> DocumentDifferences {
    let value = |of: &T| serde_json::to_value(of).unwrap_or_default();
    let (was, mut is) = rayon::join(|| value(was), || value(is));
    if is_own {
        word(&mut is);
    }
    if was == is {
        rayon::spawn(|| drop((was, is)));
        return DocumentDifferences::default();
    }
    let file = file();
    let path: Vec<String> = path.iter().map(|name| (*name).to_owned()).collect();
    let root = path.is_empty().then_some(&file);
    let mut walk = Walk { is_own, root, path, found: DocumentDifferences::default() };
    match (&was, &is) {
        (Value::Object(was), Value::Object(is)) if walk.root.is_some() => walk.blocks(was, is, &file),
        (was, is) => walk.value(Some(was), Some(is), Some(&file)),
    }
    walk.found
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

/// A walk along the trees at once.
struct Walk<'f> {
    is_own: bool,
    /// The whole file; `None` inside of one sample's results.
    root: Option<&'f Value>,
    path: Vec<String>,
    found: DocumentDifferences,
}

impl Walk<'_> {
    fn blocks(&mut self, was: &Map<String, Value>, is: &Map<String, Value>, file: &Value) {
        let known = SOURCES.iter().map(|(pattern, _)| pattern.split('/').next().unwrap_or_default());
        let names: Vec<&str> = known.chain(was.keys().chain(is.keys()).map(String::as_str)).collect();
        let mut seen = BTreeSet::from(["results"]);
        for name in names.into_iter().filter(|name| seen.insert(*name)) {
            self.below(name, (was.get(name), is.get(name), file.get(name)));
        }
    }

    fn below(&mut self, name: &str, (was, is, file): (Option<&Value>, Option<&Value>, Option<&Value>)) {
        self.path.push(name.to_owned());
        self.value(was, is, file);
        self.path.pop();
    }

    fn value(&mut self, was: Option<&Value>, is: Option<&Value>, file: Option<&Value>) {
        if NOT_COMPARED.iter().any(|pattern| matches(pattern, &self.path)) {
            return;
        }
        match (was, is) {
            (was, is) if was == is => {}
            (Some(Value::Object(was)), Some(Value::Object(is))) => self.objects(was, is, file),
            (Some(Value::Array(was)), Some(Value::Array(is))) => self.arrays(was, is, file),
            (was, is) if is_same(was, is) => {}
            (was, _) if file.is_none() && !self.is_known_to_lack(was) => {
                self.found.not_stored.insert(self.pointer());
            }
            (was, is) => self.push(was.cloned().unwrap_or_default(), is.cloned().unwrap_or_default()),
        }
    }

    fn objects(&mut self, was: &Map<String, Value>, is: &Map<String, Value>, file: Option<&Value>) {
        for key in was.keys().chain(is.keys().filter(|key| !was.contains_key(*key))) {
            let (was, is) = (was.get(key), is.get(key));
            let is_text = TEXTS.contains(&key.as_str()) && ![was, is].into_iter().flatten().any(Value::is_object);
            let is_worded = is_text || (self.is_inside_advice() && WORDS.contains(&key.as_str()));
            if self.is_own || !is_worded {
                self.below(key, (was, is, file.and_then(|of| of.get(key))));
            }
        }
    }

    /// Inside one of the suggestions or insights.
    fn is_inside_advice(&self) -> bool {
        matches!(self.path.as_slice(), [block, list, _] if block == "analysis" && ADVICE.contains(&list.as_str()))
    }

    fn arrays(&mut self, was: &[Value], is: &[Value], file: Option<&Value>) {
        if was.len() != is.len() {
            if let Some(rest) = self.without_added(was, is) {
                return self.arrays(was, &rest, file);
            }
            let values = |of: &[Value]| match of.len() {
                0..=SHOWN => Value::Array(of.to_vec()),
                length => serde_json::json!({ "length": length }),
            };
            return self.push(values(was), values(is));
        }
        for (i, (was, is)) in was.iter().zip(is).enumerate() {
            self.below(&i.to_string(), (Some(was), Some(is), file.and_then(|of| of.get(i))));
        }
    }

    /// Another version may give fewer reasons and tips than this one: those that it gives must follow, in their order.
    fn without_added(&mut self, was: &[Value], is: &[Value]) -> Option<Vec<Value>> {
        let is_advice = self.path.len() == 2 && ADVICE.contains(&self.path[1].as_str());
        let field = if is_advice { "/type" } else { "/messageKey/id" };
        let key = |of: &Value| of.pointer(field).and_then(Value::as_str).map(str::to_owned);
        if self.is_own || was.len() > is.len() || !is.iter().all(|of| key(of).is_some()) {
            return None;
        }
        let mut all = is.iter();
        let rest: Option<Vec<Value>> = was.iter().map(|was| all.find(|is| key(is) == key(was)).cloned()).collect();
        self.found.not_stored.extend(rest.is_some().then(|| self.pointer()));
        rest
    }

    /// Whether a field that the file doesn't have was written and then removed.
    fn is_known_to_lack(&self, was: Option<&Value>) -> bool {
        let by_name = self.path.len().checked_sub(2).is_some_and(|at| BY_NAME.contains(&self.path[at].as_str()));
        // a whole block is there wherever settings and results ask for it, in reports of any version
        let is_block = self.path.len() == 1;
        // unknown values are omitted in fields added later, and `null` in fields of the first format
        let from_the_first = was == Some(&Value::Null);
        self.is_own || by_name || is_block || from_the_first || self.has_sibling()
    }

    /// Whether another item of the list or map has the same field.
    fn has_sibling(&self) -> bool {
        let mut found: Vec<&Value> = self.root.into_iter().collect();
        for (at, name) in self.path.iter().enumerate() {
            let is_name = name.parse::<usize>().is_ok() || (at > 0 && BY_NAME.contains(&self.path[at - 1].as_str()));
            found = found.into_iter().flat_map(|of| children(of, name, is_name)).collect();
        }
        found.iter().any(|of| !of.is_null())
    }

    fn push(&mut self, stored: Value, recomputed: Value) {
        let source = SOURCES.iter().find(|(pattern, _)| matches(pattern, &self.path));
        let is_text = self.path.last().is_some_and(|name| name == "message");
        let from = if is_text { FieldSource::Key } else { source.map_or(FieldSource::Results, |(_, source)| *source) };
        self.found.differences.push(difference(self.pointer(), stored, recomputed, from));
    }

    fn pointer(&self) -> String {
        // a name inside a JSON pointer (RFC 6901)
        self.path.iter().map(|name| format!("/{}", name.replace('~', "~0").replace('/', "~1"))).collect()
    }
}

/// Whether two leaves are the same; a number that lacks is `null`.
fn is_same(was: Option<&Value>, is: Option<&Value>) -> bool {
    match (was.unwrap_or(&Value::Null), is.unwrap_or(&Value::Null)) {
        (Value::Number(was), Value::Number(is)) if was.is_f64() || is.is_f64() => {
            let [was, is] = [was, is].map(|of| of.as_f64().unwrap_or(f64::NAN));
            is_near(was, is)
        }
        (was, is) => was == is,
    }
}

/// Whether two numbers are the same but for rounding.
pub(super) fn is_near(was: f64, is: f64) -> bool {
    was == is || (was - is).abs() <= TOLERANCE * was.abs().max(is.abs()).max(1.0)
}

/// The child of this name, or every child.
fn children<'v>(of: &'v Value, name: &str, is_every: bool) -> Vec<&'v Value> {
    match of {
        Value::Array(all) if is_every => all.iter().collect(),
        Value::Object(all) if is_every => all.values().collect(),
        of => of.get(name).into_iter().collect(),
    }
}
