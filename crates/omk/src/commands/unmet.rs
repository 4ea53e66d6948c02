//! Inputs that this run can't honour: reported before anything is paid for, and refused if they would change the
//! measurement.

use eval_analysis::measure::count;
use eval_exec::ExecutorKind;
use eval_format::PROGRESS_PAIRS;
use eval_message::{Message, msg};
use eval_spec::suite::{Goal, NetworkAccess, PermissionMode, Settings, VariantRef};
use eval_spec::{Assertion, Diagnostic, Sample};

/// A larger margin, in points, says little.
const MOST_MARGIN: f64 = 1.0;

/// All of them, errors and warnings mixed, in the order of the samples.
pub(crate) fn unmet(settings: &Settings, samples: &[Sample]) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = left_out(samples).filter(|_| !settings.judge).into_iter().collect();
    found.extend(nothing_scored(settings, samples));
    found.extend(nothing_to_compare(settings, samples));
    found.extend(nothing_to_decide(settings, samples));
    found.extend(wide_margin(settings));
    found.extend(delivery(settings));
    found.extend(permissions(settings));
    found.extend(network(settings));
    found.extend(limits_of_agents(settings));
    found
}

/// Removes the judged assertions from `samples` and from sets: without judges (`--no-judge`) they are not planned, which
/// differs from planned and missing.
pub(crate) fn without_judged(samples: &mut [Sample]) {
    leave_out(samples, is_judged);
}

/// Removes the assertions that a script decides.
pub(crate) fn without_scripts(samples: &mut [Sample]) {
    leave_out(samples, is_script);
}

/// Whether a script decides an assertion.
pub(crate) fn is_script(assertion: &Assertion) -> bool {
    assertion.kind == "custom"
}

/// Whether a sample has a judged assertion.
pub(crate) fn has_judged(sample: &Sample) -> bool {
    first_judged(&sample.assertions).is_some()
}

fn leave_out(samples: &mut [Sample], is_out: fn(&Assertion) -> bool) {
    for sample in samples {
        let assertions = std::mem::take(&mut sample.assertions).into_iter();
        sample.assertions = assertions.filter_map(|assertion| without(assertion, is_out)).collect();
    }
}

fn without(mut assertion: Assertion, is_out: fn(&Assertion) -> bool) -> Option<Assertion> {
    if assertion.children.is_empty() {
        return (!is_out(&assertion)).then_some(assertion);
    }
    let children = std::mem::take(&mut assertion.children).into_iter();
    assertion.children = children.filter_map(|child| without(child, is_out)).collect();
    (!assertion.children.is_empty()).then_some(assertion)
}

fn unjudged(assertion: Assertion) -> Option<Assertion> {
    without(assertion, is_judged)
}

fn is_judged(assertion: &Assertion) -> bool {
    eval_grade::is_judged(&assertion.kind)
}

fn first_judged(assertions: &[Assertion]) -> Option<&Assertion> {
    assertions.iter().find_map(|a| if is_judged(a) { Some(a) } else { first_judged(&a.children) })
}

fn left_out(samples: &[Sample]) -> Option<Diagnostic> {
    let judged = |sample: &&Sample| sample.has_rubric() || has_judged(sample);
    let count = samples.iter().filter(judged).count();
    (count > 0).then(|| Diagnostic::warning(msg!("cli-judge-left-out", count = count), None))
}

/// Refuses samples that nothing scores, or nothing but judges that `--no-judge` leaves out, unless no more than the answers
/// is asked for (`--report-only`).
fn nothing_scored(settings: &Settings, samples: &[Sample]) -> Option<Diagnostic> {
    let is_scored = |sample: &Sample| sample.has_rubric() || !sample.assertions.is_empty();
    let is_unjudged = |assertion: &Assertion| unjudged(assertion.clone()).is_some();
    let is_left = |sample: &Sample| sample.assertions.iter().any(is_unjudged);
    let first = samples.first().filter(|_| !settings.report_only)?;
    let (error, help) = match samples.iter().any(is_scored) {
        false => (msg!("cli-nothing-scores"), msg!("cli-nothing-scores-help")),
        true if settings.judge || samples.iter().any(is_left) => return None,
        true => (msg!("cli-nothing-scored"), msg!("cli-nothing-scored-help")),
    };
    Some(Diagnostic::error(error, first.place.clone()).help(help))
}

/// Refuses pairwise judging of one variant alone, which has no score.
fn nothing_to_compare(settings: &Settings, samples: &[Sample]) -> Option<Diagnostic> {
    let is_alone = settings.judge && settings.treatments.is_empty();
    let compared = samples.iter().find(|sample| is_alone && sample.is_pairwise(settings.judge_mode))?;
    let error = Diagnostic::error(msg!("cli-pairwise-alone", sample = &compared.id), compared.place.clone());
    Some(error.help(msg!("cli-pairwise-alone-help")))
}

/// Planned looks need two variants, scores and enough samples: they stop by the difference of scores.
fn nothing_to_decide(settings: &Settings, samples: &[Sample]) -> Option<Diagnostic> {
    settings.planned_looks()?;
    if settings.treatments.is_empty() {
        let error = Diagnostic::error(msg!("cli-stop-alone"), None);
        return Some(error.help(msg!("cli-stop-alone-help")));
    }
    let compared = samples.iter().find(|sample| settings.judge && sample.is_pairwise(settings.judge_mode));
    if let Some(sample) = compared {
        let error = Diagnostic::error(msg!("cli-stop-pairwise", sample = &sample.id), sample.place.clone());
        return Some(error.help(msg!("cli-stop-pairwise-help")));
    }
    let scored = samples.iter().filter(|sample| !sample.tripwire).count();
    let few = msg!("report-stopping-unused", samples = scored, first = PROGRESS_PAIRS);
    (count(scored) <= PROGRESS_PAIRS && settings.planned_looks() > Some(1)).then(|| Diagnostic::warning(few, None))
}

/// With a margin of more than a quarter of the scale, nearly every treatment is not worse.
pub(crate) fn wide_margin(settings: &Settings) -> Option<Diagnostic> {
    let margin = settings.margin;
    let is_wide = settings.goal == Goal::NotWorse && margin > MOST_MARGIN;
    let warning = || Diagnostic::warning(msg!("cli-margin-wide", margin = margin.to_string()), None);
    is_wide.then(|| warning().help(msg!("cli-margin-wide-help")))
}

/// Only an agent that is isolated can be offered a skill, or find files in a copy of its working directory.
fn delivery(settings: &Settings) -> Option<Diagnostic> {
    let needs = |of: &&VariantRef| !settings.delivery_of(of).is_default() || !of.allowed_skills.is_empty();
    let first = settings.control.iter().chain(&settings.treatments).find(needs)?;
    let place = || first.place.clone();
    if eval_exec::kind(&settings.executor) != ExecutorKind::Agent {
        let error = Diagnostic::error(msg!("cli-delivery-no-agent", executor = &settings.executor), place());
        return Some(error.help(msg!("cli-delivery-no-agent-help")));
    }
    let error = || Diagnostic::error(msg!("cli-delivery-open"), place()).help(msg!("cli-delivery-open-help"));
    (!settings.strict_baseline).then(error)
}

/// More than an agent is allowed by default is for a throwaway copy alone, and every tool for one in a sandbox.
fn permissions(settings: &Settings) -> Option<Diagnostic> {
    let more = |of: &&VariantRef| !settings.permissions_of(of).is_default();
    let variants = || settings.control.iter().chain(&settings.treatments);
    let first = variants().find(more)?;
    // The place of a variant says nothing of a mode that all of them have.
    let own = variants().find(|of| of.permissions.is_some_and(|mode| !mode.is_default()));
    let place = own.and_then(|of| of.place.clone());
    let error = |message: Message, help: Message| Some(Diagnostic::error(message, place.clone()).help(help));
    let mode = settings.permissions_of(first).word();
    if eval_exec::kind(&settings.executor) != ExecutorKind::Agent {
        let message = msg!("cli-permissions-no-agent", executor = &settings.executor, mode = mode);
        return error(message, msg!("cli-permissions-no-agent-help"));
    }
    if !settings.strict_baseline {
        return error(msg!("cli-permissions-open", mode = mode), msg!("cli-permissions-open-help"));
    }
    let is_bypass = variants().any(|of| settings.permissions_of(of) == PermissionMode::Bypass);
    match is_bypass && !settings.sandbox {
        true => error(msg!("cli-permissions-no-sandbox"), msg!("cli-permissions-no-sandbox-help")),
        false => None,
    }
}

/// The network is closed by the sandbox, which only an isolated agent has.
fn network(settings: &Settings) -> Option<Diagnostic> {
    let is_agent = eval_exec::kind(&settings.executor) == ExecutorKind::Agent;
    let (message, help) = match (settings.network, is_agent) {
        (NetworkAccess::Open, _) => return None,
        (NetworkAccess::None, false) => {
            (msg!("cli-network-no-agent", executor = &settings.executor), msg!("cli-network-no-agent-help"))
        }
        (NetworkAccess::None, true) if settings.strict_baseline && settings.sandbox => return None,
        (NetworkAccess::None, true) => (msg!("cli-network-open"), msg!("cli-network-open-help")),
    };
    Some(Diagnostic::error(message, None).help(help))
}

fn limits_of_agents(settings: &Settings) -> Option<Diagnostic> {
    let given = settings.allowed_tools.is_some() || settings.generation.max_turns.is_some();
    let is_api = eval_exec::kind(&settings.executor) == ExecutorKind::Model;
    let message: Message = msg!("cli-no-agent", executor = &settings.executor);
    (given && is_api).then(|| Diagnostic::warning(message, None))
}
