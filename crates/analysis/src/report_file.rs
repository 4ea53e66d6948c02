//! Writing the report's file, with results streamed from the journal.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use eval_format::{
    Analysis, HiddenVariant, Report, ReportError, hide_names, report_path, write_document, write_report,
};
use eval_spec::{Suite, Variant};

use crate::cells::Cells;
use crate::results::Streamed;

/// Writes the report to `<dir>/<id>.json` and returns that path. The directory is made if need be; the file appears
/// whole, synced to disk, or not at all. A report of the same id is replaced, unless it has another version; its feedback
/// stays. The names behind the labels of a blind report go into a file beside it.
///
/// # Errors
/// When a record can't be read, the file can't be written, or it has another version.
pub fn write(analysis: &Analysis, suite: &Suite, cells: &Cells, dir: &Path) -> Result<PathBuf, ReportError> {
    if suite.settings.blind {
        let hidden = |(label, variant): (&String, &Variant)| HiddenVariant {
            label: label.clone(),
            name: variant.name.clone(),
            skill_hash: variant.artifact.hash(),
            text_hash: variant.artifact.text_hash(),
        };
        let hidden: Vec<HiddenVariant> = analysis.meta.variants.iter().zip(&suite.variants).map(hidden).collect();
        hide_names(&report_path(&analysis.id, dir)?, &hidden, &analysis.meta.timestamp)?;
    }
    write_report(&analysis.id, dir, |feedback, file| {
        let results = Streamed::new(suite, cells, analysis);
        write_json(&Analysis { feedback, ..analysis.clone() }.with_results(results), file)
    })
}

/// Writes the report as JSON, with its results, and a newline.
///
/// # Errors
/// When a record can't be read or `writer` refuses.
pub fn report_json(
    analysis: &Analysis,
    suite: &Suite,
    cells: &Cells,
    writer: &mut dyn Write,
) -> Result<(), ReportError> {
    write_json(&analysis.clone().with_results(Streamed::new(suite, cells, analysis)), writer)
}

fn write_json(report: &Report<Streamed<'_>>, writer: &mut dyn Write) -> Result<(), ReportError> {
    let mut writer = BufWriter::with_capacity(1 << 16, writer);
    let written = write_document(&mut writer, report);
    if let Some(error) = report.results.failed.take() {
        return Err(ReportError::Read(error));
    }
    let written = written.map_err(std::io::Error::from).and_then(|()| writer.write_all(b"\n"));
    written.and_then(|()| writer.flush()).map_err(|source| ReportError::Output { source })
}
