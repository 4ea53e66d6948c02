//! `omk cache explain SAMPLE`: what the cache key of each of its cells is made of, and why it hits or
//! misses.

use eval_cli::{CommandError, Terminal, exit};
use eval_message::msg;
use eval_run::cache::{CacheKey, Explanation, observations};
use eval_spec::{Cell, Context};
use serde_json::json;

use super::project::{InputPlaces, Project, settings};
use super::work::open_cache;
use crate::cli::ExplainArgs;
use crate::commands::project::purpose::Purpose;

pub(crate) fn explain(context: &Context, terminal: &Terminal, arguments: &ExplainArgs) -> Result<u8, CommandError> {
    let place = InputPlaces::find(context, arguments.eval.project.as_deref())?;
    let chosen = settings(context, arguments.eval.written(), arguments.eval.directories(), &place)?;
    let project = Project::load(context, chosen, Purpose::Run)?;
    if !project.suite.samples.iter().any(|sample| sample.id == arguments.sample) {
        return Err(unknown_sample(&project, &arguments.sample));
    }
    let cache = open_cache(context)?;
    let plan = project.plan();
    let identity = project.executor.identity();
    let mut documents = Vec::new();
    let cells = plan.cells.iter().zip(observations(&plan));
    for (cell, observation) in cells.filter(|(cell, _)| *cell.key.sample == *arguments.sample) {
        let key = CacheKey::of(&project.call(cell), identity, observation);
        let explained = cache.explain(&key, &cell.key);
        say(terminal, cell, &explained);
        let nearest = explained.nearest.as_ref().map(|near| {
            let differences: Vec<_> =
                near.differences.iter().map(|d| json!({"part": d.part, "stored": d.stored, "now": d.now})).collect();
            json!({"key": near.fingerprint, "storedAt": near.stored_at, "differences": differences})
        });
        documents.push(json!({
            "cell": cell.key,
            "key": explained.fingerprint,
            "storedAt": explained.hit,
            "parts": explained.parts,
            "nearest": nearest,
        }));
    }
    terminal.json(|| json!(documents));
    Ok(exit::OK)
}

/// One cell as a paragraph: its state, and below it what that follows from.
fn say(terminal: &Terminal, cell: &Cell, explained: &Explanation) {
    let state = if explained.hit.is_some() { msg!("cli-cache-hit") } else { msg!("cli-cache-miss") };
    let head = msg!("cli-cache-cell", cell = cell.key.to_string(), state = state.text(terminal.lang()));
    let mut lines = vec![msg!("cli-cache-key", key = &explained.fingerprint)];
    for (name, value) in explained.parts.as_object().into_iter().flatten() {
        lines.push(msg!("cli-cache-part", name = name, value = value.to_string()));
    }
    match &explained.nearest {
        Some(near) => lines.extend(near.differences.iter().map(|d| {
            let (stored, asked) = (d.stored.to_string(), d.now.to_string());
            msg!("cli-cache-differs", name = &d.part, stored = stored, asked = asked)
        })),
        None if explained.hit.is_none() => lines.push(msg!("cli-cache-nothing")),
        None => {}
    }
    terminal.say(&head);
    for line in lines {
        terminal.say_at(2, &line);
    }
}

fn unknown_sample(project: &Project, sample: &str) -> CommandError {
    let ids: Vec<&str> = project.suite.samples.iter().map(|sample| sample.id.as_str()).take(20).collect();
    CommandError::usage(
        msg!("cli-cache-unknown-sample", sample = sample),
        msg!("cli-cache-unknown-sample-help", samples = ids.join(", ")),
    )
}
