//! Errors of the command line itself, in the reader's language.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use eval_spec::{Context, Lang, msg};

use crate::exit;

/// Prints what the parser has to say, which may be help or the version, and gives the exit code.
pub(crate) fn print(context: &Context, error: &clap::Error) -> u8 {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        let _ = error.print();
        return exit::OK;
    }
    match context.lang {
        Lang::En => {
            let _ = error.print();
        }
        Lang::Zh => print_chinese(error),
    }
    exit::USAGE
}

#[expect(clippy::print_stderr, reason = "the terminal is not set up before the arguments are parsed")]
fn print_chinese(error: &clap::Error) {
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let _ = error.print();
        return;
    }
    let context = |kind| error.get(kind).map(value_text).unwrap_or_default();
    let argument = context(ContextKind::InvalidArg);
    let value = context(ContextKind::InvalidValue);
    let message = match error.kind() {
        ErrorKind::UnknownArgument => msg!("cli-usage-unknown-argument", argument = argument),
        ErrorKind::InvalidSubcommand => {
            msg!("cli-usage-unknown-command", command = context(ContextKind::InvalidSubcommand))
        }
        ErrorKind::MissingRequiredArgument => msg!("cli-usage-missing-argument", argument = argument),
        ErrorKind::MissingSubcommand => msg!("cli-usage-missing-command"),
        ErrorKind::ArgumentConflict => {
            msg!("cli-usage-conflict", argument = argument, other = context(ContextKind::PriorArg))
        }
        ErrorKind::InvalidValue if value.is_empty() => msg!("cli-usage-value-missing", argument = argument),
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => {
            msg!("cli-usage-value", argument = argument, value = value)
        }
        _ => msg!("cli-usage-other", error = error.kind().to_string()),
    };
    eprintln!("{}: {}", msg!("cli-error").text(Lang::Zh), message.text(Lang::Zh));
    let valid = context(ContextKind::ValidValue);
    if !valid.is_empty() {
        eprintln!("{}", msg!("cli-usage-valid", values = valid).text(Lang::Zh));
    }
    let suggestion = [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::SuggestedValue]
        .into_iter()
        .map(context)
        .find(|text| !text.is_empty());
    if let Some(suggestion) = suggestion {
        eprintln!("{}", msg!("cli-usage-suggestion", suggestion = suggestion).text(Lang::Zh));
    }
    eprintln!("{}", msg!("cli-usage-more").text(Lang::Zh));
}

fn value_text(value: &ContextValue) -> String {
    match value {
        ContextValue::String(text) => text.clone(),
        ContextValue::Strings(texts) => texts.join(", "),
        other => other.to_string(),
    }
}
