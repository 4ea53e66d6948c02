//! The Agent Skills `evals/evals.json`, read-only: `skill_name`, and `evals` with `id`,
//! `prompt`, `expected_output`, `files`, and `expectations` (formerly `assertions`).
//!
//! As a sample file, the expected output and the expectations become one rubric, a line each. As a suite of its own
//! ([`evals`]), every expectation is judged by itself. The format belongs to others and grows, so unknown keys are
//! warnings here.

use std::path::{Path, PathBuf};

use eval_message::msg;
use eval_spec::sample::{EXPECTATION, Environment};
use eval_spec::source::Span;
use eval_spec::{Assertion, Context, Diagnostics, Sample};
use serde_json::{Map, Value, json};

use super::decode::{self, ObjectFields};
use super::problems::Problems;
use super::samples::{SampleFile, sample_file, sample_id, unique};
use super::tree::{self, Format, Node, NodeData, ObjectEntry};
use super::{Loaded, file};

/// An `evals/evals.json`.
#[derive(Clone, Debug)]
pub struct EvalsFile {
    /// The name it gives the skill.
    pub skill_name: Option<String>,
    /// The evals, in file order.
    pub evals: Vec<Eval>,
    /// The same as samples, whose assertions are the expectations.
    pub samples: SampleFile,
}

/// What an eval says beside its prompt.
#[derive(Clone, Debug, PartialEq)]
pub struct Eval {
    /// As written: a number or a text.
    pub id: Value,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// What holds of a good answer, statement by statement: the expectations, or the expected output where there are
    /// none.
    pub expectations: Vec<String>,
    /// The files it names.
    pub files: Vec<String>,
}

/// Reads an `evals.json` whose expectations are judged one by one.
///
/// # Errors
/// Everything that is wrong with the file, in file order.
pub fn evals(context: &Context, path: &Path) -> Result<Loaded<EvalsFile>, Diagnostics> {
    let path = context.absolute(path);
    let source = file::read(context, &path)?;
    let mut problems = Problems::new(context, &source);
    let base = path.parent().map(Path::to_owned).unwrap_or_default();
    let root = tree::parse(Format::Json, &source.text, 0, &mut problems);
    let found = root.as_ref().map(|root| parsed(root, &mut problems)).unwrap_or_default();
    if root.is_none() && !problems.has_errors() {
        problems.error(Span::default(), msg!("load-samples-empty"));
    }
    let skill_name = root.as_ref().and_then(|root| root.get("skill_name")).and_then(|node| match &node.data {
        NodeData::Text(name) => Some(name.clone()),
        _ => None,
    });
    let (mut evals, mut samples) = (Vec::new(), Vec::new());
    for (node, found) in found {
        let Parsed { mut sample, eval, .. } = found;
        sample.assertions = eval.expectations.iter().map(|text| expectation(text, &base, node, &problems)).collect();
        evals.push(eval);
        samples.push(sample);
    }
    let samples = unique(samples, &mut problems);
    let loaded = problems.finish((evals, samples))?;
    let (evals, samples) = loaded.value;
    let samples = sample_file(samples, path, &source);
    Ok(Loaded { value: EvalsFile { skill_name, evals, samples }, warnings: loaded.warnings })
}

fn expectation(text: &str, base: &Path, eval: &Node, problems: &Problems) -> Assertion {
    let written: Map<String, Value> =
        [("type".to_owned(), json!(EXPECTATION)), ("value".to_owned(), json!(text))].into_iter().collect();
    Assertion {
        kind: EXPECTATION.to_owned(),
        weight: 1.0,
        not: false,
        written,
        children: Vec::new(),
        base: PathBuf::from(base),
        place: Some(problems.head(eval.span)),
        field_places: std::collections::BTreeMap::new(),
    }
}

const ROOT_KEYS: &[&str] = &["skill_name", "evals"];
const EVAL_KEYS: &[&str] = &["id", "name", "prompt", "expected_output", "files", "expectations", "assertions"];

/// The samples of an `evals.json`, each with a rubric.
pub(super) fn samples(root: &Node, problems: &mut Problems) -> Vec<Sample> {
    let with_rubric = |(_, found): (&Node, Parsed)| {
        let rubric = (!found.lines.is_empty()).then(|| rubric(&found.lines));
        Sample { rubric, ..found.sample }
    };
    parsed(root, problems).into_iter().map(with_rubric).collect()
}

/// An eval as read; its sample has nothing to be graded by yet.
struct Parsed {
    sample: Sample,
    eval: Eval,
    /// The expected output and the expectations.
    lines: Vec<String>,
}

fn parsed<'n>(root: &'n Node, problems: &mut Problems) -> Vec<(&'n Node, Parsed)> {
    let Some(fields) = decode::any_object(root, problems) else { return Vec::new() };
    warn_unknown(fields, ROOT_KEYS, problems);
    if let Some(node) = fields.get("skill_name") {
        decode::filled_text(node, problems);
    }
    let Some(node) = fields.require("evals", problems) else { return Vec::new() };
    let Some(items) = decode::list(node, "list-of-samples", problems) else { return Vec::new() };
    if items.is_empty() && !node.cut {
        problems.error(node.span, msg!("load-samples-empty"));
    }
    items.iter().filter_map(|item| Some((item, eval(item, problems)?))).collect()
}

fn warn_unknown(fields: ObjectFields<'_>, known: &[&str], problems: &mut Problems) {
    let unknown = |entry: &&ObjectEntry| !known.contains(&entry.key.as_str());
    for entry in fields.entries.iter().filter(unknown) {
        problems.warning(entry.key_span, msg!("load-key-ignored", key = entry.key.as_str()), None);
    }
}

fn eval(node: &Node, problems: &mut Problems) -> Option<Parsed> {
    let fields = decode::any_object(node, problems)?;
    warn_unknown(fields, EVAL_KEYS, problems);
    let prompt = fields.require("prompt", problems).and_then(|node| decode::filled_text(node, problems));
    let expected = fields.get("expected_output").and_then(|node| decode::text(node, problems));
    let expected: Vec<String> = expected.filter(|text| !text.trim().is_empty()).into_iter().collect();
    let mut stated = Vec::new();
    for key in ["expectations", "assertions"] {
        stated.extend(fields.get(key).map(|node| expectations(node, problems)).unwrap_or_default());
    }
    let lines: Vec<String> = expected.iter().chain(&stated).cloned().collect();
    if lines.is_empty() && !node.cut {
        problems.warning(node.span, msg!("load-nothing-scored"), Some(msg!("load-evals-unscored-help")));
    }
    let files = fields.get("files").and_then(|node| decode::texts(node, problems)).unwrap_or_default();
    if let (Some(node), false) = (fields.get("files"), files.is_empty()) {
        problems.warning(node.span, msg!("load-evals-files"), None);
    }
    let name = fields.get("name").and_then(|node| decode::filled_text(node, problems));
    let id_node = fields.require("id", problems)?;
    let text = id(id_node, problems)?;
    let written = match &id_node.data {
        NodeData::Number(number) => Value::Number(number.clone()),
        _ => Value::String(text.clone()),
    };
    let expectations = if stated.is_empty() { expected } else { stated };
    let eval = Eval { id: written, name, expectations, files: files.clone() };
    let sample = Sample {
        id: text,
        prompt: prompt?,
        environment: (!files.is_empty()).then(|| Environment { files_available: files, ..Environment::default() }),
        place: Some(problems.head(id_node.span)),
        ..Sample::default()
    };
    Some(Parsed { sample, eval, lines })
}

/// A number or a text; the format has both.
fn id(node: &Node, problems: &mut Problems) -> Option<String> {
    match &node.data {
        NodeData::Number(number) if !number.is_f64() => Some(number.to_string()),
        _ => sample_id(node, problems),
    }
}

fn rubric(lines: &[String]) -> String {
    let lines: Vec<String> = lines.iter().map(|line| format!("- {}", line.trim())).collect();
    lines.join("\n")
}

/// Texts, or objects with a `text`, as graded files repeat them.
fn expectations(node: &Node, problems: &mut Problems) -> Vec<String> {
    let Some(items) = decode::list(node, "list-of-texts", problems) else { return Vec::new() };
    let text = |item: &Node, problems: &mut Problems| match item.get("text") {
        Some(text) => decode::filled_text(text, problems),
        None => decode::filled_text(item, problems),
    };
    items.iter().filter_map(|item| text(item, problems)).collect()
}
