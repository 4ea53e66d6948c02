//! A server that is a program: held like any skill's program, spoken to through its pipes.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use eval_process::Tail;
use eval_spec::callable::SkillRun;
use tokio::io::AsyncReadExt;
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use tokio::sync::watch;

use crate::host::Host;
use crate::launch::{Process, Program, launch};
use crate::unread::Unread;

/// How long the rest of standard error is waited for when a server has ended.
const GRACE: Duration = Duration::from_millis(500);

/// A server's program that runs; it and everything it started is killed when this is dropped.
pub(super) struct Running {
    process: Process,
    stderr: Arc<Mutex<Tail>>,
    /// Standard error.
    said: Unread,
    /// Closed when standard error is at its end.
    said_all: watch::Receiver<()>,
}

/// Starts a server's program.
///
/// # Errors
/// It can't be started.
pub(super) async fn start(host: &Arc<Host>, program: &Program) -> io::Result<(Running, ChildStdin, ChildStdout)> {
    let mut process = launch(host, program).await?;
    let (stdin, stdout, stderr) = process.pipes()?;
    let tail = Arc::<Mutex<Tail>>::default();
    let (saying, said_all) = watch::channel(());
    let said = Unread::of(&stderr)?;
    tokio::spawn(listen(stderr, tail.clone(), saying));
    Ok((Running { process, stderr: tail, said, said_all }, stdin, stdout))
}

/// Keeps the end of what comes, until nothing comes any more.
async fn listen(mut stderr: ChildStderr, tail: Arc<Mutex<Tail>>, _saying: watch::Sender<()>) {
    let mut buffer = vec![0; 4 << 10];
    while let Ok(read @ 1..) = stderr.read(&mut buffer).await {
        tail.lock().unwrap_or_else(PoisonError::into_inner).push(&buffer[..read]);
    }
}

impl Running {
    /// What there is to tell of it, with the end of its standard error so far.
    pub(super) fn run(&self) -> SkillRun {
        let stderr = self.stderr.lock().unwrap_or_else(PoisonError::into_inner).text();
        self.process.run(stderr, false)
    }

    /// Waits, not long, until what a server has said so far is heard.
    pub(super) async fn words(&self) {
        self.said.is_read().await;
    }

    /// Waits, not long, until a server that has ended has said all.
    pub(super) async fn last_words(&self) {
        let mut said_all = self.said_all.clone();
        let _ = tokio::time::timeout(GRACE, said_all.changed()).await;
    }
}
