//! The judges' opinions on two answers, stored whole, so that a preference can be traced to every reply.

use std::sync::Arc;

use eval_message::{Lang, Message};
use serde::{Deserialize, Serialize};

use crate::call::Failure;
use crate::judged::mean;
use crate::units::Usd;

/// The answers of two variants to one sample in one repeat, compared: a line of the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Pair {
    /// The sample.
    pub sample: Arc<str>,
    /// The repeat of both answers.
    pub repeat: u32,
    /// The earlier variant of the suite.
    pub earlier: Arc<str>,
    /// The other one.
    pub later: Arc<str>,
    /// One per rubric or dimension, in the sample's order.
    pub questions: Vec<PairJudged>,
}

/// The judges' comparisons by one rubric or dimension.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PairJudged {
    /// The dimension's name; `null` for a rubric.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dimension: Option<String>,
    /// The language that the judges were asked in.
    pub lang: Lang,
    /// Every comparison: judge by judge, each judge's repeats in their order.
    pub opinions: Vec<PairOpinion>,
}

/// One judge's comparison, asked in both orders.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PairOpinion {
    /// The judge: `executor:model`.
    pub judge: String,
    /// Which of the judge's repeats it is, from 0.
    pub repeat: u32,
    /// With the earlier variant's answer shown first.
    pub forward: PairReply,
    /// With the later variant's answer shown first.
    pub reversed: PairReply,
}

/// What came of one order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PairReply {
    /// Which of the answers as shown won; `null` when no usable reply came.
    pub winner: Option<Shown>,
    /// What the judge wrote before that.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reasoning: String,
    /// Why there is no winner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<Message>,
    /// First characters of the last reply, where it was unusable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply: Option<String>,
    /// The failure of the request, where nothing came back: such a reply is asked for again when the run goes on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
    /// Requests made, those whose reply was unusable included.
    pub requests: u32,
    /// What the requests cost together; `null` when that is unknown.
    pub cost_usd: Option<Usd>,
}

/// Which of two answers, in the order in which a judge saw them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Shown {
    /// The one shown first (`A`).
    First,
    /// The one shown second (`B`).
    Second,
    /// Neither is better.
    Tie,
}

/// What both orders of one comparison come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PairVerdict {
    /// The earlier variant's answer won in both orders.
    Earlier,
    /// The later variant's answer won in both orders.
    Later,
    /// Neither won in both orders, in agreement.
    Tie,
    /// The orders disagree: it counts as a tie.
    Inconsistent,
}

impl PairOpinion {
    /// The verdict; `None` unless both orders have a usable reply.
    #[must_use]
    pub fn verdict(&self) -> Option<PairVerdict> {
        Some(match (self.forward.winner?, self.reversed.winner?) {
            (Shown::First, Shown::Second) => PairVerdict::Earlier,
            (Shown::Second, Shown::First) => PairVerdict::Later,
            (Shown::Tie, Shown::Tie) => PairVerdict::Tie,
            _ => PairVerdict::Inconsistent,
        })
    }

    /// Why there is no verdict: the first order that has none.
    #[must_use]
    pub fn why(&self) -> Option<&Message> {
        self.forward.why.as_ref().or(self.reversed.why.as_ref())
    }
}

impl PairVerdict {
    /// 1 when the later variant won, −1 when the earlier did, 0 for a tie of either kind.
    #[must_use]
    pub fn preference(self) -> f64 {
        match self {
            PairVerdict::Earlier => -1.0,
            PairVerdict::Later => 1.0,
            PairVerdict::Tie | PairVerdict::Inconsistent => 0.0,
        }
    }
}

impl Pair {
    /// Whether a judge could not be asked, so that asking again may bring the verdict that is missing.
    #[must_use]
    pub fn is_open(&self) -> bool {
        let opinions = self.questions.iter().flat_map(|question| &question.opinions);
        opinions.flat_map(|opinion| [&opinion.forward, &opinion.reversed]).any(|reply| reply.failure.is_some())
    }

    /// How much the later variant's answer is preferred, −1 to 1: the mean over questions of the mean over judges of
    /// each judge's mean over its repeats.
    ///
    /// # Errors
    /// Why there is none: one opinion is missing, and a mean without it could be another one.
    pub fn preference(&self) -> Result<f64, Option<Message>> {
        mean_of(self.questions.iter().map(PairJudged::preference))
    }
}

impl PairJudged {
    fn preference(&self) -> Result<f64, Option<Message>> {
        let of = |opinion: &PairOpinion| opinion.verdict().map(PairVerdict::preference).ok_or(opinion.why().cloned());
        let judges = self.opinions.chunk_by(|a, b| a.judge == b.judge && a.repeat < b.repeat);
        mean_of(judges.map(|opinions| mean_of(opinions.iter().map(of))))
    }
}

/// The mean, or the first error; `Err(None)` without any value.
fn mean_of(values: impl Iterator<Item = Result<f64, Option<Message>>>) -> Result<f64, Option<Message>> {
    mean(&values.collect::<Result<Vec<f64>, _>>()?).ok_or(None)
}
