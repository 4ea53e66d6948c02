//! `regex`: an ECMAScript regular expression matches somewhere in the output.

use std::time::Duration;

use eval_message::{Message, msg};
use eval_spec::types::{FieldProblem, FieldShape, TypeSpec};
use eval_spec::{Assertion, Layer};
use serde_json::json;

use crate::assertion::kind::{AssertionType, Compiled};
use crate::excerpt::{EVIDENCE, INLINE, excerpt};
use crate::fields::{filled, optional, problem, required, text};
use crate::finding::CheckFinding;
use crate::pattern;
use crate::regexp::{MatchFailure, Regexp};

pub(crate) const REGEX: AssertionType = AssertionType {
    spec: TypeSpec {
        name: "regex",
        layer: Layer::Fact,
        summary: eval_message::key!("grade-type-regex"),
        fields: &[required("pattern", FieldShape::NonEmptyText), optional("flags", FieldShape::Text)],
        judged: false,
        validate: |assertion| read(assertion).map(drop),
    },
    compile: |assertion, scope| {
        let regexp = read(assertion)?;
        let limit = scope.setup.limits.regex_time;
        Ok(Compiled::slow(move |answer| {
            let pattern = excerpt(regexp.pattern(), INLINE);
            match regexp.find(answer.text(), limit) {
                Ok(Some(hit)) => CheckFinding::new(
                    true,
                    json!({ "found": true, "at": hit.at, "text": excerpt(&hit.text, EVIDENCE) }),
                    msg!("grade-regex-matches", pattern = pattern, text = excerpt(&hit.text, INLINE), at = hit.at),
                ),
                Ok(None) => {
                    CheckFinding::new(false, json!({ "found": false }), msg!("grade-regex-no-match", pattern = pattern))
                }
                Err(failure) => CheckFinding::unscored(no_match_result(failure, pattern, limit)),
            }
        }))
    },
};

fn read(assertion: &Assertion) -> Result<Regexp, FieldProblem> {
    let pattern = filled(assertion, "pattern")?;
    // `flags: ""` is how to ask for case to matter.
    let flags = if assertion.field("flags").is_some() { text(assertion, "flags")? } else { "i" };
    if let Some(wrong) = wrong_flag(flags) {
        return Err(problem("flags", msg!("grade-regex-flag", flag = wrong.to_string())));
    }
    pattern::compile(pattern, flags)
        .map_err(|wrong| FieldProblem { help: wrong.help, ..problem("pattern", wrong.message) })
}

/// Why it is unknown whether `pattern` matches.
pub(crate) fn no_match_result(failure: MatchFailure, pattern: String, limit: Duration) -> Message {
    match failure {
        MatchFailure::Time => msg!("grade-regex-timeout", pattern = pattern, seconds = limit.as_secs_f64()),
        MatchFailure::Engine(error) => msg!("grade-regex-broke", pattern = pattern, error = error),
    }
}

/// The first flag that isn't one, comes twice, or contradicts another.
pub(crate) fn wrong_flag(flags: &str) -> Option<char> {
    flags.char_indices().find_map(|(at, flag)| {
        let known = "dgimsuvy".contains(flag);
        let clash = (flag == 'u' || flag == 'v') && flags[..at].contains(['u', 'v']);
        (!known || clash || flags[..at].contains(flag)).then_some(flag)
    })
}
