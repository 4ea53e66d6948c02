//! Why a verdict is what it is: enums with the numbers that decided.
//!
//! A reason carries values, never text; its [`Message`] is made where it is shown. Each kind of reason is a table in a
//! file of its own: a reason's meaning, values, message and remedy are one entry.

mod alarm;
mod doubt;
mod evidence;
mod invalid;
mod remedy;
mod table;

pub use alarm::{Alarm, ShareGap};
pub use doubt::Doubt;
pub use evidence::{DifferenceRange, Evidence, GainPlan};
pub use invalid::Invalid;
pub use remedy::Remedy;

use eval_message::{Message, msg};

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
    /// The treatment is a skill that few agents loaded. Changes no tier.
    RarelyLoaded {
        /// Its name.
        variant: String,
        /// The executions whose agent loaded it.
        loaded: u64,
        /// All of them.
        executions: u64,
    },
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
            Reason::Alarm(alarm) => alarm.remedy(),
            Reason::Doubt(doubt) => doubt.remedy(),
            Reason::RarelyLoaded { .. } => Some(Remedy::MendDescription),
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

impl From<&Reason> for Message {
    fn from(reason: &Reason) -> Message {
        match reason {
            Reason::Invalid(invalid) => invalid.into(),
            Reason::Evidence(evidence) => evidence.into(),
            Reason::Doubt(doubt) => doubt.into(),
            Reason::Alarm(alarm) => alarm.into(),
            Reason::RarelyLoaded { variant, loaded, executions } => {
                msg!("report-note-rarely-loaded", variant = variant, loaded = *loaded, executions = *executions)
            }
            Reason::SelfPreference { judges } => msg!("report-note-self-preference", judges = judges.join(", ")),
        }
    }
}
