//! The second pass over the records: `results`, one sample at a time, from the journal straight into the file.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::mpsc::sync_channel;
use std::thread;

use eval_format::{
    Analysis, AssertionDetail, AssertionStatus, Assertions, Cluster, DimensionText, Ending, ErrorResult, EvalMeta,
    LayeredScores, Missing, MissingPart, ReadError, SampleResult, SampleTexts, Stopping, VariantResult, masked_line,
};
use eval_message::Message;
use eval_spec::grade::Score;
use eval_spec::record::{Executed, Record};
use eval_spec::suite::Settings;
use eval_spec::{Assertion, Check, CheckOutcome, ExecError, Failure, Grade, Judged, Layer, Output, Sample, Suite};
use jiff::Timestamp;
use rayon::prelude::*;
use serde::ser::{Error, SerializeSeq};
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::cells::Cells;
use crate::grid::CellIndex;
use crate::holdout::Split;
use crate::numbers::{CellNumbers, ScorePart, average, count, is_rubric, paid_for_failures, snap};
use crate::questions::is_ours;

/// How many characters of an answer its preview shows.
const PREVIEW: usize = 200;

/// About how many bytes of results wait for being written.
const BLOCK_BYTES: usize = 1 << 20;

/// Serialises to the list of all sample results, each on a line. A few are made at a time, on all cores, while those before
/// them are written.
pub(crate) struct Streamed<'a> {
    results: Results<'a>,
    /// The error that ended the stream: `serde` passes on only its text.
    pub(crate) failed: RefCell<Option<ReadError>>,
}

/// The inputs of results.
struct Results<'a> {
    suite: &'a Suite,
    cells: &'a Cells<'a>,
    labels: &'a [String],
    index: CellIndex,
    /// Whether the run ended early, so that cells without a record were not needed.
    is_early: bool,
    /// The name of each sample's cluster.
    clusters: BTreeMap<&'a str, &'a str>,
}

impl<'a> Streamed<'a> {
    pub(crate) fn new(suite: &'a Suite, cells: &'a Cells<'a>, analysis: &'a Analysis) -> Streamed<'a> {
        let is_early = analysis.stopping.as_ref().is_some_and(Stopping::leaves_out);
        let members = |of: &'a Cluster| of.samples.iter().map(|sample| (sample.as_str(), of.name.as_str()));
        let results = Results {
            suite,
            cells,
            labels: &analysis.meta.variants,
            index: CellIndex::new(suite, cells.plan),
            is_early,
            clusters: analysis.clusters.iter().flat_map(members).collect(),
        };
        Streamed { results, failed: RefCell::new(None) }
    }
}

/// The results of some samples as JSON.
type ResultBlock = Vec<Result<Box<RawValue>, ReadError>>;

impl Results<'_> {
    /// All results, a few at a time.
    fn blocks(&self) -> impl Iterator<Item = ResultBlock> {
        let samples = self.suite.samples.len();
        let (mut from, mut length) = (0, 1);
        std::iter::from_fn(move || {
            let to = samples.min(from + length);
            let block: ResultBlock = (from..to).into_par_iter().map(|sample| self.text(sample)).collect();
            let bytes: usize = block.iter().flatten().map(|text| text.get().len()).sum();
            length = (BLOCK_BYTES * (to - from) / bytes.max(1)).clamp(1, 256);
            from = to;
            (!block.is_empty()).then_some(block)
        })
    }

    /// One sample's results as JSON.
    fn text(&self, sample: usize) -> Result<Box<RawValue>, ReadError> {
        Ok(masked_line(&self.sample(sample)?)?)
    }

    fn sample(&self, sample: usize) -> Result<SampleResult, ReadError> {
        let read = |&cell: &usize| (self.cells.read)(cell);
        let of_variant = |variant| self.index.of(sample, variant).iter().map(read).collect::<Result<Vec<_>, _>>();
        let records = (0..self.labels.len()).map(of_variant).collect::<Result<Vec<_>, _>>()?;
        let sample = &self.suite.samples[sample];
        let cluster = self.clusters.get(sample.id.as_str()).copied();
        let result = sample_result(sample, cluster, &self.suite.settings, self.labels, &records, self.is_early);
        Ok(SampleResult { texts: self.cells.texts.map(|write| texts(sample, write)), ..result })
    }
}

fn texts(sample: &Sample, write: &(dyn Fn(&str) -> String + Sync)) -> SampleTexts {
    let dimension = |(name, rubric): &(String, String)| DimensionText { name: name.clone(), rubric: write(rubric) };
    SampleTexts {
        prompt: write(&sample.prompt_text()),
        rubric: sample.rubric.as_deref().filter(|_| sample.dimensions.is_empty()).map(write),
        dimensions: sample.dimensions.iter().map(dimension).collect(),
    }
}

/// One sample's results, with the name of its cluster: for each of `labels`, the records of its repeats.
pub fn sample_result(
    sample: &Sample,
    cluster: Option<&str>,
    settings: &Settings,
    labels: &[String],
    records: &[Vec<Option<Record>>],
    is_early: bool,
) -> SampleResult {
    let of_variant = |records: &Vec<Option<Record>>| {
        merged(records.iter().map(|record| run_result(sample, record.as_ref(), is_early)).collect(), sample)
    };
    SampleResult {
        sample_id: sample.id.clone(),
        tripwire: sample.tripwire,
        holdout: !sample.tripwire
            && Split::of(settings).is_some_and(|split| split.holds_out(cluster.unwrap_or(&sample.id))),
        cluster: cluster.map(str::to_owned),
        capability: sample.metadata.capability.clone(),
        difficulty: sample.metadata.difficulty,
        construct: sample.metadata.construct.clone(),
        provenance: sample.metadata.provenance,
        questions: sample.questions(),
        pairwise: settings.judge && sample.is_pairwise(settings.judge_mode),
        trigger: sample.trigger.clone(),
        eval: sample.eval.as_ref().map(|eval| EvalMeta {
            id: eval.id.clone(),
            name: eval.name.clone(),
            prompt: sample.prompt.clone(),
            files: eval.files.clone(),
        }),
        texts: None,
        // another tool's results may lack a sample in one arm
        variants: (labels.iter().zip(records).filter(|(_, records)| !records.is_empty()))
            .map(|(label, records)| (label.clone(), of_variant(records)))
            .collect(),
    }
}

impl Serialize for Streamed<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let samples = self.results.suite.samples.len();
        let mut list = serializer.serialize_seq(Some(samples))?;
        let results = &self.results;
        thread::scope(|scope| {
            let (made, next) = sync_channel(1);
            let ahead = thread::Builder::new().spawn_scoped(scope, move || {
                for block in results.blocks() {
                    if made.send(block).is_err() {
                        break; // writing failed
                    }
                }
            });
            // Under a limit on threads, blocks are made and written in turns.
            let blocks: Box<dyn Iterator<Item = ResultBlock>> = match ahead {
                Ok(_) => Box::new(next.into_iter()),
                Err(_) => Box::new(results.blocks()),
            };
            for result in blocks.flatten() {
                match result {
                    Ok(result) => list.serialize_element(&result)?,
                    Err(error) => {
                        let text = error.to_string();
                        *self.failed.borrow_mut() = Some(error);
                        return Err(S::Error::custom(text));
                    }
                }
            }
            list.end()
        })
    }
}

/// One execution; in a run that `is_early` over, one that was not made was not needed.
fn run_result(sample: &Sample, record: Option<&Record>, is_early: bool) -> VariantResult {
    let numbers = match record.map_or_else(CellNumbers::not_run, CellNumbers::of) {
        not_run if is_early && not_run.ending == Ending::NotRun => {
            CellNumbers { retried: not_run.retried, paid: not_run.paid, ..CellNumbers::not_needed() }
        }
        numbers => numbers,
    };
    let grade = record.and_then(|record| record.grade.as_ref()).filter(|_| numbers.graded);
    let result = record.map(|record| &record.execution.result);
    let output = result.and_then(|result| match result {
        Executed::Output(output) => Some(&**output),
        Executed::Failed(_) => None,
    });
    let error = result.and_then(|result| match result {
        Executed::Output(_) => None,
        Executed::Failed(error) => Some(error),
    });
    let points = |layer: usize| numbers.layers[layer].points();
    VariantResult {
        repeat: None,
        ok: numbers.ending == Ending::Answered,
        outcome: numbers.ending,
        composite_score: composite(&numbers),
        layered_scores: LayeredScores { fact_score: points(0), behavior_score: points(1), judge_score: points(2) },
        assertions: assertions(sample, grade),
        llm_score: points(2),
        llm_reason: grade.and_then(llm_reason),
        judged: grade.map(opinions).unwrap_or_default(),
        duration_ms: numbers.latency_ms,
        input_tokens: numbers.usage.map(|usage| usage.total_input()),
        output_tokens: numbers.usage.map(|usage| usage.output_tokens),
        total_tokens: numbers.usage.map(|usage| usage.total_input().saturating_add(usage.output_tokens)),
        cache_read_tokens: numbers.usage.map(|usage| usage.cache_read_tokens).filter(|tokens| *tokens > 0),
        cache_write_tokens: numbers.usage.map(|usage| usage.cache_write_tokens).filter(|tokens| *tokens > 0),
        cost_usd: numbers.price,
        cost_source: output.and_then(|output| Some(output.cost?.source)),
        failures_before: record.map(Record::failures_before).unwrap_or_default(),
        failed_attempts_cost: record.filter(|record| has_failed(record)).map(|record| paid_for_failures(record).into()),
        output_preview: output.map_or_else(String::new, |output| preview(&output.text)),
        full_output: output.map(|output| output.text.clone()),
        turns: output.and_then(|output| output.trace.turns),
        tool_calls: output.map(tool_calls).unwrap_or_default(),
        artifacts_read: record.map(|record| record.artifacts_read.clone()).unwrap_or_default(),
        delivered: output.and_then(|output| output.delivered.clone()),
        missing: missing(&numbers, grade),
        error: error.map(error_result),
        attempts: attempts(record, &numbers),
        cached: numbers.cached,
        // of another tool's results it isn't known
        started_at: record.map(|record| record.execution.started_at).filter(|at| *at != UNKNOWN_TIME).map(time),
        stop_reason: output.and_then(|output| output.stop_reason.clone()),
        request_id: output.and_then(|output| output.request_id.clone()),
        model: output.and_then(|output| output.model.clone()),
        runtime: output.and_then(|output| output.runtime.clone()),
        runs: None,
    }
}

/// The time of an execution of which it isn't known.
const UNKNOWN_TIME: Timestamp = Timestamp::UNIX_EPOCH;

fn time(at: Timestamp) -> String {
    format!("{at:.3}")
}

/// Whether an attempt failed, be it the last.
fn has_failed(record: &Record) -> bool {
    let execution = &record.execution;
    !execution.failed_attempts.is_empty() || matches!(execution.result, Executed::Failed(_))
}

/// 0 means that the sample defines no criteria.
fn composite(numbers: &CellNumbers) -> Option<f64> {
    match &numbers.composite {
        ScorePart::Scored(points) => Some(*points),
        ScorePart::NotPlanned => Some(0.0),
        ScorePart::Missing(_) => None,
    }
}

fn preview(text: &str) -> String {
    match text.char_indices().nth(PREVIEW) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}...", &text[..end]),
    }
}

fn tool_calls(output: &Output) -> Vec<eval_spec::call::ToolCall> {
    output.trace.tool_calls().cloned().collect()
}

/// A cell that the budget or an interruption kept from running made no last attempt.
fn attempts(record: Option<&Record>, numbers: &CellNumbers) -> u32 {
    let last = match (record, numbers.failure) {
        (None, _) | (_, Some(Failure::Budget)) => 0,
        (Some(_), _) => u32::from(!numbers.cached),
    };
    numbers.retried.saturating_add(last)
}

fn error_result(error: &ExecError) -> ErrorResult {
    ErrorResult {
        failure: error.failure,
        message: error.message.to_string(),
        message_key: error.message.clone(),
        detail: error.detail.clone(),
        status: error.status,
        partial_output: error.partial.as_ref().map(|partial| partial.text.clone()).filter(|text| !text.is_empty()),
    }
}

/// The judge's reasons, one line per rubric or dimension.
fn llm_reason(grade: &Grade) -> Option<String> {
    let said: Vec<String> = grade
        .checks
        .iter()
        .filter(|check| is_rubric(check))
        .filter_map(|check| check.judged.as_deref().and_then(first_reasons))
        .collect();
    (!said.is_empty()).then(|| said.join("\n"))
}

/// The first opinion's reasons, under the dimension's name if it has one.
fn first_reasons(judged: &Judged) -> Option<String> {
    let reasons = judged.opinions.iter().map(|opinion| opinion.reasoning.trim()).find(|text| !text.is_empty())?;
    Some(match &judged.dimension {
        Some(dimension) => format!("{dimension}: {reasons}"),
        None => reasons.to_owned(),
    })
}

/// The opinions on the rubric or the dimensions.
fn opinions(grade: &Grade) -> Vec<Judged> {
    grade.checks.iter().filter(|check| is_rubric(check)).filter_map(|check| check.judged.as_deref().cloned()).collect()
}

fn missing(numbers: &CellNumbers, grade: Option<&Grade>) -> Vec<Missing> {
    let entry =
        |what, index, why: &Message| Missing { what, index, repeat: None, why: why.to_string(), why_key: why.clone() };
    let mut all: Vec<Missing> =
        numbers.composite.why().map(|why| entry(MissingPart::Composite, None, why)).into_iter().collect();
    let Some(grade) = grade else {
        return all;
    };
    let parts = [MissingPart::Fact, MissingPart::Behavior, MissingPart::Judge];
    for (part, layer) in parts.into_iter().zip(&numbers.layers) {
        all.extend(layer.why().map(|why| entry(part, None, why)));
    }
    for (index, check) in grade.checks.iter().filter(|check| !is_rubric(check)).enumerate() {
        all.extend(why_unscored(check).map(|why| entry(MissingPart::Assertion, Some(count(index)), why)));
    }
    all
}

fn why_unscored(check: &Check) -> Option<&Message> {
    match &check.outcome {
        CheckOutcome::Unscored { why } => Some(why),
        _ => None,
    }
}

/// The assertions as written with their results; ungraded ones are listed as not evaluated.
fn assertions(sample: &Sample, grade: Option<&Grade>) -> Assertions {
    let Some(grade) = grade else {
        let details: Vec<_> = sample.assertions.iter().map(|written| detail(written, None)).collect();
        return Assertions { passed: 0, total: count(details.len()), score: None, details };
    };
    let checks = grade.checks.iter().filter(|check| !is_rubric(check));
    let written = sample.assertions.iter().map(Some).chain(std::iter::repeat(None));
    let details: Vec<AssertionDetail> = checks
        .zip(written)
        .map(|(check, written)| match written.filter(|written| written.kind == check.kind) {
            Some(written) => detail(written, Some(check)),
            None => detail_of_check(check),
        })
        .collect();
    Assertions {
        passed: passed(&details),
        total: count(details.len()),
        score: match grade.assertions() {
            Score::Scored(ratio) => Some(snap(ratio.score())),
            Score::NotPlanned | Score::Missing { .. } => None,
        },
        details,
    }
}

fn passed(details: &[AssertionDetail]) -> u64 {
    count(details.iter().filter(|detail| detail.passed == Some(true)).count())
}

fn detail(written: &Assertion, check: Option<&Check>) -> AssertionDetail {
    let children = match check {
        Some(check) if check.children.len() == written.children.len() => {
            written.children.iter().zip(&check.children).map(|(child, check)| detail(child, Some(check))).collect()
        }
        _ => written.children.iter().map(|child| detail(child, None)).collect(),
    };
    AssertionDetail {
        kind: written.kind.clone(),
        written: as_written(&written.written),
        weight: written.weight,
        not: written.not,
        children,
        ..check.map_or_else(not_evaluated, detail_of_check)
    }
}

/// The written fields except those with a field of their own in the report.
fn as_written(written: &Map<String, Value>) -> Map<String, Value> {
    written.iter().filter(|(name, _)| !is_ours(name)).map(|(n, v)| (n.clone(), v.clone())).collect()
}

fn not_evaluated() -> AssertionDetail {
    AssertionDetail {
        kind: String::new(),
        written: Map::new(),
        weight: 1.0,
        not: false,
        passed: None,
        status: None,
        rating: None,
        layer: None,
        actual: None,
        message: None,
        message_key: None,
        passed_runs: None,
        evaluated_runs: None,
        judged: None,
        children: Vec::new(),
    }
}

fn detail_of_check(check: &Check) -> AssertionDetail {
    let message = check.message.as_ref().or_else(|| why_unscored(check));
    AssertionDetail {
        kind: check.kind.clone(),
        weight: check.weight,
        not: check.not,
        passed: check.outcome.passed(),
        status: check.outcome.is_unscored().then_some(AssertionStatus::Unavailable),
        rating: match check.outcome {
            CheckOutcome::Rated { ratio } => Some(ratio.get()),
            _ => None,
        },
        layer: Some(check.layer),
        actual: check.actual.clone(),
        message: message.map(Message::to_string),
        message_key: message.cloned(),
        judged: check.judged.as_deref().cloned(),
        children: check.children.iter().map(detail_of_check).collect(),
        ..not_evaluated()
    }
}

/// All repeats of one sample and variant: see [`VariantResult`].
fn merged(mut runs: Vec<VariantResult>, sample: &Sample) -> VariantResult {
    if runs.len() < 2 {
        return runs.pop().unwrap_or_else(|| run_result(sample, None, false));
    }
    let shown = runs.iter().position(|run| run.ok).unwrap_or(0);
    let number = |value: fn(&VariantResult) -> Option<f64>| average(&runs.iter().filter_map(value).collect::<Vec<_>>());
    let whole = |value: fn(&VariantResult) -> Option<u64>| mean_of(runs.iter().filter_map(value));
    let outcome = runs[0].outcome;
    let mut all = VariantResult {
        ok: runs.iter().all(|run| run.ok),
        outcome: if runs.iter().all(|run| run.outcome == outcome) { outcome } else { Ending::Mixed },
        composite_score: number(|run| run.composite_score),
        layered_scores: LayeredScores {
            fact_score: number(|run| run.layered_scores.fact_score),
            behavior_score: number(|run| run.layered_scores.behavior_score),
            judge_score: number(|run| run.layered_scores.judge_score),
        },
        assertions: merged_assertions(&runs, shown),
        llm_score: number(|run| run.llm_score),
        duration_ms: whole(|run| run.duration_ms),
        input_tokens: whole(|run| run.input_tokens),
        output_tokens: whole(|run| run.output_tokens),
        total_tokens: whole(|run| run.total_tokens),
        cache_read_tokens: whole(|run| run.cache_read_tokens),
        cache_write_tokens: whole(|run| run.cache_write_tokens),
        cost_usd: mean_cost(&runs),
        failed_attempts_cost: None,
        failures_before: Vec::new(),
        missing: merged_missing(&runs),
        attempts: runs.iter().map(|run| run.attempts).fold(0, u32::saturating_add),
        cached: runs.iter().all(|run| run.cached),
        artifacts_read: all_read(&runs),
        ..runs[shown].clone()
    };
    for (repeat, run) in (0..).zip(&mut runs) {
        run.repeat = Some(repeat);
    }
    all.runs = Some(runs);
    all
}

fn mean_of(values: impl Iterator<Item = u64>) -> Option<u64> {
    let (sum, n) = values.fold((0_u128, 0_u128), |(sum, n), value| (sum + u128::from(value), n + 1));
    (n > 0).then(|| u64::try_from((sum + n / 2) / n).unwrap_or(u64::MAX))
}

fn all_read(runs: &[VariantResult]) -> Vec<String> {
    let all: BTreeSet<&String> = runs.iter().flat_map(|run| &run.artifacts_read).collect();
    all.into_iter().cloned().collect()
}

/// The mean price of the answers; `None` when one of them has none.
fn mean_cost(runs: &[VariantResult]) -> Option<f64> {
    let prices: Option<Vec<f64>> =
        runs.iter().filter(|run| run.full_output.is_some()).map(|run| run.cost_usd).collect();
    average(&prices?)
}

/// A check passed when it did in every run that evaluated it.
fn merged_assertions(runs: &[VariantResult], shown: usize) -> Assertions {
    let mut all = runs[shown].assertions.clone();
    for (index, detail) in all.details.iter_mut().enumerate() {
        let results = || runs.iter().filter_map(|run| run.assertions.details.get(index)?.passed);
        let (passed, evaluated) = (results().filter(|passed| *passed).count(), results().count());
        detail.passed = (evaluated > 0).then_some(passed == evaluated);
        let ratings: Vec<f64> = runs.iter().filter_map(|run| run.assertions.details.get(index)?.rating).collect();
        detail.rating = average(&ratings);
        detail.status = detail.status.filter(|_| evaluated == 0 && ratings.is_empty());
        if ratings.is_empty() {
            detail.passed_runs = Some(count(passed));
            detail.evaluated_runs = Some(count(evaluated));
        }
    }
    all.passed = passed(&all.details);
    all.score = average(&runs.iter().filter_map(|run| run.assertions.score).collect::<Vec<_>>());
    all
}

fn merged_missing(runs: &[VariantResult]) -> Vec<Missing> {
    let of_run = |(repeat, run): (u32, &VariantResult)| {
        run.missing.iter().map(move |missing| Missing { repeat: Some(repeat), ..missing.clone() }).collect::<Vec<_>>()
    };
    (0..).zip(runs).flat_map(of_run).collect()
}

/// Layers in the order of [`LayeredScores`].
const _: () = assert!(matches!(Layer::ALL, [Layer::Fact, Layer::Behavior, Layer::Judge]));
