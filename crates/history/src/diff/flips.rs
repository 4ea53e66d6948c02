//! Samples that crossed the threshold, and checks that passed on one side only.

use eval_analysis::grouping::label_of;
use eval_analysis::measure::count;
use eval_format::CheckRef;
use eval_stats::mcnemar_exact;
use serde::Serialize;

use super::columns::{Columns, CommonSample, is_held_out};

/// Samples that crossed the threshold.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Crossed {
    /// The threshold, in points.
    pub threshold: f64,
    /// Those that reach it now.
    pub up: Vec<String>,
    /// Those that don't any more.
    pub down: Vec<String>,
    /// Held-out samples that reach it now; they are not named.
    #[serde(skip_serializing_if = "is_none")]
    pub held_out_up: u64,
    /// Held-out samples that don't any more.
    #[serde(skip_serializing_if = "is_none")]
    pub held_out_down: u64,
    /// McNemar's exact p-value of as many crossings one way; `null` without any, and where a run might have ended early.
    pub p_value: Option<f64>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn is_none(count: &u64) -> bool {
    *count == 0
}

/// Checks that passed on one side only, those of held-out samples aside. With repeats, a check passes when it does in
/// every run.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FlippedChecks {
    /// Failed in A, pass in B.
    pub newly_passing: Vec<CheckRef>,
    /// Passed in A, fail in B.
    pub newly_failing: Vec<CheckRef>,
}

/// Over the pairs.
pub(super) fn crossed(
    common: &[CommonSample],
    columns: &Columns,
    (a, b): &(String, String),
    threshold: f64,
) -> Crossed {
    let mut found =
        Crossed { threshold, up: Vec::new(), down: Vec::new(), held_out_up: 0, held_out_down: 0, p_value: None };
    for ((of_a, of_b), _) in common.iter().zip(&columns.composite).filter(|(_, diff)| diff.is_some()) {
        let scores =
            of_a.variants.get(a).and_then(|of| of.composite()).zip(of_b.variants.get(b).and_then(|of| of.composite()));
        let (named, unnamed) = match scores.map(|(a, b)| (a >= threshold, b >= threshold)) {
            Some((false, true)) => (&mut found.up, &mut found.held_out_up),
            Some((true, false)) => (&mut found.down, &mut found.held_out_down),
            _ => continue,
        };
        match is_held_out(&(of_a, of_b)) {
            true => *unnamed += 1,
            false => named.push(of_b.sample_id.clone()),
        }
    }
    let (up, down) = (found.all_up(), found.all_down());
    Crossed { p_value: (up + down > 0).then(|| mcnemar_exact(up, down)), ..found }
}

impl Crossed {
    /// How many reach it now.
    pub fn all_up(&self) -> u64 {
        count(self.up.len()) + self.held_out_up
    }

    /// How many don't any more.
    pub fn all_down(&self) -> u64 {
        count(self.down.len()) + self.held_out_down
    }
}

/// Over the samples that both answered, pairs or not.
pub(super) fn checks(common: &[CommonSample], (a, b): &(String, String)) -> FlippedChecks {
    let mut flipped = FlippedChecks::default();
    for (of_a, of_b) in common.iter().filter(|of| !is_held_out(of)) {
        let Some((a, b)) = of_a.variants.get(a).zip(of_b.variants.get(b)) else { continue };
        for (index, (was, is)) in a.assertions.details.iter().zip(&b.assertions.details).enumerate() {
            let named = || CheckRef {
                sample_id: of_b.sample_id.clone(),
                index: count(index),
                label: label_of(&is.kind, is.not, &is.written),
            };
            match (was.passed, is.passed) {
                (Some(false), Some(true)) => flipped.newly_passing.push(named()),
                (Some(true), Some(false)) => flipped.newly_failing.push(named()),
                _ => {}
            }
        }
    }
    flipped
}
