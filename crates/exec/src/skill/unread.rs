//! When a program has started: once it reads what it was sent. Nothing else that a program does shows from outside that
//! it is ready.

#[cfg(unix)]
use std::os::fd::{AsFd, OwnedFd};

use tokio::process::ChildStdin;

/// The pipe into a program.
pub(super) struct Unread(#[cfg(unix)] OwnedFd);

#[cfg(unix)]
impl Unread {
    pub(super) fn of(stdin: &ChildStdin) -> Option<Unread> {
        stdin.as_fd().try_clone_to_owned().ok().map(Unread)
    }

    /// How many bytes in it nobody has read; 0 where the system doesn't tell.
    pub(super) fn bytes(&self) -> u64 {
        rustix::io::ioctl_fionread(&self.0).unwrap_or(0)
    }
}

#[cfg(not(unix))]
impl Unread {
    pub(super) fn of(_: &ChildStdin) -> Option<Unread> {
        None
    }

    pub(super) fn bytes(&self) -> u64 {
        0
    }
}
