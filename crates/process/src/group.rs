//! Process groups.

use tokio::process::Child;

/// The process group that a child leads; killed when this is dropped.
///
/// The leader may have been waited for by then. Its number can't belong to another group while a member of
/// this one lives; if none does, the number would have to be assigned again within microseconds to be mistaken.
#[cfg(unix)]
pub(crate) struct ProcessGroup(Option<rustix::process::Pid>);

#[cfg(unix)]
impl ProcessGroup {
    /// The group of a child that was started by [`command`](crate::command).
    pub(crate) fn of(child: &Child) -> ProcessGroup {
        ProcessGroup(child.id().and_then(|id| i32::try_from(id).ok()).and_then(rustix::process::Pid::from_raw))
    }

    /// Kills the group.
    #[cfg(not(target_os = "linux"))]
    #[expect(clippy::unused_async, reason = "as on Windows")]
    pub(crate) async fn end(self, _: bool) {}
}

#[cfg(unix)]
impl Drop for ProcessGroup {
    fn drop(&mut self) {
        if let Some(leader) = self.0 {
            kill_group(leader);
        }
    }
}

#[cfg(unix)]
pub(crate) fn kill_group(leader: rustix::process::Pid) {
    let _ = rustix::process::kill_process_group(leader, rustix::process::Signal::KILL);
}

/// A child in the place of its process group, which Windows lacks: dropped, it kills nothing.
#[cfg(not(unix))]
pub(crate) struct ProcessGroup(Option<u32>);

#[cfg(not(unix))]
impl ProcessGroup {
    /// The child itself.
    pub(crate) fn of(child: &Child) -> ProcessGroup {
        ProcessGroup(child.id())
    }

    /// Kills the child with what it has started, unless it has `exited`: its number may be another's then, and its children
    /// can't be found any more.
    pub(crate) async fn end(self, exited: bool) {
        let Some(number) = self.0.filter(|_| !exited) else { return };
        let number = number.to_string();
        let _ = tokio::process::Command::new("taskkill").args(["/T", "/F", "/PID", &number]).output().await;
    }
}
