//! Errors of the store.

use std::path::{Path, PathBuf};

use eval_message::{Message, msg};

use crate::schema::STORE_VERSION;

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The store doesn't exist yet.
    #[error("{}", self.message())]
    Missing {
        /// Expected path.
        path: PathBuf,
    },
    /// The file is no SQLite database, or another program's.
    #[error("{}", self.message())]
    NotAStore { path: PathBuf },
    /// It has a version that this program does not read.
    #[error("{}", self.message())]
    OtherVersion {
        path: PathBuf,
        /// Version of the store.
        version: i64,
    },
    /// Another evaluation has the id.
    #[error("{}", self.message())]
    Taken { id: String },
    /// No evaluation has the id.
    #[error("{}", self.message())]
    Unknown { id: String },
    /// The directory can't be made, or the file not be opened.
    #[error("{}", self.message())]
    File { path: PathBuf, source: std::io::Error },
    /// SQLite returned an error.
    #[error("{}", self.message())]
    Sqlite { path: PathBuf, source: rusqlite::Error },
    /// A query took more steps than any store written by this program needs.
    #[error("{}", self.message())]
    Endless { path: PathBuf },
    /// A stored value can't be parsed.
    #[error("{}", self.message())]
    Content {
        path: PathBuf,
        /// The parser's error, with its position.
        source: serde_json::Error,
    },
}

impl StoreError {
    #[must_use]
    pub fn message(&self) -> Message {
        self.message_with_paths(&|path| path.display().to_string())
    }

    /// Formats the message, with paths as `shown` formats them.
    #[must_use]
    pub fn message_with_paths(&self, shown: &dyn Fn(&Path) -> String) -> Message {
        match self {
            StoreError::Missing { path } => msg!("skills-store-missing", path = shown(path)),
            StoreError::NotAStore { path } => msg!("skills-store-not-a-store", path = shown(path)),
            StoreError::OtherVersion { path, version } => {
                msg!("skills-store-version", path = shown(path), version = *version, reads = STORE_VERSION)
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

    /// Returns advice.
    #[must_use]
    pub fn help(&self) -> Option<Message> {
        match self {
            StoreError::Missing { .. } => Some(msg!("skills-store-missing-help")),
            StoreError::NotAStore { .. } => Some(msg!("skills-store-not-a-store-help")),
            StoreError::OtherVersion { .. } => Some(msg!("skills-store-version-help")),
            _ => None,
        }
    }
}
