//! Skill texts: front matter and body.
//!
//! Front matter that is no YAML is an error, because the injected text would be undefined. Front matter that violates the
//! Agent Skills specification (agentskills.io) is a warning.

use eval_message::msg;
use eval_spec::source::Span;
use eval_spec::{Context, Diagnostics};
use serde_json::{Map, Value};

use super::decode::{self, ObjectFields, did_you_mean};
use super::problems::Problems;
use super::tree::{self, Format, Node, NodeData, ObjectEntry};
use super::{Loaded, file};

/// The parts of a skill's text.
pub(super) struct SkillText {
    /// The injected text.
    pub(super) body: String,
    pub(super) front_matter: Option<Map<String, Value>>,
}

/// What kind of text is read.
#[derive(Clone, Copy)]
pub(super) enum TextKind<'a> {
    /// A SKILL.md in a directory of this name.
    Skill { directory: &'a str },
    /// Another Markdown file: it may have front matter, with any keys.
    Markdown,
    /// The same, with a body that may be empty.
    Fields,
    /// Anything else: all of it is injected.
    Plain,
}

/// Splits a skill's text; `name` is what messages call the file.
pub(super) fn read(
    context: &Context,
    name: String,
    bytes: Vec<u8>,
    kind: TextKind<'_>,
) -> Result<Loaded<SkillText>, Diagnostics> {
    let source = file::text(name, bytes)?;
    let mut problems = Problems::new(context, &source);
    let block = match kind {
        TextKind::Plain => None,
        _ => front_matter_block(&source.text, &mut problems),
    };
    let front_matter = block.as_ref().and_then(|block| front_matter(&source.text, block, kind, &mut problems));
    if let (None, TextKind::Skill { .. }) = (&block, kind) {
        problems.warning(Span::default(), msg!("load-skill-no-front-matter"), Some(msg!("load-skill-front-help")));
    }
    let body = body(&source.text, block.as_ref());
    if body.trim().is_empty() && !problems.has_errors() && !matches!(kind, TextKind::Fields) {
        let span = Span { start: source.text.len(), len: 0 };
        problems.error_with_help(span, msg!("load-skill-empty"), Some(msg!("load-skill-empty-help")));
    }
    problems.finish(SkillText { body: body.to_owned(), front_matter })
}

/// The bytes of the YAML between the two lines of dashes, and where the body begins.
struct FrontMatter {
    yaml: std::ops::Range<usize>,
    body: usize,
}

fn front_matter_block(text: &str, problems: &mut Problems) -> Option<FrontMatter> {
    let first = text.split_inclusive('\n').next().filter(|line| line.trim_end() == "---")?;
    let mut at = first.len();
    for line in text[at..].split_inclusive('\n') {
        if matches!(line.trim_end(), "---" | "...") {
            return Some(FrontMatter { yaml: first.len()..at, body: at + line.len() });
        }
        at += line.len();
    }
    let help = Some(msg!("load-skill-open-front-help"));
    problems.error_with_help(Span { start: 0, len: 3 }, msg!("load-skill-open-front"), help);
    None
}

/// The text after the front matter, without the line breaks it begins with.
fn body<'t>(text: &'t str, block: Option<&FrontMatter>) -> &'t str {
    match block {
        Some(block) => text[block.body..].trim_start_matches(['\r', '\n']),
        None => text,
    }
}

fn front_matter(
    text: &str,
    block: &FrontMatter,
    kind: TextKind<'_>,
    problems: &mut Problems,
) -> Option<Map<String, Value>> {
    let root = tree::parse(Format::Yaml, &text[block.yaml.clone()], block.yaml.start, problems);
    let empty = Node::new(block.yaml.start, block.yaml.start, NodeData::Object(Vec::new()));
    let root = root.filter(|root| !matches!(root.data, NodeData::Null)).unwrap_or(empty);
    if !matches!(root.data, NodeData::Object(_) | NodeData::Broken) {
        let help = Some(msg!("load-skill-front-not-map-help"));
        problems.error_with_help(root.span, msg!("load-skill-front-not-map"), help);
        return None;
    }
    let fields = decode::any_object(&root, problems)?;
    if let (TextKind::Skill { directory }, false) = (kind, problems.has_errors()) {
        check(fields, directory, problems);
    }
    Some(tree::map(fields.entries))
}

const KEYS: &[&str] = &["name", "description", "license", "compatibility", "metadata", "allowed-tools"];

/// The Agent Skills specification, as warnings.
fn check(fields: ObjectFields<'_>, directory: &str, problems: &mut Problems) {
    for entry in fields.entries {
        check_entry(entry, directory, problems);
    }
    for key in ["name", "description"] {
        if fields.get(key).is_none() {
            problems.warning(Span { start: 0, len: 3 }, msg!("load-skill-missing", key = key), None);
        }
    }
}

fn check_entry(entry: &ObjectEntry, directory: &str, problems: &mut Problems) {
    let node = &entry.value;
    match entry.key.as_str() {
        "name" => check_name(node, directory, problems),
        "description" => check_length("description", node, 1024, problems),
        "compatibility" => check_length("compatibility", node, 500, problems),
        "license" => drop(warned_text("license", node, problems)),
        "metadata" => check_metadata(node, problems),
        "allowed-tools" => check_tools(node, problems),
        key => {
            let help = did_you_mean(decode::closest(key, KEYS), KEYS);
            problems.warning(entry.key_span, msg!("load-skill-unknown-key", key = key), help);
        }
    }
}

fn warned_text<'n>(key: &str, node: &'n Node, problems: &mut Problems) -> Option<&'n str> {
    match &node.data {
        NodeData::Text(text) => Some(text),
        _ => {
            problems.warning(node.span, msg!("load-skill-not-text", key = key), None);
            None
        }
    }
}

fn check_length(key: &str, node: &Node, limit: usize, problems: &mut Problems) {
    let Some(text) = warned_text(key, node, problems) else { return };
    let chars = text.trim().chars().count();
    if chars == 0 || chars > limit {
        let message = msg!("load-skill-length", key = key, chars = chars, limit = limit);
        problems.warning(node.span, message, None);
    }
}

fn check_name(node: &Node, directory: &str, problems: &mut Problems) {
    check_length("name", node, 64, problems);
    let NodeData::Text(name) = &node.data else { return };
    let plain = name.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'-'));
    if !plain || name.starts_with('-') || name.ends_with('-') || name.contains("--") {
        problems.warning(node.span, msg!("load-skill-name", name = decode::short(name)), None);
    }
    if name != directory {
        let message = msg!("load-skill-name-directory", name = decode::short(name), directory = directory);
        problems.warning(node.span, message, None);
    }
}

fn check_metadata(node: &Node, problems: &mut Problems) {
    let NodeData::Object(entries) = &node.data else {
        return problems.warning(node.span, msg!("load-skill-metadata"), None);
    };
    for entry in entries.iter().filter(|entry| !matches!(entry.value.data, NodeData::Text(_))) {
        let key = format!("metadata.{}", entry.key);
        problems.warning(entry.value.span, msg!("load-skill-not-text", key = key), None);
    }
}

fn check_tools(node: &Node, problems: &mut Problems) {
    let right = match &node.data {
        NodeData::Text(_) => true,
        NodeData::List(items) => items.iter().all(|item| matches!(item.data, NodeData::Text(_))),
        _ => false,
    };
    if !right {
        problems.warning(node.span, msg!("load-skill-tools"), None);
    }
}
