//! Process groups.

use tokio::process::Child;

/// The process group that a child leads; killed when this is dropped.
///
/// The leader may have been waited for by then. Its number can't belong to another group while a member of
/// this one lives; if none does, the number would have to be assigned again within microseconds to be mistaken.
pub(crate) struct ProcessGroup(Option<rustix::process::Pid>);

impl ProcessGroup {
    /// The group of a child that was started by [`command`](crate::command).
    pub(crate) fn of(child: &Child) -> ProcessGroup {
        ProcessGroup(child.id().and_then(|id| i32::try_from(id).ok()).and_then(rustix::process::Pid::from_raw))
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        if let Some(leader) = self.0 {
            kill_group(leader);
        }
    }
}

pub(crate) fn kill_group(leader: rustix::process::Pid) {
    let _ = rustix::process::kill_process_group(leader, rustix::process::Signal::KILL);
}
