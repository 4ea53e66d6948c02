//! Samples that are meant to fail, and how each variant did on them.

use eval_format::Report;
use eval_message::msg;
use eval_message::plain::clip;

use super::block::{Block, item, title};
use super::text::{NAME, clauses, ids};

pub(super) fn blocks<R>(report: &Report<R>) -> Vec<Block> {
    if report.tripwires.is_empty() {
        return Vec::new();
    }
    let rows = report.tripwires.iter().map(|wires| {
        let variant = clip(&wires.variant, NAME);
        let failed = wires.failed_as_designed;
        let failed = msg!("report-tripwires", variant = variant, failed = failed, samples = wires.samples);
        let passed = (wires.passed > 0)
            .then(|| msg!("report-tripwires-passed", count = wires.passed, list = ids(&wires.passed_samples)));
        let missing = wires.missing_samples.iter().map(|sample| &sample.sample_id);
        let missing =
            (wires.missing > 0).then(|| msg!("report-tripwires-missing", count = wires.missing, list = ids(missing)));
        item(clauses([Some(failed), passed, missing].into_iter().flatten()))
    });
    std::iter::once(title(msg!("report-tripwires-title"))).chain(rows).collect()
}
