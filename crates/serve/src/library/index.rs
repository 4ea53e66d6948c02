//! Index of a directory's reports, cached in a file: a list doesn't read a thousand reports.
//!
//! A cache file that is damaged, or of another version of the program, is rebuilt.

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

/// Rows of a directory's reports.
#[derive(Debug, Default)]
pub struct ListedReports {
    pub rows: Vec<ReportRow>,
    /// Files of those rows, by the reports' names.
    pub paths: BTreeMap<String, PathBuf>,
    /// Files of comparisons that are closed now, with the name of their blind page. A copy is closed with its original.
    pub closed: BTreeMap<PathBuf, String>,
    /// Unreadable files.
    pub unreadable: Vec<UnreadableReport>,
}

/// An unreadable file.
#[derive(Clone, Debug)]
pub struct UnreadableReport {
    pub path: PathBuf,
    pub why: Message,
}

/// Blind state of a report, from the file next to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum BlindReading {
    /// Names were never hidden.
    Open,
    /// Names are hidden.
    Sealed,
    /// Names were hidden, and are revealed.
    Revealed,
}

impl BlindReading {
    fn new(file: Option<&BlindFile>) -> BlindReading {
        match file {
            None => BlindReading::Open,
            Some(file) if file.seal().is_some() => BlindReading::Sealed,
            Some(_) => BlindReading::Revealed,
        }
    }
}

/// Content of a file.
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
    /// Every comparison is closed until its names are revealed.
    is_blind: bool,
}

impl RowIndex {
    /// Opens the index of a directory's reports, from the cache file if possible.
    pub(super) fn open(home: &Path, reports: &Path, is_blind: bool) -> RowIndex {
        let name = short_hash(reports.as_os_str().as_encoded_bytes(), 16);
        let path = home.join("cache").join("reports").join(format!("{name}.json"));
        let stored = std::fs::read(&path).ok().and_then(|text| serde_json::from_slice::<StoredIndex>(&text).ok());
        let stored = stored.filter(|stored| stored.program == env!("CARGO_PKG_VERSION"));
        let entries = stored.map(|stored| stored.entries).unwrap_or_default();
        let listed = Arc::new(listed(&entries, is_blind));
        RowIndex { path, entries, listed, is_blind }
    }

    /// Returns the rows of these files, after reading new and changed ones in parallel.
    pub(super) fn updated(&mut self, files: Vec<(PathBuf, FileStamp)>) -> Arc<ListedReports> {
        let is_unchanged =
            |(path, stamp): &(PathBuf, FileStamp)| self.entries.get(path).is_some_and(|entry| entry.stamp == *stamp);
        if files.len() == self.entries.len() && files.iter().all(is_unchanged) {
            return Arc::clone(&self.listed);
        }
        let (unchanged, others): (Vec<_>, Vec<_>) = files.into_iter().partition(is_unchanged);
        let read: Vec<(PathBuf, IndexEntry)> = others
            .into_par_iter()
            .map(|(path, stamp)| {
                let file = IndexedFile::read(&path);
                (path, IndexEntry { stamp, file })
            })
            .collect();
        let entries: Vec<(PathBuf, IndexEntry)> =
            unchanged.into_iter().filter_map(|(path, _)| self.entries.remove_entry(&path)).collect();
        self.entries = entries.into_iter().chain(read).collect();
        self.listed = Arc::new(listed(&self.entries, self.is_blind));
        self.save();
        Arc::clone(&self.listed)
    }

    /// Returns the name of the blind page of the report at `path`, if it is closed now.
    pub(super) fn closed(&self, path: &Path) -> Result<Option<String>, Message> {
        // there may be more files than the index lists
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

    /// Writes the cache file; if that fails, the next start reads the reports again.
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
                Ok(evaluation) => {
                    IndexedFile::Report(Box::new(ReportRow::of_evaluation(name, &evaluation)), BlindReading::Open)
                }
                Err(error) => IndexedFile::Unreadable(error.message()),
            };
        }
        let with_blind_file = |report: Analysis| Ok((BlindFile::of_report(path, &report)?, report));
        match read_analysis(path).and_then(with_blind_file) {
            Ok((blind_file, report)) => {
                let names = blind_file.as_ref().and_then(BlindFile::revealed_names);
                let report = match names {
                    Some(names) => names.of_analysis(report),
                    None => report,
                };
                IndexedFile::Report(Box::new(ReportRow::of(name, &report)), BlindReading::new(blind_file.as_ref()))
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

/// Lists the reports. One that exists twice, such as the copy of the newest evaluation, is listed once: under the name
/// of its own id, if that is one of them.
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
    let mut listed = HashSet::new();
    for (path, row, reading) in reports {
        let hides = is_blind && reading == BlindReading::Open && row.is_comparison();
        if let Some(name) = sealed.get(&key(row)).copied().or(hides.then_some(&row.name)) {
            all.closed.insert(path.clone(), name.clone());
        }
        if listed.insert(key(row)) {
            all.paths.insert(row.name.clone(), path.clone());
            all.rows.push(row.clone());
        }
    }
    all
}
