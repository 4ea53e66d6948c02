//! Two reports side by side: what else differs, then each pair of variants.

use eval_format::{CheckRef, Ci, Difference, GapTrendPoint, gap_notice};
use eval_history::diff::flips::{Crossed, FlippedChecks};
use eval_history::diff::{DiffSide, MeanChange, SampleDelta};
use eval_history::{Diff, PreferenceDiff, RunDifference, SampleSets, VariantDiff};
use eval_message::plain::clip;
use eval_message::{Arg, Message, Separator, msg};
use eval_spec::units::Usd;
use serde_json::Value;

use super::block::{Block, item, line, title};
use super::difference::{by_layer, effect, p_value};
use super::text::{NAME, check_name, clauses, harmless, ids, interval, moved, or_dash};
use crate::minus::{duration, minute, p_text, percent, points, signed};

/// How many samples or checks are listed.
const LISTED: usize = 5;

/// Returns the comparison in parts: both sides, then each pair.
pub(crate) fn diff(diff: &Diff) -> Vec<Vec<Block>> {
    let mut head = match diff.a.id == diff.b.id {
        true => side(msg!("report-diff-inside"), &diff.b),
        false => [side(msg!("report-diff-a"), &diff.a), side(msg!("report-diff-b"), &diff.b)].concat(),
    };
    head.extend(samples(&diff.samples));
    if !diff.differs.is_empty() {
        head.push(line(0, msg!("report-diff-differs")));
    }
    head.extend(diff.differs.iter().map(|setting| item(differs(setting))));
    head.extend(cautions(diff).into_iter().map(|text| line(0, text)));
    let pairs = diff.comparisons.iter().map(|pair| {
        let gaps = gaps(pair).into_iter().map(|text| line(2, text));
        variant(pair, diff).into_iter().chain(gaps).collect()
    });
    let has_gaps = diff.comparisons.iter().any(|pair| pair.gap_a.is_some() || pair.gap_b.is_some());
    let notice = has_gaps.then(|| vec![line(0, gap_notice())]);
    std::iter::once(head).chain(pairs).chain(notice).collect()
}

fn samples(sets: &SampleSets) -> Vec<Block> {
    std::iter::once(0)
        .chain(std::iter::repeat(2))
        .zip(sample_sets(sets))
        .map(|(indent, text)| line(indent, text))
        .collect()
}

/// Returns the samples that both share, and those that differ.
pub(crate) fn sample_sets(sets: &SampleSets) -> impl Iterator<Item = Message> {
    let some = |ids: &Vec<String>| (!ids.is_empty()).then_some(ids.len());
    let changed = some(&sets.changed).map(|n| msg!("report-diff-changed", count = n, list = ids(&sets.changed)));
    let added = some(&sets.added).map(|n| msg!("report-diff-added", count = n, list = ids(&sets.added)));
    let removed = some(&sets.removed).map(|n| msg!("report-diff-removed", count = n, list = ids(&sets.removed)));
    let common = msg!("report-diff-common", count = sets.common);
    [Some(common), changed, added, removed].into_iter().flatten()
}

/// Returns what keeps the numbers of both from being those of the same thing.
pub(crate) fn cautions(diff: &Diff) -> Vec<Message> {
    let beyond = (!diff.beyond.is_empty())
        .then(|| msg!("report-diff-beyond", count = diff.beyond.len(), list = ids(&diff.beyond)));
    let held_out = (!diff.held_out.is_empty()).then(|| msg!("report-diff-held-out", count = diff.held_out.len()));
    let notes = diff.caution.iter().chain(&diff.uncontrolled).map(|note| harmless(&note.message_key));
    beyond.into_iter().chain(held_out).chain(notes).collect()
}

/// Returns gap rate and coverage of both sides, each with its test set, whose name is of others.
pub(crate) fn gaps(pair: &VariantDiff) -> Vec<Message> {
    let line = |(name, point): (&String, &Option<GapTrendPoint>)| {
        let [coverage, rate, set, count] = point.as_ref().map(GapTrendPoint::cells)?;
        let (variant, set) = (clip(name, NAME), clip(&set, 200));
        Some(msg!("report-diff-gap", variant = variant, rate = rate, coverage = coverage, set = set, count = count))
    };
    [(&pair.a, &pair.gap_a), (&pair.b, &pair.gap_b)].into_iter().filter_map(line).collect()
}

fn side(label: Message, side: &DiffSide) -> Vec<Block> {
    let about = format!("  {}  {}  {}", clip(&side.id, 60), minute(&side.timestamp), side.tier);
    let head = line(0, Arg::List(Separator::None, vec![label.into(), about.into()]));
    std::iter::once(head).chain(side.replaced.iter().map(|text| line(2, harmless(&text.message_key)))).collect()
}

/// Returns a setting with its values in A and B.
pub(crate) fn differs(setting: &RunDifference) -> String {
    let value = |value: &Value| match value {
        Value::Null => "–".to_owned(),
        Value::String(text) if !text.is_empty() => clip(text, NAME),
        other => clip(&other.to_string(), NAME),
    };
    format!("{}: {} → {}", setting.what, value(&setting.a), value(&setting.b))
}

fn variant(pair: &VariantDiff, diff: &Diff) -> Vec<Block> {
    let preferred: Vec<&PreferenceDiff> = preferences(pair, diff).collect();
    let mut blocks = vec![title(pair_title(pair, diff))];
    blocks.extend(preferred.iter().flat_map(|preferred| preference_lines(preferred, diff)).map(|text| line(2, text)));
    match pair.diff.mean {
        Some(mean) => blocks.extend(difference(pair, mean, diff)),
        None if preferred.is_empty() => {
            let is_control = diff.preferences.iter().any(|preferred| preferred.b.control == pair.b);
            blocks.push(line(2, if is_control { msg!("report-diff-control") } else { msg!("report-diff-no-mean") }));
        }
        None => {}
    }
    blocks.extend(checks(&pair.checks));
    let resources = money_and_time(pair);
    blocks.extend((!resources.is_empty()).then(|| line(2, clauses(resources))));
    blocks.extend(excluded(pair).map(|text| line(2, text)));
    blocks
}

fn difference(pair: &VariantDiff, mean: f64, diff: &Diff) -> Vec<Block> {
    let (samples, tasks) = (pair.samples.len(), pair.diff.n);
    let mean = msg!(
        "report-diff-mean",
        a = or_dash(pair.mean_a, points),
        b = or_dash(pair.mean_b, points),
        mean = signed(mean),
        interval = interval_or_why(&pair.diff, diff),
        pairs = tasks
    );
    let why = (samples as u64 != tasks).then(|| msg!("report-why-tasks", samples = samples, tasks = tasks));
    let counts = msg!("report-difference-more", wins = pair.better, losses = pair.worse, ties = pair.same);
    let tests = [Some(counts), p_value(&pair.diff), effect(&pair.diff)].into_iter().flatten();
    let tests = Arg::from(tests.collect::<Vec<_>>());
    let lines = [Some(mean.into()), why.map(Arg::from), Some(tests), by_layer(&pair.layers).map(Arg::from)];
    let lines = lines.into_iter().flatten().map(|text| line(2, text));
    lines.chain(most_moved(&pair.samples)).chain(crossed(&pair.crossed)).collect()
}

pub(crate) fn preferences<'d>(pair: &VariantDiff, diff: &'d Diff) -> impl Iterator<Item = &'d PreferenceDiff> {
    diff.preferences.iter().filter(|preferred| preferred.b.treatment == pair.b)
}

fn preference_lines(preferred: &PreferenceDiff, diff: &Diff) -> Vec<Message> {
    let Some(preference) = preference(preferred, diff) else { return Vec::new() };
    let is_other = preferred.a.is_some() && preferred.same_control != Some(true);
    let control = clip(&preferred.b.control, NAME);
    let other = is_other.then(|| msg!("report-diff-other-control", control = control));
    [Some(preference), p_value(&preferred.diff), other].into_iter().flatten().collect()
}

/// Returns the judges' preference, and the share of wins that it corresponds to.
pub(crate) fn preference(preferred: &PreferenceDiff, diff: &Diff) -> Option<Message> {
    let (mean, samples) = (preferred.diff.mean?, preferred.diff.n);
    let (control, interval) = (clip(&preferred.b.control, NAME), interval_or_why(&preferred.diff, diff));
    Some(match &preferred.a {
        Some(a) => msg!(
            "report-diff-preference",
            control = control,
            a = or_dash(a.preference, signed),
            b = or_dash(preferred.b.preference, signed),
            mean = signed(mean),
            interval = interval,
            samples = samples
        ),
        None => msg!(
            "report-diff-preferred",
            control = control,
            mean = signed(mean),
            share = percent(f64::midpoint(1.0, mean)),
            interval = interval,
            samples = samples
        ),
    })
}

/// Returns the interval of a difference; where a run could end early, why there is none.
fn interval_or_why(of: &Difference, diff: &Diff) -> Message {
    match (&of.ci, &of.p_value_why) {
        (None, Some(_)) if diff.has_no_intervals() => msg!("report-diff-no-interval"),
        (None, Some(_)) => msg!("report-interval-not-yet"),
        (ci, _) => around(ci.as_ref()),
    }
}

/// Returns an interval, and for how many comparisons it holds at once.
pub(crate) fn around(ci: Option<&Ci>) -> Message {
    match ci.filter(|ci| !ci.degenerate && ci.family > 1) {
        None => interval(ci),
        Some(ci) => {
            let alone = interval(Some(&Ci { family: 1, ..*ci }));
            msg!("report-diff-simultaneous", interval = alone, family = ci.family)
        }
    }
}

pub(crate) fn pair_title(pair: &VariantDiff, diff: &Diff) -> Message {
    let (a, b) = (clip(&pair.a, NAME), clip(&pair.b, NAME));
    match pair.same_artifact.filter(|_| diff.a.id != diff.b.id) {
        Some(true) => msg!("report-diff-same-artifact", a = a, b = b),
        Some(false) => msg!("report-diff-other-artifact", a = a, b = b),
        None => msg!("report-diff-pair", a = a, b = b),
    }
}

fn most_moved(samples: &[SampleDelta]) -> Vec<Block> {
    let mut all: Vec<&SampleDelta> = samples.iter().filter(|sample| sample.diff != 0.0 && !sample.held_out).collect();
    all.sort_by(|a, b| b.diff.abs().total_cmp(&a.diff.abs()));
    let side = |is_up: bool| -> Vec<Arg> {
        let each = all.iter().filter(|sample| (sample.diff > 0.0) == is_up).take(LISTED);
        each.map(|sample| moved(&sample.sample_id, sample.diff)).collect()
    };
    let (better, worse) = (side(true), side(false));
    let better = (!better.is_empty()).then(|| msg!("report-moved-better", list = better));
    let worse = (!worse.is_empty()).then(|| msg!("report-moved-worse", list = worse));
    let title = (!all.is_empty()).then(|| line(2, msg!("report-moved-title")));
    title.into_iter().chain(better.into_iter().chain(worse).map(|text| line(4, text))).collect()
}

fn crossed(crossed: &Crossed) -> Vec<Block> {
    let (up, down) = (crossed.all_up(), crossed.all_down());
    if up + down == 0 {
        return Vec::new();
    }
    let threshold = points(crossed.threshold);
    let head = match crossed.p_value {
        Some(p) => msg!("report-diff-crossed", threshold = threshold, p = p_text(p)),
        None => msg!("report-diff-crossed-only", threshold = threshold),
    };
    let list = |named: &Vec<String>| if named.is_empty() { "–".into() } else { ids(named) };
    let raised = (up > 0).then(|| msg!("report-diff-up", count = up, list = list(&crossed.up)));
    let lowered = (down > 0).then(|| msg!("report-diff-down", count = down, list = list(&crossed.down)));
    std::iter::once(line(2, head)).chain(raised.into_iter().chain(lowered).map(|text| line(4, text))).collect()
}

fn checks(flipped: &FlippedChecks) -> Vec<Block> {
    let (passing, failing) = (flipped.newly_passing.len(), flipped.newly_failing.len());
    let head = (passing + failing > 0).then(|| msg!("report-diff-checks", passing = passing, failing = failing));
    let listed = |checks: &[CheckRef], mark: &'static str| {
        let name = |check: &CheckRef| Arg::List(Separator::None, vec![mark.into(), check_name(check)]);
        checks.iter().take(LISTED).map(|check| line(4, name(check))).collect::<Vec<_>>()
    };
    let (failing, passing) = (listed(&flipped.newly_failing, "- "), listed(&flipped.newly_passing, "+ "));
    head.into_iter().map(|text| line(2, text)).chain(failing).chain(passing).collect()
}

pub(crate) fn money_and_time(pair: &VariantDiff) -> Vec<Message> {
    let both = |change: &MeanChange, text: fn(f64) -> String| Some((text(change.a?), text(change.b?)));
    let cost = both(&pair.cost_usd, |usd| Usd(usd).to_string()).map(|(a, b)| msg!("report-diff-cost", a = a, b = b));
    let time = both(&pair.duration_ms, duration).map(|(a, b)| msg!("report-diff-time", a = a, b = b));
    cost.into_iter().chain(time).collect()
}

fn excluded(pair: &VariantDiff) -> Option<Message> {
    let why = harmless(&pair.excluded.first()?.why.message_key);
    let list = ids(pair.excluded.iter().map(|sample| &sample.sample_id));
    Some(msg!("report-diff-excluded", count = pair.excluded.len(), list = list, why = why))
}
