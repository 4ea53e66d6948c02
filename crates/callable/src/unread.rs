//! How much in a pipe nobody has read yet. Nothing else shows from outside that a program has come to read its requests;
//! and nothing else that we have heard all that it has said.

use std::os::fd::{AsFd, OwnedFd};
use std::time::Duration;

#[cfg(unix)]

/// How often a pipe is looked at.
pub(super) const LOOK: Duration = Duration::from_millis(1);

/// How often at most, until all that is in it has been read.
const LOOKS: usize = 100;

/// A pipe.
pub(super) struct Unread(#[cfg(unix)] OwnedFd);

#[cfg(unix)]
impl Unread {
    pub(super) fn of(pipe: &impl AsFd) -> std::io::Result<Unread> {
        pipe.as_fd().try_clone_to_owned().map(Unread)
    }

    /// How many bytes in it nobody has read; 0 where the system doesn't tell.
    pub(super) fn bytes(&self) -> u64 {
        rustix::io::ioctl_fionread(&self.0).unwrap_or(0)
    }
}

#[cfg(not(unix))]
impl Unread {
    pub(super) fn of<T>(_: &T) -> std::io::Result<Unread> {
        Ok(Unread())
    }

    pub(super) fn bytes(&self) -> u64 {
        0
    }
}

impl Unread {
    /// Waits, not long, until what is in it has been read.
    pub(super) async fn is_read(&self) {
        for _ in 0..LOOKS {
            if self.bytes() == 0 {
                break;
            }
            tokio::time::sleep(LOOK).await;
        }
        // Whoever has read it has still to keep it.
        tokio::task::yield_now().await;
    }
}
