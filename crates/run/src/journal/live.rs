//! A run that another process writes down, as far as it is by now.

use std::collections::{BTreeMap, HashMap};
use std::fs::{File, TryLockError};
use std::io::{BufRead, BufReader, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use eval_spec::record::Header;
use eval_spec::{CellKey, Failure};
use jiff::Timestamp;

use super::index::{self, Fact, JournalIndex, LineSpan};
use super::spent::JournalCost;
use super::{find, parse_header};
use crate::error::RunError;

/// The journal of a run, read on as it grows. It is never locked for longer than a look takes.
#[derive(Debug)]
pub struct LiveRun {
    path: PathBuf,
    file: File,
    header: Header,
    index: JournalIndex,
    /// The end of the last whole line that was read.
    end: u64,
    begun: HashMap<(CellKey, bool), Timestamp>,
}

/// The journals that processes are writing to now.
///
/// # Errors
/// When the folder is there but can't be read.
pub fn journals_under_way(home: &Path) -> Result<Vec<PathBuf>, RunError> {
    let is_written = |path: &PathBuf| File::open(path).is_ok_and(|file| is_locked(&file));
    let mut found: Vec<PathBuf> = find::journals(home)?.into_iter().filter(is_written).collect();
    found.sort_unstable();
    Ok(found)
}

/// Whoever begins to write meanwhile tries again.
fn is_locked(file: &File) -> bool {
    match file.try_lock_shared() {
        Ok(()) => {
            let _ = file.unlock();
            false
        }
        Err(TryLockError::WouldBlock) => true,
        Err(TryLockError::Error(_)) => false,
    }
}

/// How far a run is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunProgress {
    /// Executions that ended, failed ones too.
    pub finished: usize,
    /// Those of them that failed, by class.
    pub failed: BTreeMap<Failure, usize>,
    /// What everything so far cost.
    pub spent: JournalCost,
    /// Calls under way, the longest first.
    pub awaited: Vec<AwaitedCall>,
    /// Of each sample how many cells ended with what the rule that ends a run early reads.
    pub(crate) settled: HashMap<Arc<str>, u64>,
}

/// A call under way.
#[derive(Clone, Debug, PartialEq)]
pub struct AwaitedCall {
    /// The cell it is for.
    pub key: CellKey,
    /// Whether a judge of the cell's answer is asked.
    pub is_judgement: bool,
    /// When it left.
    pub since: Timestamp,
}

impl LiveRun {
    /// Opens the journal at `path`.
    ///
    /// # Errors
    /// When it is missing, of another version, or without a header.
    pub fn open(path: &Path) -> Result<LiveRun, RunError> {
        let mut file = File::open(path).map_err(|e| RunError::open(path, &e))?;
        let header = index::first_line(&file, path).and_then(|line| parse_header(&line, path))?;
        file.seek(SeekFrom::Start(0)).map_err(|e| RunError::open(path, &e))?;
        let mut first = Vec::new();
        let end = BufReader::new(&file).read_until(b'\n', &mut first).map_err(|e| RunError::open(path, &e))?;
        let path = path.to_owned();
        let (index, begun) = (JournalIndex::default(), HashMap::new());
        Ok(LiveRun { path, file, header, index, end: end as u64, begun })
    }

    /// What the run was started with.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Whether a process is writing to it now.
    #[must_use]
    pub fn is_under_way(&self) -> bool {
        is_locked(&self.file)
    }

    /// Reads what is new. Lines that can't be read are left out.
    ///
    /// # Errors
    /// When the file can't be read.
    pub fn update(&mut self) -> Result<RunProgress, RunError> {
        let failed = |e: std::io::Error| RunError::open(&self.path, &e);
        self.file.seek(SeekFrom::Start(self.end)).map_err(failed)?;
        let mut reader = BufReader::with_capacity(1 << 16, &self.file);
        let mut line = Vec::new();
        loop {
            line.clear();
            let read = reader.read_until(b'\n', &mut line).map_err(failed)? as u64;
            // What is being written has no line feed yet.
            let Some(b'\n') = line.pop() else { break };
            if let Ok(fact) = index::checked(&mut line) {
                if let Fact::Begun { key, is_judgement, at, .. } = &fact {
                    self.begun.insert((key.clone(), *is_judgement), *at);
                }
                self.index.add(fact, LineSpan::new(self.end, read - 1));
            }
            self.end += read;
        }
        Ok(self.progress())
    }

    fn progress(&self) -> RunProgress {
        let (finished, failed) = self.index.ended_cells();
        let mut awaited: Vec<AwaitedCall> = self
            .index
            .calls_under_way()
            .filter_map(|of| Some(AwaitedCall { key: of.0.clone(), is_judgement: of.1, since: *self.begun.get(of)? }))
            .collect();
        awaited.sort_by(|a, b| (a.since, &a.key.sample, &a.key.subject).cmp(&(b.since, &b.key.sample, &b.key.subject)));
        let settled = if self.header.looks.is_empty() { HashMap::new() } else { self.index.settled_cells() };
        RunProgress { finished, failed, spent: self.index.spent, awaited, settled }
    }

    /// How far the planned looks of a run are: how many were taken, and how many samples are finished, in their order without a
    /// gap. `cells` are those of a sample.
    #[must_use]
    pub fn looked(&self, progress: &RunProgress, cells: u64) -> (usize, usize) {
        let is_whole =
            |sample: &&String| progress.settled.get(sample.as_str()).is_some_and(|settled| *settled >= cells);
        let finished = self.header.looks.iter().flatten().take_while(is_whole).count();
        let ends = self.header.looks.iter().scan(0, |end, look| {
            *end += look.len();
            Some(*end)
        });
        (ends.take_while(|end| *end <= finished).count(), finished)
    }
}
