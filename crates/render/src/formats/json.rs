//! The document itself, as it is stored.

use std::io::{Result, Write};

use eval_format::write_document;
use eval_message::msg;
use serde::Serialize;

use crate::formats::spec::FormatSpec;
use crate::show::Show;

pub(super) const FORMAT: FormatSpec = FormatSpec {
    name: "json",
    extension: "json",
    about: || msg!("report-format-json"),
    comparison: Some(document),
    evaluation: Some(document),
};

fn document<T: Serialize>(of: &T, _: Show, to: &mut dyn Write) -> Result<()> {
    write_document(&mut *to, of)?;
    to.write_all(b"\n")
}
