//! Why the store can't be used.

use std::path::{Path, PathBuf};

use eval_message::{Message, msg};

/// Why the store can't be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The store doesn't exist yet.
    #[error("{}", self.message())]
    Missing {
        /// Where it would be.
        path: PathBuf,
    },
    /// The file is no SQLite database, or another program's.
    #[error("{}", self.message())]
    NotAStore {
        /// The file.
        path: PathBuf,
    },
    /// A newer program wrote it.
    #[error("{}", self.message())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: i64,
    },
    /// Another evaluation has the id.
    #[error("{}", self.message())]
    Taken {
        /// The id.
        id: String,
    },
    /// No evaluation has the id.
    #[error("{}", self.message())]
    Unknown {
        /// The id.
        id: String,
    },
    /// Its directory can't be made, or the file not be opened.
    #[error("{}", self.message())]
    File {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// SQLite returned an error.
    #[error("{}", self.message())]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// SQLite's error.
        source: rusqlite::Error,
    },
    /// A query took more steps than a store that this program wrote.
    #[error("{}", self.message())]
    Endless {
        /// The file.
        path: PathBuf,
    },
    /// A stored value can't be parsed.
    #[error("{}", self.message())]
    Content {
        /// The file.
        path: PathBuf,
        /// The parser's error, with its place.
        source: serde_json::Error,
    },
}

impl StoreError {
    /// The text for people.
    #[must_use]
    pub fn message(&self) -> Message {
        self.told(&|path| path.display().to_string())
    }

    /// The same with paths as `shown` writes them.
    #[must_use]
    pub fn told(&self, shown: &dyn Fn(&Path) -> String) -> Message {
        match self {
            StoreError::Missing { path } => msg!("skills-store-missing", path = shown(path)),
            StoreError::NotAStore { path } => msg!("skills-store-not-a-store", path = shown(path)),
            StoreError::Newer { path, version } => {
                msg!("skills-store-newer", path = shown(path), version = *version)
            }
            StoreError::Taken { id } => msg!("skills-store-taken", id = id),
            StoreError::Unknown { id } => msg!("skills-store-unknown", id = id),
            StoreError::File { path, source } => {
                msg!("skills-store-file", path = shown(path), why = source.to_string())
            }
            StoreError::Sqlite { path, source } => {
                msg!("skills-store-sqlite", path = shown(path), why = source.to_string())
            }
            StoreError::Endless { path } => msg!("skills-store-endless", path = shown(path)),
            StoreError::Content { path, source } => {
                msg!("skills-store-content", path = shown(path), why = source.to_string())
            }
        }
    }

    /// What to do about it.
    #[must_use]
    pub fn help(&self) -> Option<Message> {
        match self {
            StoreError::Missing { .. } => Some(msg!("skills-store-missing-help")),
            StoreError::NotAStore { .. } => Some(msg!("skills-store-not-a-store-help")),
            StoreError::Newer { .. } => Some(msg!("skills-store-newer-help")),
            _ => None,
        }
    }
}
