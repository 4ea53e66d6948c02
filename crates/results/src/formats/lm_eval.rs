//! lm-evaluation-harness: the samples that `--log_samples` writes, one file per task and model.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use eval_format::UnknownFact;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::error::ResultsError;
use crate::format::{ReadOptions, ResultFormat};
use crate::row::{ForeignRow, PlaceUnit, ReadResults, RowEnd, RowScore, ScoreDirections};
use crate::source::{ResultSource, RowSink, parsed};

pub(super) const FORMAT: ResultFormat =
    ResultFormat { name: "lm-eval", tool: Some("lm-evaluation-harness"), files: "samples_*.jsonl", detect, read };

/// Fields of a document that may hold its question.
const QUESTIONS: [&str; 6] = ["question", "query", "input", "prompt", "problem", "text"];

fn detect(source: &ResultSource) -> bool {
    source.has_lines_with(&["doc_id", "resps", "filtered_resps"])
}

fn read(format: &'static ResultFormat, source: &ResultSource, _: &ReadOptions) -> Result<ReadResults, ResultsError> {
    let run = LmEvalRun::find(source);
    let mut rows: Vec<ForeignRow> = Vec::new();
    // equal documents differ in their numbers
    let mut indices: HashMap<(Arc<str>, String), usize> = HashMap::new();
    source.lines(|number, line| {
        let sample: LmEvalSample = parsed(line.as_bytes(), || format!("{}:{number}", source.shown))?;
        let (pair, scores) = (sample.pair(), sample.scores());
        // another line for the document may be another filter's scores of the same answer
        let document = (Arc::clone(&pair), sample.doc_id.to_string());
        match indices.get(&document) {
            Some(&index) if rows[index].scores.iter().all(|old| scores.iter().all(|new| new.name != old.name)) => {
                rows[index].scores.extend(scores);
            }
            _ => {
                indices.insert(document, rows.len());
                rows.push(sample.row(number, pair, scores, &run));
            }
        }
        Ok(())
    })?;
    // a score's name is the metric's, then the filter's
    let rises = |score: &RowScore| {
        let metric = score.name.split_once(',').map_or(&*score.name, |(metric, _)| metric);
        Some((Arc::clone(&score.name), *run.rises.get(metric)?))
    };
    let by_score = rows.iter().flat_map(|row| &row.scores).filter_map(rises).collect();
    let mut sink = RowSink::new(source);
    rows.into_iter().try_for_each(|row| sink.push(row))?;
    let mut unknown = vec![UnknownFact::Order, UnknownFact::Errors, UnknownFact::Cost];
    unknown.extend(run.model.is_none().then_some(UnknownFact::Models));
    unknown.extend(run.version.is_none().then_some(UnknownFact::ToolVersion));
    Ok(ReadResults {
        format,
        file: source.shown.clone(),
        sha256: source.sha256()?,
        tool_version: run.version,
        unit: PlaceUnit::Line,
        rows: sink.rows(),
        overall: None,
        directions: ScoreDirections { all_rise: false, by_score },
        unknown,
        notes: Vec::new(),
    })
}

/// Facts about the run from the file's name and the results file next to it.
#[derive(Default)]
struct LmEvalRun {
    task: Option<String>,
    model: Option<String>,
    version: Option<String>,
    /// `true` if more is better, by metric.
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
    /// Reads the `results_<time>.json` next to `samples_<task>_<time>.jsonl`.
    fn find(source: &ResultSource) -> LmEvalRun {
        let stem = source.path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let parts = stem.strip_prefix("samples_").and_then(|rest| rest.rsplit_once("_20"));
        let Some((task, time)) = parts else { return LmEvalRun::default() };
        let results = source.path.with_file_name(format!("results_20{time}.json"));
        // without the file nothing but these facts is lost
        let results = ResultSource::open(&results, String::new()).and_then(|file| file.json::<LmEvalResults>()).ok();
        let directions = results.as_ref().and_then(|run| run.higher_is_better.get(task)).and_then(Value::as_object);
        let rises =
            directions.into_iter().flatten().filter_map(|(metric, rises)| Some((metric.clone(), rises.as_bool()?)));
        LmEvalRun {
            rises: rises.collect(),
            task: Some(task.to_owned()),
            model: results.as_ref().and_then(|run| run.model_name.clone()).filter(|name| !name.is_empty()),
            version: results.and_then(|run| run.lm_eval_version),
        }
    }
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
    /// Identifies the document by its contents: numbers differ between data sets.
    fn pair(&self) -> Arc<str> {
        match &self.doc_hash {
            Some(hash) => hash.as_str().into(),
            None => self.doc.to_string().into(),
        }
    }

    /// Collects the metrics that are numbers, each named `metric` or `metric,filter`.
    fn scores(&self) -> Vec<RowScore> {
        let filter = self.filter.as_deref().filter(|filter| *filter != "none");
        let score = |metric: &String| {
            let name = filter.map_or_else(|| metric.clone(), |filter| format!("{metric},{filter}"));
            RowScore::from_json(&name, self.others.get(metric)?)
        };
        self.metrics.iter().filter_map(score).collect()
    }

    fn row(self, position: u64, pair: Arc<str>, scores: Vec<RowScore>, run: &LmEvalRun) -> ForeignRow {
        let field = |name: &&str| self.doc.get(*name).and_then(Value::as_str);
        let question = QUESTIONS.iter().find_map(field).map_or_else(|| self.doc.to_string(), str::to_owned);
        let name = self.doc.get("id").filter(|id| id.is_string() || id.is_number()).unwrap_or(&self.doc_id);
        let name = name.as_str().map_or_else(|| format!("doc-{name}"), str::to_owned);
        let facts = [("task", &run.task), ("model", &run.model)];
        let arm = facts.iter().filter_map(|(dimension, value)| Some(((*dimension).into(), value.as_deref()?.into())));
        let answer = match &self.filtered_resps {
            Value::Array(all) => all.first().cloned().unwrap_or_default(),
            other => other.clone(),
        };
        ForeignRow {
            position,
            input: Some(question.into()),
            pair: Some(pair),
            name: Some(name.into()),
            arm: arm.collect(),
            end: RowEnd::Graded,
            scores,
            answer: Some(answer.as_str().map_or_else(|| answer.to_string(), str::to_owned)),
            model: run.model.as_deref().map(Arc::from),
            ..ForeignRow::default()
        }
    }
}
