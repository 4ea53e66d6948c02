//! The finding of one assertion or scorer, before weight and `not` are applied.

use eval_message::Message;
use eval_spec::units::Ratio;
use eval_spec::{Check, CheckOutcome, Judged, Layer};
use serde_json::Value;

/// The finding of one assertion or scorer.
#[derive(Debug)]
pub(crate) struct CheckFinding {
    /// Whether the check holds, or why that is unknown.
    pub(crate) holds: Result<bool, Message>,
    /// A scorer's share of what was expected, in 0–1; `None` where pass or fail is all.
    pub(crate) score: Option<f64>,
    /// The measured value.
    pub(crate) actual: Option<Value>,
    /// The measurement as a sentence that is true whether the check passed, failed, or was inverted.
    pub(crate) statement: Option<Message>,
    /// Whether an assertion's statement is reported on a pass too; a scorer's always is.
    pub(crate) always_stated: bool,
    /// The checks inside an `assert-set`; the points of `skill_quality`.
    pub(crate) children: Vec<Check>,
    /// The judges' opinions, when they were asked.
    pub(crate) judged: Option<Box<Judged>>,
}

impl CheckFinding {
    /// Pass or fail, with the measured value.
    pub(crate) fn new(holds: bool, actual: impl Into<Value>, statement: Message) -> CheckFinding {
        CheckFinding::verdict(holds, statement).having_seen(actual)
    }

    /// Pass or fail without a measured value.
    pub(crate) fn verdict(holds: bool, statement: impl Into<Option<Message>>) -> CheckFinding {
        CheckFinding {
            holds: Ok(holds),
            score: None,
            actual: None,
            statement: statement.into(),
            always_stated: false,
            children: Vec::new(),
            judged: None,
        }
    }

    /// Pass or fail with a share; a share outside of 0–1 is clamped.
    pub(crate) fn partial(holds: bool, score: f64, statement: Message) -> CheckFinding {
        CheckFinding { score: Some(score.clamp(0.0, 1.0)), ..CheckFinding::verdict(holds, statement) }
    }

    /// A check that could not be evaluated.
    pub(crate) fn unscored(why: Message) -> CheckFinding {
        CheckFinding { holds: Err(why), ..CheckFinding::verdict(false, None) }
    }

    /// Adds the judges' opinions.
    pub(crate) fn judged_by(self, judged: Judged) -> CheckFinding {
        CheckFinding { judged: Some(Box::new(judged)), ..self }
    }

    /// Adds a measured value; `null` is none.
    pub(crate) fn having_seen(self, actual: impl Into<Value>) -> CheckFinding {
        CheckFinding { actual: Some(actual.into()).filter(|value| !value.is_null()), ..self }
    }

    /// The finding as the check of `kind`.
    pub(crate) fn check(self, kind: &str, layer: Layer, weight: f64) -> Check {
        Check {
            kind: kind.to_owned(),
            layer,
            weight,
            not: false,
            outcome: match self.holds {
                Ok(true) => CheckOutcome::Passed,
                Ok(false) => CheckOutcome::Failed,
                Err(why) => CheckOutcome::Unscored { why },
            },
            score: self.score.and_then(Ratio::new),
            actual: self.actual,
            message: self.statement,
            children: self.children,
            judged: self.judged,
        }
    }
}
