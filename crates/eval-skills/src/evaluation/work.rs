//! One evaluation as the driver runs it: a skill for each subject, scorers, and the store of results.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use eval_analysis::skills::task_result;
use eval_callable::{SkillHost, WatchdogCommand};
use eval_cli::driver::{Evaluation, JournalStart, Parts, RunSetup, nothing_to_compare};
use eval_cli::judges::{Shared, judge};
use eval_cli::threads::runtime;
use eval_cli::{CommandError, Terminal};
use eval_format::evaluation_id;
use eval_format::skills::TaskResult;
use eval_message::{Lang, Message, msg};
use eval_render::skills::is_written;
use eval_run::{Budget, Executors, Guarded, Journal, Outage, Retry, RunLimits};
use eval_serve::Store;
use eval_spec::callable::{AdapterType, CallableSkill, McpServerInfo, Task};
use eval_spec::plan::Plan;
use eval_spec::record::{Executed, Record};
use eval_spec::{Call, Cell, CellKey, Context};
use jiff::Timestamp;
use serde_json::json;
use tempfile::TempDir;

use super::ask::{Ask, KIND, TRANSPORT_RETRIES};
use super::loaded::{LoadedEvaluation, setup};
use super::report;
use super::store_queue::StoreQueue;
use crate::files::store_failure;

pub(crate) struct SkillWork<'a> {
    /// The context that it began in.
    context: Context,
    terminal: &'a Terminal,
    pub(crate) loaded: LoadedEvaluation,
}

impl<'a> SkillWork<'a> {
    pub(crate) fn load(context: Context, terminal: &'a Terminal, ask: Ask) -> Result<SkillWork<'a>, CommandError> {
        let loaded = LoadedEvaluation::load(&context, terminal, ask)?;
        Ok(SkillWork { context, terminal, loaded })
    }

    fn result(&self, record: &Record) -> Option<(&Arc<str>, TaskResult)> {
        let (skill, task) = self.loaded.of(&record.execution.key)?;
        Some((&skill.id, task_result(skill, task, record, self.loaded.timeout(), self.context.lang)))
    }

    /// The store, brought up to date with the journal of an evaluation that is resumed.
    fn store(&self, journal: &Journal) -> Result<Store, CommandError> {
        let mut stored = Vec::new();
        for cell in &self.loaded.plan.cells {
            let record = report::record(journal, cell)?;
            stored.extend(record.and_then(|record| self.result(&record)).map(|(skill, result)| (&**skill, result)));
        }
        let opened = Store::open(&self.loaded.ask.store).and_then(|store| {
            store.begin(&report::begun(&self.context, &self.loaded, journal))?;
            store.append_all(stored)?;
            Ok(store)
        });
        opened.map_err(|error| store_failure(&self.context, &error))
    }

    /// Checks that the MCP servers of skills with calls to come are those that answered before, and says of which services
    /// that isn't known.
    pub(super) fn check_servers(&self, journal: &Journal) -> Result<(), CommandError> {
        let mut skills: BTreeMap<&str, (BTreeSet<McpServerInfo>, bool)> = BTreeMap::new();
        for cell in &self.loaded.plan.cells {
            let (servers, is_open) = skills.entry(&cell.key.subject).or_default();
            match report::record(journal, cell)? {
                Some(record) => servers.extend(server_of(&record)),
                None => *is_open = true,
            }
        }
        let is_open = |skill: &&CallableSkill| skills.get(&*skill.id).is_some_and(|(_, is_open)| *is_open);
        let open = || self.loaded.skills.iter().filter(is_open);
        let services: Vec<String> =
            open().filter(|skill| skill.adapter == AdapterType::Http).map(|skill| format!("`{}`", skill.id)).collect();
        if !services.is_empty() {
            self.terminal.warn(&msg!("skills-cli-resume-service", skills = services.join(", ")));
        }
        for skill in open() {
            let before = &skills[&*skill.id].0;
            if before.is_empty() {
                continue;
            }
            if let Some(now) = self.server_now(skill)?.filter(|now| !before.contains(now)) {
                let names: Vec<String> = before.iter().map(ToString::to_string).collect();
                let names = names.join(", ");
                let message =
                    msg!("skills-cli-resume-server", skill = &*skill.id, before = names, now = now.to_string());
                return Err(CommandError::usage(message, msg!("skills-cli-resume-server-help")));
            }
        }
        Ok(())
    }

    /// Asks the MCP server of a skill what it says of itself.
    fn server_now(&self, skill: &CallableSkill) -> Result<Option<McpServerInfo>, CommandError> {
        let scratch = tempfile::Builder::new().prefix("eval-skills-").tempdir();
        let scratch = scratch.map_err(CommandError::temporary(&self.context))?;
        let host = Arc::new(self.host(scratch.path())?);
        let runtime = runtime().map_err(CommandError::io(msg!("cli-runtime")))?;
        let setup = setup(&self.context, &self.loaded.ask);
        Ok(runtime.block_on(eval_callable::introduction(skill, &host, &setup, self.loaded.timeout())))
    }

    /// The host of skills' processes; without a watchdog if no process is started.
    fn host(&self, scratch: &Path) -> Result<SkillHost, CommandError> {
        let loaded = &self.loaded;
        let starts = loaded.skills.iter().any(|skill| skill.adapter != AdapterType::Http) && !loaded.is_only_files();
        let helper = WatchdogCommand::this_program().ok().filter(|_| starts);
        let confined = starts.then_some(loaded.ask.sandbox);
        SkillHost::start(scratch, confined, helper).map_err(CommandError::io(msg!("cli-runtime")))
    }

    /// With `--verbose`, a line for each result.
    fn show_result(&self, key: &CellKey, result: TaskResult) {
        let (cell, status) = (named(key, self.context.lang), result.status.name());
        self.terminal.note(&match result.error.or(result.reason) {
            Some(why) => msg!("skills-cli-result-why", cell = cell, status = status, why = why),
            None => msg!("skills-cli-result", cell = cell, status = status),
        });
    }
}

/// The resources of a running evaluation.
pub(crate) struct SkillsRunning {
    pub(super) queue: StoreQueue,
    pub(super) host: Arc<SkillHost>,
    /// The directory of skills' processes; removed after the analysis.
    _scratch: TempDir,
}

impl Evaluation for SkillWork<'_> {
    type Running = SkillsRunning;

    fn context(&self) -> &Context {
        &self.context
    }

    fn plan(&self) -> &Plan {
        &self.loaded.plan
    }

    fn least_report_bytes(&self) -> u64 {
        // the keys of a result take more
        const LEAST_RESULT: usize = 150;
        let copied = |task: &Task| {
            let texts = [&task.input, &task.expected].map(|value| value.to_string().len());
            task.description.len() + texts.iter().sum::<usize>() + LEAST_RESULT
        };
        let copied: Vec<usize> = self.loaded.benchmark.tasks.iter().map(copied).collect();
        let of_cell = |cell: &Cell| copied.get(cell.sample).copied().unwrap_or(0);
        self.loaded.plan.cells.iter().map(of_cell).sum::<usize>() as u64
    }

    fn beginning(&self) -> Result<JournalStart, CommandError> {
        Ok(JournalStart {
            settings: json!({"kind": KIND, "ask": self.loaded.ask.stored()?}),
            inputs: self.loaded.hashes(),
            cwd: self.context.cwd.display().to_string(),
            regrade_of: None,
            order_seed: self.loaded.seed,
            asked_again: Vec::new(),
            looks: Vec::new(),
            urls: Vec::new(),
        })
    }

    /// The report has the same id, so no existing report may have it.
    fn fresh_id(&self, at: Timestamp, taken: &dyn Fn(&str) -> bool) -> String {
        evaluation_id(at, |id| taken(id) || is_written(&self.loaded.ask.output_dir, id))
    }

    fn limits(&self) -> RunLimits {
        let ask = &self.loaded.ask;
        let failed = ask.retries.unwrap_or(0);
        RunLimits {
            concurrency: ask.concurrency,
            retry: Retry { transient: ask.retries.unwrap_or(TRANSPORT_RETRIES), unanswered: failed, failed },
            outage: Outage::IsAResult,
            rpm: None,
            tpm: None,
            budget: Budget { allow_unknown_cost: true, ..Budget::default() },
        }
    }

    fn seed(&self) -> u64 {
        self.loaded.seed
    }

    fn call(&self, cell: &Cell) -> Call {
        self.loaded.call(cell)
    }

    fn start(&self, setup: &RunSetup<'_>) -> Result<(Parts, SkillsRunning), CommandError> {
        let unavailable = |error| CommandError::io(msg!("cli-runtime"))(error);
        let store = self.store(setup.journal)?;
        let scratch = tempfile::Builder::new().prefix("eval-skills-").tempdir();
        let scratch = scratch.map_err(CommandError::temporary(&self.context))?;
        let host = Arc::new(self.host(scratch.path())?);
        host.unavailable_guards().iter().for_each(|lack| self.terminal.warn(lack));
        unset(&self.context, &self.loaded).iter().for_each(|unset| self.terminal.warn(unset));
        if self.loaded.ask.sandbox {
            grants(&self.loaded.skills).iter().for_each(|grant| self.terminal.warn(grant));
        }
        let queue = StoreQueue::begin(store, setup.stop.clone()).map_err(unavailable)?;
        let shared = Shared { guard: setup.guard, journal: setup.journal, cache: None, recorder: None };
        let judge = self.loaded.judge.as_ref().map(|seat| judge(seat, &shared, setup.nowhere));
        let grader = Arc::new(self.loaded.scoring(judge)?);
        let executors = self.loaded.executors(&self.context, &host)?;
        let guarded = |(skill, executor)| {
            let guarded = Guarded::new(executor, Arc::clone(setup.guard), None, false);
            match eval_callable::at_once(skill) {
                Some(calls) => guarded.at_once(calls),
                None => guarded,
            }
        };
        let guarded = self.loaded.skills.iter().zip(executors).map(guarded).collect();
        let executors = Executors::per_subject(guarded, Arc::clone(setup.guard));
        let parts = Parts { executors, grader, compare: nothing_to_compare(), recorder: None };
        Ok((parts, SkillsRunning { queue, host, _scratch: scratch }))
    }

    /// Results are stored as they arrive.
    fn finished(&self, running: &SkillsRunning, record: &Record) {
        let Some((skill, result)) = self.result(record) else { return };
        if self.loaded.ask.verbose {
            self.show_result(&record.execution.key, result.clone());
        }
        running.queue.put(skill, result);
    }

    fn cell_name(&self) -> fn(&CellKey, Lang) -> String {
        named
    }
}

/// The MCP server that answered a call.
fn server_of(record: &Record) -> Option<McpServerInfo> {
    let output = match &record.execution.result {
        Executed::Output(output) => Some(&**output),
        Executed::Failed(error) => error.partial.as_deref(),
    };
    output?.skill.as_deref()?.server.clone()
}

/// A cell as reports name it: runs are counted from 1.
fn named(key: &CellKey, lang: Lang) -> String {
    let run = key.repeat.saturating_add(1);
    msg!("skills-cli-cell", skill = &*key.subject, task = &*key.sample, run = run).text(lang)
}

/// Returns a line for each skill whose program is to get variables that aren't set here.
pub(super) fn unset(context: &Context, loaded: &LoadedEvaluation) -> Vec<Message> {
    let lines = loaded.skills.iter().filter(|_| !loaded.is_only_files()).filter_map(|skill| {
        let names = skill.config.env.iter().filter(|name| context.var(name).is_none());
        let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
        (!names.is_empty()).then(|| msg!("skills-cli-unset", skill = &*skill.id, names = names.join(", ")))
    });
    lines.collect()
}

/// What skills may do that the sandbox keeps from others, a line for each that asks for it.
pub(super) fn grants(skills: &[CallableSkill]) -> Vec<Message> {
    let programs = || skills.iter().filter(|skill| skill.adapter != AdapterType::Http);
    let write = |skill: &CallableSkill| {
        let paths: Vec<String> = skill.config.writable.iter().map(|path| format!("`{}`", path.display())).collect();
        msg!("skills-exec-may-write", skill = &*skill.id, paths = paths.join(", "))
    };
    let connect = |skill: &CallableSkill| msg!("skills-exec-may-connect", skill = &*skill.id);
    let writing = programs().filter(|skill| !skill.config.writable.is_empty()).map(write);
    writing.chain(programs().filter(|skill| skill.config.may_use_sockets).map(connect)).collect()
}
