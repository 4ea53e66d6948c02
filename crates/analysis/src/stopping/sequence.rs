//! The rule of `--stop-when-decided`, and the confidence sequences that it reads.

use eval_format::{Ci, Decided, DiffInputs, Difference, Limits, Method, POINTS};
use eval_message::number::points;
use eval_message::{Message, msg};
use eval_spec::Suite;
use eval_stats::{Look, MeanSequence, Standing, sd, unseen_share};

use crate::intervals::LEVEL;
use crate::numbers::{average, count, snap};

/// A treatment is looked at from so many pairs on: below, the variance is too uncertain for an asymptotic interval.
pub const FIRST_LOOK: usize = 10;

/// The layers that may be asked of each treatment: a number that the data have no say in.
pub const LAYERS: usize = 3;

/// What is fixed before the run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rule {
    pub(super) treatments: usize,
    /// Samples, tripwires aside.
    pub(super) planned: usize,
    /// The smallest difference that matters.
    pub(super) margin: f64,
    /// The pairs that progress needs.
    pub(super) progress_pairs: usize,
}

impl Rule {
    /// `None` where the run may not end early: it is not requested, or there is nothing to compare.
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

    pub(super) fn tightest_at(&self) -> usize {
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

    pub(super) fn message(&self) -> Message {
        msg!(
            "report-stopping-rule",
            first = FIRST_LOOK,
            planned = self.planned,
            pairs = self.progress_pairs,
            limit = points(self.margin)
        )
    }

    pub(super) fn why_unused(&self) -> Message {
        msg!("report-stopping-unused", samples = self.planned, first = FIRST_LOOK)
    }

    pub(super) fn decided(&self, look: Look) -> Option<Decided> {
        match look.standing(self.margin) {
            _ if look.n < FIRST_LOOK || self.may_turn(look) => None,
            Standing::Below => Some(Decided::Worse),
            Standing::Above => (look.n >= self.progress_pairs).then_some(Decided::Better),
            // few differences may look alike only because the large ones are rare
            Standing::Inside => (look.n >= self.progress_pairs).then_some(Decided::NoDifferenceThatMatters),
            Standing::Open => None,
        }
    }

    /// Whether the decision could turn if samples of a kind not drawn yet differed by the whole scale: the observed
    /// spread can't show them.
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
    pub(super) rule: Rule,
    pub(super) of: Vec<MeanSequence>,
    /// The same with the worst and the best that missing runs could have been for each treatment: what is missing is a
    /// matter of chance as well, and a run must not end while it happens to be little.
    bounds: Vec<[MeanSequence; 2]>,
}

/// One task's difference of a treatment, in points.
#[derive(Clone, Copy, Debug)]
pub struct TaskDifference {
    /// As it was measured; `None` where it is no pair.
    pub measured: Option<f64>,
    /// With the worst that missing runs could have been for the treatment; `None` where nothing was planned.
    pub worst: Option<f64>,
    /// With the best.
    pub best: Option<f64>,
}

impl From<Option<f64>> for TaskDifference {
    /// Nothing is missing.
    fn from(measured: Option<f64>) -> TaskDifference {
        TaskDifference { measured, worst: measured, best: measured }
    }
}

impl Sequences {
    /// Nothing looked at yet, of so many `treatments` and `planned` samples; `None` with fewer than [`FIRST_LOOK`].
    #[must_use]
    pub fn new(treatments: usize, planned: usize, limits: &Limits) -> Option<Sequences> {
        Sequences::by(Rule::new(treatments, planned, limits))
    }

    pub(super) fn by(rule: Rule) -> Option<Sequences> {
        Sequences::family(rule, rule.treatments)
    }

    /// The same for the layers, three of each treatment; they end no run.
    #[must_use]
    pub fn of_layers(treatments: usize, planned: usize, limits: &Limits) -> Option<Sequences> {
        Sequences::family(Rule::new(treatments, planned, limits), treatments * LAYERS)
    }

    fn family(rule: Rule, size: usize) -> Option<Sequences> {
        let of: Vec<MeanSequence> = (0..size).map(|_| rule.sequence(size)).collect::<Option<_>>()?;
        let bounds = of.iter().map(|sequence| [*sequence, *sequence]).collect();
        rule.is_used().then_some(Sequences { rule, of, bounds })
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

    /// Takes in one task: the difference of each treatment. Whether all are decided.
    pub fn push(&mut self, diffs: impl Iterator<Item = impl Into<TaskDifference>>) -> bool {
        for ((sequence, [worst, best]), diff) in self.of.iter_mut().zip(&mut self.bounds).zip(diffs) {
            let diff: TaskDifference = diff.into();
            diff.measured.into_iter().for_each(|diff| sequence.push(diff));
            diff.worst.into_iter().for_each(|diff| worst.push(diff));
            diff.best.into_iter().for_each(|diff| best.push(diff));
        }
        (0..self.of.len()).all(|treatment| self.decided(treatment).is_some())
    }

    /// How a treatment is decided, whatever its missing runs could have been.
    pub(super) fn decided(&self, treatment: usize) -> Option<Decided> {
        let decided = self.rule.decided(snapped(&self.of[treatment])?)?;
        let [worst, best] = &self.bounds[treatment];
        let (low, high) = (snapped(worst)?.low, snapped(best)?.high);
        let margin = self.rule.margin;
        let holds = match decided {
            Decided::Worse => true,
            Decided::Better => low > 0.0,
            Decided::NoDifferenceThatMatters => low >= -margin && high <= margin,
        };
        holds.then_some(decided)
    }
}

/// The look as it is reported, so that rounding never decides.
pub(super) fn snapped(sequence: &MeanSequence) -> Option<Look> {
    let look = sequence.look()?;
    Some(Look { mean: snap(look.mean), low: snap(look.low), high: snap(look.high), ..look })
}

/// Differences that hold at any number of pairs, however that came about: one of `family` at once (Bonferroni).
#[derive(Clone, Copy, Debug, Default)]
pub struct AtAnyNumber {
    /// Where its sequence is tightest, fixed before the data came.
    pub tightest_at: usize,
    /// How many sequences hold at once.
    pub family: usize,
}

impl AtAnyNumber {
    /// The risk that this one takes.
    #[expect(clippy::cast_precision_loss, reason = "a few")]
    pub(crate) fn alpha(self) -> f64 {
        (1.0 - LEVEL) / self.family.max(1) as f64
    }

    /// The mean of `values` with an interval that holds however many there are.
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
