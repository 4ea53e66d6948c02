//! Opened reports. A comparison is in memory without its results, which are read from the file one at a time.

use std::collections::VecDeque;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use eval_format::skills::{RESULT, SkillEvaluation};
use eval_format::{Analysis, BlindFile, NoResults, ReportText, RevealedNames, SampleResult, read_result};
use eval_message::{Message, msg};
use eval_render::run_page::{RowReader, SampleRow};
use eval_verdict::checked;
use rayon::prelude::*;
use serde_json::value::RawValue;

use super::files::{FileStamp, stem};

/// Most reports in memory.
const MOST_OPENED: usize = 4;

/// An opened report.
#[derive(Debug)]
pub enum OpenReport {
    Comparison(Box<OpenComparison>),
    Skills(Box<SkillEvaluation>),
}

/// A comparison with the positions of its results in the file.
#[derive(Debug)]
pub struct OpenComparison {
    path: PathBuf,
    /// The version of the file that was read.
    stamp: Option<FileStamp>,
    /// The report without results; with the variants' names once they are revealed.
    pub analysis: Analysis,
    names: Option<RevealedNames>,
    /// Samples in the report's order.
    pub rows: Vec<SampleRow>,
    places: Vec<Range<u64>>,
}

impl OpenReport {
    pub(super) fn read(path: &Path) -> Result<OpenReport, Message> {
        if is_evaluation(path) {
            let evaluation = eval_analysis::skills::read(path).map_err(|error| error.message())?;
            return Ok(OpenReport::Skills(Box::new(evaluation)));
        }
        OpenComparison::read(path)
            .map(|comparison| OpenReport::Comparison(Box::new(comparison)))
            .map_err(|error| error.message())
    }
}

/// Returns `true` for an evaluation of callable skills.
pub(crate) fn is_evaluation(path: &Path) -> bool {
    stem(path).starts_with(RESULT) || eval_format::skills::is_evaluation(path)
}

impl OpenComparison {
    fn read(path: &Path) -> Result<OpenComparison, eval_format::ReportError> {
        let stamp = FileStamp::read(path);
        let text = ReportText::read(path)?;
        let mut report = checked(text.report()?);
        let raw = std::mem::take(&mut report.results);
        let names = BlindFile::of_report(path, &report)?.and_then(|file| file.revealed_names());
        let analysis = report.with_results(NoResults);
        let analysis = match &names {
            Some(names) => names.of_analysis(analysis),
            None => analysis,
        };
        let named = |result| match &names {
            Some(names) => names.of_result(result),
            None => result,
        };
        let places = raw.iter().map(|raw| text.place(raw)).collect();
        let reader = RowReader::new(&analysis);
        let row =
            |(index, raw): (usize, &&RawValue)| text.sample_result(raw).map(|result| reader.row(index, &named(result)));
        let rows: Vec<SampleRow> = raw.par_iter().enumerate().map(row).collect::<Result<_, _>>()?;
        Ok(OpenComparison { path: path.to_owned(), stamp, analysis, names, rows, places })
    }

    /// Returns the index of a sample.
    #[must_use]
    pub fn place(&self, sample: &str) -> Option<usize> {
        self.rows.iter().position(|row| row.id == sample)
    }

    /// Reads the results of a sample; an error if the file was changed meanwhile.
    pub fn result(&self, place: usize) -> Result<SampleResult, Message> {
        let place = self.places.get(place).cloned().unwrap_or_default();
        let result = read_result(&self.path, &place).map_err(|error| error.message());
        // Another report may have a result in that place, too.
        if !self
            .stamp
            .as_ref()
            .zip(FileStamp::read(&self.path).as_ref())
            .is_some_and(|(old, new)| old.is_same_report(new))
        {
            return Err(msg!("site-report-changed", path = self.path.display().to_string()));
        }
        let result = result?;
        Ok(match &self.names {
            Some(names) => names.of_result(result),
            None => result,
        })
    }
}

/// The most recently opened reports.
#[derive(Debug, Default)]
pub(super) struct OpenedReports(VecDeque<(PathBuf, FileStamp, Arc<OpenReport>)>);

impl OpenedReports {
    pub(super) fn get(&mut self, path: &Path, stamp: &FileStamp) -> Option<Arc<OpenReport>> {
        let index = self.0.iter().position(|(other, other_stamp, _)| other == path && other_stamp == stamp)?;
        let entry = self.0.remove(index)?;
        let report = Arc::clone(&entry.2);
        self.0.push_front(entry);
        Some(report)
    }

    pub(super) fn put(&mut self, path: PathBuf, stamp: FileStamp, report: Arc<OpenReport>) {
        self.0.retain(|(other, ..)| *other != path);
        self.0.push_front((path, stamp, report));
        self.0.truncate(MOST_OPENED);
    }
}
