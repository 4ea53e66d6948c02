//! The JSON document of a command that fails: its errors and their places.

use eval_message::plain::clean;
use eval_message::{Lang, Message, msg};
use eval_spec::Diagnostic;
use eval_spec::source::{DiagnosticSeverity, Place};
use serde_json::{Value, json};

use super::input_errors;
use crate::exit::CommandError;

/// Makes the document of a failure.
pub(super) fn failure(failure: &CommandError, lang: Lang) -> Value {
    match failure {
        CommandError::Input(input) => {
            let diagnostics: Vec<Value> = input.0.iter().map(|error| diagnostic(error, lang)).collect();
            json!({"error": text_of(&input_errors(input), lang), "diagnostics": diagnostics})
        }
        CommandError::Usage { message, help } => single(message, help.as_slice(), None, lang),
        CommandError::Executor { error, place, meant, instead } => {
            let meant = meant.map(|name| msg!("cli-usage-suggestion", suggestion = name));
            let help: Vec<Message> =
                meant.into_iter().chain(instead.as_deref().cloned()).chain(error.help().iter().cloned()).collect();
            single(error.message(), &help, place.as_deref(), lang)
        }
        CommandError::Run(error) | CommandError::Stopped(error) => single(&error.message(), &[], None, lang),
        CommandError::Report(error) => single(&error.message(), &[], None, lang),
        CommandError::Io { message, source } => single(&super::io(message, source, lang), &[], None, lang),
    }
}

/// Makes the document of one error.
pub(super) fn single(message: &Message, help: &[Message], place: Option<&Place>, lang: Lang) -> Value {
    json!({"error": text_of(message, lang), "diagnostics": [entry(DiagnosticSeverity::Error, message, help, place, lang)]})
}

/// Makes the entry of a diagnostic in a JSON document.
pub fn diagnostic(diagnostic: &Diagnostic, lang: Lang) -> Value {
    let Diagnostic { severity, message, help, place, .. } = diagnostic;
    entry(*severity, message, help.as_slice(), place.as_ref(), lang)
}

fn entry(
    severity: DiagnosticSeverity,
    message: &Message,
    help: &[Message],
    place: Option<&Place>,
    lang: Lang,
) -> Value {
    let severity = match severity {
        DiagnosticSeverity::Warning => "warning",
        DiagnosticSeverity::Error => "error",
    };
    let help: Vec<String> = help.iter().map(|help| text_of(help, lang)).collect();
    let position = place.map(Place::line_column);
    json!({
        "severity": severity,
        "message": text_of(message, lang),
        "help": (!help.is_empty()).then(|| help.join("\n")),
        "file": place.map(|place| clean(&place.file.name)),
        "line": position.map(|(line, _)| line),
        "column": position.map(|(_, column)| column),
    })
}

fn text_of(message: &Message, lang: Lang) -> String {
    clean(&message.text(lang))
}
