//! How to score, and what is known of a skill while its answers are scored.

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
    /// Who answers for `llm_judge`; without one, tasks that need it are an error.
    pub judge: Option<Judge>,
    /// How long one request to the judge may take.
    pub judge_timeout: Duration,
}

impl Default for ScoringSetup {
    fn default() -> ScoringSetup {
        ScoringSetup { limits: GradingLimits::default(), judge: None, judge_timeout: Duration::from_secs(120) }
    }
}

pub(crate) struct OfSkill {
    pub skill: CallableSkill,
    /// Its `outputSchema`, or why that is none.
    pub output_schema: Option<Result<OutputSchema, Message>>,
}

impl OfSkill {
    pub(super) fn new(skill: &CallableSkill) -> OfSkill {
        OfSkill { skill: skill.clone(), output_schema: skill.output_schema.as_ref().map(OutputSchema::new) }
    }
}
