//! Tripwires, the samples that are meant to fail: they are in no mean and no comparison.

use eval_format::report::Note;
use eval_format::{Ending, TripwireInputs, Tripwires, Unmeasured};
use eval_message::msg;

use crate::grid::Grid;
use crate::numbers::count;

/// What each variant did on them; nothing when there are none.
pub(crate) fn tripwires(grid: &Grid, labels: &[String]) -> Vec<Tripwires> {
    if grid.tripwires().next().is_none() {
        return Vec::new();
    }
    labels.iter().enumerate().map(|(variant, label)| of_variant(grid, variant, label)).collect()
}

/// A tripwire fails as designed when its composite lies below the gate that a layer must reach.
fn of_variant(grid: &Grid, variant: usize, label: &str) -> Tripwires {
    let threshold = grid.suite.settings.threshold;
    let (mut failed, mut passed, mut missing) = (0, Vec::new(), Vec::new());
    for sample in grid.tripwires() {
        let sample_id = grid.suite.samples[sample].id.clone();
        match grid.score(sample, variant, |cell| &cell.composite) {
            Some(points) if points < threshold => failed += 1,
            Some(_) => passed.push(sample_id),
            None => missing.push(Unmeasured { sample_id, why: why_missing(grid, sample, variant) }),
        }
    }
    Tripwires {
        variant: label.to_owned(),
        samples: count(grid.tripwires().count()),
        failed_as_designed: failed,
        passed: count(passed.len()),
        missing: count(missing.len()),
        passed_samples: passed,
        missing_samples: missing,
    }
}

fn why_missing(grid: &Grid, sample: usize, variant: usize) -> Note {
    let why = grid.of(sample, variant).find_map(|cell| cell.composite.why().cloned());
    why.unwrap_or_else(|| msg!("report-missing-not-planned")).into()
}

/// What the verdict reads of them: whether they could be run at all.
pub(crate) fn inputs(grid: &Grid) -> TripwireInputs {
    let variants = 0..grid.suite.variants.len();
    let mut inputs = TripwireInputs::default();
    for cell in grid.tripwires().flat_map(|sample| variants.clone().flat_map(move |v| grid.of(sample, v))) {
        inputs.ran += u64::from(!matches!(cell.ending, Ending::NotRun | Ending::OverBudget));
        inputs.failed += u64::from(cell.ending == Ending::Failed);
    }
    inputs
}
