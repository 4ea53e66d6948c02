//! An operation of an API.

use serde_json::Value;

pub(crate) struct Operation<'a> {
    pub(crate) method: &'static str,
    pub(crate) path: &'a str,
    /// The path item, which applies to all operations of the path.
    pub(crate) item: &'a Value,
    pub(crate) operation: &'a Value,
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
