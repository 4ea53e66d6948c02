//! Evaluations on disk, in every format: written whole or not at all.

use std::fs::File;
use std::path::{Path, PathBuf};

use eval_format::skills::{
    FileError, RESULT, SKILL_RESULT_KIND, SkillEvaluation, copy_of, name_of, refuse_newer, stamp, top,
};
use eval_format::write_whole;
use eval_message::Lang;
use eval_spec::callable::ReportFormat as Format;
use jiff::Timestamp;

use super::format::render;

/// Whether a report of this id lies in `dir`, in any format.
#[must_use]
pub fn is_written(dir: &Path, id: &str) -> bool {
    Format::NAMES.iter().any(|(format, _)| dir.join(name_of(id, *format)).exists())
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
