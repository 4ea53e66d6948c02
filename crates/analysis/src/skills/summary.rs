//! The results of one skill → its counts and numbers: when it was evaluated, and again when its report is read.

use std::collections::{BTreeMap, BTreeSet};

use eval_format::skills::{RunSummary, SkillSummary, StatusCounts, TagSummary, TaskResult};
use eval_spec::callable::ScoringMethod;

use super::rates;

/// What was planned, and what else the numbers depend on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Design {
    pub(crate) tasks: usize,
    pub(crate) runs: u32,
    /// The latency that counts as the worst.
    pub(crate) limit_ms: u64,
    /// How scores become one.
    pub(crate) method: ScoringMethod,
    /// Whether the skill says what it returns.
    pub(crate) has_schema: bool,
    /// What intervals are resampled from; without it there are none.
    pub(crate) seed: Option<u64>,
}

/// All that follows from the results.
pub(crate) struct Summarised {
    pub(crate) summary: SkillSummary,
    pub(crate) counts: StatusCounts,
    pub(crate) runs: Vec<RunSummary>,
    pub(crate) tag_results: BTreeMap<String, TagSummary>,
}

pub(crate) fn summarised(results: &[TaskResult], design: &Design) -> Summarised {
    let runs = run_summaries(results, design);
    Summarised {
        summary: summary(results, &runs, design),
        counts: rates::counts(results, design.tasks.saturating_mul(design.runs as usize)),
        tag_results: by_tag(results, design),
        runs,
    }
}

fn run_summaries(results: &[TaskResult], design: &Design) -> Vec<RunSummary> {
    let mut by_run: BTreeMap<u32, Vec<&TaskResult>> = BTreeMap::new();
    results.iter().for_each(|result| by_run.entry(result.run).or_default().push(result));
    let one = |run| {
        let counts = rates::counts(by_run.get(&run).into_iter().flatten().copied(), design.tasks);
        RunSummary { run, completion_rate: counts.completion_rate(), counts }
    };
    (1..=design.runs).map(one).collect()
}

fn summary(results: &[TaskResult], runs: &[RunSummary], design: &Design) -> SkillSummary {
    let all: Vec<&TaskResult> = results.iter().collect();
    let counts = rates::counts(results, 0);
    let tallies = rates::tallies(results);
    let latencies = rates::latencies(&all);
    let p95 = rates::percentile(&latencies, 95);
    let run_rates: Vec<f64> = runs.iter().filter_map(|run| run.completion_rate).collect();
    SkillSummary {
        completion_rate: counts.completion_rate(),
        completion_interval: design.seed.and_then(|seed| rates::interval(&tallies, seed)),
        partial_score: rates::partial_score(&all, design.method),
        error_rate: counts.error_rate(),
        consistency_score: rates::consistency(&run_rates),
        flip_rate: rates::flip_rate(&tallies, design.runs),
        pass_hat_k: rates::pass_hat_k(&tallies, design.runs),
        p50_latency_ms: rates::percentile(&latencies, 50),
        p95_latency_ms: p95,
        p99_latency_ms: rates::percentile(&latencies, 99),
        mean_start_ms: average(results.iter().filter_map(|of| of.start_ms)),
        token_cost: average(results.iter().filter_map(|of| of.tokens).map(whole)),
        composite_score: rates::composite(&counts, p95, design.limit_ms),
        output_schema_mismatches: design
            .has_schema
            .then(|| results.iter().filter(|of| !of.schema_mismatches.is_empty()).count()),
    }
}

#[expect(clippy::cast_precision_loss, reason = "tokens of a call")]
fn whole(tokens: u64) -> f64 {
    tokens as f64
}

fn average(values: impl Iterator<Item = f64>) -> Option<f64> {
    eval_stats::mean(&values.collect::<Vec<_>>())
}

fn by_tag(results: &[TaskResult], design: &Design) -> BTreeMap<String, TagSummary> {
    let mut tagged: BTreeMap<&str, Vec<&TaskResult>> = BTreeMap::new();
    for result in results {
        // a task may name a tag twice
        let tags: BTreeSet<&str> = result.tags.iter().map(String::as_str).collect();
        tags.into_iter().for_each(|tag| tagged.entry(tag).or_default().push(result));
    }
    tagged.into_iter().map(|(tag, results)| (tag.to_owned(), tag_summary(&results, design))).collect()
}

fn tag_summary(results: &[&TaskResult], design: &Design) -> TagSummary {
    let counts = rates::counts(results.iter().copied(), results.len());
    let tallies = rates::tallies(results.iter().copied());
    TagSummary {
        tasks: tallies.len(),
        completion_rate: counts.completion_rate(),
        completion_interval: design.seed.and_then(|seed| rates::interval(&tallies, seed)),
        partial_score: rates::partial_score(results, design.method),
        error_rate: counts.error_rate(),
        p95_latency_ms: rates::percentile(&rates::latencies(results), 95),
    }
}
