//! The vendor of a model, inferred from its name: a judge tends to prefer texts of its own model family.

use eval_spec::vendor;

use crate::model::ModelName;

/// The vendor or family of a model, from its name: `claude-haiku-4-5`, `us.anthropic.claude-sonnet-4`, `openai/gpt-4o`,
/// `qwen2.5:7b`. `None` for an empty name.
pub fn family(model: &str) -> Option<String> {
    let name = ModelName::of(model);
    let first = name.first()?;
    let vendor = vendor::of_model(first, &name.head).map(|vendor| vendor.name);
    // of others the first word: `olmo-2` and `olmo3` are one family
    Some(vendor.unwrap_or(first).to_owned())
}

/// The vendor of an executor's default model.
pub(crate) fn family_of_executor(executor: &str) -> Option<&'static str> {
    vendor::of_executor(executor).map(|vendor| vendor.name)
}
