//! Commands to copy: what to do next.

use eval_format::Report;
use eval_message::plain::clean;
use eval_message::{Message, msg};

use crate::terminal::layout::columns;
use crate::terminal::page::TerminalPage;

/// Place of a report.
#[derive(Clone, Copy, Debug)]
pub struct StoredAt<'a> {
    /// Path, as it should be shown.
    pub path: &'a str,
    /// How commands name it: its path, its id or `latest`.
    pub report: &'a str,
}

impl StoredAt<'_> {
    /// The report as a word of a command.
    pub(super) fn named(self) -> Option<String> {
        word(self.report)
    }
}

/// A word of a command line, quoted where a shell would read it otherwise; `None` for what no terminal can show.
fn word(text: &str) -> Option<String> {
    let is_plain = clean(text) == text && !text.starts_with('-');
    is_plain.then(|| shlex::try_quote(text).ok()).flatten().map(Into::into)
}

/// Commands that look closer, each with what it shows; in one line where there is no room for that.
pub(super) fn commands<R>(page: &mut TerminalPage, report: &Report<R>, at: StoredAt<'_>, explained: bool) {
    let Some(named) = at.named() else { return };
    let show = page.show;
    let closest = closest(report).and_then(|(sample, why)| Some((format!("omk show {}", word(sample)?), why)));
    let has_failed = report.summary.values().any(|of| of.checks.failed > 0 || of.error_count > 0);
    let failures = has_failed.then(|| (format!("omk failures {named}"), msg!("report-brief-failures")));
    let diff = (!report.comparisons.is_empty()).then(|| (format!("omk diff {named}"), msg!("report-brief-diff")));
    // the sample comes first, then the report, which is the last one unless it is named
    let closest = closest.map(|(command, why)| match at.report {
        "latest" => (command, why),
        _ => (format!("{command} {named}"), why),
    });
    let all: Vec<(String, Message)> = [closest, failures, diff].into_iter().flatten().collect();
    match explained {
        true => {
            let rows: Vec<Vec<String>> = all.into_iter().map(|(command, why)| vec![command, show.text(&why)]).collect();
            let fit = |line: &String| unicode_width::UnicodeWidthStr::width(line.as_str()) + 2 <= show.columns();
            let lines = columns(&rows);
            let bare = rows.iter().map(|row| row[0].clone()).collect();
            let lines = if lines.iter().all(fit) { lines } else { bare };
            lines.iter().for_each(|line| page.text.push_str(&format!("  {line}\n")));
        }
        false if !all.is_empty() => {
            let line: Vec<String> = all.into_iter().map(|(command, _)| format!("`{command}`")).collect();
            page.raw(2, &show.list(&line));
        }
        false => {}
    }
}

/// The sample to read first: that which fell most, else that which rose most, else one that is no pair.
fn closest<R>(report: &Report<R>) -> Option<(&str, Message)> {
    let worst = report.comparisons.iter().filter_map(|of| of.moved.worse.first());
    if let Some(one) = worst.min_by(|a, b| a.diff.total_cmp(&b.diff)) {
        return Some((&one.sample_id, msg!("report-brief-show-worse")));
    }
    if let Some(one) = report.comparisons.iter().find_map(|of| of.excluded.first()) {
        return Some((&one.sample_id, msg!("report-brief-show-excluded")));
    }
    let best = report.comparisons.iter().filter_map(|of| of.moved.better.first());
    best.max_by(|a, b| a.diff.total_cmp(&b.diff)).map(|one| (&*one.sample_id, msg!("report-brief-show-better")))
}
