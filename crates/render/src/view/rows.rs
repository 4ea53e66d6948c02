//! A report as rows of a spreadsheet.

use serde_json::Value;

/// A head and rows of as many fields.
pub(crate) struct Rows<'r> {
    pub(crate) heads: Vec<&'static str>,
    pub(crate) rows: Box<dyn Iterator<Item = Vec<RowField>> + 'r>,
}

pub(crate) enum RowField {
    /// A number, a fixed word, or nothing where it isn't known: written unchanged.
    Figure(Value),
    Text(String),
}

impl RowField {
    pub(crate) fn figure(value: impl Into<Value>) -> RowField {
        RowField::Figure(value.into())
    }

    pub(crate) fn known(value: Option<impl Into<Value>>) -> RowField {
        RowField::Figure(value.map_or(Value::Null, Into::into))
    }

    pub(crate) fn text(of: &str) -> RowField {
        RowField::Text(of.to_owned())
    }

    pub(crate) fn optional(of: Option<&String>) -> RowField {
        of.map_or(RowField::Figure(Value::Null), |of| RowField::text(of))
    }

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
