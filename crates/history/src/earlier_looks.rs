//! Earlier reports in which the same two artifacts were compared: looks at them that nobody planned.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use eval_analysis::measure::{normalised, reading, snap};
use eval_format::{
    Analysis, BlindFile, Comparison, EarlierReading, ImportedResults, ReadTreatment, ReadingOutcome, Tier,
};
use eval_spec::record::{EarlierLook, EarlierTreatment};

use crate::earlier::{FileHead, HeadMeta, head, json_files};
use crate::read_analysis;

/// Reports, the newest first, that are asked.
pub(crate) const MOST_REPORTS: usize = 2_000;
/// Of these the newest whose pairs are read.
pub(crate) const MOST_READ: usize = 20;
/// A report says within so many bytes that it is one.
const BEGINNING: u64 = 4 << 10;
/// Fewer samples give no interval, and so no verdict that could be picked from several.
pub(crate) const FEWEST_SAMPLES: usize = 6;

/// A run, as far as earlier reports are looked for that compared the same.
#[derive(Clone, Debug)]
pub struct LookQuestion<'a> {
    /// Its id: its own report is no earlier one.
    pub id: Option<&'a str>,
    /// The model that answers; `None` for a program of one's own, for which the name is a mere label.
    pub model: Option<&'a str>,
    /// The variants, the control first.
    pub arms: Vec<LookArm>,
    /// The results of another tool that are read; `None` for a run.
    pub imported: Option<&'a ImportedResults>,
    /// The hash of each sample, by its id.
    pub samples: &'a BTreeMap<String, String>,
    /// The samples beyond the last planned look.
    pub not_read: &'a BTreeSet<String>,
    /// When its own report was written, if it is complete: what was written later is no earlier look.
    pub until: Option<SystemTime>,
}

/// A variant, as far as it is found again in earlier reports.
#[derive(Clone, Debug)]
pub struct LookArm {
    /// Its name, which is all that is known of it in results of another tool.
    pub name: String,
    /// The hash of its artifact.
    pub hash: String,
    /// The hash of what a model reads of it.
    pub text_hash: String,
}

/// A report that compared the same.
struct Found {
    meta: Box<HeadMeta>,
    path: PathBuf,
    look: EarlierLook,
    /// The names there of the control and the treatment at each place.
    labels: BTreeMap<usize, [String; 2]>,
    /// Whether it depends on its scores how it counts.
    is_by_scores: bool,
}

/// The reports in `directory` in which two of the artifacts were compared by the same model, whichever was the control, on samples
/// of which at least half of the smaller set are the same: the oldest first. One that read the very scores of an older one again
/// is left out, and so is one that ended early without a difference over six pairs. Runs of one of them alone, and of a treatment beside
/// another control, are among them, marked.
#[must_use]
pub fn earlier_looks(directory: &Path, of: &LookQuestion) -> Vec<EarlierLook> {
    let mut found: Vec<Found> = earlier_reports(directory, of).filter_map(|path| like(path, of)).collect();
    found.sort_by(|a, b| (&a.meta.timestamp, &a.look.report).cmp(&(&b.meta.timestamp, &b.look.report)));
    let mut seen: Vec<BTreeMap<usize, EarlierTreatment>> = Vec::new();
    let read = found.len().saturating_sub(MOST_READ);
    found.iter_mut().skip(read).filter(|found| found.is_by_scores).for_each(add_pairs);
    let has_shown = |of: &Found| of.look.treatments.values().any(|of| of.pairs.len() >= FEWEST_SAMPLES);
    found.retain(|found| !found.look.ended_early || has_shown(found));
    found.retain(|Found { look, .. }| {
        let is_new = !seen.contains(&look.treatments);
        seen.push(look.treatments.clone());
        is_new
    });
    add_left(&mut found, of);
    found.into_iter().map(|found| found.look).collect()
}

/// Returns how the newest of the reports that compared the same read their scores, with what they name of older ones. The own report of a
/// run that goes on is among them: it is replaced.
#[must_use]
pub fn earlier_readings(directory: &Path, run: &LookQuestion) -> Vec<EarlierReading> {
    let all = reports_until(directory, run).filter_map(|path| like(path, run));
    let read = |Found { path, look, labels, .. }: Found| {
        let report = read_analysis(&path).ok()?;
        let outcome = |(place, [control, treatment]): (usize, [String; 2])| {
            // a gain of one arm is a loss of the other
            report.comparisons.iter().find(|pair| pair.control == control && pair.treatment == treatment)?;
            let decided = report.verdict.per_treatment.iter().find(|decided| decided.treatment == treatment)?;
            let reached = decided.goal.as_ref().map_or(decided.tier == Tier::Progress, |goal| goal.reached);
            let outcome = ReadingOutcome { valid: report.verdict.valid, reached, tier: decided.tier };
            Some((place, ReadTreatment { scores: look.treatments.get(&place)?.scores.clone(), outcome }))
        };
        let place_here = |there: usize| {
            let label = report.meta.variants.get(there)?;
            labels.iter().find(|(_, [_, treatment])| treatment == label).map(|(place, _)| *place)
        };
        let moved = |(there, treatment): (&usize, &ReadTreatment)| Some((place_here(*there)?, treatment.clone()));
        let older = report.meta.earlier_readings.iter().map(|older| EarlierReading {
            treatments: older.treatments.iter().filter_map(moved).collect(),
            ..older.clone()
        });
        let older: Vec<EarlierReading> = older.collect();
        let treatments = labels.into_iter().filter_map(outcome).collect();
        let reading = EarlierReading { report: look.report, settings: reading(&report), treatments };
        Some(std::iter::once(reading).chain(older))
    };
    let mut readings: Vec<EarlierReading> = Vec::new();
    let compares = |report: &Found| !report.look.alone;
    for reading in all.filter(compares).take(MOST_READ).filter_map(read).flatten() {
        if !reading.treatments.is_empty() && !readings.contains(&reading) {
            readings.push(reading);
        }
    }
    readings
}

fn is_own(path: &Path, run: &LookQuestion) -> bool {
    path.file_stem().and_then(|stem| stem.to_str()).is_some_and(|stem| Some(stem) == run.id)
}

/// Returns the other reports in `directory` that were there when the run's own was written, the newest first.
pub(crate) fn earlier_reports(directory: &Path, run: &LookQuestion) -> impl Iterator<Item = PathBuf> {
    reports_until(directory, run).filter(move |path| !is_own(path, run))
}

/// Returns the reports in `directory` that were there when the run's own was written, that one too, the newest first.
fn reports_until(directory: &Path, run: &LookQuestion) -> impl Iterator<Item = PathBuf> {
    let is_later = |path: &Path| {
        let written = std::fs::metadata(path).and_then(|file| file.modified());
        run.until.is_some_and(|until| written.is_ok_and(|written| written > until))
    };
    let files = json_files(directory).into_iter().filter(move |path| !is_later(path));
    files.filter(|path| begins_as_report(path)).take(MOST_REPORTS)
}

/// Returns true if a report was made with the model of a run.
pub(crate) fn is_of_model(meta: &HeadMeta, run: &LookQuestion) -> bool {
    run.model.is_none_or(|model| meta.model == model || normalised(&meta.model) == normalised(model))
}

/// Whether a file says in its first lines that it is a report; a directory may hold any other JSON.
pub(crate) fn begins_as_report(path: &Path) -> bool {
    let mut beginning = Vec::new();
    let read = File::open(path).and_then(|file| file.take(BEGINNING).read_to_end(&mut beginning));
    read.is_ok() && String::from_utf8_lossy(&beginning).contains("\"schemaVersion\"")
}

/// A report as an earlier look; `None` where it compared other artifacts, or on other samples.
fn like(path: PathBuf, of: &LookQuestion) -> Option<Found> {
    let FileHead::Of(meta) = head(&path) else { return None };
    let is_of_kind = match (of.imported, &meta.imported) {
        (None, None) => is_of_model(&meta, of),
        (Some(of), Some(earlier)) => of.format == earlier.format && of.score == earlier.score,
        _ => false,
    };
    let is_earlier = !meta.settings.aa && is_of_kind;
    let read = |samples: &BTreeMap<String, String>, not_read: &BTreeSet<String>| {
        let read = samples.iter().filter(|(id, _)| !not_read.contains(*id));
        read.map(|(_, hash)| hash.clone()).collect::<HashSet<_>>()
    };
    let (theirs, ours) = (read(&meta.sample_hashes, &meta.not_read), read(of.samples, of.not_read));
    let fewer = meta.sample_hashes.len().min(of.samples.len());
    let hashes = of.samples.values().collect::<HashSet<_>>();
    let shared = meta.sample_hashes.iter().filter(|(id, hash)| of.samples.contains_key(*id) || hashes.contains(hash));
    if !is_earlier || theirs.len().min(ours.len()) < FEWEST_SAMPLES || 2 * shared.count() < fewer {
        return None;
    }
    let (unchanged, more) = (theirs.intersection(&ours).count(), theirs.len().max(ours.len()));
    // a blind report has the hashes in the file beside it
    let beside = if meta.skill_hashes.is_empty() { BlindFile::beside(&path).ok().flatten() } else { None };
    let artifacts = beside.as_ref().map_or(&meta.skill_hashes, BlindFile::skill_hashes);
    let texts = beside.as_ref().map_or(&meta.text_hashes, BlindFile::text_hashes);
    // variants with one artifact may differ in something else
    let with_hash = |place: usize, but: Option<&String>| {
        let arm = of.arms.get(place)?;
        let is_same = |label: &&String| artifacts.get(*label) == Some(&arm.hash);
        let reads_alike = |label: &&String| texts.get(*label) == Some(&arm.text_hash);
        let mut labels = meta.variants.iter().filter(|label| Some(*label) != but);
        match of.imported {
            Some(_) => labels.find(|label| **label == arm.name),
            None => labels.clone().find(is_same).or_else(|| labels.find(reads_alike)),
        }
    };
    let is_single = meta.variants.len() == 1 && of.imported.is_none();
    let control = if is_single { None } else { with_hash(0, None) };
    if control.is_none() && of.imported.is_some() {
        return None;
    }
    // beside another control a treatment ran alone, as far as this comparison goes
    let is_alone = control.is_none();
    let treatment = |place: usize| {
        let label = with_hash(place, control)?;
        let scores = |label: &String| meta.scores_hashes.get(label).cloned();
        let of_control = control.map_or_else(|| Some(String::new()), scores)?;
        let treatment = EarlierTreatment { scores: [of_control, scores(label)?], ..EarlierTreatment::default() };
        Some((place, treatment, [control.cloned().unwrap_or_default(), label.clone()]))
    };
    let (mut treatments, mut labels) = (BTreeMap::new(), BTreeMap::new());
    for (place, treatment, of) in (usize::from(!is_single)..of.arms.len()).filter_map(treatment) {
        treatments.insert(place, treatment);
        labels.insert(place, of);
    }
    let report = path.file_stem()?.to_string_lossy().into_owned();
    // an edit of a few samples makes no other set
    let same_samples = 10 * unchanged >= 9 * more;
    let ended_early = !meta.is_complete && !is_alone;
    let look = EarlierLook { report, same_samples, ended_early, alone: is_alone, treatments };
    let is_by_scores = look.ended_early || of.imported.is_some() || (same_samples && unchanged < more);
    (!labels.is_empty()).then_some(Found { meta, path, look, labels, is_by_scores })
}

/// Adds the scores of each pair of an earlier report.
fn add_pairs(found: &mut Found) {
    let Ok(report) = read_analysis(&found.path) else { return };
    for (place, treatment) in &mut found.look.treatments {
        let Some((of, sign)) = found.labels.get(place).and_then(|labels| comparison(&report, labels)) else { continue };
        let scores = |control: f64, treated: f64| if sign > 0.0 { [control, treated] } else { [treated, control] };
        let pairs = of.pairs.iter().map(|pair| (pair.sample_id.clone(), scores(pair.control, pair.treatment)));
        treatment.pairs = pairs.collect();
    }
}

/// The comparison of two labels in a report, and −1 where the arms were the other way round.
fn comparison<'r>(report: &'r Analysis, [control, treatment]: &[String; 2]) -> Option<(&'r Comparison, f64)> {
    let sign = |of: &Comparison| match [&of.control, &of.treatment] {
        of if of == [control, treatment] => Some(1.0),
        of if of == [treatment, control] => Some(-1.0),
        _ => None,
    };
    report.comparisons.iter().find_map(|of| Some((of, sign(of)?)))
}

/// Adds the samples of the newest reports that this run doesn't have, or has changed, with what left in between the older ones: who
/// drops a few samples at a time drops them all.
fn add_left(found: &mut [Found], of: &LookQuestion) {
    // the newest may have the very scores of this run, which is then compared with the one before
    const TOLD: usize = 2;
    let read = found.len().saturating_sub(MOST_READ);
    let told = found.len().saturating_sub(TOLD);
    let mut so_far: BTreeMap<usize, BTreeMap<String, f64>> = BTreeMap::new();
    for (at, earlier) in found.iter_mut().enumerate().skip(read) {
        for (place, differences) in left(earlier, of) {
            so_far.entry(place).or_default().extend(differences);
        }
        for (place, treatment) in earlier.look.treatments.iter_mut().filter(|_| at >= told) {
            treatment.left = so_far.get(place).cloned().unwrap_or_default();
        }
    }
}

/// The differences in an earlier report, for the treatment at each place, of the samples that this run doesn't have, or has changed.
fn left(earlier: &Found, of: &LookQuestion) -> Vec<(usize, Vec<(String, f64)>)> {
    let is_as_it_was =
        |(id, hash): &(&String, &String)| of.samples.get(*id) == Some(*hash) && !of.not_read.contains(*id);
    let hashes = of.samples.values().collect::<HashSet<_>>();
    let is_renamed = |(id, hash): &(&String, &String)| !of.samples.contains_key(*id) && hashes.contains(hash);
    let samples = earlier.meta.sample_hashes.iter();
    let left: HashSet<&String> =
        samples.filter(|sample| !is_as_it_was(sample) && !is_renamed(sample)).map(|(id, _)| id).collect();
    if left.is_empty() {
        return Vec::new();
    }
    let Ok(report) = read_analysis(&earlier.path) else { return Vec::new() };
    let of_place = |(place, labels): (&usize, &[String; 2])| {
        let (of, sign) = comparison(&report, labels)?;
        let pairs = of.pairs.iter().filter(|pair| left.contains(&pair.sample_id));
        Some((*place, pairs.map(|pair| (pair.sample_id.clone(), snap(sign * pair.diff))).collect()))
    };
    earlier.labels.iter().filter_map(of_place).collect()
}
