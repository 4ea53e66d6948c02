//! A queue of results for the store. The store may be locked by other programs; the run doesn't wait for it.

use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use eval_format::skills::TaskResult;
use eval_run::Stop;
use eval_serve::{Store, StoreError};

/// A skill's id and a result of it.
type QueuedResult = (Arc<str>, TaskResult);

pub(crate) struct StoreQueue {
    results: Option<Mutex<Sender<QueuedResult>>>,
    thread: Option<JoinHandle<(Store, Option<StoreError>)>>,
}

impl StoreQueue {
    /// Starts the thread. If the store fails, the run is stopped.
    ///
    /// # Errors
    /// The thread can't be started.
    pub(super) fn begin(store: Store, stop: Stop) -> std::io::Result<StoreQueue> {
        let (results, inbox) = mpsc::channel();
        let thread = thread::Builder::new().name("store".to_owned()).spawn(move || write(store, &inbox, &stop))?;
        Ok(StoreQueue { results: Some(Mutex::new(results)), thread: Some(thread) })
    }

    pub(super) fn put(&self, skill: &Arc<str>, result: TaskResult) {
        if let Some(results) = &self.results {
            // If the thread has ended, `end` returns why.
            let _ = results.lock().unwrap_or_else(PoisonError::into_inner).send((Arc::clone(skill), result));
        }
    }

    /// Waits until all results are written; returns the store and its failure. `None` after that.
    pub(super) fn end(&mut self) -> Option<(Store, Option<StoreError>)> {
        drop(self.results.take());
        Some(self.thread.take()?.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    }
}

/// Queued results are written even if the run fails.
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
