//! `analysis.sampleQuality`: problems of the samples themselves, independent of the answers' author.
//!
//! Repeated samples, rubrics that leave the score to the judge's taste, capabilities with too few samples, prompts that
//! give their answer away, samples and questions that go against the rest, and what costs or takes far more than the
//! rest. Each check either found something, found nothing, or says why it could not be made. Samples that are meant to
//! fail are left out: they break these rules on purpose.

mod again;
mod capabilities;
mod discrimination;
mod duplicates;
mod found;
mod leaks;
mod outliers;
pub(crate) mod rubrics;

use eval_format::report::Note;
use eval_format::{
    KnownMessage, MIN_PAIRS, NotChecked, QualityFinding, QualityItem, SampleCheck, SampleQuality, Severity,
};
use eval_message::{Message, msg};
use eval_spec::Suite;

use crate::grid::Grid;
use crate::likeness::SimilarTexts;
use crate::numbers::count;

use self::found::{Item, SampleFinding, counted};

pub use self::again::{again, settle};
pub use self::duplicates::AlikeSamples;
use self::duplicates::near_duplicates;
pub(crate) use outliers::{LEAST_FACTOR, Outliers, cost_outliers};

/// The most points that each check takes off 100. What repeats a sample makes every interval too narrow, and what gives
/// its answer away measures nothing, so these weigh most. An unusually dear or slow sample is no worse a sample: it is
/// named and takes nothing.
pub static WEIGHTS: [(SampleCheck, f64); 8] = [
    (SampleCheck::NearDuplicates, 30.0),
    (SampleCheck::LeakyPrompts, 25.0),
    (SampleCheck::AmbiguousRubrics, 20.0),
    (SampleCheck::ItemDiscrimination, 8.0),
    (SampleCheck::QuestionDiscrimination, 7.0),
    (SampleCheck::ThinCapabilities, 10.0),
    (SampleCheck::CostOutliers, 0.0),
    (SampleCheck::LatencyOutliers, 0.0),
];
/// The affected share that takes all the points of a check: a test set of which half is spoilt is spoilt.
const WORST_SHARE: f64 = 0.5;
/// Cases that the report lists of each finding.
const ITEMS: usize = 20;
/// Samples that the report names of each case.
const NAMED: usize = 10;

/// A check with what it found, or why it could not be made.
type Checked = (SampleCheck, Result<SampleFinding, Message>);

/// The checks of the sample file alone, before anything is run.
#[must_use]
pub fn of_samples(suite: &Suite) -> SampleQuality {
    let later = |kind| (kind, Err(msg!("quality-why-run")));
    let mut checks = statically(suite, &near_duplicates(suite), Err(msg!("quality-why-run")));
    checks.extend([
        later(SampleCheck::ItemDiscrimination),
        later(SampleCheck::QuestionDiscrimination),
        later(SampleCheck::CostOutliers),
        later(SampleCheck::LatencyOutliers),
    ]);
    block(suite, checks)
}

/// The checks of samples and answers; `duplicates` are the suite's [`near_duplicates`].
pub(crate) fn of_run(grid: &Grid, duplicates: &[SimilarTexts], costs: &Result<Outliers, Message>) -> SampleQuality {
    let mut checks = statically(grid.suite, duplicates, rubrics::spreads(grid));
    checks.extend(by_results(grid, costs));
    block(grid.suite, checks)
}

/// The checks of answers, without those of the samples' texts.
fn of_results(grid: &Grid) -> SampleQuality {
    block(grid.suite, by_results(grid, &cost_outliers(grid)).into())
}

fn by_results(grid: &Grid, costs: &Result<Outliers, Message>) -> [Checked; 4] {
    [
        (SampleCheck::ItemDiscrimination, discrimination::of_samples(grid)),
        (SampleCheck::QuestionDiscrimination, discrimination::of_questions(grid)),
        (SampleCheck::CostOutliers, outliers::costs(costs)),
        (SampleCheck::LatencyOutliers, outliers::latencies(grid)),
    ]
}

fn statically(suite: &Suite, duplicates: &[SimilarTexts], spreads: Result<rubrics::Spreads, Message>) -> Vec<Checked> {
    vec![
        (SampleCheck::NearDuplicates, duplicates::check(suite, duplicates)),
        (SampleCheck::LeakyPrompts, leaks::check(suite)),
        (SampleCheck::AmbiguousRubrics, rubrics::check(suite, spreads)),
        (SampleCheck::ThinCapabilities, capabilities::check(suite)),
    ]
}

fn block(suite: &Suite, checks: Vec<Checked>) -> SampleQuality {
    let mut quality = SampleQuality {
        score: None,
        why: None,
        formula: msg!("quality-formula").into(),
        samples: count(counted(suite).count()),
        findings: Vec::new(),
        passed: Vec::new(),
        not_checked: Vec::new(),
    };
    for (kind, outcome) in checks {
        match outcome {
            Err(why) => quality.not_checked.push(NotChecked { kind, why: why.into() }),
            Ok(found) if found.affected == 0 => quality.passed.push(kind),
            Ok(found) => quality.findings.push(finding(suite, kind, found)),
        }
    }
    // equal points keep the order of the checks
    quality.findings.sort_by(|a, b| b.points.total_cmp(&a.points));
    match quality.findings.is_empty() && quality.passed.is_empty() {
        true => quality.why = Some(msg!("quality-why-nothing").into()),
        false => quality.score = Some(score(&quality.findings)),
    }
    quality
}

/// `100 − Σ points`, which can't fall under 0: the weights add up to 100.
fn score(findings: &[QualityFinding]) -> f64 {
    tenth(100.0 - findings.iter().map(|finding| finding.points).sum::<f64>())
}

fn tenth(points: f64) -> f64 {
    (points * 10.0).round() / 10.0 + 0.0
}

/// The most points that a check takes.
fn weight(kind: &SampleCheck) -> f64 {
    WEIGHTS.iter().find(|(known, _)| known == kind).map_or(0.0, |(_, weight)| *weight)
}

/// The points that a check takes that found so many `affected`.
#[expect(clippy::cast_precision_loss, reason = "counts of samples")]
fn points(weight: f64, affected: u64, checked: u64) -> f64 {
    let share = affected as f64 / checked.max(1) as f64;
    tenth(weight * (share / WORST_SHARE).min(1.0))
}

fn finding(suite: &Suite, kind: SampleCheck, found: SampleFinding) -> QualityFinding {
    let weight = weight(&kind);
    let (affected, checked) = (count(found.affected), count(found.checked));
    let [message, advice] = texts(&kind, affected, checked);
    QualityFinding {
        severity: severity(&kind, found.items.iter().any(|item| is_exact(&item.detail))),
        kind,
        message: message.to_string(),
        message_key: message,
        advice: advice.into(),
        affected,
        checked,
        weight,
        points: points(weight, affected, checked),
        total_items: count(found.items.len()),
        items: found.items.into_iter().take(ITEMS).map(|item| written(suite, item)).collect(),
    }
}

/// The text of a finding, and its remedy.
fn texts(kind: &SampleCheck, count: u64, total: u64) -> [Message; 2] {
    match kind {
        SampleCheck::NearDuplicates => {
            [msg!("quality-duplicates", count = count, total = total), msg!("quality-duplicates-advice")]
        }
        SampleCheck::LeakyPrompts => {
            [msg!("quality-leaks", count = count, total = total), msg!("quality-leaks-advice")]
        }
        SampleCheck::AmbiguousRubrics => {
            [msg!("quality-rubrics", count = count, total = total), msg!("quality-rubrics-advice")]
        }
        SampleCheck::ItemDiscrimination => {
            [msg!("quality-items", count = count, total = total), msg!("quality-items-advice")]
        }
        SampleCheck::QuestionDiscrimination => {
            [msg!("quality-questions", count = count, total = total), msg!("quality-questions-advice")]
        }
        SampleCheck::CostOutliers => {
            [msg!("quality-costs", count = count, total = total), msg!("quality-costs-advice")]
        }
        SampleCheck::LatencyOutliers => {
            [msg!("quality-latencies", count = count, total = total), msg!("quality-latencies-advice")]
        }
        _ => [
            msg!("quality-capabilities", count = count, total = total, least = MIN_PAIRS),
            msg!("quality-capabilities-advice", least = MIN_PAIRS),
        ],
    }
}

/// Whether a finding questions the score; `is_exact` when it names exact duplicates.
fn severity(kind: &SampleCheck, is_exact: bool) -> Severity {
    match kind {
        SampleCheck::LeakyPrompts | SampleCheck::AmbiguousRubrics => Severity::Warning,
        SampleCheck::NearDuplicates if is_exact => Severity::Warning,
        _ => Severity::Info,
    }
}

fn is_exact(detail: &Message) -> bool {
    KnownMessage::of(detail) == Some(KnownMessage::ExactDuplicate)
}

fn written(suite: &Suite, item: Item) -> QualityItem {
    QualityItem {
        sample_ids: item.samples.iter().take(NAMED).map(|&sample| suite.samples[sample].id.clone()).collect(),
        total_samples: count(item.samples.len()),
        value: item.value.map(|value| (value * 1000.0).round() / 1000.0),
        detail: Note::from(item.detail),
    }
}
