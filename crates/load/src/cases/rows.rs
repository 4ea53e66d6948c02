//! Data sets whose rows are questions with their answers, as Inspect, OpenAI's evals and Hugging Face have them: JSON
//! lines, a JSON list, CSV. What a column means is told by its name, or by the caller.

use eval_message::msg;
use eval_spec::source::Span;
use serde_json::{Map, Value, json};

use super::promptfoo::chat::{Conversation, of_messages};
use super::reader::{Case, CaseReader, CaseSource, RowColumns};

/// Names of columns, the best first.
const PROMPTS: &[&str] = &["prompt", "input", "question", "query", "instruction", "problem", "user_input"];
const EXPECTED: &[&str] = &[
    "expected",
    "ideal",
    "target",
    "answer",
    "expected_output",
    "expected_answer",
    "reference",
    "ground_truth",
    "gold",
    "label",
    "solution",
];
const IDS: &[&str] = &["id", "sample_id", "task_id", "case_id", "uid"];
const CONTEXTS: &[&str] = &["context", "passage", "document", "contexts"];

/// The check of an expected answer unless another is chosen.
const USUAL_CHECK: &str = "contains";

pub(super) fn detect(source: &CaseSource) -> bool {
    source.is_list() || source.ends_in(&[".jsonl", ".ndjson", ".csv", ".tsv"])
}

/// A row and its place.
struct DatasetRow {
    fields: Map<String, Value>,
    span: Span,
}

pub(super) fn read(reader: &mut CaseReader, source: &CaseSource, columns: &RowColumns) {
    let rows = rows(reader, source);
    let Some(first) = rows.first() else { return };
    let named = |wanted: &Option<String>, usual: &[&str]| match wanted {
        Some(name) => Some(name.clone()),
        None => {
            usual.iter().find(|name| rows.iter().any(|row| row.fields.contains_key(**name))).map(|of| (*of).to_owned())
        }
    };
    for wanted in [&columns.prompt, &columns.expected, &columns.id, &columns.context].into_iter().flatten() {
        if !rows.iter().any(|row| row.fields.contains_key(wanted)) {
            let there = first.fields.keys().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ");
            reader.problems.error(first.span, msg!("import-no-column", column = wanted, columns = there));
        }
    }
    let Some(prompt) = named(&columns.prompt, PROMPTS) else {
        let there = first.fields.keys().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ");
        let message = msg!("import-no-prompt-column", columns = there);
        return reader.problems.error_with_help(first.span, message, Some(msg!("import-no-prompt-column-help")));
    };
    let [expected, id, context] =
        [named(&columns.expected, EXPECTED), named(&columns.id, IDS), named(&columns.context, CONTEXTS)];
    let check = columns.check.as_deref().unwrap_or(USUAL_CHECK);
    let systems: Vec<Option<String>> = rows.iter().map(|row| system(row, &prompt)).collect();
    let shared = systems.first().cloned().flatten().filter(|text| systems.iter().all(|of| of.as_ref().eq(&Some(text))));
    if let Some(text) = &shared {
        reader.artifacts.push(("system".to_owned(), text.clone()));
    }
    let has_expected = expected.is_some();
    for row in rows {
        let field = |name: &Option<String>| name.as_ref().and_then(|name| row.fields.get(name));
        let Some(asked) = asked(reader, &row, &prompt, shared.is_some()) else {
            reader.tests_left += 1;
            continue;
        };
        let context = field(&context).and_then(text_of);
        let id = field(&id).and_then(text_of);
        let expected = field(&expected).map(answers).unwrap_or_default();
        if expected.is_empty() {
            reader.lacks("rows", msg!("import-row-unchecked"), row.span);
        } else {
            reader.checks.same += 1;
        }
        let is_partial = expected.is_empty() && has_expected;
        let assertions = assertion(check, &expected).into_iter().collect();
        reader.cases.push(Case { id, prompt: asked, context, assertions, is_partial, ..Case::default() });
    }
    if has_expected && columns.check.is_none() {
        let what = format!("`{}`", expected.unwrap_or_default());
        reader.differs(what, true, msg!("import-row-check", name = USUAL_CHECK), Span::default());
    }
}

fn rows(reader: &mut CaseReader, source: &CaseSource) -> Vec<DatasetRow> {
    if let Some(root) = &source.root {
        let crate::tree::NodeData::List(items) = &root.data else { return Vec::new() };
        let row = |item: &crate::tree::Node| match item.value() {
            Value::Object(fields) => Some(DatasetRow { fields, span: item.span }),
            _ => None,
        };
        return items.iter().filter_map(row).collect();
    }
    if source.ends_in(&[".csv", ".tsv"]) {
        return table(reader, source);
    }
    let (mut rows, mut start) = (Vec::new(), 0);
    for line in source.text.split_inclusive('\n') {
        let trimmed = line.trim();
        let span = Span { start: start + (line.len() - line.trim_start().len()), len: trimmed.len() };
        start += line.len();
        if trimmed.is_empty() {
            continue;
        }
        match serde_json::from_str(trimmed) {
            Ok(Value::Object(fields)) => rows.push(DatasetRow { fields, span }),
            Ok(_) => reader.problems.error(span, msg!("skills-grade-import-no-object")),
            Err(error) => {
                reader.problems.error(span, msg!("skills-grade-import-no-json", error = error.to_string()));
                if reader.problems.is_full() {
                    break;
                }
            }
        }
    }
    rows
}

fn table(reader: &mut CaseReader, source: &CaseSource) -> Vec<DatasetRow> {
    let delimiter = if source.ends_in(&[".tsv"]) { b'\t' } else { b',' };
    let mut table = csv::ReaderBuilder::new().delimiter(delimiter).from_reader(source.text.as_bytes());
    let mut rows = Vec::new();
    let heads = match table.headers() {
        Ok(heads) => heads.clone(),
        Err(error) => {
            reader.problems.error(Span::default(), msg!("import-csv", error = error.to_string()));
            return rows;
        }
    };
    for record in table.records() {
        match record {
            Ok(record) => {
                let start = record.position().map_or(0, |at| usize::try_from(at.byte()).unwrap_or(0));
                let cells = heads.iter().zip(&record).filter(|(_, cell)| !cell.is_empty());
                let fields = cells.map(|(head, cell)| (head.trim().to_owned(), json!(cell))).collect();
                rows.push(DatasetRow { fields, span: Span { start, len: 1 } });
            }
            Err(error) => {
                let start = error.position().map_or(0, |at| usize::try_from(at.byte()).unwrap_or(0));
                reader.problems.error(Span { start, len: 1 }, msg!("import-csv", error = error.to_string()));
                break;
            }
        }
    }
    rows
}

/// The conversation in a row, where its prompt is a list of messages.
fn conversation(row: &DatasetRow, prompt: &str) -> Option<Result<Conversation, ()>> {
    row.fields.get(prompt)?.as_array().and_then(|messages| of_messages(messages))
}

fn system(row: &DatasetRow, prompt: &str) -> Option<String> {
    conversation(row, prompt)?.ok().map(|of| of.system).filter(|text| !text.is_empty())
}

/// What a row asks, with its choices.
fn asked(reader: &mut CaseReader, row: &DatasetRow, prompt: &str, is_system_shared: bool) -> Option<String> {
    let text = match conversation(row, prompt) {
        Some(Ok(of)) if is_system_shared || of.system.is_empty() => of.user,
        Some(Ok(of)) => {
            reader.differs("system messages", true, msg!("import-row-system"), row.span);
            format!("{}\n\n{}", of.system, of.user)
        }
        Some(Err(())) => {
            reader.lacks("conversations", msg!("import-prompt-turns"), row.span);
            return None;
        }
        None => row.fields.get(prompt).and_then(text_of).unwrap_or_default(),
    };
    if text.trim().is_empty() {
        reader.lacks("rows", msg!("import-prompt-empty"), row.span);
        return None;
    }
    let choices = row.fields.get("choices").and_then(Value::as_array).filter(|choices| choices.len() <= 26);
    let lines = choices.into_iter().flatten().zip('A'..='Z');
    let lines: Vec<String> =
        lines.filter_map(|(choice, letter)| Some(format!("{letter}) {}", text_of(choice)?))).collect();
    Some(if lines.is_empty() { text } else { format!("{text}\n\n{}", lines.join("\n")) })
}

fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        Value::Array(items) => Some(items.iter().filter_map(text_of).collect::<Vec<_>>().join("\n\n")),
        _ => None,
    }
    .filter(|text| !text.trim().is_empty())
}

/// The answers that are right.
fn answers(value: &Value) -> Vec<String> {
    match value {
        Value::Array(items) => items.iter().filter_map(text_of).collect(),
        other => text_of(other).into_iter().collect(),
    }
}

/// One assertion that any of the answers passes.
fn assertion(check: &str, answers: &[String]) -> Option<Value> {
    let one = |answer: &String| match check {
        "semantic_similarity" => json!({"type": check, "reference": answer}),
        _ => json!({"type": check, "value": answer}),
    };
    Some(match answers {
        [] => return None,
        [answer] => one(answer),
        several if check == USUAL_CHECK => json!({"type": "contains_any", "values": several}),
        several => {
            json!({"type": "assert-set", "mode": "any", "children": several.iter().map(one).collect::<Vec<_>>()})
        }
    })
}
