//! Answers that depend on nothing: not on what was asked, or not on the variant.

use eval_format::{Insight, InsightKind, Severity};
use eval_message::msg;

use crate::grid::Grid;

/// Tasks below which equal answers may be chance.
const FEWEST_TASKS: usize = 5;
/// Characters of an answer from which two that were made apart are hardly ever equal; labels and numbers are.
const LONG: u32 = 40;

/// Variants that answered all samples alike, or, if there are none, that answered each sample as the control did.
pub(crate) fn equal_answers(grid: &Grid, labels: &[String]) -> Option<Insight> {
    let named =
        |variants: &[usize]| variants.iter().map(|&of| format!("`{}`", labels[of])).collect::<Vec<_>>().join(", ");
    let variants = 0..grid.suite.variants.len();
    let ignoring: Vec<usize> = variants.clone().filter(|&variant| answers_all_alike(grid, variant)).collect();
    if !ignoring.is_empty() {
        let message = msg!("report-insight-prompt-ignored", variants = named(&ignoring));
        return Some(Insight::new(InsightKind::PromptIgnored, Severity::Warning, message, Vec::new()));
    }
    if grid.suite.settings.aa {
        return None;
    }
    let alike: Vec<(usize, Alike)> =
        variants.skip(1).filter_map(|variant| Some((variant, Alike::of(grid, variant)?))).collect();
    let (_, first) = alike.first()?;
    let severity = if alike.iter().any(|(_, of)| of.are_long) { Severity::Warning } else { Severity::Info };
    let names: Vec<usize> = std::iter::once(0).chain(alike.iter().map(|(variant, _)| *variant)).collect();
    let message = msg!("report-insight-artifact-ignored", variants = named(&names), count = first.samples);
    Some(Insight::new(InsightKind::ArtifactIgnored, severity, message, Vec::new()))
}

/// Whether a variant gave one and the same answer to tasks enough.
fn answers_all_alike(grid: &Grid, variant: usize) -> bool {
    let mut answers = grid.samples().flat_map(|sample| grid.of(sample, variant)).filter_map(|cell| cell.answer);
    let Some(first) = answers.next() else { return false };
    answers.all(|answer| answer == first) && tasks(grid, variant) >= FEWEST_TASKS
}

/// The tasks that a variant answered.
fn tasks(grid: &Grid, variant: usize) -> usize {
    let is_first = |&sample: &usize| grid.clusters.of_task(sample).first().is_none_or(|first| *first == sample);
    let is_answered = |&sample: &usize| grid.of(sample, variant).any(|cell| cell.answer.is_some());
    grid.samples().filter(is_first).filter(is_answered).count()
}

/// A variant whose answers are the control's, word for word.
struct Alike {
    samples: usize,
    /// Whether half of the answers are too long to be equal by nature.
    are_long: bool,
}

impl Alike {
    /// `None` where one answer differs, or too few tasks were answered.
    fn of(grid: &Grid, variant: usize) -> Option<Alike> {
        let (mut samples, mut answers, mut long) = (0, 0, 0);
        for sample in grid.samples() {
            let before = answers;
            for (control, other) in grid.of(sample, 0).zip(grid.of(sample, variant)) {
                let (Some(a), Some(b)) = (control.answer, other.answer) else { continue };
                if a != b {
                    return None;
                }
                answers += 1;
                long += usize::from(control.chars >= LONG);
            }
            samples += usize::from(answers > before);
        }
        let are_enough = samples >= FEWEST_TASKS && tasks(grid, variant) >= FEWEST_TASKS;
        are_enough.then_some(Alike { samples, are_long: 2 * long >= answers })
    }
}
