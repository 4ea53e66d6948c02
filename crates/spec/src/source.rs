//! Places in files, and diagnostics about them.

use std::sync::Arc;

use eval_message::Message;

/// A file as it was read.
#[derive(Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// The name for messages: relative to the working directory where it can be.
    pub name: String,
    /// Its whole text.
    pub text: String,
}

/// A range of bytes in a [`SourceFile`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// How many bytes.
    pub len: usize,
}

/// A place in a file.
#[derive(Clone, Debug)]
pub struct Place {
    /// The file.
    pub file: Arc<SourceFile>,
    /// The range in it.
    pub span: Span,
}

impl Place {
    /// Line and column, both counted from 1, columns in Unicode scalar values.
    #[must_use]
    pub fn line_column(&self) -> (usize, usize) {
        let start = self.file.text.floor_char_boundary(self.span.start);
        let before = &self.file.text[..start];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
    }
}

/// The severity of a [`Diagnostic`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DiagnosticSeverity {
    /// Worth knowing; the run goes on.
    Warning,
    /// The run can't start.
    Error,
}

/// An error or warning about an input.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// Whether it prevents the run.
    pub severity: DiagnosticSeverity,
    /// The problem.
    pub message: Message,
    /// What to do about it.
    pub help: Option<Message>,
    /// Where; `None` when there is no file to point into.
    pub place: Option<Place>,
    /// Other places that matter, such as the first use of a duplicated id.
    pub also: Vec<(Place, Message)>,
}

impl Diagnostic {
    /// An error at `place`.
    #[must_use]
    pub fn error(message: Message, place: impl Into<Option<Place>>) -> Diagnostic {
        Diagnostic { severity: DiagnosticSeverity::Error, message, help: None, place: place.into(), also: Vec::new() }
    }

    /// A warning at `place`.
    #[must_use]
    pub fn warning(message: Message, place: impl Into<Option<Place>>) -> Diagnostic {
        Diagnostic { severity: DiagnosticSeverity::Warning, ..Diagnostic::error(message, place) }
    }

    /// The same with advice.
    #[must_use]
    pub fn help(mut self, help: Message) -> Diagnostic {
        self.help = Some(help);
        self
    }

    /// The same with one more labelled place.
    #[must_use]
    pub fn also(mut self, place: Place, label: Message) -> Diagnostic {
        self.also.push((place, label));
        self
    }
}

/// All errors and warnings about the inputs of one run, in file order.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics(pub Vec<Diagnostic>);

impl Diagnostics {
    /// Whether a run can't start.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.0.iter().any(|d| d.severity == DiagnosticSeverity::Error)
    }
}

impl std::error::Error for Diagnostics {}

impl std::fmt::Display for Diagnostics {
    /// One `file:line:column: message` per line, in English.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (i, diagnostic) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str("\n")?;
            }
            if let Some(place) = &diagnostic.place {
                let (line, column) = place.line_column();
                write!(f, "{}:{line}:{column}: ", place.file.name)?;
            }
            write!(f, "{}", diagnostic.message)?;
        }
        Ok(())
    }
}

impl From<Diagnostic> for Diagnostics {
    fn from(diagnostic: Diagnostic) -> Diagnostics {
        Diagnostics(vec![diagnostic])
    }
}
