//! Enough samples, and what repeats add, in a summary for a terminal.

use crate::minus::{p_text, points};
use eval_format::{Comparison, Report, RunComparison, Variance, VarianceShares};
use eval_message::plain::clip;
use eval_message::{Message, msg};

use super::{Show, TerminalPage};
use crate::terminal::names::{LISTED, NAME};

/// How far the interval of a treatment's difference reaches; `None` where the
/// verdict says it already, or nothing can be said.
pub(super) fn reach<R>(report: &Report<R>, treatment: &str) -> Option<Message> {
    let curve = report.analysis.saturation.iter().find(|of| of.treatment == treatment)?;
    let decision = eval_verdict::decision(&report.verdict.inputs);
    if decision.on(treatment)?.is_about_more_samples() {
        return None;
    }
    let width = curve.windows.last()?.width?;
    Some(msg!(
        "report-saturation-reach",
        reach = points(width / 2.0),
        saturated = if curve.saturated == Some(true) { "yes" } else { "no" }
    ))
}

/// What whole runs say beside what the verdict reads, and where the spread comes from. Nothing without repeats.
pub(super) fn repeats<R>(page: &mut TerminalPage, report: &Report<R>) {
    let Some(variance) = &report.variance else { return };
    page.title(&msg!("report-repeats-title", runs = variance.runs));
    let runs = by_run(page.show, report, variance);
    if !runs.is_empty() {
        let list = page.show.list(&runs);
        page.line(2, &msg!("report-repeats-runs", list = list));
    }
    let with_control = variance.comparisons.iter().filter(|of| of.a == report.meta.variants[0]);
    for (of, comparison) in with_control.zip(&report.comparisons).take(LISTED) {
        if let Some(message) = tests(of) {
            page.line(2, &message);
        }
        if let Some(text) = comparison.shares.as_ref().and_then(|shares| spread(page.show, shares)) {
            let (control, treatment) = names(comparison);
            page.line(2, &msg!("report-repeats-spread", treatment = treatment, control = control, list = text));
        }
    }
    for (name, of) in variance.per_variant.iter().filter(|_| report.comparisons.is_empty()) {
        if let Some(text) = spread(page.show, &of.shares) {
            page.line(2, &msg!("report-repeats-spread-one", variant = clip(name, NAME), list = text));
        }
    }
    page.gap();
}

fn names(of: &Comparison) -> (String, String) {
    (clip(&of.control, NAME), clip(&of.treatment, NAME))
}

fn by_run<R>(show: Show, report: &Report<R>, variance: &Variance) -> Vec<String> {
    let of = |name: &String| {
        let spread = variance.per_variant.get(name)?;
        let (mean, sd) = (points(spread.mean?), points(spread.stddev?));
        Some(show.text(&msg!("report-repeats-run", variant = clip(name, NAME), mean = mean, sd = sd)))
    };
    report.meta.variants.iter().take(LISTED).filter_map(of).collect()
}

/// Welch's p-value over runs beside the one over samples.
fn tests(of: &RunComparison) -> Option<Message> {
    let by_sample = of.by_sample.p_value?;
    let by_run = of.p_value?;
    Some(msg!(
        "report-repeats-tests",
        a = clip(&of.a, NAME),
        b = clip(&of.b, NAME),
        runs = p_text(by_run),
        samples = p_text(by_sample)
    ))
}

/// The parts that can be told, as shares; `None` where there is only one.
fn spread(show: Show, shares: &VarianceShares) -> Option<String> {
    let parts = [("samples", &shares.samples), ("repeats", &shares.repeats), ("opinions", &shares.opinions)];
    let told = |(part, of): (&str, &eval_format::VarianceShare)| {
        let share = format!("{:.0} %", of.share? * 100.0);
        Some(show.text(&msg!("report-repeats-part", part = part, share = share)))
    };
    let told: Vec<String> = parts.into_iter().filter_map(told).collect();
    (told.len() > 1).then(|| show.list(&told))
}
