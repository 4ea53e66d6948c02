//! How people and systems end a run.

/// Ctrl-C once: finish what runs; twice: end it. SIGTERM ends it at once, since whoever sends it
/// does not wait; so does a terminal that is closed, or the agents would outlive the run.
#[derive(Debug)]
pub struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
    /// `None` where it is ignored, as under `nohup`.
    hang_up: Option<tokio::signal::unix::Signal>,
    interrupts: u32,
}

impl Signals {
    /// Listens from now on.
    ///
    /// # Errors
    /// When the system doesn't let us. Must be called within a runtime.
    pub fn new() -> std::io::Result<Signals> {
        use tokio::signal::unix::{SignalKind, signal};
        outlive_file_size()?;
        Ok(Signals {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hang_up: (!ignores_hang_up()).then(|| signal(SignalKind::hangup())).transpose()?,
            interrupts: 0,
        })
    }

    /// Waits for a signal; whether running calls are to be ended.
    pub async fn next(&mut self) -> bool {
        tokio::select! {
            _ = self.interrupt.recv() => {
                self.interrupts += 1;
                self.interrupts > 1
            }
            _ = self.terminate.recv() => true,
            Some(_) = hung_up(&mut self.hang_up) => true,
        }
    }
}

/// From now on a file that grows beyond a limit is an error of whoever writes it, and not our end.
///
/// # Errors
/// When the system doesn't let us. Must be called within a runtime.
pub fn outlive_file_size() -> std::io::Result<()> {
    /// `SIGXFSZ`, which has this number on every system that we are built for.
    const FILE_SIZE: i32 = 25;
    // The handler stays for good; nobody has to listen.
    tokio::signal::unix::signal(tokio::signal::unix::SignalKind::from_raw(FILE_SIZE)).map(drop)
}

async fn hung_up(signal: &mut Option<tokio::signal::unix::Signal>) -> Option<()> {
    match signal {
        Some(signal) => signal.recv().await,
        None => std::future::pending().await,
    }
}

/// Whether whoever started us wants us to outlive the terminal. Where that can't be seen, it is taken
/// for granted.
fn ignores_hang_up() -> bool {
    // The mask's lowest bit is signal 1, SIGHUP.
    const HANG_UP: u64 = 1;
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_none_or(|mask| mask & HANG_UP != 0)
}
