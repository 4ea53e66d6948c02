//! JSON lines: an object for each execution, with what a row of the CSV has and what has no room there: assertions, judged
//! dimensions, prompt and answer.
//!
//! Every line has every key; what isn't known is `null`. Keys are added, never renamed or removed.

use std::io::{Result, Write};

use eval_format::Report;
use eval_message::msg;

use crate::formats::spec::FormatSpec;
use crate::view::comparison::objects;

pub(super) const FORMAT: FormatSpec = FormatSpec {
    name: "jsonl",
    extension: "jsonl",
    about: || msg!("report-format-jsonl"),
    comparison: Some(|report, _, to| write(report, to)),
    evaluation: None,
};

fn write(report: &Report, to: &mut dyn Write) -> Result<()> {
    for object in objects(report) {
        serde_json::to_writer(&mut *to, &object)?;
        to.write_all(b"\n")?;
    }
    Ok(())
}
