//! Item discrimination: samples, and questions that many samples share, that don't go with the rest.
//!
//! Both by the corrected item–total correlation. A sample's rows are the runs of the whole test set, one for each repeat of
//! each variant; a question's rows are the samples it is put to. From 30 rows on, where the interval of a correlation of 0
//! reaches to ±0.36; with fewer it says nothing.

use std::collections::{BTreeMap, HashMap};

use eval_message::number::points;
use eval_message::plain::clip;
use eval_message::{Message, msg};
use eval_stats::{ItemTotal, corrected_item_total_correlations};
use rayon::prelude::*;

use super::found::{EXCERPT, Item, SampleFinding};
use crate::grid::Grid;
use crate::likeness::hash;
use crate::numbers::{average, snap};
use crate::questions::{label, question_key, size};

/// The fewest rows of a correlation.
const LEAST_ROWS: usize = 30;
/// Correlations below this are poor (Ebel, *Measuring Educational Achievement*, 1965). An item is named when its whole
/// 95 % interval lies below.
const POOR: f64 = 0.2;
const LEVEL: f64 = 0.95;
/// The most questions that are correlated, those of most samples first.
const QUESTIONS: usize = 32;

/// Samples, over the runs of the test set.
pub(super) fn of_samples(grid: &Grid) -> Result<SampleFinding, Message> {
    let (variants, repeat) = (grid.suite.variants.len(), grid.suite.settings.repeat as usize);
    let runs = variants * repeat;
    if runs < LEAST_ROWS {
        return Err(msg!("quality-why-few-runs", count = runs, needed = LEAST_ROWS));
    }
    let samples: Vec<usize> = grid.samples().collect();
    let row = |sample: usize| -> Vec<Option<f64>> {
        let score = |variant: usize| {
            let mut scores: Vec<_> = grid.of(sample, variant).map(|cell| cell.composite.points()).collect();
            scores.resize(repeat, None);
            scores
        };
        (0..variants).flat_map(score).collect()
    };
    let items: Vec<Vec<Option<f64>>> = samples.iter().map(|&sample| row(sample)).collect();
    let (checked, poor) = poor(&items)?;
    let item = |(place, of): (usize, ItemTotal)| Item {
        samples: vec![samples[place]],
        value: Some(of.correlation),
        detail: msg!("quality-item", r = points(of.correlation), low = points(of.low), high = points(of.high)),
    };
    Ok(SampleFinding::each(poor.into_iter().map(item).collect(), checked))
}

/// Questions — assertions that are written alike, dimensions of one name, the rubric — over the samples they are put to.
pub(super) fn of_questions(grid: &Grid) -> Result<SampleFinding, Message> {
    let asked = SampleQuestions::of(grid);
    if asked.questions.len() < 2 {
        return Err(msg!("quality-why-few-samples", needed = LEAST_ROWS));
    }
    let (checked, poor) = poor(&asked.scores)?;
    let item = |(place, of): (usize, ItemTotal)| Item {
        samples: asked.samples(place),
        value: Some(of.correlation),
        detail: msg!(
            "quality-question",
            question = clip(&asked.questions[place].1, EXCERPT),
            r = points(of.correlation),
            low = points(of.low),
            high = points(of.high)
        ),
    };
    Ok(SampleFinding::each(poor.into_iter().map(item).collect(), checked))
}

/// How many items have a correlation, and those that don't go with the rest, the worst first.
fn poor(items: &[Vec<Option<f64>>]) -> Result<(usize, Vec<(usize, ItemTotal)>), Message> {
    let all: Vec<(usize, ItemTotal)> = corrected_item_total_correlations(items, LEVEL)
        .into_iter()
        .enumerate()
        .filter_map(|(place, of)| Some((place, of.ok().filter(|of| of.rows >= LEAST_ROWS)?)))
        .collect();
    if all.is_empty() {
        return Err(msg!("quality-why-no-variance"));
    }
    let checked = all.len();
    let mut poor: Vec<_> = all.into_iter().filter(|(_, of)| of.high < POOR).collect();
    poor.sort_by(|a, b| a.1.correlation.total_cmp(&b.1.correlation));
    Ok((checked, poor))
}

/// The questions of most samples, with each sample's score: the mean over variants and repeats, 0–1.
struct SampleQuestions {
    /// Key and label.
    questions: Vec<(u64, String)>,
    /// By question and sample's place.
    scores: Vec<Vec<Option<f64>>>,
}

impl SampleQuestions {
    fn of(grid: &Grid) -> SampleQuestions {
        let keys: Vec<Vec<u64>> = grid.all_samples().into_par_iter().map(|sample| keys(grid, sample)).collect();
        let questions = frequent(grid, &keys);
        let places: HashMap<u64, usize> = questions.iter().enumerate().map(|(place, (key, _))| (*key, place)).collect();
        let mut scores = vec![vec![None; grid.suite.samples.len()]; questions.len()];
        for sample in grid.samples() {
            for (key, score) in scored(grid, sample, &keys[sample], &places) {
                scores[places[&key]][sample] = score;
            }
        }
        SampleQuestions { questions, scores }
    }

    fn samples(&self, question: usize) -> Vec<usize> {
        let scores = self.scores[question].iter().enumerate();
        scores.filter(|(_, score)| score.is_some()).map(|(sample, _)| sample).collect()
    }
}

/// The questions that are put to enough samples, those of most first.
fn frequent(grid: &Grid, keys: &[Vec<u64>]) -> Vec<(u64, String)> {
    let mut asked: HashMap<u64, (usize, usize, usize)> = HashMap::new();
    for sample in grid.samples() {
        for (at, key) in keys[sample].iter().enumerate() {
            asked.entry(*key).or_insert((0, sample, at)).0 += 1;
        }
    }
    let mut enough: Vec<_> = asked.into_iter().filter(|(_, (samples, ..))| *samples >= LEAST_ROWS).collect();
    enough.sort_by_key(|(_, (samples, first, at))| (std::cmp::Reverse(*samples), *first, *at));
    let named = |(key, (_, sample, at)): (u64, (usize, usize, usize))| (key, name(grid, sample, at));
    enough.into_iter().take(QUESTIONS).map(named).collect()
}

/// The questions of a sample: its assertions, then its dimensions or rubric.
fn keys(grid: &Grid, sample: usize) -> Vec<u64> {
    let of = &grid.suite.samples[sample];
    let assertions = of.assertions.iter().map(question_key);
    let rubrics = of.questions().into_iter().filter(|_| grid.suite.settings.judge);
    assertions.chain(rubrics.map(|name| hash(name.as_bytes(), 2))).collect()
}

fn name(grid: &Grid, sample: usize, at: usize) -> String {
    let of = &grid.suite.samples[sample];
    match of.assertions.get(at) {
        Some(assertion) => label(assertion),
        None => of.questions().get(at - of.assertions.len()).cloned().unwrap_or_default(),
    }
}

fn scored(grid: &Grid, sample: usize, keys: &[u64], wanted: &HashMap<u64, usize>) -> Vec<(u64, Option<f64>)> {
    let assertions = grid.suite.samples[sample].assertions.len();
    let keys = keys.iter().copied().enumerate().filter(|(_, key)| wanted.contains_key(key));
    let keys: Vec<(usize, u64)> = keys.collect();
    let judged = if keys.iter().any(|(at, _)| *at >= assertions) { judged(grid, sample) } else { BTreeMap::new() };
    let score = |at: usize| match at < assertions {
        true => passed(grid, sample, at),
        false => judged.get(&(at - assertions)).and_then(|scores| average(scores)),
    };
    keys.into_iter().map(|(at, key)| (key, score(at))).collect()
}

/// The share of executions in which an assertion passed.
fn passed(grid: &Grid, sample: usize, at: usize) -> Option<f64> {
    let cells = (0..grid.suite.variants.len()).flat_map(|variant| grid.of(sample, variant));
    let results = cells.filter_map(|cell| cell.checks.get(at).copied().flatten());
    let (passed, runs) = results.fold((0, 0), |(passed, runs), ok| (passed + u32::from(ok), runs + 1));
    (runs > 0).then(|| snap(f64::from(passed) / f64::from(runs)))
}

/// Scores of the dimensions, or of the rubric, by their order, 0–1.
fn judged(grid: &Grid, sample: usize) -> BTreeMap<usize, Vec<f64>> {
    let first = grid.suite.samples[sample].assertions.iter().map(size).sum::<usize>();
    let mut scores: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    let places = (0..grid.suite.variants.len()).flat_map(|variant| grid.places(sample, variant));
    for asked in places.flat_map(|&at| grid.opinions.of(at)) {
        if let Some(at) = (asked.check as usize).checked_sub(first) {
            scores.entry(at).or_default().extend(average(&asked.scores()).map(|points| (points - 1.0) / 4.0));
        }
    }
    scores
}
