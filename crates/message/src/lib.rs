//! Every text a person reads, in English and Chinese.
//!
//! Input: a key and its arguments, a [`Message`]. Output: the text in the reader's language. The catalogues are Fluent
//! files (`messages/en`, `messages/zh`), compiled into the binary and parsed on first use. This crate also formats
//! numbers in texts, and makes foreign text harmless.
//!
//! To add a text, write one line into a file of `messages/en` and one into the same file of `messages/zh`:
//!
//! ```text
//! run-locked = another run writes to `{ $path }`
//! run-locked = 另一次运行正在写入 `{ $path }`
//! ```
//!
//! and use it as `msg!("run-locked", path = path)`. The build script fails if the languages differ in a key or in its
//! arguments, and [`msg!`] fails to compile if key and arguments are not those of the catalogues; a test fails on a key
//! that no source names.
//!
//! This crate decides nothing.

#[doc(hidden)]
pub mod check;
pub mod figures;
mod foreign;
mod hash;
pub mod number;
pub mod plain;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::OnceLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use serde::{Deserialize, Serialize};

/// Languages of the command line and of reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Simplified Chinese.
    Zh,
}

impl Lang {
    /// Returns the language of a tag such as `zh`, `zh_CN.UTF-8` or `en-GB`.
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Arg {
    /// A number, which also selects plural forms.
    Number(f64),
    /// Text, shown unchanged.
    Text(String),
    /// Name of something, such as a sample's id; a layout keeps it on one line. No stored message has one.
    #[serde(skip)]
    Name(String),
    /// Message inside the text. No stored message has one.
    #[serde(skip)]
    Message(Box<Message>),
    /// Texts in a row. No stored message has them.
    #[serde(skip)]
    List(Separator, Vec<Arg>),
}

/// Sign between the texts of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Separator {
    /// Comma between names and figures.
    Comma,
    /// Comma between parts of a sentence.
    Clause,
    /// Semicolon.
    Semicolon,
    /// Space that no line breaks at.
    Tie,
    None,
}

impl Separator {
    #[must_use]
    pub fn text(self, lang: Lang) -> &'static str {
        match (self, lang) {
            (Separator::Comma | Separator::Clause, Lang::En) => ", ",
            (Separator::Semicolon, Lang::En) => "; ",
            (Separator::Comma, Lang::Zh) => "、",
            (Separator::Clause, Lang::Zh) => "，",
            (Separator::Semicolon, Lang::Zh) => "；",
            (Separator::Tie, _) => "\u{a0}",
            (Separator::None, _) => "",
        }
    }
}

impl Arg {
    /// Formats the argument by itself.
    #[must_use]
    pub fn text(&self, lang: Lang) -> String {
        match self {
            Arg::Number(number) => number.to_string(),
            Arg::Text(text) | Arg::Name(text) => text.clone(),
            Arg::Message(message) => message.text(lang),
            Arg::List(separator, parts) => {
                parts.iter().map(|part| part.text(lang)).collect::<Vec<_>>().join(separator.text(lang))
            }
        }
    }
}

// Fluent only has `f64`: counts above 2^53 lose their last digits, which matters in no text.
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

impl From<Message> for Arg {
    fn from(message: Message) -> Arg {
        Arg::Message(Box::new(message))
    }
}

impl<T: Into<Arg>> From<Vec<T>> for Arg {
    fn from(parts: Vec<T>) -> Arg {
        Arg::List(Separator::Comma, parts.into_iter().map(Into::into).collect())
    }
}

// `msg!` builds one.
/// A text by key, with its arguments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Message {
    /// The key in the catalogues.
    pub id: Cow<'static, str>,
    /// The arguments by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub args: BTreeMap<Cow<'static, str>, Arg>,
}

impl Message {
    /// Used by [`msg!`](crate::msg), which checks key and arguments.
    #[doc(hidden)]
    #[must_use]
    pub fn checked<const N: usize>(id: &'static str, args: [(&'static str, Arg); N]) -> Message {
        let args = args.into_iter().map(|(name, value)| (Cow::Borrowed(name), value)).collect();
        Message { id: Cow::Borrowed(id), args }
    }

    /// Formats the text in `lang`; returns the key if the catalogues lack it, as for reports of another version.
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
                // only these arguments hold errors; others may quote user text
                Arg::Text(text) => {
                    let translated =
                        matches!(&**name, "error" | "why").then(|| foreign::translated(text, lang)).flatten();
                    args.set(
                        name.as_ref(),
                        translated.map_or_else(|| FluentValue::from(text.as_str()), FluentValue::from),
                    );
                }
                nested => args.set(name.as_ref(), FluentValue::from(nested.text(lang))),
            }
        }
        bundle.format_pattern(pattern, Some(&args), &mut Vec::new()).into_owned()
    }
}

/// The key of a message without arguments, for tables; [`key!`](crate::key) builds one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MessageKey(&'static str);

impl MessageKey {
    /// Used by [`key!`](crate::key), which checks the key.
    #[doc(hidden)]
    #[must_use]
    pub const fn checked(key: &'static str) -> MessageKey {
        MessageKey(key)
    }

    /// Returns the key as in the catalogues.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.0
    }

    #[must_use]
    pub fn message(self) -> Message {
        Message::checked(self.0, [])
    }
}

impl std::fmt::Display for Message {
    /// Writes the English text.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text(Lang::En))
    }
}

/// Builds a [`Message`]: `msg!("report-next-solo", variant = name)`.
///
/// It compiles if the catalogues have the key and these are all its arguments:
///
/// ```
/// # use eval_message::{Lang, msg};
/// let message = msg!("report-next-solo", variant = "v1");
/// assert!(message.text(Lang::En).starts_with("compare `v1` with something"));
/// ```
///
/// ```compile_fail
/// eval_message::msg!("report-next-sole", variant = "v1"); // no such key
/// ```
///
/// ```compile_fail
/// eval_message::msg!("report-next-solo"); // an argument is missing
/// ```
///
/// ```compile_fail
/// eval_message::msg!("report-next-solo", variant = "v1", n = 1); // one too many
/// ```
#[macro_export]
macro_rules! msg {
    ($id:literal $(, $name:ident = $value:expr)* $(,)?) => {{
        const _: () = $crate::check::message($id, &[$(stringify!($name)),*]);
        $crate::Message::checked($id, [$((stringify!($name), $crate::Arg::from($value))),*])
    }};
}

/// Builds a [`MessageKey`]: `key!("grade-type-contains")`. It compiles if the catalogues have the key and it takes no
/// arguments.
#[macro_export]
macro_rules! key {
    ($id:literal) => {{
        const _: () = $crate::check::message($id, &[]);
        $crate::MessageKey::checked($id)
    }};
}

/// Returns the Chinese help of a command or flag, by a key made of its path and name; English help is clap's doc
/// comments.
#[must_use]
pub fn chinese_help(key: &str) -> Option<String> {
    let bundle = bundle(Lang::Zh);
    let pattern = bundle.get_message(key).filter(|_| key.starts_with("help-"))?.value()?;
    Some(bundle.format_pattern(pattern, None, &mut Vec::new()).into_owned())
}

/// Catalogue sources: `(file, English, Chinese)`.
pub const CATALOGUES: &[(&str, &str, &str)] = include!(concat!(env!("OUT_DIR"), "/catalogues.rs"));

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
    // Isolation marks for right-to-left text would end up in terminals and JSON.
    bundle.set_use_isolating(false);
    for source in sources {
        let resource = FluentResource::try_new(source.to_owned()).unwrap_or_else(|(partial, _)| partial);
        bundle.add_resource_overriding(resource);
    }
    bundle
}
