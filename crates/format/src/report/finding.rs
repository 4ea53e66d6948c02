//! `analysis`: what else catches the eye.

use eval_message::Message;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{SampleQuality, Saturation};

/// What else catches the eye.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Findings {
    /// Patterns in samples and assertions.
    pub insights: Vec<Insight>,
    /// What to do next.
    pub suggestions: Vec<Insight>,
    /// Whether there were enough samples, for each treatment; empty with `--stop-when-decided`, whose intervals narrow by
    /// another law.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub saturation: Vec<Saturation>,
    /// What is wrong with the samples themselves; absent in reports of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sample_quality: Option<SampleQuality>,
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Insight {
    /// What kind, such as `uniform_scores`.
    #[serde(rename = "type")]
    pub kind: String,
    /// How much it matters.
    pub severity: Severity,
    /// The English text.
    pub message: String,
    /// Its key and arguments.
    pub message_key: Message,
    /// The samples it is about.
    pub sample_ids: Vec<String>,
    /// The assertions it is about, at most twenty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<CheckRef>,
}

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Severity {
    Info,
    Warning,
    Error,
}

/// One assertion of one sample.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CheckRef {
    /// The sample.
    pub sample_id: String,
    /// Which of its assertions, from 0.
    pub index: u64,
    /// Its type and what it looks for, shortened.
    pub label: String,
}

impl Insight {
    /// An insight without assertions.
    #[must_use]
    pub fn new(kind: &str, severity: Severity, message: Message, sample_ids: Vec<String>) -> Insight {
        Insight {
            kind: kind.to_owned(),
            severity,
            message: message.to_string(),
            message_key: message,
            sample_ids,
            checks: Vec::new(),
        }
    }
}
