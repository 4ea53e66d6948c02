//! Draws a diagnostic at its line and column.

use std::fmt;

use eval_spec::source::{Place, Severity};
use eval_spec::{Diagnostic, Lang};
use miette::{GraphicalReportHandler, GraphicalTheme, LabeledSpan, NamedSource, ThemeStyles};

/// The drawing, ending without a line break.
pub(crate) fn draw(diagnostic: &Diagnostic, lang: Lang, color: bool, width: usize) -> String {
    let mut drawing = String::new();
    let theme = match color {
        true => GraphicalTheme::unicode(),
        false => GraphicalTheme { styles: ThemeStyles::none(), ..GraphicalTheme::unicode() },
    };
    let handler = GraphicalReportHandler::new_themed(theme).with_width(width).with_links(false);
    match handler.render_report(&mut drawing, &Drawn { diagnostic, lang, source: source(diagnostic) }) {
        // The handler knows only the English word.
        Ok(()) if lang == Lang::Zh => drawing.replacen("\n  help: ", "\n  提示：", 1),
        Ok(()) => drawing,
        // Formatting into a String fails only when a position is outside the text: say it plainly then.
        Err(fmt::Error) => eval_spec::Diagnostics(vec![diagnostic.clone()]).to_string(),
    }
}

fn source(diagnostic: &Diagnostic) -> Option<NamedSource<String>> {
    let place = diagnostic.place.as_ref()?;
    Some(NamedSource::new(&place.file.name, place.file.text.clone()))
}

struct Drawn<'a> {
    diagnostic: &'a Diagnostic,
    lang: Lang,
    source: Option<NamedSource<String>>,
}

impl fmt::Debug for Drawn<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.diagnostic.fmt(f)
    }
}

impl fmt::Display for Drawn<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.diagnostic.message.text(self.lang))
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

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(self.diagnostic.help.as_ref()?.text(self.lang)))
    }

    fn source_code(&self) -> Option<&dyn miette::SourceCode> {
        Some(self.source.as_ref()?)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let place = self.diagnostic.place.as_ref()?;
        let own = LabeledSpan::new_primary_with_span(None, span(place));
        let same_file = self.diagnostic.also.iter().filter(|(other, _)| other.file.name == place.file.name);
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
