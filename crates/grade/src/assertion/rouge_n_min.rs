//! `rouge_n_min`: ROUGE-N recall against a reference, at least `threshold`: the share of the
//! reference's n-grams that the output has too, each counted at most as often as it occurs there
//! (Lin 2004). Tokens: see [`rouge_tokens`].

use eval_message::msg;
use eval_spec::types::{FieldProblem, FieldShape, TypeSpec};
use eval_spec::{Assertion, Layer};

use crate::assertion::kind::{AssertionType, Compiled};
use crate::fields::{count_or, filled, optional, problem, required, share_or};
use crate::finding::CheckFinding;
use crate::tokens::{rouge_tokens, shared_ngrams};

pub(crate) const ROUGE_N_MIN: AssertionType = AssertionType {
    spec: TypeSpec {
        name: "rouge_n_min",
        layer: Layer::Fact,
        summary: eval_message::key!("grade-type-rouge-n-min"),
        fields: &[
            required("reference", FieldShape::NonEmptyText),
            optional("n", FieldShape::WholeNumber(1)),
            optional("threshold", FieldShape::Number(0.0, 1.0)),
        ],
        judged: false,
        validate: |assertion| read(assertion).map(drop),
    },
    compile: |assertion, _| {
        let Rouge { reference, n, threshold } = read(assertion)?;
        Ok(Compiled::quick(move |answer| {
            let recall = recall(&reference, &rouge_tokens(answer.text()), n);
            CheckFinding::new(
                recall >= threshold,
                recall,
                msg!("grade-rouge", n = n, actual = rounded(recall), limit = threshold),
            )
        }))
    },
};

struct Rouge {
    reference: Vec<String>,
    n: usize,
    threshold: f64,
}

fn read(assertion: &Assertion) -> Result<Rouge, FieldProblem> {
    let reference = rouge_tokens(filled(assertion, "reference")?);
    let n = usize::try_from(count_or(assertion, "n", 1)?).unwrap_or(usize::MAX);
    match reference.len() < n {
        true => Err(problem("reference", msg!("grade-rouge-reference", count = reference.len(), n = n))),
        false => Ok(Rouge { reference, n, threshold: share_or(assertion, "threshold", 0.5)? }),
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of words in a text")]
fn recall(reference: &[String], output: &[String], n: usize) -> f64 {
    shared_ngrams(reference, output, n) as f64 / (reference.len() + 1 - n) as f64
}

/// For messages: four decimals.
pub(crate) fn rounded(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}
