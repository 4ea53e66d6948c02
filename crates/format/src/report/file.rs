//! Reports on disk: written whole or not at all, read if they can be.

use std::collections::BTreeSet;
use std::fmt;
use std::fs::File;
use std::io::{BufReader, Read, Write};
use std::path::{Path, PathBuf};

use eval_message::{Message, msg};
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer as _};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::error::ReportError;
use crate::report::{Analysis, Report, SCHEMA_VERSION, SampleResult};
use crate::whole::{WriteError, write_whole};

/// Writes the report of this id with `fill` to `<dir>/<id>.json`, [whole](write_whole), and returns that path. A report of
/// the same id is replaced, unless a newer program wrote it.
///
/// # Errors
/// What `fill` returns; or when the file can't be written, or belongs to a newer program.
pub fn write_report(
    id: &str,
    dir: &Path,
    fill: impl FnOnce(&mut dyn Write) -> Result<(), ReportError>,
) -> Result<PathBuf, ReportError> {
    let path = report_path(id, dir)?;
    refuse_newer(&path)?;
    let written = write_whole(&path, |file| fill(file).map_err(std::io::Error::other));
    written.map_err(|WriteError { path, source }| match source.downcast::<ReportError>() {
        Ok(ReportError::Output { source }) | Err(source) => ReportError::File { path, source },
        Ok(other) => other,
    })?;
    Ok(path)
}

// The code that reads everything but the results is large, and made once: none of what follows is generic but in the
// results.

/// Reads a report, results and all. One of a newer program is read if it can be.
///
/// # Errors
/// When the file can't be read, or is no report that this program understands.
pub fn read(path: &Path) -> Result<Report, ReportError> {
    let text = bytes(path)?;
    with_results(path, &text, raw(path, &text)?)
}

/// Reads a report without its results, in little memory however large it is. One of a newer program is read if it can be.
///
/// # Errors
/// As [`read`].
pub fn read_analysis(path: &Path) -> Result<Analysis, ReportError> {
    let file = File::open(path).map_err(|source| ReportError::File { path: path.to_owned(), source })?;
    let report = serde_json::from_reader(BufReader::with_capacity(1 << 16, file));
    checked(path, report.map_err(|source| unreadable(path, source))?)
}

/// As [`read_analysis`], of reports that this program understands in full.
///
/// # Errors
/// When the file can't be read, is no report, or is that of a newer program.
pub fn read_supported_analysis(path: &Path) -> Result<Analysis, ReportError> {
    let report = read_analysis(path)?;
    refuse_newer_version(path, report.schema_version).map(|()| report)
}

/// A report from the text of the file at `path`. `R` takes the results and may borrow from the text.
///
/// # Errors
/// When it is no report, or that of a newer program.
pub fn parse_supported<'t, R: Deserialize<'t>>(path: &Path, text: &'t [u8]) -> Result<Report<R>, ReportError> {
    let report = raw(path, text)?;
    refuse_newer_version(path, report.schema_version)?;
    with_results(path, text, report)
}

/// One sample's results.
///
/// # Errors
/// When they are none that this program understands.
pub fn parse_result(raw: &RawValue) -> Result<SampleResult, serde_json::Error> {
    serde_json::from_slice(raw.get().as_bytes())
}

/// The bytes of the file at `path`.
///
/// # Errors
/// When it can't be read.
pub fn bytes(path: &Path) -> Result<Vec<u8>, ReportError> {
    std::fs::read(path).map_err(|source| ReportError::File { path: path.to_owned(), source })
}

fn raw<'t>(path: &Path, text: &'t [u8]) -> Result<Report<&'t RawValue>, ReportError> {
    let report = serde_json::from_slice(text).map_err(|source| unreadable(path, source))?;
    checked(path, report)
}

fn with_results<'t, R: Deserialize<'t>>(
    path: &Path,
    text: &'t [u8],
    report: Report<&'t RawValue>,
) -> Result<Report<R>, ReportError> {
    let results = serde_json::from_slice(report.results.get().as_bytes()).map_err(|source| {
        // the same error, at its place in the file
        let in_file = serde_json::from_slice::<Results<R>>(text).err();
        unreadable(path, in_file.unwrap_or(source))
    })?;
    Ok(report.with_results(results))
}

/// A report of which nothing but the results is read.
#[derive(Deserialize)]
struct Results<R> {
    #[serde(rename = "results")]
    _results: R,
}

fn refuse_newer_version(path: &Path, version: u32) -> Result<(), ReportError> {
    match version > SCHEMA_VERSION {
        true => Err(ReportError::Newer { path: path.to_owned(), version }),
        false => Ok(()),
    }
}

/// The kinds of interval that a report may have (`--ci`).
pub const INTERVALS: [&str; 4] = ["expanded", "percentile", "bca", "t"];

/// The most variants of a report; each pair of them is compared.
const MOST_VARIANTS: usize = 500;

/// Refuses names of variants that no run can have: work grows with pairs of them, and messages list them.
fn odd_variants(variants: &[String]) -> Option<Message> {
    let names: BTreeSet<&String> = variants.iter().collect();
    let is_odd = names.is_empty() || names.len() < variants.len() || names.len() > MOST_VARIANTS;
    is_odd.then(|| msg!("report-unverifiable-variants"))
}

/// Refuses reports that no run can have written.
fn checked<R>(path: &Path, report: Report<R>) -> Result<Report<R>, ReportError> {
    let ci = &report.meta.settings.ci;
    let unknown = || msg!("report-error-interval", method = eval_message::plain::clip(ci, 40));
    let odd_interval = (!INTERVALS.contains(&ci.as_str())).then(unknown);
    let odd = odd_variants(&report.meta.variants).or(odd_interval);
    odd.map_or(Ok(report), |why| Err(ReportError::Unverifiable { path: path.to_owned(), why }))
}

/// Why a part of the report at `path` can't be read: it may be of a newer program, which is another thing than damage.
pub fn unreadable(path: &Path, source: serde_json::Error) -> ReportError {
    if source.is_io() {
        return ReportError::File { path: path.to_owned(), source: source.into() };
    }
    match version(path) {
        Some(version) if version > SCHEMA_VERSION => ReportError::Newer { path: path.to_owned(), version },
        _ => ReportError::Damaged { path: path.to_owned(), source },
    }
}

/// The schema version in the file. It is near the top, so little of a large report is read.
fn version(path: &Path) -> Option<u32> {
    let (fields, _) = beginning(File::open(path).ok()?, "schemaVersion");
    serde_json::from_value(fields.get("schemaVersion")?.clone()).ok()
}

/// The top-level fields of a JSON object up to the field `last`, and whether reading ended as it should: at `last`, or at
/// the end of the object. Of the fields before `last`, only `schemaVersion` is returned.
pub fn beginning(from: impl Read, last: &str) -> (Map<String, Value>, bool) {
    let mut found = Map::new();
    let mut read = serde_json::Deserializer::from_reader(BufReader::new(from));
    // stopping behind `last` looks like an error to the parser
    let ended = read.deserialize_map(Beginning { last, found: &mut found }).is_ok();
    let is_found = found.contains_key(last);
    (found, ended || is_found)
}

struct Beginning<'a> {
    last: &'a str,
    found: &'a mut Map<String, Value>,
}

impl<'de> Visitor<'de> for Beginning<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a report")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                key if key == self.last => {
                    self.found.insert(key.to_owned(), map.next_value()?);
                    return Ok(());
                }
                "schemaVersion" => drop(self.found.insert(key, map.next_value()?)),
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}

fn refuse_newer(path: &Path) -> Result<(), ReportError> {
    version(path).map_or(Ok(()), |version| refuse_newer_version(path, version))
}

/// The file of the report with this id in `dir`, whether it exists or not.
///
/// # Errors
/// When the id is no file name.
pub fn report_path(id: &str, dir: &Path) -> Result<PathBuf, ReportError> {
    Ok(dir.join(file_name(id)?))
}

/// An id is a file name and nothing more.
fn file_name(id: &str) -> Result<String, ReportError> {
    let harmless = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-');
    match !id.is_empty() && !id.starts_with('.') && id.len() <= 250 && id.chars().all(harmless) {
        true => Ok(format!("{id}.json")),
        false => Err(ReportError::BadId { id: id.to_owned() }),
    }
}
