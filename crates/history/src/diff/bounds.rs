//! Which intervals a difference between two runs may have.
//!
//! A run with planned looks has a number of samples that its data chose among a few: an interval for a fixed number would be
//! too sure. The tail of the look that ended it holds whichever ends it.

use std::collections::HashSet;

use eval_analysis::measure::{average, differences_at, differences_of, snap};
use eval_format::report::Note;
use eval_format::{Ci, Difference, Stopping};
use eval_message::{Message, msg};
use eval_stats::{Resampling, look_interval, mean_interval};

use super::sides::SlimReport;

/// The tail of an interval that is read once.
const USUAL_TAIL: f64 = 0.025;

/// How differences are bounded.
pub(super) enum BoundKind {
    /// The number of samples was fixed before.
    Fixed(Resampling),
    /// The data had a say in it: the tail of the look that ended a run, for all its treatments together.
    Look { resampling: Resampling, tail: f64 },
    /// The data had a say in which samples both runs have, and not by one order: no interval is known to hold.
    None,
}

impl BoundKind {
    /// For two runs, or one against itself.
    pub(super) fn of(a: &SlimReport, b: &SlimReport, resampling: Resampling) -> BoundKind {
        match (&a.stopping, &b.stopping) {
            (None, None) => BoundKind::Fixed(resampling),
            (Some(a), Some(b)) if !is_one_order(a, b) => BoundKind::None,
            (a, b) => {
                let tail = a.iter().chain(b).filter_map(tail).reduce(f64::min);
                tail.map_or(BoundKind::None, |tail| BoundKind::Look { resampling, tail })
            }
        }
    }

    /// The differences of a family, all columns of which are asked at once.
    pub(super) fn differences(&self, columns: &[&[Option<f64>]]) -> Vec<Difference> {
        let values = |column: &&[Option<f64>]| column.iter().copied().flatten().collect::<Vec<f64>>();
        match self {
            BoundKind::Fixed(resampling) => differences_of(columns, resampling),
            BoundKind::Look { resampling, tail } => {
                differences_at(*tail, columns, resampling).into_iter().map(told).collect()
            }
            BoundKind::None => columns.iter().map(|column| without(&values(column))).collect(),
        }
    }

    /// The interval of a mean that nobody decides by.
    pub(super) fn interval(&self, values: &[f64]) -> Option<Ci> {
        match self {
            BoundKind::Fixed(resampling) => {
                mean_interval(values, resampling).map(|interval| eval_analysis::measure::ci(&interval, 1))
            }
            BoundKind::Look { resampling, tail } => {
                look_interval(values, *tail, resampling).map(|interval| eval_analysis::measure::ci(&interval, 1))
            }
            BoundKind::None => None,
        }
    }

    /// Whether tests for a fixed number of samples hold.
    pub(super) fn is_fixed(&self) -> bool {
        matches!(self, BoundKind::Fixed(_))
    }

    /// Whether there are any.
    pub(super) fn are_known(&self) -> bool {
        !matches!(self, BoundKind::None)
    }

    /// What to know of them.
    pub(super) fn caution(&self) -> Option<Message> {
        match self {
            BoundKind::Fixed(_) => None,
            BoundKind::Look { .. } => Some(msg!("report-diff-looks")),
            BoundKind::None => Some(msg!("report-diff-two-orders")),
        }
    }
}

/// The tail of the last look that a run took, for its treatments together.
fn tail(of: &Stopping) -> Option<f64> {
    let (_, look) = of.last_taken().or_else(|| Some((1, of.looks.first()?)))?;
    #[expect(clippy::cast_precision_loss, reason = "a few treatments")]
    let treatments = look.treatments.len().max(1) as f64;
    // a stored number may be anybody's
    Some(look.tail * treatments).filter(|tail| *tail > 0.0 && *tail <= USUAL_TAIL)
}

/// Where no sample differs, the p-value is 1 and tells nothing: there is none, as everywhere else in such a comparison.
fn told(of: Difference) -> Difference {
    match of.mean == Some(0.0) && of.p_value.is_some() {
        true => Difference { p_value: None, p_value_adjusted: None, p_value_why: Some(no_p()), ..of },
        false => of,
    }
}

fn no_p() -> Note {
    msg!("report-stopping-no-p").into()
}

fn without(values: &[f64]) -> Difference {
    Difference {
        n: eval_analysis::measure::count(values.len()),
        mean: average(values),
        sd: eval_stats::sd(values).map(snap),
        p_value_why: Some(no_p()),
        ..Difference::default()
    }
}

/// Whether both runs took the samples that they have in common in one order.
fn is_one_order(a: &Stopping, b: &Stopping) -> bool {
    let (in_a, in_b): (HashSet<&String>, HashSet<&String>) = (a.order.iter().collect(), b.order.iter().collect());
    let of_a = a.order.iter().filter(|id| in_b.contains(id));
    let of_b = b.order.iter().filter(|id| in_a.contains(id));
    !a.order.is_empty() && of_a.eq(of_b)
}
