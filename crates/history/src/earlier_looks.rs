//! Earlier reports in which the same two artifacts were compared: looks at them that nobody planned.

use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use eval_analysis::measure::{count, snap};
use eval_format::{BlindFile, Comparison};
use eval_spec::record::{EarlierLook, EarlierTreatment, LeftSamples};

use crate::earlier::{FileHead, HeadMeta, LARGEST, head, json_files};
use crate::read_analysis;

/// Reports, the newest first, that are asked.
const MOST_REPORTS: usize = 2_000;
/// A report says within so many bytes that it is one.
const BEGINNING: u64 = 4 << 10;
/// Fewer samples give no interval, and so no verdict that could be picked from several.
const FEWEST_SAMPLES: usize = 6;

/// A run, as far as earlier reports are looked for that compared the same.
#[derive(Clone, Debug)]
pub struct LookQuestion<'a> {
    /// Its id: its own report is no earlier one.
    pub id: Option<&'a str>,
    /// The model that answers; `None` for a program of one's own, for which the name is a mere label.
    pub model: Option<&'a str>,
    /// The hashes of the artifacts, the control first.
    pub artifacts: Vec<String>,
    /// The hash of each sample, by its id.
    pub samples: &'a BTreeMap<String, String>,
}

/// A report that compared the same.
struct Found {
    meta: Box<HeadMeta>,
    path: PathBuf,
    look: EarlierLook,
    /// The names there of the control and the treatment at each place.
    labels: BTreeMap<usize, [String; 2]>,
}

/// The reports in `directory` in which two of the artifacts were compared by the same model, whichever was the control, on samples
/// of which at least half of the smaller set are the same: the oldest first. One that read the very scores of an older one again
/// is left out.
#[must_use]
pub fn earlier_looks(directory: &Path, of: &LookQuestion) -> Vec<EarlierLook> {
    let is_own = |path: &Path| path.file_stem().and_then(|stem| stem.to_str()).is_some_and(|stem| Some(stem) == of.id);
    let reports = json_files(directory).into_iter().map(|(path, _)| path).filter(|path| begins_as_report(path));
    let mut found: Vec<Found> =
        reports.take(MOST_REPORTS).filter(|path| !is_own(path)).filter_map(|path| like(path, of)).collect();
    found.sort_by(|a, b| (&a.meta.timestamp, &a.look.report).cmp(&(&b.meta.timestamp, &b.look.report)));
    let mut seen: Vec<BTreeMap<usize, EarlierTreatment>> = Vec::new();
    found.retain(|Found { look, .. }| {
        let is_new = !seen.contains(&look.treatments);
        seen.push(look.treatments.clone());
        is_new
    });
    // the newest may have the very scores of this run, which is then compared with the one before
    for earlier in found.iter_mut().rev().take(2) {
        add_left(earlier, of);
    }
    found.into_iter().map(|found| found.look).collect()
}

/// Whether a file says in its first lines that it is a report; a directory may hold any other JSON.
fn begins_as_report(path: &Path) -> bool {
    let mut beginning = Vec::new();
    let read = File::open(path).and_then(|file| file.take(BEGINNING).read_to_end(&mut beginning));
    read.is_ok() && String::from_utf8_lossy(&beginning).contains("\"schemaVersion\"")
}

/// A report as an earlier look; `None` where it compared other artifacts, or on other samples.
fn like(path: PathBuf, of: &LookQuestion) -> Option<Found> {
    let FileHead::Of(meta) = head(&path) else { return None };
    let is_earlier = meta.is_complete && !meta.settings.aa && of.model.is_none_or(|model| meta.model == model);
    let [fewer, more] = {
        let (theirs, ours) = (meta.sample_hashes.len(), of.samples.len());
        [theirs.min(ours), theirs.max(ours)]
    };
    let hashes = of.samples.values().collect::<HashSet<_>>();
    let shared = meta.sample_hashes.iter().filter(|(id, hash)| of.samples.contains_key(*id) || hashes.contains(hash));
    if !is_earlier || fewer < FEWEST_SAMPLES || 2 * shared.count() < fewer {
        return None;
    }
    let unchanged = meta.sample_hashes.values().filter(|hash| hashes.contains(hash)).count();
    // a blind report has the hashes in the file beside it
    let beside = if meta.skill_hashes.is_empty() { BlindFile::beside(&path).ok().flatten() } else { None };
    let artifacts = beside.as_ref().map_or(&meta.skill_hashes, BlindFile::skill_hashes);
    let with_hash = |place: usize| {
        let hash = of.artifacts.get(place)?;
        meta.variants.iter().find(|label| artifacts.get(*label) == Some(hash))
    };
    let control = with_hash(0)?;
    let treatment = |place: usize| {
        let label = with_hash(place).filter(|label| *label != control)?;
        let scores = |label: &String| meta.scores_hashes.get(label).cloned();
        let treatment = EarlierTreatment { scores: [scores(control)?, scores(label)?], left: None };
        Some((place, treatment, [control.clone(), label.clone()]))
    };
    let (mut treatments, mut labels) = (BTreeMap::new(), BTreeMap::new());
    for (place, treatment, of) in (1..of.artifacts.len()).filter_map(treatment) {
        treatments.insert(place, treatment);
        labels.insert(place, of);
    }
    let report = path.file_stem()?.to_string_lossy().into_owned();
    // an edit of a few samples makes no other set
    let look = EarlierLook { report, same_samples: 10 * unchanged >= 9 * more, treatments };
    (!labels.is_empty()).then_some(Found { meta, path, look, labels })
}

/// Adds the samples of an earlier report that this run doesn't have, or has changed.
fn add_left(earlier: &mut Found, of: &LookQuestion) {
    let hashes = of.samples.values().collect::<HashSet<_>>();
    let samples = earlier.meta.sample_hashes.iter();
    let left: HashSet<&String> = samples.filter(|(_, hash)| !hashes.contains(hash)).map(|(id, _)| id).collect();
    let is_small = std::fs::metadata(&earlier.path).is_ok_and(|file| file.len() <= LARGEST);
    if left.is_empty() || !is_small {
        return;
    }
    let Ok(report) = read_analysis(&earlier.path) else { return };
    for (place, [control, treatment]) in &earlier.labels {
        // the arms may have been the other way round
        let sign = |of: &Comparison| match [&of.control, &of.treatment] {
            of if of == [control, treatment] => Some(1.0),
            of if of == [treatment, control] => Some(-1.0),
            _ => None,
        };
        let found = report.comparisons.iter().find_map(|of| Some((of, sign(of)?)));
        let (Some((of, sign)), Some(earlier)) = (found, earlier.look.treatments.get_mut(place)) else { continue };
        let differences = of.pairs.iter().filter(|pair| left.contains(&pair.sample_id)).map(|pair| sign * pair.diff);
        let differences: Vec<f64> = differences.collect();
        let sum = snap(differences.iter().sum());
        earlier.left = (!differences.is_empty()).then(|| LeftSamples { samples: count(differences.len()), sum });
    }
}
