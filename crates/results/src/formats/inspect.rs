//! Inspect: logs as `.eval` archives and as JSON.

use std::collections::BTreeMap;
use std::sync::Arc;

use eval_format::UnknownFact;
use eval_message::{Message, msg};
use eval_spec::call::Usage;
use serde::Deserialize;
use serde_json::Value;

use crate::archive::Archive;
use crate::error::ResultsError;
use crate::format::{ReadOptions, ResultFormat};
use crate::row::{ForeignRow, PlaceUnit, ReadResults, RowEnd, RowScore, ScoreDirections, ScoreValue, milliseconds};
use crate::source::{BoundedList, ResultSource, RowSink, parsed_document};

pub(super) const FORMAT: ResultFormat =
    ResultFormat { name: "inspect", tool: Some("Inspect"), files: "*.eval, *.json", detect, read };

fn detect(source: &ResultSource) -> bool {
    (source.head.starts_with(b"PK") && source.extension() == "eval")
        || source.is_object_with(&["version", "status", "eval", "task_id"])
}

fn read(format: &'static ResultFormat, source: &ResultSource, _: &ReadOptions) -> Result<ReadResults, ResultsError> {
    let mut rows = RowSink::new(source);
    let log = match source.head.starts_with(b"PK") {
        true => archive(source, &mut rows)?,
        false => document(source, &mut rows)?,
    };
    let rows = rows.rows();
    if rows.is_empty() {
        return Err(without_samples(source, &log));
    }
    let headline = log.results.and_then(|results| results.headline).and_then(|headline| headline.name(&rows));
    Ok(ReadResults {
        format,
        file: source.shown.clone(),
        sha256: source.sha256()?,
        tool_version: log.eval.packages.get("inspect_ai").and_then(Value::as_str).map(str::to_owned),
        unit: PlaceUnit::Entry("/samples"),
        rows,
        overall: headline.map(Arc::from),
        directions: ScoreDirections::default(),
        unknown: vec![UnknownFact::Order, UnknownFact::Seed, UnknownFact::Cost],
        notes: status_note(source, &log.status).into_iter().collect(),
    })
}

/// Returns a note if the run didn't end as planned.
fn status_note(source: &ResultSource, status: &str) -> Option<Message> {
    (status != "success").then(|| msg!("results-log-status", file = &source.shown, status = status))
}

/// Returns why a log has no samples.
fn without_samples(source: &ResultSource, log: &InspectLog) -> ResultsError {
    let reason = log.error.as_ref().map(|error| error.message.trim()).filter(|text| !text.is_empty());
    let count = log.results.as_ref().map_or(0, |results| results.total_samples);
    match reason {
        Some(why) => ResultsError::new(msg!("results-log-error", file = &source.shown, why = why)),
        None if log.status == "success" && count > 0 => {
            ResultsError::new(msg!("results-log-no-samples", file = &source.shown, count = count))
                .help(msg!("results-log-no-samples-help"))
        }
        None => ResultsError::new(msg!("results-log-empty", file = &source.shown, status = log.status.as_str())),
    }
}

fn document(source: &ResultSource, rows: &mut RowSink) -> Result<InspectLog, ResultsError> {
    let log: InspectLog = source.json()?;
    for (position, sample) in (0..).zip(log.samples.iter().flat_map(|list| &list.0)) {
        rows.push(row(position, &log.eval, sample))?;
    }
    Ok(InspectLog { samples: None, ..log })
}

/// Reads an archive: it has one file for the log without samples, and one for each sample.
fn archive(source: &ResultSource, rows: &mut RowSink) -> Result<InspectLog, ResultsError> {
    let mut archive = Archive::open(source)?;
    let mut names = archive.names();
    let Some(header) = names.iter().find(|(_, name)| name == "header.json").map(|(index, _)| *index) else {
        return Err(ResultsError::new(msg!("results-unfinished-log", file = &source.shown))
            .help(msg!("results-unfinished-log-help")));
    };
    let log: InspectLog = parsed_document(&archive.entry(header)?, &format!("{}/header.json", source.shown))?;
    names.retain(|(_, name)| name.starts_with("samples/") && name.ends_with(".json"));
    names.sort_by(|(_, a), (_, b)| a.cmp(b));
    for (position, (entry, name)) in (0..).zip(&names) {
        let sample: InspectSample = parsed_document(&archive.entry(*entry)?, &format!("{}/{name}", source.shown))?;
        rows.push(row(position, &log.eval, &sample))?;
    }
    Ok(log)
}

#[derive(Deserialize)]
struct InspectLog {
    #[serde(default)]
    status: String,
    eval: InspectEval,
    #[serde(default)]
    results: Option<InspectResults>,
    /// Error that ended the whole evaluation.
    #[serde(default)]
    error: Option<InspectError>,
    #[serde(default)]
    samples: Option<BoundedList<InspectSample>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct InspectEval {
    task: String,
    model: String,
    packages: BTreeMap<String, Value>,
}

#[derive(Deserialize)]
struct InspectResults {
    #[serde(default)]
    total_samples: u64,
    #[serde(default)]
    headline: Option<InspectHeadline>,
}

#[derive(Deserialize)]
struct InspectHeadline {
    #[serde(default)]
    scorer: Option<String>,
    #[serde(default)]
    score: Option<String>,
}

impl InspectHeadline {
    /// Returns the name that rows use: with the scorer if it gives several scores.
    fn name(self, rows: &[ForeignRow]) -> Option<String> {
        let score = self.score?;
        let full = self.scorer.map(|scorer| format!("{scorer}.{score}"));
        let exists = |name: &String| rows.iter().flat_map(|row| &row.scores).any(|row_score| *row_score.name == **name);
        Some(full.filter(exists).unwrap_or(score))
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct InspectSample {
    id: Value,
    epoch: Option<u64>,
    input: Value,
    scores: Option<BTreeMap<String, InspectScore>>,
    error: Option<InspectError>,
    limit: Option<InspectLimit>,
    output: Option<InspectOutput>,
    model_usage: BTreeMap<String, InspectUsage>,
    working_time: Option<f64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct InspectScore {
    value: Value,
    explanation: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct InspectError {
    message: String,
}

/// Limit that ended a sample before its answer.
#[derive(Default, Deserialize)]
#[serde(default)]
struct InspectLimit {
    #[serde(rename = "type")]
    kind: String,
    limit: Value,
}

impl InspectLimit {
    /// Returns the reason if time ran out, which may be the machine's fault. Other limits count as answers.
    fn timeout(&self) -> Option<String> {
        ["time", "working"].contains(&self.kind.as_str()).then(|| format!("{} limit of {} s", self.kind, self.limit))
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct InspectOutput {
    completion: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct InspectUsage {
    input_tokens: u64,
    output_tokens: u64,
    input_tokens_cache_read: Option<u64>,
    input_tokens_cache_write: Option<u64>,
}

fn row(position: u64, eval: &InspectEval, sample: &InspectSample) -> ForeignRow {
    let mut scores = Vec::new();
    let mut missing_reason = None;
    for (name, score) in sample.scores.iter().flatten() {
        match &score.value {
            Value::Object(parts) => scores.extend(
                parts.iter().filter_map(|(part, value)| Some(scored(&format!("{name}.{part}"), share(value)?))),
            ),
            value => match share(value) {
                Some(value) => scores.push(scored(name, value)),
                None => missing_reason = missing_reason.or_else(|| score.explanation.clone()),
            },
        }
    }
    let model: Arc<str> = eval.model.as_str().into();
    let usage = sample.model_usage.get(&eval.model).map(|usage| Usage {
        input_tokens: usage.input_tokens,
        output_tokens: usage.output_tokens,
        cache_read_tokens: usage.input_tokens_cache_read.unwrap_or(0),
        cache_write_tokens: usage.input_tokens_cache_write.unwrap_or(0),
    });
    let failure = sample.error.as_ref().map(|error| error.message.clone());
    let failure = failure.or_else(|| sample.limit.as_ref().and_then(InspectLimit::timeout));
    ForeignRow {
        position,
        id: text(&sample.id).map(Arc::from),
        input: input(&sample.input).map(Arc::from),
        arm: vec![("task".into(), eval.task.as_str().into()), ("model".into(), Arc::clone(&model))],
        trial: sample.epoch.map(|epoch| epoch.to_string().into()),
        // scores from before the failure don't count
        scores: if failure.is_some() { Vec::new() } else { scores },
        end: failure.map_or(RowEnd::Graded, RowEnd::Failed),
        missing_reason,
        answer: sample.output.as_ref().and_then(|output| output.completion.clone()),
        reason: sample.scores.iter().flatten().find_map(|(_, score)| score.explanation.clone()),
        model: Some(model).filter(|model| !model.is_empty()),
        latency_ms: sample.working_time.and_then(milliseconds),
        usage,
        ..ForeignRow::default()
    }
}

fn scored(name: &str, value: ScoreValue) -> RowScore {
    RowScore { name: name.into(), value }
}

/// Converts a value as Inspect does; letters mean correct, partially correct, incorrect, no answer.
fn share(value: &Value) -> Option<ScoreValue> {
    match value {
        Value::Bool(passed) => Some(ScoreValue::Passed(*passed)),
        Value::Number(number) => number.as_f64().filter(|number| number.is_finite()).map(ScoreValue::Number),
        Value::String(word) => match word.as_str() {
            "C" => Some(ScoreValue::Share(1.0)),
            "P" => Some(ScoreValue::Share(0.5)),
            "I" | "N" => Some(ScoreValue::Share(0.0)),
            _ => match word.to_lowercase().as_str() {
                "yes" | "true" => Some(ScoreValue::Passed(true)),
                "no" | "false" => Some(ScoreValue::Passed(false)),
                number => number.parse().ok().filter(|number: &f64| number.is_finite()).map(ScoreValue::Number),
            },
        },
        _ => None,
    }
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()).filter(|text| !text.is_empty()),
        other => Some(other.to_string()),
    }
}

/// Returns the prompt: a text, or the user's messages.
fn input(value: &Value) -> Option<String> {
    let Value::Array(messages) = value else { return text(value) };
    let user = messages.iter().filter(|message| message["role"] == "user");
    let texts: Vec<String> = user.filter_map(|message| text(&message["content"])).collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}
