//! Held-out samples (`--holdout`): does a gain on the samples used for tuning carry over to others?
//!
//! A sample's part depends on the split's seed and its id only (of a cluster, its name): adding, removing or editing
//! other samples moves none, and a larger share holds out a superset.

use eval_format::{GapInputs, Holdout, HoldoutComparison, HoldoutInputs, HoldoutMeans, PartMean, SplitInputs};
use eval_message::{Message, msg};
use eval_spec::hash::sha256_hex;
use eval_spec::suite::Settings;
use eval_stats::{Resampling, welch_interval};

use crate::grid::Grid;
use crate::intervals::{ci as ci_of, interval_beside};
use crate::numbers::{average, count, snap};

/// The default seed of the split. The default seed of a run depends on its test set: with it, every edit of a sample
/// would split all of them anew.
const SEED: u64 = 0;

/// Which samples are held out.
#[derive(Clone, Copy, Debug)]
pub struct Split {
    share: f64,
    seed: u64,
}

impl Split {
    /// The split of a run; `None` when nothing is held out.
    pub fn of(settings: &Settings) -> Option<Split> {
        let share = settings.holdout?;
        Some(Split { share, seed: settings.seed.unwrap_or(SEED) })
    }

    /// Whether the sample of this id, or the cluster of this name, is held out: whether its hash, read as a number from 0 to 1, is below the share.
    pub fn holds_out(&self, sample_id: &str) -> bool {
        let digest = sha256_hex(format!("holdout/{}/{sample_id}", self.seed).as_bytes());
        let leading = u32::from_str_radix(&digest[..8], 16).unwrap_or(u32::MAX);
        f64::from(leading) / (f64::from(u32::MAX) + 1.0) < self.share
    }
}

/// The block; `None` when nothing is held out. `differences` has, for each treatment, one place per sample.
pub(crate) fn holdout(
    grid: &Grid,
    names: &[String],
    differences: &[Vec<Option<f64>>],
    resampling: &Resampling,
) -> Option<Holdout> {
    let split = Split::of(&grid.suite.settings)?;
    // a cluster is held out whole: copies of a sample that was tuned on are none
    let name = |sample| grid.clusters.name(grid.suite, sample);
    let held_out: Vec<bool> = grid.all_samples().map(|sample| split.holds_out(name(sample))).collect();
    let parts = |column: &[Option<f64>]| {
        let part = |wanted: bool| {
            let tasks = grid.clusters.tasks(column).into_iter().zip(&held_out);
            tasks.filter(|(_, held)| **held == wanted).filter_map(|(value, _)| value).collect::<Vec<f64>>()
        };
        [part(false), part(true)]
    };
    let of_variant = |(variant, name): (usize, &String)| {
        let [train, held_out] = parts(&grid.column(variant, |cell| &cell.composite)).map(|v| part_mean(&v, resampling));
        (name.clone(), HoldoutMeans { train, held_out })
    };
    let compared = differences.iter().zip(&names[1..]);
    let compared = compared.map(|(column, treatment)| comparison([&names[0], treatment], &parts(column), resampling));
    let held = count(grid.samples().filter(|&sample| held_out[sample]).count());
    Some(Holdout {
        share: split.share,
        seed: split.seed,
        train: count(grid.samples().count()) - held,
        held_out: held,
        per_variant: names.iter().enumerate().map(of_variant).collect(),
        comparisons: compared.collect(),
    })
}

fn comparison(
    [control, treatment]: [&String; 2],
    [train, held_out]: &[Vec<f64>; 2],
    resampling: &Resampling,
) -> HoldoutComparison {
    let gap = welch_interval(train, held_out, resampling.level);
    let parts = [train, held_out].map(|values| part_mean(values, resampling));
    let mean = parts[0].mean.zip(parts[1].mean).map(|(train, held_out)| snap(train - held_out));
    HoldoutComparison {
        control: control.clone(),
        treatment: treatment.clone(),
        train: parts[0],
        held_out: parts[1],
        gap: mean.filter(|_| gap.is_some()),
        gap_ci: gap.map(|interval| ci_of(&interval, 1)),
        why: gap.is_none().then(|| few(&parts).into()),
    }
}

fn few([train, held_out]: &[PartMean; 2]) -> Message {
    msg!("report-holdout-few", train = train.n, holdout = held_out.n)
}

fn part_mean(values: &[f64], resampling: &Resampling) -> PartMean {
    PartMean { n: count(values.len()), mean: average(values), ci: interval_beside(values, resampling) }
}

/// What the verdict reads of a comparison.
pub(crate) fn inputs(of: &HoldoutComparison) -> HoldoutInputs {
    let part = |part: &PartMean| SplitInputs { n: part.n, mean: part.mean, low: part.ci.map(|ci| ci.low) };
    let gap = of.gap.zip(of.gap_ci).map(|(mean, ci)| GapInputs {
        mean,
        low: ci.low,
        high: ci.high,
        degenerate: ci.degenerate,
    });
    HoldoutInputs { train: part(&of.train), held_out: part(&of.held_out), gap }
}
