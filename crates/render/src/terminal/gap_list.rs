//! What `omk gaps list` shows: the gaps of a report with their statuses.

use eval_format::{Analysis, GapDecision, GapStatus, MergedGaps, gap_notice};
use eval_message::plain::{clean, clip};
use eval_message::{Message, msg};
use eval_spec::gap::GapClass;
use serde::Serialize;

use super::{Show, TerminalPage};
use crate::terminal::harmless;
use crate::terminal::names::{NAME, id};

/// How much of what was looked for is shown.
const SUBJECT: usize = 60;
/// How much of a question is shown.
const QUESTION: usize = 40;
/// How many samples are named.
const SAMPLES: usize = 4;

/// A gap of a report: all its signals together.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GapRow {
    /// Its id, the same from report to report.
    pub id: String,
    /// What was looked for, or the sentence.
    pub subject: String,
    /// What is missing: a fact for a page, or a place in code.
    pub class: GapClass,
    /// The question of the first of the samples; `None` where that has no prompt.
    pub question: Option<String>,
    /// The texts that were looked for, each once.
    pub members: Vec<String>,
    /// Pages of the knowledge base that have the words: they exist, and were not found.
    pub existing_pages: Vec<String>,
    /// Signals.
    pub signals: u64,
    /// The samples that have one.
    pub samples: Vec<String>,
    /// What people decided; `None` while it is open.
    pub decision: Option<GapDecision>,
}

/// The rates with their test set, a table of the gaps, and which of them a model takes for one.
#[must_use]
pub fn gap_list_text(report: &Analysis, rows: &[GapRow], merged: &[MergedGaps], show: Show) -> String {
    let mut page = TerminalPage::new(show);
    for (variant, of) in &report.analysis.gap {
        page.line(0, &harmless(&of.sentence(&clip(variant, NAME))));
    }
    if !report.analysis.gap.is_empty() {
        page.line(0, &gap_notice());
        page.gap();
    }
    if rows.is_empty() {
        page.line(0, &msg!("gaps-list-none"));
        return page.text;
    }
    for (class, title) in [(GapClass::Knowledge, None), (GapClass::Code, Some(msg!("observe-inbox-code")))] {
        let part: Vec<&GapRow> = rows.iter().filter(|row| row.class == class).collect();
        if part.is_empty() {
            continue;
        }
        if let Some(title) = title {
            page.gap();
            page.title(&title);
        }
        page.table(0, &table(&part, show));
    }
    for of in rows.iter().filter(|of| !of.existing_pages.is_empty()) {
        let list =
            of.existing_pages.iter().map(|name| format!("`{}`", clip(&clean(name), SUBJECT))).collect::<Vec<_>>();
        page.line(0, &msg!("gaps-list-exists", id = of.id.clone(), list = list.join(", ")));
    }
    for of in rows {
        if let Some(reason) = of.decision.as_ref().and_then(|of| of.reason.as_ref()) {
            page.line(0, &msg!("gaps-list-reason", id = of.id.clone(), reason = clip(&clean(reason), SUBJECT * 2)));
        }
    }
    if !merged.is_empty() {
        page.gap();
    }
    for of in merged {
        page.line(0, &same(of, show));
    }
    page.text
}

/// The gaps, each by the question behind it and with its searches.
fn table(rows: &[&GapRow], show: Show) -> Vec<[String; 5]> {
    let heads = [
        msg!("gaps-list-id"),
        msg!("gaps-list-status"),
        msg!("gaps-list-samples"),
        msg!("gaps-list-question"),
        msg!("gaps-list-subject"),
    ];
    let row = |of: &&GapRow| {
        let status = match of.decision.as_ref().map(|of| of.status) {
            // It was found in this report, so it is back.
            Some(GapStatus::Done) => msg!("gaps-list-back"),
            Some(GapStatus::Dismissed) => msg!("gaps-list-dismissed"),
            None => msg!("gaps-list-open"),
        };
        let named: Vec<String> = of.samples.iter().take(SAMPLES).map(|sample| id(sample)).collect();
        let more = if of.samples.len() > SAMPLES { ", …" } else { "" };
        let samples = format!("{} ({}{more})", of.samples.len(), named.join(", "));
        let question = of.question.as_deref().map_or_else(|| "–".to_owned(), |text| clip(&clean(text), QUESTION));
        let members = of.members.iter().map(|text| clean(text)).collect::<Vec<_>>().join(", ");
        [of.id.clone(), show.text(&status), samples, question, clip(&members, SUBJECT)]
    };
    std::iter::once(heads.map(|head| show.text(&head))).chain(rows.iter().map(row)).collect()
}

/// What a model takes for one thing, and why.
pub(super) fn same(of: &MergedGaps, show: Show) -> Message {
    let subject =
        |(subject, id): (&String, &String)| format!("{} ({})", clip(&clean(subject), NAME), clip(&clean(id), NAME));
    let list: Vec<String> = of.subjects.iter().zip(&of.ids).map(subject).collect();
    let (confidence, reason) = (format!("{:.2}", of.confidence), clip(&clean(&of.reason), SUBJECT * 2));
    msg!("gaps-merged", list = show.list(&list), confidence = confidence, reason = reason)
}
