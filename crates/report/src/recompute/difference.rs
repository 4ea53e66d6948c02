//! Stored and recomputed numbers, side by side: every leaf that differs, with its path and what it follows from.
//!
//! The comparison knows no field by name but those of three tables: blocks and what they follow from, parts that
//! can't be recomputed, and objects whose keys are names. What is added to a report falls in by itself.

use std::collections::BTreeMap;

use eval_spec::Message;
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::contract::{Analysis, Note, SampleResult};

/// A stored number that doesn't follow.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NotFollowing {
    /// Where it stands: a JSON pointer into the report.
    pub path: String,
    /// What is stored.
    pub stored: Value,
    /// What follows.
    pub recomputed: Value,
    /// What it follows from.
    pub from: Note,
}

/// What the results tell the basis of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Basis {
    /// What every execution cost.
    pub(super) has_costs: bool,
    /// The opinions behind every judge's score.
    pub(super) has_opinions: bool,
}

impl Default for Basis {
    fn default() -> Basis {
        Basis { has_costs: true, has_opinions: true }
    }
}

impl Basis {
    pub(super) fn and(self, other: Basis) -> Basis {
        Basis { has_costs: self.has_costs && other.has_costs, has_opinions: self.has_opinions && other.has_opinions }
    }
}

/// Numbers nearer than this, of their size, are the same: sums in another order differ by less.
const TOLERANCE: f64 = 1e-9;

/// The blocks that are recomputed, in the order in which they are; the key of what they follow from. `meta` has a
/// comparison of its own.
const BLOCKS: &[(&str, &str)] = &[
    ("summary", "report-from-results"),
    ("comparisons", "report-from-results"),
    ("gold", "report-from-gold"),
    ("pairwise", "report-from-pairs"),
    ("judging", "report-from-opinions"),
    ("tripwires", "report-from-results"),
    ("variance", "report-from-results"),
    ("verdict", "report-from-inputs"),
    ("analysis", "report-from-results"),
    ("status", "report-from-verdict"),
    ("incompleteReason", "report-from-verdict"),
];

/// Blocks that are taken as stored whole, or compared elsewhere.
const NOT_BLOCKS: &[&str] = &["id", "schemaVersion", "incompleteDetail", "meta", "results"];

/// Objects whose keys are names, so that a key which lacks is a difference and no older format.
const BY_NAME: &[&str] = &["variants", "summary", "models", "failures", "languages", "perVariant"];

/// Texts of ours: their keys and arguments stand beside them, and another version may word them otherwise.
const TEXTS: &[&str] = &["message", "why"];

/// Findings of another version: what they are about follows, their words are its own.
const ADVICE: [&str; 2] = ["suggestions", "insights"];
const WORDS: [&str; 3] = ["message", "messageKey", "severity"];

/// A part of a report that rests on what the report doesn't hold.
pub(super) struct Known {
    path: &'static [&'static str],
    why: &'static str,
}

/// Those that stand in every report that has them.
pub(super) const AS_STORED: &[Known] = &[
    Known { path: &["analysis", "sampleQuality"], why: "report-as-stored-samples" },
    Known { path: &["stopping", "judgeCallsSaved"], why: "report-as-stored-judge-calls" },
    Known { path: &["stopping", "costSavedEstimate"], why: "report-as-stored-saved" },
    Known { path: &["stopping", "costSavedWhy"], why: "report-as-stored-saved" },
];

impl Known {
    pub(super) fn is_in(&self, stored: &Analysis) -> bool {
        let value = match self.path[0] {
            "analysis" => serde_json::to_value(&stored.analysis).unwrap_or_default(),
            "stopping" => serde_json::to_value(&stored.stopping).unwrap_or_default(),
            _ => return false,
        };
        self.path[1..].iter().try_fold(&value, |value, name| value.get(name)).is_some()
    }

    pub(super) fn pointer(&self) -> String {
        self.path.iter().map(|name| format!("/{name}")).collect()
    }

    pub(super) fn why(&self) -> Message {
        Message { id: self.why.into(), args: BTreeMap::default() }
    }
}

/// One difference; `from` is the key of what it follows from.
pub(super) fn difference(path: String, stored: Value, recomputed: Value, from: &'static str) -> NotFollowing {
    NotFollowing { path, stored, recomputed, from: Message { id: from.into(), args: BTreeMap::default() }.into() }
}

/// What a comparison has to know of the report.
#[derive(Clone, Copy, Debug)]
pub(super) struct Comparison {
    pub(super) basis: Basis,
    /// Whether this very version wrote it. Another one may word its texts otherwise and know fewer reasons.
    pub(super) is_own: bool,
}

impl Comparison {
    fn walk(self, raw: Option<&Value>) -> Walk<'_> {
        let (path, found, not_stored) = (Vec::new(), Vec::new(), Vec::new());
        Walk { comparison: self, raw, path, from: "report-from-checks", found, not_stored }
    }

    /// Every block but the results. `raw` gives the blocks as they stand in the file; it is asked only when something
    /// differs.
    pub(super) fn of_blocks(
        self,
        stored: &Analysis,
        again: &Analysis,
        raw: impl FnOnce() -> Value,
        found: &mut Vec<NotFollowing>,
        not_stored: &mut Vec<String>,
    ) {
        let [was, is] = [stored, again].map(|of| serde_json::to_value(of.clone().with_results(())).unwrap_or_default());
        let (Value::Object(was), Value::Object(is)) = (was, is) else { return };
        let blocks = blocks(&was, &is);
        let mut walk = self.walk(None);
        walk.blocks(&blocks, &was, &is, None);
        if walk.found.is_empty() && walk.not_stored.is_empty() {
            return;
        }
        let raw = raw();
        let mut walk = self.walk(Some(&raw));
        walk.blocks(&blocks, &was, &is, Some(&raw));
        found.extend(walk.found);
        not_stored.extend(walk.not_stored);
    }

    /// One sample's results, the `at`-th.
    pub(super) fn of_sample(
        self,
        at: usize,
        raw: &RawValue,
        [stored, again]: [&SampleResult; 2],
        found: &mut Vec<NotFollowing>,
        not_stored: &mut Vec<String>,
    ) {
        let raw: Value = serde_json::from_str(raw.get()).unwrap_or_default();
        let [was, is] = [stored, again].map(|of| serde_json::to_value(of).unwrap_or_default());
        let mut walk = self.walk(None);
        walk.path = vec!["results".to_owned(), at.to_string()];
        walk.value(Some(&was), Some(&is), Some(&raw));
        found.extend(walk.found);
        // the same field lacks in all samples
        not_stored.extend(walk.not_stored.into_iter().map(|path| path.replacen(&format!("/{at}/"), "/*/", 1)));
    }
}

/// The known blocks, and behind them those that nobody told this table of.
fn blocks<'a>(was: &'a Map<String, Value>, is: &'a Map<String, Value>) -> Vec<(&'a str, &'static str)> {
    let known = |name: &str| BLOCKS.iter().any(|(block, _)| *block == name) || NOT_BLOCKS.contains(&name);
    let mut new: Vec<&str> = was.keys().chain(is.keys()).map(String::as_str).filter(|name| !known(name)).collect();
    new.sort_unstable();
    new.dedup();
    BLOCKS.iter().copied().chain(new.into_iter().map(|name| (name, "report-from-results"))).collect()
}

/// A walk along two trees at once.
struct Walk<'r> {
    comparison: Comparison,
    /// The file as it stands, as far as it was asked for.
    raw: Option<&'r Value>,
    path: Vec<String>,
    from: &'static str,
    found: Vec<NotFollowing>,
    not_stored: Vec<String>,
}

impl<'r> Walk<'r> {
    fn blocks(
        &mut self,
        blocks: &[(&str, &'static str)],
        was: &Map<String, Value>,
        is: &Map<String, Value>,
        raw: Option<&Value>,
    ) {
        for (name, from) in blocks {
            self.from = from;
            self.path.push((*name).to_owned());
            // without the file at hand, nothing is known to lack
            let here = raw.map_or(was.get(*name), |raw| raw.get(*name));
            self.value(was.get(*name), is.get(*name), here);
            self.path.pop();
        }
    }

    /// `raw` is what the file has there, `None` where it has nothing.
    fn value(&mut self, was: Option<&Value>, is: Option<&Value>, raw: Option<&Value>) {
        if self.is_as_stored() {
            return;
        }
        match (was, is) {
            (Some(Value::Object(was)), Some(Value::Object(is))) => self.objects(was, is, raw),
            (Some(Value::Array(was)), Some(Value::Array(is))) => self.arrays(was, is, raw),
            (was, is) if is_same(was, is) => {}
            (was, is) => self.differs(was, is, raw),
        }
    }

    fn objects(&mut self, was: &Map<String, Value>, is: &Map<String, Value>, raw: Option<&Value>) {
        let keys = was.keys().chain(is.keys().filter(|key| !was.contains_key(*key)));
        for key in keys {
            let both = (was.get(key), is.get(key));
            if !self.comparison.is_own
                && TEXTS.contains(&key.as_str())
                && !matches!(both, (Some(Value::Object(_)), _) | (_, Some(Value::Object(_))))
            {
                continue;
            }
            if self.is_advice_of_another() && WORDS.contains(&key.as_str()) {
                continue;
            }
            self.path.push(key.clone());
            self.value(both.0, both.1, raw.and_then(|raw| raw.get(key)));
            self.path.pop();
        }
    }

    /// Inside one of another version's suggestions or insights.
    fn is_advice_of_another(&self) -> bool {
        let path: Vec<&str> = self.path.iter().map(String::as_str).collect();
        !self.comparison.is_own && matches!(path.as_slice(), ["analysis", list, _] if ADVICE.contains(list))
    }

    fn arrays(&mut self, was: &[Value], is: &[Value], raw: Option<&Value>) {
        if was.len() != is.len() {
            if let Some(rest) = self.without_added(was, is) {
                return self.arrays(was, &rest, raw);
            }
            let values = |of: &[Value]| Value::Array(of.to_vec());
            self.push(values(was), values(is));
            return;
        }
        for (i, (was, is)) in was.iter().zip(is).enumerate() {
            self.path.push(i.to_string());
            self.value(Some(was), Some(is), raw.and_then(|raw| raw.get(i)));
            self.path.pop();
        }
    }

    /// Another version may give fewer reasons and tips than this one: those that it gives must follow, in their order.
    fn without_added(&mut self, was: &[Value], is: &[Value]) -> Option<Vec<Value>> {
        let is_advice = self.path.len() == 2 && ADVICE.contains(&self.path[1].as_str());
        let field = if is_advice { "/type" } else { "/messageKey/id" };
        let key = |of: &Value| of.pointer(field).and_then(Value::as_str).map(str::to_owned);
        if self.comparison.is_own || was.len() > is.len() || !is.iter().all(|of| key(of).is_some()) {
            return None;
        }
        let mut all = is.iter();
        let rest: Option<Vec<Value>> = was.iter().map(|was| all.find(|is| key(is) == key(was)).cloned()).collect();
        self.not_stored.extend(rest.is_some().then(|| self.pointer()));
        rest
    }

    fn differs(&mut self, was: Option<&Value>, is: Option<&Value>, raw: Option<&Value>) {
        if raw.is_none() && !self.is_known_to_lack(was) {
            self.not_stored.push(self.pointer());
            return;
        }
        let value = |of: Option<&Value>| of.cloned().unwrap_or_default();
        self.push(value(was), value(is));
    }

    /// Whether what isn't in the file was in what its writer wrote, and was taken out.
    fn is_known_to_lack(&self, was: Option<&Value>) -> bool {
        let by_name = self.path.len().checked_sub(2).is_some_and(|at| BY_NAME.contains(&self.path[at].as_str()));
        // a whole block is there wherever settings and results ask for it, in reports of any version
        let is_block = self.path.len() == 1;
        let at_top = self.path.len() == 2 && self.path[0] == "results";
        // what came later is left out where it is unknown, and what was there from the first is `null`
        let from_the_first = was == Some(&Value::Null);
        self.comparison.is_own || by_name || is_block || at_top || from_the_first || self.has_sibling()
    }

    /// Whether the same field stands in another item of the list, or of what is kept by name.
    fn has_sibling(&self) -> bool {
        let Some(blocks) = self.raw else { return false };
        let is_name = |at: usize| {
            self.path[at].parse::<usize>().is_ok() || at > 0 && BY_NAME.contains(&self.path[at - 1].as_str())
        };
        let mut found = vec![blocks];
        for (at, part) in self.path.iter().enumerate() {
            let below = |of: &'r Value| -> Vec<&'r Value> {
                match of {
                    Value::Array(all) if is_name(at) => all.iter().collect(),
                    Value::Object(all) if is_name(at) => all.values().collect(),
                    of => of.get(part).into_iter().collect(),
                }
            };
            found = found.into_iter().flat_map(below).collect();
        }
        found.iter().any(|of| !of.is_null())
    }

    fn push(&mut self, stored: Value, recomputed: Value) {
        self.found.push(difference(self.pointer(), stored, recomputed, self.source()));
    }

    /// Inside the verdict, what was read follows from the results, and what was decided from what was read.
    fn source(&self) -> &'static str {
        match self.path.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
            ["verdict", "inputs", ..] => "report-from-summary",
            _ => self.from,
        }
    }

    fn is_as_stored(&self) -> bool {
        let path: Vec<&str> = self.path.iter().map(String::as_str).collect();
        match path.as_slice() {
            ["summary", _, "totalCostUSD" | "knownCostUSD"] => !self.comparison.basis.has_costs,
            // of our own, all that rests on results was made again
            ["analysis", "sampleQuality"] => !self.comparison.is_own,
            path => AS_STORED.iter().any(|known| known.path == path),
        }
    }

    fn pointer(&self) -> String {
        self.path.iter().map(|name| format!("/{}", escaped(name))).collect()
    }
}

/// Whether two leaves are the same; a number that lacks is `null`.
fn is_same(was: Option<&Value>, is: Option<&Value>) -> bool {
    match (was.unwrap_or(&Value::Null), is.unwrap_or(&Value::Null)) {
        (Value::Number(was), Value::Number(is)) if was.is_f64() || is.is_f64() => {
            let (was, is) = (was.as_f64().unwrap_or(f64::NAN), is.as_f64().unwrap_or(f64::NAN));
            is_near(was, is)
        }
        (was, is) => was == is,
    }
}

/// Whether two numbers are the same but for rounding.
pub(super) fn is_near(was: f64, is: f64) -> bool {
    was == is || (was - is).abs() <= TOLERANCE * was.abs().max(is.abs()).max(1.0)
}

/// A name inside a JSON pointer (RFC 6901).
pub(super) fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
