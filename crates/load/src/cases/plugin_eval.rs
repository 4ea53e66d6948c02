//! The cases of `claude plugin eval`: folders with `prompt.md` and `graders/*.md`, or with `case.yaml`.

use std::path::{Path, PathBuf};

use eval_message::{Message, msg};
use eval_spec::Diagnostics;
use serde_json::{Map, Value, json};

use super::reader::{Case, CaseCheck, CaseReader, CaseSource, RowColumns, number};
use crate::file;
use crate::skill::{self, TextKind};

/// Folders below the one that is imported are looked at down to this depth.
const MAX_DEPTH: usize = 8;

/// More files than this in one folder are no cases.
const MAX_ENTRIES: usize = 10_000;

pub(super) fn detect(source: &CaseSource) -> bool {
    source.is_folder
}

/// The `evals.json` in a folder that has one, and no case of a plugin.
pub(super) fn evals_file(folder: &Path) -> Option<PathBuf> {
    let files = [folder.join("evals.json"), folder.join("evals").join("evals.json")];
    let file = files.into_iter().find(|file| file.is_file())?;
    let mut cases = Vec::new();
    case_folders(folder, 0, &mut cases);
    cases.is_empty().then_some(file)
}

pub(super) fn read(reader: &mut CaseReader, source: &CaseSource, _: &RowColumns) {
    if !source.is_folder {
        let message = msg!("import-no-folder");
        return reader.problems.error(eval_spec::source::Span::default(), message);
    }
    let root = reader.folder.to_owned();
    let mut folders = Vec::new();
    case_folders(&root, 0, &mut folders);
    for folder in &folders {
        case(reader, folder, &folders);
    }
    let unread =
        ["evals.json", "evals/evals.json"].map(|name| root.join(name)).into_iter().filter(|path| path.is_file());
    for path in unread {
        reader.differs_in("`evals.json`", false, msg!("import-evals-beside"), &path);
    }
}

/// The folders that hold a case, sorted.
fn case_folders(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    if ["prompt.md", "case.yaml"].iter().any(|name| folder.join(name).is_file()) {
        found.push(folder.to_owned());
    }
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    if depth >= MAX_DEPTH {
        return;
    }
    // A link to a folder above would never end.
    let is_folder = |entry: &std::fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_dir());
    let mut below: Vec<PathBuf> =
        entries.take(MAX_ENTRIES).flatten().filter(is_folder).map(|entry| entry.path()).collect();
    below.sort_unstable();
    for folder in below {
        case_folders(&folder, depth + 1, found);
    }
}

/// The fields of a Markdown file's front matter, and its body.
fn parts(reader: &mut CaseReader, path: &Path) -> Option<(Map<String, Value>, String)> {
    let name = reader.problems.shown(path);
    let read = file::read(reader.context, path)
        .and_then(|source| skill::read(reader.context, name, source.text.clone().into_bytes(), TextKind::Fields));
    match read {
        Ok(loaded) => {
            let fields = loaded.value.front_matter.unwrap_or_default();
            Some((fields, loaded.value.body.trim().to_owned()))
        }
        Err(found) => {
            refuse(reader, found);
            None
        }
    }
}

/// Reports what is wrong with another file.
fn refuse(reader: &mut CaseReader, Diagnostics(found): Diagnostics) {
    found.into_iter().for_each(|diagnostic| reader.problems.push(diagnostic));
}

/// `case.yaml` as a value.
fn case_file(reader: &mut CaseReader, path: &Path) -> Option<Value> {
    let read = crate::document::decode_file(reader.context, path, msg!("import-nothing"), |root, _| Some(root.value()));
    match read {
        Ok(loaded) => Some(loaded.value),
        Err(found) => {
            refuse(reader, found);
            None
        }
    }
}

fn case(reader: &mut CaseReader, folder: &Path, cases: &[PathBuf]) {
    let (prompt_file, yaml) = (folder.join("prompt.md"), folder.join("case.yaml"));
    for path in [&prompt_file, &yaml].into_iter().filter(|path| path.is_file()) {
        if !reader.is_inside(path) {
            reader.tests_left += 1;
            return reader.differs_in("`prompt`", false, msg!("import-link"), path);
        }
    }
    let mut fields = Map::new();
    let mut prompt = String::new();
    let mut graders = Vec::new();
    if yaml.is_file() {
        let Some(value) = case_file(reader, &yaml) else { return };
        prompt = value["execution"]["prompt"].as_str().unwrap_or_default().to_owned();
        graders.extend(value["graders"].as_array().into_iter().flatten().map(|of| (of.clone(), yaml.clone())));
        fields.extend(value.as_object().cloned().unwrap_or_default());
        fields.extend(value["execution"].as_object().cloned().unwrap_or_default());
    }
    if prompt_file.is_file() {
        let Some((own, body)) = parts(reader, &prompt_file) else { return };
        fields.extend(own);
        prompt = body;
    }
    let mut outside = Vec::new();
    for path in grader_files(folder) {
        if !reader.is_inside(&path) {
            outside.push(path);
            continue;
        }
        let Some((own, body)) = parts(reader, &path) else { continue };
        let mut grader = Value::Object(own);
        for key in ["criteria", "pattern"] {
            if grader.get(key).is_none() && !body.is_empty() {
                grader[key] = json!(body);
            }
        }
        graders.push((grader, path));
    }
    if prompt.trim().is_empty() {
        reader.tests_left += 1;
        reader.differs_in("`prompt`", false, msg!("import-prompt-empty"), folder);
        return;
    }
    let settings: Vec<String> = fields
        .iter()
        .filter(|(key, value)| !CARRIED.contains(&key.as_str()) && !value.is_null())
        .map(|(key, _)| key.clone())
        .collect();
    for key in &settings {
        let (is_near, why) = match key.as_str() {
            key if OF_THE_RUN.contains(&key) => (true, msg!("import-case-setting")),
            "runs" => (true, msg!("import-repeat")),
            "expected_outcome" => (false, msg!("import-use-rubric")),
            _ => (false, msg!("import-key-unused")),
        };
        reader.differs_in(format!("`{key}`"), is_near, why, folder);
    }
    let name = folder.file_name().map(|name| name.to_string_lossy().into_owned());
    let mut case = Case {
        id: fields.get("name").and_then(Value::as_str).map(str::to_owned).or(name),
        prompt,
        capability: fields
            .get("tags")
            .and_then(Value::as_array)
            .map(|tags| tags.iter().filter_map(|tag| tag.as_str().map(str::to_owned)).collect())
            .unwrap_or_default(),
        is_partial: !settings.is_empty(),
        ..Case::default()
    };
    for (grader, path) in graders {
        add(reader, &mut case, &grader, &path);
    }
    for path in outside {
        lack(reader, &mut case, "grader".to_owned(), msg!("import-link"), &path);
    }
    for path in other_files(folder, cases) {
        other_file(reader, &mut case, &path);
    }
    reader.cases.push(case);
}

/// Keys of a case that are carried over, or say nothing of what is asked and how it is checked.
const CARRIED: &[&str] = &["schema_version", "name", "description", "tags", "prompt", "execution", "graders"];

/// Settings that a run of ours has once for all of its samples.
const OF_THE_RUN: &[&str] = &[
    "model",
    "max_turns",
    "timeout_seconds",
    "allowed_tools",
    "disallowed_tools",
    "append_system_prompt",
    "env",
    "context",
    "plugins",
];

/// What lies in the folder of a case beside its prompt and its Markdown graders, sorted.
fn other_files(folder: &Path, cases: &[PathBuf]) -> Vec<PathBuf> {
    let entries = |folder: &Path| std::fs::read_dir(folder).into_iter().flatten().take(MAX_ENTRIES).flatten();
    let is_known = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        name.starts_with('.') || name.starts_with("readme") || ["prompt.md", "case.yaml", "graders"].contains(&&*name)
    };
    let of_case = entries(folder).map(|entry| entry.path()).filter(|path| !is_known(path));
    let of_graders = entries(&folder.join("graders")).map(|entry| entry.path());
    let of_graders = of_graders.filter(|path| !path.extension().is_some_and(|ending| ending.eq("md")));
    let holds_cases = |path: &PathBuf| cases.iter().any(|case| case.starts_with(path));
    let mut files: Vec<PathBuf> = of_case.chain(of_graders).filter(|path| !holds_cases(path)).collect();
    files.sort_unstable();
    files
}

/// A rubric is what a judge scores by; nothing else has an equal.
fn other_file(reader: &mut CaseReader, case: &mut Case, path: &Path) {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let is_grader = path.parent().is_some_and(|folder| folder.ends_with("graders"));
    if is_grader {
        return lack(reader, case, format!("grader `{name}`"), msg!("import-use-custom"), path);
    }
    if name.eq_ignore_ascii_case("rubric.md") && path.is_file() {
        if !reader.is_inside(path) {
            return lack(reader, case, format!("`{name}`"), msg!("import-link"), path);
        }
        let Some((_, body)) = parts(reader, path) else { return };
        if !body.is_empty() {
            count(reader, &format!("`{name}`"), vec![msg!("import-case-rubric")], path);
            case.criteria.push(body);
        }
        return;
    }
    case.is_partial = true;
    reader.differs_in(format!("`{name}`"), false, msg!("import-case-file"), path);
}

fn grader_files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder.join("graders")) else { return Vec::new() };
    let is_markdown = |path: &PathBuf| path.extension().is_some_and(|ending| ending.eq("md"));
    let mut files: Vec<PathBuf> =
        entries.take(MAX_ENTRIES).flatten().map(|entry| entry.path()).filter(is_markdown).collect();
    files.sort_unstable();
    files
}

/// Adds what a grader checks to a case, and counts it.
fn add(reader: &mut CaseReader, case: &mut Case, grader: &Value, path: &Path) {
    let kind = grader["type"].as_str().unwrap_or_default();
    let what = format!("grader `{kind}`");
    let weight = grader["weight"].as_f64().filter(|weight| weight.is_finite());
    if weight.is_some_and(|weight| weight <= 0.0) {
        return lack(reader, case, what, msg!("import-weightless"), path);
    }
    let mut near = Vec::new();
    if grader["arm"].as_str() == Some("with-only") {
        near.push(msg!("import-grader-arm"));
    }
    if kind == "llm" {
        if weight.is_some_and(|weight| weight.ne(&1.0)) {
            near.push(msg!("import-near-weight"));
        }
        match grader["criteria"].as_str().filter(|_| is_of_answer(&grader["focus"])) {
            Some(text) => {
                count(reader, &what, near, path);
                case.criteria.push(text.to_owned());
            }
            None => lack(reader, case, what, msg!("import-grader-target"), path),
        }
        return;
    }
    match check(kind, grader) {
        Ok(mut check) => {
            if let Some(weight) = weight {
                check["weight"] = number(weight);
            }
            if let Some(why) = reader.refusal(&check) {
                return lack(reader, case, what, why, path);
            }
            let is_near = !near.is_empty();
            count(reader, &what, near, path);
            case.assertions.push(CaseCheck { what, written: check, is_near });
        }
        Err(why) => lack(reader, case, what, why, path),
    }
}

/// Counts a check that was carried over.
fn count(reader: &mut CaseReader, what: &str, near: Vec<Message>, path: &Path) {
    match near.is_empty() {
        true => reader.checks.same += 1,
        false => reader.checks.nearly += 1,
    }
    near.into_iter().for_each(|why| reader.differs_in(what, true, why, path));
}

fn lack(reader: &mut CaseReader, case: &mut Case, what: String, why: Message, path: &Path) {
    case.is_partial = true;
    reader.checks.not += 1;
    reader.differs_in(what, false, why, path);
}

/// Whether a grader reads the answer, and no file or trace.
fn is_of_answer(target: &Value) -> bool {
    target.is_null() || target.as_str() == Some("last_message")
}

fn check(kind: &str, grader: &Value) -> Result<Value, Message> {
    let text = |key: &str| grader[key].as_str().filter(|text| !text.is_empty());
    match kind {
        "regex" => {
            if !is_of_answer(&grader["target"]) {
                return Err(msg!("import-grader-target"));
            }
            let pattern = text("pattern").ok_or_else(|| msg!("import-value"))?;
            let flags = text("flags").unwrap_or_default();
            if flags.contains('y') {
                return Err(msg!("import-regex-sticky"));
            }
            // Neither where the match is nor how many there are counts.
            let flags: String = flags.chars().filter(|flag| !"dg".contains(*flag)).collect();
            let mut check = json!({"type": "regex", "pattern": pattern, "flags": flags});
            match text("match").unwrap_or("contains") {
                "contains" => {}
                "not_contains" => check["not"] = json!(true),
                _ => return Err(msg!("import-use-custom")),
            }
            Ok(check)
        }
        "tool_used" => {
            let tool = text("tool").ok_or_else(|| msg!("import-value"))?;
            let (min, max) = (grader["min"].as_u64().unwrap_or(1), grader["max"].as_u64());
            match (min, max, text("input_match")) {
                (1, None, None) if tool == "Skill" => Ok(json!({"type": "skill_used"})),
                (1, None, None) => Ok(json!({"type": "tools_called", "value": tool})),
                (_, Some(0), None) => Ok(json!({"type": "tools_not_called", "value": tool})),
                _ => Err(msg!("import-use", name = "tool_sequence")),
            }
        }
        "tool_order" => match (text("before"), text("after")) {
            (Some(before), Some(after)) => {
                Ok(json!({"type": "tool_sequence", "mode": "in_order", "values": [before, after]}))
            }
            _ => Err(msg!("import-value")),
        },
        "baseline" => Err(msg!("import-use-pairwise")),
        _ => Err(msg!("import-use-custom")),
    }
}
