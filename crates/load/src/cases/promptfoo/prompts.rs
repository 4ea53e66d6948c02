//! Prompts → artifacts, and the words of each sample.

use std::fmt::Write as _;

use eval_message::msg;
use eval_spec::source::Span;
use serde_json::Value;

use super::super::reader::CaseReader;
use super::super::table::CaseTable;
use super::chat::conversation;
use super::scalar::{number_text, scalar};
use super::templates::{Templates, first_tag, is_template};
use super::tests::{TestCase, is_pattern, matching, program};
use crate::tree::{Format, Node, NodeData};

/// A prompt of the configuration.
pub(super) struct PromptTemplate {
    name: String,
    /// All of it.
    whole: String,
    /// What is the same for every test, if it can be told apart from the rest.
    system: String,
    /// A template of the rest.
    user: String,
}

/// How the prompts of samples are made.
pub(super) enum PromptShape {
    /// All prompts have the same part with variables: it is rendered.
    Shared(String),
    /// Each has its variables elsewhere: the artifacts name them, and the sample's prompt gives their values.
    Named(Vec<String>),
    /// There is no prompt that can be used.
    None,
}

/// The prompts, conversations and files among them.
pub(super) fn read(reader: &mut CaseReader, root: &Node) -> Vec<PromptTemplate> {
    let mut found = Vec::new();
    let Some(node) = root.get("prompts").filter(|node| !matches!(node.data, NodeData::Null)) else {
        // What promptfoo asks where nothing is written.
        one(reader, "{{prompt}}", None, root.span, &mut found);
        return found;
    };
    match &node.data {
        NodeData::List(items) => items.iter().for_each(|item| add(reader, item, &mut found)),
        // `{path: name}`
        NodeData::Object(entries) => {
            for entry in entries {
                let name = scalar(&entry.value).unwrap_or_else(|| entry.key.clone());
                written(reader, &entry.key, Some(name), entry.key_span, &mut found);
            }
        }
        _ => add(reader, node, &mut found),
    }
    found
}

fn add(reader: &mut CaseReader, node: &Node, found: &mut Vec<PromptTemplate>) {
    match &node.data {
        NodeData::Text(text) => written(reader, text, None, node.span, found),
        NodeData::Object(_) => {
            let of = |key: &str| node.get(key).and_then(scalar);
            let name = of("label").or_else(|| of("id").filter(|id| !id.starts_with("file://")));
            match of("raw").or_else(|| of("template")).or_else(|| of("id")) {
                Some(text) => written(reader, &text, name, node.span, found),
                None => reader.lacks("`prompts`", msg!("import-prompt-shape"), node.span),
            }
        }
        _ => reader.lacks("`prompts`", msg!("import-prompt-shape"), node.span),
    }
}

/// Endings of files that hold a prompt's text.
const TEXT_ENDINGS: &[&str] = &[".txt", ".md", ".json", ".yaml", ".yml", ".j2", ".jinja", ".njk", ".jsonl", ".csv"];

/// A text, or the file that it names; one file may hold several prompts with a line `---` between them.
fn written(reader: &mut CaseReader, text: &str, name: Option<String>, span: Span, found: &mut Vec<PromptTemplate>) {
    let is_name = |ending: &&str| text.ends_with(*ending) && !text.contains(['\n', '{', ' ']);
    let is_program = text.starts_with("exec:") || (program(text).is_some() && !text.contains(char::is_whitespace));
    // A pattern without a file is a text.
    let is_glob = text.contains('*') && !text.contains(['\n', '{']) && !matching(reader.folder, text).is_empty();
    let is_file = text.starts_with("file://") || is_program || is_glob || TEXT_ENDINGS.iter().any(is_name);
    if !is_file {
        return one(reader, text, name, span, found);
    }
    if is_pattern(text) && !is_program {
        let names = matching(reader.folder, text.strip_prefix("file://").unwrap_or(text));
        if names.is_empty() {
            reader.lacks(format!("`{text}`"), msg!("import-tests-no-file"), span);
        }
        return names.iter().for_each(|name| written(reader, &format!("file://{name}"), None, span, found));
    }
    let file = text.rsplit('/').next().unwrap_or(text).to_owned();
    if !TEXT_ENDINGS.iter().any(|ending| text.ends_with(ending)) {
        return reader.lacks(format!("`{file}`"), msg!("import-prompt-code"), span);
    }
    let content = match reader.beside(text) {
        Ok(content) => content,
        Err(why) => return reader.lacks(format!("`{file}`"), why, span),
    };
    let stem = file.split('.').next().unwrap_or(&file).to_owned();
    let name = name.unwrap_or(stem);
    if file.ends_with(".yaml") || file.ends_with(".yml") {
        let content = messages_of_yaml(reader, &content).unwrap_or(content);
        return one(reader, &content, Some(name), span, found);
    }
    if file.ends_with(".csv") {
        return table(reader, &file, &content, span, found);
    }
    let parts: Vec<&str> = match file.ends_with(".jsonl") {
        true => content.lines().collect(),
        false => content.split("\n---\n").collect(),
    };
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.trim().is_empty()).collect();
    for (at, part) in parts.iter().enumerate() {
        let name = if parts.len() == 1 { name.clone() } else { format!("{name}-{}", at + 1) };
        one(reader, part, Some(name), span, found);
    }
}

/// The prompts of a table: a column `prompt`, and `label` if it is there; a table of one column needs no names.
fn table(reader: &mut CaseReader, file: &str, text: &str, span: Span, found: &mut Vec<PromptTemplate>) {
    let stem = file.trim_end_matches(".csv");
    let named = |at: usize| format!("{stem}-{}", at + 1);
    let head = text.lines().next().unwrap_or_default();
    if !head.contains([',', ';', '\t']) {
        let skipped = usize::from(head.trim().eq_ignore_ascii_case("prompt"));
        let lines = text.lines().skip(skipped).filter(|line| !line.trim().is_empty()).enumerate();
        return lines.for_each(|(at, line)| one(reader, line, Some(named(at)), span, found));
    }
    let table = match CaseTable::read(file, text, true) {
        Ok(table) => table,
        Err(fault) => return reader.lacks(format!("`{file}`"), fault.message, span),
    };
    for (at, (_, cells)) in table.rows().enumerate() {
        let (mut prompt, mut label) = (None, None);
        for (name, cell) in cells.filter(|(_, cell)| !cell.trim().is_empty()) {
            match name {
                "prompt" => prompt = Some(cell),
                "label" => label = Some(cell.to_owned()),
                _ => {}
            }
        }
        match prompt {
            Some(prompt) => one(reader, prompt, label.or_else(|| Some(named(at))), span, found),
            None => reader.lacks(format!("`{file}`"), msg!("import-prompt-row"), span),
        }
    }
}

/// A conversation written in YAML, as JSON.
fn messages_of_yaml(reader: &CaseReader, text: &str) -> Option<String> {
    let name = String::from("prompt");
    let source = std::sync::Arc::new(eval_spec::source::SourceFile { name, text: text.to_owned() });
    let mut own = crate::problems::Problems::new(reader.context, &source);
    let root = crate::tree::parse(Format::ForeignYaml, text, 0, &mut own)?;
    let is_list = matches!(root.data, NodeData::List(_)) && !own.has_errors();
    is_list.then(|| root.value().to_string())
}

fn one(reader: &mut CaseReader, text: &str, name: Option<String>, span: Span, found: &mut Vec<PromptTemplate>) {
    let name = name.unwrap_or_else(|| format!("prompt-{}", found.len() + 1));
    let (whole, system, user) = match conversation(text) {
        Some(Ok(of)) => (format!("{}\n\n{}", of.system, of.user), of.system, of.user),
        Some(Err(())) => return reader.lacks(format!("prompt `{name}`"), msg!("import-prompt-turns"), span),
        None => {
            let at = first_tag(text).unwrap_or(text.len());
            (text.to_owned(), text[..at].trim().to_owned(), text[at..].trim_end().to_owned())
        }
    };
    found.push(PromptTemplate { name, whole, system, user });
}

/// How the samples' prompts are made of these; the artifacts go to the reader.
pub(super) fn shape(reader: &mut CaseReader, prompts: &mut Vec<PromptTemplate>, span: Span) -> PromptShape {
    let [first, others @ ..] = prompts.as_slice() else {
        return PromptShape::None;
    };
    let is_shared = others.iter().all(|of| of.user.trim().eq(first.user.trim()))
        && prompts.iter().all(|of| !is_template(&of.system));
    if is_shared && !first.user.trim().is_empty() {
        let user = first.user.clone();
        reader.has_bare_prompt = prompts.iter().any(|of| of.system.is_empty());
        let own = prompts.drain(..).filter(|of| !of.system.is_empty());
        reader.artifacts.extend(own.map(|of| (of.name, of.system)));
        return PromptShape::Shared(user);
    }
    if let ([], false) = (others, first.user.contains("{%") || first.system.contains("{%"))
        && !is_template(&first.system)
    {
        // No variable at all: the text is what is asked.
        let text = if first.user.trim().is_empty() { first.system.clone() } else { first.user.clone() };
        return PromptShape::Shared(text);
    }
    named(reader, prompts, span)
}

/// Artifacts that name the variables.
fn named(reader: &mut CaseReader, prompts: &mut Vec<PromptTemplate>, span: Span) -> PromptShape {
    let mut names: Vec<String> = Vec::new();
    for of in prompts.drain(..) {
        let Some((text, found)) = with_names(of.whole.trim()) else {
            reader.lacks(format!("prompt `{}`", of.name), msg!("import-prompt-statements"), span);
            continue;
        };
        found.into_iter().for_each(|name| {
            if !names.contains(&name) {
                names.push(name);
            }
        });
        reader.artifacts.push((of.name, text));
    }
    if reader.artifacts.is_empty() {
        return PromptShape::None;
    }
    reader.differs("`prompts`", true, msg!("import-prompt-named"), span);
    PromptShape::Named(names)
}

/// A template with `<name>` in place of each variable, and the names; `None` where it has more than plain variables.
fn with_names(template: &str) -> Option<(String, Vec<String>)> {
    let (mut text, mut names) = (String::new(), Vec::new());
    let mut rest = template;
    while let Some(at) = first_tag(rest) {
        text.push_str(&rest[..at]);
        let inner = rest[at..].strip_prefix("{{")?;
        let end = inner.find("}}")?;
        let name = inner[..end].trim_matches(|of: char| of == '-' || of.is_whitespace());
        let is_plain = name.chars().all(|of| of.is_alphanumeric() || "_.-".contains(of));
        if name.is_empty() || !is_plain || name.starts_with("env.") {
            return None;
        }
        _ = write!(text, "<{name}>");
        names.push(name.to_owned());
        rest = &inner[end + 2..];
    }
    text.push_str(rest);
    Some((text, names))
}

impl PromptShape {
    /// What the model is asked in a test; `None`, with the reason noted, where that can't be told.
    pub(super) fn prompt(&self, reader: &mut CaseReader, templates: &Templates, test: &TestCase) -> Option<String> {
        let text = match self {
            PromptShape::Shared(template) => {
                let whole = format!("{}{template}{}", test.prefix, test.suffix);
                match templates.render(&whole, &test.vars) {
                    Ok(text) => text.trim().to_owned(),
                    Err(why) => {
                        reader.lacks("`prompts`", why, test.span);
                        return None;
                    }
                }
            }
            PromptShape::Named(names) if names.is_empty() && test.prefix.is_empty() && test.suffix.is_empty() => {
                reader.lacks("`prompts`", msg!("import-prompts-static"), test.span);
                return None;
            }
            PromptShape::Named(names) => {
                let lines = names.iter().map(|name| format!("{name}: {}", value(&test.vars, name)));
                let lines = lines.collect::<Vec<_>>().join("\n");
                let around = |text: &str| templates.render(text, &test.vars);
                match (around(&test.prefix), around(&test.suffix)) {
                    (Ok(prefix), Ok(suffix)) => format!("{prefix}{lines}{suffix}"),
                    (Err(why), _) | (_, Err(why)) => {
                        reader.lacks("`prompts`", why, test.span);
                        return None;
                    }
                }
            }
            PromptShape::None => {
                reader.lacks("`tests`", msg!("import-prompt-none"), test.span);
                return None;
            }
        };
        if text.trim().is_empty() {
            reader.lacks("`tests`", msg!("import-prompt-empty"), test.span);
            return None;
        }
        Some(text)
    }
}

/// The value of a variable, by its dotted name, as text.
fn value(vars: &serde_json::Map<String, Value>, name: &str) -> String {
    let mut parts = name.split('.');
    let first = parts.next().and_then(|part| vars.get(part));
    match parts.try_fold(first.unwrap_or(&Value::Null), |of, part| of.get(part)) {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Null) | None => String::new(),
        Some(Value::Number(number)) => number_text(number),
        Some(other) => other.to_string(),
    }
}
