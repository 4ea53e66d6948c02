//! `--stop-when-decided` (T14): samples are looked at one by one in an order drawn before the run, and the run ends as
//! soon as every treatment is decided.
//!
//! What is looked at is a confidence sequence of the mean paired difference: an interval that holds at every look at
//! once, so that it may be read whenever the run ends, be it decided or not. The same rule is asked while the run goes
//! on ([`Decider`]) and when its report is made ([`look`]); both compute a sample's difference the same way.
//!
//! A treatment is decided when its interval lies below 0, or above 0 with as many pairs as progress needs (ending
//! sooner would forbid the verdict that it ends for), or inside ± the smallest difference that matters. While all its
//! differences are equal it is not: an interval without width promises what it can't know, since a rare large
//! difference may not have come yet. For the same reason the mean must stay on its side if the largest share of samples
//! that may well not have been met differed by all there is on the scale.

use std::collections::HashSet;

use eval_format::report::Note;
use eval_format::{
    Ci, Decided, DiffInputs, Difference, Ending, Limits, Method, POINTS, SavedCost, Stopping, StoppingLook,
    StoppingPath,
};
use eval_message::number::points;
use eval_message::{Message, msg};
use eval_spec::plan::Plan;
use eval_spec::record::Record;
use eval_spec::{Cell, Suite};
use eval_stats::{Look, MeanSequence, Standing, sd, unseen_share};

use crate::analyse::{LEVEL, RunStatus};
use crate::cells::Cells;
use crate::compare::Pairs;
use crate::grid::{Compared, Grid};
use crate::numbers::snap;
use crate::summary::{average, count};

/// A treatment is looked at from so many pairs on: below, the variance is too uncertain for an asymptotic interval.
pub const FIRST_LOOK: usize = 10;
/// How many looks are kept for the path.
const PATH: f64 = 40.0;
/// The layers that may be asked of each treatment: a number that the data have no say in.
pub const LAYERS: usize = 3;

/// What is fixed before the run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rule {
    treatments: usize,
    /// Samples, tripwires aside.
    planned: usize,
    /// The smallest difference that matters.
    margin: f64,
    /// The pairs that progress needs.
    progress_pairs: usize,
}

impl Rule {
    /// `None` where the run may not end early: nobody asked for it, or there is nothing to compare.
    pub(crate) fn of(suite: &Suite) -> Option<Rule> {
        let treatments = suite.variants.len().saturating_sub(1);
        let planned = suite.samples.iter().filter(|sample| !sample.tripwire).count();
        let may_end = suite.settings.stop_when_decided && treatments > 0;
        may_end.then(|| Rule::new(treatments, planned, &Limits::new(&suite.settings)))
    }

    fn new(treatments: usize, planned: usize, limits: &Limits) -> Rule {
        let progress_pairs = usize::try_from(limits.progress_pairs).unwrap_or(usize::MAX);
        Rule { treatments, planned, margin: limits.min_effect, progress_pairs }
    }

    /// Whether there are enough samples for a single look.
    pub(crate) fn is_used(&self) -> bool {
        self.planned >= FIRST_LOOK
    }

    fn tightest_at(&self) -> usize {
        tightest_at(self.planned, self.progress_pairs)
    }

    /// An empty sequence, one of `family` that hold at once (Bonferroni).
    fn sequence(&self, family: usize) -> Option<MeanSequence> {
        MeanSequence::new(1.0 - self.alpha(family), self.tightest_at())
    }

    /// The risk that each of all treatments takes.
    fn alpha(&self, family: usize) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "a few")]
        let family = family as f64;
        (1.0 - LEVEL) / family
    }

    fn message(&self) -> Message {
        msg!(
            "report-stopping-rule",
            first = FIRST_LOOK,
            planned = self.planned,
            pairs = self.progress_pairs,
            limit = points(self.margin)
        )
    }

    fn why_unused(&self) -> Message {
        msg!("report-stopping-unused", samples = self.planned, first = FIRST_LOOK)
    }

    fn decided(&self, look: Look) -> Option<Decided> {
        match look.standing(self.margin) {
            _ if look.n < FIRST_LOOK || self.may_turn(look) => None,
            Standing::Below => Some(Decided::Worse),
            Standing::Above => (look.n >= self.progress_pairs).then_some(Decided::Better),
            // few differences may look alike only because the large ones are rare
            Standing::Inside => (look.n >= self.progress_pairs).then_some(Decided::NoDifferenceThatMatters),
            Standing::Open => None,
        }
    }

    /// Whether it would be otherwise if samples of a kind that may well not have been met yet differed by all that the
    /// scale holds. No spread that was seen can tell of them.
    fn may_turn(&self, look: Look) -> bool {
        let share = unseen_share(look.n, self.alpha(self.treatments));
        let [low, high] = [-POINTS, POINTS].map(|far| (1.0 - share) * look.mean + share * far);
        match look.standing(self.margin) {
            Standing::Above => low <= 0.0,
            Standing::Below => high >= 0.0,
            Standing::Inside => low < -self.margin || high > self.margin,
            Standing::Open => true,
        }
    }
}

/// Half of what is planned: late enough for small differences, early enough to end soon with large ones.
pub(crate) fn tightest_at(planned: usize, progress_pairs: usize) -> usize {
    (planned / 2).max(progress_pairs)
}

/// What is never looked at with fewer pairs says nothing with fewer.
pub fn raise_limits(limits: &mut Limits) {
    limits.min_pairs = limits.min_pairs.max(count(FIRST_LOOK));
}

/// The confidence sequences of a family, as far as they have been looked at.
#[derive(Clone, Debug)]
pub struct Sequences {
    rule: Rule,
    of: Vec<MeanSequence>,
}

impl Sequences {
    /// Nothing looked at yet, of so many `treatments` and `planned` samples; `None` with fewer than [`FIRST_LOOK`].
    #[must_use]
    pub fn new(treatments: usize, planned: usize, limits: &Limits) -> Option<Sequences> {
        Sequences::by(Rule::new(treatments, planned, limits))
    }

    fn by(rule: Rule) -> Option<Sequences> {
        Sequences::family(rule, rule.treatments)
    }

    /// The same for the layers, three of each treatment; they end no run.
    #[must_use]
    pub fn of_layers(treatments: usize, planned: usize, limits: &Limits) -> Option<Sequences> {
        Sequences::family(Rule::new(treatments, planned, limits), treatments * LAYERS)
    }

    fn family(rule: Rule, size: usize) -> Option<Sequences> {
        let of: Option<Vec<_>> = (0..size).map(|_| rule.sequence(size)).collect();
        of.filter(|_| rule.is_used()).map(|of| Sequences { rule, of })
    }

    /// What the verdict reads of each.
    pub fn inputs(&self) -> impl Iterator<Item = DiffInputs> + '_ {
        let of = |sequence: &MeanSequence| {
            let look = snapped(sequence);
            let found = AtAnyNumber { family: self.of.len(), ..AtAnyNumber::default() }.difference(look);
            DiffInputs::from(&Difference { n: count(sequence.count()), mean: look.map(|look| look.mean), ..found })
        };
        self.of.iter().map(of)
    }

    /// The interval of each treatment, in points; `None` below two pairs.
    pub fn looks(&self) -> impl Iterator<Item = Option<Look>> + '_ {
        self.of.iter().map(snapped)
    }

    /// Takes in one sample: each treatment's difference, `None` where it is no pair. Whether all are decided.
    pub fn push(&mut self, diffs: impl Iterator<Item = Option<f64>>) -> bool {
        for (sequence, diff) in self.of.iter_mut().zip(diffs) {
            diff.into_iter().for_each(|diff| sequence.push(diff));
        }
        self.looks().all(|look| look.is_some_and(|look| self.rule.decided(look).is_some()))
    }
}

/// The look as it is reported, so that rounding never decides.
fn snapped(sequence: &MeanSequence) -> Option<Look> {
    let look = sequence.look()?;
    Some(Look { mean: snap(look.mean), low: snap(look.low), high: snap(look.high), ..look })
}

/// Decides while a run goes on.
pub struct Decider<'a> {
    suite: &'a Suite,
    /// Variants and settings of the suite, with the one sample that is looked at.
    one: Suite,
    sequences: Sequences,
    decided: bool,
}

impl<'a> Decider<'a> {
    /// `None` where the run may not end early.
    #[must_use]
    pub fn new(suite: &'a Suite) -> Option<Decider<'a>> {
        let sequences = Sequences::by(Rule::of(suite)?)?;
        let one = Suite {
            samples: Vec::new(),
            variants: suite.variants.clone(),
            settings: suite.settings.clone(),
            warnings: Vec::new(),
        };
        Some(Decider { suite, one, sequences, decided: false })
    }

    /// Takes in the next sample in the plan's order, with the records of all its cells. Whether the run may end.
    pub fn finished(&mut self, sample: usize, records: &[Record]) -> bool {
        let Some(sample) = self.suite.samples.get(sample).filter(|sample| !sample.tripwire) else {
            return self.decided;
        };
        self.one.samples = vec![sample.clone()];
        let diffs = self.differences(records).unwrap_or_default();
        self.decided = self.sequences.push(diffs.into_iter());
        self.decided
    }

    /// Each treatment's difference on the one sample.
    fn differences(&self, records: &[Record]) -> Option<Vec<Option<f64>>> {
        let subject = |record: &Record| {
            self.one.variants.iter().position(|variant| *variant.name == *record.execution.key.subject)
        };
        let cell = |record: &Record| {
            let key = record.execution.key.clone();
            Some(Cell { key, sample: 0, subject: subject(record)?, fingerprint: "".into() })
        };
        let plan = Plan { cells: records.iter().map(cell).collect::<Option<_>>()?, hash: String::new() };
        let read = |i: usize| Ok(records.get(i).cloned());
        let cells = Cells { plan: &plan, read: &read, pair: &|_| Ok(None) };
        let grid = Grid::read(&self.one, &cells).ok()?;
        let diff = |treatment| Pairs::new(&grid, treatment, Compared::Composite).diffs.first().copied().flatten();
        Some((1..=self.sequences.rule.treatments).map(diff).collect())
    }
}

/// What was looked at, in its order.
pub struct Looked {
    rule: Rule,
    /// The samples that count.
    pub(crate) order: Vec<usize>,
    /// Whether all treatments were decided by then.
    pub(crate) decided: bool,
    paths: Vec<StoppingPath>,
}

/// Looks at the samples again, in the order of the plan, until all treatments are decided. Without a decision a complete
/// run counts whole; answers of an earlier run count up to the first gap, and of a run that ended for another reason
/// counts what is there.
pub(crate) fn look(grid: &Grid, plan: &Plan, names: &[String], ended: &RunStatus) -> Option<Looked> {
    let rule = Rule::of(grid.suite).filter(Rule::is_used)?;
    let mut sequences = Sequences::by(rule)?;
    let order = in_order(grid, plan);
    let finished = order.iter().take_while(|sample| grid.is_finished(**sample)).count();
    let composites: Vec<Pairs> = (1..names.len()).map(|t| Pairs::new(grid, t, Compared::Composite)).collect();
    let mut looks: Vec<Vec<StoppingLook>> = vec![Vec::new(); rule.treatments];
    let diffs = |sample: usize| composites.iter().map(move |pairs| pairs.diffs[sample]);
    let mut decided_after = None;
    for (place, &sample) in order[..finished].iter().enumerate() {
        let decided = sequences.push(diffs(sample));
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
    let decided = |sequence: &MeanSequence| snapped(sequence).and_then(|look| rule.decided(look));
    let paths = names[1..].iter().zip(&sequences.of).zip(looks);
    let path = |((name, sequence), looks): ((&String, &MeanSequence), Vec<StoppingLook>)| StoppingPath {
        treatment: name.clone(),
        decided: decided(sequence),
        path: thinned(looks),
    };
    Some(Looked { rule, order: counted, decided: decided_after.is_some(), paths: paths.map(path).collect() })
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

impl Looked {
    /// The samples that don't count.
    pub(crate) fn beyond(&self, grid: &Grid) -> Vec<usize> {
        let counted: HashSet<usize> = self.order.iter().copied().collect();
        grid.samples().filter(|sample| !counted.contains(sample)).collect()
    }

    /// The differences of all treatments' composites.
    pub(crate) fn composites(&self, family: &[Pairs]) -> Vec<Difference> {
        self.differences(family, self.rule.treatments)
    }

    /// The differences of layers. However many of them there turn out to be, the level is split among all that may be.
    pub(crate) fn layers(&self, family: &[Pairs]) -> Vec<Difference> {
        self.differences(family, self.rule.treatments * LAYERS)
    }

    fn differences(&self, family: &[Pairs], size: usize) -> Vec<Difference> {
        family.iter().map(|pairs| self.difference(pairs, size)).collect()
    }

    fn difference(&self, pairs: &Pairs, family: usize) -> Difference {
        let values: Vec<f64> = self.order.iter().filter_map(|sample| pairs.diffs[*sample]).collect();
        AtAnyNumber { tightest_at: self.rule.tightest_at(), family }.of(&values)
    }
}

/// Differences that hold at any number of pairs, however that came about: one of `family` at once (Bonferroni).
#[derive(Clone, Copy, Debug, Default)]
pub struct AtAnyNumber {
    /// Where its sequence is tightest, fixed before the data came.
    pub tightest_at: usize,
    pub family: usize,
}

impl AtAnyNumber {
    /// The risk that this one takes.
    #[expect(clippy::cast_precision_loss, reason = "a few")]
    pub(crate) fn alpha(self) -> f64 {
        (1.0 - LEVEL) / self.family.max(1) as f64
    }

    pub fn of(self, values: &[f64]) -> Difference {
        let look = MeanSequence::new(1.0 - self.alpha(), self.tightest_at).and_then(|mut sequence| {
            values.iter().for_each(|value| sequence.push(*value));
            snapped(&sequence)
        });
        Difference { n: count(values.len()), mean: average(values), sd: sd(values).map(snap), ..self.difference(look) }
    }

    /// Interval and p-value of a look, if it is late enough.
    fn difference(self, look: Option<Look>) -> Difference {
        let look = look.filter(|look| look.n >= FIRST_LOOK);
        let ci = look.map(|Look { low, high, degenerate, .. }| Ci {
            low,
            high,
            level: LEVEL,
            method: Method::ConfidenceSequence,
            degenerate,
            family: u32::try_from(self.family).unwrap_or(u32::MAX),
        });
        let p = look.filter(|look| look.degenerate).map(|look| all_equal(look.mean));
        Difference {
            ci,
            p_value: p,
            #[expect(clippy::cast_precision_loss, reason = "a few")]
            p_value_adjusted: p.map(|p| (p * self.family as f64).min(1.0)),
            p_value_why: p.is_none().then(|| msg!("report-stopping-no-p").into()),
            alpha: ci.is_some().then(|| snap(self.alpha())),
            ..Difference::default()
        }
    }
}

/// A p-value for differences that are all `value`, whenever one looks: if signs are a matter of chance, the first
/// [`FIRST_LOOK`] agree with probability `2^(1 − FIRST_LOOK)`, and unless they do, it never comes to this.
fn all_equal(value: f64) -> f64 {
    let exponent = 1 - i32::try_from(FIRST_LOOK).unwrap_or(i32::MAX);
    if value == 0.0 { 1.0 } else { 2.0_f64.powi(exponent) }
}

/// Whether a run is looked at while it goes on.
pub fn may_end_early(suite: &Suite) -> bool {
    Rule::of(suite).is_some_and(|rule| rule.is_used())
}

/// What `--dry-run` says of it.
pub fn outlook(suite: &Suite) -> Option<Message> {
    let rule = Rule::of(suite)?;
    Some(match rule.is_used() {
        true => rule.message(),
        false => rule.why_unused(),
    })
}

/// What was not run, and what it would have cost.
pub(crate) struct Saving<'a> {
    /// Requests that judges would be sent about one answer to each sample.
    pub(crate) requests: &'a [u64],
    /// What the judges cost in this run; `None` when unknown.
    pub(crate) judges: Option<f64>,
    /// Whether the answers are those of an earlier run, so that nothing could have been paid for.
    pub(crate) is_regrade: bool,
}

/// The block of the report; `None` where the run could not end early. `grid` must be restricted to what counts already.
pub(crate) fn block(
    grid: &Grid,
    plan: &Plan,
    looked: Option<&Looked>,
    is_complete: bool,
    saving: &Saving<'_>,
) -> Option<Stopping> {
    let rule = Rule::of(grid.suite)?;
    let mut block = empty(rule);
    let Some(looked) = looked else {
        block.unused = Some(rule.why_unused().into());
        block.looked = count(rule.planned);
        return Some(block);
    };
    block.looked = count(looked.order.len());
    block.decided_after = looked.decided.then_some(block.looked);
    block.treatments = looked.paths.clone();
    let mut seen = HashSet::new();
    let drawn = plan.cells.iter().map(|cell| cell.sample).filter(|sample| seen.insert(*sample));
    block.order = drawn.filter_map(|sample| Some(grid.suite.samples.get(sample)?.id.clone())).collect();
    if is_complete {
        let saved: Vec<usize> = (0..plan.cells.len()).filter(|at| grid.all()[*at].ending == Ending::NotRun).collect();
        let ran: HashSet<usize> = plan
            .cells
            .iter()
            .zip(grid.all())
            .filter(|(_, cell)| cell.ending != Ending::NotRun)
            .map(|of| of.0.sample)
            .collect();
        let beyond = grid.beyond();
        block.samples_saved = count(beyond.iter().filter(|sample| !ran.contains(sample)).count());
        block.beyond = beyond
            .iter()
            .filter(|sample| ran.contains(sample))
            .map(|sample| grid.suite.samples[*sample].id.clone())
            .collect();
        block.calls_saved = count(saved.len());
        let requests = |at: usize| saving.requests.get(plan.cells[at].sample).copied().unwrap_or(0);
        block.judge_calls_saved = saved.iter().map(|at| requests(*at)).sum();
        match cost_saved(grid, plan, &saved, requests, saving) {
            Ok(cost) => block.cost_saved_estimate = cost,
            Err(why) => block.cost_saved_why = Some(why.into()),
        }
    }
    Some(block)
}

fn empty(rule: Rule) -> Stopping {
    Stopping {
        rule: Note::from(rule.message()),
        unused: None,
        first_look: count(FIRST_LOOK),
        level: LEVEL,
        tightest_at: count(rule.tightest_at()),
        samples_planned: count(rule.planned),
        looked: 0,
        decided_after: None,
        samples_saved: 0,
        calls_saved: 0,
        judge_calls_saved: 0,
        cost_saved_estimate: None,
        cost_saved_why: None,
        beyond: Vec::new(),
        order: Vec::new(),
        treatments: Vec::new(),
        caution: Note::from(msg!("report-stopping-caution")),
    }
}

/// Each execution at its variant's mean price, and each request to a judge at the mean of those that were made.
#[expect(clippy::cast_precision_loss, reason = "counts of calls")]
fn cost_saved(
    grid: &Grid,
    plan: &Plan,
    saved: &[usize],
    requests: impl Fn(usize) -> u64,
    saving: &Saving<'_>,
) -> Result<Option<SavedCost>, Message> {
    if saved.is_empty() {
        return Ok(None);
    }
    if saving.is_regrade {
        return Err(msg!("report-stopping-cost-regrade"));
    }
    let unknown = || msg!("report-stopping-cost-unknown");
    let price = |variant: usize| {
        let answered: Vec<Option<f64>> =
            grid.arm(variant).filter(|cell| cell.ending == Ending::Answered).map(|cell| cell.price).collect();
        let known: Option<Vec<f64>> = answered.into_iter().collect();
        average(&known?)
    };
    let prices: Vec<Option<f64>> = (0..grid.suite.variants.len()).map(price).collect();
    let mut usd = 0.0;
    for at in saved {
        usd += prices.get(plan.cells[*at].subject).copied().flatten().ok_or_else(unknown)?;
    }
    let is_graded = |at: &usize| grid.all()[*at].graded;
    let made: u64 = (0..plan.cells.len()).filter(is_graded).map(&requests).sum();
    let left: u64 = saved.iter().map(|at| requests(*at)).sum();
    if left > 0 {
        let paid = saving.judges.filter(|_| made > 0).ok_or_else(unknown)?;
        usd += paid / made as f64 * left as f64;
    }
    Ok(Some(SavedCost { usd: snap(usd), basis: msg!("report-stopping-cost-basis").into() }))
}
