//! `json_schema`: the output, or with `extract: fenced` its one fenced JSON block, is JSON that a JSON
//! Schema (draft 4 to 2020-12) accepts. Without `$schema` it is draft 7, as for ajv, or 2020-12 where it has keywords
//! that only that knows; a keyword that checks nothing is an input error. `format` is asserted; nothing is ever fetched,
//! so a `$ref` that leads out of the schema is an input error.

use eval_message::{Message, msg};
use eval_spec::types::{FieldProblem, FieldShape, TypeSpec};
use eval_spec::{Assertion, Layer};
use jsonschema::error::ValidationErrorKind;
use jsonschema::{Draft, PatternOptions, ValidationError, Validator};
use serde_json::{Value, json};

use super::json_valid::{EXTRACT, invalid, is_fenced, no_block};
use crate::answer::GradedAnswer;
use crate::assertion::kind::{AssertionType, Compiled};
use crate::excerpt::{EVIDENCE, excerpt};
use crate::fenced::json_block;
use crate::fields::{problem, required, value};
use crate::finding::CheckFinding;
use crate::json::{self, JsonReading};
use crate::meter::{self, Exceeded, Meter, collecting, metered, with_meter};
use crate::schema_keywords::{draft_without_name, refuse_idle};

/// How often a pattern with look-around or back references may backtrack; other patterns take linear
/// time.
const BACKTRACKS: usize = 100_000;

/// How many violations are recorded.
const LISTED: usize = 5;

/// Violations are listed up to this product of the numbers of values in schema and output: the
/// validator stores all of them, not only those that are recorded.
const COLLECTED: usize = 500_000;

pub(crate) const JSON_SCHEMA: AssertionType = AssertionType {
    spec: TypeSpec {
        name: "json_schema",
        layer: Layer::Fact,
        summary: eval_message::key!("grade-type-json-schema"),
        fields: &[required("schema", FieldShape::Schema), EXTRACT],
        judged: false,
        validate: |assertion| read(assertion).map(drop),
    },
    compile: |assertion, _| {
        let (schema, fenced) = read(assertion)?;
        Ok(Compiled::slow(move |answer| check(&schema, answer, fenced)))
    },
};

/// A JSON Schema, ready to check many values.
pub(crate) struct Schema {
    validator: Validator,
    /// The number of values in it.
    size: usize,
    /// Whether one violation may contain others.
    nests: bool,
    /// Whether it has patterns that may take too many steps.
    backtracks: bool,
}

fn read(assertion: &Assertion) -> Result<(Schema, bool), FieldProblem> {
    let schema = Schema::written(value(assertion, "schema")?).map_err(|message| problem("schema", message))?;
    Ok((schema, is_fenced(assertion)?))
}

/// Returns why no answers can be checked with a schema; `None` if they can.
#[must_use]
pub fn schema_problem(schema: &Value) -> Option<Message> {
    Schema::written(schema).err()
}

fn validator(schema: &Value, unnamed: Draft) -> Result<Validator, String> {
    let refuse = |error: ValidationError<'_>| match error.instance_path().as_str() {
        "" => error.to_string(),
        path => format!("{path}: {error}"),
    };
    let mut options = jsonschema::options()
        .offline()
        .with_keyword(meter::KEYWORD, |_, _, _| Ok(Box::new(Meter)))
        .should_validate_formats(true)
        .with_pattern_options(PatternOptions::fancy_regex().backtrack_limit(BACKTRACKS));
    if schema.get("$schema").is_none() {
        options = options.with_draft(unnamed);
    }
    // Errors are reported for the schema as written, without our keyword.
    let draft = options.build(schema).map_err(refuse)?.draft();
    let alone = matches!(draft, Draft::Draft4 | Draft::Draft6 | Draft::Draft7);
    options.build(&with_meter(schema, alone)).map_err(refuse)
}

fn check(schema: &Schema, answer: &GradedAnswer<'_>, fenced: bool) -> CheckFinding {
    if fenced {
        return match json_block(answer.text()) {
            Ok(block) => judge(schema, &json::read(block), || false),
            Err(none) => no_block(&none),
        };
    }
    judge(schema, answer.json(), || {
        json_block(answer.text())
            .is_ok_and(|block| matches!(json::read(block), JsonReading::Value(value) if schema.accepts(&value).is_ok_and(|valid| valid)))
    })
}

fn judge(schema: &Schema, reading: &JsonReading, block_passes: impl Fn() -> bool) -> CheckFinding {
    match reading {
        JsonReading::Invalid(error) => invalid(error, block_passes()),
        JsonReading::Unreadable(error) => CheckFinding::unscored(msg!("grade-json-unreadable", error = error)),
        JsonReading::Value(value) => validate(schema, value),
    }
}

/// Whether `value` is valid, within limits of time and memory.
pub(crate) fn validate(schema: &Schema, value: &Value) -> CheckFinding {
    match schema.accepts(value) {
        Err(Exceeded) => return CheckFinding::unscored(msg!("grade-schema-too-long")),
        Ok(true) => return CheckFinding::new(true, json!({ "valid": true }), msg!("grade-schema-accepts")),
        Ok(false) => {}
    }
    let errors = schema.violations(value);
    if errors.iter().any(gave_up) {
        return CheckFinding::unscored(msg!("grade-schema-gave-up"));
    }
    let Some(first) = errors.first() else {
        // A pattern that gave up counts as no match: only where there is none, that is a violation.
        return match schema.backtracks {
            true => CheckFinding::unscored(msg!("grade-schema-too-long")),
            false => CheckFinding::new(false, json!({ "valid": false }), msg!("grade-schema-rejects-unlisted")),
        };
    };
    let statement = msg!("grade-schema-rejects", at = path(first), error = words(first));
    let listed: Vec<Value> = errors.iter().map(|error| json!({ "at": path(error), "error": words(error) })).collect();
    CheckFinding::new(false, json!({ "valid": false, "errors": listed }), statement)
}

impl Schema {
    /// Compiles a schema that somebody wrote to check answers with.
    ///
    /// # Errors
    /// Why it is none, or which of its keywords checks nothing.
    pub(crate) fn written(schema: &Value) -> Result<Schema, Message> {
        let compiled = Schema::new(schema)?;
        refuse_idle(schema, compiled.validator.draft())?;
        Ok(compiled)
    }

    /// Compiles `schema`; without `$schema` it is draft 7, or 2020-12 where its keywords are.
    ///
    /// # Errors
    /// Why it is none.
    pub(crate) fn new(schema: &Value) -> Result<Schema, Message> {
        if !(schema.is_object() || schema.is_boolean()) {
            return Err(msg!("grade-schema-shape"));
        }
        let unnamed = if schema.get("$schema").is_none() { draft_without_name(schema)? } else { Draft::Draft7 };
        let validator = validator(schema, unnamed)
            .map_err(|error| msg!("grade-schema-invalid", error = excerpt(&error, EVIDENCE)))?;
        let text = schema.to_string();
        Ok(Schema {
            validator,
            size: meter::size(schema, usize::MAX),
            nests: ["anyOf", "oneOf"].iter().any(|name| text.contains(name)),
            // Look-around and back references; in JSON a backslash is two.
            backtracks: text.contains("(?") || text.contains("\\\\"),
        })
    }

    /// Whether the value is valid; a pattern that gave up may make it `false`.
    fn accepts(&self, value: &Value) -> Result<bool, Exceeded> {
        metered(|| self.validator.is_valid(value))
    }

    /// The first violations; none if finding them takes too much.
    fn violations<'v>(&'v self, value: &'v Value) -> Vec<ValidationError<'v>> {
        let most = COLLECTED / self.size.max(1);
        let all = || self.validator.iter_errors(value).take(LISTED).collect();
        let first = || self.validator.validate(value).err().into_iter().collect();
        let listed = match meter::size(value, most + 1) <= most {
            true => collecting(most, all),
            false => Err(Exceeded),
        };
        let one = |_| if self.nests { Err(Exceeded) } else { metered(first) };
        listed.or_else(one).unwrap_or_default()
    }
}

// A pattern that exceeded its limit leaves the whole result unknown, wherever in the schema it is.
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
