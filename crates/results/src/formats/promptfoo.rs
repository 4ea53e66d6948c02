//! promptfoo: `output.json`, JSON lines, and the database.

use std::collections::HashMap;
use std::io::{BufRead, Read};
use std::sync::Arc;

use eval_format::UnknownFact;
use eval_message::{Message, msg};
use eval_spec::call::Usage;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::database::{self, Database};
use crate::error::ResultsError;
use crate::format::{ReadOptions, ResultFormat};
use crate::row::{ForeignRow, PlaceUnit, ReadResults, RowEnd, RowScore, ScoreDirections};
use crate::source::{BoundedList, MAX_LINE, ResultSource, RowSink, parsed, read_json};

pub(super) const FORMAT: ResultFormat = ResultFormat {
    name: "promptfoo",
    tool: Some("promptfoo"),
    files: "output.json, output.jsonl, promptfoo.db",
    detect,
    read,
};

/// `failureReason` of a result that ended in an error; 1 means a failed assertion.
const REASON_ERROR: i64 = 2;
/// Limit on names of prompts and cases, in characters.
const MAX_NAME: usize = 48;

fn detect(source: &ResultSource) -> bool {
    database::is_database(source)
        || source.is_object_with(&["evalId", "results"])
        // old versions, whose evaluations have no ids
        || source.is_object_with(&["results", "success", "namedScores", "latencyMs"])
        || source.has_lines_with(&["promptIdx", "testIdx"])
}

fn read(
    format: &'static ResultFormat,
    source: &ResultSource,
    options: &ReadOptions,
) -> Result<ReadResults, ResultsError> {
    let mut sink = PromptfooRows { rows: RowSink::new(source), prompts: HashMap::new(), unchecked: 0, compares: false };
    let (mut version, mut notes) = (None, Vec::new());
    let unit = if database::is_database(source) {
        notes.extend(read_database(source, options, &mut sink)?);
        PlaceUnit::Record("eval_results")
    } else if !has_lines(source)? {
        let document: PromptfooDocument = source.json()?;
        version = document.metadata.and_then(|metadata| metadata.promptfoo_version);
        sink.push_all((0..).zip(document.results.results.0).collect())?;
        PlaceUnit::Entry("/results/results")
    } else {
        let mut results = Vec::new();
        source.lines(|number, line| {
            results.push((number, parsed(line.as_bytes(), || format!("{}:{number}", source.shown))?));
            Ok(())
        })?;
        sink.push_all(results)?;
        PlaceUnit::Line
    };
    notes.extend((sink.unchecked > 0).then(|| msg!("results-unchecked", file = &source.shown, count = sink.unchecked)));
    notes.extend(sink.compares.then(|| msg!("results-compares-arms", file = &source.shown)));
    let mut unknown = vec![UnknownFact::Grader, UnknownFact::Order, UnknownFact::Seed];
    unknown.extend(version.is_none().then_some(UnknownFact::ToolVersion));
    Ok(ReadResults {
        format,
        file: source.shown.clone(),
        sha256: source.sha256()?,
        tool_version: version,
        unit,
        rows: sink.rows.rows(),
        overall: Some("score".into()),
        directions: ScoreDirections::rising(),
        unknown,
        notes,
    })
}

/// Returns whether the file has one result in each line: by its extension, or because the first line is one.
fn has_lines(source: &ResultSource) -> Result<bool, ResultsError> {
    #[derive(Deserialize)]
    struct PromptfooLine {
        #[serde(rename = "testIdx")]
        _test: serde::de::IgnoredAny,
    }
    if source.extension() == "jsonl" {
        return Ok(true);
    }
    let mut line = Vec::new();
    let read = source.reader()?.take(MAX_LINE).read_until(b'\n', &mut line);
    read.map_err(|error| source.io(&error))?;
    Ok(parsed::<PromptfooLine>(line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&line), String::new).is_ok())
}

#[derive(Deserialize)]
struct PromptfooDocument {
    results: PromptfooResults,
    #[serde(default)]
    metadata: Option<PromptfooMetadata>,
}

#[derive(Deserialize)]
struct PromptfooResults {
    results: BoundedList<PromptfooResult>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PromptfooMetadata {
    #[serde(default)]
    promptfoo_version: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct PromptfooResult {
    success: Option<bool>,
    score: Option<f64>,
    error: Option<Value>,
    failure_reason: Option<i64>,
    grading_result: Option<PromptfooGrading>,
    prompt: Option<PromptfooPrompt>,
    provider: Option<Value>,
    response: Option<PromptfooResponse>,
    vars: Option<Map<String, Value>>,
    test_case: Option<PromptfooTest>,
    latency_ms: Option<f64>,
    cost: Option<f64>,
    prompt_idx: Option<i64>,
    test_idx: Option<i64>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct PromptfooGrading {
    reason: Option<String>,
    component_results: Option<Vec<PromptfooComponent>>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct PromptfooComponent {
    score: Option<f64>,
    reason: Option<String>,
    /// Absent in the entry of a set; the set's assertions follow it.
    assertion: Option<PromptfooAssertion>,
    metadata: Option<PromptfooComponentMetadata>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct PromptfooAssertion {
    #[serde(rename = "type")]
    kind: Option<String>,
    metric: Option<String>,
    weight: Option<f64>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct PromptfooComponentMetadata {
    grader_error: Option<bool>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct PromptfooPrompt {
    raw: Option<String>,
    label: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct PromptfooResponse {
    output: Option<Value>,
    token_usage: Option<PromptfooTokens>,
    cached: Option<bool>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct PromptfooTokens {
    prompt: Option<f64>,
    completion: Option<f64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct PromptfooTest {
    description: Option<String>,
    vars: Option<Map<String, Value>>,
    assert: Option<Value>,
}

struct PromptfooRows {
    rows: RowSink,
    /// Short name of each prompt, by label.
    prompts: HashMap<String, Arc<str>>,
    /// Number of results without assertions.
    unchecked: usize,
    /// `true` if some assertion compares the arms with each other.
    compares: bool,
}

impl PromptfooRows {
    /// Adds results in the order of prompts and tests, not of completion: the first prompt is the control by default.
    fn push_all(&mut self, mut results: Vec<(u64, PromptfooResult)>) -> Result<(), ResultsError> {
        results.sort_by_key(|(position, result)| (result.prompt_idx, result.test_idx, *position));
        results.into_iter().try_for_each(|(position, result)| self.push(position, result))
    }

    fn push(&mut self, position: u64, result: PromptfooResult) -> Result<(), ResultsError> {
        let error = result.error.as_ref().map(text).filter(|text| !text.is_empty());
        let is_error =
            result.failure_reason == Some(REASON_ERROR) || (error.is_some() && result.grading_result.is_none());
        let components = result.grading_result.as_ref().and_then(|grading| grading.component_results.as_deref());
        let test = result.test_case.unwrap_or_default();
        if !is_error && components.is_none_or(<[_]>::is_empty) && !has_assertions(&test) {
            // the tool passes a result without assertions, which measures nothing
            self.unchecked += 1;
            return Ok(());
        }
        let components = components.unwrap_or_default();
        self.compares |= components.iter().any(compares_arms);
        let missing_reason = components.iter().find_map(judge_failure);
        let mut scores = metrics(components);
        if missing_reason.is_none() {
            scores.extend(result.score.map(|score| RowScore::number("score", score)));
            scores.extend(result.success.map(|passed| RowScore::passed("pass", passed)));
        }
        let end = if is_error { RowEnd::Failed(error.unwrap_or_default()) } else { RowEnd::Graded };
        let provider: Option<Arc<str>> = result.provider.as_ref().and_then(provider).map(Arc::from);
        let prompt = result.prompt.unwrap_or_default();
        let prompt = self.prompt_name(&prompt.label.or(prompt.raw).unwrap_or_default());
        let input = input(result.vars.or(test.vars), test.assert.as_ref());
        let pair = test.description.as_ref().map(|text| format!("{text}\n{input}").into());
        let response = result.response.unwrap_or_default();
        let is_cached = response.cached == Some(true);
        self.rows.push(ForeignRow {
            position,
            id: None,
            input: Some(input.into()),
            pair,
            name: test.description.map(|text| clipped(&text, MAX_NAME).into()),
            suite: None,
            arm: vec![("provider".into(), provider.clone().unwrap_or_default()), ("prompt".into(), prompt)],
            trial: None,
            end,
            scores,
            missing_reason,
            answer: response.output.as_ref().map(text),
            reason: result.grading_result.and_then(|grading| grading.reason),
            model: provider,
            latency_ms: result.latency_ms.filter(|_| !is_cached).and_then(whole),
            // 0 means unknown
            cost_usd: result.cost.filter(|usd| *usd > 0.0 && usd.is_finite()),
            usage: response.token_usage.as_ref().and_then(usage),
            is_further: false,
        })
    }

    /// Returns a short name of a prompt that no other prompt has.
    fn prompt_name(&mut self, label: &str) -> Arc<str> {
        if let Some(name) = self.prompts.get(label) {
            return Arc::clone(name);
        }
        let short = clipped(label.lines().next().unwrap_or_default().trim(), MAX_NAME);
        let is_taken = self.prompts.values().any(|name| **name == *short);
        let name: Arc<str> = match short.is_empty() || is_taken {
            true => format!("prompt {}: {short}", self.prompts.len() + 1).into(),
            false => short.into(),
        };
        self.prompts.insert(label.to_owned(), Arc::clone(&name));
        name
    }
}

fn has_assertions(test: &PromptfooTest) -> bool {
    test.assert.as_ref().and_then(Value::as_array).is_some_and(|all| !all.is_empty())
}

/// Returns the reason if an assertion's judge failed; promptfoo scores that as 0.
fn judge_failure(component: &PromptfooComponent) -> Option<String> {
    let has_failed = component.metadata.as_ref().is_some_and(|metadata| metadata.grader_error == Some(true));
    has_failed.then(|| component.reason.clone().unwrap_or_default())
}

/// Returns whether an assertion compares the arms.
fn compares_arms(component: &PromptfooComponent) -> bool {
    let kind = component.assertion.as_ref().and_then(|assertion| assertion.kind.as_deref());
    kind.is_some_and(|kind| ["select-best", "max-score"].contains(&kind))
}

/// Results of a metric's assertions.
struct MetricParts<'a> {
    name: &'a str,
    /// Scores with their weights.
    scores: Vec<(f64, f64)>,
    /// `true` if a judge gave no verdict.
    is_incomplete: bool,
}

/// Computes the score of each metric: the weighted mean of its assertions. promptfoo's own sum is 0 if all weights are 0, and
/// counts a failed judge as 0.
fn metrics(components: &[PromptfooComponent]) -> Vec<RowScore> {
    let mut all: Vec<MetricParts> = Vec::new();
    for component in components {
        let Some(assertion) = &component.assertion else { continue };
        let Some(metric) = assertion.metric.as_deref() else { continue };
        let index = all.iter().position(|parts| parts.name == metric).unwrap_or_else(|| {
            all.push(MetricParts { name: metric, scores: Vec::new(), is_incomplete: false });
            all.len() - 1
        });
        all[index].is_incomplete |= judge_failure(component).is_some();
        all[index].scores.extend(component.score.map(|score| (score, assertion.weight.unwrap_or(1.0))));
    }
    let mean = |scores: &[(f64, f64)]| {
        let weight: f64 = scores.iter().map(|(_, weight)| weight).sum();
        #[expect(clippy::cast_precision_loss, reason = "a handful of assertions")]
        match weight > 0.0 {
            true => scores.iter().map(|(score, weight)| score * weight).sum::<f64>() / weight,
            false => scores.iter().map(|(score, _)| score).sum::<f64>() / scores.len() as f64,
        }
    };
    let complete = all.iter().filter(|parts| !parts.scores.is_empty() && !parts.is_incomplete);
    let means = complete.map(|parts| (parts.name, mean(&parts.scores))).filter(|(_, mean)| mean.is_finite());
    means.map(|(name, mean)| RowScore::number(name, mean)).collect()
}

fn provider(value: &Value) -> Option<String> {
    match value {
        Value::String(id) => Some(id.clone()),
        Value::Object(fields) => {
            let field = |name| fields.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
            field("label").or_else(|| field("id")).map(str::to_owned)
        }
        _ => None,
    }
}

/// Returns the input of a test: its variables, or its assertions if it has none.
fn input(vars: Option<Map<String, Value>>, assert: Option<&Value>) -> String {
    let mut vars: Vec<(String, Value)> =
        vars.into_iter().flatten().filter(|(name, _)| !name.starts_with('_') && name != "sessionId").collect();
    vars.sort_by(|(a, _), (b, _)| a.cmp(b));
    match &vars[..] {
        [] => assert.map(ToString::to_string).unwrap_or_default(),
        [(_, only)] => text(only),
        several => {
            several.iter().map(|(name, value)| format!("{name}: {}", text(value))).collect::<Vec<_>>().join("\n")
        }
    }
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

fn clipped(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

fn usage(tokens: &PromptfooTokens) -> Option<Usage> {
    let (input_tokens, output_tokens) = (whole(tokens.prompt?)?, whole(tokens.completion?)?);
    Some(Usage { input_tokens, output_tokens, ..Usage::default() })
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked to be a count")]
fn whole(number: f64) -> Option<u64> {
    (0.0..9e15).contains(&number).then(|| number.round() as u64)
}

/// Adds the results of the chosen run of a database, by default the newest; returns a note on the choice.
fn read_database(
    source: &ResultSource,
    options: &ReadOptions,
    sink: &mut PromptfooRows,
) -> Result<Option<Message>, ResultsError> {
    let database = Database::open(source, &["evals", "eval_results"])?;
    let failed = |error: rusqlite::Error| database.failed(&error);
    let (run, note) = database.choose_run("SELECT id FROM evals ORDER BY created_at DESC, id DESC", options)?;
    let sql = "SELECT rowid, success, score, error, failure_reason, grading_result, prompt, provider, response, \
               test_case, latency_ms, cost FROM eval_results WHERE eval_id = ?1 ORDER BY prompt_idx, test_idx";
    let mut statement = database.connection.prepare(sql).map_err(failed)?;
    let mut rows = statement.query([&run]).map_err(failed)?;
    while let Some(row) = rows.next().map_err(failed)? {
        let result = database_row(row).map_err(failed)?;
        sink.push(u64::try_from(row.get::<_, i64>(0).unwrap_or_default()).unwrap_or_default(), result)?;
    }
    Ok(note)
}

fn database_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<PromptfooResult> {
    Ok(PromptfooResult {
        success: row.get::<_, Option<i64>>(1)?.map(|success| success != 0),
        score: row.get(2)?,
        error: row.get::<_, Option<String>>(3)?.map(Value::String),
        failure_reason: row.get(4)?,
        grading_result: json(row, 5)?,
        prompt: json(row, 6)?,
        provider: json(row, 7)?,
        response: json(row, 8)?,
        vars: None,
        test_case: json(row, 9)?,
        latency_ms: row.get(10)?,
        cost: row.get(11)?,
        prompt_idx: None,
        test_idx: None,
    })
}

/// Parses a column that holds JSON.
fn json<T: DeserializeOwned>(row: &rusqlite::Row<'_>, column: usize) -> rusqlite::Result<Option<T>> {
    let Some(text) = row.get::<_, Option<String>>(column)? else { return Ok(None) };
    read_json(text.as_bytes()).map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, Box::new(error))
    })
}
