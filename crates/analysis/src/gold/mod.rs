//! Judges held against people (T11, T12).
//!
//! In come the run's answers with the judges' scores, and gold. A person's score belongs to the output that the person
//! saw: an annotation with a hash counts for the outputs of its sample that have this hash, and for no other. Out goes
//! the report's `gold`: agreement, bias, and prediction-powered means and differences of the judge layer.

pub mod again;
mod agree;
pub mod facts;
pub(crate) mod inputs;
mod matching;
mod powered;

use eval_format::report::Note;
use eval_format::{GoldAnnotator, GoldCounts, GoldReport, Report, ReportError};
use eval_message::{Message, msg};
use eval_spec::gold::Gold;
use eval_stats::Resampling;

use self::agree::{agreement, among_annotators, by_question};
use self::matching::matched;
use self::powered::{differences, means};
use crate::analyse::resampling_by;
use crate::model::ModelName;
use crate::summary::count;

pub use self::again::again;

pub(crate) use self::facts::Facts;

pub use self::facts::{GoldItem, gold_items, gold_questions};

/// How many annotations that were left out are listed.
const LISTED: usize = 100;

/// A stored report's judges held against `gold`. Annotations that name neither variant nor hash count for `variant`,
/// or for the only one there is.
///
/// # Errors
/// The report's interval method is none of ours.
pub fn compare_gold(report: &Report, gold: &Gold, variant: Option<&str>) -> Result<GoldReport, ReportError> {
    let settings = &report.meta.settings;
    let resampling = resampling_by(&settings.ci, settings.bootstrap_samples, report.meta.seed)?;
    Ok(hold(&Facts::of_report(report), gold, variant, &resampling))
}

/// Everything that gold says of a run.
pub(crate) fn hold(facts: &Facts, gold: &Gold, variant: Option<&str>, resampling: &Resampling) -> GoldReport {
    let matched = matched(facts, gold, variant);
    let annotators: Vec<GoldAnnotator> = matched
        .annotators
        .iter()
        .map(|(name, used)| GoldAnnotator { name: name.clone(), used: *used, judge: judge_of(name, &facts.judges) })
        .collect();
    let people: Vec<usize> = (0..annotators.len()).filter(|&i| annotators[i].judge.is_none()).collect();
    let everybody: Vec<usize> = (0..annotators.len()).collect();
    let cells = |who: &[usize]| matched.scored_by(who);
    let (all, trusted) = (cells(&everybody), cells(&people));
    let has_judges = people.len() < annotators.len();
    let overall = agreement(&all, None, resampling);
    GoldReport {
        directory: gold.directory.clone(),
        counts: matched.counts,
        left_out: matched.left_out.iter().take(LISTED).cloned().collect(),
        without_judges: has_judges.then(|| agreement(&trusted, None, resampling)),
        questions: by_question(&all, &overall, resampling),
        among_annotators: (annotators.len() > 1).then(|| among_annotators(&matched, resampling)),
        means: means(facts, &trusted, resampling.level),
        differences: differences(facts, &trusted, resampling.level),
        warnings: warnings(&matched.counts, &annotators).into_iter().map(Note::from).collect(),
        overall,
        annotators,
    }
}

/// The judge that an annotator seems to be.
fn judge_of(annotator: &str, judges: &[String]) -> Option<String> {
    let own = ModelName::of(annotator);
    judges.iter().find(|judge| own.is_same(&ModelName::of(judge))).cloned()
}

fn warnings(counts: &GoldCounts, annotators: &[GoldAnnotator]) -> Vec<Message> {
    let colluding = annotators.iter().filter_map(|of| {
        let judge = of.judge.as_ref()?;
        Some(msg!("report-gold-collusion", annotator = &of.name, judge = judge))
    });
    let mut all: Vec<Message> = colluding.collect();
    let mut tell = |count: u64, message: fn(u64) -> Message| all.extend((count > 0).then(|| message(count)));
    tell(counts.stale, |count| msg!("report-gold-stale", count = count));
    tell(counts.unplaced, |count| msg!("report-gold-unplaced", count = count));
    tell(counts.unknown_sample, |count| msg!("report-gold-unknown-sample", count = count));
    tell(counts.unknown_variant, |count| msg!("report-gold-unknown-variant", count = count));
    tell(counts.unjudged, |count| msg!("report-gold-unjudged", count = count));
    tell(counts.open, |count| msg!("report-gold-open", count = count));
    tell(counts.twice, |count| msg!("report-gold-twice", count = count));
    tell(counts.tripwire, |count| msg!("report-gold-tripwire", count = count));
    tell(counts.not_needed, |count| msg!("report-gold-not-needed", count = count));
    tell(counts.unverified, |count| msg!("report-gold-unverified", count = count));
    all
}

/// A length as the report counts.
fn length<T>(of: &[T]) -> u64 {
    count(of.len())
}
