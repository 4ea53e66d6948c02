//! The limits of a program, and its guards.

pub(crate) use eval_spec::callable::FILE_SOCKETS;
pub use eval_spec::sandbox::GuardUnavailable;

/// Landlock doesn't know it, and a filter of calls sees no paths.
pub(crate) const FILE_METADATA: (&str, GuardUnavailable) = ("file-metadata", GuardUnavailable::Nowhere);

/// Why something isn't there.
#[cfg(not(target_os = "linux"))]
pub(crate) const ONLY_LINUX: &str = "only on Linux";

/// The guards that refuse calls of the system.
pub(crate) const REFUSING: [&str; 3] = ["foreign-limits", "foreign-scheduling", "kernel-objects"];

/// The guards that give a call devices of its own, which it can't write otherwise.
pub(crate) const OWN_DEVICES: [&str; 2] = ["shared-memory", "terminals"];

/// The resources that a program may use; `None` is no limit.
#[derive(Clone, Copy, Debug, Default)]
pub struct ResourceLimits {
    /// CPU time of one process, in seconds.
    pub cpu_seconds: Option<u64>,
    /// Address space of one process, in bytes.
    pub memory_bytes: Option<u64>,
    /// The largest file that may be written, in bytes.
    pub file_bytes: Option<u64>,
    /// Processes at once, over the program's whole tree.
    pub processes: Option<u64>,
    /// What the program's own folders may hold together, in bytes.
    pub scratch_bytes: Option<u64>,
}

/// A limit of a program's whole tree, which nothing but counting enforces: the tree is killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeLimit {
    /// [`ResourceLimits::processes`].
    Processes,
    /// [`ResourceLimits::scratch_bytes`].
    ScratchSize,
}
