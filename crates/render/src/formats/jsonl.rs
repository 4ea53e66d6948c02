//! JSON lines: an object for each execution, with what a row of the CSV has and what has no room there: assertions, judged
//! dimensions, prompt and answer; input and output of a task as the JSON that they are.
//!
//! Every line has every key; what isn't known is `null`. Keys are added, never renamed or removed.

use std::io::{Result, Write};

use eval_message::msg;
use serde_json::{Map, Value};

use crate::formats::spec::FormatSpec;
use crate::view::{comparison, evaluation};

pub(super) const FORMAT: FormatSpec = FormatSpec {
    name: "jsonl",
    extension: "jsonl",
    about: || msg!("report-format-jsonl"),
    comparison: Some(|report, _, to| write(comparison::objects(report), to)),
    evaluation: Some(|of, _, to| write(evaluation::objects(of), to)),
};

fn write(objects: impl Iterator<Item = Map<String, Value>>, to: &mut dyn Write) -> Result<()> {
    for object in objects {
        serde_json::to_writer(&mut *to, &object)?;
        to.write_all(b"\n")?;
    }
    Ok(())
}
