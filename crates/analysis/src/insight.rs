//! Patterns in samples and assertions that show weaknesses of the test set.

use std::collections::BTreeMap;

use eval_format::{Insight, InsightKind, JudgingInputs, MIN_AGREEMENT, Severity};
use eval_message::number::{percent, points};
use eval_message::{Message, msg};
use eval_stats::Undefined;

use crate::equal_answers::equal_answers;
use crate::grid::Grid;
use crate::judging::undefined_agreement;
use crate::numbers::snap;
use crate::pairs::Pairs;
use crate::quality::{LEAST_FACTOR, Outliers, cost_outliers};
use crate::questions::check_ref;
use crate::turning::turning_checks;

/// Scores nearer than this, in points, are uniform.
const UNIFORM: f64 = 0.5;
/// How many assertions an insight lists.
const LISTED: usize = 20;

/// The insights of scores, checks and costs, in a fixed order.
pub(crate) fn of_results(grid: &Grid, labels: &[String], composites: &[Pairs]) -> Vec<Insight> {
    let (checks, costs) = rayon::join(|| check_results(grid), || cost_outliers(grid));
    let turning = turning_checks(grid, labels, composites);
    let found = [
        unmatched_regex(grid, &checks, false),
        unmatched_regex(grid, &checks, true),
        equal_answers(grid, labels),
        uniform_scores(grid),
        low_discrimination(grid, &checks),
        all_fail(grid, &checks),
        all_pass(grid, &checks),
        costs.ok().and_then(|costs| high_cost(grid, &costs)),
    ];
    turning.into_iter().chain(found.into_iter().flatten()).collect()
}

/// All insights, in a fixed order: those of results, then the others.
pub(crate) fn insights(grid: &Grid, of_results: Vec<Insight>, judging: Option<&JudgingInputs>) -> Vec<Insight> {
    let of_judges = judging
        .into_iter()
        .flat_map(|of| self_preference(of).into_iter().chain(disagreement(of, undefined_agreement(grid))));
    of_results.into_iter().chain(of_judges).chain(tripped(grid)).collect()
}

/// Judges of the vendor whose model they judge.
fn self_preference(judging: &JudgingInputs) -> Option<Insight> {
    let kin = &judging.self_preference;
    let message = msg!("report-note-self-preference", judges = kin.join(", "));
    (!kin.is_empty()).then(|| Insight::new(InsightKind::SelfPreference, Severity::Warning, message, Vec::new()))
}

/// Judges of one panel that don't agree, or whose agreement is undefined.
fn disagreement(judging: &JudgingInputs, undefined: Option<Undefined>) -> Vec<Insight> {
    let limit = points(MIN_AGREEMENT);
    let low = |alpha: Option<f64>| alpha.filter(|alpha| *alpha < MIN_AGREEMENT).map(points);
    let scoring = low(judging.agreement).map(|alpha| msg!("report-alarm-agreement", alpha = alpha, limit = &limit));
    let comparing =
        low(judging.pairwise_agreement).map(|alpha| msg!("report-alarm-pair-agreement", alpha = alpha, limit = &limit));
    let undefined = undefined.map(|why| {
        let why = match why {
            Undefined::TooFew => "few",
            Undefined::NoVariance => "variance",
            Undefined::OneSampleDecides => "one",
            Undefined::NotFinite | Undefined::Level | Undefined::OutsideTheData => "numbers",
        };
        msg!("report-insight-agreement-undefined", why = why)
    });
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

/// The results of one assertion over all variants and repeats. Nothing holds of an assertion that some variant has no
/// evaluated run of: one variant's results say nothing of the others.
struct CheckResults {
    sample: usize,
    index: usize,
    /// Whether every variant has a run that evaluated it.
    evaluated: bool,
    all_passed: bool,
    all_failed: bool,
    /// Whether every variant passed the same share of its runs.
    alike: bool,
}

impl CheckResults {
    fn of(grid: &Grid, sample: usize, index: usize) -> CheckResults {
        let runs = |variant| {
            let results = grid.of(sample, variant).filter_map(|cell| cell.checks.get(index).copied().flatten());
            results.fold((0, 0), |(passed, evaluated), ok| (passed + usize::from(ok), evaluated + 1))
        };
        let first = runs(0);
        let each = (0..grid.suite.variants.len()).map(|variant| if variant == 0 { first } else { runs(variant) });
        let evaluated = each.clone().all(|(_, evaluated)| evaluated > 0);
        CheckResults {
            sample,
            index,
            evaluated,
            all_passed: evaluated && each.clone().all(|(passed, evaluated)| passed == evaluated),
            all_failed: evaluated && each.clone().all(|(passed, _)| passed == 0),
            alike: evaluated && each.clone().all(|one| one.0 * first.1 == first.0 * one.1),
        }
    }
}

fn check_results(grid: &Grid) -> Vec<CheckResults> {
    let assertions = |sample: usize| (0..grid.suite.samples[sample].assertions.len()).map(move |index| (sample, index));
    grid.samples().flat_map(assertions).map(|(sample, index)| CheckResults::of(grid, sample, index)).collect()
}

fn low_discrimination(grid: &Grid, checks: &[CheckResults]) -> Option<Insight> {
    if grid.suite.variants.len() < 2 {
        return None;
    }
    let compared = evaluated(checks);
    let same: Vec<&CheckResults> = checks.iter().filter(|check| check.alike).collect();
    let severity = if same.len() * 2 > compared { Severity::Warning } else { Severity::Info };
    let message = msg!("report-insight-low-discrimination", count = same.len(), total = compared);
    about(grid, InsightKind::LowDiscrimination, severity, message, &same)
}

fn all_fail(grid: &Grid, checks: &[CheckResults]) -> Option<Insight> {
    let failing: Vec<&CheckResults> = checks.iter().filter(|check| check.all_failed).collect();
    let message = msg!("report-insight-all-fail", count = failing.len(), total = evaluated(checks));
    about(grid, InsightKind::AllFail, Severity::Warning, message, &failing)
}

fn all_pass(grid: &Grid, checks: &[CheckResults]) -> Option<Insight> {
    let passing: Vec<&CheckResults> = checks.iter().filter(|check| check.all_passed).collect();
    let message = msg!("report-insight-all-pass", count = passing.len(), total = evaluated(checks));
    about(grid, InsightKind::AllPass, Severity::Info, message, &passing)
}

/// Patterns of `regex` that matched no answer at all, wherever they are asked: those that are only asked under `not:`, which
/// such a pattern passes whatever the answer says, or the others.
fn unmatched_regex(grid: &Grid, checks: &[CheckResults], negated: bool) -> Option<Insight> {
    let assertion = |check: &CheckResults| &grid.suite.samples[check.sample].assertions[check.index];
    let mut patterns: BTreeMap<[&str; 2], Vec<&CheckResults>> = BTreeMap::new();
    for check in checks.iter().filter(|check| check.evaluated && assertion(check).kind == "regex") {
        let text = |field, default| assertion(check).text(field).unwrap_or(default);
        patterns.entry([text("pattern", ""), text("flags", "i")]).or_default().push(check);
    }
    let never_matched = |check: &CheckResults| if assertion(check).not { check.all_passed } else { check.all_failed };
    let total = patterns.len();
    let unmatched = patterns.into_values().filter(|uses| {
        uses.iter().all(|check| never_matched(check)) && uses.iter().all(|check| assertion(check).not) == negated
    });
    let mut unmatched: Vec<&CheckResults> = unmatched.map(|uses| uses[0]).collect();
    unmatched.sort_by_key(|check| (check.sample, check.index));
    let (severity, message) = match negated {
        false => (Severity::Warning, msg!("report-insight-unmatched", count = unmatched.len(), total = total)),
        true => (Severity::Info, msg!("report-insight-unmatched-not", count = unmatched.len(), total = total)),
    };
    about(grid, InsightKind::UnmatchedRegex, severity, message, &unmatched)
}

fn evaluated(checks: &[CheckResults]) -> usize {
    checks.iter().filter(|check| check.evaluated).count()
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
