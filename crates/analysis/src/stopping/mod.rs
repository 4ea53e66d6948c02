//! `--stop-when-decided`: samples are looked at one by one in an order drawn before the run, and the run ends as
//! soon as every treatment is decided.
//!
//! Each look reads a confidence sequence of the mean paired difference: an interval that holds at every look at
//! once, so that it may be read whenever the run ends, decided or not. The same rule is applied while the run goes
//! on ([`Decider`]) and when its report is made ([`look`]); both compute a sample's difference the same way.
//!
//! A treatment is decided when its interval lies below 0, or above 0 with as many pairs as progress needs (ending
//! sooner would forbid the verdict that it ends for), or inside ± the smallest difference that matters. While all its
//! differences are equal it is not: an interval without width promises what it can't know, since a rare large
//! difference may not have come yet. For the same reason the mean must stay on its side if the largest share of samples
//! that may well not have been met differed by all there is on the scale.

mod look;
mod saving;
mod sequence;

pub(crate) use self::look::LookResult;
pub(crate) use self::look::look;
pub use self::look::{Decider, may_end_early, outlook};
pub(crate) use self::saving::{Saving, block};
pub(crate) use self::sequence::tightest_at;
pub use self::sequence::{AtAnyNumber, FIRST_LOOK, LAYERS, Sequences, TaskDifference, raise_limits};
