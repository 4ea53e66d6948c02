//! Errors of the command line, in the reader's language.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use eval_message::{Lang, Message, msg};

use super::Terminal;
use crate::exit;

/// Commands that can cost money: they are never suggested for a misspelled word.
const COSTLY: [&str; 3] = ["run", "ci", "debias"];

/// Purpose of a command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandPurpose {
    Run,
    /// Prints help only, which costs nothing.
    Help,
}

impl CommandPurpose {
    /// Reads the purpose from arguments, in which `help COMMAND` is written as `COMMAND --help`.
    #[must_use]
    pub fn among(arguments: &[OsString]) -> CommandPurpose {
        match arguments.iter().any(|word| word == "--help" || word == "-h") {
            true => CommandPurpose::Help,
            false => CommandPurpose::Run,
        }
    }
}

/// Prints the parser's error, help or version, and returns the exit code. `translate` translates a help page; `planned`
/// are commands that the program doesn't have yet.
pub fn print(
    terminal: &Terminal,
    error: &clap::Error,
    translate: fn(&str, Lang) -> String,
    planned: &[&str],
    purpose: CommandPurpose,
) -> u8 {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            terminal.bytes(page(terminal, error, terminal.color, translate).as_bytes());
            return exit::OK;
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            if terminal.is_json() {
                terminal.usage(&msg!("cli-usage-missing-command"), &[msg!("cli-usage-more")]);
            } else {
                terminal.error_line(&page(terminal, error, terminal.error_color, translate));
            }
        }
        _ => match planned.iter().find(|word| **word == unknown_word(error)) {
            Some(word) => terminal.usage(&msg!("cli-usage-planned", word = *word), &[msg!("cli-usage-more")]),
            None => terminal.usage(&message(error), &hints(error, purpose)),
        },
    }
    exit::USAGE
}

fn page(terminal: &Terminal, error: &clap::Error, color: bool, translate: fn(&str, Lang) -> String) -> String {
    let page = error.render();
    let page = if color { page.ansi().to_string() } else { page.to_string() };
    translate(&page, terminal.lang())
}

/// Returns the command or argument that the parser doesn't know; empty for other errors.
fn unknown_word(error: &clap::Error) -> String {
    match error.kind() {
        ErrorKind::UnknownArgument => text_of(error, ContextKind::InvalidArg),
        ErrorKind::InvalidSubcommand => text_of(error, ContextKind::InvalidSubcommand),
        _ => String::new(),
    }
}

fn message(error: &clap::Error) -> Message {
    let context = |kind| text_of(error, kind);
    let argument = context(ContextKind::InvalidArg);
    let value = context(ContextKind::InvalidValue);
    match error.kind() {
        ErrorKind::UnknownArgument => msg!("cli-usage-unknown-argument", argument = argument),
        ErrorKind::InvalidSubcommand => {
            msg!("cli-usage-unknown-command", command = context(ContextKind::InvalidSubcommand))
        }
        ErrorKind::MissingRequiredArgument => msg!("cli-usage-missing-argument", argument = argument),
        ErrorKind::MissingSubcommand => msg!("cli-usage-missing-command"),
        ErrorKind::ArgumentConflict if argument == context(ContextKind::PriorArg) => {
            msg!("cli-usage-twice", argument = argument)
        }
        ErrorKind::ArgumentConflict => {
            msg!("cli-usage-conflict", argument = argument, other = context(ContextKind::PriorArg))
        }
        ErrorKind::InvalidValue if value.is_empty() => msg!("cli-usage-value-missing", argument = argument),
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => {
            msg!("cli-usage-value", argument = argument, value = value)
        }
        ErrorKind::TooManyValues => msg!("cli-usage-unexpected-value", argument = argument, value = value),
        _ => msg!("cli-usage-other", error = error.kind().to_string()),
    }
}

/// Returns the expected values, a suggestion, and where to find help.
fn hints(error: &clap::Error, purpose: CommandPurpose) -> Vec<Message> {
    let valid = text_of(error, ContextKind::ValidValue);
    let suggested = [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::SuggestedValue];
    // the parser lists similar words, the nearest last
    let nearest = |text: String| text.rsplit(", ").next().map(str::to_owned).filter(|text| !text.is_empty());
    let suggestion = suggested.into_iter().find_map(|kind| nearest(text_of(error, kind)));
    let expected = match error.kind() {
        ErrorKind::ValueValidation => Some(expected(error)),
        _ => (!valid.is_empty()).then(|| msg!("cli-usage-valid", values = valid.as_str())),
    };
    let meant = suggestion.and_then(|suggestion| match purpose {
        CommandPurpose::Run => harmless(suggestion, &unknown_word(error)),
        CommandPurpose::Help => Some(suggestion),
    });
    let meant = meant.map(|suggestion| msg!("cli-usage-suggestion", suggestion = suggestion));
    let value = text_of(error, ContextKind::InvalidValue);
    let is_list = |text: &str| text.split(',').all(|part| valid.split(", ").any(|word| word == part));
    let word = text_of(error, ContextKind::InvalidArg);
    let written = match error.kind() {
        ErrorKind::InvalidValue if value.contains(',') && is_list(&value) => Some(msg!("cli-usage-commas")),
        ErrorKind::UnknownArgument if !word.starts_with('-') => Some(msg!("cli-usage-no-option")),
        _ => None,
    };
    // Part of a list is no suggestion for it.
    let meant = meant.filter(|_| written.is_none());
    expected.into_iter().chain(written).chain(meant).chain([msg!("cli-usage-more")]).collect()
}

/// Returns the suggestion for `written`, unless it could cost money or means the opposite.
fn harmless(suggestion: String, written: &str) -> Option<String> {
    match suggestion.as_str() {
        "eval" => Some("eval --dry-run".to_owned()),
        costly if COSTLY.contains(&costly) => None,
        switch if switch.starts_with("--no-") != written.starts_with("--no") => None,
        _ => Some(suggestion),
    }
}

/// Describes the values that an argument expects. All arguments with such errors are numbers, or two of them as a
/// scale; for one out of range the parser's error is `0 is not in 1..=100`.
fn expected(error: &clap::Error) -> Message {
    let why = std::error::Error::source(error).map(ToString::to_string).unwrap_or_default();
    let range = why.rsplit_once(" is not in ").and_then(|(_, range)| range.split_once("..="));
    match range {
        _ if text_of(error, ContextKind::InvalidArg).ends_with("<WORST..BEST>") => msg!("cli-usage-scale"),
        // The upper bound is only that of the type.
        Some((low, high)) if high == u32::MAX.to_string() || high == u64::MAX.to_string() => {
            msg!("cli-usage-at-least", low = low)
        }
        Some((low, high)) => msg!("cli-usage-range", low = low, high = high),
        None if text_of(error, ContextKind::InvalidValue).parse::<f64>().is_ok_and(|value| value < 0.0) => {
            msg!("cli-usage-not-negative")
        }
        None => msg!("cli-usage-number"),
    }
}

fn text_of(error: &clap::Error, kind: ContextKind) -> String {
    match error.get(kind) {
        Some(ContextValue::String(text)) => text.clone(),
        Some(ContextValue::Strings(texts)) => texts.join(", "),
        Some(other) => other.to_string(),
        None => String::new(),
    }
}
