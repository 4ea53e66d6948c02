//! Effect sizes of paired differences, with intervals.

use crate::bounds::{Replicates, Statistic, acceleration};
use crate::describe::{Deviations, all_finite, finite, is_constant, sd};
use crate::distribution::where_reached;
use crate::draw::{Streams, Urn};
use crate::interval::{Interval, IntervalMethod, Resampling, levels, mean_interval};
use crate::noncentral::NoncentralT;
use crate::oriented::Oriented;

/// An effect size, without a unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effect {
    /// The effect in the data.
    pub estimate: f64,
    /// Interval of the effect, if the data allow one.
    pub interval: Option<Interval>,
}

/// Cohen's `d_z = d̄ / s_d`: the mean paired difference in standard deviations of the differences (Cohen 1988, §2.3.5;
/// Lakens 2013).
///
/// Interval: the bootstrap that `r` asks for, of `d_z` itself; [`IntervalMethod::T`] inverts the noncentral t
/// distribution, exact for normal differences (Cumming & Finch 2001). A resample without spread counts as ±∞ (0 if its
/// mean is 0 too); there is no interval when a bound would be infinite, as with very few values. For normal differences
/// the default covers 90 % at 10, 95 % from 20 values on; below 10, T is the one to ask (`stats-tests/examples/methods.rs`).
///
/// The order of the differences doesn't matter, and the opposite differences have exactly the opposite numbers.
///
/// `None` below two differences, without spread, or if one is not finite.
pub fn cohen_dz(d: &[f64], r: &Resampling) -> Option<Effect> {
    if d.len() < 2 || !all_finite(d) || is_constant(d) {
        return None;
    }
    let d = Oriented::new(d)?.by_sign();
    let about = d.deviations();
    let estimate = finite(about.mean / about.scale / sd(&about.scaled)?)?;
    let bounds = r.tail().and_then(|tail| match r.method {
        IntervalMethod::T => exact_bounds(estimate, about.scaled.len(), tail),
        _ => standardised(about, estimate, r)?.bounds(tail, r.method),
    });
    let interval = bounds.and_then(|b| Interval::new(d.bounds_back(d.evened(b)), r.level, r.method));
    Some(Effect { estimate: d.back(estimate) + 0.0, interval })
}

/// Probability of superiority, paired: `P(d > 0) + ½ P(d = 0)`, the chance that a sample does better with the treatment,
/// ties split (Grissom & Kim 2012, *Effect Sizes for Research*, ch. 6; the "dominance" of Cliff 1993 is twice it less 1).
///
/// It is the mean of 1 for a win, ½ for a tie and 0 for a loss; the interval is [`mean_interval`] of those, held in
/// 0..=1. When all are equal (every sample wins), it is the point, flagged `degenerate`.
///
/// The opposite differences have 1 less these numbers, to rounding in the last place: `1 − 0.9` is not the number nearest to
/// 0.1, which is what is given for one win in ten.
///
/// `None` for an empty slice or if a difference is not finite; the interval is `None` for one difference.
pub fn probability_of_superiority(d: &[f64], r: &Resampling) -> Option<Effect> {
    if d.is_empty() || !all_finite(d) {
        return None;
    }
    let outcomes: Vec<f64> = d.iter().map(|&x| outcome(x)).collect();
    let hold = |i: Interval| Interval { low: i.low.clamp(0.0, 1.0), high: i.high.clamp(0.0, 1.0), ..i };
    let estimate = outcomes.iter().sum::<f64>() / d.len() as f64;
    Some(Effect { estimate, interval: mean_interval(&outcomes, r).map(hold) })
}

fn outcome(d: f64) -> f64 {
    if d > 0.0 {
        1.0
    } else if d < 0.0 {
        0.0
    } else {
        0.5
    }
}

/// Returns the bounds of `d_z` for which the observed `t = sqrt(n) d_z` has the probability `tail` above and below it.
fn exact_bounds(estimate: f64, n: usize, tail: f64) -> Option<(f64, f64)> {
    let (root, df) = ((n as f64).sqrt(), (n - 1) as f64);
    let t = finite(estimate * root).filter(|t| t.abs() < 1e6)?;
    let reach = 20.0 + 10.0 * t.abs();
    let distribution = NoncentralT::new(df);
    let ncp = |target| where_reached(target, -reach, reach, |ncp| distribution.tail(t, ncp));
    Some((ncp(tail) / root, ncp(1.0 - tail) / root))
}

/// Resamples `d_z` from ascending deviations.
fn standardised(about: &Deviations, estimate: f64, r: &Resampling) -> Option<Replicates> {
    let n = about.scaled.len();
    let (levels, counts) = levels(&about.scaled);
    let (urn, by_level) = Urn::new(&counts)?;
    let values = if by_level { &levels } else { &about.scaled };
    let squares: Vec<f64> = values.iter().map(|u| u * u).collect();
    let sums = Sums { n: n as f64, centre: about.mean / about.scale };
    let streams = Streams::bootstrap(r.seed);
    let replicates = urn.replicates(&streams, r.resamples, |draw| sums.ratio(draw.sum(values), draw.sum(&squares)));
    let statistic = Statistic { estimate, n, acceleration: sums.acceleration(&about.scaled) };
    Replicates::new(replicates, statistic)
}

/// `d_z` from sums of scaled deviations.
struct Sums {
    n: f64,
    centre: f64,
}

impl Sums {
    fn ratio(&self, sum: f64, squares: f64) -> f64 {
        let mean = self.centre + sum / self.n;
        let spread = (squares - sum * sum / self.n).max(0.0);
        if mean.abs() <= 1e-12 * self.centre.abs().max(1.0) {
            0.0
        } else if spread <= 1e-12 * squares {
            f64::INFINITY.copysign(mean)
        } else {
            mean / (spread / (self.n - 1.0)).sqrt()
        }
    }

    /// Computes the acceleration from the `d_z` without each difference; 0 where one of them has no spread.
    fn acceleration(&self, deviations: &[f64]) -> f64 {
        let (sum, squares) = deviations.iter().fold((0.0, 0.0), |(s, q), u| (s + u, q + u * u));
        let fewer = Self { n: self.n - 1.0, centre: self.centre };
        let without = |u: &f64| fewer.ratio(sum - u, squares - u * u);
        let left_out: Vec<f64> = deviations.iter().map(without).collect();
        acceleration(&left_out).unwrap_or(0.0)
    }
}
