//! All that is printed goes through here: human text to standard output, progress and warnings to
//! standard error, one JSON document with `--json` (C2).

mod diagnose;
pub(crate) mod progress;
pub(crate) mod usage;

use std::io::Write;

use eval_spec::{Context, Diagnostic, Lang, Message, msg};

use crate::cli::Global;
use crate::exit::Failure;

/// The two streams of a command line program, and how to write to them.
pub(crate) struct Terminal {
    json: bool,
    lang: Lang,
    /// Whether standard output takes colour.
    pub(crate) color: bool,
    error_color: bool,
    /// Columns to lay text out in.
    pub(crate) width: usize,
    is_ci: bool,
    stderr_is_terminal: bool,
}

impl Terminal {
    /// The terminal that `context` and the flags describe.
    pub(crate) fn new(context: &Context, flags: &Global) -> Terminal {
        let plain = flags.no_color || context.var("NO_COLOR").is_some() || context.var("TERM") == Some("dumb");
        let forced = context.var("CLICOLOR_FORCE").is_some_and(|value| value != "0");
        Terminal {
            json: flags.json,
            lang: context.lang,
            color: !plain && (context.stdout_is_terminal || forced),
            error_color: !plain && (context.stderr_is_terminal || forced),
            width: context.var("COLUMNS").and_then(|columns| columns.parse().ok()).unwrap_or(80).clamp(40, 120),
            is_ci: context.var("CI").is_some(),
            stderr_is_terminal: context.stderr_is_terminal,
        }
    }

    /// The language of the reader.
    pub(crate) fn lang(&self) -> Lang {
        self.lang
    }

    /// Whether `--json` asked for one document and nothing else.
    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    /// Prints a text for people.
    pub(crate) fn say(&self, message: &Message) {
        self.text(&message.text(self.lang));
    }

    /// Prints a text for people that is laid out already.
    pub(crate) fn text(&self, text: &str) {
        if !self.json {
            self.bytes(format!("{}\n", text.trim_end_matches('\n')).as_bytes());
        }
    }

    /// Prints the one document of `--json`.
    pub(crate) fn json(&self, document: impl FnOnce() -> serde_json::Value) {
        if self.json {
            self.bytes(format!("{:#}\n", document()).as_bytes());
        }
    }

    /// Writes to standard output. A reader that went away, as in `omk … | head`, is no failure.
    pub(crate) fn bytes(&self, bytes: &[u8]) {
        let mut out = std::io::stdout().lock();
        let _ = out.write_all(bytes).and_then(|()| out.flush());
    }

    /// Prints a line to standard error.
    pub(crate) fn note(&self, message: &Message) {
        self.error_line(&message.text(self.lang));
    }

    /// Prints a warning to standard error.
    pub(crate) fn warn(&self, message: &Message) {
        let word = msg!("cli-warning").text(self.lang);
        self.error_line(&format!("{}: {}", self.paint(&word, "33"), message.text(self.lang)));
    }

    /// Draws warnings at their places.
    pub(crate) fn warnings(&self, diagnostics: &[Diagnostic]) {
        for diagnostic in diagnostics {
            self.error_line(&diagnose::draw(diagnostic, self.lang, self.error_color, self.width));
        }
    }

    /// Says why a command failed.
    pub(crate) fn failure(&self, context: &Context, failure: &Failure) {
        match failure {
            Failure::Input(diagnostics) => {
                self.warnings(&diagnostics.0);
                let errors = diagnostics.0.iter().filter(|d| d.severity == eval_spec::source::Severity::Error).count();
                self.error_line(&msg!("cli-input-errors", count = errors).text(context.lang));
            }
            Failure::Usage { message, help } => self.error(message, help.as_ref()),
            Failure::Executor(error) => {
                self.error(error.message(), None);
                error.help().iter().for_each(|help| self.hint(help));
                if matches!(error, eval_exec::BuildError::Missing { .. }) {
                    self.note(&msg!("cli-executors"));
                    eval_exec::choices(context).iter().for_each(|choice| self.note(choice));
                }
            }
            Failure::Run(error) => self.error(&error.message(), None),
            Failure::Report(error) => self.error(&error.message(), None),
            Failure::Io { message, source } => {
                self.error(&msg!("cli-io", what = message.text(context.lang), error = source.to_string()), None);
            }
        }
    }

    /// Prints an error and what to do about it.
    pub(crate) fn error(&self, message: &Message, help: Option<&Message>) {
        let word = msg!("cli-error").text(self.lang);
        self.error_line(&format!("{}: {}", self.paint(&word, "31;1"), message.text(self.lang)));
        if let Some(help) = help {
            self.hint(help);
        }
    }

    /// Prints what to do about an error.
    pub(crate) fn hint(&self, help: &Message) {
        let word = msg!("cli-hint").text(self.lang);
        self.error_line(&format!("{}: {}", self.paint(&word, "36"), help.text(self.lang)));
    }

    fn error_line(&self, line: &str) {
        let _ = writeln!(std::io::stderr().lock(), "{}", line.trim_end_matches('\n'));
    }

    fn paint(&self, text: &str, code: &str) -> String {
        match self.error_color {
            true => format!("\u{1b}[{code}m{text}\u{1b}[0m"),
            false => text.to_owned(),
        }
    }
}
