//! What a grade of a callable skill's answer holds: the scorer's check first, then, for a skill with an
//! `outputSchema`, what that says of the answer.

use serde_json::Value;

use crate::grade::{Check, CheckOutcome, Grade};

/// The [`Check::kind`] of the second check: whether the whole output matches the skill's `outputSchema`. It is
/// reported beside the score and never changes it, so its weight is 0.
pub const OUTPUT_SCHEMA_CHECK: &str = "output_schema";

/// The scorer's check: its outcome is the task's status, its [`Check::score`] the partial score (absent: 1 for passed,
/// 0 for failed), its [`Check::message`] the reason.
#[must_use]
pub fn score_check(grade: &Grade) -> Option<&Check> {
    grade.checks.iter().find(|check| check.kind != OUTPUT_SCHEMA_CHECK)
}

/// What in the output doesn't match the skill's `outputSchema`, `PATH: what is wrong` each; empty when all of it
/// matches, `None` when the skill has no such schema or when it could not be checked.
#[must_use]
pub fn schema_mismatches(grade: &Grade) -> Option<Vec<String>> {
    let check = grade.checks.iter().find(|check| check.kind == OUTPUT_SCHEMA_CHECK)?;
    match &check.outcome {
        CheckOutcome::Passed => Some(Vec::new()),
        CheckOutcome::Unscored { .. } => None,
        CheckOutcome::Failed | CheckOutcome::Rated { .. } => {
            let listed = check.actual.as_ref().and_then(Value::as_array);
            Some(listed.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect())
        }
    }
}
