//! Interim looks at a comparison, at numbers of samples that were fixed before.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use crate::describe::{Deviations, all_finite, is_constant, sorted};
use crate::distribution::{normal_cdf, normal_quantile, t_upper_quantile, where_reached};
use crate::interval::{Interval, IntervalMethod, MeanBounds, Resampling};
use crate::unseen::SeenDifferences;

/// Fewest samples of a look.
const FEWEST_SAMPLES: usize = 20;

/// Smallest tail whose bound 10,000 resamples can show.
const LEAST_RESAMPLED_TAIL: f64 = 0.001;

/// Limit of the integration over a normal distribution.
const FARTHEST: f64 = 9.0;

/// Steps of Simpson's rule between −9 and a bound.
const STEPS: u32 = 600;

/// Returns the part of the risk `alpha` of a false alarm that may be spent once the share `information` (0 to 1) of all
/// samples is there: `α(f) = 2·(1 − Φ(z_{1−α/2} / √f))`, which spends little at first (Lan & DeMets 1983, "Discrete
/// sequential boundaries for clinical trials", *Biometrika* 70: the boundaries of O'Brien & Fleming).
#[must_use]
pub fn spent_risk(alpha: f64, information: f64) -> f64 {
    if information >= 1.0 {
        return alpha;
    }
    2.0 * normal_cdf(-normal_quantile(1.0 - alpha / 2.0) / information.sqrt())
}

/// Returns the tail of each look, such that a true difference of 0 is found above 0 at any look with a chance of
/// `alpha`, and by look `k` with no more than [`spent_risk`]`(alpha, f_k)`. `information` has the share of all samples
/// at each look, ascending to 1.
///
/// The looks' means share their samples: as sums of normal values, `P(below every bound so far, above this one)` is found by
/// recursive integration (Armitage, McPherson & Rowe 1969, "Repeated significance tests on accumulating data", *JRSS A* 132).
///
/// `None` if `alpha` is not in (0, ½), or the shares don't ascend from above 0 to 1.
#[must_use]
pub fn look_tails(alpha: f64, information: &[f64]) -> Option<Vec<f64>> {
    let ascends = information.windows(2).all(|pair| pair[0] < pair[1]);
    let is_usable = alpha > 0.0 && alpha < 0.5 && ascends && *information.first()? > 0.0 && *information.last()? == 1.0;
    is_usable.then(|| memoized_tails(alpha, information))
}

/// Returns the tails of [`look_tails`], remembered by their arguments: a report asks for those of one plan several times, and a
/// simulation for each data set, and they take longer to compute than a look.
fn memoized_tails(alpha: f64, information: &[f64]) -> Vec<f64> {
    static TAILS: Mutex<BTreeMap<Vec<u64>, Vec<f64>>> = Mutex::new(BTreeMap::new());
    let key: Vec<u64> = std::iter::once(&alpha).chain(information).map(|x| x.to_bits()).collect();
    let remembered = || TAILS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(tails) = remembered().get(&key) {
        return tails.clone();
    }
    let tails = integrated_tails(alpha, information);
    remembered().insert(key, tails.clone());
    tails
}

fn integrated_tails(alpha: f64, information: &[f64]) -> Vec<f64> {
    let mut tails = Vec::with_capacity(information.len());
    let (mut sum, mut spent, mut before) = (OpenSum::default(), 0.0, 0.0);
    for &share in information {
        let (next, scale) = (sum.moved(0.0, (share - before).sqrt()), share.sqrt());
        let new = spent_risk(alpha, share) - spent;
        let bound = where_reached(-new, 0.0, FARTHEST, |z| -next.above(z * scale));
        tails.push(if tails.is_empty() { new } else { normal_cdf(-bound) });
        sum = next.restricted(&[(-FARTHEST * scale, bound * scale)]);
        (spent, before) = (spent + new, share);
    }
    tails
}

/// Distribution of a sum of normal values where no look has decided yet: values with their chances.
struct OpenSum(Vec<(f64, f64)>);

impl Default for OpenSum {
    /// The empty sum, 0 with chance 1.
    fn default() -> OpenSum {
        OpenSum(vec![(0.0, 1.0)])
    }
}

impl OpenSum {
    /// Adds further values, whose sum has this mean and standard deviation.
    fn moved(&self, mean: f64, sd: f64) -> MovedSum<'_> {
        MovedSum { from: self, mean, sd }
    }

    fn chance(&self) -> f64 {
        self.0.iter().map(|(_, chance)| chance).sum()
    }
}

/// An [`OpenSum`] plus normal values.
struct MovedSum<'a> {
    from: &'a OpenSum,
    mean: f64,
    sd: f64,
}

impl MovedSum<'_> {
    /// Chance that the sum is above `bound`.
    fn above(&self, bound: f64) -> f64 {
        let term = |(value, chance): &(f64, f64)| chance * normal_cdf((value + self.mean - bound) / self.sd);
        self.from.0.iter().map(term).sum()
    }

    fn density(&self, x: f64) -> f64 {
        let term = |(value, chance): &(f64, f64)| chance * (-0.5 * ((x - value - self.mean) / self.sd).powi(2)).exp();
        self.from.0.iter().map(term).sum::<f64>() / (self.sd * (2.0 * std::f64::consts::PI).sqrt())
    }

    /// Restricts the distribution to these ranges, by Simpson's rule.
    fn restricted(&self, within: &[(f64, f64)]) -> OpenSum {
        let places = within.iter().filter(|(low, high)| low < high).flat_map(|&(low, high)| {
            let width = (high - low) / f64::from(STEPS);
            (0..=STEPS).map(move |i| {
                let weight = match i {
                    0 | STEPS => 1.0,
                    odd if odd % 2 == 1 => 4.0,
                    _ => 2.0,
                };
                let x = low + width * f64::from(i);
                (x, self.density(x) * weight * width / 3.0)
            })
        });
        OpenSum(places.collect())
    }
}

/// Interim looks of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedLooks(Vec<PlannedLook>);

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlannedLook {
    /// Number of samples it reads, from the first on.
    pub samples: usize,
    /// Probability beyond each end of its interval.
    pub tail: f64,
    /// Largest [`SeenDifferences::unseen_risk`] with which it decides.
    pub unseen_risk: f64,
}

impl PlannedLooks {
    /// Plans `looks` looks at equal distances up to `samples`, but none before the 20th sample: look `k` of `K` reads
    /// `max(20, ⌈k·N/K⌉)`. Their tails are the [`look_tails`] of `alpha`, one-sided; a look before the last decides
    /// with half of `unseen_risk`.
    ///
    /// `None` without samples or looks, or if `alpha` is not in (0, ½).
    #[must_use]
    pub fn new(samples: usize, looks: u32, alpha: f64, unseen_risk: f64) -> Option<PlannedLooks> {
        let looks = looks as usize;
        let size = |k: usize| (k * samples).div_ceil(looks).max(FEWEST_SAMPLES).min(samples);
        let mut sizes: Vec<usize> = (1..=looks).map(size).collect();
        sizes.dedup();
        let information: Vec<f64> = sizes.iter().map(|size| *size as f64 / samples as f64).collect();
        let tails = look_tails(alpha, &information)?;
        let look = |(samples_so_far, tail): (usize, f64)| PlannedLook {
            samples: samples_so_far,
            tail,
            unseen_risk: if samples_so_far == samples { unseen_risk } else { unseen_risk / 2.0 },
        };
        Some(PlannedLooks(sizes.into_iter().zip(tails).map(look).collect()))
    }

    /// All looks in order, at least one.
    #[must_use]
    pub fn all(&self) -> &[PlannedLook] {
        &self.0
    }

    /// The last look, which reads every sample.
    #[must_use]
    pub fn last(&self) -> PlannedLook {
        let none = PlannedLook { samples: 0, tail: 0.0, unseen_risk: 0.0 };
        self.0.last().copied().unwrap_or(none)
    }

    /// Returns the mean number of samples of a run that ends as soon as a look decides, for normal differences with
    /// this mean and known spread, by recursive integration. A look finds a gain if the interval is above 0, the mean
    /// no smaller than `trivial` and the unseen risk small enough; a loss likewise; no difference that matters if the
    /// interval is within ± `min_effect` and neither unseen risk is too large.
    ///
    /// `None` for a spread that isn't above 0 and numbers that are not finite.
    #[must_use]
    pub fn mean_samples(&self, seen: &SeenDifferences, min_effect: f64, trivial: f64) -> Option<f64> {
        let SeenDifferences { mean, sd, widest, .. } = *seen;
        let is_usable = sd > 0.0 && [mean, sd, widest, min_effect, trivial].iter().all(|x| x.is_finite());
        if !is_usable {
            return None;
        }
        let (mut sum, mut before, mut expected) = (OpenSum::default(), 0, 0.0);
        for look in &self.0 {
            let n = look.samples as f64;
            // a run that reaches this look pays for its samples
            expected += sum.chance() * (look.samples - before) as f64;
            let new = (look.samples - before) as f64;
            let reach = t_upper_quantile(look.tail, (n - 1.0).max(1.0)) * sd / n.sqrt();
            let risk = |mean: f64, loss: f64| SeenDifferences { n: look.samples, mean, sd, widest }.unseen_risk(loss);
            let gain = where_reached(-look.unseen_risk, 0.0, widest, |mean| -risk(mean, 0.0)).max(reach).max(trivial);
            let none = where_reached(look.unseen_risk, 0.0, min_effect, |mean| risk(-mean, min_effect))
                .min(min_effect - reach);
            let is_none_possible = none > 0.0 && risk(0.0, min_effect) <= look.unseen_risk;
            let next = sum.moved(new * mean, new.sqrt() * sd);
            // the chance beyond is negligible
            let far = 12.0 * sd * n.sqrt() + n * mean.abs();
            let (low, high) = ((-gain * n).max(-far), (gain * n).min(far));
            let open = match is_none_possible {
                true => next.restricted(&[(low, -none * n), (none * n, high)]),
                false => next.restricted(&[(low, high)]),
            };
            (sum, before) = (open, look.samples);
        }
        Some(expected)
    }
}

/// Interval of a mean at one of several looks, with the probability `tail` beyond each end: that of
/// [`mean_interval`](crate::mean_interval), and below a tail of 0.001 only Student's bounds with the term for skewness.
///
/// Intervals at the tails of [`look_tails`] hold at all looks at once: *repeated* intervals (Jennison & Turnbull 1989,
/// "Interim analyses: the repeated confidence interval approach", *JRSS B* 51). `r.level` is only copied to the result.
///
/// `None` as for [`mean_interval`](crate::mean_interval), and for a tail that is not in (0, ½).
#[must_use]
pub fn look_interval(values: &[f64], tail: f64, r: &Resampling) -> Option<Interval> {
    if values.len() < 2 || !all_finite(values) || !(tail > 0.0 && tail < 0.5) {
        return None;
    }
    if is_constant(values) {
        let mean = Deviations::balanced(&sorted(values.to_vec()))?.mean;
        return Some(Interval::point(mean, r.level, r.method));
    }
    if tail < LEAST_RESAMPLED_TAIL && r.method == IntervalMethod::Expanded {
        return MeanBounds::without_resamples(values)?.skewed_interval(tail, r);
    }
    MeanBounds::new(values, r)?.interval(tail, r)
}
