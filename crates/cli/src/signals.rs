//! Signals that end a run.

/// Ctrl-C once finishes the running calls, twice ends them. SIGTERM ends them at once, since its sender may not wait, and so
/// does the hang-up of a closed terminal, or agents would outlive the run.
#[derive(Debug)]
pub struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
    /// `None` where it is ignored, as under `nohup`.
    hang_up: Option<tokio::signal::unix::Signal>,
    interrupts: u32,
}

impl Signals {
    /// Starts to listen.
    ///
    /// # Errors
    /// The system refuses. Must be called within a runtime.
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

    /// Waits for a signal; returns whether running calls are to be ended.
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

/// Makes writing beyond the file size limit an error instead of a signal that ends this process.
///
/// # Errors
/// The system refuses. Must be called within a runtime.
pub(crate) fn outlive_file_size() -> std::io::Result<()> {
    /// `SIGXFSZ`, on every supported system.
    const FILE_SIZE: i32 = 25;
    // The handler stays installed without a listener.
    tokio::signal::unix::signal(tokio::signal::unix::SignalKind::from_raw(FILE_SIZE)).map(drop)
}

async fn hung_up(signal: &mut Option<tokio::signal::unix::Signal>) -> Option<()> {
    match signal {
        Some(signal) => signal.recv().await,
        None => std::future::pending().await,
    }
}

/// Whether SIGHUP is ignored, as under `nohup`; true where that can't be determined.
fn ignores_hang_up() -> bool {
    // The mask's lowest bit is signal 1, SIGHUP.
    const HANG_UP: u64 = 1;
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_none_or(|mask| mask & HANG_UP != 0)
}
