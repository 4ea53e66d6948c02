//! Evals of an Agent Skill: the report of a run with and without it in, the format's own `grading.json`, `timing.json` and
//! `benchmark.json` out, beside what people read.
//!
//! The format is the one of "Evaluating skill output quality" (Agent Skills documentation, agentskills.io) and of the
//! page "JSON Schemas" of Anthropic's `skill-creator`, whose viewer reads these files. What we add has names of its
//! own, which readers of the format pass over: `unscored`, `ungraded_runs`, `omk`.
//!
//! The format has only passed and failed expectations. An expectation without a verdict is therefore in `unscored` and not
//! in `expectations`; a run with such an expectation, or without an answer, has no pass rate (`null`) and is in
//! `ungraded_runs` and not in `runs`. Counted as failed, it
//! would make a judge's outage the skill's fault; left out of the count, it could make the rest look better.

mod benchmark;
mod grading;
mod page;
pub(crate) mod write;

use eval_analysis::agent_skills::Configuration;

pub use grading::{
    ExecutionMetrics, GradedExpectation, GradingFile, GradingSummary, Timing, TimingFile, UnscoredExpectation, grading,
    timing,
};
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
