//! Evaluations on disk: written whole or not at all, read if they can be.

use std::fmt;
use std::fs::File;
use std::path::{Path, PathBuf};

use eval_spec::{Lang, Message, msg};
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;

use super::consistent::{Contradiction, check};
use super::contract::{SKILL_RESULT_KIND, SKILL_RESULT_VERSION, SkillEvaluation};
use super::format::{Format, render};
use super::whole::write_whole;

/// What the names of results begin with.
const RESULT: &str = "eval-result";

/// The largest file that is read; 100,000 results with their outputs are about a tenth of it.
const LARGEST: u64 = 2 << 30;

/// Why a file can't be read or written.
#[derive(Debug)]
pub enum FileError {
    /// The system refuses.
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// It is something else.
    NotAResult {
        /// The file.
        path: PathBuf,
        /// What it is instead.
        instead: Document,
    },
    /// It is one, but broken.
    Damaged {
        /// The file.
        path: PathBuf,
        /// Why.
        source: serde_json::Error,
    },
    /// Its numbers can't be, or don't follow from its results.
    Contradiction {
        /// The file.
        path: PathBuf,
        /// Which.
        found: Contradiction,
    },
    /// A newer program wrote it.
    Newer {
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
            FileError::Newer { path, version } => {
                msg!("skills-report-newer", path = shown(path), version = version)
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
            FileError::Newer { .. } => Some(msg!("skills-report-newer-help")),
            _ => None,
        }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

impl std::error::Error for FileError {}

/// The id of an evaluation that began at `started`: `YYYYMMDD-hhmmss`, with `-2`, `-3`, … when `taken` says that it
/// exists.
#[must_use]
pub fn evaluation_id(started: Timestamp, taken: impl Fn(&str) -> bool) -> String {
    let id = started.strftime("%Y%m%d-%H%M%S").to_string();
    if !taken(&id) {
        return id;
    }
    (2_u64..).map(|n| format!("{id}-{n}")).find(|id| !taken(id)).unwrap_or(id)
}

/// Whether a report of this id lies in `dir`, in any format.
#[must_use]
pub fn is_written(dir: &Path, id: &str) -> bool {
    Format::NAMES.iter().any(|(format, _)| dir.join(name_of(id, *format)).exists())
}

/// Reads an evaluation, and counts it again.
///
/// # Errors
/// When the file can't be read, is too large, is no evaluation of a version that this program understands, or holds
/// numbers that can't be or don't follow from its results.
pub fn read(path: &Path) -> Result<SkillEvaluation, FileError> {
    let text = bytes(path)?;
    let top: Top = serde_json::from_slice(&text).unwrap_or_default();
    if top.kind != SKILL_RESULT_KIND {
        return Err(FileError::NotAResult { path: path.to_owned(), instead: Document::of(&text) });
    }
    if let Some(version) = top.newer() {
        return Err(FileError::Newer { path: path.to_owned(), version });
    }
    let of: SkillEvaluation =
        serde_json::from_slice(&text).map_err(|source| FileError::Damaged { path: path.to_owned(), source })?;
    let reasons = of.gate.as_ref().is_some_and(|gate| !gate.reasons.is_empty());
    match check(&of, top.unsound.is_null() && !reasons) {
        // an older version's gate looked at rates alone
        Ok(()) => Ok(SkillEvaluation { gate: of.gate_again(), ..of }.with_soundness()),
        Err(found) => Err(FileError::Contradiction { path: path.to_owned(), found }),
    }
}

/// Any JSON file, within the same limits.
///
/// # Errors
/// When it can't be read, or is no JSON.
pub fn read_json(path: &Path) -> Result<Value, FileError> {
    serde_json::from_slice(&bytes(path)?).map_err(|source| FileError::Damaged { path: path.to_owned(), source })
}

/// Only a regular file, and no larger than can be meant: a pipe would never end.
fn bytes(path: &Path) -> Result<Vec<u8>, FileError> {
    let failed = |source| FileError::File { path: path.to_owned(), source };
    let metadata = std::fs::metadata(path).map_err(failed)?;
    if metadata.is_dir() {
        return Err(FileError::NotAResult { path: path.to_owned(), instead: Document::Directory });
    }
    if !metadata.is_file() || metadata.len() > LARGEST {
        return Err(FileError::NotAResult { path: path.to_owned(), instead: Document::TooLarge });
    }
    std::fs::read(path).map_err(failed)
}

/// What tells one JSON file from another.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Top {
    kind: String,
    schema_version: Value,
    id: String,
    started_at: String,
    /// Absent in reports of older versions.
    unsound: Value,
}

impl Top {
    /// The version, when it isn't one that this program reads.
    fn newer(&self) -> Option<String> {
        let is_ours = self.schema_version.as_u64() == Some(u64::from(SKILL_RESULT_VERSION));
        // without a version it is no newer one, but broken
        (!is_ours && !self.schema_version.is_null())
            .then(|| super::show::shortened(&self.schema_version.to_string(), 40))
    }
}

/// What a file may be that stands among results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Document {
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
    /// No regular file, or larger than can be meant.
    TooLarge,
}

impl Document {
    /// What lies at a path; `None` where there is no regular file that can be read.
    #[must_use]
    pub fn at(path: &Path) -> Option<Document> {
        bytes(path).ok().map(|text| Document::of(&text))
    }

    fn of(text: &[u8]) -> Document {
        let Ok(value) = serde_json::from_slice::<Value>(text) else { return Document::Text };
        let has = |key: &str| value.get(key).is_some();
        match value.get("kind").and_then(Value::as_str) {
            Some(SKILL_RESULT_KIND) => Document::Result,
            Some(super::SELECTION_KIND) => Document::Selection,
            _ if has("verdict") && has("schemaVersion") => Document::OmkReport,
            _ if has("adapterType") => Document::Skill,
            _ if has("tasks") => Document::Benchmark,
            _ if value.is_array() => Document::List,
            _ => Document::Other,
        }
    }

    /// What messages choose a text by.
    fn name(self) -> &'static str {
        match self {
            Document::Result => "result",
            Document::Selection => "selection",
            Document::OmkReport => "omk",
            Document::Skill => "skill",
            Document::Benchmark => "benchmark",
            Document::List => "list",
            Document::Other => "other",
            Document::Text => "text",
            Document::Directory => "directory",
            Document::TooLarge => "large",
        }
    }

    /// What it is, with its article.
    #[must_use]
    pub fn message(self) -> Message {
        match self {
            Document::Result => msg!("skills-report-is-result"),
            Document::Selection => msg!("skills-report-is-selection"),
            Document::OmkReport => msg!("skills-report-is-omk"),
            Document::Skill => msg!("skills-report-is-skill"),
            Document::Benchmark => msg!("skills-report-is-benchmark"),
            Document::List => msg!("skills-report-is-list"),
            Document::Other => msg!("skills-report-is-other"),
            Document::Text => msg!("skills-report-is-no-json"),
            Document::Directory => msg!("skills-report-is-directory"),
            Document::TooLarge => msg!("skills-report-is-too-large"),
        }
    }
}

/// A report that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// In which format.
    pub format: Format,
    /// `eval-result-ID.EXT`.
    pub path: PathBuf,
    /// Its copy without the id, `eval-result.EXT`; `None` when that is of an evaluation that began later.
    pub newest: Option<PathBuf>,
}

/// Writes `eval-result-ID.EXT` in each format, and a copy `eval-result.EXT` where no evaluation that began later is
/// written in that format. The directory is made if need be; a file appears whole or not at all. What a newer program
/// wrote, and another evaluation's report, is not overwritten; the same evaluation's is, after a resume.
///
/// # Errors
/// When a file can't be written.
pub fn write(of: &SkillEvaluation, dir: &Path, formats: &[Format], lang: Lang) -> Result<Vec<Written>, FileError> {
    let harmless = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    if of.id.is_empty() || of.id.len() > 200 || !of.id.chars().all(harmless) {
        return Err(FileError::BadId { id: of.id.clone() });
    }
    std::fs::create_dir_all(dir).map_err(|source| FileError::File { path: dir.to_owned(), source })?;
    let json = dir.join(name_of(&of.id, Format::Json));
    refuse_newer(&json)?;
    refuse_newer(&dir.join(copy_of(Format::Json)))?;
    if top(&json).is_some_and(|there| (there.id, there.started_at) != (of.id.clone(), of.started_at.clone())) {
        return Err(FileError::Taken { path: json });
    }
    let mut written: Vec<Written> = Vec::new();
    for format in formats {
        if written.iter().any(|done| done.format == *format) {
            continue;
        }
        let path = dir.join(name_of(&of.id, *format));
        write_whole(&path, |file| render(of, *format, lang, file))?;
        let newest = is_newest(of, dir, *format).then(|| dir.join(copy_of(*format)));
        if let Some(newest) = &newest {
            write_whole(newest, |file| std::io::copy(&mut File::open(&path)?, file).map(|_| ()))?;
        }
        written.push(Written { format: *format, path, newest });
    }
    Ok(written)
}

/// Whether [`write`] can write copies in these formats, as far as that is seen before there is anything to write.
///
/// # Errors
/// What stands in its way.
pub fn writable(dir: &Path, formats: &[Format]) -> Result<(), FileError> {
    refuse_newer(&dir.join(copy_of(Format::Json)))?;
    let copies = formats.iter().map(|format| dir.join(copy_of(*format)));
    match copies.into_iter().find(|path| path.is_dir()) {
        Some(path) => Err(FileError::File { path, source: std::io::ErrorKind::IsADirectory.into() }),
        None => Ok(()),
    }
}

fn name_of(id: &str, format: Format) -> String {
    format!("{RESULT}-{id}.{}", format.extension())
}

fn copy_of(format: Format) -> String {
    format!("{RESULT}.{}", format.extension())
}

/// Copies `eval-result.EXT` in `dir` that an evaluation in these formats leaves as they are: an earlier one's.
#[must_use]
pub fn left_as_they_are(dir: &Path, formats: &[Format]) -> Vec<PathBuf> {
    let others = Format::NAMES.iter().filter(|(format, _)| !formats.contains(format));
    others.map(|(format, _)| dir.join(copy_of(*format))).filter(|path| path.exists()).collect()
}

/// Whether no report of an evaluation that began later lies in `dir`, in this format. Ids tell when: only JSON says so
/// itself.
fn is_newest(of: &SkillEvaluation, dir: &Path, format: Format) -> bool {
    let began = |text: &str| text.parse::<Timestamp>().ok();
    let copy = (format == Format::Json).then(|| top(&dir.join(copy_of(format)))).flatten();
    if copy.is_some_and(|copy| copy.kind == SKILL_RESULT_KIND && began(&copy.started_at) > began(&of.started_at)) {
        return false;
    }
    let end = format!(".{}", format.extension());
    let names = std::fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.file_name());
    let ids = names.filter_map(|name| {
        let name = name.to_str()?.strip_prefix(RESULT)?.strip_prefix('-')?.strip_suffix(&end)?;
        stamp(name)
    });
    let own = stamp(&of.id);
    !ids.into_iter().any(|id| own.as_ref().is_some_and(|own| id > *own))
}

/// What orders ids of [`evaluation_id`] by their beginning.
fn stamp(id: &str) -> Option<(String, u64)> {
    let is_digits = |text: &str, count: usize| text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    let mut parts = id.splitn(3, '-');
    let (date, time) = (parts.next()?, parts.next()?);
    let number = parts.next().map_or(Some(1), |text| text.parse().ok())?;
    (is_digits(date, 8) && is_digits(time, 6)).then(|| (format!("{date}{time}"), number))
}

fn top(path: &Path) -> Option<Top> {
    serde_json::from_slice::<Top>(&bytes(path).ok()?).ok()
}

fn refuse_newer(path: &Path) -> Result<(), FileError> {
    match top(path).filter(|top| top.kind == SKILL_RESULT_KIND).and_then(|top| top.newer()) {
        Some(version) => Err(FileError::Newer { path: path.to_owned(), version }),
        None => Ok(()),
    }
}
