//! Each variant by itself.

use std::collections::BTreeMap;

use eval_format::{
    CheckCounts, Ci, DeliveryCounts, LayerSummary, Layers, OutcomeCounts, RuntimeCounts, UnscoredChecks, VariantSummary,
};
use eval_spec::Layer;
use eval_spec::call::{AgentRuntime, Delivered};
use eval_stats::{Resampling, mean_interval};

use crate::grid::{Grid, place};
use crate::intervals::ci as ci_of;
use crate::numbers::{CellNumbers, Paid, ScorePart, average, count, snap};

/// The ends of the scale, in points.
pub(crate) const LOWEST: f64 = 1.0;
pub(crate) const HIGHEST: f64 = 5.0;

/// The summary of one variant.
pub(crate) fn summarise(grid: &Grid, variant: usize, resampling: &Resampling) -> VariantSummary {
    let scores = grid.column(variant, |cell| &cell.composite);
    let tasks: Vec<f64> = grid.clusters.tasks(&scores).into_iter().flatten().collect();
    let ci = mean_interval(&tasks, resampling).map(|interval| ci_of(&interval, 1));
    let ci = ci.map(|ci| Ci { low: ci.low.max(LOWEST), high: ci.high.min(HIGHEST), ..ci });
    let outcomes = outcomes(grid, variant);
    let (planned_scores, missing_scores) = missing(grid, variant);
    // tripwires cost money, too
    let paid = grid.whole_arm(variant).fold(Paid::NOTHING, |sum, cell| sum.plus(cell.paid));
    VariantSummary {
        total_samples: count(grid.samples().count()),
        success_count: outcomes.answered,
        error_count: outcomes.total() - outcomes.answered,
        avg_composite_score: average(&tasks).or((planned_scores == 0).then_some(0.0)),
        avg_assertion_score: average_of(grid, variant, |cell| &cell.assertions),
        avg_llm_score: average_of(grid, variant, |cell| &cell.layers[place(Layer::Judge)]),
        avg_duration_ms: rounded_mean(answered(grid, variant).filter_map(|cell| cell.latency_ms)),
        avg_total_tokens: rounded_mean(answered(grid, variant).filter_map(total_tokens)),
        total_cost_usd: paid.total(),
        known_cost_usd: snap(paid.known),
        avg_cost_usd: average_price(grid, variant),
        ci,
        bootstrap_ci: ci.map(|ci| [ci.low, ci.high]),
        scored_samples: count(scores.iter().flatten().count()),
        layers: Layers::from_fn(|layer| layer_summary(grid, variant, layer)),
        planned_scores,
        missing_scores,
        outcomes,
        failures: tally(grid.arm(variant).filter_map(|cell| cell.failure.as_ref())),
        retried: grid.arm(variant).map(|cell| u64::from(cell.retried)).sum(),
        cached: count(grid.arm(variant).filter(|cell| cell.cached).count()),
        checks: checks(grid, variant),
        unscored: unscored(grid, variant),
        models: tally(grid.arm(variant).filter_map(|cell| cell.model.as_deref())),
        delivery: delivery(grid, variant),
        stability: crate::resources::stability(grid, variant),
        runtimes: runtimes(grid, variant),
        artifact_leaks: count(grid.arm(variant).filter(|cell| cell.is_leak).count()),
        unnamed_answers: count(answered(grid, variant).filter(|cell| cell.model.is_none()).count()),
    }
}

fn delivery(grid: &Grid, variant: usize) -> Option<DeliveryCounts> {
    let all: Vec<&Delivered> = grid.arm(variant).filter_map(|cell| cell.delivered.as_ref()).collect();
    let of = |is: fn(&Delivered) -> Option<bool>| {
        all.iter()
            .copied()
            .map(is)
            .collect::<Option<Vec<bool>>>()
            .map(|all| count(all.into_iter().filter(|is| *is).count()))
    };
    (!all.is_empty()).then(|| DeliveryCounts {
        executions: count(all.len()),
        offered: of(|delivered| delivered.offered),
        loaded: of(|delivered| delivered.loaded),
        read: count(all.iter().filter(|delivered| delivered.read).count()),
    })
}

fn runtimes(grid: &Grid, variant: usize) -> Option<RuntimeCounts> {
    let all = || grid.arm(variant).filter_map(|cell| cell.runtime.as_deref());
    let each = |of: fn(&AgentRuntime) -> &[String]| tally(all().flat_map(of));
    let executions = count(all().count());
    (executions > 0).then(|| RuntimeCounts {
        executions,
        versions: tally(all().filter_map(|of| of.version.as_ref())),
        replaced_by: tally(all().filter_map(|of| of.replaced_by.as_ref())),
        changed_cwds: tally(all().filter_map(|of| of.changed_cwd.as_ref())),
        tools: each(|of| &of.tools),
        failed_servers: each(|of| &of.failed_servers),
    })
}

fn average_of(grid: &Grid, variant: usize, part: impl Fn(&CellNumbers) -> &ScorePart) -> Option<f64> {
    average(&grid.task_scores(variant, part))
}

fn layer_summary(grid: &Grid, variant: usize, layer: Layer) -> Option<LayerSummary> {
    let planned = grid.samples().any(|sample| grid.plans(sample, |cell| &cell.layers[place(layer)]));
    planned.then(|| {
        let scores = grid.column(variant, |cell| &cell.layers[place(layer)]);
        LayerSummary {
            mean: average(&grid.clusters.tasks(&scores).into_iter().flatten().collect::<Vec<_>>()),
            n: count(scores.iter().flatten().count()),
            unscored_share: unscored_share(grid, variant, place(layer)),
        }
    })
}

fn unscored_share(grid: &Grid, variant: usize, layer: usize) -> f64 {
    let scored = grid.arm(variant).filter(|cell| cell.layers[layer].points().is_some());
    average(&scored.map(|cell| cell.unscored_share[layer]).collect::<Vec<_>>()).unwrap_or(0.0)
}

fn outcomes(grid: &Grid, variant: usize) -> OutcomeCounts {
    let mut outcomes = OutcomeCounts::default();
    grid.arm(variant).for_each(|cell| outcomes.count(cell.ending));
    outcomes
}

/// Executions that should have a composite, and those of them that have none.
fn missing(grid: &Grid, variant: usize) -> (u64, u64) {
    let planned = || grid.arm(variant).filter(|cell| cell.composite != ScorePart::NotPlanned);
    (count(planned().count()), count(planned().filter(|cell| cell.composite.why().is_some()).count()))
}

fn answered<'g>(grid: &'g Grid<'_>, variant: usize) -> impl Iterator<Item = &'g CellNumbers> {
    grid.arm(variant).filter(|cell| cell.ending == eval_format::Ending::Answered)
}

fn total_tokens(cell: &CellNumbers) -> Option<u64> {
    cell.usage.map(|usage| usage.total_input().saturating_add(usage.output_tokens))
}

/// `None` when one of the prices is unknown, or there is none.
fn average_price(grid: &Grid, variant: usize) -> Option<f64> {
    let prices: Option<Vec<f64>> = answered(grid, variant).map(|cell| cell.price).collect();
    average(&prices?)
}

fn rounded_mean(values: impl Iterator<Item = u64>) -> Option<u64> {
    let (sum, n) = values.fold((0_u128, 0_u128), |(sum, n), value| (sum + u128::from(value), n + 1));
    (n > 0).then(|| u64::try_from((sum + n / 2) / n).unwrap_or(u64::MAX))
}

fn checks(grid: &Grid, variant: usize) -> CheckCounts {
    let mut counts = CheckCounts::default();
    for cell in grid.arm(variant) {
        let [passed, failed, unscored] = cell.counts.map(u64::from);
        counts.passed += passed;
        counts.failed += failed;
        counts.unscored += unscored;
    }
    counts
}

fn unscored(grid: &Grid, variant: usize) -> Vec<UnscoredChecks> {
    let of_type = |(kind, of): (&str, &crate::grid::UnscoredType)| UnscoredChecks {
        kind: kind.to_owned(),
        count: of.count,
        why: of.why.to_string(),
        why_key: of.why.clone(),
    };
    grid.unscored(variant).map(of_type).collect()
}

fn tally<'a, T>(items: impl Iterator<Item = &'a T>) -> BTreeMap<T::Owned, u64>
where
    T: Ord + ToOwned<Owned: Ord> + ?Sized + 'a,
{
    let mut counts = BTreeMap::new();
    for item in items {
        *counts.entry(item).or_insert(0) += 1;
    }
    counts.into_iter().map(|(item, count)| (item.to_owned(), count)).collect()
}
