//! What a process used, as the kernel counts it.
//!
//! A process's peak memory includes its parent's at the time of the start. So this program starts itself first, and that
//! small process starts what is measured.

use std::fs;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Command, ExitCode, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// The argument that tells this program to measure: a file for the result, a name, a program, arguments.
const MEASURE: &str = "--used";

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

/// Makes a command for [`used`]: `program`, started by `name`.
pub(crate) fn measured(program: &str, name: &str) -> Command {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let file = format!("omk-bench-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.arg(MEASURE).arg(std::env::temp_dir().join(file)).args([name, program]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Runs a command that [`measured`] made to its end.
pub(crate) fn used(command: &mut Command) -> Used {
    let file = PathBuf::from(command.get_args().nth(1).unwrap());
    let code = command.status().unwrap();
    let result = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}, {code}", file.display()));
    fs::remove_file(file).unwrap();
    let numbers: Vec<u64> = result.split_whitespace().map(|number| number.parse().unwrap()).collect();
    let &[status, wall, cpu, kib] = &*numbers else { panic!("{result}") };
    #[expect(clippy::cast_precision_loss, reason = "a figure for people")]
    Used {
        status: ExitStatus::from_raw(i32::try_from(status).unwrap()),
        wall: Duration::from_nanos(wall),
        cpu: Duration::from_micros(cpu),
        peak_mib: kib as f64 / 1024.0,
    }
}

/// Measures if this program was started to do so.
pub(crate) fn measure() -> Option<ExitCode> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [flag, file, name, program, arguments @ ..] = &*arguments else { return None };
    if flag != MEASURE {
        return None;
    }
    let begun = Instant::now();
    #[expect(clippy::zombie_processes, reason = "waited for below, in a way that tells what it used")]
    let child = Command::new(program).arg0(name).args(arguments).spawn().unwrap();
    let pid = libc::pid_t::try_from(child.id()).unwrap();
    let (mut status, mut usage) = (0, std::mem::MaybeUninit::<libc::rusage>::zeroed());
    // SAFETY: `pid` is our child, not waited for yet; both pointers are valid for the call.
    #[expect(unsafe_code, reason = "the standard library can't tell what a child used")]
    let usage = unsafe {
        assert_eq!(libc::wait4(pid, &raw mut status, 0, usage.as_mut_ptr()), pid);
        usage.assume_init()
    };
    let wall = begun.elapsed().as_nanos();
    let micros = |time: libc::timeval| time.tv_sec * 1_000_000 + time.tv_usec;
    let cpu = micros(usage.ru_utime) + micros(usage.ru_stime);
    fs::write(file, format!("{status} {wall} {cpu} {}", usage.ru_maxrss)).unwrap();
    Some(ExitCode::SUCCESS)
}
