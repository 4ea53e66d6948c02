//! Reports on disk: written whole or not at all, read if they can be.

use std::collections::BTreeSet;
use std::fmt;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use eval_message::{Message, msg};
use jiff::Timestamp;
use serde::Deserializer as _;
use serde::de::{DeserializeOwned, IgnoredAny, MapAccess, Visitor};

use crate::error::ReportError;
use crate::report::{Analysis, Report, ReportMeta, SCHEMA_VERSION};

/// The longest name part of an id, in bytes; file systems end at 255.
const LONGEST: usize = 120;

/// An id for a run that began at `started`: `2026-03-24T15-30-45-v1-v2`, with `-2`, `-3`, … when `taken` says that it
/// exists. What isn't a letter, a digit, `.`, `_` or `-` in a variant's name becomes `_`.
#[must_use]
pub fn report_id(started: Timestamp, variants: &[&str], taken: impl Fn(&str) -> bool) -> String {
    let safe = |c: char| if c.is_alphanumeric() || matches!(c, '.' | '_' | '-') { c } else { '_' };
    let names: String = variants.join("-").chars().map(safe).collect();
    let names = &names[..names.floor_char_boundary(LONGEST)];
    let id = format!("{}-{names}", started.strftime("%Y-%m-%dT%H-%M-%S"));
    if !taken(&id) {
        return id;
    }
    (2_u64..).map(|n| format!("{id}-{n}")).find(|id| !taken(id)).unwrap_or(id)
}

/// Writes the report of this id with `fill` to `<dir>/<id>.json` and returns that path. The directory is made if need
/// be; the file appears whole, synced to disk, or not at all. A report of the same id is replaced, unless a newer
/// program wrote it.
///
/// # Errors
/// What `fill` returns; or when the file can't be written, or belongs to a newer program.
pub fn write_filled(
    id: &str,
    dir: &Path,
    fill: impl FnOnce(&File) -> Result<(), ReportError>,
) -> Result<PathBuf, ReportError> {
    let path = dir.join(file_name(id)?);
    refuse_newer(&path)?;
    let failed = |source| ReportError::File { path: path.clone(), source };
    std::fs::create_dir_all(dir).map_err(failed)?;
    let file = temporary(dir).map_err(failed)?;
    fill(file.as_file()).map_err(|error| match error {
        ReportError::Output { source } => failed(source),
        other => other,
    })?;
    file.as_file().sync_all().map_err(failed)?;
    file.persist(&path).map_err(|error| failed(error.error))?;
    sync_directory(dir).map_err(failed)?;
    Ok(path)
}

/// Reads a report, results and all. One of a newer program is read if it can be.
///
/// # Errors
/// When the file can't be read, or is no report that this program understands.
pub fn read(path: &Path) -> Result<Report, ReportError> {
    let text = std::fs::read(path).map_err(|source| ReportError::File { path: path.to_owned(), source })?;
    let report: Report = serde_json::from_slice(&text).map_err(|source| explain(path, source))?;
    check_meta(path, &report.meta)?;
    Ok(report)
}

/// The kinds of interval that a report may have (`--ci`).
pub const INTERVALS: [&str; 4] = ["expanded", "percentile", "bca", "t"];

/// More variants were never run: each pair of them is compared.
const MOST_VARIANTS: usize = 500;

/// What is wrong with the names of a report's variants; each pair of them is worked on, and messages list them.
pub fn odd_variants(variants: &[String]) -> Option<Message> {
    let names: BTreeSet<&String> = variants.iter().collect();
    let is_odd = names.is_empty() || names.len() < variants.len() || names.len() > MOST_VARIANTS;
    is_odd.then(|| msg!("report-unverifiable-variants"))
}

/// What can't be of any run, as an error about the file.
pub fn check_meta(path: &Path, meta: &ReportMeta) -> Result<(), ReportError> {
    let ci = &meta.settings.ci;
    let unknown = || msg!("report-error-interval", method = eval_message::plain::clip(ci, 40));
    let odd_interval = (!INTERVALS.contains(&ci.as_str())).then(unknown);
    let odd = odd_variants(&meta.variants).or(odd_interval);
    odd.map_or(Ok(()), |why| Err(ReportError::Unverifiable { path: path.to_owned(), why }))
}

/// Reads a report without its results, in little memory however large it is.
///
/// # Errors
/// As [`read`].
pub fn read_analysis(path: &Path) -> Result<Analysis, ReportError> {
    let report: Analysis = from_file_as(path)?;
    check_meta(path, &report.meta)?;
    Ok(report)
}

/// Reads a report whose results are taken as they come.
pub fn from_file_as<T: DeserializeOwned>(path: &Path) -> Result<T, ReportError> {
    from_file(path)?.map_err(|source| explain(path, source))
}

fn from_file<T: DeserializeOwned>(path: &Path) -> Result<Result<T, serde_json::Error>, ReportError> {
    let file = File::open(path).map_err(|source| ReportError::File { path: path.to_owned(), source })?;
    Ok(serde_json::from_reader(BufReader::with_capacity(1 << 16, file)))
}

/// What can't be read may be of a newer program, which is another thing than damage.
pub fn explain(path: &Path, source: serde_json::Error) -> ReportError {
    if source.is_io() {
        return ReportError::File { path: path.to_owned(), source: source.into() };
    }
    match version(path) {
        Some(version) if version > SCHEMA_VERSION => ReportError::Newer { path: path.to_owned(), version },
        _ => ReportError::Damaged { path: path.to_owned(), source },
    }
}

/// The schema version that a report says it has. It stands near the top, so little is read of a large one.
fn version(path: &Path) -> Option<u32> {
    let mut file = serde_json::Deserializer::from_reader(BufReader::new(File::open(path).ok()?));
    let mut found = None;
    // Reading is broken off at the version, which looks like an error and is none.
    let _ = file.deserialize_map(FindVersion(&mut found));
    found
}

struct FindVersion<'a>(&'a mut Option<u32>);

impl<'de> Visitor<'de> for FindVersion<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a report")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            if key == "schemaVersion" {
                *self.0 = Some(map.next_value()?);
                return Ok(());
            }
            map.next_value::<IgnoredAny>()?;
        }
        Ok(())
    }
}

fn refuse_newer(path: &Path) -> Result<(), ReportError> {
    match version(path) {
        Some(version) if version > SCHEMA_VERSION => Err(ReportError::Newer { path: path.to_owned(), version }),
        _ => Ok(()),
    }
}

/// An id is a file name and nothing more.
fn file_name(id: &str) -> Result<String, ReportError> {
    let harmless = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-');
    match !id.is_empty() && !id.starts_with('.') && id.len() <= 250 && id.chars().all(harmless) {
        true => Ok(format!("{id}.json")),
        false => Err(ReportError::BadId { id: id.to_owned() }),
    }
}

/// In the same directory, so that renaming it is one step; readable to whoever the umask lets, but in a
/// directory that is closed to others to its owner only, wherever the file is moved.
pub(crate) fn temporary(dir: &Path) -> std::io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".report-").suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let is_private = dir.metadata()?.permissions().mode() & 0o077 == 0;
        builder.permissions(PermissionsExt::from_mode(if is_private { 0o600 } else { 0o666 }));
    }
    builder.tempfile_in(dir)
}

#[cfg(unix)]
fn sync_directory(dir: &Path) -> std::io::Result<()> {
    File::open(dir)?.sync_all()
}

#[cfg(not(unix))]
fn sync_directory(_: &Path) -> std::io::Result<()> {
    Ok(())
}
