//! How skills are selected.

use serde::{Deserialize, Serialize};

use super::AdapterType;

/// Filter → score → rank → top K.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Strategy {
    /// Who may take part.
    pub filters: Filters,
    /// What decides the rank.
    pub sort_by: SortKey,
    /// Which end is the best; `None`: the highest score and rate, the lowest latency and token cost.
    pub order: Option<SortOrder>,
    /// How many are selected; all when absent.
    pub top_k: Option<usize>,
}

/// Who may take part; what is absent lets everyone through.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Filters {
    /// The lowest completion rate, 0–1.
    pub min_completion_rate: Option<f64>,
    /// The highest error rate, 0–1.
    pub max_error_rate: Option<f64>,
    /// The highest P95 latency, in milliseconds.
    pub max_latency_p95_ms: Option<f64>,
    /// The adapter types.
    pub adapter_types: Option<Vec<AdapterType>>,
    /// Tags that must all be there.
    pub required_tags: Vec<String>,
}

/// What decides the rank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum SortKey {
    /// The composite score.
    #[default]
    CompositeScore,
    /// The completion rate.
    CompletionRate,
    /// The P95 latency.
    Latency,
    /// The mean tokens a task, as the skill reports them.
    TokenCost,
}

/// Which end comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum SortOrder {
    /// The lowest first.
    Asc,
    /// The highest first.
    Desc,
}
