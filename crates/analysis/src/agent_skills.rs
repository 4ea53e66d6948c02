//! The numbers of an Agent Skill's benchmark: its runs with and without the skill, and what the report's statistics say of
//! them as pass rates.

use eval_format::{Ci, Report, Tier};
use serde::Serialize;

/// What an eval is run with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Configuration {
    /// The skill's text is injected.
    WithSkill,
    /// Nothing is injected.
    WithoutSkill,
}

impl Configuration {
    /// Both, in the format's order.
    pub const ALL: [Configuration; 2] = [Configuration::WithSkill, Configuration::WithoutSkill];

    /// The format's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Configuration::WithSkill => "with_skill",
            Configuration::WithoutSkill => "without_skill",
        }
    }
}

/// The numbers of one run; what is not known is left out.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RunResult {
    /// Passed over total.
    pub pass_rate: f64,
    /// Expectations that hold.
    pub passed: u64,
    /// Those that don't.
    pub failed: u64,
    /// Both.
    pub total: u64,
    /// Seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_seconds: Option<f64>,
    /// Input and output tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// Tool calls.
    pub tool_calls: u64,
    /// Attempts that failed.
    pub errors: u64,
}

/// Both configurations, and how they differ. The format's viewer takes the first key for the skill.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunStatistics {
    /// With the skill.
    pub with_skill: ConfigurationSummary,
    /// Without it.
    pub without_skill: ConfigurationSummary,
    /// With − without.
    pub delta: SignedDelta,
}

/// One configuration; what no run tells is left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct ConfigurationSummary {
    /// Pass rates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pass_rate: Option<BenchmarkSpread>,
    /// Seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_seconds: Option<BenchmarkSpread>,
    /// Tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<BenchmarkSpread>,
}

/// How a number is spread over runs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BenchmarkSpread {
    /// The mean.
    pub mean: f64,
    /// The standard deviation (n − 1); 0 for one run, as in the format's own tools, whose viewer needs a number.
    pub stddev: f64,
    /// The least.
    pub min: f64,
    /// The most.
    pub max: f64,
}

/// Differences of means, as the format writes them: with a sign.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SignedDelta {
    /// Such as `+0.50`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pass_rate: Option<String>,
    /// Such as `+13.0`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_seconds: Option<String>,
    /// Such as `+1700`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<String>,
}

/// What the report's statistics say: an eval is the unit, its runs are averaged first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Statistics {
    /// The report that it was made of.
    pub report: String,
    /// Whether it is a measurement at all.
    pub valid: bool,
    /// The verdict on the skill.
    pub verdict: Tier,
    /// The pass rate with the skill.
    pub with_skill: RateEstimate,
    /// The pass rate without it.
    pub without_skill: RateEstimate,
    /// With − without, paired by eval.
    pub difference: RateEstimate,
    /// Two-sided p-value of the difference.
    pub p_value: Option<f64>,
    /// What it cost, judges included, in US dollars; `null` if a part is unknown.
    pub cost_usd: Option<f64>,
}

/// A share, or a difference of shares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct RateEstimate {
    /// Evals that it rests on.
    pub evals: u64,
    /// The mean; `null` without evals.
    pub mean: Option<f64>,
    /// Its 95 % interval; `null` below two evals, and where the evals don't differ.
    pub ci: Option<[f64; 2]>,
}

impl RunStatistics {
    /// Over the runs that have a pass rate.
    #[must_use]
    pub fn of(runs: &[(Configuration, RunResult)]) -> RunStatistics {
        let [with_skill, without_skill] = Configuration::ALL.map(|configuration| summary(runs, configuration));
        let mean = |of: fn(&ConfigurationSummary) -> Option<BenchmarkSpread>| {
            Some(of(&with_skill)?.mean - of(&without_skill)?.mean)
        };
        let delta = SignedDelta {
            pass_rate: mean(|of| of.pass_rate).map(|difference| signed(difference, 2)),
            time_seconds: mean(|of| of.time_seconds).map(|difference| signed(difference, 1)),
            tokens: mean(|of| of.tokens).map(|difference| signed(difference, 0)),
        };
        RunStatistics { with_skill, without_skill, delta }
    }
}

/// A difference with its sign; a negative one that rounds to zero has a plus.
pub fn signed(difference: f64, decimals: usize) -> String {
    let text = format!("{difference:+.decimals$}");
    match text.strip_prefix('-').filter(|digits| digits.bytes().all(|digit| matches!(digit, b'0' | b'.'))) {
        Some(zero) => format!("+{zero}"),
        None => text,
    }
}

fn summary(runs: &[(Configuration, RunResult)], configuration: Configuration) -> ConfigurationSummary {
    let of = |value: fn(&RunResult) -> Option<f64>| {
        let runs = runs.iter().filter(|(of, _)| *of == configuration);
        spread(&runs.filter_map(|(_, result)| value(result)).collect::<Vec<_>>())
    };
    ConfigurationSummary {
        pass_rate: of(|result| Some(result.pass_rate)),
        time_seconds: of(|result| result.time_seconds),
        tokens: of(|result| result.tokens.map(float)),
    }
}

fn spread(values: &[f64]) -> Option<BenchmarkSpread> {
    Some(BenchmarkSpread {
        mean: rounded(eval_stats::mean(values)?),
        stddev: rounded(eval_stats::sd(values).unwrap_or(0.0)),
        min: rounded(values.iter().copied().fold(f64::INFINITY, f64::min)),
        max: rounded(values.iter().copied().fold(f64::NEG_INFINITY, f64::max)),
    })
}

impl Statistics {
    /// Of the report on the evals: scores from 1 (no expectation holds) to 5 (all hold) become shares.
    #[must_use]
    pub fn of(report: &Report, with_skill: &str, without_skill: &str) -> Statistics {
        let of = |variant: &str| {
            let summary = report.summary.get(variant);
            summary.filter(|of| of.planned_scores > 0).map_or_else(RateEstimate::default, |of| RateEstimate {
                evals: of.scored_samples,
                mean: of.avg_composite_score.map(|score| rounded((score - 1.0) / 4.0)),
                ci: of.ci.as_ref().and_then(|ci| bounds(ci, 1.0)),
            })
        };
        let compared = report.comparisons.iter().find(|of| of.treatment == with_skill);
        let difference = compared.map_or_else(RateEstimate::default, |of| RateEstimate {
            evals: of.diff.n,
            mean: of.diff.mean.map(|points| rounded(points / 4.0)),
            ci: of.diff.ci.as_ref().and_then(|ci| bounds(ci, 0.0)),
        });
        Statistics {
            report: report.id.clone(),
            valid: report.verdict.valid,
            verdict: report.verdict.tier,
            with_skill: of(with_skill),
            without_skill: of(without_skill),
            difference,
            p_value: compared.and_then(|of| of.diff.p_value_adjusted.or(of.diff.p_value)),
            cost_usd: report.meta.total_cost_usd,
        }
    }
}

/// The bounds as shares, where `zero` is 0; `None` for an interval without width, which shows no uncertainty.
fn bounds(ci: &Ci, zero: f64) -> Option<[f64; 2]> {
    (!ci.degenerate).then(|| [ci.low, ci.high].map(|bound| rounded((bound - zero) / 4.0)))
}

/// Passed over total; `None` when a verdict is missing or nothing was expected.
#[must_use]
pub fn pass_rate(passed: u64, total: u64, unscored: usize) -> Option<f64> {
    (total > 0 && unscored == 0).then(|| rounded(float(passed) / float(total)))
}

/// Milliseconds in seconds.
#[must_use]
pub fn seconds(ms: u64) -> f64 {
    float(ms) / 1000.0
}

/// Four decimals, so that files of equal runs are equal.
fn rounded(value: f64) -> f64 {
    let rounded = (value * 1e4).round() / 1e4;
    if rounded.is_finite() { rounded + 0.0 } else { value }
}

#[expect(clippy::cast_precision_loss, reason = "counts and milliseconds are far below 2^52")]
fn float(count: u64) -> f64 {
    count as f64
}
