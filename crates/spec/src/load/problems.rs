//! What is wrong with one file, collected while reading goes on.

use std::path::Path;
use std::sync::Arc;

use super::Loaded;
use crate::source::{Place, Severity, SourceFile, Span};
use crate::{Context, Diagnostic, Diagnostics, Message, msg};

/// More than this many problems of one file are counted, not listed.
const MAX_LISTED: usize = 100;

/// More than this many are not even kept.
const MAX_KEPT: usize = 10_000;

/// Collects the problems of one file.
pub(super) struct Problems {
    file: Arc<SourceFile>,
    context: Context,
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    dropped: usize,
}

impl Problems {
    pub(super) fn new(context: &Context, file: &Arc<SourceFile>) -> Problems {
        let context = context.clone();
        Problems { file: Arc::clone(file), context, errors: Vec::new(), warnings: Vec::new(), dropped: 0 }
    }

    pub(super) fn file(&self) -> &Arc<SourceFile> {
        &self.file
    }

    /// A path as messages show it.
    pub(super) fn shown(&self, path: &Path) -> String {
        self.context.display(path)
    }

    /// Whether there are so many errors that details no longer matter.
    pub(super) fn is_full(&self) -> bool {
        self.errors.len() >= MAX_KEPT
    }

    pub(super) fn place(&self, span: Span) -> Place {
        Place { file: Arc::clone(&self.file), span }
    }

    /// The place of a value that may span many lines: its first line.
    pub(super) fn head(&self, span: Span) -> Place {
        let text = self.file.text.get(span.start..span.start + span.len).unwrap_or("");
        let line = text.lines().next().unwrap_or("").trim_end();
        self.place(Span { start: span.start, len: line.len() })
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

    pub(super) fn duplicate_key(&mut self, key: &str, span: Span, first: Span) {
        let (place, first) = (self.head(span), self.head(first));
        let error = Diagnostic::error(msg!("load-duplicate-key", key = key), place);
        self.push(error.also(first, msg!("load-first-here")));
    }

    pub(super) fn push(&mut self, diagnostic: Diagnostic) {
        let list = match diagnostic.severity {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
        };
        match list.len() < MAX_KEPT {
            true => list.push(diagnostic),
            false => self.dropped += 1,
        }
    }

    pub(super) fn has_errors(&self) -> bool {
        !self.errors.is_empty()
    }

    /// `value` with the warnings, or everything that is wrong, in file order.
    pub(super) fn finish<T>(self, value: Option<T>) -> Result<Loaded<T>, Diagnostics> {
        match value {
            Some(value) if !self.has_errors() => Ok(Loaded { value, warnings: self.listed() }),
            _ => Err(Diagnostics(self.listed())),
        }
    }

    /// In file order, each once; errors go before warnings where not all can be listed.
    fn listed(self) -> Vec<Diagnostic> {
        let start = |d: &Diagnostic| d.place.as_ref().map_or(0, |place| place.span.start);
        let (mut listed, mut unlisted) = (Vec::new(), self.dropped);
        for mut found in [self.errors, self.warnings] {
            found.sort_by_key(start);
            // An alias repeats its anchor's problems.
            found.dedup_by(|b, a| start(a) == start(b) && a.message == b.message);
            let rest = found.split_off(found.len().min(MAX_LISTED - listed.len()));
            unlisted += rest.len();
            listed.append(&mut found);
        }
        listed.sort_by_key(start);
        if let (Some(last), true) = (listed.last(), unlisted > 0) {
            let more = Diagnostic::warning(msg!("load-more-problems", count = unlisted), last.place.clone());
            listed.push(more);
        }
        listed
    }
}
