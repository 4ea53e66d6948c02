//! The verdict in words: headlines, reasons and the meaning of the exit code.

use eval_format::{Note, Report, Tier, TreatmentVerdict, Verdict};
use eval_message::number::points;
use eval_message::plain::clip;
use eval_message::{Lang, Message, msg};
use eval_spec::suite::GateTier;
use eval_verdict::{Decision, TreatmentDecision, decision};
use owo_colors::Style;

use super::{TerminalPage, wrap};
use crate::terminal::harmless::harmless;
use crate::terminal::names::NAME;

/// A headline of the verdict with its reasons.
pub(crate) struct VerdictHeadline<'r> {
    /// `None`: the run is no valid measurement, or this is not about a tier.
    tier: Option<Tier>,
    /// Whether the treatment reaches the goal that this is about.
    goal: Option<bool>,
    /// The tier's name, or that there is no verdict.
    pub(crate) tag: String,
    pub(crate) text: Message,
    pub(crate) reasons: &'r [Note],
}

/// Reasons that are listed: a thousand capabilities may each be one.
const LISTED: usize = 12;

/// The first reasons, and how many more there are.
pub(crate) fn listed(reasons: &[Note]) -> (&[Note], Option<Message>) {
    let (shown, rest) = reasons.split_at(reasons.len().min(LISTED));
    (shown, (!rest.is_empty()).then(|| msg!("report-reasons-more", count = rest.len())))
}

/// That the run is no valid measurement, or the verdict on its only variant; then each treatment.
pub(crate) fn headlines<R>(report: &Report<R>, lang: Lang) -> impl Iterator<Item = VerdictHeadline<'_>> {
    let verdict = &report.verdict;
    let decision = decision(&verdict.inputs);
    let headline = move |tier: Option<Tier>, text, reasons| {
        let tag = tier.map_or_else(|| msg!("report-no-verdict").text(lang), |tier| tier.name().to_owned());
        VerdictHeadline { tier, goal: None, tag, text, reasons }
    };
    let whole = match (verdict.valid, verdict.tier) {
        (false, _) => Some(headline(None, msg!("report-headline-invalid"), &*verdict.reasons)),
        (true, Tier::Solo) => Some(headline(Some(Tier::Solo), headline_of_solo(report, &decision), &*verdict.reasons)),
        (true, _) => None,
    };
    let each = verdict
        .per_treatment
        .iter()
        .map(move |of| headline(Some(of.tier), headline_of(report, of, &decision), &*of.reasons));
    let goals = verdict.per_treatment.iter().filter_map(move |of| goal(report, of, lang));
    whole.into_iter().chain(goals).chain(each)
}

/// Whether a treatment is not worse by more than the margin, where that is the goal; and at which share of the cost.
fn goal<'r, R>(report: &'r Report<R>, of: &'r TreatmentVerdict, lang: Lang) -> Option<VerdictHeadline<'r>> {
    let (goal, margin) = (of.goal.as_ref()?, report.verdict.inputs.limits.margin?);
    let control = &report.verdict.inputs.control.name;
    let cost = |name: &str| report.summary.get(name).and_then(|of| of.avg_cost_usd).filter(|cost| *cost > 0.0);
    let share = cost(&of.treatment).zip(cost(control)).map(|(treatment, control)| points(treatment / control));
    let (treatment, control, margin) = (clip(&of.treatment, NAME), clip(control, NAME), points(margin));
    let text = match (goal.reached, share) {
        (true, Some(share)) => {
            msg!(
                "report-headline-not-worse-cost",
                treatment = treatment,
                control = control,
                margin = margin,
                share = share
            )
        }
        (true, None) => msg!("report-headline-not-worse", treatment = treatment, control = control, margin = margin),
        (false, _) => msg!("report-headline-may-be-worse", treatment = treatment, control = control, margin = margin),
    };
    let tag = if goal.reached { msg!("report-goal-reached") } else { msg!("report-goal-missed") };
    let reached = Some(goal.reached);
    Some(VerdictHeadline { tier: None, goal: reached, tag: tag.text(lang), text, reasons: &goal.reasons })
}

pub(super) fn headline<R>(page: &mut TerminalPage, report: &Report<R>) {
    let verdict = &report.verdict;
    for of in headlines(report, page.show.lang) {
        tagged(page, &of.tag, style(&of), &of.text);
        let (reasons, more) = listed(of.reasons);
        reasons.iter().for_each(|reason| reason_line(page, &reason.message_key));
        more.iter().for_each(|more| reason_line(page, more));
        if of.tier.is_none() && of.goal.is_none() {
            report.incomplete_detail.iter().for_each(|detail| reason_line(page, &detail.message_key));
            exit_line(page, report);
            if !verdict.per_treatment.is_empty() {
                page.line(2, &msg!("report-numbers-would-say"));
            }
        }
    }
    if verdict.valid {
        exit_line(page, report);
    }
}

/// Treatments whose verdict has a line.
const TREATMENTS: usize = 4;

/// The verdict and its first reasons, those aside that the difference or the advice says, too.
pub(super) fn brief_headline<R>(page: &mut TerminalPage, report: &Report<R>, most: usize) {
    let mut all: Vec<VerdictHeadline<'_>> = headlines(report, page.show.lang).collect();
    all.sort_by_key(urgency);
    let most = most / all.len().max(1);
    let mut hidden = 0;
    let shown = if all.len() > TREATMENTS { TREATMENTS - 1 } else { all.len() };
    for of in all.iter().take(shown) {
        tagged(page, &of.tag, style(of), &of.text);
        let is_invalid = of.tier.is_none() && of.goal.is_none();
        let told: Vec<&Note> = of.reasons.iter().filter(|reason| !is_said(reason)).collect();
        let details = report.incomplete_detail.iter().filter(|_| is_invalid);
        let first = told.iter().copied().take(if is_invalid { most.max(1) } else { most });
        hidden += told.len() - first.len();
        first.chain(details).for_each(|reason| reason_line(page, &reason.message_key));
        if is_invalid && all.len() > 1 {
            page.line(2, &msg!("report-numbers-would-say"));
        }
    }
    if hidden > 0 {
        reason_line(page, &msg!("report-brief-reasons", count = hidden));
    }
    if all.len() > shown {
        page.line(0, &msg!("report-brief-more-treatments", count = all.len() - shown));
    }
}

/// What must not be overlooked comes first, and keeps its order otherwise.
fn urgency(of: &VerdictHeadline<'_>) -> u8 {
    match (of.tier, of.goal) {
        (None, None) => 0,
        (None, Some(false)) => 1,
        (None, Some(true)) => 2,
        (Some(Tier::Regress), _) => 3,
        (Some(Tier::Progress), _) => 4,
        (Some(Tier::Cautious), _) => 5,
        (Some(Tier::Underpowered | Tier::Noise | Tier::Solo), _) => 6,
    }
}

fn is_said(reason: &Note) -> bool {
    ["report-why-above", "report-why-below", "report-why-inside", "report-why-wide", "report-why-more"]
        .contains(&&*reason.message_key.id)
}

fn headline_of_solo<R>(report: &Report<R>, decision: &Decision) -> Message {
    let name = clip(&report.verdict.inputs.control.name, NAME);
    match decision.reaches_solo_gate() {
        true => msg!("report-headline-solo-reached", variant = name),
        false => msg!("report-headline-solo-under", variant = name),
    }
}

/// `TIER  what it means`.
fn tagged(page: &mut TerminalPage, tag: &str, style: Style, message: &Message) {
    let text = format!("{tag}  {}", page.show.text(message));
    let wrapped = wrap(&text, page.show.columns(), 2);
    let painted = wrapped.replacen(tag, &page.show.painted(tag, style), 1);
    page.text.push_str(&painted);
    page.text.push('\n');
}

fn reason_line(page: &mut TerminalPage, reason: &Message) {
    let text = page.show.text(&harmless(reason));
    page.bullet(&text);
}

fn exit_line<R>(page: &mut TerminalPage, report: &Report<R>) {
    if page.show.exit_code {
        page.line(0, &exit_text(&report.verdict));
    }
}

/// The meaning of the verdict's exit code.
pub(crate) fn exit_text(verdict: &Verdict) -> Message {
    let ships = verdict.tier == Tier::Progress || decision(&verdict.inputs).reaches_solo_gate();
    let is_false_alarm = matches!(verdict.tier, Tier::Progress | Tier::Regress);
    match verdict.exit_code {
        0 if verdict.inputs.limits.aa && !is_false_alarm => msg!("report-exit-aa"),
        0 if verdict.inputs.limits.aa => msg!("report-exit-off"),
        1 if verdict.inputs.limits.aa => msg!("report-exit-aa-alarm"),
        0 | 1 if verdict.inputs.limits.margin.is_some() && verdict.tier != Tier::Solo => exit_of_goal(verdict),
        0 if ships => msg!("report-exit-ship"),
        0 if verdict.tier == Tier::Cautious && verdict.inputs.limits.gate == GateTier::Cautious => {
            msg!("report-exit-cautious")
        }
        0 => msg!("report-exit-off"),
        1 => msg!("report-exit-refused"),
        130 => msg!("report-exit-interrupted"),
        _ => msg!("report-exit-invalid"),
    }
}

fn exit_of_goal(verdict: &Verdict) -> Message {
    let is_reached = verdict.per_treatment.iter().all(|of| of.goal.as_ref().is_some_and(|goal| goal.reached));
    match (is_reached, verdict.exit_code) {
        (true, _) => msg!("report-exit-goal"),
        (false, 0) => msg!("report-exit-off"),
        (false, _) => msg!("report-exit-goal-missed"),
    }
}

fn style(of: &VerdictHeadline) -> Style {
    match of.tier {
        None if of.goal == Some(true) => Style::new().green().bold(),
        None if of.goal == Some(false) => Style::new().yellow().bold(),
        Some(Tier::Progress) => Style::new().green().bold(),
        None | Some(Tier::Regress) => Style::new().red().bold(),
        Some(Tier::Cautious | Tier::Underpowered | Tier::Noise) => Style::new().yellow().bold(),
        Some(Tier::Solo) => Style::new().bold(),
    }
}

fn headline_of<R>(report: &Report<R>, of: &TreatmentVerdict, decision: &Decision) -> Message {
    let decided = decision.on(&of.treatment);
    let is_unscored = decided.is_some_and(TreatmentDecision::is_unscored);
    let is_by_layer = decided.is_some_and(TreatmentDecision::is_by_layer);
    let (treatment, control) = (clip(&of.treatment, NAME), clip(&report.verdict.inputs.control.name, NAME));
    match of.tier {
        Tier::Underpowered if is_unscored => {
            msg!("report-headline-unscored", treatment = treatment, control = control)
        }
        Tier::Progress => msg!("report-headline-progress", treatment = treatment, control = control),
        Tier::Regress if is_by_layer => {
            msg!("report-headline-regress-layer", treatment = treatment, control = control)
        }
        Tier::Regress => msg!("report-headline-regress", treatment = treatment, control = control),
        Tier::Cautious => msg!("report-headline-cautious", treatment = treatment, control = control),
        Tier::Noise => msg!("report-headline-noise", treatment = treatment, control = control),
        Tier::Underpowered | Tier::Solo => {
            msg!("report-headline-underpowered", treatment = treatment, control = control)
        }
    }
}
