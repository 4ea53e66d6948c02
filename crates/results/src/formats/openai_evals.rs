//! OpenAI evals: the record that `oaieval` writes, one line per event.

use std::collections::HashMap;
use std::sync::Arc;

use eval_format::UnknownFact;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::error::ResultsError;
use crate::format::{ReadOptions, ResultFormat};
use crate::row::{ForeignRow, PlaceUnit, ReadResults, RowEnd, RowScore, ScoreDirections};
use crate::source::{ResultSource, RowSink, parsed};

pub(super) const FORMAT: ResultFormat =
    ResultFormat { name: "openai-evals", tool: Some("OpenAI evals"), files: "*.jsonl (--record_path)", detect, read };

/// Name of a judge's choice that could not be read; the tool gives it the lowest score.
const INVALID: &str = "__invalid__";

fn detect(source: &ResultSource) -> bool {
    let head = source.head_text();
    let line = head.lines().next().unwrap_or_default();
    line.starts_with("{\"spec\"") && line.contains("\"completion_fns\"")
}

fn read(format: &'static ResultFormat, source: &ResultSource, _: &ReadOptions) -> Result<ReadResults, ResultsError> {
    let mut spec = EvalsSpec::default();
    let mut samples: Vec<EvalsSample> = Vec::new();
    let mut indices: HashMap<String, usize> = HashMap::new();
    source.lines(|number, line| {
        let line: EvalsLine = parsed(line.as_bytes(), || format!("{}:{number}", source.shown))?;
        match line {
            EvalsLine { spec: Some(run_spec), .. } => spec = run_spec,
            EvalsLine { sample_id: Some(id), kind: Some(kind), data, .. } => {
                let index = *indices.entry(id).or_insert_with_key(|id| {
                    samples.push(EvalsSample { line: number, id: id.clone(), ..EvalsSample::default() });
                    samples.len() - 1
                });
                samples[index].take(&kind, data);
            }
            _ => {}
        }
        Ok(())
    })?;
    let have_inputs = samples.iter().all(|sample| sample.input.is_some());
    let arm = spec.arm();
    let mut rows = RowSink::new(source);
    for sample in samples {
        for row in sample.rows(&arm, have_inputs) {
            rows.push(row)?;
        }
    }
    Ok(ReadResults {
        format,
        file: source.shown.clone(),
        sha256: source.sha256()?,
        tool_version: None,
        unit: PlaceUnit::Line,
        rows: rows.rows(),
        overall: None,
        directions: ScoreDirections::default(),
        unknown: vec![
            UnknownFact::Grader,
            UnknownFact::ToolVersion,
            UnknownFact::Order,
            UnknownFact::Errors,
            UnknownFact::Cost,
        ],
        notes: Vec::new(),
    })
}

#[derive(Deserialize)]
struct EvalsLine {
    #[serde(default)]
    spec: Option<EvalsSpec>,
    #[serde(default)]
    sample_id: Option<String>,
    #[serde(default, rename = "type")]
    kind: Option<String>,
    #[serde(default)]
    data: Value,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct EvalsSpec {
    base_eval: String,
    completion_fns: Vec<String>,
}

impl EvalsSpec {
    fn arm(&self) -> Vec<(Arc<str>, Arc<str>)> {
        vec![("eval".into(), self.base_eval.as_str().into()), ("model".into(), self.completion_fns.join(", ").into())]
    }
}

/// Contents of a sample's events.
#[derive(Default)]
struct EvalsSample {
    /// Line of the first event.
    line: u64,
    id: String,
    input: Option<String>,
    answer: Option<String>,
    model: Option<String>,
    matches: Vec<bool>,
    scores: Map<String, Value>,
    missing_reason: Option<String>,
    error: Option<String>,
}

impl EvalsSample {
    fn take(&mut self, kind: &str, data: Value) {
        match kind {
            // the first is the answer, later ones are the judges'
            "sampling" if self.answer.is_none() => {
                self.input = user_prompt(&data["prompt"]);
                self.answer = Some(text(&data["sampled"]));
                self.model = data["model"].as_str().map(str::to_owned);
            }
            "match" => self.matches.extend(data["correct"].as_bool()),
            "metrics" => {
                if data["choice"] == INVALID {
                    self.missing_reason = Some(INVALID.to_owned());
                }
                if let Value::Object(fields) = data {
                    self.scores.extend(fields);
                }
            }
            "error" => self.error = Some(text(&data)),
            _ => {}
        }
    }

    /// Makes one result, or one for each match of the answer.
    fn rows(self, arm: &[(Arc<str>, Arc<str>)], have_inputs: bool) -> Vec<ForeignRow> {
        let scores = self.scores.iter().filter(|_| self.missing_reason.is_none());
        let scores: Vec<RowScore> = scores.filter_map(|(name, value)| RowScore::from_json(name, value)).collect();
        // the id ends in the number of the data row; before that comes the evaluation, which may be the arm
        let number = self.id.rsplit('.').next().unwrap_or(&self.id);
        let row = |correct: Option<bool>| {
            let accuracy = correct.map(|correct| RowScore::passed("accuracy", correct));
            ForeignRow {
                position: self.line,
                id: (!have_inputs).then(|| number.into()),
                input: self.input.as_deref().map(Arc::from),
                name: Some(format!("row-{number}").into()),
                arm: arm.to_vec(),
                end: self.error.clone().map_or(RowEnd::Graded, RowEnd::Failed),
                scores: accuracy.into_iter().chain(scores.iter().cloned()).collect(),
                missing_reason: self.missing_reason.clone(),
                answer: self.answer.clone(),
                model: self.model.as_deref().map(Arc::from),
                ..ForeignRow::default()
            }
        };
        match self.matches.is_empty() {
            true => vec![row(None)],
            false => self.matches.iter().map(|correct| row(Some(*correct))).collect(),
        }
    }
}

/// Returns the prompt: a text, or the last of the user's messages.
fn user_prompt(prompt: &Value) -> Option<String> {
    match prompt {
        Value::String(text) => Some(text.clone()),
        Value::Array(messages) => {
            let user = messages.iter().rev().find(|message| message["role"] == "user");
            user.or(messages.last()).map(|message| text(&message["content"]))
        }
        _ => None,
    }
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(all) => all.first().map(text).unwrap_or_default(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}
