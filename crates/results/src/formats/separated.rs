//! CSV, with commas, semicolons or tabs.

use eval_message::msg;
use serde_json::Value;

use super::table::ChosenColumns;
use crate::error::ResultsError;
use crate::format::{ReadOptions, ResultFormat};
use crate::row::{PlaceUnit, ReadResults};
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
    let mut reader = csv::ReaderBuilder::new().delimiter(delimiter(source)).from_reader(source.reader()?);
    let failed = |error: &csv::Error| failure(source, error);
    let names: Vec<String> = reader
        .headers()
        .map_err(|error| failed(&error))?
        .iter()
        .map(|name| name.trim_start_matches('\u{feff}').to_owned())
        .collect();
    let columns = ChosenColumns::of(&names, &options.columns, &format!("{}:1", source.shown))?;
    let mut rows = RowSink::new(source);
    let mut record = csv::StringRecord::new();
    while reader.read_record(&mut record).map_err(|error| failed(&error))? {
        let at = record.position().map_or(0, csv::Position::line);
        let place = || format!("{}:{at}", source.shown);
        let value = |column: &str| {
            let index = names.iter().position(|name| name == column)?;
            record.get(index).map(|text| Value::String(text.to_owned()))
        };
        columns.rows(at, &place, &value)?.into_iter().try_for_each(|row| rows.push(row))?;
    }
    Ok(ReadResults {
        format,
        file: source.shown.clone(),
        sha256: source.sha256()?,
        tool_version: None,
        unit: PlaceUnit::Line,
        rows: rows.rows(),
        overall: Some(columns.overall()),
        unknown: columns.unknown(),
        notes: vec![columns.note(&source.shown)],
    })
}

/// The separator that the first line has most of.
fn delimiter(source: &ResultSource) -> u8 {
    let first = source.head.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let count = |separator: u8| first.iter().filter(|byte| **byte == separator).count();
    [b',', b';', b'\t'].into_iter().rev().max_by_key(|separator| count(*separator)).unwrap_or(b',')
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
