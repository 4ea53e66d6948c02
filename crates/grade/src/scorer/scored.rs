//! The inputs of scorers: when they are compiled, and when they score.

use std::borrow::Cow;

use eval_spec::callable::CallableSkill;
use serde_json::Value;

use crate::finding::CheckFinding;
use crate::judge::Question;
use crate::scorer::setup::{ScoredSkill, ScoringSetup};
use crate::script::LoadedScripts;

/// From this score on an answer passes, where a scorer has nothing but a score to go by: `custom` without `passed`,
/// `llm_judge`.
pub(crate) const PASSING: f64 = 0.5;

/// What a scorer is compiled for.
pub(crate) struct ScorerScope<'a> {
    pub setup: &'a ScoringSetup,
    pub scripts: LoadedScripts,
}

/// A scorer, ready to score many answers.
pub(crate) struct CompiledScorer {
    pub how: How,
    /// Whether it can take so long that it must not hold up a thread that others wait on.
    pub slow: bool,
}

/// What a scorer reads.
pub(crate) enum How {
    /// The answer.
    Answer(Box<dyn Fn(&ScoredOutput<'_>) -> CheckFinding + Send + Sync>),
    /// The answer, by a model's opinion.
    Judge(Question),
    /// The skill's files; there is no answer.
    Files(Box<dyn Fn(&CallableSkill) -> CheckFinding + Send + Sync>),
}

impl CompiledScorer {
    /// A scorer of microseconds.
    pub(super) fn quick(score: impl Fn(&ScoredOutput<'_>) -> CheckFinding + Send + Sync + 'static) -> CompiledScorer {
        CompiledScorer { how: How::Answer(Box::new(score)), slow: false }
    }

    /// A scorer that runs a user's schema, pattern or script.
    pub(super) fn slow(score: impl Fn(&ScoredOutput<'_>) -> CheckFinding + Send + Sync + 'static) -> CompiledScorer {
        CompiledScorer { how: How::Answer(Box::new(score)), slow: true }
    }
}

/// One output, as a scorer reads it.
pub(crate) struct ScoredOutput<'a> {
    /// The whole output; a number that no float holds is the text it is written as.
    pub output: &'a Value,
    /// The output, as JSON.
    pub json: &'a str,
    /// The skill that answered.
    pub skill: &'a ScoredSkill,
}

impl ScoredOutput<'_> {
    /// The whole output for a schema, to which a number is a number: the float nearest to it, where there is one.
    pub(super) fn with_numbers(&self) -> Cow<'_, Value> {
        serde_json::from_str(self.json).map_or(Cow::Borrowed(self.output), Cow::Owned)
    }
}
