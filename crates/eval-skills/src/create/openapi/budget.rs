//! How much of a document is copied: what it refers to again and again is small, what comes of it needn't be.

use serde_json::Value;

/// What may still be copied, in nodes; every 64 bytes of a text are one more.
pub(super) struct CopyBudget {
    left: usize,
}

impl CopyBudget {
    pub(super) fn new(nodes: usize) -> CopyBudget {
        CopyBudget { left: nodes }
    }

    /// Pays for a node; `false` when nothing is left for it.
    pub(super) fn node(&mut self) -> bool {
        let is_paid = self.left > 0;
        self.left = self.left.saturating_sub(1);
        is_paid
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
