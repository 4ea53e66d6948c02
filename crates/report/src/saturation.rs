//! Were there enough samples? The curve of each comparison (T13), and what the verdict says of it.

use eval_spec::{Message, msg};
use eval_stats::{Undefined, saturation, shuffled};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::contract::{Saturation, SaturationWindow};
use crate::judging::why_undefined;
use crate::numbers::snap;
use crate::summary::count;
use crate::verdict::{DiffInputs, Limits, points};

/// More pairs than this are not asked for.
pub(crate) const AFFORDABLE: u64 = 100_000;

/// The curve of a treatment's differences, in an order drawn from the seed; `alpha` is the level of its interval.
pub(crate) fn curve(
    [control, treatment]: [&String; 2],
    differences: &[Option<f64>],
    alpha: f64,
    min_effect: f64,
    seed: u64,
) -> Saturation {
    let values: Vec<f64> = differences.iter().copied().flatten().collect();
    let found = saturation(&shuffled(&values, seed), 1.0 - alpha, min_effect);
    let empty = Saturation {
        control: control.clone(),
        treatment: treatment.clone(),
        n: count(values.len()),
        windows: Vec::new(),
        saturated: None,
        pairs_for_min_effect: None,
        why: None,
    };
    match found {
        Err(why) => Saturation { why: Some(why_none(why).into()), ..empty },
        Ok(found) => Saturation {
            windows: found.windows.iter().map(window).collect(),
            saturated: found.saturated,
            pairs_for_min_effect: found.pairs_for_min_effect.map(count),
            ..empty
        },
    }
}

fn window(of: &eval_stats::Window) -> SaturationWindow {
    SaturationWindow {
        n: count(of.n),
        width: of.width.map(snap),
        expected: snap(of.expected_width),
        shrink: of.shrink.map(snap),
    }
}

fn why_none(why: Undefined) -> Message {
    match why {
        Undefined::TooFew => msg!("report-saturation-few"),
        Undefined::NoVariance => msg!("report-saturation-variance"),
        other => why_undefined(other),
    }
}

/// What the verdict reads of a curve. It changes no tier: it tells whether more samples would.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SaturationInputs {
    /// Whether the interval has stopped narrowing.
    pub saturated: Option<bool>,
    /// Pairs with which it reaches no further than the smallest difference that matters to each side.
    pub pairs_for_min_effect: Option<u64>,
}

/// What the verdict reads of a curve.
pub(crate) fn inputs(of: &Saturation) -> SaturationInputs {
    SaturationInputs { saturated: of.saturated, pairs_for_min_effect: of.pairs_for_min_effect }
}

/// Whether more samples would decide what is undecided; `None` where the curve doesn't tell.
pub(crate) fn would_more_help(limits: &Limits, diff: &DiffInputs, of: &SaturationInputs) -> Option<Message> {
    let limit = points(limits.min_effect);
    if of.saturated == Some(true) {
        return Some(msg!("report-why-saturated"));
    }
    let needed = of.pairs_for_min_effect?;
    Some(match needed {
        _ if needed > AFFORDABLE => msg!("report-why-more-hopeless", limit = limit),
        _ if needed > diff.n => msg!("report-why-more", limit = limit, needed = needed, n = diff.n),
        _ => msg!("report-why-more-border", limit = limit),
    })
}
