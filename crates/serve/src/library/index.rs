//! The rows of a directory's reports, kept in a file: a list doesn't read a thousand reports.
//!
//! The file is a cache. One that is damaged, or of another version of the program, is made again.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use eval_format::skills::{StoredDocument, read_as_stored};
use eval_format::{Analysis, BlindFile, write_private};
use eval_history::{ReportRow, read_analysis};
use eval_message::Message;
use eval_spec::hash::short_hash;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::files::{FileStamp, stem};
use super::open::is_evaluation;

/// The rows of a directory.
#[derive(Debug, Default)]
pub struct ListedReports {
    /// The reports.
    pub rows: Vec<ReportRow>,
    /// The files of those rows, by the reports' names.
    pub paths: BTreeMap<String, PathBuf>,
    /// The files of comparisons that are read blind now, and the name under which that is. A copy is closed with its original.
    pub closed: BTreeMap<PathBuf, String>,
    /// Files that can't be read.
    pub unreadable: Vec<UnreadableReport>,
}

/// A file that is no report that can be read.
#[derive(Clone, Debug)]
pub struct UnreadableReport {
    /// The file.
    pub path: PathBuf,
    /// Why not.
    pub why: Message,
}

/// How the file beside a report says that it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum BlindReading {
    /// With the names of its variants.
    Open,
    /// Blind.
    Sealed,
    /// With the names, which were hidden before.
    Revealed,
}

impl BlindReading {
    fn of(beside: Option<&BlindFile>) -> BlindReading {
        match beside {
            None => BlindReading::Open,
            Some(of) if of.seal().is_some() => BlindReading::Sealed,
            Some(_) => BlindReading::Revealed,
        }
    }
}

/// What a file is.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum IndexedFile {
    Report(Box<ReportRow>, BlindReading),
    Unreadable(Message),
    /// Another document of ours, such as a selection of skills.
    Other,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct IndexEntry {
    stamp: FileStamp,
    file: IndexedFile,
}

#[derive(Serialize, Deserialize)]
struct StoredIndex {
    program: String,
    entries: BTreeMap<PathBuf, IndexEntry>,
}

#[derive(Debug)]
pub(super) struct RowIndex {
    path: PathBuf,
    entries: BTreeMap<PathBuf, IndexEntry>,
    listed: Arc<ListedReports>,
    /// Whether every comparison is read blind until its names are revealed.
    is_blind: bool,
}

impl RowIndex {
    /// The index of a directory's reports, from its file where that can be used.
    pub(super) fn of(home: &Path, reports: &Path, is_blind: bool) -> RowIndex {
        let name = short_hash(reports.as_os_str().as_encoded_bytes(), 16);
        let path = home.join("cache").join("reports").join(format!("{name}.json"));
        let stored = std::fs::read(&path).ok().and_then(|text| serde_json::from_slice::<StoredIndex>(&text).ok());
        let stored = stored.filter(|stored| stored.program == env!("CARGO_PKG_VERSION"));
        let entries = stored.map(|stored| stored.entries).unwrap_or_default();
        let listed = Arc::new(listed(&entries, is_blind));
        RowIndex { path, entries, listed, is_blind }
    }

    /// The rows of these files: those that are new or changed are read, by all processors.
    pub(super) fn updated(&mut self, files: Vec<(PathBuf, FileStamp)>) -> Arc<ListedReports> {
        let is_known =
            |(path, stamp): &(PathBuf, FileStamp)| self.entries.get(path).is_some_and(|entry| entry.stamp == *stamp);
        if files.len() == self.entries.len() && files.iter().all(is_known) {
            return Arc::clone(&self.listed);
        }
        let (known, others): (Vec<_>, Vec<_>) = files.into_iter().partition(is_known);
        let read: Vec<(PathBuf, IndexEntry)> = others
            .into_par_iter()
            .map(|(path, stamp)| {
                let file = IndexedFile::read(&path);
                (path, IndexEntry { stamp, file })
            })
            .collect();
        let kept: Vec<(PathBuf, IndexEntry)> =
            known.into_iter().filter_map(|(path, _)| self.entries.remove_entry(&path)).collect();
        self.entries = kept.into_iter().chain(read).collect();
        self.listed = Arc::new(listed(&self.entries, self.is_blind));
        self.save();
        Arc::clone(&self.listed)
    }

    /// Under which name the report at `path` is read blind now, if it is.
    ///
    /// # Errors
    /// When that isn't known.
    pub(super) fn closed(&self, path: &Path) -> Result<Option<String>, Message> {
        // there may be too many files to list them all
        let read = || IndexEntry { stamp: FileStamp::default(), file: IndexedFile::read(path) };
        match self.entries.get(path) {
            Some(IndexEntry { file: IndexedFile::Unreadable(why), .. }) => Err(why.clone()),
            Some(_) => Ok(self.listed.closed.get(path).cloned()),
            None => {
                let alone = BTreeMap::from([(path.to_owned(), read())]);
                Ok(listed(&alone, self.is_blind).closed.remove(path))
            }
        }
    }

    /// Where it can't be written, the next start reads the reports again.
    fn save(&self) {
        let entries = self.entries.clone();
        let stored = StoredIndex { program: env!("CARGO_PKG_VERSION").to_owned(), entries };
        if let Ok(text) = serde_json::to_vec(&stored) {
            let _ = write_private(&self.path, &text);
        }
    }
}

impl IndexedFile {
    fn read(path: &Path) -> IndexedFile {
        let name = stem(path);
        if is_evaluation(path) {
            return match read_as_stored(path) {
                Ok((of, _)) => IndexedFile::Report(Box::new(ReportRow::of_evaluation(name, &of)), BlindReading::Open),
                Err(error) => IndexedFile::Unreadable(error.message()),
            };
        }
        let beside = |report: Analysis| Ok((BlindFile::of_report(path, &report)?, report));
        match read_analysis(path).and_then(beside) {
            Ok((beside, report)) => {
                let names = beside.as_ref().and_then(BlindFile::revealed_names);
                let report = match names {
                    Some(names) => names.of_analysis(report),
                    None => report,
                };
                IndexedFile::Report(Box::new(ReportRow::of(name, &report)), BlindReading::of(beside.as_ref()))
            }
            Err(error) => match StoredDocument::at(path) {
                Some(StoredDocument::Selection | StoredDocument::Skill | StoredDocument::Benchmark) => {
                    IndexedFile::Other
                }
                _ => IndexedFile::Unreadable(error.message()),
            },
        }
    }
}

/// A report that is there twice, such as the copy of the newest evaluation, is listed once: under its own id's name, if that
/// is one of them.
fn listed(entries: &BTreeMap<PathBuf, IndexEntry>, is_blind: bool) -> ListedReports {
    let mut all = ListedReports::default();
    let mut reports: Vec<(&PathBuf, &ReportRow, BlindReading)> = Vec::new();
    for (path, entry) in entries {
        match &entry.file {
            IndexedFile::Report(row, reading) => reports.push((path, row, *reading)),
            IndexedFile::Unreadable(why) => {
                all.unreadable.push(UnreadableReport { path: path.clone(), why: why.clone() });
            }
            IndexedFile::Other => {}
        }
    }
    reports.sort_by_key(|(_, row, _)| !row.name.ends_with(&row.id));
    let key = |row: &ReportRow| (row.id.clone(), row.timestamp.clone());
    let mut sealed = HashMap::new();
    for (_, row, reading) in &reports {
        if *reading == BlindReading::Sealed {
            sealed.entry(key(row)).or_insert(&row.name);
        }
    }
    let mut known = HashSet::new();
    for (path, row, reading) in reports {
        let hides = is_blind && reading == BlindReading::Open && row.is_comparison();
        if let Some(name) = sealed.get(&key(row)).copied().or(hides.then_some(&row.name)) {
            all.closed.insert(path.clone(), name.clone());
        }
        if known.insert(key(row)) {
            all.paths.insert(row.name.clone(), path.clone());
            all.rows.push(row.clone());
        }
    }
    all
}
