//! Samples that cost or take far more than the rest.

use eval_format::Ending;
use eval_message::{Message, msg};
use eval_spec::units::Usd;
use eval_stats::{OUTLIER_DEVIATIONS, Undefined, high_outliers};

use super::found::{Item, SampleFinding};
use crate::grid::Grid;
use crate::intervals::why_undefined;
use crate::numbers::{CellNumbers, snap};

/// The least multiple of the median that is reported: a smaller outlier is not worth attention.
pub(crate) const LEAST_FACTOR: f64 = 3.0;

/// The least delay over the median that is reported, in milliseconds.
const LEAST_DELAY: f64 = 1000.0;

/// Samples far above the others, the highest first.
pub(crate) struct Outliers {
    /// Each by its place, with its value.
    pub(crate) samples: Vec<(usize, f64)>,
    /// The median of all.
    pub(crate) median: f64,
    /// How many were compared.
    pub(crate) compared: usize,
    /// The share of the outliers in the sum of all.
    pub(crate) share: f64,
}

/// Samples by the mean price of their answers.
pub(crate) fn cost_outliers(grid: &Grid) -> Result<Outliers, Message> {
    outliers(grid, |cell| cell.price, || msg!("quality-why-no-cost"))
}

/// Values over [`OUTLIER_DEVIATIONS`] robust deviations above the median on the logarithmic scale, and at least
/// [`LEAST_FACTOR`] times the median. Of each sample the mean over variants of the mean over repeats; one that lacks a
/// variant is not compared, since variants cost unlike.
fn outliers(
    grid: &Grid,
    value: impl Fn(&CellNumbers) -> Option<f64>,
    unknown: impl FnOnce() -> Message,
) -> Result<Outliers, Message> {
    let of_arm = |sample: usize, variant: usize| {
        let answered = |cell: &&CellNumbers| cell.ending == Ending::Answered;
        let is_known = grid.of(sample, variant).filter(answered).all(|cell| value(cell).is_some());
        let value = |cell: &CellNumbers| Some(cell).filter(answered).and_then(&value);
        is_known.then(|| grid.mean(sample, variant, value)).flatten()
    };
    let of_sample = |sample: usize| {
        let arms: Option<Vec<f64>> = (0..grid.suite.variants.len()).map(|variant| of_arm(sample, variant)).collect();
        Some((sample, snap(eval_stats::mean(&arms?)?)))
    };
    let all: Vec<(usize, f64)> = grid.samples().filter_map(of_sample).collect();
    if all.is_empty() {
        return Err(unknown());
    }
    let values: Vec<f64> = all.iter().map(|(_, value)| *value).collect();
    let (positions, median) = match high_outliers(&values, OUTLIER_DEVIATIONS) {
        Ok(found) => (found.positions, found.median),
        // all equal: no outlier
        Err(Undefined::NoVariance) => (Vec::new(), values[0]),
        Err(why) => return Err(why_undefined(why)),
    };
    let far = positions.into_iter().map(|position| all[position]).filter(|(_, value)| *value >= LEAST_FACTOR * median);
    let mut samples: Vec<(usize, f64)> = far.collect();
    samples.sort_by(|a, b| b.1.total_cmp(&a.1));
    let sum: f64 = values.iter().sum();
    let share = if sum > 0.0 { samples.iter().map(|(_, value)| value).sum::<f64>() / sum } else { 0.0 };
    Ok(Outliers { samples, median, compared: all.len(), share })
}

pub(super) fn costs(found: &Result<Outliers, Message>) -> Result<SampleFinding, Message> {
    let found = found.as_ref().map_err(Clone::clone)?;
    let detail = |value: f64, factor: String| msg!("quality-cost", usd = Usd(value).to_string(), factor = factor);
    Ok(SampleFinding::each(items(found, detail), found.compared))
}

pub(super) fn latencies(grid: &Grid) -> Result<SampleFinding, Message> {
    #[expect(clippy::cast_precision_loss, reason = "milliseconds of a call")]
    let latency = |cell: &CellNumbers| cell.latency_ms.map(|ms| ms as f64);
    let mut found = outliers(grid, latency, || msg!("quality-why-no-latency"))?;
    let median = found.median;
    found.samples.retain(|(_, ms)| ms - median >= LEAST_DELAY);
    let detail =
        |ms: f64, factor: String| msg!("quality-latency", seconds = format!("{:.1}", ms / 1000.0), factor = factor);
    Ok(SampleFinding::each(items(&found, detail), found.compared))
}

fn items(found: &Outliers, detail: impl Fn(f64, String) -> Message) -> Vec<Item> {
    let item = |&(sample, value): &(usize, f64)| {
        let factor = value / found.median;
        Item { samples: vec![sample], value: Some(factor), detail: detail(value, format!("{factor:.1}")) }
    };
    found.samples.iter().map(item).collect()
}
