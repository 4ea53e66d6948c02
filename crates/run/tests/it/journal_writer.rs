//! Writes to the journal.

use std::fs::File;
use std::sync::Arc;

use eval_run::RunError;
use eval_run::internals::{Fact, JournalIndex, Writer, finish};
use eval_spec::CellKey;

fn fact() -> Fact {
    Fact::Grade { key: CellKey { sample: "s".into(), subject: "v".into(), repeat: 0 }, is_open: false }
}

#[tokio::test]
async fn after_a_failed_write_every_line_fails_with_the_first_reason() {
    let file = tempfile::NamedTempFile::new().unwrap();
    // Opened for reading only, so writing fails as it does on a full disk.
    let read_only = File::open(file.path()).unwrap();
    let writer = Arc::new(Writer::new(file.path(), read_only, JournalIndex::default(), (0, 0)));
    for _ in 0..2 {
        let ticket = writer.append(b"{}".to_vec(), fact());
        Writer::commit(&writer);
        assert!(matches!(ticket.durable().await, Err(RunError::Write { .. })));
    }
}

#[test]
fn what_is_queued_when_the_journal_is_closed_is_written() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let writer = Writer::new(file.path(), file.reopen().unwrap(), JournalIndex::default(), (0, 0));
    let _ticket = writer.append(b"{}".to_vec(), fact());
    writer.close();
    assert_eq!(std::fs::read(file.path()).unwrap(), finish(b"{}".to_vec(), 1));
}

#[tokio::test]
async fn what_is_committed_is_in_the_file_before_anything_is_synced() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let writer = Arc::new(Writer::new(file.path(), file.reopen().unwrap(), JournalIndex::default(), (0, 0)));
    // Another sync is running and never ends.
    writer.queue().syncing = true;
    let ticket = writer.append(b"{}".to_vec(), fact());
    Writer::commit(&writer);
    assert_eq!(std::fs::read(file.path()).unwrap(), finish(b"{}".to_vec(), 1));
    assert!(tokio::time::timeout(std::time::Duration::from_millis(20), ticket.durable()).await.is_err());
}
