//! What a process used, as the kernel counts it.

use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// What a finished process used.
pub(crate) struct Used {
    pub(crate) status: ExitStatus,
    pub(crate) wall: Duration,
    pub(crate) cpu: Duration,
    pub(crate) peak_mib: f64,
}

impl Used {
    /// Returns this, after a check that the process succeeded.
    pub(crate) fn succeeded(self) -> Used {
        assert!(self.status.success(), "{}", self.status);
        self
    }
}

/// Runs a command to its end and asks the kernel what it used.
pub(crate) fn used(command: &mut Command) -> Used {
    let begun = Instant::now();
    #[expect(clippy::zombie_processes, reason = "waited for below, in a way that tells what it used")]
    let child = command.stdin(Stdio::null()).spawn().unwrap();
    let pid = libc::pid_t::try_from(child.id()).unwrap();
    let (mut status, mut usage) = (0, std::mem::MaybeUninit::<libc::rusage>::zeroed());
    // SAFETY: `pid` is our child, not waited for yet; both pointers are valid for the call.
    #[expect(unsafe_code, reason = "the standard library can't tell what a child used")]
    let usage = unsafe {
        assert_eq!(libc::wait4(pid, &raw mut status, 0, usage.as_mut_ptr()), pid);
        usage.assume_init()
    };
    let time = |time: libc::timeval| {
        Duration::from_secs(u64::try_from(time.tv_sec).unwrap())
            + Duration::from_micros(u64::try_from(time.tv_usec).unwrap())
    };
    #[expect(clippy::cast_precision_loss, reason = "a figure for people")]
    Used {
        status: ExitStatus::from_raw(status),
        wall: begun.elapsed(),
        cpu: time(usage.ru_utime) + time(usage.ru_stime),
        peak_mib: usage.ru_maxrss as f64 / 1024.0,
    }
}
