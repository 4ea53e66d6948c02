//! Draws a diagnostic at its line and column.

use std::fmt;

use eval_report::terminal::{clean, wrap};
use eval_spec::source::{Place, Severity};
use eval_spec::{Diagnostic, Lang};
use miette::{GraphicalReportHandler, GraphicalTheme, LabeledSpan, NamedSource, ThemeStyles};

/// The drawing, ending without a line break. Advice is not part of it.
pub(crate) fn draw(diagnostic: &Diagnostic, place: &Place, lang: Lang, color: bool, width: usize) -> String {
    let mut drawing = String::new();
    let theme = match color {
        true => GraphicalTheme::unicode(),
        false => GraphicalTheme { styles: ThemeStyles::none(), ..GraphicalTheme::unicode() },
    };
    // The message comes wrapped: the handler's own wrapping breaks paths at every slash.
    let handler = GraphicalReportHandler::new_themed(theme).with_width(width).with_wrap_lines(false).with_links(false);
    let message = wrap(&clean(&diagnostic.message.text(lang)), width.saturating_sub(4), 0);
    let source = NamedSource::new(clean(&place.file.name), harmless(&place.file.text));
    match handler.render_report(&mut drawing, &Drawn { diagnostic, place, message, lang, source }) {
        Ok(()) => drawing.trim_end().to_owned(),
        // Formatting into a String fails only when a position is outside the text: say it plainly then.
        Err(fmt::Error) => clean(&eval_spec::Diagnostics(vec![diagnostic.clone()]).to_string()),
    }
}

/// A file's text as it can be shown: what would steer the terminal is replaced by something of the
/// same length in bytes, so that positions stay right.
fn harmless(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\n' | '\t' => shown.push(c),
            '\r' if chars.peek() == Some(&'\n') => shown.push(' '),
            c if c.is_control() => shown.push_str(&"?".repeat(c.len_utf8())),
            '\u{61c}' => shown.push_str("??"),
            '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' => {
                shown.push(char::REPLACEMENT_CHARACTER);
            }
            c => shown.push(c),
        }
    }
    shown
}

struct Drawn<'a> {
    diagnostic: &'a Diagnostic,
    place: &'a Place,
    message: String,
    lang: Lang,
    source: NamedSource<String>,
}

impl fmt::Debug for Drawn<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.diagnostic.fmt(f)
    }
}

impl fmt::Display for Drawn<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Drawn<'_> {}

impl miette::Diagnostic for Drawn<'_> {
    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.diagnostic.severity {
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
        })
    }

    fn source_code(&self) -> Option<&dyn miette::SourceCode> {
        Some(&self.source)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let own = LabeledSpan::new_primary_with_span(None, span(self.place));
        let same_file = self.diagnostic.also.iter().filter(|(other, _)| other.file.name == self.place.file.name);
        let others =
            same_file.map(|(other, label)| LabeledSpan::new_with_span(Some(label.text(self.lang)), span(other)));
        Some(Box::new(std::iter::once(own).chain(others)))
    }
}

/// The range to mark: one line of it at most, since a whole mapping is no use as a mark.
fn span(place: &Place) -> (usize, usize) {
    let text = &place.file.text;
    let start = text.floor_char_boundary(place.span.start.min(text.len()));
    let line_end = text[start..].find('\n').map_or(text.len(), |newline| start + newline);
    let end = text.floor_char_boundary((place.span.start + place.span.len).min(line_end)).max(start);
    (start, end - start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_made_harmless_keeps_its_length_and_lines() {
        for text in
            ["a\r\nb\tc", "\u{1b}[31mred\u{9b}0m", "\u{202e}evil\u{feff}\u{61c}", "审查 é 😀\r", "\u{0}\u{7f}\u{85}"]
        {
            let shown = harmless(text);
            assert_eq!(shown.len(), text.len(), "{text:?} → {shown:?}");
            assert_eq!(shown.matches('\n').count(), text.matches('\n').count());
            assert!(!shown.chars().any(|c| c.is_control() && c != '\n' && c != '\t'), "{shown:?}");
        }
        assert_eq!(harmless("plain — 文本\n"), "plain — 文本\n");
    }
}
