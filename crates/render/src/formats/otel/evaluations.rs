//! What the evaluation says of each answer, as OpenTelemetry events: `gen_ai.evaluation.result` through Logs, in the JSON of
//! OTLP, a line for each execution. They hang on the spans that the format `otel` writes of the same report.

use std::io::{Result, Write};

use eval_format::{AssertionDetail, Ending, Report, VariantResult};
use eval_message::msg;
use eval_spec::hash::short_hash;
use jiff::Timestamp;
use serde_json::{Value, json};

use super::values::{OtelAttributes, nanoseconds};
use crate::formats::spec::FormatSpec;
use crate::view::comparison::{ExportedExecution, executions, score, word};

pub(in crate::formats) const FORMAT: FormatSpec = FormatSpec {
    name: "otel-logs",
    extension: "jsonl",
    about: || msg!("report-format-otel-logs"),
    comparison: Some(|report, _, to| write(report, to)),
    evaluation: None,
};

/// `SEVERITY_NUMBER_INFO`.
const INFO: u8 = 9;

fn write(report: &Report, to: &mut dyn Write) -> Result<()> {
    for of in executions(report).filter(|of| of.result.attempts > 0 || of.result.cached) {
        let records = records(&of);
        if records.is_empty() {
            continue;
        }
        let version = report.meta.cli_version.as_str();
        let mut resource = OtelAttributes::default();
        resource.text("service.name", "omk").text("service.version", version);
        let line = json!({
            "resourceLogs": [{
                "resource": { "attributes": resource.list() },
                "scopeLogs": [{ "scope": { "name": "omk", "version": version }, "logRecords": records }],
            }],
        });
        serde_json::to_writer(&mut *to, &line)?;
        to.write_all(b"\n")?;
    }
    Ok(())
}

/// The composite, each check, each judged dimension; what has no composite for another reason than that there was nothing to
/// score says so, so that nobody takes the rest for all.
fn records(of: &ExportedExecution<'_>) -> Vec<Value> {
    let result = of.result;
    let score = score(result);
    let error = match result.outcome {
        _ if score.is_some() => None,
        Ending::Answered if result.missing.is_empty() => None,
        Ending::Answered => Some("unscored".to_owned()),
        outcome => Some(result.error.as_ref().map_or_else(|| word(&outcome), |error| word(&error.failure))),
    };
    let composite = EvaluationEvent { score, error, ..EvaluationEvent::of("composite") };
    let composite = Some(composite).filter(|event| event.score.is_some() || event.error.is_some());
    let checks = result.assertions.details.iter().map(check);
    let judged = result.judged.iter().map(|judged| EvaluationEvent {
        score: judged.score,
        why: judged.opinions.iter().find_map(|opinion| Some(&*opinion.reasoning).filter(|text| !text.is_empty())),
        ..EvaluationEvent::of(judged.dimension.as_deref().unwrap_or("rubric"))
    });
    composite.into_iter().chain(checks).chain(judged).map(|one| record(of, &one)).collect()
}

struct EvaluationEvent<'r> {
    name: String,
    score: Option<f64>,
    label: Option<&'static str>,
    error: Option<String>,
    why: Option<&'r str>,
}

impl<'r> EvaluationEvent<'r> {
    fn of(name: &str) -> EvaluationEvent<'r> {
        EvaluationEvent { name: name.to_owned(), score: None, label: None, error: None, why: None }
    }
}

fn check(of: &AssertionDetail) -> EvaluationEvent<'_> {
    let label = match of.passed {
        Some(true) => Some("pass"),
        Some(false) => Some("fail"),
        None if of.rating.is_some() => None,
        None => Some("unscored"),
    };
    EvaluationEvent { label, score: of.rating, why: of.message.as_deref(), ..EvaluationEvent::of(&of.kind) }
}

fn record(of: &ExportedExecution<'_>, one: &EvaluationEvent<'_>) -> Value {
    let key = json!([of.report.id, of.sample.sample_id, of.variant, of.repeat]).to_string();
    let at = ended_at(of.result);
    let mut attributes = OtelAttributes::default();
    attributes
        .text("gen_ai.evaluation.name", one.name.as_str())
        .fraction("gen_ai.evaluation.score.value", one.score)
        .text("gen_ai.evaluation.score.label", one.label)
        .text("gen_ai.evaluation.explanation", one.why)
        .text("error.type", one.error.as_deref())
        .text("gen_ai.response.id", of.result.request_id.as_deref())
        .text("omk.report", of.report.id.as_str())
        .text("omk.sample", of.sample.sample_id.as_str())
        .text("omk.variant", of.variant)
        .text("omk.role", of.role)
        .number("omk.repeat", u64::from(of.repeat));
    json!({
        "timeUnixNano": nanoseconds(at),
        "observedTimeUnixNano": nanoseconds(at),
        "severityNumber": INFO,
        "eventName": "gen_ai.evaluation.result",
        "attributes": attributes.list(),
        "traceId": short_hash(key.as_bytes(), 32),
        "spanId": short_hash(format!("{key}/root").as_bytes(), 16),
    })
}

fn ended_at(of: &VariantResult) -> Timestamp {
    let started = of.started_at.as_deref().and_then(|text| text.parse::<Timestamp>().ok());
    let took = jiff::SignedDuration::from_millis(i64::try_from(of.duration_ms.unwrap_or(0)).unwrap_or(0));
    started.and_then(|at| at.checked_add(took).ok()).unwrap_or(Timestamp::UNIX_EPOCH)
}
