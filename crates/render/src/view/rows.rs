//! A report as rows of a spreadsheet.

use serde_json::Value;

/// A head and rows of as many fields.
pub(crate) struct Rows<'r> {
    /// The columns' names.
    pub(crate) heads: &'static [&'static str],
    /// The rows.
    pub(crate) rows: Box<dyn Iterator<Item = Vec<Field>> + 'r>,
}

/// One field; empty when it isn't known.
pub(crate) enum Field {
    /// A number or a word of ours, written as it is.
    Figure(String),
    /// Text that others wrote.
    Text(String),
}

impl Field {
    /// A number or a word of ours.
    pub(crate) fn figure(value: impl ToString) -> Field {
        Field::Figure(value.to_string())
    }

    /// A number that may be unknown.
    pub(crate) fn known(value: Option<impl ToString>) -> Field {
        Field::Figure(value.map(|value| value.to_string()).unwrap_or_default())
    }

    /// Text of others.
    pub(crate) fn text(of: &str) -> Field {
        Field::Text(of.to_owned())
    }

    /// Text of others that may be absent.
    pub(crate) fn optional(of: Option<&String>) -> Field {
        Field::Text(of.cloned().unwrap_or_default())
    }

    /// JSON, so that a text and a number can be told apart.
    pub(crate) fn json(value: &Value) -> Field {
        match value {
            Value::Number(number) => Field::Figure(number.to_string()),
            other => Field::Text(other.to_string()),
        }
    }
}
