//! The rules of the verdict, one file for each family.
//!
//! The tables are read from the top: [`RULES`] (which tier a treatment has), [`progress::DOUBTS`] (what keeps a gain from
//! counting as progress), [`CAVEATS`] (caveats about a treatment in any other tier), [`validity::VALIDITY`] (why a run is no
//! valid measurement) and [`solo::GATE`] (what a single variant's mean must pass).
//!
//! To add a rule:
//!
//! 1. Write a function in a new file of this folder. It reads the stored inputs and returns reasons with their numbers,
//!    never text. A number that the inputs lack is a new field of `eval_format::VerdictInputs`.
//! 2. Add a line to the table that it belongs to.
//! 3. A reason that doesn't exist yet is an entry of the table of its kind in [`crate::reason`], with its text in both
//!    catalogues; a test asks for a sample of it. A new [remedy](crate::reason::Remedy) needs
//!    [advice](crate::advice::Advice), an entry of that table.

pub(crate) mod cached;
mod clusters;
mod delivery;
pub(crate) mod enough;
pub(crate) mod gap_guard;
pub(crate) mod goal;
mod gold;
mod holdout;
mod interval;
mod judges;
mod layers;
mod limits;
mod looks;
mod missing;
mod parts;
pub(crate) mod preference;
mod progress;
mod reading;
mod runtime;
mod share;
mod side;
pub(crate) mod solo;
pub(crate) mod soundness;
pub(crate) mod triggers;
mod unseen;
pub(crate) mod validity;

use eval_format::{ImportedInputs, TaskInputs, Tier, TreatmentInputs, VerdictInputs};

pub use side::{Side, side};

use crate::reason::{Evidence, Reason};

/// A rule: the reasons why its tier is the right one, or `None` if it isn't.
type TierRule = fn(&VerdictInputs, &TreatmentInputs) -> Option<Vec<Reason>>;

/// What decides a treatment's tier: the first rule that applies. The last one always does.
const RULES: &[(Tier, TierRule)] = &[
    (Tier::Underpowered, interval::too_few_pairs),
    (Tier::Regress, interval::worse),
    (Tier::Regress, layers::worse),
    (Tier::Regress, preference::control_preferred),
    (Tier::Progress, progress::without_doubt),
    (Tier::Cautious, progress::with_doubts),
    (Tier::Cautious, preference::only_preferred),
    (Tier::Cautious, interval::part_fell_unnoticed),
    (Tier::Cautious, reading::same_only_by_interval),
    (Tier::Noise, interval::no_difference_that_matters),
    (Tier::Underpowered, interval::undecided),
];

/// Caveats reported beside a tier that they don't change.
const CAVEATS: &[fn(&VerdictInputs, &TreatmentInputs) -> Vec<Reason>] =
    &[soundness::checks_unlike, judges::alarms, preference::doubts, gold::doubts, triggers::doubts, gap_guard::doubts];

/// That samples are versions of fewer tasks.
fn fewer_tasks(inputs: &VerdictInputs) -> Option<Reason> {
    let TaskInputs { samples, tasks } = inputs.tasks;
    (tasks < samples).then(|| Evidence::FewerTasks { samples, tasks }.into())
}

/// That the scores are another tool's.
fn rests_on_file(inputs: &VerdictInputs) -> Option<Reason> {
    let ImportedInputs { tool, score, unknown, .. } = inputs.imported.clone()?;
    Some(Evidence::RestsOnFile { tool, score, unknown }.into())
}

/// Names the treatments of the file whose intervals hold at once, if more than the compared ones.
fn one_of_file(inputs: &VerdictInputs) -> Option<Reason> {
    let treatments = inputs.imported.as_ref()?.file_treatments?;
    Some(Evidence::OneOfFile { treatments }.into())
}

/// Returns the tier of the first rule that applies, and its reasons.
fn fired(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> (Tier, Vec<Reason>) {
    let first = RULES.iter().find_map(|(tier, rule)| Some((*tier, rule(inputs, treatment)?)));
    first.unwrap_or((Tier::Underpowered, Vec::new()))
}

/// A treatment's tier, and why.
pub(crate) fn tier(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> (Tier, Vec<Reason>) {
    let (tier, mut reasons) = fired(inputs, treatment);
    reasons.extend(limits::note(inputs, treatment, tier));
    reasons.extend(reading::worse_before(treatment));
    if tier == Tier::Regress {
        reasons.extend(missing::could_turn_loss(inputs, treatment));
        reasons.extend(clusters::loss_of_clusters(inputs, treatment));
    }
    if !matches!(tier, Tier::Progress | Tier::Cautious) {
        reasons.extend(CAVEATS.iter().flat_map(|caveats| caveats(inputs, treatment)));
    }
    if let Some(note) = delivery::rarely_loaded(inputs, treatment) {
        reasons.insert(0, note);
    }
    reasons.extend(preference::read_as_points(inputs, treatment));
    reasons.extend(judges::self_preference(inputs));
    reasons.extend(gap_guard::first(inputs, &treatment.arm));
    reasons.extend(looks::note(inputs, treatment));
    reasons.extend(missing::refused_first(inputs, treatment));
    reasons.extend(fewer_tasks(inputs));
    reasons.extend(one_of_file(inputs));
    if tier != Tier::Underpowered {
        reasons.extend(rests_on_file(inputs));
    }
    (tier, reasons)
}

/// Doubts about a gain that more samples may settle: a look decides where there is none of them.
const OPEN: &[fn(&VerdictInputs, &TreatmentInputs) -> Vec<Reason>] = &[
    progress::trivial,
    progress::few_pairs,
    unseen::could_turn_gain,
    missing::could_turn_gain,
    clusters::gain_of_clusters,
    parts::fell,
    parts::collapsed,
];

/// Whether a gain has none of the doubts that more samples may settle.
pub(crate) fn better_for_sure(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> bool {
    interval::better(inputs, treatment).is_some() && OPEN.iter().all(|doubts| doubts(inputs, treatment).is_empty())
}

/// Whether there is no difference that matters, and no part fell.
pub(crate) fn no_difference_for_sure(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> bool {
    let fell = [parts::fell, parts::collapsed].iter().any(|parts| !parts(inputs, treatment).is_empty());
    !fell && interval::no_difference_that_matters(inputs, treatment).is_some()
}

/// Whether a loss is one, at an early look whatever kinds may come.
pub(crate) fn worse_for_sure(inputs: &VerdictInputs, treatment: &TreatmentInputs, is_last: bool) -> bool {
    let is_certain = || treatment.unseen.is_some_and(|unseen| unseen.no_loss <= inputs.limits.unseen_risk);
    interval::worse(inputs, treatment).is_some() && (is_last || is_certain())
}
