//! JSON lines: an object in each, its fields the columns; a field inside of another is named with dots.

use std::collections::BTreeSet;

use eval_message::msg;
use serde_json::{Map, Value};

use super::table::{ChosenColumns, is_meant};
use crate::error::ResultsError;
use crate::format::{ReadOptions, ResultFormat};
use crate::row::{PlaceUnit, ReadResults, ScoreDirections};
use crate::source::{ResultSource, RowSink, parsed};

pub(super) const FORMAT: ResultFormat =
    ResultFormat { name: "jsonl", tool: None, files: "*.jsonl, *.ndjson", detect, read };

/// Fields that are told apart, beside those that have a meaning.
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
    let mut seen: BTreeSet<String> = BTreeSet::new();
    source.lines(|number, line| {
        fields(&object(source, number, line)?, "", &mut |name| {
            if !seen.contains(&name) && (seen.len() < MOST_FIELDS || is_meant(&name, &options.columns)) {
                seen.insert(name.clone());
                names.push(name);
            }
        });
        Ok(())
    })?;
    if names.is_empty() {
        return Err(ResultsError::new(msg!("results-empty", file = &source.shown, format = format.name)));
    }
    let columns = ChosenColumns::of(&names, &options.columns, &source.shown)?;
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
    Ok(ReadResults {
        format,
        file: source.shown.clone(),
        sha256: source.sha256()?,
        tool_version: None,
        unit: PlaceUnit::Line,
        rows: rows.rows(),
        overall: Some(columns.overall()),
        directions: ScoreDirections::default(),
        unknown: columns.unknown(),
        notes: vec![columns.note(&source.shown)],
    })
}

fn object(source: &ResultSource, number: u64, line: &str) -> Result<Map<String, Value>, ResultsError> {
    parsed(line.as_bytes(), || format!("{}:{number}", source.shown))
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
