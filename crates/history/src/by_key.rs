//! The scores of a report by a key of its samples, such as their capability.
//!
//! Nothing is decided here but what the report says: means are those of its results, and an interval stands where the report
//! has one, for capabilities.

use std::collections::{BTreeMap, HashMap, HashSet};

use eval_analysis::grouping::folded;
use eval_analysis::measure::{Clusters, Counting, average, count, snap};
use eval_format::{Ci, Comparison, PartDifference};
use eval_spec::sample::{Difficulty, Provenance};

use crate::diff::{SlimReport, SlimSample};

/// What samples can be grouped by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the keys in a sample file")]
pub enum GroupingKey {
    Capability,
    Difficulty,
    Construct,
    Provenance,
    Cluster,
}

impl GroupingKey {
    /// The keys as people write them.
    pub const WORDS: &'static [&'static str] = &["capability", "difficulty", "construct", "provenance", "cluster"];

    const ALL: [GroupingKey; 5] = [
        GroupingKey::Capability,
        GroupingKey::Difficulty,
        GroupingKey::Construct,
        GroupingKey::Provenance,
        GroupingKey::Cluster,
    ];

    /// The key of that name.
    #[must_use]
    pub fn named(word: &str) -> Option<GroupingKey> {
        GroupingKey::ALL.into_iter().find(|key| key.name() == word)
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        GroupingKey::WORDS[self as usize]
    }
}

/// The scores of a report, grouped.
#[derive(Clone, Debug)]
pub struct GroupedScores {
    /// The key.
    pub key: GroupingKey,
    /// The variants, the control first.
    pub variants: Vec<String>,
    /// Each value of the key, in order; last the samples that have none.
    pub groups: Vec<GroupOfScores>,
}

/// The samples with one value of the key.
#[derive(Clone, Debug)]
pub struct GroupOfScores {
    /// The value; `None` where samples have none.
    pub value: Option<String>,
    /// Samples; tripwires and what a run beyond its decision reached are none.
    pub samples: u64,
    /// How many tasks these are: the samples of a cluster are one.
    pub tasks: u64,
    /// The mean composite of each variant over the tasks that have one, in points. A group of held-out samples alone has
    /// none: tuning on it would spoil them.
    pub means: Vec<Option<f64>>,
    /// Each treatment against the control.
    pub differences: Vec<GroupDifference>,
}

/// Treatment − control over the samples of a group.
#[derive(Clone, Copy, Debug)]
pub struct GroupDifference {
    /// The tasks that are pairs.
    pub n: u64,
    /// The mean difference over them, in points.
    pub mean: Option<f64>,
    /// Its interval, where the report has one: for capabilities with at least six tasks, for all of them at once.
    pub ci: Option<Ci>,
}

/// The scores of a report by `key`. A sample with several capabilities is in the group of each.
#[must_use]
pub fn by_key(report: &SlimReport, key: GroupingKey) -> GroupedScores {
    let counting = Counting::of(report);
    let is_counted = |of: &&SlimSample| !of.tripwire && !counting.is_beyond(&of.sample_id);
    let samples: Vec<&SlimSample> = report.results.iter().filter(is_counted).collect();
    let scored = ScoredSamples::new(report, &samples, key);
    let groups = groups(&samples, key).into_iter().map(|(value, places)| scored.group(value, &places));
    GroupedScores { key, variants: report.meta.variants.clone(), groups: groups.collect() }
}

/// The places of the samples with each value.
fn groups(samples: &[&SlimSample], key: GroupingKey) -> Vec<(Option<String>, Vec<usize>)> {
    let (mut named, mut without) = (BTreeMap::<GroupOrder, (String, Vec<usize>)>::new(), Vec::new());
    for (place, sample) in samples.iter().enumerate() {
        let values = values(sample, key);
        if values.is_empty() {
            without.push(place);
        }
        for (order, value) in values {
            let places = &mut named.entry(order).or_insert_with(|| (value, Vec::new())).1;
            if places.last() != Some(&place) {
                places.push(place);
            }
        }
    }
    let rest = (!without.is_empty() && !named.is_empty()).then_some((None, without));
    named.into_values().map(|(value, places)| (Some(value), places)).chain(rest).collect()
}

/// What groups are sorted by: their rank, then their name. Groups of the same order are the same.
type GroupOrder = (usize, String);

/// The values of a sample. As everywhere, a capability written in another case is the same one.
fn values(sample: &SlimSample, key: GroupingKey) -> Vec<(GroupOrder, String)> {
    let written = |value: &str| ((0, value.to_owned()), value.to_owned());
    match key {
        GroupingKey::Capability => sample.capability.iter().map(|name| ((0, folded(name)), name.clone())).collect(),
        GroupingKey::Difficulty => sample.difficulty.map(difficulty).into_iter().collect(),
        GroupingKey::Construct => sample.construct.as_deref().map(written).into_iter().collect(),
        GroupingKey::Provenance => sample.provenance.map(|of| written(provenance(of))).into_iter().collect(),
        GroupingKey::Cluster => sample.cluster.as_deref().map(written).into_iter().collect(),
    }
}

/// The easy ones first.
fn difficulty(of: Difficulty) -> (GroupOrder, String) {
    let (rank, name) = match of {
        Difficulty::Easy => (0, "easy"),
        Difficulty::Medium => (1, "medium"),
        Difficulty::Hard => (2, "hard"),
    };
    ((rank, name.to_owned()), name.to_owned())
}

fn provenance(of: Provenance) -> &'static str {
    match of {
        Provenance::Human => "human",
        Provenance::LlmGenerated => "llm-generated",
        Provenance::ProductionTrace => "production-trace",
    }
}

/// The scores of the samples that count.
struct ScoredSamples<'r> {
    tasks: Clusters,
    held_out: Vec<bool>,
    /// The composites of each variant.
    scores: Vec<Vec<Option<f64>>>,
    /// The differences of each comparison, for its pairs.
    differences: Vec<Vec<Option<f64>>>,
    /// What each comparison says of capabilities, by their folded names; of another key nothing.
    stored: Vec<HashMap<String, &'r PartDifference>>,
}

impl<'r> ScoredSamples<'r> {
    fn new(report: &'r SlimReport, samples: &[&SlimSample], key: GroupingKey) -> ScoredSamples<'r> {
        let score = |sample: &SlimSample, variant: &str| sample.variants.get(variant)?.composite();
        let scores =
            |variant: &String| -> Vec<Option<f64>> { samples.iter().map(|sample| score(sample, variant)).collect() };
        let differences = |of: &Comparison| {
            let left_out: HashSet<&str> = of.excluded.iter().map(|one| one.sample_id.as_str()).collect();
            let difference = |sample: &&SlimSample| {
                let (control, treatment) = (score(sample, &of.control)?, score(sample, &of.treatment)?);
                (!left_out.contains(sample.sample_id.as_str())).then(|| snap(treatment - control))
            };
            samples.iter().map(difference).collect()
        };
        ScoredSamples {
            tasks: Clusters::named(samples.iter().map(|sample| sample.cluster.as_deref())),
            held_out: samples.iter().map(|sample| sample.holdout).collect(),
            scores: report.meta.variants.iter().map(scores).collect(),
            differences: report.comparisons.iter().map(differences).collect(),
            stored: report.comparisons.iter().map(|of| stored(of, key)).collect(),
        }
    }

    fn group(&self, value: Option<String>, places: &[usize]) -> GroupOfScores {
        let folded_name = value.as_ref().map(|name| folded(name));
        let difference = |(column, of): (&Vec<Option<f64>>, &HashMap<String, &PartDifference>)| {
            let stored = folded_name.as_ref().and_then(|name| of.get(name));
            let values = self.of_tasks(column, places);
            GroupDifference {
                n: count(values.len()),
                mean: average(&values),
                ci: stored.and_then(|stored| stored.diff.as_ref()?.ci),
            }
        };
        GroupOfScores {
            samples: count(places.len()),
            tasks: count(self.tasks.count(places.iter().copied())),
            means: self.scores.iter().map(|column| average(&self.of_tasks(column, places))).collect(),
            differences: self.differences.iter().zip(&self.stored).map(difference).collect(),
            value,
        }
    }

    /// One number for each task among these samples.
    fn of_tasks(&self, column: &[Option<f64>], places: &[usize]) -> Vec<f64> {
        if places.iter().all(|&place| self.held_out[place]) {
            return Vec::new();
        }
        self.tasks.tasks_of(places, column).into_iter().map(|(_, value)| value).collect()
    }
}

/// What the report says of capabilities, where these are asked for; the first of a name.
fn stored(of: &Comparison, key: GroupingKey) -> HashMap<String, &PartDifference> {
    let asked = of.capabilities.iter().filter(|_| key == GroupingKey::Capability);
    asked.rev().map(|one| (folded(&one.name), one)).collect()
}
