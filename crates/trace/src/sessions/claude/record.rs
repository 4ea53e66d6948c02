//! The records as they are written; what isn't used is passed over without being built.

use std::fmt;

use jiff::Timestamp;
use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::claude::results::SearchCounts;

/// A line.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ClaudeRecord {
    #[serde(rename = "type", default, deserialize_with = "text")]
    pub(super) kind: String,
    #[serde(default, deserialize_with = "some_text")]
    pub(super) subtype: Option<String>,
    #[serde(default, deserialize_with = "some_text")]
    pub(super) uuid: Option<String>,
    #[serde(default, deserialize_with = "some_text")]
    pub(super) session_id: Option<String>,
    #[serde(default, deserialize_with = "some_text")]
    pub(super) agent_id: Option<String>,
    #[serde(default, deserialize_with = "some_text")]
    pub(super) cwd: Option<String>,
    #[serde(default, deserialize_with = "some_text")]
    pub(super) version: Option<String>,
    #[serde(default, deserialize_with = "timestamp")]
    pub(super) timestamp: Option<Timestamp>,
    #[serde(default, deserialize_with = "is_so")]
    pub(super) is_meta: bool,
    #[serde(default, deserialize_with = "is_so")]
    pub(super) is_compact_summary: bool,
    #[serde(default, deserialize_with = "is_so")]
    pub(super) is_sidechain: bool,
    #[serde(default, deserialize_with = "some_text")]
    pub(super) parent_uuid: Option<String>,
    #[serde(default, deserialize_with = "some_text")]
    pub(super) attribution_skill: Option<String>,
    #[serde(default, deserialize_with = "some_text")]
    pub(super) tool_denial_kind: Option<String>,
    #[serde(default)]
    pub(super) message: Option<ClaudeMessage>,
    #[serde(default)]
    pub(super) attachment: Option<Attachment>,
    #[serde(default)]
    pub(super) tool_use_result: ToolResult,
}

#[derive(Debug, Deserialize)]
pub(super) struct ClaudeMessage {
    #[serde(default, deserialize_with = "some_text")]
    pub(super) id: Option<String>,
    #[serde(default, deserialize_with = "some_text")]
    pub(super) model: Option<String>,
    #[serde(default)]
    pub(super) content: Content,
    #[serde(default, deserialize_with = "usage")]
    pub(super) usage: Option<MessageUsage>,
}

#[derive(Debug, Default)]
pub(super) struct MessageUsage {
    pub(super) input_tokens: Option<u64>,
    pub(super) output_tokens: Option<u64>,
    pub(super) cache_read_input_tokens: Option<u64>,
    pub(super) cache_creation_input_tokens: Option<u64>,
}

#[derive(Debug, Deserialize)]
pub(super) struct ClaudeBlock {
    #[serde(rename = "type", default, deserialize_with = "text")]
    pub(super) kind: String,
    #[serde(default, deserialize_with = "some_text")]
    pub(super) text: Option<String>,
    #[serde(default, deserialize_with = "some_text")]
    pub(super) thinking: Option<String>,
    #[serde(default, deserialize_with = "some_text")]
    pub(super) id: Option<String>,
    #[serde(default, deserialize_with = "some_text")]
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) input: Option<Value>,
    #[serde(default, deserialize_with = "some_text")]
    pub(super) tool_use_id: Option<String>,
    #[serde(default, deserialize_with = "some_flag")]
    pub(super) is_error: Option<bool>,
    #[serde(default)]
    pub(super) content: Content,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Attachment {
    #[serde(rename = "type", default, deserialize_with = "text")]
    pub(super) kind: String,
    #[serde(default, deserialize_with = "text")]
    pub(super) content: String,
    #[serde(default, deserialize_with = "names")]
    pub(super) names: Vec<String>,
    #[serde(default)]
    pub(super) prompt: Content,
    #[serde(default, deserialize_with = "some_text")]
    pub(super) command_mode: Option<String>,
}

/// A text, or blocks.
#[derive(Debug, Default)]
pub(super) enum Content {
    #[default]
    None,
    Text(String),
    Blocks(Vec<ClaudeBlock>),
}

impl Content {
    pub(super) fn into_blocks(self) -> Vec<ClaudeBlock> {
        match self {
            Content::None => Vec::new(),
            Content::Blocks(blocks) => blocks,
            Content::Text(text) => {
                let mut block = ClaudeBlock::of_kind("text");
                block.text = Some(text);
                vec![block]
            }
        }
    }

    /// Its text, where it is nothing else.
    pub(super) fn as_text(&self) -> Option<&str> {
        match self {
            Content::Text(text) => Some(text),
            Content::Blocks(blocks) => blocks.first()?.text.as_deref(),
            Content::None => None,
        }
    }

    /// Its text; a block without text is named by its type.
    pub(super) fn into_text(self) -> String {
        match self {
            Content::None => String::new(),
            Content::Text(text) => text,
            Content::Blocks(blocks) => {
                let texts = blocks.into_iter().map(|block| block.text.unwrap_or(format!("[{}]", block.kind)));
                texts.collect::<Vec<_>>().join("\n")
            }
        }
    }
}

impl ClaudeBlock {
    fn of_kind(kind: &str) -> ClaudeBlock {
        ClaudeBlock {
            kind: kind.to_owned(),
            text: None,
            thinking: None,
            id: None,
            name: None,
            input: None,
            tool_use_id: None,
            is_error: None,
            content: Content::None,
        }
    }
}

impl<'de> Deserialize<'de> for Content {
    fn deserialize<D: Deserializer<'de>>(of: D) -> Result<Content, D::Error> {
        struct ContentVisitor;
        impl<'de> Visitor<'de> for ContentVisitor {
            type Value = Content;

            fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
                to.write_str("a text or blocks")
            }

            fn visit_str<E>(self, text: &str) -> Result<Content, E> {
                Ok(Content::Text(text.to_owned()))
            }

            fn visit_unit<E>(self) -> Result<Content, E> {
                Ok(Content::None)
            }

            fn visit_bool<E>(self, _: bool) -> Result<Content, E> {
                Ok(Content::None)
            }

            fn visit_u64<E>(self, _: u64) -> Result<Content, E> {
                Ok(Content::None)
            }

            fn visit_i64<E>(self, _: i64) -> Result<Content, E> {
                Ok(Content::None)
            }

            fn visit_f64<E>(self, _: f64) -> Result<Content, E> {
                Ok(Content::None)
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Content, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(Content::None)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Content, A::Error> {
                let mut blocks = Vec::new();
                while let Some(block) = seq.next_element()? {
                    blocks.push(block);
                }
                Ok(Content::Blocks(blocks))
            }
        }
        of.deserialize_any(ContentVisitor)
    }
}

/// What the program keeps of a tool's result beyond what the model was given: a text, a list, or an object of which only
/// this is used.
#[derive(Debug, Default)]
pub(super) struct ToolResult {
    pub(super) counts: SearchCounts,
    pub(super) return_code_interpretation: Option<String>,
    pub(super) interrupted: bool,
}

impl<'de> Deserialize<'de> for ToolResult {
    fn deserialize<D: Deserializer<'de>>(of: D) -> Result<ToolResult, D::Error> {
        struct ToolResultVisitor;
        impl<'de> Visitor<'de> for ToolResultVisitor {
            type Value = ToolResult;

            fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
                to.write_str("a tool's result")
            }

            fn visit_str<E>(self, _: &str) -> Result<ToolResult, E> {
                Ok(ToolResult::default())
            }

            fn visit_unit<E>(self) -> Result<ToolResult, E> {
                Ok(ToolResult::default())
            }

            fn visit_bool<E>(self, _: bool) -> Result<ToolResult, E> {
                Ok(ToolResult::default())
            }

            fn visit_u64<E>(self, _: u64) -> Result<ToolResult, E> {
                Ok(ToolResult::default())
            }

            fn visit_i64<E>(self, _: i64) -> Result<ToolResult, E> {
                Ok(ToolResult::default())
            }

            fn visit_f64<E>(self, _: f64) -> Result<ToolResult, E> {
                Ok(ToolResult::default())
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<ToolResult, A::Error> {
                while seq.next_element::<IgnoredAny>()?.is_some() {}
                Ok(ToolResult::default())
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ToolResult, A::Error> {
                let mut told = ToolResult::default();
                while let Some(key) = map.next_key::<String>()? {
                    match key.as_str() {
                        "mode" => told.counts.mode = map.next_value::<Value>()?.as_str().map(str::to_owned),
                        "numFiles" => told.counts.files = map.next_value::<Value>()?.as_u64(),
                        "totalFiles" => told.counts.total_files = map.next_value::<Value>()?.as_u64(),
                        "numLines" => told.counts.lines = map.next_value::<Value>()?.as_u64(),
                        "totalLines" => told.counts.total_lines = map.next_value::<Value>()?.as_u64(),
                        "numMatches" => told.counts.matches = map.next_value::<Value>()?.as_u64(),
                        "interrupted" => told.interrupted = map.next_value::<Value>()? == true,
                        "returnCodeInterpretation" => {
                            told.return_code_interpretation = map.next_value::<Value>()?.as_str().map(str::to_owned);
                        }
                        _ => {
                            map.next_value::<IgnoredAny>()?;
                        }
                    }
                }
                Ok(told)
            }
        }
        of.deserialize_any(ToolResultVisitor)
    }
}

/// A time; what is none is left out, and so costs no record.
fn timestamp<'de, D: Deserializer<'de>>(of: D) -> Result<Option<Timestamp>, D::Error> {
    Ok(some_text(of)?.and_then(|text| text.parse().ok()))
}

/// A text; what is none is left out.
fn some_text<'de, D: Deserializer<'de>>(of: D) -> Result<Option<String>, D::Error> {
    Ok(match Value::deserialize(of)? {
        Value::String(text) => Some(text),
        _ => None,
    })
}

/// A text; what is none is empty.
fn text<'de, D: Deserializer<'de>>(of: D) -> Result<String, D::Error> {
    Ok(some_text(of)?.unwrap_or_default())
}

fn some_flag<'de, D: Deserializer<'de>>(of: D) -> Result<Option<bool>, D::Error> {
    Ok(Value::deserialize(of)?.as_bool())
}

fn is_so<'de, D: Deserializer<'de>>(of: D) -> Result<bool, D::Error> {
    Ok(some_flag(of)? == Some(true))
}

fn names<'de, D: Deserializer<'de>>(of: D) -> Result<Vec<String>, D::Error> {
    let all = Value::deserialize(of)?;
    let named = all.as_array().into_iter().flatten().filter_map(Value::as_str);
    Ok(named.map(str::to_owned).collect())
}

fn usage<'de, D: Deserializer<'de>>(of: D) -> Result<Option<MessageUsage>, D::Error> {
    let all = Value::deserialize(of)?;
    let tokens = |name: &str| all[name].as_u64();
    Ok(all.is_object().then(|| MessageUsage {
        input_tokens: tokens("input_tokens"),
        output_tokens: tokens("output_tokens"),
        cache_read_input_tokens: tokens("cache_read_input_tokens"),
        cache_creation_input_tokens: tokens("cache_creation_input_tokens"),
    }))
}
