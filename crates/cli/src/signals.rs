//! Signals that end a run.

use std::time::Duration;

use tokio::time::Instant;

/// Time for running calls after SIGTERM or SIGHUP.
pub const GRACE: Duration = Duration::from_secs(10);

/// Listens to signals. The first Ctrl-C lets running calls finish, the second ends them. SIGTERM and the hang-up of a
/// closed terminal end them after [`GRACE`] or at the second signal: they are paid for, but must not outlive the run.
#[derive(Debug)]
pub struct Signals {
    interrupt: system::Interrupt,
    terminate: system::Terminate,
    /// `None` if ignored, as under `nohup`.
    hang_up: Option<system::HangUp>,
    interrupts: u32,
    /// Time at which running calls are ended.
    deadline: Option<Instant>,
}

impl Signals {
    /// Starts to listen. Must be called within a runtime.
    pub fn new() -> std::io::Result<Signals> {
        outlive_file_size()?;
        Ok(Signals {
            interrupt: system::interrupt()?,
            terminate: system::terminate()?,
            hang_up: system::hang_up()?,
            interrupts: 0,
            deadline: None,
        })
    }

    /// Waits for a signal, or for the deadline that an earlier one set; returns `true` if running calls are to be
    /// ended.
    pub async fn next(&mut self) -> bool {
        let deadline = self.deadline;
        tokio::select! {
            _ = self.interrupt.recv() => {
                self.interrupts += 1;
                self.interrupts > 1 || deadline.is_some()
            }
            _ = self.terminate.recv() => self.ends(),
            Some(_) = hung_up(&mut self.hang_up) => self.ends(),
            () = passed(deadline) => {
                self.deadline = None;
                true
            }
        }
    }

    /// Returns `true` if running calls have [`GRACE`] to finish.
    #[must_use]
    pub fn is_in_grace(&self) -> bool {
        self.deadline.is_some()
    }

    /// Sets the deadline at the first such signal; returns `true` at the second.
    fn ends(&mut self) -> bool {
        let is_second = self.deadline.is_some();
        self.deadline.get_or_insert_with(|| Instant::now() + GRACE);
        is_second
    }
}

async fn passed(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => tokio::time::sleep_until(deadline).await,
        None => std::future::pending().await,
    }
}

async fn hung_up(signal: &mut Option<system::HangUp>) -> Option<()> {
    match signal {
        Some(signal) => signal.recv().await,
        None => std::future::pending().await,
    }
}

pub(crate) use system::outlive_file_size;

#[cfg(unix)]
mod system {
    use std::io::Result;

    use tokio::signal::unix::{Signal, SignalKind, signal};

    pub(super) type Interrupt = Signal;
    pub(super) type Terminate = Signal;
    pub(super) type HangUp = Signal;

    pub(super) fn interrupt() -> Result<Interrupt> {
        signal(SignalKind::interrupt())
    }

    pub(super) fn terminate() -> Result<Terminate> {
        signal(SignalKind::terminate())
    }

    pub(super) fn hang_up() -> Result<Option<HangUp>> {
        (!ignores_hang_up()).then(|| signal(SignalKind::hangup())).transpose()
    }

    /// Turns writing beyond the file size limit into an error; by default a signal would end this process. Must be
    /// called within a runtime.
    pub(crate) fn outlive_file_size() -> Result<()> {
        /// `SIGXFSZ`, on every supported system.
        const FILE_SIZE: i32 = 25;
        // The handler stays installed without a listener.
        signal(SignalKind::from_raw(FILE_SIZE)).map(drop)
    }

    /// Returns `true` if SIGHUP is ignored, as under `nohup`, or if that can't be determined.
    fn ignores_hang_up() -> bool {
        // The mask's lowest bit is signal 1, SIGHUP.
        const HANG_UP: u64 = 1;
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_none_or(|mask| mask & HANG_UP != 0)
    }
}

#[cfg(windows)]
mod system {
    use std::io::Result;

    use tokio::signal::windows::{CtrlBreak, CtrlC, CtrlClose, ctrl_break, ctrl_c, ctrl_close};

    pub(super) type Interrupt = CtrlC;
    pub(super) type Terminate = CtrlBreak;
    pub(super) type HangUp = CtrlClose;

    pub(super) fn interrupt() -> Result<Interrupt> {
        ctrl_c()
    }

    pub(super) fn terminate() -> Result<Terminate> {
        ctrl_break()
    }

    /// Listens to the closing of the console window; the system ends this process a few seconds later anyway.
    pub(super) fn hang_up() -> Result<Option<HangUp>> {
        ctrl_close().map(Some)
    }

    /// Does nothing: Windows has no such limit.
    #[expect(clippy::unnecessary_wraps, reason = "as elsewhere")]
    pub(crate) fn outlive_file_size() -> Result<()> {
        Ok(())
    }
}
