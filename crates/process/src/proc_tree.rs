//! Processes and their children, from `/proc`.

use std::fs;

use rustix::process::Pid;

/// Every process that `/proc` shows.
pub(super) fn all() -> Vec<Pid> {
    fs::read_dir("/proc").map_or_else(
        |_| Vec::new(),
        |entries| entries.filter_map(|entry| pid(entry.ok()?.file_name().to_str()?)).collect(),
    )
}

/// The children of all threads of a process; none where the kernel doesn't list them.
pub(super) fn children(parent: Pid) -> Vec<Pid> {
    let Ok(threads) = fs::read_dir(format!("/proc/{}/task", parent.as_raw_pid())) else { return Vec::new() };
    let lists = threads.filter_map(|thread| fs::read_to_string(thread.ok()?.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().filter_map(pid).collect::<Vec<_>>()).collect()
}

/// `roots` and the processes below them; about `most`, since a hostile tree may grow while it is read.
pub(super) fn descendants(roots: Vec<Pid>, most: usize) -> Vec<Pid> {
    let mut found = roots;
    let mut next = 0;
    while next < found.len() && found.len() < most {
        found.extend(children(found[next]));
        next += 1;
    }
    found
}

/// Whether a process is gone, or a zombie.
pub(super) fn is_dead(process: Pid) -> bool {
    let stat = fs::read_to_string(format!("/proc/{}/stat", process.as_raw_pid())).unwrap_or_default();
    let state = stat.rsplit(')').next().and_then(|rest| rest.trim_start().chars().next());
    state.is_none_or(|state| matches!(state, 'Z' | 'X'))
}

/// Whether a process can't gain privileges, which is true of everything in the sandbox for life.
pub(super) fn is_unprivileged(process: Pid) -> bool {
    let status = fs::read_to_string(format!("/proc/{}/status", process.as_raw_pid())).unwrap_or_default();
    status.lines().any(|line| line.strip_prefix("NoNewPrivs:").is_some_and(|value| value.trim() == "1"))
}

/// Whether the environment that a process was started with has a variable with this beginning (`NAME=value…`). It must end
/// with a delimiter, or `…1` is found in `…12`.
pub fn has_variable(process: Pid, beginning: &[u8]) -> bool {
    let environment = fs::read(format!("/proc/{}/environ", process.as_raw_pid())).unwrap_or_default();
    // The zero that ends a variable may be the delimiter.
    environment.split_inclusive(|&byte| byte == 0).any(|entry| entry.starts_with(beginning))
}

/// Whether there is such a process, be it a zombie.
pub(super) fn exists(process: Pid) -> bool {
    fs::exists(format!("/proc/{}", process.as_raw_pid())).unwrap_or(false)
}

fn pid(text: &str) -> Option<Pid> {
    text.parse().ok().and_then(Pid::from_raw)
}
