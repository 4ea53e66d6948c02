//! How reliable the judges' scores are: how many are missing, how far judges agree with each other and with themselves,
//! and whether one of them judges its own model family.
//!
//! Each opinion is reduced to a few numbers, stored for judged cells only.

use std::collections::{BTreeMap, BTreeSet};

use eval_format::report::Note;
use eval_format::{
    Agreement, Coefficient, JudgePair, JudgeSummary, Judging, JudgingInputs, Pairwise, QuestionAgreement, Repeatability,
};
use eval_message::{Lang, Message, msg};
use eval_stats::{Resampling, Undefined, alpha_interval_stratified, mean_absolute_difference, pearson, sd};

use crate::family::{family, family_of_executor};
use crate::grid::Grid;
use crate::intervals::{affordable, ci as ci_of, why_undefined};
use crate::meta::JudgeMeta;
use crate::model::normalised;
use crate::numbers::{Paid, average, count, snap};
use crate::opinions::{JudgeQuestion, Opinions};

/// The most questions that are listed one by one.
const MOST_QUESTIONS: usize = 50;

/// The report's block; `None` when nothing was judged.
pub(crate) fn judging(grid: &Grid, meta: Option<&JudgeMeta>, executor: &str, r: &Resampling) -> Option<Judging> {
    let opinions = &grid.opinions;
    if opinions.cells.is_empty() {
        return None;
    }
    let tested = Tested::of(grid, executor);
    let judges = 0..opinions.judges.all.len();
    let mut languages = BTreeMap::from([("en".to_owned(), 0), ("zh".to_owned(), 0)]);
    for asked in opinions.cells.values().flatten() {
        let lang = if asked.lang == Lang::Zh { "zh" } else { "en" };
        *languages.entry(lang.to_owned()).or_insert(0) += 1;
    }
    Some(Judging {
        template: meta.map(|meta| meta.template.clone()),
        prompt_hash: meta.map(|meta| meta.prompt_hash.clone()),
        repeat: grid.suite.settings.judge_repeat,
        languages,
        judges: judges.clone().map(|judge| summary(opinions, judge, &tested)).collect(),
        agreement: (opinions.judges.all.len() > 1).then(|| agreement(grid, r)),
        repeatability: match grid.suite.settings.judge_repeat {
            0 | 1 => Vec::new(),
            _ => judges.map(|judge| repeatability(grid, judge, r)).collect(),
        },
    })
}

/// The verdict's inputs from scoring and comparing judges; `None` without judges.
pub(crate) fn inputs(judging: Option<&Judging>, pairwise: Option<&Pairwise>) -> Option<JudgingInputs> {
    let scoring = judging.iter().flat_map(|of| &of.judges).map(|of| (&of.judge, of.self_preference));
    let comparing = pairwise.iter().flat_map(|of| &of.judges).map(|of| (&of.judge, of.self_preference));
    let judges: BTreeMap<&String, bool> = scoring.chain(comparing).collect();
    let alpha = judging.and_then(|of| of.agreement.as_ref()).map(|agreement| &agreement.alpha);
    let compared = pairwise.and_then(|of| of.agreement.as_ref()).map(|agreement| &agreement.alpha);
    (!judges.is_empty()).then(|| JudgingInputs {
        judges: count(judges.len()),
        agreement: alpha.and_then(|alpha| alpha.value),
        agreement_why: alpha.filter(|alpha| alpha.value.is_none()).and_then(|alpha| alpha.why.clone()),
        pairwise_agreement: compared.and_then(|alpha| alpha.value),
        self_preference: judges
            .iter()
            .filter(|(_, is_same_family)| **is_same_family)
            .map(|(judge, _)| (*judge).clone())
            .collect(),
    })
}

fn summary(opinions: &Opinions, judge: usize, tested: &Tested) -> JudgeSummary {
    let said = || opinions.said(judge);
    let scores: Vec<f64> = said().filter_map(|one| one.score).collect();
    let planned = count(said().count());
    let requests: u64 = said().map(|one| u64::from(one.requests)).sum();
    let spent = said().map(|one| Paid { known: one.cost.unwrap_or(0.0), complete: one.cost.is_some() });
    let label = &opinions.judges.all[judge];
    JudgeSummary {
        judge: label.clone(),
        planned,
        scored: count(scores.len()),
        missing: planned - count(scores.len()),
        why_missing: most_frequent(said().filter(|one| one.score.is_none()).filter_map(|one| one.why.as_deref())),
        requests,
        unusable: requests.saturating_sub(count(scores.len())),
        mean: average(&scores),
        sd: sd(&scores).map(snap),
        cost_usd: spent.fold(Paid::NOTHING, Paid::plus).total(),
        self_preference: tested.is_of_same_family(label),
    }
}

pub(crate) fn most_frequent<'m>(reasons: impl Iterator<Item = &'m Message>) -> Option<Note> {
    let mut tally: BTreeMap<String, (u64, &Message)> = BTreeMap::new();
    for why in reasons {
        tally.entry(why.to_string()).or_insert((0, why)).0 += 1;
    }
    // the first of equals
    let most = tally.into_values().rev().max_by_key(|(count, _)| *count);
    most.map(|(_, why)| Note::from(why.clone()))
}

/// The models under test: as requested, and as the answers name them.
pub(crate) struct Tested {
    names: BTreeSet<String>,
    families: BTreeSet<String>,
}

impl Tested {
    pub(crate) fn of(grid: &Grid, executor: &str) -> Tested {
        let answered = grid.all().iter().filter_map(|cell| cell.model.as_deref());
        let models: BTreeSet<&str> =
            answered.chain([grid.suite.settings.model.as_str()]).filter(|model| !model.is_empty()).collect();
        let mut families: BTreeSet<String> = models.iter().filter_map(|model| family(model)).collect();
        if families.is_empty() {
            families.extend(family_of_executor(executor).map(str::to_owned));
        }
        Tested { names: models.into_iter().map(normalised).collect(), families }
    }

    /// Whether a judge, `executor:model` or an executor alone, is one of them or of their vendor.
    pub(crate) fn is_of_same_family(&self, judge: &str) -> bool {
        let (executor, model) = judge.split_once(':').unwrap_or((judge, ""));
        let family = family(model).or_else(|| family_of_executor(executor).map(str::to_owned));
        self.names.contains(&normalised(model)) || family.is_some_and(|family| self.families.contains(&family))
    }
}

/// Units by sample: which question, and its ratings.
pub(crate) type Ratings = Vec<Vec<(usize, Vec<Option<f64>>)>>;

fn agreement(grid: &Grid, r: &Resampling) -> Agreement {
    agreement_of(&grid.opinions.judges.all, &grid.opinions.questions.all, &ratings(grid), r)
}

/// Why the agreement of several judges' scores is undefined; `None` where it has a value, or there are no several.
pub(crate) fn undefined_agreement(grid: &Grid) -> Option<Undefined> {
    let point = Resampling { resamples: 0, ..Resampling::default() };
    grid.opinions.is_panel().then(|| alpha_interval_stratified(&ratings(grid), &point).err()).flatten()
}

fn ratings(grid: &Grid) -> Ratings {
    grid.samples().map(|sample| units_of(grid, sample)).collect()
}

/// The agreement of judges over their ratings, one per judge; a unit's number is the index of its question.
pub(crate) fn agreement_of(judges: &[String], questions: &[String], ratings: &Ratings, r: &Resampling) -> Agreement {
    let of_pair = |a: usize, b: usize| {
        let both = |(_, row): &(usize, Vec<Option<f64>>)| Some((row[a]?, row[b]?));
        let pairs: Vec<(f64, f64)> = ratings.iter().flatten().filter_map(both).collect();
        let r = pearson(&pairs);
        JudgePair {
            a: judges[a].clone(),
            b: judges[b].clone(),
            n: count(pairs.len()),
            mean_absolute_difference: mean_absolute_difference(&pairs).map(snap),
            pearson: r.ok().map(snap),
            why: r.err().map(why_undefined).map(Note::from),
        }
    };
    let pairs = (0..judges.len()).flat_map(|a| (a + 1..judges.len()).map(move |b| (a, b)));
    Agreement {
        alpha: alpha(ratings, r),
        questions: by_question(questions, ratings, r),
        pairs: pairs.map(|(a, b)| of_pair(a, b)).collect(),
    }
}

/// Every question by itself, where there are several, and few enough to be read.
fn by_question(questions: &[String], ratings: &Ratings, r: &Resampling) -> Vec<QuestionAgreement> {
    let of = |question: usize| -> Ratings {
        let units = |sample: &Vec<(usize, Vec<Option<f64>>)>| {
            sample.iter().filter(|(of, _)| *of == question).cloned().collect()
        };
        ratings.iter().map(units).collect()
    };
    let one = |(question, name): (usize, &String)| QuestionAgreement {
        question: name.clone(),
        alpha: alpha(&of(question), r),
    };
    match questions.len() {
        2..=MOST_QUESTIONS => questions.iter().enumerate().map(one).collect(),
        _ => Vec::new(),
    }
}

/// A sample's questions, variant by variant: each judge's mean over all repeats.
fn units_of(grid: &Grid, sample: usize) -> Vec<(usize, Vec<Option<f64>>)> {
    // by variant, check and question: the scores of each judge
    let mut units: BTreeMap<(usize, u32, u32), Vec<Vec<f64>>> = BTreeMap::new();
    for variant in 0..grid.suite.variants.len() {
        for asked in grid.places(sample, variant).iter().flat_map(|&at| grid.opinions.of(at)) {
            let empty = || vec![Vec::new(); grid.opinions.judges.all.len()];
            let unit = units.entry((variant, asked.check, asked.question)).or_insert_with(empty);
            for one in &asked.said {
                unit[one.judge as usize].extend(one.score);
            }
        }
    }
    let rated = |unit: Vec<Vec<f64>>| unit.iter().map(|scores| average(scores)).collect();
    units.into_iter().map(|((_, _, question), unit)| (question as usize, rated(unit))).collect()
}

fn repeatability(grid: &Grid, judge: usize, r: &Resampling) -> Repeatability {
    let row = |asked: &JudgeQuestion| -> (usize, Vec<Option<f64>>) {
        let said = asked.said.iter().filter(|one| one.judge as usize == judge);
        (asked.question as usize, said.map(|one| one.score).collect())
    };
    let of_sample = |sample: usize| {
        let places = (0..grid.suite.variants.len()).flat_map(|variant| grid.places(sample, variant));
        places.flat_map(|&at| grid.opinions.of(at)).map(row).collect()
    };
    let ratings: Ratings = grid.samples().map(of_sample).collect();
    Repeatability {
        judge: grid.opinions.judges.all[judge].clone(),
        within_sd: pooled_sd(ratings.iter().flatten().map(|(_, row)| row)),
        alpha: alpha(&ratings, r),
    }
}

/// The root of the mean variance within rows, each weighed by its degrees of freedom.
#[expect(clippy::cast_precision_loss, reason = "counts of repeats")]
fn pooled_sd<'r>(rows: impl Iterator<Item = &'r Vec<Option<f64>>>) -> Option<f64> {
    let (mut squares, mut freedom) = (0.0, 0.0);
    for row in rows {
        let scores: Vec<f64> = row.iter().copied().flatten().collect();
        if let Some(sd) = sd(&scores) {
            let free = (scores.len() - 1) as f64;
            squares += free * sd * sd;
            freedom += free;
        }
    }
    (freedom > 0.0).then(|| snap((squares / freedom).sqrt()))
}

fn alpha(ratings: &Ratings, r: &Resampling) -> Coefficient {
    let rated: usize = ratings.iter().flatten().map(|(_, row)| row.len()).sum();
    match alpha_interval_stratified(ratings, &affordable(r, rated)) {
        Err(why) => Coefficient { value: None, ci: None, n: 0, why: Some(why_undefined(why).into()) },
        Ok(found) => Coefficient {
            value: Some(snap(found.alpha.value)),
            ci: found.interval.map(|interval| ci_of(&interval, 1)),
            n: count(found.alpha.units),
            why: found.interval.is_none().then(|| msg!("report-undefined-interval").into()),
        },
    }
}
