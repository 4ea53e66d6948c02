//! `eval-skills benchmark`: lists benchmarks, prints one as JSON, imports data sets and the cases of other tools.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use eval_cli::{CommandError, Terminal, carried_lines, exit};
use eval_format::skills::StoredDocument;
use eval_format::{write_new, write_whole};
use eval_load as load;
use eval_load::{DataSet, ImportedCases, RowColumns};
use eval_message::msg;
use eval_message::plain::clean;
use eval_render::terminal::columns;
use eval_spec::callable::{Benchmark, BenchmarkSource, ScorerType, SkillsConfig, Sourced};
use eval_spec::{Context, Diagnostic, Diagnostics};
use serde_json::{Value, json};

use crate::cli::{BenchmarkCommand, BenchmarkImportArgs};
use crate::files::{OutputTarget, check, is_other};
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
        BenchmarkCommand::Import(arguments) => {
            let default = directory(&None)?.unwrap_or_else(|| context.cwd.join(DIRECTORY));
            import(context, terminal, arguments, &default)
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

/// What is imported: the document as it is written, and what of its source was carried over, where that is counted.
struct ImportedDocument {
    id: String,
    tasks: usize,
    text: String,
    carried: Option<ImportedCases>,
}

fn read(context: &Context, terminal: &Terminal, asked: &BenchmarkImportArgs) -> Result<ImportedDocument, CommandError> {
    let set = match (asked.format.as_str(), asked.level) {
        ("gaia", level) => Some(DataSet::Gaia { level }),
        (_, Some(_)) => return Err(CommandError::usage(msg!("skills-grade-benchmark-level"), None)),
        ("toolbench", None) => Some(DataSet::ToolBench),
        _ => None,
    };
    let has_columns = [&asked.expected_column, &asked.id_column, &asked.scorer].into_iter().any(Option::is_some);
    if asked.format != "rows" && (has_columns || !asked.input.is_empty()) {
        return Err(CommandError::usage(msg!("skills-grade-benchmark-columns"), None));
    }
    if let Some(set) = set {
        let document = terminal.loaded(load::import(context, &asked.file, set)?);
        return Ok(ImportedDocument {
            id: document["id"].as_str().unwrap_or_default().to_owned(),
            tasks: document["tasks"].as_array().map_or(0, Vec::len),
            text: format!("{document:#}\n"),
            carried: None,
        });
    }
    let check = asked.scorer.as_deref().map(|scorer| match scorer {
        "exact_match" => "equals",
        "llm_judge" => "semantic_similarity",
        other => other,
    });
    let columns = RowColumns {
        expected: asked.expected_column.clone(),
        id: asked.id_column.clone(),
        check: check.map(str::to_owned),
        inputs: asked.input.iter().map(|written| column(written)).collect(),
        ..RowColumns::default()
    };
    // A file that is named is known by its name.
    let is_named = |path: &&PathBuf| matches!(OutputTarget::of(context, terminal, path), Ok(OutputTarget::File(_)));
    let named = asked.output.as_ref().filter(is_named).and_then(|path| path.file_stem());
    let id = named.map(|stem| stem.to_string_lossy().into_owned());
    let format = Some(asked.format.as_str());
    let types = eval_grade::type_specs();
    let probe = load::CheckProbe { types: &types, function: eval_grade::parse_function };
    let imported = load::import_benchmark(context, &asked.file, format, &columns, id.as_deref(), probe)?;
    let carried = terminal.loaded(imported);
    let text = carried.files.first().map(|file| file.text.clone()).unwrap_or_default();
    let document: Value = serde_json::from_str(&text).unwrap_or_default();
    let tasks = carried.tests.whole + carried.tests.partly;
    let id = document["id"].as_str().unwrap_or_default().to_owned();
    Ok(ImportedDocument { id, tasks, text, carried: Some(carried) })
}

/// `COLUMN`, or `COLUMN=NAME`.
fn column(written: &str) -> (String, String) {
    let (column, name) = written.split_once('=').unwrap_or((written, written));
    (column.to_owned(), name.to_owned())
}

fn import(
    context: &Context,
    terminal: &Terminal,
    asked: &BenchmarkImportArgs,
    default: &Path,
) -> Result<u8, CommandError> {
    let document = read(context, terminal, asked)?;
    let path = match asked.output.as_deref().map(|given| OutputTarget::of(context, terminal, given)).transpose()? {
        Some(OutputTarget::File(path)) => path,
        None => context.absolute(&default.join(format!("{}.json", document.id))),
        Some(OutputTarget::Stdout) => {
            terminal.bytes(document.text.as_bytes());
            if let Some(carried) = &document.carried {
                carried_lines(carried, terminal.lang()).iter().for_each(|line| terminal.error_line(line));
            }
            return Ok(exit::OK);
        }
    };
    write(context, &path, &document.text, asked)?;
    let shown = context.display(&path);
    terminal.json(|| {
        let mut carried = document.carried.as_ref().and_then(|of| serde_json::to_value(of).ok()).unwrap_or(json!({}));
        carried["id"] = json!(document.id);
        carried["path"] = json!(shown);
        carried["tasks"] = json!(document.tasks);
        carried
    });
    let uses = if asked.output.is_none() { &document.id } else { &shown };
    terminal.say(&msg!("skills-grade-benchmark-imported", count = document.tasks, path = &shown, use = uses));
    if let Some(carried) = &document.carried {
        carried_lines(carried, terminal.lang()).iter().for_each(|line| terminal.text(line));
    }
    Ok(exit::OK)
}

/// Writes the benchmark. An existing file is replaced only with `--force`, and only if it is a benchmark.
fn write(context: &Context, path: &Path, text: &str, asked: &BenchmarkImportArgs) -> Result<(), CommandError> {
    check(context, path, [&*context.absolute(&asked.file)], Some(StoredDocument::Benchmark))?;
    // What is no document at all may be somebody's only copy, too.
    let holds_something = || path.metadata().is_ok_and(|there| there.len() > 0);
    if let Some(there) = StoredDocument::at(path).filter(|there| *there != StoredDocument::Benchmark)
        && asked.force
        && holds_something()
    {
        return Err(is_other(context, path, there));
    }
    let is_new = match asked.force || path.metadata().is_ok_and(|there| !there.is_file() && !there.is_dir()) {
        true => write_whole(path, |file| file.write_all(text.as_bytes())).map(|()| true),
        false => write_new(path, |file| file.write_all(text.as_bytes())),
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
