//! Which samples decide a run: evaluated while it goes on, and again when its report is made.

use std::collections::HashSet;

use eval_format::{Difference, StoppingLook, StoppingPath};
use eval_message::Message;
use eval_spec::plan::Plan;
use eval_spec::record::Record;
use eval_spec::{Cell, Suite};
use eval_stats::Look;

use super::sequence::{AtAnyNumber, FIRST_LOOK, LAYERS, Rule, Sequences, TaskDifference, snapped};
use crate::cells::Cells;
use crate::clusters::{Clusters, TasksInOrder, task_mean};
use crate::grid::{Grid, Measure};
use crate::imputed::extremes;
use crate::meta::RunStatus;
use crate::numbers::count;
use crate::pairs::Pairs;
use crate::quality::AlikeSamples;

/// About how many looks the report lists.
const PATH: f64 = 40.0;

/// Decides while a run goes on.
pub struct Decider<'a> {
    suite: &'a Suite,
    /// Variants and settings of the suite, with the one sample that is looked at.
    one: Suite,
    sequences: Sequences,
    tasks: TasksInOrder,
    /// Each treatment's differences, one place per sample: as measured, and with the worst and best of what is missing.
    columns: Vec<[Vec<Option<f64>>; 3]>,
    decided: bool,
}

impl<'a> Decider<'a> {
    /// `None` where the run may not end early.
    #[must_use]
    pub fn new(suite: &'a Suite, alike: &AlikeSamples) -> Option<Decider<'a>> {
        let sequences = Sequences::by(Rule::of(suite)?)?;
        let one = Suite {
            samples: Vec::new(),
            variants: suite.variants.clone(),
            settings: suite.settings.clone(),
            knowledge: eval_spec::knowledge::KnowledgeBase::default(),
            warnings: Vec::new(),
        };
        let tasks = TasksInOrder::new(Clusters::new(suite, &alike.0));
        let empty = vec![None; suite.samples.len()];
        let columns = vec![[empty.clone(), empty.clone(), empty]; sequences.rule.treatments];
        Some(Decider { suite, one, sequences, tasks, columns, decided: false })
    }

    /// Takes in the next sample in the plan's order, with the records of all its cells. Whether the run may end.
    pub fn finished(&mut self, at: usize, records: &[Record]) -> bool {
        let Some(sample) = self.suite.samples.get(at).filter(|sample| !sample.tripwire) else {
            return self.decided;
        };
        self.one.samples = vec![sample.clone()];
        let diffs = self.differences(records).unwrap_or_default();
        for (columns, diffs) in self.columns.iter_mut().zip(diffs) {
            columns.iter_mut().zip(diffs).for_each(|(column, diff)| column[at] = diff);
        }
        let task = self.tasks.completed_by(at);
        if !task.is_empty() {
            self.decided = self.sequences.push(self.columns.iter().map(|columns| task_difference(columns, &task)));
        }
        self.decided
    }

    /// Each treatment's difference on the one sample: as measured, and with the worst and best of what is missing.
    fn differences(&self, records: &[Record]) -> Option<Vec<[Option<f64>; 3]>> {
        let subject = |record: &Record| {
            self.one.variants.iter().position(|variant| *variant.name == *record.execution.key.subject)
        };
        let cell = |record: &Record| {
            let key = record.execution.key.clone();
            Some(Cell { key, sample: 0, subject: subject(record)?, fingerprint: "".into() })
        };
        let plan = Plan { cells: records.iter().map(cell).collect::<Option<_>>()?, hash: String::new() };
        let read = |i: usize| Ok(records.get(i).cloned());
        let cells = Cells { plan: &plan, read: &read, replaced: &|_| Ok(None), pair: &|_| Ok(None), texts: None };
        let grid = Grid::read(&self.one, &cells, Clusters::default()).ok()?;
        let diff = |treatment| differences_of(&grid, treatment).map(|column| column.first().copied().flatten());
        Some((1..=self.sequences.rule.treatments).map(diff).collect())
    }
}

/// The looks of a run, in order.
pub struct LookResult {
    rule: Rule,
    /// The samples that count.
    pub(crate) order: Vec<usize>,
    /// Whether all treatments were decided by then.
    pub(crate) decided: bool,
    pub(super) paths: Vec<StoppingPath>,
}

/// Looks at the samples again, in the order of the plan, until all treatments are decided. Without a decision a complete
/// run counts whole; answers of an earlier run count up to the first gap, and of a run that ended for another reason
/// counts what is there.
pub(crate) fn look(grid: &Grid, plan: &Plan, names: &[String], ended: &RunStatus) -> Option<LookResult> {
    let rule = Rule::of(grid.suite).filter(Rule::is_used)?;
    let mut sequences = Sequences::by(rule)?;
    let order = in_order(grid, plan);
    let finished = order.iter().take_while(|sample| grid.is_finished(**sample)).count();
    let columns: Vec<_> = (1..names.len()).map(|treatment| differences_of(grid, treatment)).collect();
    let mut looks: Vec<Vec<StoppingLook>> = vec![Vec::new(); rule.treatments];
    let mut tasks = TasksInOrder::new(grid.clusters.clone());
    let mut decided_after = None;
    for (place, &sample) in order[..finished].iter().enumerate() {
        let task = tasks.completed_by(sample);
        if task.is_empty() {
            continue;
        }
        let decided = sequences.push(columns.iter().map(|columns| task_difference(columns, &task)));
        keep(&mut looks, &sequences, place + 1);
        if decided {
            decided_after = Some(place + 1);
            break;
        }
    }
    let counted = match (decided_after, ended) {
        (Some(after), _) => order[..after].to_vec(),
        (None, RunStatus::AnswersEnd) => order[..finished].to_vec(),
        (None, _) => order.into_iter().filter(|sample| grid.is_finished(*sample)).collect(),
    };
    let paths = names[1..].iter().zip(looks).enumerate();
    let path = |(treatment, (name, looks)): (usize, (&String, Vec<StoppingLook>))| StoppingPath {
        treatment: name.clone(),
        decided: sequences.decided(treatment),
        path: thinned(looks),
    };
    Some(LookResult { rule, order: counted, decided: decided_after.is_some(), paths: paths.map(path).collect() })
}

/// The differences of a treatment: as measured, and with the worst and best of what is missing.
fn differences_of(grid: &Grid, treatment: usize) -> [Vec<Option<f64>>; 3] {
    let [worst, best] = extremes(grid, treatment);
    [Pairs::new(grid, treatment, Measure::Composite).diffs, worst, best]
}

/// The same of one task.
fn task_difference(columns: &[Vec<Option<f64>>; 3], samples: &[usize]) -> TaskDifference {
    let [measured, worst, best] = [0, 1, 2].map(|column| task_mean(&columns[column], samples));
    TaskDifference { measured, worst, best }
}

/// The samples that count, in the order in which the plan starts them.
fn in_order(grid: &Grid, plan: &Plan) -> Vec<usize> {
    let mut seen = HashSet::new();
    let counts: HashSet<usize> = grid.samples().collect();
    plan.cells.iter().map(|cell| cell.sample).filter(|sample| counts.contains(sample) && seen.insert(*sample)).collect()
}

fn keep(looks: &mut [Vec<StoppingLook>], sequences: &Sequences, samples: usize) {
    for (looks, sequence) in looks.iter_mut().zip(&sequences.of) {
        if let Some(Look { n, mean, low, high, .. }) = snapped(sequence).filter(|look| look.n >= FIRST_LOOK) {
            looks.push(StoppingLook { samples: count(samples), n: count(n), mean, low, high });
        }
    }
}

/// About [`PATH`] of them, at equal relative distances, and the last one.
fn thinned(looks: Vec<StoppingLook>) -> Vec<StoppingLook> {
    let (Some(first), Some(last)) = (looks.first(), looks.last()) else { return looks };
    #[expect(clippy::cast_precision_loss, reason = "counts of samples")]
    let (first, last) = (first.samples as f64, last.samples as f64);
    let step = (last / first).powf(1.0 / PATH).max(1.0);
    let mut next = 0.0;
    let is_kept = |look: &StoppingLook| {
        #[expect(clippy::cast_precision_loss, reason = "a count of samples")]
        let samples = look.samples as f64;
        let kept = samples >= next || samples >= last;
        if kept {
            next = samples * step;
        }
        kept
    };
    looks.into_iter().filter(is_kept).collect()
}

impl LookResult {
    /// The samples that don't count.
    pub(crate) fn beyond(&self, grid: &Grid) -> Vec<usize> {
        let counted: HashSet<usize> = self.order.iter().copied().collect();
        grid.samples().filter(|sample| !counted.contains(sample)).collect()
    }

    /// The differences of all treatments' composites.
    pub(crate) fn composites(&self, grid: &Grid, family: &[Pairs]) -> Vec<Difference> {
        self.differences(grid, family, self.rule.treatments)
    }

    /// The differences of layers. The level is split among all possible layers, however many have pairs.
    pub(crate) fn layers(&self, grid: &Grid, family: &[Pairs]) -> Vec<Difference> {
        self.differences(grid, family, self.rule.treatments * LAYERS)
    }

    fn differences(&self, grid: &Grid, family: &[Pairs], size: usize) -> Vec<Difference> {
        family.iter().map(|pairs| self.difference(grid, &pairs.diffs, size)).collect()
    }

    /// One difference of `family`, over the tasks of which all samples count.
    pub(crate) fn difference(&self, grid: &Grid, column: &[Option<f64>], family: usize) -> Difference {
        let mut tasks = TasksInOrder::new(grid.clusters.clone());
        let of = self.order.iter().filter_map(|&sample| task_mean(column, &tasks.completed_by(sample)));
        let values: Vec<f64> = of.collect();
        AtAnyNumber { tightest_at: self.rule.tightest_at(), family }.of(&values)
    }

    /// Of columns that name the first sample of each task, the differences of one family: as [`LookResult::difference`] has
    /// them.
    pub(crate) fn differences_of_tasks(&self, grid: &Grid, columns: &[Vec<(usize, f64)>]) -> Vec<Difference> {
        let mut tasks = TasksInOrder::new(grid.clusters.clone());
        let mut places: Vec<Option<usize>> = vec![None; grid.all_samples().len()];
        for (place, &sample) in self.order.iter().enumerate() {
            tasks.completed_by(sample).into_iter().for_each(|of_task| places[of_task] = Some(place));
        }
        let at_any_number = AtAnyNumber { tightest_at: self.rule.tightest_at(), family: columns.len() };
        let difference = |column: &Vec<(usize, f64)>| {
            let counted = column.iter().filter_map(|&(sample, value)| Some((places[sample]?, value)));
            let mut in_order: Vec<(usize, f64)> = counted.collect();
            in_order.sort_unstable_by_key(|(place, _)| *place);
            at_any_number.of(&in_order.into_iter().map(|(_, value)| value).collect::<Vec<_>>())
        };
        columns.iter().map(difference).collect()
    }
}

/// Whether a run is looked at while it goes on.
pub fn may_end_early(suite: &Suite) -> bool {
    Rule::of(suite).is_some_and(|rule| rule.is_used())
}

/// The text of `--dry-run` about early stopping.
pub fn outlook(suite: &Suite) -> Option<Message> {
    let rule = Rule::of(suite)?;
    Some(match rule.is_used() {
        true => rule.message(),
        false => rule.why_unused(),
    })
}
