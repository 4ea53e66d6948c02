//! Single sections of the summary, for surfaces that show them one by one.

use eval_format::Report;

use super::difference::differences as of_comparison;
use super::{Show, TerminalPage, enough, gold, holdout, judges, noticed as what_is, pairwise, quality as of_samples};

/// The section that `write` writes, without its title.
fn section(show: Show, write: impl FnOnce(&mut TerminalPage)) -> String {
    let mut page = TerminalPage::new(show);
    write(&mut page);
    page.text
}

/// How each treatment differs: by layer, by sample, by check, and what was left out.
pub(crate) fn differences<R>(report: &Report<R>, show: Show) -> String {
    section(show, |page| {
        report.comparisons.iter().for_each(|one| of_comparison(page, one, report));
        report.pairwise.iter().for_each(|of| pairwise::pairwise(page, of));
        report.holdout.iter().for_each(|of| holdout::holdout(page, of));
    })
}

/// What repeats add.
pub(crate) fn enough<R>(report: &Report<R>, show: Show) -> String {
    section(show, |page| enough::repeats(page, report))
}

/// What the judges' scores are worth.
pub(crate) fn judges<R>(report: &Report<R>, show: Show) -> String {
    section(show, |page| {
        judges::judges(page, report);
        judges::tripwires(page, report);
        report.gold.iter().for_each(|of| gold::lines(page, of));
    })
}

/// What was not measured, and what else catches the eye.
pub(crate) fn noticed<R>(report: &Report<R>, show: Show) -> String {
    section(show, |page| what_is::noticed(page, report))
}

/// Defects of the samples.
pub(crate) fn quality<R>(report: &Report<R>, show: Show) -> String {
    section(show, |page| of_samples::summary(page, &report.analysis.sample_quality))
}

/// The pages that stood in prompts.
pub(crate) fn urls<R>(report: &Report<R>, show: Show) -> String {
    section(show, |page| super::pages(page, report))
}
