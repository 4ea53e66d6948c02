//! Templates of the Jinja kind, as promptfoo's Nunjucks are.

use std::collections::BTreeSet;

use eval_message::{Message, msg};
use minijinja::value::ValueKind;
use minijinja::{Environment, UndefinedBehavior};
use serde_json::{Map, Value};

use super::scalar::float_text;

/// How much work one template may take.
const FUEL: u64 = 200_000;

/// Renders templates.
pub(super) struct Templates(Environment<'static>);

impl Templates {
    pub(super) fn new() -> Templates {
        let mut environment = Environment::empty();
        environment.set_undefined_behavior(UndefinedBehavior::Chainable);
        environment.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
        environment.set_fuel(Some(FUEL));
        environment.set_formatter(|out, _, value| Ok(out.write_str(&text(value))?));
        environment.add_filter("dump", |value: &minijinja::Value| {
            serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned())
        });
        environment.add_filter("lower", |text: String| text.to_lowercase());
        environment.add_filter("upper", |text: String| text.to_uppercase());
        environment.add_filter("trim", |text: String| text.trim().to_owned());
        environment.add_filter("safe", |value: minijinja::Value| value);
        Templates(environment)
    }

    /// The text with the values of its variables; what is wrong with the template where it can't be rendered.
    pub(super) fn render(&self, text: &str, vars: &Map<String, Value>) -> Result<String, Message> {
        if !is_template(text) {
            return Ok(text.to_owned());
        }
        if let Some(why) = unlike(text, vars) {
            return Err(why);
        }
        let failed = |error: minijinja::Error| msg!("import-template", error = error.to_string());
        let rendered = self.0.render_str(text, minijinja::value::Serde(vars)).map_err(failed)?;
        // The engine takes the last line break away, promptfoo's keeps it.
        Ok(if text.ends_with('\n') { rendered + "\n" } else { rendered })
    }
}

/// A value in a text, as JavaScript writes it.
fn text(value: &minijinja::Value) -> String {
    match value.kind() {
        ValueKind::Undefined | ValueKind::None => String::new(),
        ValueKind::Bool => value.is_true().to_string(),
        ValueKind::Number if !value.is_integer() => {
            f64::try_from(value.clone()).map_or_else(|_| value.to_string(), float_text)
        }
        ValueKind::Seq | ValueKind::Iterable => {
            let items = value.try_iter().into_iter().flatten();
            items.map(|item| text(&item)).collect::<Vec<_>>().join(",")
        }
        ValueKind::Map => "[object Object]".to_owned(),
        _ => value.to_string(),
    }
}

/// Why a template would be another text in JavaScript.
fn unlike(text: &str, vars: &Map<String, Value>) -> Option<Message> {
    let tags = tags(text);
    let words: Vec<Vec<&str>> = tags.iter().map(|tag| words(tag)).collect();
    let bound: BTreeSet<&str> = words.iter().flat_map(|words| bound(words)).collect();
    for (tag, words) in tags.iter().zip(&words) {
        // They have other names, or none, in the engine here, where what is unknown is empty.
        let is_word = |at: usize| !tag[..at].ends_with(|of: char| of.is_alphanumeric() || "_.".contains(of));
        let has_env = ["env.", "env["].iter().any(|env| tag.match_indices(env).any(|(at, _)| is_word(at)));
        if has_env && !vars.contains_key("env") {
            return Some(msg!("import-template", error = "`env` is not known"));
        }
        if tag.contains(".length") {
            return Some(msg!("import-template", error = "`.length` is not known"));
        }
        let kind = |word: &str| kind(word, vars, &bound);
        let is_asked = words.iter().any(|word| ["if", "elif", "elseif", "and", "or", "not"].contains(word));
        if let Some(word) = words.iter().find(|word| is_asked && kind(word) == OperandKind::Empty) {
            return Some(msg!("import-template-empty", text = *word));
        }
        for (at, operator) in words.iter().enumerate().filter(|(_, word)| COMPARISONS.contains(word)) {
            let start = words[..at].iter().rposition(|word| ENDS.contains(word)).map_or(0, |end| end + 1);
            let end = words[at + 1..].iter().position(|word| ENDS.contains(word)).map_or(words.len(), |of| at + 1 + of);
            let sides = [&words[start..at], &words[at + 1..end]].map(|side| match side {
                [one] => kind(one),
                ["-", number] => kind(number),
                _ => OperandKind::Other,
            });
            if !is_alike(sides, operator) {
                return Some(msg!("import-template-comparison", text = words[start..end].join(" ")));
            }
        }
    }
    None
}

const COMPARISONS: &[&str] = &["==", "!=", "<", "<=", ">", ">="];

/// What an operand ends at.
const ENDS: &[&str] = &["and", "or", "not", "if", "elif", "elseif", "else", "(", ")", ",", "="];

/// What is known of an operand.
#[derive(Clone, Copy, PartialEq)]
enum OperandKind {
    Text,
    Number,
    Flag,
    /// Null, or not there.
    None,
    /// A list or an object with nothing in it, which is true in JavaScript.
    Empty,
    Other,
}

/// Whether two operands compare as in JavaScript, which makes numbers of texts and flags.
fn is_alike([a, b]: [OperandKind; 2], operator: &str) -> bool {
    use OperandKind::{Flag, None, Number, Text};
    match (a, b) {
        (Text, Text) | (Number, Number) | (Flag, Flag) => true,
        (None, Text | Number | Flag) | (Text | Number | Flag, None) => ["==", "!="].contains(&operator),
        _ => false,
    }
}

fn kind(word: &str, vars: &Map<String, Value>, bound: &BTreeSet<&str>) -> OperandKind {
    match word {
        "true" | "false" | "loop.first" | "loop.last" => return OperandKind::Flag,
        "loop.index" | "loop.index0" | "loop.revindex" | "loop.revindex0" => return OperandKind::Number,
        "none" | "null" => return OperandKind::None,
        _ if word.starts_with(['"', '\'']) => return OperandKind::Text,
        _ if word.starts_with(|of: char| of.is_ascii_digit()) => {
            return if word.parse::<f64>().is_ok() { OperandKind::Number } else { OperandKind::Other };
        }
        _ if !word.starts_with(is_name) => return OperandKind::Other,
        _ => {}
    }
    let mut parts = word.split('.');
    let first = parts.next().unwrap_or_default();
    if bound.contains(first) {
        return OperandKind::Other;
    }
    match parts.try_fold(vars.get(first).unwrap_or(&Value::Null), |of, part| of.get(part)) {
        Some(Value::String(_)) => OperandKind::Text,
        Some(Value::Number(_)) => OperandKind::Number,
        Some(Value::Bool(_)) => OperandKind::Flag,
        Some(Value::Null) | None => OperandKind::None,
        Some(Value::Array(items)) if items.is_empty() => OperandKind::Empty,
        Some(Value::Object(fields)) if fields.is_empty() => OperandKind::Empty,
        Some(_) => OperandKind::Other,
    }
}

/// The names that a tag gives values to: those of a `set` or a loop.
fn bound<'a>(words: &[&'a str]) -> Vec<&'a str> {
    let end = match words.first() {
        Some(&"set") => words.iter().position(|word| *word == "="),
        Some(&"for") => words.iter().position(|word| *word == "in"),
        _ => return Vec::new(),
    };
    words[1..end.unwrap_or(words.len())].to_vec()
}

fn is_name(of: char) -> bool {
    of.is_alphanumeric() || of == '_'
}

/// The words, texts and signs of a tag.
fn words(tag: &str) -> Vec<&str> {
    let (mut words, mut rest) = (Vec::new(), tag.trim_matches('-').trim());
    while let Some(first) = rest.chars().next() {
        let len = match first {
            '"' | '\'' => {
                let mut is_escaped = false;
                let end = rest[1..].find(|of| {
                    let is_end = of == first && !is_escaped;
                    is_escaped = of == '\\' && !is_escaped;
                    is_end
                });
                end.map_or(rest.len(), |end| end + 2)
            }
            _ if is_name(first) => rest.find(|of: char| !is_name(of) && of != '.').unwrap_or(rest.len()),
            '=' | '!' | '<' | '>' => rest.find(|of| !"=!<>".contains(of)).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        let (word, after) = rest.split_at(len);
        words.push(word);
        rest = after.trim_start();
    }
    words
}

/// What stands in the tags of a template, but for comments.
fn tags(text: &str) -> Vec<&str> {
    let (mut tags, mut rest) = (Vec::new(), text);
    while let Some(at) = first_tag(rest) {
        let tag = &rest[at + 2..];
        let end = ["}}", "%}", "#}"].iter().filter_map(|end| tag.find(end)).min().unwrap_or(tag.len());
        if !rest[at..].starts_with("{#") {
            tags.push(&tag[..end]);
        }
        rest = &tag[end..];
    }
    tags
}

/// Whether a text has anything to render.
pub(super) fn is_template(text: &str) -> bool {
    first_tag(text).is_some()
}

/// Where the first variable or statement begins.
pub(super) fn first_tag(text: &str) -> Option<usize> {
    ["{{", "{%", "{#"].iter().filter_map(|tag| text.find(tag)).min()
}
