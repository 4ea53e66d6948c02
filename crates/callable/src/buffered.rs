//! The pipes of a running program: how many bytes are buffered in one, and its standard error.

#[cfg(unix)]
use std::os::fd::{AsFd as AsPipe, OwnedFd};
#[cfg(windows)]
use std::os::windows::io::AsHandle as AsPipe;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use eval_process::StderrTail;
use tokio::io::AsyncReadExt;
use tokio::process::ChildStderr;
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// How often a pipe is polled.
pub(super) const POLL: Duration = Duration::from_millis(1);

/// How many polls [`PipeBuffer::drained`] takes at most.
const POLLS: usize = 100;

/// A handle of a pipe, to poll what is buffered in it. This is the only sign from outside that a program has begun to read
/// its requests, and that this process has read all of a program's standard error.
pub(super) struct PipeBuffer(#[cfg(unix)] OwnedFd);

impl PipeBuffer {
    #[cfg_attr(windows, expect(clippy::unnecessary_wraps, reason = "as elsewhere"))]
    pub(super) fn of(pipe: &impl AsPipe) -> std::io::Result<PipeBuffer> {
        #[cfg(unix)]
        return pipe.as_fd().try_clone_to_owned().map(PipeBuffer);
        #[cfg(windows)]
        {
            let _ = pipe;
            Ok(PipeBuffer())
        }
    }

    /// How many bytes are buffered in it; 0 where the system doesn't tell.
    pub(super) fn bytes(&self) -> u64 {
        #[cfg(unix)]
        return rustix::io::ioctl_fionread(&self.0).unwrap_or(0);
        #[cfg(windows)]
        0
    }

    /// Waits up to 0.1 s until everything in it has been read.
    pub(super) async fn drained(&self) {
        for _ in 0..POLLS {
            if self.bytes() == 0 {
                break;
            }
            tokio::time::sleep(POLL).await;
        }
        // Lets the reading task store what it has read.
        tokio::task::yield_now().await;
    }
}

/// Reads the standard error of a program that answers several calls, and buffers its end.
pub(super) struct StderrReader {
    tail: Arc<Mutex<StderrTail>>,
    pipe: PipeBuffer,
    /// Closed at the end of standard error.
    end: watch::Receiver<()>,
    task: JoinHandle<()>,
}

impl StderrReader {
    pub(super) fn start(mut stderr: ChildStderr) -> std::io::Result<StderrReader> {
        let tail = Arc::<Mutex<StderrTail>>::default();
        let (reading, end) = watch::channel(());
        let (pipe, buffered) = (PipeBuffer::of(&stderr)?, Arc::clone(&tail));
        let task = tokio::spawn(async move {
            let _reading = reading;
            let mut buffer = vec![0; 4 << 10];
            while let Ok(read @ 1..) = stderr.read(&mut buffer).await {
                lock(&buffered).push(&buffer[..read]);
            }
        });
        Ok(StderrReader { tail, pipe, end, task })
    }

    /// Forgets the text so far.
    pub(super) fn clear(&self) {
        *lock(&self.tail) = StderrTail::default();
    }

    /// The end of the text so far.
    pub(super) fn text(&self) -> String {
        lock(&self.tail).text()
    }

    /// Waits up to 0.1 s until everything written so far has been read.
    pub(super) async fn drained(&self) {
        self.pipe.drained().await;
    }

    /// Waits until the program has closed it.
    pub(super) async fn closed(&self) {
        let _ = self.end.clone().changed().await;
    }
}

impl Drop for StderrReader {
    fn drop(&mut self) {
        self.task.abort();
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
