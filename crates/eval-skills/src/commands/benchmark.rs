//! `eval-skills benchmark`: lists benchmarks, prints one as JSON, imports data sets.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use eval_cli::{CommandError, Terminal, exit};
use eval_format::skills::StoredDocument;
use eval_format::{write_new, write_whole};
use eval_load as load;
use eval_load::DataSet;
use eval_message::msg;
use eval_message::plain::clean;
use eval_render::terminal::columns;
use eval_spec::callable::{Benchmark, BenchmarkSource, ScorerType, SkillsConfig, Sourced};
use eval_spec::{Context, Diagnostic, Diagnostics};
use serde_json::{Value, json};

use crate::cli::BenchmarkCommand;
use crate::files::{OutputTarget, check};
use crate::session::Session;

/// Where imported benchmarks go, unless a flag or the configuration says otherwise.
const DIRECTORY: &str = "benchmarks";

pub(crate) fn run(session: &Session<'_>, command: &BenchmarkCommand) -> Result<u8, CommandError> {
    let &Session { context, terminal, .. } = session;
    let directory = |named: &Option<PathBuf>| {
        let benchmarks_dir = named.as_ref().map(|path| Sourced::flag(context.absolute(path)));
        session
            .settings(SkillsConfig { benchmarks_dir, ..SkillsConfig::default() })
            .map(|settings| settings.benchmarks_dir)
    };
    match command {
        BenchmarkCommand::List { benchmarks_dir } => list(context, terminal, directory(benchmarks_dir)?.as_deref()),
        BenchmarkCommand::Show { benchmark, benchmarks_dir } => {
            show(context, terminal, benchmark, directory(benchmarks_dir)?.as_deref())
        }
        BenchmarkCommand::Import { format, file, level, output, force } => {
            let set = data_set(format, *level)?;
            let default = directory(&None)?.unwrap_or_else(|| context.cwd.join(DIRECTORY));
            import(
                context,
                terminal,
                &Import { set, file, output: output.as_deref(), default: &default, force: *force },
            )
        }
    }
}

fn list(context: &Context, terminal: &Terminal, directory: Option<&Path>) -> Result<u8, CommandError> {
    let benchmarks = terminal.loaded(load::benchmarks(context, directory, ScorerType::ExactMatch)?);
    let source = |benchmark: &Benchmark| match &benchmark.source {
        BenchmarkSource::BuiltIn => "built-in".to_owned(),
        BenchmarkSource::File(path) => context.display(path),
    };
    terminal.json(|| {
        let entry = |benchmark: &Benchmark| {
            json!({
                "id": benchmark.id,
                "name": benchmark.name,
                "version": benchmark.version,
                "domain": benchmark.domain,
                "description": benchmark.description,
                "tasks": benchmark.tasks.len(),
                "scorers": scorers(benchmark),
                "source": source(benchmark),
                "hash": benchmark.hash,
            })
        };
        benchmarks.iter().map(entry).collect()
    });
    if !terminal.is_json() {
        let shown = |benchmark: &Benchmark| match benchmark.source {
            BenchmarkSource::BuiltIn => msg!("skills-cli-plan-built-in").text(terminal.lang()),
            BenchmarkSource::File(_) => source(benchmark),
        };
        let rows: Vec<[String; 5]> = benchmarks.iter().map(|one| row(terminal, one, &shown(one))).collect();
        terminal.text(&columns(&rows).join("\n"));
    }
    Ok(exit::OK)
}

fn row(terminal: &Terminal, benchmark: &Benchmark, source: &str) -> [String; 5] {
    let tasks = match benchmark.tasks.len() {
        0 => msg!("skills-grade-benchmark-empty"),
        count => msg!("skills-grade-benchmark-count", count = count),
    };
    let scorers = scorers(benchmark).join(", ");
    [benchmark.id.as_str(), &benchmark.domain, &tasks.text(terminal.lang()), &scorers, source].map(clean)
}

/// The names of a benchmark's scorers; without tasks, the scorer that its metadata names.
fn scorers(benchmark: &Benchmark) -> Vec<&str> {
    let named: BTreeSet<&str> = benchmark.tasks.iter().map(|task| task.scorer.kind().name()).collect();
    let meant = benchmark.metadata.get("scorer").and_then(Value::as_str).filter(|_| named.is_empty());
    named.into_iter().chain(meant).collect()
}

fn show(context: &Context, terminal: &Terminal, reference: &str, directory: Option<&Path>) -> Result<u8, CommandError> {
    // A benchmark whose data is not included can still be shown.
    let benchmark = terminal.loaded(load::any_benchmark(context, reference, directory, ScorerType::ExactMatch)?);
    let text = match &benchmark.source {
        BenchmarkSource::File(path) => std::fs::read_to_string(path)
            .map_err(CommandError::io(msg!("load-file-missing", path = context.display(path))))?,
        BenchmarkSource::BuiltIn => {
            let built_in = load::BUILT_IN_BENCHMARKS.iter().find(|(id, _)| *id == benchmark.id);
            built_in.map(|(_, text)| (*text).to_owned()).unwrap_or_default()
        }
    };
    terminal.bytes(text.as_bytes());
    Ok(exit::OK)
}

fn data_set(format: &str, level: Option<u32>) -> Result<DataSet, CommandError> {
    match (format, level) {
        ("gaia", level) => Ok(DataSet::Gaia { level }),
        (_, Some(_)) => Err(CommandError::usage(msg!("skills-grade-benchmark-level"), None)),
        _ => Ok(DataSet::ToolBench),
    }
}

struct Import<'a> {
    set: DataSet,
    file: &'a Path,
    output: Option<&'a Path>,
    /// The directory to write to without `output`.
    default: &'a Path,
    force: bool,
}

fn import(context: &Context, terminal: &Terminal, asked: &Import<'_>) -> Result<u8, CommandError> {
    let document = terminal.loaded(load::import(context, asked.file, asked.set)?);
    let id = document["id"].as_str().unwrap_or_default();
    let default = || asked.default.join(format!("{id}.json"));
    let path = match asked.output.map(|given| OutputTarget::of(context, terminal, given)).transpose()? {
        Some(OutputTarget::File(path)) => path,
        None => context.absolute(&default()),
        Some(OutputTarget::Stdout) => {
            terminal.bytes(format!("{document:#}\n").as_bytes());
            return Ok(exit::OK);
        }
    };
    write(context, &path, &document, asked)?;
    let shown = context.display(&path);
    let count = document["tasks"].as_array().map_or(0, Vec::len);
    terminal.json(|| json!({ "id": id, "tasks": count, "path": shown }));
    let uses = if asked.output.is_none() { id } else { &shown };
    terminal.say(&msg!("skills-grade-benchmark-imported", count = count, path = &shown, use = uses));
    Ok(exit::OK)
}

/// Writes the benchmark. An existing file is replaced only with `--force`, and only if it is a benchmark.
fn write(context: &Context, path: &Path, document: &Value, asked: &Import<'_>) -> Result<(), CommandError> {
    check(context, path, [&*context.absolute(asked.file)], Some(StoredDocument::Benchmark))?;
    let is_new = match asked.force || path.metadata().is_ok_and(|there| !there.is_file() && !there.is_dir()) {
        true => write_whole(path, |file| writeln!(file, "{document:#}")).map(|()| true),
        false => write_new(path, |file| writeln!(file, "{document:#}")),
    };
    match is_new.map_err(|error| CommandError::file(context, &error.into()))? {
        true => Ok(()),
        false => {
            let help = msg!("skills-grade-benchmark-exists-help");
            let message = msg!("skills-grade-benchmark-exists", path = context.display(path));
            Err(Diagnostics(vec![Diagnostic::error(message, None).help(help)]).into())
        }
    }
}
