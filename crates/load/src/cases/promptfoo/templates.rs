//! Templates of the Jinja kind, as promptfoo's Nunjucks are.

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
    pub(super) fn render(&self, text: &str, vars: &Map<String, Value>) -> Result<String, String> {
        if !is_template(text) {
            return Ok(text.to_owned());
        }
        // They have other names, or none, in the engine here, where what is unknown is empty.
        if let Some(unknown) = unknown(text, vars) {
            return Err(format!("`{unknown}` is not known"));
        }
        let rendered = self.0.render_str(text, minijinja::value::Serde(vars)).map_err(|error| error.to_string())?;
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

/// What a tag uses of JavaScript or of the environment.
fn unknown(text: &str, vars: &Map<String, Value>) -> Option<&'static str> {
    let mut rest = text;
    while let Some(at) = first_tag(rest) {
        let tag = &rest[at + 2..];
        let end = ["}}", "%}", "#}"].iter().filter_map(|end| tag.find(end)).min().unwrap_or(tag.len());
        let inner = &tag[..end];
        let is_word = |at: usize| !inner[..at].ends_with(|of: char| of.is_alphanumeric() || "_.".contains(of));
        let has_env = ["env.", "env["].iter().any(|env| inner.match_indices(env).any(|(at, _)| is_word(at)));
        if has_env && !vars.contains_key("env") {
            return Some("env");
        }
        if inner.contains(".length") {
            return Some(".length");
        }
        rest = &tag[end..];
    }
    None
}

/// Whether a text has anything to render.
pub(super) fn is_template(text: &str) -> bool {
    first_tag(text).is_some()
}

/// Where the first variable or statement begins.
pub(super) fn first_tag(text: &str) -> Option<usize> {
    ["{{", "{%", "{#"].iter().filter_map(|tag| text.find(tag)).min()
}
