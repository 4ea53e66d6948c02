//! All runs: `benchmark.json`.

use std::collections::BTreeMap;

use eval_analysis::measure::count;
use eval_format::{Ci, Report, SampleResult, Tier};
use eval_message::{Lang, Message, msg};
use serde::Serialize;
use serde_json::Value;

use super::{Configuration, GradedExpectation, GradingFile, Variants, float, rounded};

/// `benchmark.json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BenchmarkFile {
    /// What was run.
    pub metadata: BenchmarkMetadata,
    /// The runs with a pass rate: by eval, with the skill first.
    pub runs: Vec<BenchmarkRun>,
    /// Means over those runs.
    pub run_summary: RunStatistics,
    /// What catches the eye.
    pub notes: Vec<String>,
    /// The runs without a pass rate; not part of the format.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ungraded_runs: Vec<UngradedRun>,
    /// What the statistics of the report say; not part of the format.
    pub omk: Statistics,
}

/// What was run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BenchmarkMetadata {
    /// The skill's name.
    pub skill_name: String,
    /// Where it lies.
    pub skill_path: String,
    /// The model that answered, or the executor where none is named.
    pub executor_model: String,
    /// The judge; not part of the format.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grader_model: Option<String>,
    /// When the runs began.
    pub timestamp: String,
    /// The ids of the evals.
    pub evals_run: Vec<Value>,
    /// Runs of each eval and configuration.
    pub runs_per_configuration: u32,
}

/// One run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BenchmarkRun {
    /// The eval's id, as written.
    pub eval_id: Value,
    /// The eval's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub eval_name: Option<String>,
    /// `with_skill` or `without_skill`.
    pub configuration: &'static str,
    /// From 1.
    pub run_number: u32,
    /// Its numbers.
    pub result: RunResult,
    /// The expectations with their verdicts.
    pub expectations: Vec<GradedExpectation>,
    /// Nothing: the executor leaves no notes of its own.
    pub notes: Vec<String>,
}

/// The numbers of one run; what is not known is left out.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RunResult {
    /// Passed over total.
    pub pass_rate: f64,
    /// Expectations that hold.
    pub passed: u64,
    /// Those that don't.
    pub failed: u64,
    /// Both.
    pub total: u64,
    /// Seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_seconds: Option<f64>,
    /// Input and output tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// Tool calls.
    pub tool_calls: u64,
    /// Attempts that failed.
    pub errors: u64,
}

/// A run without a pass rate.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct UngradedRun {
    /// The eval's id, as written.
    pub eval_id: Value,
    /// `with_skill` or `without_skill`.
    pub configuration: &'static str,
    /// From 1.
    pub run_number: u32,
    /// Why there is none.
    pub why: String,
}

/// Both configurations, and how they differ. The format's viewer takes the first key for the skill.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunStatistics {
    /// With the skill.
    pub with_skill: ConfigurationSummary,
    /// Without it.
    pub without_skill: ConfigurationSummary,
    /// With − without.
    pub delta: SignedDelta,
}

/// One configuration; what no run tells is left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct ConfigurationSummary {
    /// Pass rates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pass_rate: Option<BenchmarkSpread>,
    /// Seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_seconds: Option<BenchmarkSpread>,
    /// Tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<BenchmarkSpread>,
}

/// How a number is spread over runs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BenchmarkSpread {
    /// The mean.
    pub mean: f64,
    /// The standard deviation (n − 1); 0 for one run, as in the format's own tools, whose viewer needs a number.
    pub stddev: f64,
    /// The least.
    pub min: f64,
    /// The most.
    pub max: f64,
}

/// Differences of means, as the format writes them: with a sign.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SignedDelta {
    /// Such as `+0.50`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pass_rate: Option<String>,
    /// Such as `+13.0`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_seconds: Option<String>,
    /// Such as `+1700`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<String>,
}

/// What the report's statistics say: an eval is the unit, its runs are averaged first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Statistics {
    /// The report that it was made of.
    pub report: String,
    /// Whether it is a measurement at all.
    pub valid: bool,
    /// The verdict on the skill.
    pub verdict: Tier,
    /// The pass rate with the skill.
    pub with_skill: RateEstimate,
    /// The pass rate without it.
    pub without_skill: RateEstimate,
    /// With − without, paired by eval.
    pub difference: RateEstimate,
    /// Two-sided p-value of the difference.
    pub p_value: Option<f64>,
    /// What it cost, judges included, in US dollars; `null` if a part is unknown.
    pub cost_usd: Option<f64>,
}

/// A share, or a difference of shares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct RateEstimate {
    /// Evals that it rests on.
    pub evals: u64,
    /// The mean; `null` without evals.
    pub mean: Option<f64>,
    /// Its 95 % interval; `null` below two evals, and where the evals don't differ.
    pub ci: Option<[f64; 2]>,
}

/// One run of one eval, graded.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct GradedRun {
    pub(super) id: Value,
    pub(super) name: Option<String>,
    pub(super) configuration: Configuration,
    /// From 1.
    pub(super) number: u32,
    pub(super) tokens: Option<u64>,
    pub(super) grading: GradingFile,
}

impl GradedRun {
    fn result(&self) -> Option<RunResult> {
        let GradingFile { summary, execution_metrics, timing, .. } = &self.grading;
        Some(RunResult {
            pass_rate: summary.pass_rate?,
            passed: summary.passed,
            failed: summary.failed,
            total: summary.total,
            time_seconds: timing.total_duration_seconds,
            tokens: self.tokens,
            tool_calls: execution_metrics.total_tool_calls,
            errors: execution_metrics.errors_encountered,
        })
    }
}

/// The benchmark of all runs of a report.
pub(super) fn benchmark(report: &Report, variants: &Variants<'_>, all: &[GradedRun], lang: Lang) -> BenchmarkFile {
    let (mut runs, mut ungraded) = (Vec::new(), Vec::new());
    for of in all {
        match of.result() {
            Some(result) => runs.push(run(of, result)),
            None => ungraded.push(without_rate(of, lang)),
        }
    }
    let mut notes: Vec<Message> = with_files(report).into_iter().chain(noticed(&runs)).collect();
    if !ungraded.is_empty() {
        notes.push(msg!("skills-evals-note-ungraded", count = ungraded.len(), all = all.len()));
    }
    BenchmarkFile {
        run_summary: statistics(&runs),
        notes: notes.iter().map(|note| note.text(lang)).collect(),
        omk: estimates(report, variants),
        metadata: metadata(report, variants),
        runs,
        ungraded_runs: ungraded,
    }
}

/// Evals whose files an answer may have lacked.
fn with_files(report: &Report) -> Option<Message> {
    let names_files = |result: &&SampleResult| result.eval.as_ref().is_some_and(|eval| !eval.files.is_empty());
    let count = report.results.iter().filter(names_files).count();
    (count > 0).then(|| msg!("skills-evals-note-files", count = count))
}

fn metadata(report: &Report, variants: &Variants<'_>) -> BenchmarkMetadata {
    let meta = &report.meta;
    let skill = meta.artifacts.as_ref().and_then(|artifacts| artifacts.get(variants.with_skill));
    BenchmarkMetadata {
        skill_name: variants.with_skill.to_owned(),
        skill_path: skill.map(|of| of.origin.clone().unwrap_or_else(|| of.reference.clone())).unwrap_or_default(),
        executor_model: if meta.model.is_empty() { meta.executor.clone() } else { meta.model.clone() },
        grader_model: meta.judge_models.first().cloned(),
        timestamp: meta.timestamp.clone(),
        evals_run: report.results.iter().filter_map(|result| Some(result.eval.as_ref()?.id.clone())).collect(),
        runs_per_configuration: meta.repeat,
    }
}

fn run(of: &GradedRun, result: RunResult) -> BenchmarkRun {
    BenchmarkRun {
        eval_id: of.id.clone(),
        eval_name: of.name.clone(),
        configuration: of.configuration.name(),
        run_number: of.number,
        result,
        expectations: of.grading.expectations.clone(),
        notes: Vec::new(),
    }
}

fn without_rate(of: &GradedRun, lang: Lang) -> UngradedRun {
    let why = of.grading.unscored.first().map(|unscored| unscored.why.clone());
    UngradedRun {
        eval_id: of.id.clone(),
        configuration: of.configuration.name(),
        run_number: of.number,
        why: why.unwrap_or_else(|| msg!("skills-evals-nothing-expected").text(lang)),
    }
}

fn statistics(runs: &[BenchmarkRun]) -> RunStatistics {
    let [with_skill, without_skill] = Configuration::ALL.map(|configuration| summary(runs, configuration));
    let mean = |of: fn(&ConfigurationSummary) -> Option<BenchmarkSpread>| {
        Some(of(&with_skill)?.mean - of(&without_skill)?.mean)
    };
    let delta = SignedDelta {
        pass_rate: mean(|of| of.pass_rate).map(|difference| signed(difference, 2)),
        time_seconds: mean(|of| of.time_seconds).map(|difference| signed(difference, 1)),
        tokens: mean(|of| of.tokens).map(|difference| signed(difference, 0)),
    };
    RunStatistics { with_skill, without_skill, delta }
}

/// A difference with its sign; what is rounded to nothing has none of its own.
fn signed(difference: f64, decimals: usize) -> String {
    let text = format!("{difference:+.decimals$}");
    match text.strip_prefix('-').filter(|digits| digits.bytes().all(|digit| matches!(digit, b'0' | b'.'))) {
        Some(zero) => format!("+{zero}"),
        None => text,
    }
}

fn summary(runs: &[BenchmarkRun], configuration: Configuration) -> ConfigurationSummary {
    let of = |value: fn(&RunResult) -> Option<f64>| {
        let runs = runs.iter().filter(|run| run.configuration == configuration.name());
        spread(&runs.filter_map(|run| value(&run.result)).collect::<Vec<_>>())
    };
    ConfigurationSummary {
        pass_rate: of(|result| Some(result.pass_rate)),
        time_seconds: of(|result| result.time_seconds),
        tokens: of(|result| result.tokens.map(float)),
    }
}

fn spread(values: &[f64]) -> Option<BenchmarkSpread> {
    Some(BenchmarkSpread {
        mean: rounded(eval_stats::mean(values)?),
        stddev: rounded(eval_stats::sd(values).unwrap_or(0.0)),
        min: rounded(values.iter().copied().fold(f64::INFINITY, f64::min)),
        max: rounded(values.iter().copied().fold(f64::NEG_INFINITY, f64::max)),
    })
}

/// Expectations that tell nothing of the skill: they hold in every run, or in none.
fn noticed(runs: &[BenchmarkRun]) -> Vec<Message> {
    let mut verdicts: BTreeMap<(String, &str), [Vec<bool>; 2]> = BTreeMap::new();
    for run in runs {
        for one in &run.expectations {
            let verdicts = verdicts.entry((shown(&run.eval_id), &one.text)).or_default();
            verdicts[usize::from(run.configuration == Configuration::WithoutSkill.name())].push(one.passed);
        }
    }
    let all = |verdicts: &[Vec<bool>; 2], wanted: bool| {
        verdicts.iter().all(|of| !of.is_empty() && of.iter().all(|passed| *passed == wanted))
    };
    let note = |((eval, text), verdicts): (&(String, &str), &[Vec<bool>; 2])| match verdicts {
        verdicts if all(verdicts, true) => Some(msg!("skills-evals-note-always", eval = eval, text = *text)),
        verdicts if all(verdicts, false) => Some(msg!("skills-evals-note-never", eval = eval, text = *text)),
        _ => None,
    };
    verdicts.iter().filter_map(note).collect()
}

/// An id without quotes.
pub(super) fn shown(id: &Value) -> String {
    id.as_str().map_or_else(|| id.to_string(), str::to_owned)
}

/// The analysis in shares: its scores go from 1, nothing holds, to 5, everything does.
fn estimates(report: &Report, variants: &Variants<'_>) -> Statistics {
    let of = |configuration: Configuration| {
        let summary = report.summary.get(variants.of(configuration));
        summary.filter(|of| of.planned_scores > 0).map_or_else(RateEstimate::default, |of| RateEstimate {
            evals: of.scored_samples,
            mean: of.avg_composite_score.map(|score| rounded((score - 1.0) / 4.0)),
            ci: of.ci.as_ref().and_then(|ci| bounds(ci, 1.0)),
        })
    };
    let compared = report.comparisons.iter().find(|of| of.treatment == variants.with_skill);
    let difference = compared.map_or_else(RateEstimate::default, |of| RateEstimate {
        evals: of.diff.n,
        mean: of.diff.mean.map(|points| rounded(points / 4.0)),
        ci: of.diff.ci.as_ref().and_then(|ci| bounds(ci, 0.0)),
    });
    Statistics {
        report: report.id.clone(),
        valid: report.verdict.valid,
        verdict: report.verdict.tier,
        with_skill: of(Configuration::WithSkill),
        without_skill: of(Configuration::WithoutSkill),
        difference,
        p_value: compared.and_then(|of| of.diff.p_value_adjusted.or(of.diff.p_value)),
        cost_usd: report.meta.total_cost_usd,
    }
}

/// An interval without width says nothing of uncertainty.
fn bounds(ci: &Ci, zero: f64) -> Option<[f64; 2]> {
    (!ci.degenerate).then(|| [ci.low, ci.high].map(|bound| rounded((bound - zero) / 4.0)))
}

impl BenchmarkFile {
    /// Runs, those without a pass rate included.
    #[must_use]
    pub fn all_runs(&self) -> u64 {
        count(self.runs.len() + self.ungraded_runs.len())
    }
}

#[cfg(test)]
mod tests {
    use super::signed;

    #[test]
    fn nothing_is_not_less_than_nothing() {
        assert_eq!([-0.04, 0.04, -0.0, -0.06].map(|seconds| signed(seconds, 1)), ["+0.0", "+0.0", "+0.0", "-0.1"]);
        assert_eq!((signed(-0.4, 0), signed(-0.006, 2)), ("+0".to_owned(), "-0.01".to_owned()));
    }
}
