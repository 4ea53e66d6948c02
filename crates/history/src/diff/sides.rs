//! The part of a report that is read for a comparison: numbers, no answers.

use std::collections::BTreeMap;
use std::path::Path;

use eval_analysis::measure::planned_points;
use eval_format::{
    AssertionDetail, BlindFile, LayeredScores, Missing, MissingPart, NoResults, Report, ReportError, ReportText,
};
use eval_message::{Message, msg};
use eval_spec::Layer;
use eval_spec::sample::{Difficulty, Provenance};
use eval_verdict::checked;
use serde::Deserialize;

/// A report with the numbers of its results and without their texts.
pub type SlimReport = Report<Vec<SlimSample>>;

/// One sample's numbers.
#[derive(Clone, Debug, Deserialize)]
pub struct SlimSample {
    pub(crate) sample_id: String,
    #[serde(default)]
    pub(crate) tripwire: bool,
    #[serde(default)]
    pub(crate) holdout: bool,
    #[serde(default)]
    pub(crate) cluster: Option<String>,
    #[serde(default)]
    pub(crate) capability: Vec<String>,
    #[serde(default)]
    pub(crate) difficulty: Option<Difficulty>,
    #[serde(default)]
    pub(crate) construct: Option<String>,
    #[serde(default)]
    pub(crate) provenance: Option<Provenance>,
    pub(crate) variants: BTreeMap<String, Slim>,
}

/// One variant's numbers on a sample.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Slim {
    composite_score: Option<f64>,
    layered_scores: LayeredScores,
    pub(super) assertions: SlimAssertions,
    #[serde(rename = "costUSD")]
    pub(super) cost_usd: Option<f64>,
    duration_ms: Option<u64>,
    #[serde(default)]
    missing: Vec<Missing>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct SlimAssertions {
    pub(super) details: Vec<AssertionDetail>,
}

/// Reads what [`diff`](super::diff) needs of a report.
///
/// # Errors
/// When the file can't be read, or is no report that this program understands.
pub fn read_slim(path: &Path) -> Result<SlimReport, ReportError> {
    let text = ReportText::read(path)?;
    let mut report = checked(text.report()?);
    let results = std::mem::take(&mut report.results);
    let mut results = results.into_iter().map(|raw| text.result(raw)).collect::<Result<Vec<SlimSample>, _>>()?;
    let Some(names) = BlindFile::fitting(path, &report)?.and_then(|of| of.revealed_names()) else {
        return Ok(report.with_results(results));
    };
    for sample in &mut results {
        sample.variants = names.of_variants(std::mem::take(&mut sample.variants));
    }
    Ok(names.of_analysis(report.with_results(NoResults)).with_results(results))
}

impl Slim {
    pub(crate) fn composite(&self) -> Option<f64> {
        planned_points(self.composite_score)
    }

    pub(super) fn layer(&self, layer: Layer) -> Option<f64> {
        match layer {
            Layer::Fact => self.layered_scores.fact_score,
            Layer::Behavior => self.layered_scores.behavior_score,
            Layer::Judge => self.layered_scores.judge_score,
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "milliseconds")]
    pub(super) fn duration(&self) -> Option<f64> {
        self.duration_ms.map(|ms| ms as f64)
    }

    /// Why there is no composite.
    pub(super) fn why(&self) -> Message {
        let missing = self.missing.iter().find(|missing| missing.what == MissingPart::Composite);
        missing.map_or_else(|| msg!("report-missing-not-planned"), |missing| missing.why_key.clone())
    }
}

/// Whether two scores rest on the same checks: a check that can't be evaluated leaves the denominator, so that the side
/// on which it can't be evaluated would win by it. With repeats, a check counts as evaluated when it is in every run.
pub(super) fn same_checks(a: &Slim, b: &Slim, layer: Option<Layer>) -> bool {
    let [of_a, of_b] = [a, b].map(|of| {
        let runs = of.assertions.details.iter().filter_map(|detail| detail.evaluated_runs).max();
        let counts = |detail: &&AssertionDetail| layer.is_none() || detail.layer == layer;
        let evaluated = |detail: &AssertionDetail| match (detail.evaluated_runs, runs) {
            (Some(0), _) => Some(false),
            (Some(evaluated), Some(runs)) => (evaluated == runs).then_some(true),
            _ => Some(detail.passed.is_some() || detail.rating.is_some()),
        };
        of.assertions.details.iter().filter(counts).map(evaluated).collect::<Option<Vec<bool>>>()
    });
    of_a.is_some() && of_a == of_b
}
