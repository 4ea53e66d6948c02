//! What `omk diff` shows: what else differs, then each pair of variants.

use crate::minus::{p_text, percent, points, signed};
use eval_format::{CheckRef, Ci, Difference, GapTrendPoint, gap_notice};
use eval_history::diff::flips::{Crossed, FlippedChecks};
use eval_history::diff::{DiffSide, MeanChange, SampleDelta};
use eval_history::{Diff, PreferenceDiff, RunDifference, SampleSets, VariantDiff};
use eval_message::plain::clip;
use eval_message::{Message, msg};
use eval_spec::units::Usd;
use serde_json::Value;

use super::layout::duration;
use super::{Show, TerminalPage, and_more, by_layer, check_name, effect, harmless, interval, p_value};
use crate::terminal::names::{NAME, id};

/// How many samples or checks are listed.
const LISTED: usize = 5;

/// Two reports side by side.
#[must_use]
pub fn diff_text(of: &Diff, show: Show) -> String {
    let mut page = TerminalPage::new(show);
    if of.a.id == of.b.id {
        about(&mut page, &msg!("report-diff-inside"), &of.b);
    } else {
        about(&mut page, &msg!("report-diff-a"), &of.a);
        about(&mut page, &msg!("report-diff-b"), &of.b);
    }
    samples(&mut page, &of.samples);
    if !of.differs.is_empty() {
        page.line(0, &msg!("report-diff-differs"));
        of.differs.iter().for_each(|one| page.bullet(&differs(one)));
    }
    if !of.beyond.is_empty() {
        let list = ids_of(show, &of.beyond);
        page.line(0, &msg!("report-diff-beyond", count = of.beyond.len(), list = list));
    }
    if !of.held_out.is_empty() {
        page.line(0, &msg!("report-diff-held-out", count = of.held_out.len()));
    }
    if let Some(caution) = &of.caution {
        page.line(0, &caution.message_key);
    }
    of.uncontrolled.iter().for_each(|note| page.line(0, &note.message_key));
    for comparison in &of.comparisons {
        page.gap();
        variant(&mut page, comparison, of);
        gaps(comparison).iter().for_each(|line| page.line(2, line));
    }
    if of.comparisons.iter().any(|one| one.gap_a.is_some() || one.gap_b.is_some()) {
        page.gap();
        page.line(0, &gap_notice());
    }
    page.text
}

/// The samples that differ; used for an error as well.
pub(crate) fn samples(page: &mut TerminalPage, of: &SampleSets) {
    page.line(0, &msg!("report-diff-common", count = of.common));
    let show = page.show;
    let mut group = |ids: &[String], message: fn(usize, String) -> Message| {
        if !ids.is_empty() {
            page.line(2, &message(ids.len(), ids_of(show, ids)));
        }
    };
    group(&of.changed, |count, list| msg!("report-diff-changed", count = count, list = list));
    group(&of.added, |count, list| msg!("report-diff-added", count = count, list = list));
    group(&of.removed, |count, list| msg!("report-diff-removed", count = count, list = list));
}

/// Gap rate and coverage of both sides, each with its test set.
pub(crate) fn gaps(of: &VariantDiff) -> Vec<Message> {
    let line = |(name, point): (&String, &Option<GapTrendPoint>)| {
        let [coverage, rate, set, count] = point.as_ref().map(GapTrendPoint::cells)?;
        let variant = clip(name, NAME);
        Some(msg!("report-diff-gap", variant = variant, rate = rate, coverage = coverage, set = set, count = count))
    };
    [(&of.a, &of.gap_a), (&of.b, &of.gap_b)].into_iter().filter_map(line).collect()
}

fn ids_of(show: Show, ids: &[String]) -> String {
    let named: Vec<String> = ids.iter().take(LISTED).map(|of| id(of)).collect();
    let more = ids.len() - named.len();
    and_more(show, named, more)
}

fn about(page: &mut TerminalPage, label: &Message, of: &DiffSide) {
    let label = page.show.text(label);
    let when = of.timestamp.get(..16).unwrap_or(&of.timestamp).replace('T', " ");
    page.raw(0, &format!("{label}  {}  {}  {}", clip(&of.id, 60), clip(&when, 16), of.tier));
    if let Some(said) = &of.replaced {
        page.line(2, &harmless(&said.message_key));
    }
}

/// The values in A and B.
pub(crate) fn differs(one: &RunDifference) -> String {
    format!("{}: {} → {}", one.what, value(&one.a), value(&one.b))
}

fn value(of: &Value) -> String {
    match of {
        Value::Null => "–".to_owned(),
        Value::String(text) if !text.is_empty() => clip(text, NAME),
        other => clip(&other.to_string(), NAME),
    }
}

fn variant(page: &mut TerminalPage, of: &VariantDiff, all: &Diff) {
    page.title(&title(of, all.a.id == all.b.id));
    let preferred: Vec<&PreferenceDiff> = all.preferences.iter().filter(|one| one.b.treatment == of.b).collect();
    preferred.iter().for_each(|one| preference(page, one, all));
    let Some(mean) = of.diff.mean else {
        if preferred.is_empty() {
            let is_control = all.preferences.iter().any(|one| one.b.control == of.b);
            page.line(2, &if is_control { msg!("report-diff-control") } else { msg!("report-diff-no-mean") });
        }
        checks(page, &of.checks);
        money_and_time(page, of);
        return excluded(page, of);
    };
    let score = |mean: Option<f64>| mean.map_or_else(|| "–".to_owned(), points);
    page.line(
        2,
        &msg!(
            "report-diff-mean",
            a = score(of.mean_a),
            b = score(of.mean_b),
            mean = signed(mean),
            interval = interval_or_why(page.show, &of.diff, all),
            pairs = of.diff.n
        ),
    );
    if of.samples.len() as u64 != of.diff.n {
        page.line(2, &msg!("report-why-tasks", samples = of.samples.len(), tasks = of.diff.n));
    }
    let counts = msg!("report-difference-more", wins = of.better, losses = of.worse, ties = of.same);
    let parts = [Some(counts), p_value(&of.diff), effect(&of.diff)];
    let parts: Vec<String> = parts.iter().flatten().map(|part| page.show.text(part)).collect();
    let line = page.show.list(&parts);
    page.raw(2, &line);
    by_layer(page, &of.layers);
    most_moved(page, &of.samples);
    crossed(page, &of.crossed);
    checks(page, &of.checks);
    money_and_time(page, of);
    excluded(page, of);
}

/// The judges' preference, and the share of wins that it corresponds to.
fn preference(page: &mut TerminalPage, of: &PreferenceDiff, all: &Diff) {
    let shown = |mean: Option<f64>| mean.map_or_else(|| "–".to_owned(), signed);
    let (Some(mean), interval) = (of.diff.mean, interval_or_why(page.show, &of.diff, all)) else { return };
    let control = clip(&of.b.control, NAME);
    let message = match &of.a {
        Some(a) => msg!(
            "report-diff-preference",
            control = control,
            a = shown(a.preference),
            b = shown(of.b.preference),
            mean = signed(mean),
            interval = interval,
            samples = of.diff.n
        ),
        None => msg!(
            "report-diff-preferred",
            control = control,
            mean = signed(mean),
            share = percent(f64::midpoint(1.0, mean)),
            interval = interval,
            samples = of.diff.n
        ),
    };
    page.line(2, &message);
    if let Some(p) = p_value(&of.diff) {
        page.line(2, &p);
    }
    if of.a.is_some() && of.same_control != Some(true) {
        page.line(2, &msg!("report-diff-other-control", control = clip(&of.b.control, NAME)));
    }
}

/// The interval of a difference; where a run could end early, why there is none.
fn interval_or_why(show: Show, diff: &Difference, all: &Diff) -> String {
    match (&diff.ci, &diff.p_value_why) {
        (None, Some(_)) if all.has_no_intervals() => show.text(&msg!("report-diff-no-interval")),
        (None, Some(_)) => show.text(&msg!("report-interval-not-yet")),
        (ci, _) => around(show, ci.as_ref()),
    }
}

/// An interval, and for how many comparisons it holds at once.
pub(super) fn around(show: Show, ci: Option<&Ci>) -> String {
    let Some(of) = ci.filter(|ci| !ci.degenerate && ci.family > 1) else { return interval(show, ci) };
    let alone = interval(show, Some(&Ci { family: 1, ..*of }));
    show.text(&msg!("report-diff-simultaneous", interval = alone, family = of.family))
}

fn title(of: &VariantDiff, is_inside: bool) -> Message {
    let (a, b) = (clip(&of.a, NAME), clip(&of.b, NAME));
    match (is_inside, of.same_artifact) {
        (true, _) => msg!("report-diff-pair", a = a, b = b),
        (false, Some(true)) => msg!("report-diff-same-artifact", a = a, b = b),
        (false, Some(false)) => msg!("report-diff-other-artifact", a = a, b = b),
        (false, None) => msg!("report-diff-pair", a = a, b = b),
    }
}

fn most_moved(page: &mut TerminalPage, samples: &[SampleDelta]) {
    let mut moved: Vec<&SampleDelta> = samples.iter().filter(|of| of.diff != 0.0 && !of.held_out).collect();
    moved.sort_by(|a, b| b.diff.abs().total_cmp(&a.diff.abs()));
    let side = |up: bool| {
        let each = moved.iter().filter(|of| (of.diff > 0.0) == up).take(LISTED);
        each.map(|of| format!("{}\u{a0}{}", id(&of.sample_id), signed(of.diff))).collect::<Vec<_>>()
    };
    if moved.is_empty() {
        return;
    }
    page.line(2, &msg!("report-moved-title"));
    let (better, worse) = (page.show.list(&side(true)), page.show.list(&side(false)));
    if !better.is_empty() {
        page.line(4, &msg!("report-moved-better", list = better));
    }
    if !worse.is_empty() {
        page.line(4, &msg!("report-moved-worse", list = worse));
    }
}

fn crossed(page: &mut TerminalPage, of: &Crossed) {
    let (up, down) = (of.all_up(), of.all_down());
    if up + down == 0 {
        return;
    }
    let threshold = points(of.threshold);
    page.line(
        2,
        &match of.p_value {
            Some(p) => msg!("report-diff-crossed", threshold = threshold, p = p_text(p)),
            None => msg!("report-diff-crossed-only", threshold = threshold),
        },
    );
    let list = |named| if Vec::is_empty(named) { "–".to_owned() } else { ids_of(page.show, named) };
    let (raised, lowered) = (list(&of.up), list(&of.down));
    if up > 0 {
        page.line(4, &msg!("report-diff-up", count = up, list = raised));
    }
    if down > 0 {
        page.line(4, &msg!("report-diff-down", count = down, list = lowered));
    }
}

fn checks(page: &mut TerminalPage, of: &FlippedChecks) {
    if of.newly_passing.is_empty() && of.newly_failing.is_empty() {
        return;
    }
    let (passing, failing) = (of.newly_passing.len(), of.newly_failing.len());
    page.line(2, &msg!("report-diff-checks", passing = passing, failing = failing));
    let mut listed = |checks: &[CheckRef], mark: &str| {
        checks.iter().take(LISTED).for_each(|check| page.raw(4, &format!("{mark} {}", check_name(check))));
    };
    listed(&of.newly_failing, "-");
    listed(&of.newly_passing, "+");
}

fn money_and_time(page: &mut TerminalPage, of: &VariantDiff) {
    let both = |moved: &MeanChange, text: fn(f64) -> String| Some((text(moved.a?), text(moved.b?)));
    let cost = both(&of.cost_usd, |usd| Usd(usd).to_string()).map(|(a, b)| msg!("report-diff-cost", a = a, b = b));
    let time = both(&of.duration_ms, duration).map(|(a, b)| msg!("report-diff-time", a = a, b = b));
    let parts: Vec<String> = [cost, time].iter().flatten().map(|part| page.show.text(part)).collect();
    if !parts.is_empty() {
        let line = parts.join(page.show.semicolon());
        page.raw(2, &line);
    }
}

fn excluded(page: &mut TerminalPage, of: &VariantDiff) {
    if of.excluded.is_empty() {
        return;
    }
    let ids: Vec<String> = of.excluded.iter().map(|one| one.sample_id.clone()).collect();
    let why = page.show.text(&super::harmless(&of.excluded[0].why.message_key));
    let list = ids_of(page.show, &ids);
    page.line(2, &msg!("report-diff-excluded", count = ids.len(), list = list, why = why));
}
