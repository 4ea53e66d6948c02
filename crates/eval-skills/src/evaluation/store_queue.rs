//! Results on their way into the store, which may have to wait for other programs: the run waits for none of them.

use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use eval_format::skills::TaskResult;
use eval_run::Stop;
use eval_serve::{Store, StoreError};

/// A skill's id and a result of it.
type QueuedResult = (Arc<str>, TaskResult);

/// A thread that writes results as they arrive.
pub(crate) struct StoreQueue {
    results: Option<Mutex<Sender<QueuedResult>>>,
    thread: Option<JoinHandle<(Store, Option<StoreError>)>>,
}

impl StoreQueue {
    /// Begins. When the store refuses, the run is asked to stop.
    ///
    /// # Errors
    /// There is no thread to be had.
    pub(super) fn begin(store: Store, stop: Stop) -> std::io::Result<StoreQueue> {
        let (results, inbox) = mpsc::channel();
        let thread = thread::Builder::new().name("store".to_owned()).spawn(move || write(store, &inbox, &stop))?;
        Ok(StoreQueue { results: Some(Mutex::new(results)), thread: Some(thread) })
    }

    /// Hands over a result of a skill.
    pub(super) fn put(&self, skill: &Arc<str>, result: TaskResult) {
        if let Some(results) = &self.results {
            // If the thread is gone, its end says why.
            let _ = results.lock().unwrap_or_else(PoisonError::into_inner).send((Arc::clone(skill), result));
        }
    }

    /// Waits until all is written; the store, and why it refused. `None` after that.
    pub(super) fn end(&mut self) -> Option<(Store, Option<StoreError>)> {
        drop(self.results.take());
        Some(self.thread.take()?.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    }
}

/// What was handed over is written, also where the run fails.
impl Drop for StoreQueue {
    fn drop(&mut self) {
        drop(self.results.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn write(store: Store, inbox: &Receiver<QueuedResult>, stop: &Stop) -> (Store, Option<StoreError>) {
    let mut refused = None;
    for (skill, result) in inbox {
        if refused.is_none()
            && let Err(error) = store.append(&skill, &result)
        {
            refused = Some(error);
            stop.drain();
        }
    }
    (store, refused)
}
