//! One sample of a report: what was asked, each check in each variant, then every answer with what judges said of it and
//! the calls of tools.

mod answer;
mod checks;

use crate::minus::{points, signed};
use eval_format::{Analysis, Comparison, SampleResult, VariantResult};
use eval_message::plain::clip;
use eval_message::{Message, msg};

use super::TerminalPage;
use crate::document::circumstances;
use crate::document::difference::excluded_reasons;
use crate::document::text::NAME;
use crate::show::Show;

/// A sample of a report, for a person to read.
#[must_use]
pub fn sample_text(report: &Analysis, sample: &SampleResult, show: Show) -> String {
    let mut page = TerminalPage::new(show);
    page.title(&msg!("sample-title", sample = clip(&sample.sample_id, 200), report = clip(&report.id, 200)));
    // in the report's order: the control is the first
    let arms: Vec<(&str, &VariantResult)> =
        report.meta.variants.iter().filter_map(|name| Some((name.as_str(), sample.variants.get(name)?))).collect();
    scores(&mut page, report, sample, &arms);
    about(&mut page, report, sample);
    circumstances(report).iter().for_each(|line| page.line(2, line));
    page.gap();
    checks::checks(&mut page, &arms);
    for (name, of) in arms {
        page.gap();
        answer::answers(&mut page, name, of, report.meta.regrade_of.is_some());
    }
    page.text
}

/// The score of each variant, and the difference of each treatment.
fn scores(page: &mut TerminalPage, report: &Analysis, sample: &SampleResult, arms: &[(&str, &VariantResult)]) {
    let show = page.show;
    let score = |of: &VariantResult| match of.composite_score {
        Some(score) if score > 0.0 => points(score),
        _ => show.text(&msg!("report-unknown")),
    };
    let Some(((control, first), treatments)) = arms.split_first() else { return };
    if treatments.is_empty() {
        page.line(2, &msg!("sample-score", variant = clip(control, NAME), score = score(first)));
    }
    for (treatment, of) in treatments {
        let planned = [first, of].map(|arm| arm.composite_score.filter(|score| *score > 0.0));
        let is_pair = !report.comparisons.iter().any(|one| is_excluded(one, treatment, &sample.sample_id));
        let (from, to) = (score(first), score(of));
        let (control, treatment) = (clip(control, NAME), clip(treatment, NAME));
        page.line(
            2,
            &match planned {
                [Some(a), Some(b)] if is_pair => msg!(
                    "sample-difference",
                    control = control,
                    treatment = treatment,
                    from = from,
                    to = to,
                    difference = signed(b - a)
                ),
                _ => msg!("sample-scores", control = control, treatment = treatment, from = from, to = to),
            },
        );
    }
    for comparison in &report.comparisons {
        why_excluded(comparison, sample).iter().for_each(|message| page.line(2, message));
    }
}

fn is_excluded(of: &Comparison, treatment: &str, sample: &str) -> bool {
    of.treatment == treatment && of.excluded.iter().any(|one| one.sample_id == sample)
}

/// Why it is no pair of a comparison.
fn why_excluded(of: &Comparison, sample: &SampleResult) -> Option<Message> {
    let excluded = of.excluded.iter().find(|one| one.sample_id == sample.sample_id)?;
    Some(msg!("sample-excluded", treatment = clip(&of.treatment, NAME), why = excluded_reasons(excluded)))
}

/// Writes the prompt, as far as the report has it, and what is peculiar to the sample.
fn about(page: &mut TerminalPage, report: &Analysis, sample: &SampleResult) {
    let prompt = sample.texts.as_ref().map(|texts| &texts.prompt).or(sample.eval.as_ref().map(|eval| &eval.prompt));
    match prompt {
        Some(prompt) => {
            page.line(2, &msg!("sample-asked"));
            answer::text(page, 4, prompt);
        }
        None => page.unbroken(&msg!("sample-asked-in", path = clip(&report.meta.test_set.path, 400))),
    }
    let notes = [
        sample.tripwire.then(|| msg!("sample-tripwire")),
        sample.holdout.then(|| msg!("sample-held-out")),
        sample.pairwise.then(|| msg!("sample-pairwise")),
    ];
    notes.iter().flatten().for_each(|note| page.line(2, note));
}
