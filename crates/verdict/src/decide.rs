//! From the numbers of a report to the report with its verdict.

use eval_format::{Analysis, IncompleteReason, Status, Undecided};

use crate::advice::suggestions;
use crate::rules::verdict;

/// Adds the verdict and what to do next. A run that is no valid measurement is marked incomplete, even when everything
/// was run.
#[must_use]
pub fn decide(numbers: Undecided) -> Analysis {
    let mut report = numbers.with_verdict(|inputs| verdict(&inputs));
    if !report.verdict.valid {
        report.incomplete_reason = report.incomplete_reason.or(Some(IncompleteReason::TooManyFailures));
        report.status = Status::Incomplete;
    }
    report.analysis.suggestions = suggestions(&report.verdict, &report.comparisons, report.pairwise.as_ref());
    report
}
