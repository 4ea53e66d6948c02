//! Why a verdict is what it is: enums with the numbers that decided.
//!
//! A reason carries values, never text; `words` turns it into a message. One file for each kind of reason.

mod alarm;
mod doubt;
mod invalid;
mod remedy;
mod why;

pub use alarm::{Alarm, ShareGap};
pub use doubt::Doubt;
pub use invalid::Invalid;
pub use remedy::Remedy;
pub use why::{DifferenceRange, Evidence};

/// A reason of the verdict.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// The run is no valid measurement.
    Invalid(Invalid),
    /// What the numbers show, and where that leads.
    Evidence(Evidence),
    /// A difference forbids to be called progress, though both arms were measured alike.
    Doubt(Doubt),
    /// The arms were not measured alike, or not measured well enough. An alarm is a doubt as well.
    Alarm(Alarm),
    /// These judges come from the vendor of the model under test. Changes no tier.
    SelfPreference {
        /// The judges' names.
        judges: Vec<String>,
    },
}

impl Reason {
    /// Whether the arms were not measured alike, or not measured well enough.
    #[must_use]
    pub fn is_alarm(&self) -> bool {
        matches!(self, Reason::Alarm(_))
    }

    /// What removes a doubt or an alarm; `None` where nothing is known to, and for reasons that need no remedy.
    #[must_use]
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            Reason::Alarm(alarm) => Some(alarm.remedy()),
            Reason::Doubt(doubt) => doubt.remedy(),
            Reason::Invalid(_) | Reason::Evidence(_) | Reason::SelfPreference { .. } => None,
        }
    }
}

macro_rules! reason_from {
    ($($kind:ident),*) => { $(impl From<$kind> for Reason {
        fn from(kind: $kind) -> Reason { Reason::$kind(kind) }
    })* };
}
reason_from!(Invalid, Evidence, Doubt, Alarm);
