//! The bootstrap of statistics without a faster path, such as agreement coefficients and ratios.

use crate::draw::{Draw, Streams, Urn};
use crate::interval::Resampling;

/// `statistic` of each of `r.resamples` resamples of `n` samples, in the order of the resamples (Efron 1979,
/// "Bootstrap methods: another look at the jackknife"). Feed the result to [`replicate_interval`].
///
/// The statistic gets `n` positions below `n`, drawn with replacement. Resample *i* is the same whatever the number
/// of threads and whatever the statistic, so that two statistics with one seed are resampled jointly. `r.level` and
/// `r.method` are not read. Empty for `n = 0` and for `n` above `u32::MAX`.
///
/// [`replicate_interval`]: crate::replicate_interval
pub fn bootstrap_replicates<F>(n: usize, r: &Resampling, statistic: F) -> Vec<f64>
where
    F: Fn(&[u32]) -> f64 + Sync,
{
    let Some(balls) = u32::try_from(n).ok().filter(|&n| n > 0) else {
        return Vec::new();
    };
    let streams = Streams::joint_bootstrap(r.seed);
    Urn::Balls(balls).replicates(&streams, r.resamples, |draw| match draw {
        Draw::Balls(indexes) => statistic(indexes),
        Draw::Colours(_) => f64::NAN, // an urn of balls draws balls
    })
}
