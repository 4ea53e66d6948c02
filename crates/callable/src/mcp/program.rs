//! A server that is a program: supervised like any skill's program, with the protocol on its pipes.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use eval_message::Message;
use eval_spec::Failure;
use eval_spec::callable::SkillRun;
use tokio::process::{ChildStdin, ChildStdout};

use crate::buffered::StderrReader;
use crate::host::SkillHost;
use crate::launch::{SkillProcess, SkillProgram, launch};

/// How long the rest of standard error may take when a server has ended.
const GRACE: Duration = Duration::from_millis(500);

/// A server's program that runs; it and everything it started is killed when this is dropped.
pub(super) struct ServerProcess {
    process: SkillProcess,
    stderr: StderrReader,
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
    Ok((ServerProcess { process, stderr: StderrReader::start(stderr)? }, stdin, stdout))
}

impl ServerProcess {
    /// Why it was killed, if that was for a limit.
    pub(super) fn over_limit(&self) -> Option<(Failure, Message)> {
        self.process.over_limit()
    }

    /// The record of a call, with the end of standard error. If the server has ended, waits up to [`GRACE`] for the rest.
    pub(super) async fn run(&self, has_ended: bool) -> SkillRun {
        match has_ended {
            true => drop(tokio::time::timeout(GRACE, self.stderr.closed()).await),
            false => self.stderr.drained().await,
        }
        self.process.run(self.stderr.text(), false)
    }
}
