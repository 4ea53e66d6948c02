//! Held-out samples (`--holdout`): does what was gained on the samples that somebody tuned on carry over to others?
//!
//! A sample's part follows from the split's seed and its id, and from nothing else: samples that are added, removed or
//! edited move no other one across, and a larger share holds out what a smaller one did and more.

use eval_spec::hash::sha256_hex;
use eval_spec::suite::Settings;
use eval_spec::{Message, msg};
use eval_stats::{Resampling, welch_interval};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::contract::{Ci, Holdout, HoldoutComparison, HoldoutMeans, PartMean};
use crate::grid::Grid;
use crate::numbers::snap;
use crate::summary::{average, count, interval_beside};
use crate::verdict::{TreatmentInputs, bound, signed};

/// The seed of the split where none is given. The default seed of a run follows from its test set: with it, every edit
/// of a sample would deal all of them anew, and what was tuned on yesterday would be held out today.
const SEED: u64 = 0;

/// Which samples are held out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Split {
    share: f64,
    seed: u64,
}

impl Split {
    /// The split of a run; `None` when nothing is held out.
    pub(crate) fn of(settings: &Settings) -> Option<Split> {
        let share = settings.holdout?;
        Some(Split { share, seed: settings.seed.unwrap_or(SEED) })
    }

    /// Whether the sample of this id is held out: whether its hash, read as a number from 0 to 1, is below the share.
    pub(crate) fn holds_out(&self, sample_id: &str) -> bool {
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
    let held_out: Vec<bool> = grid.suite.samples.iter().map(|sample| split.holds_out(&sample.id)).collect();
    let parts = |column: &[Option<f64>]| {
        let part = |wanted: bool| {
            let values = column.iter().zip(&held_out).filter(|(_, held)| **held == wanted).map(|(value, _)| *value);
            values.flatten().collect::<Vec<f64>>()
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
        gap_ci: gap.map(|interval| Ci::of(&interval, 1)),
        why: gap.is_none().then(|| few(&parts).into()),
    }
}

fn few([train, held_out]: &[PartMean; 2]) -> Message {
    msg!("report-holdout-few", train = train.n, holdout = held_out.n)
}

fn part_mean(values: &[f64], resampling: &Resampling) -> PartMean {
    PartMean { n: count(values.len()), mean: average(values), ci: interval_beside(values, resampling) }
}

/// What the verdict reads of the held-out samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HoldoutInputs {
    /// The difference over the samples to tune on.
    pub train: PartInputs,
    /// The difference over those held out.
    pub held_out: PartInputs,
    /// Train − held out; `null` where a part has fewer than two pairs.
    pub gap: Option<GapInputs>,
}

/// The difference over one part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PartInputs {
    /// Pairs.
    pub n: u64,
    /// The mean difference.
    pub mean: Option<f64>,
    /// The interval's lower bound.
    pub low: Option<f64>,
}

/// How much smaller the difference is on the held-out samples.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GapInputs {
    /// By how many points.
    pub mean: f64,
    /// The interval's lower bound.
    pub low: f64,
    /// The interval's upper bound.
    pub high: f64,
    /// Whether no difference varies within a part, so that the interval is a point and shows nothing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub degenerate: bool,
}

/// What the verdict reads of a comparison.
pub(crate) fn inputs(of: &HoldoutComparison) -> HoldoutInputs {
    let part = |part: &PartMean| PartInputs { n: part.n, mean: part.mean, low: part.ci.map(|ci| ci.low) };
    let gap = of.gap.zip(of.gap_ci).map(|(mean, ci)| GapInputs {
        mean,
        low: ci.low,
        high: ci.high,
        degenerate: ci.degenerate,
    });
    HoldoutInputs { train: part(&of.train), held_out: part(&of.held_out), gap }
}

/// What forbids to call a gain progress: it is smaller on the held-out samples than chance explains, or not there at
/// all. A part with fewer than two pairs says nothing: whoever asked for a holdout must know that it wasn't measured.
pub(crate) fn doubts(treatment: &TreatmentInputs) -> Vec<Message> {
    let Some(HoldoutInputs { train, held_out, gap }) = &treatment.holdout else { return Vec::new() };
    let Some(gap) = gap else {
        return vec![msg!("report-doubt-holdout-few", train = train.n, holdout = held_out.n)];
    };
    let (Some(on_train), Some(on_others)) = (train.mean, held_out.mean) else { return Vec::new() };
    let is_lost = on_others <= 0.0 && train.low.is_some_and(|low| low > 0.0);
    let lost = is_lost
        .then(|| msg!("report-doubt-holdout", train = signed(on_train), holdout = signed(on_others), n = held_out.n));
    let shrinks = (gap.low > 0.0 && !gap.degenerate)
        .then(|| msg!("report-doubt-gap", gap = signed(gap.mean), low = bound(gap.low), high = bound(gap.high)));
    lost.into_iter().chain(shrinks).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_larger_share_holds_out_what_a_smaller_one_did() {
        let split = |share| Split { share, seed: 3 };
        let ids: Vec<String> = (0..4000).map(|i| format!("s{i}")).collect();
        let held = |share| ids.iter().filter(|id| split(share).holds_out(id)).count();
        assert!(ids.iter().all(|id| !split(0.2).holds_out(id) || split(0.4).holds_out(id)));
        // within 4 standard deviations of the binomial
        assert!(held(0.2).abs_diff(800) < 102 && held(0.4).abs_diff(1600) < 124, "{} {}", held(0.2), held(0.4));
    }

    #[test]
    fn the_split_is_the_same_today_and_tomorrow() {
        let split = Split { share: 0.5, seed: 0 };
        let held: String = (0..24).map(|i| if split.holds_out(&format!("s{i:03}")) { '1' } else { '0' }).collect();
        assert_eq!(held, "011011001101011011100101");
    }
}
