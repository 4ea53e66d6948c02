//! The samples that judges compare instead of scoring: from pairs to preferences, position bias and strengths.
//!
//! A preference is −1 to 1. The unit is the task: repeats and the samples of a cluster are averaged first, and all treatments are one family.

use eval_format::report::Note;
use eval_format::{
    DiffInputs, Difference, Limits, MissingPair, MissingRuns, POINTS, PairInputs, PairResult, Pairwise,
    PairwiseComparison, PositionBias, PositionInputs, ReportError, Strength, Strengths,
};
use eval_message::{Message, msg};
use eval_spec::{Pair, PairVerdict, Shown};
use eval_stats::{NoStrengths, PairOutcome, Resampling, SeenDifferences, Weighing, bradley_terry};

use crate::cells::Cells;
use crate::compare::{equal_length_of, power};
use crate::grid::{Grid, TreatmentPreferences};
use crate::intervals::affordable;
use crate::judging::Tested;
use crate::meta::JudgeTemplate;
use crate::numbers::{average, count, snap, why_unanswered};
use crate::pair_judges;
use crate::pairs::{differences_by_name, over_samples, within};
use crate::strictness::Strictness;
use crate::unseen::{seen, seen_preferences, unseen};

/// The report's block, and the preferences it was computed from.
pub(crate) struct Preferences {
    pub(crate) block: Pairwise,
    /// For each treatment, one place per sample: the preference for it, as a difference in points.
    pub(crate) columns: Vec<Vec<Option<f64>>>,
}

/// The outcome of one pair of answers.
pub(crate) struct AnswerPair {
    pub(crate) sample: usize,
    repeat: u32,
    /// The variants, the earlier one first.
    variants: [usize; 2],
    /// Their cells, by place in the plan.
    cells: [usize; 2],
    /// The preference, or why there is none and which variant has no answer.
    preference: Result<f64, (Message, Option<usize>)>,
    pub(crate) pair: Option<Pair>,
}

/// The block; `None` when no sample is judged pairwise.
pub(crate) fn pairwise(
    grid: &Grid,
    cells: &Cells,
    labels: &[String],
    template: Option<&JudgeTemplate>,
    executor: &str,
    strictness: &Strictness,
    resampling: &Resampling,
) -> Result<Option<Preferences>, ReportError> {
    let samples: Vec<usize> = grid.samples().filter(|&sample| grid.is_pairwise(sample)).collect();
    let Some(template) = template.filter(|_| !samples.is_empty() && labels.len() > 1) else { return Ok(None) };
    let mut all = Vec::new();
    for &sample in &samples {
        for later in 1..labels.len() {
            for earlier in 0..later {
                compare_answers(grid, cells, sample, [earlier, later], &mut all)?;
            }
        }
    }
    let columns: Vec<Vec<Option<f64>>> = (1..labels.len()).map(|t| column(grid, &all, [0, t])).collect();
    let tasks: Vec<Vec<Option<f64>>> = columns.iter().map(|column| grid.clusters.tasks(column)).collect();
    let treatments: Vec<usize> = (1..labels.len()).collect();
    let mut preferences = differences_by_name(grid, &treatments, &tasks, &strictness.of_parts(resampling));
    for (treatment, (preference, column)) in (1..).zip(preferences.iter_mut().zip(&columns)) {
        let longer_by = |sample| Some(grid.answer_length(sample, treatment)? - grid.answer_length(sample, 0)?);
        // no answer is preferred by more than all
        preference.ci = preference.ci.map(|ci| within(ci, 1.0));
        preference.ci_unadjusted = preference.ci_unadjusted.map(|ci| within(ci, 1.0));
        preference.over_samples = over_samples(grid, column);
        preference.equal_length = Some(equal_length_of(&grid.clusters, column, longer_by, resampling.level));
    }
    let of_model_api = eval_spec::vendor::is_model_api(executor);
    let comparison = |(i, preference)| {
        let of = comparison(grid, &all, labels, i + 1, preference, strictness, resampling.level);
        let [again, redrawn] = asked_again(grid, &all, i + 1, of_model_api);
        PairwiseComparison { again, redrawn, ..of }
    };
    let comparisons = preferences.into_iter().enumerate().map(comparison).collect();
    let strengths = (labels.len() > 2).then(|| strengths(&all, labels, resampling));
    let judges = pair_judges::judges(&all, &Tested::of(grid, executor));
    let agreement = pair_judges::agreement(&all, &judges, resampling);
    let pairs = all.into_iter().map(|answers| result(grid, labels, answers)).collect();
    let block = Pairwise {
        template: template.name.clone(),
        prompt_hash: template.hash.clone(),
        samples: count(samples.len()),
        judges,
        agreement,
        comparisons,
        strengths,
        pairs,
    };
    Ok(Some(Preferences { block, columns: columns.into_iter().map(in_points).collect() }))
}

/// Preferences as differences in points.
fn in_points(column: Vec<Option<f64>>) -> Vec<Option<f64>> {
    column.into_iter().map(|preference| preference.map(|preference| snap(preference * POINTS))).collect()
}

fn compare_answers(
    grid: &Grid,
    cells: &Cells,
    sample: usize,
    variants: [usize; 2],
    all: &mut Vec<AnswerPair>,
) -> Result<(), ReportError> {
    let [earlier, later] = variants.map(|variant| grid.places(sample, variant));
    for (&first, &second) in earlier.iter().zip(later) {
        let pair = (cells.pair)([first, second]).map_err(ReportError::Read)?;
        let unanswered = variants
            .into_iter()
            .zip([first, second])
            .find_map(|(variant, place)| why_unanswered(&grid.all()[place]).map(|why| (why, Some(variant))));
        let silent = |why: Option<Message>| (why.unwrap_or_else(|| msg!("report-missing-no-opinion")), None);
        let preference = match (unanswered, &pair) {
            (Some(why), _) => Err(why),
            (None, Some(pair)) => pair.preference().map(snap).map_err(silent),
            (None, None) => Err((msg!("report-missing-not-compared"), None)),
        };
        let repeat = cells.plan.cells[first].key.repeat;
        all.push(AnswerPair { sample, repeat, variants, cells: [first, second], preference, pair });
    }
    Ok(())
}

/// Returns how much each treatment is preferred to the control on the samples that judges compare, repeat by repeat.
pub(crate) fn preferences(grid: &Grid, cells: &Cells) -> Result<TreatmentPreferences, ReportError> {
    let mut preferences = TreatmentPreferences::new();
    for sample in grid.samples().filter(|&sample| grid.is_pairwise(sample)) {
        let mut all = Vec::new();
        for treatment in 1..grid.suite.variants.len() {
            compare_answers(grid, cells, sample, [0, treatment], &mut all)?;
        }
        for pair in all {
            preferences.entry((sample, pair.variants[1])).or_default().push(pair.preference.ok());
        }
    }
    Ok(preferences)
}

/// The preferences for the later one of two variants, one per sample: the mean over the repeats that have one.
fn column(grid: &Grid, all: &[AnswerPair], variants: [usize; 2]) -> Vec<Option<f64>> {
    let mut columns: Vec<Vec<f64>> = grid.all_samples().map(|_| Vec::new()).collect();
    for answers in all.iter().filter(|answers| answers.variants == variants) {
        columns[answers.sample].extend(answers.preference.as_ref().ok());
    }
    columns.iter().map(|repeats| average(repeats)).collect()
}

fn comparison(
    grid: &Grid,
    all: &[AnswerPair],
    labels: &[String],
    treatment: usize,
    preference: Difference,
    strictness: &Strictness,
    level: f64,
) -> PairwiseComparison {
    let of: Vec<&AnswerPair> = all.iter().filter(|answers| answers.variants == [0, treatment]).collect();
    let verdicts: Vec<PairVerdict> = of.iter().flat_map(|answers| verdicts(answers)).collect();
    let tally = |wanted: &[PairVerdict]| count(verdicts.iter().filter(|verdict| wanted.contains(verdict)).count());
    let missing = |answers: &&AnswerPair| {
        let (why, variant) = answers.preference.as_ref().err()?;
        Some(MissingPair {
            sample_id: grid.suite.samples[answers.sample].id.clone(),
            repeat: answers.repeat,
            variant: variant.map(|variant| labels[variant].clone()),
            why: why.to_string(),
            why_key: why.clone(),
        })
    };
    let settings = &grid.suite.settings;
    let (least, trivial) = (settings.min_preference, settings.trivial_diff / POINTS);
    PairwiseComparison {
        control: labels[0].clone(),
        treatment: labels[treatment].clone(),
        planned: count(of.len()),
        n: preference.n,
        wins: tally(&[PairVerdict::Later]),
        losses: tally(&[PairVerdict::Earlier]),
        ties: tally(&[PairVerdict::Tie, PairVerdict::Inconsistent]),
        inconsistent: tally(&[PairVerdict::Inconsistent]),
        position_bias: position_bias(&of, level),
        power: preference
            .sd
            .filter(|sd| *sd > 0.0)
            .map(|_| power(&preference, [least, least, trivial], seen_as_preferences(&preference), strictness)),
        preference,
        missing: of.iter().filter_map(missing).collect(),
        again: MissingRuns::default(),
        redrawn: MissingRuns::default(),
    }
}

/// The answers with a preference that were asked again after a failure which may depend on the answer, and those of them that replace
/// others. A judge's comparison has no variant of its own: one that was asked for again counts as the winner's, which might have lost at
/// first.
fn asked_again(grid: &Grid, all: &[AnswerPair], treatment: usize, of_model_api: bool) -> [MissingRuns; 2] {
    let preferred = all.iter().filter(|of| of.variants == [0, treatment] && of.preference.is_ok());
    let add = |sum: MissingRuns, [control, treated]: [bool; 2]| MissingRuns {
        samples: sum.samples + u64::from(control || treated),
        control: sum.control + u64::from(control),
        treatment: sum.treatment + u64::from(treated),
    };
    preferred.fold([MissingRuns::default(); 2], |[again, redrawn], pair| {
        let winner = if was_judged_again(pair) { pair.preference.as_ref().map_or(0.0, |winner| *winner) } else { 0.0 };
        let cells = pair.cells.map(|cell| &grid.all()[cell]);
        let [control, treated] = cells.map(|cell| cell.asked_again[usize::from(!of_model_api)]);
        let again = add(again, [control || winner < 0.0, treated || winner > 0.0]);
        [again, add(redrawn, cells.map(|cell| cell.was_redrawn))]
    })
}

/// Returns true if a question about a pair has its opinions only because judges were asked again, as in [`Opinions::were_asked_again`].
///
/// [`Opinions::were_asked_again`]: crate::opinions::Opinions::were_asked_again
fn was_judged_again(answers: &AnswerPair) -> bool {
    let is_again = |opinion: &eval_spec::PairOpinion| opinion.forward.requests > 1 || opinion.reversed.requests > 1;
    let mut questions =
        answers.pair.iter().flat_map(|pair| &pair.questions).filter(|question| !question.opinions.is_empty());
    questions.any(|question| question.opinions.iter().all(is_again))
}

/// What preferences show, on their own scale.
fn seen_as_preferences(of: &Difference) -> Option<SeenDifferences> {
    seen(of).map(|seen| SeenDifferences { widest: 1.0, ..seen })
}

/// The verdicts on a pair; none where the pair has no preference.
fn verdicts(answers: &AnswerPair) -> impl Iterator<Item = PairVerdict> + '_ {
    let whole = answers.preference.is_ok();
    opinions(answers).filter(move |_| whole).filter_map(eval_spec::PairOpinion::verdict)
}

pub(crate) fn opinions(answers: &AnswerPair) -> impl Iterator<Item = &eval_spec::PairOpinion> {
    answers.pair.iter().flat_map(|pair| &pair.questions).flat_map(|question| &question.opinions)
}

/// Only pairs judged in both orders count: with one order missing, an answer's quality would look like position bias.
fn position_bias(of: &[&AnswerPair], level: f64) -> Option<PositionBias> {
    let reply = |winner| eval_stats::PairComparison {
        first: 0,
        second: 1,
        outcome: match winner {
            Shown::First => PairOutcome::First,
            Shown::Second => PairOutcome::Second,
            Shown::Tie => PairOutcome::Tie,
        },
    };
    let replies = |sample: &[&AnswerPair]| -> Vec<eval_stats::PairComparison> {
        let both = sample.iter().flat_map(|answers| opinions(answers)).filter(|opinion| opinion.verdict().is_some());
        both.flat_map(|opinion| [opinion.forward.winner, opinion.reversed.winner]).flatten().map(reply).collect()
    };
    let samples: Vec<Vec<eval_stats::PairComparison>> = of.chunk_by(|a, b| a.sample == b.sample).map(replies).collect();
    let bias = eval_stats::position_bias(&samples, level)?;
    let eval_stats::WilsonInterval { estimate, low, high, .. } = bias.first_wins;
    Some(PositionBias { share: estimate, low, high, n: bias.decided, ties: bias.ties })
}

/// The verdicts of a sample on two variants share one point, a tie half a point each: no sample counts more because more
/// was asked about it.
fn strengths(all: &[AnswerPair], labels: &[String], resampling: &Resampling) -> Strengths {
    let unit = |sample: &[AnswerPair]| -> Vec<eval_stats::PairComparison> {
        sample.iter().flat_map(|answers| verdicts(answers).map(|verdict| compared(answers.variants, verdict))).collect()
    };
    let units: Vec<Vec<eval_stats::PairComparison>> = all.chunk_by(|a, b| a.sample == b.sample).map(unit).collect();
    let n = count(units.iter().filter(|unit| !unit.is_empty()).count());
    let verdicts = count(units.iter().map(Vec::len).sum());
    match bradley_terry(labels.len(), &units, Weighing::Units, &affordable(resampling, units.len())) {
        Ok(fit) => {
            let mut variants: Vec<Strength> = fit
                .strengths
                .iter()
                .map(|of| Strength {
                    variant: labels[of.item].clone(),
                    log_strength: snap(of.log_strength),
                    low: of.bounds.low,
                    high: of.bounds.high,
                })
                .collect();
            variants.sort_by(|a, b| b.log_strength.total_cmp(&a.log_strength));
            Strengths { n, verdicts, variants, why: None }
        }
        Err(why) => Strengths { n, verdicts, variants: Vec::new(), why: Some(Note::from(no_strengths(&why, labels))) },
    }
}

fn compared([first, second]: [usize; 2], verdict: PairVerdict) -> eval_stats::PairComparison {
    let outcome = match verdict {
        PairVerdict::Earlier => PairOutcome::First,
        PairVerdict::Later => PairOutcome::Second,
        PairVerdict::Tie | PairVerdict::Inconsistent => PairOutcome::Tie,
    };
    eval_stats::PairComparison { first, second, outcome }
}

fn no_strengths(why: &NoStrengths, labels: &[String]) -> Message {
    let names = |items: &[usize]| items.iter().map(|&i| format!("`{}`", labels[i])).collect::<Vec<_>>().join(", ");
    match why {
        NoStrengths::Apart(groups) => {
            let groups: Vec<String> = groups.iter().map(|group| names(group)).collect();
            msg!("report-strengths-apart", groups = groups.join(" | "))
        }
        NoStrengths::Unbounded { never_beaten, never_winning } => {
            msg!("report-strengths-unbounded", best = names(never_beaten), worst = names(never_winning))
        }
        NoStrengths::ItemCount => msg!("report-strengths-many", count = labels.len()),
        NoStrengths::NotAComparison(_) | NoStrengths::Level => msg!("report-strengths-none"),
    }
}

fn result(grid: &Grid, labels: &[String], answers: AnswerPair) -> PairResult {
    let [earlier, later] = answers.variants.map(|variant| labels[variant].clone());
    PairResult {
        sample_id: grid.suite.samples[answers.sample].id.clone(),
        repeat: answers.repeat,
        earlier,
        later,
        preference: answers.preference.ok(),
        questions: answers.pair.map(|pair| pair.questions).unwrap_or_default(),
    }
}

/// What the verdict reads of a comparison.
pub(crate) fn inputs(of: &PairwiseComparison, limits: &Limits) -> PairInputs {
    let preference = &of.preference;
    let diff = DiffInputs {
        n: preference.n,
        mean: preference.mean.map(|mean| snap(mean * POINTS)),
        over_samples: preference.over_samples.map(|mean| snap(mean * POINTS)),
        low: preference.ci.map(|ci| snap(ci.low * POINTS)),
        high: preference.ci.map(|ci| snap(ci.high * POINTS)),
        degenerate: preference.ci.is_some_and(|ci| ci.degenerate),
        p: preference.p_value_adjusted,
    };
    PairInputs {
        planned: of.planned,
        missing: count(of.missing.len()),
        unjudged: count(of.missing.iter().filter(|missing| missing.variant.is_none()).count()),
        again: of.again,
        redrawn: of.redrawn,
        preference: preference.mean,
        unseen: seen_preferences(preference).map(|seen| unseen(seen, &limits.of_preferences(), None)),
        decisive: of.power.and_then(|power| power.decisive),
        decisive_for_gain: of.power.and_then(|power| power.decisive_for_gain),
        diff,
        position: of.position_bias.map(|bias| PositionInputs { share: bias.share, low: bias.low, high: bias.high }),
    }
}
