//! From failed results to clusters, in a fixed order: no answer, by class; then the same set of failing checks on several
//! samples; then, of the rest, alike answers; then one failing check in common; then the same
//! types of checks.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use eval_analysis::grouping::{Signature, folded, groups, jaccard, shingles};
use eval_analysis::measure::count;
use eval_format::Report;
use eval_message::plain::clip;
use rayon::prelude::*;

use super::read::{Failed, FailureCause, FailureFacts};
use super::{ALIKE, CLUSTERS, ClusterMove, ClusteredBy, FailingCheck, FailureCluster, FailureClusters, FailureExample};

/// Checks and samples that a cluster lists, and answers that it shows.
const CHECKS: usize = 10;
const SAMPLES: usize = 20;
const EXAMPLES: usize = 3;
/// Columns of a label and of an answer.
const LABEL: usize = 80;
const OUTPUT: usize = 400;

/// Results with something in common, by their places.
struct Group {
    by: ClusteredBy,
    members: Vec<usize>,
}

pub(super) fn clusters(report: &Report<FailureFacts>, variant: Option<&str>) -> FailureClusters {
    let facts = &report.results;
    let threshold = report.meta.settings.threshold;
    let is_asked_for = |name: &str| variant.is_none_or(|variant| variant == name);
    let causes: Vec<Option<Cause>> = facts
        .failed
        .iter()
        .map(|failed| Cause::of(failed, threshold).filter(|_| is_asked_for(&failed.variant)))
        .collect();
    let failed = causes.iter().flatten().count();
    let mut found = grouped(facts, &causes);
    found.sort_by_key(|group| (std::cmp::Reverse(group.members.len()), group.by, group.members[0]));
    let tallies: Vec<_> =
        facts.tallies.iter().filter(|(name, _)| is_asked_for(name)).map(|(_, tally)| *tally).collect();
    let context = ClusterContext { facts, causes: &causes, variants: &report.meta.variants, variant, failed };
    // results judged below full marks but not under the threshold have no failing check and may have no score
    let passed_after_all =
        facts.failed.iter().zip(&causes).filter(|(of, cause)| cause.is_none() && is_asked_for(&of.variant));
    let unscored_after_all = passed_after_all.filter(|(of, _)| of.composite.is_none()).count();
    FailureClusters {
        id: report.id.clone(),
        variant: variant.map(str::to_owned),
        threshold,
        alike_from: ALIKE,
        results: tallies.iter().map(|tally| tally.results).sum(),
        failed: count(failed),
        unscored: tallies.iter().map(|tally| tally.unscored).sum::<u64>() + count(unscored_after_all),
        not_run: tallies.iter().map(|tally| tally.not_run).sum(),
        not_needed: tallies.iter().map(|tally| tally.not_needed).sum(),
        tripwires: tallies.iter().map(|tally| tally.tripwires).sum(),
        held_out: tallies.iter().map(|tally| tally.held_out).sum(),
        beyond: tallies.iter().map(|tally| tally.beyond).sum(),
        total_clusters: count(found.len()),
        clusters: found.iter().take(CLUSTERS).map(|group| context.cluster(group)).collect(),
        labels: None,
    }
}

/// The cause of a failed result.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Cause {
    NoAnswer(String),
    /// Places of checks, ascending.
    Checks(Vec<usize>),
}

impl Cause {
    fn of(failed: &Failed, threshold: f64) -> Option<Cause> {
        match &failed.why {
            FailureCause::NoAnswer(class) => Some(Cause::NoAnswer(class.clone())),
            FailureCause::Checks { failed, judged } => {
                let low = judged.iter().filter(|(_, score)| *score < threshold).map(|(question, _)| *question);
                let all: BTreeSet<usize> = failed.iter().copied().chain(low).collect();
                (!all.is_empty()).then(|| Cause::Checks(all.into_iter().collect()))
            }
        }
    }
}

fn grouped(facts: &FailureFacts, causes: &[Option<Cause>]) -> Vec<Group> {
    let mut same: BTreeMap<&Cause, Vec<usize>> = BTreeMap::new();
    for (place, cause) in causes.iter().enumerate() {
        if let Some(cause) = cause {
            same.entry(cause).or_default().push(place);
        }
    }
    let (mut found, mut left) = (Vec::new(), Vec::new());
    for (cause, members) in same {
        match cause {
            Cause::NoAnswer(_) => found.push(Group { by: ClusteredBy::Failure, members }),
            Cause::Checks(_) if is_of_several_samples(facts, &members) => {
                found.push(Group { by: ClusteredBy::Checks, members });
            }
            Cause::Checks(_) => left.extend(members),
        }
    }
    left.sort_unstable();
    let same_words = alike(facts, &left).into_iter().filter(|members| is_of_several_samples(facts, members));
    let same_words: Vec<Vec<usize>> = same_words.collect();
    let taken: HashSet<usize> = same_words.iter().flatten().copied().collect();
    left.retain(|place| !taken.contains(place));
    found.extend(same_words.into_iter().map(|members| Group { by: ClusteredBy::Outputs, members }));
    let (shared, left) = by_shared_check(facts, causes, &left);
    found.extend(shared);
    found.extend(by_types(facts, causes, &left));
    found
}

/// Of the rest, the results with a failing check in common: each goes to the one of its checks that fails most often,
/// if that is on several samples. The others are returned.
fn by_shared_check(facts: &FailureFacts, causes: &[Option<Cause>], left: &[usize]) -> (Vec<Group>, Vec<usize>) {
    let checks_of = |place: usize| match &causes[place] {
        Some(Cause::Checks(checks)) => checks.as_slice(),
        Some(Cause::NoAnswer(_)) | None => &[],
    };
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    left.iter().flat_map(|&place| checks_of(place)).for_each(|&check| *counts.entry(check).or_default() += 1);
    let mut sharing: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for &place in left {
        let most = checks_of(place).iter().max_by_key(|check| (counts[check], std::cmp::Reverse(**check)));
        if let Some(&check) = most {
            sharing.entry(check).or_default().push(place);
        }
    }
    let (shared, alone): (Vec<_>, Vec<_>) =
        sharing.into_values().partition(|members| is_of_several_samples(facts, members));
    let mut left: Vec<usize> = alone.into_iter().flatten().collect();
    left.sort_unstable();
    (shared.into_iter().map(|members| Group { by: ClusteredBy::Check, members }).collect(), left)
}

fn is_of_several_samples(facts: &FailureFacts, members: &[usize]) -> bool {
    members.iter().any(|&place| facts.failed[place].sample != facts.failed[members[0]].sample)
}

/// Groups of alike answers among `places`, each ascending.
fn alike(facts: &FailureFacts, places: &[usize]) -> Vec<Vec<usize>> {
    let text = |at: usize| shingles(&folded(&facts.failed[places[at]].excerpt), 0);
    let signatures: Vec<Option<Signature>> = (0..places.len())
        .into_par_iter()
        .map(|at| {
            let shingles = text(at);
            (!shingles.is_empty()).then(|| Signature::of(&shingles))
        })
        .collect();
    let found = groups(&signatures, ALIKE, &|a, b| jaccard(&text(a), &text(b)));
    found.into_iter().map(|group| group.places.into_iter().map(|at| places[at]).collect()).collect()
}

/// The rest, by the types of the failing checks.
fn by_types(facts: &FailureFacts, causes: &[Option<Cause>], left: &[usize]) -> Vec<Group> {
    let mut same: BTreeMap<BTreeSet<&str>, Vec<usize>> = BTreeMap::new();
    for &place in left {
        let Some(Cause::Checks(checks)) = &causes[place] else { continue };
        let types = checks.iter().map(|&check| facts.checks.names[check].0.as_str()).collect();
        same.entry(types).or_default().push(place);
    }
    same.into_values().map(|members| Group { by: ClusteredBy::Types, members }).collect()
}

/// The data that clusters are described from.
struct ClusterContext<'a> {
    facts: &'a FailureFacts,
    causes: &'a [Option<Cause>],
    /// All of the report's, the control first.
    variants: &'a [String],
    variant: Option<&'a str>,
    failed: usize,
}

impl ClusterContext<'_> {
    #[expect(clippy::cast_precision_loss, reason = "counts of results")]
    fn cluster(&self, group: &Group) -> FailureCluster {
        let members = &group.members;
        let samples: BTreeSet<usize> = members.iter().map(|&place| self.facts.failed[place].sample).collect();
        let (checks, total_checks) = self.checks(members);
        let alike = alike(self.facts, members).into_iter().max_by_key(|same| (same.len(), std::cmp::Reverse(same[0])));
        let is_alike = |place: usize| alike.as_ref().is_some_and(|same| same.binary_search(&place).is_ok());
        // the most common answer first; then others
        let first = alike.as_ref().map_or(members[0], |same| same[0]);
        let others = members.iter().copied().filter(|place| *place != first && !is_alike(*place));
        let examples = std::iter::once(first).chain(others).take(EXAMPLES);
        FailureCluster {
            by: group.by,
            count: count(members.len()),
            share: (members.len() as f64 / self.failed.max(1) as f64 * 1e4).round() / 1e4,
            checks,
            total_checks,
            types: self.types(members),
            sample_ids: samples.iter().take(SAMPLES).map(|&sample| self.facts.samples[sample].clone()).collect(),
            samples: count(samples.len()),
            variants: self.by_variant(members),
            compared: self.compared(members),
            alike: alike.as_ref().map_or(0, |same| count(same.len())),
            examples: examples.map(|place| self.example(place)).collect(),
            label: None,
            label_missing: None,
        }
    }

    /// The failing checks, the most frequent first; equally frequent ones in the order in which the report names them.
    fn checks(&self, members: &[usize]) -> (Vec<FailingCheck>, u64) {
        let mut counts: BTreeMap<usize, u64> = BTreeMap::new();
        let mut class = None;
        for &place in members {
            match &self.causes[place] {
                Some(Cause::Checks(checks)) => checks.iter().for_each(|&check| *counts.entry(check).or_default() += 1),
                Some(Cause::NoAnswer(of)) => class = Some(of),
                None => {}
            }
        }
        if let Some(class) = class {
            return (vec![FailingCheck { label: clip(class, LABEL), count: count(members.len()) }], 1);
        }
        let total = count(counts.len());
        let mut counts: Vec<(usize, u64)> = counts.into_iter().collect();
        counts.sort_by_key(|(check, count)| (std::cmp::Reverse(*count), *check));
        let check = |(check, count): (usize, u64)| FailingCheck {
            label: clip(&self.facts.checks.names[check].1, LABEL),
            count,
        };
        (counts.into_iter().take(CHECKS).map(check).collect(), total)
    }

    fn types(&self, members: &[usize]) -> Vec<String> {
        let checks = members.iter().flat_map(|&place| match &self.causes[place] {
            Some(Cause::Checks(checks)) => checks.as_slice(),
            Some(Cause::NoAnswer(_)) | None => &[],
        });
        let types: BTreeSet<&str> = checks.map(|&check| self.facts.checks.names[check].0.as_str()).collect();
        types.into_iter().take(CHECKS).map(|kind| clip(kind, LABEL)).collect()
    }

    fn by_variant(&self, members: &[usize]) -> BTreeMap<String, u64> {
        let asked_for = self.variants.iter().filter(|name| self.variant.is_none_or(|variant| variant == *name));
        let mut counts: BTreeMap<String, u64> = asked_for.map(|name| (name.clone(), 0)).collect();
        for &place in members {
            *counts.entry(self.facts.failed[place].variant.clone()).or_default() += 1;
        }
        counts
    }

    /// Nothing when one variant alone is looked at.
    fn compared(&self, members: &[usize]) -> Vec<ClusterMove> {
        let Some((control, treatments)) = self.variants.split_first().filter(|_| self.variant.is_none()) else {
            return Vec::new();
        };
        treatments.iter().map(|treatment| self.moved(members, control, treatment)).collect()
    }

    fn moved(&self, members: &[usize], control: &String, treatment: &String) -> ClusterMove {
        let (mut new, mut fixed, mut common) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for &place in members {
            let failed = &self.facts.failed[place];
            let (other, changed) = match &failed.variant {
                variant if variant == treatment => (control, &mut new),
                variant if variant == control => (treatment, &mut fixed),
                _ => continue,
            };
            match self.is_shared(place, other) {
                Some(true) => common.insert(failed.sample),
                Some(false) => changed.insert(failed.sample),
                None => continue,
            };
        }
        let moved = |samples: BTreeSet<usize>| count(samples.len());
        ClusterMove { treatment: treatment.clone(), new: moved(new), fixed: moved(fixed), common: moved(common) }
    }

    /// Whether every check that failed in a result failed for another variant too, on the same sample: failing fewer checks
    /// is not worse. `None` when unknown, since one of the two has no answer or no score.
    fn is_shared(&self, place: usize, other: &str) -> Option<bool> {
        let sample = self.facts.failed[place].sample;
        if self.facts.open.contains(&(sample, other.to_owned())) {
            return None;
        }
        // results of a sample stand side by side
        let is_other = |at: &usize| self.facts.failed[*at].variant == other;
        let first = self.facts.failed.partition_point(|failed| failed.sample < sample);
        let beside = (first..self.facts.failed.len()).take_while(|at| self.facts.failed[*at].sample == sample);
        let theirs = beside.into_iter().find(is_other).and_then(|at| self.causes[at].as_ref());
        match (&self.causes[place], theirs) {
            (_, None) => Some(false),
            (Some(Cause::NoAnswer(mine)), Some(Cause::NoAnswer(theirs))) => Some(mine == theirs),
            (Some(Cause::Checks(mine)), Some(Cause::Checks(theirs))) => {
                Some(mine.iter().all(|check| theirs.binary_search(check).is_ok()))
            }
            (Some(Cause::NoAnswer(_)), Some(Cause::Checks(_))) => Some(false),
            _ => None,
        }
    }

    fn example(&self, place: usize) -> FailureExample {
        let failed = &self.facts.failed[place];
        FailureExample {
            sample_id: self.facts.samples[failed.sample].clone(),
            variant: failed.variant.clone(),
            output: clip(&failed.excerpt, OUTPUT),
        }
    }
}
