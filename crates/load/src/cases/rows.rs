//! Data sets whose rows are questions with their answers, as Inspect, OpenAI's evals and Hugging Face have them: JSON
//! lines, a JSON list, CSV. What a column means is told by its name, or by the caller.

use eval_message::msg;
use eval_spec::callable::{Decimal, read_exactly};
use eval_spec::source::Span;
use serde_json::{Map, Number, Value, json};

use super::promptfoo::chat::{Conversation, of_messages};
use super::reader::{Case, CaseCheck, CaseReader, CaseSource, RowColumns, whole};
use super::table::CaseTable;
use crate::problems::Problems;
use crate::tree::{self, Format, Node, NodeData};

/// Names of columns, the best first.
const PROMPTS: &[&str] = &["prompt", "input", "question", "query", "instruction", "problem", "user_input"];
const EXPECTED: &[&str] = &[
    "expected",
    "ideal",
    "target",
    "answer",
    "answers",
    "answerKey",
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

/// The check of an expected answer unless another is chosen: models answer in sentences, callable skills with values.
const USUAL_CHECK: &str = "contains";
const USUAL_SKILL_CHECK: &str = "equals";

pub(super) fn detect(source: &CaseSource) -> bool {
    source.is_list() || source.ends_in(&[".jsonl", ".ndjson", ".csv", ".tsv"])
}

/// A row and its place.
struct DatasetRow {
    fields: Map<String, Value>,
    /// The same with numbers as texts with all of their digits, where a number alone would lose some.
    written: Option<Map<String, Value>>,
    span: Span,
}

impl DatasetRow {
    /// A field whose numbers have their digits.
    fn written(&self, name: &str) -> Option<&Value> {
        self.written.as_ref().unwrap_or(&self.fields).get(name)
    }
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
    let inputs = columns.inputs.iter().map(|(column, _)| column);
    let wanted = [&columns.prompt, &columns.expected, &columns.id, &columns.context].into_iter().flatten();
    for wanted in wanted.chain(inputs) {
        if !rows.iter().any(|row| row.fields.contains_key(wanted)) {
            let there = first.fields.keys().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ");
            reader.problems.error(first.span, msg!("import-no-column", column = wanted, columns = there));
        }
    }
    let asked_for = columns.prompt.clone().or_else(|| Some(columns.inputs.first()?.0.clone()));
    let Some(prompt) = named(&asked_for, PROMPTS) else {
        let there = first.fields.keys().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ");
        let message = msg!("import-no-prompt-column", columns = there);
        let help = match reader.is_for_skills {
            true => msg!("import-task-column-help"),
            false => msg!("import-no-prompt-column-help"),
        };
        return reader.problems.error_with_help(first.span, message, Some(help));
    };
    let [expected, id, context] =
        [named(&columns.expected, EXPECTED), named(&columns.id, IDS), named(&columns.context, CONTEXTS)];
    let usual = if reader.is_for_skills { USUAL_SKILL_CHECK } else { USUAL_CHECK };
    let check = columns.check.as_deref().unwrap_or(usual);
    let systems: Vec<Option<String>> = rows.iter().map(|row| system(row, &prompt)).collect();
    let shared = systems.first().cloned().flatten().filter(|text| systems.iter().all(|of| of.as_ref().eq(&Some(text))));
    if let Some(text) = &shared {
        reader.artifacts.push(("system".to_owned(), text.clone()));
    }
    let has_expected = expected.is_some();
    unused(reader, &rows, &[Some(&prompt), expected.as_ref(), id.as_ref(), context.as_ref()], &columns.inputs);
    let what = format!("`{}`", expected.as_deref().unwrap_or_default());
    for row in rows {
        let field = |name: &Option<String>| name.as_ref().and_then(|name| row.fields.get(name));
        let mut input = given(&row, &columns.inputs);
        let is_given = !input.is_empty();
        // What a skill is given may be any value, and is no question.
        let asked = match is_given {
            true => Some(String::new()),
            false => asked(reader, &row, &prompt, shared.is_some() && !reader.is_for_skills),
        };
        let Some(asked) = asked else {
            reader.tests_left += 1;
            continue;
        };
        if !is_given && reader.is_for_skills {
            input.insert(prompt.clone(), json!(asked));
            let beside = context.as_ref().and_then(|name| Some((name.clone(), row.fields.get(name)?.clone())));
            input.extend(beside);
        }
        let written = |name: &Option<String>| name.as_ref().and_then(|name| row.written(name));
        let context = written(&context).and_then(text_of);
        let id = field(&id).and_then(text_of);
        // A skill that is given columns as they are has no letters of choices.
        let choices = if is_given { RowChoices::default() } else { RowChoices::of(&row) };
        // Among choices a number is a place; what a skill returns is compared with the number itself.
        let is_text = choices.texts.is_empty() && !reader.is_for_skills;
        let answer = if is_text { written(&expected) } else { field(&expected) };
        let expected = answer.map(|value| answers(value, &choices)).unwrap_or_default();
        let is_no_choice = expected.is_empty() && !choices.texts.is_empty() && answer.is_some_and(is_answer);
        if choices.is_other {
            reader.lacks("`choices`", msg!("import-row-choices"), row.span);
        }
        match (expected.is_empty(), reader.is_for_skills) {
            _ if is_no_choice => {
                reader.checks.not += 1;
                reader.lacks(what.clone(), msg!("import-row-no-choice"), row.span);
            }
            (true, true) => reader.lacks("rows", msg!("import-task-row-unchecked"), row.span),
            (true, false) => reader.lacks("rows", msg!("import-row-unchecked"), row.span),
            _ => reader.checks.same += 1,
        }
        let is_partial = choices.is_other || (expected.is_empty() && has_expected);
        let is_letter = !choices.texts.is_empty() && expected.iter().all(is_letter);
        let written = if is_letter { letters(check, &expected) } else { assertion(check, &expected, usual) };
        let assertions =
            written.map(|written| CaseCheck { what: format!("`{check}`"), written, is_near: columns.check.is_none() });
        let place = reader.place(row.span);
        reader.cases.push(Case {
            id,
            prompt: asked,
            context,
            input,
            assertions: assertions.into_iter().collect(),
            is_partial,
            place,
            ..Case::default()
        });
    }
    if has_expected && columns.check.is_none() {
        let why = match reader.is_for_skills {
            true => msg!("import-task-row-check"),
            false => msg!("import-row-check", name = usual),
        };
        reader.differs(what, true, why, Span::default());
    }
}

/// Lists the columns that nothing is made of.
fn unused(reader: &mut CaseReader, rows: &[DatasetRow], named: &[Option<&String>], inputs: &[(String, String)]) {
    let is_used = |name: &String| {
        named.contains(&Some(name)) || name == "choices" || inputs.iter().any(|(column, _)| column == name)
    };
    for row in rows {
        for name in row.fields.keys().filter(|name| !is_used(name)) {
            reader.lacks(format!("`{name}`"), msg!("import-column-unused"), row.span);
        }
    }
}

/// The columns that a callable skill is given, under the names of its input.
fn given(row: &DatasetRow, inputs: &[(String, String)]) -> Map<String, Value> {
    let value = |(column, name): &(String, String)| Some((name.clone(), row.fields.get(column)?.clone()));
    inputs.iter().filter_map(value).collect()
}

fn rows(reader: &mut CaseReader, source: &CaseSource) -> Vec<DatasetRow> {
    if let Some(root) = &source.root {
        let NodeData::List(items) = &root.data else { return Vec::new() };
        let row = |item: &Node| match exact(item, &source.text) {
            Value::Object(fields) => {
                let written = as_written(item, &source.text);
                Some(DatasetRow { fields, written, span: item.span })
            }
            _ => {
                reader.tests_left += 1;
                reader.lacks("rows", msg!("import-row-shape"), item.span);
                None
            }
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
        match read_exactly(trimmed).map(whole) {
            Ok(Value::Object(fields)) => {
                let is_decimal = |of: &[u8]| of[0].is_ascii_digit() && of[1] == b'.' && of[2].is_ascii_digit();
                let written =
                    if trimmed.as_bytes().windows(3).any(is_decimal) { tree_of(reader, trimmed) } else { None };
                let written = written.and_then(|node| as_written(&node, trimmed));
                rows.push(DatasetRow { fields, written, span });
            }
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

fn tree_of(reader: &CaseReader, line: &str) -> Option<Node> {
    let file = eval_spec::source::SourceFile { name: String::new(), text: line.to_owned() };
    tree::parse(Format::Json, line, 0, &mut Problems::new(reader.context, &file.into()))
}

/// The fields of a row with decimal numbers as texts, as they are written: `1.50` is another answer than `1.5`. `None` where
/// no number is changed by that. Those with an exponent are written out, as people do.
fn as_written(node: &Node, text: &str) -> Option<Map<String, Value>> {
    fn value(node: &Node, text: &str, is_changed: &mut bool) -> Value {
        match &node.data {
            NodeData::List(items) => items.iter().map(|item| value(item, text, is_changed)).collect(),
            NodeData::Object(entries) => {
                entries.iter().map(|entry| (entry.key.clone(), value(&entry.value, text, is_changed))).collect()
            }
            NodeData::Number(_) => {
                let written = text.get(node.span.start..node.span.start + node.span.len).unwrap_or_default();
                let is_decimal = written.contains('.') && !written.contains(['e', 'E']);
                *is_changed |= is_decimal;
                if is_decimal { json!(written.trim_start_matches('+')) } else { exact(node, text) }
            }
            _ => node.value(),
        }
    }
    let mut is_changed = false;
    match value(node, text, &mut is_changed) {
        Value::Object(fields) if is_changed => Some(fields),
        _ => None,
    }
}

/// A value with its numbers as [`read_exactly`] has them: what no number holds is the text that it is written as.
fn exact(node: &Node, text: &str) -> Value {
    match &node.data {
        NodeData::List(items) => items.iter().map(|item| exact(item, text)).collect(),
        NodeData::Object(entries) => {
            entries.iter().map(|entry| (entry.key.clone(), exact(&entry.value, text))).collect()
        }
        NodeData::Number(_) => {
            let written = text.get(node.span.start..node.span.start + node.span.len).unwrap_or_default();
            match Decimal::read(written).is_some_and(|number| !number.fits(written.trim_start_matches('+'))) {
                true => json!(written),
                false => whole(node.value()),
            }
        }
        _ => node.value(),
    }
}

fn table(reader: &mut CaseReader, source: &CaseSource) -> Vec<DatasetRow> {
    let table = match CaseTable::read(&source.name, &source.text, false) {
        Ok(table) => table,
        Err(fault) => {
            reader.problems.error_with_help(fault.span, fault.message, fault.help);
            return Vec::new();
        }
    };
    let row = |(span, cells): (Span, _)| DatasetRow { fields: filled(cells), written: None, span };
    table.rows().map(row).collect()
}

/// The cells that have something in them.
fn filled<'a>(cells: impl Iterator<Item = (&'a str, &'a str)>) -> Map<String, Value> {
    cells.filter(|(_, cell)| !cell.is_empty()).map(|(name, cell)| (name.to_owned(), json!(cell))).collect()
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
        None => row.written(prompt).and_then(text_of).unwrap_or_default(),
    };
    if text.trim().is_empty() {
        reader.lacks("rows", msg!("import-prompt-empty"), row.span);
        return None;
    }
    let lines = RowChoices::of(row).texts.into_iter().zip('A'..='Z');
    let lines: Vec<String> = lines.map(|(choice, letter)| format!("{letter}) {choice}")).collect();
    Some(if lines.is_empty() { text } else { format!("{text}\n\n{}", lines.join("\n")) })
}

/// A number as people write it: with all of its digits, unless there are very many.
fn digits(number: &Number) -> String {
    /// Above that, zeros are no longer counted.
    const MOST: f64 = 1e40;
    match number.as_f64().filter(|value| number.is_f64() && value.fract() == 0.0 && value.abs() < MOST) {
        Some(value) => value.to_string(),
        None => number.to_string(),
    }
}

fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(of) => Some(digits(of)),
        Value::Bool(of) => Some(of.to_string()),
        Value::Array(items) => Some(items.iter().filter_map(text_of).collect::<Vec<_>>().join("\n\n")),
        _ => None,
    }
    .filter(|text| !text.trim().is_empty())
}

/// The choices of a row: a list, or as Hugging Face's data sets also have them, lists of their texts and labels.
#[derive(Default)]
struct RowChoices {
    texts: Vec<String>,
    labels: Vec<String>,
    /// Whether the row has choices of another shape, or more of them than there are letters.
    is_other: bool,
}

impl RowChoices {
    fn of(row: &DatasetRow) -> RowChoices {
        let Some(written) = row.fields.get("choices").filter(|of| !of.is_null()) else { return RowChoices::default() };
        let list = |of: &Value| of.as_array()?.iter().map(text_of).collect::<Option<Vec<String>>>();
        let texts = list(written.get("text").unwrap_or(written)).filter(|texts| texts.len() <= 26);
        let labels = written.get("label").and_then(list).unwrap_or_default();
        RowChoices { is_other: texts.is_none(), labels, texts: texts.unwrap_or_default() }
    }

    /// The place of the choice that an answer means by its label, its text, its place or its letter; and whether it is
    /// the text of that choice.
    fn meant(&self, answer: &Value) -> Option<(usize, bool)> {
        let written = text_of(answer)?;
        let written = written.trim();
        let place_in = |list: &[String]| list.iter().position(|of| of.trim() == written);
        // Where labels are numbers, any other number is no place.
        let is_labelled = self.labels.iter().any(|label| label.parse::<u64>().is_ok());
        let place = || written.parse::<usize>().ok().filter(|at| *at < self.texts.len() && !is_labelled);
        let letter = || match written.as_bytes() {
            [of] if of.is_ascii_alphabetic() => Some(usize::from(of.to_ascii_uppercase() - b'A')),
            _ => None,
        };
        let text = || place_in(&self.texts).map(|at| (at, true));
        let found = place_in(&self.labels).map(|at| (at, false));
        let found = found.or_else(|| if answer.is_string() { text() } else { None });
        let found = found.or_else(|| Some((place().or_else(letter)?, false))).or_else(text);
        found.filter(|(at, _)| *at < self.texts.len())
    }
}

fn is_answer(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::String(text) => !text.trim().is_empty(),
        Value::Array(items) => items.iter().any(is_answer),
        _ => true,
    }
}

/// The answers that are right. Among choices these are letters, or the choices' own texts where all of them are written
/// so; none where one of them is no choice.
fn answers(value: &Value, choices: &RowChoices) -> Vec<Value> {
    let written = written_answers(value);
    if choices.texts.is_empty() {
        return written;
    }
    let Some(meant) = written.iter().map(|answer| choices.meant(answer)).collect::<Option<Vec<_>>>() else {
        return Vec::new();
    };
    if meant.iter().all(|(_, is_text)| *is_text) && !written.iter().any(is_letter) {
        return written;
    }
    let letters = meant.iter().filter_map(|(at, _)| ('A'..='Z').nth(*at));
    unique(letters.map(|letter| json!(letter.to_string())).collect())
}

fn written_answers(value: &Value) -> Vec<Value> {
    match value {
        Value::Array(items) => items.iter().flat_map(written_answers).collect(),
        Value::Object(fields) => match fields.get("text").filter(|text| text.is_array()) {
            Some(texts) => unique(written_answers(texts)),
            None => vec![value.clone()],
        },
        Value::Null => Vec::new(),
        Value::String(text) if text.trim().is_empty() => Vec::new(),
        other => vec![other.clone()],
    }
}

/// The same answer of several people once.
fn unique(answers: Vec<Value>) -> Vec<Value> {
    let mut kept: Vec<Value> = Vec::new();
    answers.into_iter().for_each(|of| {
        if !kept.contains(&of) {
            kept.push(of);
        }
    });
    kept
}

fn is_letter(answer: &Value) -> bool {
    answer.as_str().is_some_and(|text| text.len() == 1 && text.bytes().all(|of| of.is_ascii_uppercase()))
}

/// A choice by its letter, which stands alone in the answer: nearly every answer contains it within a word.
fn letters(check: &str, answers: &[Value]) -> Option<Value> {
    if check != USUAL_CHECK {
        return assertion(check, answers, "");
    }
    let letters: Vec<&str> = answers.iter().filter_map(Value::as_str).collect();
    let pattern = format!("(?<![A-Za-z])[{}](?![A-Za-z])", letters.concat());
    (!letters.is_empty()).then(|| json!({"type": "regex", "pattern": pattern, "flags": ""}))
}

/// One assertion that any of the answers passes.
fn assertion(check: &str, answers: &[Value], usual: &str) -> Option<Value> {
    // Values are only equal as they are in what a callable skill returns.
    let is_typed = usual == USUAL_SKILL_CHECK && check == USUAL_SKILL_CHECK;
    let texts: Vec<String> = answers.iter().map(|of| text_of(of).unwrap_or_else(|| of.to_string())).collect();
    let one = |(answer, text): (&Value, &String)| match check {
        "semantic_similarity" => json!({"type": check, "reference": text}),
        _ if is_typed => json!({"type": check, "value": answer}),
        _ => json!({"type": check, "value": text}),
    };
    let mut all: Vec<Value> = answers.iter().zip(&texts).map(one).collect();
    Some(match all.len() {
        0 => return None,
        1 => all.remove(0),
        _ if check == USUAL_CHECK => json!({"type": "contains_any", "values": texts}),
        _ => json!({"type": "assert-set", "mode": "any", "children": all}),
    })
}
