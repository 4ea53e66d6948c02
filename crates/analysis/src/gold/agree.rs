//! Agreement of judge and people. The bootstrap resamples samples: several outputs of one sample, or several questions
//! about one output, are not independent.

use std::collections::BTreeSet;

use eval_format::{GoldAgreement, GoldCoefficient, GoldWhy};
use eval_stats::{
    AlphaInterval, Labelled, Resampling, Undefined, alpha_interval_stratified, mean_absolute_difference, signed_bias,
    weighted_kappa_quadratic,
};

use super::matching::{JudgeAndAnnotators, Matched};
use crate::intervals::{ci as ci_of, gold_why};
use crate::numbers::{average, count, snap};

/// A row for α: which question, and the scores of judge and people, or of all annotators.
type Row = (usize, Vec<Option<f64>>);

/// The agreement by question, in order of first use; a single question equals `overall`.
pub(super) fn by_question(
    all: &[JudgeAndAnnotators<'_>],
    overall: &GoldAgreement,
    resampling: &Resampling,
) -> Vec<GoldAgreement> {
    let mut names: Vec<&str> = Vec::new();
    for both in all {
        if !names.contains(&both.at.question.as_str()) {
            names.push(&both.at.question);
        }
    }
    match names.as_slice() {
        [name] => vec![GoldAgreement { question: Some((*name).to_owned()), ..overall.clone() }],
        names => names.iter().map(|name| agreement(all, Some(name), resampling)).collect(),
    }
}

/// Judge and people on one question, or on all of them.
pub(super) fn agreement(
    all: &[JudgeAndAnnotators<'_>],
    question: Option<&str>,
    resampling: &Resampling,
) -> GoldAgreement {
    let asked: Vec<&JudgeAndAnnotators<'_>> =
        all.iter().filter(|both| question.is_none_or(|name| both.at.question == name)).collect();
    let pairs: Vec<(f64, f64)> = asked.iter().map(|both| (both.at.judge, both.human)).collect();
    let samples: Vec<&[&JudgeAndAnnotators<'_>]> = asked.chunk_by(|a, b| a.at.sample == b.at.sample).collect();
    let names: BTreeSet<&str> = asked.iter().map(|both| both.at.question.as_str()).collect();
    let stratum =
        |both: &JudgeAndAnnotators<'_>| names.iter().position(|name| *name == both.at.question).unwrap_or_default();
    let row = |both: &&JudgeAndAnnotators<'_>| (stratum(both), vec![Some(both.at.judge), Some(both.human)]);
    let rows: Vec<Vec<Row>> = samples.iter().map(|of| of.iter().map(row).collect()).collect();
    GoldAgreement {
        question: question.map(str::to_owned),
        n: count(asked.len()),
        samples: count(samples.len()),
        alpha: alpha(&rows, resampling),
        kappa: match weighted_kappa_quadratic(&pairs) {
            Ok(value) => GoldCoefficient { value: Some(snap(value)), ci: None, why: None },
            Err(why) => undefined(why),
        },
        bias: bias(&samples, resampling),
        mean_absolute_difference: mean_absolute_difference(&pairs).map(snap),
    }
}

/// The judge's bias: one difference per sample.
fn bias(samples: &[&[&JudgeAndAnnotators<'_>]], resampling: &Resampling) -> GoldCoefficient {
    let mean = |of: &[&JudgeAndAnnotators<'_>], value: fn(&JudgeAndAnnotators<'_>) -> f64| {
        average(&of.iter().map(|both| value(both)).collect::<Vec<_>>())
    };
    let labels: Vec<Labelled> = samples
        .iter()
        .filter_map(|of| Some(Labelled { human: mean(of, |both| both.human)?, judge: mean(of, |both| both.at.judge)? }))
        .collect();
    match signed_bias(&labels, resampling) {
        None => undefined(Undefined::TooFew),
        Some(bias) => GoldCoefficient {
            value: Some(snap(bias.estimate)),
            ci: bias.interval.map(|interval| ci_of(&interval, 1)),
            why: bias.interval.is_none().then_some(GoldWhy::TooFew),
        },
    }
}

/// α among the annotators, over the outputs that a judge scored too.
pub(super) fn among_annotators(matched: &Matched, resampling: &Resampling) -> GoldCoefficient {
    let names: BTreeSet<&str> = matched.cells.iter().map(|at| at.question.as_str()).collect();
    let row = |at: &super::matching::Scored| -> Row {
        let scores = (0..matched.annotators.len()).map(|annotator| at.humans.get(&annotator).copied()).collect();
        (names.iter().position(|name| *name == at.question).unwrap_or_default(), scores)
    };
    let samples = matched.cells.chunk_by(|a, b| a.sample == b.sample);
    let rows: Vec<Vec<Row>> = samples.map(|of| of.iter().map(row).collect()).collect();
    alpha(&rows, resampling)
}

fn alpha(rows: &[Vec<Row>], resampling: &Resampling) -> GoldCoefficient {
    match alpha_interval_stratified(rows, resampling) {
        Err(why) => undefined(why),
        Ok(AlphaInterval { alpha, interval, undefined, .. }) => GoldCoefficient {
            value: Some(snap(alpha.value)),
            ci: interval.map(|interval| ci_of(&interval, 1)),
            why: match interval {
                Some(_) => None,
                None if undefined > 0 => Some(GoldWhy::Unstable),
                None => Some(GoldWhy::TooFew),
            },
        },
    }
}

fn undefined(why: Undefined) -> GoldCoefficient {
    GoldCoefficient { value: None, ci: None, why: Some(gold_why(why)) }
}
