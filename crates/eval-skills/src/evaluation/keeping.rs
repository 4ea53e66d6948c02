//! Results on their way into the store, which may have to wait for other programs: the run waits for none of them.

use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use eval_format::skills::TaskResult;
use eval_run::Stop;
use eval_serve::{Store, StoreError};

/// A thread that writes results as they arrive.
pub(super) struct Keeping {
    results: Mutex<Sender<(Arc<str>, TaskResult)>>,
    thread: JoinHandle<(Store, Option<StoreError>)>,
}

impl Keeping {
    /// Begins. When the store refuses, the run is asked to stop.
    ///
    /// # Errors
    /// There is no thread to be had.
    pub(super) fn begin(store: Store, stop: Stop) -> std::io::Result<Keeping> {
        let (results, inbox) = mpsc::channel();
        let thread = thread::Builder::new().name("store".to_owned()).spawn(move || write(store, &inbox, &stop))?;
        Ok(Keeping { results: Mutex::new(results), thread })
    }

    /// Hands over a result of a skill.
    pub(super) fn keep(&self, skill: &Arc<str>, result: TaskResult) {
        let results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
        // If the thread is gone, its end says why.
        let _ = results.send((Arc::clone(skill), result));
    }

    /// Waits until all is written; the store, and why it refused.
    pub(super) fn end(self) -> (Store, Option<StoreError>) {
        drop(self.results);
        self.thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

fn write(store: Store, inbox: &Receiver<(Arc<str>, TaskResult)>, stop: &Stop) -> (Store, Option<StoreError>) {
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
