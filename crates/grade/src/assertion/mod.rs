//! The assertion types: one file each (twins share one), one line each in [`TYPES`].

mod affix;
mod assert_set;
mod bleu_min;
pub(crate) mod compile;
mod contains;
mod contains_many;
mod cost_max;
mod custom;
mod equals;
pub(crate) mod json_schema;
mod json_valid;
mod judged;
pub(crate) mod kind;
mod latency_max;
mod length;
mod levenshtein_max;
mod limit;
mod mock_hit;
pub(crate) mod regex;
mod rouge_n_min;
mod tool_input;
mod tool_output_contains;
mod tools_called;
mod tools_count;
mod turns;
mod word_count;

use eval_spec::types::TypeSpec;
use eval_spec::{Assertion, Layer};

use crate::assertion::kind::AssertionType;

/// Every assertion type, in the order of `--help` and the docs.
pub static TYPES: &[AssertionType] = &[
    contains::CONTAINS,
    contains::NOT_CONTAINS,
    contains_many::CONTAINS_ALL,
    contains_many::CONTAINS_ANY,
    regex::REGEX,
    equals::EQUALS,
    equals::NOT_EQUALS,
    affix::STARTS_WITH,
    affix::ENDS_WITH,
    json_valid::JSON_VALID,
    json_schema::JSON_SCHEMA,
    rouge_n_min::ROUGE_N_MIN,
    bleu_min::BLEU_MIN,
    levenshtein_max::LEVENSHTEIN_MAX,
    tool_output_contains::TOOL_OUTPUT_CONTAINS,
    tool_input::TOOL_INPUT_CONTAINS,
    tool_input::TOOL_INPUT_NOT_CONTAINS,
    judged::SEMANTIC_SIMILARITY,
    judged::FAITHFULNESS,
    judged::ANSWER_RELEVANCY,
    judged::CONTEXT_RECALL,
    length::MIN_LENGTH,
    length::MAX_LENGTH,
    word_count::WORD_COUNT_MIN,
    word_count::WORD_COUNT_MAX,
    cost_max::COST_MAX,
    latency_max::LATENCY_MAX,
    turns::TURNS_MIN,
    turns::TURNS_MAX,
    tools_called::TOOLS_CALLED,
    tools_called::TOOLS_NOT_CALLED,
    tools_count::TOOLS_COUNT_MIN,
    tools_count::TOOLS_COUNT_MAX,
    mock_hit::MOCK_HIT,
    custom::CUSTOM,
    assert_set::ASSERT_SET,
];

/// An expectation of an `evals.json`: the format's own way to say what holds, so no sample file can write it.
pub(crate) static EXPECTATION: AssertionType = judged::EXPECTATION;

/// What the loader, `--help` and the docs know of every type.
#[must_use]
pub fn type_specs() -> Vec<TypeSpec> {
    TYPES.iter().map(|kind| kind.spec).collect()
}

/// The layer an assertion counts in; `None` for a type that does not exist. An `assert-set` counts in
/// the layer that all its children have, or as behaviour when they have several.
#[must_use]
pub fn layer_of(assertion: &Assertion) -> Option<Layer> {
    let spec = find(&assertion.kind)?.spec;
    let mut layers = assertion.children.iter().map(layer_of);
    match layers.next() {
        None => Some(spec.layer),
        Some(first) => Some(first.filter(|_| layers.all(|layer| layer == first)).unwrap_or(Layer::Behavior)),
    }
}

/// Whether judges grade assertions of the type of that name.
#[must_use]
pub fn is_judged(name: &str) -> bool {
    find(name).is_some_and(|kind| kind.spec.judged)
}

/// The type of that name.
pub(crate) fn find(name: &str) -> Option<&'static AssertionType> {
    TYPES.iter().chain([&EXPECTATION]).find(|kind| kind.spec.name == name)
}
