//! Prediction-powered estimates of people's scores on all samples. The unit is the sample: repeats are averaged first.

use std::collections::BTreeMap;

use eval_format::{Ci, GoldDifference, GoldEstimate, GoldMean};
use eval_stats::{ppi_mean, split_by_label};

use super::facts::GoldFacts;
use super::matching::JudgeAndAnnotators;
use crate::intervals::{ci as ci_of, gold_tuning, gold_why};
use crate::numbers::{average, count, snap};

pub(super) type ScoreColumn = Vec<Option<f64>>;

/// Each variant's mean.
pub(super) fn means(facts: &GoldFacts, people: &[JudgeAndAnnotators<'_>], level: f64) -> Vec<GoldMean> {
    let labels = labels(facts, people);
    let of = |(variant, name): (usize, &String)| GoldMean {
        variant: name.clone(),
        of: estimate(&labels[variant], &facts.judge[variant], level, 1),
    };
    facts.variants.iter().enumerate().map(of).collect()
}

/// Each treatment's difference to the control. They are one family, so each interval takes its share of the error
/// (Bonferroni).
pub(super) fn differences(facts: &GoldFacts, people: &[JudgeAndAnnotators<'_>], level: f64) -> Vec<GoldDifference> {
    let labels = labels(facts, people);
    let treatments = facts.variants.len().saturating_sub(1);
    let of = |treatment: usize| {
        let human = minus(&labels[treatment], &labels[0]);
        let judge = minus(&facts.judge[treatment], &facts.judge[0]);
        let untied = human.iter().zip(&judge).filter(|(h, j)| h.is_some_and(|h| h != 0.0) && j.is_some()).count();
        GoldDifference {
            control: facts.variants[0].clone(),
            treatment: facts.variants[treatment].clone(),
            untied: count(untied),
            of: estimate(&human, &judge, level, treatments),
        }
    };
    (1..facts.variants.len()).map(of).collect()
}

pub(super) fn minus(a: &ScoreColumn, b: &ScoreColumn) -> ScoreColumn {
    a.iter().zip(b).map(|(a, b)| Some(snap((*a)? - (*b)?))).collect()
}

/// People's judge layer by variant and sample: the mean over the questions of an output, then over its repeats. An
/// output of which a question is open has none: the mean of the others is another thing.
fn labels(facts: &GoldFacts, people: &[JudgeAndAnnotators<'_>]) -> Vec<ScoreColumn> {
    let mut outputs: BTreeMap<(usize, usize, u32), Vec<&JudgeAndAnnotators<'_>>> = BTreeMap::new();
    for both in people {
        outputs.entry((both.at.variant, both.at.sample, both.at.repeat)).or_default().push(both);
    }
    let mut repeats: BTreeMap<(usize, usize), Vec<f64>> = BTreeMap::new();
    for ((variant, sample, _), questions) in outputs {
        let scores: Vec<f64> = questions.iter().map(|both| both.human).collect();
        if let (true, Some(mean)) = (questions.len() == questions[0].at.of, average(&scores)) {
            repeats.entry((variant, sample)).or_default().push(mean);
        }
    }
    let label = |variant, sample| average(repeats.get(&(variant, sample))?);
    let column = |variant| (0..facts.samples.len()).map(|sample| label(variant, sample)).collect();
    (0..facts.variants.len()).map(column).collect()
}

/// One of `family` estimates that hold together at `level`.
fn estimate(human: &ScoreColumn, judge: &ScoreColumn, level: f64, family: usize) -> GoldEstimate {
    #[expect(clippy::cast_precision_loss, reason = "a number of variants")]
    let each = 1.0 - (1.0 - level) / family.max(1) as f64;
    let (labelled, unlabelled) = split_by_label(human, judge);
    let scored: Vec<f64> = judge.iter().copied().flatten().collect();
    let counted = GoldEstimate {
        judge: average(&scored),
        labelled: count(labelled.len()),
        unlabelled: count(unlabelled.len()),
        ..GoldEstimate::default()
    };
    match ppi_mean(&labelled, &unlabelled, each) {
        Err(why) => GoldEstimate { why: Some(gold_why(why)), ..counted },
        Ok(found) => GoldEstimate {
            estimate: Some(snap(found.estimate)),
            ci: Some(Ci { level, ..ci_of(&found.interval, u32::try_from(family.max(1)).unwrap_or(u32::MAX)) }),
            lambda: Some(snap(found.lambda)),
            tuning: Some(gold_tuning(found.tuning)),
            effective_n: found.effective_n.map(snap),
            ..counted
        },
    }
}
