//! JSON lines: one object in each line. Fields are columns; nested fields are named with dots.

use std::collections::BTreeSet;

use eval_message::msg;
use serde_json::{Map, Value};

use super::table::{ChosenColumns, is_meant};
use crate::error::ResultsError;
use crate::format::{ReadOptions, ResultFormat};
use crate::row::ReadResults;
use crate::source::{ResultSource, RowSink, parsed};

pub(super) const FORMAT: ResultFormat =
    ResultFormat { name: "jsonl", tool: None, files: "*.jsonl, *.ndjson", detect, read };

/// Limit on the fields that are collected, not counting those with a meaning.
const MAX_FIELDS: usize = 1000;

fn detect(source: &ResultSource) -> bool {
    ["jsonl", "ndjson"].contains(&source.extension().as_str())
}

fn read(
    format: &'static ResultFormat,
    source: &ResultSource,
    options: &ReadOptions,
) -> Result<ReadResults, ResultsError> {
    let mut names: Vec<String> = Vec::new();
    let mut seen: BTreeSet<String> = BTreeSet::new();
    source.lines(|number, line| {
        fields(&object(source, number, line)?, "", &mut |name| {
            if !seen.contains(&name) && (seen.len() < MAX_FIELDS || is_meant(&name, &options.columns)) {
                seen.insert(name.clone());
                names.push(name);
            }
        });
        Ok(())
    })?;
    if names.is_empty() {
        return Err(ResultsError::new(msg!("results-empty", file = &source.shown, format = format.name)));
    }
    let columns = ChosenColumns::choose(&names, &options.columns, &source.shown)?;
    let mut further = columns.candidates(&names, &options.columns);
    if !further.is_empty() {
        source.lines(|number, line| {
            let fields = object(source, number, line)?;
            further.see(&|column| field(&fields, column).cloned());
            Ok(())
        })?;
    }
    let columns = columns.with_further(further);
    let mut rows = RowSink::new(source);
    source.lines(|number, line| {
        let fields = object(source, number, line)?;
        let place = || format!("{}:{number}", source.shown);
        let value = |column: &str| field(&fields, column).cloned();
        columns.rows(number, &place, &value)?.into_iter().try_for_each(|row| rows.push(row))
    })?;
    columns.results(format, source, rows)
}

fn object(source: &ResultSource, number: u64, line: &str) -> Result<Map<String, Value>, ResultsError> {
    parsed(line.as_bytes(), || format!("{}:{number}", source.shown))
}

/// Calls `each` with the names of all fields, nested ones with dots.
fn fields(object: &Map<String, Value>, prefix: &str, each: &mut dyn FnMut(String)) {
    for (name, value) in object {
        let name = format!("{prefix}{name}");
        if let Value::Object(inner) = value {
            fields(inner, &format!("{name}."), each);
        }
        each(name);
    }
}

/// Finds a field by its name, or by its path with dots.
fn field<'v>(object: &'v Map<String, Value>, name: &str) -> Option<&'v Value> {
    object.get(name).or_else(|| {
        let (first, rest) = name.split_once('.')?;
        field(object.get(first)?.as_object()?, rest)
    })
}
