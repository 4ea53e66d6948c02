//! CSV: one line for each task result, for spreadsheets and data frames.

use std::io::Write;

use eval_format::skills::{SkillEvaluation, TaskResult};
use eval_message::plain::turns_text;
use serde_json::Value;

const COLUMNS: [&str; 22] = [
    "evaluation",
    "benchmark",
    "skill",
    "skill_version",
    "task",
    "run",
    "status",
    "score",
    "scorer",
    "latency_ms",
    "start_ms",
    "attempts",
    "tokens",
    "tags",
    "description",
    "reason",
    "error",
    "input",
    "expected",
    "output",
    "schema_mismatches",
    "stderr",
];

/// Writes the task results. Empty means unknown. A text that a spreadsheet would take for a formula gets an
/// apostrophe in front.
pub(crate) fn csv(of: &SkillEvaluation, to: &mut dyn Write) -> std::io::Result<()> {
    let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(to);
    writer.write_record(COLUMNS)?;
    for skill in &of.skills {
        for result in &skill.task_results {
            let before = [text(&of.id), text(&of.benchmark.id), text(&skill.skill_id), text(&skill.skill_version)];
            writer.write_record(before.into_iter().chain(cells(result)))?;
        }
    }
    writer.flush()
}

fn cells(of: &TaskResult) -> [String; 18] {
    let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
    let optional = |value: Option<&String>| value.map(|value| text(value)).unwrap_or_default();
    [
        text(&of.task_id),
        of.run.to_string(),
        of.status.name().to_owned(),
        number(of.score),
        of.scorer.name().to_owned(),
        number(of.latency_ms),
        number(of.start_ms),
        of.attempts.to_string(),
        of.tokens.map(|tokens| tokens.to_string()).unwrap_or_default(),
        text(&of.tags.join(" ")),
        text(&of.description),
        optional(of.reason.as_ref()),
        optional(of.error.as_ref()),
        json(&of.input),
        json(&of.expected),
        of.output.as_ref().map(json).unwrap_or_default(),
        text(&of.schema_mismatches.join("; ")),
        optional(of.stderr.as_ref()),
    ]
}

/// JSON, so that a text and a number can be told apart. A number is no formula, a negative one neither.
fn json(value: &Value) -> String {
    match value {
        Value::Number(number) => number.to_string(),
        other => text(&other.to_string()),
    }
}

/// What OWASP's "CSV injection" page asks for: no cell of others begins like a formula, also behind what takes no room.
/// Control characters are shown and not obeyed by a terminal: line breaks and tabs stay, the rest becomes its picture.
fn text(of: &str) -> String {
    let of: String = of.chars().map(harmless).collect();
    let is_unseen = |c: char| (c.is_whitespace() && !matches!(c, '\t' | '\r' | '\n')) || turns_text(c);
    match of.trim_start_matches(is_unseen).chars().next() {
        Some('=' | '+' | '-' | '@' | '\t' | '\r' | '\n' | '|' | '%' | '＝' | '＋' | '－' | '＠') => {
            format!("'{of}")
        }
        _ => of,
    }
}

/// U+2400 and what follows are pictures of control characters.
fn harmless(c: char) -> char {
    match c {
        '\t' | '\r' | '\n' => c,
        '\u{0}'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)).unwrap_or(char::REPLACEMENT_CHARACTER),
        '\u{7f}' => '␡',
        c if c.is_control() => char::REPLACEMENT_CHARACTER,
        c => c,
    }
}
