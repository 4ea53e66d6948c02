//! The table of executors, and how one is built by name or command line.

use std::sync::Arc;

use eval_message::{Message, msg};
use eval_spec::mock::MockAnswer;
use eval_spec::suite::Settings;
use eval_spec::{Context, Diagnostic, Executor, Sample};

use crate::agents::{claude, codex, gemini};
use crate::channels::{self, Channels};
use crate::executor_type::{Build, BuildError, ExecutorKind, ExecutorType, Probe};
use crate::mocks::{AgentMocks, RecordedMocks, RecordedRun, recorded};
use crate::{anthropic_api, command, gemini_api, openai_api, openai_cli, replay};

/// All executors with a name, in the order in which help and errors list them.
pub static EXECUTORS: &[ExecutorType] = &[
    claude::TYPE,
    codex::TYPE,
    gemini::TYPE,
    anthropic_api::TYPE,
    openai_api::TYPE,
    gemini_api::TYPE,
    openai_cli::TYPE,
    replay::TYPE,
];

/// The executor of this name; `None` for a command line.
pub fn named(name_or_command: &str) -> Option<&'static ExecutorType> {
    EXECUTORS.iter().find(|executor| executor.name == name_or_command.trim())
}

/// The kind of an executor or command line.
pub fn kind(name_or_command: &str) -> ExecutorKind {
    named(name_or_command).map_or(ExecutorKind::Program, |executor| executor.kind)
}

/// The model that the executor uses when none is named; empty for a command line.
pub fn default_model(name_or_command: &str) -> &'static str {
    named(name_or_command).map_or("", |executor| executor.default_model)
}

/// The model that judges through the executor when none is named; empty for a command line.
pub fn default_judge(name_or_command: &str) -> &'static str {
    named(name_or_command).map_or("", |executor| executor.default_judge)
}

/// Whether the executor may report the cost of a call: a command line may, but need not.
pub fn may_report_cost(name_or_command: &str) -> bool {
    named(name_or_command).is_none_or(|executor| executor.reports_cost)
}

/// The state of each channel of an executor or command line: `cut` (closed by the executor), `open` (the settings ask for
/// it), `unverified` (it may be open), `none` (there is no such channel).
pub fn isolation(name_or_command: &str, settings: &Settings) -> Channels {
    named(name_or_command).map_or_else(|| channels::unverified(settings), |executor| (executor.channels)(settings))
}

/// Whether an executor answers tool calls from the mocks of samples.
pub fn can_mock(name_or_command: &str) -> bool {
    mocks_of(name_or_command).is_some()
}

/// How the tool calls of an executor are answered by mocks; `None` where they can't be.
fn mocks_of(name_or_command: &str) -> Option<&'static AgentMocks> {
    named(name_or_command).and_then(|executor| (executor.mocks)())
}

/// The tools of an executor's own by the names that mocks have for them; none where mocks can't answer.
pub fn mocked_tools(name_or_command: &str) -> &'static [&'static str] {
    mocks_of(name_or_command).map_or(&[], |mocks| mocks.tools)
}

/// Whether a mock of any tool that succeeds answers calls of this one.
pub fn gives_success(name_or_command: &str, tool: &str) -> bool {
    mocks_of(name_or_command).is_some_and(|mocks| mocks.gives(tool, &MockAnswer::default()))
}

/// The mocks for the tool calls of a real run; `None` for an executor whose calls can't be recorded.
pub fn recorded_mocks(name_or_command: &str, run: &RecordedRun<'_>) -> Option<RecordedMocks> {
    mocks_of(name_or_command).filter(|mocks| mocks.is_recorded).map(|mocks| recorded(mocks, run))
}

/// The executors whose tool calls can be recorded as mocks.
pub fn recording_executors() -> Vec<&'static str> {
    let can = |executor: &&ExecutorType| (executor.mocks)().is_some_and(|mocks| mocks.is_recorded);
    EXECUTORS.iter().filter(can).map(|executor| executor.name).collect()
}

/// The first mock of a sample whose tool the executor can't have answered.
pub fn refused_mock(name_or_command: &str, sample: &Sample) -> Option<usize> {
    mocks_of(name_or_command)?.refused(sample)
}

/// Why an executor can't answer tool calls from the mocks of a sample; `None` if it can.
pub fn refuses_mocks(name_or_command: &str, sample: &Sample) -> Option<Diagnostic> {
    let message = match mocks_of(name_or_command) {
        Some(mocks) => mocks.refuses(name_or_command, sample)?,
        None if kind(name_or_command) == ExecutorKind::Model => {
            msg!("exec-mock-model", sample = &sample.id, executor = name_or_command)
        }
        None => msg!("exec-mock-agent", sample = &sample.id, agent = name_or_command),
    };
    let able_to = |does: &dyn Fn(&AgentMocks) -> bool| -> Vec<&str> {
        EXECUTORS.iter().filter(|executor| (executor.mocks)().is_some_and(does)).map(|executor| executor.name).collect()
    };
    let able = match able_to(&|mocks| mocks.refused(sample).is_none()) {
        // What is wrong with the mock, each of them says.
        none if none.is_empty() && !can_mock(name_or_command) => able_to(&|_| true),
        able => able,
    };
    let refused = refused_mock(name_or_command, sample).unwrap_or_default();
    let error = Diagnostic::error(message, sample.place_of_mock(refused));
    let can_fail =
        || mocks_of(name_or_command).is_some_and(|of| sample.mocks.get(refused).is_some_and(|mock| of.can_fail(mock)));
    Some(match able.is_empty() {
        true if can_fail() => error.help(msg!("exec-mock-fail-help")),
        true => error,
        false => error.help(msg!("exec-mock-agent-help", executors = able.join(", "))),
    })
}

/// The executor for a model, by the beginning of the model's name.
pub fn for_model(model: &str) -> Option<&'static ExecutorType> {
    EXECUTORS.iter().find(|executor| executor.model_prefixes.iter().any(|prefix| model.starts_with(prefix)))
}

/// The executor named so, else one that runs this command line.
///
/// A command line is split into words as a shell would and started directly, without a shell: no
/// variable, pipe or redirection in it works.
///
/// # Errors
/// No such executor and no such program; a program, key or file that is missing; a setting the
/// executor can't honour.
pub fn build(name_or_command: &str, b: &Build<'_>) -> Result<Arc<dyn Executor>, BuildError> {
    if let Some(executor) = named(name_or_command) {
        return (executor.build)(b);
    }
    command::build(name_or_command, b)
}

/// One line per executor: its name, and whether it can run here.
pub fn choices(context: &Context) -> Vec<Message> {
    let line = |executor: &ExecutorType| match (executor.probe)(context) {
        Probe::Ready => msg!("exec-choice-ready", name = executor.name),
        Probe::Missing { why } => msg!("exec-choice-missing", name = executor.name, why = why.text(context.lang)),
    };
    EXECUTORS.iter().map(line).chain([msg!("exec-choice-command")]).collect()
}
