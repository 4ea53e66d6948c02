//! The sign-flip permutation test of paired differences.

use rand_chacha::rand_core::Rng;
use rayon::prelude::*;

use crate::describe::{all_finite, sorted};
use crate::draw::Streams;
use crate::interval::levels;
use crate::multinomial::Coins;

/// Most nonzero differences for which every sign pattern is enumerated.
const EXACT_UP_TO: usize = 20;
/// Random patterns above that: a p-value near 0.05 is then known to ±0.0014 (two standard errors).
const BATCHES: u64 = 100;
const PATTERNS_PER_BATCH: u64 = 1000;
/// Approximate number of drawn signs: more differences get fewer patterns, but at least five batches (a p-value near
/// 0.05 is then known to ±0.006).
const SIGNS: u64 = 200_000_000;
const FEWEST_BATCHES: u64 = 5;
/// From this many differences on, with at least `EACH_MAGNITUDE` per distinct magnitude on average, only the number of
/// positive signs of each magnitude is drawn, with about `WORDS` random words.
const MANY: usize = 2000;
const EACH_MAGNITUDE: usize = 64;
const WORDS: u64 = 40_000_000;
/// Sums closer than this share of Σ|d| are equal: scores lie on a lattice, whose sums differ by rounding only.
const TIE: f64 = 1e-12;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PermutationTest {
    /// Two-sided p-value, above 0 and at most 1.
    pub p_value: f64,
    /// Every pattern was enumerated.
    pub exact: bool,
    pub patterns: u64,
}

/// Sign-flip permutation test of paired differences against "the distribution is symmetric about 0" (Fisher 1935,
/// *The Design of Experiments*, §21; Pitman 1937).
///
/// With `S = Σd` and each `s` a pattern of signs, `p = #{ s : |Σ s_i d_i| ≥ |S| } / 2ⁿ`. Sums within `1e-12 · Σ|d|` of
/// `|S|` count as equal to it. Differences of 0 change neither side, so patterns are counted over the `n` nonzero ones:
/// up to 20 of them exactly, by meeting in the middle (Horowitz & Sahni 1974). Above that, `m` = 100,000 random patterns
/// (the ones that `seed` gives) and `p = (b + 1)/(m + 1)`, where `b` of them reach `|S|` (Davison & Hinkley 1997,
/// eq. 4.11; Phipson & Smyth 2010). From 2000 differences on there are fewer patterns, down to 5000, unless the magnitudes
/// are few (one per 64 differences at most): then the number of positive signs of each is drawn, Binomial(cₖ, ½), which
/// is the same test.
///
/// Signs are drawn for the magnitudes, so neither the order of the differences nor which side is called positive matters.
///
/// All differences 0 give `p = 1`. `None` for an empty slice, or if a difference is not finite.
pub fn sign_flip_test(d: &[f64], seed: u64) -> Option<PermutationTest> {
    if d.is_empty() || !all_finite(d) {
        return None;
    }
    let d = scaled_nonzero(d);
    let total = sum_of(&d, |x| x > 0.0) - sum_of(&d, |x| x < 0.0);
    let magnitudes = sorted(d.iter().map(|x| x.abs()).collect());
    let threshold = total.abs() - TIE * magnitudes.iter().sum::<f64>();
    Some(if d.len() <= EXACT_UP_TO { exact(&magnitudes, threshold) } else { monte_carlo(&magnitudes, threshold, seed) })
}

/// Sums the magnitudes on one side of 0, the smallest first: opposite differences then give exactly the other side's
/// sum.
fn sum_of(d: &[f64], side: impl Fn(f64) -> bool) -> f64 {
    let magnitudes = d.iter().filter(|x| side(**x)).map(|x| x.abs());
    sorted(magnitudes.collect()).iter().sum()
}

/// Drops zeros and divides by the largest magnitude, so that sums cannot overflow.
fn scaled_nonzero(d: &[f64]) -> Vec<f64> {
    let largest = d.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let nonzero = d.iter().filter(|x| **x != 0.0);
    nonzero.map(|x| x / largest).collect()
}

fn exact(d: &[f64], threshold: f64) -> PermutationTest {
    let patterns = 1 << d.len();
    let reached = if threshold > 0.0 {
        2 * patterns_above(d, threshold) // a pattern and its opposite
    } else {
        patterns
    };
    PermutationTest { p_value: reached as f64 / patterns as f64, exact: true, patterns }
}

/// Counts the sign patterns whose sum is at least `threshold`: sums of one half are looked up among those of the other.
fn patterns_above(d: &[f64], threshold: f64) -> u64 {
    let (left, right) = d.split_at(d.len() / 2);
    let right = sorted(signed_sums(right));
    let partners = |l: f64| right.len() - right.partition_point(|r| l + r < threshold);
    let counts = signed_sums(left).into_iter().map(partners);
    counts.sum::<usize>() as u64
}

/// Returns all `2ⁿ` sums `Σ ± d`; bit *i* of the position is the sign of difference *i*.
fn signed_sums(d: &[f64]) -> Vec<f64> {
    d.iter().fold(vec![0.0], |sums, x| {
        let minus = sums.iter().map(|s| s - x);
        let plus = sums.iter().map(|s| s + x);
        minus.chain(plus).collect()
    })
}

/// Expects ascending magnitudes.
pub fn monte_carlo(d: &[f64], threshold: f64, seed: u64) -> PermutationTest {
    let streams = Streams::sign_flips(seed);
    let (magnitudes, counts) = levels(d);
    if d.len() >= MANY && magnitudes.len() * EACH_MAGNITUDE <= d.len() {
        let words: u64 = counts.iter().map(|&count| words(count)).sum();
        return random_patterns(WORDS / words, |batch| {
            let mut coins = Coins::new(streams.stream(batch));
            let (magnitudes, counts) = (&magnitudes, &counts);
            move || counted_sum(magnitudes, counts, &mut coins).abs() >= threshold
        });
    }
    let fours: Vec<[f64; 16]> = d.chunks(4).map(sums_of_four).collect();
    random_patterns(SIGNS / (d.len() as u64).max(1), |batch| {
        let (mut rng, fours) = (streams.stream(batch), &fours);
        move || random_sum(fours, &mut rng).abs() >= threshold
    })
}

/// Runs as many batches of patterns as `affordable` allows; `batch` returns a function that draws a pattern, and
/// returns `true` if its sum reaches the observed one.
fn random_patterns<D: FnMut() -> bool>(affordable: u64, batch: impl Fn(u64) -> D + Sync) -> PermutationTest {
    let batches = (affordable / PATTERNS_PER_BATCH).clamp(FEWEST_BATCHES, BATCHES);
    let reached: u64 = (0..batches)
        .into_par_iter()
        .map(|number| {
            let mut reaches = batch(number);
            (0..PATTERNS_PER_BATCH).filter(|_| reaches()).count() as u64
        })
        .sum();
    let patterns = batches * PATTERNS_PER_BATCH;
    PermutationTest { p_value: (reached + 1) as f64 / (patterns + 1) as f64, exact: false, patterns }
}

/// Approximate number of random words for the signs of `count` equal magnitudes.
fn words(count: u32) -> u64 {
    u64::from(4 + count % 1024 / 64 + count / 65_536)
}

/// Draws a random signed sum of differences whose `magnitudes` occur `counts` times.
fn counted_sum(magnitudes: &[f64], counts: &[u32], coins: &mut Coins) -> f64 {
    let signed = |(magnitude, &count): (&f64, &u32)| {
        let positive = f64::from(coins.heads(count));
        magnitude * (2.0 * positive - f64::from(count))
    };
    magnitudes.iter().zip(counts).map(signed).sum()
}

/// Returns the 16 signed sums of up to four differences, so that one lookup adds four of them.
fn sums_of_four(d: &[f64]) -> [f64; 16] {
    let sums = signed_sums(d);
    std::array::from_fn(|signs| sums[signs % sums.len()])
}

fn random_sum(fours: &[[f64; 16]], rng: &mut impl Rng) -> f64 {
    let mut sum = 0.0;
    for block in fours.chunks(16) {
        let mut signs = rng.next_u64();
        for four in block {
            sum += four[(signs & 15) as usize];
            signs >>= 4;
        }
    }
    sum
}
