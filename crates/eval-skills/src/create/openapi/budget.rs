//! A limit on how much of a document is copied: a small document that refers to a part many times would become large.

use serde_json::Value;

/// The remaining nodes that may be copied; every 64 bytes of text count as one more.
pub(super) struct CopyBudget {
    left: usize,
}

impl CopyBudget {
    pub(super) fn new(nodes: usize) -> CopyBudget {
        CopyBudget { left: nodes }
    }

    /// Takes one node from the budget; `false` if none is left.
    pub(super) fn node(&mut self) -> bool {
        let is_within = self.left > 0;
        self.left = self.left.saturating_sub(1);
        is_within
    }

    /// A copy of a value, if it fits whole.
    pub(super) fn copy(&mut self, value: &Value) -> Option<Value> {
        let mut left = self.left;
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            left = left.checked_sub(1 + own(value) / 64)?;
            match value {
                Value::Array(items) if items.len() > left => return None,
                Value::Object(members) if members.len() > left => return None,
                Value::Array(items) => open.extend(items),
                Value::Object(members) => open.extend(members.values()),
                _ => {}
            }
        }
        self.left = left;
        Some(value.clone())
    }
}

/// The bytes of a value's own text, and of the names in it.
fn own(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Object(members) => members.keys().map(String::len).sum(),
        _ => 0,
    }
}
