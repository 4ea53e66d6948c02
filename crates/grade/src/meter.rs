//! Limits on validation by a JSON Schema: with a few references a schema takes exponential time, and its violations
//! exponential memory.
//!
//! Without references the work is bounded by the sizes of schema and instance. So a keyword of ours,
//! which counts, goes in front of every reference; beyond the limit it unwinds out of the validator,
//! which has no other way to be stopped.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::{Duration, Instant};

use jsonschema::{Keyword, ValidationError};
use serde_json::{Map, Value, json};

/// The name of the keyword that counts.
pub(crate) const KEYWORD: &str = "x-eval-grade-meter";

/// How often references may be followed to tell whether an instance is valid; a 16 MiB instance with
/// a reference for every value stays below.
const STEPS: usize = 20_000_000;

/// How long that may take: a step may itself be long.
const TIME: Duration = Duration::from_secs(5);

/// Keywords whose value is a map from names to schemas.
const MAPS: &[&str] = &["properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"];

/// Keywords whose value is data.
const DATA: &[&str] = &["enum", "const", "default", "examples", "example"];

const REFERENCES: &[&str] = &["$ref", "$dynamicRef", "$recursiveRef"];

#[derive(Clone, Copy)]
struct Left {
    steps: usize,
    ends: Option<Instant>,
    values: usize,
}

thread_local! {
    static LEFT: Cell<Left> = const { Cell::new(Left { steps: usize::MAX, ends: None, values: usize::MAX }) };
}

/// The limit was reached.
#[derive(Debug)]
pub(crate) struct Exceeded;

/// Does `work`, in which references are followed within the limits of steps and time.
pub(crate) fn metered<T>(work: impl FnOnce() -> T) -> Result<T, Exceeded> {
    limited(Left { steps: STEPS, ends: Instant::now().checked_add(TIME), values: usize::MAX }, work)
}

/// Does `work`, in which violations are collected for at most so many values of the instance behind
/// references, each as often as it is visited.
pub(crate) fn collecting<T>(values: usize, work: impl FnOnce() -> T) -> Result<T, Exceeded> {
    limited(Left { steps: STEPS, ends: Instant::now().checked_add(TIME), values }, work)
}

fn limited<T>(left: Left, work: impl FnOnce() -> T) -> Result<T, Exceeded> {
    let before = LEFT.replace(left);
    let result = catch_unwind(AssertUnwindSafe(work));
    LEFT.set(before);
    result.map_err(|panic| if panic.is::<Exceeded>() { Exceeded } else { resume_unwind(panic) })
}

/// The schema with the keyword that counts in front of its references. `alone` says that references
/// have no siblings, as up to draft 7.
pub(crate) fn with_meter(schema: &Value, alone: bool) -> Value {
    let mut schema = schema.clone();
    match &mut schema {
        // Nothing leads to the root but references, which count; and its siblings are their targets.
        Value::Object(fields) if alone && is_reference(fields) => descend(fields, alone),
        other => add(other, alone),
    }
    schema
}

fn add(schema: &mut Value, alone: bool) {
    match schema {
        Value::Array(schemas) => schemas.iter_mut().for_each(|schema| add(schema, alone)),
        Value::Object(fields) => {
            descend(fields, alone);
            if is_reference(fields) {
                in_front(fields, alone);
            }
        }
        _ => {}
    }
}

fn descend(fields: &mut Map<String, Value>, alone: bool) {
    for (name, value) in fields {
        match value {
            Value::Object(schemas) if MAPS.contains(&name.as_str()) => {
                schemas.values_mut().for_each(|schema| add(schema, alone));
            }
            _ if DATA.contains(&name.as_str()) => {}
            other => add(other, alone),
        }
    }
}

fn is_reference(fields: &Map<String, Value>) -> bool {
    REFERENCES.iter().any(|name| fields.get(*name).is_some_and(Value::is_string))
}

// `allOf` is checked before a reference beside it. Where a reference has no siblings, it moves into one.
fn in_front(fields: &mut Map<String, Value>, alone: bool) {
    let count = json!({ KEYWORD: true });
    if alone && let Some(reference) = fields.get("$ref").cloned() {
        *fields = Map::from_iter([("allOf".to_owned(), json!([count, { "$ref": reference }]))]);
        return;
    }
    match fields.get_mut("allOf") {
        // At the end: pointers into the list stay what they are.
        Some(Value::Array(all)) => all.push(count),
        Some(_) => {}
        None => drop(fields.insert("allOf".to_owned(), json!([count]))),
    }
}

/// The number of values in `value`, itself included; counting ends at `most`.
pub(crate) fn size(value: &Value, most: usize) -> usize {
    let mut count = 0;
    let mut rest = vec![value];
    while let Some(value) = rest.pop().filter(|_| count < most) {
        count += 1;
        match value {
            Value::Array(items) => rest.extend(items),
            Value::Object(fields) => rest.extend(fields.values()),
            _ => {}
        }
    }
    count
}

/// The keyword that counts.
pub(crate) struct Meter;

impl Meter {
    fn count(values: impl FnOnce(usize) -> usize) {
        let mut left = LEFT.get();
        let late = left.steps.is_multiple_of(64) && left.ends.is_some_and(|ends| Instant::now() > ends);
        let values = values(left.values);
        if left.steps == 0 || late || values > left.values {
            resume_unwind(Box::new(Exceeded));
        }
        left.steps -= 1;
        left.values -= values;
        LEFT.set(left);
    }
}

impl<'i> Keyword<'i> for Meter {
    fn validate(&self, _: &'i Value) -> Result<(), ValidationError<'i>> {
        Meter::count(|_| 0);
        Ok(())
    }

    fn is_valid(&self, _: &'i Value) -> bool {
        Meter::count(|_| 0);
        true
    }

    fn iter_errors(&self, instance: &'i Value) -> Box<dyn Iterator<Item = ValidationError<'i>> + 'i> {
        Meter::count(|left| match left {
            usize::MAX => 0,
            left => size(instance, left.saturating_add(1)),
        });
        Box::new(std::iter::empty())
    }
}
