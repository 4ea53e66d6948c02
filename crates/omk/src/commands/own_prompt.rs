//! Tokens that an agent sends of its own with each request: `omk doctor` measures them, estimates of costs use them.

use std::path::PathBuf;

use eval_format::write_private;
use eval_spec::Context;
use eval_spec::hash::short_hash;
use serde_json::{Value, json};

use super::project::Project;

/// The version of the file that remembers a measurement.
const VERSION: u32 = 1;

/// Tokens that were measured of this version of the agent, with this model and these tools.
pub(crate) fn tokens(context: &Context, project: &Project) -> Option<u32> {
    let stored: Value = serde_json::from_slice(&std::fs::read(memory(context, project)).ok()?).ok()?;
    let tokens = stored["tokens"].as_u64().filter(|_| stored["formatVersion"] == VERSION)?;
    u32::try_from(tokens).ok()
}

/// Remembers a measurement.
pub(crate) fn remember(context: &Context, project: &Project, tokens: usize) {
    let identity = project.executor.identity();
    let document = json!({
        "formatVersion": VERSION,
        "executor": identity.executor,
        "version": identity.version,
        "model": project.suite.settings.model,
        "tokens": tokens,
        "measuredAt": context.now().to_string(),
    });
    // It is only a memory: without it the estimate assumes a number.
    let _ = write_private(&memory(context, project), format!("{document:#}\n").as_bytes());
}

fn memory(context: &Context, project: &Project) -> PathBuf {
    let (identity, settings) = (project.executor.identity(), &project.suite.settings);
    let setup = json!([settings.model, settings.strict_baseline, settings.allowed_tools]);
    let key = json!([identity.executor, identity.version, setup]).to_string();
    context.home.join("cache").join("own-prompt").join(format!("{}.json", short_hash(key.as_bytes(), 16)))
}
