//! How reliable the judges of pairwise comparisons are: how many verdicts are missing, how often the orders contradict
//! each other, how far judges agree, and whether one of them judges its own model family.

use std::collections::{BTreeMap, BTreeSet};

use eval_format::{Agreement, PairJudge};
use eval_spec::{PairOpinion, PairVerdict};
use eval_stats::Resampling;

use crate::judging::{Ratings, Tested, agreement_of, most_frequent};
use crate::numbers::{Paid, average, count};
use crate::pairwise::{AnswerPair, opinions};

/// Each judge, in the order in which the pairs name them first.
pub(crate) fn judges(all: &[AnswerPair], tested: &Tested) -> Vec<PairJudge> {
    let mut names: Vec<&str> = Vec::new();
    let mut of: BTreeMap<&str, Vec<&PairOpinion>> = BTreeMap::new();
    for opinion in all.iter().flat_map(opinions) {
        let said = of.entry(&opinion.judge).or_default();
        if said.is_empty() {
            names.push(&opinion.judge);
        }
        said.push(opinion);
    }
    names.into_iter().map(|name| judge(name, &of[name], tested)).collect()
}

fn judge(name: &str, said: &[&PairOpinion], tested: &Tested) -> PairJudge {
    let verdicts: Vec<PairVerdict> = said.iter().filter_map(|opinion| opinion.verdict()).collect();
    let replies = || said.iter().flat_map(|opinion| [&opinion.forward, &opinion.reversed]);
    let spent = replies().map(|reply| reply.cost_usd.map(|usd| usd.0));
    let paid = spent.map(|cost| Paid { known: cost.unwrap_or(0.0), complete: cost.is_some() });
    let inconsistent = verdicts.iter().filter(|verdict| **verdict == PairVerdict::Inconsistent).count();
    PairJudge {
        judge: name.to_owned(),
        planned: count(said.len()),
        decided: count(verdicts.len()),
        missing: count(said.len() - verdicts.len()),
        why_missing: most_frequent(said.iter().filter(|one| one.verdict().is_none()).filter_map(|one| one.why())),
        inconsistent: count(inconsistent),
        requests: replies().map(|reply| u64::from(reply.requests)).sum(),
        cost_usd: paid.fold(Paid::NOTHING, Paid::plus).total(),
        self_preference: tested.is_of_same_family(name),
    }
}

/// How far several judges agree: −1, 0 or 1 for each pair and question, the mean over a judge's repeats.
pub(crate) fn agreement(all: &[AnswerPair], judges: &[PairJudge], r: &Resampling) -> Option<Agreement> {
    let questions: BTreeSet<&str> = all.iter().flat_map(asked).map(|(name, _)| name).collect();
    let questions: Vec<String> = questions.into_iter().map(str::to_owned).collect();
    let row = |said: &[PairOpinion]| -> Vec<Option<f64>> {
        let of = |judge: &PairJudge| {
            let verdicts = said.iter().filter(|one| one.judge == judge.judge).filter_map(PairOpinion::verdict);
            average(&verdicts.map(PairVerdict::preference).collect::<Vec<_>>())
        };
        judges.iter().map(of).collect()
    };
    let place = |name: &str| questions.binary_search_by(|other| other.as_str().cmp(name)).unwrap_or_default();
    let sample = |of: &[AnswerPair]| of.iter().flat_map(asked).map(|(name, said)| (place(name), row(said))).collect();
    let ratings: Ratings = all.chunk_by(|a, b| a.sample == b.sample).map(sample).collect();
    let names: Vec<String> = judges.iter().map(|judge| judge.judge.clone()).collect();
    (judges.len() > 1).then(|| agreement_of(&names, &questions, &ratings, r))
}

/// The questions about a pair, by name, with the opinions on each.
fn asked(answers: &AnswerPair) -> impl Iterator<Item = (&str, &[PairOpinion])> {
    let questions = answers.pair.iter().flat_map(|pair| &pair.questions);
    questions.map(|question| (question.dimension.as_deref().unwrap_or("rubric"), question.opinions.as_slice()))
}
