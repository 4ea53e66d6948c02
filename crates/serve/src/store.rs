//! Reads and writes the store.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use eval_format::masked_value;
use eval_format::skills::{BenchmarkMeta, EvaluationStatus, SkillEvaluation, StatusCounts, TaskResult};
use eval_history::skills::{HistoryPoint, Measured};
use eval_spec::callable::CallableSkill;
use rusqlite::{Connection, ErrorCode, OpenFlags, Row, Transaction, TransactionBehavior, params};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::StoreError;
use crate::schema::{STORE_VERSION, StoreFile, create_tables, kind_of};

/// Time that a writer waits for another one.
const PATIENCE: Duration = Duration::from_secs(30);

/// Limit of SQLite's virtual machine steps per query: a constant plus a number per byte of the file. A row has hundreds
/// of bytes and takes 200 steps; without a limit, a small file whose pages refer to each other would take for ever.
const FREE_STEPS: u64 = 10_000_000;
const STEPS_PER_BYTE: u64 = 4;

/// Steps between two checks of the limit.
const COUNTED: u16 = 10_000;

/// Pause before a busy store is opened again.
const PAUSE: Duration = Duration::from_millis(10);

/// Results of evaluations, in one SQLite file.
///
/// Uses write-ahead logging: readers and one writer don't block each other, and a killed program leaves every finished
/// transaction. A power failure may lose the last few results, but never the file's consistency.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    path: PathBuf,
    /// Id of the evaluation that results are appended to.
    current: RefCell<String>,
    /// Steps that the query may still take.
    steps: Arc<AtomicU64>,
}

/// An evaluation that begins.
#[derive(Clone, Debug)]
pub struct NewEvaluation {
    pub id: String,
    /// Start, RFC 3339.
    pub started_at: String,
    pub benchmark: BenchmarkMeta,
    /// Runs of each task.
    pub runs: u32,
    /// Skills with the path of each one's file as given.
    pub skills: Vec<(CallableSkill, String)>,
}

/// The newest completion rate of a skill on a benchmark.
#[derive(Clone, Debug, PartialEq)]
pub struct CompletionRate {
    pub skill: String,
    pub benchmark: String,
    /// Rate; `None` if too few results counted.
    pub rate: Option<f64>,
    /// Hash of the skill's files.
    pub skill_hash: String,
    /// Id of the evaluation.
    pub evaluation: String,
    /// End of the evaluation, RFC 3339.
    pub finished_at: String,
}

type Result<T> = std::result::Result<T, StoreError>;

impl Store {
    /// Opens the store, and creates it with its directory if it doesn't exist.
    pub fn open(path: &Path) -> Result<Store> {
        if let Some(dir) = path.parent().filter(|dir| !dir.as_os_str().is_empty()) {
            std::fs::create_dir_all(dir).map_err(|source| StoreError::File { path: path.to_owned(), source })?;
        }
        // SQLite doesn't wait when two programs switch a new database to WAL at once; it reports that it is busy.
        let deadline = Instant::now() + PATIENCE;
        loop {
            match Store::create(path) {
                Err(StoreError::Sqlite { source, .. }) if is_busy(&source) && Instant::now() < deadline => {
                    std::thread::sleep(PAUSE);
                }
                opened => return opened,
            }
        }
    }

    fn create(path: &Path) -> Result<Store> {
        let mut store = Store::connect(path, OpenFlags::SQLITE_OPEN_CREATE)?;
        store.check()?;
        let sqlite = |source| failed(path, source);
        store.connection.pragma_update(None, "journal_mode", "WAL").map_err(sqlite)?;
        create_tables(&mut store.connection).map_err(sqlite)?;
        Ok(store)
    }

    /// Opens an existing store.
    pub fn open_existing(path: &Path) -> Result<Store> {
        if !path.exists() {
            return Err(StoreError::Missing { path: path.to_owned() });
        }
        let mut store = Store::connect(path, OpenFlags::empty())?;
        if store.check()? < STORE_VERSION {
            create_tables(&mut store.connection).map_err(|source| failed(path, source))?;
        }
        Ok(store)
    }

    fn connect(path: &Path, create: OpenFlags) -> Result<Store> {
        // treats names such as `file:x?mode=memory` as file names
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX | create;
        let sqlite = |source| failed(path, source);
        let mut connection = Connection::open_with_flags(path, flags).map_err(sqlite)?;
        connection.busy_timeout(PATIENCE).map_err(sqlite)?;
        connection.pragma_update(None, "synchronous", "NORMAL").map_err(sqlite)?;
        connection.pragma_update(None, "foreign_keys", true).map_err(sqlite)?;
        // a foreign file's schema must not run functions
        connection.pragma_update(None, "trusted_schema", false).map_err(sqlite)?;
        let steps = Arc::new(AtomicU64::new(max_steps(path)));
        let left = Arc::clone(&steps);
        let is_over = move || left.fetch_sub(u64::from(COUNTED), Ordering::Relaxed) <= u64::from(COUNTED);
        connection.progress_handler(i32::from(COUNTED), Some(is_over)).map_err(sqlite)?;
        Ok(Store { connection, path: path.to_owned(), current: RefCell::default(), steps })
    }

    /// Resets the steps for the next query.
    fn begin_query(&self) {
        self.steps.store(max_steps(&self.path), Ordering::Relaxed);
    }

    fn check(&self) -> Result<i64> {
        match kind_of(&self.connection).map_err(|source| self.failed(source))? {
            StoreFile::Foreign => Err(StoreError::NotAStore { path: self.path.clone() }),
            StoreFile::Version(version @ (0 | STORE_VERSION)) => Ok(version),
            StoreFile::Version(version) => Err(StoreError::OtherVersion { path: self.path.clone(), version }),
        }
    }

    /// Stores that an evaluation began; later results are appended to it. Beginning it again with the same start
    /// continues it; [`StoreError::Taken`] if another evaluation has the id.
    pub fn begin(&self, evaluation: &NewEvaluation) -> Result<()> {
        let benchmark = self.json(&evaluation.benchmark)?;
        let transaction = self.transaction()?;
        let insert = "INSERT INTO evaluations (id, started_at, status, runs, benchmark_id, benchmark_hash, benchmark)
            VALUES (?1, ?2, 'running', ?3, ?4, ?5, ?6)
            ON CONFLICT (id) DO UPDATE SET status = 'running', finished_at = NULL
            WHERE started_at = ?2 AND benchmark_hash = ?5";
        let values = params![
            evaluation.id,
            evaluation.started_at,
            evaluation.runs,
            evaluation.benchmark.id,
            evaluation.benchmark.hash,
            benchmark
        ];
        if transaction.execute(insert, values).map_err(|source| self.failed(source))? == 0 {
            return Err(StoreError::Taken { id: evaluation.id.clone() });
        }
        let insert = "INSERT OR IGNORE INTO reports (evaluation, skill, skill_version, skill_hash, path)
            VALUES (?1, ?2, ?3, ?4, ?5)";
        for (skill, path) in &evaluation.skills {
            let values = params![evaluation.id, &*skill.id, skill.version, &*skill.hash, path];
            transaction.execute(insert, values).map_err(|source| self.failed(source))?;
        }
        transaction.commit().map_err(|source| self.failed(source))?;
        self.current.replace(evaluation.id.clone());
        Ok(())
    }

    /// Stores one result of the current evaluation in one transaction, and replaces an earlier one of the same task and
    /// run.
    pub fn append(&self, skill: &str, result: &TaskResult) -> Result<()> {
        let text = self.json(result)?;
        self.begin_query();
        let evaluation = self.current.borrow();
        let insert = "INSERT OR REPLACE INTO results (evaluation, skill, task, run, status, score, latency_ms, result)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
        let status = result.status.name();
        let values =
            params![*evaluation, skill, result.task_id, result.run, status, result.score, result.latency_ms, text];
        let done = self.connection.prepare_cached(insert).and_then(|mut statement| statement.execute(values));
        done.map(|_| ()).map_err(|source| match source.sqlite_error_code() {
            Some(ErrorCode::ConstraintViolation) => StoreError::Unknown { id: evaluation.clone() },
            _ => self.failed(source),
        })
    }

    /// Stores many results in one transaction: all or none.
    pub fn append_all<'a>(&self, results: impl IntoIterator<Item = (&'a str, TaskResult)>) -> Result<()> {
        let transaction = self.transaction()?;
        results.into_iter().try_for_each(|(skill, result)| self.append(skill, &result))?;
        transaction.commit().map_err(|source| self.failed(source))
    }

    /// Stores the numbers of an evaluation that ended, in one transaction; it is then part of the history.
    pub fn finish(&self, evaluation: &SkillEvaluation) -> Result<()> {
        let sqlite = |source| self.failed(source);
        let transaction = self.transaction()?;
        let update = "UPDATE evaluations SET finished_at = ?2, status = ?3, runs = ?4 WHERE id = ?1";
        let ended = match evaluation.status {
            EvaluationStatus::Complete => "complete",
            EvaluationStatus::Interrupted => "interrupted",
        };
        let values = params![evaluation.id, evaluation.finished_at, ended, evaluation.settings.runs];
        if transaction.execute(update, values).map_err(sqlite)? == 0 {
            return Err(StoreError::Unknown { id: evaluation.id.clone() });
        }
        let insert = "INSERT OR REPLACE INTO reports
                (evaluation, skill, skill_version, skill_hash, path, completion_rate, counts, summary)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
        for skill in &evaluation.skills {
            let (counts, summary) = (self.json(&skill.counts)?, self.json(&skill.summary)?);
            let values = params![
                evaluation.id,
                skill.skill_id,
                skill.skill_version,
                skill.skill_hash,
                skill.path,
                skill.summary.completion_rate,
                counts,
                summary
            ];
            transaction.execute(insert, values).map_err(sqlite)?;
        }
        transaction.commit().map_err(sqlite)
    }

    /// Starts a write transaction at once: two programs that read first and then write would block each other.
    fn transaction(&self) -> Result<Transaction<'_>> {
        self.begin_query();
        Transaction::new_unchecked(&self.connection, TransactionBehavior::Immediate)
            .map_err(|source| self.failed(source))
    }

    /// Returns the results of an evaluation so far, by skill; also of one that was killed.
    pub fn results(&self, evaluation: &str) -> Result<BTreeMap<String, Vec<TaskResult>>> {
        let query = "SELECT skill, result FROM results WHERE evaluation = ?1 ORDER BY skill, rowid";
        let rows = self.rows(query, [evaluation], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let mut all: BTreeMap<String, Vec<TaskResult>> = BTreeMap::new();
        for (skill, text) in rows {
            let (skill, text): (String, String) = (skill, text);
            all.entry(skill).or_default().push(self.parsed(&text)?);
        }
        Ok(all)
    }

    /// Returns the newest completion rate of every skill on every benchmark, of complete evaluations, by skill and
    /// benchmark.
    pub fn completion_rates(&self) -> Result<Vec<CompletionRate>> {
        let query = "SELECT skill, benchmark_id, counts, skill_hash, id, finished_at FROM (
                SELECT r.skill, e.benchmark_id, r.counts, r.skill_hash, e.id, e.finished_at, row_number() OVER (
                    PARTITION BY r.skill, e.benchmark_id ORDER BY julianday(e.finished_at) DESC, e.id DESC) AS age
                FROM reports r JOIN evaluations e ON e.id = r.evaluation
                WHERE e.status = 'complete' AND r.summary IS NOT NULL)
            WHERE age = 1 ORDER BY skill, benchmark_id";
        let rows = self.rows(query, [], texts::<6>)?;
        let rate = |[skill, benchmark, counts, skill_hash, evaluation, finished_at]: [String; 6]| {
            let counts: StatusCounts = self.parsed(&counts)?;
            let rate = counts.completion_rate().filter(|_| !counts.is_unsound());
            Ok(CompletionRate { skill, benchmark, rate, skill_hash, evaluation, finished_at })
        };
        rows.into_iter().map(rate).collect()
    }

    /// Returns the ids of the skills that were evaluated.
    pub fn skills(&self) -> Result<Vec<String>> {
        self.rows("SELECT DISTINCT skill FROM reports ORDER BY skill", [], |row| row.get(0))
    }

    /// Returns the ids of the benchmarks that a skill was evaluated on.
    pub fn benchmarks(&self, skill: &str) -> Result<Vec<String>> {
        let query = "SELECT DISTINCT e.benchmark_id FROM reports r JOIN evaluations e ON e.id = r.evaluation
            WHERE r.skill = ?1 ORDER BY e.benchmark_id";
        self.rows(query, [skill], |row| row.get(0))
    }

    /// Returns every ended evaluation of a skill, on one benchmark or all, the oldest first.
    pub fn history(&self, skill: &str, benchmark: Option<&str>) -> Result<Vec<HistoryPoint>> {
        let query = "SELECT e.id, e.finished_at, e.status, e.benchmark, CAST(e.runs AS TEXT), r.skill_version,
                r.skill_hash, r.counts, r.summary
            FROM reports r JOIN evaluations e ON e.id = r.evaluation
            WHERE r.skill = ?1 AND r.summary IS NOT NULL AND e.finished_at IS NOT NULL AND (?2 IS NULL OR e.benchmark_id = ?2)
            ORDER BY julianday(e.finished_at), e.id";
        let rows = self.rows(query, params![skill, benchmark], texts::<9>)?;
        rows.into_iter().map(|row| self.point(row)).collect()
    }

    fn point(&self, row: [String; 9]) -> Result<HistoryPoint> {
        let [id, finished_at, status, benchmark, runs, skill_version, skill_hash, counts, summary] = row;
        let benchmark: BenchmarkMeta = self.parsed(&benchmark)?;
        Ok(HistoryPoint {
            evaluation: id,
            finished_at,
            is_complete: status == "complete",
            benchmark: benchmark.id,
            benchmark_version: benchmark.version,
            benchmark_hash: benchmark.hash,
            runs: self.parsed(&runs)?,
            skill_version,
            skill_hash,
            counts: self.parsed(&counts)?,
            summary: self.parsed(&summary)?,
        })
    }

    /// Returns the newest complete report of each of these skills; skills without one are left out.
    pub fn newest(&self, skills: &[String]) -> Result<BTreeMap<String, Measured>> {
        let mut all: BTreeMap<String, Measured> = BTreeMap::new();
        // rows of a skill begin with the newest
        for (skill, measured) in self.newest_on_each_benchmark(skills)? {
            all.entry(skill).or_insert(measured);
        }
        Ok(all)
    }

    /// Returns the newest complete report of each of these skills on each benchmark version; a skill's newest first.
    pub fn newest_on_each_benchmark(&self, skills: &[String]) -> Result<Vec<(String, Measured)>> {
        let query = "SELECT id, finished_at, skill_version, skill_hash, benchmark, counts, summary FROM (
                SELECT e.*, r.skill_version, r.skill_hash, r.counts, r.summary, row_number() OVER (
                    PARTITION BY e.benchmark_id, e.benchmark_hash ORDER BY julianday(e.finished_at) DESC, e.id DESC
                ) AS place
                FROM reports r JOIN evaluations e ON e.id = r.evaluation
                WHERE r.skill = ?1 AND e.status = 'complete' AND r.summary IS NOT NULL
            ) WHERE place = 1 ORDER BY julianday(finished_at) DESC, id DESC";
        let mut all = Vec::new();
        for skill in skills {
            for row in self.rows(query, [skill], texts::<7>)? {
                let [evaluation, finished_at, skill_version, skill_hash, benchmark, counts, summary] = row;
                let measured = Measured {
                    evaluation,
                    finished_at,
                    is_complete: true,
                    skill_version,
                    skill_hash,
                    benchmark: self.parsed(&benchmark)?,
                    counts: self.parsed(&counts)?,
                    summary: self.parsed(&summary)?,
                };
                all.push((skill.clone(), measured));
            }
        }
        Ok(all)
    }

    fn rows<T>(
        &self,
        query: &str,
        values: impl rusqlite::Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>> {
        self.begin_query();
        let mut statement = self.connection.prepare_cached(query).map_err(|source| self.failed(source))?;
        let rows = statement.query_map(values, read).and_then(Iterator::collect);
        rows.map_err(|source| self.failed(source))
    }

    fn json(&self, value: &impl Serialize) -> Result<String> {
        masked_value(value)
            .map(|value| value.to_string())
            .map_err(|source| StoreError::Content { path: self.path.clone(), source })
    }

    fn parsed<T: DeserializeOwned>(&self, text: &str) -> Result<T> {
        serde_json::from_str(text).map_err(|source| StoreError::Content { path: self.path.clone(), source })
    }

    fn failed(&self, source: rusqlite::Error) -> StoreError {
        failed(&self.path, source)
    }
}

/// Reads a row of texts.
fn texts<const N: usize>(row: &Row<'_>) -> rusqlite::Result<[String; N]> {
    let mut all = [const { String::new() }; N];
    for (i, text) in all.iter_mut().enumerate() {
        *text = row.get(i)?;
    }
    Ok(all)
}

fn max_steps(path: &Path) -> u64 {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    let bytes = |path: &Path| path.metadata().map_or(0, |file| file.len());
    bytes(path).saturating_add(bytes(Path::new(&log))).saturating_mul(STEPS_PER_BYTE).saturating_add(FREE_STEPS)
}

fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

fn failed(path: &Path, source: rusqlite::Error) -> StoreError {
    match source.sqlite_error_code() {
        Some(ErrorCode::OperationInterrupted) => StoreError::Endless { path: path.to_owned() },
        Some(ErrorCode::NotADatabase) => StoreError::NotAStore { path: path.to_owned() },
        _ => StoreError::Sqlite { path: path.to_owned(), source },
    }
}
