//! `$ref`: promptfoo puts what it names in its place before it reads a configuration.

use std::collections::BTreeSet;

use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};

use crate::tree::{MAX_DEPTH, Node, NodeData, ObjectEntry};

/// What references may copy, in bytes of text plus [`NODE_COST`] a value: references to references multiply.
const MAX_COPIED: usize = 16 << 20;

const NODE_COST: usize = 64;

/// So many references may lead from one to the next on the way to a value.
const MAX_HOPS: usize = 8;

/// A tree with what its references name in any of the documents, and the keys at their roots that are named. What is
/// found nowhere stays as it is.
pub(super) fn resolved(node: &Node, documents: &[&Node]) -> (Node, BTreeSet<String>) {
    let mut references = References { documents, open: Vec::new(), copied: 0, named: BTreeSet::new() };
    (references.copy(node, 0), references.named)
}

/// Whether a reference is left among these fields: what it names is not there.
pub(super) fn are_left(fields: &Map<String, Value>) -> bool {
    fields.iter().any(|(key, value)| (key == "$ref" && value.is_string()) || is_left(value))
}

fn is_left(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(is_left),
        Value::Object(fields) => are_left(fields),
        _ => false,
    }
}

struct References<'a> {
    documents: &'a [&'a Node],
    /// The references that are being replaced: one of these again would never end.
    open: Vec<String>,
    copied: usize,
    named: BTreeSet<String>,
}

impl<'a> References<'a> {
    fn copy(&mut self, node: &Node, depth: usize) -> Node {
        if !self.open.is_empty() {
            let text = if let NodeData::Text(text) = &node.data { text.len() } else { 0 };
            self.copied += NODE_COST + text;
        }
        let data = match &node.data {
            NodeData::List(items) => NodeData::List(items.iter().map(|item| self.copy(item, depth + 1)).collect()),
            NodeData::Object(entries) => match self.replaced(node, entries, depth) {
                Some(data) => data,
                None => NodeData::Object(self.entries(entries, depth)),
            },
            other => other.clone(),
        };
        Node { span: node.span, data, cut: node.cut }
    }

    fn entries(&mut self, entries: &[ObjectEntry], depth: usize) -> Vec<ObjectEntry> {
        let mut copies = Vec::with_capacity(entries.len());
        for entry in entries {
            let value = self.copy(&entry.value, depth + 1);
            copies.push(ObjectEntry { key: entry.key.clone(), key_span: entry.key_span, value });
        }
        copies
    }

    /// What a reference names. Keys beside the reference win.
    fn replaced(&mut self, node: &Node, entries: &[ObjectEntry], depth: usize) -> Option<NodeData> {
        let pointer = reference(node)?;
        let target = self.found(pointer, MAX_HOPS)?;
        let is_open = self.open.iter().any(|open| open == pointer);
        if is_open || self.copied > MAX_COPIED || depth + height(target) > MAX_DEPTH {
            return None;
        }
        self.named.extend(tokens(pointer).next());
        self.open.push(pointer.to_owned());
        let target = self.copy(target, depth).data;
        self.open.pop();
        let NodeData::Object(others) = target else { return Some(target) };
        let own: Vec<ObjectEntry> = entries.iter().filter(|entry| entry.key != "$ref").cloned().collect();
        let mut merged = self.entries(&own, depth);
        merged.extend(others.into_iter().filter(|other| own.iter().all(|entry| entry.key != other.key)));
        Some(NodeData::Object(merged))
    }

    /// The value that a pointer names in the first document that has it; it may lead through other references.
    fn found(&self, pointer: &str, hops: usize) -> Option<&'a Node> {
        let mut documents = self.documents.iter();
        documents.find_map(|document| {
            tokens(pointer).try_fold(*document, |node, token| match child(node, &token) {
                Some(child) => Some(child),
                None => child(self.found(reference(node)?, hops.checked_sub(1)?)?, &token),
            })
        })
    }
}

/// The pointer of a reference into the same document; a file of its own is none.
fn reference(node: &Node) -> Option<&str> {
    match &node.get("$ref")?.data {
        NodeData::Text(pointer) if pointer.starts_with("#/") => Some(pointer),
        _ => None,
    }
}

fn tokens(pointer: &str) -> impl Iterator<Item = String> {
    let decoded = |token: &str| {
        let token = percent_decode_str(token).decode_utf8_lossy();
        token.replace("~1", "/").replace("~0", "~")
    };
    pointer.strip_prefix("#/").unwrap_or(pointer).split('/').map(decoded)
}

fn child<'a>(node: &'a Node, token: &str) -> Option<&'a Node> {
    match &node.data {
        NodeData::List(items) => items.get(token.parse::<usize>().ok()?),
        _ => node.get(token),
    }
}

fn height(node: &Node) -> usize {
    match &node.data {
        NodeData::List(items) => 1 + items.iter().map(height).max().unwrap_or(0),
        NodeData::Object(entries) => 1 + entries.iter().map(|entry| height(&entry.value)).max().unwrap_or(0),
        _ => 0,
    }
}
