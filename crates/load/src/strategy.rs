//! `strategy.yaml`: how skills are selected.

use std::path::Path;

use eval_message::msg;
use eval_spec::callable::{AdapterType, Filters, SortKey, SortOrder, Strategy};
use eval_spec::source::Span;
use eval_spec::{Context, Diagnostics};

use super::decode::{self, Keys};
use super::problems::Problems;
use super::settings::format_of;
use super::tree::{self, Node, NodeData};
use super::{Loaded, file};

/// Reads a strategy, YAML or JSON by its name.
///
/// # Errors
/// Everything that is wrong with the file, in file order.
pub fn strategy(context: &Context, path: &Path) -> Result<Loaded<Strategy>, Diagnostics> {
    let path = context.absolute(path);
    let source = file::read(context, &path)?;
    let mut problems = Problems::new(context, &source);
    let root = tree::parse(format_of(&path), &source.text, 0, &mut problems);
    let strategy = match root {
        Some(root) if !matches!(root.data, NodeData::Null) => read(&root, &mut problems),
        _ => {
            if !problems.has_errors() {
                problems.error(Span::default(), msg!("skills-load-strategy-empty"));
            }
            Strategy::default()
        }
    };
    problems.finish(strategy)
}

const KEYS: Keys<'_> = Keys {
    known: &["filters", "sortBy", "order", "topK"],
    foreign: &[("filter", "filters"), ("sort", "sortBy"), ("limit", "topK"), ("top", "topK")],
};
const FILTERS: Keys<'_> = Keys {
    known: &["minCompletionRate", "maxErrorRate", "maxLatencyP95Ms", "adapterTypes", "requiredTags"],
    foreign: &[
        ("minCompletion", "minCompletionRate"),
        ("adapters", "adapterTypes"),
        ("adapter", "adapterTypes"),
        ("tags", "requiredTags"),
        ("maxLatencyMs", "maxLatencyP95Ms"),
    ],
};
const SORT_KEYS: [(&str, SortKey); 4] = [
    ("compositeScore", SortKey::CompositeScore),
    ("completionRate", SortKey::CompletionRate),
    ("latency", SortKey::Latency),
    ("tokenCost", SortKey::TokenCost),
];
/// A day: a longer latency is a typing error.
const MAX_LATENCY_MS: f64 = 86_400_000.0;

fn read(root: &Node, problems: &mut Problems) -> Strategy {
    let Some(fields) = decode::object(root, KEYS, problems) else { return Strategy::default() };
    let sort_by = fields.get("sortBy").and_then(|node| {
        let word = decode::one_of(node, &SORT_KEYS.map(|(word, _)| word), problems)?;
        SORT_KEYS.iter().find(|(known, _)| *known == word).map(|(_, key)| *key)
    });
    let order = fields.get("order").and_then(|node| decode::one_of(node, &["asc", "desc"], problems));
    let top_k = fields.get("topK").and_then(|node| decode::whole(node, 1..=1_000_000, problems));
    Strategy {
        filters: fields.get("filters").map(|node| filters(node, problems)).unwrap_or_default(),
        sort_by: sort_by.unwrap_or_default(),
        order: order.map(|word| if word == "asc" { SortOrder::Asc } else { SortOrder::Desc }),
        top_k: top_k.and_then(|k| usize::try_from(k).ok()),
    }
}

fn filters(node: &Node, problems: &mut Problems) -> Filters {
    if let NodeData::Null = node.data {
        return Filters::default();
    }
    let Some(fields) = decode::object(node, FILTERS, problems) else { return Filters::default() };
    let mut number = |key: &str, high: f64| fields.get(key).and_then(|node| decode::number(node, 0.0..=high, problems));
    Filters {
        min_completion_rate: number("minCompletionRate", 1.0),
        max_error_rate: number("maxErrorRate", 1.0),
        max_latency_p95_ms: number("maxLatencyP95Ms", MAX_LATENCY_MS),
        adapter_types: fields.get("adapterTypes").and_then(|node| adapters(node, problems)),
        required_tags: fields.get("requiredTags").and_then(|node| decode::texts(node, problems)).unwrap_or_default(),
    }
}

fn adapters(node: &Node, problems: &mut Problems) -> Option<Vec<AdapterType>> {
    let items = decode::list(node, "list-of-texts", problems)?;
    if items.is_empty() {
        problems.error(node.span, msg!("skills-load-strategy-no-adapter"));
    }
    items.iter().map(|item| adapter(item, problems)).collect()
}

/// An adapter's name.
pub(super) fn adapter(node: &Node, problems: &mut Problems) -> Option<AdapterType> {
    let word = decode::one_of(node, &AdapterType::ALL.map(AdapterType::name), problems)?;
    AdapterType::ALL.into_iter().find(|adapter| adapter.name() == word)
}
