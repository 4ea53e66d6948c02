//! How strictly the differences of a run are read: once, or at one of several looks.

use eval_format::{Ci, Difference, Limits, LookInputs, Method, POINTS, UNSEEN_RISK};
use eval_message::msg;
use eval_stats::{PlannedLook, PlannedReading, Resampling, look_interval, sd};

use crate::compare::ALPHA;
use crate::grid::Grid;
use crate::intervals::ci as ci_of;
use crate::numbers::{average, count, snap};
use crate::pairs::{differences_by_name, within};

/// The risks that a run takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Risk {
    /// How often these artifacts were looked at, this run included.
    pub looks: u64,
    /// How many of these had the samples of this run.
    pub same_samples: u64,
    /// Of a false alarm, to both sides.
    pub alpha: f64,
    /// That a kind of sample which no look shows undoes what is decided.
    pub unseen: f64,
}

impl Risk {
    /// Of a look after others at the same two artifacts. Where the set changed in between, looks share the risk; where the same
    /// samples were asked anew, each may find something by itself, so that they share it more strictly.
    #[must_use]
    pub fn of(looks: Option<LookInputs>) -> Risk {
        let Some(LookInputs { number, same_samples }) = looks else { return Risk::default() };
        #[expect(clippy::cast_precision_loss, reason = "a few looks")]
        let (number, same) = (number.max(1) as f64, same_samples.max(1) as f64);
        let is_changed = same < number;
        let shared = if is_changed { ALPHA / number } else { ALPHA };
        Risk {
            looks: looks.map_or(1, |of| of.number),
            same_samples: looks.map_or(1, |of| of.same_samples),
            alpha: shared.min(ALPHA / (same * same)),
            unseen: if is_changed { UNSEEN_RISK / 2.0 } else { UNSEEN_RISK },
        }
    }
}

impl Default for Risk {
    /// Of a run by itself.
    fn default() -> Risk {
        Risk { looks: 1, same_samples: 1, alpha: ALPHA, unseen: UNSEEN_RISK }
    }
}

/// How the differences that decide are read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strictness {
    risk: Risk,
    /// `None` for a run that is read once.
    look: Option<PlannedLook>,
}

impl Strictness {
    /// Of a run that is read once.
    #[must_use]
    pub fn once(risk: Risk) -> Strictness {
        Strictness { risk, look: None }
    }

    pub(crate) fn at(look: PlannedLook, risk: Risk) -> Strictness {
        Strictness { risk, look: Some(look) }
    }

    /// The resampling of what is read at the run's whole risk: layers, capabilities, dimensions, preferences.
    #[must_use]
    pub fn of_parts(&self, resampling: &Resampling) -> Resampling {
        Resampling { level: 1.0 - self.risk.alpha, ..*resampling }
    }

    /// How the next run will be read if this test set grows: one look more shares the risk of a false alarm, and two or more
    /// that of a kind which none of them shows. `alpha` is that of the difference.
    pub(crate) fn next(&self, alpha: Option<f64>) -> PlannedReading {
        #[expect(clippy::cast_precision_loss, reason = "a few looks")]
        let next = ALPHA / (self.risk.looks + 1) as f64;
        let tail = alpha.unwrap_or(self.risk.alpha) / self.risk.alpha * next / 2.0;
        PlannedReading { tail, unseen_risk: UNSEEN_RISK / 2.0 }
    }

    /// How the next run will be read if this test set grows, and if the same samples are asked anew.
    pub(crate) fn both_next(&self, alpha: Option<f64>) -> [PlannedReading; 2] {
        let looks = LookInputs { number: self.risk.looks + 1, same_samples: self.risk.same_samples + 1 };
        let anew = Risk::of(Some(looks));
        let tail = alpha.unwrap_or(self.risk.alpha) / self.risk.alpha * anew.alpha / 2.0;
        [self.next(alpha), PlannedReading { tail, unseen_risk: anew.unseen }]
    }

    /// The limits that depend on it.
    pub fn set(&self, limits: &mut Limits) {
        limits.alpha = snap(self.look.map_or(self.risk.alpha, |look| 2.0 * look.tail));
        limits.alpha_of_parts = self.risk.alpha;
        limits.unseen_risk = self.look.map_or(self.risk.unseen, |look| look.unseen_risk);
    }

    /// The difference of each treatment, from one column of tasks each: those of a run that is read once hold at the same time,
    /// and of a look, at all looks.
    pub(crate) fn differences(
        &self,
        grid: &Grid,
        tasks: &[Vec<Option<f64>>],
        resampling: &Resampling,
    ) -> Vec<Difference> {
        let r = self.of_parts(resampling);
        let Some(look) = self.look else {
            return differences_by_name(grid, &(1..=tasks.len()).collect::<Vec<_>>(), tasks, &r);
        };
        tasks.iter().map(|column| at_look(column, look.tail, tasks.len(), &r)).collect()
    }
}

/// Differences of columns with one difference per task, in points, that share the `tail` of a look.
pub fn differences_at(tail: f64, columns: &[&[Option<f64>]], resampling: &Resampling) -> Vec<Difference> {
    #[expect(clippy::cast_precision_loss, reason = "a few columns")]
    let tail = tail / columns.len().max(1) as f64;
    columns.iter().map(|column| at_look(column, tail, columns.len(), resampling)).collect()
}

fn at_look(tasks: &[Option<f64>], tail: f64, treatments: usize, r: &Resampling) -> Difference {
    let values: Vec<f64> = tasks.iter().copied().flatten().collect();
    let interval = look_interval(&values, tail, r);
    let repeated = |ci: Ci| within(Ci { method: Method::Repeated, ..ci }, POINTS);
    let family = u32::try_from(treatments).unwrap_or(u32::MAX);
    // an interval without width is a point, beside which a p-value is read
    let p = interval.filter(|of| of.degenerate).map(|point| all_equal(point.low, values.len()));
    Difference {
        n: count(values.len()),
        mean: average(&values),
        sd: sd(&values).map(snap),
        ci: interval.map(|interval| repeated(ci_of(&interval, family))),
        p_value: p,
        p_value_adjusted: p,
        exact: p.map(|_| true),
        p_value_why: p.is_none().then(|| msg!("report-stopping-no-p").into()),
        alpha: interval.is_some().then(|| snap(2.0 * tail)),
        ..Difference::default()
    }
}

/// The exact p-value of the sign-flip test of `n` equal differences.
fn all_equal(value: f64, n: usize) -> f64 {
    let n = i32::try_from(n).unwrap_or(i32::MAX);
    if value == 0.0 { 1.0 } else { 2.0_f64.powi(1 - n) }
}
