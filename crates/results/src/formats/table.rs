//! Rows of named columns: what CSV and JSON lines share.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use eval_format::UnknownFact;
use eval_message::{Message, msg};
use serde_json::Value;

use crate::error::ResultsError;
use crate::format::TableColumns;
use crate::row::{ForeignRow, ReadResults, RowEnd, RowScore, ScoreValue};

/// The usual names, the likeliest first.
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

/// The dimension that models are.
const MODEL: &str = "model";

/// The column of each meaning, chosen.
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
    /// Columns that are arms.
    wide: Vec<String>,
    /// Columns that hold scores as well, where arms are columns: treatments that are not compared.
    further: Vec<String>,
}

impl ChosenColumns {
    /// Chooses among the columns that there are; a column that is named must be there.
    pub(crate) fn of(names: &[String], given: &TableColumns, place: &str) -> Result<ChosenColumns, ResultsError> {
        let known = |name: &str| names.iter().any(|column| column == name);
        let check = |flag: &'static str, name: &Option<String>| match name {
            Some(name) if !known(name) => {
                Err(ResultsError::new(msg!("results-no-column", place = place, flag = flag, column = name))
                    .help(msg!("results-columns", columns = listed(names))))
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
        let of = |given: &Option<String>, usually: &[&str]| given.clone().or_else(|| usual(usually).cloned());
        let wide: Vec<String> = match given.arm.is_none() && given.score.is_none() && given.arms.len() > 1 {
            true if given.arms.iter().all(|arm| known(arm)) => given.arms.clone(),
            _ => Vec::new(),
        };
        let is_wide = !wide.is_empty();
        let chosen = ChosenColumns {
            id: of(&given.id, IDS),
            arm: of(&given.arm, ARMS).filter(|_| !is_wide),
            score: of(&given.score, SCORES).filter(|_| !is_wide),
            trial: of(&given.trial, TRIALS),
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
                .help(msg!("results-no-score-column-help", columns = listed(names))));
        }
        if chosen.id.is_none() && chosen.input.is_none() {
            return Err(ResultsError::new(msg!("results-no-id-column", place = place))
                .help(msg!("results-no-id-column-help", columns = listed(names))));
        }
        Ok(chosen)
    }

    /// The columns that are read.
    pub(crate) fn used(&self) -> impl Iterator<Item = &String> {
        let one = [&self.id, &self.arm, &self.score, &self.trial, &self.input, &self.answer, &self.model, &self.reason];
        one.into_iter().flatten().chain(&self.errors).chain(&self.wide)
    }

    /// Which columns were taken for what.
    pub(crate) fn note(&self, file: &str) -> Message {
        let errors = (!self.errors.is_empty()).then(|| self.errors.join(", "));
        let said = [
            ("id", &self.id),
            ("arm", &self.arm),
            ("score", &self.score),
            ("trial", &self.trial),
            ("error", &errors),
            ("prompt", if self.id.is_none() { &self.input } else { &None }),
        ];
        let each = said.iter().filter_map(|(what, column)| Some(format!("{what} = {}", column.as_ref()?)));
        let wide = (!self.wide.is_empty()).then(|| format!("arms = {}", self.wide.join(", ")));
        msg!("results-columns-chosen", file = file, columns = each.chain(wide).collect::<Vec<_>>().join(", "))
    }

    /// What a table with these columns doesn't tell.
    pub(crate) fn unknown(&self) -> Vec<UnknownFact> {
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

    /// The score's name.
    pub(crate) fn overall(&self) -> Arc<str> {
        self.score.as_deref().unwrap_or("score").into()
    }

    /// Returns the columns that may hold scores beside those that are arms; none if arms are no columns.
    pub(crate) fn candidates(&self, names: &[String], given: &TableColumns) -> FurtherColumns {
        let is_free = |name: &&String| !self.wide.is_empty() && !self.wide.contains(name) && !is_meant(name, given);
        FurtherColumns { names: names.iter().filter(is_free).take(MOST_FURTHER).cloned().collect(), scored: Vec::new() }
    }

    /// Takes the columns that hold nothing but scores as arms that are not compared.
    pub(crate) fn with_further(self, columns: FurtherColumns) -> ChosenColumns {
        ChosenColumns { further: columns.of_scores(), ..self }
    }

    /// The results of a row: one, or one for each column that is an arm.
    pub(crate) fn rows(
        &self,
        at: u64,
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
        let row = |arm: Vec<(Arc<str>, Arc<str>)>, name: &str, found: Option<Value>| {
            let failed = self.errors.iter().find_map(|column| value(column).and_then(error)).map(RowEnd::Failed);
            let score = match &failed {
                Some(_) => None,
                None => score(found, place, name)?,
            };
            let end = match (failed, &score) {
                (Some(failed), _) => failed,
                (None, None) => RowEnd::Ungraded(String::new()),
                (None, Some(_)) => RowEnd::Graded,
            };
            Ok(ForeignRow {
                at,
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

/// The most columns that are looked at for further arms.
const MOST_FURTHER: usize = 100;

/// Columns that may hold scores.
pub(crate) struct FurtherColumns {
    names: Vec<String>,
    /// Marks of those in which a row so far has a score.
    scored: Vec<bool>,
}

impl FurtherColumns {
    /// Returns whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Drops the columns in which a row has something else than a score.
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

    fn of_scores(self) -> Vec<String> {
        self.names.into_iter().zip(self.scored).filter(|(_, is_scored)| *is_scored).map(|(name, _)| name).collect()
    }
}

/// Makes models a dimension of tables where the arms have the same several models for most cases: a case is another one
/// with another model. Where each arm has its own, or a case is answered by one or the other, they say nothing more.
pub(crate) fn tell_models(files: &mut [ReadResults]) {
    let is_table =
        |file: &ReadResults| [super::jsonl::FORMAT.name, super::separated::FORMAT.name].contains(&file.format.name);
    if !files.iter().all(is_table) {
        return;
    }
    let mut models: BTreeMap<_, BTreeMap<_, BTreeSet<&str>>> = BTreeMap::new();
    for (at, row) in files.iter().enumerate().flat_map(|(at, file)| file.rows.iter().map(move |row| (at, row))) {
        let Some(model) = row.model.as_deref().filter(|_| row.arm.iter().all(|(name, _)| &**name != MODEL)) else {
            return;
        };
        let case = row.id.as_deref().or(row.input.as_deref());
        models.entry((at, &row.arm)).or_default().entry(case).or_default().insert(model);
    }
    let all: Vec<BTreeSet<&str>> = models.values().map(|cases| cases.values().flatten().copied().collect()).collect();
    let cases = || models.values().flat_map(BTreeMap::values);
    let whole = cases().filter(|of| Some(*of) == all.first()).count();
    let is_crossed = all.len() > 1
        && all.windows(2).all(|pair| pair[0] == pair[1])
        && all[0].len() > 1
        && whole * 2 > cases().count();
    for row in files.iter_mut().filter(|_| is_crossed).flat_map(|file| &mut file.rows) {
        row.arm.extend(row.model.clone().map(|model| (Arc::from(MODEL), model)));
    }
}

/// Whether a column has a meaning, by its usual name or because it is given.
pub(crate) fn is_meant(name: &str, given: &TableColumns) -> bool {
    const ALL: [&[&str]; 9] = [IDS, ARMS, SCORES, TRIALS, ERRORS, INPUTS, ANSWERS, MODELS, REASONS];
    let given_ones = [&given.id, &given.arm, &given.score, &given.trial, &given.error];
    given_ones.into_iter().flatten().chain(&given.arms).any(|given| given == name)
        || ALL.iter().any(|usual| usual.contains(&folded(name).as_str()))
}

/// `Case ID` as `case_id`.
fn folded(name: &str) -> String {
    name.trim().to_lowercase().replace([' ', '-', '.'], "_")
}

fn listed(names: &[String]) -> String {
    const MOST: usize = 30;
    let more = if names.len() > MOST { ", …" } else { "" };
    names.iter().take(MOST).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ") + more
}

/// A value as text; nothing for nothing.
fn plain(value: Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text).filter(|text| !is_nothing(text)),
        other => Some(other.to_string()),
    }
}

/// A value as the name of a case or an arm, which may well be `none`.
fn named(value: Value) -> Option<String> {
    match value {
        Value::String(text) => {
            Some(text).filter(|text| !matches!(text.trim().to_lowercase().as_str(), "" | "nan" | "<na>"))
        }
        other => plain(other),
    }
}

/// A value as an error; nothing for what says that there was none.
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

/// What notebooks write where there is no value.
fn is_nothing(text: &str) -> bool {
    matches!(text.trim().to_lowercase().as_str(), "" | "nan" | "na" | "n/a" | "null" | "none" | "<na>")
}

/// A score as written; `None` where there is none.
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
        Some(Value::String(text)) if is_nothing(&text) => Ok(None),
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
