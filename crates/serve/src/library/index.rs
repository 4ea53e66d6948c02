//! The rows of a directory's reports, kept in a file: a list doesn't read a thousand reports.
//!
//! The file is a cache. One that is damaged, or of another version of the program, is made again.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use eval_format::skills::{StoredDocument, read_as_stored};
use eval_format::{BlindFile, read_analysis, write_private};
use eval_history::ReportRow;
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
    /// How each comparison is read, by the reports' names.
    pub reading: BTreeMap<String, BlindReading>,
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

/// How a comparison is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum BlindReading {
    /// With the names of its variants.
    #[default]
    Open,
    /// Blind.
    Sealed,
    /// With the names, which were hidden before.
    Revealed,
}

impl BlindReading {
    pub(super) fn of(beside: Option<&BlindFile>) -> BlindReading {
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
}

impl RowIndex {
    /// The index of a directory's reports, from its file where that can be used.
    pub(super) fn of(home: &Path, reports: &Path) -> RowIndex {
        let name = short_hash(reports.as_os_str().as_encoded_bytes(), 16);
        let path = home.join("cache").join("reports").join(format!("{name}.json"));
        let stored = std::fs::read(&path).ok().and_then(|text| serde_json::from_slice::<StoredIndex>(&text).ok());
        let stored = stored.filter(|stored| stored.program == env!("CARGO_PKG_VERSION"));
        let entries = stored.map(|stored| stored.entries).unwrap_or_default();
        let listed = Arc::new(listed(&entries));
        RowIndex { path, entries, listed }
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
        self.listed = Arc::new(listed(&self.entries));
        self.save();
        Arc::clone(&self.listed)
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
        match read_analysis(path).and_then(|report| Ok((report, BlindFile::beside(path)?))) {
            Ok((report, beside)) => {
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
fn listed(entries: &BTreeMap<PathBuf, IndexEntry>) -> ListedReports {
    let mut all = ListedReports::default();
    let mut copies = Vec::new();
    let mut ids = HashSet::new();
    let mut add = |path: &PathBuf, row: &ReportRow, reading: BlindReading, ids: &mut HashSet<(String, String)>| {
        if ids.insert((row.id.clone(), row.timestamp.clone())) {
            all.reading.insert(row.name.clone(), reading);
            all.paths.insert(row.name.clone(), path.clone());
            all.rows.push(row.clone());
        }
    };
    for (path, entry) in entries {
        match &entry.file {
            IndexedFile::Report(row, reading) if row.name.ends_with(&row.id) => add(path, row, *reading, &mut ids),
            IndexedFile::Report(row, reading) => copies.push((path, row, *reading)),
            IndexedFile::Unreadable(_) | IndexedFile::Other => {}
        }
    }
    copies.into_iter().for_each(|(path, row, reading)| add(path, row, reading, &mut ids));
    let unreadable = entries.iter().filter_map(|(path, entry)| match &entry.file {
        IndexedFile::Unreadable(why) => Some(UnreadableReport { path: path.clone(), why: why.clone() }),
        IndexedFile::Report(..) | IndexedFile::Other => None,
    });
    all.unreadable = unreadable.collect();
    all
}
