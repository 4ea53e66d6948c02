//! The comparison of two stored reports of one kind, A before and B after.
//!
//! Reports of `omk` compare variants by their samples, evaluations of callable skills compare skills by their tasks. The
//! common part is here: refuse reports of other items, pair the subjects, join the items, list the settings that changed,
//! and count the items that pass on one side only.

use std::collections::BTreeMap;

use eval_format::ReportError;
use eval_message::{Message, msg};
use eval_stats::mcnemar_exact;
use serde::Serialize;

/// A kind of report that can be compared with another one of its kind.
pub(crate) trait Comparable {
    /// What is compared: a variant or a skill.
    type Subject;
    /// The value of a setting.
    type Value: PartialEq;

    /// The subjects, each with the name that identifies it in another report.
    fn subjects(&self) -> Vec<(&str, &Self::Subject)>;

    /// The settings that numbers depend on beside subjects and items, in an order that is the same in every report.
    fn settings(&self) -> Settings<Self::Value>;

    /// Why A's numbers and B's are of different items; `--force` compares the items that both have.
    fn refusal(&self, b: &Self) -> Option<DiffError>;

    /// The error when no subject is in both reports.
    fn no_pair(&self, b: &Self) -> DiffError;
}

/// Settings by name.
pub(crate) type Settings<V> = Vec<(&'static str, V)>;

/// A subject of A and its counterpart in B.
pub(crate) type SubjectPair<'r, R> = (&'r <R as Comparable>::Subject, &'r <R as Comparable>::Subject);

/// Subjects of one name, in the order of B; where no name is in both and each report has one subject, these two.
pub(crate) fn paired<'r, R: Comparable>(a: &'r R, b: &'r R) -> Result<Vec<SubjectPair<'r, R>>, DiffError> {
    let (of_a, of_b) = (a.subjects(), b.subjects());
    let counterpart = |name: &str| of_a.iter().find(|(other, _)| *other == name).map(|(_, of)| *of);
    let pairs: Vec<SubjectPair<'r, R>> = of_b.iter().filter_map(|(name, of)| Some((counterpart(name)?, *of))).collect();
    match (pairs.is_empty(), of_a.as_slice(), of_b.as_slice()) {
        (false, ..) => Ok(pairs),
        (true, [(_, of_a)], [(_, of_b)]) => Ok(vec![(of_a, of_b)]),
        _ => Err(a.no_pair(b)),
    }
}

/// A setting that differs between two reports.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SettingChange<V> {
    /// The setting, by its name in the report.
    pub what: String,
    /// Its value in A.
    pub a: V,
    /// Its value in B.
    pub b: V,
}

/// The settings whose values differ.
pub(crate) fn changes<V: PartialEq + Clone>(a: &Settings<V>, b: &Settings<V>) -> Vec<SettingChange<V>> {
    let unlike = a.iter().zip(b).filter(|((_, a), (_, b))| a != b);
    unlike.map(|((what, a), (_, b))| SettingChange { what: (*what).to_owned(), a: a.clone(), b: b.clone() }).collect()
}

/// An item of both reports, or of one.
pub(crate) enum Joined<T> {
    Both(T, T),
    OnlyA(T),
    OnlyB(T),
}

/// The items of both reports by id: those of A in the order of their ids, then those that only B has.
pub(crate) fn joined<'r, T>(a: BTreeMap<&'r str, T>, mut b: BTreeMap<&'r str, T>) -> Vec<(&'r str, Joined<T>)> {
    let join = |(id, of_a)| match b.remove(id) {
        Some(of_b) => (id, Joined::Both(of_a, of_b)),
        None => (id, Joined::OnlyA(of_a)),
    };
    let mut all: Vec<(&str, Joined<T>)> = a.into_iter().map(join).collect();
    all.extend(b.into_iter().map(|(id, of)| (id, Joined::OnlyB(of))));
    all
}

/// Items that pass on one side only.
#[derive(Debug)]
pub(crate) struct Flips<T> {
    /// Those that fail in A and pass in B.
    pub(crate) up: Vec<T>,
    /// Those that pass in A and fail in B.
    pub(crate) down: Vec<T>,
}

impl<T> Flips<T> {
    /// McNemar's exact two-sided p-value; 1 without any flip.
    pub(crate) fn mcnemar(&self) -> f64 {
        mcnemar_exact(self.up.len() as u64, self.down.len() as u64)
    }
}

impl<T> FromIterator<(bool, bool, T)> for Flips<T> {
    /// From whether each item passes in A, whether it does in B, and the item.
    fn from_iter<I: IntoIterator<Item = (bool, bool, T)>>(items: I) -> Flips<T> {
        let mut flips = Flips { up: Vec::new(), down: Vec::new() };
        for (in_a, in_b, item) in items {
            match (in_a, in_b) {
                (false, true) => flips.up.push(item),
                (true, false) => flips.down.push(item),
                _ => {}
            }
        }
        flips
    }
}

/// Points with the same key, each group in the given order, the groups in the order of their first points.
pub(crate) fn series<T, K: Ord>(points: Vec<T>, key: impl Fn(&T) -> K) -> Vec<Vec<T>> {
    let mut all: Vec<Vec<T>> = Vec::new();
    let mut places: BTreeMap<K, usize> = BTreeMap::new();
    for point in points {
        let place = *places.entry(key(&point)).or_insert(all.len());
        match all.get_mut(place) {
            Some(series) => series.push(point),
            None => all.push(vec![point]),
        }
    }
    all
}

/// The samples of two reports, by the hash of what their scores depend on.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SampleSets {
    /// Samples that are the same in both.
    pub common: u64,
    /// Samples whose prompt, context, rubric, assertions, mocks or environment differ.
    pub changed: Vec<String>,
    /// Samples that only B has.
    pub added: Vec<String>,
    /// Samples that only A has.
    pub removed: Vec<String>,
}

impl SampleSets {
    /// Whether every sample is the same in both.
    #[must_use]
    pub fn is_same(&self) -> bool {
        self.changed.is_empty() && self.added.is_empty() && self.removed.is_empty()
    }
}

/// Why two reports can't be compared.
#[derive(Debug)]
pub enum DiffError {
    /// They are of different test sets.
    OtherSamples(Box<SampleSets>),
    /// No sample is the same in both.
    NothingInCommon,
    /// Which variants belong together must be named.
    Variants(Message),
    /// One of the reports is judged blind.
    Blind,
    /// A report has no variant of this name.
    NoVariant {
        /// The name.
        variant: String,
        /// The report's id.
        report: String,
        /// The variants that the report has.
        known: Vec<String>,
    },
    /// The report has one variant only.
    Alone,
    /// The evaluations are of different benchmarks.
    Benchmark {
        /// The benchmark of A.
        a: String,
        /// The benchmark of B.
        b: String,
    },
    /// The benchmark's contents changed.
    Contents {
        /// The benchmark.
        benchmark: String,
        /// Version and hash in A.
        a: String,
        /// Version and hash in B.
        b: String,
    },
    /// No skill is in both evaluations.
    NoSkill {
        /// Ids of A's skills, the first five.
        a: String,
        /// Ids of B's skills, the first five.
        b: String,
    },
    /// A report asks for an interval that this program can't compute.
    Report(ReportError),
}

impl From<ReportError> for DiffError {
    fn from(error: ReportError) -> DiffError {
        DiffError::Report(error)
    }
}

impl DiffError {
    /// The text for people.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            DiffError::OtherSamples(sets) => msg!(
                "report-diff-samples",
                changed = sets.changed.len(),
                added = sets.added.len(),
                removed = sets.removed.len(),
                changedList = listed(&sets.changed),
                addedList = listed(&sets.added),
                removedList = listed(&sets.removed)
            ),
            DiffError::NothingInCommon => msg!("report-diff-nothing"),
            DiffError::Variants(why) => why.clone(),
            DiffError::Blind => msg!("report-diff-blind"),
            DiffError::NoVariant { variant, report, .. } => {
                msg!("report-diff-no-variant", variant = variant, report = report)
            }
            DiffError::Alone => msg!("report-diff-alone"),
            DiffError::Benchmark { a, b } => msg!("skills-report-diff-benchmark", a = a, b = b),
            DiffError::Contents { benchmark, a, b } => {
                msg!("skills-report-diff-contents", benchmark = benchmark, a = a, b = b)
            }
            DiffError::NoSkill { a, .. } if a.is_empty() => msg!("skills-report-diff-empty-a"),
            DiffError::NoSkill { b, .. } if b.is_empty() => msg!("skills-report-diff-empty-b"),
            DiffError::NoSkill { a, b } => msg!("skills-report-diff-no-skill", a = a, b = b),
            DiffError::Report(error) => error.message(),
        }
    }

    /// What to do about it.
    #[must_use]
    pub fn help(&self) -> Option<Message> {
        Some(match self {
            DiffError::OtherSamples(sets) if sets.common == 0 => msg!("report-diff-nothing"),
            DiffError::OtherSamples(sets) => msg!("report-diff-force", count = sets.common),
            DiffError::NothingInCommon => msg!("report-diff-nothing-help"),
            DiffError::Variants(_) => msg!("report-diff-name-variants"),
            DiffError::Blind => msg!("report-diff-blind-help"),
            DiffError::NoVariant { known, .. } => {
                let known: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
                msg!("report-diff-variants", variants = known.join(", "))
            }
            DiffError::Alone => msg!("report-diff-second"),
            DiffError::Benchmark { .. } | DiffError::Contents { .. } => msg!("skills-report-diff-force"),
            DiffError::NoSkill { .. } => msg!("skills-report-diff-no-skill-help"),
            DiffError::Report(_) => return None,
        })
    }
}

/// The first twenty ids.
fn listed(ids: &[String]) -> String {
    const LISTED: usize = 20;
    let named = ids.iter().take(LISTED).map(|id| format!("`{id}`"));
    named.chain((ids.len() > LISTED).then(|| "…".to_owned())).collect::<Vec<_>>().join(", ")
}
