//! `regex`: an ECMAScript pattern found in the result's text, within a limit of time. A result that is no text
//! is searched as compact JSON. Without flags case matters.

use eval_message::msg;
use serde_json::json;

use super::result::result_text;
use crate::assertion::regex::{no_match_result, wrong_flag};
use crate::excerpt::{EVIDENCE, INLINE, excerpt};
use crate::finding::CheckFinding;
use crate::pattern::{self, PatternProblem};
use crate::scorer::scored::{CompiledScorer, ScorerScope};

pub(super) fn compile(pattern: &str, flags: &str, scope: &ScorerScope<'_>) -> Result<CompiledScorer, PatternProblem> {
    if let Some(wrong) = wrong_flag(flags) {
        return Err(PatternProblem { message: msg!("grade-regex-flag", flag = wrong.to_string()), help: None });
    }
    let regexp = pattern::compile(pattern, flags)?;
    let limit = scope.setup.limits.regex_time;
    Ok(CompiledScorer::slow(move |seen| {
        let pattern = excerpt(regexp.pattern(), INLINE);
        match regexp.find(&result_text(seen.output), limit) {
            Ok(Some(hit)) => {
                let reason =
                    msg!("grade-regex-matches", pattern = pattern, text = excerpt(&hit.text, INLINE), at = hit.at);
                CheckFinding::verdict(true, reason)
                    .having_seen(json!({ "at": hit.at, "text": excerpt(&hit.text, EVIDENCE) }))
            }
            Ok(None) => CheckFinding::verdict(false, msg!("grade-regex-no-match", pattern = pattern)),
            Err(failure) => CheckFinding::unscored(no_match_result(failure, pattern, limit)),
        }
    }))
}
