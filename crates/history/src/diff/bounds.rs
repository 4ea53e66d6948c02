//! Which intervals a difference between two runs may have.
//!
//! A run with `--stop-when-decided` has a number of samples that its data chose: an interval for a fixed number would be too
//! sure. A confidence sequence holds at every number of samples at once, so it holds whatever chose the number — the
//! differences inside of run A, though its samples are those of A − B too.

use std::collections::HashSet;

use eval_analysis::measure::{AtAnyNumber, LAYERS, average, differences_of, snap};
use eval_format::report::Note;
use eval_format::{Ci, Difference, Stopping};
use eval_message::{Message, msg};
use eval_stats::{Resampling, mean_interval};

use super::sides::SlimReport;

/// How differences are bounded.
pub(super) enum BoundKind {
    /// The number of samples was fixed before.
    Fixed(Resampling),
    /// The data had a say in it; where the sequence is tightest, which was fixed before.
    AnyNumber { tightest_at: usize },
    /// The data had a say in which samples both runs have, and not by one order: no interval is known to hold.
    None,
}

impl BoundKind {
    /// For two runs, or one against itself.
    pub(super) fn of(a: &SlimReport, b: &SlimReport, resampling: Resampling) -> BoundKind {
        let read = |of: &'_ SlimReport| of.stopping.clone().filter(|of| of.unused.is_none());
        match (read(a), read(b)) {
            (None, None) => BoundKind::Fixed(resampling),
            (Some(a), Some(b)) if !is_one_order(&a, &b) => BoundKind::None,
            (a, b) => {
                let tightest_at = a.iter().chain(&b).map(|of| of.tightest_at).max().unwrap_or(1);
                // a stored number may be anybody's
                BoundKind::AnyNumber { tightest_at: usize::try_from(tightest_at).unwrap_or(usize::MAX).max(1) }
            }
        }
    }

    /// The differences of a family, all columns of which are asked at once.
    pub(super) fn differences(&self, columns: &[&[Option<f64>]]) -> Vec<Difference> {
        self.family(columns, columns.len())
    }

    /// The same for layers. However many there are, a sequence splits its level among all that may be.
    pub(super) fn layers(&self, columns: &[&[Option<f64>]], comparisons: usize) -> Vec<Difference> {
        self.family(columns, comparisons * LAYERS)
    }

    fn family(&self, columns: &[&[Option<f64>]], family: usize) -> Vec<Difference> {
        let values = |column: &&[Option<f64>]| column.iter().copied().flatten().collect::<Vec<f64>>();
        match self {
            BoundKind::Fixed(resampling) => differences_of(columns, resampling),
            BoundKind::AnyNumber { tightest_at } => {
                let bounded = AtAnyNumber { tightest_at: *tightest_at, family };
                columns.iter().map(|column| told(bounded.of(&values(column)))).collect()
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
            BoundKind::AnyNumber { tightest_at } => AtAnyNumber { tightest_at: *tightest_at, family: 1 }.of(values).ci,
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
            BoundKind::AnyNumber { .. } => Some(msg!("report-diff-any-number")),
            BoundKind::None => Some(msg!("report-diff-two-orders")),
        }
    }
}

/// Where no sample differs, the p-value that holds at any number is 1 and tells nothing: there is none, as everywhere else
/// in such a comparison.
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
