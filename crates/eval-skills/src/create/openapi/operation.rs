//! An operation of an API.

use serde_json::Value;

use super::schema::OpenApiDocument;

pub(crate) struct Operation<'a> {
    pub(crate) method: &'static str,
    pub(crate) path: &'a str,
    /// The path item, which applies to all operations of the path; before it those beside its reference.
    pub(crate) items: Vec<&'a Value>,
    pub(crate) operation: &'a Value,
}

impl<'a> Operation<'a> {
    /// `GET /pets/{id}`.
    pub(super) fn name(&self) -> String {
        format!("{} {}", self.method.to_uppercase(), self.path)
    }

    pub(super) fn text(&self, key: &str) -> Option<&str> {
        self.operation.get(key).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty())
    }

    /// The lists of parameters, those that override others last.
    pub(super) fn parameters(&self) -> Vec<&'a Vec<Value>> {
        let holders = self.items.iter().rev().chain([&self.operation]);
        holders.filter_map(|holder| holder.get("parameters")?.as_array()).collect()
    }

    /// Whether a header of this name is declared as a parameter that must be there.
    pub(super) fn requires_header(&self, document: OpenApiDocument<'a>, name: &str) -> bool {
        let parameters = self.parameters().into_iter().flatten();
        parameters.filter_map(|parameter| document.resolved(parameter).ok()).any(|parameter| {
            let has = |key: &str, value: &str| {
                parameter.get(key).and_then(Value::as_str).is_some_and(|other| other.eq_ignore_ascii_case(value))
            };
            has("in", "header") && has("name", name) && parameter.get("required") == Some(&Value::Bool(true))
        })
    }
}
