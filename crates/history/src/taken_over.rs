//! Answers that a run has in common with an earlier report, and answers that it was asked for anew beside them: whoever deletes the
//! worst ones from the cache selects among answers, as does whoever takes over the best of several runs.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::BufReader;
use std::path::Path;

use eval_format::BlindFile;
use eval_spec::files::{LARGEST_REPORT, open_regular};
use eval_spec::hash::short_hash;
use eval_spec::{Check, Failure, Grade, Judged, Layer, Pair, PairJudged};
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;

use crate::earlier::{FileHead, HeadMeta, head};
use crate::earlier_looks::{LookArm, LookQuestion, MOST_READ, earlier_reports, is_of_model};

/// An execution of a run: the place of its variant, its sample and its repeat.
pub type RunCell = (usize, String, u32);

/// Two answers to one sample that judges compared.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RunPair {
    /// The sample.
    pub sample: String,
    /// The repeat.
    pub repeat: u32,
    /// Places of the variants.
    pub variants: [usize; 2],
}

/// Scores of judges with their names, by the places of question and opinion.
type OpinionScores = BTreeMap<(usize, usize), (String, f64)>;

/// An answer of a run.
#[derive(Clone, Debug)]
pub struct GivenAnswer {
    text: String,
    ended: Timestamp,
    cached: bool,
    opinions: OpinionScores,
}

impl GivenAnswer {
    /// An answer that ended at this time, in this run or in the one that the cache has it from.
    #[must_use]
    pub fn new(text: &str, ended: Timestamp, cached: bool, grade: Option<&Grade>) -> GivenAnswer {
        let (rubrics, others): (Vec<&Check>, Vec<&Check>) =
            grade.iter().flat_map(|grade| &grade.checks).partition(|check| check.layer == Layer::Judge);
        let checks = rubrics.into_iter().chain(others).flat_map(Check::with_children);
        let opinions = opinion_scores(checks.filter_map(|check| check.judged.as_deref()));
        GivenAnswer { text: text_hash(text), ended, cached, opinions }
    }
}

fn opinion_scores<'j>(judged: impl Iterator<Item = &'j Judged>) -> OpinionScores {
    let of_question = |(question, judged): (usize, &'j Judged)| {
        let scores = judged.opinions.iter().enumerate();
        scores.filter_map(move |(place, opinion)| Some(((question, place), (opinion.judge.clone(), opinion.score?))))
    };
    judged.enumerate().flat_map(of_question).collect()
}

/// The answers of a run.
#[derive(Clone, Debug, Default)]
pub struct RunAnswers {
    /// Each answer.
    pub answers: HashMap<RunCell, GivenAnswer>,
    /// Opinions of judges on two answers.
    pub pairs: HashMap<RunPair, Pair>,
    /// The hashes of the judges' prompts, for scores and for comparisons; `None` where no judge's reply came from the cache.
    pub prompts: Option<[Option<String>; 2]>,
}

/// A report from whose own run answers of a variant were taken over.
#[derive(Clone, Debug)]
pub struct TakenOver {
    /// Id of the report.
    pub report: String,
    /// The variant's place in this run.
    pub variant: usize,
    /// The variant's cells that ended otherwise in the report, and were asked anew after it: [`Failure::Replaced`] where it has another
    /// answer, or judges scored the same one otherwise, or the failure.
    pub replaced: Vec<(RunCell, Failure)>,
}

/// The reports in `directory` from whose runs `answers` were taken over, through the cache. A variant that was asked anew as a whole
/// took none over: that is a look.
#[must_use]
pub fn taken_over(directory: &Path, run: &LookQuestion, answers: &RunAnswers) -> Vec<TakenOver> {
    if !answers.answers.values().any(|answer| answer.cached) {
        return Vec::new();
    }
    let heads = earlier_reports(directory, run).filter_map(|path| match head(&path) {
        FileHead::Of(meta) if is_like(&meta, run) => Some((path, meta)),
        _ => None,
    });
    // of reports with the same scores the oldest: whoever reads them over and over hides no other
    let (mut reports, mut seen): (Vec<_>, HashMap<_, usize>) = (Vec::new(), HashMap::new());
    for (path, meta) in heads {
        match seen.get(&meta.scores_hashes) {
            Some(place) if !meta.scores_hashes.is_empty() => reports[*place] = (path, meta),
            _ => {
                seen.insert(meta.scores_hashes.clone(), reports.len());
                reports.push((path, meta));
            }
        }
    }
    let in_each = reports.iter().take(MOST_READ).map(|(path, meta)| in_report(path, meta, run, answers));
    in_each.flatten().collect()
}

fn is_like(meta: &HeadMeta, run: &LookQuestion) -> bool {
    let is_shared = |(id, hash): (&String, &String)| run.samples.get(id) == Some(hash);
    let is_run = !meta.settings.aa && meta.imported.is_none();
    is_run && is_of_model(meta, run) && meta.sample_hashes.iter().any(is_shared)
}

/// Returns, variant by variant, what was taken over from one report.
fn in_report(
    path: &Path,
    meta: &HeadMeta,
    run: &LookQuestion,
    RunAnswers { answers, pairs, prompts }: &RunAnswers,
) -> Vec<TakenOver> {
    let report_id = path.file_stem().unwrap_or_default().to_string_lossy();
    let blind = if meta.skill_hashes.is_empty() { BlindFile::beside(path).ok().flatten() } else { None };
    let artifacts = blind.as_ref().map_or(&meta.skill_hashes, BlindFile::skill_hashes);
    let texts = blind.as_ref().map_or(&meta.text_hashes, BlindFile::text_hashes);
    let label_of = |arm: &LookArm| {
        let is_same =
            |label: &&String| artifacts.get(*label) == Some(&arm.hash) || texts.get(*label) == Some(&arm.text_hash);
        let named = meta.variants.iter().find(|label| **label == arm.name).filter(is_same);
        named.or_else(|| meta.variants.iter().find(is_same))
    };
    let labels: Vec<Option<&String>> = run.arms.iter().map(label_of).collect();
    let began = meta.timestamp.parse::<Timestamp>().ok().filter(|_| labels.iter().any(Option::is_some));
    let Some((began, report)) = began.zip(read_texts(path)) else { return Vec::new() };
    let ended = report.ended().unwrap_or(began);
    let judges_alike = |which: usize| prompts.as_ref().is_some_and(|ours| report.prompts()[which] == ours[which]);
    let (mut taken_over, mut equal) = (Vec::new(), HashSet::new());
    for (place, label) in labels.iter().enumerate().filter_map(|(place, label)| Some((place, (*label)?))) {
        let (mut has_taken_over, mut replaced) = (false, Vec::new());
        for sample in &report.results {
            let id = &sample.sample_id;
            let is_same_sample = run.samples.get(id).is_some_and(|hash| meta.sample_hashes.get(id) == Some(hash));
            for (repeat, theirs) in sample.variants.get(label).filter(|_| is_same_sample).into_iter().flat_map(runs) {
                let cell = (place, id.clone(), repeat);
                let Some(ours) = answers.get(&cell) else { continue };
                let is_equal = theirs.full_output.as_deref().is_some_and(|text| text_hash(text) == ours.text);
                has_taken_over |= ours.cached && is_equal && (began..=ended).contains(&ours.ended);
                if is_equal {
                    let is_judged_anew = judges_alike(0) && differ(&theirs.opinions(), &ours.opinions);
                    replaced.extend(is_judged_anew.then(|| (cell.clone(), Failure::Replaced)));
                    equal.insert(cell);
                } else {
                    let end = theirs.end().filter(|_| ours.ended > ended);
                    replaced.extend(end.map(|end| (cell, end)));
                }
            }
        }
        if has_taken_over {
            taken_over.push(TakenOver { report: report_id.clone().into_owned(), variant: place, replaced });
        }
    }
    let place = |label: &String| labels.iter().position(|variant| *variant == Some(label));
    for pair in report.pairwise.iter().flat_map(|all| &all.pairs).filter(|_| judges_alike(1)) {
        let (Some(earlier), Some(later), Some(theirs)) = (place(&pair.earlier), place(&pair.later), pair.preference)
        else {
            continue;
        };
        let (sign, places) = if earlier < later { (1.0, [earlier, later]) } else { (-1.0, [later, earlier]) };
        let key = RunPair { sample: pair.sample_id.clone(), repeat: pair.repeat, variants: places };
        let ours = pairs.get(&key).filter(|ours| judges(&ours.questions).eq(judges(&pair.questions)));
        let ours = ours.and_then(|ours| ours.preference().ok());
        let cells = places.map(|variant| (variant, pair.sample_id.clone(), pair.repeat));
        // to the digits that reports have
        let is_other = ours.is_some_and(|ours| (ours - sign * theirs).abs() > 1e-6);
        if is_other && cells.iter().all(|cell| equal.contains(cell)) {
            for (variant, cell) in places.into_iter().zip(cells) {
                let taken = taken_over.iter_mut().find(|taken| taken.variant == variant);
                taken.into_iter().for_each(|taken| taken.replaced.push((cell.clone(), Failure::Replaced)));
            }
        }
    }
    taken_over
}

fn judges(questions: &[PairJudged]) -> impl Iterator<Item = &String> {
    questions.iter().flat_map(|question| &question.opinions).map(|opinion| &opinion.judge)
}

/// Returns true if a judge scored an answer otherwise.
fn differ(theirs: &OpinionScores, ours: &OpinionScores) -> bool {
    let is_other = |(place, (judge, score)): (&(usize, usize), &(String, f64))| {
        ours.get(place).is_some_and(|(same, now)| same == judge && (now - score).abs() > 1e-6)
    };
    theirs.iter().any(is_other)
}

fn read_texts(path: &Path) -> Option<ReportTexts> {
    let file = open_regular(path).ok()?;
    let is_small = file.metadata().is_ok_and(|file| file.len() <= LARGEST_REPORT);
    is_small.then(|| serde_json::from_reader(BufReader::new(file)).ok()).flatten()
}

fn text_hash(text: &str) -> String {
    const DIGITS: usize = 32;
    short_hash(text.as_bytes(), DIGITS)
}

/// The answers of a report.
#[derive(Deserialize)]
struct ReportTexts {
    #[serde(default)]
    results: Vec<SampleAnswers>,
    meta: PromptHash,
    #[serde(default)]
    pairwise: Option<ComparedPairs>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PromptHash {
    #[serde(default)]
    judge_prompt_hash: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ComparedPairs {
    prompt_hash: String,
    pairs: Vec<PairPreference>,
}

#[derive(Deserialize)]
struct PairPreference {
    sample_id: String,
    repeat: u32,
    earlier: String,
    later: String,
    preference: Option<f64>,
    #[serde(default)]
    questions: Vec<PairJudged>,
}

impl ReportTexts {
    /// Returns the hashes of the judges' prompts, for scores and for comparisons.
    fn prompts(&self) -> [Option<String>; 2] {
        [self.meta.judge_prompt_hash.clone(), self.pairwise.as_ref().map(|pairs| pairs.prompt_hash.clone())]
    }

    /// When the last answer was there.
    fn ended(&self) -> Option<Timestamp> {
        let all = self.results.iter().flat_map(|sample| sample.variants.values()).flat_map(runs);
        all.filter_map(|(_, run)| run.ended()).max()
    }
}

#[derive(Deserialize)]
struct SampleAnswers {
    sample_id: String,
    variants: BTreeMap<String, RunText>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RunText {
    #[serde(default)]
    repeat: Option<u32>,
    #[serde(default)]
    full_output: Option<String>,
    #[serde(default)]
    started_at: Option<String>,
    #[serde(default)]
    duration_ms: Option<u64>,
    #[serde(default)]
    error: Option<FailedRun>,
    #[serde(default)]
    judged: Vec<Judged>,
    #[serde(default)]
    assertions: CheckedAssertions,
    #[serde(default)]
    runs: Option<Vec<RunText>>,
}

#[derive(Default, Deserialize)]
struct CheckedAssertions {
    #[serde(default)]
    details: Vec<CheckedAssertion>,
}

#[derive(Deserialize)]
struct CheckedAssertion {
    #[serde(default)]
    judged: Option<Judged>,
    #[serde(default)]
    children: Vec<CheckedAssertion>,
}

impl CheckedAssertion {
    fn judged(&self) -> Box<dyn Iterator<Item = &Judged> + '_> {
        Box::new(self.judged.iter().chain(self.children.iter().flat_map(CheckedAssertion::judged)))
    }
}

#[derive(Deserialize)]
struct FailedRun {
    failure: Failure,
}

impl RunText {
    fn opinions(&self) -> OpinionScores {
        let of_assertions = self.assertions.details.iter().flat_map(CheckedAssertion::judged);
        opinion_scores(self.judged.iter().chain(of_assertions))
    }

    fn ended(&self) -> Option<Timestamp> {
        let started: Timestamp = self.started_at.as_ref()?.parse().ok()?;
        let took = i64::try_from(self.duration_ms.unwrap_or(0)).unwrap_or(i64::MAX);
        started.checked_add(SignedDuration::from_millis(took)).ok()
    }

    /// Returns what another answer in its place follows; `None` where nothing was answered, and no failure may depend on it.
    fn end(&self) -> Option<Failure> {
        let failure = self.error.as_ref().map(|error| error.failure).filter(|failure| failure.may_select(false));
        failure.or(self.full_output.as_ref().map(|_| Failure::Replaced))
    }
}

/// The repeats of a result with their numbers, or the result itself where there is one only.
fn runs(result: &RunText) -> impl Iterator<Item = (u32, &RunText)> {
    let runs = result.runs.as_deref().filter(|runs| !runs.is_empty()).unwrap_or(std::slice::from_ref(result));
    (0..).zip(runs).map(|(place, run)| (run.repeat.unwrap_or(place), run))
}
