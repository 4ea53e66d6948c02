//! Planned looks (`--looks`, `--max-samples`, `--stop-when-decided`): a run is looked at a few times while it goes on, at
//! numbers of samples that are fixed before, and ends with the look that decides every treatment, or with the last.
//!
//! Each look reads an interval at a tail that allows for all the others: a run that may end at any of them finds a
//! difference of none as rarely as one that is read once. The same looks are taken while the run goes on ([`Decider`]) and
//! when its report is made ([`look_after`]); both compute the differences of the first samples in the drawn order the same way.

pub(crate) mod before;
mod decider;
mod plan;
mod saving;
mod taken;

pub use self::decider::{Decider, EarlierFacts};
pub use self::plan::{earlier_looks_note, looked_at, outlook};
pub(crate) use self::saving::{Saving, block};
pub(crate) use self::taken::{LookResult, look_after};
