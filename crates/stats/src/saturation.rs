//! Saturation: the width of the interval as a function of the number of samples.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;

use crate::describe::{all_finite, is_constant, sd, sorted};
use crate::distribution::{fewest_near, normal_quantile, t_upper_quantile};
use crate::draw::Streams;
use crate::interval::{t_interval, tail_of};
use crate::undefined::Undefined;

/// Smallest growth factor of samples from one window to the next.
pub const WINDOW_GROWTH: f64 = 1.25;
/// Smallest relative shrink of a window that counts as narrowing the interval.
pub const LEAST_SHRINK: f64 = 0.05;
/// Number of windows in a row that must narrow it too little.
pub const FLAT_WINDOWS: usize = 3;
/// Samples of the first window: the spread of fewer is hardly known.
const FIRST_WINDOW: usize = 6;

/// Width of the interval of the mean difference by number of samples.
#[derive(Clone, Debug, PartialEq)]
pub struct SaturationCurve {
    /// The windows, the smallest first; the last holds all samples.
    pub windows: Vec<Window>,
    /// Each of the last three windows narrowed the interval by less than 5 %. `None` with fewer than four windows,
    /// or without spread in one of the last four.
    pub saturated: Option<bool>,
    /// Samples with which the interval's half-width is the smallest difference that matters, for the spread of all
    /// samples: see [`pairs_for_half_width`]. `None` when a thousand million would not do.
    pub pairs_for_min_effect: Option<usize>,
}

/// The first `n` samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    pub n: usize,
    /// Width of Student's interval of their mean difference. `None` when they are all equal.
    pub width: Option<f64>,
    /// Width to be expected with the spread of all samples, `2 t_{1−α/2, n−1} s / sqrt(n)`: the 1/√n law, and the price
    /// of not knowing the spread.
    pub expected_width: f64,
    /// `1 − width / width of the window before`. `None` for the first window, and if either width is missing.
    pub shrink: Option<f64>,
}

/// Saturation of paired differences `d` in the order in which they were measured, or in that of [`shuffled`].
///
/// Windows are cumulative blocks of samples. The last holds all `N`, and each one before it the next smaller whole number
/// `n` with `1.25 n` at most its successor, down to 6 samples: relative growth is equal but for rounding, and at
/// least 1.25. By the 1/√n law alone a window then shrinks the interval by `1 − 1/sqrt(1.25)` = 10.6 %; with blocks that
/// grow by less than 10.8 % — single samples or repeats — it would be under 5 % and the rule would fire by arithmetic.
/// A larger factor needs more samples for its four windows (13 at 1.25, 41 at 2).
///
/// The width is that of [`t_interval`] and not of a bootstrap: there is no Monte-Carlo error for the 5 % to read, and 100,000
/// samples cost nothing. It agrees with the expanded bootstrap's, which is made to.
///
/// The rule is omk's own design, not a published method. Samples of one kind in random order keep to the 1/√n law, and
/// then `saturated` is false but by chance (simulated: at most 0.5 % of data sets, N = 20 to 400). It turns true when new samples bring more
/// spread than the earlier ones had, so that more of them don't help. Whether there were enough is what
/// [`SaturationCurve::pairs_for_min_effect`] says.
///
/// [`Undefined::TooFew`] below 6 differences, [`Undefined::NoVariance`] if all are equal, [`Undefined::NotFinite`] if one
/// is not, sums overflow or `min_effect` isn't above 0, [`Undefined::Level`] for a level outside (0, 1).
pub fn saturation(d: &[f64], level: f64, min_effect: f64) -> Result<SaturationCurve, Undefined> {
    let tail = tail_of(level).ok_or(Undefined::Level)?;
    if !(all_finite(d) && min_effect > 0.0 && min_effect.is_finite()) {
        return Err(Undefined::NotFinite);
    }
    if d.len() < FIRST_WINDOW {
        return Err(Undefined::TooFew);
    }
    if is_constant(d) {
        return Err(Undefined::NoVariance);
    }
    let spread = sd(d).ok_or(Undefined::NotFinite)?;
    let mut windows: Vec<Window> = Vec::new();
    for n in sizes(d.len()) {
        let interval = t_interval(&d[..n], level).filter(|i| !i.degenerate);
        let width = interval.map(|i| i.width());
        let before = windows.last().and_then(|w| w.width);
        let shrink = before.zip(width).map(|(before, width)| 1.0 - width / before);
        windows.push(Window { n, width, expected_width: 2.0 * half_width(spread, n, tail), shrink });
    }
    Ok(SaturationCurve {
        saturated: is_flat(&windows),
        windows,
        pairs_for_min_effect: pairs_for_half_width(spread, min_effect, level),
    })
}

/// Shuffles values into an order that depends on the seed alone, not on their order: sorts, then shuffles (Fisher &
/// Yates 1938; Durstenfeld 1964) with a random stream for this purpose.
pub fn shuffled(values: &[f64], seed: u64) -> Vec<f64> {
    let mut values = sorted(values.to_vec());
    let mut rng = Streams::shuffle(seed).stream(0);
    for last in (1..values.len()).rev() {
        values.swap(last, below(last as u64 + 1, &mut rng));
    }
    values
}

/// Fewest pairs with which Student's interval of the mean difference reaches at most `half_width` to each side, when
/// differences have standard deviation `sd`: the least `n ≥ 2` with `t_{1−α/2, n−1} · sd / sqrt(n) ≤ half_width`.
///
/// With `half_width` the smallest difference that matters, an interval around that difference leaves 0 out, and one around 0
/// lies inside ± that difference: it is the number with which either answer becomes possible. It is not yet a likely one
/// (an effect of just that size is seen in about half of the cases); [`pairs_needed`] says when it is.
///
/// `None` for a level outside (0, 1), a width or spread that isn't above 0, and when a thousand million would not do.
///
/// [`pairs_needed`]: crate::pairs_needed
pub fn pairs_for_half_width(sd: f64, half_width: f64, level: f64) -> Option<usize> {
    let tail = tail_of(level)?;
    if !(sd > 0.0 && sd.is_finite() && half_width > 0.0) {
        return None;
    }
    let about = (normal_quantile(1.0 - tail) * sd / half_width).powi(2) + 2.0;
    fewest_near(about, |n| Some(self::half_width(sd, n, tail) <= half_width))
}

fn half_width(sd: f64, n: usize, tail: f64) -> f64 {
    let n = n as f64;
    t_upper_quantile(tail, n - 1.0) * sd / n.sqrt()
}

/// Sizes of the windows, ascending.
fn sizes(n: usize) -> Vec<usize> {
    let smaller = |&n: &usize| Some((n as f64 / WINDOW_GROWTH) as usize).filter(|&n| n >= FIRST_WINDOW);
    let mut sizes: Vec<usize> = std::iter::successors(Some(n), smaller).collect();
    sizes.reverse();
    sizes
}

fn is_flat(windows: &[Window]) -> Option<bool> {
    let last = windows.len().checked_sub(FLAT_WINDOWS + 1)?;
    let shrinks: Option<Vec<f64>> = windows[last + 1..].iter().map(|w| w.shrink).collect();
    shrinks.map(|all| all.iter().all(|&shrink| shrink < LEAST_SHRINK))
}

/// Draws a whole number below `n`, uniformly: words that would favour some numbers are drawn again.
fn below(n: u64, rng: &mut ChaCha8Rng) -> usize {
    let fair = u64::MAX - u64::MAX % n;
    loop {
        let word = rng.next_u64();
        if word < fair {
            return (word % n) as usize;
        }
    }
}
