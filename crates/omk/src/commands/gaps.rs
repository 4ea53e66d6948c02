//! `omk gaps`: the gaps of a report with their statuses, and what people decide on them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use eval_cli::{CommandError, Terminal, exit};
use eval_format::{
    Analysis, GAP_STATUS_FILE, GapDecision, GapStatus, GapStatusFile, MergedGaps, lock_directory_of, write_whole,
};
use eval_grade::SameThings;
use eval_history::read_analysis;
use eval_message::msg;
use eval_render::{GapRow, gap_list_text};
use eval_spec::Context;
use eval_spec::gap::{SearchIntent, SignalKind};

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
            if reason.trim().is_empty() {
                return Err(CommandError::usage(msg!("cli-gaps-no-reason"), None));
            }
            decide(context, terminal, gap, Some(GapStatus::Dismissed), Some(reason.clone()))
        }
        GapsCommand::Reopen(arguments) => decide(context, terminal, arguments, None, None),
    }
}

fn list(context: &Context, terminal: &Terminal, arguments: &GapListArgs) -> Result<u8, CommandError> {
    let file = status_path(context, &arguments.of)?;
    let statuses = read_statuses(context, &file)?;
    let report = arguments.of.reports.find(terminal, context, &arguments.report)?;
    let report = read_analysis(&report).map_err(unreadable)?;
    let rows = rows(&report, &statuses);
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
        entries.filter(|of| of.kind == SignalKind::FailedSearch).filter_map(|of| of.id.as_deref()).collect();
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
fn rows(report: &Analysis, statuses: &GapStatusFile) -> Vec<GapRow> {
    let mut found: BTreeMap<&str, (String, u64, BTreeSet<&str>)> = BTreeMap::new();
    for entry in report.analysis.gap.values().flat_map(|of| of.inventory()) {
        let Some(id) = entry.id.as_deref().filter(|_| entry.intent != Some(SearchIntent::Verification)) else {
            continue;
        };
        let of = found.entry(id).or_insert_with(|| (entry.subject.clone(), 0, BTreeSet::new()));
        of.1 += 1;
        of.2.insert(&entry.sample_id);
    }
    let mut rows: Vec<GapRow> = found
        .into_iter()
        .map(|(id, (subject, signals, samples))| GapRow {
            id: id.to_owned(),
            subject,
            signals,
            samples: samples.into_iter().map(str::to_owned).collect(),
            decision: statuses.gaps.get(id).cloned(),
        })
        .collect();
    let is_dismissed = |row: &GapRow| row.decision.as_ref().is_some_and(|of| of.status == GapStatus::Dismissed);
    rows.sort_by_key(|row| (is_dismissed(row), std::cmp::Reverse(row.samples.len()), row.id.clone()));
    rows
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
    let _lock = lock_directory_of(&path).map_err(|error| CommandError::usage(error.message(), None))?;
    let mut file = read_statuses(context, &path)?;
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
    match status {
        Some(status) => {
            let at = format!("{:.0}", context.now());
            file.gaps.insert(id.clone(), GapDecision { subject: subject.clone(), status, reason, at });
        }
        None => {
            file.gaps.remove(id);
        }
    }
    let mut text = serde_json::to_string_pretty(&file).unwrap_or_default();
    text.push('\n');
    write_whole(&path, |out| out.write_all(text.as_bytes()))
        .map_err(|error| CommandError::io(msg!("cli-cannot-write", path = context.display(&path)))(error.source))?;
    let shown = context.display(&path);
    terminal.say(&match status {
        Some(GapStatus::Done) => msg!("cli-gaps-done", id = id, subject = subject, path = shown),
        Some(GapStatus::Dismissed) => msg!("cli-gaps-dismissed", id = id, subject = subject, path = shown),
        None => msg!("cli-gaps-open", id = id, subject = subject, path = shown),
    });
    Ok(exit::OK)
}

fn status_path(context: &Context, of: &GapsOf) -> Result<PathBuf, CommandError> {
    Ok(InputPlaces::find(context, of.project.as_deref())?.base.join(GAP_STATUS_FILE))
}
