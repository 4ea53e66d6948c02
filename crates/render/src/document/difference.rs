//! Difference between a treatment and the control: over all, by layer, by sample and by check.

use eval_format::{Comparison, Difference, Excluded, Layers, Method, Report, SampleDifference};
use eval_message::plain::clip;
use eval_message::{Arg, Message, Separator, msg};
use eval_spec::Layer;

use super::block::{Block, line, title};
use super::text::{LISTED, NAME, and_more, check_name, clauses, harmless, id, interval, moved};
use super::{judges, repeats};
use crate::minus::{p_text, percent, points, signed};

pub(super) fn blocks<R>(report: &Report<R>, comparison: &Comparison) -> Vec<Block> {
    let mut blocks = vec![title(msg!("report-difference-title")), line(2, difference(comparison))];
    if comparison.n > 0 {
        blocks.push(line(2, counts_and_tests(comparison)));
    }
    let is_judged = report.judging.is_some() && comparison.n > 0;
    let at_equal_length = judges::equal_length(comparison.equal_length.as_ref()).filter(|_| is_judged);
    let reach = repeats::reach(report, &comparison.treatment);
    let notes = [apart(report, comparison), at_equal_length, reach, by_layer(&comparison.layers)];
    blocks.extend(notes.into_iter().flatten().map(|note| line(2, note)));
    let mut details = moved_most(comparison);
    if !comparison.checks.is_empty() {
        details.push(line(2, msg!("report-checks-title")));
    }
    details.extend(comparison.checks.iter().map(|check| {
        let (control, treatment) = (percent(check.control_rate), percent(check.treatment_rate));
        let check = check_name(&check.check);
        line(4, msg!("report-check-moved", check = check, control = control, treatment = treatment))
    }));
    details.extend((!comparison.excluded.is_empty()).then(|| line(2, excluded(comparison))));
    let title = msg!("report-md-moved", treatment = clip(&comparison.treatment, NAME));
    blocks.extend((!details.is_empty()).then_some(Block::Fold(title, details)));
    blocks
}

pub(crate) fn difference(comparison: &Comparison) -> Message {
    let (control, treatment) = (clip(&comparison.control, NAME), clip(&comparison.treatment, NAME));
    let Some(mean) = comparison.diff.mean else {
        return msg!("report-difference-none", control = control, treatment = treatment);
    };
    // with `--stop-when-decided` there is no interval before the first look
    let interval = match (&comparison.diff.ci, &comparison.diff.p_value_why) {
        (None, Some(_)) => msg!("report-interval-not-yet"),
        (ci, _) => interval(ci.as_ref()),
    };
    let (mean, pairs) = (signed(mean), comparison.n);
    msg!("report-difference", control = control, treatment = treatment, mean = mean, interval = interval, pairs = pairs)
}

/// Returns why the scores in the table don't differ by the difference: the pairs are fewer than the samples with a score.
pub(crate) fn apart<R>(report: &Report<R>, comparison: &Comparison) -> Option<Message> {
    let scored = |name: &String| report.summary.get(name).map(|summary| summary.scored_samples);
    let (a, b) = (scored(&comparison.control)?, scored(&comparison.treatment)?);
    let (control, treatment) = (comparison.control_mean?, comparison.treatment_mean?);
    let is_apart = !comparison.excluded.is_empty() && comparison.n > 0;
    is_apart.then(|| {
        msg!(
            "report-brief-apart",
            left = comparison.excluded.len(),
            pairs = comparison.n,
            control = clip(&comparison.control, NAME),
            treatment = clip(&comparison.treatment, NAME),
            a = points(control),
            b = points(treatment),
            all_a = a,
            all_b = b
        )
    })
}

fn counts_and_tests(comparison: &Comparison) -> Arg {
    let Comparison { wins, losses, ties, diff, .. } = comparison;
    let counts = msg!("report-difference-more", wins = *wins, losses = *losses, ties = *ties);
    let over = diff.over_samples.map(|over| msg!("report-difference-over-samples", over = signed(over)));
    let parts = [Some(counts), over, p_value(diff), effect(diff)];
    Arg::List(Separator::Clause, parts.into_iter().flatten().map(Into::into).collect())
}

pub(crate) fn p_value(diff: &Difference) -> Option<Message> {
    let p = p_text(diff.p_value_adjusted?);
    let has_family = diff.ci.is_some_and(|ci| ci.family > 1 && ci.method != Method::Repeated);
    Some(if has_family { msg!("report-p-holm", p = p) } else { msg!("report-p", p = p) })
}

pub(crate) fn effect(diff: &Difference) -> Option<Message> {
    let dz = diff.effect?.cohen_dz?.estimate;
    Some(msg!("report-effect", dz = points(dz)))
}

/// Returns the difference of each layer, where there are several: a composite that rises can hide a layer that falls.
pub(crate) fn by_layer(layers: &Layers<Difference>) -> Option<Message> {
    let difference = |layer: Layer| {
        let diff = layers.get(layer)?;
        let (name, mean) = (layer.name(), signed(diff.mean?));
        Some(match diff.ci.filter(|ci| !ci.degenerate) {
            Some(ci) => {
                let (low, high) = (signed(ci.low), signed(ci.high));
                msg!("report-layer-difference", layer = name, mean = mean, low = low, high = high)
            }
            None => msg!("report-layer-difference-point", layer = name, mean = mean),
        })
    };
    let layers: Vec<Message> = Layer::ALL.into_iter().filter_map(difference).collect();
    (layers.len() > 1).then(|| msg!("report-by-layer", list = layers))
}

fn moved_most(comparison: &Comparison) -> Vec<Block> {
    let list = |samples: &[SampleDifference]| {
        let each: Vec<Arg> = samples.iter().map(|sample| moved(&sample.sample_id, sample.diff)).collect();
        (!each.is_empty()).then(|| Arg::from(each))
    };
    let better = list(&comparison.moved.better).map(|list| msg!("report-moved-better", list = list));
    let worse = list(&comparison.moved.worse).map(|list| msg!("report-moved-worse", list = list));
    let sides: Vec<Block> = better.into_iter().chain(worse).map(|side| line(4, side)).collect();
    let title = (!sides.is_empty()).then(|| line(2, msg!("report-moved-title")));
    title.into_iter().chain(sides).collect()
}

/// Returns the samples without a pair; consecutive ones with the same reason share it.
fn excluded(comparison: &Comparison) -> Message {
    let all = &comparison.excluded;
    let groups = all[..all.len().min(LISTED)].chunk_by(|a, b| a.variants == b.variants && a.why_keys == b.why_keys);
    msg!(
        "report-excluded",
        count = all.len(),
        treatment = clip(&comparison.treatment, NAME),
        list = and_more([clauses(groups.map(why_excluded))], all.len().saturating_sub(LISTED))
    )
}

fn why_excluded(group: &[Excluded]) -> Message {
    let samples: Vec<Arg> = group.iter().map(|sample| id(&sample.sample_id)).collect();
    msg!("report-excluded-why", samples = samples, why = excluded_reasons(&group[0]))
}

/// Returns each variant that a sample lacks, with the reason.
pub(crate) fn excluded_reasons(sample: &Excluded) -> Vec<Message> {
    let reasons = sample.variants.iter().zip(&sample.why_keys);
    reasons.map(|(variant, why)| msg!("report-lost", variant = clip(variant, NAME), list = harmless(why))).collect()
}
