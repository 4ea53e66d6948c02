//! `omk gaps`: the gaps of a report with their statuses, and what people decide on them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use eval_cli::{CommandError, Terminal, exit};
use eval_format::{
    Analysis, GAP_STATUS_FILE, GapDecision, GapEntry, GapStatus, GapStatusFile, MergedGaps, lock_directory_of,
    write_bounded,
};
use eval_gaps::KnowledgePages;
use eval_grade::SameThings;
use eval_history::read_analysis;
use eval_load as load;
use eval_message::msg;
use eval_render::{GapRow, gap_list_text};
use eval_spec::Context;
use eval_spec::files::LARGEST_TEXT;
use eval_spec::gap::{GapClass, SearchIntent, SignalKind};

use super::merging::same_things;
use super::one_judge::code;
use super::project::{InputPlaces, read_statuses};
use super::stored::unreadable;
use crate::cli::{GapArgs, GapDismissArgs, GapListArgs, GapsCommand, GapsOf};

pub(crate) fn run(context: &Context, terminal: &Terminal, command: &GapsCommand) -> Result<u8, CommandError> {
    match command {
        GapsCommand::List(arguments) => list(context, terminal, arguments),
        GapsCommand::Done(arguments) => decide(context, terminal, arguments, Some(GapStatus::Done), None),
        GapsCommand::Dismiss(GapDismissArgs { gap, reason }) => {
            decide(context, terminal, gap, Some(GapStatus::Dismissed), Some(said_reason(reason)?))
        }
        GapsCommand::Reopen(arguments) => decide(context, terminal, arguments, None, None),
    }
}

fn list(context: &Context, terminal: &Terminal, arguments: &GapListArgs) -> Result<u8, CommandError> {
    let file = status_path(context, &arguments.of)?;
    let statuses = read_statuses(context, &file)?;
    let report = arguments.of.reports.find(terminal, context, &arguments.report)?;
    let report = read_analysis(&report).map_err(unreadable)?;
    let rows = rows(&report, &statuses, &pages(context, &arguments.of)?);
    let (merged, interrupted) = merged(context, terminal, arguments, &report, &rows)?;
    let document =
        || serde_json::json!({ "report": report.id, "gap": report.analysis.gap, "gaps": rows, "merged": merged });
    terminal.json(document);
    terminal.text(&gap_list_text(&report, &rows, &merged, terminal.show()));
    Ok(code(interrupted))
}

/// The gaps that a model takes for one, where one may be asked. A sentence of doubt names no thing that was looked for, and what was
/// dismissed is no page to write.
fn merged(
    context: &Context,
    terminal: &Terminal,
    arguments: &GapListArgs,
    report: &Analysis,
    rows: &[GapRow],
) -> Result<(Vec<MergedGaps>, bool), CommandError> {
    let entries = report.analysis.gap.values().flat_map(|of| of.inventory());
    let searched: BTreeSet<&str> =
        entries.filter(|of| of.kind == SignalKind::FailedSearch).map(|of| of.id.as_str()).collect();
    let is_dismissed = |row: &GapRow| row.decision.as_ref().is_some_and(|of| of.status == GapStatus::Dismissed);
    let wanted: Vec<&GapRow> =
        rows.iter().filter(|row| searched.contains(row.id.as_str()) && !is_dismissed(row)).collect();
    let subjects: Vec<&str> = wanted.iter().map(|row| row.subject.as_str()).collect();
    let (same, interrupted) = same_things(context, terminal, &arguments.merging, &subjects)?;
    let one = |of: SameThings| {
        let each = |part: fn(&GapRow) -> &String| of.members.iter().map(|at| part(wanted[*at]).clone()).collect();
        let (ids, subjects) = (each(|row| &row.id), each(|row| &row.subject));
        MergedGaps { ids, subjects, confidence: of.confidence, reason: of.reason.clone() }
    };
    Ok((same.into_iter().map(one).collect(), interrupted))
}

/// The gaps of a report, wanted by most samples first. What was only verified to be absent is no page to write.
fn rows(report: &Analysis, statuses: &GapStatusFile, pages: &KnowledgePages) -> Vec<GapRow> {
    let mut found: BTreeMap<&str, Vec<&GapEntry>> = BTreeMap::new();
    for entry in report.analysis.gap.values().flat_map(|of| of.inventory()) {
        if entry.intent != Some(SearchIntent::Verification) {
            found.entry(&entry.id).or_default().push(entry);
        }
    }
    let wanted = || report.analysis.gap.values().flat_map(|of| of.wanted());
    let row = |(id, of): (&str, Vec<&GapEntry>)| {
        let distinct = |text: fn(&GapEntry) -> &String| {
            of.iter().map(|of| text(of).clone()).collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>()
        };
        let searched: BTreeSet<&str> =
            of.iter().filter(|of| of.kind == SignalKind::FailedSearch).map(|of| of.subject.as_str()).collect();
        let existing: BTreeSet<String> = searched.iter().flat_map(|subject| pages.having(subject)).collect();
        let facts = of.iter().filter(|of| of.class == GapClass::Knowledge).count();
        GapRow {
            id: id.to_owned(),
            subject: of.first().map(|of| of.subject.clone()).unwrap_or_default(),
            class: if facts * 2 >= of.len() { GapClass::Knowledge } else { GapClass::Code },
            question: wanted().find(|of| of.ids.iter().any(|own| own == id)).and_then(|of| of.question.clone()),
            members: distinct(|of| &of.subject),
            existing_pages: existing.into_iter().collect(),
            signals: of.len() as u64,
            samples: distinct(|of| &of.sample_id),
            decision: statuses.gaps.get(id).cloned(),
        }
    };
    let mut rows: Vec<GapRow> = found.into_iter().map(row).collect();
    let is_dismissed = |row: &GapRow| row.decision.as_ref().is_some_and(|of| of.status == GapStatus::Dismissed);
    rows.sort_by_key(|row| (is_dismissed(row), row.class, std::cmp::Reverse(row.samples.len()), row.id.clone()));
    rows
}

/// The pages of the project's knowledge base, as they are now; none where it can't be read, which `omk eval` says.
fn pages(context: &Context, of: &GapsOf) -> Result<KnowledgePages, CommandError> {
    let places = InputPlaces::find(context, of.project.as_deref())?;
    let file = places.file.as_ref().and_then(|file| load::eval_file(context, file).ok());
    let kb = file.and_then(|file| file.value.kb).unwrap_or_default();
    let base = load::knowledge_base(context, &kb, &places.base).unwrap_or_default();
    Ok(KnowledgePages::new(load::knowledge_texts(&base)))
}

/// Sets the status of a gap that the report or the file has; none reopens it.
fn decide(
    context: &Context,
    terminal: &Terminal,
    arguments: &GapArgs,
    status: Option<GapStatus>,
    reason: Option<String>,
) -> Result<u8, CommandError> {
    let path = status_path(context, &arguments.of)?;
    let file = read_statuses(context, &path)?;
    let id = &arguments.id;
    let known = file.gaps.get(id).map(|of| of.subject.clone());
    let subject = match known {
        Some(subject) => subject,
        None => {
            let report = arguments.of.reports.find(terminal, context, &arguments.report)?;
            let report = read_analysis(&report).map_err(unreadable)?;
            let entries = || report.analysis.gap.values().flat_map(|of| of.inventory());
            let found = entries().find(|entry| entry.is_of(id)).map(|entry| entry.subject.clone());
            found.ok_or_else(|| {
                CommandError::usage(
                    msg!("cli-gaps-unknown", id = id, report = report.id.clone()),
                    msg!("cli-gaps-unknown-help"),
                )
            })?
        }
    };
    GapChange { ids: vec![id.clone()], subject, status, reason }.write(context, terminal, &path)
}

/// The reason for a dismissal.
pub(super) fn said_reason(reason: &str) -> Result<String, CommandError> {
    match reason.trim().is_empty() {
        true => Err(CommandError::usage(msg!("cli-gaps-no-reason"), None)),
        false => Ok(reason.to_owned()),
    }
}

/// A decision on one gap, by the ids that it has; none reopens it.
pub(super) struct GapChange {
    pub(super) ids: Vec<String>,
    pub(super) subject: String,
    pub(super) status: Option<GapStatus>,
    pub(super) reason: Option<String>,
}

impl GapChange {
    pub(super) fn write(self, context: &Context, terminal: &Terminal, path: &Path) -> Result<u8, CommandError> {
        let GapChange { ids, subject, status, reason } = self;
        let _lock = lock_directory_of(path).map_err(|error| CommandError::usage(error.message(), None))?;
        let mut file = read_statuses(context, path)?;
        let at = format!("{:.0}", context.now());
        for id in &ids {
            match status {
                Some(status) => {
                    let (subject, reason, at) = (subject.clone(), reason.clone(), at.clone());
                    file.gaps.insert(id.clone(), GapDecision { subject, status, reason, at });
                }
                None => _ = file.gaps.remove(id),
            }
        }
        let mut text = serde_json::to_string_pretty(&file).unwrap_or_default();
        text.push('\n');
        write_bounded(path, LARGEST_TEXT, |out| out.write_all(text.as_bytes()))
            .map_err(|error| CommandError::io(msg!("cli-cannot-write", path = context.display(path)))(error.source))?;
        let (id, shown) = (ids.first().cloned().unwrap_or_default(), context.display(path));
        terminal.say(&match status {
            Some(GapStatus::Done) => msg!("cli-gaps-done", id = id, subject = subject, path = shown),
            Some(GapStatus::Dismissed) => msg!("cli-gaps-dismissed", id = id, subject = subject, path = shown),
            None => msg!("cli-gaps-open", id = id, subject = subject, path = shown),
        });
        Ok(exit::OK)
    }
}

fn status_path(context: &Context, of: &GapsOf) -> Result<PathBuf, CommandError> {
    Ok(InputPlaces::find(context, of.project.as_deref())?.base.join(GAP_STATUS_FILE))
}
