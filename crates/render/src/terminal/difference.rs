//! How a treatment differs from the control: over all, by layer, by sample and by check.

use crate::minus::{p_text, percent, points, signed};
use eval_format::{Comparison, Difference, Excluded, Layers, Method, Report, SampleDifference};
use eval_message::plain::clip;
use eval_message::{Lang, Message, msg};
use eval_spec::Layer;

use super::{Show, TerminalPage, enough, harmless, judges};
use crate::terminal::lists::{and_more, check_name, interval};
use crate::terminal::names::{LISTED, NAME, id};
use crate::view::comparison::excluded_groups;

pub(super) fn differences<R>(page: &mut TerminalPage, comparison: &Comparison, report: &Report<R>) {
    page.title(&msg!("report-difference-title"));
    page.raw(2, &difference(page.show, comparison));
    if comparison.n > 0 {
        page.raw(2, &more_of_difference(page.show, comparison));
    }
    apart(report, comparison).iter().for_each(|message| page.line(2, message));
    let at_equal_length = judges::equal_length(&comparison.equal_length);
    let at_equal_length = at_equal_length.filter(|_| report.judging.is_some() && comparison.n > 0);
    let reach = enough::reach(report, &comparison.treatment);
    for message in at_equal_length.iter().chain(&reach) {
        page.line(2, message);
    }
    by_layer(page, &comparison.layers);
    moved(page, comparison);
    if !comparison.checks.is_empty() {
        page.line(2, &msg!("report-checks-title"));
        for moved in &comparison.checks {
            let message = msg!(
                "report-check-moved",
                check = check_name(&moved.check),
                control = percent(moved.control_rate),
                treatment = percent(moved.treatment_rate)
            );
            page.line(4, &message);
        }
    }
    if !comparison.excluded.is_empty() {
        excluded(page, comparison);
    }
    page.gap();
}

pub(super) fn difference(show: Show, comparison: &Comparison) -> String {
    let (control, treatment) = (clip(&comparison.control, NAME), clip(&comparison.treatment, NAME));
    let Some(mean) = comparison.diff.mean else {
        return show.text(&msg!("report-difference-none", control = control, treatment = treatment));
    };
    show.text(&msg!(
        "report-difference",
        control = control,
        treatment = treatment,
        mean = signed(mean),
        interval = interval_of(show, &comparison.diff),
        pairs = comparison.n
    ))
}

/// Why the scores in the table don't differ by the difference, where that is so: the pairs are fewer than the samples
/// with a score.
pub(crate) fn apart<R>(report: &Report<R>, of: &Comparison) -> Option<Message> {
    let scored = |name: &String| report.summary.get(name).map(|of| of.scored_samples);
    let (a, b) = (scored(&of.control)?, scored(&of.treatment)?);
    let (control, treatment) = (of.control_mean?, of.treatment_mean?);
    let is_apart = !of.excluded.is_empty() && of.n > 0;
    is_apart.then(|| {
        msg!(
            "report-brief-apart",
            left = of.excluded.len(),
            pairs = of.n,
            control = clip(&of.control, NAME),
            treatment = clip(&of.treatment, NAME),
            a = points(control),
            b = points(treatment),
            all_a = a,
            all_b = b
        )
    })
}

/// With `--stop-when-decided` there is no interval before the first look.
fn interval_of(show: Show, diff: &Difference) -> String {
    match (&diff.ci, &diff.p_value_why) {
        (None, Some(_)) => show.text(&msg!("report-interval-not-yet")),
        (ci, _) => interval(show, ci.as_ref()),
    }
}

fn more_of_difference(show: Show, comparison: &Comparison) -> String {
    let counts =
        msg!("report-difference-more", wins = comparison.wins, losses = comparison.losses, ties = comparison.ties);
    let over = comparison.diff.over_samples.map(|over| msg!("report-difference-over-samples", over = signed(over)));
    let parts = [Some(counts), over, p_value(&comparison.diff), effect(&comparison.diff)];
    let comma = if show.lang == Lang::Zh { "，" } else { ", " };
    parts.into_iter().flatten().map(|part| show.text(&part)).collect::<Vec<_>>().join(comma)
}

pub(crate) fn p_value(diff: &Difference) -> Option<Message> {
    let p = p_text(diff.p_value_adjusted?);
    let asked_with_others = diff.ci.is_some_and(|ci| ci.family > 1 && ci.method != Method::Repeated);
    Some(if asked_with_others { msg!("report-p-holm", p = p) } else { msg!("report-p", p = p) })
}

pub(crate) fn effect(diff: &Difference) -> Option<Message> {
    let dz = diff.effect?.cohen_dz?.estimate;
    Some(msg!("report-effect", dz = points(dz)))
}

/// A composite that rises can hide a layer that falls.
pub(crate) fn by_layer(page: &mut TerminalPage, layers: &Layers<Difference>) {
    let of = |layer: Layer| {
        let diff = layers.get(layer)?;
        let (name, mean) = (layer.name(), signed(diff.mean?));
        Some(page.show.text(&match diff.ci.filter(|ci| !ci.degenerate) {
            Some(ci) => {
                let (low, high) = (signed(ci.low), signed(ci.high));
                msg!("report-layer-difference", layer = name, mean = mean, low = low, high = high)
            }
            None => msg!("report-layer-difference-point", layer = name, mean = mean),
        }))
    };
    let layers: Vec<String> = Layer::ALL.into_iter().filter_map(of).collect();
    if layers.len() > 1 {
        let list = page.show.list(&layers);
        page.line(2, &msg!("report-by-layer", list = list));
    }
}

fn moved(page: &mut TerminalPage, comparison: &Comparison) {
    let show = page.show;
    let list = |moved: &[SampleDifference]| {
        let each = moved.iter().map(|one| format!("{}\u{a0}{}", id(&one.sample_id), signed(one.diff)));
        show.list(&each.collect::<Vec<_>>())
    };
    let sides = &comparison.moved;
    if sides.better.is_empty() && sides.worse.is_empty() {
        return;
    }
    page.line(2, &msg!("report-moved-title"));
    if !sides.better.is_empty() {
        page.line(4, &msg!("report-moved-better", list = list(&sides.better)));
    }
    if !sides.worse.is_empty() {
        page.line(4, &msg!("report-moved-worse", list = list(&sides.worse)));
    }
}

/// Consecutive samples with the same reason share it.
fn excluded(page: &mut TerminalPage, comparison: &Comparison) {
    let named: Vec<String> = excluded_groups(comparison, LISTED).map(|group| why_excluded(page.show, group)).collect();
    let named = vec![named.join(page.show.semicolon())];
    let left = comparison.excluded.len().saturating_sub(LISTED);
    let message = msg!(
        "report-excluded",
        count = comparison.excluded.len(),
        treatment = clip(&comparison.treatment, NAME),
        list = and_more(page.show, named, left)
    );
    page.line(2, &message);
}

fn why_excluded(show: Show, group: &[Excluded]) -> String {
    let ids: Vec<String> = group.iter().map(|one| id(&one.sample_id)).collect();
    let arms = group[0].variants.iter().zip(&group[0].why_keys);
    let why = arms.map(|(variant, why)| {
        show.text(&msg!("report-lost", variant = clip(variant, NAME), list = show.text(&harmless(why))))
    });
    let why = why.collect::<Vec<_>>();
    show.text(&msg!("report-excluded-why", samples = show.list(&ids), why = show.list(&why)))
}
