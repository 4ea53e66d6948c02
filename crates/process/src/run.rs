//! One run of a trusted program: prompt in by stdin, output out by stdout, nothing left behind.

use std::ffi::OsString;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use tokio::process::Command;
use tokio::time::Instant;

use crate::communicate::{OutputFlow, ProcessState, communicate};
use crate::contain::spawn;

/// What to run.
pub struct Launch<'a> {
    /// The program, absolute: looking it up in `PATH` would take the slow way of starting it.
    pub program: &'a Path,
    /// Its arguments, without its own name.
    pub arguments: &'a [OsString],
    /// Its whole environment; nothing is inherited.
    pub environment: &'a [(OsString, OsString)],
    /// Its working directory.
    pub cwd: PathBuf,
    /// What it gets on standard input, which ends after it.
    pub stdin: &'a [u8],
    /// The wall clock, from its start.
    pub timeout: Duration,
}

/// How a program ended.
pub struct ProcessExit {
    /// Exit code or signal.
    pub status: ExitStatus,
    /// The end of its standard error.
    pub stderr: String,
    /// From its start to its end.
    pub latency: Duration,
}

/// Why a program was stopped, or never ran.
#[derive(Debug)]
pub enum ProcessError {
    /// It did not start.
    Spawn(std::io::Error),
    /// The time was up.
    Timeout {
        /// The end of its standard error.
        stderr: String,
    },
    /// It printed more than the caller reads.
    OutputTooLong,
    /// Waiting for it failed.
    Wait(std::io::Error),
}

/// Runs a program to its end, and gives each piece of its standard output to `on_stdout`, which may break off.
///
/// # Errors
/// It did not start, did not end in time, printed too much, or could not be waited for.
pub async fn run(
    launch: &Launch<'_>,
    on_stdout: impl FnMut(&[u8]) -> ControlFlow<()>,
) -> Result<ProcessExit, ProcessError> {
    let command = command(launch.program, launch.arguments, launch.environment, &launch.cwd);
    run_command(command, launch.stdin, launch.timeout, on_stdout).await
}

async fn run_command(
    command: Command,
    stdin: &[u8],
    timeout: Duration,
    mut on_stdout: impl FnMut(&[u8]) -> ControlFlow<()>,
) -> Result<ProcessExit, ProcessError> {
    let started = Instant::now();
    let (mut child, tree) = spawn(command).map_err(ProcessError::Spawn)?;
    let mut state = ProcessState::default();
    let mut read = |bytes: &[u8]| match on_stdout(bytes) {
        ControlFlow::Continue(()) => OutputFlow::Incomplete,
        ControlFlow::Break(()) => OutputFlow::TooLong,
    };
    let exchange = communicate(&mut child, stdin, &mut read, &mut state);
    let exchanged = tokio::time::timeout_at(started + timeout, exchange).await;
    tree.end(state.exit.is_some()).await;
    if let Ok(Err(error)) = exchanged {
        return Err(error);
    }
    match state.exit {
        Some((status, at)) => Ok(ProcessExit { status, stderr: state.stderr.text(), latency: at - started }),
        None => Err(ProcessError::Timeout { stderr: state.stderr.text() }),
    }
}

/// [`run`] from a thread with or without a runtime; returns up to `most` bytes of standard output beside the exit.
///
/// # Errors
/// As [`run`]; also when there is no thread to be had.
pub fn run_blocking(launch: &Launch<'_>, most: usize) -> Result<(ProcessExit, Vec<u8>), ProcessError> {
    let command = command(launch.program, launch.arguments, launch.environment, &launch.cwd);
    run_command_blocking(command, launch.stdin, launch.timeout, most)
}

/// Runs a command without input to its end, from a thread with or without a runtime; returns up to `most` bytes of standard
/// output beside the exit.
///
/// # Errors
/// As [`run`]; also when there is no thread to be had.
pub fn output_within(
    command: std::process::Command,
    timeout: Duration,
    most: usize,
) -> Result<(ProcessExit, Vec<u8>), ProcessError> {
    run_command_blocking(supervisable(command.into()), &[], timeout, most)
}

fn run_command_blocking(
    command: Command,
    stdin: &[u8],
    timeout: Duration,
    most: usize,
) -> Result<(ProcessExit, Vec<u8>), ProcessError> {
    let mut stdout = Vec::new();
    let on_stdout = |bytes: &[u8]| {
        stdout.extend_from_slice(bytes);
        if stdout.len() > most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    // The caller's thread may belong to a runtime, which another one can't be nested in.
    let exit = std::thread::scope(|scope| {
        let waiting = std::thread::Builder::new().spawn_scoped(scope, || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.map_err(ProcessError::Spawn)?.block_on(run_command(command, stdin, timeout, on_stdout))
        });
        let waiting = waiting.map_err(ProcessError::Spawn)?;
        let panicked = || ProcessError::Wait(std::io::Error::other("the thread of the process panicked"));
        waiting.join().unwrap_or_else(|_| Err(panicked()))
    })?;
    Ok((exit, stdout))
}

/// A program with pipes, at the head of a process group of its own. Start it with [`spawn`](crate::spawn()): dropping
/// the child alone kills the program and leaves what it has started.
#[must_use]
pub fn command(program: &Path, arguments: &[OsString], environment: &[(OsString, OsString)], cwd: &Path) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).env_clear();
    // Programs can't open sockets without it.
    #[cfg(windows)]
    command.envs(std::env::var_os("SystemRoot").map(|folder| ("SystemRoot", folder)));
    command.envs(environment.iter().map(|(name, value)| (name, value))).current_dir(cwd);
    supervisable(command)
}

/// The command with pipes, at the head of a process group of its own.
fn supervisable(mut command: Command) -> Command {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    #[cfg(unix)]
    command.process_group(0);
    command
}
