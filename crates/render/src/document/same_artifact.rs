//! Test set as a run with the same artifact in both arms (`--aa`) shows it.

use eval_format::{Comparison, Report, SampleDifference};
use eval_message::{Arg, Message, msg};

use super::block::{Block, line, title};
use super::text::{LISTED, moved};
use crate::minus::points;

/// Returns which samples waver, how much, and how many samples decide.
pub(super) fn blocks<R>(report: &Report<R>) -> Vec<Block> {
    let Some(comparison) = report.comparisons.first() else { return Vec::new() };
    let sd = comparison.diff.sd.map(|sd| msg!("report-aa-sd", sd = points(sd), tasks = comparison.diff.n));
    let effect = points(report.meta.settings.min_effect);
    let decisive = comparison.power.decisive;
    let decisive = decisive.map(|samples| msg!("report-aa-decisive", samples = samples, effect = effect));
    let lines = [Some(msg!("report-aa-alarm")), Some(wavering(comparison)), sd, decisive];
    let lines = lines.into_iter().flatten().map(|message| line(2, message));
    std::iter::once(title(msg!("report-aa-title"))).chain(lines).collect()
}

/// Returns the samples that waver, those with the largest differences first, whichever way they go.
pub(crate) fn wavering(comparison: &Comparison) -> Message {
    let mut all: Vec<&SampleDifference> = comparison.moved.better.iter().chain(&comparison.moved.worse).collect();
    all.sort_by(|a, b| b.diff.abs().total_cmp(&a.diff.abs()));
    let named: Vec<Arg> = all.iter().take(LISTED).map(|sample| moved(&sample.sample_id, sample.diff)).collect();
    if named.is_empty() { msg!("report-aa-still") } else { msg!("report-aa-wavering", list = named) }
}
