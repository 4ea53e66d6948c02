//! Reports that are being looked at. Of a comparison, what stands beside the results is in memory; results are read from
//! where they are in the file, one at a time.

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

/// Reports that stay in memory.
const MOST_OPENED: usize = 4;

/// A report that can be shown.
#[derive(Debug)]
pub enum OpenReport {
    /// A comparison of artifacts.
    Comparison(Box<OpenComparison>),
    /// An evaluation of callable skills.
    Skills(Box<SkillEvaluation>),
}

/// A comparison, and where its results are.
#[derive(Debug)]
pub struct OpenComparison {
    path: PathBuf,
    /// The version of the file that was read.
    stamp: Option<FileStamp>,
    /// All but the results; with the variants' own names once they are revealed.
    pub analysis: Analysis,
    names: Option<RevealedNames>,
    /// The samples, in the report's order.
    pub rows: Vec<SampleRow>,
    places: Vec<Range<u64>>,
}

impl OpenReport {
    pub(super) fn read(path: &Path) -> Result<OpenReport, Message> {
        if is_evaluation(path) {
            let of = eval_analysis::skills::read(path).map_err(|error| error.message())?;
            return Ok(OpenReport::Skills(Box::new(of)));
        }
        OpenComparison::read(path).map(|of| OpenReport::Comparison(Box::new(of))).map_err(|error| error.message())
    }
}

/// Whether a file is an evaluation of callable skills.
pub(crate) fn is_evaluation(path: &Path) -> bool {
    stem(path).starts_with(RESULT) || eval_format::skills::is_evaluation(path)
}

impl OpenComparison {
    fn read(path: &Path) -> Result<OpenComparison, eval_format::ReportError> {
        let stamp = FileStamp::of(path);
        let text = ReportText::read(path)?;
        let mut report = checked(text.readable()?);
        let raw = std::mem::take(&mut report.results);
        let names = BlindFile::of_report(path, &report)?.and_then(|of| of.revealed_names());
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
        let row = |(at, raw): (usize, &&RawValue)| text.sample_result(raw).map(|result| reader.row(at, &named(result)));
        let rows: Vec<SampleRow> = raw.par_iter().enumerate().map(row).collect::<Result<_, _>>()?;
        Ok(OpenComparison { path: path.to_owned(), stamp, analysis, names, rows, places })
    }

    /// The place of a sample among the results.
    #[must_use]
    pub fn place(&self, sample: &str) -> Option<usize> {
        self.rows.iter().position(|row| row.id == sample)
    }

    /// A sample's results.
    ///
    /// # Errors
    /// When the file can't be read, or was changed meanwhile.
    pub fn result(&self, place: usize) -> Result<SampleResult, Message> {
        let place = self.places.get(place).cloned().unwrap_or_default();
        let result = read_result(&self.path, &place).map_err(|error| error.message());
        // Another report may have a result in that place, too.
        if FileStamp::of(&self.path) != self.stamp {
            return Err(msg!("site-report-changed", path = self.path.display().to_string()));
        }
        let result = result?;
        Ok(match &self.names {
            Some(names) => names.of_result(result),
            None => result,
        })
    }
}

/// The reports that were opened last.
#[derive(Debug, Default)]
pub(super) struct OpenedReports(VecDeque<(PathBuf, FileStamp, Arc<OpenReport>)>);

impl OpenedReports {
    pub(super) fn get(&mut self, path: &Path, stamp: &FileStamp) -> Option<Arc<OpenReport>> {
        let at = self.0.iter().position(|(known, known_stamp, _)| known == path && known_stamp == stamp)?;
        let found = self.0.remove(at)?;
        let report = Arc::clone(&found.2);
        self.0.push_front(found);
        Some(report)
    }

    pub(super) fn put(&mut self, path: PathBuf, stamp: FileStamp, report: Arc<OpenReport>) {
        self.0.retain(|(known, ..)| *known != path);
        self.0.push_front((path, stamp, report));
        self.0.truncate(MOST_OPENED);
    }
}
