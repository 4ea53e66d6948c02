//! The first pass over the records: every cell's numbers, by sample and variant; and the columns of scores that
//! statistics read, one value per sample.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Mutex, PoisonError};

use eval_format::{Ending, FileFamily, ImportedResults, ReportError};
use eval_message::Message;
use eval_spec::plan::Plan;
use eval_spec::record::Record;
use eval_spec::{Cell, CheckOutcome, Failure, Layer, Suite};
use rayon::prelude::*;

use crate::cells::Cells;
use crate::clusters::Clusters;
use crate::family_level::checked;
use crate::gaps::{self, TracesByCell};
use crate::numbers::{CellNumbers, ScorePart, snap};
use crate::opinions::Opinions;

/// All cells' numbers.
pub struct Grid<'a> {
    pub(crate) suite: &'a Suite,
    /// In plan order.
    cells: Vec<CellNumbers>,
    pub(crate) index: CellIndex,
    unscored: UnscoredByVariant,
    /// The judges' opinions.
    pub(crate) opinions: Opinions,
    /// What traces of executions tell.
    pub(crate) traces: TracesByCell,
    /// Samples after the decision of a run that ended early; they don't count.
    beyond: BTreeSet<usize>,
    /// The samples that count, ascending.
    counted: Vec<usize>,
    /// The samples that are one task.
    pub(crate) clusters: Clusters,
    /// The treatments of another tool's files, where fewer are compared.
    pub(crate) family: Option<FileFamily>,
    /// How much treatments are preferred on samples that judges compare.
    pub(crate) preferences: TreatmentPreferences,
    /// The worst and the best score of another tool, as declared.
    pub(crate) scale: Option<[f64; 2]>,
}

/// How much a treatment is preferred to the control, −1 to 1, repeat by repeat: by sample and treatment.
pub(crate) type TreatmentPreferences = BTreeMap<(usize, usize), Vec<Option<f64>>>;

/// Checks that could not be evaluated, by variant and type, with one reason for each type.
type UnscoredByVariant = BTreeMap<(usize, String), UnscoredType>;

/// Checks of one type that could not be evaluated.
pub(crate) struct UnscoredType {
    pub(crate) count: u64,
    /// The reason of the first cell by repeat and sample, independent of the execution order.
    pub(crate) why: Message,
    at: (u32, usize),
}

fn tally_unscored(unscored: &mut UnscoredByVariant, cell: &Cell, record: &Record) {
    let (at, variant) = ((cell.key.repeat, cell.sample), cell.subject);
    for check in record.grade.iter().flat_map(|grade| &grade.checks) {
        let CheckOutcome::Unscored { why } = &check.outcome else {
            continue;
        };
        let first = || UnscoredType { count: 0, why: why.clone(), at };
        let entry = unscored.entry((variant, check.kind.clone())).or_insert_with(first);
        entry.count += 1;
        if at < entry.at {
            (entry.at, entry.why) = (at, why.clone());
        }
    }
}

/// Which cells belong to a sample and variant, ordered by repeat.
pub(crate) struct CellIndex {
    variants: usize,
    /// Where in `cells` those of each sample and variant begin, and where the last end.
    starts: Vec<usize>,
    cells: Vec<usize>,
}

impl CellIndex {
    pub(crate) fn new(suite: &Suite, plan: &Plan) -> CellIndex {
        let (variants, samples) = (suite.variants.len(), suite.samples.len());
        let place = |i: &usize| plan.cells[*i].sample * variants + plan.cells[*i].subject;
        let is_known = |i: &usize| plan.cells[*i].sample < samples && plan.cells[*i].subject < variants;
        let mut cells: Vec<usize> = (0..plan.cells.len()).filter(is_known).collect();
        cells.sort_by_key(|i| (place(i), plan.cells[*i].key.repeat));
        let starts = (0..=samples * variants).scan(0, |at, of| {
            *at += cells[*at..].iter().take_while(|i| place(i) < of).count();
            Some(*at)
        });
        CellIndex { variants, starts: starts.collect(), cells }
    }

    /// The cells of a sample and variant, by repeat.
    pub(crate) fn of(&self, sample: usize, variant: usize) -> &[usize] {
        let place = sample * self.variants + variant;
        match self.starts.get(place..place + 2) {
            Some(&[start, end]) => &self.cells[start..end],
            _ => &[],
        }
    }
}

/// Collects unscored checks, opinions and what traces tell while several threads read the records.
#[derive(Default)]
pub struct Gathering {
    traces: Mutex<TracesByCell>,
    unscored: Mutex<UnscoredByVariant>,
    opinions: Mutex<Opinions>,
}

impl Gathering {
    /// The numbers of the cell with index `at` in the plan.
    pub fn take(&self, at: usize, cell: &Cell, record: Option<&Record>) -> CellNumbers {
        let Some(record) = record else { return CellNumbers::not_run() };
        let numbers = CellNumbers::of(record);
        if is_judged(record) {
            self.opinions.lock().unwrap_or_else(PoisonError::into_inner).keep(at, record);
        }
        if numbers.counts[2] > 0 {
            tally_unscored(&mut self.unscored.lock().unwrap_or_else(PoisonError::into_inner), cell, record);
        }
        numbers
    }

    /// The number of judges.
    pub fn judges(&self) -> usize {
        self.opinions.lock().unwrap_or_else(PoisonError::into_inner).judges()
    }

    /// Reorders the cells: `places` has the former index of each.
    pub fn moved(mut self, places: &[usize]) -> Gathering {
        self.opinions.get_mut().unwrap_or_else(PoisonError::into_inner).moved(places);
        self
    }

    /// The grid of all cells, which are in the plan's order.
    pub fn grid<'a>(self, suite: &'a Suite, plan: &Plan, cells: Vec<CellNumbers>, clusters: Clusters) -> Grid<'a> {
        let unscored = self.unscored.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut opinions = self.opinions.into_inner().unwrap_or_else(PoisonError::into_inner);
        opinions.settle();
        let traces = self.traces.into_inner().unwrap_or_else(PoisonError::into_inner);
        let (index, beyond) = (CellIndex::new(suite, plan), BTreeSet::new());
        let preferences = TreatmentPreferences::new();
        let counted = (0..suite.samples.len()).filter(|&sample| !suite.samples[sample].tripwire).collect();
        let mut grid = Grid {
            suite,
            cells,
            index,
            unscored,
            opinions,
            traces,
            beyond,
            counted,
            clusters,
            family: None,
            preferences,
            scale: None,
        };
        grid.settle_what_is_planned();
        grid
    }
}

impl<'a> Grid<'a> {
    /// Reads every record once, in any order.
    pub(crate) fn read(suite: &'a Suite, cells: &Cells, clusters: Clusters) -> Result<Grid<'a>, ReportError> {
        let (gathering, reading) = (Gathering::default(), gaps::TraceReading::of(suite));
        let numbers = cells.plan.cells.par_iter().enumerate().map(|(i, cell)| {
            let record = (cells.read)(i).map_err(ReportError::Read)?;
            if let Some(trace) = record.as_ref().and_then(|record| gaps::of_record(suite, &reading, cell, record)) {
                gathering.traces.lock().unwrap_or_else(PoisonError::into_inner).insert(i, trace);
            }
            Ok(gathering.take(i, cell, record.as_ref()))
        });
        let numbers = numbers.collect::<Result<Vec<_>, ReportError>>()?;
        Ok(gathering.grid(suite, cells.plan, numbers, clusters))
    }

    /// A grid of a run that has just begun: a sample counts once it is [added](Grid::add).
    pub(crate) fn empty(suite: &'a Suite, plan: &Plan, clusters: Clusters) -> Grid<'a> {
        Grid {
            suite,
            cells: plan.cells.iter().map(|_| CellNumbers::not_run()).collect(),
            index: CellIndex::new(suite, plan),
            unscored: UnscoredByVariant::new(),
            opinions: Opinions::default(),
            traces: TracesByCell::default(),
            beyond: BTreeSet::new(),
            counted: Vec::new(),
            clusters,
            family: None,
            preferences: TreatmentPreferences::new(),
            scale: None,
        }
    }

    /// Takes in the records of a sample's cells.
    pub(crate) fn add(&mut self, sample: usize, records: &[Record], plan: &Plan) {
        for variant in 0..self.suite.variants.len() {
            for &i in self.index.of(sample, variant) {
                let key = &plan.cells[i].key;
                let Some(record) = records.iter().find(|record| record.execution.key == *key) else { continue };
                self.cells[i] = CellNumbers::of(record);
                if is_judged(record) {
                    self.opinions.keep(i, record);
                }
            }
        }
        self.settle_sample(sample);
        let place = self.counted.partition_point(|counted| *counted < sample);
        self.counted.insert(place, sample);
    }

    /// Notes cells that were asked for again, by their places in the plan, and after what. Returns whether that is new of any.
    pub(crate) fn note_redrawn(&mut self, redrawn: &HashMap<usize, Failure>) -> bool {
        let mut is_new = false;
        for (place, failure) in redrawn {
            let Some(cell) = self.cells.get_mut(*place) else { continue };
            let before = (cell.asked_again, cell.was_interrupted, cell.was_redrawn);
            cell.follows(*failure);
            is_new |= before != (cell.asked_again, cell.was_interrupted, cell.was_redrawn);
        }
        is_new
    }

    /// What `read` finds if only these samples count.
    pub(crate) fn among<T>(&mut self, samples: &[usize], read: impl FnOnce(&Grid) -> T) -> T {
        let mut only = samples.to_vec();
        only.sort_unstable();
        let all = std::mem::replace(&mut self.counted, only);
        let found = read(self);
        self.counted = all;
        found
    }

    /// Adds the family of another tool's files, in which the intervals hold at once.
    #[must_use]
    pub fn in_family(self, imported: Option<&ImportedResults>) -> Grid<'a> {
        let stored = imported.and_then(|imported| imported.family.as_ref());
        let family = stored.and_then(|family| checked(family, self.treatments()));
        Grid { family, scale: imported.map(|imported| imported.mapping.range()), ..self }
    }

    /// The number of treatments.
    pub(crate) fn treatments(&self) -> usize {
        self.suite.variants.len().saturating_sub(1)
    }

    /// Excludes the samples `beyond` from everything but costs.
    pub(crate) fn restrict(&mut self, beyond: Vec<usize>, cells: &Cells) -> Result<(), ReportError> {
        self.beyond = beyond.into_iter().collect();
        self.counted.retain(|sample| !self.beyond.contains(sample));
        self.unscored = UnscoredByVariant::new();
        for (i, cell) in cells.plan.cells.iter().enumerate() {
            if self.beyond.contains(&cell.sample) {
                self.cells[i] = self.cells[i].uncounted();
                self.opinions.forget(i);
            } else if self.cells[i].counts[2] > 0
                && let Some(record) = (cells.read)(i).map_err(ReportError::Read)?
            {
                tally_unscored(&mut self.unscored, cell, &record);
            }
        }
        self.opinions.settle();
        Ok(())
    }

    /// Samples after the decision of a run that ended early; they don't count.
    pub(crate) fn beyond(&self) -> &BTreeSet<usize> {
        &self.beyond
    }

    /// Whether all cells of a sample have ended, and were graded where there was an answer.
    pub(crate) fn is_finished(&self, sample: usize) -> bool {
        let ended = |cell: &CellNumbers| match cell.ending {
            Ending::NotRun => false,
            Ending::Answered => cell.graded,
            _ => true,
        };
        (0..self.suite.variants.len()).flat_map(|variant| self.of(sample, variant)).all(ended)
    }

    /// Whether cells that count have not been run.
    pub(crate) fn is_lacking(&self) -> bool {
        let counts = |sample: &usize| !self.beyond.contains(sample);
        let variants = 0..self.suite.variants.len();
        let cells = self.all_samples().filter(counts).flat_map(|sample| variants.clone().map(move |of| (sample, of)));
        cells.flat_map(|(sample, variant)| self.of(sample, variant)).any(|cell| cell.ending == Ending::NotRun)
    }

    /// The samples that count: all but tripwires and those after an early decision.
    pub(crate) fn samples(&self) -> impl Iterator<Item = usize> + Clone {
        self.counted.iter().copied()
    }

    /// The samples that are meant to fail.
    pub(crate) fn tripwires(&self) -> impl Iterator<Item = usize> + Clone {
        self.all_samples().filter(|&sample| self.suite.samples[sample].tripwire)
    }

    /// All samples.
    pub(crate) fn all_samples(&self) -> std::ops::Range<usize> {
        0..self.suite.samples.len()
    }

    /// The indexes of the cells of a sample and variant in the plan, by repeat.
    pub(crate) fn places(&self, sample: usize, variant: usize) -> &[usize] {
        self.index.of(sample, variant)
    }

    /// The cells of a sample and variant, by repeat.
    pub(crate) fn of(&self, sample: usize, variant: usize) -> impl Iterator<Item = &CellNumbers> {
        self.index.of(sample, variant).iter().map(|&i| &self.cells[i])
    }

    /// Returns whether runs of the sample were planned in the variant. Another tool's results may lack a case in one arm.
    pub(crate) fn has_runs(&self, sample: usize, variant: usize) -> bool {
        !self.index.of(sample, variant).is_empty()
    }

    /// Returns whether runs of the sample were planned in the control or in this treatment.
    pub(crate) fn is_compared(&self, sample: usize, treatment: usize) -> bool {
        self.has_runs(sample, 0) || self.has_runs(sample, treatment)
    }

    /// Whether judges compare the answers to a sample.
    pub(crate) fn is_pairwise(&self, sample: usize) -> bool {
        let settings = &self.suite.settings;
        settings.judge && self.suite.samples[sample].is_pairwise(settings.judge_mode)
    }

    /// The cells of a variant, sample by sample, those of tripwires too.
    pub(crate) fn whole_arm(&self, variant: usize) -> impl Iterator<Item = &CellNumbers> {
        self.all_samples().flat_map(move |sample| self.of(sample, variant))
    }

    /// The cells of a variant that count, sample by sample.
    pub(crate) fn arm(&self, variant: usize) -> impl Iterator<Item = &CellNumbers> {
        self.samples().flat_map(move |sample| self.of(sample, variant))
    }

    /// All cells, in plan order.
    pub(crate) fn all(&self) -> &[CellNumbers] {
        &self.cells
    }

    /// The checks of a variant that could not be evaluated, by type.
    pub(crate) fn unscored(&self, variant: usize) -> impl Iterator<Item = (&str, &UnscoredType)> {
        let of = self.unscored.iter().filter(move |((of, _), _)| *of == variant);
        of.map(|((_, kind), unscored)| (kind.as_str(), unscored))
    }

    /// Whether all scores of a sample, of two variants in all repeats, rest on the same checks: a check that can't be
    /// evaluated leaves the denominator, so that the arm in which it can't would win by it.
    pub(crate) fn are_alike(&self, sample: usize, variants: [usize; 2], of: Measure) -> bool {
        let key = |cell: &CellNumbers| match of {
            Measure::Composite => cell.composite.points().map(|_| cell.evaluated),
            Measure::Layer(layer) => {
                let layer = place(layer);
                cell.layers[layer].points().map(|_| [cell.evaluated[layer]; 3])
            }
        };
        let mut keys = variants.into_iter().flat_map(|variant| self.of(sample, variant)).filter_map(key);
        let first = keys.next();
        keys.all(|key| Some(key) == first)
    }

    /// The types of a sample's checks that were evaluated in some graded runs of these variants and not in others.
    pub(crate) fn unlike_checks(&self, sample: usize, treatment: usize) -> BTreeSet<&str> {
        let graded = || [0, treatment].into_iter().flat_map(|variant| self.of(sample, variant)).filter(|c| c.graded);
        let differs = |index: usize| {
            let evaluated = |cell: &CellNumbers| cell.checks.get(index).is_some_and(Option::is_some);
            graded().any(evaluated) && !graded().all(evaluated)
        };
        let written = self.suite.samples[sample].assertions.iter().enumerate();
        let mut kinds: BTreeSet<&str> =
            written.filter(|(index, of)| of.weight > 0.0 && differs(*index)).map(|(_, of)| of.kind.as_str()).collect();
        if !self.are_alike(sample, [0, treatment], Measure::Layer(Layer::Judge)) {
            kinds.insert("rubric");
        }
        kinds
    }

    /// A variant's score on a sample: the mean over the repeats that have one.
    pub(crate) fn score(
        &self,
        sample: usize,
        variant: usize,
        part: impl Fn(&CellNumbers) -> &ScorePart,
    ) -> Option<f64> {
        self.mean(sample, variant, |cell| part(cell).points()).map(snap)
    }

    /// The mean over a sample's repeats in a variant of a value that some of them have.
    pub(crate) fn mean(
        &self,
        sample: usize,
        variant: usize,
        value: impl Fn(&CellNumbers) -> Option<f64>,
    ) -> Option<f64> {
        let mut values = self.of(sample, variant).filter_map(value);
        match (values.next(), values.next()) {
            // most cells are run once
            (only, None) => eval_stats::mean(only.as_slice()),
            (first, second) => eval_stats::mean(&first.into_iter().chain(second).chain(values).collect::<Vec<_>>()),
        }
    }

    /// A variant's scores, one place per sample; that of a sample that doesn't count is empty.
    pub(crate) fn column(&self, variant: usize, part: impl Fn(&CellNumbers) -> &ScorePart) -> Vec<Option<f64>> {
        let mut column = vec![None; self.suite.samples.len()];
        self.samples().for_each(|sample| column[sample] = self.score(sample, variant, &part));
        column
    }

    /// A variant's scores, one for each task.
    pub(crate) fn task_scores(&self, variant: usize, part: impl Fn(&CellNumbers) -> &ScorePart) -> Vec<f64> {
        self.clusters.tasks(&self.column(variant, part)).into_iter().flatten().collect()
    }

    /// The length of a variant's scored answers to a sample, in characters: the mean over the repeats.
    pub(crate) fn length(&self, sample: usize, variant: usize) -> Option<f64> {
        self.mean(sample, variant, |cell| cell.composite.points().map(|_| f64::from(cell.chars)))
    }

    /// The length of a variant's answers to a sample that judges compare, in characters: the mean over the repeats.
    pub(crate) fn answer_length(&self, sample: usize, variant: usize) -> Option<f64> {
        self.mean(sample, variant, |cell| (cell.ending == Ending::Answered).then_some(f64::from(cell.chars)))
    }

    /// Whether any cell of the sample plans a score for `part`.
    pub(crate) fn plans(&self, sample: usize, part: impl Fn(&CellNumbers) -> &ScorePart) -> bool {
        let variants = 0..self.suite.variants.len();
        variants.flat_map(|variant| self.of(sample, variant)).any(|cell| *part(cell) != ScorePart::NotPlanned)
    }

    fn settle_what_is_planned(&mut self) {
        self.all_samples().for_each(|sample| self.settle_sample(sample));
    }

    /// Marks the parts that ungraded cells of a sample don't plan, so that they don't count as missing: as in a graded cell of
    /// the same sample, or else as the sample file says.
    fn settle_sample(&mut self, sample: usize) {
        let places = || (0..self.suite.variants.len()).flat_map(|variant| self.index.of(sample, variant));
        if places().all(|&i| self.cells[i].graded) {
            return;
        }
        let graded = places().map(|&i| &self.cells[i]).find(|cell| cell.graded);
        let absent = graded.map_or_else(|| self.absent_by_file(sample), Absent::of);
        for variant in 0..self.suite.variants.len() {
            self.index.of(sample, variant).iter().for_each(|&i| absent.strike(&mut self.cells[i]));
        }
    }

    /// The sample file determines whether there is anything to score, but not in which layers.
    fn absent_by_file(&self, sample: usize) -> Absent {
        let written = &self.suite.samples[sample];
        let judged = self.suite.settings.judge && written.has_rubric() && !self.is_pairwise(sample);
        let assertions = written.assertions.is_empty();
        Absent { composite: assertions && !judged, layers: [true; 3], assertions }
    }
}

fn is_judged(record: &Record) -> bool {
    let checks = record.grade.iter().flat_map(|grade| &grade.checks);
    checks.flat_map(eval_spec::Check::with_children).any(|check| check.judged.is_some())
}

/// The parts of a score that a sample doesn't plan.
struct Absent {
    composite: bool,
    layers: [bool; 3],
    assertions: bool,
}

impl Absent {
    fn of(cell: &CellNumbers) -> Absent {
        let absent = |part: &ScorePart| *part == ScorePart::NotPlanned;
        Absent {
            composite: absent(&cell.composite),
            layers: [0, 1, 2].map(|i| absent(&cell.layers[i])),
            assertions: absent(&cell.assertions),
        }
    }

    fn strike(&self, cell: &mut CellNumbers) {
        if cell.graded {
            return;
        }
        let strike = |absent: bool, part: &mut ScorePart| {
            if absent {
                *part = ScorePart::NotPlanned;
            }
        };
        strike(self.composite, &mut cell.composite);
        strike(self.assertions, &mut cell.assertions);
        for (absent, layer) in self.layers.iter().zip(&mut cell.layers) {
            strike(*absent, layer);
        }
    }
}

/// The score that is compared.
#[derive(Clone, Copy)]
pub(crate) enum Measure {
    Composite,
    Layer(Layer),
}

impl Measure {
    /// The score of a cell that is compared.
    pub(crate) fn part(self, cell: &CellNumbers) -> &ScorePart {
        match self {
            Measure::Composite => &cell.composite,
            Measure::Layer(layer) => &cell.layers[place(layer)],
        }
    }
}

/// The place of a layer in [`Layer::ALL`].
pub fn place(layer: Layer) -> usize {
    match layer {
        Layer::Fact => 0,
        Layer::Behavior => 1,
        Layer::Judge => 2,
    }
}
