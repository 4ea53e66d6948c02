//! A report as rows of a spreadsheet.

use serde_json::Value;

/// A head and rows of as many fields.
pub(crate) struct Rows<'r> {
    /// The columns' names.
    pub(crate) heads: Vec<&'static str>,
    /// The rows.
    pub(crate) rows: Box<dyn Iterator<Item = Vec<RowField>> + 'r>,
}

/// One field.
pub(crate) enum RowField {
    /// A number, a fixed word, or nothing where it isn't known: written unchanged.
    Figure(Value),
    /// Untrusted text.
    Text(String),
}

impl RowField {
    /// A number or a fixed word.
    pub(crate) fn figure(value: impl Into<Value>) -> RowField {
        RowField::Figure(value.into())
    }

    /// A number that may be unknown.
    pub(crate) fn known(value: Option<impl Into<Value>>) -> RowField {
        RowField::Figure(value.map_or(Value::Null, Into::into))
    }

    /// Untrusted text.
    pub(crate) fn text(of: &str) -> RowField {
        RowField::Text(of.to_owned())
    }

    /// Untrusted text that may be absent.
    pub(crate) fn optional(of: Option<&String>) -> RowField {
        of.map_or(RowField::Figure(Value::Null), |of| RowField::text(of))
    }

    /// What JSON has for it.
    pub(crate) fn into_value(self) -> Value {
        match self {
            RowField::Figure(figure) => figure,
            RowField::Text(text) => Value::String(text),
        }
    }

    /// JSON, so that texts and numbers differ.
    pub(crate) fn json(value: &Value) -> RowField {
        match value {
            Value::Number(number) => RowField::figure(number.to_string()),
            other => RowField::Text(other.to_string()),
        }
    }
}
