//! What a run with the same artifact in both arms (`--aa`) says of the test set.

use crate::minus::{points, signed};
use eval_format::{Comparison, Report, SampleDifference};
use eval_message::msg;

use super::TerminalPage;
use crate::terminal::names::{LISTED, id};

/// Which samples waver, how much, and how many samples decide.
pub(super) fn lines<R>(page: &mut TerminalPage, report: &Report<R>) {
    let Some(of) = report.comparisons.first() else { return };
    page.title(&msg!("report-aa-title"));
    page.line(2, &msg!("report-aa-alarm"));
    which(page, of);
    if let Some(sd) = of.diff.sd {
        page.line(2, &msg!("report-aa-sd", sd = points(sd), tasks = of.diff.n));
    }
    if let Some(decisive) = of.power.decisive {
        let effect = points(report.meta.settings.min_effect);
        page.line(2, &msg!("report-aa-decisive", samples = decisive, effect = effect));
    }
    page.gap();
}

/// Which samples waver, in a line.
pub(super) fn wavers<R>(page: &mut TerminalPage, report: &Report<R>) {
    report.comparisons.first().into_iter().for_each(|of| which(page, of));
}

fn which(page: &mut TerminalPage, of: &Comparison) {
    let wavering = wavering(of);
    match wavering.is_empty() {
        true => page.line(2, &msg!("report-aa-still")),
        false => {
            let named = wavering.iter().map(|one| format!("{}\u{a0}{}", id(&one.sample_id), signed(one.diff)));
            let list = page.show.list(&named.collect::<Vec<_>>());
            page.line(2, &msg!("report-aa-wavering", list = list));
        }
    }
}

/// The largest differences, whichever way they go.
fn wavering(of: &Comparison) -> Vec<&SampleDifference> {
    let mut all: Vec<&SampleDifference> = of.moved.better.iter().chain(&of.moved.worse).collect();
    all.sort_by(|a, b| b.diff.abs().total_cmp(&a.diff.abs()));
    all.truncate(LISTED);
    all
}
