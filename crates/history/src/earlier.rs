//! The power that a plan can expect, from the spread of differences in the newest report of the same test set. Reading is
//! bounded; unreadable files are skipped.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use eval_analysis::measure::{ALPHA, POWER, Reading, count, snap};
use eval_format::{Analysis, Difference, beginning};
use eval_spec::Suite;
use serde::{Deserialize, Serialize};

use crate::read_analysis;

/// Entries of the directory that are looked at.
const MOST_ENTRIES: usize = 20_000;
/// Reports, the newest first, whose beginning is read.
const MOST_REPORTS: usize = 64;
/// Fewer pairs give no usable estimate of the spread.
const FEWEST_PAIRS: u64 = 6;

/// The expected power of a planned run.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlannedPower {
    /// The earlier report's id.
    pub report: String,
    /// The id of its test set.
    pub test_set: String,
    /// Where that is another one: how many of the planned samples it had, unchanged; `null` where it is the same.
    pub unchanged_samples: Option<u64>,
    /// Executions of each sample then.
    pub repeat: u32,
    /// Each planned treatment.
    pub treatments: Vec<PlannedTreatment>,
}

/// The expected power of one treatment's comparison.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlannedTreatment {
    /// Its name.
    pub treatment: String,
    /// Whether the earlier report compared it with the same control; if not, the widest spread of that report is used.
    pub known: bool,
    /// Pairs in the earlier report.
    pub earlier_pairs: u64,
    /// The mean difference there.
    pub observed: Option<f64>,
    /// The standard deviation of the differences there, in points.
    pub sd: f64,
    /// Samples that are planned and have something to score.
    pub samples: u64,
    /// The smallest true difference that they detect with 80 % power; `null` below two samples.
    pub minimum_detectable: Option<f64>,
    /// Samples needed for the smallest difference that matters (`--min-effect`).
    pub needed_for_min_effect: Option<u64>,
    /// Samples needed for the observed difference.
    pub needed_for_observed: Option<u64>,
    /// The level they are computed for: 0.05 over the number of treatments (Bonferroni), which the run's own intervals
    /// come near to.
    pub alpha: f64,
    /// Samples that a run with looks (`--looks`) reads on average before it is decided, if the difference is the observed one;
    /// absent without looks and where the earlier report compared others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean_samples: Option<f64>,
}

/// The power that a run of `suite` can expect by an earlier report in `directory`, and the newest report there that can't
/// be read. `hashes` are the samples' ids and hashes.
///
/// The newest report of the same test set counts, or else the newest that has at least half of the planned samples
/// unchanged. It must have a comparison with six pairs and some spread.
#[must_use]
pub fn planned_power(
    directory: &Path,
    suite: &Suite,
    test_set: &str,
    hashes: &BTreeMap<String, String>,
) -> (Option<PlannedPower>, Option<PathBuf>) {
    let mut broken = None;
    if suite.variants.len() < 2 {
        return (None, None);
    }
    let mut candidates = Vec::new();
    for path in newest(directory) {
        match head(&path) {
            FileHead::Of(meta) => candidates.extend(likeness(&meta, test_set, hashes).map(|like| (like, path))),
            FileHead::Broken => broken = broken.or(Some(path)),
            FileHead::Other => {}
        }
    }
    // stable: of equals, the newest first
    candidates.sort_by_key(|(unchanged, _)| unchanged.is_some());
    for (unchanged, path) in candidates {
        match read_analysis(&path) {
            Ok(earlier) => {
                if let Some(found) = expected(suite, &earlier, unchanged) {
                    return (Some(found), broken);
                }
            }
            Err(_) => broken = broken.or(Some(path)),
        }
    }
    (None, broken)
}

/// The newest files that could be reports.
pub(crate) fn newest(directory: &Path) -> Vec<PathBuf> {
    json_files(directory).into_iter().take(MOST_REPORTS).collect()
}

/// The JSON files of a directory, the newest first.
pub(crate) fn json_files(directory: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(directory) else { return Vec::new() };
    let written = |entry: std::fs::DirEntry| {
        let path = entry.path();
        let metadata = entry.metadata().ok().filter(std::fs::Metadata::is_file)?;
        let is_json = path.extension().is_some_and(|extension| extension == "json");
        let written = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        is_json.then_some((written, path))
    };
    let mut all: Vec<_> = entries.take(MOST_ENTRIES).flatten().filter_map(written).collect();
    all.sort_unstable_by(|a, b| b.cmp(a));
    all.into_iter().map(|(_, path)| path).collect()
}

/// The beginning of a file.
pub(crate) enum FileHead {
    Of(Box<HeadMeta>),
    /// It is no report.
    Other,
    /// It is a report, or should be one, and can't be read.
    Broken,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HeadMeta {
    #[serde(default)]
    pub(crate) timestamp: String,
    pub(crate) test_set: HeadTestSet,
    pub(crate) sample_hashes: BTreeMap<String, String>,
    #[serde(default)]
    pub(crate) not_read: BTreeSet<String>,
    pub(crate) variants: Vec<String>,
    pub(crate) settings: HeadSettings,
    #[serde(default)]
    pub(crate) model: String,
    #[serde(default)]
    pub(crate) skill_hashes: BTreeMap<String, String>,
    #[serde(default)]
    pub(crate) text_hashes: BTreeMap<String, String>,
    #[serde(default)]
    pub(crate) imported: Option<HeadImported>,
    #[serde(default)]
    pub(crate) scores_hashes: BTreeMap<String, String>,
    /// Whether the run ended as planned: said beside `meta`.
    #[serde(skip)]
    pub(crate) is_complete: bool,
}

/// The results of another tool, as far as they tell which these are.
#[derive(Deserialize)]
pub(crate) struct HeadImported {
    pub(crate) format: String,
    pub(crate) score: String,
}

#[derive(Deserialize)]
pub(crate) struct HeadSettings {
    #[serde(default)]
    pub(crate) aa: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HeadTestSet {
    pub(crate) id: String,
    #[serde(default)]
    pub(crate) path: String,
    #[serde(default)]
    pub(crate) project: Option<String>,
    #[serde(default)]
    pub(crate) llm_generated: bool,
}

pub(crate) fn head(path: &Path) -> FileHead {
    let Ok(file) = File::open(path) else { return FileHead::Broken };
    let (mut fields, is_whole) = beginning(file, "meta");
    let meta = fields.remove("meta").filter(|_| fields.contains_key("schemaVersion"));
    let is_complete = fields.get("status").is_some_and(|status| status == "complete");
    match meta.map(serde_json::from_value) {
        Some(Ok(meta)) => FileHead::Of(Box::new(HeadMeta { is_complete, ..meta })),
        None if is_whole => FileHead::Other,
        Some(Err(_)) | None => FileHead::Broken,
    }
}

/// `None` if it is of other samples; else how many are unchanged, or `Some(None)` if all of the test set is.
#[expect(clippy::option_option, reason = "read once, above")]
fn likeness(meta: &HeadMeta, test_set: &str, hashes: &BTreeMap<String, String>) -> Option<Option<u64>> {
    let is_unchanged = |(id, hash): &(&String, &String)| meta.sample_hashes.get(*id) == Some(*hash);
    let unchanged = hashes.iter().filter(is_unchanged).count();
    match meta.test_set.id == test_set && unchanged == hashes.len() {
        true => Some(None),
        false => (unchanged * 2 >= hashes.len() && unchanged > 0).then(|| Some(count(unchanged))),
    }
}

/// The same artifact in both arms (`--aa`) spreads less than two artifacts do: each kind of run plans by its own.
fn expected(suite: &Suite, earlier: &Analysis, unchanged_samples: Option<u64>) -> Option<PlannedPower> {
    if earlier.meta.settings.aa != suite.settings.aa {
        return None;
    }
    let seen: Vec<EarlierComparison> =
        (0..earlier.comparisons.len()).filter_map(|i| EarlierComparison::of(earlier, i)).collect();
    let widest = seen.iter().max_by(|a, b| a.sd.total_cmp(&b.sd))?;
    let control = &suite.variants[0].name;
    let treatments = suite.variants[1..].iter().map(|variant| {
        let same = seen.iter().find(|of| of.control == control && *of.treatment == variant.name);
        planned(suite, &variant.name, same.unwrap_or(widest), same.is_some())
    });
    Some(PlannedPower {
        report: earlier.id.clone(),
        test_set: earlier.meta.test_set.id.clone(),
        unchanged_samples,
        repeat: earlier.meta.repeat,
        treatments: treatments.collect(),
    })
}

/// One comparison of the earlier report, in points.
struct EarlierComparison<'a> {
    control: &'a String,
    treatment: &'a String,
    n: u64,
    mean: Option<f64>,
    sd: f64,
}

impl<'a> EarlierComparison<'a> {
    /// Of its composite, or of the judges' preference where there is none.
    fn of(earlier: &'a Analysis, i: usize) -> Option<EarlierComparison<'a>> {
        let of = earlier.comparisons.get(i)?;
        let preferred = earlier.pairwise.as_ref().and_then(|all| all.comparisons.get(i)).map(|of| &of.preference);
        let tells = |diff: &Difference| diff.sd.filter(|sd| *sd > 0.0 && sd.is_finite() && diff.n >= FEWEST_PAIRS);
        let (diff, sd, unit) = match (tells(&of.diff), preferred) {
            (Some(sd), _) => (&of.diff, sd, 1.0),
            (None, Some(preference)) => (preference, tells(preference)?, eval_format::POINTS),
            (None, None) => return None,
        };
        let mean = diff.mean.map(|mean| snap(mean * unit));
        Some(EarlierComparison { control: &of.control, treatment: &of.treatment, n: diff.n, mean, sd: snap(sd * unit) })
    }
}

#[expect(clippy::cast_precision_loss, reason = "a number of treatments")]
fn planned(suite: &Suite, treatment: &str, seen: &EarlierComparison, known: bool) -> PlannedTreatment {
    let alpha = ALPHA / (suite.variants.len() - 1) as f64;
    let settings = &suite.settings;
    let counts = |sample: &&eval_spec::Sample| {
        !sample.tripwire && (!sample.assertions.is_empty() || settings.judge && sample.has_rubric())
    };
    let most = settings.max_samples.and_then(|most| usize::try_from(most).ok()).unwrap_or(usize::MAX);
    let samples = suite.samples.iter().filter(counts).count().min(most);
    let reading = Reading { looks: settings.planned_looks() };
    let needed = |difference: f64| reading.needed(seen.sd, difference, alpha, POWER);
    PlannedTreatment {
        treatment: treatment.to_owned(),
        known,
        earlier_pairs: seen.n,
        observed: seen.mean,
        sd: seen.sd,
        samples: count(samples),
        minimum_detectable: reading.detectable(seen.sd, samples, alpha, POWER),
        needed_for_min_effect: needed(settings.min_effect),
        needed_for_observed: seen.mean.filter(|_| known).and_then(needed),
        alpha,
        mean_samples: seen.mean.filter(|_| known).and_then(|mean| {
            let matters = (settings.min_effect, settings.trivial_diff);
            reading.mean_samples(count(samples), (mean, seen.sd), alpha, matters)
        }),
    }
}
