//! `json_schema`: a JSON Schema over the whole output; draft 7 unless `$schema` names another.

use eval_message::Message;
use serde_json::Value;

use super::mark::Mark;
use crate::assertion::json_schema::{Schema, validate};
use crate::scorer::scored::Scored;

pub(super) fn compile(schema: &Value) -> Result<Scored, Message> {
    let schema = Schema::new(schema)?;
    Ok(Scored::slow(move |seen| {
        let finding = validate(&schema, &seen.with_numbers());
        Mark { reason: finding.statement, actual: finding.actual, passes: finding.holds, ..Mark::empty() }
    }))
}
