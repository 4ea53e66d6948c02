//! Evaluations on disk: written whole or not at all, read if they can be.

use std::fmt;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use eval_message::{Message, msg};
use eval_spec::files::LARGEST_REPORT;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer as _};
use serde_json::Value;

use crate::skills::{SKILL_RESULT_KIND, SKILL_RESULT_VERSION, SkillEvaluation};
use crate::whole::WriteError;

/// What the names of results begin with.
pub const RESULT: &str = "eval-result";

/// A field with an impossible value, or one that doesn't follow from the task results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// The skill; empty where it is about the evaluation.
    pub skill: String,
    /// The field, such as `summary.completionRate`.
    pub field: String,
    /// The stored value.
    pub stored: String,
    /// The value that follows from the task results; `None` where the stored value is impossible.
    pub follows: Option<String>,
}

impl Contradiction {
    /// The text for people.
    pub(crate) fn message(&self, path: &str) -> Message {
        let Contradiction { skill, field, stored, follows } = self;
        let scope = if skill.is_empty() { "whole" } else { "skill" };
        match follows {
            Some(follows) => msg!(
                "skills-report-contradiction",
                path = path,
                scope = scope,
                skill = skill,
                field = field,
                stored = stored,
                follows = follows
            ),
            None => {
                msg!(
                    "skills-report-impossible",
                    path = path,
                    scope = scope,
                    skill = skill,
                    field = field,
                    stored = stored
                )
            }
        }
    }
}

/// Why a file can't be read or written.
#[derive(Debug)]
pub enum FileError {
    /// The system refuses.
    File {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// It is something else.
    NotAResult {
        /// The file.
        path: PathBuf,
        /// What it is instead.
        instead: StoredDocument,
    },
    /// It is one, but broken.
    Damaged {
        /// The file.
        path: PathBuf,
        /// The parser's error, with its place.
        source: serde_json::Error,
    },
    /// Its numbers can't be, or don't follow from its results.
    Contradiction {
        /// The file.
        path: PathBuf,
        /// The first pair of fields that contradict each other.
        found: Contradiction,
    },
    /// It has a version that this program does not read.
    OtherVersion {
        /// The file.
        path: PathBuf,
        /// Its version, as it is written.
        version: String,
    },
    /// The id is no part of a file's name.
    BadId {
        /// The id.
        id: String,
    },
    /// Another evaluation has this id already.
    Taken {
        /// The file.
        path: PathBuf,
    },
}

impl FileError {
    /// The text for people.
    #[must_use]
    pub fn message(&self) -> Message {
        self.told(&|path| path.display().to_string())
    }

    /// The same with paths as `shown` writes them.
    #[must_use]
    pub fn told(&self, shown: &dyn Fn(&Path) -> String) -> Message {
        match self {
            FileError::File { path, source } => {
                msg!("skills-report-file", path = shown(path), why = source.to_string())
            }
            FileError::NotAResult { path, instead } => {
                msg!("skills-report-not-a-result", path = shown(path), instead = instead.name())
            }
            FileError::Damaged { path, source } => {
                msg!("skills-report-damaged", path = shown(path), why = source.to_string())
            }
            FileError::Contradiction { path, found } => found.message(&shown(path)),
            FileError::OtherVersion { path, version } => {
                msg!("skills-report-other-version", path = shown(path), version = version, reads = SKILL_RESULT_VERSION)
            }
            FileError::BadId { id } => msg!("skills-report-bad-id", id = id),
            FileError::Taken { path } => msg!("skills-report-taken", path = shown(path)),
        }
    }

    /// What to do about it.
    #[must_use]
    pub fn help(&self) -> Option<Message> {
        match self {
            FileError::NotAResult { .. } => Some(msg!("skills-report-not-a-result-help")),
            FileError::Damaged { .. } | FileError::Contradiction { .. } => Some(msg!("skills-report-damaged-help")),
            FileError::OtherVersion { .. } => Some(msg!("skills-report-other-version-help")),
            _ => None,
        }
    }
}

impl From<WriteError> for FileError {
    fn from(WriteError { path, source }: WriteError) -> FileError {
        FileError::File { path, source }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

impl std::error::Error for FileError {}

/// Reads an evaluation as it is stored.
///
/// # Errors
/// When the file can't be read, is too large, or is no evaluation of a version that this program understands.
pub fn read_as_stored(path: &Path) -> Result<SkillEvaluation, FileError> {
    let text = bytes(path)?;
    let top: Top = serde_json::from_slice(&text).unwrap_or_default();
    if top.kind != SKILL_RESULT_KIND {
        return Err(FileError::NotAResult { path: path.to_owned(), instead: StoredDocument::of(&text) });
    }
    if let Some(version) = top.other_version() {
        return Err(FileError::OtherVersion { path: path.to_owned(), version });
    }
    serde_json::from_slice(&text).map_err(|source| FileError::Damaged { path: path.to_owned(), source })
}

/// Any JSON file, within the same limits.
///
/// # Errors
/// When it can't be read, or is no JSON.
pub fn read_json(path: &Path) -> Result<Value, FileError> {
    serde_json::from_slice(&bytes(path)?).map_err(|source| FileError::Damaged { path: path.to_owned(), source })
}

/// Reads regular files up to [`LARGEST_REPORT`] only: a pipe would never end.
fn bytes(path: &Path) -> Result<Vec<u8>, FileError> {
    let failed = |source| FileError::File { path: path.to_owned(), source };
    let metadata = std::fs::metadata(path).map_err(failed)?;
    if metadata.is_dir() {
        return Err(FileError::NotAResult { path: path.to_owned(), instead: StoredDocument::Directory });
    }
    if !metadata.is_file() || metadata.len() > LARGEST_REPORT {
        return Err(FileError::NotAResult { path: path.to_owned(), instead: StoredDocument::TooLarge });
    }
    std::fs::read(path).map_err(failed)
}

/// The fields that identify a JSON document.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Top {
    /// What kind of document it is.
    pub kind: String,
    schema_version: Value,
    /// Its id.
    pub id: String,
    /// When the evaluation began.
    pub started_at: String,
}

impl Top {
    /// The version, when it isn't the one that this program reads.
    fn other_version(&self) -> Option<String> {
        let is_ours = self.schema_version.as_u64() == Some(u64::from(SKILL_RESULT_VERSION));
        // without a version it is broken
        (!is_ours && !self.schema_version.is_null())
            .then(|| eval_message::plain::shortened(&self.schema_version.to_string(), 40))
    }
}

/// The kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoredDocument {
    /// An evaluation.
    Result,
    /// What was selected.
    Selection,
    /// A report of `omk`.
    OmkReport,
    /// A `skill.json`.
    Skill,
    /// A benchmark.
    Benchmark,
    /// A list of something.
    List,
    /// JSON that isn't known.
    Other,
    /// No JSON.
    Text,
    /// A directory.
    Directory,
    /// No regular file, or larger than the limit.
    TooLarge,
}

impl StoredDocument {
    /// What lies at a path; `None` where there is no regular file that can be read.
    #[must_use]
    pub fn at(path: &Path) -> Option<StoredDocument> {
        bytes(path).ok().map(|text| StoredDocument::of(&text))
    }

    fn of(text: &[u8]) -> StoredDocument {
        let Ok(value) = serde_json::from_slice::<Value>(text) else { return StoredDocument::Text };
        let has = |key: &str| value.get(key).is_some();
        match value.get("kind").and_then(Value::as_str) {
            Some(SKILL_RESULT_KIND) => StoredDocument::Result,
            Some(SELECTION_KIND) => StoredDocument::Selection,
            _ if has("verdict") && has("schemaVersion") => StoredDocument::OmkReport,
            _ if has("adapterType") => StoredDocument::Skill,
            _ if has("tasks") => StoredDocument::Benchmark,
            _ if value.is_array() => StoredDocument::List,
            _ => StoredDocument::Other,
        }
    }

    /// The selector of the message's text.
    fn name(self) -> &'static str {
        match self {
            StoredDocument::Result => "result",
            StoredDocument::Selection => "selection",
            StoredDocument::OmkReport => "omk",
            StoredDocument::Skill => "skill",
            StoredDocument::Benchmark => "benchmark",
            StoredDocument::List => "list",
            StoredDocument::Other => "other",
            StoredDocument::Text => "text",
            StoredDocument::Directory => "directory",
            StoredDocument::TooLarge => "large",
        }
    }

    /// What it is, with its article.
    #[must_use]
    pub fn message(self) -> Message {
        match self {
            StoredDocument::Result => msg!("skills-report-is-result"),
            StoredDocument::Selection => msg!("skills-report-is-selection"),
            StoredDocument::OmkReport => msg!("skills-report-is-omk"),
            StoredDocument::Skill => msg!("skills-report-is-skill"),
            StoredDocument::Benchmark => msg!("skills-report-is-benchmark"),
            StoredDocument::List => msg!("skills-report-is-list"),
            StoredDocument::Other => msg!("skills-report-is-other"),
            StoredDocument::Text => msg!("skills-report-is-no-json"),
            StoredDocument::Directory => msg!("skills-report-is-directory"),
            StoredDocument::TooLarge => msg!("skills-report-is-too-large"),
        }
    }
}

/// The file name of an evaluation's result; the extension without its dot.
#[must_use]
pub fn name_of(id: &str, extension: &str) -> String {
    format!("{RESULT}-{id}.{extension}")
}

/// The file name of the newest result.
#[must_use]
pub fn copy_of(extension: &str) -> String {
    format!("{RESULT}.{extension}")
}

/// The sort key of an [`evaluation_id`](crate::evaluation_id): when the evaluation began.
#[must_use]
pub fn stamp(id: &str) -> Option<(String, u64)> {
    crate::id::began(id)
}

/// The identifying fields of a file; `None` where it can't be read or is no JSON.
#[must_use]
pub fn top(path: &Path) -> Option<Top> {
    serde_json::from_slice::<Top>(&bytes(path).ok()?).ok()
}

/// Whether a file is an evaluation of callable skills. Of a comparison, which may be large, only the beginning is read: it has
/// its `meta` before its results, and no `kind`.
#[must_use]
pub fn is_evaluation(path: &Path) -> bool {
    // a pipe would wait for its writer
    let file = path.is_file().then(|| std::fs::File::open(path).ok()).flatten();
    file.and_then(|file| kind(BufReader::new(file))).is_some_and(|kind| kind == SKILL_RESULT_KIND)
}

/// The `kind` of a document that comes to it before `meta`. What follows isn't read.
fn kind(document: impl Read) -> Option<String> {
    let mut found = None;
    // the rest is left, which is an error to it
    let _ = serde_json::Deserializer::from_reader(document).deserialize_map(DocumentKind(&mut found));
    found
}

/// Takes the `kind`.
struct DocumentKind<'f>(&'f mut Option<String>);

impl<'de> Visitor<'de> for DocumentKind<'_> {
    type Value = ();

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("an object")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<(), M::Error> {
        while let Some(field) = map.next_key::<String>()? {
            match &*field {
                "kind" => *self.0 = Some(map.next_value()?),
                "meta" => {}
                _ => {
                    map.next_value::<IgnoredAny>()?;
                    continue;
                }
            }
            break;
        }
        Ok(())
    }
}

/// Refuses a result of another version, which is not overwritten.
///
/// # Errors
/// When it is one.
pub fn refuse_other_version(path: &Path) -> Result<(), FileError> {
    match top(path).filter(|top| top.kind == SKILL_RESULT_KIND).and_then(|top| top.other_version()) {
        Some(version) => Err(FileError::OtherVersion { path: path.to_owned(), version }),
        None => Ok(()),
    }
}

/// The `kind` of a selection's file.
pub const SELECTION_KIND: &str = "eval-skills-selection";
