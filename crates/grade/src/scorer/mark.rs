//! What a scorer says of one answer.

use std::io;

use eval_message::{Message, msg};
use eval_spec::callable::ScorerType;
use eval_spec::units::Ratio;
use eval_spec::{Check, CheckOutcome, Judged, Layer};
use serde_json::Value;

use crate::excerpt::{INLINE, excerpt};

/// What a scorer says of one answer.
pub(super) struct ScorerMark {
    /// Whether it passes; or why that is unknown.
    pub(super) passes: Result<bool, Message>,
    /// The share of what was expected, in 0–1; `None` where there is no more to tell than pass or fail.
    pub(super) score: Option<f64>,
    /// Why, whichever way it went.
    pub(super) reason: Option<Message>,
    /// What was measured.
    pub(super) actual: Option<Value>,
    /// The points that a score is made of.
    pub(super) children: Vec<Check>,
    /// What the judge said.
    pub(super) judged: Option<Box<Judged>>,
}

impl ScorerMark {
    /// A pass without anything to say, for struct updates.
    pub(super) fn empty() -> ScorerMark {
        ScorerMark { passes: Ok(true), score: None, reason: None, actual: None, children: Vec::new(), judged: None }
    }

    /// Pass or fail.
    pub(super) fn verdict(passes: bool, reason: Message) -> ScorerMark {
        ScorerMark { passes: Ok(passes), reason: Some(reason), ..ScorerMark::empty() }
    }

    /// Pass or fail, with a share; what is outside 0–1 is clamped.
    pub(super) fn partial(passes: bool, score: f64, reason: Message) -> ScorerMark {
        ScorerMark { score: Some(score.clamp(0.0, 1.0)), ..ScorerMark::verdict(passes, reason) }
    }

    /// Neither.
    pub(super) fn unscored(why: Message) -> ScorerMark {
        ScorerMark { passes: Err(why), ..ScorerMark::empty() }
    }

    /// A scorer that panicked.
    pub(super) fn broke(kind: ScorerType) -> ScorerMark {
        ScorerMark::unscored(msg!("grade-check-broke", kind = kind.name()))
    }

    /// The same with what was seen.
    pub(super) fn seen(self, actual: impl Into<Value>) -> ScorerMark {
        ScorerMark { actual: Some(actual.into()), ..self }
    }

    /// As the check of `kind`.
    pub(super) fn check(self, kind: &str, layer: Layer, weight: f64) -> Check {
        let outcome = match self.passes {
            Ok(true) => CheckOutcome::Passed,
            Ok(false) => CheckOutcome::Failed,
            Err(why) => CheckOutcome::Unscored { why },
        };
        Check {
            kind: kind.to_owned(),
            layer,
            weight,
            not: false,
            outcome,
            score: self.score.and_then(Ratio::new),
            actual: self.actual,
            message: self.reason,
            children: self.children,
            judged: self.judged,
        }
    }
}

/// The beginning of a value as JSON; quotes distinguish a text from a number.
pub(super) fn shown(value: &Value) -> String {
    let mut beginning = MessagePrefix(Vec::new());
    // Writing ends with an error where the beginning is full.
    let _ = serde_json::to_writer(&mut beginning, value);
    excerpt(&String::from_utf8_lossy(&beginning.0), INLINE)
}

/// Takes a little more than a message shows.
struct MessagePrefix(Vec<u8>);

impl io::Write for MessagePrefix {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        const ROOM: usize = 8 * INLINE;
        if self.0.len() >= ROOM {
            return Err(io::Error::other("full"));
        }
        self.0.extend_from_slice(&bytes[..bytes.len().min(ROOM)]);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The share `part / whole`; 1 of nothing.
pub(super) fn share(part: usize, whole: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "counts of what stands in one task or answer")]
    match whole {
        0 => 1.0,
        whole => part as f64 / whole as f64,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::shown;

    #[test]
    fn a_long_value_is_shown_by_its_beginning() {
        assert_eq!(shown(&json!("5")), "\"5\"");
        assert_eq!(shown(&json!({"a": [1, 2]})), r#"{"a":[1,2]}"#);
        let long = shown(&json!(vec!["好"; 100_000]));
        assert!(long.ends_with('…') && long.chars().count() == 81, "{long}");
        assert!(shown(&json!("é".repeat(1_000_000))).starts_with("\"éé"));
    }
}
