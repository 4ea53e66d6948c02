//! What one check found, before weight and `not` are applied.

use eval_message::Message;
use eval_spec::{Check, Judged};
use serde_json::Value;

/// What a check found.
#[derive(Debug)]
pub(crate) struct CheckFinding {
    /// Whether it holds; or why that is unknown.
    pub(crate) holds: Result<bool, Message>,
    /// What was measured.
    pub(crate) actual: Option<Value>,
    /// What was measured, as a sentence that is true whether the check passed, failed, or was
    /// inverted.
    pub(crate) statement: Option<Message>,
    /// Whether the statement is worth keeping on a pass too.
    pub(crate) always_stated: bool,
    /// The results inside an `assert-set`.
    pub(crate) children: Vec<Check>,
    /// What the judges said, when they were asked.
    pub(crate) judged: Option<Box<Judged>>,
}

impl CheckFinding {
    /// An evaluated check.
    pub(crate) fn new(holds: bool, actual: impl Into<Value>, statement: Message) -> CheckFinding {
        CheckFinding {
            holds: Ok(holds),
            actual: Some(actual.into()).filter(|value| !value.is_null()),
            statement: Some(statement),
            always_stated: false,
            children: Vec::new(),
            judged: None,
        }
    }

    /// A check that could not be evaluated.
    pub(crate) fn unscored(why: Message) -> CheckFinding {
        CheckFinding {
            holds: Err(why),
            actual: None,
            statement: None,
            always_stated: false,
            children: Vec::new(),
            judged: None,
        }
    }

    /// The same with what the judges said.
    pub(crate) fn judged_by(mut self, judged: Judged) -> CheckFinding {
        self.judged = Some(Box::new(judged));
        self
    }

    /// The same with what was seen nevertheless.
    pub(crate) fn having_seen(mut self, actual: impl Into<Value>) -> CheckFinding {
        self.actual = Some(actual.into()).filter(|value| !value.is_null());
        self
    }
}
