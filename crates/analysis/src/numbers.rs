//! One record, reduced to the few numbers that all statistics are computed from.
//!
//! 100,000 outputs don't fit into memory; 100,000 of these do.

use eval_format::{Ending, Spent};
use eval_message::{Message, msg};
use eval_spec::call::{AgentRuntime, Delivered, Usage};
use eval_spec::grade::Score;
use eval_spec::record::{Executed, Record};
use eval_spec::{CheckOutcome, ExecError, Failure, Grade, Layer, Outcome, Output};

use crate::likeness::quick_hash;

/// The numbers of one record.
#[derive(Debug)]
pub struct CellNumbers {
    pub(crate) ending: Ending,
    /// The class of the failure, if that is how it ended.
    pub(crate) failure: Option<Failure>,
    pub(crate) graded: bool,
    pub(crate) composite: ScorePart,
    /// The layers, in the order of [`Layer::ALL`].
    pub(crate) layers: [ScorePart; 3],
    /// All assertions in one pot.
    pub(crate) assertions: ScorePart,
    /// Every assertion's result, in file order; judged dimensions are not among them.
    pub(crate) checks: Box<[Option<bool>]>,
    /// The composite in points without each check, judged dimensions too; NaN where the others have none. Empty with more
    /// than [`MOST_LEFT_OUT`] checks.
    pub(crate) without: Box<[f64]>,
    /// Checks that passed, failed, could not be evaluated; a judged dimension neither passes nor fails.
    pub(crate) counts: [u32; 3],
    /// For each layer, which of its checks were evaluated: equal sets have equal numbers.
    pub(crate) evaluated: [u64; 3],
    /// For each layer, the share of its planned weight that could not be evaluated.
    pub(crate) unscored_share: [f64; 3],
    /// US dollars paid in this run, failed attempts too.
    pub paid: Paid,
    /// The price of the answer, paid now or earlier.
    pub(crate) price: Option<f64>,
    pub(crate) usage: Option<Usage>,
    /// Its length in characters.
    pub(crate) chars: u32,
    /// A hash of an answer's text, without white space around it.
    pub(crate) answer: Option<u64>,
    /// Its latency in milliseconds.
    pub(crate) latency_ms: Option<u64>,
    /// Failed attempts before the last.
    pub retried: u32,
    /// Whether an attempt before the last failed in a way that may depend on the answer: where a model's API answers, and
    /// where anything else does.
    pub(crate) asked_again: [bool; 2],
    /// Whether a call for it was under way when its run was interrupted or killed.
    pub(crate) was_interrupted: bool,
    /// True if it replaces an answer that was there.
    pub(crate) was_redrawn: bool,
    pub(crate) cached: bool,
    /// When an answer from the cache was given.
    pub(crate) given_at: Option<jiff::Timestamp>,
    /// Whether its agent read the artifact of another variant.
    pub(crate) is_leak: bool,
    /// What became of an artifact that was given as a skill or as files.
    pub(crate) delivered: Option<Delivered>,
    pub(crate) model: Option<Box<str>>,
    pub(crate) runtime: Option<Box<AgentRuntime>>,
}

/// A score of one cell, as points on the 1–5 scale.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ScorePart {
    /// The sample plans nothing here.
    NotPlanned,
    /// It plans something, but there is no score.
    Missing(Box<Message>),
    /// The points.
    Scored(f64),
}

impl ScorePart {
    pub(crate) fn points(&self) -> Option<f64> {
        match self {
            ScorePart::Scored(points) => Some(*points),
            ScorePart::NotPlanned | ScorePart::Missing(_) => None,
        }
    }

    pub(crate) fn why(&self) -> Option<&Message> {
        match self {
            ScorePart::Missing(why) => Some(why),
            ScorePart::NotPlanned | ScorePart::Scored(_) => None,
        }
    }
}

impl From<Score> for ScorePart {
    fn from(score: Score) -> ScorePart {
        match score {
            Score::NotPlanned => ScorePart::NotPlanned,
            Score::Missing { why } => ScorePart::Missing(Box::new(why)),
            Score::Scored(ratio) => ScorePart::Scored(snap(ratio.score())),
        }
    }
}

/// An amount of money whose parts may be unknown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Paid {
    /// The part that is known, in US dollars.
    pub known: f64,
    /// Whether all parts are known.
    pub complete: bool,
}

impl Paid {
    /// Nothing was paid.
    pub const NOTHING: Paid = Paid { known: 0.0, complete: true };

    fn of(usd: Option<f64>) -> Paid {
        Paid { known: usd.unwrap_or(0.0), complete: usd.is_some() }
    }

    /// The sum; it is complete where both are.
    pub fn plus(self, other: Paid) -> Paid {
        Paid { known: self.known + other.known, complete: self.complete && other.complete }
    }

    /// The whole, if all of it is known.
    pub fn total(self) -> Option<f64> {
        self.complete.then(|| snap(self.known))
    }
}

/// A mean score of a stored report, where 0 (no score on the scale) means that no score was planned.
pub fn planned_points(stored: Option<f64>) -> Option<f64> {
    stored.filter(|points| *points > 0.0)
}

/// The mean score, rounded as all scores are; `None` of nothing.
pub fn average(scores: &[f64]) -> Option<f64> {
    eval_stats::mean(scores).map(snap)
}

/// A length as the report counts.
pub fn count(n: usize) -> u64 {
    u64::try_from(n).unwrap_or(u64::MAX)
}

/// The nearest multiple of 1e-12: means of the same scores added in another order become the same number, so that
/// rounding never counts as a difference or misses a threshold.
pub fn snap(points: f64) -> f64 {
    let snapped = (points * 1e12).round() / 1e12;
    if snapped.is_finite() { snapped + 0.0 } else { points }
}

impl From<Paid> for Spent {
    fn from(paid: Paid) -> Spent {
        Spent { total_usd: paid.total(), known_usd: snap(paid.known) }
    }
}

impl From<Spent> for Paid {
    fn from(spent: Spent) -> Paid {
        Paid { known: spent.known_usd, complete: spent.total_usd.is_some() }
    }
}

impl CellNumbers {
    /// A cell of which there is no record.
    pub fn not_run() -> CellNumbers {
        CellNumbers::ended(Ending::NotRun, msg!("report-missing-not-run"))
    }

    /// A cell that was not run because the run was decided before.
    pub(crate) fn not_needed() -> CellNumbers {
        CellNumbers::ended(Ending::NotNeeded, msg!("report-missing-not-needed"))
    }

    /// A cell that doesn't count, except for what it cost.
    pub(crate) fn uncounted(&self) -> CellNumbers {
        let why = msg!("report-missing-not-needed");
        CellNumbers { paid: self.paid, graded: self.graded, ..CellNumbers::ended(self.ending, why) }
    }

    fn ended(ending: Ending, why: Message) -> CellNumbers {
        let missing = ScorePart::Missing(Box::new(why));
        CellNumbers {
            composite: missing.clone(),
            layers: [missing.clone(), missing.clone(), missing.clone()],
            assertions: missing,
            ..CellNumbers::blank(ending)
        }
    }

    /// The composite in points without the check at `place`, of a cell that has one with it.
    pub(crate) fn composite_without(&self, place: usize) -> Option<f64> {
        self.composite.points()?;
        self.without.get(place).copied().filter(|points| points.is_finite())
    }

    /// A cell that plans nothing.
    fn blank(ending: Ending) -> CellNumbers {
        CellNumbers {
            ending,
            failure: None,
            graded: false,
            composite: ScorePart::NotPlanned,
            layers: [const { ScorePart::NotPlanned }; 3],
            assertions: ScorePart::NotPlanned,
            checks: Box::default(),
            without: Box::default(),
            counts: [0; 3],
            evaluated: [0; 3],
            unscored_share: [0.0; 3],
            paid: Paid::NOTHING,
            price: None,
            usage: None,
            chars: 0,
            answer: None,
            latency_ms: None,
            retried: 0,
            asked_again: [false; 2],
            was_interrupted: false,
            was_redrawn: false,
            cached: false,
            given_at: None,
            is_leak: false,
            delivered: None,
            model: None,
            runtime: None,
        }
    }

    /// The numbers of `record`.
    pub(crate) fn of(record: &Record) -> CellNumbers {
        let execution = &record.execution;
        let mut numbers = match &execution.result {
            Executed::Output(output) => CellNumbers::of_output(output, record.grade.as_ref()),
            Executed::Failed(error) => CellNumbers {
                failure: Some(error.failure),
                ..CellNumbers::ended(ending_of_failure(error.failure), why_failed(error.failure))
            },
        };
        numbers.retried = u32::try_from(execution.failed_attempts.len()).unwrap_or(u32::MAX);
        record.failures_before().into_iter().for_each(|failure| numbers.follows(failure));
        numbers.cached = execution.cached;
        numbers.given_at = execution.given_at;
        numbers.is_leak = !record.artifacts_read.is_empty();
        numbers.paid = paid(record);
        numbers
    }

    /// Notes that it was asked for again after this.
    pub(crate) fn follows(&mut self, failure: Failure) {
        let selects = [true, false].map(|of_api| failure.may_select(of_api));
        self.asked_again = [0, 1].map(|place| self.asked_again[place] || selects[place]);
        self.was_interrupted |= failure == Failure::Interrupted;
        self.was_redrawn |= failure == Failure::Replaced;
    }

    fn of_output(output: &Output, grade: Option<&Grade>) -> CellNumbers {
        let ending = ending_of_outcome(output.outcome);
        let mut numbers = match (output.outcome, grade) {
            (Outcome::Answered, Some(grade)) => CellNumbers::of_grade(grade),
            (Outcome::Answered, None) => CellNumbers::ended(ending, msg!("report-missing-ungraded")),
            (outcome, _) => CellNumbers::ended(ending, why_not_answered(outcome)),
        };
        numbers.delivered = output.delivered.clone();
        numbers.runtime = output.runtime.clone();
        numbers.price = output.cost.map(|cost| cost.usd.0);
        numbers.usage = output.usage;
        numbers.chars = u32::try_from(output.text.chars().count()).unwrap_or(u32::MAX);
        let text = output.text.trim();
        let is_answer = output.outcome == Outcome::Answered && !text.is_empty();
        numbers.answer = is_answer.then(|| quick_hash(text.as_bytes()));
        numbers.latency_ms = output.latency_ms;
        numbers.model = output.model.as_deref().map(Box::from);
        numbers
    }

    fn of_grade(grade: &Grade) -> CellNumbers {
        let mut counts = [0; 3];
        for check in &grade.checks {
            let class = match check.outcome {
                CheckOutcome::Passed => 0,
                CheckOutcome::Failed => 1,
                CheckOutcome::Unscored { .. } => 2,
                CheckOutcome::Rated { .. } => continue,
            };
            counts[class] += 1;
        }
        let written = grade.checks.iter().filter(|check| !is_rubric(check));
        CellNumbers {
            graded: true,
            composite: grade.composite().into(),
            layers: Layer::ALL.map(|layer| grade.layer(layer).into()),
            assertions: grade.assertions().into(),
            checks: written.map(|check| check.outcome.passed()).collect(),
            without: without_each(grade),
            counts,
            evaluated: Layer::ALL.map(|layer| evaluated(grade, layer)),
            unscored_share: Layer::ALL.map(|layer| unscored_share(grade, layer)),
            ..CellNumbers::blank(Ending::Answered)
        }
    }
}

/// Checks of a sample of which each is left out once.
const MOST_LEFT_OUT: usize = 32;

fn without_each(grade: &Grade) -> Box<[f64]> {
    if grade.checks.len() > MOST_LEFT_OUT {
        return Box::default();
    }
    let without = |place| ScorePart::from(grade.composite_without(place)).points().unwrap_or(f64::NAN);
    (0..grade.checks.len()).map(without).collect()
}

/// A number for the set of a layer's checks that were evaluated and weigh anything: FNV-1a over their places.
fn evaluated(grade: &Grade, layer: Layer) -> u64 {
    let counts = |check: &eval_spec::Check| check.layer == layer && check.weight > 0.0 && !check.outcome.is_unscored();
    let places = (0_u64..).zip(&grade.checks).filter(|(_, check)| counts(check)).map(|(place, _)| place);
    let bytes = places.flat_map(u64::to_le_bytes);
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

fn unscored_share(grade: &Grade, layer: Layer) -> f64 {
    let of_layer = || grade.checks.iter().filter(|check| check.layer == layer);
    let planned: f64 = of_layer().map(|check| check.weight).sum();
    let lost = of_layer().filter(|check| check.outcome.is_unscored()).map(|check| check.weight).sum::<f64>();
    if planned > 0.0 { lost / planned } else { 0.0 }
}

/// Whether a check is a rubric or a judged dimension, and no assertion.
pub(crate) fn is_rubric(check: &eval_spec::Check) -> bool {
    check.layer == Layer::Judge
}

/// US dollars that a record cost in this run.
fn paid(record: &Record) -> Paid {
    let execution = &record.execution;
    match &execution.result {
        _ if execution.cached => Paid::NOTHING,
        Executed::Output(output) => paid_for_failures(record).plus(Paid::of(output.cost.map(|cost| cost.usd.0))),
        Executed::Failed(_) => paid_for_failures(record),
    }
}

/// The cost of failed attempts in this run.
pub(crate) fn paid_for_failures(record: &Record) -> Paid {
    let execution = &record.execution;
    let last = match &execution.result {
        Executed::Output(_) => None,
        Executed::Failed(error) => Some(error),
    };
    let failed = execution.failed_attempts.iter().chain(last).filter(|_| !execution.cached);
    failed.map(paid_for_failure).fold(Paid::NOTHING, Paid::plus)
}

/// The cost of a failed attempt: as reported, 0 where no answer can have begun, unknown otherwise.
fn paid_for_failure(error: &ExecError) -> Paid {
    let cost = error.partial.as_ref().and_then(|partial| partial.cost);
    match cost {
        Some(cost) => Paid::of(Some(cost.usd.0)),
        None if error.partial.is_none() && !error.failure.may_have_cost() => Paid::NOTHING,
        None => Paid::of(None),
    }
}

/// Why a cell has no answer that could be compared; `None` when it has one.
pub(crate) fn why_unanswered(cell: &CellNumbers) -> Option<Message> {
    if let Some(failure) = cell.failure {
        return Some(why_failed(failure));
    }
    match cell.ending {
        Ending::Answered => None,
        Ending::Refused => Some(why_not_answered(Outcome::Refused)),
        Ending::Truncated => Some(why_not_answered(Outcome::Truncated)),
        Ending::LimitHit => Some(why_not_answered(Outcome::LimitHit)),
        Ending::Empty => Some(why_not_answered(Outcome::Empty)),
        Ending::Failed | Ending::OverBudget | Ending::NotRun | Ending::NotNeeded | Ending::Mixed => {
            Some(msg!("report-missing-not-run"))
        }
    }
}

fn ending_of_outcome(outcome: Outcome) -> Ending {
    match outcome {
        Outcome::Answered => Ending::Answered,
        Outcome::Refused => Ending::Refused,
        Outcome::Truncated => Ending::Truncated,
        Outcome::LimitHit => Ending::LimitHit,
        Outcome::Empty => Ending::Empty,
    }
}

fn ending_of_failure(failure: Failure) -> Ending {
    match failure {
        Failure::Interrupted => Ending::NotRun,
        Failure::Budget => Ending::OverBudget,
        _ => Ending::Failed,
    }
}

fn why_not_answered(outcome: Outcome) -> Message {
    match outcome {
        Outcome::Answered => msg!("report-missing-ungraded"),
        Outcome::Refused => msg!("report-missing-refused"),
        Outcome::Truncated => msg!("report-missing-truncated"),
        Outcome::LimitHit => msg!("report-missing-limit-hit"),
        Outcome::Empty => msg!("report-missing-empty"),
    }
}

/// Why an execution that failed has no score.
pub fn why_failed(failure: Failure) -> Message {
    match failure {
        Failure::Timeout => msg!("report-missing-timeout"),
        Failure::RateLimited => msg!("report-missing-rate-limited"),
        Failure::Server => msg!("report-missing-server"),
        Failure::Dropped => msg!("report-missing-dropped"),
        Failure::Malformed => msg!("report-missing-malformed"),
        Failure::Unreachable => msg!("report-missing-unreachable"),
        Failure::Auth => msg!("report-missing-auth"),
        Failure::NoCredit => msg!("report-missing-no-credit"),
        Failure::Rejected => msg!("report-missing-rejected"),
        Failure::Spawn => msg!("report-missing-spawn"),
        Failure::Crashed => msg!("report-missing-crashed"),
        Failure::Killed => msg!("report-missing-killed"),
        Failure::Limit => msg!("report-missing-limit-hit"),
        Failure::Skill => msg!("report-missing-skill"),
        Failure::NoRecording => msg!("report-missing-no-recording"),
        Failure::Mock => msg!("report-missing-mock"),
        Failure::Interrupted => msg!("report-missing-interrupted"),
        Failure::Budget => msg!("report-missing-budget"),
        Failure::Recorded => msg!("report-missing-recorded"),
        Failure::Absent => msg!("report-missing-absent"),
        Failure::Replaced => msg!("report-missing-replaced"),
    }
}
