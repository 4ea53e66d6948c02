//! One run of a program: prompt in by stdin, output out by stdout, and nothing left behind.
//!
//! The program leads a process group of its own, and the whole group is killed when the run ends, on
//! a time-out and when the future is dropped. What a descendant keeps open does not keep us waiting.
//!
//! A program that is somebody else's is started through a [`Confinement`]: it is held in what it may do,
//! and what left its group is killed as well.

pub mod confinement;
#[cfg(target_os = "linux")]
mod hold;
#[cfg(target_os = "linux")]
mod keeper;
pub mod programs;
#[cfg(target_os = "linux")]
mod tree;
#[cfg(target_os = "linux")]
pub mod watchdog;

pub use confinement::{Confinement, Lack, Limits, Started, Watch};
#[cfg(target_os = "linux")]
pub use watchdog::{WATCHDOG, watch};

use std::ffi::OsString;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStdin, Command};
use tokio::time::Instant;

/// How long output is still read after the program ended, when a descendant keeps the pipe open.
const GRACE: Duration = Duration::from_millis(500);

/// How much of standard error is kept: its end.
const STDERR_TAIL: usize = 8 << 10;

/// What to run.
pub struct Launch<'a> {
    /// The program, absolute: looking it up in `PATH` would take the slow way of starting it.
    pub program: &'a Path,
    pub arguments: &'a [OsString],
    pub environment: &'a [(OsString, OsString)],
    pub cwd: PathBuf,
    pub stdin: &'a [u8],
    pub timeout: Duration,
}

/// How a program ended.
pub struct Ended {
    pub status: ExitStatus,
    /// The end of its standard error.
    pub stderr: String,
    /// From its start to its end.
    pub latency: Duration,
}

/// Why a run was stopped.
pub enum Stopped {
    /// It did not start.
    Spawn(std::io::Error),
    /// The time was up.
    Timeout { stderr: String },
    /// `on_stdout` had enough.
    Refused,
    /// Waiting for it failed.
    Wait(std::io::Error),
}

/// Runs a program to its end, and gives each piece of its standard output to `on_stdout`.
pub async fn run(launch: &Launch<'_>, mut on_stdout: impl FnMut(&[u8]) -> ControlFlow<()>) -> Result<Ended, Stopped> {
    let started = Instant::now();
    let mut child =
        command(launch.program, launch.arguments, launch.environment, &launch.cwd).spawn().map_err(Stopped::Spawn)?;
    let _group = Group::of(&child);
    let mut seen = Seen::default();
    let mut hear = |bytes: &[u8]| match on_stdout(bytes) {
        ControlFlow::Continue(()) => Heard::More,
        ControlFlow::Break(()) => Heard::TooMuch,
    };
    let attended = attend(&mut child, launch.stdin, &mut hear, &mut seen);
    if let Ok(Err(stopped)) = tokio::time::timeout_at(started + launch.timeout, attended).await {
        return Err(stopped);
    }
    match seen.ended {
        Some((status, at)) => Ok(Ended { status, stderr: seen.stderr.text(), latency: at - started }),
        None => Err(Stopped::Timeout { stderr: seen.stderr.text() }),
    }
}

/// A program with pipes, at the head of a process group of its own.
pub fn command(program: &Path, arguments: &[OsString], environment: &[(OsString, OsString)], cwd: &Path) -> Command {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .env_clear()
        .envs(environment.iter().map(|(name, value)| (name, value)))
        .current_dir(cwd)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    #[cfg(unix)]
    command.process_group(0);
    command
}

/// What a piece of output is to whoever reads it.
#[derive(Clone, Copy, PartialEq)]
pub enum Heard {
    /// There must be more.
    More,
    /// That was all that matters; the program may still end in order.
    Enough,
    /// It is more than is read.
    TooMuch,
}

/// What was seen of a program so far; stands also when the time is up.
#[derive(Default)]
pub struct Seen {
    /// How it ended, and when.
    pub ended: Option<(ExitStatus, Instant)>,
    /// The end of its standard error.
    pub stderr: Tail,
}

/// Feeds and reads the program until it has ended and its output is at its end, or until a short while
/// after its reader has had [`Heard::Enough`].
pub async fn attend(
    child: &mut Child,
    stdin: &[u8],
    on_stdout: &mut impl FnMut(&[u8]) -> Heard,
    seen: &mut Seen,
) -> Result<(), Stopped> {
    let Seen { ended, stderr } = seen;
    let mut enough = None;
    let feed = feed(child.stdin.take(), stdin);
    tokio::pin!(feed);
    let (mut out, mut err) = (child.stdout.take(), child.stderr.take());
    let (mut out_buffer, mut err_buffer) = (vec![0; 16 << 10], vec![0; 4 << 10]);
    let mut fed = false;
    loop {
        if ended.is_some() && out.is_none() && err.is_none() {
            return Ok(());
        }
        let last = ended.map(|(_, at)| at).or(enough);
        let patience = last.map_or_else(Instant::now, |at| at + GRACE);
        tokio::select! {
            () = &mut feed, if !fed => fed = true,
            read = read(&mut out, &mut out_buffer), if out.is_some() => match read {
                0 => out = None,
                n => match on_stdout(&out_buffer[..n]) {
                    Heard::More => {}
                    Heard::Enough => enough = enough.or_else(|| Some(Instant::now())),
                    Heard::TooMuch => return Err(Stopped::Refused),
                },
            },
            read = read(&mut err, &mut err_buffer), if err.is_some() => match read {
                0 => err = None,
                n => stderr.push(&err_buffer[..n]),
            },
            status = child.wait(), if ended.is_none() => {
                *ended = Some((status.map_err(Stopped::Wait)?, Instant::now()));
            }
            () = tokio::time::sleep_until(patience), if last.is_some() => match ended {
                Some(_) => (out, err) = (None, None),
                None => return Ok(()),
            },
        }
    }
}

/// Writes all of it and closes the pipe. A program that does not read its input is within its rights.
async fn feed(stdin: Option<ChildStdin>, bytes: &[u8]) {
    if let Some(mut stdin) = stdin {
        let _ = stdin.write_all(bytes).await;
        let _ = stdin.shutdown().await;
    }
}

/// Reads a piece; 0 at the end, or when the pipe breaks.
async fn read(pipe: &mut Option<impl AsyncReadExt + Unpin>, buffer: &mut [u8]) -> usize {
    match pipe {
        Some(pipe) => pipe.read(buffer).await.unwrap_or(0),
        None => std::future::pending().await,
    }
}

/// Kills a process group when it is dropped.
///
/// The group's leader may have been waited for by then. Its number can't belong to another group
/// while a member of this one lives; if none does, the number would have to come round within
/// microseconds to be mistaken.
pub struct Group(#[cfg(unix)] Option<rustix::process::Pid>);

#[cfg(unix)]
impl Group {
    pub fn of(child: &Child) -> Group {
        Group(child.id().and_then(|id| i32::try_from(id).ok()).and_then(rustix::process::Pid::from_raw))
    }
}

#[cfg(unix)]
impl Drop for Group {
    fn drop(&mut self) {
        if let Some(leader) = self.0 {
            kill_group(leader);
        }
    }
}

#[cfg(unix)]
fn kill_group(leader: rustix::process::Pid) {
    let _ = rustix::process::kill_process_group(leader, rustix::process::Signal::KILL);
}

#[cfg(not(unix))]
impl Group {
    pub fn of(_: &Child) -> Group {
        Group()
    }
}

/// The end of a stream.
#[derive(Default)]
pub struct Tail {
    bytes: Vec<u8>,
    cut: bool,
}

impl Tail {
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        if self.bytes.len() > 2 * STDERR_TAIL {
            self.bytes.drain(..self.bytes.len() - STDERR_TAIL);
            self.cut = true;
        }
    }

    /// A cut text begins with a whole line, so that no half of a secret stays unrecognised.
    pub fn text(&self) -> String {
        let mut tail = &self.bytes[self.bytes.len().saturating_sub(STDERR_TAIL)..];
        if self.cut || tail.len() < self.bytes.len() {
            tail = tail.iter().position(|&byte| byte == b'\n').map_or(&[], |end| &tail[end + 1..]);
        }
        String::from_utf8_lossy(tail).into_owned()
    }
}
