//! Looks that nobody planned: earlier reports of the same two artifacts on samples like these.

use std::collections::{BTreeMap, BTreeSet};

use eval_format::{LeftInputs, LookInputs, POINTS, SampleDifference};
use eval_spec::hash::short_hash;
use eval_spec::record::{EarlierLook, EarlierTreatment};

use crate::grid::Grid;
use crate::numbers::{average, count, snap};
use crate::pairs::Pairs;
use crate::summary::LOWEST;

/// The digits of a hash over scores.
const DIGITS: usize = 12;

/// 12 hex digits of SHA-256 over a variant's scores by sample and repeat, how much it is preferred to the control, and what samples count
/// as, for each variant.
pub(crate) fn scores_hashes(grid: &Grid) -> Vec<String> {
    let of_sample = |variant: usize, sample: usize| {
        let points: Vec<Option<f64>> = grid.of(sample, variant).map(|cell| cell.composite.points()).collect();
        let written = points.iter().map(|points| points.map_or_else(|| "-".to_owned(), |points| written(grid, points)));
        // a case that a file lacks in an arm is one without a score there, however it is read
        let scores = match points.iter().any(Option::is_some) {
            true => written.collect::<Vec<_>>().join(" "),
            false => "-".to_owned(),
        };
        let of = &grid.suite.samples[sample];
        let counts_as = (grid.clusters.name(grid.suite, sample), &of.metadata.capability);
        let preferred = grid.preferences.get(&(sample, variant)).map_or_else(String::new, |all| format!("\0{all:?}"));
        format!("{}\0{}{preferred}\0{counts_as:?}\n", of.id, scores)
    };
    let of_variant = |variant: usize| {
        let mut lines: Vec<String> = grid.samples().map(|sample| of_sample(variant, sample)).collect();
        lines.sort_unstable();
        short_hash(lines.concat().as_bytes(), DIGITS)
    };
    (0..grid.suite.variants.len()).map(of_variant).collect()
}

/// Writes a score so that it is the same whatever scale another tool's scores are declared to be on.
fn written(grid: &Grid, points: f64) -> String {
    const DIGITS: f64 = 1e6;
    let Some([worst, best]) = grid.scale else { return snap(points).to_string() };
    let score = worst + (points - LOWEST) / POINTS * (best - worst);
    ((LOWEST + POINTS * score) * DIGITS).round().to_string()
}

/// The looks before this one. Whoever reads the very scores of an earlier report again takes no further look: only what came
/// before that report counts. `hashes` are those of this run's scores.
pub(crate) fn before<'e>(earlier: &'e [EarlierLook], hashes: &[String]) -> &'e [EarlierLook] {
    let end = earlier.iter().position(|look| has_scores(look, hashes)).unwrap_or(earlier.len());
    &earlier[..end]
}

/// Whether the scores of a look are those of a run with these hashes.
pub(super) fn has_scores(look: &EarlierLook, hashes: &[String]) -> bool {
    let is_same = |(place, of): (&usize, &EarlierTreatment)| {
        hashes.first() == Some(&of.scores[0]) && hashes.get(*place) == Some(&of.scores[1])
    };
    // another treatment of this run may have new scores
    look.treatments.len() + 1 == hashes.len() && look.treatments.iter().all(is_same)
}

/// The looks without runs of a variant alone, unless this run has the scores of one of them: it was chosen among them. `hashes` are
/// those of this run's scores.
pub(crate) fn chosen(earlier: &[EarlierLook], hashes: &[String]) -> Vec<EarlierLook> {
    let is_this = |(place, of): (&usize, &EarlierTreatment)| hashes.get(*place) == Some(&of.scores[1]);
    let is_chosen = |place: &usize| {
        let alone = earlier.iter().filter(|look| look.alone);
        alone.filter_map(|look| look.treatments.get_key_value(place)).any(is_this)
    };
    let of_others = |look: &EarlierLook| {
        let is_other = |of: &(&usize, &EarlierTreatment)| is_chosen(of.0) && !is_this(*of);
        let treatments = look.treatments.iter().filter(is_other).map(|(place, of)| (*place, of.clone())).collect();
        EarlierLook { treatments, alone: false, ..look.clone() }
    };
    let counted = earlier.iter().map(|look| if look.alone { of_others(look) } else { look.clone() });
    counted.filter(|look| !look.treatments.is_empty()).collect()
}

/// The looks as this run's scores show them, where their own decide how they count. `pairs` are this run's, treatment by treatment.
///
/// - One that ended early is none where its very scores are in this run, which goes on with it.
/// - Results of another tool are known only by the names of their arms: they were looked at before where nine tenths of the scores
///   are the same.
/// - A set that changed by a tenth at most has grown or was cut where all other scores are the same, and was asked anew where not.
pub(crate) fn by_scores(before: &[EarlierLook], is_imported: bool, grid: &Grid, pairs: &[Pairs]) -> Vec<EarlierLook> {
    let ids = || grid.suite.samples.iter().map(|sample| sample.id.as_str());
    let of_place = |pairs: &Pairs| -> BTreeMap<String, [f64; 2]> {
        let scores = pairs.control.iter().zip(&pairs.treatment).zip(&pairs.diffs);
        let scores = scores.map(|((control, treated), diff)| diff.and(control.zip(*treated)));
        ids().zip(scores).filter_map(|(id, of)| of.map(|(c, t)| (id.to_owned(), [snap(c), snap(t)]))).collect()
    };
    let own: Vec<BTreeMap<String, [f64; 2]>> = pairs.iter().map(of_place).collect();
    let counted = |look: &EarlierLook| {
        let (mut all, mut shared, mut same) = (0, 0, 0);
        for (place, of) in &look.treatments {
            let Some(own) = place.checked_sub(1).and_then(|place| own.get(place)) else { continue };
            for (id, scores) in &of.pairs {
                all += 1;
                shared += usize::from(own.contains_key(id));
                same += usize::from(own.get(id) == Some(scores));
            }
        }
        if look.ended_early && all > 0 && same == all {
            return None;
        }
        let is_known = !is_imported || (shared > 0 && 10 * same >= 9 * shared);
        let is_asked_anew = all == 0 || same < shared;
        is_known.then(|| EarlierLook { same_samples: look.same_samples && is_asked_anew, ..look.clone() })
    };
    before.iter().filter_map(counted).collect()
}

/// What the verdict reads of them: the most of any treatment. `None` for the first look.
pub(crate) fn inputs(before: &[EarlierLook]) -> Option<LookInputs> {
    let before: Vec<&EarlierLook> = before.iter().filter(|look| !look.alone).collect();
    let places: BTreeSet<usize> = before.iter().flat_map(|look| look.treatments.keys().copied()).collect();
    let most = |counts: &dyn Fn(&EarlierLook) -> bool| {
        let of_place = |place| before.iter().filter(|look| look.treatments.contains_key(place) && counts(look)).count();
        1 + count(places.iter().map(of_place).max().unwrap_or(0))
    };
    let looks = LookInputs { number: most(&|_| true), same_samples: most(&|look| look.same_samples) };
    (looks.number > 1).then_some(looks)
}

/// The samples that left the set since the first look, or changed, for the treatment at this place with these pairs: the difference
/// as it would be with them, each as it was.
pub(crate) fn left(before: &[EarlierLook], place: usize, pairs: &[SampleDifference]) -> Option<LeftInputs> {
    let left = &before.iter().rev().find_map(|look| look.treatments.get(&place))?.left;
    let unchanged = pairs.iter().filter(|pair| !left.contains_key(&pair.sample_id)).map(|pair| pair.diff);
    let all: Vec<f64> = unchanged.chain(left.values().copied()).collect();
    let mean_with_them = average(&all).filter(|mean| mean.is_finite()).map(snap);
    (!left.is_empty()).then(|| LeftInputs { samples: count(left.len()), mean_with_them })
}
