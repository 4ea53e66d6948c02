//! What people said on a report's pages, beside what its judges say: agreement, which answers are preferred, and where the
//! two disagree.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use eval_format::{
    Feedback, GoldAgreement, Report, ReportError, SampleResult, Settled, VariantResult, newest_feedback,
};
use eval_spec::Judged;
use eval_spec::gold::{Annotation, Gold};
use eval_spec::hash::sha256_hex;
use eval_stats::{WilsonInterval, wilson};
use serde::Serialize;

use super::compare_gold;
use super::facts::{GoldFacts, answered, question, runs};
use super::matching::matched;

/// Points between a rating and the judge's score from which they disagree.
const APART: f64 = 1.0;
/// Of those who gave no name.
const NAMELESS: &str = "reader";

/// People's opinions on the answers of one run.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PeopleReport {
    /// People who said something.
    pub readers: usize,
    /// Ratings that stand beside a judge's score.
    pub ratings: Vec<PersonRating>,
    /// Ratings that don't, because the answer has no judge's score, or one for each of several dimensions.
    pub unjudged: usize,
    /// Those ratings.
    #[serde(skip)]
    pub without_score: Vec<Feedback>,
    /// Ratings that were settled as wrong: they count no longer.
    pub withdrawn: usize,
    /// People and judges; `None` without a rating beside a judge's score.
    pub agreement: Option<GoldAgreement>,
    /// The same with the ratings that were settled as wrong; `None` where none was. Only disagreements are looked at, so that
    /// `agreement` flatters the judge.
    pub agreement_as_given: Option<GoldAgreement>,
    /// Which answers people prefer, by treatment.
    pub preferences: Vec<PreferenceCounts>,
}

/// A person's rating of one answer, and the judge's.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PersonRating {
    /// The rating.
    #[serde(flatten)]
    pub given: Feedback,
    /// Who gave it, in gold.
    pub annotator: String,
    /// Which repeat was rated, from 0.
    pub repeat: u32,
    /// SHA-256 of the answer.
    pub output_sha256: String,
    /// `rubric`, or the only dimension.
    pub question: String,
    /// The judge's score in points.
    pub judge: f64,
    /// What the judges said.
    pub reasons: Vec<String>,
}

impl PersonRating {
    /// The judge's score less the rating, in points.
    #[must_use]
    pub fn difference(&self) -> f64 {
        self.judge - f64::from(self.given.rating.unwrap_or_default())
    }

    /// Whether the two disagree.
    #[must_use]
    pub fn is_disputed(&self) -> bool {
        self.difference().abs() >= APART
    }

    /// Whether the rating still counts.
    #[must_use]
    pub fn counts(&self) -> bool {
        self.given.settled != Some(Settled::GoldWrong)
    }
}

/// Whose answers people prefer. A sample counts once, whatever the number of its readers.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PreferenceCounts {
    /// The treatment.
    pub treatment: String,
    /// The control.
    pub control: String,
    /// Samples on which people prefer the treatment.
    pub better: u64,
    /// Those on which they prefer the control.
    pub worse: u64,
    /// Those on which they prefer neither.
    pub alike: u64,
    /// The treatment's share of those that are decided, in 0..=1.
    pub share: Option<[f64; 3]>,
    /// Decided samples on which the judge prefers one, too.
    pub judged: u64,
    /// Those of them on which it is the same one.
    pub judge_agrees: u64,
    /// Their share.
    pub judge_share: Option<[f64; 3]>,
    /// Opinions that were given blind, of all.
    pub blind: u64,
    /// Opinions.
    pub opinions: u64,
}

/// Compares the feedback of a report with its judges. Of its results, only those of samples with feedback are needed.
///
/// # Errors
/// When the report's interval method is none of ours.
pub fn people(report: &Report) -> Result<PeopleReport, ReportError> {
    let newest = counting(newest_feedback(&report.feedback));
    let readers: BTreeSet<Option<&String>> = newest.iter().map(|of| of.by.as_ref()).collect();
    let results: BTreeMap<&str, &SampleResult> = report.results.iter().map(|of| (of.sample_id.as_str(), of)).collect();
    let rated = || newest.iter().filter(|of| of.rating.is_some() && of.than.is_none());
    let comments = last_comments(&report.feedback);
    let with_comment = |of: &Feedback| commented(of, &comments);
    let (mut ratings, mut without_score) = (Vec::new(), Vec::new());
    for of in rated() {
        match rating(with_comment(of), &results) {
            Some(rating) => ratings.push(rating),
            None => without_score.push((*of).clone()),
        }
    }
    ratings.sort_by(|a, b| b.difference().abs().total_cmp(&a.difference().abs()));
    let counted: Vec<&PersonRating> = ratings.iter().filter(|of| of.counts()).collect();
    let all: Vec<&PersonRating> = ratings.iter().collect();
    let as_given = if all.len() > counted.len() { agreement(report, &all)? } else { None };
    Ok(PeopleReport {
        readers: readers.len(),
        unjudged: without_score.len(),
        without_score,
        withdrawn: ratings.len() - counted.len(),
        agreement: agreement(report, &counted)?,
        agreement_as_given: as_given,
        preferences: preferences(report, &newest, &results),
        ratings,
    })
}

/// Each person's opinion on each answer: the one that was given blind, where there is one.
fn counting(mut newest: Vec<&Feedback>) -> Vec<&Feedback> {
    fn on(of: &Feedback) -> (&String, &String, Option<&String>, Option<&String>) {
        (&of.sample_id, &of.variant, of.than.as_ref(), of.by.as_ref())
    }
    let blind: BTreeSet<_> = newest.iter().filter(|of| of.blind).map(|of| on(of)).collect();
    newest.retain(|of| of.blind || !blind.contains(&on(of)));
    newest
}

fn agreement(report: &Report, ratings: &[&PersonRating]) -> Result<Option<GoldAgreement>, ReportError> {
    let gold = Gold { annotations: ratings.iter().map(|of| annotation(of)).collect(), ..Gold::default() };
    Ok(Some(compare_gold(report, &gold, None)?.overall).filter(|of| of.n > 0))
}

/// What is said of an answer, and by whom.
type AuthoredAnswer<'r> = (&'r String, &'r String, Option<&'r String>, &'r String, bool);

/// `None` for an author who gave no name.
fn authored(of: &Feedback) -> Option<AuthoredAnswer<'_>> {
    Some((&of.sample_id, &of.variant, of.than.as_ref(), of.by.as_ref()?, of.blind))
}

/// What everybody who gave a name said last of each answer.
fn last_comments(all: &[Feedback]) -> HashMap<AuthoredAnswer<'_>, &String> {
    all.iter().filter_map(|of| Some((authored(of)?, of.comment.as_ref()?))).collect()
}

/// A rating with what its author said of the answer before, where it came without a word.
fn commented(of: &Feedback, comments: &HashMap<AuthoredAnswer<'_>, &String>) -> Feedback {
    let before = || authored(of).and_then(|key| comments.get(&key)).map(|comment| (*comment).clone());
    Feedback { comment: of.comment.clone().or_else(before), ..of.clone() }
}

/// The rating beside the judge's score of the answer that is shown: the first one.
fn rating(of: Feedback, results: &BTreeMap<&str, &SampleResult>) -> Option<PersonRating> {
    let all = results.get(of.sample_id.as_str())?.variants.get(&of.variant)?;
    let judged = |run: &VariantResult| match run.judged.as_slice() {
        [one] => one.score.map(|score| (one.clone(), score)),
        _ => None,
    };
    let (repeat, text, run) = runs(all).into_iter().find_map(|(repeat, run)| Some((repeat, answered(run)?, run)))?;
    let (judged, judge): (Judged, f64) = judged(run)?;
    Some(PersonRating {
        annotator: of.by.clone().unwrap_or_else(|| NAMELESS.to_owned()),
        given: of,
        repeat,
        output_sha256: sha256_hex(text.as_bytes()),
        question: question(&judged),
        judge,
        reasons: judged.opinions.into_iter().map(|opinion| opinion.reasoning).filter(|of| !of.is_empty()).collect(),
    })
}

fn annotation(of: &PersonRating) -> Annotation {
    Annotation {
        sample_id: of.given.sample_id.clone(),
        annotator: of.annotator.clone(),
        variant: Some(of.given.variant.clone()),
        // The answer that was looked at, and no other one with the same text.
        repeat: Some(of.repeat),
        scores: vec![(of.question.clone(), f64::from(of.given.rating.unwrap_or_default()))],
        ..Annotation::default()
    }
}

fn preferences(
    report: &Report,
    newest: &[&Feedback],
    results: &BTreeMap<&str, &SampleResult>,
) -> Vec<PreferenceCounts> {
    let Some((control, treatments)) = report.meta.variants.split_first() else { return Vec::new() };
    let one = |treatment: &String| {
        let of = |opinion: &&&Feedback| &opinion.variant == treatment && opinion.than.as_ref() == Some(control);
        let mut by_sample: BTreeMap<&str, i32> = BTreeMap::new();
        let (mut blind, mut opinions) = (0, 0);
        for opinion in newest.iter().filter(of) {
            let Some(preference) = opinion.preference else { continue };
            *by_sample.entry(&opinion.sample_id).or_default() += i32::from(preference.signum());
            opinions += 1;
            blind += u64::from(opinion.blind);
        }
        let judge = |sample: &str| {
            let score = |name: &String| results.get(sample)?.variants.get(name)?.layered_scores.judge_score;
            let difference = score(treatment)? - score(control)?;
            (difference != 0.0).then_some(difference > 0.0)
        };
        let (mut better, mut worse, mut alike, mut judged, mut judge_agrees) = (0, 0, 0, 0, 0);
        for (sample, sum) in by_sample {
            match sum.signum() {
                1 => better += 1,
                0 => alike += 1,
                _ => worse += 1,
            }
            if let Some(prefers) = judge(sample).filter(|_| sum != 0) {
                judged += 1;
                judge_agrees += u64::from(prefers == (sum > 0));
            }
        }
        (opinions > 0).then(|| PreferenceCounts {
            treatment: treatment.clone(),
            control: control.clone(),
            share: share(better, better + worse),
            judge_share: share(judge_agrees, judged),
            better,
            worse,
            alike,
            judged,
            judge_agrees,
            blind,
            opinions,
        })
    };
    treatments.iter().filter_map(one).collect()
}

/// A score in gold that the judge's is a point or more away from.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GoldDispute {
    /// The sample.
    pub sample_id: String,
    /// The variant, as the report names it.
    pub variant: String,
    /// The repeat, from 0.
    pub repeat: u32,
    /// The dimension, or `rubric`.
    pub question: String,
    /// Who scored.
    pub annotator: String,
    /// Their score.
    pub person: f64,
    /// The judge's.
    pub judge: f64,
}

/// Where gold and judge disagree, the largest differences first. What was settled as wrong is gold no longer.
#[must_use]
pub fn gold_disputes(report: &Report, gold: &Gold) -> Vec<GoldDispute> {
    let facts = GoldFacts::of_report(report);
    let matched = matched(&facts, gold, None);
    let mut all = Vec::new();
    for cell in &matched.cells {
        let (sample, variant) = (&facts.samples[cell.sample], &facts.variants[cell.variant]);
        let apart = cell.humans.iter().filter(|(_, person)| (cell.judge - **person).abs() >= APART);
        all.extend(apart.map(|(annotator, person)| GoldDispute {
            sample_id: sample.clone(),
            variant: variant.clone(),
            repeat: cell.repeat,
            question: cell.question.clone(),
            annotator: matched.annotators[*annotator].0.clone(),
            person: *person,
            judge: cell.judge,
        }));
    }
    all.sort_by(|a, b| (b.judge - b.person).abs().total_cmp(&(a.judge - a.person).abs()));
    all
}

/// A share with its 95 % interval.
fn share(part: u64, whole: u64) -> Option<[f64; 3]> {
    wilson(part, whole, 0.95).map(|WilsonInterval { estimate, low, high, .. }| [estimate, low, high])
}
