//! The errors and warnings of one file, collected until its end.

use std::cell::OnceCell;
use std::path::Path;
use std::sync::Arc;

use eval_message::{Message, msg};
use eval_spec::source::{DiagnosticSeverity, Place, SourceFile, Span};
use eval_spec::{Context, Diagnostic, Diagnostics};

use eval_spec::credentials;

use super::Loaded;

/// More than this many problems of one file are counted, not listed.
const MAX_LISTED: usize = 100;

/// More than this many bytes of a value are not marked.
const MAX_MARKED: usize = 120;

/// More than this many problems are not stored.
const MAX_STORED: usize = 10_000;

/// Collects the problems of one file.
pub(super) struct Problems {
    file: Arc<SourceFile>,
    /// The file with credentials masked, for excerpts; positions are the same.
    shown: Arc<SourceFile>,
    context: Context,
    /// Where lines end, made when a line is first asked for: a file of many rows names the line of each.
    line_ends: OnceCell<Vec<usize>>,
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    dropped_errors: usize,
    dropped_warnings: usize,
}

impl Problems {
    pub(super) fn new(context: &Context, file: &Arc<SourceFile>) -> Problems {
        let context = context.clone();
        let shown = match credentials::masked(&file.text) {
            Some(text) => Arc::new(SourceFile { name: file.name.clone(), text }),
            None => Arc::clone(file),
        };
        Problems {
            file: Arc::clone(file),
            shown,
            context,
            line_ends: OnceCell::new(),
            errors: Vec::new(),
            warnings: Vec::new(),
            dropped_errors: 0,
            dropped_warnings: 0,
        }
    }

    pub(super) fn context(&self) -> &Context {
        &self.context
    }

    pub(super) fn file(&self) -> &Arc<SourceFile> {
        &self.file
    }

    /// A path as messages show it.
    pub(super) fn shown(&self, path: &Path) -> String {
        self.context.display(path)
    }

    /// Whether there are so many errors that advice no longer matters.
    pub(super) fn is_full(&self) -> bool {
        self.errors.len() > 5 * MAX_LISTED
    }

    pub(super) fn place(&self, span: Span) -> Place {
        Place { file: Arc::clone(&self.shown), span }
    }

    /// The number of the line in which a value begins, from 1.
    pub(super) fn line(&self, span: Span) -> usize {
        let ends = self.line_ends.get_or_init(|| self.file.text.match_indices('\n').map(|(at, _)| at).collect());
        ends.partition_point(|end| *end < span.start) + 1
    }

    /// The place of a value that may span many lines: its first line, or the beginning of that.
    pub(super) fn head(&self, span: Span) -> Place {
        let start = span.start.min(self.file.text.len());
        let end = self.file.text.floor_char_boundary(start + span.len.min(MAX_MARKED));
        let text = self.file.text.get(start..end).unwrap_or("");
        let line = text.lines().next().unwrap_or("").trim_end();
        self.place(Span { start: span.start, len: line.len() })
    }

    /// The text at this place.
    pub(super) fn written(&self, span: Span) -> String {
        self.file.text.get(span.start..span.start + span.len).unwrap_or_default().to_owned()
    }

    pub(super) fn error(&mut self, span: Span, message: Message) {
        let place = self.head(span);
        self.push(Diagnostic::error(message, place));
    }

    pub(super) fn error_with_help(&mut self, span: Span, message: Message, help: Option<Message>) {
        let place = self.head(span);
        self.push(Diagnostic { help, ..Diagnostic::error(message, place) });
    }

    pub(super) fn warning(&mut self, span: Span, message: Message, help: Option<Message>) {
        let place = self.head(span);
        self.push(Diagnostic { help, ..Diagnostic::warning(message, place) });
    }

    /// An error at `span` about something that must not be there twice, and is at `first` already.
    pub(super) fn repeated(&mut self, span: Span, first: Span, message: Message) {
        let (place, first) = (self.head(span), self.head(first));
        self.push(Diagnostic::error(message, place).also(first, msg!("load-first-here")));
    }

    pub(super) fn duplicate_key(&mut self, key: &str, span: Span, first: Span) {
        self.repeated(span, first, msg!("load-duplicate-key", key = key));
    }

    pub(super) fn push(&mut self, diagnostic: Diagnostic) {
        let list = match diagnostic.severity {
            DiagnosticSeverity::Error => &mut self.errors,
            DiagnosticSeverity::Warning => &mut self.warnings,
        };
        match list.len() < MAX_STORED {
            true => list.push(diagnostic),
            false if diagnostic.severity == DiagnosticSeverity::Error => self.dropped_errors += 1,
            false => self.dropped_warnings += 1,
        }
    }

    pub(super) fn has_errors(&self) -> bool {
        !self.errors.is_empty()
    }

    /// `value` with the warnings, or all errors, in file order. Beside errors, warnings are left
    /// out: half of them are about what the errors broke.
    pub(super) fn finish<T>(mut self, value: T) -> Result<Loaded<T>, Diagnostics> {
        if self.has_errors() {
            self.warnings.clear();
            self.dropped_warnings = 0;
            return Err(Diagnostics(self.listed()));
        }
        Ok(Loaded { value, warnings: self.listed() })
    }

    /// In file order, each once, and not too many.
    fn listed(self) -> Vec<Diagnostic> {
        let start = |d: &Diagnostic| d.place.as_ref().map_or(0, |place| place.span.start);
        let mut listed = self.errors;
        listed.extend(self.warnings);
        listed.sort_by_key(start);
        // An alias repeats its anchor's problems.
        listed.dedup_by(|b, a| start(a) == start(b) && a.message == b.message);
        let unlisted =
            self.dropped_errors + self.dropped_warnings + listed.split_off(listed.len().min(MAX_LISTED)).len();
        if let (Some(last), true) = (listed.last(), unlisted > 0) {
            let more = Diagnostic::warning(msg!("load-more-problems", count = unlisted), last.place.clone());
            listed.push(more);
        }
        listed
    }
}
