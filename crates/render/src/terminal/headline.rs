//! The verdict in words: what is decided, why, and what the exit code means.

use eval_format::{Note, Report, Tier, TreatmentVerdict, Verdict};
use eval_message::plain::clip;
use eval_message::{Lang, Message, msg};
use eval_verdict::{Decision, TreatmentDecision, decision};
use owo_colors::Style;

use super::{TerminalPage, wrap};
use crate::terminal::harmless::harmless;
use crate::terminal::names::NAME;

pub(crate) fn headline<R>(page: &mut TerminalPage, report: &Report<R>) {
    let verdict = &report.verdict;
    // the reasons of the stored verdict, with their numbers
    let decision = decision(&verdict.inputs);
    let bold_red = Style::new().red().bold();
    if !verdict.valid {
        tagged(page, &page.show.text(&msg!("report-no-verdict")), bold_red, &msg!("report-headline-invalid"));
        verdict.reasons.iter().for_each(|reason| reason_line(page, &reason.message_key));
        if let Some(detail) = &report.incomplete_detail {
            reason_line(page, &detail.message_key);
        }
        exit_line(page, verdict.exit_code, report);
        if !verdict.per_treatment.is_empty() {
            page.line(2, &msg!("report-numbers-would-say"));
        }
    } else if verdict.tier == Tier::Solo {
        solo(page, report, &decision);
    }
    for treatment in &verdict.per_treatment {
        tagged(page, treatment.tier.name(), style(treatment.tier), &headline_of(report, treatment, &decision));
        treatment.reasons.iter().for_each(|reason| reason_line(page, &reason.message_key));
    }
    if verdict.valid {
        exit_line(page, verdict.exit_code, report);
    }
}

/// Each headline with its tag and reasons: that the run is no valid measurement, then each treatment; or the variant that
/// stands alone.
pub(crate) fn headlines<R>(report: &Report<R>, lang: Lang) -> impl Iterator<Item = (String, Message, &[Note])> {
    let verdict = &report.verdict;
    let decision = decision(&verdict.inputs);
    let tag = |tier: Tier| tier.name().to_owned();
    let whole = match (verdict.valid, verdict.tier) {
        (false, _) => Some((msg!("report-no-verdict").text(lang), msg!("report-headline-invalid"), &*verdict.reasons)),
        (true, Tier::Solo) => Some((tag(Tier::Solo), headline_of_solo(report, &decision), &*verdict.reasons)),
        (true, _) => None,
    };
    let each =
        verdict.per_treatment.iter().map(move |of| (tag(of.tier), headline_of(report, of, &decision), &*of.reasons));
    whole.into_iter().chain(each)
}

fn solo<R>(page: &mut TerminalPage, report: &Report<R>, decision: &Decision) {
    tagged(page, Tier::Solo.name(), style(Tier::Solo), &headline_of_solo(report, decision));
    report.verdict.reasons.iter().for_each(|reason| reason_line(page, &reason.message_key));
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

fn exit_line<R>(page: &mut TerminalPage, exit_code: u8, report: &Report<R>) {
    if page.show.exit_code {
        page.line(0, &exit_text(&report.verdict, exit_code));
    }
}

/// What an exit code of `omk eval` means.
pub(crate) fn exit_text(verdict: &Verdict, exit_code: u8) -> Message {
    let ships = verdict.tier == Tier::Progress || decision(&verdict.inputs).reaches_solo_gate();
    match exit_code {
        0 if ships => msg!("report-exit-ship"),
        0 => msg!("report-exit-off"),
        1 => msg!("report-exit-refused"),
        130 => msg!("report-exit-interrupted"),
        _ => msg!("report-exit-invalid"),
    }
}

fn style(tier: Tier) -> Style {
    match tier {
        Tier::Progress => Style::new().green().bold(),
        Tier::Regress => Style::new().red().bold(),
        Tier::Cautious | Tier::Underpowered | Tier::Noise => Style::new().yellow().bold(),
        Tier::Solo => Style::new().bold(),
    }
}

pub(crate) fn headline_of<R>(report: &Report<R>, of: &TreatmentVerdict, decision: &Decision) -> Message {
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
