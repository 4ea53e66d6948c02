//! The exchange with a running program: standard input is written while both outputs are read.

use std::process::ExitStatus;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStdin};
use tokio::time::Instant;

use crate::run::ProcessError;

/// How long output is still read after the program ended, when a descendant keeps the pipe open.
const GRACE: Duration = Duration::from_millis(500);

/// How much of standard error is buffered, in bytes: its end.
const STDERR_TAIL: usize = 8 << 10;

/// What the reader of standard output says to a piece of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OutputFlow {
    /// The reader needs more.
    Incomplete,
    /// The reader has all that matters; the program may still end in order.
    Complete,
    /// It is more than the reader takes: the program is stopped.
    TooLong,
}

/// What is known of a program so far; also valid when the exchange was given up.
#[derive(Default)]
pub struct ProcessState {
    /// How it ended, and when; `None` while it runs.
    pub exit: Option<(ExitStatus, Instant)>,
    /// The end of its standard error.
    pub stderr: StderrTail,
}

/// Feeds and reads the program until it has ended and its output is at its end, or until a short while
/// after its reader has reported [`OutputFlow::Complete`].
///
/// # Errors
/// The reader reported [`OutputFlow::TooLong`], or waiting for the program failed.
pub async fn communicate(
    child: &mut Child,
    stdin: &[u8],
    on_stdout: &mut impl FnMut(&[u8]) -> OutputFlow,
    state: &mut ProcessState,
) -> Result<(), ProcessError> {
    let ProcessState { exit, stderr } = state;
    let mut complete = None;
    let feed = feed(child.stdin.take(), stdin);
    tokio::pin!(feed);
    let (mut out, mut err) = (child.stdout.take(), child.stderr.take());
    let (mut out_buffer, mut err_buffer) = (vec![0; 16 << 10], vec![0; 4 << 10]);
    let mut fed = false;
    loop {
        if exit.is_some() && out.is_none() && err.is_none() {
            return Ok(());
        }
        let last = exit.map(|(_, at)| at).or(complete);
        let patience = last.map_or_else(Instant::now, |at| at + GRACE);
        tokio::select! {
            () = &mut feed, if !fed => fed = true,
            read = read(&mut out, &mut out_buffer), if out.is_some() => match read {
                0 => out = None,
                n => match on_stdout(&out_buffer[..n]) {
                    OutputFlow::Incomplete => {}
                    OutputFlow::Complete => complete = complete.or_else(|| Some(Instant::now())),
                    OutputFlow::TooLong => return Err(ProcessError::OutputTooLong),
                },
            },
            read = read(&mut err, &mut err_buffer), if err.is_some() => match read {
                0 => err = None,
                n => stderr.push(&err_buffer[..n]),
            },
            status = child.wait(), if exit.is_none() => {
                *exit = Some((status.map_err(ProcessError::Wait)?, Instant::now()));
            }
            () = tokio::time::sleep_until(patience), if last.is_some() => match exit {
                Some(_) => (out, err) = (None, None),
                None => return Ok(()),
            },
        }
    }
}

/// Writes all of it and closes the pipe. A program may leave its input unread: a broken pipe is no error.
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

/// The end of standard error, up to 8 KiB.
#[derive(Default)]
pub struct StderrTail {
    bytes: Vec<u8>,
    cut: bool,
}

impl StderrTail {
    /// Appends bytes; the oldest are dropped.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        if self.bytes.len() > 2 * STDERR_TAIL {
            self.bytes.drain(..self.bytes.len() - STDERR_TAIL);
            self.cut = true;
        }
    }

    /// The buffered text. A cut text begins with a whole line, so that no half of a secret stays unrecognised.
    pub fn text(&self) -> String {
        let mut tail = &self.bytes[self.bytes.len().saturating_sub(STDERR_TAIL)..];
        if self.cut || tail.len() < self.bytes.len() {
            tail = tail.iter().position(|&byte| byte == b'\n').map_or(&[], |end| &tail[end + 1..]);
        }
        String::from_utf8_lossy(tail).into_owned()
    }
}
