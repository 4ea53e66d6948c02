//! Tests if one arm succeeds less often than the other, task by task, for the gate on regressions.

use crate::distribution::normal_cdf;

/// Trials of one task (stratum) in two arms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stratum {
    /// Trials of the first arm.
    pub trials_a: u32,
    /// Successes of the first arm.
    pub successes_a: u32,
    /// Trials of the second arm.
    pub trials_b: u32,
    /// Successes of the second arm.
    pub successes_b: u32,
}

/// Most multiplications of the exact distribution; above, it is approximated.
const EXACT_WORK: u64 = 20_000_000;

/// One-sided p-value for "the second arm succeeds less often", by the exact conditional test of stratified 2×2
/// tables (Mantel & Haenszel 1959; exact form: Gart 1970, "Point and interval estimation of the common odds ratio in
/// the combination of 2×2 tables with fixed marginals"). In each stratum, given how many of all its trials succeeded,
/// the second arm's successes are hypergeometric when the arms don't differ; `p = P(ΣB ≤ observed ΣB)`.
///
/// With one trial per arm it is McNemar's exact one-sided test, with one stratum Fisher's. Strata in which all trials
/// succeeded, or none, are ignored; with only those, `p = 1`. Where the exact sum would take more than some
/// 20 million multiplications, its normal approximation with a correction for continuity is used.
///
/// Strata with more successes than trials are left out.
pub fn fewer_successes(strata: &[Stratum]) -> f64 {
    let telling: Vec<Telling> = strata.iter().filter_map(Telling::new).collect();
    if telling.is_empty() {
        return 1.0;
    }
    let observed: u64 = telling.iter().map(|stratum| u64::from(stratum.observed - stratum.lowest)).sum();
    let mut size: u64 = 1;
    let mut work: u64 = 0;
    for stratum in &telling {
        work = work.saturating_add(size.saturating_mul(stratum.probabilities.len() as u64));
        size += stratum.probabilities.len() as u64 - 1;
    }
    match work <= EXACT_WORK {
        true => exact(&telling, observed),
        false => approximate(&telling, observed),
    }
}

/// A stratum with more than one possible outcome.
pub struct Telling {
    /// Fewest possible successes of the second arm.
    pub lowest: u32,
    pub observed: u32,
    /// Probabilities of `lowest`, `lowest + 1`, … successes.
    probabilities: Vec<f64>,
}

impl Telling {
    pub fn new(stratum: &Stratum) -> Option<Telling> {
        let Stratum { trials_a, successes_a, trials_b, successes_b } = *stratum;
        if successes_a > trials_a || successes_b > trials_b {
            return None;
        }
        let successes = successes_a.checked_add(successes_b)?;
        let lowest = successes.saturating_sub(trials_a);
        let highest = successes.min(trials_b);
        let probabilities = hypergeometric(trials_a, trials_b, successes, lowest, highest);
        (lowest < highest).then_some(Telling { lowest, observed: successes_b, probabilities })
    }
}

/// Returns `C(b, x)·C(a, m − x)` for every possible `x`, scaled to a sum of 1: each from the one before, in logarithms
/// so that neither end under- or overflows.
fn hypergeometric(a: u32, b: u32, m: u32, lowest: u32, highest: u32) -> Vec<f64> {
    let (a, b, m) = (f64::from(a), f64::from(b), f64::from(m));
    let mut logs = vec![0.0_f64];
    for x in lowest..highest {
        let x = f64::from(x);
        let ratio = (b - x) * (m - x) / ((x + 1.0) * (a - m + x + 1.0));
        logs.push(logs[logs.len() - 1] + ratio.ln());
    }
    let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = logs.iter().map(|log| (log - most).exp()).collect();
    let sum: f64 = weights.iter().sum();
    weights.iter().map(|weight| weight / sum).collect()
}

pub fn exact(telling: &[Telling], observed: u64) -> f64 {
    let mut sums = vec![1.0];
    for stratum in telling {
        let mut next = vec![0.0; sums.len() + stratum.probabilities.len() - 1];
        for (i, sum) in sums.iter().enumerate() {
            for (j, probability) in stratum.probabilities.iter().enumerate() {
                next[i + j] += sum * probability;
            }
        }
        sums = next;
    }
    let upto = usize::try_from(observed).unwrap_or(usize::MAX).saturating_add(1).min(sums.len());
    sums[..upto].iter().sum::<f64>().clamp(0.0, 1.0)
}

pub fn approximate(telling: &[Telling], observed: u64) -> f64 {
    let (mut mean, mut variance) = (0.0, 0.0);
    for stratum in telling {
        let moment = |power: i32| -> f64 {
            stratum.probabilities.iter().enumerate().map(|(x, p)| p * (x as f64).powi(power)).sum()
        };
        let first = moment(1);
        mean += first;
        variance += (moment(2) - first * first).max(0.0);
    }
    match variance > 0.0 {
        true => normal_cdf((observed as f64 + 0.5 - mean) / variance.sqrt()),
        false => 1.0,
    }
}
