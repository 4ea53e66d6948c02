//! `--dry-run`: the plan.

use std::collections::BTreeMap;

use eval_cli::Terminal;
use eval_message::msg;
use eval_spec::Context;
use eval_spec::callable::{BenchmarkSource, Task};
use serde_json::{Value, json};

use super::ask::TRANSPORT_RETRIES;
use super::loaded::LoadedEvaluation;
use super::work::{grants, unset};

/// Shows the plan; everything is checked, and nothing is written.
pub(super) fn show(context: &Context, terminal: &Terminal, loaded: &LoadedEvaluation) {
    terminal.json(|| document(context, loaded));
    let ask = &loaded.ask;
    terminal.say(&msg!(
        "skills-cli-plan",
        skills = loaded.skills.len(),
        tasks = loaded.benchmark.tasks.len(),
        runs = ask.runs,
        total = loaded.plan.cells.len()
    ));
    terminal.say_at(
        2,
        &msg!(
            "skills-cli-plan-benchmark",
            id = &loaded.benchmark.id,
            version = &loaded.benchmark.version,
            source = match loaded.benchmark.source {
                BenchmarkSource::BuiltIn => msg!("skills-cli-plan-built-in").text(terminal.lang()),
                BenchmarkSource::File(_) => loaded.benchmark_source.clone(),
            }
        ),
    );
    loaded.part.iter().for_each(|part| terminal.say_at(2, part));
    for skill in &loaded.skills {
        let path = context.display(&skill.file);
        terminal.say_at(
            2,
            &msg!(
                "skills-cli-plan-skill",
                id = &*skill.id,
                version = &skill.version,
                adapter = skill.adapter.name(),
                path = path
            ),
        );
    }
    unset(context, loaded).iter().for_each(|unset| terminal.say_at(2, unset));
    if ask.sandbox {
        grants(&loaded.skills).iter().for_each(|grant| terminal.say_at(2, grant));
    }
    let scorers: Vec<String> = scorers(&loaded.benchmark.tasks).iter().map(|(name, n)| format!("{name} {n}")).collect();
    terminal.say_at(2, &msg!("skills-cli-plan-scorers", scorers = scorers.join(", ")));
    terminal.say_at(
        2,
        &msg!(
            "skills-cli-plan-how",
            concurrency = ask.concurrency,
            timeout = ask.timeout_ms,
            retries = ask.retries.unwrap_or(0),
            transport = ask.retries.unwrap_or(TRANSPORT_RETRIES).saturating_sub(ask.retries.unwrap_or(0)),
            sandbox = if ask.sandbox { "on" } else { "off" }
        ),
    );
    if let Some(judge) = loaded.judge_label() {
        terminal.say_at(2, &msg!("skills-cli-plan-judge", judge = judge));
    }
    terminal.say(&msg!("skills-cli-plan-nothing"));
}

fn scorers(tasks: &[Task]) -> BTreeMap<&'static str, usize> {
    let mut scorers = BTreeMap::new();
    for task in tasks {
        *scorers.entry(task.scorer.kind().name()).or_default() += 1;
    }
    scorers
}

fn document(context: &Context, loaded: &LoadedEvaluation) -> Value {
    let ask = &loaded.ask;
    let skills: Vec<Value> = loaded
        .skills
        .iter()
        .map(|skill| {
            json!({
                "id": &*skill.id,
                "version": skill.version,
                "adapterType": skill.adapter,
                "entrypoint": skill.entrypoint,
                "path": context.display(&skill.file),
                "hash": &*skill.hash,
            })
        })
        .collect();
    json!({
        "dryRun": true,
        "benchmark": {
            "id": loaded.benchmark.id,
            "version": loaded.benchmark.version,
            "source": loaded.benchmark_source,
            "hash": loaded.benchmark.hash,
            "tasks": loaded.benchmark.tasks.len(),
            "scorers": scorers(&loaded.benchmark.tasks),
        },
        "skills": skills,
        "runs": ask.runs,
        "executions": loaded.plan.cells.len(),
        "concurrency": ask.concurrency,
        "timeoutMs": ask.timeout_ms,
        "retries": ask.retries.unwrap_or(0),
        "transportRetries": ask.retries.unwrap_or(TRANSPORT_RETRIES),
        "sandbox": ask.sandbox,
        "judge": loaded.judge_label(),
        "minCompletion": ask.gate,
        "formats": ask.formats,
        "outputDir": context.display(&ask.output_dir),
        "store": context.display(&ask.store),
    })
}
