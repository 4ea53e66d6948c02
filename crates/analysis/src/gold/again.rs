//! Recomputes the parts of a stored report's gold that don't need people's scores, which are not in the report: the
//! annotators that are judges, the warnings, the counts, and the judges' means.
//!
//! Agreement, estimates and intervals need people's scores and stay as stored; the verdict's inputs are checked against
//! them.

use std::collections::BTreeSet;

use eval_format::report::Note;
use eval_format::{
    Ci, GoldAgreement, GoldAnnotator, GoldCoefficient, GoldCounts, GoldDifference, GoldEstimate, GoldMean, GoldReason,
    GoldReport, GoldTuning,
};
use eval_spec::Layer;

use super::annotators::{LISTED, judge_of, warnings};
use super::powered::{ScoreColumn, minus};
use crate::grid::{Grid, place};
use crate::intervals::LEVEL;
use crate::numbers::{average, count};

/// The block with all derived values recomputed. `labels` are the variants, the control first.
pub fn again(stored: &GoldReport, grid: &Grid, labels: &[String], judges: &[String]) -> GoldReport {
    let annotators: Vec<GoldAnnotator> =
        stored.annotators.iter().map(|of| GoldAnnotator { judge: judge_of(&of.name, judges), ..of.clone() }).collect();
    let has_judges = annotators.iter().any(|of| of.judge.is_some());
    let counts = counts(stored, &annotators);
    let judged: Vec<ScoreColumn> =
        (0..labels.len()).map(|variant| grid.column(variant, |cell| &cell.layers[place(Layer::Judge)])).collect();
    let overall = agreement(&stored.overall, None);
    let is_several = annotators.len() > 1;
    GoldReport {
        directory: stored.directory.clone(),
        left_out: stored.left_out.iter().take(LISTED).cloned().collect(),
        without_judges: has_judges
            .then(|| agreement(stored.without_judges.as_ref().unwrap_or(&GoldAgreement::default()), None)),
        questions: questions(stored, grid, &overall),
        among_annotators: is_several
            .then(|| coefficient(stored.among_annotators.as_ref().unwrap_or(&GoldCoefficient::default()), true)),
        means: means(&stored.means, labels, &judged),
        differences: differences(&stored.differences, labels, &judged),
        warnings: warnings(&counts, &annotators).into_iter().map(Note::from).collect(),
        overall,
        counts,
        annotators,
    }
}

/// Each annotation is used, or left out for one reason; annotators have their number of used ones.
fn counts(stored: &GoldReport, annotators: &[GoldAnnotator]) -> GoldCounts {
    let used = annotators.iter().map(|of| of.used).sum();
    let mut counts = GoldCounts { used, unverified: stored.counts.unverified.min(used), ..stored.counts };
    if stored.left_out.len() < LISTED {
        let listed = |reason| count(stored.left_out.iter().filter(|of| of.reason == reason).count());
        for reason in REASONS {
            *super::matching::tally(&mut counts, reason) = listed(reason);
        }
    }
    counts.annotations = used + REASONS.map(|reason| *super::matching::tally(&mut counts, reason)).iter().sum::<u64>();
    counts
}

const REASONS: [GoldReason; 9] = [
    GoldReason::Stale,
    GoldReason::Unplaced,
    GoldReason::UnknownSample,
    GoldReason::UnknownVariant,
    GoldReason::Unjudged,
    GoldReason::Open,
    GoldReason::Twice,
    GoldReason::Tripwire,
    GoldReason::NotNeeded,
];

/// The agreement by question, with the names of the suite's questions; a single question equals `overall`.
fn questions(stored: &GoldReport, grid: &Grid, overall: &GoldAgreement) -> Vec<GoldAgreement> {
    let asked: BTreeSet<String> = grid.suite.samples.iter().flat_map(eval_spec::Sample::questions).collect();
    let name = |of: &GoldAgreement| {
        of.question.clone().filter(|name| asked.contains(name)).or_else(|| asked.iter().next().cloned())
    };
    match stored.questions.as_slice() {
        [one] => vec![GoldAgreement { question: name(one), ..overall.clone() }],
        several => several.iter().map(|of| agreement(of, name(of))).collect(),
    }
}

fn agreement(stored: &GoldAgreement, question: Option<String>) -> GoldAgreement {
    GoldAgreement {
        question,
        samples: stored.samples.min(stored.n),
        alpha: coefficient(&stored.alpha, true),
        kappa: coefficient(&stored.kappa, false),
        bias: coefficient(&stored.bias, true),
        ..stored.clone()
    }
}

/// There is a number with its interval, or a reason.
fn coefficient(stored: &GoldCoefficient, has_interval: bool) -> GoldCoefficient {
    let is_whole = stored.value.is_some() && (stored.ci.is_some() || !has_interval);
    GoldCoefficient { ci: stored.ci.map(|ci| level(ci, 1)), why: stored.why.filter(|_| !is_whole), ..*stored }
}

fn level(ci: Ci, family: usize) -> Ci {
    Ci { level: LEVEL, family: u32::try_from(family.max(1)).unwrap_or(u32::MAX), ..ci }
}

fn means(stored: &[GoldMean], labels: &[String], judged: &[ScoreColumn]) -> Vec<GoldMean> {
    let of = |((at, variant), column): ((usize, &String), &ScoreColumn)| GoldMean {
        variant: variant.clone(),
        of: estimate(stored.get(at).map(|of| &of.of), column, 1),
    };
    labels.iter().enumerate().zip(judged).map(of).collect()
}

fn differences(stored: &[GoldDifference], labels: &[String], judged: &[ScoreColumn]) -> Vec<GoldDifference> {
    let family = labels.len().saturating_sub(1);
    let of = |treatment: usize| {
        let stored = stored.get(treatment - 1);
        let of = estimate(stored.map(|of| &of.of), &minus(&judged[treatment], &judged[0]), family);
        GoldDifference {
            control: labels[0].clone(),
            treatment: labels[treatment].clone(),
            untied: stored.map_or(0, |of| of.untied).min(of.labelled),
            of,
        }
    };
    (1..labels.len()).map(of).collect()
}

/// The estimate with the judges' mean and the counts recomputed.
fn estimate(stored: Option<&GoldEstimate>, judge: &ScoreColumn, family: usize) -> GoldEstimate {
    let stored = stored.cloned().unwrap_or_default();
    let scored: Vec<f64> = judge.iter().copied().flatten().collect();
    let all = count(scored.len());
    let labelled = stored.labelled.min(all);
    let lambda = match stored.tuning {
        Some(GoldTuning::Tuned) | None => stored.lambda.map(|lambda| lambda.clamp(0.0, 1.0)),
        Some(_) => Some(0.0),
    };
    GoldEstimate {
        judge: average(&scored),
        // the interval lies around the estimate
        estimate: stored.ci.map_or(stored.estimate, |ci| Some(ci.low + (ci.high - ci.low) / 2.0)),
        ci: stored.ci.map(|ci| level(Ci { degenerate: ci.low == ci.high, ..ci }, family)),
        lambda,
        labelled,
        unlabelled: all - labelled,
        why: stored.why.filter(|_| stored.estimate.is_none()),
        ..stored
    }
}
