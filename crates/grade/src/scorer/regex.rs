//! `regex`: ECMAScript patterns found in the result's text, each within a limit of time. A result that is no text
//! is searched as compact JSON. Without flags case matters. The score is found / all; it passes when all are found.

use std::time::Duration;

use eval_message::msg;
use serde_json::json;

use super::result::result_text;
use super::shown::share;
use crate::assertion::regex::{no_match_result, wrong_flag};
use crate::excerpt::{EVIDENCE, INLINE, excerpt, excerpts};
use crate::fields::without_line_ends;
use crate::finding::CheckFinding;
use crate::pattern::{self, PatternProblem};
use crate::regexp::Regexp;
use crate::scorer::scored::{CompiledScorer, ScorerScope};

/// How many patterns that aren't found are listed.
const LISTED: usize = 20;

pub(super) fn compile(
    patterns: &[String],
    flags: &str,
    scope: &ScorerScope<'_>,
) -> Result<CompiledScorer, PatternProblem> {
    if let Some(wrong) = wrong_flag(flags) {
        return Err(PatternProblem { message: msg!("grade-regex-flag", flag = wrong.to_string()), help: None });
    }
    let compiled: Vec<_> =
        patterns.iter().map(|of| pattern::compile(without_line_ends(of), flags)).collect::<Result<_, _>>()?;
    let limit = scope.setup.limits.regex_time;
    Ok(CompiledScorer::slow(move |seen| {
        let text = result_text(seen.output);
        match compiled.as_slice() {
            [one] => found(one, &text, limit),
            several => all_found(several, &text, limit),
        }
    }))
}

fn found(regexp: &Regexp, text: &str, limit: Duration) -> CheckFinding {
    let pattern = excerpt(regexp.pattern(), INLINE);
    match regexp.find(text, limit) {
        Ok(Some(hit)) => {
            let reason = msg!("grade-regex-matches", pattern = pattern, text = excerpt(&hit.text, INLINE), at = hit.at);
            CheckFinding::verdict(true, reason)
                .having_seen(json!({ "at": hit.at, "text": excerpt(&hit.text, EVIDENCE) }))
        }
        Ok(None) => CheckFinding::verdict(false, msg!("grade-regex-no-match", pattern = pattern)),
        Err(failure) => CheckFinding::unscored(no_match_result(failure, pattern, limit)),
    }
}

fn all_found(patterns: &[Regexp], text: &str, limit: Duration) -> CheckFinding {
    let mut missing = Vec::new();
    for of in patterns {
        match of.find(text, limit) {
            Ok(Some(_)) => {}
            Ok(None) => missing.push(of.pattern()),
            Err(failure) => {
                return CheckFinding::unscored(no_match_result(failure, excerpt(of.pattern(), INLINE), limit));
            }
        }
    }
    let (total, matched) = (patterns.len(), patterns.len() - missing.len());
    let reason = match missing.first() {
        None => msg!("skills-grade-patterns-all", total = total),
        Some(first) => {
            msg!("skills-grade-patterns-some", matched = matched, total = total, first = excerpt(first, INLINE))
        }
    };
    let seen = json!({ "matched": matched, "total": total, "missing": excerpts(missing.iter().copied(), LISTED) });
    CheckFinding::partial(matched == total, share(matched, total), reason).having_seen(seen)
}
