//! Single values of a tree, and of JSON, as text.

use serde_json::Number;

use crate::tree::{Node, NodeData};

/// A text, or what a number or a flag is as text.
pub(super) fn scalar(node: &Node) -> Option<String> {
    match &node.data {
        NodeData::Text(text) => Some(text.clone()),
        NodeData::Number(number) => Some(number_text(number)),
        NodeData::Bool(flag) => Some(flag.to_string()),
        _ => None,
    }
}

/// Whether there is nothing in a value.
pub(super) fn is_empty(node: &Node) -> bool {
    match &node.data {
        NodeData::Null => true,
        NodeData::List(items) => items.is_empty(),
        NodeData::Object(entries) => entries.is_empty(),
        _ => false,
    }
}

/// A number as JavaScript writes it: a whole one has no point.
pub(super) fn number_text(number: &Number) -> String {
    match number.as_f64().filter(|_| number.is_f64()) {
        Some(value) => float_text(value),
        None => number.to_string(),
    }
}

pub(super) fn float_text(value: f64) -> String {
    match value.abs() {
        size if size >= 1e21 => format!("{value:e}").replace('e', "e+"),
        size if size > 0.0 && size < 1e-6 => format!("{value:e}"),
        0.0 => "0".to_owned(),
        _ => value.to_string(),
    }
}
