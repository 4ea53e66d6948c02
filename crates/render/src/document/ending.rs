//! Ends of executions.

use eval_format::{Ending, VariantResult};
use eval_message::{Arg, Message, msg};
use eval_spec::units::Usd;

use crate::minus::{duration, points};

/// Returns how an execution ended, its score, time, tokens and cost, and where its answer is from.
#[expect(clippy::cast_precision_loss, reason = "milliseconds, for people")]
pub(crate) fn outcome(result: &VariantResult, is_regrade: bool) -> Vec<Arg> {
    let parts = [
        Some(ending(result).into()),
        result.composite_score.filter(|score| *score > 0.0).map(|score| points(score).into()),
        result.duration_ms.map(|ms| duration(ms as f64).into()),
        result.total_tokens.map(|count| msg!("sample-tokens", count = count).into()),
        result.cost_usd.map(|usd| Usd(usd).to_string().into()),
        earlier(result, is_regrade).map(Arg::from),
    ];
    parts.into_iter().flatten().collect()
}

/// Returns where an answer is from that wasn't given in this run.
fn earlier(result: &VariantResult, is_regrade: bool) -> Option<Message> {
    let message = if is_regrade { msg!("sample-regraded") } else { msg!("sample-cached") };
    result.cached.then_some(message)
}

fn ending(result: &VariantResult) -> Message {
    match result.outcome {
        Ending::Answered => msg!("report-row-answered"),
        Ending::Refused => msg!("report-missing-refused"),
        Ending::Truncated => msg!("report-missing-truncated"),
        Ending::LimitHit => msg!("report-missing-limit-hit"),
        Ending::Empty => msg!("report-missing-empty"),
        Ending::Failed => result
            .error
            .as_ref()
            .map_or_else(|| msg!("report-missing-crashed"), |error| eval_analysis::measure::why_failed(error.failure)),
        Ending::OverBudget => msg!("report-missing-budget"),
        Ending::NotRun => msg!("report-missing-not-run"),
        Ending::NotNeeded => msg!("report-missing-not-needed"),
        Ending::Mixed => msg!("sample-mixed"),
    }
}
