//! The summary for a terminal: on one screen ([`brief_text`]), or all of it, verdict first ([`summary_text`]). What other
//! commands show is beside it.
//!
//! It reads nothing but the report, so a stored one gives the same text. Colour marks only what words say too.

mod brief;
mod by_key;
mod failures;
mod gap_list;
pub mod layout;
pub mod length_shift;
mod page;
mod plan;
mod power;
mod recomputed;
mod sample;
mod trend;

use eval_analysis::{GoldDispute, PeopleReport};
use eval_format::{GoldReport, Observation, Report};
use eval_history::Diff;
use eval_message::msg;
use eval_message::plain::clean;

use crate::document::{Block, Depth, costs, diff, gold, observation, people, sections};
use crate::show::Show;

pub use brief::{StoredAt, brief_text};
pub use by_key::by_key_text;
pub use failures::failures_text;
pub use gap_list::{GapRow, gap_list_text};
pub use layout::{columns, pad, widest, wrap};
pub(crate) use page::TerminalPage;
pub use plan::plan_text;
pub use power::power_text;
pub use recomputed::recomputed_text;
pub use sample::sample_text;
pub use trend::trend_text;

/// Gap signals of a variant that are listed.
const SIGNALS: usize = 10;

/// All that is said of a report; `path` is where it lies, as it should be shown.
#[must_use]
pub fn summary_text<R>(report: &Report<R>, show: Show, path: Option<&str>) -> String {
    let mut page = TerminalPage::new(show);
    let depth = Depth {
        treatments: usize::MAX,
        signals: SIGNALS,
        with_filtered: false,
        with_counts: show.columns() >= 80,
        with_exit: show.exit_code,
    };
    sections(report, show.lang, depth).iter().for_each(|(_, blocks)| page.section(blocks));
    let costs: Vec<String> = costs(report).iter().map(|part| show.text(part)).collect();
    page.gap();
    if !costs.is_empty() {
        page.raw(0, &costs.join(show.semicolon()));
    }
    if let Some(path) = path {
        page.unbroken(&msg!("report-path", path = clean(path)));
    }
    page.text
}

fn written(sections: impl IntoIterator<Item = Vec<Block>>, show: Show) -> String {
    let mut page = TerminalPage::new(show);
    sections.into_iter().for_each(|blocks| page.section(&blocks));
    page.text
}

/// The gold of a report, or of a comparison of its own.
#[must_use]
pub fn gold_text(gold: &GoldReport, show: Show) -> String {
    written([gold::blocks(gold)], show)
}

/// Returns where gold and judge disagree.
#[must_use]
pub fn gold_disputes_text(all: &[GoldDispute], report: &str, dir: &str, show: Show) -> String {
    written([people::gold_disputes(all, report, dir)], show)
}

/// People's opinions and their disagreements with the judge.
#[must_use]
pub fn people_text(people: &PeopleReport, report: &str, show: Show) -> String {
    written([people::blocks(people, report)], show)
}

#[must_use]
pub fn diff_text(of: &Diff, show: Show) -> String {
    written(diff::diff(of), show)
}

#[must_use]
pub fn observation_text(of: &Observation, show: Show) -> String {
    written(observation::observation(of), show)
}

/// Returns what is missing again and again, with the places that show it.
#[must_use]
pub fn inbox_text(of: &Observation, show: Show) -> String {
    written(observation::inbox(of), show)
}

#[must_use]
pub fn observation_diff_text(a: &Observation, b: &Observation, show: Show) -> String {
    written(observation::observation_diff(a, b), show)
}
