//! Trusted programs, each with everything that it has started.

use std::io;

use tokio::process::{Child, Command};

#[cfg(target_os = "linux")]
use crate::contained::{self, ContainedTree};
use crate::group::ProcessGroup;
use crate::supervisor::WatchdogCommand;

/// Keeps programs contained; dropped at the end of the process, it waits until nothing of them is left.
#[must_use]
pub struct Containment(());

/// From now on, everything that a program of [`run`](crate::run()) and its like has started ends with it, also what left its
/// process group, and when this process is killed. The watchdog is started with the first program.
///
/// Elsewhere than on Linux this does nothing: there is no way to find what left a process group.
pub fn contain(command: WatchdogCommand) -> Containment {
    #[cfg(target_os = "linux")]
    contained::begin(command);
    #[cfg(not(target_os = "linux"))]
    drop(command);
    Containment(())
}

impl Drop for Containment {
    fn drop(&mut self) {
        #[cfg(target_os = "linux")]
        contained::finish();
    }
}

/// Everything that one program has started; killed when this is dropped. Without [`contain`] it is the process group that
/// the program leads.
pub struct ProcessTree {
    // Dropped in this order: what left the group is found only while its parents live.
    #[cfg(target_os = "linux")]
    tree: Option<ContainedTree>,
    group: ProcessGroup,
}

/// Starts a command that [`command`](crate::command) made, contained if this process [contains](contain) its programs.
///
/// # Errors
/// It can't be started.
pub fn spawn(mut command: Command) -> io::Result<(Child, ProcessTree)> {
    #[cfg(target_os = "linux")]
    let mark = contained::mark(&mut command);
    let child = command.spawn()?;
    let tree = ProcessTree {
        #[cfg(target_os = "linux")]
        tree: mark.and_then(|mark| mark.tree(&child)),
        group: ProcessGroup::of(&child),
    };
    Ok((child, tree))
}

impl ProcessTree {
    /// Kills all of it, and returns when nothing of it is left. `exited`: whether the program was waited for.
    #[cfg(target_os = "linux")]
    pub async fn end(self, exited: bool) {
        let ProcessTree { tree, group } = self;
        let Some(mut tree) = tree else { return };
        tree.kill(exited);
        drop(group);
        if !tree.sweep() {
            let _ = tokio::task::spawn_blocking(move || tree.finish()).await;
        }
    }

    /// Kills the group. `exited`: whether the program was waited for.
    #[cfg(not(target_os = "linux"))]
    pub async fn end(self, exited: bool) {
        self.group.end(exited).await;
    }
}
