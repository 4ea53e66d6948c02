//! Single values of a tree.

use crate::tree::{Node, NodeData};

/// A text, or what a number or a flag is as text.
pub(super) fn scalar(node: &Node) -> Option<String> {
    match &node.data {
        NodeData::Text(text) => Some(text.clone()),
        NodeData::Number(number) => Some(number.to_string()),
        NodeData::Bool(flag) => Some(flag.to_string()),
        _ => None,
    }
}
