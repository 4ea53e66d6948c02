//! The keywords of JSON Schema, by draft: a keyword that a draft doesn't know checks nothing, and a misspelt one neither.

use eval_message::{Message, msg};
use jsonschema::Draft;
use rapidfuzz::distance::damerau_levenshtein;
use serde_json::{Map, Value};

/// SchemaKeywords that check something in every draft.
const ALWAYS: &[&str] = &[
    "$ref",
    "additionalProperties",
    "allOf",
    "anyOf",
    "enum",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "items",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "not",
    "oneOf",
    "pattern",
    "patternProperties",
    "properties",
    "required",
    "type",
    "uniqueItems",
];
/// Since draft 6.
const SINCE_6: &[&str] = &["const", "contains", "propertyNames"];
/// Since draft 7.
const SINCE_7: &[&str] = &["else", "if", "then"];
/// Since 2019-09.
const SINCE_2019: &[&str] = &[
    "dependentRequired",
    "dependentSchemas",
    "maxContains",
    "minContains",
    "unevaluatedItems",
    "unevaluatedProperties",
];
/// In 2020-12 only.
const SINCE_2020: &[&str] = &["$dynamicRef", "prefixItems"];
/// In 2019-09 only.
const IN_2019: &[&str] = &["$recursiveRef"];
/// Up to 2019-09.
const UP_TO_2019: &[&str] = &["additionalItems"];
/// Up to draft 7.
const UP_TO_7: &[&str] = &["dependencies"];
/// Names, places and notes: they check nothing, and are meant so.
const NOTES: &[&str] = &[
    "$anchor",
    "$comment",
    "$defs",
    "$dynamicAnchor",
    "$id",
    "$recursiveAnchor",
    "$schema",
    "$vocabulary",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
    "default",
    "definitions",
    "deprecated",
    "description",
    "discriminator",
    "example",
    "examples",
    "externalDocs",
    "id",
    "readOnly",
    "title",
    "writeOnly",
    "xml",
];
/// SchemaKeywords whose value is a schema, or a list of schemas.
const OF_SCHEMA: &[&str] = &[
    "additionalItems",
    "additionalProperties",
    "allOf",
    "anyOf",
    "contains",
    "contentSchema",
    "else",
    "if",
    "items",
    "not",
    "oneOf",
    "prefixItems",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
];
/// SchemaKeywords whose value is an object of schemas.
const OF_SCHEMAS: &[&str] =
    &["$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties"];
/// A misspelt keyword has at least so many letters: among shorter ones everything is alike.
const LEAST_LETTERS: usize = 5;

/// The keywords of a schema and of those inside it.
#[derive(Default)]
struct SchemaKeywords<'s> {
    all: Vec<&'s str>,
    /// A keyword beside `$ref`, which drafts up to 7 pass over.
    beside_ref: Option<&'s str>,
    /// Whether `items` is a list, as up to 2019-09.
    lists_items: bool,
}

impl<'s> SchemaKeywords<'s> {
    fn of(schema: &'s Value) -> SchemaKeywords<'s> {
        let (mut found, mut rest) = (SchemaKeywords::default(), vec![schema]);
        while let Some(schema) = rest.pop() {
            match schema {
                Value::Object(fields) => found.take(fields, &mut rest),
                Value::Array(schemas) => rest.extend(schemas),
                _ => {}
            }
        }
        found
    }

    fn take(&mut self, fields: &'s Map<String, Value>, rest: &mut Vec<&'s Value>) {
        let names = || fields.keys().map(String::as_str);
        self.all.extend(names());
        self.lists_items |= fields.get("items").is_some_and(Value::is_array);
        if fields.contains_key("$ref") {
            let beside = names().find(|name| *name != "$ref" && checks(name));
            self.beside_ref = self.beside_ref.or(beside);
        }
        for (name, value) in fields {
            match value {
                _ if OF_SCHEMA.contains(&&**name) => rest.push(value),
                Value::Object(schemas) if OF_SCHEMAS.contains(&&**name) => rest.extend(schemas.values()),
                _ => {}
            }
        }
    }

    /// The first keyword of these.
    fn first(&self, of: &[&[&str]]) -> Option<&'s str> {
        self.all.iter().copied().find(|name| of.iter().any(|names| names.contains(name)))
    }
}

/// Whether a keyword checks something in some draft.
fn checks(name: &str) -> bool {
    let all = [ALWAYS, SINCE_6, SINCE_7, SINCE_2019, SINCE_2020, IN_2019, UP_TO_2019, UP_TO_7];
    all.iter().any(|names| names.contains(&name))
}

/// The draft of a schema that names none: 2020-12 where it has keywords that draft 7 doesn't know, else draft 7.
///
/// # Errors
/// Where some keywords are of one and some of the other.
pub(crate) fn draft_without_name(schema: &Value) -> Result<Draft, Message> {
    let found = SchemaKeywords::of(schema);
    let new = found.first(&[SINCE_2019, SINCE_2020]).or(found.beside_ref);
    let old = found.first(&[UP_TO_2019, UP_TO_7]).or(found.lists_items.then_some("items"));
    match (new, old) {
        (None, _) => Ok(Draft::Draft7),
        (Some(_), None) => Ok(Draft::Draft202012),
        (Some(new), Some(old)) => Err(msg!("grade-schema-two-drafts", new = new, old = old)),
    }
}

/// Why a schema of this draft checks less than it says: a keyword is of another draft, or misspelt.
///
/// # Errors
/// The first such keyword.
pub(crate) fn refuse_idle(schema: &Value, draft: Draft) -> Result<(), Message> {
    let found = SchemaKeywords::of(schema);
    let unknown: &[&[&str]] = match draft {
        Draft::Draft4 => &[SINCE_6, SINCE_7, SINCE_2019, SINCE_2020, IN_2019],
        Draft::Draft6 => &[SINCE_7, SINCE_2019, SINCE_2020, IN_2019],
        Draft::Draft7 => &[SINCE_2019, SINCE_2020, IN_2019],
        Draft::Draft201909 => &[SINCE_2020, UP_TO_7],
        _ => &[IN_2019, UP_TO_2019, UP_TO_7],
    };
    let is_old = matches!(draft, Draft::Draft4 | Draft::Draft6 | Draft::Draft7);
    let idle = found.first(unknown).or(found.beside_ref.filter(|_| is_old));
    if let Some(keyword) = idle {
        return Err(msg!("grade-schema-idle", keyword = keyword, draft = name(draft)));
    }
    match found.all.iter().find_map(|written| Some((*written, meant(written)?))) {
        Some((written, meant)) => Err(msg!("grade-schema-misspelt", written = written, meant = meant)),
        None => Ok(()),
    }
}

/// The keyword that was probably meant; `None` for a known one, and for what is like none.
fn meant(written: &str) -> Option<&'static str> {
    if checks(written) || NOTES.contains(&written) || written.len() < LEAST_LETTERS || written.starts_with("x-") {
        return None;
    }
    let all = [ALWAYS, SINCE_6, SINCE_7, SINCE_2019, SINCE_2020, UP_TO_2019, UP_TO_7].concat();
    let allowed = if written.len() < 9 { 1 } else { 2 };
    let distance = |known: &str| {
        let [written, known] = [written, known].map(|word| word.replace(['-', '_'], "").to_lowercase());
        damerau_levenshtein::distance(written.chars(), known.chars())
    };
    let like = all.into_iter().filter(|known| known.len() >= LEAST_LETTERS).map(|known| (distance(known), known));
    like.filter(|(distance, _)| *distance <= allowed).min().map(|(_, known)| known)
}

fn name(draft: Draft) -> &'static str {
    match draft {
        Draft::Draft4 => "draft 4",
        Draft::Draft6 => "draft 6",
        Draft::Draft7 => "draft 7",
        Draft::Draft201909 => "2019-09",
        _ => "2020-12",
    }
}
