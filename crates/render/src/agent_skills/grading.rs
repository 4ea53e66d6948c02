//! One run: `grading.json` and `timing.json`.

use std::collections::BTreeMap;

use eval_analysis::agent_skills::{pass_rate, seconds};
use eval_analysis::measure::count;
use eval_format::{AssertionDetail, Ending, VariantResult};
use eval_message::{Lang, Message, msg};
use eval_spec::sample::EXPECTATION;
use serde::Serialize;
use serde_json::Value;

/// `grading.json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GradingFile {
    /// The expectations with a verdict, in the order of the eval.
    pub expectations: Vec<GradedExpectation>,
    pub summary: GradingSummary,
    pub execution_metrics: ExecutionMetrics,
    pub timing: Timing,
    /// The expectations without a verdict; not part of the format.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unscored: Vec<UnscoredExpectation>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GradedExpectation {
    pub text: String,
    pub passed: bool,
    pub evidence: String,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct UnscoredExpectation {
    pub text: String,
    pub why: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct GradingSummary {
    pub passed: u64,
    pub failed: u64,
    /// Expectations with a verdict.
    pub total: u64,
    /// Passed over total; `null` when a verdict is missing, or there is nothing to judge.
    pub pass_rate: Option<f64>,
    /// Expectations without a verdict; not part of the format.
    #[serde(skip_serializing_if = "is_none")]
    pub unscored: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
fn is_none(count: &u64) -> bool {
    *count == 0
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ExecutionMetrics {
    /// Tool calls by name, as far as the executor tells.
    pub tool_calls: BTreeMap<String, u64>,
    pub total_tool_calls: u64,
    /// Turns of the agent, where it tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_steps: Option<u32>,
    /// Attempts that failed, the last one included.
    pub errors_encountered: u64,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_duration_seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub executor_start: Option<String>,
}

pub(super) fn expectations(run: &VariantResult) -> impl Iterator<Item = (&str, &AssertionDetail)> {
    let expected = run.assertions.details.iter().filter(|detail| detail.kind == EXPECTATION);
    expected.filter_map(|detail| Some((detail.written.get("value").and_then(Value::as_str)?, detail)))
}

#[must_use]
pub fn grading(run: &VariantResult, lang: Lang) -> GradingFile {
    let (mut graded, mut unscored) = (Vec::new(), Vec::new());
    for (text, detail) in expectations(run) {
        let text = text.to_owned();
        match detail.passed {
            Some(passed) => graded.push(GradedExpectation { evidence: evidence(run, &text), text, passed }),
            None => unscored.push(UnscoredExpectation { text, why: why_unscored(run, detail).text(lang) }),
        }
    }
    let passed = count(graded.iter().filter(|one| one.passed).count());
    let total = count(graded.len());
    let seconds = run.duration_ms.map(seconds);
    GradingFile {
        summary: GradingSummary {
            passed,
            failed: total - passed,
            total,
            pass_rate: pass_rate(passed, total, unscored.len()),
            unscored: count(unscored.len()),
        },
        execution_metrics: metrics(run),
        timing: Timing { executor_duration_seconds: seconds, total_duration_seconds: seconds },
        expectations: graded,
        unscored,
    }
}

#[must_use]
pub fn timing(run: &VariantResult) -> TimingFile {
    TimingFile {
        total_tokens: run.total_tokens,
        duration_ms: run.duration_ms,
        total_duration_seconds: run.duration_ms.map(seconds),
        executor_start: run.started_at.clone(),
    }
}

/// What judges found of a statement. One that is there twice was judged once: their opinions are with the first.
fn evidence(run: &VariantResult, text: &str) -> String {
    let first = expectations(run).find(|(other, _)| *other == text);
    let judged = first.and_then(|(_, detail)| detail.judged.as_ref());
    let opinions = judged.map(|judged| judged.opinions.as_slice()).unwrap_or_default();
    let reasons: Vec<&str> =
        opinions.iter().map(|opinion| opinion.reasoning.as_str()).filter(|text| !text.is_empty()).collect();
    reasons.join("\n")
}

fn why_unscored(run: &VariantResult, detail: &AssertionDetail) -> Message {
    let why = detail.message_key.clone().or_else(|| run.error.as_ref().map(|error| error.message_key.clone()));
    why.unwrap_or_else(|| match run.outcome {
        Ending::Refused => msg!("skills-evals-refused"),
        Ending::Truncated | Ending::LimitHit => msg!("skills-evals-truncated"),
        Ending::Empty => msg!("skills-evals-empty"),
        Ending::NotRun | Ending::NotNeeded | Ending::OverBudget | Ending::Failed => msg!("skills-evals-not-run"),
        Ending::Answered | Ending::Mixed => msg!("skills-evals-not-graded"),
    })
}

fn metrics(run: &VariantResult) -> ExecutionMetrics {
    let mut tool_calls = BTreeMap::new();
    for call in &run.tool_calls {
        *tool_calls.entry(call.name.clone()).or_insert(0) += 1;
    }
    let answered = u32::from(run.full_output.is_some());
    ExecutionMetrics {
        total_tool_calls: tool_calls.values().sum(),
        tool_calls,
        total_steps: run.turns,
        errors_encountered: u64::from(run.attempts.saturating_sub(answered)),
        output_chars: run.full_output.as_ref().map_or(0, |text| count(text.chars().count())),
    }
}
