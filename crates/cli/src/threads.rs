//! Handles limits on threads: starts fewer of them, or reports the limit to raise. Libraries panic when they get no
//! thread.

use std::num::NonZero;
use std::panic::PanicHookInfo;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;

use eval_message::msg;
use eval_spec::Context;
use tokio::runtime::{Builder, Runtime};

use crate::exit::{CommandError, INVALID, USAGE};
use crate::terminal::{Flags, Terminal};

/// Number of threads besides the pools: for signals, the journal, pipes and the ends of programs.
const OTHERS: usize = 8;

/// Stack of a thread that does nothing, in bytes.
const SMALL_STACK: usize = 64 << 10;

/// Number of threads per pool, if the system has too few for its processors.
static POOL: OnceLock<usize> = OnceLock::new();

/// A run has begun.
static HAS_BEGUN: AtomicBool = AtomicBool::new(false);

/// Makes pools small enough for the limits of the system; an error if there are too few threads for any work. From then
/// on, a limit that stops a thread is reported as an error.
pub fn prepare(context: &Context, flags: &Flags) -> Result<(), CommandError> {
    report_limits(context.clone(), *flags);
    let processors = thread::available_parallelism().map_or(1, NonZero::get);
    let wanted = 2 * processors + OTHERS;
    let available = available(wanted);
    if available == wanted {
        return Ok(());
    }
    let few = || CommandError::usage(msg!("cli-few-threads", threads = available), msg!("cli-limits-help"));
    let each = available.saturating_sub(OTHERS) / 2;
    if each == 0 {
        return Err(few());
    }
    let each = *POOL.get_or_init(|| each);
    rayon::ThreadPoolBuilder::new().num_threads(each).build_global().map_err(|_| few())
}

/// Builds the runtime of a run.
pub fn runtime() -> std::io::Result<Runtime> {
    let mut builder = Builder::new_multi_thread();
    if let Some(threads) = POOL.get() {
        builder.worker_threads(*threads);
    }
    builder.enable_all().build()
}

/// Notes that a run has begun: errors then have another exit code, since results are in the journal.
pub fn begin() {
    HAS_BEGUN.store(true, Ordering::Relaxed);
}

/// Returns how many of `wanted` threads can run at once.
fn available(wanted: usize) -> usize {
    let gate = Mutex::new(());
    thread::scope(|scope| {
        let closed = gate.lock();
        let wait = || drop(gate.lock().unwrap_or_else(PoisonError::into_inner));
        let spawn = |_: usize| thread::Builder::new().stack_size(SMALL_STACK).spawn_scoped(scope, wait).ok();
        let threads = (0..wanted).map_while(spawn).count();
        drop(closed);
        threads
    })
}

/// Ends the program with an error if a panic says that the system refused a thread, a file or memory.
#[expect(clippy::exit, reason = "where a library panics, nothing returns")]
fn report_limits(context: Context, flags: Flags) {
    let other = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| match refusal(panic) {
        None => other(panic),
        Some(why) => {
            let help = msg!("cli-limits-help");
            Terminal::new(&context, &flags).error(&msg!("cli-limit", why = why), Some(&help));
            std::process::exit(if HAS_BEGUN.load(Ordering::Relaxed) { INVALID } else { USAGE }.into());
        }
    }));
}

/// Returns the system's error in a panic's text, if it is that of a limit: EAGAIN, ENOMEM, EMFILE or ENFILE.
fn refusal(panic: &PanicHookInfo<'_>) -> Option<String> {
    const CODES: [i32; 4] = [11, 12, 24, 23];
    let text = panic.payload_as_str()?;
    let says = |code: &&i32| text.contains(&format!("code: {code},")) || text.contains(&format!("os error {code})"));
    CODES.iter().find(says).map(|code| std::io::Error::from_raw_os_error(*code).to_string())
}
