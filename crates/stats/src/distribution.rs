//! The normal and Student's t distributions, and searches for quantiles and sample sizes.
//!
//! `statrs` supplies the distribution functions. Its t quantile is not used: it is off by 1e-9 … 1e-4 above 100 degrees of
//! freedom and panics for tiny tails. Its incomplete beta loses digits above 10⁵ degrees, where the normal approximation
//! is better.

use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// Degrees of freedom above which t is approximated by the normal distribution.
pub(crate) const NEARLY_NORMAL: f64 = 1e5;

/// `Φ(x)`.
pub(crate) fn normal_cdf(x: f64) -> f64 {
    Normal::standard().cdf(x)
}

/// `Φ⁻¹(p)`; −∞ at 0 and ∞ at 1. `p` must not be NaN.
pub(crate) fn normal_quantile(p: f64) -> f64 {
    Normal::standard().inverse_cdf(p.clamp(0.0, 1.0))
}

/// Upper tail `P(T > x)` of Student's t for `df > 0` and `x ≥ 0`; NaN for a NaN.
///
/// Above 10⁵ degrees of freedom: Abramowitz & Stegun 26.7.8, `Φ( −x (1 − 1/4ν) / sqrt(1 + x²/2ν) )`.
pub fn t_tail(x: f64, df: f64) -> f64 {
    if !x.is_finite() {
        return if x.is_nan() { x } else { 0.0 };
    }
    if df > NEARLY_NORMAL {
        let z = x * (1.0 - 0.25 / df) / (1.0 + x * x / (2.0 * df)).sqrt();
        return normal_cdf(-z);
    }
    StudentsT::new(0.0, 1.0, df).map_or(f64::NAN, |t| t.cdf(-x))
}

/// The `x ≥ 0` with `P(T > x) = tail`, for `0 < tail ≤ 1/2` and `df > 0`.
pub(crate) fn t_upper_quantile(tail: f64, df: f64) -> f64 {
    let beyond = |x: f64| t_tail(x, df) <= tail;
    let high = (0..1023).map(|i| 2f64.powi(i)).find(|&x| beyond(x));
    where_reached(-tail, 0.0, high.unwrap_or(f64::MAX), |x| -t_tail(x, df))
}

/// Finds the `x` in `low..=high` where an increasing function reaches `target`, by bisection; the nearer end if it
/// never does.
///
/// Two near places around the target are found first, so that most steps of the bisection need no call: the answer is
/// that of plain bisection, with a half to a third of the calls.
pub fn where_reached(target: f64, mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> f64 {
    let (short, far) = narrowed(target, low, high, &f);
    for _ in 0..90 {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            break;
        }
        if middle <= short || (middle < far && f(middle) < target) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low + (high - low) / 2.0
}

/// Finds two places in `low..=high` between which an increasing function reaches `target`, close to each other;
/// infinite if it isn't reached.
///
/// Chandrupatla (1997), "A new hybrid quadratic/bisection algorithm for finding the zero of a nonlinear function without using
/// derivatives", *Advances in Engineering Software* 28.
fn narrowed(target: f64, low: f64, high: f64, f: impl Fn(f64) -> f64) -> (f64, f64) {
    const STEPS: usize = 60;
    // closer than this, rounding makes functions fall, and the result would depend on the path
    const TOLERANCE: f64 = 256.0 * f64::EPSILON;
    let point = |x: f64| (x, f(x) - target);
    let (mut newest, mut other) = (point(high), point(low));
    if newest.1.is_nan() || other.1.is_nan() {
        return (f64::NEG_INFINITY, f64::INFINITY);
    } else if other.1 >= 0.0 {
        return (f64::NEG_INFINITY, low);
    } else if newest.1 < 0.0 {
        return (high, f64::INFINITY);
    }
    let mut share = 0.5;
    for _ in 0..STEPS {
        let next = point(newest.0 + share * (other.0 - newest.0));
        let is_same_side = (next.1 < 0.0) == (newest.1 < 0.0);
        let dropped = if is_same_side { newest } else { std::mem::replace(&mut other, newest) };
        newest = next;
        let width = (other.0 - newest.0).abs();
        let least = TOLERANCE * newest.0.abs().max(other.0.abs()) / width;
        if least > 0.5 || next.1.is_nan() {
            break;
        }
        share = interpolated(newest, other, dropped).unwrap_or(0.5).clamp(least, 1.0 - least);
    }
    if newest.1 < 0.0 { (newest.0, other.0) } else { (other.0, newest.0) }
}

/// Inverse quadratic interpolation: the place of the zero between `a` and `b`, as a share; `None` if that is no good
/// guess.
fn interpolated(a: (f64, f64), b: (f64, f64), c: (f64, f64)) -> Option<f64> {
    let (place, value) = ((a.0 - b.0) / (c.0 - b.0), (a.1 - b.1) / (c.1 - b.1));
    let is_good = value * value < place && (1.0 - value) * (1.0 - value) < 1.0 - place;
    let share =
        || a.1 / (b.1 - a.1) * c.1 / (b.1 - c.1) + (c.0 - a.0) / (b.0 - a.0) * a.1 / (c.1 - a.1) * b.1 / (c.1 - b.1);
    is_good.then(share).filter(|share| share.is_finite())
}

/// Largest sample size that is returned.
const MOST: usize = 1_000_000_000;

/// Finds the least `n ≥ 2` for which a monotone condition holds, by doubling and bisection; `None` if the condition has
/// no value, or no `n` up to a thousand million is enough.
pub fn fewest(is_enough: impl Fn(usize) -> Option<bool>) -> Option<usize> {
    let mut high = 2;
    while !is_enough(high)? {
        high = high.checked_mul(2).filter(|&n| n <= 2 * MOST)?;
    }
    let mut low = high / 2; // not enough, or 1
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if is_enough(middle)? { high = middle } else { low = middle }
    }
    (high <= MOST).then_some(high)
}

/// [`fewest`], searched around a guess: steps away from it that double, then bisection.
pub fn fewest_near(guess: f64, is_enough: impl Fn(usize) -> Option<bool>) -> Option<usize> {
    let guess = (guess.ceil() as usize).clamp(2, MOST);
    let (mut low, mut high, mut step) = (guess, guess, 1); // not enough, or 1; and enough
    if is_enough(guess)? {
        low = guess - 1;
        while low > 1 && is_enough(low)? {
            (high, step) = (low, step * 2);
            low = low.saturating_sub(step).max(1);
        }
    } else {
        high = (guess + 1).min(MOST);
        while !is_enough(high)? {
            if high == MOST {
                return None;
            }
            (low, step) = (high, step * 2);
            high = (high + step).min(MOST);
        }
    }
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if is_enough(middle)? { high = middle } else { low = middle }
    }
    Some(high)
}
