//! `bleu_min`: BLEU-4 against a reference, at least `threshold` (Papineni et al. 2002): the geometric
//! mean of the clipped precisions of 1- to 4-grams, times the brevity penalty; in `0..=1`. Without
//! smoothing: one order without a match and the score is 0, so texts of fewer than
//! four tokens always have 0. Tokens: see [`bleu_tokens`].

use eval_message::msg;
use eval_spec::types::{FieldProblem, FieldShape, TypeSpec};
use eval_spec::{Assertion, Layer};

use super::rouge_n_min::rounded;
use crate::assertion::kind::{AssertionType, Compiled};
use crate::fields::{filled, optional, problem, required, share_or};
use crate::finding::CheckFinding;
use crate::tokens::{bleu_tokens, shared_ngrams};

/// The longest n-gram of BLEU-4.
const ORDER: usize = 4;

pub(crate) const BLEU_MIN: AssertionType = AssertionType {
    spec: TypeSpec {
        name: "bleu_min",
        layer: Layer::Fact,
        summary: eval_message::key!("grade-type-bleu-min"),
        fields: &[required("reference", FieldShape::NonEmptyText), optional("threshold", FieldShape::Number(0.0, 1.0))],
        judged: false,
        validate: |assertion| read(assertion).map(drop),
    },
    compile: |assertion, _| {
        let (reference, threshold) = read(assertion)?;
        Ok(Compiled::quick(move |answer| {
            let output = bleu_tokens(answer.text());
            let score = bleu(&reference, &output);
            let statement = match reference.len().min(output.len()) < ORDER {
                true => msg!("grade-bleu-short", reference = reference.len(), output = output.len()),
                false => msg!("grade-bleu", actual = rounded(score), limit = threshold),
            };
            CheckFinding::new(score >= threshold, score, statement)
        }))
    },
};

fn read(assertion: &Assertion) -> Result<(Vec<String>, f64), FieldProblem> {
    let reference = bleu_tokens(filled(assertion, "reference")?);
    match reference.len() {
        0 => Err(problem("reference", msg!("grade-field-empty", field = "reference"))),
        words if words < ORDER => {
            let help = Some(msg!("grade-bleu-reference-help"));
            Err(FieldProblem { help, ..problem("reference", msg!("grade-bleu-reference", words = words)) })
        }
        _ => Ok((reference, share_or(assertion, "threshold", 0.5)?)),
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of words in a text")]
fn bleu(reference: &[String], output: &[String]) -> f64 {
    let mut log_mean = 0.0;
    for n in 1..=ORDER {
        // The clipped matches are the same from either side.
        let (matches, total) = (shared_ngrams(reference, output, n), (output.len() + 1).saturating_sub(n));
        if matches == 0 {
            return 0.0;
        }
        log_mean += (matches as f64 / total as f64).ln() / ORDER as f64;
    }
    let brevity = (1.0 - reference.len() as f64 / output.len() as f64).min(0.0);
    (brevity + log_mean).exp().min(1.0)
}
