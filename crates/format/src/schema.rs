//! The JSON Schemas of stored reports, generated from the types that write them and committed in `schemas/`.

use schemars::JsonSchema;
use serde_json::Value;

use crate::report::Report;
use crate::skills::SkillEvaluation;

/// The schema of a report of `omk`: every report that this program writes is valid against it.
#[must_use]
pub fn report_schema() -> Value {
    schema::<Report>("omk report")
}

/// The schema of an evaluation of callable skills: every result that this program writes is valid against it.
#[must_use]
pub fn skill_result_schema() -> Value {
    schema::<SkillEvaluation>("eval-skills result")
}

/// Draft 2020-12.
fn schema<T: JsonSchema>(title: &str) -> Value {
    let settings = schemars::generate::SchemaSettings::draft2020_12().for_serialize();
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    schema.insert("title".to_owned(), Value::from(title));
    schema.to_value()
}
