//! Group commit: whatever is queued is written at once and synced once, then acknowledged.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use super::index::{Fact, Index, Span};
use crate::RunError;

/// The one writer of a journal's file. There is at most one batch under way; what is queued meanwhile
/// becomes the next batch.
#[derive(Debug)]
pub(super) struct Writer {
    path: PathBuf,
    file: File,
    queue: Mutex<Queue>,
    /// Told when nobody writes any more.
    idle: Condvar,
    index: Mutex<Index>,
}

#[derive(Debug, Default)]
struct Queue {
    batch: Batch,
    /// Where the next batch goes.
    end: u64,
    writing: bool,
    /// Set by the first failure: after it nothing may be appended, for the file may end in a torn line.
    broken: Option<RunError>,
}

#[derive(Debug, Default)]
struct Batch {
    bytes: Vec<u8>,
    facts: Vec<(Fact, u64)>,
    acks: Vec<oneshot::Sender<Result<(), RunError>>>,
}

/// Tells when a line is on disk.
#[must_use]
#[derive(Debug)]
pub(crate) struct Ticket {
    ack: oneshot::Receiver<Result<(), RunError>>,
    path: PathBuf,
}

impl Ticket {
    /// Waits until the line, and every line before it, is on disk.
    pub(crate) async fn durable(self) -> Result<(), RunError> {
        let lost = || RunError::Write { path: self.path, why: "the writer ended early".to_owned() };
        self.ack.await.unwrap_or_else(|_| Err(lost()))
    }
}

impl Writer {
    pub(super) fn new(path: &Path, file: File, index: Index, end: u64) -> Writer {
        let queue = Queue { end, ..Queue::default() };
        Writer { path: path.to_owned(), file, queue: Mutex::new(queue), idle: Condvar::new(), index: Mutex::new(index) }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn file(&self) -> &File {
        &self.file
    }

    pub(super) fn index(&self) -> MutexGuard<'_, Index> {
        self.index.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Cuts off what stands behind the last whole line.
    pub(super) fn cut_torn_end(&self) -> Result<(), RunError> {
        let end = self.queue().end;
        self.file
            .metadata()
            .and_then(|data| if data.len() == end { Ok(()) } else { self.file.set_len(end) })
            .map_err(|e| RunError::write(&self.path, &e))
    }

    /// Queues one line with its line feed.
    pub(super) fn append(&self, line: &[u8], fact: Fact) -> Ticket {
        let (ack, receiver) = oneshot::channel();
        let mut queue = self.queue();
        queue.batch.bytes.extend_from_slice(line);
        queue.batch.facts.push((fact, line.len() as u64));
        queue.batch.acks.push(ack);
        Ticket { ack: receiver, path: self.path.clone() }
    }

    /// Sees to it that somebody writes what is queued.
    pub(super) fn commit(this: &Arc<Writer>) {
        let mut queue = this.queue();
        if queue.writing || queue.batch.acks.is_empty() {
            return;
        }
        queue.writing = true;
        drop(queue);
        let turn = Turn { writer: Arc::clone(this), used: false };
        tokio::task::spawn_blocking(move || turn.write());
    }

    /// Writes what is left and lets the next process have the file.
    ///
    /// What a panic or an aborted task left in the queue is paid for: it is written all the same.
    pub(super) fn close(&self) {
        let mut queue = self.queue();
        while queue.writing {
            queue = self.idle.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
        drop(queue);
        self.write_all_queued();
        // The lock would go with the last handle anyway, but a writing thread may hold one a little longer.
        let _ = self.file.unlock();
    }

    fn write_all_queued(&self) {
        loop {
            let mut queue = self.queue();
            if queue.batch.acks.is_empty() {
                queue.writing = false;
                self.idle.notify_all();
                return;
            }
            let batch = std::mem::take(&mut queue.batch);
            let (start, broken) = (queue.end, queue.broken.clone());
            drop(queue);

            let result = broken.map_or_else(|| self.write(&batch.bytes, start), Err);
            match &result {
                Ok(()) => {
                    let mut index = self.index();
                    let mut offset = start;
                    for (fact, length) in batch.facts {
                        index.add(fact, Span::new(offset, length - 1));
                        offset += length;
                    }
                    self.queue().end = offset;
                }
                Err(error) => self.queue().broken = Some(error.clone()),
            }
            for ack in batch.acks {
                // Whoever asked may have been dropped.
                let _ = ack.send(result.clone());
            }
        }
    }

    fn write(&self, bytes: &[u8], start: u64) -> Result<(), RunError> {
        let written = self.file.write_all_at(bytes, start).and_then(|()| self.file.sync_data());
        written.map_err(|e| {
            // Best effort: a torn end is cut on resume anyway.
            let _ = self.file.set_len(start);
            RunError::write(&self.path, &e)
        })
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The right to write. A runtime that shuts down may drop it unused; then the next one gets it.
struct Turn {
    writer: Arc<Writer>,
    used: bool,
}

impl Turn {
    fn write(mut self) {
        self.writer.write_all_queued();
        self.used = true;
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if !self.used {
            self.writer.queue().writing = false;
            self.writer.idle.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test")]

    use eval_spec::CellKey;

    use super::*;

    fn fact() -> Fact {
        Fact::Grade { key: CellKey { sample: "s".into(), subject: "v".into(), repeat: 0 } }
    }

    #[tokio::test]
    async fn after_a_failed_write_every_line_fails_with_the_first_reason() {
        let file = tempfile::NamedTempFile::new().unwrap();
        // Opened for reading only, so writing fails as it does on a full disk.
        let read_only = File::open(file.path()).unwrap();
        let writer = Arc::new(Writer::new(file.path(), read_only, Index::default(), 0));
        for _ in 0..2 {
            let ticket = writer.append(b"{}\n", fact());
            Writer::commit(&writer);
            assert!(matches!(ticket.durable().await, Err(RunError::Write { .. })));
        }
    }

    #[test]
    fn what_is_queued_when_the_journal_is_closed_is_written() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let writer = Writer::new(file.path(), file.reopen().unwrap(), Index::default(), 0);
        let _ticket = writer.append(b"{}\n", fact());
        writer.close();
        assert_eq!(std::fs::read(file.path()).unwrap(), b"{}\n");
    }
}
