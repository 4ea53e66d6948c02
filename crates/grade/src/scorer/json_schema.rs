//! `json_schema`: a JSON Schema over the whole output; see [`Schema::written`].

use eval_message::Message;
use serde_json::Value;

use crate::assertion::json_schema::{Schema, validate};
use crate::scorer::scored::CompiledScorer;

pub(super) fn compile(schema: &Value) -> Result<CompiledScorer, Message> {
    let schema = Schema::written(schema)?;
    Ok(CompiledScorer::slow(move |seen| validate(&schema, &seen.with_numbers())))
}
