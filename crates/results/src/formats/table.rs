//! Rows of named columns: shared by CSV and JSON lines.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use eval_format::UnknownFact;
use eval_message::{Message, msg};
use serde_json::Value;

use crate::error::{ResultsError, listed};
use crate::format::{ResultFormat, TableColumns};
use crate::row::{ForeignRow, PlaceUnit, ReadResults, RowEnd, RowScore, ScoreDirections, ScoreValue};
use crate::source::{ResultSource, RowSink};

/// Usual column names, the likeliest first.
const IDS: &[&str] = &[
    "id",
    "case_id",
    "case",
    "sample_id",
    "sample",
    "test_id",
    "test",
    "question_id",
    "example_id",
    "task_id",
    "item_id",
    "item",
    "doc_id",
    "idx",
    "index",
];
const ARMS: &[&str] = &["arm", "variant", "condition", "treatment", "experiment", "version", "system", "model"];
const SCORES: &[&str] = &[
    "score",
    "passed",
    "pass",
    "correct",
    "is_correct",
    "success",
    "accuracy",
    "reward",
    "grade",
    "rating",
    "result",
    "value",
    "composite",
];
const TRIALS: &[&str] = &["trial", "repeat", "epoch", "run", "attempt", "repetition"];
const ERRORS: &[&str] = &["error", "error_message", "exception"];
const INPUTS: &[&str] = &["prompt", "input", "question", "query"];
const ANSWERS: &[&str] = &["answer", "output", "response", "completion"];
const MODELS: &[&str] = &["model", "model_name"];
const REASONS: &[&str] = &["reason", "explanation", "comment"];

/// Number of columns that an error lists.
const MAX_LISTED: usize = 30;
/// Name of the dimension whose values are models.
const MODEL: &str = "model";

/// The columns chosen for each meaning.
#[derive(Clone, Debug)]
pub(crate) struct ChosenColumns {
    id: Option<String>,
    arm: Option<String>,
    score: Option<String>,
    trial: Option<String>,
    errors: Vec<String>,
    input: Option<String>,
    answer: Option<String>,
    model: Option<String>,
    reason: Option<String>,
    /// Columns of scores, one for each arm; empty if arms aren't columns.
    wide: Vec<String>,
    /// Other columns of scores beside `wide`: treatments that are not compared.
    further: Vec<String>,
}

impl ChosenColumns {
    /// Chooses columns by name or by their usual names. Fails if a named column doesn't exist.
    pub(crate) fn choose(names: &[String], given: &TableColumns, place: &str) -> Result<ChosenColumns, ResultsError> {
        let exists = |name: &str| names.iter().any(|column| column == name);
        let check = |flag: &'static str, name: &Option<String>| match name {
            Some(name) if !exists(name) => {
                Err(ResultsError::new(msg!("results-no-column", place = place, flag = flag, column = name))
                    .help(msg!("results-columns", columns = listed(names.iter(), MAX_LISTED))))
            }
            _ => Ok(()),
        };
        check("--id-column", &given.id)?;
        check("--arm-column", &given.arm)?;
        check("--score-column", &given.score)?;
        check("--trial-column", &given.trial)?;
        check("--error-column", &given.error)?;
        let usual = |usual: &[&str]| usual.iter().find_map(|usual| names.iter().find(|name| folded(name) == *usual));
        let errors = || names.iter().filter(|name| ERRORS.contains(&folded(name).as_str())).cloned().collect();
        let given_or = |given: &Option<String>, names: &[&str]| given.clone().or_else(|| usual(names).cloned());
        let wide: Vec<String> = match given.arm.is_none() && given.score.is_none() && given.arms.len() > 1 {
            true if given.arms.iter().all(|arm| exists(arm)) => given.arms.clone(),
            _ => Vec::new(),
        };
        let is_wide = !wide.is_empty();
        let chosen = ChosenColumns {
            id: given_or(&given.id, IDS),
            arm: given_or(&given.arm, ARMS).filter(|_| !is_wide),
            score: given_or(&given.score, SCORES).filter(|_| !is_wide),
            trial: given_or(&given.trial, TRIALS),
            errors: given.error.clone().map_or_else(errors, |given| vec![given]),
            input: usual(INPUTS).cloned(),
            answer: usual(ANSWERS).cloned().filter(|_| !is_wide),
            model: usual(MODELS).cloned(),
            reason: usual(REASONS).cloned(),
            wide,
            further: Vec::new(),
        };
        if chosen.score.is_none() && !is_wide {
            return Err(ResultsError::new(msg!("results-no-score-column", place = place))
                .help(msg!("results-no-score-column-help", columns = listed(names.iter(), MAX_LISTED))));
        }
        if chosen.id.is_none() && chosen.input.is_none() {
            return Err(ResultsError::new(msg!("results-no-id-column", place = place))
                .help(msg!("results-no-id-column-help", columns = listed(names.iter(), MAX_LISTED))));
        }
        Ok(chosen)
    }

    /// Returns the columns that are read.
    pub(crate) fn used(&self) -> impl Iterator<Item = &String> {
        let single =
            [&self.id, &self.arm, &self.score, &self.trial, &self.input, &self.answer, &self.model, &self.reason];
        single.into_iter().flatten().chain(&self.errors).chain(&self.wide)
    }

    /// Returns a note that lists the chosen columns.
    fn note(&self, file: &str) -> Message {
        let errors = (!self.errors.is_empty()).then(|| self.errors.join(", "));
        let chosen = [
            ("id", &self.id),
            ("arm", &self.arm),
            ("score", &self.score),
            ("trial", &self.trial),
            ("error", &errors),
            ("prompt", if self.id.is_none() { &self.input } else { &None }),
        ];
        let each = chosen.iter().filter_map(|(meaning, column)| Some(format!("{meaning} = {}", column.as_ref()?)));
        let wide = (!self.wide.is_empty()).then(|| format!("arms = {}", self.wide.join(", ")));
        msg!("results-columns-chosen", file = file, columns = each.chain(wide).collect::<Vec<_>>().join(", "))
    }

    /// Returns the facts that a table with these columns doesn't contain.
    fn unknown(&self) -> Vec<UnknownFact> {
        let is_known = |fact: &UnknownFact| match fact {
            UnknownFact::Models => self.model.is_some(),
            UnknownFact::Prompts => self.input.is_some(),
            UnknownFact::Answers => self.answer.is_some(),
            UnknownFact::Errors => !self.errors.is_empty(),
            UnknownFact::ToolVersion => true,
            UnknownFact::Grader | UnknownFact::Order | UnknownFact::Seed | UnknownFact::Cost => false,
        };
        UnknownFact::ALL.into_iter().filter(|fact| !is_known(fact)).collect()
    }

    /// Makes the contents of a table from its rows.
    pub(crate) fn results(
        &self,
        format: &'static ResultFormat,
        source: &ResultSource,
        rows: RowSink,
    ) -> Result<ReadResults, ResultsError> {
        Ok(ReadResults {
            format,
            file: source.shown.clone(),
            sha256: source.sha256()?,
            tool_version: None,
            unit: PlaceUnit::Line,
            rows: rows.rows(),
            overall: Some(self.overall()),
            directions: ScoreDirections::default(),
            unknown: self.unknown(),
            notes: vec![self.note(&source.shown)],
        })
    }

    /// Returns the name of the score.
    fn overall(&self) -> Arc<str> {
        self.score.as_deref().unwrap_or("score").into()
    }

    /// Returns columns outside `wide` that may hold scores; none if arms aren't columns.
    pub(crate) fn candidates(&self, names: &[String], given: &TableColumns) -> FurtherColumns {
        let is_free = |name: &&String| !self.wide.is_empty() && !self.wide.contains(name) && !is_meant(name, given);
        FurtherColumns { names: names.iter().filter(is_free).take(MAX_FURTHER).cloned().collect(), scored: Vec::new() }
    }

    /// Adds the columns that hold only scores to `further`.
    pub(crate) fn with_further(self, columns: FurtherColumns) -> ChosenColumns {
        ChosenColumns { further: columns.only_scores(), ..self }
    }

    /// Returns the results of a row: one, or one for each column that is an arm.
    pub(crate) fn rows(
        &self,
        position: u64,
        place: &dyn Fn() -> String,
        value: &dyn Fn(&str) -> Option<Value>,
    ) -> Result<Vec<ForeignRow>, ResultsError> {
        let text = |column: &Option<String>| column.as_ref().and_then(|column| value(column)).and_then(plain);
        let arc = |column: &Option<String>| text(column).map(Arc::from);
        let name = |column: &Option<String>| column.as_ref().and_then(|column| value(column)).and_then(named);
        let id: Option<Arc<str>> = name(&self.id).map(Arc::from);
        let input: Option<Arc<str>> = arc(&self.input);
        if self.id.is_some() && id.is_none() {
            return Err(ResultsError::new(msg!(
                "results-no-id",
                place = place(),
                column = self.id.clone().unwrap_or_default()
            )));
        }
        let row = |arm: Vec<(Arc<str>, Arc<str>)>, name: &str, written: Option<Value>| {
            let failed = self.errors.iter().find_map(|column| value(column).and_then(error)).map(RowEnd::Failed);
            let score = match &failed {
                Some(_) => None,
                None => score(written, place, name)?,
            };
            let end = match (failed, &score) {
                (Some(failed), _) => failed,
                (None, None) => RowEnd::Ungraded(String::new()),
                (None, Some(_)) => RowEnd::Graded,
            };
            Ok(ForeignRow {
                position,
                id: id.clone(),
                input: input.clone(),
                arm,
                trial: arc(&self.trial),
                end,
                scores: score.map(|value| RowScore { name: self.overall(), value }).into_iter().collect(),
                answer: text(&self.answer),
                reason: text(&self.reason),
                model: arc(&self.model),
                ..ForeignRow::default()
            })
        };
        if !self.wide.is_empty() {
            let columns = self.wide.iter().map(|arm| (arm, false)).chain(self.further.iter().map(|arm| (arm, true)));
            let of_column = |(arm, is_further): (&String, bool)| {
                let row = row(vec![("column".into(), arm.as_str().into())], arm, value(arm))?;
                Ok(ForeignRow { is_further, ..row })
            };
            return columns.map(of_column).collect();
        }
        let arm = match &self.arm {
            None => Vec::new(),
            Some(column) => {
                let Some(arm) = name(&self.arm) else {
                    return Err(ResultsError::new(msg!("results-no-arm", place = place(), column = column)));
                };
                vec![(column.as_str().into(), arm.into())]
            }
        };
        let column = self.score.clone().unwrap_or_default();
        Ok(vec![row(arm, &column, value(&column))?])
    }
}

/// Limit on the columns that are checked for scores.
const MAX_FURTHER: usize = 100;

/// Columns that may hold scores.
pub(crate) struct FurtherColumns {
    names: Vec<String>,
    /// `true` for a column in which some row has a score.
    scored: Vec<bool>,
}

impl FurtherColumns {
    pub(crate) fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Drops the columns in which this row has anything but a score or nothing.
    pub(crate) fn see(&mut self, value: &dyn Fn(&str) -> Option<Value>) {
        self.scored.resize(self.names.len(), false);
        let (mut names, mut scored) = (Vec::new(), Vec::new());
        for (name, was_scored) in self.names.drain(..).zip(self.scored.drain(..)) {
            if let Ok(read) = score(value(&name), &String::new, &name) {
                names.push(name);
                scored.push(was_scored || read.is_some());
            }
        }
        (self.names, self.scored) = (names, scored);
    }

    fn only_scores(self) -> Vec<String> {
        self.names.into_iter().zip(self.scored).filter(|(_, is_scored)| *is_scored).map(|(name, _)| name).collect()
    }
}

/// Adds the model as a dimension of tables if all arms have the same several models and most cases were answered by all of
/// them. Otherwise models don't tell cases apart: each arm has its own, or a case was answered by either.
pub(crate) fn split_by_model(files: &mut [ReadResults]) {
    let is_table =
        |file: &ReadResults| [super::jsonl::FORMAT.name, super::separated::FORMAT.name].contains(&file.format.name);
    if !files.iter().all(is_table) {
        return;
    }
    let mut models: BTreeMap<_, BTreeMap<_, BTreeSet<&str>>> = BTreeMap::new();
    for (index, row) in files.iter().enumerate().flat_map(|(index, file)| file.rows.iter().map(move |row| (index, row)))
    {
        let Some(model) = row.model.as_deref().filter(|_| row.arm.iter().all(|(name, _)| &**name != MODEL)) else {
            return;
        };
        let case = row.id.as_deref().or(row.input.as_deref());
        models.entry((index, &row.arm)).or_default().entry(case).or_default().insert(model);
    }
    let all: Vec<BTreeSet<&str>> = models.values().map(|cases| cases.values().flatten().copied().collect()).collect();
    let cases = || models.values().flat_map(BTreeMap::values);
    let whole = cases().filter(|models| Some(*models) == all.first()).count();
    let is_crossed = all.len() > 1
        && all.windows(2).all(|pair| pair[0] == pair[1])
        && all[0].len() > 1
        && whole * 2 > cases().count();
    for row in files.iter_mut().filter(|_| is_crossed).flat_map(|file| &mut file.rows) {
        row.arm.extend(row.model.clone().map(|model| (Arc::from(MODEL), model)));
    }
}

/// Returns whether a column has a meaning, by its usual name or by the user's choice.
pub(crate) fn is_meant(name: &str, given: &TableColumns) -> bool {
    const ALL: [&[&str]; 9] = [IDS, ARMS, SCORES, TRIALS, ERRORS, INPUTS, ANSWERS, MODELS, REASONS];
    let single = [&given.id, &given.arm, &given.score, &given.trial, &given.error];
    single.into_iter().flatten().chain(&given.arms).any(|given| given == name)
        || ALL.iter().any(|usual| usual.contains(&folded(name).as_str()))
}

/// Turns `Case ID` into `case_id`.
fn folded(name: &str) -> String {
    name.trim().to_lowercase().replace([' ', '-', '.'], "_")
}

/// Converts a value to text; `None` if it is empty.
fn plain(value: Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text).filter(|text| !is_empty_value(text)),
        other => Some(other.to_string()),
    }
}

/// Converts a value to the name of a case or an arm, which may be `none`.
fn named(value: Value) -> Option<String> {
    match value {
        Value::String(text) => {
            Some(text).filter(|text| !matches!(text.trim().to_lowercase().as_str(), "" | "nan" | "<na>"))
        }
        other => plain(other),
    }
}

/// Converts a value to an error; `None` if it says that there was none.
fn error(value: Value) -> Option<String> {
    let is_none = match &value {
        Value::Bool(failed) => !failed,
        Value::Number(code) => code.as_f64() == Some(0.0),
        Value::Array(all) => all.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::String(text) => {
            matches!(text.trim().to_lowercase().as_str(), "false" | "no" | "0" | "0.0" | "[]" | "{}")
        }
        Value::Null => true,
    };
    if is_none { None } else { plain(value) }
}

/// Returns whether a text is one that notebooks write for an absent value.
fn is_empty_value(text: &str) -> bool {
    matches!(text.trim().to_lowercase().as_str(), "" | "nan" | "na" | "n/a" | "null" | "none" | "<na>")
}

/// Converts a value to a score; `None` if it is empty.
fn score(value: Option<Value>, place: &dyn Fn() -> String, column: &str) -> Result<Option<ScoreValue>, ResultsError> {
    let wrong = |text: &str| {
        ResultsError::new(msg!("results-not-a-score", place = place(), column = column, value = text))
            .help(msg!("results-not-a-score-help"))
    };
    match value {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Bool(passed)) => Ok(Some(ScoreValue::Passed(passed))),
        Some(Value::Number(number)) => match number.as_f64().filter(|number| number.is_finite()) {
            Some(number) => Ok(Some(ScoreValue::Number(number))),
            None => Err(wrong(&number.to_string())),
        },
        Some(Value::String(text)) if is_empty_value(&text) => Ok(None),
        Some(Value::String(text)) => {
            let word = text.trim().to_lowercase();
            match word.as_str() {
                "true" | "pass" | "passed" | "correct" | "yes" | "success" => Ok(Some(ScoreValue::Passed(true))),
                "false" | "fail" | "failed" | "incorrect" | "wrong" | "no" | "failure" => {
                    Ok(Some(ScoreValue::Passed(false)))
                }
                _ => match word.parse::<f64>().ok().filter(|number| number.is_finite()) {
                    Some(number) => Ok(Some(ScoreValue::Number(number))),
                    None => Err(wrong(text.trim())),
                },
            }
        }
        Some(other) => Err(wrong(&other.to_string())),
    }
}
