//! Blind reading: which variant is behind which label, and whether that is revealed. It is in a file of its own beside the
//! report, `ID.blind`, so that who reads the report doesn't read the names.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::feedback::lock;
use super::{Analysis, Report, SampleResult};
use crate::error::ReportError;
use crate::whole::{WriteError, write_whole};

/// The version of the file.
const VERSION: u32 = 1;

/// The file beside a report that is, or was, read blind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BlindFile {
    version: u32,
    /// Which label of the report hides which variant; absent where the report has the variants' own names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    labels: Option<BTreeMap<String, String>>,
    /// Each time that it was closed, the last one last.
    seals: Vec<Seal>,
}

/// A report that is read blind, from when to when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Seal {
    /// Since when, RFC 3339.
    pub at: String,
    /// 32 random hex digits, from which the order of the samples and the side of each answer are drawn.
    pub key: String,
    /// When the names were revealed; absent until then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revealed_at: Option<String>,
}

impl BlindFile {
    /// The file beside the report at `path`, if there is one.
    ///
    /// # Errors
    /// When it can't be read, or is that of a newer program.
    pub fn beside(path: &Path) -> Result<Option<BlindFile>, ReportError> {
        let at = blind_path(path);
        let text = match std::fs::read(&at) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            read => read.map_err(|source| ReportError::File { path: at.clone(), source })?,
        };
        let found: BlindFile =
            serde_json::from_slice(&text).map_err(|source| ReportError::Damaged { path: at.clone(), source })?;
        match found.version > VERSION {
            true => Err(ReportError::Newer { path: at, version: found.version }),
            false => Ok(Some(found)),
        }
    }

    /// How it is closed now; `None` once the names are revealed.
    #[must_use]
    pub fn seal(&self) -> Option<&Seal> {
        self.seals.last().filter(|seal| seal.revealed_at.is_none())
    }

    /// Each time that it was closed, the last one last.
    #[must_use]
    pub fn seals(&self) -> &[Seal] {
        &self.seals
    }

    /// When the names were revealed last, unless they are hidden.
    #[must_use]
    pub fn revealed_at(&self) -> Option<&str> {
        self.seals.last()?.revealed_at.as_deref()
    }

    /// The names behind the labels, once they are revealed.
    #[must_use]
    pub fn revealed_names(&self) -> Option<RevealedNames> {
        let labels = self.labels.as_ref().filter(|_| self.seal().is_none());
        labels.map(|labels| RevealedNames(labels.clone()))
    }

    /// The label of a variant that is named by itself or by its label.
    pub(super) fn label<'n>(&'n self, name: &'n str) -> &'n str {
        let mut labels = self.labels.iter().flatten();
        labels.find(|(_, own)| *own == name).map_or(name, |(label, _)| label)
    }

    pub(super) fn labels(&self) -> Option<&BTreeMap<String, String>> {
        self.labels.as_ref()
    }

    fn write(&self, report: &Path) -> Result<(), ReportError> {
        let text = serde_json::to_string_pretty(self).unwrap_or_default();
        let written = write_whole(&blind_path(report), |to| writeln!(to, "{text}"));
        written.map_err(|WriteError { path, source }| ReportError::File { path, source })
    }
}

/// Where the names of a report are that is read blind.
fn blind_path(report: &Path) -> PathBuf {
    report.with_extension("blind")
}

/// Puts the names behind the labels of the report at `path` beside it, before the report itself is there. A report that is
/// made again stays as closed as it was.
///
/// # Errors
/// When the file can't be read or written.
pub fn hide_names(path: &Path, labels: &BTreeMap<String, String>, at: &str) -> Result<(), ReportError> {
    let directory = path.parent().filter(|of| !of.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(directory).map_err(|source| ReportError::File { path: directory.to_owned(), source })?;
    // where the file system has no locks, a paid report is written all the same
    let _lock = lock(path);
    let known = BlindFile::beside(path)?;
    let seals = known.map_or_else(|| Ok(vec![Seal::new(at)?]), |known| Ok::<_, ReportError>(known.seals))?;
    BlindFile { version: VERSION, labels: Some(labels.clone()), seals }.write(path)
}

/// Closes the report at `path`, unless it is closed already.
///
/// # Errors
/// When the file beside it can't be read or written.
pub fn seal_report(path: &Path, at: &str) -> Result<Seal, ReportError> {
    let _lock = lock(path)?;
    let mut known = BlindFile::beside(path)?.unwrap_or(BlindFile { version: VERSION, labels: None, seals: Vec::new() });
    if let Some(seal) = known.seal() {
        return Ok(seal.clone());
    }
    let seal = Seal::new(at)?;
    known.seals.push(seal.clone());
    known.write(path).map(|()| seal)
}

/// Reveals the names of the report at `path`, and records when; whether they were hidden. The first of several counts.
///
/// # Errors
/// When the file beside it can't be read or written.
pub fn reveal_report(path: &Path, at: &str) -> Result<bool, ReportError> {
    let _lock = lock(path)?;
    let Some(mut known) = BlindFile::beside(path)? else { return Ok(false) };
    let Some(seal) = known.seals.last_mut().filter(|seal| seal.revealed_at.is_none()) else { return Ok(false) };
    seal.revealed_at = Some(at.to_owned());
    known.write(path).map(|()| true)
}

impl Seal {
    fn new(at: &str) -> Result<Seal, ReportError> {
        let mut random = [0; 16];
        let source = Path::new("/dev/urandom");
        let read = File::open(source).and_then(|mut file| file.read_exact(&mut random));
        read.map_err(|error| ReportError::File { path: source.to_owned(), source: error })?;
        let key = random.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Seal { at: at.to_owned(), key, revealed_at: None })
    }
}

/// The names behind the labels of a report, to be shown in their place.
#[derive(Clone, Debug)]
pub struct RevealedNames(BTreeMap<String, String>);

impl RevealedNames {
    /// The report with its variants' own names. It is blind no longer.
    #[must_use]
    pub fn of_analysis(&self, analysis: Analysis) -> Analysis {
        let Ok(mut value) = serde_json::to_value(analysis.clone().with_results(())) else { return analysis };
        self.rename(&mut value);
        let mut named: Analysis = serde_json::from_value(value).unwrap_or(analysis);
        named.meta.blind_mapping = None;
        named.meta.settings.blind = false;
        named
    }

    /// A sample's results with the variants' own names.
    #[must_use]
    pub fn of_result(&self, mut result: SampleResult) -> SampleResult {
        result.variants = self.of_variants(result.variants);
        result
    }

    /// What is stored by label, by the variants' own names.
    #[must_use]
    pub fn of_variants<T>(&self, all: BTreeMap<String, T>) -> BTreeMap<String, T> {
        all.into_iter().map(|(label, of)| (self.name(label), of)).collect()
    }

    fn name(&self, label: String) -> String {
        self.0.get(&label).cloned().unwrap_or(label)
    }

    /// Labels stand alone, or marked as code in a sentence. What people wrote stays as it is.
    fn rename(&self, value: &mut Value) {
        match value {
            Value::String(text) => match self.0.get(text) {
                Some(name) => name.clone_into(text),
                None if text.contains('`') => {
                    for (label, name) in &self.0 {
                        *text = text.replace(&format!("`{label}`"), &format!("`{name}`"));
                    }
                }
                None => {}
            },
            Value::Array(all) => all.iter_mut().for_each(|of| self.rename(of)),
            Value::Object(fields) => {
                let all = std::mem::take(fields);
                for (field, mut of) in all {
                    if field != "comment" {
                        self.rename(&mut of);
                    }
                    fields.insert(self.name(field), of);
                }
            }
            _ => {}
        }
    }
}

/// Fills in the names that are beside the report, for those who compute with them; nobody prints them from here.
pub(crate) fn with_names<R>(path: &Path, mut report: Report<R>) -> Result<Report<R>, ReportError> {
    if report.meta.settings.blind && report.meta.blind_mapping.is_none() {
        report.meta.blind_mapping = BlindFile::beside(path)?.and_then(|found| found.labels().cloned());
    }
    Ok(report)
}
