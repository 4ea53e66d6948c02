//! A file as a tree of values with their places.

use eval_spec::source::Span;
use serde_json::{Map, Number, Value};

use super::problems::Problems;
use super::yaml::RefusedScalars;
use super::{json, yaml};

/// How deep values may be nested; deeper is refused before any recursion can hurt.
pub(super) const MAX_DEPTH: usize = 100;

/// A value and its place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Node {
    pub(super) span: Span,
    pub(super) data: NodeData,
    /// Whether a syntax error ended it early: its content is valid but incomplete.
    pub(super) cut: bool,
}

/// The value of a [`Node`].
#[derive(Clone, Debug, PartialEq)]
pub(super) enum NodeData {
    Null,
    Bool(bool),
    Number(Number),
    Text(String),
    List(Vec<Node>),
    Object(Vec<ObjectEntry>),
    /// An invalid value whose error has been reported; decoders report nothing more.
    Broken,
}

/// One key of an object with its value, in the author's order; keys are unique.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ObjectEntry {
    pub(super) key: String,
    pub(super) key_span: Span,
    pub(super) value: Node,
}

/// The languages of input files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Json,
    Yaml,
    /// YAML that another tool reads: its parser accepts a little more, and a scalar that ours refuses, as `090`, is text.
    ForeignYaml,
}

/// The tree of a text that begins `start` bytes into its file, or of what could be read of it;
/// `None` when it is empty. Errors go to `problems`.
pub(super) fn parse(format: Format, text: &str, start: usize, problems: &mut Problems) -> Option<Node> {
    if text.trim().is_empty() {
        return None;
    }
    match format {
        Format::Json => json::parse(text, problems),
        Format::Yaml => yaml::parse(text, start, RefusedScalars::Error, problems),
        Format::ForeignYaml => yaml::parse_foreign(text, start, problems),
    }
}

impl Node {
    pub(super) fn new(start: usize, end: usize, data: NodeData) -> Node {
        Node { span: Span { start, len: end.saturating_sub(start) }, data, cut: false }
    }

    /// The value of `key`, if this is an object that has it.
    pub(super) fn get(&self, key: &str) -> Option<&Node> {
        match &self.data {
            NodeData::Object(entries) => entries.iter().find(|entry| entry.key == key).map(|entry| &entry.value),
            _ => None,
        }
    }

    /// The same value as JSON, keys in the author's order; what is broken becomes `null`.
    pub(super) fn value(&self) -> Value {
        match &self.data {
            NodeData::Null | NodeData::Broken => Value::Null,
            NodeData::Bool(flag) => Value::Bool(*flag),
            NodeData::Number(number) => Value::Number(number.clone()),
            NodeData::Text(text) => Value::String(text.clone()),
            NodeData::List(items) => Value::Array(items.iter().map(Node::value).collect()),
            NodeData::Object(entries) => Value::Object(map(entries)),
        }
    }
}

/// Entries as a JSON object.
pub(super) fn map(entries: &[ObjectEntry]) -> Map<String, Value> {
    let mut map = Map::with_capacity(entries.len());
    map.extend(entries.iter().map(|entry| (entry.key.clone(), entry.value.value())));
    map
}

/// Collects the entries of one object and reports keys that come twice.
#[derive(Default)]
pub(super) struct Entries {
    entries: Vec<ObjectEntry>,
    /// Only for large objects, where a linear search would be quadratic.
    index: Option<std::collections::HashMap<String, usize>>,
}

impl Entries {
    pub(super) fn push(&mut self, entry: ObjectEntry, problems: &mut Problems) {
        match self.position(&entry.key) {
            Some(first) => problems.duplicate_key(&entry.key, entry.key_span, self.entries[first].key_span),
            None => {
                if let Some(index) = &mut self.index {
                    index.insert(entry.key.clone(), self.entries.len());
                }
                self.entries.push(entry);
            }
        }
    }

    /// Adds an entry unless the key is there already (YAML's `<<`).
    pub(super) fn push_missing(&mut self, entry: ObjectEntry, problems: &mut Problems) {
        if self.position(&entry.key).is_none() {
            self.push(entry, problems);
        }
    }

    pub(super) fn finish(self) -> NodeData {
        NodeData::Object(self.entries)
    }

    fn position(&mut self, key: &str) -> Option<usize> {
        if self.index.is_none() && self.entries.len() > 32 {
            self.index = Some(self.entries.iter().enumerate().map(|(i, e)| (e.key.clone(), i)).collect());
        }
        match &self.index {
            Some(index) => index.get(key).copied(),
            None => self.entries.iter().position(|entry| entry.key == key),
        }
    }
}
