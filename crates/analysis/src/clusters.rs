//! Samples that are one task: near-duplicates, and samples with the same `cluster`. Their scores are averaged as repeats
//! are, and every rule counts the cluster once; counted each for itself, copies would narrow every interval.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use eval_format::Cluster;
use eval_spec::Suite;

use crate::likeness::{Forest, SimilarTexts};
use crate::numbers::average;
use crate::quality::AlikeSamples;

/// Which samples are one task. Tripwires and samples of their own are in no cluster.
#[derive(Clone, Debug, Default)]
pub struct Clusters {
    all: Vec<TaskCluster>,
    /// For each sample, the place of its cluster in `all`.
    of: Vec<Option<usize>>,
}

/// Two or more samples that are one task.
#[derive(Clone, Debug)]
struct TaskCluster {
    name: String,
    /// Ascending.
    samples: Vec<usize>,
}

impl Clusters {
    /// The clusters of a suite: samples with the same `cluster`, joined with the groups of near-duplicates.
    pub(crate) fn new(suite: &Suite, near_duplicates: &[SimilarTexts]) -> Clusters {
        let mut forest = Forest::new(suite.samples.len());
        let mut join = |places: &[usize]| places.iter().for_each(|&place| forest.join(places[0], place, 1.0));
        declared(suite).values().for_each(|places| join(places));
        near_duplicates.iter().for_each(|group| join(&group.places));
        let names = ClusterNames::of(suite);
        let cluster = |group: SimilarTexts| TaskCluster { name: names.name(&group.places), samples: group.places };
        Clusters::of_samples(suite.samples.len(), forest.groups().into_iter().map(cluster).collect())
    }

    fn of_samples(samples: usize, all: Vec<TaskCluster>) -> Clusters {
        let mut of = vec![None; samples];
        for (place, cluster) in all.iter().enumerate() {
            cluster.samples.iter().for_each(|&sample| of[sample] = Some(place));
        }
        Clusters { all, of }
    }

    /// The clusters of columns with a place per sample, of which `names` gives the cluster; places without a name are tasks
    /// of their own. For samples out of stored reports, whose clusters the reports name.
    #[must_use]
    pub fn named<N: Ord>(names: impl ExactSizeIterator<Item = Option<N>>) -> Clusters {
        let samples = names.len();
        let mut named: BTreeMap<N, Vec<usize>> = BTreeMap::new();
        for (place, name) in names.enumerate() {
            if let Some(name) = name {
                named.entry(name).or_default().push(place);
            }
        }
        let cluster = |samples: Vec<usize>| TaskCluster { name: String::new(), samples };
        Clusters::of_samples(samples, named.into_values().map(cluster).collect())
    }

    /// The clusters that the samples name, and no others.
    #[must_use]
    pub fn declared(suite: &Suite) -> Clusters {
        Clusters::new(suite, &[])
    }

    /// The name of a sample's cluster; its own id where it is in none.
    pub(crate) fn name<'a>(&'a self, suite: &'a Suite, sample: usize) -> &'a str {
        let cluster = self.of.get(sample).copied().flatten();
        cluster.map_or(&suite.samples[sample].id, |cluster| &self.all[cluster].name)
    }

    /// One number for each task: a sample's own, or the mean of its cluster's, which stands at the first sample of the
    /// cluster, whichever has one, so that a task has the same place in every column.
    #[must_use]
    pub fn tasks(&self, column: &[Option<f64>]) -> Vec<Option<f64>> {
        let mut tasks = column.to_vec();
        for cluster in &self.all {
            let known: Vec<usize> = cluster.samples.iter().copied().filter(|&at| known(column, at).is_some()).collect();
            known.iter().for_each(|&at| tasks[at] = None);
            if let (Some(&first), false) = (cluster.samples.first(), known.is_empty()) {
                tasks[first] = average(&known.iter().filter_map(|&at| column[at]).collect::<Vec<_>>());
            }
        }
        tasks
    }

    /// [`Clusters::tasks`] of these samples alone, which ascend: each number, with the place where it stands.
    #[must_use]
    pub fn tasks_of(&self, samples: &[usize], column: &[Option<f64>]) -> Vec<(usize, f64)> {
        let (mut tasks, mut shared) = (Vec::new(), BTreeMap::<usize, Vec<f64>>::new());
        for (sample, value) in samples.iter().filter_map(|&sample| Some((sample, known(column, sample)?))) {
            match self.of.get(sample).copied().flatten() {
                Some(cluster) => shared.entry(self.all[cluster].samples[0]).or_default().push(value),
                None => tasks.push((sample, value)),
            }
        }
        tasks.extend(shared.into_iter().filter_map(|(first, values)| Some((first, average(&values)?))));
        tasks.sort_unstable_by_key(|(sample, _)| *sample);
        tasks
    }

    /// The samples of a task: those of the cluster that `sample` is in; none where it is a task by itself.
    pub(crate) fn of_task(&self, sample: usize) -> &[usize] {
        self.of.get(sample).copied().flatten().map_or(&[], |cluster| &self.all[cluster].samples)
    }

    /// Whether each sample is a task of its own.
    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// How many tasks these samples are.
    pub fn count(&self, samples: impl Iterator<Item = usize>) -> usize {
        let mut seen = HashSet::new();
        samples
            .filter(|sample| self.of.get(*sample).copied().flatten().is_none_or(|cluster| seen.insert(cluster)))
            .count()
    }

    /// The clusters, as a report lists them.
    pub(crate) fn block(&self, suite: &Suite) -> Vec<Cluster> {
        let id = |&sample: &usize| suite.samples[sample].id.clone();
        let block = |of: &TaskCluster| Cluster { name: of.name.clone(), samples: of.samples.iter().map(id).collect() };
        self.all.iter().map(block).collect()
    }
}

/// For each sample, the first one of its task: itself, where it is alone.
#[must_use]
pub fn task_heads(suite: &Suite, alike: &AlikeSamples) -> Vec<usize> {
    let clusters = Clusters::new(suite, &alike.0);
    let head = |sample: usize| clusters.of[sample].map_or(sample, |cluster| clusters.all[cluster].samples[0]);
    (0..suite.samples.len()).map(head).collect()
}

/// Tasks in the order in which samples come: a cluster comes with the last of its samples.
#[derive(Debug)]
pub(crate) struct TasksInOrder {
    clusters: Clusters,
    /// For each cluster, how many of its samples are still to come.
    waiting: Vec<usize>,
}

impl TasksInOrder {
    pub(crate) fn new(clusters: Clusters) -> TasksInOrder {
        let waiting = clusters.all.iter().map(|cluster| cluster.samples.len()).collect();
        TasksInOrder { clusters, waiting }
    }

    /// The samples of the task that this one completes; none while it waits for others. Each sample comes once.
    pub(crate) fn completed_by(&mut self, sample: usize) -> Vec<usize> {
        let Some(cluster) = self.clusters.of.get(sample).copied().flatten() else { return vec![sample] };
        self.waiting[cluster] -= 1;
        if self.waiting[cluster] == 0 { self.clusters.all[cluster].samples.clone() } else { Vec::new() }
    }
}

fn known(column: &[Option<f64>], sample: usize) -> Option<f64> {
    column.get(sample).copied().flatten()
}

/// Samples by the `cluster` they name.
fn declared(suite: &Suite) -> BTreeMap<&str, Vec<usize>> {
    let mut declared: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (place, sample) in suite.samples.iter().enumerate().filter(|(_, sample)| !sample.tripwire) {
        if let Some(name) = &sample.metadata.cluster {
            declared.entry(name).or_default().push(place);
        }
    }
    declared
}

/// Names for clusters that no other cluster and no other sample's `cluster` has: a report stores the name alone, so that
/// equal names would be one cluster to whoever reads it.
struct ClusterNames<'a> {
    suite: &'a Suite,
    declared: BTreeSet<&'a str>,
}

impl<'a> ClusterNames<'a> {
    fn of(suite: &'a Suite) -> ClusterNames<'a> {
        let declared = suite.samples.iter().filter_map(|sample| sample.metadata.cluster.as_deref()).collect();
        ClusterNames { suite, declared }
    }

    /// The first name that a sample gives, else the first id; first in the alphabet, so that the order of the file doesn't
    /// matter. Ids that samples elsewhere have as the name of their cluster are passed over.
    fn name(&self, samples: &[usize]) -> String {
        let of = || samples.iter().map(|&sample| &self.suite.samples[sample]);
        if let Some(name) = of().filter_map(|sample| sample.metadata.cluster.as_deref()).min() {
            return name.to_owned();
        }
        let is_free = |name: &&str| !self.declared.contains(name);
        let free = of().map(|sample| sample.id.as_str()).filter(is_free).min();
        free.map_or_else(
            || self.numbered(of().map(|sample| sample.id.as_str()).min().unwrap_or_default()),
            str::to_owned,
        )
    }

    /// An id with the first number that makes it nobody's name.
    fn numbered(&self, id: &str) -> String {
        let is_taken =
            |name: &str| self.declared.contains(name) || self.suite.samples.iter().any(|sample| sample.id == name);
        let names = (2_usize..).map(|number| format!("{id} ({number})"));
        names.into_iter().find(|name| !is_taken(name)).unwrap_or_default()
    }
}
