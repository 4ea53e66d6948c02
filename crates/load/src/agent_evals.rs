//! The Agent Skills `evals/evals.json`, read-only: `skill_name`, and `evals` with `id`, `prompt`, `expected_output`,
//! `files`, and `expectations` (formerly `assertions`).
//!
//! Each eval is a sample. Every expectation is an assertion of its own that a judge grades; where there are none, the
//! expected output is the only one. The format belongs to others and grows, so unknown keys are warnings here.

use std::path::{Component, Path, PathBuf};

use eval_message::msg;
use eval_spec::sample::{AgentSkillsEval, EXPECTATION, Environment};
use eval_spec::{Assertion, Context, Diagnostic, Diagnostics, Sample};
use serde_json::{Map, Value, json};

use super::decode::{self, ObjectFields};
use super::file::{MAX_BYTES, read_bytes};
use super::problems::Problems;
use super::samples::{self, sample_id};
use super::tree::{Node, NodeData, ObjectEntry};
use super::triggers::QUERY_KEYS;

/// Folders of skills, below the one of a plugin or project.
const SKILL_FOLDERS: [&str; 4] = ["skills", ".claude/skills", ".agents/skills", ".gemini/skills"];

/// The folder of the skill that an `evals.json` belongs to: the one around it, or around its `evals` folder; else the one
/// that its `skill_name` names among the skills of the plugin or project around it, or the only one there. `None` of any
/// other sample file, and where there is no `SKILL.md`.
#[must_use]
pub fn evals_skill(context: &Context, path: &Path) -> Option<PathBuf> {
    let path = context.absolute(path);
    if !path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json")) {
        return None;
    }
    let folder = path.parent()?;
    // Errors of the file are reported when it is read as samples.
    let root = serde_json::from_slice::<Value>(&read_bytes(&path, MAX_BYTES).ok()?).ok();
    let is_evals = root.as_ref().is_none_or(|root| {
        let items = root.get("evals").or(Some(root)).and_then(Value::as_array);
        let is_query = |item: &Value| QUERY_KEYS.iter().any(|key| item.get(*key).is_some());
        let is_eval = |item: &Value| item.get("prompt").is_some() && item.get("expectations").is_some();
        match root.get("evals") {
            Some(_) => !items.into_iter().flatten().any(is_query),
            None => items.into_iter().flatten().any(is_eval),
        }
    });
    let name = root.as_ref().and_then(|root| root.get("skill_name")?.as_str());
    is_evals.then(|| skill_around(folder).or_else(|| skill_of_plugin(folder, name)))?
}

/// The skill of that name in a folder of skills above `folder`, or the only skill there if no name is given.
fn skill_of_plugin(folder: &Path, name: Option<&str>) -> Option<PathBuf> {
    let folders = || {
        let above = folder.ancestors().take(4);
        above.flat_map(|above| SKILL_FOLDERS.iter().map(move |skills| above.join(skills)))
    };
    let is_skill = |folder: &PathBuf| folder.join("SKILL.md").is_file();
    if let Some(name) = name {
        let is_name = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
        return folders().map(|folder| folder.join(name)).find(|folder| is_name && is_skill(folder));
    }
    folders().find_map(|folder| {
        let mut skills = std::fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path()).filter(is_skill);
        skills.next().filter(|_| skills.next().is_none())
    })
}

/// The list of evals in a file: its `evals`, or the whole of it where the object around them is missing.
pub(super) fn list(root: &Node) -> Option<&Node> {
    let is_text = |of: &Node| matches!(of.data, NodeData::Text(_)) || of.get("text").is_some();
    let asserts = |item: &Node| match item.get("assertions").map(|of| &of.data) {
        Some(NodeData::List(all)) => item.get("id").is_some() && !all.is_empty() && all.iter().all(is_text),
        _ => false,
    };
    let is_eval = |item: &Node| item.get("prompt").is_some() && (item.get("expectations").is_some() || asserts(item));
    match &root.data {
        NodeData::Object(_) => root.get("evals").filter(|_| root.get("samples").is_none()),
        NodeData::List(items) => items.iter().any(is_eval).then_some(root),
        _ => None,
    }
}

/// The nearest folder with a `SKILL.md`: this one, or the one above.
fn skill_around(folder: &Path) -> Option<PathBuf> {
    folder.ancestors().take(2).find(|folder| folder.join("SKILL.md").is_file()).map(Path::to_owned)
}

/// The diagnostics of the `evals/evals.json` of the skill in `folder`; `None` when there is no such file.
pub(super) fn check(context: &Context, folder: &Path) -> Option<(PathBuf, Vec<Diagnostic>)> {
    let path = folder.join("evals").join("evals.json");
    if !path.is_file() {
        return None;
    }
    let found = match samples::samples(context, &path, &[]) {
        Ok(loaded) => loaded.warnings,
        Err(Diagnostics(found)) => found,
    };
    Some((path, found))
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

/// The samples of an `evals.json` in the folder `base`.
pub(super) fn evals(root: &Node, base: &Path, problems: &mut Problems) -> Vec<Sample> {
    let mut node = root;
    if !matches!(root.data, NodeData::List(_)) {
        let Some(fields) = decode::any_object(root, problems) else { return Vec::new() };
        warn_unknown(fields, ROOT_KEYS, problems);
        if let Some(node) = fields.get("skill_name") {
            let name = decode::filled_text(node, problems);
            check_known(node, name.as_deref(), base, problems);
            warn_other_name(node, name, base, problems);
        }
        let Some(evals) = fields.require("evals", problems) else { return Vec::new() };
        node = evals;
    }
    let Some(items) = decode::list(node, "list-of-samples", problems) else { return Vec::new() };
    if items.is_empty() && !node.cut {
        problems.error(node.span, msg!("load-samples-empty"));
    }
    let samples: Vec<Sample> = items.iter().filter_map(|item| eval(item, base, problems)).collect();
    if samples.iter().all(|sample| sample.assertions.is_empty()) && !problems.has_errors() {
        problems.error_with_help(node.span, msg!("load-evals-no-expectations"), Some(msg!("load-evals-unscored-help")));
    }
    samples
}

/// The most names of skills in an error.
const MAX_NAMES: usize = 20;

/// Beside the skills of a plugin or project, the name must be one of theirs: nothing else says which skill is meant.
fn check_known(node: &Node, name: Option<&str>, base: &Path, problems: &mut Problems) {
    let Some(name) = name.filter(|name| skill_around(base).is_none() && skill_of_plugin(base, Some(name)).is_none())
    else {
        return;
    };
    let folders = base.ancestors().take(4).flat_map(|above| SKILL_FOLDERS.iter().map(move |skills| above.join(skills)));
    let skills = folders.filter_map(|folder| std::fs::read_dir(folder).ok()).flatten().flatten();
    let skills = skills.filter(|entry| entry.path().join("SKILL.md").is_file());
    let mut known: Vec<String> = skills.map(|entry| format!("`{}`", entry.file_name().to_string_lossy())).collect();
    if known.is_empty() {
        return;
    }
    known.sort_unstable();
    known.dedup();
    if known.len() > MAX_NAMES {
        known.truncate(MAX_NAMES);
        known.push("…".to_owned());
    }
    let message = msg!("load-evals-unknown-skill", name = decode::short(name), known = known.join(", "));
    problems.error(node.span, message);
}

/// A skill is called as its folder is.
fn warn_other_name(node: &Node, name: Option<String>, base: &Path, problems: &mut Problems) {
    let folder = skill_around(base).and_then(|folder| Some(folder.file_name()?.to_string_lossy().into_owned()));
    if let (Some(other), Some(own)) = (name, folder)
        && own != other
    {
        problems.warning(node.span, msg!("load-evals-other-name", own = own, other = other), None);
    }
}

fn warn_unknown(fields: ObjectFields<'_>, known: &[&str], problems: &mut Problems) {
    let unknown = |entry: &&ObjectEntry| !known.contains(&entry.key.as_str());
    for entry in fields.entries.iter().filter(unknown) {
        problems.warning(entry.key_span, msg!("load-key-ignored", key = entry.key.as_str()), None);
    }
}

fn eval(node: &Node, base: &Path, problems: &mut Problems) -> Option<Sample> {
    let fields = decode::any_object(node, problems)?;
    warn_unknown(fields, EVAL_KEYS, problems);
    let prompt = fields.require("prompt", problems).and_then(|node| decode::filled_text(node, problems));
    let expected = fields.decoded("expected_output", decode::text, problems);
    let expected: Vec<String> = expected.filter(|text| !text.trim().is_empty()).into_iter().collect();
    let mut stated = Vec::new();
    for key in ["expectations", "assertions"] {
        stated.extend(fields.get(key).map(|node| stated_expectations(node, problems)).unwrap_or_default());
    }
    let expectations = if stated.is_empty() { expected } else { stated };
    if expectations.is_empty() && !node.cut {
        problems.warning(node.span, msg!("load-nothing-scored"), Some(msg!("load-evals-unscored-help")));
    }
    let files = fields.decoded("files", decode::texts, problems).unwrap_or_default();
    if let (Some(node), false) = (fields.get("files"), files.is_empty()) {
        problems.warning(node.span, msg!("load-evals-files"), None);
    }
    let name = fields.decoded("name", decode::filled_text, problems);
    let id_node = fields.require("id", problems)?;
    let text = id(id_node, problems)?;
    let written = match &id_node.data {
        NodeData::Number(number) => Value::Number(number.clone()),
        _ => Value::String(text.clone()),
    };
    Some(Sample {
        id: text,
        prompt: prompt?,
        prompt_place: fields.get("prompt").map(|node| problems.place(node.span)),
        assertions: expectations.iter().map(|text| expectation(text, base, node, problems)).collect(),
        environment: (!files.is_empty())
            .then(|| Environment { files_available: files.clone(), ..Environment::default() }),
        eval: Some(AgentSkillsEval { id: written, name, files }),
        // No other tool puts pages in the place of addresses.
        keeps_urls: true,
        is_plain: false,
        place: Some(problems.head(id_node.span)),
        ..Sample::default()
    })
}

/// A number or a text; the format has both.
fn id(node: &Node, problems: &mut Problems) -> Option<String> {
    match &node.data {
        NodeData::Number(number) if !number.is_f64() => Some(number.to_string()),
        _ => sample_id(node, problems),
    }
}

/// Texts, or objects with a `text`, as graded files repeat them.
fn stated_expectations(node: &Node, problems: &mut Problems) -> Vec<String> {
    let Some(items) = decode::list(node, "list-of-texts", problems) else { return Vec::new() };
    let text = |item: &Node, problems: &mut Problems| match item.get("text") {
        Some(text) => decode::filled_text(text, problems),
        None => decode::filled_text(item, problems),
    };
    items.iter().filter_map(|item| text(item, problems)).collect()
}
