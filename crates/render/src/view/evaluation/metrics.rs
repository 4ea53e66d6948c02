//! The metrics of a skill: their names, values and texts, the same in every format.

use eval_format::skills::{SkillCompletionReport, SkillSummary, TagSummary};
use eval_message::{Message, msg};

use crate::skills::show;

/// A column of a table of skills, tags or evaluations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Metric {
    Completion,
    /// The completion rate with its interval in one cell, where there is little room.
    CompletionWithin,
    Interval,
    Partial,
    Errors,
    P50,
    P95,
    P99,
    Consistency,
    Composite,
}

/// The columns of tables on a terminal.
pub(crate) const TERMINAL: [Metric; 4] = [Metric::CompletionWithin, Metric::Errors, Metric::P95, Metric::Composite];

impl Metric {
    pub(crate) fn name(self) -> Message {
        match self {
            Metric::Completion | Metric::CompletionWithin => msg!("skills-report-completion"),
            Metric::Interval => msg!("skills-report-interval"),
            Metric::Partial => msg!("skills-report-partial"),
            Metric::Errors => msg!("skills-report-errors"),
            Metric::P50 => msg!("skills-report-p50"),
            Metric::P95 => msg!("skills-report-p95"),
            Metric::P99 => msg!("skills-report-p99"),
            Metric::Consistency => msg!("skills-report-consistency"),
            Metric::Composite => msg!("skills-report-composite"),
        }
    }

    /// The value; of an interval its lower bound.
    pub(crate) fn value(self, of: &SkillSummary) -> Option<f64> {
        match self {
            Metric::Completion | Metric::CompletionWithin => of.completion_rate,
            Metric::Interval => of.completion_interval.as_ref().map(|of| of.low),
            Metric::Partial => of.partial_score,
            Metric::Errors => of.error_rate,
            Metric::P50 => of.p50_latency_ms,
            Metric::P95 => of.p95_latency_ms,
            Metric::P99 => of.p99_latency_ms,
            Metric::Consistency => of.consistency_score,
            Metric::Composite => of.composite_score,
        }
    }

    pub(crate) fn text(self, of: &SkillSummary) -> String {
        let (value, interval) = (self.value(of), of.completion_interval.as_ref());
        match self {
            Metric::Interval => show::bounds(interval),
            Metric::CompletionWithin => show::with_bounds(value, interval),
            Metric::Completion | Metric::Errors => show::percent(value),
            Metric::P50 | Metric::P95 | Metric::P99 => show::time(value),
            Metric::Partial | Metric::Consistency | Metric::Composite => show::score(value),
        }
    }
}

/// A tag's numbers as a skill's: those that tags don't have are unknown.
pub(crate) fn of_tag(of: &TagSummary) -> SkillSummary {
    SkillSummary {
        completion_rate: of.completion_rate,
        completion_interval: of.completion_interval.clone(),
        partial_score: of.partial_score,
        error_rate: of.error_rate,
        p95_latency_ms: of.p95_latency_ms,
        ..SkillSummary::default()
    }
}

pub(crate) fn counts(of: &SkillCompletionReport) -> Message {
    let counts = &of.counts;
    msg!(
        "skills-report-counts",
        total = counts.total,
        pass = counts.pass,
        fail = counts.fail,
        error = counts.error,
        timeout = counts.timeout,
        unscored = counts.unscored,
        harness = counts.harness_error
    )
}

pub(crate) fn stability(of: &SkillCompletionReport, runs: u32, shown: impl Fn(&str) -> String) -> Message {
    let summary = &of.summary;
    msg!(
        "skills-report-stability",
        skill = shown(&of.skill_id),
        consistency = show::score(summary.consistency_score),
        flips = show::percent(summary.flip_rate),
        k = runs,
        all = show::percent(summary.pass_hat_k)
    )
}
