//! Prediction-powered inference: the mean human score, from a judge's scores on all samples and human scores on a few.
//!
//! Let a sample be **labelled** when it has a human score and a judge score, and **unlabelled** when it has a judge score
//! only. The two sets don't overlap: where everything was judged and some of it labelled, the unlabelled set is the rest.
//! [`split_by_label`] makes both sets from columns over the same samples. The labelled samples must be a random part of
//! all of them; labels picked where the judge looked wrong make any such estimate worthless.
//!
//! # Coverage
//!
//! The normal interval of the paper relies on many labels. Simulated Likert differences, true difference 0, and a judge
//! that favours the treatment by half a point, nominal 95 % (`stats-tests/examples/judge_coverage.rs`: 20,000 data sets per row,
//! Monte-Carlo error 0.0015). Each cell is the coverage and the mean width in score points:
//!
//! ```text
//! judge   labels of all   judge alone   labels alone   paper        interval     effective n
//! close       5      50   0.268  0.66   0.963  2.41    0.816  1.13  0.977  2.57    8
//! close      10      50   0.268  0.66   0.954  1.44    0.884  0.92  0.959  1.25   15
//! close      20     100   0.040  0.46   0.950  0.96    0.922  0.68  0.954  0.78   31
//! close      50     100   0.040  0.46   0.951  0.58    0.942  0.49  0.953  0.51   65
//! close      20     200   0.001  0.32   0.950  0.96    0.918  0.66  0.953  0.76   33
//! close      50     200   0.001  0.32   0.951  0.58    0.941  0.45  0.953  0.47   77
//! weak       10      50   0.726  1.01   0.954  1.44    0.883  1.08  0.955  1.46   10
//! weak       20     100   0.508  0.70   0.950  0.96    0.919  0.81  0.952  0.93   21
//! weak       50     200   0.211  0.50   0.951  0.58    0.940  0.53  0.953  0.56   54
//! rare       20     100   0.932  0.28   0.829  0.63    0.795  0.35  0.828  0.40   58
//! rare       50     200   0.876  0.20   0.918  0.40    0.886  0.26  0.901  0.27  120
//! ```
//!
//! The last two rows are a limit that no formula here lifts: where people see a difference in 15 % of the samples, and
//! lopsidedly, 20 labels hold too few of them, and every interval is too sure, that of the labels alone included.
//!
//! So [`PredictionPowered::interval`] differs from the paper's in three places, each of which widens it: variances over
//! `n − 1` (`n − 2` for the residuals, which λ was fitted to), the variance of λ̂ itself (Cochran 1977, *Sampling
//! Techniques*, §12.7, the regression estimator in double sampling), and t with `n − 2` degrees of freedom.

use crate::agreement::Labelled;
use crate::describe::{Deviations, all_finite, finite, is_constant, mean, sd};
use crate::distribution::{normal_quantile, t_upper_quantile};
use crate::interval::{Interval, IntervalMethod, tail_of};
use crate::undefined::Undefined;

/// Fewest labels with which the judge is used: λ fitted to fewer is noise.
const FEWEST_TO_TUNE: usize = 5;

/// Source of λ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tuning {
    /// Estimated, and clamped to 0..=1.
    Tuned,
    /// 0: judge and human scores don't rise together, so the judge only adds noise.
    Unrelated,
    /// 0: the judge gave one score to every labelled sample, or one to all.
    ConstantJudge,
    /// 0: the humans gave one score to all labelled samples; the interval is a point, flagged `degenerate`.
    ConstantHuman,
    /// 0: fewer than five labels, too few to estimate the judge's value.
    FewLabels,
    /// 0: fewer than two samples have a judge score only.
    NoUnlabelled,
}

/// A mean by prediction-powered inference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PredictionPowered {
    /// The estimated mean of the human scores, in their unit.
    pub estimate: f64,
    /// Weight of the judge, in 0..=1; at 0 only the human labels count.
    pub lambda: f64,
    /// Source of λ.
    pub tuning: Tuning,
    /// Standard error with the small-sample terms, which [`interval`](Self::interval) uses.
    pub standard_error: f64,
    /// Student's t interval with [`df`](Self::df) degrees of freedom: the one to decide by.
    pub interval: Interval,
    /// `n − 2` with a tuned λ, `n − 1` without the judge.
    pub df: usize,
    /// Lower and upper bound of the paper's normal interval, too narrow below some 50 labels.
    pub asymptotic: (f64, f64),
    /// Samples with both scores, `n`.
    pub labelled: usize,
    /// Samples with a judge score only, `N`.
    pub unlabelled: usize,
    /// Labels that would be needed for the same standard error without the judge, `s²_Y / SE²`: below `n` when the judge
    /// costs more than it brings. `None` without spread.
    pub effective_n: Option<f64>,
}

/// Splits columns over the same samples into labelled pairs and unlabelled judge scores, in sample order.
///
/// Position *i* of both slices is the same sample; a shorter slice is padded with missing scores. A sample that only
/// people scored is in neither set, since its judge score is unknown.
pub fn split_by_label(human: &[Option<f64>], judge: &[Option<f64>]) -> (Vec<Labelled>, Vec<f64>) {
    let label = |i: usize| human.get(i).copied().flatten();
    let judged = || judge.iter().enumerate().filter_map(|(i, j)| Some((i, (*j)?)));
    let labelled = judged().filter_map(|(i, judge)| Some(Labelled { human: label(i)?, judge }));
    let unlabelled = judged().filter(|(i, _)| label(*i).is_none()).map(|(_, judge)| judge);
    (labelled.collect(), unlabelled.collect())
}

/// The mean human score of all samples by PPI++ (Angelopoulos, Duchi & Zrnic 2023, "PPI++: Efficient prediction-powered
/// inference", §2 and example 6.1), with the power-tuned λ. `labelled` and `unlabelled` are disjoint samples (see the head of this
/// file; [`split_by_label`]). For a comparison, both hold paired differences: human difference and judge difference.
///
/// With `n` labelled pairs `(Y, F)` and `N` unlabelled judge scores `U`:
///
/// `θ̂ = λ Ū + mean(Y − λF)`, `λ = clip( cov(Y, F) / ((1 + n/N) s²(F ∪ U)), 0, 1 )`,
///
/// the covariance over `n`, the variance over `n + N − 1`, and the clip of the authors' package `ppi-python`. Its
/// interval, `θ̂ ± z sqrt( λ² s²_U/N + s²_{Y−λF}/n )` with variances over `N` and `n`, is [`PredictionPowered::asymptotic`].
/// The one to decide by is `θ̂ ± t_{n−2} SE` with
///
/// `SE² = λ² s²_U/N + σ²/n + σ² (F̄ − Ū)² / ((1 + n/N)² Σ(F − F̄)²)`, `σ² = Σ(e − ē)²/(n − 2)`, `e = Y − λF`.
///
/// Where λ is 0 (see [`Tuning`]), it is Student's interval of the labels alone, and constant labels give their point.
///
/// [`Undefined::TooFew`] below two labels; [`Undefined::NotFinite`], [`Undefined::Level`].
pub fn ppi_mean(labelled: &[Labelled], unlabelled: &[f64], level: f64) -> Result<PredictionPowered, Undefined> {
    let tail = tail_of(level).ok_or(Undefined::Level)?;
    let data = LabelledData::new(labelled, unlabelled)?;
    let (lambda, tuning) = data.tuned().ok_or(Undefined::NotFinite)?;
    data.fit(lambda, tuning).and_then(|fit| fit.answer(level, tail)).ok_or(Undefined::NotFinite)
}

/// Labelled pairs as two columns, and the unlabelled judge scores.
struct LabelledData<'a> {
    human: Vec<f64>,
    judge: Vec<f64>,
    unlabelled: &'a [f64],
}

impl<'a> LabelledData<'a> {
    fn new(labelled: &[Labelled], unlabelled: &'a [f64]) -> Result<Self, Undefined> {
        let (human, judge): (Vec<f64>, Vec<f64>) = labelled.iter().map(|l| (l.human, l.judge)).unzip();
        if ![&human, &judge, unlabelled].into_iter().all(all_finite) {
            Err(Undefined::NotFinite)
        } else if labelled.len() < 2 {
            Err(Undefined::TooFew)
        } else {
            Ok(Self { human, judge, unlabelled })
        }
    }

    /// `1 + n/N`, the divisor of λ for the unlabelled samples' own scatter.
    fn discount(&self) -> f64 {
        1.0 + self.human.len() as f64 / self.unlabelled.len() as f64
    }

    /// Returns λ and its source.
    fn tuned(&self) -> Option<(f64, Tuning)> {
        let alone = if is_constant(&self.human) {
            Tuning::ConstantHuman
        } else if self.unlabelled.len() < 2 {
            Tuning::NoUnlabelled
        } else if is_constant(&self.judge) {
            Tuning::ConstantJudge
        } else if self.human.len() < FEWEST_TO_TUNE {
            Tuning::FewLabels
        } else {
            let lambda = self.optimal()?.clamp(0.0, 1.0);
            return Some(if lambda > 0.0 { (lambda, Tuning::Tuned) } else { (0.0, Tuning::Unrelated) });
        };
        Some((0.0, alone))
    }

    /// λ before the clip.
    fn optimal(&self) -> Option<f64> {
        let (human, judge) = Deviations::new(&self.human).zip(Deviations::new(&self.judge))?;
        let n = self.human.len() as f64;
        let covariance = human.scaled.iter().zip(&judge.scaled).map(|(y, f)| y * f).sum::<f64>() / n;
        let spread = sd(&[&self.judge, self.unlabelled].concat())?;
        finite(covariance * (human.scale / spread) * (judge.scale / spread) / self.discount())
    }

    fn fit(&self, lambda: f64, tuning: Tuning) -> Option<PpiFit<'_>> {
        let residual = |(y, f): (&f64, &f64)| if lambda > 0.0 { y - lambda * f } else { *y };
        let residuals: Vec<f64> = self.human.iter().zip(&self.judge).map(residual).collect();
        let centre = mean(&residuals)?;
        let estimate = if lambda > 0.0 { finite(centre + lambda * mean(self.unlabelled)?)? } else { centre };
        Some(PpiFit { data: self, lambda, tuning, estimate, residual_sd: sd(&residuals)? })
    }
}

/// The estimate at one λ, and the parts of its variance.
struct PpiFit<'a> {
    data: &'a LabelledData<'a>,
    lambda: f64,
    tuning: Tuning,
    estimate: f64,
    /// Standard deviation over `n − 1`.
    residual_sd: f64,
}

impl PpiFit<'_> {
    fn answer(&self, level: f64, tail: f64) -> Option<PredictionPowered> {
        let (n, unlabelled) = (self.data.human.len(), self.data.unlabelled.len());
        let df = if self.lambda > 0.0 { n - 2 } else { n - 1 };
        let (error, asymptotic) = (finite(self.standard_error(df as f64)?)?, self.asymptotic_error()?);
        let spread = sd(&self.data.human)?;
        let around = |reach: f64| (self.estimate - reach, self.estimate + reach);
        let no_spread = is_constant(&self.data.human) || error <= 1e-12 * spread;
        let interval = if no_spread {
            Interval::point(self.estimate, level, IntervalMethod::T)
        } else {
            Interval::new(around(t_upper_quantile(tail, df as f64) * error), level, IntervalMethod::T)?
        };
        let (low, high) = around(-normal_quantile(tail) * asymptotic);
        Some(PredictionPowered {
            estimate: self.estimate,
            lambda: self.lambda,
            tuning: self.tuning,
            standard_error: if no_spread { 0.0 } else { error },
            interval,
            df,
            asymptotic: (finite(low)?, finite(high)?),
            labelled: n,
            unlabelled,
            effective_n: if no_spread { None } else { finite((spread / error).powi(2)) },
        })
    }

    /// The small-sample standard error.
    fn standard_error(&self, df: f64) -> Option<f64> {
        let n = self.data.human.len() as f64;
        let sigma = self.residual_sd * ((n - 1.0) / df).sqrt();
        let of_labels = sigma / n.sqrt();
        if self.lambda == 0.0 {
            return Some(of_labels);
        }
        let (judge, rest) = (&self.data.judge, self.data.unlabelled);
        let of_rest = self.lambda * sd(rest)? / (rest.len() as f64).sqrt();
        let of_lambda = sigma / (self.data.discount() * sd(judge)? * (n - 1.0).sqrt()) * (mean(judge)? - mean(rest)?);
        Some(of_labels.hypot(of_rest).hypot(of_lambda))
    }

    /// The paper's standard error.
    fn asymptotic_error(&self) -> Option<f64> {
        let n = self.data.human.len() as f64;
        let of_labels = self.residual_sd * (n - 1.0).sqrt() / n;
        if self.lambda == 0.0 {
            return Some(of_labels);
        }
        let rest = self.data.unlabelled.len() as f64;
        Some(of_labels.hypot(self.lambda * sd(self.data.unlabelled)? * (rest - 1.0).sqrt() / rest))
    }
}
