//! GAIA's `metadata.jsonl` (huggingface.co/datasets/gaia-benchmark/GAIA): on each line an object with `task_id`,
//! `Question`, `Level`, `Final answer`, `file_name` and `Annotator Metadata`. The answers of the test set are withheld:
//! there they are `?`.

use std::collections::HashMap;
use std::path::Path;

use eval_message::{Message, msg};
use eval_spec::callable::read_exactly;
use eval_spec::source::Span;
use serde_json::{Map, Value, json};

use super::super::problems::Problems;
use super::ImportHead;

/// The level of `gaia-v1`.
const USUAL: u32 = 1;

pub(super) fn head(level: Option<u32>) -> ImportHead {
    let level = level.unwrap_or(USUAL);
    ImportHead {
        id: if level == USUAL { "gaia-v1".to_owned() } else { format!("gaia-v1-level-{level}") },
        name: format!("GAIA, level {level}"),
        domain: "general",
        description: "GAIA's questions ({\"question\": …, \"file\": the path of an attached file}), scored by its \
                      normalised exact match. Don't publish it: its authors ask that it isn't spread.",
        max_latency_ms: 300_000,
        source: "https://huggingface.co/datasets/gaia-benchmark/GAIA",
    }
}

pub(super) fn tasks(text: &str, folder: &Path, level: Option<u32>, problems: &mut Problems) -> Vec<Value> {
    let others = level.is_none().then_some((Span::default(), 0));
    let level = level.unwrap_or(USUAL);
    let mut reader =
        GaiaReader { folder, level, others, first: HashMap::new(), withheld: None, missing: None, problems };
    let mut tasks = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim();
        let span = Span { start: start + (line.len() - line.trim_start().len()), len: trimmed.len() };
        start += line.len();
        if !trimmed.is_empty() {
            tasks.extend(reader.line(trimmed, span));
        }
    }
    reader.left_out();
    tasks
}

struct GaiaReader<'a> {
    folder: &'a Path,
    level: u32,
    /// Lines of other levels, if no level was requested: the first of them, and how many.
    others: Option<(Span, usize)>,
    /// Where each id came first.
    first: HashMap<String, Span>,
    /// Lines without an answer: the first of them, and how many.
    withheld: Option<(Span, usize)>,
    /// Attached files that aren't there: the first one's line and name, and how many.
    missing: Option<(Span, String, usize)>,
    problems: &'a mut Problems,
}

impl GaiaReader<'_> {
    fn line(&mut self, line: &str, span: Span) -> Option<Value> {
        let fields = match read_exactly(line) {
            Ok(Value::Object(fields)) => fields,
            Ok(_) => return self.wrong(span, msg!("skills-grade-import-no-object")),
            Err(error) => {
                let at = Span { start: span.start + error.column().saturating_sub(1).min(span.len), len: 1 };
                return self.wrong(at, msg!("skills-grade-import-no-json", error = error.to_string()));
            }
        };
        let [id, question, answer] = ["task_id", "Question", "Final answer"].map(|key| self.filled(&fields, key, span));
        let level = self.level_of(&fields, span);
        let file = self.file(&fields, span);
        let (id, question, answer, level, file) = (id?, question?, answer?, level?, file?);
        if let Some(first) = self.first.get(&id).copied() {
            self.problems.repeated(span, first, msg!("skills-grade-import-twice", id = id));
            return None;
        }
        self.first.insert(id.clone(), span);
        if self.level != level {
            self.others = self.others.map(|(first, count)| (if count == 0 { span } else { first }, count + 1));
            return None;
        }
        if answer.trim() == "?" {
            let (first, count) = self.withheld.unwrap_or((span, 0));
            self.withheld = Some((first, count + 1));
            return None;
        }
        Some(task(&id, &question, &answer, level, file))
    }

    fn wrong<T>(&mut self, span: Span, message: Message) -> Option<T> {
        self.problems.error(span, message);
        None
    }

    fn filled(&mut self, fields: &Map<String, Value>, key: &'static str, span: Span) -> Option<String> {
        match fields.get(key) {
            Some(Value::String(text)) if !text.trim().is_empty() => Some(text.clone()),
            Some(number @ Value::Number(_)) if key == "Final answer" => Some(number.to_string()),
            None => self.wrong(span, msg!("load-missing-key", key = key)),
            Some(_) => self.wrong(span, msg!("skills-grade-import-no-text", key = key)),
        }
    }

    /// A number, or a text that is one.
    fn level_of(&mut self, fields: &Map<String, Value>, span: Span) -> Option<u32> {
        let level = match fields.get("Level") {
            Some(Value::String(text)) => text.trim().parse().ok(),
            Some(other) => other.as_u64(),
            None => return self.wrong(span, msg!("load-missing-key", key = "Level")),
        };
        match level.and_then(|level| u32::try_from(level).ok()).filter(|level| (1..=3).contains(level)) {
            Some(level) => Some(level),
            None => self.wrong(span, msg!("skills-grade-import-level")),
        }
    }

    /// The attached file's path, if there is one: it lies beside `metadata.jsonl`.
    fn file(&mut self, fields: &Map<String, Value>, span: Span) -> Option<Option<String>> {
        let name = match fields.get("file_name") {
            None | Some(Value::Null) => return Some(None),
            Some(Value::String(name)) if name.is_empty() => return Some(None),
            Some(Value::String(name)) => name,
            Some(_) => return self.wrong(span, msg!("skills-grade-import-no-text", key = "file_name")),
        };
        let strange = name.contains(['/', '\\']) || name.chars().any(char::is_control) || name.starts_with('.');
        if strange {
            return self.wrong(span, msg!("skills-grade-import-file-name", name = super::super::decode::short(name)));
        }
        let path = self.folder.join(name);
        if !path.is_file() {
            let (first, shown, count) = self.missing.take().unwrap_or((span, name.clone(), 0));
            self.missing = Some((first, shown, count + 1));
        }
        Some(Some(path.to_string_lossy().into_owned()))
    }

    fn left_out(self) {
        if let Some((span, count @ 1..)) = self.others {
            let help = Some(msg!("skills-grade-import-levels-help"));
            self.problems.warning(span, msg!("skills-grade-import-levels", level = self.level, count = count), help);
        }
        if let Some((span, count)) = self.withheld {
            self.problems.warning(span, msg!("skills-grade-import-withheld", count = count), None);
        }
        if let Some((span, name, count)) = self.missing {
            let help = Some(msg!("skills-grade-import-files-help"));
            self.problems.warning(span, msg!("skills-grade-import-files", name = name, count = count), help);
        }
    }
}

fn task(id: &str, question: &str, answer: &str, level: u32, file: Option<String>) -> Value {
    let mut tags = vec![format!("level-{level}")];
    tags.extend(file.iter().map(|_| "file".to_owned()));
    let mut input = json!({ "question": question });
    if let (Some(file), Value::Object(fields)) = (file, &mut input) {
        fields.insert("file".to_owned(), Value::String(file));
    }
    json!({
        "id": id,
        "inputData": input,
        "expectedOutput": { "type": "gaia", "answer": answer },
        "evaluator": { "type": "gaia" },
        "tags": tags,
    })
}
