//! `eval-skills config`: read and write configuration.

use std::path::PathBuf;

use eval_cli::{CommandError, Terminal, exit};
use eval_load as load;
use eval_message::msg;
use eval_message::plain::clean;
use eval_spec::Context;
use eval_spec::callable::{CONFIG_KEYS, ConfigKey, ConfigSource, SkillsConfig};
use serde_json::{Map, Value, json};

use crate::cli::ConfigCommand;
use crate::files;
use crate::session::Session;

pub(crate) fn run(session: &Session<'_>, command: &ConfigCommand) -> Result<u8, CommandError> {
    let &Session { context, terminal, .. } = session;
    match command {
        ConfigCommand::List => {
            let config = terminal.loaded(session.config()?);
            terminal.json(|| list(context, &config));
            if !terminal.is_json() {
                show(context, terminal, &config);
            }
        }
        ConfigCommand::Get { key } => {
            let config = terminal.loaded(session.config()?);
            let value = get(context, &config, key).ok_or_else(|| unknown(key))?;
            terminal.bytes(format!("{value}\n").as_bytes());
        }
        ConfigCommand::Set { key, value } => set(session, key, value)?,
    }
    Ok(exit::OK)
}

fn unknown(key: &str) -> CommandError {
    let help = match load::closest_config_key(key) {
        Some(suggestion) => msg!("load-did-you-mean", suggestion = suggestion),
        None => msg!("skills-cli-config-keys"),
    };
    CommandError::usage(msg!("skills-cli-config-unknown", key = key), help)
}

/// The value of a key; all values of a group such as `llm`.
fn get(context: &Context, config: &SkillsConfig, name: &str) -> Option<Value> {
    if let Some(key) = ConfigKey::of(name) {
        return Some(key.shown(config, context).value);
    }
    let prefix = format!("{name}.");
    let below = CONFIG_KEYS.iter().filter_map(|key| Some((key.name.strip_prefix(&prefix)?, key)));
    let group: Map<String, Value> =
        below.map(|(rest, key)| (rest.to_owned(), key.shown(config, context).value)).collect();
    (!group.is_empty()).then_some(Value::Object(group))
}

fn list(context: &Context, config: &SkillsConfig) -> Value {
    let one = |key: &ConfigKey| {
        let shown = key.shown(config, context);
        let (source, file, line) = match &shown.source {
            ConfigSource::Flag => ("flag", None, None),
            ConfigSource::Default => ("default", None, None),
            ConfigSource::File { path, place } => ("file", Some(context.display(path)), Some(place.line_column().0)),
        };
        (key.name.to_owned(), json!({"value": shown.value, "source": source, "file": file, "line": line}))
    };
    Value::Object(CONFIG_KEYS.iter().map(one).collect())
}

fn show(context: &Context, terminal: &Terminal, config: &SkillsConfig) {
    let rows: Vec<(&str, String, String)> = CONFIG_KEYS
        .iter()
        .map(|key| {
            let shown = key.shown(config, context);
            let source = match &shown.source {
                ConfigSource::Flag | ConfigSource::Default if shown.value.is_null() => msg!("skills-cli-config-unset"),
                ConfigSource::Flag | ConfigSource::Default => msg!("skills-cli-config-default"),
                ConfigSource::File { path, place } => msg!(
                    "skills-cli-config-file",
                    path = context.display(path),
                    line = place.line_column().0.to_string()
                ),
            };
            let value = if shown.value.is_null() { "–".to_owned() } else { shown.value.to_string() };
            (key.name, clean(&value), clean(&source.text(terminal.lang())))
        })
        .collect();
    let names = rows.iter().map(|(name, ..)| name.len()).max().unwrap_or(0);
    let values = rows.iter().map(|(_, value, _)| value.chars().count()).max().unwrap_or(0).min(32);
    for (name, value, source) in rows {
        terminal.text(&format!("{name:names$}  {value:values$}  {source}"));
    }
}

/// Writes one value to the user's file, or to the one that `--config` names.
fn set(session: &Session<'_>, name: &str, value: &str) -> Result<(), CommandError> {
    let &Session { context, terminal, global } = session;
    let key = ConfigKey::of(name).ok_or_else(|| unknown(name))?;
    let path: PathBuf = match &global.config {
        Some(path) => context.absolute(path),
        None => load::user_config(context),
    };
    let shown = context.display(&path);
    files::check(context, &path, [], None)?;
    let unreadable = || CommandError::io(msg!("skills-cli-cannot-read", path = &shown));
    if path.metadata().is_ok_and(|there| !there.is_file()) {
        return Err(unreadable()(std::io::ErrorKind::InvalidInput.into()));
    }
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(unreadable()(error)),
    };
    let text = load::config_with(context, &path, &text, key, value, &files::format_names())?;
    files::put(context, &path, text.as_bytes())?;
    let config = session.config();
    let now = config.as_ref().ok().map(|config| key.shown(&config.value, context));
    terminal.json(|| json!({"key": key.name, "value": now.as_ref().map(|now| &now.value), "file": shown}));
    terminal.say(&msg!("skills-cli-config-set", key = key.name, path = &shown));
    if let Some(ConfigSource::File { path: other, .. }) = now.map(|now| now.source)
        && other != path
    {
        terminal.warn(&msg!("skills-cli-config-hidden", key = key.name, path = context.display(&other)));
    }
    Ok(())
}
