//! All output: text for people to standard output, progress and warnings to standard error, one JSON document with
//! `--json`.

mod alike;
mod diagnose;
mod document;
pub mod progress;
pub mod usage;
mod width;

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;
use std::sync::OnceLock;

use eval_exec::BuildError;
use eval_load::Loaded;
use eval_message::plain::clean;
use eval_message::{Arg, Lang, Message, msg};
use eval_render::Show;
use eval_render::terminal::wrap;
use eval_run::RunError;
use eval_spec::source::{DiagnosticSeverity, Place};
use eval_spec::{Context, Diagnostic, Diagnostics};

use crate::exit::{self, CommandError};

#[doc(hidden)]
pub use diagnose::without_controls;
pub use document::diagnostic as diagnostic_document;

/// Flags for output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// `--json`: one document on standard output.
    pub json: bool,
    /// `--no-color`.
    pub no_color: bool,
}

impl Flags {
    /// Reads the flags from arguments that are not parsed yet, for help and usage errors.
    pub fn among(arguments: &[OsString]) -> Flags {
        let given = |flag: &str| arguments.iter().take_while(|argument| *argument != "--").any(|a| a == flag);
        Flags { json: given("--json"), no_color: given("--no-color") }
    }
}

/// The standard streams and their settings.
pub struct Terminal {
    json: bool,
    lang: Lang,
    /// Standard output supports colour.
    pub color: bool,
    error_color: bool,
    /// Width of text, in columns.
    pub width: usize,
    /// Width of errors: log files are not wrapped, so that programs can search them.
    error_width: usize,
    is_ci: bool,
    stderr_is_terminal: bool,
    /// Why standard output could not be written.
    lost: OnceLock<String>,
}

/// Returns advice for an error of writing a file; `None` for other errors.
fn where_to_write(error: &std::io::Error) -> Option<Message> {
    use std::io::ErrorKind::{IsADirectory, NotADirectory, PermissionDenied, ReadOnlyFilesystem, StorageFull};
    match error.kind() {
        StorageFull => Some(msg!("cli-disk-full")),
        IsADirectory | NotADirectory | PermissionDenied | ReadOnlyFilesystem => Some(msg!("cli-other-folder")),
        _ => None,
    }
}

impl Terminal {
    /// Describes the terminal by `context` and the flags.
    pub fn new(context: &Context, flags: &Flags) -> Terminal {
        let plain = flags.no_color || context.var("NO_COLOR").is_some() || context.var("TERM") == Some("dumb");
        let columns = width::columns(context);
        let width = columns.unwrap_or(80).clamp(40, 200);
        let forced = context.var("CLICOLOR_FORCE").is_some_and(|value| value != "0");
        Terminal {
            json: flags.json,
            lang: context.lang,
            color: !plain && (context.stdout_is_terminal || forced),
            error_color: !plain && (context.stderr_is_terminal || forced),
            width,
            error_width: if context.stderr_is_terminal || columns.is_some() { width } else { usize::MAX },
            is_ci: context.var("CI").is_some(),
            stderr_is_terminal: context.stderr_is_terminal,
            lost: OnceLock::new(),
        }
    }

    /// Prints why a command failed, if it did, and returns the exit code. A command whose output was lost has failed.
    pub fn end(&self, context: &Context, result: Result<u8, CommandError>) -> ExitCode {
        let code = result.unwrap_or_else(|failure| {
            self.failure(context, &failure);
            failure.exit_code()
        });
        let Some(why) = self.lost.get() else { return ExitCode::from(code) };
        self.error(&msg!("cli-output-lost", why = why), None);
        ExitCode::from(if code == exit::OK { exit::INVALID } else { code })
    }

    /// Returns the layout of texts for standard output.
    pub fn show(&self) -> Show {
        Show { lang: self.lang, width: self.width, color: self.color, exit_code: false }
    }

    pub fn lang(&self) -> Lang {
        self.lang
    }

    /// Returns `true` with `--json`: only one document is printed.
    pub fn is_json(&self) -> bool {
        self.json
    }

    /// Prints a text for people, without control characters in its arguments, such as file names.
    pub fn say(&self, message: &Message) {
        self.say_at(0, message);
    }

    /// Prints a text for people, indented by some columns.
    pub fn say_at(&self, indent: usize, message: &Message) {
        let mut message = message.clone();
        for value in message.args.values_mut() {
            if let Arg::Text(text) = value {
                *text = clean(text);
            }
        }
        self.text(&format!("{}{}", " ".repeat(indent), message.text(self.lang)));
    }

    /// Prints a laid-out text for people, which must have no control characters.
    pub fn text(&self, text: &str) {
        if !self.json {
            self.bytes(format!("{}\n", text.trim_end_matches('\n')).as_bytes());
        }
    }

    /// Prints the document of `--json`.
    pub fn json(&self, document: impl FnOnce() -> serde_json::Value) {
        if self.json {
            self.bytes(format!("{:#}\n", document()).as_bytes());
        }
    }

    /// Writes to standard output. A closed pipe, as in `omk … | head`, is no failure.
    pub fn bytes(&self, bytes: &[u8]) {
        let mut out = std::io::stdout().lock();
        if let Err(error) = out.write_all(bytes).and_then(|()| out.flush())
            && error.kind() != std::io::ErrorKind::BrokenPipe
        {
            self.lost.get_or_init(|| error.to_string());
        }
    }

    /// Prints a line to standard error.
    pub fn note(&self, message: &Message) {
        self.error_line(&clean(&message.text(self.lang)));
    }

    /// Prints a warning to standard error.
    pub fn warn(&self, message: &Message) {
        self.labelled(&msg!("cli-warning"), "33", message);
    }

    /// Draws diagnostics at their places; prints those without a place as a line.
    pub fn diagnostics(&self, diagnostics: &[Diagnostic]) {
        let (shown, repeated) = alike::few(diagnostics);
        for diagnostic in shown {
            match (&diagnostic.place, diagnostic.severity) {
                (Some(place), _) => {
                    self.error_line(&diagnose::draw(diagnostic, place, self.lang, self.error_color, self.error_width));
                }
                (None, DiagnosticSeverity::Error) => self.labelled(&msg!("cli-error"), "31;1", &diagnostic.message),
                (None, DiagnosticSeverity::Warning) => self.warn(&diagnostic.message),
            }
            diagnostic.help.iter().for_each(|help| self.hint(help));
        }
        repeated.iter().for_each(|more| self.note(more));
    }

    /// Prints the warnings of loading, and returns the loaded value.
    pub fn loaded<T>(&self, loaded: Loaded<T>) -> T {
        self.diagnostics(&loaded.warnings);
        loaded.value
    }

    /// Prints why a command failed; with `--json` also as the document.
    pub fn failure(&self, context: &Context, failure: &CommandError) {
        self.json(|| document::failure(failure, self.lang));
        self.print_failure(context, failure);
    }

    /// Prints why a command failed, without a JSON document, if a report was printed as the document.
    pub fn print_failure(&self, context: &Context, failure: &CommandError) {
        match failure {
            CommandError::Input(diagnostics) => {
                self.diagnostics(&diagnostics.0);
                self.note(&input_errors(diagnostics));
            }
            CommandError::Usage { message, help } => self.error(message, help.as_ref()),
            CommandError::Executor { error, place, meant, instead } => {
                let meant = meant.map(|name| msg!("cli-usage-suggestion", suggestion = name));
                self.no_executor(
                    context,
                    error,
                    place.as_deref(),
                    meant.into_iter().chain(instead.as_deref().cloned()).collect(),
                );
            }
            CommandError::Run(error @ RunError::Create { .. }) => {
                self.error(&error.message(), Some(&msg!("cli-other-home")));
            }
            CommandError::Run(error) | CommandError::Stopped(error) => self.error(&error.message(), None),
            CommandError::Report(error) => self.error(&error.message(), None),
            CommandError::Io { message, source } => {
                self.error(&io(message, source, self.lang), where_to_write(source).as_ref())
            }
        }
    }

    /// Prints an error and hints; with `--json` also as the document.
    pub fn usage(&self, message: &Message, hints: &[Message]) {
        self.json(|| document::single(message, hints, None, self.lang));
        self.error(message, None);
        hints.iter().for_each(|hint| self.hint(hint));
    }

    /// Prints how to resume an interrupted run; with `--json` also as the document.
    pub fn interrupted(&self, message: &Message, help: &Message) {
        self.json(|| document::single(message, std::slice::from_ref(help), None, self.lang));
        self.note(message);
        self.note(help);
    }

    /// Prints why an executor can't be built, its place in `eval.yaml`, and the available executors.
    fn no_executor(&self, context: &Context, error: &BuildError, place: Option<&Place>, hints: Vec<Message>) {
        let help = hints.first().cloned();
        self.diagnostics(&[Diagnostic { help, ..Diagnostic::error(error.message().clone(), place.cloned()) }]);
        hints.iter().skip(1).for_each(|hint| self.hint(hint));
        match error {
            BuildError::Missing { help, .. } | BuildError::Command { help, .. } | BuildError::Invalid { help, .. } => {
                help.iter().for_each(|help| self.hint(help));
            }
            BuildError::Unknown { .. } => {}
        }
        if matches!(error, BuildError::Missing { .. } | BuildError::Unknown { .. }) {
            self.note(&msg!("cli-executors"));
            for choice in eval_exec::choices(context) {
                let line = wrap(&clean(&choice.text(self.lang)), self.error_width.saturating_sub(2), 4);
                self.error_line(&format!("  {line}"));
            }
        }
        if place.is_some() {
            self.note(&msg!("cli-input-errors", count = 1));
        }
    }

    /// Prints an error and a hint.
    pub fn error(&self, message: &Message, help: Option<&Message>) {
        self.labelled(&msg!("cli-error"), "31;1", message);
        if let Some(help) = help {
            self.hint(help);
        }
    }

    /// Prints a hint.
    pub fn hint(&self, help: &Message) {
        self.labelled(&msg!("cli-hint"), "36", help);
    }

    /// Prints `error: message`, wrapped. The full-width colon of Chinese needs no space after it.
    fn labelled(&self, label: &Message, color: &str, message: &Message) {
        let label = label.text(self.lang);
        let space = if label.ends_with(':') { " " } else { "" };
        let text = wrap(&format!("{label}{space}{}", clean(&message.text(self.lang))), self.error_width, 2);
        self.error_line(&text.replacen(&label, &self.paint(&label, color), 1));
    }

    /// Prints a line to standard error unchanged.
    pub fn error_line(&self, line: &str) {
        let _ = writeln!(std::io::stderr().lock(), "{}", line.trim_end_matches('\n'));
    }

    fn paint(&self, text: &str, code: &str) -> String {
        match self.error_color {
            true => format!("\u{1b}[{code}m{text}\u{1b}[0m"),
            false => text.to_owned(),
        }
    }
}

/// Makes the message with the number of errors in the input.
fn input_errors(diagnostics: &Diagnostics) -> Message {
    let errors = diagnostics.0.iter().filter(|d| d.severity == DiagnosticSeverity::Error).count();
    msg!("cli-input-errors", count = errors)
}

/// Makes the message with the failed action and the system's error.
fn io(message: &Message, source: &std::io::Error, lang: Lang) -> Message {
    msg!("cli-io", what = message.text(lang), error = source.to_string())
}
