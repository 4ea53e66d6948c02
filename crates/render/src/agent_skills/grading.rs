//! One run: `grading.json` and `timing.json`.

use std::collections::BTreeMap;

use eval_analysis::measure::count;
use eval_message::{Lang, Message, msg};
use eval_spec::call::Usage;
use eval_spec::record::{Executed, Record};
use eval_spec::{Check, CheckOutcome, Outcome, Output};
use serde::Serialize;

use super::{float, rounded};

/// `grading.json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GradingFile {
    /// The expectations with a verdict, in the order of the eval.
    pub expectations: Vec<GradedExpectation>,
    /// How many hold.
    pub summary: GradingSummary,
    /// What the executor did.
    pub execution_metrics: ExecutionMetrics,
    /// How long it took.
    pub timing: Timing,
    /// The expectations without a verdict; not part of the format.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unscored: Vec<Unscored>,
}

/// An expectation with a verdict.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GradedExpectation {
    /// The statement.
    pub text: String,
    /// Whether it holds.
    pub passed: bool,
    /// What the judge found.
    pub evidence: String,
}

/// An expectation without one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Unscored {
    /// The statement.
    pub text: String,
    /// Why nobody knows.
    pub why: String,
}

/// How many expectations hold.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct GradingSummary {
    /// Those that hold.
    pub passed: u64,
    /// Those that don't.
    pub failed: u64,
    /// Those with a verdict: the two above.
    pub total: u64,
    /// Passed over total; `null` when a verdict is missing, or there is nothing to judge.
    pub pass_rate: Option<f64>,
    /// Those without a verdict; not part of the format.
    #[serde(skip_serializing_if = "is_none")]
    pub unscored: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
fn is_none(count: &u64) -> bool {
    *count == 0
}

/// What the executor did.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ExecutionMetrics {
    /// Tool calls by name, as far as the executor tells.
    pub tool_calls: BTreeMap<String, u64>,
    /// All of them.
    pub total_tool_calls: u64,
    /// Turns of the agent, where it tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_steps: Option<u32>,
    /// Attempts that failed, the last one included.
    pub errors_encountered: u64,
    /// Characters of the answer.
    pub output_chars: u64,
}

/// Wall clock time; what is not known is left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Timing {
    /// Seconds from the request's leaving to its last byte.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub executor_duration_seconds: Option<f64>,
    /// The same: judges are asked beside other work, and no time of theirs is part of a run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_duration_seconds: Option<f64>,
}

/// `timing.json`; what is not known is left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TimingFile {
    /// Input and output tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_tokens: Option<u64>,
    /// The time in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
    /// The same in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_duration_seconds: Option<f64>,
    /// When the first attempt began.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub executor_start: Option<String>,
    /// When the last one ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub executor_end: Option<String>,
}

/// The grading of one run by `expectations`; `record` is `None` when it was never run.
#[must_use]
pub fn grading(expectations: &[String], record: Option<&Record>, lang: Lang) -> GradingFile {
    let checks =
        record.and_then(|record| record.grade.as_ref()).map(|grade| grade.checks.as_slice()).unwrap_or_default();
    let (mut graded, mut unscored) = (Vec::new(), Vec::new());
    for (at, text) in expectations.iter().enumerate() {
        match verdict_of(checks.get(at), record) {
            Ok(passed) => {
                let first = expectations.iter().position(|other| other == text).unwrap_or(at);
                let evidence = checks.get(first).map(evidence_of).unwrap_or_default();
                graded.push(GradedExpectation { text: text.clone(), passed, evidence });
            }
            Err(why) => unscored.push(Unscored { text: text.clone(), why: why.text(lang) }),
        }
    }
    let passed = count(graded.iter().filter(|one| one.passed).count());
    let total = count(graded.len());
    let pass_rate = (total > 0 && unscored.is_empty()).then(|| rounded(float(passed) / float(total)));
    let seconds = record.and_then(output).and_then(|output| output.latency_ms).map(|ms| float(ms) / 1000.0);
    GradingFile {
        summary: GradingSummary { passed, failed: total - passed, total, pass_rate, unscored: count(unscored.len()) },
        execution_metrics: record.map(metrics).unwrap_or_default(),
        timing: Timing { executor_duration_seconds: seconds, total_duration_seconds: seconds },
        expectations: graded,
        unscored,
    }
}

/// The timing of one run.
#[must_use]
pub fn timing(record: &Record) -> TimingFile {
    let output = output(record);
    let duration_ms = output.and_then(|output| output.latency_ms);
    TimingFile {
        total_tokens: output.and_then(|output| output.usage.as_ref()).map(tokens),
        duration_ms,
        total_duration_seconds: duration_ms.map(|ms| float(ms) / 1000.0),
        executor_start: Some(record.execution.started_at.to_string()),
        executor_end: Some(record.execution.finished_at.to_string()),
    }
}

fn verdict_of(check: Option<&Check>, record: Option<&Record>) -> Result<bool, Message> {
    match check.map(|check| &check.outcome) {
        Some(CheckOutcome::Passed) => Ok(true),
        Some(CheckOutcome::Failed) => Ok(false),
        Some(CheckOutcome::Unscored { why }) => Err(why.clone()),
        Some(CheckOutcome::Rated { .. }) => Err(msg!("grade-judging-off")),
        None => Err(why_unanswered(record)),
    }
}

/// Why a run has no grade.
fn why_unanswered(record: Option<&Record>) -> Message {
    match record.map(|record| &record.execution.result) {
        None => msg!("skills-evals-not-run"),
        Some(Executed::Failed(error)) => error.message.clone(),
        Some(Executed::Output(output)) => match output.outcome {
            Outcome::Answered => msg!("skills-evals-not-graded"),
            Outcome::Refused => msg!("skills-evals-refused"),
            Outcome::Truncated | Outcome::LimitHit => msg!("skills-evals-truncated"),
            Outcome::Empty => msg!("skills-evals-empty"),
        },
    }
}

fn evidence_of(check: &Check) -> String {
    let opinions = check.judged.as_ref().map(|judged| judged.opinions.as_slice()).unwrap_or_default();
    let said: Vec<&str> =
        opinions.iter().map(|opinion| opinion.reasoning.as_str()).filter(|text| !text.is_empty()).collect();
    said.join("\n")
}

fn metrics(record: &Record) -> ExecutionMetrics {
    let output = output(record);
    let mut tool_calls = BTreeMap::new();
    for call in output.iter().flat_map(|output| output.trace.tool_calls()) {
        *tool_calls.entry(call.name.clone()).or_insert(0) += 1;
    }
    let failed = matches!(record.execution.result, Executed::Failed(_));
    ExecutionMetrics {
        total_tool_calls: tool_calls.values().sum(),
        tool_calls,
        total_steps: output.and_then(|output| output.trace.turns),
        errors_encountered: count(record.execution.failed_attempts.len()) + u64::from(failed),
        output_chars: output.map_or(0, |output| count(output.text.chars().count())),
    }
}

/// What came back, if anything did.
pub(super) fn output(record: &Record) -> Option<&Output> {
    match &record.execution.result {
        Executed::Output(output) => Some(output),
        Executed::Failed(_) => None,
    }
}

pub(super) fn tokens(usage: &Usage) -> u64 {
    usage.total_input().saturating_add(usage.output_tokens)
}
