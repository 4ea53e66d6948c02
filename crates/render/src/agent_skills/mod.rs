//! Evals of an Agent Skill: the report of a run with and without it in, the format's own `grading.json`, `timing.json` and
//! `benchmark.json` out, beside what people read.
//!
//! The format is the one of "Evaluating skill output quality" (Agent Skills documentation, agentskills.io) and of the
//! page "JSON Schemas" of Anthropic's `skill-creator`, whose viewer reads these files. What we add has names of its
//! own, which readers of the format pass over: `unscored`, `ungraded_runs`, `omk`.
//!
//! What nobody could judge has no place among passed and failed, and the format knows nothing else. An expectation
//! without a verdict therefore stands in `unscored` and not in `expectations`; a run with such an expectation, or
//! without an answer, has no pass rate (`null`) and stands in `ungraded_runs` and not in `runs`. Counted as failed, it
//! would make a judge's outage the skill's fault; left out of the count, it could make the rest look better.

mod benchmark;
mod grading;
mod page;
mod write;

pub use benchmark::{
    BenchmarkFile, BenchmarkMetadata, BenchmarkRun, BenchmarkSpread, ConfigurationSummary, RateEstimate, RunResult,
    RunStatistics, SignedDelta, Statistics, UngradedRun,
};
pub use grading::{
    ExecutionMetrics, GradedExpectation, GradingFile, GradingSummary, Timing, TimingFile, UnscoredExpectation,
};
pub use grading::{grading, timing};
pub use write::{AgentSkillsError, write};

/// Which variants of a report are run with the skill and without it.
struct Variants<'a> {
    with_skill: &'a str,
    without_skill: &'a str,
}

impl Variants<'_> {
    fn of(&self, configuration: Configuration) -> &str {
        match configuration {
            Configuration::WithSkill => self.with_skill,
            Configuration::WithoutSkill => self.without_skill,
        }
    }
}

/// What an eval is run with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Configuration {
    /// The skill's text is injected.
    WithSkill,
    /// Nothing is.
    WithoutSkill,
}

impl Configuration {
    /// Both, in the format's order.
    pub const ALL: [Configuration; 2] = [Configuration::WithSkill, Configuration::WithoutSkill];

    /// The format's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Configuration::WithSkill => "with_skill",
            Configuration::WithoutSkill => "without_skill",
        }
    }
}

/// Four decimals: nobody reads more of a share or of seconds, and files compare.
fn rounded(value: f64) -> f64 {
    let rounded = (value * 1e4).round() / 1e4;
    if rounded.is_finite() { rounded + 0.0 } else { value }
}

#[expect(clippy::cast_precision_loss, reason = "counts and milliseconds are far below 2^52")]
fn float(count: u64) -> f64 {
    count as f64
}
