//! Threads under a limit of the system: fewer of them, or an error that says which limit to raise. Libraries panic where they
//! get none.

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

/// Threads beside those that compute and those that wait for models: for signals, the journal, pipes and ends of programs.
const OTHERS: usize = 8;

/// The stack of a thread that does nothing, in bytes.
const SMALL_STACK: usize = 64 << 10;

/// How many threads each pool gets, where the system has too few for its processors.
static POOL: OnceLock<usize> = OnceLock::new();

/// Whether a run has begun.
static HAS_BEGUN: AtomicBool = AtomicBool::new(false);

/// Makes pools small enough for the limits of the system; from then on, a limit that stops a thread is told as an error.
///
/// # Errors
/// There are too few threads for any work.
pub fn prepare(context: &Context, flags: &Flags) -> Result<(), CommandError> {
    tell_limits(context.clone(), *flags);
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

/// The runtime of a run.
///
/// # Errors
/// The system refuses it.
pub fn runtime() -> std::io::Result<Runtime> {
    let mut builder = Builder::new_multi_thread();
    if let Some(threads) = POOL.get() {
        builder.worker_threads(*threads);
    }
    builder.enable_all().build()
}

/// Notes that a run has begun: its results are in its journal, and an error has another exit code.
pub fn begin() {
    HAS_BEGUN.store(true, Ordering::Relaxed);
}

/// How many of `wanted` threads can be had at once.
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

/// Ends the program with an error where a panic says that the system refused a thread, a file or memory.
#[expect(clippy::exit, reason = "where a library panics, nothing returns")]
fn tell_limits(context: Context, flags: Flags) {
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

/// The system's error in a panic's text, if it is that of a limit: EAGAIN, ENOMEM, EMFILE and ENFILE.
fn refusal(panic: &PanicHookInfo<'_>) -> Option<String> {
    const CODES: [i32; 4] = [11, 12, 24, 23];
    let text = panic.payload_as_str()?;
    let says = |code: &&i32| text.contains(&format!("code: {code},")) || text.contains(&format!("os error {code})"));
    CODES.iter().find(says).map(|code| std::io::Error::from_raw_os_error(*code).to_string())
}
