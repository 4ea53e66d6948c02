//! Decides: is this artifact worth shipping?
//!
//! In come the numbers of a report, [`Undecided`](eval_format::Undecided). Out go the tier of each treatment with its
//! reasons, whether the run is a valid measurement, the exit code, and what to do next.
//!
//! Inside, everything is typed: [rules](crate::decision()) read numbers and give [reasons](Reason), [advice](Advice)
//! follows from reasons, and each says in its table what its message is. A report stores the messages; what needs to know
//! which reason there is makes the [`decision`] again from the stored inputs. How to add a rule is written above the
//! tables, in `rules/mod.rs`.
//!
//! Every function is pure. This crate never sees a record or an answer.

pub mod advice;
mod again;
mod checked;
mod decide;
mod decision;
pub mod exit;
mod look;
pub mod reason;
mod rules;
mod threshold_gate;

pub use advice::{Advice, Suggestion, suggestions};
pub use again::asks_all_again;
pub use checked::{checked, replacement};
pub use decide::decide;
pub use decision::{Decision, TreatmentDecision, decision, verdict};
pub use look::look_decides;
pub use reason::Reason;
pub use rules::enough::AFFORDABLE;
pub use rules::preference::decides as is_by_preference;
pub use rules::{Side, side};
pub use threshold_gate::{ThresholdGate, threshold_gate};
