//! A server that is a program: supervised like any skill's program, with the protocol on its pipes.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use eval_process::StderrTail;
use eval_spec::callable::SkillRun;
use tokio::io::AsyncReadExt;
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use tokio::sync::watch;

use crate::buffered::PipeBuffer;
use crate::host::SkillHost;
use crate::launch::{SkillProcess, SkillProgram, launch};

/// How long the rest of standard error may take when a server has ended.
const GRACE: Duration = Duration::from_millis(500);

/// A server's program that runs; it and everything it started is killed when this is dropped.
pub(super) struct ServerProcess {
    process: SkillProcess,
    stderr: Arc<Mutex<StderrTail>>,
    stderr_pipe: PipeBuffer,
    /// Closed when standard error is at its end.
    stderr_end: watch::Receiver<()>,
}

/// Starts a server's program.
///
/// # Errors
/// It can't be started.
pub(super) async fn start(
    host: &Arc<SkillHost>,
    program: &SkillProgram,
) -> io::Result<(ServerProcess, ChildStdin, ChildStdout)> {
    let mut process = launch(host, program).await?;
    let (stdin, stdout, stderr) = process.pipes()?;
    let tail = Arc::<Mutex<StderrTail>>::default();
    let (reading, stderr_end) = watch::channel(());
    let stderr_pipe = PipeBuffer::of(&stderr)?;
    tokio::spawn(buffer_stderr(stderr, tail.clone(), reading));
    Ok((ServerProcess { process, stderr: tail, stderr_pipe, stderr_end }, stdin, stdout))
}

/// Buffers the end of standard error until it is closed.
async fn buffer_stderr(mut stderr: ChildStderr, tail: Arc<Mutex<StderrTail>>, _reading: watch::Sender<()>) {
    let mut buffer = vec![0; 4 << 10];
    while let Ok(read @ 1..) = stderr.read(&mut buffer).await {
        tail.lock().unwrap_or_else(PoisonError::into_inner).push(&buffer[..read]);
    }
}

impl ServerProcess {
    /// The record of a call, with the end of standard error so far.
    pub(super) fn run(&self) -> SkillRun {
        let stderr = self.stderr.lock().unwrap_or_else(PoisonError::into_inner).text();
        self.process.run(stderr, false)
    }

    /// Waits up to 0.1 s until the server's standard error so far has been read.
    pub(super) async fn stderr_drained(&self) {
        self.stderr_pipe.drained().await;
    }

    /// Waits up to [`GRACE`] until the standard error of a server that has ended is at its end.
    pub(super) async fn stderr_closed(&self) {
        let mut stderr_end = self.stderr_end.clone();
        let _ = tokio::time::timeout(GRACE, stderr_end.changed()).await;
    }
}
