//! Blind reading: which variant is behind which label, and whether that is revealed. It is in a file of its own beside the
//! report, `ID.blind`, and nobody reads the names from there before they are revealed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use eval_message::msg;
use eval_message::plain::clip;
use eval_spec::hash::short_hash;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::feedback::{kept, lock};
use super::{Analysis, Report, SampleResult};
use crate::error::ReportError;
use crate::version::version_in;
use crate::whole::{WriteError, write_bounded};

/// The version of the file.
const VERSION: u32 = 1;

/// Larger files, in bytes, are none of ours.
const LARGEST: u64 = 16 << 20;

/// How far the clocks of machines that write the same file may be apart.
const CLOCKS_APART: SignedDuration = SignedDuration::from_hours(24);

/// The file beside a report that is, or was, read blind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BlindFile {
    version: u32,
    /// Which label of the report hides which variant; absent where the report has the variants' own names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    labels: Option<BTreeMap<String, String>>,
    /// The hash of each artifact, by label: who has the artifacts would know them by it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    skill_hashes: BTreeMap<String, String>,
    /// The hash of what a model reads of each artifact, by label.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    text_hashes: BTreeMap<String, String>,
    /// A hash over the names and the id of the report that they are of: all reports of two variants have the same labels.
    /// Absent without names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    names_hash: Option<String>,
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
    /// The hash of each artifact, by label: they tell nobody a name.
    #[must_use]
    pub fn skill_hashes(&self) -> &BTreeMap<String, String> {
        &self.skill_hashes
    }

    /// The hash of what a model reads of each artifact, by label.
    #[must_use]
    pub fn text_hashes(&self) -> &BTreeMap<String, String> {
        &self.text_hashes
    }

    /// The file beside the report at `path`, if there is one.
    ///
    /// # Errors
    /// When it can't be read, or has another version.
    pub fn beside(path: &Path) -> Result<Option<BlindFile>, ReportError> {
        let at = blind_path(path);
        let text = match at.metadata() {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Ok(found) if !found.is_file() || found.len() > LARGEST => Ok(Vec::new()),
            found => found.and_then(|_| std::fs::read(&at)),
        };
        let text = text.map_err(|source| ReportError::File { path: at.clone(), source })?;
        if let Some(version) = version_in(&text, "version").filter(|version| *version != VERSION) {
            return Err(ReportError::OtherVersion { path: at, version, reads: VERSION });
        }
        match serde_json::from_slice::<BlindFile>(&text) {
            Ok(found) if found.is_sound(changed(&at)) => Ok(Some(found)),
            _ => {
                let (path, id) = (at.display().to_string(), stem(&at));
                Err(ReportError::Names { why: msg!("report-error-names-damaged", path = path, id = id) })
            }
        }
    }

    /// The file beside this report: one whose labels have no names behind them is closed for good.
    ///
    /// # Errors
    /// As [`BlindFile::beside`]; or when the names of a blind report are lost.
    pub fn of_report<R, V>(path: &Path, report: &Report<R, V>) -> Result<Option<BlindFile>, ReportError> {
        let found = BlindFile::fitting(path, report)?;
        let meta = &report.meta;
        if meta.settings.blind && found.is_none() {
            let at = blind_path(path);
            let (path, id) = (at.display().to_string(), stem(&at));
            return Err(ReportError::Names { why: msg!("report-error-names-lost", path = path, id = id) });
        }
        Ok(found)
    }

    /// The file beside this report, if there is one.
    ///
    /// # Errors
    /// As [`BlindFile::beside`]; or when it has other labels than the report, or names that are not its own.
    pub fn fitting<R, V>(path: &Path, report: &Report<R, V>) -> Result<Option<BlindFile>, ReportError> {
        let found = BlindFile::beside(path)?;
        let meta = &report.meta;
        let variants: BTreeSet<&String> = meta.variants.iter().collect();
        let is_other = |of: &BlindFile| match &of.labels {
            Some(labels) => {
                let own = names_hash(&report.id, labels, &of.skill_hashes);
                labels.keys().collect::<BTreeSet<_>>() != variants || of.names_hash.as_ref() != Some(&own)
            }
            None => meta.settings.blind,
        };
        if found.as_ref().is_some_and(is_other) {
            let at = blind_path(path);
            let (path, id, labels) = (at.display().to_string(), stem(&at), clip(&meta.variants.join(", "), 200));
            let why = msg!("report-error-names-other", path = path, id = id, labels = labels);
            return Err(ReportError::Names { why });
        }
        Ok(found)
    }

    /// Whether a program can have written it: each seal but the last one is open, none by anything but a time, and each time
    /// comes after the one before, and none after the file was `changed`; every label has a name of its own, which is no label.
    fn is_sound(&self, changed: Timestamp) -> bool {
        let times: Option<Vec<Timestamp>> =
            self.seals.iter().flat_map(Seal::times).map(|of| of.parse::<Timestamp>().ok()).collect();
        let is_key = |of: &Seal| of.key.len() == 32 && of.key.bytes().all(|digit| digit.is_ascii_hexdigit());
        let are_names = |labels: &BTreeMap<String, String>| {
            let names: BTreeSet<&String> = labels.values().collect();
            let is_name = |of: &&String| !of.trim().is_empty() && !labels.contains_key(*of);
            !labels.is_empty() && names.len() == labels.len() && names.iter().all(is_name)
        };
        let Some((_, earlier)) = self.seals.split_last() else { return false };
        self.labels.as_ref().is_none_or(are_names)
            && earlier.iter().all(|seal| seal.revealed_at.is_some())
            && self.seals.iter().all(is_key)
            && times.is_some_and(|times| {
                let is_later = |pair: &[Timestamp]| pair[0].duration_until(pair[1]) >= -CLOCKS_APART;
                times.windows(2).all(is_later) && times.iter().all(|time| changed.duration_until(*time) <= CLOCKS_APART)
            })
    }

    /// How it is closed now; `None` once the names are revealed.
    #[must_use]
    pub fn seal(&self) -> Option<&Seal> {
        self.seals.last().filter(|seal| seal.revealed_at.is_none())
    }

    /// The seal, open or not, under which a page of this round was made.
    #[must_use]
    pub fn seal_of(&self, round: &str) -> Option<&Seal> {
        self.seals.iter().find(|seal| seal.round() == round)
    }

    /// Whether what comes from a page of this round is blind: only while it is the one that is closed now.
    pub(super) fn is_blind(&self, round: Option<&str>) -> bool {
        self.seal().is_some_and(|seal| round == Some(&*seal.round()))
    }

    /// When the names were revealed last, unless they are hidden.
    #[must_use]
    pub fn revealed_at(&self) -> Option<&str> {
        self.seals.last()?.revealed_at.as_deref()
    }

    /// The names behind the labels, once they are revealed.
    #[must_use]
    pub fn revealed_names(&self) -> Option<RevealedNames> {
        let labels = self.labels.as_ref().filter(|_| self.seal().is_none())?;
        Some(RevealedNames { labels: labels.clone(), skill_hashes: self.skill_hashes.clone() })
    }

    /// The names behind the labels, hidden or not: to compute with, not to be shown.
    #[must_use]
    pub fn into_names(self) -> Option<BTreeMap<String, String>> {
        self.labels
    }

    /// Whether this is a variant's label or its name.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.labels.iter().flatten().any(|(label, own)| label == name || own == name)
    }

    /// The label of a variant that is named by itself or by its label.
    pub(super) fn label<'n>(&'n self, name: &'n str) -> &'n str {
        let mut labels = self.labels.iter().flatten();
        labels.find(|(_, own)| *own == name).map_or(name, |(label, _)| label)
    }

    fn write(&self, report: &Path) -> Result<(), ReportError> {
        let text = serde_json::to_string_pretty(self).unwrap_or_default();
        let written = write_bounded(&blind_path(report), LARGEST, |to| writeln!(to, "{text}"));
        written.map_err(|WriteError { path, source }| ReportError::File { path, source })
    }
}

/// When the file was changed last, by its file system; where that keeps no times, at the end of all.
fn changed(at: &Path) -> Timestamp {
    let changed = at.metadata().and_then(|of| of.modified()).ok();
    changed.and_then(|of| Timestamp::try_from(of).ok()).unwrap_or(Timestamp::MAX)
}

fn names_hash(report: &str, labels: &BTreeMap<String, String>, hashes: &BTreeMap<String, String>) -> String {
    short_hash(serde_json::to_string(&(report, labels, hashes)).unwrap_or_default().as_bytes(), 32)
}

/// The id of the report that a file is, or is beside.
fn stem(at: &Path) -> String {
    at.file_stem().map(|stem| clip(&stem.to_string_lossy(), 250)).unwrap_or_default()
}

/// Where the names of a report are that is read blind: beside the file itself, where a link leads to it.
#[must_use]
pub fn blind_path(report: &Path) -> PathBuf {
    linked(report).with_extension("blind")
}

/// The file itself, where a link leads to it.
pub(super) fn linked(report: &Path) -> PathBuf {
    let is_link = report.symlink_metadata().is_ok_and(|of| of.is_symlink());
    let real = if is_link { report.canonicalize().ok() } else { None };
    real.unwrap_or_else(|| report.to_owned())
}

/// Labels for these variants of the report at `path`, in their order: those that it has already, else new ones, dealt at
/// random. No label is the name of a variant, or stands in opinions on the report whose names are lost.
#[must_use]
pub fn draw_labels(path: &Path, names: &[String]) -> Vec<String> {
    let known = BlindFile::beside(path).ok().flatten().and_then(|of| of.labels).unwrap_or_default();
    let label = |name: &String| known.iter().find(|(_, own)| *own == name).map(|(label, _)| label.clone());
    if let Some(labels) = names.iter().map(label).collect() {
        return labels;
    }
    let mut taken: BTreeSet<String> = names.iter().cloned().collect();
    taken.extend(kept(path).into_iter().flat_map(|of| std::iter::once(of.variant).chain(of.than)));
    let free = (0..).map(|rank| format!("Variant {}", letters(rank))).filter(|label| !taken.contains(label));
    let mut labels: Vec<String> = free.take(names.len()).collect();
    // the standard library's hashes are keyed by the system's random numbers
    let random = RandomState::new();
    labels.sort_by_cached_key(|label| random.hash_one(label));
    labels
}

/// A, B, …, Z, AA, AB, …
#[must_use]
pub fn letters(rank: usize) -> String {
    let last = char::from(b'A' + u8::try_from(rank % 26).unwrap_or(0));
    match rank / 26 {
        0 => last.to_string(),
        more => format!("{}{last}", letters(more - 1)),
    }
}

/// What a blind report says of a variant nowhere but beside it.
#[derive(Clone, Debug)]
pub struct HiddenVariant {
    /// Its label.
    pub label: String,
    /// Its name.
    pub name: String,
    /// The hash of its artifact.
    pub skill_hash: String,
    /// The hash of what a model reads of it.
    pub text_hash: String,
}

/// Puts the variants behind the labels of the report at `path` beside it, before the report itself is there. A report that
/// is made again stays as closed as it was.
///
/// # Errors
/// When the file can't be read or written.
pub fn hide_names(path: &Path, variants: &[HiddenVariant], at: &str) -> Result<(), ReportError> {
    let directory = path.parent().filter(|of| !of.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(directory).map_err(|source| ReportError::File { path: directory.to_owned(), source })?;
    // where the file system has no locks, a paid report is written all the same
    let _lock = lock(path);
    let known = BlindFile::beside(path)?;
    let seals = known.map_or_else(|| Ok(vec![Seal::new(at)?]), |known| Ok::<_, ReportError>(known.seals))?;
    let by_label = |of: fn(&HiddenVariant) -> &String| -> BTreeMap<String, String> {
        variants.iter().map(|variant| (variant.label.clone(), of(variant).clone())).collect()
    };
    let (labels, skill_hashes) = (by_label(|of| &of.name), by_label(|of| &of.skill_hash));
    let names_hash = Some(names_hash(&stem(path), &labels, &skill_hashes));
    let text_hashes = by_label(|of| &of.text_hash);
    BlindFile { version: VERSION, labels: Some(labels), skill_hashes, text_hashes, names_hash, seals }.write(path)
}

/// Closes the report at `path`, unless it is closed already.
///
/// # Errors
/// When the file beside it can't be read or written.
pub fn seal_report(path: &Path, at: &str) -> Result<Seal, ReportError> {
    let _lock = lock(path)?;
    let mut known = BlindFile::beside(path)?.unwrap_or(BlindFile {
        version: VERSION,
        labels: None,
        skill_hashes: BTreeMap::new(),
        text_hashes: BTreeMap::new(),
        names_hash: None,
        seals: Vec::new(),
    });
    if let Some(seal) = known.seal() {
        return Ok(seal.clone());
    }
    let seal = Seal::new(at)?;
    known.seals.push(seal.clone());
    known.write(path).map(|()| seal)
}

/// Reveals the names of the report at `path`, and records when; whether they were hidden. The first of several counts. A
/// page reveals its own `round` only.
///
/// # Errors
/// When the file beside it can't be read or written.
pub fn reveal_report(path: &Path, at: &str, round: Option<&str>) -> Result<bool, ReportError> {
    let _lock = lock(path)?;
    let Some(mut known) = BlindFile::beside(path)? else { return Ok(false) };
    if round.is_some() && !known.is_blind(round) {
        return Ok(false);
    }
    let Some(seal) = known.seals.last_mut().filter(|seal| seal.revealed_at.is_none()) else { return Ok(false) };
    seal.revealed_at = Some(at.to_owned());
    known.write(path).map(|()| true)
}

impl Seal {
    /// When it was closed, and opened.
    fn times(&self) -> impl Iterator<Item = &String> {
        std::iter::once(&self.at).chain(&self.revealed_at)
    }

    /// What a page says of the seal that it was made under: answers to it are told from those to another one.
    #[must_use]
    pub fn round(&self) -> String {
        short_hash(format!("round/{}", self.key).as_bytes(), 12)
    }

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
pub struct RevealedNames {
    labels: BTreeMap<String, String>,
    skill_hashes: BTreeMap<String, String>,
}

impl RevealedNames {
    /// The report with its variants' own names. It is blind no longer.
    #[must_use]
    pub fn of_analysis(&self, analysis: Analysis) -> Analysis {
        let Ok(mut value) = serde_json::to_value(analysis.clone().with_results(())) else { return analysis };
        self.rename(&mut value);
        // as text, like reports from files: the parser of each other source costs seconds of compilation
        let text = value.to_string();
        let mut named: Analysis = serde_json::from_slice(text.as_bytes()).unwrap_or(analysis);
        named.meta.skill_hashes.extend(self.of_variants(self.skill_hashes.clone()));
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
        self.labels.get(&label).cloned().unwrap_or(label)
    }

    /// Labels stand alone, or marked as code in a sentence. What people wrote stays as it is.
    fn rename(&self, value: &mut Value) {
        match value {
            Value::String(text) => match self.labels.get(text) {
                Some(name) => name.clone_into(text),
                None if text.contains('`') => {
                    for (label, name) in &self.labels {
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
