//! The judges' opinions on one question, stored whole, so that a score can be traced to every reply.

use eval_message::{Lang, Message};
use serde::{Deserialize, Serialize};

use crate::call::Failure;
use crate::units::Usd;

/// An assertion that judges score holds from this score on, unless its author says another (`threshold`).
pub const HOLDS_FROM: f64 = 3.0;

/// Most judges of a run: a report compares each pair of them.
pub const MOST_JUDGES: usize = 200;

/// The judges' opinions on one question: a rubric, a dimension, or an assertion that judges score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Judged {
    /// The dimension's name; `null` for a rubric or an assertion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dimension: Option<String>,
    /// The language that the judges were asked in.
    pub lang: Lang,
    /// The mean over judges of each judge's mean over repeats, 1–5; `null` unless every planned opinion
    /// has a score: a mean without the one that failed could be higher than one with it.
    pub score: Option<f64>,
    /// Every opinion: judge by judge, each judge's repeats in their order. None where an earlier assertion of the same
    /// sample asks the same: it is asked once, and the opinions are stored there.
    pub opinions: Vec<Opinion>,
}

impl Judged {
    /// The score that opinions come to: see [`Judged::score`].
    #[must_use]
    pub fn score_of(opinions: &[Opinion]) -> Option<f64> {
        // The same judge named twice is two judges: their repeats begin anew.
        let judges = opinions.chunk_by(|a, b| a.judge == b.judge && a.repeat < b.repeat);
        let of_judge =
            |opinions: &[Opinion]| opinions.iter().map(|opinion| opinion.score).collect::<Option<Vec<f64>>>();
        let per_judge: Option<Vec<f64>> = judges.map(|opinions| mean(&of_judge(opinions)?)).collect();
        mean(&per_judge?)
    }

    /// Why there is no score: the first opinion that has none.
    #[must_use]
    pub fn why(&self) -> Option<&Message> {
        self.opinions.iter().find_map(|opinion| opinion.why.as_ref())
    }
}

/// The mean; `None` without any value.
#[expect(clippy::cast_precision_loss, reason = "a handful")]
pub(crate) fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// One opinion of one judge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Opinion {
    /// The judge: `executor:model`.
    pub judge: String,
    /// Which of the judge's repeats it is, from 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub repeat: u32,
    /// 1–5; `null` when no usable reply came.
    pub score: Option<f64>,
    /// What the judge wrote before the score.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reasoning: String,
    /// Where the score is a share of statements: the statements.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<Claim>,
    /// Why there is no score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<Message>,
    /// First characters of the last reply, where it was unusable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply: Option<String>,
    /// The failure of the request, where nothing came back: such an opinion is asked for again when the run goes on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
    /// Requests made, those included whose reply was unusable or that failed before, as far as they may depend on the answer.
    pub requests: u32,
    /// What the requests cost together; `null` when that is unknown.
    pub cost_usd: Option<Usd>,
}

/// One statement that a judge found, and whether it is supported.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Claim {
    /// The statement, in the judge's words.
    pub claim: String,
    /// Whether the reference text supports it.
    pub supported: bool,
}

impl Judged {
    /// Whether a judge could not be asked, so that asking again may bring the score that is missing.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.opinions.iter().any(|opinion| opinion.failure.is_some())
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
fn is_zero(n: &u32) -> bool {
    *n == 0
}
