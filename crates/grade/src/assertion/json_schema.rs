//! `json_schema`: the output, or with `extract: fenced` its one fenced JSON block, is JSON that a JSON
//! Schema (draft 4 to 2020-12) accepts. Without `$schema` it is draft 7, as for ajv; `format` is
//! asserted; nothing is ever fetched, so a `$ref` that leads out of the schema is an input error.

use eval_spec::types::{FieldProblem, Shape, TypeSpec};
use eval_spec::{Assertion, Layer, msg};
use jsonschema::error::ValidationErrorKind;
use jsonschema::{Draft, PatternOptions, ValidationError, Validator};
use serde_json::{Value, json};

use super::json_valid::{EXTRACT, invalid, is_fenced, no_block};
use super::{AssertionType, Compiled};
use crate::answer::Answer;
use crate::excerpt::{EVIDENCE, excerpt};
use crate::fenced::json_block;
use crate::fields::{problem, required, value};
use crate::finding::Finding;
use crate::json::{self, Reading};

/// How often a pattern with look-around or back references may backtrack; other patterns take linear
/// time.
const BACKTRACKS: usize = 100_000;

/// How many violations are recorded.
const LISTED: usize = 5;

pub(crate) const JSON_SCHEMA: AssertionType = AssertionType {
    spec: TypeSpec {
        name: "json_schema",
        layer: Layer::Fact,
        summary: "grade-type-json-schema",
        fields: &[required("schema", Shape::Schema), EXTRACT],
        judged: false,
        validate: |assertion| read(assertion).map(drop),
    },
    compile: |assertion, _| {
        let (validator, fenced) = read(assertion)?;
        Ok(Compiled::slow(move |answer| check(&validator, answer, fenced)))
    },
};

fn read(assertion: &Assertion) -> Result<(Validator, bool), FieldProblem> {
    let schema = value(assertion, "schema")?;
    if !(schema.is_object() || schema.is_boolean()) {
        return Err(problem("schema", msg!("grade-schema-shape")));
    }
    let validator = validator(schema)
        .map_err(|error| problem("schema", msg!("grade-schema-invalid", error = excerpt(&error, EVIDENCE))))?;
    Ok((validator, is_fenced(assertion)?))
}

fn validator(schema: &Value) -> Result<Validator, String> {
    let mut options = jsonschema::options()
        .offline()
        .should_validate_formats(true)
        .with_pattern_options(PatternOptions::fancy_regex().backtrack_limit(BACKTRACKS));
    if schema.get("$schema").is_none() {
        options = options.with_draft(Draft::Draft7);
    }
    options.build(schema).map_err(|error| match error.instance_path().as_str() {
        "" => error.to_string(),
        path => format!("{path}: {error}"),
    })
}

fn check(validator: &Validator, answer: &Answer<'_>, fenced: bool) -> Finding {
    if fenced {
        return match json_block(answer.text()) {
            Ok(block) => judge(validator, &json::read(block), || false),
            Err(none) => no_block(&none),
        };
    }
    judge(validator, answer.json(), || {
        json_block(answer.text())
            .is_ok_and(|block| matches!(json::read(block), Reading::Value(value) if validator.is_valid(&value)))
    })
}

fn judge(validator: &Validator, reading: &Reading, block_passes: impl Fn() -> bool) -> Finding {
    match reading {
        Reading::Invalid(error) => invalid(error, block_passes()),
        Reading::Unreadable(error) => Finding::unscored(msg!("grade-json-unreadable", error = error)),
        Reading::Value(value) => validate(validator, value),
    }
}

fn validate(validator: &Validator, value: &Value) -> Finding {
    let errors: Vec<ValidationError<'_>> = validator.iter_errors(value).take(LISTED).collect();
    if errors.iter().any(gave_up) {
        return Finding::unscored(msg!("grade-schema-gave-up"));
    }
    let Some(first) = errors.first() else {
        return Finding::new(true, json!({ "valid": true }), msg!("grade-schema-accepts"));
    };
    let statement = msg!("grade-schema-rejects", at = path(first), error = words(first));
    let listed: Vec<Value> = errors.iter().map(|error| json!({ "at": path(error), "error": words(error) })).collect();
    Finding::new(false, json!({ "valid": false, "errors": listed }), statement)
}

// A pattern that exceeded its limit tells nothing, wherever in the schema it stands.
fn gave_up(error: &ValidationError<'_>) -> bool {
    match error.kind() {
        ValidationErrorKind::BacktrackLimitExceeded { .. } | ValidationErrorKind::RegexEngineFailure { .. } => true,
        ValidationErrorKind::AnyOf { context }
        | ValidationErrorKind::OneOfNotValid { context }
        | ValidationErrorKind::OneOfMultipleValid { context } => context.iter().flatten().any(gave_up),
        ValidationErrorKind::PropertyNames { error } => gave_up(error),
        _ => false,
    }
}

fn path(error: &ValidationError<'_>) -> String {
    match error.instance_path().as_str() {
        "" => "/".to_owned(),
        path => excerpt(path, EVIDENCE),
    }
}

fn words(error: &ValidationError<'_>) -> String {
    // The plain text quotes the value, which may be the whole output.
    match error.instance().as_ref() {
        Value::Object(_) | Value::Array(_) => excerpt(&error.masked().to_string(), EVIDENCE),
        _ => excerpt(&error.to_string(), EVIDENCE),
    }
}
