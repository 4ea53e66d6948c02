//! `omk cache explain SAMPLE`: what the cache key of each of its cells is made of, and why it hits or
//! misses.

use eval_spec::{Context, msg};
use serde_json::json;

use super::eval::open_cache;
use super::project::{Place, Project, settings};
use crate::cli::ExplainArgs;
use crate::exit::{self, Failure};
use crate::terminal::Terminal;

/// Explains every cell of one sample.
pub(crate) fn explain(context: &Context, terminal: &Terminal, arguments: &ExplainArgs) -> Result<u8, Failure> {
    let place = Place::find(context, arguments.eval.project.as_deref())?;
    let project = Project::load(context, settings(context, arguments.eval.written(), &place)?)?;
    if !project.suite.samples.iter().any(|sample| sample.id == arguments.sample) {
        return Err(unknown_sample(&project, &arguments.sample));
    }
    let cache = open_cache(context)?;
    let plan = project.plan();
    let identity = project.executor.identity();
    let mut documents = Vec::new();
    for cell in plan.cells.iter().filter(|cell| *cell.key.sample == *arguments.sample) {
        let parts = project.call(cell).key_parts(identity);
        let explained = cache.explain(&cell.key, &cell.fingerprint, &parts);
        let state = if explained.hit { msg!("cli-cache-hit") } else { msg!("cli-cache-miss") };
        terminal.say(&msg!("cli-cache-cell", cell = cell.key.to_string(), state = state.text(terminal.lang())));
        terminal.say(&msg!("cli-cache-key", key = cell.fingerprint.as_ref()));
        for (name, value) in parts.as_object().into_iter().flatten() {
            terminal.say(&msg!("cli-cache-part", name = name, value = value.to_string()));
        }
        for difference in &explained.differences {
            terminal.say(&msg!(
                "cli-cache-differs",
                name = &difference.name,
                stored = difference.stored.to_string(),
                asked = difference.asked.to_string()
            ));
        }
        if !explained.hit && explained.differences.is_empty() {
            terminal.say(&msg!("cli-cache-nothing"));
        }
        documents.push(json!({
            "cell": cell.key, "key": cell.fingerprint.as_ref(), "hit": explained.hit, "parts": parts,
            "differences": explained.differences.iter().map(|d| json!({"name": d.name, "stored": d.stored, "asked": d.asked})).collect::<Vec<_>>(),
        }));
    }
    terminal.json(|| json!(documents));
    Ok(exit::OK)
}

fn unknown_sample(project: &Project, sample: &str) -> Failure {
    let ids: Vec<&str> = project.suite.samples.iter().map(|sample| sample.id.as_str()).take(20).collect();
    Failure::usage(
        msg!("cli-cache-unknown-sample", sample = sample),
        msg!("cli-cache-unknown-sample-help", samples = ids.join(", ")),
    )
}
