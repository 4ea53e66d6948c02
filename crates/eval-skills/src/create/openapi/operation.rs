//! An operation of an API, as far as a skill calls it.

use serde_json::Value;

/// One operation of a document.
pub(crate) struct Operation<'a> {
    pub method: &'static str,
    pub path: &'a str,
    /// What holds for all operations of the path.
    pub item: &'a Value,
    pub operation: &'a Value,
}

impl Operation<'_> {
    /// `GET /pets/{id}`.
    pub(super) fn name(&self) -> String {
        format!("{} {}", self.method.to_uppercase(), self.path)
    }

    pub(super) fn text(&self, key: &str) -> Option<&str> {
        self.operation.get(key).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty())
    }
}
