//! Reports on disk: written whole or not at all, read if they can be.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;
use std::io::{BufReader, Read, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use eval_message::plain::clip;
use eval_message::{Message, msg};
use eval_spec::files::{LARGEST_REPORT, open_regular, read_exact_at, read_regular};
use eval_spec::variant::MOST_VARIANTS;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer as _};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::error::ReportError;
use crate::impossible::ImpossibleValue;
use crate::report::feedback::{self, Feedback};
use crate::report::{
    NoResults, RULES_VERSION, SCHEMA_VERSION, SampleResult, UncheckedReport, VariantCoverage, VariantGaps,
};
use crate::whole::{WriteError, write_bounded};

/// Writes the report of this id with `fill` to `<dir>/<id>.json`, [whole](write_bounded), and returns that path. A report of
/// the same id is replaced, unless it has another version; `fill` gets its feedback.
///
/// # Errors
/// What `fill` returns; or when the file can't be written, or has another version.
pub fn write_report(
    id: &str,
    dir: &Path,
    fill: impl FnOnce(Vec<Feedback>, &mut dyn Write) -> Result<(), ReportError>,
) -> Result<PathBuf, ReportError> {
    let path = report_path(id, dir)?;
    refuse_other(&path)?;
    // Where the file system has no locks, a paid report is written all the same.
    let _lock = feedback::lock(&path);
    let feedback = feedback::kept(&path);
    let written = write_bounded(&path, LARGEST_REPORT, |file| fill(feedback, file).map_err(std::io::Error::other));
    written.map_err(|WriteError { path, source }| match source.downcast::<ReportError>() {
        Ok(ReportError::Output { source }) | Err(source) => ReportError::File { path, source },
        Ok(other) => other,
    })?;
    Ok(path)
}

/// Reads a report, results and all.
///
/// # Errors
/// When the file can't be read, or is no report that this program understands.
pub fn read(path: &Path) -> Result<UncheckedReport<Vec<SampleResult>>, ReportError> {
    let text = ReportText::read(path)?;
    let mut report = text.report()?;
    let results = std::mem::take(&mut report.results);
    let results = results.into_iter().map(|raw| text.sample_result(raw)).collect::<Result<Vec<_>, _>>()?;
    Ok(report.with_results(results))
}

/// Reads a report and drops its results.
///
/// # Errors
/// As [`read`].
pub fn read_analysis(path: &Path) -> Result<UncheckedReport<NoResults>, ReportError> {
    // from memory: skipping results in a stream takes seven times as long
    let report = serde_json::from_slice(&bytes(path)?);
    checked(path, report.map_err(|source| unreadable(path, source))?)
}

/// The text of a report. What stands beside the results is parsed in one place: the code for it is large, and would be
/// made anew for each type that takes results.
pub struct ReportText {
    path: PathBuf,
    text: Vec<u8>,
}

impl ReportText {
    /// # Errors
    /// When the file can't be read.
    pub fn read(path: &Path) -> Result<ReportText, ReportError> {
        Ok(ReportText { path: path.to_owned(), text: bytes(path)? })
    }

    /// The report, with each sample's results still text.
    ///
    /// # Errors
    /// When it is no report that this program understands.
    pub fn report(&self) -> Result<UncheckedReport<Vec<&RawValue>>, ReportError> {
        let report = serde_json::from_slice(&self.text).map_err(|source| unreadable(&self.path, source))?;
        let report = checked(&self.path, report)?;
        refuse_strange_samples(&self.path, &report).map(|()| report)
    }

    /// Where one sample's results are in the file, in bytes.
    #[must_use]
    pub fn place(&self, raw: &RawValue) -> Range<u64> {
        let start = self.offset(raw);
        start as u64..(start + raw.get().len()) as u64
    }

    /// One sample's results, from their text in this report.
    ///
    /// # Errors
    /// When they are none that this program understands.
    pub fn sample_result(&self, raw: &RawValue) -> Result<SampleResult, ReportError> {
        self.result(raw)
    }

    /// What `T` takes of one sample's results, from their text in this report.
    ///
    /// # Errors
    /// As [`ReportText::sample_result`].
    pub fn result<'t, T: Deserialize<'t>>(&self, raw: &'t RawValue) -> Result<T, ReportError> {
        serde_json::from_slice(raw.get().as_bytes()).map_err(|source| unreadable(&self.path, self.placed(raw, &source)))
    }

    fn offset(&self, raw: &RawValue) -> usize {
        raw.get().as_ptr().addr().saturating_sub(self.text.as_ptr().addr()).min(self.text.len())
    }

    /// An error in `raw`, with its line and column in the file.
    fn placed(&self, raw: &RawValue, error: &serde_json::Error) -> serde_json::Error {
        let before = &self.text[..self.offset(raw)];
        let lines = before.iter().filter(|byte| **byte == b'\n').count();
        let in_line = before.iter().rev().take_while(|byte| **byte != b'\n').count();
        let column = if error.line() == 1 { in_line + error.column() } else { error.column() };
        let said = error.to_string();
        let said = said.rsplit_once(" at line ").map_or(&*said, |(what, _)| what);
        // the parser's own errors carry their place like this, and it takes it from the text
        serde::de::Error::custom(format_args!("{said} at line {} column {column}", lines + error.line()))
    }
}

/// One sample's results, from their [place](ReportText::place) in the file at `path`, and nothing else of it.
///
/// # Errors
/// When the file can't be read, or has something else there by now.
pub fn read_result(path: &Path, place: &Range<u64>) -> Result<SampleResult, ReportError> {
    let length = usize::try_from(place.end.saturating_sub(place.start)).unwrap_or(0);
    let mut text = vec![0; length];
    let read = open_regular(path).and_then(|file| read_exact_at(&file, &mut text, place.start));
    read.map_err(|source| ReportError::File { path: path.to_owned(), source })?;
    serde_json::from_slice(&text).map_err(|source| unreadable(path, source))
}

/// The bytes of the file at `path`, within the limit for reports.
pub(super) fn bytes(path: &Path) -> Result<Vec<u8>, ReportError> {
    read_regular(path, LARGEST_REPORT).map_err(|source| ReportError::File { path: path.to_owned(), source })
}

pub(super) fn refuse_other_version(path: &Path, version: u32) -> Result<(), ReportError> {
    match version == SCHEMA_VERSION {
        true => Ok(()),
        false => Err(ReportError::OtherVersion { path: path.to_owned(), version, reads: SCHEMA_VERSION }),
    }
}

/// The kinds of interval that a report may have (`--ci`).
pub const INTERVALS: [&str; 4] = ["expanded", "percentile", "bca", "t"];

/// Refuses names of variants that no run can have: work grows with pairs of them, and messages list them.
fn odd_variants(variants: &[String]) -> Option<Message> {
    let names: BTreeSet<&String> = variants.iter().collect();
    let is_odd = names.is_empty() || names.len() < variants.len() || names.len() > MOST_VARIANTS;
    is_odd.then(|| msg!("report-unverifiable-variants"))
}

/// Refuses reports that no run can have written.
fn checked<R>(path: &Path, report: UncheckedReport<R>) -> Result<UncheckedReport<R>, ReportError> {
    refuse_other_version(path, report.schema_version)?;
    let ci = &report.meta.settings.ci;
    let unknown = || msg!("report-error-interval", method = clip(ci, NAMED));
    let odd_interval = (!INTERVALS.contains(&ci.as_str())).then(unknown);
    let edited = |of: ImpossibleValue| {
        msg!("report-error-edited", what = of.message().to_string(), id = clip(&report.id, NAMED))
    };
    let rules = report.verdict.rules();
    let other_rules = || msg!("report-error-rules", rules = rules, reads = RULES_VERSION);
    let odd = (rules != RULES_VERSION).then(other_rules);
    let odd = odd.or_else(|| odd_variants(&report.meta.variants)).or(odd_interval);
    let odd = odd.or_else(|| odd_gaps(&report).map(edited)).or_else(|| odd_feedback(&report).map(|of| of.of_opinion()));
    match odd {
        Some(why) => Err(ReportError::Unverifiable { path: path.to_owned(), why }),
        None => Ok(report),
    }
}

/// How much of a name is shown.
const NAMED: usize = 40;

/// What of the gaps and of the coverage of the knowledge base nothing can have measured.
fn odd_gaps<R>(report: &UncheckedReport<R>) -> Option<ImpossibleValue> {
    let set = &report.meta.test_set;
    let other =
        |is_of: bool, own: &str| (!is_of).then(|| ImpossibleValue::new("testSet", format!("≠ meta.testSet ({own})")));
    let of_gaps = |(variant, of): (&String, &VariantGaps)| {
        let found = of.impossible().or_else(|| other(of.is_of(set), &set.id));
        found.map(|odd| odd.inside(&format!("analysis.gap.{}", clip(variant, NAMED))))
    };
    let of_coverage = |(variant, of): (&String, &VariantCoverage)| {
        let found = of.impossible().or_else(|| other(of.is_of(set), &set.id));
        found.map(|odd| odd.inside(&format!("analysis.coverage.{}", clip(variant, NAMED))))
    };
    report.analysis.gap.iter().find_map(of_gaps).or_else(|| report.analysis.coverage.iter().find_map(of_coverage))
}

/// What of the opinions nobody can have given.
fn odd_feedback<R>(report: &UncheckedReport<R>) -> Option<ImpossibleValue> {
    let (variants, is_blind) = (&report.meta.variants, report.meta.settings.blind);
    let odd = |(at, of): (usize, &Feedback)| of.impossible(variants, is_blind).map(|odd| odd.inside(&place(at)));
    report.feedback.iter().enumerate().find_map(odd)
}

/// Refuses opinions on samples that the report doesn't have.
fn refuse_strange_samples(path: &Path, report: &UncheckedReport<Vec<&RawValue>>) -> Result<(), ReportError> {
    #[derive(Deserialize)]
    struct OfSample<'t> {
        #[serde(borrow)]
        sample_id: Cow<'t, str>,
    }
    if report.feedback.is_empty() {
        return Ok(());
    }
    let read =
        |raw: &&RawValue| serde_json::from_str::<OfSample<'_>>(raw.get()).ok().map(|of| of.sample_id.into_owned());
    let known: BTreeSet<String> = report.results.iter().filter_map(read).collect();
    let strange = report.feedback.iter().enumerate().find(|(_, of)| !known.contains(&of.sample_id));
    let Some((at, of)) = strange else { return Ok(()) };
    let why = ImpossibleValue::new("sample_id", &of.sample_id).inside(&place(at)).of_opinion();
    Err(ReportError::Unverifiable { path: path.to_owned(), why })
}

/// Where an opinion is.
fn place(at: usize) -> String {
    format!("feedback[{at}]")
}

/// Why a part of the report at `path` can't be read: it may have another version, which is another thing than damage.
pub(super) fn unreadable(path: &Path, source: serde_json::Error) -> ReportError {
    if source.is_io() {
        return ReportError::File { path: path.to_owned(), source: source.into() };
    }
    let other = version(path).map(|version| refuse_other_version(path, version));
    match other {
        Some(Err(other)) => other,
        _ => ReportError::Damaged { path: path.to_owned(), source },
    }
}

/// The schema version in the file. It is near the top, so little of a large report is read.
fn version(path: &Path) -> Option<u32> {
    let (fields, _) = beginning(open_regular(path).ok()?, "schemaVersion");
    serde_json::from_value(fields.get("schemaVersion")?.clone()).ok()
}

/// The top-level fields of a JSON object up to the field `last`, and whether reading ended as it should: at `last`, or at
/// the end of the object. Of the fields before `last`, only `schemaVersion` and `status` are returned.
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
                "schemaVersion" | "status" => drop(self.found.insert(key, map.next_value()?)),
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}

fn refuse_other(path: &Path) -> Result<(), ReportError> {
    version(path).map_or(Ok(()), |version| refuse_other_version(path, version))
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
