//! The JSON Schema of a stored evaluation, generated from the types that write it. It is committed as
//! `schemas/skill-result.schema.json`.

use serde_json::Value;

use crate::skills::SkillEvaluation;

/// The schema, draft 2020-12: what every result that this program writes is valid against.
#[must_use]
pub fn schema() -> Value {
    let settings = schemars::generate::SchemaSettings::draft2020_12().for_serialize();
    let mut schema = settings.into_generator().into_root_schema_for::<SkillEvaluation>();
    schema.insert("title".to_owned(), Value::from("eval-skills result"));
    schema.to_value()
}
