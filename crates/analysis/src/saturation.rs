//! The saturation curve of each comparison: whether there were enough samples.

use eval_format::{Saturation, SaturationInputs, SaturationWindow};
use eval_message::{Message, msg};
use eval_stats::{Undefined, saturation, shuffled};

use crate::intervals::why_undefined;
use crate::numbers::{count, snap};

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

/// What the verdict reads of a curve.
pub(crate) fn inputs(of: &Saturation) -> SaturationInputs {
    SaturationInputs { saturated: of.saturated, pairs_for_min_effect: of.pairs_for_min_effect }
}
