//! The templates of new skills.

use super::Draft;

/// A template: its name, and its files with `{{id}}`, `{{name}}` and `{{description}}` in them.
pub(crate) struct SkillTemplate {
    pub(crate) name: &'static str,
    files: &'static [(&'static str, &'static str)],
}

const STARTER: (&str, &str) = ("tests/basic.eval.json", include_str!("../../templates/basic.eval.json"));

/// All of them, the default first.
pub(crate) const TEMPLATES: &[SkillTemplate] = &[
    SkillTemplate {
        name: "http_request",
        files: &[
            ("skill.json", include_str!("../../templates/http_request/skill.json")),
            ("adapter.config.json", include_str!("../../templates/http_request/adapter.config.json")),
            STARTER,
        ],
    },
    SkillTemplate {
        name: "python_script",
        files: &[
            ("skill.json", include_str!("../../templates/python_script/skill.json")),
            ("adapter.config.json", include_str!("../../templates/python_script/adapter.config.json")),
            STARTER,
            ("skill.py", include_str!("../../templates/python_script/skill.py")),
        ],
    },
    SkillTemplate {
        name: "mcp_tool",
        files: &[
            ("skill.json", include_str!("../../templates/mcp_tool/skill.json")),
            ("adapter.config.json", include_str!("../../templates/mcp_tool/adapter.config.json")),
            STARTER,
            ("server.py", include_str!("../../templates/mcp_tool/server.py")),
        ],
    },
];

/// The template's skill; `None` when there is no such template.
pub(crate) fn draft(template: &str, id: &str, name: &str, description: &str) -> Option<Draft> {
    let template = TEMPLATES.iter().find(|known| known.name == template)?;
    let files = template.files.iter().map(|(path, text)| (*path, filled(text, id, name, description)));
    Some(Draft { id: id.to_owned(), files: files.collect(), changes: None })
}

/// Fills a template. Names and descriptions appear in JSON strings only, scripts get nothing but the id. One pass, so that
/// `{{description}}` in a name is not replaced.
fn filled(text: &str, id: &str, name: &str, description: &str) -> String {
    let values = [("id", id), ("name", name), ("description", description)];
    let mut parts = text.split("{{");
    let mut out = parts.next().unwrap_or("").to_owned();
    for part in parts {
        let value = part.split_once("}}").and_then(|(key, rest)| {
            let (_, value) = values.iter().find(|(known, _)| *known == key)?;
            Some((*value, rest))
        });
        match value {
            Some((value, rest)) => {
                let quoted = serde_json::Value::from(value).to_string();
                out.push_str(&quoted[1..quoted.len() - 1]);
                out.push_str(rest);
            }
            None => {
                out.push_str("{{");
                out.push_str(part);
            }
        }
    }
    out
}
