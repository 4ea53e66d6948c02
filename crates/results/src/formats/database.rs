//! Reads SQLite databases within limits on time and memory.

use std::path::{Path, PathBuf};

use eval_message::{Message, msg};
use rusqlite::limits::Limit;
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension};

use crate::error::ResultsError;
use crate::format::ReadOptions;
use crate::source::ResultSource;

/// Steps of SQLite's virtual machine that any file may take; each of its bytes allows one more. A row takes about 50 steps
/// and has hundreds of bytes. Without a limit a small file whose pages form a cycle would never end.
const FREE_STEPS: u64 = 200_000;

/// Steps between two calls of the progress handler.
const STEPS_PER_CALL: u16 = 1000;

const SQLITE: &[u8] = b"SQLite format 3\0";

pub(crate) fn is_database(source: &ResultSource) -> bool {
    source.head.starts_with(SQLITE)
}

/// Returns whether a database has a table's name in its first bytes, where the schema is.
pub(crate) fn has_table(source: &ResultSource, name: &str) -> bool {
    is_database(source) && source.head.windows(name.len()).any(|bytes| bytes == name.as_bytes())
}

pub(crate) struct Database<'s> {
    source: &'s ResultSource,
    pub(crate) connection: Connection,
}

impl<'s> Database<'s> {
    /// Opens a database with limits on steps and on text length by its size. Fails unless each of `tables` is a table without
    /// computed columns: views and computed columns may take any time and memory.
    pub(crate) fn open(source: &'s ResultSource, tables: &[&str]) -> Result<Database<'s>, ResultsError> {
        let connection = open(source).and_then(|mut connection| {
            set_limits(&mut connection, size(&source.path))?;
            connection.execute_batch("PRAGMA trusted_schema = OFF; PRAGMA query_only = ON;")?;
            Ok(connection)
        });
        let connection = connection.map_err(|error| failed(source, &error))?;
        let kind = |table: &&str| {
            let sql = "SELECT type FROM sqlite_schema WHERE name = ?1 AND sql LIKE 'CREATE TABLE%'";
            connection.query_row(sql, [table], |row| row.get::<_, String>(0)).optional()
        };
        // 2 and 3 mark computed columns
        let computed = |table: &str| {
            let sql = "SELECT count(*) FROM pragma_table_xinfo(?1) WHERE hidden > 1";
            connection.query_row(sql, [table], |row| row.get::<_, i64>(0))
        };
        for table in tables {
            if computed(table).map_err(|error| failed(source, &error))? > 0 {
                return Err(ResultsError::new(msg!("results-computed-column", file = &source.shown, table = *table))
                    .help(msg!("results-no-table-help")));
            }
            if kind(table).map_err(|error| failed(source, &error))?.as_deref() != Some("table") {
                return Err(ResultsError::new(msg!("results-no-table", file = &source.shown, table = *table))
                    .help(msg!("results-no-table-help")));
            }
        }
        Ok(Database { source, connection })
    }

    pub(crate) fn failed(&self, error: &rusqlite::Error) -> ResultsError {
        failed(self.source, error)
    }

    /// Chooses a run: the one that the user named, or the newest, with a note if there are others. `sql` lists their ids, the
    /// newest first.
    pub(crate) fn choose_run(
        &self,
        sql: &str,
        options: &ReadOptions,
    ) -> Result<(String, Option<Message>), ResultsError> {
        let runs: Vec<String> = self
            .connection
            .prepare(&format!("{sql} LIMIT 1000"))
            .and_then(|mut statement| {
                // an id may be a number
                let id = |row: &rusqlite::Row<'_>| {
                    let value: rusqlite::types::Value = row.get(0)?;
                    Ok(match value {
                        rusqlite::types::Value::Text(text) => text,
                        rusqlite::types::Value::Integer(number) => number.to_string(),
                        _ => String::new(),
                    })
                };
                statement.query_map([], id)?.collect()
            })
            .map_err(|error| self.failed(&error))?;
        let (file, list) =
            (&self.source.shown, || runs.iter().take(10).map(|id| format!("`{id}`")).collect::<Vec<_>>().join(", "));
        let chosen = match &options.run {
            None => runs.first(),
            Some(run) => runs.iter().find(|id| *id == run),
        };
        let Some(chosen) = chosen else {
            let run = options.run.clone().unwrap_or_else(|| "none".to_owned());
            return Err(ResultsError::new(msg!("results-no-run", file = file, run = run))
                .help(msg!("results-runs", list = list())));
        };
        let is_guess = runs.len() > 1 && options.run.is_none();
        let note = is_guess.then(|| msg!("results-run-chosen", file = file, run = chosen, count = runs.len()));
        Ok((chosen.clone(), note))
    }

    /// Returns the single text that a query finds.
    pub(crate) fn text(&self, sql: &str, id: &str) -> Result<String, ResultsError> {
        self.connection.query_row(sql, [id], |row| row.get(0)).map_err(|error| self.failed(&error))
    }
}

fn failed(source: &ResultSource, error: &rusqlite::Error) -> ResultsError {
    let message = match error.sqlite_error_code() {
        Some(ErrorCode::OperationInterrupted) => msg!("results-endless-database", file = &source.shown),
        // A journal beside it that was never rolled back: reading alone doesn't do that.
        Some(ErrorCode::ReadOnly) => {
            return ResultsError::new(msg!("results-unfinished-database", file = &source.shown))
                .help(msg!("results-unfinished-database-help", file = &source.shown));
        }
        _ => msg!("results-bad-database", file = &source.shown, why = error.to_string()),
    };
    ResultsError::new(message).help(msg!("results-bad-database-help"))
}

/// Limits steps and text length for a database of `size` bytes.
fn set_limits(connection: &mut Connection, size: u64) -> rusqlite::Result<()> {
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, i32::try_from(size).unwrap_or(i32::MAX))?;
    let mut left = FREE_STEPS.saturating_add(size);
    let is_over = move || {
        left = left.saturating_sub(u64::from(STEPS_PER_CALL));
        left == 0
    };
    connection.progress_handler(i32::from(STEPS_PER_CALL), Some(is_over))
}

/// Returns the size of a database and its write-ahead log.
fn size(path: &Path) -> u64 {
    let bytes = |path: &Path| path.metadata().map_or(0, |file| file.len());
    bytes(path).saturating_add(bytes(&log_path(path)))
}

fn log_path(path: &Path) -> PathBuf {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    log.into()
}

/// Returns whether a database keeps its changes in a write-ahead log, by its header.
fn has_log(source: &ResultSource) -> bool {
    source.head.get(18..20) == Some(&[2, 2])
}

/// Opens a database read-only, with locks, so that a program that writes meanwhile leaves no half of its change to read. One
/// with a write-ahead log could only be read where files can be written: if that log is gone, no program has it open.
fn open(source: &ResultSource) -> rusqlite::Result<Connection> {
    let path = &*source.path;
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    match path.to_str().filter(|_| has_log(source) && !log_path(path).exists()) {
        Some(plain) => {
            let plain = plain.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
            let uri = format!("file:{plain}?mode=ro&immutable=1");
            Connection::open_with_flags(uri, flags | OpenFlags::SQLITE_OPEN_URI)
        }
        None => Connection::open_with_flags(path, flags),
    }
}
