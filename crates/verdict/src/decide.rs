//! From the numbers of a report to the report with its verdict.

use eval_format::{Analysis, IncompleteReason, Insight, Report, Status, Undecided};

use crate::advice::suggestions;
use crate::decision::decision;

/// Adds the verdict and what to do next. A run that is no valid measurement is marked incomplete, even when everything
/// was run.
#[must_use]
pub fn decide(numbers: Undecided) -> Analysis {
    let decision = decision(&numbers.verdict);
    let mut report = numbers.with_verdict(|inputs| decision.stored(inputs));
    mark_unmeasured(&mut report);
    let inputs = &report.verdict.inputs;
    let next = suggestions(&decision, inputs, &report.comparisons, report.pairwise.as_ref());
    report.analysis.suggestions = next.into_iter().map(Insight::from).collect();
    report
}

/// Marks a run that is no valid measurement as incomplete.
pub(crate) fn mark_unmeasured<R>(report: &mut Report<R>) {
    if !report.verdict.valid {
        report.incomplete_reason = report.incomplete_reason.or(Some(IncompleteReason::TooManyFailures));
        report.status = Status::Incomplete;
    }
}
