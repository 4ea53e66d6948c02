//! URLs in prompts and contexts, and the pages that stand there in their place.

use eval_message::Message;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A URL of the samples, and what became of it before the run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InlinedUrl {
    /// The URL as the samples write it; secrets are masked.
    pub url: String,
    /// The samples whose prompt or context names it, by their ids.
    pub samples: Vec<String>,
    /// What stands in its place; absent where nothing could be fetched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<FetchedPage>,
    /// Why nothing could be fetched, so that the URL stayed as text (`--allow-missing-urls`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<Message>,
}

/// A page that was fetched.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FetchedPage {
    /// Where redirects led; absent where there were none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub final_url: Option<String>,
    /// How it was fetched.
    pub via: PageRoute,
    /// The media type that the server named; absent where it named none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_type: Option<String>,
    /// SHA-256 over the text in UTF-8.
    pub sha256: String,
    /// The length of the text in bytes.
    pub bytes: u64,
    /// When it was fetched, RFC 3339.
    #[schemars(with = "String")]
    pub fetched_at: Timestamp,
}

/// How a page was fetched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PageRoute {
    /// Over HTTP.
    Http,
    /// By the tool of an MCP server, which has this name.
    Mcp(String),
}

/// The texts of a sample with pages in place of URLs, as they are sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlinedTexts {
    /// The prompt.
    pub prompt: String,
    /// The context.
    pub context: Option<String>,
}
