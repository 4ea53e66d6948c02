//! Evaluations on disk, in every format: written whole or not at all.

use std::fs::File;
use std::path::{Path, PathBuf};

use eval_format::skills::{
    FileError, RESULT, SKILL_RESULT_KIND, SkillEvaluation, copy_of, name_of, refuse_other_version, stamp, top,
};
use eval_format::{masked_value, write_bounded, write_whole};
use eval_message::Lang;
use eval_spec::files::LARGEST_REPORT;
use jiff::Timestamp;

use crate::formats::{FormatSpec, file_formats};
use crate::terminal::Show;

const JSON: &str = "json";

/// Whether a report of this id lies in `dir`, in any format.
#[must_use]
pub fn is_written(dir: &Path, id: &str) -> bool {
    file_formats().any(|format| dir.join(name_of(id, format.extension)).exists())
}

/// A report that was written.
#[derive(Clone, Debug)]
pub struct Written {
    /// The format's name.
    pub format: &'static str,
    /// `eval-result-ID.EXT`.
    pub path: PathBuf,
    /// Its copy without the id, `eval-result.EXT`; `None` when that is of an evaluation that began later.
    pub newest: Option<PathBuf>,
}

/// Writes `eval-result-ID.EXT` in each format, without the passwords and keys of addresses, and a copy `eval-result.EXT` where no evaluation that began later is
/// written in that format. The directory is made if need be; a file appears whole or not at all. A file of another
/// version, and another evaluation's report, is not overwritten; the same evaluation's is, after a resume.
///
/// # Errors
/// When a file can't be written.
pub fn write(of: &SkillEvaluation, dir: &Path, formats: &[&FormatSpec], lang: Lang) -> Result<Vec<Written>, FileError> {
    let harmless = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    if of.id.is_empty() || of.id.len() > 200 || !of.id.chars().all(harmless) {
        return Err(FileError::BadId { id: of.id.clone() });
    }
    let failed = |source| FileError::File { path: dir.to_owned(), source };
    std::fs::create_dir_all(dir).map_err(failed)?;
    let masked = masked_value(of).and_then(serde_json::from_value);
    let of: &SkillEvaluation = &masked.map_err(|error| failed(error.into()))?;
    let json = dir.join(name_of(&of.id, JSON));
    refuse_other_version(&json)?;
    refuse_other_version(&dir.join(copy_of(JSON)))?;
    if top(&json).is_some_and(|there| (there.id, there.started_at) != (of.id.clone(), of.started_at.clone())) {
        return Err(FileError::Taken { path: json });
    }
    let mut written: Vec<Written> = Vec::new();
    for format in formats {
        if written.iter().any(|done| done.format == format.name) {
            continue;
        }
        let path = dir.join(name_of(&of.id, format.extension));
        // only JSON is read again
        let most = if format.name == JSON { LARGEST_REPORT } else { u64::MAX };
        write_bounded(&path, most, |file| format.render(of, Show::file(lang), file))?;
        let newest = is_newest(of, dir, format.extension).then(|| dir.join(copy_of(format.extension)));
        if let Some(newest) = &newest {
            write_whole(newest, |file| std::io::copy(&mut File::open(&path)?, file).map(|_| ()))?;
        }
        written.push(Written { format: format.name, path, newest });
    }
    Ok(written)
}

/// Checks before a run whether [`write`] can write copies in these formats.
///
/// # Errors
/// A copy of another version, or a directory of its name.
pub fn writable(dir: &Path, formats: &[&FormatSpec]) -> Result<(), FileError> {
    refuse_other_version(&dir.join(copy_of(JSON)))?;
    let copies = formats.iter().map(|format| dir.join(copy_of(format.extension)));
    match copies.into_iter().find(|path| path.is_dir()) {
        Some(path) => Err(FileError::File { path, source: std::io::ErrorKind::IsADirectory.into() }),
        None => Ok(()),
    }
}

/// Copies `eval-result.EXT` in `dir` that an evaluation in these formats leaves as they are: an earlier one's.
#[must_use]
pub fn left_as_they_are(dir: &Path, formats: &[&FormatSpec]) -> Vec<PathBuf> {
    let others = file_formats().filter(|format| formats.iter().all(|written| written.name != format.name));
    others.map(|format| dir.join(copy_of(format.extension))).filter(|path| path.exists()).collect()
}

/// Whether `dir` has no report with this extension of an evaluation that began later: by the start that JSON contains, else
/// by the time in the ids.
fn is_newest(of: &SkillEvaluation, dir: &Path, extension: &str) -> bool {
    let began = |text: &str| text.parse::<Timestamp>().ok();
    let copy = (extension == JSON).then(|| top(&dir.join(copy_of(extension)))).flatten();
    if copy.is_some_and(|copy| copy.kind == SKILL_RESULT_KIND && began(&copy.started_at) > began(&of.started_at)) {
        return false;
    }
    let end = format!(".{extension}");
    let names = std::fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.file_name());
    let ids = names.filter_map(|name| {
        let name = name.to_str()?.strip_prefix(RESULT)?.strip_prefix('-')?.strip_suffix(&end)?;
        stamp(name)
    });
    let own = stamp(&of.id);
    !ids.into_iter().any(|id| own.as_ref().is_some_and(|own| id > *own))
}
