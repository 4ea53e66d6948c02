//! `--resume`: an interrupted run continues with the settings it began with, if its inputs are unchanged.

use eval_cli::driver::Start;
use eval_cli::driver::journal::{begun_in, refuse_masked};
use eval_cli::{CommandError, Terminal};
use eval_load::ChangedPath;
use eval_message::{Lang, Message, msg};
use eval_run::{AskedAgain, Journal};
use eval_spec::Context;
use eval_spec::record::Header;
use eval_spec::suite::Written;
use serde_json::Value;

use super::project::{self, Chosen, KnownUrls, Named, Project, urls};
use super::regrade;
use super::work::ProjectWork;
use crate::commands::project::purpose::Purpose;
use crate::commands::stored::directory;
use crate::commands::stored_run::{find, refuse_masked_judge, stored_settings, trees};

/// What is done with a journal before its run goes on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reopening {
    /// Whether what failed is asked again.
    pub(crate) retries_failed: bool,
    /// Whether a line that can't be used is refused.
    pub(crate) is_strict: bool,
    /// Whether agents may find other files in their working directories than the run began with.
    pub(crate) accepts_changes: bool,
    /// Whether the project's MCP servers may be started.
    pub(crate) trusts_servers: bool,
}

/// Opens the run `id`, or the last one with `latest`. Flags override the run's settings, but must not change what is
/// measured. Relative paths of the run's settings refer to the directory where it began. `how` is what is asked
/// again.
pub(crate) fn open(
    context: &Context,
    terminal: &Terminal,
    id: &str,
    flags: Written,
    how: Reopening,
) -> Result<(ProjectWork, Start), CommandError> {
    let flags = project::absolute(context, flags);
    let path = find(context, id)?;
    let header = Journal::read_header(&path)?;
    let stored = stored_settings(context, &path, &header)?;
    if flags.executor.is_none() {
        refuse_masked(&stored.executor, msg!("cli-resume-secret-help", id = &header.id))?;
    }
    refuse_masked_judge(&flags, &stored, &header.id)?;
    if flags.record.is_some() && flags.record.as_ref() != Some(&stored.record) {
        return Err(CommandError::usage(msg!("cli-resume-record"), msg!("cli-resume-record-help")));
    }
    let names_servers = flags.mcp_config.is_some();
    let settings = project::merge(flags, stored.into_written()).resolve();
    project::check_settings(&settings)?;
    let purpose = match header.regrade_of {
        Some(_) => Purpose::Regrade(Box::new(regrade::answered_by(&header)?)),
        None => Purpose::Run,
    };
    let chosen = Chosen {
        order_seed: regrade::order_seed(&settings, &header).filter(|_| header.regrade_of.is_some()),
        settings,
        named: Named::default(),
        trees: Some(trees(&header)),
        urls: Some(KnownUrls { run: header.id.clone(), urls: header.urls.clone(), names_servers }),
    };
    let begun_in = begun_in(context, &header);
    if how.trusts_servers {
        urls::trust(&begun_in, terminal, &chosen)?;
    }
    let work = ProjectWork::load(&begun_in, chosen, purpose)?;
    if work.plan.hash != header.plan_hash {
        return Err(changed(&header, &work.project, context.lang));
    }
    let mut journal = Journal::resume(&path)?;
    journal.check_lines(how.is_strict)?;
    regrade::take_over_rest(context, &work.project, &journal, &work.plan)?;
    refuse_lost_answers(context, &work, &journal)?;
    if how.retries_failed {
        terminal.note(&asked_again(journal.retry_failed(&work.plan)?));
    }
    if header.regrade_of.is_none() && !journal.is_answered(&work.plan) {
        check_files(context, terminal, &header, &work.project, how.accepts_changes)?;
    }
    Ok((ProjectWork { context: context.clone(), ..work }, Start::GoOn(Box::new(journal))))
}

/// Refuses a journal that lacks answers of the run's own report: asked again, they would replace what was measured, and be no look of
/// their own. What a line held that can't be used is asked again, and counts as such.
fn refuse_lost_answers(context: &Context, work: &ProjectWork, journal: &Journal) -> Result<(), CommandError> {
    let id = &journal.header().id;
    let path = eval_format::report_path(id, &directory(context, &work.project.suite.settings));
    let Some(report) = path.ok().and_then(|path| eval_history::read_analysis(&path).ok()) else { return Ok(()) };
    let reported: u64 = report.summary.values().map(|of| of.success_count).sum();
    let left = u64::try_from(journal.answers() + journal.bad_line_count()).unwrap_or(u64::MAX);
    match reported.checked_sub(left).filter(|lost| *lost > 0) {
        Some(lost) => {
            let help = msg!("cli-resume-answers-gone-help");
            Err(CommandError::usage(msg!("cli-resume-answers-gone", id = id, count = lost), help))
        }
        None => Ok(()),
    }
}

/// Answers beside other files are another measurement, so going on with them is a decision of the user's.
fn check_files(
    context: &Context,
    terminal: &Terminal,
    header: &Header,
    project: &Project,
    is_accepted: bool,
) -> Result<(), CommandError> {
    let changed = project.changed_files(header.started_at.into());
    if changed.is_empty() {
        return Ok(());
    }
    let name = |of: &ChangedPath| match of {
        ChangedPath::Written(path) => context.display(path),
        ChangedPath::RemovedFrom(path) => msg!("cli-files-removed", folder = context.display(path)).text(context.lang),
    };
    let names: Vec<String> = changed.iter().map(name).collect();
    let files = listed(&names);
    if is_accepted {
        terminal.note(&msg!("cli-files-accepted", files = files));
        return Ok(());
    }
    let help = msg!("cli-files-changed-help", id = &header.id);
    Err(CommandError::usage(msg!("cli-files-changed", id = &header.id, files = files), help))
}

/// The first few names.
fn listed(names: &[String]) -> String {
    let shown = names.iter().take(5).map(String::as_str).collect::<Vec<_>>().join(", ");
    if names.len() > 5 { format!("{shown}, …") } else { shown }
}

fn asked_again(of: AskedAgain) -> Message {
    match of {
        AskedAgain { executions: 0, answers: 0, pairs: 0 } => msg!("cli-retry-nothing"),
        AskedAgain { executions, answers, pairs } => {
            msg!("cli-retry-failed", executions = executions, answers = answers, pairs = pairs)
        }
    }
}

fn changed(header: &Header, project: &Project, lang: Lang) -> CommandError {
    let now = project.inputs();
    let mut changes = Vec::new();
    for (section, value) in now.as_object().into_iter().flatten() {
        let before = &header.inputs[section];
        match section.as_str() {
            "samples" => changes.extend(differing(before, value).map(|name| msg!("cli-change-sample", name = name))),
            "variants" => changes.extend(differing(before, value).map(|name| msg!("cli-change-variant", name = name))),
            "cwd" => changes.extend(differing(before, value).map(|name| msg!("cli-change-cwd", path = name))),
            "scripts" => changes.extend(differing(before, value).map(|name| msg!("cli-change-other", name = name))),
            "permissions" => {
                let of = |name| msg!("cli-change-permissions", name = name);
                changes.extend(differing(before, value).map(of));
            }
            "urls" => changes.extend(differing(before, value).map(|name| msg!("cli-change-other", name = name))),
            "executor" => changes.extend(executor_changes(before, value)),
            _ if before != value => changes.push(msg!("cli-change-other", name = section)),
            _ => {}
        }
    }
    if changes.is_empty() {
        changes.push(msg!("cli-change-unknown"));
    }
    let changes: Vec<String> = changes.iter().map(|change| change.text(lang)).collect();
    let executor = |of: &Value| program(&of["executor"]);
    // No answer of another program fits, and the cache knows it.
    let help = match executor(&header.inputs) == executor(&now) {
        true => msg!("cli-plan-changed-help"),
        false => msg!("cli-plan-changed-program-help"),
    };
    CommandError::usage(msg!("cli-plan-changed", id = &header.id, changes = listed(&changes)), help)
}

/// What differs of two executors' identities. What they are told about sandbox and network has sections of its own.
fn executor_changes(before: &Value, now: &Value) -> Vec<Message> {
    let mut changes = Vec::new();
    if program(before) != program(now) {
        changes.push(msg!("cli-change-program", before = program(before), now = program(now)));
    }
    let rest = |of: &Value| {
        let fields = of.as_object().cloned().unwrap_or_default().into_iter();
        let is_said = |name: &str| ["version", "program", "sandbox"].contains(&name);
        fields.filter(|(name, _)| !is_said(name)).collect::<serde_json::Map<_, _>>()
    };
    if rest(before) != rest(now) {
        changes.push(msg!("cli-change-other", name = "executor"));
    }
    changes
}

/// The version of an executor's program with its hash.
fn program(of: &Value) -> String {
    let parts = [&of["version"], &of["program"]["sha256"]];
    parts.iter().filter_map(|part| part.as_str()).collect::<Vec<_>>().join(", ")
}

/// Names whose value differs, or that only one of two objects has.
pub(crate) fn differing(before: &Value, now: &Value) -> impl Iterator<Item = String> {
    let empty = serde_json::Map::new();
    let before = before.as_object().unwrap_or(&empty).clone();
    let now = now.as_object().unwrap_or(&empty).clone();
    let gone: Vec<String> = before.keys().filter(|name| !now.contains_key(*name)).cloned().collect();
    let new: Vec<String> =
        now.iter().filter(|(name, hash)| before.get(*name) != Some(hash)).map(|(name, _)| name.clone()).collect();
    gone.into_iter().chain(new)
}
