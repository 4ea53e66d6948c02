//! Queries that a skill should, or should not, be loaded for: `[{query, should_trigger}]`, as skill authors write them.
//!
//! Each is a sample whose one assertion is `skill_used` or `skill_not_used`. The format belongs to others and grows, so
//! unknown keys are warnings here.

use std::path::Path;

use eval_message::msg;
use eval_spec::sample::Trigger;
use eval_spec::{Assertion, Context, Sample};
use serde_json::{Map, Value, json};

use super::decode;
use super::document::format_of;
use super::file;
use super::problems::Problems;
use super::samples::sample_id;
use super::tree::{self, Node, NodeData, ObjectEntry};

const KEYS: &[&str] = &["id", "query", "should_trigger", "near_miss", "instead"];

/// Keys that only a query has.
pub(super) const QUERY_KEYS: [&str; 2] = ["query", "should_trigger"];

/// Whether a file holds queries instead of samples. Errors of the file are reported when it is read as samples.
#[must_use]
pub fn is_triggers(context: &Context, path: &Path) -> bool {
    let Ok(source) = file::read(context, &context.absolute(path)) else { return false };
    let mut problems = Problems::new(context, &source);
    tree::parse(format_of(path), &source.text, 0, &mut problems).is_some_and(|root| queries(&root).is_some())
}

/// The list of queries in a file: the whole of it, its `queries` or `evals`, or the `triggers` of an `eval.yaml`.
pub(super) fn queries(root: &Node) -> Option<&Node> {
    let list = match &root.data {
        NodeData::List(_) => root,
        NodeData::Object(_) => {
            let of = root.get("triggers").unwrap_or(root);
            if matches!(of.data, NodeData::List(_)) { of } else { of.get("queries").or_else(|| of.get("evals"))? }
        }
        _ => return None,
    };
    let NodeData::List(items) = &list.data else { return None };
    let is_query = |item: &Node| QUERY_KEYS.iter().any(|key| item.get(key).is_some());
    items.iter().any(is_query).then_some(list)
}

/// The samples of a list of queries, in a file of the folder `base`.
pub(super) fn samples(list: &Node, base: &Path, problems: &mut Problems) -> Vec<Sample> {
    let Some(items) = decode::list(list, "list-of-samples", problems) else { return Vec::new() };
    let width = items.len().to_string().len().max(2);
    let read = |(index, item): (usize, &Node)| query(item, &format!("q{:0width$}", index + 1), base, problems);
    let samples: Vec<Sample> = items.iter().enumerate().filter_map(read).collect();
    let wanted: Vec<bool> = samples.iter().filter_map(|sample| Some(sample.trigger.as_ref()?.should)).collect();
    if let Some(first) = wanted.first().filter(|first| wanted.iter().all(|should| should == *first)) {
        let message = msg!("load-triggers-one-kind", should = if *first { "true" } else { "false" });
        problems.warning(list.span, message, Some(msg!("load-triggers-one-kind-help")));
    }
    samples
}

fn query(node: &Node, number: &str, base: &Path, problems: &mut Problems) -> Option<Sample> {
    let fields = decode::any_object(node, problems)?;
    let unknown = |entry: &&ObjectEntry| !KEYS.contains(&entry.key.as_str());
    for entry in fields.entries.iter().filter(unknown) {
        problems.warning(entry.key_span, msg!("load-key-ignored", key = entry.key.as_str()), None);
    }
    let prompt = fields.require("query", problems).and_then(|node| decode::filled_text(node, problems));
    let should = fields.require("should_trigger", problems).and_then(|node| decode::flag(node, problems));
    let near_miss = fields.decoded("near_miss", decode::flag, problems).unwrap_or(false);
    let instead = fields.decoded("instead", decode::filled_text, problems);
    if let (Some(node), Some(true)) = (fields.get("instead"), should) {
        problems.error(node.span, msg!("load-triggers-instead"));
    }
    let id = match fields.get("id") {
        None => Some(number.to_owned()),
        Some(Node { data: NodeData::Number(number), .. }) if !number.is_f64() => Some(number.to_string()),
        Some(node) => sample_id(node, problems),
    };
    let (prompt, should) = (prompt?, should?);
    let kind = if should { "skill_used" } else { "skill_not_used" };
    let assertion = Assertion {
        kind: kind.to_owned(),
        weight: 1.0,
        not: false,
        written: [("type".to_owned(), json!(kind))].into_iter().collect::<Map<String, Value>>(),
        children: Vec::new(),
        base: base.to_owned(),
        place: Some(problems.head(node.span)),
        field_places: std::collections::BTreeMap::new(),
    };
    Some(Sample {
        id: id?,
        prompt,
        assertions: vec![assertion],
        // What loads a skill is the query as it is written.
        keeps_urls: true,
        is_plain: false,
        trigger: Some(Trigger { should, near_miss, instead }),
        place: Some(problems.head(node.span)),
        ..Sample::default()
    })
}
