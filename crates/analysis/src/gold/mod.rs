//! Judges compared with people.
//!
//! In come the run's answers with the judges' scores, and gold. A person's score belongs to the output that the person
//! saw: an annotation with a hash counts for the outputs of its sample that have this hash, and for no other. Out goes
//! the report's `gold`: agreement, bias, and prediction-powered means and differences of the judge layer.

mod again;
mod agree;
mod annotators;
mod facts;
pub(crate) mod inputs;
mod matching;
mod people;
mod powered;

use eval_format::report::Note;
use eval_format::{GoldAnnotator, GoldReport, Report, ReportError};
use eval_spec::gold::Gold;
use eval_stats::Resampling;

use self::agree::{agreement, among_annotators, by_question};
use self::annotators::{LISTED, warnings};
use self::matching::matched;
use self::powered::{differences, means};
use crate::intervals::resampling_by;

pub use self::again::again;
pub use self::annotators::judge_of;

pub(crate) use self::facts::GoldFacts;

pub use self::people::{GoldDispute, PeopleReport, PersonRating, PreferenceCounts, gold_disputes, people};

pub use self::facts::{GoldItem, gold_items, gold_questions};

/// Compares a stored report's judges with `gold`. Annotations that name neither variant nor hash count for `variant`,
/// or for the only one there is.
///
/// # Errors
/// The report's interval method is none of ours.
pub fn compare_gold(report: &Report, gold: &Gold, variant: Option<&str>) -> Result<GoldReport, ReportError> {
    let settings = &report.meta.settings;
    let resampling = resampling_by(&settings.ci, settings.bootstrap_samples, report.meta.seed)?;
    Ok(compare_with_gold(&GoldFacts::of_report(report), gold, variant, &resampling))
}

/// The gold block of a run.
pub(crate) fn compare_with_gold(
    facts: &GoldFacts,
    gold: &Gold,
    variant: Option<&str>,
    resampling: &Resampling,
) -> GoldReport {
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
