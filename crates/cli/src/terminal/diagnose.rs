//! Draws a diagnostic at its line and column.

use std::fmt;

use eval_message::Lang;
use eval_message::plain::clean;
use eval_render::terminal::wrap;
use eval_spec::Diagnostic;
use eval_spec::source::{DiagnosticSeverity, Place};
use miette::{
    GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, MietteSpanContents, SourceCode, SourceSpan,
    SpanContents, ThemeStyles,
};

/// Draws a diagnostic without its advice, and without a line break at the end.
pub(super) fn draw(diagnostic: &Diagnostic, place: &Place, lang: Lang, color: bool, width: usize) -> String {
    let mut drawing = String::new();
    let theme = match color {
        true => GraphicalTheme::unicode(),
        false => GraphicalTheme { styles: ThemeStyles::none(), ..GraphicalTheme::unicode() },
    };
    // The message is wrapped here: the handler's own wrapping breaks paths at every slash.
    let handler = GraphicalReportHandler::new_themed(theme).with_width(width).with_wrap_lines(false).with_links(false);
    let message = wrap(&clean(&diagnostic.message.text(lang)), width.saturating_sub(4), 0);
    let same_file = diagnostic.also.iter().filter(|(other, _)| other.file.name == place.file.name);
    let places: Vec<&Place> = std::iter::once(place).chain(same_file.clone().map(|(other, _)| other)).collect();
    let labels = same_file.map(|(_, label)| clean(&label.text(lang))).collect();
    let drawn = Drawn { diagnostic, message, labels, excerpt: Excerpt::new(&places) };
    match handler.render_report(&mut drawing, &drawn) {
        Ok(()) => drawing.trim_end().to_owned(),
        // Formatting into a String fails only if a position is outside the text.
        Err(fmt::Error) => clean(&eval_spec::Diagnostics(vec![diagnostic.clone()]).to_string()),
    }
}

/// The lines around some places of a file, without control characters; all other lines are empty. A long line, such as a
/// whole JSON file, is cut to the text around its mark.
struct Excerpt {
    name: String,
    text: String,
    marks: Vec<Mark>,
}

/// A place in an [`Excerpt`].
struct Mark {
    /// Byte offset in the excerpt.
    start: usize,
    /// Length in bytes.
    len: usize,
    /// Column in the file, from 0.
    column: usize,
    /// The mark is in the shown part of its line.
    is_shown: bool,
}

/// Longest line that is shown whole, in bytes.
const LONG: usize = 300;
/// Length of the text before the mark in a cut line, in bytes.
const BEFORE: usize = 60;
/// Length of a cut line, in bytes.
const SHOWN: usize = 180;

impl Excerpt {
    /// Makes the excerpt of the file of `places`, including the lines before and after.
    fn new(places: &[&Place]) -> Excerpt {
        let Some(file) = places.first().map(|place| &place.file) else {
            return Excerpt { name: String::new(), text: String::new(), marks: Vec::new() };
        };
        let columns: Vec<(usize, usize)> = places.iter().map(|place| place.line_column()).collect();
        let spans: Vec<(usize, usize)> = places.iter().map(|place| span(place)).collect();
        let last = columns.iter().map(|(line, _)| *line).max().unwrap_or(0);
        let mut text = String::new();
        let mut marks: Vec<Mark> =
            columns.iter().map(|(_, c)| Mark { start: 0, len: 0, column: c - 1, is_shown: false }).collect();
        let mut start = 0;
        for (number, line) in (1..=last + 1).zip(file.text.split('\n')) {
            if number > 1 {
                text.push('\n');
            }
            if columns.iter().any(|(marked, _)| marked.abs_diff(number) <= 1) {
                let here: Vec<usize> = (0..spans.len()).filter(|&i| columns[i].0 == number).collect();
                let shown = window(line, here.first().map(|&i| spans[i].0 - start));
                text.push_str(if shown.start > 0 { "…" } else { "" });
                for i in here {
                    let offset = spans[i].0 - start;
                    if (shown.start..=shown.end).contains(&offset) {
                        marks[i].start = text.len() + offset - shown.start;
                        marks[i].len = spans[i].1.min(shown.end - offset);
                        marks[i].is_shown = true;
                    }
                }
                text.push_str(&without_controls(line[shown.clone()].trim_end_matches('\r')));
                text.push_str(if shown.end < line.len() { "…" } else { "" });
            }
            start += line.len() + 1;
        }
        Excerpt { name: clean(&file.name), text, marks }
    }
}

/// Returns the byte range of a line that is shown.
fn window(line: &str, mark: Option<usize>) -> std::ops::Range<usize> {
    if line.len() <= LONG {
        return 0..line.len();
    }
    let start = line.floor_char_boundary(mark.unwrap_or(0).saturating_sub(BEFORE));
    start..line.floor_char_boundary((start + SHOWN).min(line.len()))
}

/// Lines are counted by line breaks; columns come from the marks, because long lines are cut.
impl SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let plain = self.text.read_span(span, before, after)?;
        let mark = self.marks.iter().find(|mark| before == 0 && after == 0 && mark.start == span.offset());
        let column = mark.map_or(plain.column(), |mark| mark.column);
        let (data, line, count) = (plain.data(), plain.line(), plain.line_count());
        Ok(Box::new(MietteSpanContents::new_named(self.name.clone(), data, *plain.span(), line, column, count)))
    }
}

/// Replaces characters that control the terminal by others of the same length in bytes, so that positions stay valid.
pub fn without_controls(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\t' => shown.push(c),
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
    message: String,
    /// Labels of the marks after the first.
    labels: Vec<String>,
    excerpt: Excerpt,
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
            DiagnosticSeverity::Error => miette::Severity::Error,
            DiagnosticSeverity::Warning => miette::Severity::Warning,
        })
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(&self.excerpt)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let (primary, others) = self.excerpt.marks.split_first()?;
        let primary = LabeledSpan::new_primary_with_span(None, (primary.start, primary.len));
        let others = others.iter().zip(&self.labels).filter(|(mark, _)| mark.is_shown);
        let others =
            others.map(|(mark, label)| LabeledSpan::new_with_span(Some(label.clone()), (mark.start, mark.len)));
        Some(Box::new(std::iter::once(primary).chain(others)))
    }
}

/// Returns the range to mark, cut at the end of its first line.
fn span(place: &Place) -> (usize, usize) {
    let text = &place.file.text;
    let start = text.floor_char_boundary(place.span.start.min(text.len()));
    let line_end = text[start..].find('\n').map_or(text.len(), |newline| start + newline);
    let end = text.floor_char_boundary((place.span.start + place.span.len).min(line_end)).max(start);
    (start, end - start)
}
