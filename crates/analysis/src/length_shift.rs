//! The effect of the instruction that length is no quality on judges' scores: the same answers, judged with and without
//! it. Samples that are meant to fail are left out, as they are of every mean.

use eval_format::{Ci, ReportError};
use eval_spec::{Check, Grade, Suite};
use eval_stats::{Interval, Resampling, mean, mean_interval, simultaneous_mean_intervals};
use serde::Serialize;

use crate::cells::Cells;
use crate::grid::CellIndex;
use crate::intervals::{ci as ci_of, resampling};

/// The judges' scores with the length text minus those without it, in points of the 1–5 scale.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LengthShift {
    /// Samples with a score both ways.
    pub samples: u64,
    /// Answers that judges scored one way only, or neither.
    pub missing: u64,
    /// Over all variants.
    pub shift: Shift,
    /// Of each variant, in the order of the report.
    pub variants: Vec<VariantShift>,
    /// Of each treatment's difference from the control.
    pub differences: Vec<DifferenceShift>,
}

/// A mean of paired differences over samples.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Shift {
    /// The mean; `null` when there is nothing to compare.
    pub mean: Option<f64>,
    /// Its interval; `null` below two samples. Those of several treatments' differences hold all at once.
    pub ci: Option<Ci>,
    /// Samples in it.
    pub n: u64,
}

/// One variant's mean scores, with and without the length text, and with minus without.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct VariantShift {
    pub variant: String,
    pub with: Option<f64>,
    pub without: Option<f64>,
    pub shift: Shift,
}

/// One treatment's difference from the control, with and without the length text, and with minus without.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct DifferenceShift {
    pub treatment: String,
    pub with: Option<f64>,
    pub without: Option<f64>,
    pub shift: Shift,
}

/// Compares two gradings of the same plan. The unit is the sample: repeats and questions are averaged first.
///
/// # Errors
/// When a record can't be read, or the interval method is none of ours.
pub fn length_shift(suite: &Suite, seed: u64, with: &Cells, without: &Cells) -> Result<LengthShift, ReportError> {
    let resampling = resampling(&suite.settings, seed)?;
    let index = CellIndex::new(suite, with.plan);
    let variants = suite.variants.len();
    let mut missing = 0;
    // By variant, then by sample: the scores with and without.
    let mut scores: Vec<Vec<ScorePair>> = vec![Vec::with_capacity(suite.samples.len()); variants];
    for (sample, written) in suite.samples.iter().enumerate() {
        for (variant, column) in scores.iter_mut().enumerate() {
            if written.tripwire {
                column.push(None);
                continue;
            }
            let mut both = Vec::new();
            for &cell in index.of(sample, variant) {
                match (judged(with, cell)?, judged(without, cell)?) {
                    (JudgedOnce::Scored(with), JudgedOnce::Scored(without)) => both.push((with, without)),
                    (JudgedOnce::NotAsked, JudgedOnce::NotAsked) => {}
                    _ => missing += 1,
                }
            }
            column.push(averages(&both));
        }
    }
    let of = |values: &[f64]| shift(values, mean_interval(values, &resampling), 1);
    let per_sample: Vec<f64> = (0..suite.samples.len())
        .filter_map(|sample| mean(&scores.iter().filter_map(|column| column[sample].map(minus)).collect::<Vec<_>>()))
        .collect();
    Ok(LengthShift {
        samples: per_sample.len() as u64,
        missing,
        shift: of(&per_sample),
        variants: suite
            .variants
            .iter()
            .zip(&scores)
            .map(|(variant, column)| {
                let both: Vec<(f64, f64)> = column.iter().flatten().copied().collect();
                let (with, without): (Vec<f64>, Vec<f64>) = both.iter().copied().unzip();
                let shifts: Vec<f64> = both.into_iter().map(minus).collect();
                VariantShift {
                    variant: variant.name.clone(),
                    with: mean(&with),
                    without: mean(&without),
                    shift: of(&shifts),
                }
            })
            .collect(),
        differences: differences(suite, &scores, &resampling),
    })
}

/// The treatments are one family, so their intervals are simultaneous.
fn differences(suite: &Suite, scores: &[Vec<ScorePair>], resampling: &Resampling) -> Vec<DifferenceShift> {
    let Some((control, treatments)) = scores.split_first() else { return Vec::new() };
    // By treatment, then by sample: treatment minus control, with and without.
    let pair = |(control, treated): (&ScorePair, &ScorePair)| {
        let (control, treated) = ((*control)?, (*treated)?);
        Some((treated.0 - control.0, treated.1 - control.1))
    };
    let both: Vec<Vec<ScorePair>> =
        treatments.iter().map(|column| control.iter().zip(column).map(pair).collect()).collect();
    let shifts: Vec<Vec<Option<f64>>> =
        both.iter().map(|column| column.iter().map(|both| both.map(minus)).collect()).collect();
    let intervals = simultaneous_mean_intervals(&shifts, resampling);
    let family = intervals.iter().flatten().count();
    let of = |(treatment, interval): (usize, Option<Interval>)| {
        let (with, without): (Vec<f64>, Vec<f64>) = both[treatment].iter().copied().flatten().unzip();
        let values: Vec<f64> = shifts[treatment].iter().copied().flatten().collect();
        DifferenceShift {
            treatment: suite.variants[treatment + 1].name.clone(),
            with: mean(&with),
            without: mean(&without),
            shift: shift(&values, interval, u32::try_from(family).unwrap_or(u32::MAX)),
        }
    };
    intervals.into_iter().enumerate().map(of).collect()
}

fn minus((with, without): (f64, f64)) -> f64 {
    with - without
}

fn averages(both: &[(f64, f64)]) -> ScorePair {
    let (with, without): (Vec<f64>, Vec<f64>) = both.iter().copied().unzip();
    Some((mean(&with)?, mean(&without)?))
}

fn shift(values: &[f64], interval: Option<Interval>, family: u32) -> Shift {
    Shift { mean: mean(values), ci: interval.map(|interval| ci_of(&interval, family)), n: values.len() as u64 }
}

/// A score with the length text and one without it, where there are both.
type ScorePair = Option<(f64, f64)>;

enum JudgedOnce {
    NotAsked,
    Missing,
    Scored(f64),
}

/// The mean score of all that judges were asked about one answer.
fn judged(cells: &Cells, cell: usize) -> Result<JudgedOnce, ReportError> {
    let record = (cells.read)(cell).map_err(ReportError::Read)?;
    let Some(Grade { checks }) = record.and_then(|record| record.grade) else { return Ok(JudgedOnce::NotAsked) };
    let judged = checks.iter().flat_map(Check::with_children).filter_map(|check| check.judged.as_ref());
    // A question without opinions was asked by an earlier check, and counts there.
    let asked = judged.filter(|judged| !judged.opinions.is_empty());
    let scores: Vec<Option<f64>> = asked.map(|judged| judged.score).collect();
    Ok(match scores.iter().copied().collect::<Option<Vec<f64>>>() {
        None => JudgedOnce::Missing,
        Some(scores) => mean(&scores).map_or(JudgedOnce::NotAsked, JudgedOnce::Scored),
    })
}
