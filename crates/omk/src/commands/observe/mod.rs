//! `omk observe`: how skills do in sessions of real use.

mod files;
mod period;

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use eval_cli::{CommandError, Terminal, exit};
use eval_format::{
    GAP_STATUS_FILE, GapGroup, GapStatus, Observation, ObservationSources, UnreadFile, bounded, evaluation_id,
    read_observation, write_private,
};
use eval_gaps::{GapPatterns, KnowledgeFiles, KnowledgePages};
use eval_load as load;
use eval_message::msg;
use eval_observe::{
    Knowledge, NamedSession, ObservedKnowledge, SameGroups, Segment, SessionRead, SessionReading, SubAgentFile,
    limited_inbox, merged_inbox, observe, read_session,
};
use eval_render::{inbox_text, observation_diff_text, observation_text};
use eval_spec::Context;
use eval_spec::files::LARGEST_REPORT;
use rayon::prelude::*;

use self::files::{FoundFiles, SessionFiles, find, own_folders, started_by};
use self::period::Period;
use super::gaps::{GapChange, said_reason};
use super::masking::mask;
use super::merging::same_things;
use super::one_judge::code;
use super::project::{InputPlaces, read_statuses};
use super::stored::usual_directory;
use crate::cli::{AnalysesDir, ObserveArgs, ObserveCommand, ObservedGapArgs, ObservedGapDismissArgs};

/// How much of a session's file is read at once, in bytes.
const BUFFER: usize = 1 << 20;

pub(crate) fn run(context: &Context, terminal: &Terminal, arguments: &ObserveArgs) -> Result<u8, CommandError> {
    match &arguments.command {
        None => observed(context, terminal, arguments),
        Some(ObserveCommand::Show(of)) => {
            let found = stored(context, &of.analyses, &of.observation)?;
            terminal.json(|| serde_json::to_value(&found).unwrap_or_default());
            terminal.text(&observation_text(&found, terminal.show()));
            Ok(exit::OK)
        }
        Some(ObserveCommand::Inbox(of)) => {
            let mut found = stored(context, &of.stored.analyses, &of.stored.observation)?;
            if let Some((Knowledge { project, files }, pages)) = knowledge(context, &of.kb, false)? {
                let (limited, elsewhere) = limited_inbox(std::mem::take(&mut found.inbox), &project, &files, &pages);
                found.inbox = limited;
                found.sources.knowledge_base = named(context, &of.kb);
                found.sources.searches_elsewhere = elsewhere;
            }
            // Code and what is decided is no page to write.
            let (wanted, rest): (Vec<GapGroup>, Vec<GapGroup>) =
                std::mem::take(&mut found.inbox).into_iter().partition(GapGroup::is_wanted);
            let subjects: Vec<&str> = wanted.iter().map(|group| group.subject.as_str()).collect();
            let (same, interrupted) = same_things(context, terminal, &of.merging, &subjects)?;
            let same: Vec<SameGroups> = same
                .into_iter()
                .map(|same| SameGroups { members: same.members, confidence: same.confidence, reason: same.reason })
                .collect();
            found.inbox = merged_inbox(wanted, &same);
            found.inbox.extend(rest);
            terminal.json(|| serde_json::to_value(&found.inbox).unwrap_or_default());
            terminal.text(&inbox_text(&found, terminal.show()));
            Ok(code(interrupted))
        }
        Some(ObserveCommand::Done(of)) => decide(context, terminal, of, Some(GapStatus::Done), None),
        Some(ObserveCommand::Dismiss(ObservedGapDismissArgs { gap, reason })) => {
            let reason = said_reason(reason)?;
            decide(context, terminal, gap, Some(GapStatus::Dismissed), Some(reason))
        }
        Some(ObserveCommand::Reopen(of)) => decide(context, terminal, of, None, None),
        Some(ObserveCommand::Compare(of)) => {
            let [a, b] = [&of.a, &of.b].map(|id| stored(context, &of.analyses, id));
            let (a, b) = (a?, b?);
            terminal.json(|| serde_json::json!({ "a": &a, "b": &b }));
            terminal.text(&observation_diff_text(&a, &b, terminal.show()));
            Ok(exit::OK)
        }
    }
}

/// Sets the status of a gap of the inbox, for all ids of its entry; none reopens it.
fn decide(
    context: &Context,
    terminal: &Terminal,
    of: &ObservedGapArgs,
    status: Option<GapStatus>,
    reason: Option<String>,
) -> Result<u8, CommandError> {
    let found = stored(context, &of.analyses, &of.observation)?;
    let group = found.inbox.iter().find(|group| group.id == of.id || group.ids.contains(&of.id)).ok_or_else(|| {
        CommandError::usage(
            msg!("observe-gap-unknown", id = of.id.clone(), observation = found.id.clone()),
            msg!("observe-gap-unknown-help"),
        )
    })?;
    let ids = std::iter::once(&group.id).chain(&group.ids).cloned().collect();
    let change = GapChange { ids, subject: group.subject.clone(), status, reason };
    change.write(context, terminal, &directory(context, &of.analyses).join(GAP_STATUS_FILE))
}

fn observed(context: &Context, terminal: &Terminal, arguments: &ObserveArgs) -> Result<u8, CommandError> {
    let now = context.clock.now();
    let period = Period::new(now, arguments.last.as_deref(), arguments.from.as_deref(), arguments.to.as_deref())?;
    let is_own = arguments.paths.is_empty();
    let paths = match is_own {
        true => own_folders(context),
        false => arguments.paths.iter().map(|path| context.absolute(path)).collect(),
    };
    if let Some(missing) = paths.iter().find(|path| !path.exists()) {
        return Err(CommandError::usage(msg!("observe-no-path", path = context.display(missing)), None));
    }
    let FoundFiles { sessions, unread } = find(context, &paths);
    if sessions.is_empty() && unread.is_empty() {
        let looked = paths.iter().map(|path| context.display(path)).collect::<Vec<_>>().join(", ");
        let nothing = if is_own { msg!("observe-nothing-own") } else { msg!("observe-nothing", looked = looked) };
        return Err(CommandError::usage(nothing, msg!("observe-nothing-help")));
    }
    let (knowledge, pages) = knowledge(context, &arguments.kb, is_own)?.unzip();
    let reading = SessionReading {
        mask: mask(context),
        knowledge,
        rules: rules(context, terminal),
        thinking: arguments.thinking,
    };
    let wanted = |segment: &Segment| {
        let is_asked = |skill: &String| arguments.skills.contains(skill);
        period.contains(segment.started_at)
            && (arguments.skills.is_empty() || segment.skill.as_ref().is_some_and(is_asked))
    };
    // Some agents keep the sessions of all projects together.
    let is_here = |session: &SessionRead| {
        !is_own || session.info.cwd.as_deref().is_none_or(|cwd| Path::new(cwd).starts_with(&context.cwd))
    };
    let (mut read, mut sources) = read_all(context, terminal, &reading, &sessions, unread, is_here);
    read.iter_mut().for_each(|(_, session)| session.segments.retain(wanted));
    sources.paths = paths.iter().map(|path| context.display(path)).collect();
    sources.from = period.from.map(|at| at.to_string());
    sources.to = period.to.map(|at| at.to_string());
    sources.skills.clone_from(&arguments.skills);
    sources.thinking = arguments.thinking;
    let directory = directory(context, &arguments.analyses);
    let id = evaluation_id(now, |id| directory.join(format!("{id}.json")).exists());
    sources.knowledge_base = named(context, &arguments.kb);
    let known = ObservedKnowledge {
        files: reading.knowledge.as_ref().map(|of| &of.files),
        pages: pages.as_ref(),
        is_limit: !arguments.kb.is_empty(),
    };
    let statuses = read_statuses(context, &directory.join(GAP_STATUS_FILE))?;
    let found = observe(id, now.to_string(), &read, sources, known).decided(&statuses);
    if found.overall.segments == 0 {
        if let Some(of) = found.sources.unread_files.first().filter(|_| read.is_empty()) {
            let why = msg!("observe-unread", path = of.path.clone(), why = of.reason.clone());
            return Err(CommandError::usage(why, msg!("observe-nothing-help")));
        }
        return Err(CommandError::usage(
            msg!("observe-no-segments", sessions = sessions.len()),
            msg!("observe-no-segments-help"),
        ));
    }
    let path = directory.join(format!("{}.json", found.id));
    let write = || -> std::io::Result<()> {
        std::fs::create_dir_all(&directory)?;
        let text = bounded(LARGEST_REPORT, |to| Ok(serde_json::to_writer_pretty(to, &found)?))?;
        write_private(&path, &text).map_err(std::io::Error::other)
    };
    write().map_err(CommandError::io(msg!("cli-cannot-write", path = context.display(&path))))?;
    terminal.json(|| serde_json::to_value(&found).unwrap_or_default());
    terminal.text(&observation_text(&found, terminal.show()));
    terminal.say(&msg!("observe-stored", path = context.display(&path)));
    Ok(exit::OK)
}

/// Reads all sessions, on all processors; a session that can't be read on costs itself.
fn read_all(
    context: &Context,
    terminal: &Terminal,
    reading: &SessionReading,
    sessions: &[SessionFiles],
    unread: Vec<UnreadFile>,
    is_here: impl Fn(&SessionRead) -> bool,
) -> (Vec<NamedSession>, ObservationSources) {
    let mut sources = ObservationSources { unread_files: unread, ..ObservationSources::default() };
    let done = AtomicUsize::new(0);
    let results: Vec<_> = sessions
        .par_iter()
        .map(|files| {
            let read = read(context, reading, files);
            let count = done.fetch_add(1, Ordering::Relaxed) + 1;
            if count.is_multiple_of(1000) {
                terminal.note(&msg!("observe-progress", done = count, all = sessions.len()));
            }
            read
        })
        .collect();
    let mut all = Vec::new();
    for (files, result) in sessions.iter().zip(results) {
        let path = context.display(&files.path);
        match result {
            Ok(session) if !is_here(&session) => {}
            Ok(session) => {
                *sources.formats.entry(files.format.name.to_owned()).or_default() += 1;
                sources.unreadable_lines += session.skipped.unreadable as u64;
                sources.unknown_records += session.skipped.unknown as u64;
                all.push((path, session));
            }
            Err(error) => sources.unread_files.push(UnreadFile { path, reason: error.to_string() }),
        }
    }
    (all, sources)
}

fn read(context: &Context, reading: &SessionReading, files: &SessionFiles) -> std::io::Result<SessionRead> {
    let open = |path: &PathBuf| Ok::<_, std::io::Error>(BufReader::with_capacity(BUFFER, File::open(path)?));
    let mut sub_agents = Vec::new();
    for path in &files.sub_agents {
        sub_agents.push(SubAgentFile { path: context.display(path), started_by: started_by(path), file: open(path)? });
    }
    read_session(files.format, reading, open(&files.path)?, sub_agents)
}

/// The knowledge base whose files are counted: the one that was named, else, for sessions of this project, the one that the
/// project declares.
fn knowledge(
    context: &Context,
    kb: &[PathBuf],
    is_own: bool,
) -> Result<Option<(Knowledge, KnowledgePages)>, CommandError> {
    if kb.is_empty() && !is_own {
        return Ok(None);
    }
    let kb: Vec<PathBuf> = kb.iter().map(|path| context.absolute(path)).collect();
    let base = load::knowledge_base(context, &kb, &context.cwd)?;
    let files = KnowledgeFiles::new(&base);
    let pages = || KnowledgePages::new(load::knowledge_texts(&base));
    Ok((!files.is_empty()).then(|| (Knowledge { project: base.cwd.clone(), files }, pages())))
}

/// The paths of a knowledge base as they are shown.
fn named(context: &Context, kb: &[PathBuf]) -> Vec<String> {
    kb.iter().map(|path| context.display(&context.absolute(path))).collect()
}

/// What the `eval.yaml` here says of gaps. One that is no file of ours says nothing.
fn rules(context: &Context, terminal: &Terminal) -> GapPatterns {
    let file = InputPlaces::find(context, None).ok().and_then(|places| places.file);
    let Some(file) = file else { return GapPatterns::default() };
    match load::eval_file(context, &file) {
        Ok(loaded) => loaded.value.gap.map(|rules| GapPatterns::new(&rules)).unwrap_or_default(),
        Err(problems) => {
            let why = problems.0.first().map(|problem| problem.message.to_string()).unwrap_or_default();
            terminal.note(&msg!("observe-no-rules", file = context.display(&file), why = why));
            GapPatterns::default()
        }
    }
}

/// Where observations are stored: beside the reports.
pub(super) fn directory(context: &Context, of: &AnalysesDir) -> PathBuf {
    match &of.analyses_dir {
        Some(directory) => context.absolute(directory),
        None => usual_directory(context).with_file_name("analyses"),
    }
}

/// A stored observation by its id, its file, or `latest`.
pub(super) fn stored(context: &Context, of: &AnalysesDir, wanted: &str) -> Result<Observation, CommandError> {
    let directory = directory(context, of);
    let path = match wanted {
        "latest" => newest(&directory).ok_or_else(|| {
            CommandError::usage(
                msg!("observe-none-stored", dir = context.display(&directory)),
                msg!("observe-none-stored-help"),
            )
        })?,
        id if Path::new(id).extension().is_some_and(|of| of == "json") => context.absolute(Path::new(id)),
        id => directory.join(format!("{id}.json")),
    };
    read_observation(&path, &context.display(&path)).map_err(|why| CommandError::usage(why, None))
}

fn newest(directory: &Path) -> Option<PathBuf> {
    let files = std::fs::read_dir(directory).ok()?.flatten().map(|entry| entry.path());
    let stored =
        files.filter(|path| path.extension().is_some_and(|of| of == "json") && !path.ends_with(GAP_STATUS_FILE));
    // without the extension: `T-2` comes after `T`, and `T-2.json` before `T.json`
    stored.max_by_key(|path| path.file_stem().map(ToOwned::to_owned))
}
