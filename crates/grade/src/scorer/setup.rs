//! The configuration of scoring, and the skill that is scored.

use std::time::Duration;

use eval_message::Message;
use eval_spec::callable::CallableSkill;

use crate::judge::Judge;
use crate::scorer::output_schema::OutputSchema;
use crate::setup::GradingLimits;

/// How to score.
#[derive(Clone)]
pub struct ScoringSetup {
    /// Limits of time and memory for scripts and patterns.
    pub limits: GradingLimits,
    /// The judge of `llm_judge`; without one, tasks that need it are an error.
    pub judge: Option<Judge>,
    /// How long one request to the judge may take.
    pub judge_timeout: Duration,
}

impl Default for ScoringSetup {
    fn default() -> ScoringSetup {
        ScoringSetup { limits: GradingLimits::default(), judge: None, judge_timeout: Duration::from_secs(120) }
    }
}

pub(crate) struct ScoredSkill {
    pub skill: CallableSkill,
    /// Its compiled `outputSchema`, or why it doesn't compile.
    pub output_schema: Option<Result<OutputSchema, Message>>,
}

impl ScoredSkill {
    pub(super) fn new(skill: &CallableSkill) -> ScoredSkill {
        ScoredSkill { skill: skill.clone(), output_schema: skill.output_schema.as_ref().map(OutputSchema::new) }
    }
}
