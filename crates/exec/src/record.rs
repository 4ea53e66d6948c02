//! `--record DIR`: stores every execution for `replay`.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use eval_message::{Message, msg};
use eval_spec::files::open_regular;
use eval_spec::record::Executed;
use eval_spec::{BoxFuture, Call, CallPrice, ExecError, Executor, Failure, Identity, Output};

use crate::recordings::{
    RECORDINGS_FILE, RECORDINGS_VERSION, RecordingLine, Recordings, content_key, prompt_hash, system_hash,
};

/// Appends executions to a folder of recordings, from any number of tasks.
///
/// Every attempt is a line, failures too: at replay the last one counts, so a run whose cell failed
/// for good fails there again. Nothing is overwritten; a recording that replaces an earlier one is counted
/// and reported by [`Recorder::notes`].
pub struct Recorder {
    path: PathBuf,
    state: Mutex<RecorderState>,
}

struct RecorderState {
    file: File,
    /// Executions that have an output.
    answered: HashSet<(u128, String, String, String)>,
    existing: usize,
    replaced: usize,
    torn: bool,
    failed: Option<String>,
}

impl Recorder {
    /// Opens `dir` for recording, and makes it if need be. Existing recordings stay.
    ///
    /// # Errors
    /// The folder or its file can't be written, or has an invalid line; [`io::ErrorKind::WouldBlock`] where another
    /// run is writing to it.
    pub fn create(dir: &Path) -> io::Result<Recorder> {
        std::fs::create_dir_all(dir)?;
        let path = dir.join(RECORDINGS_FILE);
        if path.exists() {
            open_regular(&path)?;
        }
        let mut file = OpenOptions::new().create(true).append(true).read(true).open(&path)?;
        file.try_lock().map_err(io::Error::from)?;
        let earlier = Recordings::open(&path).map_err(io::Error::other)?;
        if earlier.torn() {
            file.set_len(earlier.end)?;
        }
        if earlier.unterminated {
            file.write_all(b"\n")?;
        }
        let state = RecorderState {
            file,
            answered: earlier.answered().collect(),
            existing: earlier.len(),
            replaced: 0,
            torn: earlier.torn(),
            failed: None,
        };
        Ok(Recorder { path, state: Mutex::new(state) })
    }

    /// The executor, with everything it answers recorded.
    pub fn wrap(executor: Arc<dyn Executor>, recorder: Arc<Recorder>) -> Arc<dyn Executor> {
        Arc::new(Recorded { executor, recorder })
    }

    /// Records one result. [`Recorder::wrap`] does it for calls; an engine that serves an output from
    /// elsewhere (its cache) does it here. Failures that say nothing of the call are left out.
    ///
    /// A write error is reported by [`Recorder::notes`] only: the output was paid for and must not be lost.
    pub fn record(&self, call: &Call, identity: &Identity, result: &Result<Output, ExecError>) {
        let executed = match result {
            Ok(output) => Executed::Output(Box::new(output.clone())),
            Err(error) if ours(error.failure) => return,
            Err(error) => Executed::Failed(error.clone()),
        };
        let mut state = self.state();
        match write(&mut state.file, call, identity, &executed) {
            Ok(()) if result.is_ok() => state.replaced += usize::from(!state.answered.insert(execution(call))),
            Ok(()) => state.replaced += usize::from(state.answered.remove(&execution(call))),
            Err(error) => state.failed = Some(error.to_string()),
        }
    }

    /// Notes for people: recordings that existed before, that were replaced, or that could not be written.
    pub fn notes(&self) -> Vec<Message> {
        let state = self.state();
        let file = self.path.display().to_string();
        let mut notes = Vec::new();
        if state.existing > 0 {
            notes.push(msg!("exec-recorder-existing", file = file.as_str(), count = state.existing));
        }
        if state.torn {
            notes.push(msg!("exec-recorder-torn", file = file.as_str()));
        }
        if state.replaced > 0 {
            notes.push(msg!("exec-recorder-replaced", file = file.as_str(), count = state.replaced));
        }
        if let Some(why) = &state.failed {
            notes.push(msg!("exec-recorder-failed", file = file.as_str(), why = why));
        }
        notes
    }

    fn state(&self) -> MutexGuard<'_, RecorderState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Failures of the run itself, not of the executor.
fn ours(failure: Failure) -> bool {
    matches!(failure, Failure::Interrupted | Failure::Budget | Failure::NoRecording)
}

fn execution(call: &Call) -> (u128, String, String, String) {
    (content_key(call), call.model.clone(), call.key.sample.to_string(), call.key.subject.to_string())
}

/// One line, in one write, so that a crash leaves at most one line torn.
fn write(file: &mut File, call: &Call, identity: &Identity, result: &Executed) -> io::Result<()> {
    let line = RecordingLine {
        version: RECORDINGS_VERSION,
        content: format!("{:032x}", content_key(call)),
        sample: Cow::Borrowed(&*call.key.sample),
        variant: Cow::Borrowed(&*call.key.subject),
        repeat: call.key.repeat,
        model: Cow::Borrowed(&call.model),
        system: system_hash(call),
        prompt: prompt_hash(call),
        identity: Cow::Borrowed(identity),
        result: Cow::Borrowed(result),
    };
    let mut bytes = serde_json::to_vec(&line)?;
    bytes.push(b'\n');
    file.write_all(&bytes)
}

struct Recorded {
    executor: Arc<dyn Executor>,
    recorder: Arc<Recorder>,
}

impl Executor for Recorded {
    fn identity(&self) -> &Identity {
        self.executor.identity()
    }

    fn price(&self, call: &Call) -> CallPrice {
        self.executor.price(call)
    }

    fn call<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Result<Output, ExecError>> {
        Box::pin(async move {
            let result = self.executor.call(call).await;
            self.recorder.record(call, self.identity(), &result);
            result
        })
    }

    fn failures_before(&self, call: &Call) -> Vec<Failure> {
        self.executor.failures_before(call)
    }
}
