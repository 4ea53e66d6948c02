//! Samples that crossed the threshold, and checks that passed on one side only.

use eval_stats::mcnemar_exact;
use serde::Serialize;

use super::{Columns, Common};
use crate::contract::CheckRef;
use crate::insight::label;
use crate::recompute::assertion;
use crate::summary::count;

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
    /// McNemar's exact p-value of as many crossings one way; `null` without any.
    pub p_value: Option<f64>,
}

/// Checks that passed on one side only. With repeats, a check passes when it does in every run.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FlippedChecks {
    /// Failed in A, pass in B.
    pub newly_passing: Vec<CheckRef>,
    /// Passed in A, fail in B.
    pub newly_failing: Vec<CheckRef>,
}

/// Over the pairs.
pub(super) fn crossed(common: &[Common], columns: &Columns, (a, b): &(String, String), threshold: f64) -> Crossed {
    let (mut up, mut down) = (Vec::new(), Vec::new());
    for ((of_a, of_b), _) in common.iter().zip(&columns.composite).filter(|(_, diff)| diff.is_some()) {
        let scores =
            of_a.variants.get(a).and_then(|of| of.composite()).zip(of_b.variants.get(b).and_then(|of| of.composite()));
        match scores.map(|(a, b)| (a >= threshold, b >= threshold)) {
            Some((false, true)) => up.push(of_b.sample_id.clone()),
            Some((true, false)) => down.push(of_b.sample_id.clone()),
            _ => {}
        }
    }
    let p_value = mcnemar_exact(count(up.len()), count(down.len()));
    Crossed { threshold, p_value: (!(up.is_empty() && down.is_empty())).then_some(p_value), up, down }
}

/// Over the samples that both answered, pairs or not.
pub(super) fn checks(common: &[Common], (a, b): &(String, String)) -> FlippedChecks {
    let mut flipped = FlippedChecks::default();
    for (of_a, of_b) in common {
        let Some((a, b)) = of_a.variants.get(a).zip(of_b.variants.get(b)) else { continue };
        for (index, (was, is)) in a.assertions.details.iter().zip(&b.assertions.details).enumerate() {
            let named =
                || CheckRef { sample_id: of_b.sample_id.clone(), index: count(index), label: label(&assertion(is)) };
            match (was.passed, is.passed) {
                (Some(false), Some(true)) => flipped.newly_passing.push(named()),
                (Some(true), Some(false)) => flipped.newly_failing.push(named()),
                _ => {}
            }
        }
    }
    flipped
}
