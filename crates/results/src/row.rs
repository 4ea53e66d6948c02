//! One result as a file has it, before arm, case and score are chosen.

use std::collections::BTreeMap;
use std::sync::Arc;

use eval_format::UnknownFact;
use eval_message::Message;
use eval_spec::Outcome;
use eval_spec::call::Usage;
use serde_json::Value;

use crate::format::ResultFormat;

/// One result of one case in one arm.
#[derive(Clone, Debug, Default)]
pub struct ForeignRow {
    /// Place in the file, counted as [`ReadResults::unit`] says.
    pub position: u64,
    /// Id of the case, if the same id means the same case in every file.
    pub id: Option<Arc<str>>,
    /// Prompt, without what differs between arms.
    pub input: Option<Arc<str>>,
    /// Key that pairs cases without an id, if it isn't `input`.
    pub pair: Option<Arc<str>>,
    /// Readable name of a case without an id.
    pub name: Option<Arc<str>>,
    /// Suite of the case, if the id doesn't contain it.
    pub suite: Option<Arc<str>>,
    /// Dimensions of the arm with their values: `provider`, `prompt`, a column's name.
    pub arm: Vec<(Arc<str>, Arc<str>)>,
    /// Label of the trial, if the file has one.
    pub trial: Option<Arc<str>>,
    pub end: RowEnd,
    /// All scores of the result.
    pub scores: Vec<RowScore>,
    /// Reason why expected scores are absent, in the tool's words.
    pub missing_reason: Option<String>,
    pub answer: Option<String>,
    /// Explanation of the score, in the tool's words.
    pub reason: Option<String>,
    /// Model that answered.
    pub model: Option<Arc<str>>,
    pub latency_ms: Option<u64>,
    pub cost_usd: Option<f64>,
    pub usage: Option<Usage>,
    /// `true` if the score is from a column that the user did not name as an arm.
    pub is_further: bool,
}

/// How a result ended.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum RowEnd {
    /// Answered and graded.
    #[default]
    Graded,
    /// No complete answer, through the artifact's own fault.
    Unanswered(Outcome),
    /// No answer because of an infrastructure failure, described in the tool's words.
    Failed(String),
    /// Answered, but not graded for this reason, in the tool's words.
    Ungraded(String),
}

#[derive(Clone, Debug, PartialEq)]
pub struct RowScore {
    pub name: Arc<str>,
    pub value: ScoreValue,
}

/// A score as the file has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ScoreValue {
    /// Finite number; the file doesn't give the scale.
    Number(f64),
    Passed(bool),
    /// Number on 0..=1 by the tool's own rules, such as 0.5 for a partially correct answer.
    Share(f64),
}

/// Unit of [`ForeignRow::position`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaceUnit {
    /// Lines, from 1.
    Line,
    /// Entries, from 0, of the list at this JSON pointer.
    Entry(&'static str),
    /// Entries, from 0, of the first list, which has this many, and then of the second.
    Entries(&'static str, u64, &'static str),
    /// Rows of this table, by key.
    Record(&'static str),
}

/// Says of scores whether more is better, as far as the tool knows.
#[derive(Clone, Debug, Default)]
pub struct ScoreDirections {
    /// `true` if more is better of each score that isn't in `by_score`.
    pub all_rise: bool,
    /// `true` if more is better, by name of the score.
    pub by_score: BTreeMap<Arc<str>, bool>,
}

impl RowScore {
    pub(crate) fn number(name: &str, number: f64) -> RowScore {
        RowScore { name: name.into(), value: ScoreValue::Number(number) }
    }

    /// Converts a boolean or a finite number; anything else is no score.
    pub(crate) fn from_json(name: &str, value: &Value) -> Option<RowScore> {
        match value {
            Value::Bool(passed) => Some(RowScore::passed(name, *passed)),
            Value::Number(number) => Some(RowScore::number(name, number.as_f64().filter(|number| number.is_finite())?)),
            _ => None,
        }
    }

    pub(crate) fn passed(name: &str, passed: bool) -> RowScore {
        RowScore { name: name.into(), value: ScoreValue::Passed(passed) }
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked to be a count")]
pub(crate) fn milliseconds(seconds: f64) -> Option<u64> {
    (0.0..1e12).contains(&seconds).then(|| (seconds * 1000.0).round() as u64)
}

impl ScoreDirections {
    pub(crate) fn rising() -> ScoreDirections {
        ScoreDirections { all_rise: true, by_score: BTreeMap::new() }
    }

    /// Returns whether more is better; `None` if the tool doesn't say.
    pub(crate) fn rises(&self, score: &str) -> Option<bool> {
        self.by_score.get(score).copied().or(self.all_rise.then_some(true))
    }
}

/// The contents of one file.
#[derive(Clone, Debug)]
pub struct ReadResults {
    pub format: &'static ResultFormat,
    /// Name of the file for messages.
    pub file: String,
    /// SHA-256 of the file, 64 hex digits.
    pub sha256: String,
    /// Version of the tool that wrote the file.
    pub tool_version: Option<String>,
    /// Unit of the positions in `rows`.
    pub unit: PlaceUnit,
    /// Results, in the order of the file.
    pub rows: Vec<ForeignRow>,
    /// Score that the tool itself decides by.
    pub overall: Option<Arc<str>>,
    pub directions: ScoreDirections,
    /// Facts that the file doesn't contain.
    pub unknown: Vec<UnknownFact>,
    /// Choices made while reading, such as columns.
    pub notes: Vec<Message>,
}

impl ReadResults {
    /// Returns the place of a row, for messages.
    #[must_use]
    pub fn place(&self, position: u64) -> String {
        match self.unit {
            PlaceUnit::Line => format!("{}:{position}", self.file),
            PlaceUnit::Entry(list) => format!("{}#{list}/{position}", self.file),
            PlaceUnit::Entries(list, count, _) if position < count => format!("{}#{list}/{position}", self.file),
            PlaceUnit::Entries(_, count, list) => format!("{}#{list}/{}", self.file, position - count),
            PlaceUnit::Record(table) => format!("{}: {table} {position}", self.file),
        }
    }
}
