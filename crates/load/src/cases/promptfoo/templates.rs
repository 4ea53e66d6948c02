//! Templates of the Jinja kind, as promptfoo's Nunjucks are.

use minijinja::{Environment, UndefinedBehavior};
use serde_json::{Map, Value};

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
        self.0.render_str(text, minijinja::value::Serde(vars)).map_err(|error| error.to_string())
    }

    /// A value whose texts are rendered.
    pub(super) fn render_value(&self, value: &Value, vars: &Map<String, Value>) -> Result<Value, String> {
        Ok(match value {
            Value::String(text) => Value::String(self.render(text, vars)?),
            Value::Array(items) => {
                Value::Array(items.iter().map(|item| self.render_value(item, vars)).collect::<Result<_, _>>()?)
            }
            Value::Object(fields) => Value::Object(
                fields.iter().map(|(key, value)| Ok((key.clone(), self.render_value(value, vars)?))).collect::<Result<
                    _,
                    String,
                >>(
                )?,
            ),
            other => other.clone(),
        })
    }
}

/// Whether a text has anything to render.
pub(super) fn is_template(text: &str) -> bool {
    first_tag(text).is_some()
}

/// Where the first variable or statement begins.
pub(super) fn first_tag(text: &str) -> Option<usize> {
    ["{{", "{%", "{#"].iter().filter_map(|tag| text.find(tag)).min()
}
