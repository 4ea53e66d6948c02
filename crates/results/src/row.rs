//! One result as a file has it, before it is known which arm, case and score are meant.

use std::collections::BTreeMap;
use std::sync::Arc;

use eval_format::UnknownFact;
use eval_message::Message;
use eval_spec::Outcome;
use eval_spec::call::Usage;

use crate::format::ResultFormat;

/// One result of one case in one arm.
#[derive(Clone, Debug, Default)]
pub struct ForeignRow {
    /// Its place: a line, or an index in a list, as [`ReadResults::unit`] says.
    pub at: u64,
    /// The case's id, where the same id means the same case in every file.
    pub id: Option<Arc<str>>,
    /// What was asked, arms aside.
    pub input: Option<Arc<str>>,
    /// What cases without an id are paired by, where that is more than what was asked.
    pub pair: Option<Arc<str>>,
    /// What people call the case, where it has no id.
    pub name: Option<Arc<str>>,
    /// The suite that the case stands in, where its id leaves that out.
    pub suite: Option<Arc<str>>,
    /// What the arm is made of: `provider`, `prompt`, a column's name, each with its value.
    pub arm: Vec<(Arc<str>, Arc<str>)>,
    /// Which trial it is, where the file numbers them.
    pub trial: Option<Arc<str>>,
    /// How it ended.
    pub end: RowEnd,
    /// Every score it has.
    pub scores: Vec<RowScore>,
    /// Why scores that it should have are absent, in the tool's words.
    pub lacks: Option<String>,
    /// The answer.
    pub answer: Option<String>,
    /// Why the score is what it is, in the tool's words.
    pub reason: Option<String>,
    /// The model that answered.
    pub model: Option<Arc<str>>,
    /// In milliseconds.
    pub latency_ms: Option<u64>,
    /// US dollars.
    pub cost_usd: Option<f64>,
    /// Tokens.
    pub usage: Option<Usage>,
    /// Mark of a column of scores that was not named as an arm.
    pub is_further: bool,
}

/// How a result came to its end.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum RowEnd {
    /// With an answer, which was graded.
    #[default]
    Graded,
    /// With something that is no complete answer, by the artifact's own doing.
    Unanswered(Outcome),
    /// Without an answer: an infrastructure failure, in the tool's words.
    Failed(String),
    /// With an answer that could not be graded, in the tool's words.
    Ungraded(String),
}

/// A score under its name.
#[derive(Clone, Debug, PartialEq)]
pub struct RowScore {
    /// Its name.
    pub name: Arc<str>,
    /// Its value.
    pub value: ScoreValue,
}

/// A score as it is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ScoreValue {
    /// A finite number on a scale that the file doesn't tell.
    Number(f64),
    /// Passed or failed.
    Passed(bool),
    /// A number that the tool's own rules put on 0..=1, such as half for a partial answer.
    Share(f64),
}

/// What [`ForeignRow::at`] counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaceUnit {
    /// Lines, from 1.
    Line,
    /// The entries of the list at this JSON pointer, from 0.
    Entry(&'static str),
    /// The entries of the first list up to this many, then those of the second.
    Entries(&'static str, u64, &'static str),
    /// The rows of this table, by their key.
    Record(&'static str),
}

/// Of which scores more is better, as far as a tool tells.
#[derive(Clone, Debug, Default)]
pub struct ScoreDirections {
    /// Whether it is of all.
    pub all_rise: bool,
    /// Whether it is, by the score's name.
    pub told: BTreeMap<Arc<str>, bool>,
}

impl ScoreDirections {
    /// More is better of every score that the tool has.
    pub(crate) fn rising() -> ScoreDirections {
        ScoreDirections { all_rise: true, told: BTreeMap::new() }
    }

    /// Whether more is better; nothing where the tool doesn't tell.
    pub(crate) fn rises(&self, score: &str) -> Option<bool> {
        self.told.get(score).copied().or(self.all_rise.then_some(true))
    }
}

/// What one file says.
#[derive(Clone, Debug)]
pub struct ReadResults {
    /// The format it is in.
    pub format: &'static ResultFormat,
    /// The file's name, as it is shown.
    pub file: String,
    /// 64 hex digits of SHA-256 over it.
    pub sha256: String,
    /// The version of the tool that wrote it.
    pub tool_version: Option<String>,
    /// What `at` counts.
    pub unit: PlaceUnit,
    /// The results, in the file's order.
    pub rows: Vec<ForeignRow>,
    /// The score that the tool itself decides by.
    pub overall: Option<Arc<str>>,
    /// Of which scores more is better.
    pub directions: ScoreDirections,
    /// What the format doesn't hold.
    pub unknown: Vec<UnknownFact>,
    /// What was chosen while reading, such as columns.
    pub notes: Vec<Message>,
}

impl ReadResults {
    /// The place of a row, for messages.
    #[must_use]
    pub fn place(&self, at: u64) -> String {
        match self.unit {
            PlaceUnit::Line => format!("{}:{at}", self.file),
            PlaceUnit::Entry(list) => format!("{}#{list}/{at}", self.file),
            PlaceUnit::Entries(list, count, _) if at < count => format!("{}#{list}/{at}", self.file),
            PlaceUnit::Entries(_, count, list) => format!("{}#{list}/{}", self.file, at - count),
            PlaceUnit::Record(table) => format!("{}: {table} {at}", self.file),
        }
    }
}
