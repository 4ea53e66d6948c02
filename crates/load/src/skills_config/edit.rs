//! `config set`: changes one value of a configuration file. Comments and the order of keys are preserved as far as the
//! file's form allows, other values always.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use eval_message::msg;
use eval_spec::callable::config::ALIASES;
use eval_spec::callable::{ConfigKey, ConfigShape, SkillsConfig};
use eval_spec::source::{SourceFile, Span};
use eval_spec::{Context, Diagnostics};
use serde_json::{Map, Value};

use super::super::problems::Problems;
use super::super::tree::{self, Format, Node, NodeData, ObjectEntry};
use super::{ConfigReader, config_text};

/// The text of the file at `path` with `key` set to `written`, as a person types it: formats with spaces or commas
/// between, a command as a shell reads it, either as `[a, b]`. `text` is the file's text so far, empty if there is no file.
///
/// # Errors
/// The value is not one for this key; the file as it is has errors, which must be mended first.
pub fn config_with(
    context: &Context,
    path: &Path,
    text: &str,
    key: &ConfigKey,
    written: &str,
    formats: &[&str],
) -> Result<String, Diagnostics> {
    let value = value(context, key, written, formats)?;
    let source = Arc::new(SourceFile { name: context.display(path), text: text.to_owned() });
    config_text(context, &source, (path, path.parent().unwrap_or(Path::new(""))), formats)?;
    let root = root(context, text);
    let mut wanted = root.as_ref().map(Node::value).and_then(|value| value.as_object().cloned()).unwrap_or_default();
    insert(&mut wanted, key.name, value.clone());
    let wanted = Value::Object(wanted);
    let edited = edited(text, root.as_ref(), key.name, &scalar(&value));
    // An edit that did not come out as meant would be a broken file; writing it anew costs the comments.
    let is_right = |edited: &String| self::root(context, edited).is_some_and(|root| root.value() == wanted);
    Ok(edited.filter(is_right).unwrap_or_else(|| whole(&wanted)))
}

/// The value that a person typed, checked by the rules of the file.
fn value(context: &Context, key: &ConfigKey, written: &str, formats: &[&str]) -> Result<Value, Diagnostics> {
    let source = Arc::new(SourceFile { name: format!("config set {}", key.name), text: written.to_owned() });
    let mut problems = Problems::new(context, &source);
    let node = typed(key, written, &mut problems);
    let mut config = SkillsConfig::default();
    let (path, base) = (Path::new(""), Path::new(""));
    let mut reader = ConfigReader { path, base, formats, problems: &mut problems, config: &mut config };
    reader.set(key, &node);
    let value = match (&key.shape, node.value()) {
        (ConfigShape::Formats(_), Value::String(one)) => vec![one].into(),
        (_, value) => value,
    };
    Ok(problems.finish(value)?.value)
}

fn typed(key: &ConfigKey, written: &str, problems: &mut Problems) -> Node {
    let text = |text: &str| Node::new(0, written.len(), NodeData::Text(text.to_owned()));
    let yaml = |problems: &mut Problems| {
        let empty = Node::new(0, written.len(), NodeData::Null);
        tree::parse(Format::Yaml, written, 0, problems).unwrap_or(empty)
    };
    match key.shape {
        ConfigShape::Whole(..) | ConfigShape::Number(..) | ConfigShape::Flag(_) => yaml(problems),
        ConfigShape::Formats(_) | ConfigShape::Command(_) if written.trim_start().starts_with('[') => yaml(problems),
        ConfigShape::Formats(_) => {
            let words = written.split([',', ' ']).filter(|word| !word.is_empty()).map(text).collect();
            Node::new(0, written.len(), NodeData::List(words))
        }
        // As an entrypoint is split.
        ConfigShape::Command(_) => {
            let words = shlex::split(written);
            if words.is_none() {
                problems.error(Span { start: 0, len: written.len() }, msg!("skills-load-config-quotes"));
            }
            // The error has been reported; an empty command would be a second one.
            let words = words.unwrap_or_else(|| vec![written.to_owned()]);
            Node::new(0, written.len(), NodeData::List(words.iter().map(|word| text(word)).collect()))
        }
        _ => text(written),
    }
}

fn root(context: &Context, text: &str) -> Option<Node> {
    let source = Arc::new(SourceFile { name: String::new(), text: text.to_owned() });
    let mut problems = Problems::new(context, &source);
    tree::parse(Format::Yaml, text, 0, &mut problems).filter(|_| !problems.has_errors())
}

/// Sets `name` in `map`, under the name that the map has for it.
fn insert(map: &mut Map<String, Value>, name: &str, value: Value) {
    let alias = ALIASES.iter().find(|(alias, of)| *of == name && map.contains_key(*alias)).map(|(alias, _)| *alias);
    match name.split_once('.') {
        None => drop(map.insert(alias.unwrap_or(name).to_owned(), value)),
        Some((group, rest)) => {
            let below = map.entry(group).or_insert_with(|| Value::Object(Map::new()));
            if !below.is_object() {
                *below = Value::Object(Map::new());
            }
            below.as_object_mut().into_iter().for_each(|below| insert(below, rest, value.clone()));
        }
    }
}

fn entry<'n>(node: &'n Node, name: &str) -> Option<&'n ObjectEntry> {
    let NodeData::Object(entries) = &node.data else { return None };
    let is_it = |key: &str| key == name || ALIASES.contains(&(key, name));
    entries.iter().find(|entry| is_it(&entry.key))
}

/// The text with the one value changed or added; `None` when its form is beyond us.
fn edited(text: &str, root: Option<&Node>, name: &str, value: &str) -> Option<String> {
    let (group, leaf) = name.split_once('.').map_or((None, name), |(group, leaf)| (Some(group), leaf));
    let Some(root) = root.filter(|root| !matches!(root.data, NodeData::Null)) else {
        return Some(appended(text, group, leaf, value));
    };
    let holder = match group {
        Some(group) => match entry(root, group) {
            Some(entry) if matches!(entry.value.data, NodeData::Null) => {
                return behind_colon(text, entry, &format!("\n  {leaf}: {value}"));
            }
            Some(entry) => &entry.value,
            None => return Some(appended(text, Some(group), leaf, value)),
        },
        None => root,
    };
    match entry(holder, leaf) {
        Some(entry) if entry.value.span == entry.key_span => behind_colon(text, entry, &format!(" {value}")),
        Some(entry) => replaced(text, entry.value.span, value),
        None if group.is_none() => Some(appended(text, None, leaf, value)),
        None => before_first(text, holder, leaf, value),
    }
}

fn appended(text: &str, group: Option<&str>, leaf: &str, value: &str) -> String {
    let mut text = text.to_owned();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    let _ = match group {
        Some(group) => writeln!(text, "{group}:\n  {leaf}: {value}"),
        None => writeln!(text, "{leaf}: {value}"),
    };
    text
}

fn replaced(text: &str, span: Span, value: &str) -> Option<String> {
    let old = text.get(span.start..span.start + span.len)?;
    let end = span.start + old.trim_end().len();
    Some(format!("{}{value}{}", &text[..span.start], &text[end..]))
}

fn behind_colon(text: &str, entry: &ObjectEntry, value: &str) -> Option<String> {
    let after = entry.key_span.start + entry.key_span.len;
    let colon = after + text.get(after..)?.find(':')? + 1;
    Some(format!("{}{value}{}", &text[..colon], &text[colon..]))
}

/// A line of its own above the first key of a block.
fn before_first(text: &str, holder: &Node, leaf: &str, value: &str) -> Option<String> {
    let NodeData::Object(entries) = &holder.data else { return None };
    let start = entries.first()?.key_span.start;
    let line = text.get(..start)?.rfind('\n').map_or(0, |newline| newline + 1);
    let indent = &text[line..start];
    indent.trim().is_empty().then(|| format!("{}{indent}{leaf}: {value}\n{}", &text[..line], &text[line..]))
}

/// A value as YAML on one line; JSON is YAML, and a plain word needs no quotes.
fn scalar(value: &Value) -> String {
    let is_word = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/')
            && text.chars().all(|c| c.is_ascii_alphanumeric() || "-_./".contains(c))
            && !["true", "false", "null", "yes", "no", "on", "off"].contains(&text.to_ascii_lowercase().as_str())
    };
    match value {
        Value::String(text) if is_word(text) => text.clone(),
        Value::Array(items) => format!("[{}]", items.iter().map(scalar).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}

/// The whole file anew, two levels deep.
fn whole(value: &Value) -> String {
    let mut text = String::new();
    for (key, value) in value.as_object().into_iter().flatten() {
        let _ = match value {
            Value::Object(below) => {
                let lines: String = below.iter().map(|(key, value)| format!("  {key}: {}\n", scalar(value))).collect();
                write!(text, "{key}:\n{lines}")
            }
            value => writeln!(text, "{key}: {}", scalar(value)),
        };
    }
    text
}
