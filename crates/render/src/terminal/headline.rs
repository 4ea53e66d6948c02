//! The verdict in words: what is decided, why, and what the exit code means.

use eval_format::{Note, Report, Tier, TreatmentVerdict, Verdict};
use eval_message::plain::clip;
use eval_message::{Lang, Message, msg};
use owo_colors::Style;

use super::{NAME, Page, wrap};

pub(crate) fn headline<R>(page: &mut Page, report: &Report<R>) {
    let verdict = &report.verdict;
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
        solo(page, report);
    }
    for treatment in &verdict.per_treatment {
        tagged(page, treatment.tier.name(), style(treatment.tier), &headline_of(report, treatment));
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
    let tag = |tier: Tier| tier.name().to_owned();
    let whole = match (verdict.valid, verdict.tier) {
        (false, _) => Some((msg!("report-no-verdict").text(lang), msg!("report-headline-invalid"), &*verdict.reasons)),
        (true, Tier::Solo) => Some((tag(Tier::Solo), headline_of_solo(report), &*verdict.reasons)),
        (true, _) => None,
    };
    let each = verdict.per_treatment.iter().map(move |of| (tag(of.tier), headline_of(report, of), &*of.reasons));
    whole.into_iter().chain(each)
}

fn solo<R>(page: &mut Page, report: &Report<R>) {
    tagged(page, Tier::Solo.name(), style(Tier::Solo), &headline_of_solo(report));
    report.verdict.reasons.iter().for_each(|reason| reason_line(page, &reason.message_key));
}

fn headline_of_solo<R>(report: &Report<R>) -> Message {
    let name = clip(&report.verdict.inputs.control.name, NAME);
    let reached = report.verdict.reasons.iter().any(|reason| reason.message_key.id == "report-solo-reached");
    match reached {
        true => msg!("report-headline-solo-reached", variant = name),
        false => msg!("report-headline-solo-under", variant = name),
    }
}

/// `TIER  what it means`.
fn tagged(page: &mut Page, tag: &str, style: Style, message: &Message) {
    let text = format!("{tag}  {}", page.show.text(message));
    let wrapped = wrap(&text, page.show.columns(), 2);
    let painted = wrapped.replacen(tag, &page.show.painted(tag, style), 1);
    page.text.push_str(&painted);
    page.text.push('\n');
}

fn reason_line(page: &mut Page, reason: &Message) {
    let text = page.show.text(&harmless(reason));
    page.bullet(&text);
}

/// A stored message holds names of others.
pub(crate) fn harmless(message: &Message) -> Message {
    let mut message = message.clone();
    for value in message.args.values_mut() {
        if let eval_message::Arg::Text(text) = value {
            *text = clip(text, 200);
        }
    }
    message
}

fn exit_line<R>(page: &mut Page, exit_code: u8, report: &Report<R>) {
    if page.show.exit_code {
        page.line(0, &exit_text(&report.verdict, exit_code));
    }
}

/// What an exit code of `omk eval` means.
pub(crate) fn exit_text(verdict: &Verdict, exit_code: u8) -> Message {
    let ships = verdict.tier == Tier::Progress
        || verdict.reasons.iter().any(|reason| reason.message_key.id == "report-solo-reached");
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

pub(crate) fn headline_of<R>(report: &Report<R>, of: &TreatmentVerdict) -> Message {
    let layer = of.reasons.iter().any(|reason| reason.message_key.id == "report-why-layer-below");
    let unscored = of.reasons.iter().any(|reason| reason.message_key.id == "report-why-unscored");
    let message = match of.tier {
        Tier::Underpowered if unscored => msg!("report-headline-unscored"),
        Tier::Progress => msg!("report-headline-progress"),
        Tier::Regress if layer => msg!("report-headline-regress-layer"),
        Tier::Regress => msg!("report-headline-regress"),
        Tier::Cautious => msg!("report-headline-cautious"),
        Tier::Noise => msg!("report-headline-noise"),
        Tier::Underpowered | Tier::Solo => msg!("report-headline-underpowered"),
    };
    let control = clip(&report.verdict.inputs.control.name, NAME);
    message.with("treatment", clip(&of.treatment, NAME)).with("control", control)
}
