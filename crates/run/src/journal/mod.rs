//! The journal of a run: a header, then one JSON line per finished execution and grade, append-only.
//!
//! Lines are written at once and synced in groups ([`writer`]), found again through an index of
//! offsets ([`index`]), and read back one record at a time, so that memory is bounded by the number of
//! cells and not by their texts. One process at a time may write: the file is locked while it is open.

mod again;
mod find;
pub(crate) mod index;
pub(crate) mod line;
mod live;
mod prune;
pub(crate) mod spent;
pub(crate) mod writer;

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;
use std::sync::{Arc, MutexGuard};
use std::time::{Duration, Instant};

use eval_format::private_folder;
use eval_message::{Message, msg};
use eval_spec::files::{self, read_exact_at, write_all_at};
use eval_spec::plan::Plan;
use eval_spec::record::{BegunCall, Execution, GradeLine, Header, JOURNAL_VERSION, Line, Record};
use eval_spec::{Cell, CellKey, Check, Grade, Judged, Pair};
use index::{JournalIndex, LineSpan};
use serde::Serialize;
use serde_json::Value;
use writer::Writer;

use crate::error::RunError;
use crate::outage::Outage;
use crate::private::private_file;
pub use again::AskedAgain;
pub use find::{first_unreadable, journal_path, latest_where};
pub(crate) use index::{CellState, SampleSpent};
pub use line::BadLine;
pub use live::{AwaitedCall, LiveRun, RunProgress, journals_under_way};
pub use prune::{JournalLimits, StoredJournal, stored_journals};
pub use spent::JournalCost;

pub(crate) use writer::Ticket;

/// An open journal.
#[derive(Debug)]
pub struct Journal {
    header: Header,
    writer: Arc<Writer>,
    /// Lines that were there and can't be used.
    bad: Vec<BadLine>,
    /// How many lines could be used when it was opened.
    good: usize,
    /// How many lines were deleted from it.
    deleted: u64,
    /// Whether what failed is asked again.
    retries_failed: bool,
}

impl Journal {
    /// Starts the journal of a new run. The header is on disk when this returns.
    ///
    /// # Errors
    /// When the file exists or can't be written.
    pub fn create(path: &Path, header: Header) -> Result<Journal, RunError> {
        if let Some(folder) = path.parent() {
            private_folder(folder).map_err(|e| RunError::create(folder, &e))?;
        }
        let file = private_file().read(true).write(true).create_new(true).open(path);
        let file = file.map_err(|e| RunError::open(path, &e))?;
        lock(&file, path)?;
        let mut line = object_bytes(&LineRef::Header(&header));
        line.push(b'\n');
        write_all_at(&file, &line, 0)
            .and_then(|()| file.sync_all())
            .and_then(|()| path.parent().map_or(Ok(()), sync_folder))
            .map_err(|e| RunError::create(path, &e))?;
        let writer = Writer::new(path, file, JournalIndex::default(), (line.len() as u64, 0));
        Ok(Journal { header, writer: Arc::new(writer), bad: Vec::new(), good: 0, deleted: 0, retries_failed: false })
    }

    /// Opens a journal to go on with its run. A line that a killed run left torn at the end is cut off; other lines that
    /// can't be used are left out ([`Journal::bad_lines`]).
    ///
    /// # Errors
    /// When it is missing, locked by another process, of another version, or without a header.
    pub fn resume(path: &Path) -> Result<Journal, RunError> {
        let file = OpenOptions::new().read(true).write(true).open(path);
        let file = file.map_err(|e| RunError::open(path, &e))?;
        lock(&file, path)?;
        let journal = Journal::scan(path, file)?;
        journal.writer.cut_torn_end()?;
        Ok(journal)
    }

    /// Opens a journal to read it, even while its run is under way. Nothing can be appended.
    ///
    /// # Errors
    /// When it is missing, of another version, or without a header.
    pub fn read(path: &Path) -> Result<Journal, RunError> {
        let file = files::open_regular(path).map_err(|e| RunError::open(path, &e))?;
        Journal::scan(path, file)
    }

    /// Reads the first line of a journal only.
    ///
    /// # Errors
    /// When it is missing, cut before its first line was whole, of another version, or corrupt.
    pub fn read_header(path: &Path) -> Result<Header, RunError> {
        let file = files::open_regular(path).map_err(|e| RunError::open(path, &e))?;
        index::first_line(&file, path).and_then(|line| parse_header(&line, path))
    }

    /// What says which lines are left out, because they can't be read or were changed after they were written: the first,
    /// and how many more. What they held counts as not asked yet.
    pub fn bad_lines(&self) -> impl Iterator<Item = Message> {
        const SHOWN: usize = 2;
        let more = self.bad.len().saturating_sub(SHOWN);
        let more = (more > 0).then(|| msg!("run-journal-more-lines", count = more));
        self.bad.iter().take(SHOWN).map(|bad| bad.message(self.path())).chain(more)
    }

    /// The number of lines that can't be used.
    #[must_use]
    pub fn bad_line_count(&self) -> usize {
        self.bad.len()
    }

    /// Checks that no line was deleted: what it held would be asked again without a trace. And that every line can be used, or
    /// (unless `is_strict`) that one can: where none is left, everything would be paid for again.
    ///
    /// # Errors
    /// [`RunError::Deleted`]; [`RunError::Corrupt`] or [`RunError::Edited`], for the first that can't be used.
    pub fn check_lines(&self, is_strict: bool) -> Result<(), RunError> {
        if self.deleted > 0 && self.good > 0 {
            return Err(RunError::Deleted { path: self.path().to_owned(), lines: self.deleted });
        }
        let bad = self.bad.first().filter(|_| is_strict || self.good == 0);
        bad.map_or(Ok(()), |bad| Err(bad.error(self.path())))
    }

    /// What the run was started with.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.writer.path()
    }

    /// Checks that `plan` is the one the run was started with.
    ///
    /// # Errors
    /// [`RunError::PlanChanged`], with the names whose marks differ from `inputs` (as in
    /// [`Header::inputs`]).
    pub fn check(&self, plan: &Plan, inputs: &Value) -> Result<(), RunError> {
        if plan.hash == self.header.plan_hash {
            return Ok(());
        }
        let inputs = changed_names(&self.header.inputs, inputs);
        Err(RunError::PlanChanged { id: self.header.id.clone(), inputs })
    }

    /// Checks that the inputs under `name`, which the plan knows nothing of, are those that the run was started with, if it
    /// noted them.
    ///
    /// # Errors
    /// [`RunError::PlanChanged`].
    pub fn check_noted(&self, name: &str, inputs: &Value) -> Result<(), RunError> {
        let (before, now) = (self.header.inputs.get(name), inputs.get(name));
        if before.is_none() || before == now {
            return Ok(());
        }
        let changed = |inputs: Option<&Value>| serde_json::json!({ name: inputs });
        Err(RunError::PlanChanged {
            id: self.header.id.clone(),
            inputs: changed_names(&changed(before), &changed(now)),
        })
    }

    /// The records of `plan` in its order, each read from disk when it is asked for; `None` for a cell
    /// that has not been executed.
    pub fn records<'a>(
        &'a self,
        plan: &'a Plan,
    ) -> impl Iterator<Item = (usize, Result<Option<Record>, RunError>)> + 'a {
        plan.cells.iter().enumerate().map(|(at, cell)| (at, self.record(cell)))
    }

    /// The record of one cell, read from disk; `None` if it has not been executed.
    ///
    /// # Errors
    /// When the file can't be read any more.
    pub fn record(&self, cell: &Cell) -> Result<Option<Record>, RunError> {
        let (spans, replaced_failures) = {
            let index = self.index();
            (index.spans(cell), index.replaced_failures(cell))
        };
        let record = spans.map(|spans| self.record_at(spans)).transpose()?;
        Ok(record.map(|record| Record { replaced_failures, ..record }))
    }

    /// The answer from the cache that a newer one of this cell replaced.
    ///
    /// # Errors
    /// When the file can't be read any more.
    pub fn replaced(&self, cell: &Cell) -> Result<Option<Record>, RunError> {
        let spans = self.index().replaced(cell);
        spans.map(|spans| self.record_at(spans)).transpose()
    }

    /// Whether a cell has an answer from the cache and no newer one.
    #[must_use]
    pub fn is_cached(&self, cell: &Cell) -> bool {
        self.index().is_cached(cell)
    }

    /// Whether an answer from the cache was replaced by a newer one of this cell.
    #[must_use]
    pub fn has_replaced(&self, cell: &Cell) -> bool {
        self.index().replaced(cell).is_some()
    }

    fn record_at(&self, (execution, grade): (LineSpan, Option<LineSpan>)) -> Result<Record, RunError> {
        let execution: Execution = match self.line_at(execution)? {
            Line::Execution(execution) => execution,
            Line::Header(_) | Line::Begun(_) | Line::Judgement(_) | Line::Grade(_) | Line::Pair(_) => {
                return Err(self.changed_under_us());
            }
        };
        let grade = match grade.map(|span| self.line_at(span)).transpose()? {
            None => None,
            Some(Line::Grade(GradeLine { grade, .. })) => Some(grade),
            Some(Line::Header(_) | Line::Begun(_) | Line::Execution(_) | Line::Judgement(_) | Line::Pair(_)) => {
                return Err(self.changed_under_us());
            }
        };
        Ok(Record { execution, grade, artifacts_read: Vec::new(), replaced_failures: Vec::new() })
    }

    /// What everything so far cost.
    #[must_use]
    pub fn spent(&self) -> JournalCost {
        self.index().spent
    }

    /// The part of [`Journal::spent`] that went to judges.
    #[must_use]
    pub fn spent_on_judges(&self) -> JournalCost {
        self.index().judging
    }

    /// The part of [`Journal::spent`] that went to the classifier of hedging.
    #[must_use]
    pub fn spent_on_classifier(&self) -> JournalCost {
        self.index().classifying
    }

    /// The failures of a cell's executions that its last one replaced, oldest first.
    pub(crate) fn replaced_failures(&self, cell: &Cell) -> Vec<eval_spec::Failure> {
        self.index().replaced_failures(cell)
    }

    /// Calls whose end was lost, with a process that was killed or on a line that can't be used. [`Journal::spent`] takes
    /// each for the dearest.
    #[must_use]
    pub fn lost_calls(&self) -> u32 {
        self.index().lost_calls
    }

    /// What each sample's executions cost and took so far.
    pub(crate) fn spent_per_sample(&self) -> Vec<(Arc<str>, SampleSpent)> {
        self.index().per_sample()
    }

    /// Whether `cell` was executed, with whatever result.
    pub(crate) fn holds(&self, cell: &Cell) -> bool {
        self.index().holds(cell)
    }

    /// The state of `cell`; `outage` decides what a failure means.
    pub(crate) fn state(&self, cell: &Cell, outage: Outage) -> CellState {
        self.index().state(cell, outage, self.retries_failed)
    }

    /// Answers that came back, graded or not.
    #[must_use]
    pub fn answers(&self) -> usize {
        self.index().answers()
    }

    /// Whether every cell of `plan` has its answer, or a failure that is not tried again.
    #[must_use]
    pub fn is_answered(&self, plan: &Plan) -> bool {
        plan.cells.iter().all(|cell| self.state(cell, Outage::EndsTheRun) != CellState::Nothing)
    }

    /// Copies the answers and failures of the cells of `plan` from another journal, and returns how many there are.
    /// They count as cached: they cost nothing again, and failures are not retried. Existing records stay.
    ///
    /// # Errors
    /// When one of the journals can't be read or written.
    pub fn adopt(&self, plan: &Plan, from: &Journal) -> Result<usize, RunError> {
        let mut adopted = 0;
        for cell in plan.cells.iter().filter(|cell| self.state(cell, Outage::EndsTheRun) == CellState::Nothing) {
            let Some(Record { execution, replaced_failures, .. }) = from.record(cell)? else { continue };
            let attempts = execution.failed_attempts.len();
            let mut earlier_failures = execution.failures_after(&replaced_failures);
            earlier_failures.truncate(earlier_failures.len() - attempts);
            // One sync covers all of them.
            drop(self.append_execution(&Execution { cached: true, earlier_failures, ..execution }));
            adopted += 1;
        }
        self.writer.flush()?;
        Ok(adopted)
    }

    /// Writes that a call leaves, so that it counts as billed when its end is never written.
    pub(crate) fn write_begun(&self, begun: &BegunCall) {
        let fact = index::Fact::Begun {
            key: begun.key.clone(),
            is_judgement: begun.is_judgement,
            up_to: begun.up_to.map(|usd| usd.0),
            at: begun.at,
        };
        self.writer.write_now(object_bytes(&LineRef::Begun(begun)), fact);
    }

    /// Queues a finished execution; [`Journal::commit`] writes it.
    pub(crate) fn append_execution(&self, execution: &Execution) -> Ticket {
        self.append(&LineRef::Execution(execution))
    }

    /// Queues a finished request to a judge; `request.fingerprint` is that of the request.
    pub(crate) fn append_judgement(&self, request: &Execution) -> Ticket {
        self.append(&LineRef::Judgement(request))
    }

    /// Queues a line that is indexed as it will be when the journal is read again.
    fn append(&self, line: &LineRef<'_>) -> Ticket {
        let object = object_bytes(line);
        match index::parse(&object) {
            Ok(fact) => self.writer.append(object, fact),
            Err(error) => self.writer.refuse(&error.into()),
        }
    }

    /// How exactly this request to a judge ended the last time; `None` when it never did.
    pub(crate) fn judgement(&self, fingerprint: &str) -> Result<Option<Execution>, RunError> {
        let Some(span) = self.index().judgement(fingerprint) else { return Ok(None) };
        match self.line_at(span)? {
            Line::Judgement(request) if request.fingerprint == fingerprint => Ok(Some(request)),
            _ => Err(self.changed_under_us()),
        }
    }

    /// Queues a finished grade.
    pub(crate) fn append_grade(&self, key: &CellKey, grade: &Grade) -> Ticket {
        let is_open = is_open(grade);
        // It is as final as it gets in this run.
        let fact = index::Fact::Grade { key: key.clone(), is_open: false };
        self.writer.append(object_bytes(&LineRef::Grade(GradeRef { key, is_open, grade })), fact)
    }

    /// Writes what is queued, and has it synced. Must be called within a runtime.
    pub(crate) fn commit(&self) {
        Writer::commit(&self.writer);
    }

    /// Queues two answers that were compared.
    pub(crate) fn append_pair(&self, pair: &Pair) -> Ticket {
        let variants = [Arc::clone(&pair.earlier), Arc::clone(&pair.later)];
        let (sample, is_open) = (Arc::clone(&pair.sample), pair.is_open());
        let fact = index::Fact::Pair { sample, repeat: pair.repeat, variants, is_open: false };
        self.writer.append(object_bytes(&LineRef::Pair(PairRef { is_open, pair })), fact)
    }

    /// The judges' comparison of the answers of two variants to one sample in one repeat; `None` unless they were
    /// compared since the answers were given. `variants` are in the suite's order.
    ///
    /// # Errors
    /// When the journal can't be read.
    pub fn pair(&self, sample: &Arc<str>, repeat: u32, variants: [&str; 2]) -> Result<Option<Pair>, RunError> {
        let Some(span) = self.index().pair(sample, repeat, variants) else { return Ok(None) };
        match self.line_at(span)? {
            Line::Pair(pair) => Ok(Some(pair)),
            _ => Err(self.changed_under_us()),
        }
    }

    pub(crate) fn has_pair(&self, sample: &Arc<str>, repeat: u32, variants: [&str; 2]) -> bool {
        self.index().has_pair(sample, repeat, variants)
    }

    fn scan(path: &Path, file: File) -> Result<Journal, RunError> {
        let header = index::first_line(&file, path).and_then(|line| parse_header(&line, path))?;
        let index::Scanned { index, bad, good, deleted, number, end } = JournalIndex::scan(&file, path)?;
        let writer = Arc::new(Writer::new(path, file, index, (end, number)));
        Ok(Journal { header, writer, bad, good, deleted, retries_failed: false })
    }

    fn index(&self) -> MutexGuard<'_, JournalIndex> {
        self.writer.index()
    }

    fn line_at(&self, span: LineSpan) -> Result<Line, RunError> {
        let mut bytes = vec![0; span.length()];
        let read = read_exact_at(self.writer.file(), &mut bytes, span.offset);
        read.map_err(|e| RunError::Open { path: self.path().to_owned(), why: e.to_string() })?;
        if !line::take_off(&mut bytes) {
            return Err(self.changed_under_us());
        }
        serde_json::from_slice(&bytes).map_err(|e| RunError::Open { path: self.path().to_owned(), why: e.to_string() })
    }

    fn changed_under_us(&self) -> RunError {
        RunError::Open { path: self.path().to_owned(), why: "changed by another program".to_owned() }
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        self.writer.close();
    }
}

/// [`Line`], borrowed.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum LineRef<'a> {
    Header(&'a Header),
    Begun(&'a BegunCall),
    Execution(&'a Execution),
    Judgement(&'a Execution),
    Grade(GradeRef<'a>),
    Pair(PairRef<'a>),
}

#[derive(Serialize)]
struct GradeRef<'a> {
    key: &'a CellKey,
    #[serde(rename = "open", skip_serializing_if = "std::ops::Not::not")]
    is_open: bool,
    grade: &'a Grade,
}

#[derive(Serialize)]
struct PairRef<'a> {
    #[serde(rename = "open", skip_serializing_if = "std::ops::Not::not")]
    is_open: bool,
    #[serde(flatten)]
    pair: &'a Pair,
}

/// Whether a judge could not be asked: the grade is what this run reports, and is made again when the run goes on.
fn is_open(grade: &Grade) -> bool {
    let checks = grade.checks.iter().flat_map(Check::with_children);
    checks.filter_map(|check| check.judged.as_deref()).any(Judged::is_open)
}

fn object_bytes(line: &LineRef<'_>) -> Vec<u8> {
    // These types have only string keys and nothing that can fail to be written.
    serde_json::to_vec(line).unwrap_or_default()
}

fn parse_header(line: &[u8], path: &Path) -> Result<Header, RunError> {
    // The version first: the rest of another header may have another shape.
    #[derive(serde::Deserialize)]
    struct JournalVersion {
        header: Version,
    }
    #[derive(serde::Deserialize)]
    struct Version {
        version: u32,
    }
    let corrupt = |e: serde_json::Error| RunError::BadHeader { path: path.to_owned(), why: e.to_string() };
    let version = serde_json::from_slice::<JournalVersion>(line).map_err(corrupt)?.header.version;
    if version != JOURNAL_VERSION {
        return Err(RunError::OtherVersion { path: path.to_owned(), version });
    }
    match serde_json::from_slice(line).map_err(corrupt)? {
        Line::Header(header) => Ok(header),
        Line::Begun(_) | Line::Execution(_) | Line::Judgement(_) | Line::Grade(_) | Line::Pair(_) => {
            Err(RunError::NoHeader { path: path.to_owned() })
        }
    }
}

/// How long a lock is waited for. A run that was killed while it started a program leaves the lock to the fork until that
/// has become the program.
const LOCK_WAIT: Duration = Duration::from_secs(1);

fn lock(file: &File, path: &Path) -> Result<(), RunError> {
    let deadline = Instant::now() + LOCK_WAIT;
    loop {
        match file.try_lock() {
            // Whoever removes old journals may have had the lock first.
            Ok(()) => return path.metadata().map(drop).map_err(|e| RunError::open(path, &e)),
            Err(TryLockError::Error(e)) => return Err(RunError::Lock { path: path.to_owned(), why: e.to_string() }),
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => std::thread::sleep(LOCK_WAIT / 50),
            Err(TryLockError::WouldBlock) => return Err(RunError::Locked { path: path.to_owned() }),
        }
    }
}

fn sync_folder(folder: &Path) -> std::io::Result<()> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    files::sync_folder(folder)
}

/// The names whose values differ; of what has names of its own, those below it.
fn changed_names(before: &Value, now: &Value) -> Vec<String> {
    let empty = serde_json::Map::new();
    let before = before.as_object().unwrap_or(&empty);
    let now = now.as_object().unwrap_or(&empty);
    let mut names: Vec<&String> = before.keys().chain(now.keys()).collect();
    names.sort_unstable();
    names.dedup();
    let below = |name: &String| match (before.get(name), now.get(name)) {
        (before, now) if before == now => Vec::new(),
        (Some(before @ Value::Object(_)), Some(now @ Value::Object(_))) => {
            changed_names(before, now).iter().map(|inner| format!("{name}: {inner}")).collect()
        }
        _ => vec![name.clone()],
    };
    names.into_iter().flat_map(below).collect()
}
