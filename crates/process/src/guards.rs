//! The limits of a program, and why a guard is not available.

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

/// Why a guard is not available on this system.
#[derive(Clone, Debug, PartialEq)]
pub enum GuardUnavailable {
    /// The system isn't Linux.
    NotLinux,
    /// The kernel has no Landlock.
    NotImplemented,
    /// The kernel has it, but it wasn't switched on.
    NotEnabled,
    /// The kernel's Landlock lacks the guard.
    TooOld {
        /// The version of the kernel's Landlock interface.
        version: u32,
        /// The first version with the guard.
        needed: u32,
    },
    /// The kernel refused it, with the system's error.
    Refused(String),
    /// No kernel has what it would take.
    Nowhere,
}
