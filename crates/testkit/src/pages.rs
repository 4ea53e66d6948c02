//! Generates pages of the docs: Markdown tables, commands with their help, the fields of a JSON Schema. Compares them
//! with the committed pages.

use std::fmt::Write;
use std::path::Path;

use serde_json::{Map, Value};

/// Compares a generated page with the committed one, or writes it if `UPDATE_DOCS` is set.
pub fn check(path: &Path, page: &str) {
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder that can be made");
        return std::fs::write(path, page).expect("a page that can be written");
    }
    let committed = std::fs::read_to_string(path).unwrap_or_default();
    let (first, _) = page.split_once('\n').expect("more than one line");
    assert!(committed == page, "{} is out of date: {first}", path.display());
}

/// Formats a Markdown table.
pub fn table<const N: usize>(head: [&str; N], rows: impl IntoIterator<Item = [String; N]>) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let mut out = line(&head.map(str::to_owned)) + "|" + &"---|".repeat(N) + "\n";
    rows.into_iter().for_each(|row| out += &line(&row.map(|cell| cell.replace('|', "\\|"))));
    out
}

/// Formats a page of commands: a list, then each command's `--help`. `help` gets the words after the program's name;
/// `listed` is the line above the list of commands in a help text.
pub fn commands(program: &str, listed: &str, help: &dyn Fn(&[&str]) -> String) -> String {
    let mut commands = Vec::new();
    command(program, listed, help, &[], &mut commands);
    let mut out = String::new();
    let colon = if listed.ends_with('：') { "：" } else { ": " };
    for (name, text) in &commands {
        let about = text.lines().next().unwrap_or_default();
        let _ = writeln!(out, "- [`{name}`](#{}){colon}{about}", name.replace(' ', "-"));
    }
    for (name, text) in &commands {
        let _ = write!(out, "\n## {name}\n\n```text\n{text}\n```\n");
    }
    out
}

fn command(
    program: &str,
    listed: &str,
    help: &dyn Fn(&[&str]) -> String,
    path: &[&str],
    commands: &mut Vec<(String, String)>,
) {
    let text: String = help(path).lines().map(|line| format!("{}\n", line.trim_end())).collect();
    let text = text.trim_end().to_owned();
    commands.push((std::iter::once(&program).chain(path).copied().collect::<Vec<_>>().join(" "), text.clone()));
    let children = text.lines().skip_while(|line| *line != listed).skip(1).take_while(|line| !line.is_empty());
    // Continued descriptions are indented further.
    for child in children.filter_map(|line| line.strip_prefix("  ").filter(|line| !line.starts_with(' '))) {
        let name = child.split_whitespace().next().unwrap_or_default();
        command(program, listed, help, &[path, &[name]].concat(), commands);
    }
}

/// Words of a page about a schema, in its language.
#[derive(Clone, Copy, Debug)]
pub struct SchemaWords {
    /// Column heads of an object: field, type, meaning.
    pub object: [&'static str; 3],
    /// Column heads of an enumeration: value, meaning.
    pub values: [&'static str; 2],
    /// A list of `{}`.
    pub list: &'static str,
    /// An object whose keys are free and whose values are `{}`.
    pub map: &'static str,
    /// Separator of alternatives.
    pub or: &'static str,
    /// Added to the type of a field that may be absent.
    pub absent: &'static str,
    /// JSON types by their names in a schema.
    pub types: &'static [(&'static str, &'static str)],
    pub any: &'static str,
}

impl SchemaWords {
    pub const ENGLISH: SchemaWords = SchemaWords {
        object: ["field", "type", "meaning"],
        values: ["value", "meaning"],
        list: "list of {}",
        map: "object of {}",
        or: " or ",
        absent: ", may be absent",
        types: &[
            ("string", "text"),
            ("number", "number"),
            ("integer", "whole number"),
            ("boolean", "`true` or `false`"),
            ("null", "`null`"),
        ],
        any: "any value",
    };
    pub const CHINESE: SchemaWords = SchemaWords {
        object: ["字段", "类型", "含义"],
        values: ["值", "含义"],
        list: "{} 的列表",
        map: "值为 {} 的对象",
        or: " 或 ",
        absent: "，可以没有",
        types: &[
            ("string", "文本"),
            ("number", "数字"),
            ("integer", "整数"),
            ("boolean", "`true` 或 `false`"),
            ("null", "`null`"),
        ],
        any: "任意值",
    };
}

/// Formats the fields of a schema: those of the document first, then each object and enumeration in the order of the
/// first reference to it.
pub fn schema_fields(schema: &Value, words: &SchemaWords) -> String {
    let none = Map::new();
    let definitions = schema.get("$defs").and_then(Value::as_object).unwrap_or(&none);
    let mut out = definition(schema, words);
    let mut queue = Vec::new();
    references(schema, &mut queue);
    let mut next = 0;
    while let Some(name) = queue.get(next).cloned() {
        next += 1;
        let Some(schema) = definitions.get(&name) else { continue };
        let _ = write!(out, "\n## {name}\n\n{}", definition(schema, words));
        references(schema, &mut queue);
    }
    out
}

/// Adds the names of the definitions that a part of the schema refers to, each once.
fn references(part: &Value, names: &mut Vec<String>) {
    match part {
        Value::Object(entries) => {
            for (key, value) in entries.iter().filter(|(key, _)| *key != "$defs") {
                match (key.as_str(), value.as_str().and_then(|target| target.strip_prefix("#/$defs/"))) {
                    ("$ref", Some(name)) if !names.iter().any(|existing| existing == name) => {
                        names.push(name.to_owned())
                    }
                    _ => references(value, names),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, names)),
        _ => {}
    }
}

fn definition(schema: &Value, words: &SchemaWords) -> String {
    let mut out = match description(schema) {
        text if text.is_empty() => String::new(),
        text => format!("{text}\n\n"),
    };
    if let Some(fields) = schema.get("properties").and_then(Value::as_object) {
        let required = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
        let rows = fields.iter().map(|(name, field)| {
            let absent = if required.iter().any(|required| required == name) { "" } else { words.absent };
            [format!("`{name}`"), type_of(field, words) + absent, description(field)]
        });
        out += &table(words.object, rows);
    } else if let Some(values) = schema.get("oneOf").and_then(Value::as_array) {
        out += &table(words.values, values.iter().map(|value| [type_of(value, words), description(value)]));
    } else {
        let _ = writeln!(out, "{}", type_of(schema, words));
    }
    out
}

fn description(schema: &Value) -> String {
    let text = schema.get("description").and_then(Value::as_str).unwrap_or_default();
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace("[`", "`").replace("`]", "`")
}

/// Describes the type of a value, with links to definitions.
fn type_of(schema: &Value, words: &SchemaWords) -> String {
    let parts = |key: &str| schema.get(key).and_then(Value::as_array);
    let joined = |types: Vec<String>| types.join(words.or);
    if let Some(name) = schema.get("$ref").and_then(Value::as_str).and_then(|target| target.rsplit('/').next()) {
        return format!("[{name}](#{})", name.to_lowercase());
    }
    if let Some(value) = schema.get("const") {
        return format!("`{value}`");
    }
    if let Some(values) = parts("enum") {
        return joined(values.iter().map(|value| format!("`{value}`")).collect());
    }
    if let Some(alternatives) = parts("anyOf").or_else(|| parts("oneOf")) {
        return joined(alternatives.iter().map(|alternative| type_of(alternative, words)).collect());
    }
    match schema.get("type") {
        Some(Value::String(name)) => named_type(name, schema, words),
        Some(Value::Array(names)) => {
            joined(names.iter().filter_map(Value::as_str).map(|name| named_type(name, schema, words)).collect())
        }
        _ => words.any.to_owned(),
    }
}

fn named_type(name: &str, schema: &Value, words: &SchemaWords) -> String {
    let inner = |key: &str| schema.get(key).filter(|inner| inner.is_object()).map(|inner| type_of(inner, words));
    match name {
        "array" => words.list.replace("{}", &inner("items").unwrap_or_else(|| words.any.to_owned())),
        "object" => words.map.replace("{}", &inner("additionalProperties").unwrap_or_else(|| words.any.to_owned())),
        _ => words.types.iter().find(|(type_name, _)| *type_name == name).map_or(name, |(_, word)| *word).to_owned(),
    }
}
