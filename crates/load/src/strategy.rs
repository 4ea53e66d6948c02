//! `strategy.yaml`: how skills are selected.

use std::path::Path;

use eval_message::msg;
use eval_spec::callable::{AdapterType, Filters, SortKey, SortOrder, Strategy};
use eval_spec::{Context, Diagnostics};

use super::decode::{self, Keys};
use super::problems::Problems;
use super::tree::{Node, NodeData};
use super::{Loaded, document::decode_file};

/// Reads a strategy, YAML or JSON by its name.
///
/// # Errors
/// Everything that is wrong with the file, in file order.
pub fn strategy(context: &Context, path: &Path) -> Result<Loaded<Strategy>, Diagnostics> {
    decode_file(context, &context.absolute(path), msg!("skills-load-strategy-empty"), |root, problems| {
        if let NodeData::Null = root.data { None } else { read(root, problems) }
    })
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
const SORT_KEYS: &[(&str, SortKey)] = &[
    ("compositeScore", SortKey::CompositeScore),
    ("completionRate", SortKey::CompletionRate),
    ("latency", SortKey::Latency),
    ("tokenCost", SortKey::TokenCost),
];
const ORDERS: &[(&str, SortOrder)] = &[("asc", SortOrder::Asc), ("desc", SortOrder::Desc)];
/// A day: a longer latency is a typing error.
const MAX_LATENCY_MS: f64 = 86_400_000.0;

fn read(root: &Node, problems: &mut Problems) -> Option<Strategy> {
    let fields = decode::object(root, KEYS, problems)?;
    let top_k = fields.get("topK").and_then(|node| decode::whole(node, 1..=1_000_000, problems));
    Some(Strategy {
        filters: fields.get("filters").map(|node| filters(node, problems)).unwrap_or_default(),
        sort_by: fields.get("sortBy").and_then(|node| decode::named(node, SORT_KEYS, problems)).unwrap_or_default(),
        order: fields.get("order").and_then(|node| decode::named(node, ORDERS, problems)),
        top_k: top_k.and_then(|k| usize::try_from(k).ok()),
    })
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
        adapter_types: fields.decoded("adapterTypes", adapters, problems),
        required_tags: fields.decoded("requiredTags", decode::texts, problems).unwrap_or_default(),
    }
}

fn adapters(node: &Node, problems: &mut Problems) -> Option<Vec<AdapterType>> {
    let items = decode::list(node, "list-of-texts", problems)?;
    if items.is_empty() {
        problems.error(node.span, msg!("skills-load-strategy-no-adapter"));
    }
    items.iter().map(|item| adapter(item, problems)).collect()
}

/// An adapter by its name in `skill.json`.
pub(super) fn adapter(node: &Node, problems: &mut Problems) -> Option<AdapterType> {
    decode::named(node, &AdapterType::ALL.map(|adapter| (adapter.name(), adapter)), problems)
}
