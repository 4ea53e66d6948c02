//! The summary for a terminal: on one screen ([`brief_text`]), or all of it, verdict first ([`summary_text`]).
//!
//! It reads nothing but the report, so a stored one gives the same text. Colour marks only what words say too.

mod brief;
mod by_key;
mod cached_control;
mod circumstances;
pub(crate) mod coverage;
mod delivered;
pub(crate) mod diff;
mod difference;
mod enough;
mod failures;
mod gap_list;
pub(crate) mod gaps;
mod gold;
mod harmless;
mod headline;
mod holdout;
mod imported;
mod judges;
pub mod layout;
pub mod length_shift;
mod lists;
pub(crate) mod names;
mod noticed;
pub(crate) mod observation;
mod page;
mod pairwise;
mod plan;
mod power;
mod quality;
mod recomputed;
mod same_artifact;
mod sample;
pub(crate) mod sections;
mod stopping;
mod table;
pub(crate) mod trend;
pub(crate) mod triggers;

use crate::terminal::names::NAME;
use crate::urls::url_lines;

use eval_format::{Report, VariantSummary};
use eval_message::plain::{clean, clip};
use eval_message::{Message, msg};
use eval_spec::units::Usd;

pub use brief::{StoredAt, brief_text};
pub use by_key::by_key_text;
pub use diff::diff_text;
pub use failures::failures_text;
pub use gap_list::{GapRow, gap_list_text};
pub use gold::gold_text;
pub(crate) use gold::people_agreement;
pub use layout::{columns, pad, widest, wrap};
pub use observation::{inbox_text, observation_diff_text, observation_text};
pub use plan::plan_text;
pub use power::power_text;
pub use recomputed::recomputed_text;
pub use sample::sample_text;
pub(crate) use sample::{earlier as earlier_answer, ending as ending_of};
pub use trend::trend_text;

pub(crate) use difference::{apart, by_layer, effect, p_value};

pub(crate) use crate::terminal::lists::{and_more, check_name, interval};
pub(crate) use headline::listed;

pub(crate) use crate::terminal::harmless::harmless;
pub(crate) use cached_control::cached_control;
pub(crate) use circumstances::circumstances;
pub(crate) use imported::imported;
pub(crate) use noticed::{endings, failures};
pub use page::Show;
pub(crate) use page::TerminalPage;
pub(crate) use stopping::stopping;

use difference::differences;
use headline::headline;
use noticed::{next, noticed};

/// All that is said of a report; `path` is where it lies, as it should be shown.
#[must_use]
pub fn summary_text<R>(report: &Report<R>, show: Show, path: Option<&str>) -> String {
    let mut page = TerminalPage::new(show);
    headline(&mut page, report);
    page.gap();
    page.line(0, &about(report));
    imported(report, show.lang).iter().for_each(|message| page.line(0, message));
    circumstances(report, |each| show.list(each)).iter().for_each(|line| page.line(0, line));
    if let Some(of) = &report.stopping {
        stopping::lines(&mut page, of);
    }
    page.text.push_str(&table::variants(report, show));
    page.gap();
    delivered::lines(&mut page, report);
    // Where judges only compare, there are no scores to differ.
    let is_scored = report.summary.values().any(|of| of.planned_scores > 0);
    for comparison in report.comparisons.iter().filter(|_| is_scored || report.pairwise.is_none()) {
        differences(&mut page, comparison, report);
    }
    if let Some(of) = &report.pairwise {
        pairwise::pairwise(&mut page, of);
    }
    if report.meta.settings.aa {
        same_artifact::lines(&mut page, report);
    }
    if let Some(of) = cached_control(report, show.lang) {
        page.line(0, &of);
        page.gap();
    }
    enough::repeats(&mut page, report);
    if let Some(of) = &report.holdout {
        holdout::holdout(&mut page, of);
    }
    judges::judges(&mut page, report);
    judges::tripwires(&mut page, report);
    if let Some(of) = &report.triggers {
        triggers::triggers(&mut page, of);
    }
    if let Some(gold) = &report.gold {
        gold::lines(&mut page, gold);
        page.gap();
    }
    gaps::gaps(&mut page, report);
    coverage::coverage(&mut page, report);
    noticed(&mut page, report);
    quality::summary(&mut page, &report.analysis.sample_quality);
    pages(&mut page, report);
    next(&mut page, report);
    page.gap();
    cost(&mut page, report);
    if let Some(path) = path {
        page.unbroken(&msg!("report-path", path = clean(path)));
    }
    page.text
}

/// How much was measured, with what.
pub(crate) fn about<R>(report: &Report<R>) -> Message {
    let meta = &report.meta;
    msg!(
        "report-about",
        samples = meta.sample_count,
        repeat = meta.repeat,
        executor = clip(&meta.executor, NAME),
        model = if meta.model.is_empty() { "none".to_owned() } else { clip(&meta.model, NAME) }
    )
}

/// The pages that stood in prompts in the place of URLs.
fn pages<R>(page: &mut TerminalPage, report: &Report<R>) {
    let lines = url_lines(&report.meta.urls, page.show.lang);
    if lines.is_empty() {
        return;
    }
    page.title(&msg!("page-extra-urls"));
    lines.iter().for_each(|line| page.bullet(&page.show.text(line)));
    page.gap();
}

fn cost<R>(page: &mut TerminalPage, report: &Report<R>) {
    let text: Vec<String> = costs(report).map(|part| page.show.text(&part)).collect();
    if !text.is_empty() {
        page.raw(0, &text.join(page.show.semicolon()));
    }
}

/// What the run cost, as far as that is known, and what was cached and retried.
pub(crate) fn costs<R>(report: &Report<R>) -> impl Iterator<Item = Message> + use<R> {
    let known = report.meta.known_cost_usd;
    let lost = report.meta.lost_calls;
    let message = match report.meta.total_cost_usd {
        Some(usd) if lost > 0 => msg!("report-cost-at-least", usd = Usd(usd).to_string(), count = lost),
        Some(usd) => msg!("report-cost", usd = Usd(usd).to_string()),
        None if known > 0.0 => msg!("report-cost-unknown", usd = Usd(known).to_string()),
        None => msg!("report-cost-unknown-all"),
    };
    // another tool's costs are no news where its files have none
    let is_told = report.meta.imported.is_none() || report.meta.total_cost_usd.is_some() || known > 0.0;
    let sum = |value: fn(&VariantSummary) -> u64| report.summary.values().map(value).sum::<u64>();
    let (cached, retried) = (sum(|of| of.cached), sum(|of| of.retried));
    [
        Some(message).filter(|_| is_told),
        (cached > 0).then(|| msg!("report-cached", count = cached)),
        (retried > 0).then(|| msg!("report-retried", count = retried)),
    ]
    .into_iter()
    .flatten()
}
