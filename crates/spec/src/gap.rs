//! Signs of missing knowledge in what an agent does.

use serde::{Deserialize, Serialize};

/// What a team says about gaps in its settings (`gap`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct GapRules {
    /// Its own marks of a gap, beside the usual ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub markers: Vec<String>,
    /// The names of tools that search, beside those of the agents; `*` stands for any text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub search_tools: Vec<String>,
    /// Regular expressions of the results with which these tools say that they found nothing; where there are none, the usual
    /// words and empty results say so.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub empty_result: Vec<String>,
}

impl GapRules {
    /// Whether nothing is said.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == GapRules::default()
    }
}

/// A kind of signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SignalKind {
    /// A search that found nothing, or a file that isn't there.
    FailedSearch,
    /// The same kind of search failing at least three times within three turns.
    RepeatedFailure,
    /// A mark by which the agent says that it infers or doesn't know.
    ExplicitMarker,
    /// Words that lower the confidence of what is said.
    Hedging,
}

impl SignalKind {
    /// All kinds, the strong ones first.
    pub const ALL: [SignalKind; 4] =
        [SignalKind::FailedSearch, SignalKind::RepeatedFailure, SignalKind::ExplicitMarker, SignalKind::Hedging];

    /// What it weighs in the weighted gap rate: 1 for what a tool reports, 0.5 for what the agent says.
    #[must_use]
    pub fn weight(self) -> f64 {
        match self {
            SignalKind::FailedSearch | SignalKind::RepeatedFailure => 1.0,
            SignalKind::ExplicitMarker | SignalKind::Hedging => 0.5,
        }
    }
}

/// Where a mark or a sentence of doubt stands, if not in what the agent says to the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SignalPlace {
    /// In what it thinks, which is read only where that is asked for.
    Thinking,
}

/// The subject of a request to the classifier of hedging, in place of a variant: it belongs to no answer's grade.
pub const HEDGING_SUBJECT: &str = "hedging classifier";

/// What a model says of a sentence that lowers the confidence of what is said.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct HedgingVerdict {
    /// Whether the agent is unsure of a fact; else it weighs possibilities, is polite or speaks of the future.
    pub is_uncertainty: bool,
    /// How sure the model is, 0 to 1, by its own account. It enters no weight.
    pub confidence: f64,
    /// Why, in the model's words.
    pub reason: String,
}

/// How an agent met a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AccessKind {
    /// It read the file.
    Read,
    /// A search showed it lines of the file, or that the file has some.
    Match,
    /// It saw the file's name in a listing; that is no access.
    List,
}

/// Lines of a file, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LineRange {
    /// The first.
    pub first: u64,
    /// The last; absent where it goes to the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<u64>,
}

/// What a search is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum GapClass {
    /// A fact that a page of a knowledge base could hold.
    #[default]
    Knowledge,
    /// A place in code or beside it: a definition, an identifier, a manifest, a log.
    Code,
}

impl GapClass {
    /// Whether it is what serde takes where nothing is written.
    #[must_use]
    pub fn is_default(&self) -> bool {
        *self == GapClass::default()
    }
}

/// Why an agent searches, as far as its query and its words tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SearchIntent {
    /// For something that it needs.
    Lookup,
    /// To see what there is.
    Exploration,
    /// To make sure that something is, or isn't, there.
    Verification,
}

impl SearchIntent {
    /// The name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            SearchIntent::Lookup => "lookup",
            SearchIntent::Exploration => "exploration",
            SearchIntent::Verification => "verification",
        }
    }
}
