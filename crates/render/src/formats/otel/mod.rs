//! OpenTelemetry traces with the semantic conventions for generative AI, in the JSON of OTLP: a trace for each execution,
//! one a line, as the file exporter and the file receiver of the collector have it.
//!
//! The same report has the same ids: what is imported twice is there once.

pub(super) mod evaluations;
mod spans;
mod values;

use std::io::{Result, Write};

use eval_format::Report;
use eval_message::msg;
use serde_json::{Value, json};

use crate::formats::spec::FormatSpec;
use crate::view::comparison::{ExportedExecution, executions};
use values::OtelAttributes;

pub(super) const FORMAT: FormatSpec = FormatSpec {
    name: "otel",
    extension: "jsonl",
    about: || msg!("report-format-otel"),
    comparison: Some(|report, _, to| write(report, to)),
    evaluation: None,
};

/// Writes the traces of executions that ran.
fn write(report: &Report, to: &mut dyn Write) -> Result<()> {
    for execution in executions(report).filter(|of| of.result.attempts > 0 || of.result.cached) {
        serde_json::to_writer(&mut *to, &trace(&execution))?;
        to.write_all(b"\n")?;
    }
    Ok(())
}

fn trace(of: &ExportedExecution<'_>) -> Value {
    let version = of.report.meta.cli_version.as_str();
    let mut resource = OtelAttributes::default();
    resource.text("service.name", "omk").text("service.version", version);
    json!({
        "resourceSpans": [{
            "resource": { "attributes": resource.list() },
            "scopeSpans": [{ "scope": { "name": "omk", "version": version }, "spans": spans::spans(of) }],
        }],
    })
}
