//! A report as rows of a spreadsheet.

use serde_json::Value;

/// A head and rows of as many fields.
pub(crate) struct Rows<'r> {
    /// The columns' names.
    pub(crate) heads: Vec<&'static str>,
    /// The rows.
    pub(crate) rows: Box<dyn Iterator<Item = Vec<RowField>> + 'r>,
}

/// One field; empty when it isn't known.
pub(crate) enum RowField {
    /// A number or a fixed word, written unchanged.
    Figure(String),
    /// Untrusted text.
    Text(String),
}

impl RowField {
    /// A number or a fixed word.
    pub(crate) fn figure(value: impl ToString) -> RowField {
        RowField::Figure(value.to_string())
    }

    /// A number that may be unknown.
    pub(crate) fn known(value: Option<impl ToString>) -> RowField {
        RowField::Figure(value.map(|value| value.to_string()).unwrap_or_default())
    }

    /// Untrusted text.
    pub(crate) fn text(of: &str) -> RowField {
        RowField::Text(of.to_owned())
    }

    /// Untrusted text that may be absent.
    pub(crate) fn optional(of: Option<&String>) -> RowField {
        RowField::Text(of.cloned().unwrap_or_default())
    }

    /// JSON, so that texts and numbers differ.
    pub(crate) fn json(value: &Value) -> RowField {
        match value {
            Value::Number(number) => RowField::Figure(number.to_string()),
            other => RowField::Text(other.to_string()),
        }
    }
}
