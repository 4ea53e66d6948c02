//! JSON lines: an object in each, its fields the columns; a field inside of another is named with dots.

use std::collections::BTreeSet;

use eval_message::msg;
use serde_json::{Map, Value};

use super::table::ChosenColumns;
use crate::error::ResultsError;
use crate::format::{ReadOptions, ResultFormat};
use crate::row::{PlaceUnit, ReadResults};
use crate::source::{ResultSource, RowSink, bad_json, without_nan};

pub(super) const FORMAT: ResultFormat =
    ResultFormat { name: "jsonl", tool: None, files: "*.jsonl, *.ndjson", detect, read };

/// Lines whose fields are known before columns are chosen.
const LOOKED_AT: usize = 100;
/// Fields that are told apart.
const MOST_FIELDS: usize = 1000;

fn detect(source: &ResultSource) -> bool {
    ["jsonl", "ndjson"].contains(&source.extension().as_str())
}

fn read(
    format: &'static ResultFormat,
    source: &ResultSource,
    options: &ReadOptions,
) -> Result<ReadResults, ResultsError> {
    let mut names: Vec<String> = Vec::new();
    let (mut seen, mut looked) = (BTreeSet::new(), 0);
    source.lines(|number, line| {
        if looked < LOOKED_AT {
            looked += 1;
            fields(&object(source, number, line)?, "", &mut |name| {
                if names.len() < MOST_FIELDS && seen.insert(name.clone()) {
                    names.push(name);
                }
            });
        }
        Ok(())
    })?;
    if names.is_empty() {
        return Err(ResultsError::new(msg!("results-empty", file = &source.shown, format = format.name)));
    }
    let columns = ChosenColumns::of(&names, &options.columns, &source.shown)?;
    let mut rows = RowSink::new(source);
    source.lines(|number, line| {
        let fields = object(source, number, line)?;
        let place = || format!("{}:{number}", source.shown);
        let value = |column: &str| field(&fields, column).cloned();
        columns.rows(number, &place, &value)?.into_iter().try_for_each(|row| rows.push(row))
    })?;
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

fn object(source: &ResultSource, number: u64, line: &str) -> Result<Map<String, Value>, ResultsError> {
    serde_json::from_slice(&without_nan(line.as_bytes()))
        .map_err(|error| bad_json(format!("{}:{number}", source.shown), &error))
}

/// The names of all fields, those inside of others with dots.
fn fields(of: &Map<String, Value>, before: &str, each: &mut dyn FnMut(String)) {
    for (name, value) in of {
        let name = format!("{before}{name}");
        if let Value::Object(inner) = value {
            fields(inner, &format!("{name}."), each);
        }
        each(name);
    }
}

/// A field by its own name, or by its path.
fn field<'v>(of: &'v Map<String, Value>, name: &str) -> Option<&'v Value> {
    of.get(name).or_else(|| {
        let (first, rest) = name.split_once('.')?;
        field(of.get(first)?.as_object()?, rest)
    })
}
