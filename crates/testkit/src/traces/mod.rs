//! Checks of published formats of agent traces; each returns the errors.

mod atif;
mod otel;

use serde_json::Value;

pub use atif::atif_errors;
pub use otel::otel_errors;

/// Checks that an object has all fields of `needed`, and besides these only fields of `optional`.
fn check_fields(value: &Value, optional: &str, needed: &str, path: &str, errors: &mut Vec<String>) {
    let Some(fields) = value.as_object() else {
        errors.push(format!("{path}: not an object"));
        return;
    };
    let is_allowed = |key: &str| optional.split(' ').chain(needed.split(' ')).any(|part| part == key);
    errors.extend(fields.keys().filter(|key| !is_allowed(key)).map(|key| format!("{path}.{key}: no such field")));
    let lacks = needed.split(' ').filter(|key| !key.is_empty() && !fields.contains_key(*key));
    errors.extend(lacks.map(|key| format!("{path}.{key}: missing")));
}

/// Checks the type of an optional field.
fn check_type(value: &Value, key: &str, is_type: fn(&Value) -> bool, path: &str, errors: &mut Vec<String>) {
    if value.get(key).is_some_and(|field| !is_type(field)) {
        errors.push(format!("{path}.{key}: {} is of the wrong type", value[key]));
    }
}

/// Returns the items of a list; none for anything else.
fn items<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}
