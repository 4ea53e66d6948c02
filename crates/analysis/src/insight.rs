//! Patterns in samples and assertions that tell something about the test set.

use eval_format::{Insight, InsightKind, JudgingInputs, MIN_AGREEMENT, Severity};
use eval_message::number::{percent, points};
use eval_message::{Message, msg};

use crate::grid::Grid;
use crate::numbers::snap;
use crate::quality::{LEAST_FACTOR, Outliers};
use crate::questions::check_ref;

/// Scores nearer than this, in points, are uniform.
const UNIFORM: f64 = 0.5;
/// How many assertions an insight lists.
const LISTED: usize = 20;

/// All insights, in a fixed order.
pub(crate) fn insights(grid: &Grid, judging: Option<&JudgingInputs>, costs: Option<&Outliers>) -> Vec<Insight> {
    let checks = check_results(grid);
    let seen = [
        uniform_scores(grid),
        low_discrimination(grid, &checks),
        all_fail(grid, &checks),
        all_pass(grid, &checks),
        costs.and_then(|costs| high_cost(grid, costs)),
    ];
    let of_judges = judging.into_iter().flat_map(|of| self_preference(of).into_iter().chain(disagreement(of)));
    seen.into_iter().flatten().chain(of_judges).chain(tripped(grid)).collect()
}

/// Judges of the vendor whose model they judge.
fn self_preference(judging: &JudgingInputs) -> Option<Insight> {
    let kin = &judging.self_preference;
    let message = msg!("report-note-self-preference", judges = kin.join(", "));
    (!kin.is_empty()).then(|| Insight::new(InsightKind::SelfPreference, Severity::Warning, message, Vec::new()))
}

/// Judges of one panel that don't agree, or can't be seen to.
fn disagreement(judging: &JudgingInputs) -> Vec<Insight> {
    let limit = points(MIN_AGREEMENT);
    let low = |alpha: Option<f64>| alpha.filter(|alpha| *alpha < MIN_AGREEMENT).map(points);
    let scoring = low(judging.agreement).map(|alpha| msg!("report-alarm-agreement", alpha = alpha, limit = &limit));
    let comparing =
        low(judging.pairwise_agreement).map(|alpha| msg!("report-alarm-pair-agreement", alpha = alpha, limit = &limit));
    let undefined = judging
        .agreement_why
        .as_ref()
        .map(|why| msg!("report-insight-agreement-undefined", why = why.message_key.id.to_string()));
    let all = scoring.into_iter().chain(comparing).chain(undefined);
    all.map(|message| Insight::new(InsightKind::JudgeAgreement, Severity::Warning, message, Vec::new())).collect()
}

/// Tripwires that some variant passed.
fn tripped(grid: &Grid) -> Option<Insight> {
    let threshold = grid.suite.settings.threshold;
    let variants = 0..grid.suite.variants.len();
    let reached = |&sample: &usize| {
        let mut scores = variants.clone().filter_map(|variant| grid.score(sample, variant, |cell| &cell.composite));
        scores.any(|points| points >= threshold)
    };
    let passed: Vec<String> =
        grid.tripwires().filter(reached).map(|sample| grid.suite.samples[sample].id.clone()).collect();
    let message = msg!("report-insight-tripwire", count = passed.len(), total = grid.tripwires().count());
    (!passed.is_empty()).then(|| Insight::new(InsightKind::TripwirePassed, Severity::Warning, message, passed))
}

fn uniform_scores(grid: &Grid) -> Option<Insight> {
    let columns: Vec<_> = (0..grid.suite.variants.len()).map(|v| grid.column(v, |cell| &cell.composite)).collect();
    let mut compared = 0;
    let mut uniform = Vec::new();
    for sample in grid.samples() {
        let scores: Vec<f64> = columns.iter().filter_map(|column| column[sample]).collect();
        if scores.len() < 2 {
            continue;
        }
        compared += 1;
        let (low, high) = scores.iter().fold((f64::MAX, f64::MIN), |(low, high), s| (low.min(*s), high.max(*s)));
        if snap(high - low) < UNIFORM {
            uniform.push(grid.suite.samples[sample].id.clone());
        }
    }
    let message = msg!("report-insight-uniform", count = uniform.len(), total = compared, limit = UNIFORM);
    (!uniform.is_empty()).then(|| Insight::new(InsightKind::UniformScores, Severity::Info, message, uniform))
}

/// Samples with disproportionately high cost, the dearest first: far outside of what the others cost, and several times
/// the median.
fn high_cost(grid: &Grid, costs: &Outliers) -> Option<Insight> {
    let ids: Vec<String> = costs.samples.iter().map(|(sample, _)| grid.suite.samples[*sample].id.clone()).collect();
    let message = msg!(
        "report-insight-high-cost",
        count = ids.len(),
        total = costs.compared,
        factor = LEAST_FACTOR,
        share = percent(costs.share)
    );
    (!ids.is_empty()).then(|| Insight::new(InsightKind::HighCost, Severity::Info, message, ids))
}

/// How one assertion ended, over all variants and repeats.
struct CheckResults {
    sample: usize,
    index: usize,
    ended: AssertionRuns,
}

/// What the variants' runs of one assertion have in common.
struct AssertionRuns {
    /// Whether every variant has a run that evaluated it: what one variant did says nothing of the others.
    evaluated: bool,
    /// Whether all runs passed, or failed.
    all_passed: bool,
    all_failed: bool,
    /// Whether every variant passed the same share of its runs.
    alike: bool,
}

impl AssertionRuns {
    /// Of passed and evaluated runs, variant by variant.
    fn of(runs: impl Iterator<Item = (usize, usize)>) -> AssertionRuns {
        let mut all = AssertionRuns { evaluated: true, all_passed: true, all_failed: true, alike: true };
        let mut first = None;
        for (passed, evaluated) in runs {
            let (p, e) = *first.get_or_insert((passed, evaluated));
            all.evaluated &= evaluated > 0;
            all.all_passed &= passed == evaluated;
            all.all_failed &= passed == 0;
            all.alike &= passed * e == p * evaluated;
        }
        all
    }
}

impl CheckResults {
    fn evaluated(&self) -> bool {
        self.ended.evaluated
    }

    fn every_run(&self, passed: bool) -> bool {
        self.evaluated() && if passed { self.ended.all_passed } else { self.ended.all_failed }
    }

    fn same_everywhere(&self) -> bool {
        self.evaluated() && self.ended.alike
    }
}

fn check_results(grid: &Grid) -> Vec<CheckResults> {
    let mut all = Vec::new();
    for sample in grid.samples() {
        for index in 0..grid.suite.samples[sample].assertions.len() {
            let of = |variant| {
                let results = grid.of(sample, variant).filter_map(|cell| cell.checks.get(index).copied().flatten());
                results.fold((0, 0), |(passed, evaluated), ok| (passed + usize::from(ok), evaluated + 1))
            };
            all.push(CheckResults { sample, index, ended: AssertionRuns::of((0..grid.suite.variants.len()).map(of)) });
        }
    }
    all
}

fn low_discrimination(grid: &Grid, checks: &[CheckResults]) -> Option<Insight> {
    if grid.suite.variants.len() < 2 {
        return None;
    }
    let compared = evaluated(checks);
    let same: Vec<&CheckResults> = checks.iter().filter(|check| check.same_everywhere()).collect();
    let severity = if same.len() * 2 > compared { Severity::Warning } else { Severity::Info };
    let message = msg!("report-insight-low-discrimination", count = same.len(), total = compared);
    about(grid, InsightKind::LowDiscrimination, severity, message, &same)
}

fn all_fail(grid: &Grid, checks: &[CheckResults]) -> Option<Insight> {
    let failing: Vec<&CheckResults> = checks.iter().filter(|check| check.every_run(false)).collect();
    let message = msg!("report-insight-all-fail", count = failing.len(), total = evaluated(checks));
    about(grid, InsightKind::AllFail, Severity::Warning, message, &failing)
}

fn all_pass(grid: &Grid, checks: &[CheckResults]) -> Option<Insight> {
    let passing: Vec<&CheckResults> = checks.iter().filter(|check| check.every_run(true)).collect();
    let message = msg!("report-insight-all-pass", count = passing.len(), total = evaluated(checks));
    about(grid, InsightKind::AllPass, Severity::Info, message, &passing)
}

fn evaluated(checks: &[CheckResults]) -> usize {
    checks.iter().filter(|check| check.evaluated()).count()
}

fn about(
    grid: &Grid,
    kind: InsightKind,
    severity: Severity,
    message: Message,
    checks: &[&CheckResults],
) -> Option<Insight> {
    let mut samples: Vec<usize> = checks.iter().map(|check| check.sample).collect();
    samples.dedup();
    let sample_ids = samples.into_iter().map(|sample| grid.suite.samples[sample].id.clone()).collect();
    let listed = checks.iter().take(LISTED).map(|check| check_ref(grid.suite, check.sample, check.index)).collect();
    (!checks.is_empty()).then(|| Insight { checks: listed, ..Insight::new(kind, severity, message, sample_ids) })
}
