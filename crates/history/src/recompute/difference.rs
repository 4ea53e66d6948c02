//! Stored and recomputed numbers, side by side: every leaf that differs, with its path and what it follows from.
//!
//! The comparison knows no field by name but those of three tables: blocks and what they follow from, parts that
//! can't be recomputed, and objects whose keys are names. What is added to a report falls in by itself.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use eval_format::report::Note;
use eval_format::{Analysis, Report, SampleResult};
use eval_message::{Message, msg};
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

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

/// What a number follows from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FollowsFrom {
    Results,
    Gold,
    Pairs,
    Opinions,
    Inputs,
    Verdict,
    Version,
    Costs,
    Findings,
    Key,
    Checks,
    Summary,
    Repeat,
}

impl From<FollowsFrom> for Message {
    fn from(from: FollowsFrom) -> Message {
        match from {
            FollowsFrom::Results => msg!("report-from-results"),
            FollowsFrom::Gold => msg!("report-from-gold"),
            FollowsFrom::Pairs => msg!("report-from-pairs"),
            FollowsFrom::Opinions => msg!("report-from-opinions"),
            FollowsFrom::Inputs => msg!("report-from-inputs"),
            FollowsFrom::Verdict => msg!("report-from-verdict"),
            FollowsFrom::Version => msg!("report-from-version"),
            FollowsFrom::Costs => msg!("report-from-costs"),
            FollowsFrom::Findings => msg!("report-from-findings"),
            FollowsFrom::Key => msg!("report-from-key"),
            FollowsFrom::Checks => msg!("report-from-checks"),
            FollowsFrom::Summary => msg!("report-from-summary"),
            FollowsFrom::Repeat => msg!("report-from-repeat"),
        }
    }
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

/// The longest list that is shown whole where another length follows; of a longer one, the length is.
const SHOWN: usize = 1000;

/// The blocks that are recomputed, in the order in which they are, and what they follow from. `meta` has a
/// comparison of its own.
const BLOCKS: &[(&str, FollowsFrom)] = &[
    ("summary", FollowsFrom::Results),
    ("comparisons", FollowsFrom::Results),
    ("gold", FollowsFrom::Gold),
    ("pairwise", FollowsFrom::Pairs),
    ("judging", FollowsFrom::Opinions),
    ("tripwires", FollowsFrom::Results),
    ("variance", FollowsFrom::Results),
    ("verdict", FollowsFrom::Inputs),
    ("analysis", FollowsFrom::Results),
    ("status", FollowsFrom::Verdict),
    ("incompleteReason", FollowsFrom::Verdict),
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
    why: fn() -> Message,
}

/// Those that stand in every report that has them.
pub(super) const AS_STORED: &[Known] = &[
    Known { path: &["analysis", "sampleQuality"], why: || msg!("report-as-stored-samples") },
    Known { path: &["stopping", "judgeCallsSaved"], why: || msg!("report-as-stored-judge-calls") },
    Known { path: &["stopping", "costSavedEstimate"], why: || msg!("report-as-stored-saved") },
    Known { path: &["stopping", "costSavedWhy"], why: || msg!("report-as-stored-saved") },
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
        (self.why)()
    }
}

/// One difference.
pub(super) fn difference(path: String, stored: Value, recomputed: Value, from: FollowsFrom) -> NotFollowing {
    NotFollowing { path, stored, recomputed, from: Message::from(from).into() }
}

/// What a comparison has to know of the report.
#[derive(Clone, Copy, Debug)]
pub(super) struct Comparison {
    pub(super) basis: Basis,
    /// Whether this very version wrote it. Another one may word its texts otherwise and know fewer reasons.
    pub(super) is_own: bool,
}

impl Comparison {
    /// Every block but the results. `file` gives the blocks as they stand in the file.
    pub(super) fn of_blocks(
        self,
        stored: &Report<()>,
        again: &Report<()>,
        file: &File<'_>,
        found: &mut Vec<NotFollowing>,
        not_stored: &mut Vec<String>,
    ) {
        let [was, is] = [stored, again].map(|of| serde_json::to_value(of).unwrap_or_default());
        let (Value::Object(was), Value::Object(is)) = (was, is) else { return };
        let mut walk = Walk::new(self, file, Vec::new());
        walk.blocks(&blocks(&was, &is), &was, &is);
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
        let [was, is] = [stored, again].map(|of| serde_json::to_value(of).unwrap_or_default());
        let file = File::of_sample(raw);
        let mut walk = Walk::new(self, &file, vec!["results".to_owned(), at.to_string()]);
        walk.value(Some(&was), Some(&is));
        found.extend(walk.found);
        // the same field lacks in all samples
        not_stored.extend(walk.not_stored.into_iter().map(|path| path.replacen(&format!("/{at}/"), "/*/", 1)));
    }
}

/// What stands in the file, where it has to be known what lacks there: read block by block, and only those that differ.
pub(super) struct File<'t> {
    /// The names above what is read.
    above: usize,
    raw: BTreeMap<String, &'t RawValue>,
    read: RefCell<BTreeMap<String, Rc<Value>>>,
}

impl<'t> File<'t> {
    /// A whole report, its text.
    pub(super) fn of_report(text: &'t [u8]) -> File<'t> {
        let raw = serde_json::from_slice(text).unwrap_or_default();
        File { above: 1, raw, read: RefCell::default() }
    }

    fn of_sample(raw: &'t RawValue) -> File<'t> {
        File { above: 2, raw: BTreeMap::from([("results".to_owned(), raw)]), read: RefCell::default() }
    }

    /// The block that a path leads into, and the names below it.
    fn block<'p>(&self, path: &'p [String]) -> Option<(Rc<Value>, &'p [String])> {
        let name = path.first()?;
        let raw = self.raw.get(name)?;
        let parse = || Rc::new(serde_json::from_str(raw.get()).unwrap_or_default());
        let block = Rc::clone(self.read.borrow_mut().entry(name.clone()).or_insert_with(parse));
        Some((block, path.get(self.above..)?))
    }

    fn has(&self, path: &[String]) -> bool {
        let Some((block, below)) = self.block(path) else { return false };
        below.iter().try_fold(&*block, |of, name| child(of, name)).is_some()
    }

    /// Whether the same field stands in another item of the list, or of what is kept by name.
    fn has_sibling(&self, path: &[String]) -> bool {
        let Some((block, below)) = self.block(path).filter(|_| self.above == 1) else { return false };
        let mut found = vec![&*block];
        for (at, name) in (self.above..).zip(below) {
            let is_name = name.parse::<usize>().is_ok() || BY_NAME.contains(&path[at - 1].as_str());
            let mut items = Vec::new();
            for of in found {
                match of {
                    Value::Array(all) if is_name => items.extend(all),
                    Value::Object(all) if is_name => items.extend(all.values()),
                    of => items.extend(child(of, name)),
                }
            }
            found = items;
        }
        found.iter().any(|of| !of.is_null())
    }
}

fn child<'v>(of: &'v Value, name: &str) -> Option<&'v Value> {
    match of {
        Value::Array(all) => all.get(name.parse::<usize>().ok()?),
        of => of.get(name),
    }
}

/// The known blocks, and behind them those that nobody told this table of.
fn blocks<'a>(was: &'a Map<String, Value>, is: &'a Map<String, Value>) -> Vec<(&'a str, FollowsFrom)> {
    let known = |name: &str| BLOCKS.iter().any(|(block, _)| *block == name) || NOT_BLOCKS.contains(&name);
    let mut new: Vec<&str> = was.keys().chain(is.keys()).map(String::as_str).filter(|name| !known(name)).collect();
    new.sort_unstable();
    new.dedup();
    BLOCKS.iter().copied().chain(new.into_iter().map(|name| (name, FollowsFrom::Results))).collect()
}

/// A walk along two trees at once.
struct Walk<'f> {
    comparison: Comparison,
    file: &'f File<'f>,
    path: Vec<String>,
    from: FollowsFrom,
    found: Vec<NotFollowing>,
    not_stored: Vec<String>,
}

impl<'f> Walk<'f> {
    fn new(comparison: Comparison, file: &'f File<'f>, path: Vec<String>) -> Walk<'f> {
        Walk { comparison, file, path, from: FollowsFrom::Checks, found: Vec::new(), not_stored: Vec::new() }
    }

    fn blocks(&mut self, blocks: &[(&str, FollowsFrom)], was: &Map<String, Value>, is: &Map<String, Value>) {
        for (name, from) in blocks {
            self.from = *from;
            self.path.push((*name).to_owned());
            self.value(was.get(*name), is.get(*name));
            self.path.pop();
        }
    }

    fn value(&mut self, was: Option<&Value>, is: Option<&Value>) {
        if self.is_as_stored() {
            return;
        }
        match (was, is) {
            (Some(Value::Object(was)), Some(Value::Object(is))) => self.objects(was, is),
            (Some(Value::Array(was)), Some(Value::Array(is))) => self.arrays(was, is),
            (was, is) if is_same(was, is) => {}
            (was, is) => self.differs(was, is),
        }
    }

    fn objects(&mut self, was: &Map<String, Value>, is: &Map<String, Value>) {
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
            self.value(both.0, both.1);
            self.path.pop();
        }
    }

    /// Inside one of another version's suggestions or insights.
    fn is_advice_of_another(&self) -> bool {
        let path: Vec<&str> = self.path.iter().map(String::as_str).collect();
        !self.comparison.is_own && matches!(path.as_slice(), ["analysis", list, _] if ADVICE.contains(list))
    }

    fn arrays(&mut self, was: &[Value], is: &[Value]) {
        if was.len() != is.len() {
            if let Some(rest) = self.without_added(was, is) {
                return self.arrays(was, &rest);
            }
            let values = |of: &[Value]| match of.len() {
                0..=SHOWN => Value::Array(of.to_vec()),
                length => serde_json::json!({ "length": length }),
            };
            self.push(values(was), values(is));
            return;
        }
        for (i, (was, is)) in was.iter().zip(is).enumerate() {
            self.path.push(i.to_string());
            self.value(Some(was), Some(is));
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

    fn differs(&mut self, was: Option<&Value>, is: Option<&Value>) {
        if !self.is_known_to_lack(was) && !self.file.has(&self.path) {
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
        self.comparison.is_own || by_name || is_block || at_top || from_the_first || self.file.has_sibling(&self.path)
    }

    fn push(&mut self, stored: Value, recomputed: Value) {
        self.found.push(difference(self.pointer(), stored, recomputed, self.source()));
    }

    /// Inside the verdict, what was read follows from the results, and what was decided from what was read.
    fn source(&self) -> FollowsFrom {
        match self.path.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
            ["verdict", "inputs", ..] => FollowsFrom::Summary,
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
