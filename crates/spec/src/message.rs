//! Every text a person reads, in English and Chinese.
//!
//! A [`Message`] is a key and its arguments; it becomes text only at the edge, in the reader's
//! language. The catalogues are Fluent files compiled into the binary, one per crate and language,
//! and parsed on first use.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::OnceLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The languages of command line and reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Simplified Chinese.
    Zh,
}

impl Lang {
    /// The language a tag such as `zh`, `zh_CN.UTF-8` or `en-GB` asks for, if it is one of ours.
    #[must_use]
    pub fn from_tag(tag: &str) -> Option<Lang> {
        match tag.split(['_', '-', '.', '@']).next()?.to_ascii_lowercase().as_str() {
            "en" | "c" | "posix" => Some(Lang::En),
            "zh" => Some(Lang::Zh),
            _ => None,
        }
    }
}

/// One argument of a message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Arg {
    /// A number; Fluent picks plural forms by it.
    Number(f64),
    /// Text, shown as it is.
    Text(String),
}

// Fluent knows one kind of number; above 2^53 the last digits of a count are lost, in a text.
macro_rules! arg_from_number {
    ($($t:ty),*) => { $(impl From<$t> for Arg {
        fn from(n: $t) -> Arg { Arg::Number(n as f64) }
    })* };
}
arg_from_number!(f64, u16, u32, u64, usize, i32, i64);

impl From<&str> for Arg {
    fn from(text: &str) -> Arg {
        Arg::Text(text.to_owned())
    }
}

impl From<String> for Arg {
    fn from(text: String) -> Arg {
        Arg::Text(text)
    }
}

impl From<&String> for Arg {
    fn from(text: &String) -> Arg {
        Arg::Text(text.clone())
    }
}

// `msg!` builds one.
/// A text by key, with its arguments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Message {
    /// The key in the catalogues.
    pub id: Cow<'static, str>,
    /// The arguments by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub args: BTreeMap<Cow<'static, str>, Arg>,
}

impl Message {
    /// A message without arguments.
    #[must_use]
    pub fn new(id: &'static str) -> Message {
        Message { id: Cow::Borrowed(id), args: BTreeMap::new() }
    }

    /// The message with one more argument.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<Arg>) -> Message {
        self.args.insert(Cow::Borrowed(name), value.into());
        self
    }

    /// The text in `lang`; the bare key if the catalogue lacks it (a test keeps that from happening).
    #[must_use]
    pub fn text(&self, lang: Lang) -> String {
        let bundle = bundle(lang);
        let Some(pattern) = bundle.get_message(&self.id).and_then(|m| m.value()) else {
            return self.id.to_string();
        };
        let mut args = FluentArgs::new();
        for (name, value) in &self.args {
            match value {
                Arg::Number(n) => args.set(name.as_ref(), FluentValue::from(*n)),
                Arg::Text(text) => args.set(name.as_ref(), FluentValue::from(text.as_str())),
            }
        }
        bundle.format_pattern(pattern, Some(&args), &mut Vec::new()).into_owned()
    }
}

impl std::fmt::Display for Message {
    /// The English text.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text(Lang::En))
    }
}

/// Builds a [`Message`]: `msg!("load-missing-field", field = name)`.
///
/// Write the key as a literal: a test collects the keys from the source and fails on one that a
/// catalogue lacks.
#[macro_export]
macro_rules! msg {
    ($id:literal $(, $name:ident = $value:expr)* $(,)?) => {
        $crate::Message::new($id)$(.with(stringify!($name), $value))*
    };
}

/// Whether the catalogue of `lang` has `id`.
#[must_use]
pub fn has(lang: Lang, id: &str) -> bool {
    bundle(lang).has_message(id)
}

macro_rules! catalogues {
    ($($name:literal),* $(,)?) => {
        /// The catalogue sources, `(file, English, Chinese)`.
        pub const CATALOGUES: &[(&str, &str, &str)] = &[$((
            $name,
            include_str!(concat!("../messages/en/", $name, ".ftl")),
            include_str!(concat!("../messages/zh/", $name, ".ftl")),
        )),*];
    };
}
catalogues!("load", "exec", "grade", "run", "report", "quality", "failures", "skills", "cli", "help");

fn bundle(lang: Lang) -> &'static FluentBundle<FluentResource> {
    static ENGLISH: OnceLock<FluentBundle<FluentResource>> = OnceLock::new();
    static CHINESE: OnceLock<FluentBundle<FluentResource>> = OnceLock::new();
    match lang {
        Lang::En => ENGLISH.get_or_init(|| parse("en", CATALOGUES.iter().map(|c| c.1))),
        Lang::Zh => CHINESE.get_or_init(|| parse("zh", CATALOGUES.iter().map(|c| c.2))),
    }
}

fn parse<'a>(tag: &str, sources: impl Iterator<Item = &'a str>) -> FluentBundle<FluentResource> {
    let mut bundle = FluentBundle::new_concurrent(tag.parse().into_iter().collect());
    // The marks that isolate right-to-left text would end up in terminals and JSON.
    bundle.set_use_isolating(false);
    for source in sources {
        let resource = FluentResource::try_new(source.to_owned()).unwrap_or_else(|(partial, _)| partial);
        bundle.add_resource_overriding(resource);
    }
    bundle
}
