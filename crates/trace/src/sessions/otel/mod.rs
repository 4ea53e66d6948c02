//! OpenTelemetry traces with the semantic conventions for generative AI, in the JSON of OTLP: a document, or one a line, as the
//! collector's file exporter and `--export otel` write them.
//!
//! - spans come when they end, in any order and over several lines: they are sorted at the end of the file;
//! - messages are attributes of a span, or of its events and log records; a request has the whole conversation before it, and
//!   an agent's span has it again: what was seen isn't counted twice;
//! - an agent's span has the tokens of its requests: they count where these have none;
//! - input tokens include those of the cache.

mod messages;
mod spans;
mod story;

use serde_json::Value;

use super::documents::{Documents, LIMIT};
use super::told::{compact, items};
use super::{LineKind, SessionEvent, SessionFormat, SessionReader};
use spans::OtelSpan;

/// The row of [`SESSION_FORMATS`](super::SESSION_FORMATS).
pub(super) const FORMAT: SessionFormat = SessionFormat {
    name: "otel",
    source: "OpenTelemetry semantic conventions for generative AI (1.30 to 1.40), OTLP/JSON",
    extensions: &[".json", ".jsonl"],
    is_one: |head| {
        let head = compact(head);
        let logs = ["gen_ai.user.message", "gen_ai.choice", "gen_ai.client.inference.operation.details"];
        (head.contains("\"resourceSpans\":[") && head.contains("\"gen_ai."))
            || (head.contains("\"resourceLogs\":[") && logs.iter().any(|name| head.contains(name)))
    },
    reader: || Box::new(OtelReader::default()),
};

#[derive(Debug, Default)]
struct OtelReader {
    documents: Documents,
    spans: Vec<OtelSpan>,
    /// About how large they are, in bytes.
    size: usize,
}

impl SessionReader for OtelReader {
    fn line(&mut self, line: &str, events: &mut Vec<SessionEvent>) -> LineKind {
        self.size += line.len();
        let OtelReader { documents, spans, .. } = self;
        let kind = documents.line(line, &mut |document| take(&document, spans));
        if self.size > LIMIT {
            self.tell(events);
        }
        kind
    }

    fn end(&mut self, events: &mut Vec<SessionEvent>) -> LineKind {
        let OtelReader { documents, spans, .. } = self;
        let kind = documents.end(&mut |document| take(&document, spans));
        self.tell(events);
        kind
    }
}

impl OtelReader {
    fn tell(&mut self, events: &mut Vec<SessionEvent>) {
        self.size = 0;
        story::tell(std::mem::take(&mut self.spans), events);
    }
}

/// The spans of a document, and its log records as spans.
fn take(document: &Value, spans: &mut Vec<OtelSpan>) -> LineKind {
    let (traces, logs) = (items(&document["resourceSpans"]), items(&document["resourceLogs"]));
    let of_scopes = |resources: &[Value], scopes: &str, list: &str, older: &str| -> Vec<Value> {
        let scopes =
            resources.iter().flat_map(|resource| items(&resource[scopes]).iter().chain(items(&resource[older])));
        scopes.flat_map(|scope| items(&scope[list])).cloned().collect()
    };
    let found = of_scopes(traces, "scopeSpans", "spans", "instrumentationLibrarySpans");
    spans.extend(found.iter().filter_map(OtelSpan::of_span));
    let found = of_scopes(logs, "scopeLogs", "logRecords", "instrumentationLibraryLogs");
    spans.extend(found.iter().filter_map(OtelSpan::of_record));
    if document["resourceSpans"].is_array() || document["resourceLogs"].is_array() {
        LineKind::Known
    } else {
        LineKind::Unknown
    }
}
