//! Assertions, checked against the table of types.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use eval_message::msg;
use eval_spec::types::{FieldShape, FieldSpec, TypeSpec};
use eval_spec::{Assertion, Diagnostic};

use super::decode::{self, Keys, ObjectFields};
use super::problems::Problems;
use super::tree::{self, Node, NodeData};

/// The fields that every type has.
const COMMON: [&str; 3] = ["type", "weight", "not"];

/// The table of types, ready to look things up.
pub(super) struct AssertionTypes<'a> {
    types: HashMap<&'a str, (&'a TypeSpec, Vec<&'a str>)>,
    names: Vec<&'a str>,
    base: &'a Path,
}

impl<'a> AssertionTypes<'a> {
    pub(super) fn new(types: &'a [TypeSpec], base: &'a Path) -> AssertionTypes<'a> {
        let keys = |spec: &'a TypeSpec| COMMON.into_iter().chain(spec.fields.iter().map(|f| f.name)).collect();
        AssertionTypes {
            types: types.iter().map(|spec| (spec.name, (spec, keys(spec)))).collect(),
            names: types.iter().map(|spec| spec.name).collect(),
            base,
        }
    }
}

/// All valid assertions of a list; errors of the others are reported.
pub(super) fn all(items: &[Node], checker: &AssertionTypes<'_>, problems: &mut Problems) -> Vec<Assertion> {
    items.iter().filter_map(|item| one(item, checker, problems)).collect()
}

fn one(node: &Node, checker: &AssertionTypes<'_>, problems: &mut Problems) -> Option<Assertion> {
    let fields = decode::any_object(node, problems)?;
    let weight = fields.get("weight").map_or(Some(1.0), |node| weight(node, problems));
    let not = fields.get("not").map_or(Some(false), |node| decode::flag(node, problems));
    let kind = decode::filled_text(fields.require("type", problems)?, problems)?;
    let Some((spec, keys)) = checker.types.get(kind.as_str()) else {
        unknown_type(&kind, fields, checker, problems);
        return None;
    };
    let fields = decode::object(node, Keys { known: keys, foreign: FOREIGN }, problems)?;
    let mut children = Vec::new();
    let mut right = true;
    for field in spec.fields {
        right &= check_field(field, fields, checker, problems, &mut children);
    }
    let assertion = Assertion {
        kind,
        weight: weight?,
        not: not?,
        written: tree::map(fields.entries),
        children,
        base: checker.base.to_owned(),
        place: Some(problems.head(node.span)),
        field_places: places(fields, problems),
    };
    // A field that is wrong already, or that a syntax error cut off, would be reported twice.
    if right && !node.cut {
        validate(spec, &assertion, problems);
    }
    Some(assertion)
}

const FOREIGN: &[(&str, &str)] = &[
    ("expected", "value"),
    ("text", "value"),
    ("keyword", "value"),
    ("regex", "pattern"),
    ("min", "value"),
    ("max", "value"),
    ("negate", "not"),
    ("assertions", "children"),
    ("file", "fn"),
];

fn unknown_type(kind: &str, fields: ObjectFields<'_>, checker: &AssertionTypes<'_>, problems: &mut Problems) {
    let Some(node) = fields.get("type") else { return };
    let help = decode::did_you_mean(decode::closest(kind, &checker.names), &checker.names);
    problems.error_with_help(node.span, msg!("load-unknown-type", kind = decode::short(kind)), help);
}

fn weight(node: &Node, problems: &mut Problems) -> Option<f64> {
    let weight = decode::number(node, f64::MIN..=decode::MAX_WEIGHT, problems)?;
    if weight <= 0.0 {
        problems.error(node.span, msg!("load-weight", written = weight));
        return None;
    }
    Some(weight)
}

fn places(fields: ObjectFields<'_>, problems: &Problems) -> BTreeMap<String, eval_spec::source::Place> {
    fields.entries.iter().map(|entry| (entry.key.clone(), problems.head(entry.value.span))).collect()
}

/// Whether the field has the shape of its type; otherwise an error is reported.
fn check_field(
    field: &FieldSpec,
    fields: ObjectFields<'_>,
    checker: &AssertionTypes<'_>,
    problems: &mut Problems,
    children: &mut Vec<Assertion>,
) -> bool {
    let node = match field.required {
        true => fields.require(field.name, problems),
        false => fields.get(field.name),
    };
    let Some(node) = node else { return !field.required };
    match field.shape {
        FieldShape::Text => decode::text(node, problems).is_some(),
        FieldShape::NonEmptyText => decode::filled_text(node, problems).is_some(),
        FieldShape::TextLike => text_like(node, problems),
        FieldShape::OneOf(words) => decode::one_of(node, words, problems).is_some(),
        FieldShape::Number(low, high) => decode::number(node, low..=high, problems).is_some(),
        FieldShape::WholeNumber(low) => decode::whole(node, low..=u64::MAX, problems).is_some(),
        FieldShape::Texts => texts(node, problems),
        FieldShape::Calls => calls(node, problems),
        FieldShape::Schema => schema(node, problems),
        FieldShape::Assertions => nested(node, checker, problems, children),
        FieldShape::Any => !matches!(node.data, NodeData::Broken),
    }
}

fn text_like(node: &Node, problems: &mut Problems) -> bool {
    match node.data {
        NodeData::Text(_) | NodeData::Number(_) | NodeData::Bool(_) => true,
        _ => decode::unexpected::<()>(node, "text-like", problems).is_some(),
    }
}

fn texts(node: &Node, problems: &mut Problems) -> bool {
    match &node.data {
        NodeData::List(items) if items.is_empty() && !node.cut => {
            decode::unexpected::<()>(node, "list-of-texts", problems).is_some()
        }
        _ => decode::texts(node, problems).is_some(),
    }
}

/// What is in an object is the type's own check.
fn calls(node: &Node, problems: &mut Problems) -> bool {
    let is_call = |item: &Node| matches!(item.data, NodeData::Text(_) | NodeData::Object(_));
    match &node.data {
        NodeData::List(items) if !items.is_empty() && items.iter().all(is_call) => true,
        _ => decode::unexpected::<()>(node, "list-of-calls", problems).is_some(),
    }
}

fn schema(node: &Node, problems: &mut Problems) -> bool {
    match node.data {
        NodeData::Object(_) | NodeData::Bool(_) => true,
        _ => decode::unexpected::<()>(node, "schema", problems).is_some(),
    }
}

fn nested(node: &Node, checker: &AssertionTypes<'_>, problems: &mut Problems, children: &mut Vec<Assertion>) -> bool {
    match &node.data {
        NodeData::List(items) if !items.is_empty() => {
            *children = all(items, checker, problems);
            children.len() == items.len()
        }
        _ => decode::unexpected::<()>(node, "list-of-assertions", problems).is_some(),
    }
}

fn validate(spec: &TypeSpec, assertion: &Assertion, problems: &mut Problems) {
    if let Err(problem) = (spec.validate)(assertion) {
        let place = assertion.field_places.get(problem.field).or(assertion.place.as_ref()).cloned();
        problems.push(Diagnostic { help: problem.help, ..Diagnostic::error(problem.message, place) });
    }
}
