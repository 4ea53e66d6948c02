//! What follows from the numbers: one of six tiers, and the exit code (T9, T10, C4).
//!
//! [`verdict`] is a pure function of [`VerdictInputs`], which the report stores beside the verdict, so anybody can
//! compute it again. The rules are a table, read from the top; each is one function.

use std::collections::BTreeMap;

use eval_spec::{Layer, Message, msg};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::contract::{CheckCounts, Difference, IncompleteReason, Layers, Note, OutcomeCounts, Unlike};
use crate::gold::trust::{self, GoldInputs};
use crate::holdout::{self, HoldoutInputs};
use crate::preference::{self, PairInputs};
use crate::saturation::{SaturationInputs, would_more_help};
use crate::sound::{
    alarms, checks_unlike, judge_alarms, judges_disagree, judges_missing, nothing_scored, self_preference,
};

/// The decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Verdict {
    /// The worst of the treatments.
    pub tier: Tier,
    /// Whether the run is a valid measurement. When it isn't, the tier is what its numbers would say, and nothing may
    /// be shipped or dropped because of it.
    pub valid: bool,
    /// Why the run is no valid measurement; with one variant only, why the gate allows or refuses.
    pub reasons: Vec<Note>,
    /// Each treatment.
    pub per_treatment: Vec<TreatmentVerdict>,
    /// 0 ship, 1 don't, 3 no valid measurement, 130 interrupted.
    pub exit_code: u8,
    /// Everything that was read to decide.
    pub inputs: VerdictInputs,
}

/// The decision on one treatment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TreatmentVerdict {
    /// Its name.
    pub treatment: String,
    /// Its tier.
    pub tier: Tier,
    /// Why.
    pub reasons: Vec<Note>,
}

/// What is said of a treatment, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum Tier {
    /// It is worse, or a layer of it is.
    Regress,
    /// It seems better, but something forbids to rely on it.
    Cautious,
    /// Nothing can be said yet.
    Underpowered,
    /// There is no difference that matters.
    Noise,
    /// It is better.
    Progress,
    /// There is nothing to compare with.
    Solo,
}

impl Tier {
    /// All of them, the worst first.
    pub const ALL: [Tier; 6] =
        [Tier::Regress, Tier::Cautious, Tier::Underpowered, Tier::Noise, Tier::Progress, Tier::Solo];

    /// The name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Tier::Regress => "REGRESS",
            Tier::Cautious => "CAUTIOUS",
            Tier::Underpowered => "UNDERPOWERED",
            Tier::Noise => "NOISE",
            Tier::Progress => "PROGRESS",
            Tier::Solo => "SOLO",
        }
    }
}

/// Every number that the rules read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct VerdictInputs {
    /// The limits.
    pub limits: Limits,
    /// Why the run ended before its plan did.
    pub incomplete_reason: Option<IncompleteReason>,
    /// The control, or the only variant.
    pub control: ArmInputs,
    /// The treatments.
    pub treatments: Vec<TreatmentInputs>,
    /// What people scored, when gold was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gold: Option<GoldInputs>,
    /// The judges; absent when nothing was judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judging: Option<JudgingInputs>,
    /// The executions of samples that are meant to fail.
    #[serde(default)]
    pub tripwires: TripwireInputs,
}

/// What is read of the judges.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct JudgingInputs {
    /// How many there are.
    pub judges: u64,
    /// Their agreement, Krippendorff's α; `null` with one judge, or when it is undefined.
    pub agreement: Option<f64>,
    /// Why it is undefined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agreement_why: Option<Note>,
    /// The agreement of judges who compared answers, Krippendorff's α; `null` as above.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pairwise_agreement: Option<f64>,
    /// The judges of the vendor whose model they judge.
    pub self_preference: Vec<String>,
}

/// What is read of the samples that are meant to fail: their scores decide nothing, failed executions are failed
/// executions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TripwireInputs {
    /// Executions made.
    pub ran: u64,
    /// Those of them that infrastructure failed.
    pub failed: u64,
}

/// Opinions of judges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OpinionCounts {
    /// Asked for.
    pub planned: u64,
    /// Those of them without a score.
    pub missing: u64,
}

/// With fewer pairs nothing can be shown: even five wins of five have p = 0.0625.
pub(crate) const MIN_PAIRS: u64 = 6;
/// Fewer pairs are no progress (T9).
pub(crate) const PROGRESS_PAIRS: u64 = 20;

/// Judges that agree less than this (Krippendorff's α) measure no common thing.
pub(crate) const MIN_AGREEMENT: f64 = 0.4;

fn min_agreement() -> f64 {
    MIN_AGREEMENT
}

/// What numbers are held against.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Limits {
    /// The smallest difference that matters, in points (`--min-effect`).
    pub min_effect: f64,
    /// A difference below this is not progress, in points (`--trivial-diff`).
    pub trivial_diff: f64,
    /// The gate of every layer, in points (`--threshold`).
    pub threshold: f64,
    /// The share of executions that may fail (`--max-failure-rate`).
    pub max_failure_rate: f64,
    /// Whether the gate is off (`--report-only`).
    pub report_only: bool,
    /// The p-value that stands for the interval when all differences are equal.
    pub alpha: f64,
    /// Fewer pairs say nothing.
    pub min_pairs: u64,
    /// Fewer pairs are no progress.
    pub progress_pairs: u64,
    /// The share of scores that may be missing in a variant, in percent.
    pub missing_percent: u64,
    /// How far control and treatment may differ in a share, in percentage points.
    pub share_points: u64,
    /// The least agreement of several judges, Krippendorff's α.
    #[serde(default = "min_agreement")]
    pub min_agreement: f64,
}

impl Limits {
    /// The limits of T2 and T9 with these settings.
    #[must_use]
    pub fn new(settings: &eval_spec::suite::Settings) -> Limits {
        Limits {
            min_effect: settings.min_effect,
            trivial_diff: settings.trivial_diff,
            threshold: settings.threshold,
            max_failure_rate: settings.max_failure_rate,
            report_only: settings.report_only,
            alpha: 0.05,
            min_pairs: MIN_PAIRS,
            progress_pairs: PROGRESS_PAIRS,
            missing_percent: 10,
            share_points: 5,
            min_agreement: MIN_AGREEMENT,
        }
    }
}

/// One variant by itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ArmInputs {
    /// Its name.
    pub name: String,
    /// Its mean composite.
    pub mean: Option<f64>,
    /// Executions that should have a composite.
    pub planned_scores: u64,
    /// Those of them that have none.
    pub missing_scores: u64,
    /// How its executions ended.
    pub outcomes: OutcomeCounts,
    /// How its checks ended.
    pub checks: CheckCounts,
    /// The share of each layer's planned weight that could not be evaluated, 0 to 1.
    #[serde(default)]
    pub unscored_share: Layers<f64>,
    /// Executions answered from the cache, at an earlier time.
    #[serde(default)]
    pub cached: u64,
    /// Which models answered.
    pub models: BTreeMap<String, u64>,
    /// Answers that name no model.
    #[serde(default)]
    pub unnamed_answers: u64,
    /// Opinions of judges on its answers.
    #[serde(default)]
    pub opinions: OpinionCounts,
}

/// One treatment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TreatmentInputs {
    /// The treatment by itself.
    pub arm: ArmInputs,
    /// Its difference to the control.
    pub diff: DiffInputs,
    /// Samples left out because control and treatment could not evaluate the same checks.
    #[serde(default)]
    pub unlike: Unlike,
    /// The layers that are planned.
    pub layers: Layers<LayerInputs>,
    /// What judges preferred, where they compared answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pairwise: Option<PairInputs>,
    /// Its difference on the samples to tune on and on those held out, where some are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holdout: Option<HoldoutInputs>,
    /// Whether more samples would narrow its interval; absent in older reports. It changes no tier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub saturation: Option<SaturationInputs>,
}

/// One layer of a treatment.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LayerInputs {
    /// The treatment's mean in it; `null` when none of it could be scored.
    pub mean: Option<f64>,
    /// The difference to the control in it.
    pub diff: DiffInputs,
}

/// A paired difference. Interval and p-value hold for everything that was asked at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DiffInputs {
    /// Pairs.
    pub n: u64,
    /// The mean difference.
    pub mean: Option<f64>,
    /// The interval's lower bound.
    pub low: Option<f64>,
    /// The interval's upper bound.
    pub high: Option<f64>,
    /// Whether all differences are equal, so that the p-value is read in place of the interval.
    pub degenerate: bool,
    /// The adjusted sign-flip p-value.
    pub p: Option<f64>,
}

impl From<&Difference> for DiffInputs {
    fn from(diff: &Difference) -> DiffInputs {
        DiffInputs {
            n: diff.n,
            mean: diff.mean,
            low: diff.ci.map(|ci| ci.low),
            high: diff.ci.map(|ci| ci.high),
            degenerate: diff.ci.is_some_and(|ci| ci.degenerate),
            p: diff.p_value_adjusted,
        }
    }
}

/// Decides. Nothing but `inputs` is read.
#[must_use]
pub fn verdict(inputs: &VerdictInputs) -> Verdict {
    let invalid = invalid(inputs);
    let per_treatment: Vec<TreatmentVerdict> = inputs.treatments.iter().map(|t| of_treatment(inputs, t)).collect();
    let tier = per_treatment.iter().map(|verdict| verdict.tier).min().unwrap_or(Tier::Solo);
    let solo = solo_gate(inputs);
    let ships = match tier {
        Tier::Progress => true,
        Tier::Solo => solo.is_ok(),
        _ => false,
    };
    let exit_code = match (invalid.is_empty(), inputs.incomplete_reason) {
        (_, Some(IncompleteReason::Interrupted)) => 130,
        (false, _) => 3,
        (true, _) if ships || inputs.limits.report_only => 0,
        (true, _) => 1,
    };
    let valid = invalid.is_empty();
    let solo_reasons = match (tier, solo) {
        (Tier::Solo, Ok(why) | Err(why)) => why.into_iter().chain(self_preference(inputs)).collect(),
        _ => Vec::new(),
    };
    let reasons = notes(invalid.into_iter().chain(solo_reasons));
    Verdict { tier, valid, reasons, per_treatment, exit_code, inputs: inputs.clone() }
}

pub(crate) fn arms(inputs: &VerdictInputs) -> impl Iterator<Item = &ArmInputs> {
    std::iter::once(&inputs.control).chain(inputs.treatments.iter().map(|treatment| &treatment.arm))
}

fn notes(messages: impl IntoIterator<Item = Message>) -> Vec<Note> {
    messages.into_iter().map(Note::from).collect()
}

/// Why the run is no valid measurement; empty when it is one.
pub(crate) fn invalid(inputs: &VerdictInputs) -> Vec<Message> {
    let ended = inputs.incomplete_reason.and_then(|reason| match reason {
        IncompleteReason::Interrupted => Some(msg!("report-invalid-interrupted")),
        IncompleteReason::BudgetExhausted => Some(msg!("report-invalid-budget")),
        IncompleteReason::Aborted => Some(msg!("report-invalid-aborted")),
        IncompleteReason::RecordsMissing => Some(msg!("report-invalid-records-missing")),
        // Said below, with its numbers: it follows from the same inputs.
        IncompleteReason::TooManyFailures => None,
    });
    ended
        .into_iter()
        .chain(too_many_failures(inputs))
        .chain(dead_arms(inputs))
        .chain(no_answer(inputs))
        .chain(judges_unusable(inputs))
        .chain(preference::judges_unusable(inputs))
        .collect()
}

#[expect(clippy::cast_precision_loss, reason = "counts of executions")]
fn too_many_failures(inputs: &VerdictInputs) -> Option<Message> {
    let failed = inputs.tripwires.failed + arms(inputs).map(|arm| arm.outcomes.failed).sum::<u64>();
    let ran = inputs.tripwires.ran + arms(inputs).map(|arm| ran(&arm.outcomes)).sum::<u64>();
    let limit = inputs.limits.max_failure_rate;
    let over = ran > 0 && failed as f64 / ran as f64 > limit;
    over.then(|| msg!("report-invalid-failures", failed = failed, ran = ran, limit = percent(limit)))
}

/// A variant whose every execution failed was not measured, however many others were.
fn dead_arms(inputs: &VerdictInputs) -> impl Iterator<Item = Message> {
    let allowed = inputs.limits.max_failure_rate >= 1.0;
    let dead = move |arm: &&ArmInputs| !allowed && ran(&arm.outcomes) > 0 && arm.outcomes.failed == ran(&arm.outcomes);
    arms(inputs).filter(dead).map(|arm| msg!("report-invalid-dead", variant = &arm.name))
}

/// Executions that came back, none of them with an answer: an endpoint that is alive and says nothing measures nothing.
fn no_answer(inputs: &VerdictInputs) -> Option<Message> {
    let came_back: u64 = arms(inputs).map(|arm| ran(&arm.outcomes) - arm.outcomes.failed).sum();
    let answered: u64 = arms(inputs).map(|arm| arm.outcomes.answered).sum();
    (came_back > 0 && answered == 0).then(|| msg!("report-invalid-no-answer", count = came_back))
}

/// More opinions are missing than executions may fail: the judges measured nothing.
#[expect(clippy::cast_precision_loss, reason = "counts of opinions")]
fn judges_unusable(inputs: &VerdictInputs) -> Option<Message> {
    let missing: u64 = arms(inputs).map(|arm| arm.opinions.missing).sum();
    let planned: u64 = arms(inputs).map(|arm| arm.opinions.planned).sum();
    let limit = inputs.limits.max_failure_rate;
    let over = planned > 0 && missing as f64 / planned as f64 > limit;
    over.then(|| msg!("report-invalid-judges", missing = missing, planned = planned, limit = percent(limit)))
}

fn ran(outcomes: &OutcomeCounts) -> u64 {
    outcomes.total() - outcomes.not_run - outcomes.over_budget
}

/// One variant only: does its mean reach the threshold, and is it a mean over nearly all that was asked?
fn solo_gate(inputs: &VerdictInputs) -> Result<Vec<Message>, Vec<Message>> {
    let (arm, threshold) = (&inputs.control, inputs.limits.threshold);
    let Some(mean) = arm.mean.filter(|_| arm.planned_scores > 0) else {
        return Err(vec![msg!("report-solo-unscored", variant = &arm.name)]);
    };
    let mut against = crate::sound::alarms_of_arm(&inputs.limits, arm);
    against.extend(crate::sound::unscored_weight(&inputs.limits, arm));
    against.extend(judges_missing(&inputs.limits, arm));
    against.extend(judges_disagree(inputs));
    against.extend(trust::doubts_of_arm(inputs, arm));
    if mean < threshold {
        let under = msg!("report-solo-under", variant = &arm.name, mean = points(mean), threshold = points(threshold));
        against.insert(0, under);
    }
    match against.is_empty() {
        true => Ok(vec![msg!(
            "report-solo-reached",
            variant = &arm.name,
            mean = points(mean),
            threshold = points(threshold)
        )]),
        false => Err(against),
    }
}

/// A rule: the reasons why its tier is the right one, or `None` if it isn't.
type Rule = fn(&VerdictInputs, &TreatmentInputs) -> Option<Vec<Message>>;

/// The rules of T9, in order; the last one always fires.
const RULES: &[(Tier, Rule)] = &[
    (Tier::Underpowered, too_few_pairs),
    (Tier::Regress, worse),
    (Tier::Regress, layer_worse),
    (Tier::Regress, preference::control_preferred),
    (Tier::Progress, better_without_doubt),
    (Tier::Cautious, better_with_doubts),
    (Tier::Cautious, preference::only_preferred),
    (Tier::Noise, no_difference_that_matters),
    (Tier::Underpowered, undecided),
];

fn of_treatment(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> TreatmentVerdict {
    let fired = RULES.iter().find_map(|(tier, rule)| Some((*tier, rule(inputs, treatment)?)));
    let (tier, mut reasons) = fired.unwrap_or((Tier::Underpowered, Vec::new()));
    if !matches!(tier, Tier::Progress | Tier::Cautious) {
        // no doubt of theirs, but whoever reads them must know on what they don't rest
        reasons.extend(checks_unlike(treatment));
        reasons.extend(judge_alarms(inputs, &treatment.arm));
        reasons.extend(preference::doubts(&inputs.limits, treatment));
        reasons.extend(trust::doubts(inputs, treatment));
    }
    reasons.extend(preference::read_as_points(inputs, treatment));
    reasons.extend(self_preference(inputs));
    TreatmentVerdict { treatment: treatment.arm.name.clone(), tier, reasons: notes(reasons) }
}

fn too_few_pairs(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Option<Vec<Message>> {
    let (n, needed) = (preference::pairs(treatment), inputs.limits.min_pairs);
    let unscored = || [&inputs.control, &treatment.arm].into_iter().filter_map(nothing_scored);
    let few = || msg!("report-why-few-pairs", n = n, needed = needed);
    (n < needed).then(|| unscored().chain(std::iter::once(few())).collect())
}

fn worse(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Option<Vec<Message>> {
    let diff = preference::deciding(inputs, treatment);
    let below = side(&inputs.limits, diff) == Side::Below;
    below.then(|| vec![where_it_lies(msg!("report-why-below"), msg!("report-why-below-all"), diff)])
}

/// The interval of a layer lies below 0 while the treatment's mean in it falls under the gate. Fewer pairs than the
/// minimum say nothing, whatever they show.
fn layer_worse(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Option<Vec<Message>> {
    let limits = &inputs.limits;
    let fell = |(layer, of): (Layer, &LayerInputs)| {
        let mean = of.mean.filter(|mean| *mean < limits.threshold)?;
        let below = of.diff.n >= limits.min_pairs && side(limits, &of.diff) == Side::Below;
        below.then(|| {
            msg!(
                "report-why-layer-below",
                layer = layer.name(),
                diff = of.diff.mean.map_or_else(String::new, |mean| points(mean.abs())),
                mean = points(mean),
                threshold = points(limits.threshold)
            )
        })
    };
    let reasons: Vec<Message> = planned_layers(treatment).filter_map(fell).collect();
    (!reasons.is_empty()).then_some(reasons)
}

fn better_without_doubt(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Option<Vec<Message>> {
    let better = better(inputs, treatment)?;
    doubts(inputs, treatment).is_empty().then(|| vec![better])
}

fn better_with_doubts(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Option<Vec<Message>> {
    let better = better(inputs, treatment)?;
    Some(std::iter::once(better).chain(doubts(inputs, treatment)).collect())
}

fn better(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Option<Message> {
    let diff = preference::deciding(inputs, treatment);
    let above = side(&inputs.limits, diff) == Side::Above;
    above.then(|| where_it_lies(msg!("report-why-above"), msg!("report-why-above-all"), diff))
}

/// What forbids to call it progress, each named.
fn doubts(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Vec<Message> {
    let limits = &inputs.limits;
    let mut doubts = Vec::new();
    let diff = preference::deciding(inputs, treatment);
    if let Some(mean) = diff.mean.filter(|mean| *mean < limits.trivial_diff) {
        doubts.push(msg!("report-doubt-trivial", diff = signed(mean), limit = points(limits.trivial_diff)));
    }
    if diff.n < limits.progress_pairs {
        doubts.push(msg!("report-doubt-pairs", n = diff.n, needed = limits.progress_pairs));
    }
    doubts.extend(planned_layers(treatment).filter_map(|(layer, of)| layer_under_gate(limits, layer, of)));
    doubts.extend(alarms(limits, &inputs.control, treatment));
    doubts.extend(judge_alarms(inputs, &treatment.arm));
    doubts.extend(preference::doubts(limits, treatment));
    doubts.extend(trust::doubts(inputs, treatment));
    doubts.extend(holdout::doubts(treatment));
    if !invalid(inputs).is_empty() {
        doubts.push(msg!("report-doubt-invalid"));
    }
    doubts
}

fn layer_under_gate(limits: &Limits, layer: Layer, of: &LayerInputs) -> Option<Message> {
    match of.mean {
        None => Some(msg!("report-doubt-layer-missing", layer = layer.name())),
        Some(mean) if mean < limits.threshold => Some(msg!(
            "report-doubt-layer",
            layer = layer.name(),
            mean = points(mean),
            threshold = points(limits.threshold)
        )),
        Some(_) => None,
    }
}

fn no_difference_that_matters(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Option<Vec<Message>> {
    let diff = preference::deciding(inputs, treatment);
    let beside = preference::beside(inputs, treatment).is_none_or(|side| side == Side::Inside);
    // judges who look at the position, or at nothing, exclude no difference
    let blind = preference::decides(inputs, treatment) && !preference::doubts(&inputs.limits, treatment).is_empty();
    let inside = beside && !blind && side(&inputs.limits, diff) == Side::Inside;
    let limit = points(inputs.limits.min_effect);
    let lies = || where_it_lies(msg!("report-why-inside"), msg!("report-why-inside-all"), diff);
    inside.then(|| vec![lies().with("limit", limit)])
}

fn undecided(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Option<Vec<Message>> {
    let limit = points(inputs.limits.min_effect);
    let diff = preference::deciding(inputs, treatment);
    let few = || msg!("report-why-few-pairs", n = diff.n, needed = inputs.limits.min_pairs);
    let lies = || where_it_lies(msg!("report-why-wide"), msg!("report-why-wide-all"), diff).with("limit", limit);
    let scores = match side(&inputs.limits, diff) {
        Side::Inside => None,
        _ if diff.n < inputs.limits.min_pairs => Some(few()),
        _ => Some(lies()),
    };
    let more = treatment.saturation.filter(|_| side(&inputs.limits, diff) == Side::Wide && !diff.degenerate);
    let more = more.filter(|_| diff.n >= inputs.limits.min_pairs);
    let more = more.and_then(|saturation| would_more_help(&inputs.limits, diff, &saturation));
    let beside = preference::beside(inputs, treatment).and_then(|_| preference::lies(treatment));
    Some(scores.into_iter().chain(more).chain(beside).collect())
}

fn planned_layers(treatment: &TreatmentInputs) -> impl Iterator<Item = (Layer, &LayerInputs)> {
    Layer::ALL.into_iter().filter_map(|layer| Some((layer, treatment.layers.get(layer)?)))
}

/// Where an interval lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Below,
    Above,
    /// It holds 0 and stays inside ± the smallest difference that matters.
    Inside,
    /// It holds 0 and reaches further, or there is none.
    Wide,
}

pub(crate) fn side(limits: &Limits, diff: &DiffInputs) -> Side {
    match (diff.low, diff.high) {
        // fewer pairs say nothing, whatever they show
        _ if diff.n < limits.min_pairs => Side::Wide,
        (Some(low), Some(_)) if diff.degenerate => side_without_spread(limits, diff, low),
        (Some(low), _) if low > 0.0 => Side::Above,
        (_, Some(high)) if high < 0.0 => Side::Below,
        (Some(low), Some(high)) if -limits.min_effect <= low && high <= limits.min_effect => Side::Inside,
        _ => Side::Wide,
    }
}

/// All differences are `value`: the interval is a point, so the p-value tells whether it is off 0, and the number of
/// pairs whether that point can be trusted to be small.
fn side_without_spread(limits: &Limits, diff: &DiffInputs, value: f64) -> Side {
    let off_zero = diff.p.is_some_and(|p| p < limits.alpha);
    match (off_zero, value > 0.0) {
        (true, true) => Side::Above,
        (true, false) => Side::Below,
        (false, _) if value.abs() <= limits.min_effect && diff.n >= limits.progress_pairs => Side::Inside,
        (false, _) => Side::Wide,
    }
}

/// `spread` with the interval, or `equal` with the value that all differences have.
fn where_it_lies(spread: Message, equal: Message, diff: &DiffInputs) -> Message {
    let text = |value: Option<f64>| value.map_or_else(|| "?".to_owned(), bound);
    match diff.degenerate {
        true => equal
            .with("n", diff.n)
            .with("diff", text(diff.mean))
            .with("p", diff.p.map_or_else(|| "= ?".to_owned(), p_text)),
        false => spread.with("low", text(diff.low)).with("high", text(diff.high)),
    }
}

/// Points with two decimals.
pub(crate) fn points(value: f64) -> String {
    let text = format!("{value:.2}");
    if text == "-0.00" { "0.00".to_owned() } else { text }
}

/// Points with a sign and two decimals; more where two would hide on which side of 0 the value lies.
pub(crate) fn signed(value: f64) -> String {
    match value.abs() {
        0.0 => "0.00".to_owned(),
        0.005.. => format!("{value:+.2}"),
        0.000_05.. => format!("{value:+.4}"),
        _ => format!("{value:+.0e}"),
    }
}

/// Like [`signed`], with more decimals where two would hide on which side of 0 the value lies.
pub(crate) fn bound(value: f64) -> String {
    let decimals = (2..=6).find(|&decimals| value.abs() >= 0.5 * 0.1_f64.powi(decimals));
    match decimals {
        Some(decimals) => format!("{value:+.*}", usize::try_from(decimals).unwrap_or(2)),
        None => signed(value),
    }
}

/// A p-value with its relation, and as many digits as matter: `= 0.042`, `< 0.001`.
pub(crate) fn p_text(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { format!("= {p:.3}") }
}

/// A share in percent.
pub(crate) fn percent(share: f64) -> String {
    let percent = format!("{:.1}", share * 100.0);
    format!("{} %", percent.strip_suffix(".0").unwrap_or(&percent))
}
