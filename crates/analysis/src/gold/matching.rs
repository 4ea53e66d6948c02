//! Which annotation belongs to which output.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use eval_format::{GoldCounts, GoldLeftOut, GoldReason};
use eval_spec::gold::{Annotation, Gold, Settled};

use super::facts::{GoldFacts, GoldOutput};
use crate::numbers::count;

/// The result of matching annotations to outputs.
pub(super) struct Matched {
    pub(super) counts: GoldCounts,
    pub(super) left_out: Vec<GoldLeftOut>,
    /// The annotators with a used score, sorted, with their number of used annotations.
    pub(super) annotators: Vec<(String, u64)>,
    /// Every output and question that people scored, in order.
    pub(super) cells: Vec<Scored>,
}

/// One question about one output.
pub(super) struct Scored {
    pub(super) sample: usize,
    pub(super) variant: usize,
    pub(super) repeat: u32,
    /// Its place among the answer's questions, of how many.
    pub(super) of: usize,
    pub(super) question: String,
    pub(super) judge: f64,
    /// By annotator.
    pub(super) humans: BTreeMap<usize, f64>,
}

/// The judge and the mean of some annotators.
pub(super) struct JudgeAndAnnotators<'a> {
    pub(super) at: &'a Scored,
    pub(super) human: f64,
}

impl Matched {
    /// The outputs and questions that some of these annotators scored.
    pub(super) fn scored_by(&self, who: &[usize]) -> Vec<JudgeAndAnnotators<'_>> {
        let both = |at| {
            let at: &Scored = at;
            let scores: Vec<f64> = who.iter().filter_map(|annotator| at.humans.get(annotator).copied()).collect();
            Some(JudgeAndAnnotators { at, human: crate::numbers::average(&scores)? })
        };
        self.cells.iter().filter_map(both).collect()
    }
}

/// Places every annotation.
pub(super) fn matched(facts: &GoldFacts, gold: &Gold, variant: Option<&str>) -> Matched {
    let index = AnswerIndex::new(facts, variant);
    let mut counts =
        GoldCounts { files: count(gold.files), annotations: count(gold.annotations.len()), ..GoldCounts::default() };
    let mut left_out = Vec::new();
    // by output and question: annotator → score
    let mut scores: BTreeMap<(usize, usize), BTreeMap<&str, f64>> = BTreeMap::new();
    let mut annotators: BTreeMap<&str, u64> = BTreeMap::new();
    for annotation in &gold.annotations {
        match index.place(annotation).and_then(|answers| put(facts, annotation, &answers, &mut scores)) {
            Ok(()) => {
                counts.used += 1;
                counts.unverified += u64::from(annotation.output_sha256.is_none());
                *annotators.entry(&annotation.annotator).or_default() += 1;
            }
            Err(reason) => {
                *tally(&mut counts, reason) += 1;
                let (sample_id, annotator) = (annotation.sample_id.clone(), annotation.annotator.clone());
                left_out.push(GoldLeftOut { sample_id, annotator, reason });
            }
        }
    }
    let names: Vec<&str> = annotators.keys().copied().collect();
    let number = |name: &str| names.binary_search(&name).ok();
    let cell = |((answer, question), humans): ((usize, usize), BTreeMap<&str, f64>)| {
        let answer = &facts.answers[answer];
        let (name, judge) = &answer.scores[question];
        Some(Scored {
            sample: answer.sample,
            variant: answer.variant,
            repeat: answer.repeat,
            of: answer.scores.len(),
            question: name.clone(),
            judge: (*judge)?,
            humans: humans.into_iter().filter_map(|(name, score)| Some((number(name)?, score))).collect(),
        })
    };
    let cells = scores.into_iter().filter_map(cell).collect();
    let annotators = annotators.iter().map(|(name, used)| ((*name).to_owned(), *used)).collect();
    Matched { counts, left_out, annotators, cells }
}

/// Matches the scores with the judge's; an annotation without a match is left out. Of repeats with the same text, the first
/// one counts: a person looked at it once, however often it was given.
fn put<'g>(
    facts: &GoldFacts,
    annotation: &'g Annotation,
    answers: &[usize],
    scores: &mut BTreeMap<(usize, usize), BTreeMap<&'g str, f64>>,
) -> Result<(), GoldReason> {
    let (mut used, mut twice) = (false, false);
    for (name, score) in &annotation.scores {
        let mut variants = BTreeSet::new();
        for &answer in answers {
            let questions = &facts.answers[answer].scores;
            let Some(question) = questions.iter().position(|(known, judge)| known == name && judge.is_some()) else {
                continue;
            };
            if !variants.insert(facts.answers[answer].variant) {
                continue;
            }
            let given = scores.entry((answer, question)).or_default();
            if given.contains_key(annotation.annotator.as_str()) {
                twice = true;
            } else {
                given.insert(&annotation.annotator, *score);
                used = true;
            }
        }
    }
    match (used, twice) {
        (true, _) => Ok(()),
        (false, true) => Err(GoldReason::Twice),
        (false, false) => Err(GoldReason::Unjudged),
    }
}

pub(super) fn tally(counts: &mut GoldCounts, reason: GoldReason) -> &mut u64 {
    match reason {
        GoldReason::Stale => &mut counts.stale,
        GoldReason::Unplaced => &mut counts.unplaced,
        GoldReason::UnknownSample => &mut counts.unknown_sample,
        GoldReason::UnknownVariant => &mut counts.unknown_variant,
        GoldReason::Unjudged => &mut counts.unjudged,
        GoldReason::Open => &mut counts.open,
        GoldReason::Twice => &mut counts.twice,
        GoldReason::Tripwire => &mut counts.tripwire,
        GoldReason::NotNeeded => &mut counts.not_needed,
        GoldReason::Withdrawn => &mut counts.withdrawn,
    }
}

/// The answers by sample.
struct AnswerIndex<'a> {
    facts: &'a GoldFacts,
    samples: HashMap<&'a str, usize>,
    answers: HashMap<usize, Vec<usize>>,
    /// The variant that the caller chose for annotations that name none.
    chosen: Option<&'a str>,
}

impl<'a> AnswerIndex<'a> {
    fn new(facts: &'a GoldFacts, chosen: Option<&'a str>) -> AnswerIndex<'a> {
        let mut answers: HashMap<usize, Vec<usize>> = HashMap::new();
        for (i, answer) in facts.answers.iter().enumerate() {
            answers.entry(answer.sample).or_default().push(i);
        }
        let samples = facts.samples.iter().enumerate().map(|(i, id)| (id.as_str(), i)).collect();
        AnswerIndex { facts, samples, answers, chosen }
    }

    /// The answers that an annotation refers to, at least one.
    fn place(&self, annotation: &Annotation) -> Result<Vec<usize>, GoldReason> {
        if annotation.scores.is_empty() {
            return Err(GoldReason::Open);
        }
        if annotation.settled == Some(Settled::GoldWrong) {
            return Err(GoldReason::Withdrawn);
        }
        let sample = self.samples.get(annotation.sample_id.as_str()).ok_or(GoldReason::UnknownSample)?;
        if self.facts.tripwires.get(*sample).is_some_and(|is_tripwire| *is_tripwire) {
            return Err(GoldReason::Tripwire);
        }
        if self.facts.not_needed.get(*sample).is_some_and(|is_not_needed| *is_not_needed) {
            return Err(GoldReason::NotNeeded);
        }
        let answers = self.answers.get(sample).map(Vec::as_slice).unwrap_or_default();
        let is = |wanted: &dyn Fn(&GoldOutput) -> bool| -> Vec<usize> {
            answers.iter().copied().filter(|&i| wanted(&self.facts.answers[i])).collect()
        };
        if let Some(hash) = &annotation.output_sha256 {
            let mut same = is(&|answer| answer.sha256 == *hash);
            same.sort_by_key(|at| self.facts.answers[*at].repeat);
            return if same.is_empty() { Err(GoldReason::Stale) } else { Ok(same) };
        }
        let variant = self.variant(annotation)?;
        let repeat = match annotation.repeat {
            Some(repeat) if repeat >= self.facts.repeat => return Err(GoldReason::UnknownVariant),
            Some(repeat) => repeat,
            None if self.facts.repeat <= 1 => 0,
            None => return Err(GoldReason::Unplaced),
        };
        let found = is(&|answer| answer.variant == variant && answer.repeat == repeat);
        if found.is_empty() { Err(GoldReason::Unjudged) } else { Ok(found) }
    }

    fn variant(&self, annotation: &Annotation) -> Result<usize, GoldReason> {
        let facts = self.facts;
        let find = |name: &str| {
            let place = |names: &[String]| names.iter().position(|known| known == name);
            place(&facts.variants).or_else(|| place(&facts.own_names)).ok_or(GoldReason::UnknownVariant)
        };
        match annotation.variant.as_deref().or(self.chosen) {
            Some(name) => find(name),
            None if facts.variants.len() == 1 => Ok(0),
            None => Err(GoldReason::Unplaced),
        }
    }
}
