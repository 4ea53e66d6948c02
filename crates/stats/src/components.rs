//! Variance components of one variant's scores: samples, repeats and a judge's opinions.

use crate::describe::{Deviations, all_finite, is_constant};
use crate::undefined::Undefined;

/// Estimates below this share of the total are 0: rounding leaves as much of equal means.
const ROUNDING: f64 = 1e-12;

/// Variances of one variant's scores, each in squared units of the scores.
///
/// A level that can't be separated from the one above it is `None`, and its variance is part of that one: with one
/// opinion per run, `opinions` is part of `repeats`; with one run per sample, `repeats` is part of `samples`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VarianceComponents {
    /// Between the true means of samples: their differences in difficulty.
    pub samples: Component,
    /// Between the repeats of one sample. `None`: no sample has two runs.
    pub repeats: Option<Component>,
    /// Between opinions on one run. `None`: no run has two opinions.
    pub opinions: Option<Component>,
    pub total: f64,
    /// Samples with a score.
    pub sample_count: usize,
    /// Runs with a score.
    pub run_count: usize,
    pub score_count: usize,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Component {
    /// The variance, at least 0.
    pub variance: f64,
    /// Share of the total, from 0 to 1.
    pub share: f64,
    /// The estimate was negative and is replaced by 0: the level shows less spread than the levels below it produce by
    /// themselves, as happens by chance when its true variance is small.
    pub held_at_zero: bool,
}

/// Variance components of one variant's scores by the method of moments (analysis of variance of a nested design with
/// unequal numbers; Searle, Casella & McCulloch 1992, *Variance Components*, §5.2 and appendix F; Henderson 1953,
/// method 1). `samples[i][j][k]` is opinion *k* on run *j* of sample *i*; numbers of runs and opinions may differ, `None`
/// is a score that is missing, and runs and samples without any score don't count.
///
/// The model is `y_ijk = μ + s_i + r_ij + o_ijk`, all effects independent. With `n_ij` scores of a run, `n_i` of a sample,
/// `n` in all, `a` samples and `b` runs:
///
/// * `σ²_o = SSO / (n − b)`
/// * `σ²_r = ( SSR − (b − a) σ²_o ) / ( n − Σ_ij n_ij²/n_i )`
/// * `σ²_s = ( SSS − (a − 1) σ²_o − (Σ_ij n_ij²/n_i − Σ_ij n_ij²/n) σ²_r ) / ( n − Σ_i n_i²/n )`
///
/// where the sums of squares are those of scores about their run's mean, of run means about their sample's and of sample
/// means about the grand mean, weighted by the number of scores. No normality is assumed. Each estimate is unbiased
/// before a negative one is set to 0 (and flagged); the estimates above it are made with the negative value.
///
/// Opinions are exchangeable in this model: pass one judge at a time. Of a panel, the constant differences between its
/// members would count as random error.
///
/// [`Undefined::TooFew`] below two samples, [`Undefined::NoVariance`] if all scores are equal,
/// [`Undefined::NotFinite`] if one is not finite or squares overflow.
pub fn variance_components<S, R, O>(samples: &[S]) -> Result<VarianceComponents, Undefined>
where
    S: AsRef<[R]>,
    R: AsRef<[O]>,
    O: Into<Option<f64>> + Copy,
{
    let samples: Vec<Vec<Vec<f64>>> =
        samples.iter().map(|s| scored_runs(s.as_ref())).filter(|s| !s.is_empty()).collect();
    let scores: Vec<f64> = samples.iter().flatten().flatten().copied().collect();
    if !all_finite(&scores) {
        return Err(Undefined::NotFinite);
    }
    if samples.len() < 2 {
        return Err(Undefined::TooFew);
    }
    if is_constant(&scores) {
        return Err(Undefined::NoVariance);
    }
    let scale = Deviations::new(&scores).ok_or(Undefined::NotFinite)?;
    let place = |score: &f64| (score - scale.mean) / scale.scale;
    let table: Vec<Vec<ScoreGroup>> =
        samples.iter().map(|s| s.iter().map(|r| ScoreGroup::new(r.iter().map(place))).collect()).collect();
    let unit = scale.scale * scale.scale;
    let components = Moments::new(&table).components(unit);
    let usable = unit > 0.0 && components.total.is_finite() && components.total > 0.0;
    usable.then_some(components).ok_or(Undefined::NotFinite)
}

fn scored_runs<R, O>(runs: &[R]) -> Vec<Vec<f64>>
where
    R: AsRef<[O]>,
    O: Into<Option<f64>> + Copy,
{
    let scored = |run: &R| run.as_ref().iter().filter_map(|&score| score.into()).collect::<Vec<f64>>();
    runs.iter().map(scored).filter(|run| !run.is_empty()).collect()
}

/// Number, mean and sum of squared deviations of some scores.
#[derive(Clone, Copy)]
struct ScoreGroup {
    n: f64,
    mean: f64,
    squares: f64,
}

impl ScoreGroup {
    fn new(scores: impl Iterator<Item = f64> + Clone) -> Self {
        let n = scores.clone().count() as f64;
        let mean = scores.clone().sum::<f64>() / n;
        Self { n, mean, squares: scores.map(|x| (x - mean) * (x - mean)).sum() }
    }

    /// Merges groups; `squares` are those of the group means, weighted.
    fn of_means(groups: &[ScoreGroup]) -> Self {
        let n: f64 = groups.iter().map(|g| g.n).sum();
        let mean = groups.iter().map(|g| g.n * g.mean).sum::<f64>() / n;
        let squares = groups.iter().map(|g| g.n * (g.mean - mean) * (g.mean - mean)).sum();
        Self { n, mean, squares }
    }

    /// `Σ n_g² / n` over its parts.
    fn concentration(&self, parts: &[ScoreGroup]) -> f64 {
        parts.iter().map(|g| g.n * g.n).sum::<f64>() / self.n
    }
}

/// Sums of squares of the three levels, and the coefficients of the variances in their expectations.
struct Moments {
    samples: usize,
    runs: usize,
    scores: usize,
    of_opinions: f64,
    of_repeats: f64,
    of_samples: f64,
    /// `Σ_ij n_ij²/n_i`
    runs_in_samples: f64,
    /// `Σ_ij n_ij²/n`
    runs_in_all: f64,
    /// `Σ_i n_i²/n`
    samples_in_all: f64,
}

impl Moments {
    fn new(table: &[Vec<ScoreGroup>]) -> Self {
        let samples: Vec<ScoreGroup> = table.iter().map(|runs| ScoreGroup::of_means(runs)).collect();
        let runs: Vec<ScoreGroup> = table.concat();
        let all = ScoreGroup::of_means(&samples);
        Self {
            samples: samples.len(),
            runs: runs.len(),
            scores: all.n as usize,
            of_opinions: runs.iter().map(|run| run.squares).sum(),
            of_repeats: samples.iter().map(|sample| sample.squares).sum(),
            of_samples: all.squares,
            runs_in_samples: samples.iter().zip(table).map(|(sample, runs)| sample.concentration(runs)).sum(),
            runs_in_all: all.concentration(&runs),
            samples_in_all: all.concentration(&samples),
        }
    }

    fn components(&self, unit: f64) -> VarianceComponents {
        let (n, a, b) = (self.scores as f64, self.samples as f64, self.runs as f64);
        let opinions = (self.scores > self.runs).then(|| self.of_opinions / (n - b));
        let wavering = opinions.unwrap_or(0.0);
        let repeats =
            (self.runs > self.samples).then(|| (self.of_repeats - (b - a) * wavering) / (n - self.runs_in_samples));
        let below = (a - 1.0) * wavering + (self.runs_in_samples - self.runs_in_all) * repeats.unwrap_or(0.0);
        let samples = (self.of_samples - below) / (n - self.samples_in_all);
        let total: f64 = [Some(samples), repeats, opinions].iter().flatten().map(|v| v.max(0.0)).sum();
        let component = |estimate: f64| {
            let variance = if estimate < ROUNDING * total { 0.0 } else { estimate };
            let held_at_zero = estimate < -ROUNDING * total;
            Component { variance: variance * unit, share: variance / total, held_at_zero }
        };
        VarianceComponents {
            samples: component(samples),
            repeats: repeats.map(component),
            opinions: opinions.map(component),
            total: total * unit,
            sample_count: self.samples,
            run_count: self.runs,
            score_count: self.scores,
        }
    }
}
