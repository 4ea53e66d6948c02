//! What the judges' scores are worth: how many are missing, how far judges agree with each other and with themselves,
//! and whether one of them judges its own kin.
//!
//! Of each opinion a few numbers are kept, beside the cells and only for those that were judged.

use std::collections::{BTreeMap, BTreeSet};

use eval_format::report::Note;
use eval_format::{
    Agreement, Ci, Coefficient, JudgePair, JudgeSummary, Judging, JudgingInputs, OpinionCounts, Pairwise,
    QuestionAgreement, Repeatability,
};
use eval_message::{Lang, Message, msg};
use eval_spec::record::Record;
use eval_stats::{Resampling, Undefined, alpha_interval_stratified, mean_absolute_difference, pearson, sd};

use crate::analyse::JudgeMeta;
use crate::family::{family, family_of_executor};
use crate::grid::Grid;
use crate::model::normalised;
use crate::numbers::{Paid, is_rubric, snap};
use crate::stored::ci as ci_of;
use crate::summary::{average, count};

/// Unit ratings that all resamples of one interval may read together; with more, there are fewer resamples.
const WORK: usize = 20_000_000;
/// More questions than this are not shown one by one.
const MOST_QUESTIONS: usize = 50;
/// Resamples that are drawn whatever it takes.
const FEWEST_RESAMPLES: usize = 1000;

/// What judges said of each judged cell, by its place in the plan.
#[derive(Debug, Default)]
pub(crate) struct Opinions {
    judges: Names,
    /// What is asked: a dimension, `rubric`, or the type of an assertion.
    questions: Names,
    cells: BTreeMap<usize, Box<[Asked]>>,
}

/// One question about one answer.
#[derive(Debug)]
pub(crate) struct Asked {
    /// Which of the cell's checks: the same number is the same question in every cell of a sample.
    check: u32,
    /// Its place among the questions.
    question: u32,
    lang: Lang,
    /// Its weight in the judge layer; `None` for an assertion's, which counts elsewhere.
    weight: Option<f64>,
    said: Box<[Said]>,
}

impl Asked {
    /// Which of the cell's checks it is, those inside sets counted.
    pub(crate) fn check(&self) -> u32 {
        self.check
    }

    /// The opinions' scores.
    pub(crate) fn scores(&self) -> Vec<f64> {
        self.said.iter().filter_map(|one| one.score).collect()
    }
}

/// One opinion.
#[derive(Debug)]
struct Said {
    /// Its place among the judges.
    judge: u32,
    requests: u32,
    score: Option<f64>,
    cost: Option<f64>,
    why: Option<Box<Message>>,
}

impl Opinions {
    /// Keeps what was said of the cell at `at`; nothing if it wasn't judged.
    pub(crate) fn keep(&mut self, at: usize, record: &Record) {
        let checks = record.grade.iter().flat_map(|grade| &grade.checks).flat_map(eval_spec::Check::with_children);
        let asked: Box<[Asked]> = (0..)
            .zip(checks)
            .filter_map(|(at, check)| {
                let judged = check.judged.as_deref()?;
                let name = judged.dimension.as_deref().unwrap_or(&check.kind);
                let question = self.questions.place(name);
                let said = judged.opinions.iter().map(|opinion| Said {
                    judge: self.judges.place(&opinion.judge),
                    requests: opinion.requests,
                    score: opinion.score.filter(|score| score.is_finite()),
                    cost: opinion.cost_usd.map(|usd| usd.0),
                    why: opinion.why.clone().map(Box::new),
                });
                let weight = is_rubric(check).then_some(check.weight);
                Some(Asked { check: at, question, lang: judged.lang, weight, said: said.collect() })
            })
            .collect();
        if !asked.is_empty() {
            self.cells.insert(at, asked);
        }
    }

    /// Leaves out what was said of the cell at `at`.
    pub(crate) fn forget(&mut self, at: usize) {
        self.cells.remove(&at);
    }

    /// Judges and questions in the order in which the plan's cells name them first, whatever order the cells were read
    /// in.
    pub(crate) fn settle(&mut self) {
        let asked = || self.cells.values().flatten();
        let judges = self.judges.reorder(asked().flat_map(|asked| &asked.said).map(|one| one.judge));
        let questions = self.questions.reorder(asked().map(|asked| asked.question));
        for asked in self.cells.values_mut().flatten() {
            asked.question = questions[asked.question as usize];
            asked.said.iter_mut().for_each(|one| one.judge = judges[one.judge as usize]);
        }
    }

    /// The cells in another order: `places` says for each where it stood before.
    pub(crate) fn moved(&mut self, places: &[usize]) {
        let mut before = std::mem::take(&mut self.cells);
        self.cells = places.iter().enumerate().filter_map(|(now, at)| Some((now, before.remove(at)?))).collect();
    }

    /// The questions about the cell at `at`.
    pub(crate) fn of(&self, at: usize) -> &[Asked] {
        self.cells.get(&at).map_or(&[], |asked| asked)
    }

    /// Whether nothing was judged.
    pub(crate) fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// How many judges were asked.
    pub(crate) fn judges(&self) -> usize {
        self.judges.all.len()
    }

    /// Whether several judges were asked.
    pub(crate) fn is_panel(&self) -> bool {
        self.judges.all.len() > 1
    }

    /// The score of the judge layer of the cell at `at` as each opinion by itself has it, judge by judge; empty unless
    /// every opinion has a score and every question as many opinions.
    pub(crate) fn layer_by_opinion(&self, at: usize) -> Vec<f64> {
        let rubrics: Vec<(f64, &Asked)> =
            self.of(at).iter().filter_map(|asked| Some((asked.weight?, asked))).filter(|(w, _)| *w > 0.0).collect();
        let opinions = rubrics.first().map_or(0, |(_, asked)| asked.said.len());
        let total: f64 = rubrics.iter().map(|(weight, _)| weight).sum();
        let of_opinion = |opinion: usize| {
            let weighted = rubrics.iter().map(|(weight, asked)| Some(weight * asked.said.get(opinion)?.score?));
            Some(weighted.sum::<Option<f64>>()? / total)
        };
        let is_even = rubrics.iter().all(|(_, asked)| asked.said.len() == opinions);
        let all: Option<Vec<f64>> = (0..opinions).map(of_opinion).collect();
        all.filter(|_| is_even).unwrap_or_default()
    }

    /// Opinions planned, and those of them without a score.
    pub(crate) fn counts(&self, cells: impl Iterator<Item = usize>) -> OpinionCounts {
        let mut counts = OpinionCounts::default();
        for one in cells.flat_map(|at| self.of(at)).flat_map(|asked| &asked.said) {
            counts.planned += 1;
            counts.missing += u64::from(one.score.is_none());
        }
        counts
    }

    fn said(&self, judge: usize) -> impl Iterator<Item = &Said> {
        let all = self.cells.values().flatten().flat_map(|asked| &asked.said);
        all.filter(move |one| one.judge as usize == judge)
    }
}

/// Names in the order in which they were seen first.
#[derive(Debug, Default)]
struct Names {
    all: Vec<String>,
    places: BTreeMap<String, u32>,
}

impl Names {
    /// The place of a name, which is added if it isn't there.
    fn place(&mut self, name: &str) -> u32 {
        if let Some(place) = self.places.get(name) {
            return *place;
        }
        let place = u32::try_from(self.all.len()).unwrap_or(u32::MAX);
        self.all.push(name.to_owned());
        self.places.insert(name.to_owned(), place);
        place
    }

    /// Orders the names by their first use; the new place of each old one.
    fn reorder(&mut self, used: impl Iterator<Item = u32>) -> Vec<u32> {
        let before = std::mem::take(self);
        let mut now = vec![u32::MAX; before.all.len()];
        for place in used {
            if now[place as usize] == u32::MAX {
                now[place as usize] = self.place(&before.all[place as usize]);
            }
        }
        now
    }
}

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

/// What the verdict reads of judges who scored and of judges who compared; `None` when nobody judged.
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
        self_preference: judges.iter().filter(|(_, is_kin)| **is_kin).map(|(judge, _)| (*judge).clone()).collect(),
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
        self_preference: tested.is_kin_of(label),
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

/// The models under test: as asked for, and as they called themselves.
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
    pub(crate) fn is_kin_of(&self, judge: &str) -> bool {
        let (executor, model) = judge.split_once(':').unwrap_or((judge, ""));
        let family = family(model).or_else(|| family_of_executor(executor).map(str::to_owned));
        self.names.contains(&normalised(model)) || family.is_some_and(|family| self.families.contains(&family))
    }
}

/// Units by sample: which question, and its ratings.
pub(crate) type Ratings = Vec<Vec<(usize, Vec<Option<f64>>)>>;

fn agreement(grid: &Grid, r: &Resampling) -> Agreement {
    let ratings: Ratings = grid.samples().map(|sample| units_of(grid, sample)).collect();
    agreement_of(&grid.opinions.judges.all, &grid.opinions.questions.all, &ratings, r)
}

/// How far judges agree whose ratings these are, one place per judge; a unit's number is the place of its question.
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
    let row = |asked: &Asked| -> (usize, Vec<Option<f64>>) {
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

/// Fewer resamples where each of them reads very many values.
pub(crate) fn affordable(r: &Resampling, values: usize) -> Resampling {
    let most = u32::try_from((WORK / values.max(1)).max(FEWEST_RESAMPLES)).unwrap_or(u32::MAX);
    Resampling { resamples: r.resamples.min(most), ..*r }
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

/// Why a number is undefined, for people.
pub(crate) fn why_undefined(why: Undefined) -> Message {
    match why {
        Undefined::TooFew => msg!("report-undefined-few"),
        Undefined::NoVariance => msg!("report-undefined-variance"),
        Undefined::OneSampleDecides => msg!("report-undefined-one"),
        Undefined::NotFinite | Undefined::Level | Undefined::OutsideTheData => msg!("report-undefined-numbers"),
    }
}
