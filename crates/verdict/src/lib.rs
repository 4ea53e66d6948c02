//! Decides: is this artifact worth shipping?
//!
//! In come the numbers of a report, [`Undecided`](eval_format::Undecided). Out go the tier of each treatment with its
//! reasons, whether the run is a valid measurement, the exit code, and what to do next.
//!
//! Every function is pure. This crate never sees a record or an answer.

pub mod advice;
mod decide;
pub mod enough;
mod gate;
mod gold;
mod holdout;
mod preference;
mod rules;
mod soundness;

pub use decide::decide;
pub use gate::{ThresholdGate, threshold_gate};
pub use rules::{Side, side, verdict};
