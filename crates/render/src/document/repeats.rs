//! Enough samples, and what repeats add.

use eval_format::{Comparison, Report, RunComparison, VarianceShares};
use eval_message::plain::clip;
use eval_message::{Message, msg};

use super::block::{Block, line, title};
use super::text::{LISTED, NAME};
use crate::minus::{p_text, points};

/// Returns how far the interval of a treatment's difference reaches; `None` where the verdict says it already, or nothing
/// can be said.
pub(super) fn reach<R>(report: &Report<R>, treatment: &str) -> Option<Message> {
    let curve = report.analysis.saturation.iter().find(|curve| curve.treatment == treatment)?;
    let decision = eval_verdict::decision(&report.verdict.inputs);
    if decision.on(treatment)?.is_about_more_samples() {
        return None;
    }
    let width = curve.windows.last()?.width?;
    let saturated = if curve.saturated == Some(true) { "yes" } else { "no" };
    Some(msg!("report-saturation-reach", reach = points(width / 2.0), saturated = saturated))
}

/// Returns what whole runs say beside what the verdict reads, and where the spread comes from. Nothing without repeats.
pub(super) fn blocks<R>(report: &Report<R>) -> Vec<Block> {
    let Some(variance) = &report.variance else { return Vec::new() };
    let mut blocks = vec![title(msg!("report-repeats-title", runs = variance.runs))];
    let run = |name: &String| {
        let spread = variance.per_variant.get(name)?;
        let (mean, sd) = (points(spread.mean?), points(spread.stddev?));
        Some(msg!("report-repeats-run", variant = clip(name, NAME), mean = mean, sd = sd))
    };
    let runs: Vec<Message> = report.meta.variants.iter().take(LISTED).filter_map(run).collect();
    blocks.extend((!runs.is_empty()).then(|| line(2, msg!("report-repeats-runs", list = runs))));
    let with_control = variance.comparisons.iter().filter(|pair| pair.a == report.meta.variants[0]);
    let compared = with_control.zip(&report.comparisons).take(LISTED);
    let compared = compared.flat_map(|(runs, comparison)| [tests(runs), spread(comparison)]);
    let alone = variance.per_variant.iter().filter(|_| report.comparisons.is_empty()).filter_map(|(name, runs)| {
        let list = shares(runs.shares.as_ref()?)?;
        Some(msg!("report-repeats-spread-one", variant = clip(name, NAME), list = list))
    });
    blocks.extend(compared.flatten().chain(alone).map(|message| line(2, message)));
    blocks
}

fn spread(comparison: &Comparison) -> Option<Message> {
    let list = shares(comparison.shares.as_ref()?)?;
    let (control, treatment) = (clip(&comparison.control, NAME), clip(&comparison.treatment, NAME));
    Some(msg!("report-repeats-spread", treatment = treatment, control = control, list = list))
}

/// Returns Welch's p-value over runs beside the one over samples.
fn tests(pair: &RunComparison) -> Option<Message> {
    let samples = p_text(pair.by_sample.as_ref()?.p_value?);
    let runs = p_text(pair.p_value?);
    let (a, b) = (clip(&pair.a, NAME), clip(&pair.b, NAME));
    Some(msg!("report-repeats-tests", a = a, b = b, runs = runs, samples = samples))
}

/// Returns the parts of the variance that are known, as shares; `None` where there is only one.
fn shares(shares: &VarianceShares) -> Option<Vec<Message>> {
    let parts = [("samples", &shares.samples), ("repeats", &shares.repeats), ("opinions", &shares.opinions)];
    let share = |(part, share): (&str, &eval_format::VarianceShare)| {
        Some(msg!("report-repeats-part", part = part, share = format!("{:.0} %", share.share? * 100.0)))
    };
    let parts: Vec<Message> = parts.into_iter().filter_map(share).collect();
    (parts.len() > 1).then_some(parts)
}
