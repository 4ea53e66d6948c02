//! The size of a report, checked before anything is allocated: its own statements about its size are untrusted.

use eval_analysis::recomputing::{MOST_RESAMPLES, Split};
use eval_format::{Analysis, ReportError, ReportText, Stopping};
use eval_message::{Message, msg};
use eval_spec::suite::Settings;
use eval_spec::{Cell, CellKey, MOST_JUDGES};
use rayon::prelude::*;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

/// Executions that may lack in the results before the report is one that lost them, whatever their share.
const LOST: usize = 1000;

/// A sample's results, counted.
#[derive(Deserialize)]
pub(super) struct Outline {
    sample_id: String,
    #[serde(default)]
    cluster: Option<String>,
    #[serde(default)]
    tripwire: bool,
    #[serde(default)]
    holdout: bool,
    variants: std::collections::BTreeMap<String, Runs>,
}

#[derive(Deserialize)]
struct Runs {
    #[serde(default)]
    runs: Option<Vec<IgnoredAny>>,
}

/// The outline of each sample's results.
pub(super) fn outline(text: &ReportText, raw: &[&RawValue]) -> Result<Vec<Outline>, ReportError> {
    raw.par_iter().map(|raw| text.result(raw)).collect()
}

/// The seed of the holdout split: the run's own where the default seed would hold out other samples.
pub(super) fn split_seed(stored: &Analysis, outline: &[Outline], settings: &Settings) -> Option<u64> {
    let split = Split::of(settings)?;
    let is_other =
        |of: &Outline| !of.tripwire && split.holds_out(of.cluster.as_ref().unwrap_or(&of.sample_id)) != of.holdout;
    outline.iter().any(is_other).then_some(stored.meta.seed)
}

/// The dimensions of a report.
pub(super) struct ReportShape {
    pub(super) variants: Vec<String>,
    pub(super) samples: usize,
    pub(super) repeat: usize,
    /// The trials of each sample in each variant, where another tool's results have more of one than of another.
    trials: Option<Vec<Vec<usize>>>,
    /// Whether the run ended early, so that missing executions were not needed.
    pub(super) is_early: bool,
}

impl ReportShape {
    /// The dimensions in `meta`, if the results have about as many executions.
    pub(super) fn of(stored: &Analysis, outline: &[Outline]) -> Result<ReportShape, Message> {
        let (variants, repeat) = (&stored.meta.variants, stored.meta.repeat.max(1) as usize);
        let judges = stored.meta.judge_models.len().max(stored.meta.judge_runtimes.len());
        if judges > MOST_JUDGES {
            return Err(msg!("report-unverifiable-judges", count = judges));
        }
        let compared = [stored.comparisons.len(), stored.verdict.per_treatment.len(), stored.analysis.saturation.len()];
        let most = compared.into_iter().max().unwrap_or_default();
        if most > variants.len() + LOST {
            return Err(msg!("report-unverifiable-comparisons", count = most, variants = variants.len()));
        }
        let samples = outline.len();
        let said = samples.checked_mul(variants.len()).and_then(|cells| cells.checked_mul(repeat));
        // results of another tool may have many repeats of one variant, and one of the others
        let unevenness = if stored.meta.imported.is_some() { variants.len().clamp(2, 4) } else { 2 };
        let held: usize = outline.iter().map(executions).sum();
        if said.is_none_or(|said| said > held.saturating_mul(unevenness).saturating_add(LOST)) {
            return Err(msg!(
                "report-unverifiable-size",
                samples = samples,
                repeat = repeat,
                variants = variants.len(),
                held = held
            ));
        }
        if stored.meta.settings.bootstrap_samples > MOST_RESAMPLES {
            return Err(msg!("report-unverifiable-resamples", count = stored.meta.settings.bootstrap_samples));
        }
        let is_early = stored.stopping.as_ref().is_some_and(Stopping::leaves_out);
        // a case that an arm lacks was not planned in it
        let leaves_out = stored.meta.imported.as_ref().is_some_and(|of| of.paired_only);
        let trials = |of: &Outline| {
            let most = trials(of).min(repeat);
            let lacking = if leaves_out { 0 } else { most };
            let of_variant =
                |name: &String| of.variants.get(name).map_or(lacking, |of| of.runs.as_ref().map_or(1, Vec::len));
            variants.iter().map(|name| of_variant(name).min(most)).collect::<Vec<usize>>()
        };
        let trials = stored.meta.imported.as_ref().map(|_| outline.iter().map(trials).collect());
        Ok(ReportShape { variants: variants.clone(), samples, repeat, trials, is_early })
    }

    /// The executions that were planned of a sample in a variant.
    pub(super) fn repeats_of(&self, sample: usize, variant: usize) -> usize {
        let trials = self.trials.as_ref().and_then(|trials| trials.get(sample)?.get(variant));
        trials.copied().unwrap_or(self.repeat)
    }

    /// The place of a cell in the plan: repeats outermost, as they are run.
    pub(super) fn place(&self, sample: usize, variant: usize, repeat: usize) -> usize {
        (repeat * self.samples + sample) * self.variants.len() + variant
    }

    pub(super) fn cell(&self, sample: usize, id: &str, variant: usize, repeat: usize) -> Cell {
        let repeat = u32::try_from(repeat).unwrap_or(u32::MAX);
        let key = CellKey { sample: id.into(), subject: self.variants[variant].as_str().into(), repeat };
        Cell { key, sample, subject: variant, fingerprint: "".into() }
    }
}

fn trials(of: &Outline) -> usize {
    of.variants.values().map(|of| of.runs.as_ref().map_or(1, Vec::len)).max().unwrap_or(1)
}

fn executions(of: &Outline) -> usize {
    of.variants.values().map(|of| of.runs.as_ref().map_or(1, Vec::len)).sum()
}
