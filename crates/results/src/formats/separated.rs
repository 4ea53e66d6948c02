//! CSV, with commas, semicolons or tabs.

use std::io::BufRead;

use eval_message::msg;
use eval_spec::separated::{OpenQuote, QuoteCheck, separator};
use serde_json::Value;

use super::table::ChosenColumns;
use crate::error::ResultsError;
use crate::format::{ReadOptions, ResultFormat};
use crate::row::ReadResults;
use crate::source::{ResultSource, RowSink, not_utf8};

pub(super) const FORMAT: ResultFormat = ResultFormat { name: "csv", tool: None, files: "*.csv, *.tsv", detect, read };

fn detect(source: &ResultSource) -> bool {
    ["csv", "tsv"].contains(&source.extension().as_str())
}

fn read(
    format: &'static ResultFormat,
    source: &ResultSource,
    options: &ReadOptions,
) -> Result<ReadResults, ResultsError> {
    check_quotes(source)?;
    let mut reader = csv::ReaderBuilder::new().delimiter(delimiter(source)).from_reader(source.reader()?);
    let failed = |error: &csv::Error| failure(source, error);
    let names: Vec<String> = reader
        .headers()
        .map_err(|error| failed(&error))?
        .iter()
        .map(|name| name.trim_start_matches('\u{feff}').to_owned())
        .collect();
    let place = format!("{}:1", source.shown);
    let columns = ChosenColumns::choose(&names, &options.columns, &place)?;
    if let Some(twice) = columns.used().find(|column| names.iter().filter(|name| name == column).count() > 1) {
        return Err(ResultsError::new(msg!("results-column-twice", place = place, column = twice))
            .help(msg!("results-column-twice-help")));
    }
    let value = |record: &csv::StringRecord, column: &str| {
        let index = names.iter().position(|name| name == column)?;
        record.get(index).map(|text| Value::String(text.to_owned()))
    };
    let mut further = columns.candidates(&names, &options.columns);
    if !further.is_empty() {
        let mut reader = csv::ReaderBuilder::new().delimiter(delimiter(source)).from_reader(source.reader()?);
        let mut record = csv::StringRecord::new();
        while !further.is_empty() && reader.read_record(&mut record).map_err(|error| failed(&error))? {
            further.see(&|column| value(&record, column));
        }
    }
    let columns = columns.with_further(further);
    let mut rows = RowSink::new(source);
    let mut record = csv::StringRecord::new();
    while reader.read_record(&mut record).map_err(|error| failed(&error))? {
        let line = record.position().map_or(0, csv::Position::line);
        let place = || format!("{}:{line}", source.shown);
        columns.rows(line, &place, &|column| value(&record, column))?.into_iter().try_for_each(|row| rows.push(row))?;
    }
    columns.results(format, source, rows)
}

fn delimiter(source: &ResultSource) -> u8 {
    separator(&source.head, source.extension() == "tsv")
}

fn check_quotes(source: &ResultSource) -> Result<(), ResultsError> {
    let refused = |quote: OpenQuote| {
        ResultsError::new(quote.message(format!("{}:{}", source.shown, quote.opened))).help(OpenQuote::help())
    };
    let mut check = QuoteCheck::new(delimiter(source));
    let mut reader = source.reader()?;
    loop {
        let bytes = reader.fill_buf().map_err(|error| source.io(&error))?;
        let read = bytes.len();
        if read == 0 {
            return check.finish().map_err(refused);
        }
        check.take(bytes).map_err(refused)?;
        reader.consume(read);
    }
}

fn failure(source: &ResultSource, error: &csv::Error) -> ResultsError {
    let line = error.position().map_or(1, csv::Position::line);
    let place = format!("{}:{line}", source.shown);
    match error.kind() {
        csv::ErrorKind::Io(error) => source.io(error),
        csv::ErrorKind::Utf8 { .. } => not_utf8(place),
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            ResultsError::new(msg!("results-uneven-row", place = place, found = *len, expected = *expected_len))
                .help(msg!("results-uneven-row-help"))
        }
        _ => ResultsError::new(msg!("results-bad-csv", place = place, why = error.to_string())),
    }
}
