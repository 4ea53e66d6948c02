//! Each line goes to the file at once, and to the disk together with what else is there by then.
//!
//! What is in the file outlives a `kill -9`, what is on the disk outlives a power cut, and only that is
//! acknowledged. Writing takes microseconds, syncing milliseconds: one sync at a time is under way, and
//! what is written meanwhile shares the next one.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use eval_spec::files::write_all_at;
use tokio::sync::oneshot;

use super::index::{Fact, JournalIndex, LineSpan};
use super::line;
use crate::error::RunError;

/// So long is waited after a sync, so that more lines share the next one: a sync costs a millisecond and a
/// few switches of context, and nobody's call waits for it.
const GATHER: Duration = Duration::from_millis(5);

/// The one writer of a journal's file.
#[derive(Debug)]
pub struct Writer {
    path: PathBuf,
    file: File,
    queue: Mutex<Queue>,
    /// Notified when no sync is running.
    idle: Condvar,
    /// Notified when the journal is closed.
    closing: Condvar,
    index: Mutex<JournalIndex>,
}

#[derive(Debug, Default)]
pub struct Queue {
    batch: Batch,
    /// Where the next batch goes.
    end: u64,
    /// The number of the last line.
    number: u64,
    /// Acknowledgements of lines that are written but not synced.
    unsynced: Vec<Ack>,
    pub syncing: bool,
    closing: bool,
    /// Set by the first failure: after it nothing may be appended, for the file may end in a torn line.
    broken: Option<RunError>,
}

/// Lines that belong together: an execution, and its grade when that took no time.
#[derive(Debug, Default)]
struct Batch {
    bytes: Vec<u8>,
    facts: Vec<(Fact, u64)>,
    acks: Vec<Ack>,
}

type Ack = oneshot::Sender<Result<(), RunError>>;

/// Resolves when a line is on disk.
#[must_use]
#[derive(Debug)]
pub struct Ticket {
    ack: oneshot::Receiver<Result<(), RunError>>,
    path: PathBuf,
}

impl Ticket {
    /// Waits until the line, and every line before it, is on disk.
    pub async fn durable(self) -> Result<(), RunError> {
        let lost = || RunError::Write { path: self.path, why: "the writer ended early".to_owned() };
        self.ack.await.unwrap_or_else(|_| Err(lost()))
    }
}

impl Queue {
    fn push(&mut self, object: Vec<u8>, fact: Fact) {
        self.number += 1;
        let line = line::finish(object, self.number);
        self.batch.bytes.extend_from_slice(&line);
        self.batch.facts.push((fact, line.len() as u64));
    }
}

impl Writer {
    /// Writes on after `end`, and after so many lines.
    pub fn new(path: &Path, file: File, index: JournalIndex, (end, number): (u64, u64)) -> Writer {
        let queue = Queue { end, number, ..Queue::default() };
        Writer {
            path: path.to_owned(),
            file,
            queue: Mutex::new(queue),
            idle: Condvar::new(),
            closing: Condvar::new(),
            index: Mutex::new(index),
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn file(&self) -> &File {
        &self.file
    }

    pub(super) fn index(&self) -> MutexGuard<'_, JournalIndex> {
        self.index.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Cuts off everything after the last whole line.
    pub(super) fn cut_torn_end(&self) -> Result<(), RunError> {
        let end = self.queue().end;
        self.file
            .metadata()
            .and_then(|data| if data.len() == end { Ok(()) } else { self.file.set_len(end) })
            .map_err(|e| RunError::write(&self.path, &e))
    }

    /// Queues one line.
    pub fn append(&self, object: Vec<u8>, fact: Fact) -> Ticket {
        let (ack, receiver) = oneshot::channel();
        let mut queue = self.queue();
        queue.push(object, fact);
        queue.batch.acks.push(ack);
        Ticket { ack: receiver, path: self.path.clone() }
    }

    /// Writes a line, after those that are queued. Nobody waits for it to be on disk.
    pub(super) fn write_now(&self, object: Vec<u8>, fact: Fact) {
        let mut queue = self.queue();
        queue.push(object, fact);
        self.write_queued(&mut queue);
    }

    /// The ticket of a line that can't be written.
    pub(super) fn refuse(&self, why: &std::io::Error) -> Ticket {
        let (ack, receiver) = oneshot::channel();
        acknowledge(vec![ack], &Err(RunError::write(&self.path, why)));
        Ticket { ack: receiver, path: self.path.clone() }
    }

    /// Writes the queue, and starts a sync unless one is running. Must be called within a runtime.
    pub fn commit(this: &Arc<Writer>) {
        let mut queue = this.queue();
        this.write_queued(&mut queue);
        if queue.syncing || queue.unsynced.is_empty() {
            return;
        }
        queue.syncing = true;
        drop(queue);
        let turn = SyncTurn { writer: Arc::clone(this), used: false };
        tokio::task::spawn_blocking(move || turn.sync());
    }

    /// Writes and syncs what is queued, here and now.
    pub(super) fn flush(&self) -> Result<(), RunError> {
        let mut queue = self.queue();
        self.write_queued(&mut queue);
        if let Some(error) = &queue.broken {
            return Err(error.clone());
        }
        let acks = std::mem::take(&mut queue.unsynced);
        drop(queue);
        let result = self.file.sync_data().map_err(|e| RunError::write(&self.path, &e));
        acknowledge(acks, &result);
        result
    }

    /// Writes and syncs what is left and lets the next process have the file.
    ///
    /// What a panic or an aborted task left in the queue is paid for: it is written all the same.
    pub fn close(&self) {
        let mut queue = self.queue();
        queue.closing = true;
        self.closing.notify_all();
        while queue.syncing {
            queue = self.idle.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
        self.write_queued(&mut queue);
        drop(queue);
        self.sync_written();
        // The lock would go with the last handle anyway, but a syncing thread may hold one a little longer.
        let _ = self.file.unlock();
    }

    fn write_queued(&self, queue: &mut Queue) {
        if queue.batch.bytes.is_empty() {
            return;
        }
        let batch = std::mem::take(&mut queue.batch);
        let start = queue.end;
        let result = queue.broken.clone().map_or_else(|| self.write(&batch.bytes, start), Err);
        if let Err(error) = result {
            queue.broken.get_or_insert(error.clone());
            return acknowledge(batch.acks, &Err(error));
        }
        let mut index = self.index();
        for (fact, length) in batch.facts {
            index.add(fact, LineSpan::new(queue.end, length - 1));
            queue.end += length;
        }
        drop(index);
        queue.unsynced.extend(batch.acks);
    }

    fn write(&self, bytes: &[u8], start: u64) -> Result<(), RunError> {
        write_all_at(&self.file, bytes, start).map_err(|e| {
            // Best effort: a torn end is cut on resume anyway.
            let _ = self.file.set_len(start);
            RunError::write(&self.path, &e)
        })
    }

    fn sync_written(&self) {
        loop {
            let mut queue = self.queue();
            let acks = std::mem::take(&mut queue.unsynced);
            if acks.is_empty() {
                queue.syncing = false;
                self.idle.notify_all();
                return;
            }
            drop(queue);
            let result = self.file.sync_data().map_err(|e| RunError::write(&self.path, &e));
            if let Err(error) = &result {
                self.queue().broken.get_or_insert(error.clone());
            }
            acknowledge(acks, &result);
            self.gather();
        }
    }

    /// Lets more lines come, unless there will be none.
    fn gather(&self) {
        let queue = self.queue();
        let _ = self.closing.wait_timeout_while(queue, GATHER, |queue| !queue.closing);
    }

    pub fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn acknowledge(acks: Vec<Ack>, result: &Result<(), RunError>) {
    for ack in acks {
        // The waiting task may have been dropped.
        let _ = ack.send(result.clone());
    }
}

/// The right to sync. A runtime that shuts down may drop it unused; then the next one gets it.
struct SyncTurn {
    writer: Arc<Writer>,
    used: bool,
}

impl SyncTurn {
    fn sync(mut self) {
        self.writer.sync_written();
        self.used = true;
    }
}

impl Drop for SyncTurn {
    fn drop(&mut self) {
        if !self.used {
            self.writer.queue().syncing = false;
            self.writer.idle.notify_all();
        }
    }
}
