//! `levenshtein_max`: at most `value` insertions, deletions and substitutions of Unicode scalar values
//! turn the output into the reference; white space around either does not count, as in `equals`.

use eval_message::msg;
use eval_spec::types::{FieldProblem, FieldShape, TypeSpec};
use eval_spec::{Assertion, Layer};
use rapidfuzz::distance::levenshtein;
use serde_json::json;

use crate::assertion::kind::{AssertionType, Compiled};
use crate::fields::{required, text, whole};
use crate::finding::CheckFinding;

/// Above this product of lengths the exact distance is only sought up to the limit.
const EXACT: usize = 50_000_000;

/// The largest product of a limit and the output's length for which the distance is sought at all.
const SOUGHT: usize = 100_000_000_000;

pub(crate) const LEVENSHTEIN_MAX: AssertionType = AssertionType {
    spec: TypeSpec {
        name: "levenshtein_max",
        layer: Layer::Fact,
        summary: eval_message::key!("grade-type-levenshtein-max"),
        fields: &[required("value", FieldShape::WholeNumber(0)), required("reference", FieldShape::Text)],
        judged: false,
        validate: |assertion| read(assertion).map(drop),
    },
    compile: |assertion, _| {
        let (reference, limit) = read(assertion)?;
        Ok(Compiled::slow(move |answer| {
            let output = answer.text().trim();
            let length = output.chars().count();
            let over =
                || CheckFinding::new(false, json!({ "over": limit }), msg!("grade-levenshtein-over", limit = limit));
            let large = reference.len().saturating_mul(length) > EXACT;
            // The difference of the lengths is a distance they can't do without.
            if large && reference.len().abs_diff(length) > limit {
                return over();
            }
            if large && limit.min(reference.len()).saturating_mul(length) > SOUGHT {
                return CheckFinding::unscored(msg!("grade-levenshtein-too-long"));
            }
            let output: Vec<char> = output.chars().collect();
            match distance(&reference, &output, limit) {
                Some(distance) => CheckFinding::new(
                    distance <= limit,
                    distance,
                    msg!("grade-levenshtein", actual = distance, limit = limit),
                ),
                None => over(),
            }
        }))
    },
};

fn read(assertion: &Assertion) -> Result<(Vec<char>, usize), FieldProblem> {
    let limit = usize::try_from(whole(assertion, "value")?).unwrap_or(usize::MAX);
    Ok((text(assertion, "reference")?.trim().chars().collect(), limit))
}

// The distance; `None` when it is over the limit and telling by how much would take too long.
fn distance(reference: &[char], output: &[char], limit: usize) -> Option<usize> {
    let (one, other) = (reference.iter().copied(), output.iter().copied());
    if reference.len().saturating_mul(output.len()) <= EXACT {
        return Some(levenshtein::distance(one, other));
    }
    // No distance is larger than the longer text; the crate adds to the cutoff, so keep it small.
    let cutoff = limit.min(reference.len().max(output.len()));
    levenshtein::distance_with_args(one, other, &levenshtein::Args::default().score_cutoff(cutoff))
}
