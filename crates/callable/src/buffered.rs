//! How many bytes are buffered in a pipe. This is the only sign from outside that a program has begun to read its
//! requests, and that this process has read all of a program's standard error.

#[cfg(unix)]
use std::os::fd::{AsFd, OwnedFd};
use std::time::Duration;

/// How often a pipe is polled.
pub(super) const POLL: Duration = Duration::from_millis(1);

/// How many polls [`PipeBuffer::drained`] takes at most.
const POLLS: usize = 100;

/// A handle of a pipe, to poll what is buffered in it.
pub(super) struct PipeBuffer(#[cfg(unix)] OwnedFd);

#[cfg(unix)]
impl PipeBuffer {
    pub(super) fn of(pipe: &impl AsFd) -> std::io::Result<PipeBuffer> {
        pipe.as_fd().try_clone_to_owned().map(PipeBuffer)
    }

    /// How many bytes are buffered in it; 0 where the system doesn't tell.
    pub(super) fn bytes(&self) -> u64 {
        rustix::io::ioctl_fionread(&self.0).unwrap_or(0)
    }
}

#[cfg(not(unix))]
impl PipeBuffer {
    pub(super) fn of<T>(_: &T) -> std::io::Result<PipeBuffer> {
        Ok(PipeBuffer())
    }

    pub(super) fn bytes(&self) -> u64 {
        0
    }
}

impl PipeBuffer {
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
