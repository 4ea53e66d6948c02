//! lm-evaluation-harness: the samples that `--log_samples` writes, one file for each task and model.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Arc;

use eval_format::UnknownFact;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::error::ResultsError;
use crate::format::{ReadOptions, ResultFormat};
use crate::row::{ForeignRow, PlaceUnit, ReadResults, RowEnd, RowScore, ScoreDirections, ScoreValue};
use crate::source::{ResultSource, RowSink, parsed};

pub(super) const FORMAT: ResultFormat =
    ResultFormat { name: "lm-eval", tool: Some("lm-evaluation-harness"), files: "samples_*.jsonl", detect, read };

/// The fields of a document that hold its question, where one does.
const QUESTIONS: [&str; 6] = ["question", "query", "input", "prompt", "problem", "text"];

fn detect(source: &ResultSource) -> bool {
    let head = source.head_text();
    let line = head.lines().next().unwrap_or_default();
    line.starts_with('{')
        && ["doc_id", "resps", "filtered_resps"].iter().all(|key| line.contains(&format!("\"{key}\"")))
}

fn read(format: &'static ResultFormat, source: &ResultSource, _: &ReadOptions) -> Result<ReadResults, ResultsError> {
    let about = LmEvalRun::beside(source);
    let mut rows: Vec<ForeignRow> = Vec::new();
    // documents that say the same are told apart by their numbers
    let mut known: HashMap<(Arc<str>, String), usize> = HashMap::new();
    source.lines(|number, line| {
        let sample: LmEvalSample = parsed(line.as_bytes(), || format!("{}:{number}", source.shown))?;
        let (pair, scores) = (sample.pair(), sample.scores());
        // each filter has a line of its own: other readings of the same answers
        let document = (Arc::clone(&pair), sample.doc_id.to_string());
        match known.get(&document) {
            Some(at) if rows[*at].scores.iter().all(|had| scores.iter().all(|new| new.name != had.name)) => {
                rows[*at].scores.extend(scores);
            }
            _ => {
                known.insert(document, rows.len());
                rows.push(sample.row(number, pair, scores, &about));
            }
        }
        Ok(())
    })?;
    // the name of a filter follows that of the metric
    let rises = |score: &RowScore| {
        let metric = score.name.split_once(',').map_or(&*score.name, |(metric, _)| metric);
        Some((Arc::clone(&score.name), *about.rises.get(metric)?))
    };
    let told = rows.iter().flat_map(|row| &row.scores).filter_map(rises).collect();
    let mut sink = RowSink::new(source);
    rows.into_iter().try_for_each(|row| sink.push(row))?;
    let mut unknown = vec![UnknownFact::Order, UnknownFact::Errors, UnknownFact::Cost];
    unknown.extend(about.model.is_none().then_some(UnknownFact::Models));
    unknown.extend(about.version.is_none().then_some(UnknownFact::ToolVersion));
    Ok(ReadResults {
        format,
        file: source.shown.clone(),
        sha256: source.sha256()?,
        tool_version: about.version,
        unit: PlaceUnit::Line,
        rows: sink.rows(),
        overall: None,
        directions: ScoreDirections { all_rise: false, told },
        unknown,
        notes: Vec::new(),
    })
}

/// What the file's name and the results beside it tell of the run.
#[derive(Default)]
struct LmEvalRun {
    task: Option<String>,
    model: Option<String>,
    version: Option<String>,
    /// Of which metrics more is better.
    rises: BTreeMap<String, bool>,
}

#[derive(Deserialize)]
struct LmEvalResults {
    #[serde(default)]
    higher_is_better: Map<String, Value>,
    #[serde(default)]
    lm_eval_version: Option<String>,
    #[serde(default)]
    model_name: Option<String>,
}

impl LmEvalRun {
    /// `samples_<task>_<time>.jsonl` lies beside `results_<time>.json`.
    fn beside(source: &ResultSource) -> LmEvalRun {
        let stem = source.path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let parts = stem.strip_prefix("samples_").and_then(|rest| rest.rsplit_once("_20"));
        let Some((task, time)) = parts else { return LmEvalRun::default() };
        let results = source.path.with_file_name(format!("results_20{time}.json"));
        let results = results_at(&results);
        let told = results.as_ref().and_then(|of| of.higher_is_better.get(task)).and_then(Value::as_object);
        let rises = told.into_iter().flatten().filter_map(|(metric, rises)| Some((metric.clone(), rises.as_bool()?)));
        LmEvalRun {
            rises: rises.collect(),
            task: Some(task.to_owned()),
            model: results.as_ref().and_then(|of| of.model_name.clone()).filter(|name| !name.is_empty()),
            version: results.and_then(|of| of.lm_eval_version),
        }
    }
}

/// The results of the run, if they are there and can be read: nothing depends on them.
fn results_at(path: &Path) -> Option<LmEvalResults> {
    ResultSource::open(path, String::new()).ok()?.json().ok()
}

#[derive(Deserialize)]
struct LmEvalSample {
    #[serde(default)]
    doc_id: Value,
    #[serde(default)]
    doc: Value,
    #[serde(default)]
    filtered_resps: Value,
    #[serde(default)]
    filter: Option<String>,
    #[serde(default)]
    metrics: Vec<String>,
    #[serde(default)]
    doc_hash: Option<String>,
    #[serde(flatten)]
    others: Map<String, Value>,
}

impl LmEvalSample {
    /// What identifies the document; its number doesn't where data sets differ.
    fn pair(&self) -> Arc<str> {
        match &self.doc_hash {
            Some(hash) => hash.as_str().into(),
            None => self.doc.to_string().into(),
        }
    }

    /// The metrics that are numbers; the name of a filter follows that of the metric.
    fn scores(&self) -> Vec<RowScore> {
        let filter = self.filter.as_deref().filter(|filter| *filter != "none");
        let score = |metric: &String| {
            let value = match self.others.get(metric)? {
                Value::Bool(passed) => ScoreValue::Passed(*passed),
                Value::Number(number) => ScoreValue::Number(number.as_f64().filter(|number| number.is_finite())?),
                _ => return None,
            };
            let name = filter.map_or_else(|| metric.clone(), |filter| format!("{metric},{filter}"));
            Some(RowScore { name: name.into(), value })
        };
        self.metrics.iter().filter_map(score).collect()
    }

    fn row(self, at: u64, pair: Arc<str>, scores: Vec<RowScore>, about: &LmEvalRun) -> ForeignRow {
        let field = |name: &&str| self.doc.get(*name).and_then(Value::as_str);
        let question = QUESTIONS.iter().find_map(field).map_or_else(|| self.doc.to_string(), str::to_owned);
        let name = self.doc.get("id").filter(|id| id.is_string() || id.is_number()).unwrap_or(&self.doc_id);
        let name = name.as_str().map_or_else(|| format!("doc-{name}"), str::to_owned);
        let facts = [("task", &about.task), ("model", &about.model)];
        let arm = facts.iter().filter_map(|(what, value)| Some(((*what).into(), value.as_deref()?.into())));
        let answer = match &self.filtered_resps {
            Value::Array(all) => all.first().cloned().unwrap_or_default(),
            other => other.clone(),
        };
        ForeignRow {
            at,
            input: Some(question.into()),
            pair: Some(pair),
            name: Some(name.into()),
            arm: arm.collect(),
            end: RowEnd::Graded,
            scores,
            answer: Some(answer.as_str().map_or_else(|| answer.to_string(), str::to_owned)),
            model: about.model.as_deref().map(Arc::from),
            ..ForeignRow::default()
        }
    }
}
