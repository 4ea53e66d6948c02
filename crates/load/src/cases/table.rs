//! Tables with their names of columns in the first line: CSV, with commas, semicolons or tabs.

use csv::StringRecord;
use eval_message::{Message, msg};
use eval_spec::separated::{OpenQuote, QuoteCheck, column_twice, separator};
use eval_spec::source::Span;

/// A table that was read.
pub(super) struct CaseTable {
    names: Vec<String>,
    records: Vec<StringRecord>,
}

/// Why a table is none, and where.
pub(super) struct TableFault {
    pub(super) span: Span,
    pub(super) message: Message,
    pub(super) help: Option<Message>,
}

impl CaseTable {
    /// Reads the text of the file of this name; the rows of a flexible one may be shorter than the first.
    pub(super) fn read(name: &str, text: &str, is_flexible: bool) -> Result<CaseTable, TableFault> {
        let separator = separator(text.as_bytes(), name.to_lowercase().ends_with(".tsv"));
        let line = |number: u64| format!("{name}:{number}");
        let mut check = QuoteCheck::new(separator);
        if let Err(quote) = check.take(text.as_bytes()).and_then(|()| check.finish()) {
            let opened = usize::try_from(quote.opened).unwrap_or(1);
            let start = text.split_inclusive('\n').take(opened.saturating_sub(1)).map(str::len).sum();
            let message = quote.message(line(quote.opened));
            return Err(TableFault { span: Span { start, len: 1 }, message, help: Some(OpenQuote::help()) });
        }
        let wrong = |error: csv::Error| {
            let start = error.position().map_or(0, |at| usize::try_from(at.byte()).unwrap_or(0));
            let message = msg!("import-csv", error = error.to_string());
            TableFault { span: Span { start, len: 1 }, message, help: None }
        };
        let mut table =
            csv::ReaderBuilder::new().delimiter(separator).flexible(is_flexible).from_reader(text.as_bytes());
        let names: Vec<String> = table.headers().map_err(wrong)?.iter().map(|name| name.trim().to_owned()).collect();
        if let Some(twice) = column_twice(&names.iter().map(String::as_str).collect::<Vec<_>>()) {
            let message = msg!("results-column-twice", place = line(1), column = twice);
            let help = Some(msg!("results-column-twice-help"));
            return Err(TableFault { span: Span::default(), message, help });
        }
        let records = table.records().collect::<Result<_, _>>().map_err(wrong)?;
        Ok(CaseTable { names, records })
    }

    /// Each row with its place: the cells of the columns that have a name.
    pub(super) fn rows(&self) -> impl Iterator<Item = (Span, impl Iterator<Item = (&str, &str)>)> {
        self.records.iter().map(|record| {
            let start = record.position().map_or(0, |at| usize::try_from(at.byte()).unwrap_or(0));
            let cells = self.names.iter().map(String::as_str).zip(record).filter(|(name, _)| !name.is_empty());
            (Span { start, len: 1 }, cells)
        })
    }
}
