//! Samples that crossed the threshold, and checks that passed on one side only.

use eval_analysis::grouping::label_of;
use eval_analysis::measure::count;
use eval_format::{AssertionDetail, CheckRef};
use serde::Serialize;

use super::columns::{Columns, is_held_out};
use super::same::{CommonSample, SharedSamples, VariantNames};
use super::sides::SlimSample;
use crate::compare::Flips;

/// Samples that crossed the threshold.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Crossed {
    /// The threshold, in points.
    pub threshold: f64,
    /// Samples that reach it in B only.
    pub up: Vec<String>,
    /// Samples that reach it in A only.
    pub down: Vec<String>,
    /// Held-out samples that reach it in B only; they are not named.
    #[serde(skip_serializing_if = "is_none")]
    pub held_out_up: u64,
    /// Held-out samples that reach it in A only.
    #[serde(skip_serializing_if = "is_none")]
    pub held_out_down: u64,
    /// McNemar's exact two-sided p-value over tasks, by the mean of each; `null` without a crossing, and where a run could end
    /// early.
    pub p_value: Option<f64>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn is_none(count: &u64) -> bool {
    *count == 0
}

/// Checks that passed on one side only, those of held-out samples aside. With repeats, a check passes when it does in
/// every run.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FlippedChecks {
    /// Failed in A, pass in B.
    pub newly_passing: Vec<CheckRef>,
    /// Passed in A, fail in B.
    pub newly_failing: Vec<CheckRef>,
}

/// Over the samples with a difference.
pub(super) fn crossed(
    shared: &SharedSamples,
    columns: &Columns,
    (a, b): &VariantNames,
    threshold: f64,
    has_p_value: bool,
) -> Crossed {
    let score = |of: &SlimSample, name: &str| of.variants.get(name)?.composite();
    let scores =
        |((of_a, of_b), diff): (&CommonSample, &Option<f64>)| diff.and_then(|_| score(of_a, a).zip(score(of_b, b)));
    let scores: Vec<Option<(f64, f64)>> = shared.common.iter().zip(&columns.composite).map(scores).collect();
    let crosses = |of_a: f64, of_b: f64| (of_a >= threshold, of_b >= threshold);
    let samples = scores.iter().zip(shared.common).filter_map(|(scores, of)| scores.zip(Some(of)));
    let flips: Flips<&CommonSample> = samples
        .map(|((of_a, of_b), of)| {
            let (in_a, in_b) = crosses(of_a, of_b);
            (in_a, in_b, of)
        })
        .collect();
    let side = |of: fn(&(f64, f64)) -> f64| {
        shared.tasks.tasks(&scores.iter().map(|both| both.as_ref().map(of)).collect::<Vec<_>>())
    };
    let tasks = side(|both| both.0).into_iter().zip(side(|both| both.1));
    let of_tasks: Flips<()> = tasks
        .filter_map(|(of_a, of_b)| {
            let (in_a, in_b) = crosses(of_a?, of_b?);
            Some((in_a, in_b, ()))
        })
        .collect();
    let p_value = (has_p_value && of_tasks.up.len() + of_tasks.down.len() > 0).then(|| of_tasks.mcnemar());
    let ids = |side: Vec<&CommonSample>| {
        let (held_out, named): (Vec<_>, Vec<_>) = side.into_iter().partition(|of| is_held_out(of));
        (named.into_iter().map(|(_, of)| of.sample_id.clone()).collect(), count(held_out.len()))
    };
    let ((up, held_out_up), (down, held_out_down)) = (ids(flips.up), ids(flips.down));
    Crossed { threshold, up, down, held_out_up, held_out_down, p_value }
}

impl Crossed {
    /// Samples that reach the threshold in B only, held-out ones included.
    pub fn all_up(&self) -> u64 {
        count(self.up.len()) + self.held_out_up
    }

    /// Samples that reach the threshold in A only, held-out ones included.
    pub fn all_down(&self) -> u64 {
        count(self.down.len()) + self.held_out_down
    }
}

/// Over the samples that both answered, whether or not they have scores.
pub(super) fn checks(common: &[CommonSample], (a, b): &VariantNames) -> FlippedChecks {
    let both = common.iter().filter(|of| !is_held_out(of)).filter_map(|(of_a, of_b)| {
        let details = of_a.variants.get(a)?.assertions.details.iter().zip(&of_b.variants.get(b)?.assertions.details);
        Some(details.enumerate().map(move |(index, details)| (*of_b, index, details)))
    });
    let passed = both.flatten().filter_map(|(of, index, (was, is))| Some((was.passed?, is.passed?, (of, index, is))));
    let flips: Flips<(&SlimSample, usize, &AssertionDetail)> = passed.collect();
    let check = |(of, index, detail): (&SlimSample, usize, &AssertionDetail)| CheckRef {
        sample_id: of.sample_id.clone(),
        index: count(index),
        label: label_of(&detail.kind, detail.not, &detail.written),
    };
    FlippedChecks {
        newly_passing: flips.up.into_iter().map(check).collect(),
        newly_failing: flips.down.into_iter().map(check).collect(),
    }
}
