//! Reading and writing the store.

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
use crate::schema::{STORE_VERSION, StoreFile, found, migrate};

/// How long a writer waits for another one.
const PATIENCE: Duration = Duration::from_secs(30);

/// The steps of SQLite's machine that one query of a small store may take, and those for a byte of a larger one: a row has
/// hundreds of bytes, and takes 200 steps. Pages that lead to each other make a small file endless.
const FREE_STEPS: u64 = 10_000_000;
const STEPS_PER_BYTE: u64 = 4;

/// How many steps pass between two counts.
const COUNTED: u16 = 10_000;

/// How long an opening that was told to come back waits.
const PAUSE: Duration = Duration::from_millis(10);

/// The results of evaluations, in one SQLite file.
///
/// Write-ahead logging: readers and one writer at a time don't disturb each other, and a program that is killed leaves
/// every finished transaction. A power failure may take the last few results with it, never the file's consistency.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    path: PathBuf,
    /// The evaluation that results are appended to.
    current: RefCell<String>,
    /// The steps that the query may still take.
    steps: Arc<AtomicU64>,
}

/// An evaluation that begins.
#[derive(Clone, Debug)]
pub struct Begun {
    /// Its id.
    pub id: String,
    /// RFC 3339.
    pub started_at: String,
    /// The benchmark.
    pub benchmark: BenchmarkMeta,
    /// How often each task is run.
    pub runs: u32,
    /// The skills, and the path of each one's file as given.
    pub skills: Vec<(CallableSkill, String)>,
}

/// The newest completion rate of a skill on a benchmark.
#[derive(Clone, Debug, PartialEq)]
pub struct CompletionRate {
    /// The skill.
    pub skill: String,
    /// The benchmark.
    pub benchmark: String,
    /// The rate; `None` when nothing counted, or too little for it to say anything.
    pub rate: Option<f64>,
    /// The hash of the skill's files.
    pub skill_hash: String,
    /// The evaluation.
    pub evaluation: String,
    /// When it ended, RFC 3339.
    pub finished_at: String,
}

type Result<T> = std::result::Result<T, StoreError>;

impl Store {
    /// Opens the store, and creates it with its directory if it doesn't exist.
    ///
    /// # Errors
    /// When the file is something else, of a newer program, or can't be opened.
    pub fn open(path: &Path) -> Result<Store> {
        if let Some(dir) = path.parent().filter(|dir| !dir.as_os_str().is_empty()) {
            std::fs::create_dir_all(dir).map_err(|source| StoreError::File { path: path.to_owned(), source })?;
        }
        // SQLite doesn't wait where two programs switch a new database to its journal at once: whoever is told to come
        // back does.
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
        migrate(&mut store.connection).map_err(sqlite)?;
        Ok(store)
    }

    /// Opens an existing store.
    ///
    /// # Errors
    /// When there is none, or as [`Store::open`].
    pub fn open_existing(path: &Path) -> Result<Store> {
        if !path.exists() {
            return Err(StoreError::Missing { path: path.to_owned() });
        }
        let mut store = Store::connect(path, OpenFlags::empty())?;
        if store.check()? < STORE_VERSION {
            migrate(&mut store.connection).map_err(|source| failed(path, source))?;
        }
        Ok(store)
    }

    fn connect(path: &Path, create: OpenFlags) -> Result<Store> {
        // a name such as `file:x?mode=memory` is a name
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX | create;
        let sqlite = |source| failed(path, source);
        let mut connection = Connection::open_with_flags(path, flags).map_err(sqlite)?;
        connection.busy_timeout(PATIENCE).map_err(sqlite)?;
        connection.pragma_update(None, "synchronous", "NORMAL").map_err(sqlite)?;
        connection.pragma_update(None, "foreign_keys", true).map_err(sqlite)?;
        // names and texts in a file of others run nothing
        connection.pragma_update(None, "trusted_schema", false).map_err(sqlite)?;
        let steps = Arc::new(AtomicU64::new(max_steps(path)));
        let left = Arc::clone(&steps);
        let is_over = move || left.fetch_sub(u64::from(COUNTED), Ordering::Relaxed) <= u64::from(COUNTED);
        connection.progress_handler(i32::from(COUNTED), Some(is_over)).map_err(sqlite)?;
        Ok(Store { connection, path: path.to_owned(), current: RefCell::default(), steps })
    }

    /// Lets the next query take all steps.
    fn begin_query(&self) {
        self.steps.store(max_steps(&self.path), Ordering::Relaxed);
    }

    fn check(&self) -> Result<i64> {
        match found(&self.connection).map_err(|source| self.failed(source))? {
            StoreFile::Foreign => Err(StoreError::NotAStore { path: self.path.clone() }),
            StoreFile::Version(version) if version > STORE_VERSION => {
                Err(StoreError::Newer { path: self.path.clone(), version })
            }
            StoreFile::Version(version) => Ok(version),
        }
    }

    /// Stores that an evaluation began; results are appended to it from then on. Beginning the same one again, with the same
    /// start, continues it.
    ///
    /// # Errors
    /// [`StoreError::Taken`] when another evaluation has the id; or when SQLite refuses.
    pub fn begin(&self, of: &Begun) -> Result<()> {
        let benchmark = self.json(&of.benchmark)?;
        let transaction = self.transaction()?;
        let insert = "INSERT INTO evaluations (id, started_at, status, runs, benchmark_id, benchmark_hash, benchmark)
            VALUES (?1, ?2, 'running', ?3, ?4, ?5, ?6)
            ON CONFLICT (id) DO UPDATE SET status = 'running', finished_at = NULL
            WHERE started_at = ?2 AND benchmark_hash = ?5";
        let values = params![of.id, of.started_at, of.runs, of.benchmark.id, of.benchmark.hash, benchmark];
        if transaction.execute(insert, values).map_err(|source| self.failed(source))? == 0 {
            return Err(StoreError::Taken { id: of.id.clone() });
        }
        let insert = "INSERT OR IGNORE INTO reports (evaluation, skill, skill_version, skill_hash, path)
            VALUES (?1, ?2, ?3, ?4, ?5)";
        for (skill, path) in &of.skills {
            let values = params![of.id, &*skill.id, skill.version, &*skill.hash, path];
            transaction.execute(insert, values).map_err(|source| self.failed(source))?;
        }
        transaction.commit().map_err(|source| self.failed(source))?;
        self.current.replace(of.id.clone());
        Ok(())
    }

    /// Stores one result of the current evaluation, in one transaction. A result of the same task and run is replaced.
    ///
    /// # Errors
    /// When no evaluation was begun, or SQLite fails.
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

    /// The same for many results, in one transaction.
    ///
    /// # Errors
    /// As [`Store::append`]; then none is stored.
    pub fn append_all<'a>(&self, results: impl IntoIterator<Item = (&'a str, TaskResult)>) -> Result<()> {
        let transaction = self.transaction()?;
        results.into_iter().try_for_each(|(skill, result)| self.append(skill, &result))?;
        transaction.commit().map_err(|source| self.failed(source))
    }

    /// Stores the numbers of an evaluation that ended, in one transaction; from then on it is part of the history.
    ///
    /// # Errors
    /// When it was not begun, or SQLite fails.
    pub fn finish(&self, of: &SkillEvaluation) -> Result<()> {
        let sqlite = |source| self.failed(source);
        let transaction = self.transaction()?;
        let update = "UPDATE evaluations SET finished_at = ?2, status = ?3, runs = ?4 WHERE id = ?1";
        let ended = match of.status {
            EvaluationStatus::Complete => "complete",
            EvaluationStatus::Interrupted => "interrupted",
        };
        let values = params![of.id, of.finished_at, ended, of.settings.runs];
        if transaction.execute(update, values).map_err(sqlite)? == 0 {
            return Err(StoreError::Unknown { id: of.id.clone() });
        }
        let insert = "INSERT OR REPLACE INTO reports
                (evaluation, skill, skill_version, skill_hash, path, completion_rate, counts, summary)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
        for skill in &of.skills {
            let (counts, summary) = (self.json(&skill.counts)?, self.json(&skill.summary)?);
            let values = params![
                of.id,
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

    /// The results of an evaluation so far, by skill; also of one that was killed.
    ///
    /// # Errors
    /// When SQLite fails, or a result can't be read.
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

    /// The newest completion rate of every skill on every benchmark, of complete evaluations, by skill and benchmark.
    ///
    /// # Errors
    /// When SQLite fails.
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

    /// The skills that were evaluated, by id.
    ///
    /// # Errors
    /// When SQLite fails.
    pub fn skills(&self) -> Result<Vec<String>> {
        self.rows("SELECT DISTINCT skill FROM reports ORDER BY skill", [], |row| row.get(0))
    }

    /// The benchmarks that a skill was evaluated on, by id.
    ///
    /// # Errors
    /// When SQLite fails.
    pub fn benchmarks(&self, skill: &str) -> Result<Vec<String>> {
        let query = "SELECT DISTINCT e.benchmark_id FROM reports r JOIN evaluations e ON e.id = r.evaluation
            WHERE r.skill = ?1 ORDER BY e.benchmark_id";
        self.rows(query, [skill], |row| row.get(0))
    }

    /// Every evaluation of a skill that ended, on one benchmark or all, the oldest first.
    ///
    /// # Errors
    /// When SQLite fails, or a report can't be read.
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

    /// The newest complete report of each of these skills; skills without one are left out.
    ///
    /// # Errors
    /// When SQLite fails, or a report can't be read.
    pub fn newest(&self, skills: &[String]) -> Result<BTreeMap<String, Measured>> {
        let mut all: BTreeMap<String, Measured> = BTreeMap::new();
        // the newest of a skill comes first
        for (skill, measured) in self.newest_on_each_benchmark(skills)? {
            all.entry(skill).or_insert(measured);
        }
        Ok(all)
    }

    /// The newest complete report of each of these skills on each benchmark, by the benchmark's contents; a skill's
    /// newest first.
    ///
    /// # Errors
    /// As of [`newest`](Store::newest).
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

/// A row of texts.
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
