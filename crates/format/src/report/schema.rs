//! The JSON Schema of a report, generated from the types that write it. It is committed as
//! `schemas/report.schema.json`.

use serde_json::Value;

use crate::report::Report;

/// The schema, draft 2020-12: what every report that this program writes is valid against.
#[must_use]
pub fn schema() -> Value {
    let settings = schemars::generate::SchemaSettings::draft2020_12().for_serialize();
    let mut schema = settings.into_generator().into_root_schema_for::<Report>();
    schema.insert("title".to_owned(), Value::from("omk report"));
    schema.to_value()
}
