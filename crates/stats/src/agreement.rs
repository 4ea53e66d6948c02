//! Agreement of raters: judges with each other, and a judge with people.
//!
//! An undefined coefficient is an [`Undefined`] error with the reason, never 0, 1 or NaN.

use crate::bootstrap::bootstrap_replicates;
use crate::bounds::{Statistic, acceleration, replicate_interval};
use crate::describe::{Deviations, all_finite, finite, is_constant, mean, sorted};
use crate::interval::{Interval, IntervalMethod, Resampling, mean_interval, tail_of};
use crate::undefined::Undefined;

/// Share of undefined resamples above which [`alpha_interval`] gives no interval.
const TOO_MANY_UNDEFINED: f64 = 0.05;

/// Krippendorff's α and what it was computed from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Alpha {
    /// 1 for perfect agreement, 0 for chance agreement, negative for less.
    pub value: f64,
    /// Units with two ratings or more; only these count.
    pub units: usize,
    /// Ratings in those units.
    pub ratings: usize,
}

/// [`Alpha`] with its bootstrap interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AlphaInterval {
    /// α of the ratings themselves.
    pub alpha: Alpha,
    /// The interval; `None` for one unit, no resamples, or more than one undefined resample in twenty.
    pub interval: Option<Interval>,
    /// Resamples that were drawn.
    pub resamples: u32,
    /// Resamples without an α, because all their ratings are equal.
    pub undefined: u32,
}

/// One item scored by a human and by a judge, or two such differences.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Labelled {
    /// Human's score, the gold label.
    pub human: f64,
    /// Judge's score, the prediction.
    pub judge: f64,
}

/// By how much a judge scores above the humans.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bias {
    /// Mean of judge − human, in score points; positive for a lenient judge.
    pub estimate: f64,
    /// Interval of the estimate; `None` for one pair.
    pub interval: Option<Interval>,
    pub n: usize,
}

/// Krippendorff's α with the **ordinal** distance (Krippendorff 2011, "Computing Krippendorff's alpha-reliability").
///
/// A row is a unit (sample), a column a rater, `None` a missing rating; rows may differ in length. With `n_g` the number
/// of ratings `g` in units that have at least two, and `m_u` the ratings of unit `u`,
///
/// `δ²(c, k) = ( Σ_{g=c..k} n_g − (n_c + n_k)/2 )²`,
/// `D_o = 1/n Σ_u 1/(m_u − 1) Σ_{i≠j} δ²(x_ui, x_uj)`, `D_e = 1/(n(n − 1)) Σ_{c≠k} n_c n_k δ²(c, k)`,
/// `α = 1 − D_o / D_e`.
///
/// Since `δ` is the distance between mid-ranks, both sums are taken as squared deviations of mid-ranks. Any numbers can
/// be ratings (means of repeats are not whole); only their order counts, and two that differ by rounding (1e-12 of the
/// largest) are one. The order of rows and of columns doesn't matter.
///
/// [`Undefined::TooFew`]: no unit has two ratings. [`Undefined::NoVariance`]: all ratings that can be paired are equal,
/// so that agreement is complete and shows nothing. One constant rater beside one that varies has an α, rarely above 0.
pub fn krippendorff_alpha_ordinal<R: AsRef<[Option<f64>]>>(ratings: &[R]) -> Result<Alpha, Undefined> {
    Coded::new(ratings)?.alpha()
}

/// α by [`krippendorff_alpha_ordinal`] with a bootstrap interval over **units**: ratings of a sample belong together.
///
/// `r.method` is read as for any statistic ([`replicate_interval`]); the bootstrap resamples the units that have two
/// ratings. Percentile methods suit α, whose distribution is skewed and ends at 1: their bounds are values that α can
/// take, and follow any monotone rescaling of it. The default widens their tails for few units.
///
/// A resample that drew one value only has no α. It is counted and left out; because what is left out isn't random,
/// there is no interval at all when it is more than one in twenty. An α of 1 gives the point, flagged `degenerate`:
/// no resample can disagree, which doesn't mean that the raters never will.
///
/// Two raters on Likert scores, true α 0.64 and 0.41, at 10 / 20 / 50 units: the default covers 0.97 / 0.96 / 0.95, the
/// plain percentile interval 0.93 / 0.94 / 0.94, BCa 0.92 / 0.93 / 0.94 (`stats-tests/examples/judge_coverage.rs`, 10,000 data sets).
/// At 20 units and 0.64 the default is 0.63 wide: decide by the interval.
///
/// [`replicate_interval`]: crate::replicate_interval
pub fn alpha_interval<R: AsRef<[Option<f64>]>>(ratings: &[R], r: &Resampling) -> Result<AlphaInterval, Undefined> {
    let alone: Vec<&[R]> = ratings.iter().map(std::slice::from_ref).collect();
    alpha_interval_clustered(&alone, r)
}

/// α by [`krippendorff_alpha_ordinal`] over the units of all clusters, with a bootstrap interval over **clusters**: the
/// answers of several variants to one sample, or several questions about one answer, are not independent, so the
/// sample is drawn with all its units (Field & Welsh 2007, "Bootstrapping clustered data", the cluster bootstrap).
///
/// Otherwise it is [`alpha_interval`], which has clusters of one unit each. The widening for few units counts the
/// clusters that have a unit with two ratings; one such cluster gives no interval.
pub fn alpha_interval_clustered<C, R>(clusters: &[C], r: &Resampling) -> Result<AlphaInterval, Undefined>
where
    C: AsRef<[R]>,
    R: AsRef<[Option<f64>]>,
{
    let units = |cluster: &C| cluster.as_ref().iter().map(|row| (0, row.as_ref().to_vec())).collect();
    alpha_interval_stratified(&clusters.iter().map(units).collect::<Vec<Vec<(usize, Vec<Option<f64>>)>>>(), r)
}

/// [`alpha_interval_clustered`] of units that ask different things: each comes with its **stratum** (the question, a
/// small number), and ratings are compared with those of their own stratum only. With `D_o,g` and `D_e,g` of stratum
/// `g`, their distances taken between mid-ranks within the stratum as a share of its `n_g` ratings,
///
/// `α = 1 − Σ_g n_g D_o,g / Σ_g n_g D_e,g`.
///
/// Pooled without strata, questions whose levels differ (everybody gives 5 to the one and 2 to the other) make chance
/// agreement look small and α large, though nobody agrees on either. A stratum of one value only adds nothing. With one
/// stratum it is Krippendorff's α.
pub fn alpha_interval_stratified<C, R>(clusters: &[C], r: &Resampling) -> Result<AlphaInterval, Undefined>
where
    C: AsRef<[(usize, R)]>,
    R: AsRef<[Option<f64>]>,
{
    tail_of(r.level).ok_or(Undefined::Level)?;
    let units = || clusters.iter().flat_map(|cluster| cluster.as_ref());
    let rows: Vec<&[Option<f64>]> = units().map(|(_, row)| row.as_ref()).collect();
    let mut strata: Vec<usize> =
        units().filter(|(_, row)| is_paired(row.as_ref())).map(|(stratum, _)| *stratum).collect();
    renumber(&mut strata);
    let sizes = clusters.iter().map(|c| c.as_ref().iter().filter(|(_, row)| is_paired(row.as_ref())).count());
    let clustered = Clustered::new(Coded::in_order(&rows)?.with_strata(strata), sizes);
    let alpha = clustered.coded.alpha()?;
    let drawn = bootstrap_replicates(clustered.members.len(), r, |clusters| {
        clustered.alpha_of(clusters.iter().map(|&c| c as usize)).unwrap_or(f64::NAN)
    });
    let defined: Vec<f64> = drawn.iter().copied().filter(|a| !a.is_nan()).collect();
    let undefined = drawn.len() - defined.len();
    let n = clustered.members.len();
    let statistic = Statistic { estimate: alpha.value, n, acceleration: clustered.acceleration(r.method) };
    let interval = replicate_interval(&defined, &statistic, r.level, r.method)
        .filter(|_| undefined as f64 <= TOO_MANY_UNDEFINED * drawn.len() as f64)
        .map(|i| Interval { high: i.high.min(1.0), ..i });
    Ok(AlphaInterval { alpha, interval, resamples: drawn.len() as u32, undefined: undefined as u32 })
}

/// Cohen's κ with quadratic weights (Cohen 1968, "Weighted kappa"): `κ_w = 1 − Σ w p_o / Σ w p_e`, `w = (a − b)²`.
///
/// Written without categories, `1 − mean (a − b)² / ( s²_a + s²_b + (ā − b̄)² )` with the variances over `n`, which is the
/// same number on whole scores and defined on means of repeats too; there it is Lin's concordance correlation (1989;
/// King & Chinchilli 2001 show the identity). Symmetric in the two raters, in −1..=1.
///
/// [`Undefined::TooFew`] below two pairs. [`Undefined::NoVariance`] if either rater gave one value only: κ is then 0 by
/// arithmetic whatever the other did (what scikit-learn returns, or NaN for two equal constants), hence no measurement.
pub fn weighted_kappa_quadratic(pairs: &[(f64, f64)]) -> Result<f64, Undefined> {
    let (a, b) = varying_columns(pairs)?;
    let together = Deviations::new(&[a, b].concat()).ok_or(Undefined::NotFinite)?.scaled;
    let (a, b) = together.split_at(pairs.len());
    let apart: f64 = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum();
    // about the common mean, n(s²_a + s²_b + (ā − b̄)²) = Σa² + Σb² − 2nāb̄
    let squares: f64 = together.iter().map(|x| x * x).sum();
    let (sum_a, sum_b): (f64, f64) = (a.iter().sum(), b.iter().sum());
    let by_chance = squares - 2.0 * sum_a * sum_b / pairs.len() as f64;
    let kappa = finite(1.0 - apart / by_chance).ok_or(Undefined::NotFinite)?;
    Ok(kappa.clamp(-1.0, 1.0))
}

/// Pearson's correlation `r = Σ (a − ā)(b − b̄) / sqrt( Σ (a − ā)² Σ (b − b̄)² )` (Pearson 1895), in −1..=1. It doesn't see a
/// judge that is too lenient by the same amount everywhere; κ and [`signed_bias`] do.
///
/// [`Undefined::TooFew`] below two pairs, [`Undefined::NoVariance`] if either column holds one value only.
pub fn pearson(pairs: &[(f64, f64)]) -> Result<f64, Undefined> {
    let (a, b) = varying_columns(pairs)?;
    let (a, b) = Deviations::new(&a).zip(Deviations::new(&b)).ok_or(Undefined::NotFinite)?;
    let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
    let (a, b) = (a.scaled, b.scaled);
    let r = finite(dot(&a, &b) / (dot(&a, &a) * dot(&b, &b)).sqrt()).ok_or(Undefined::NotFinite)?;
    Ok(r.clamp(-1.0, 1.0))
}

/// Mean of `|a − b|`, in the unit of the scores. `None` for no pairs, or if a value is not finite or the sum overflows.
pub fn mean_absolute_difference(pairs: &[(f64, f64)]) -> Option<f64> {
    let apart: Vec<f64> = pairs.iter().map(|(a, b)| (a - b).abs()).collect();
    mean(&apart)
}

/// Mean of judge − human with [`mean_interval`] over the pairs: above 0, the judge is lenient.
///
/// `None` for no pairs, or if a value is not finite or the sum overflows.
pub fn signed_bias(pairs: &[Labelled], r: &Resampling) -> Option<Bias> {
    let above: Vec<f64> = pairs.iter().map(|p| p.judge - p.human).collect();
    Some(Bias { estimate: mean(&above)?, interval: mean_interval(&above, r), n: pairs.len() })
}

/// Splits pairs into two columns; an error unless both are finite, not constant, and have two values or more.
fn varying_columns(pairs: &[(f64, f64)]) -> Result<(Vec<f64>, Vec<f64>), Undefined> {
    let (a, b): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
    if pairs.len() < 2 {
        Err(Undefined::TooFew)
    } else if !all_finite(&a) || !all_finite(&b) {
        Err(Undefined::NotFinite)
    } else if is_constant(&a) || is_constant(&b) {
        Err(Undefined::NoVariance)
    } else {
        Ok((a, b))
    }
}

/// Ratings as categories 0, 1, … in ascending order: an ordinal coefficient sees nothing else.
struct Coded {
    /// Units with two ratings or more, with their strata.
    units: Vec<(usize, Vec<usize>)>,
    categories: usize,
    strata: usize,
}

/// Renumbers strata as 0, 1, …, in ascending order.
fn renumber(strata: &mut [usize]) {
    let mut distinct: Vec<usize> = strata.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    strata.iter_mut().for_each(|stratum| *stratum = distinct.partition_point(|other| other < stratum));
}

impl Coded {
    fn new<R: AsRef<[Option<f64>]>>(ratings: &[R]) -> Result<Self, Undefined> {
        let mut coded = Self::in_order(ratings)?;
        coded.units.sort_unstable();
        Ok(coded)
    }

    /// Codes the units without sorting them.
    fn in_order<R: AsRef<[Option<f64>]>>(ratings: &[R]) -> Result<Self, Undefined> {
        let given = |row: &R| -> Vec<f64> { row.as_ref().iter().copied().flatten().collect() };
        let rows: Vec<Vec<f64>> = ratings.iter().map(given).collect();
        if !rows.iter().all(|row| all_finite(row)) {
            return Err(Undefined::NotFinite);
        }
        let paired: Vec<Vec<f64>> = rows.into_iter().filter(|row| row.len() > 1).collect();
        let starts = category_starts(paired.concat());
        let code = |row: &Vec<f64>| {
            let mut codes: Vec<usize> = row.iter().map(|x| starts.partition_point(|s| s <= x) - 1).collect();
            codes.sort_unstable();
            codes
        };
        let units = paired.iter().map(|row| (0, code(row))).collect();
        Ok(Self { units, categories: starts.len(), strata: 1 })
    }

    fn with_strata(mut self, strata: Vec<usize>) -> Self {
        self.strata = strata.iter().max().map_or(1, |last| last + 1);
        self.units.iter_mut().zip(strata).for_each(|(unit, stratum)| unit.0 = stratum);
        self
    }

    fn alpha(&self) -> Result<Alpha, Undefined> {
        if self.units.is_empty() {
            return Err(Undefined::TooFew);
        }
        let value = self.alpha_of(0..self.units.len()).ok_or(Undefined::NoVariance)?;
        let ratings = self.units.iter().map(|(_, unit)| unit.len()).sum();
        Ok(Alpha { value, units: self.units.len(), ratings })
    }

    /// α of some of the units, some of them more than once; `None` if no stratum holds two values.
    fn alpha_of(&self, drawn: impl Iterator<Item = usize> + Clone) -> Option<f64> {
        let units = drawn.map(|u| &self.units[u]);
        let mut counts = vec![0.0; self.strata * self.categories];
        units.clone().for_each(|(stratum, unit)| {
            unit.iter().for_each(|&c| counts[stratum * self.categories + c] += 1.0);
        });
        // ranks as shares of their stratum, so that strata of different sizes are on one scale
        let (mut ranks, mut expected) = (Vec::with_capacity(counts.len()), 0.0);
        for counts in counts.chunks_exact(self.categories.max(1)) {
            let n: f64 = counts.iter().sum();
            let within: Vec<f64> = centred_mid_ranks(counts).into_iter().map(|rank| rank / n.max(1.0)).collect();
            let squares: f64 = counts.iter().zip(&within).map(|(n, r)| n * r * r).sum();
            expected += if n > 1.0 { squares * (n / (n - 1.0)) } else { 0.0 };
            ranks.extend(within);
        }
        let ranks_of = |stratum: usize| &ranks[stratum * self.categories..][..self.categories];
        let observed: f64 = units.map(|(stratum, unit)| disagreement(unit, ranks_of(*stratum))).sum();
        (expected > 0.0).then(|| 1.0 - observed / expected)
    }
}

fn is_paired(row: &[Option<f64>]) -> bool {
    row.iter().flatten().count() > 1
}

/// Coded units, grouped by the clusters that are drawn.
struct Clustered {
    coded: Coded,
    /// Units of each non-empty cluster.
    members: Vec<std::ops::Range<usize>>,
}

impl Clustered {
    /// `sizes` has the number of units per cluster, in the order of `coded`. Clusters and units are sorted, so that
    /// their order doesn't matter.
    fn new(coded: Coded, sizes: impl Iterator<Item = usize>) -> Self {
        let Coded { units, categories, strata } = coded;
        let mut rest = units.into_iter();
        let mut clusters: Vec<Vec<(usize, Vec<usize>)>> =
            sizes.map(|size| rest.by_ref().take(size).collect()).collect();
        clusters.retain(|cluster| !cluster.is_empty());
        clusters.iter_mut().for_each(|cluster| cluster.sort_unstable());
        clusters.sort_unstable();
        let mut end = 0;
        let range = |cluster: &Vec<(usize, Vec<usize>)>| {
            let start = end;
            end += cluster.len();
            start..end
        };
        let members = clusters.iter().map(range).collect();
        Self { coded: Coded { units: clusters.concat(), categories, strata }, members }
    }

    fn alpha_of(&self, drawn: impl Iterator<Item = usize> + Clone) -> Option<f64> {
        self.coded.alpha_of(drawn.flat_map(|cluster| self.members[cluster].clone()))
    }

    /// Computes the acceleration from α without each cluster; 0 (no correction) where one of those is undefined.
    fn acceleration(&self, method: IntervalMethod) -> f64 {
        if method != IntervalMethod::Bca {
            return 0.0;
        }
        let all = 0..self.members.len();
        let without = |left_out| self.alpha_of(all.clone().filter(move |&cluster| cluster != left_out));
        let jackknife: Option<Vec<f64>> = all.clone().map(without).collect();
        jackknife.and_then(|values| acceleration(&values)).unwrap_or(0.0)
    }
}

/// Returns the smallest value of each category, ascending.
fn category_starts(values: Vec<f64>) -> Vec<f64> {
    let ascending = sorted(values);
    let largest = ascending.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let equal = |a: &f64, b: &f64| b - a <= 1e-12 * largest;
    ascending.chunk_by(equal).map(|category| category[0]).collect()
}

/// Returns the mid-rank of each category minus the mean mid-rank, so that squares of large ranks don't cancel.
fn centred_mid_ranks(counts: &[f64]) -> Vec<f64> {
    let half: f64 = counts.iter().sum::<f64>() / 2.0;
    let mut below = 0.0;
    let rank = |n: &f64| {
        let middle = below + n / 2.0 - half;
        below += n;
        middle
    };
    counts.iter().map(rank).collect()
}

/// `1/(m − 1) Σ_{i<j} (R_i − R_j)² = m/(m − 1) Σ (R_i − R̄)²` of one unit.
fn disagreement(unit: &[usize], ranks: &[f64]) -> f64 {
    let m = unit.len() as f64;
    let centre = unit.iter().map(|&c| ranks[c]).sum::<f64>() / m;
    let squares: f64 = unit.iter().map(|&c| (ranks[c] - centre) * (ranks[c] - centre)).sum();
    squares * m / (m - 1.0)
}
