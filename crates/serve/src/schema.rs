//! The tables.

use rusqlite::{Connection, TransactionBehavior};

/// Version that this program writes.
pub const STORE_VERSION: i64 = 1;

/// Application id in the header of our databases: `eval` in ASCII.
pub(crate) const APPLICATION: i64 = 0x6576_616c;

const TABLES: &str = "
    CREATE TABLE evaluations (
        id TEXT PRIMARY KEY NOT NULL,
        started_at TEXT NOT NULL,
        finished_at TEXT,
        status TEXT NOT NULL CHECK (status IN ('running', 'complete', 'interrupted')),
        runs INTEGER NOT NULL,
        benchmark_id TEXT NOT NULL,
        benchmark_hash TEXT NOT NULL,
        benchmark TEXT NOT NULL
    ) STRICT;
    CREATE TABLE results (
        evaluation TEXT NOT NULL REFERENCES evaluations (id) ON DELETE CASCADE,
        skill TEXT NOT NULL,
        task TEXT NOT NULL,
        run INTEGER NOT NULL,
        status TEXT NOT NULL,
        score REAL,
        latency_ms REAL,
        result TEXT NOT NULL,
        PRIMARY KEY (evaluation, skill, task, run)
    ) STRICT;
    CREATE TABLE reports (
        evaluation TEXT NOT NULL REFERENCES evaluations (id) ON DELETE CASCADE,
        skill TEXT NOT NULL,
        skill_version TEXT NOT NULL,
        skill_hash TEXT NOT NULL,
        path TEXT NOT NULL,
        completion_rate REAL,
        counts TEXT,
        summary TEXT,
        PRIMARY KEY (evaluation, skill)
    ) STRICT;
    CREATE INDEX reports_by_skill ON reports (skill);
    CREATE INDEX evaluations_by_end ON evaluations (finished_at);
";

/// Kind of a database file.
pub(crate) enum StoreFile {
    /// Our store of this version; 0 is an empty file.
    Version(i64),
    /// Another program's database.
    Foreign,
}

/// Reads the kind of the database in one transaction, since another program may be creating it.
pub(crate) fn kind_of(connection: &Connection) -> rusqlite::Result<StoreFile> {
    let moment = connection.unchecked_transaction()?;
    let number = |pragma: &str| moment.pragma_query_value(None, pragma, |row| row.get::<_, i64>(0));
    let tables: i64 = moment.query_row("SELECT count(*) FROM sqlite_schema", (), |row| row.get(0))?;
    let (application, version) = (number("application_id")?, number("user_version")?);
    drop(moment);
    Ok(match application == APPLICATION || (application == 0 && tables == 0) {
        true => StoreFile::Version(version),
        false => StoreFile::Foreign,
    })
}

/// Creates the tables of an empty store in one transaction, so that two programs that open it at once don't both do so.
pub(crate) fn create_tables(connection: &mut Connection) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let version: i64 = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if version == 0 {
        transaction.execute_batch(TABLES)?;
        transaction.pragma_update(None, "application_id", APPLICATION)?;
        transaction.pragma_update(None, "user_version", STORE_VERSION)?;
    }
    transaction.commit()
}
