//! Benchmarks: built in, in a directory, or a file; and files of tasks alone.

mod built_in;
mod decode_tasks;
mod scorer;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use eval_message::msg;
use eval_spec::callable::{Benchmark, BenchmarkSource, DEFAULT_TIMEOUT, ScorerType, ScoringMethod, Task};
use eval_spec::hash::{canonical_json, sha256_hex};
use eval_spec::source::SourceFile;
use eval_spec::{Context, Diagnostic, Diagnostics};
use serde_json::{Map, Value, json};

use super::Loaded;
use super::callable::left_out;
use super::decode::{self, Keys, ObjectFields};
use super::document::{decode_text, format_of};
use super::file::{self, absolute};
use super::problems::Problems;
use super::tree::{self, Node, NodeData};

pub use built_in::BUILT_IN_BENCHMARKS;
pub(super) use decode_tasks::refuse_inexact;

/// The longest time for a task, and the longest latency: a day.
const MAX_MS: u64 = 86_400_000;

/// The benchmark that `reference` means: a file if it looks like a path ([`is_benchmark_path`]), else an id, first of the
/// files in `benchmarks_dir`, then of those compiled in, then of a file of that name. `default` scores tasks that name no
/// scorer.
///
/// A broken file in the directory is named in a warning, unless it is the one that is asked for.
///
/// # Errors
/// There is no such benchmark; everything that is wrong with it; it has no tasks; the directory can't be read.
pub fn benchmark(
    context: &Context,
    reference: &str,
    benchmarks_dir: Option<&Path>,
    default: ScorerType,
) -> Result<Loaded<Benchmark>, Diagnostics> {
    let loaded = any_benchmark(context, reference, benchmarks_dir, default)?;
    match loaded.value.tasks.is_empty() {
        true => Err(no_data(&loaded.value).into()),
        false => Ok(loaded),
    }
}

/// As [`benchmark`], with tasks or without.
///
/// # Errors
/// As [`benchmark`], but for the tasks.
pub fn any_benchmark(
    context: &Context,
    reference: &str,
    benchmarks_dir: Option<&Path>,
    default: ScorerType,
) -> Result<Loaded<Benchmark>, Diagnostics> {
    match is_benchmark_path(reference) {
        true => benchmark_file(context, Path::new(reference), default),
        false => by_id(context, reference, benchmarks_dir, default),
    }
}

/// Whether a reference to a benchmark is a path, by its form alone: it has a slash, or a file's ending.
#[must_use]
pub fn is_benchmark_path(reference: &str) -> bool {
    reference.contains(['/', '\\']) || [".json", ".yaml", ".yml"].iter().any(|ending| reference.ends_with(ending))
}

/// The error for a benchmark without tasks, whose data its publisher doesn't allow us to include.
fn no_data(benchmark: &Benchmark) -> Diagnostic {
    let error = Diagnostic::error(msg!("skills-load-benchmark-no-data", id = benchmark.id.as_str()), None);
    match benchmark.metadata.get("import").and_then(Value::as_str) {
        Some(format) => error.help(msg!("skills-load-benchmark-import-help", format = format)),
        None => error,
    }
}

fn by_id(
    context: &Context,
    id: &str,
    directory: Option<&Path>,
    default: ScorerType,
) -> Result<Loaded<Benchmark>, Diagnostics> {
    let mut directory_content = BenchmarkDirectory::default();
    if let Some(directory) = directory {
        directory_content.read(context, directory, default)?;
    }
    if let Some(errors) = directory_content.errors_of(id) {
        return Err(errors);
    }
    if let Some(at) = directory_content.benchmarks.iter().position(|(benchmark, _)| benchmark.id == id) {
        let (value, own) = directory_content.benchmarks.swap_remove(at);
        directory_content.warnings.extend(own);
        return Ok(Loaded { value, warnings: directory_content.warnings });
    }
    if let Some(found) = built_in::benchmark(context, id, default) {
        let loaded = found?;
        directory_content.warnings.extend(loaded.warnings);
        return Ok(Loaded { value: loaded.value, warnings: directory_content.warnings });
    }
    if context.cwd.join(id).is_file() {
        return benchmark_file(context, Path::new(id), default);
    }
    let own = directory_content.benchmarks.iter().map(|(benchmark, _)| benchmark.id.as_str());
    let mut known: Vec<&str> = own.collect();
    known.extend(BUILT_IN_BENCHMARKS.iter().map(|(id, _)| *id).filter(|id| !known.contains(id)).collect::<Vec<_>>());
    let error = Diagnostic::error(msg!("skills-load-benchmark-unknown", id = decode::short(id)), None);
    let help = decode::did_you_mean(decode::closest(id, &known), &known);
    let mut errors = vec![Diagnostic { help, ..error }];
    errors.extend(directory_content.warnings);
    Err(Diagnostics(errors))
}

/// All benchmarks there are: those in `benchmarks_dir`, then the built-in ones that none of them overrides, with and
/// without tasks. Broken files are warnings.
///
/// # Errors
/// The directory can't be read.
pub fn benchmarks(
    context: &Context,
    benchmarks_dir: Option<&Path>,
    default: ScorerType,
) -> Result<Loaded<Vec<Benchmark>>, Diagnostics> {
    let mut directory_content = BenchmarkDirectory::default();
    if let Some(directory) = benchmarks_dir {
        directory_content.read(context, directory, default)?;
    }
    let mut value = Vec::new();
    for (benchmark, warnings) in directory_content.benchmarks {
        directory_content.warnings.extend(warnings);
        value.push(benchmark);
    }
    for (id, _) in BUILT_IN_BENCHMARKS {
        if !value.iter().any(|benchmark: &Benchmark| benchmark.id == *id)
            && let Some(found) = built_in::benchmark(context, id, default)
        {
            value.push(found?.value);
        }
    }
    Ok(Loaded { value, warnings: directory_content.warnings })
}

/// The content of a directory of benchmarks.
#[derive(Default)]
struct BenchmarkDirectory {
    /// With the warnings of each.
    benchmarks: Vec<(Benchmark, Vec<Diagnostic>)>,
    /// Broken files: name without ending, id where it can be read, errors.
    broken: Vec<(String, Option<String>, Diagnostics)>,
    /// One for each broken file.
    warnings: Vec<Diagnostic>,
}

impl BenchmarkDirectory {
    fn read(&mut self, context: &Context, directory: &Path, default: ScorerType) -> Result<(), Diagnostics> {
        let directory = absolute(context, directory);
        for path in files(context, &directory)? {
            match benchmark_file(context, &path, default) {
                Ok(loaded) => self.benchmarks.push((loaded.value, loaded.warnings)),
                Err(errors) => {
                    self.warnings.push(left_out(context, &path, &errors));
                    let stem = name_of(&path);
                    self.broken.push((stem, written_id(context, &path), errors));
                }
            }
        }
        self.check_twice(context);
        Ok(())
    }

    /// Two files of one id can't both be meant; both become broken.
    fn check_twice(&mut self, context: &Context) {
        let mut sorted = std::mem::take(&mut self.benchmarks);
        while let Some((benchmark, warnings)) = (!sorted.is_empty()).then(|| sorted.remove(0)) {
            let second = sorted.iter().position(|(other, _)| other.id == benchmark.id);
            let Some(second) = second else {
                self.benchmarks.push((benchmark, warnings));
                continue;
            };
            let (other, _) = sorted.remove(second);
            let paths = [&benchmark, &other].map(|one| match &one.source {
                BenchmarkSource::File(path) => context.display(path),
                BenchmarkSource::BuiltIn => one.id.clone(),
            });
            let id = benchmark.id.clone();
            let message = msg!("skills-load-benchmark-twice", id = &id, first = &paths[0], second = &paths[1]);
            self.warnings.push(Diagnostic::warning(message.clone(), None));
            self.broken.push((id.clone(), Some(id), Diagnostic::error(message, None).into()));
        }
    }

    /// The errors of the broken file that `id` means.
    fn errors_of(&mut self, id: &str) -> Option<Diagnostics> {
        let is_whole = self.benchmarks.iter().any(|(benchmark, _)| benchmark.id == id);
        // A broken file is also found by its name, since its id may be unreadable.
        let is_it =
            |(stem, written, _): &(String, Option<String>, Diagnostics)| stem == id || written.as_deref() == Some(id);
        let at = self.broken.iter().position(is_it).filter(|_| !is_whole)?;
        Some(self.broken.swap_remove(at).2)
    }
}

/// The `*.json` of a directory, and the `benchmark.json` of folders in it, sorted.
fn files(context: &Context, directory: &Path) -> Result<Vec<PathBuf>, Diagnostics> {
    let entries = std::fs::read_dir(directory)
        .map_err(|_| Diagnostic::error(msg!("load-not-a-directory", path = context.display(directory)), None))?;
    let is_benchmark = |path: &PathBuf| path.extension().is_some_and(|e| e.eq_ignore_ascii_case("json"));
    let within = |path: PathBuf| match path.is_dir() {
        true => Some(path.join(IN_FOLDER)).filter(|path| path.is_file()),
        false => Some(path),
    };
    let paths = entries.flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = paths.filter_map(within).filter(is_benchmark).collect();
    files.sort_unstable();
    Ok(files)
}

/// The id in a file whose other parts are wrong.
fn written_id(context: &Context, path: &Path) -> Option<String> {
    let source = file::read(context, path).ok()?;
    let root = tree::parse(format_of(path), &source.text, 0, &mut Problems::new(context, &source))?;
    match &root.get("id")?.data {
        NodeData::Text(id) => Some(id.clone()),
        _ => None,
    }
}

/// A benchmark file, JSON (or YAML by its name). It may have no tasks.
///
/// # Errors
/// Everything that is wrong with it, in file order.
pub fn benchmark_file(context: &Context, path: &Path, default: ScorerType) -> Result<Loaded<Benchmark>, Diagnostics> {
    from_file(context, path, default, BenchmarkForm::Benchmark)
}

/// A file of tasks: a list, or an object with `tasks`, which may say what a benchmark says too.
///
/// # Errors
/// Everything that is wrong with it, in file order; it has no tasks.
pub fn tasks_file(context: &Context, path: &Path, default: ScorerType) -> Result<Loaded<Benchmark>, Diagnostics> {
    from_file(context, path, default, BenchmarkForm::Tasks)
}

/// Checks a benchmark that is not written yet; `name` is used as its file's name in errors.
pub(super) fn check(context: &Context, name: &str, document: &Value) -> Result<(), Diagnostics> {
    check_text(context, name, format!("{document:#}"))
}

/// The same of its text.
pub(super) fn check_text(context: &Context, name: &str, text: String) -> Result<(), Diagnostics> {
    let source = Arc::new(SourceFile { name: name.to_owned(), text });
    let source_of = BenchmarkSource::File(context.absolute(Path::new(name)));
    let reading =
        BenchmarkReading { source: source_of, default: ScorerType::ExactMatch, form: BenchmarkForm::Benchmark };
    reading.read(context, &source).map(drop)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum BenchmarkForm {
    Benchmark,
    Tasks,
}

/// The file of a benchmark that is a folder.
const IN_FOLDER: &str = "benchmark.json";

/// What a benchmark's file is called by: its name without ending, or its folder's.
fn name_of(path: &Path) -> String {
    let is_in_folder = path.file_name().is_some_and(|name| name.eq(IN_FOLDER));
    let named = if is_in_folder { path.parent().and_then(Path::file_name) } else { path.file_stem() };
    named.unwrap_or_default().to_string_lossy().into_owned()
}

fn from_file(
    context: &Context,
    path: &Path,
    default: ScorerType,
    form: BenchmarkForm,
) -> Result<Loaded<Benchmark>, Diagnostics> {
    let path = absolute(context, path);
    let in_folder = path.join(IN_FOLDER);
    let path = if path.is_dir() && in_folder.is_file() { in_folder } else { path };
    let source = file::read(context, &path)?;
    let reading = BenchmarkReading { source: BenchmarkSource::File(path), default, form };
    reading.read(context, &source)
}

/// The parameters for reading a benchmark's text.
struct BenchmarkReading {
    source: BenchmarkSource,
    default: ScorerType,
    form: BenchmarkForm,
}

const KEYS: Keys<'_> = Keys {
    known: &[
        "$schema",
        "id",
        "name",
        "version",
        "domain",
        "description",
        "scoringMethod",
        "maxLatencyMs",
        "metadata",
        "tasks",
    ],
    foreign: &[("cases", "tasks"), ("tests", "tasks"), ("samples", "tasks"), ("title", "name")],
};

/// The names of scoring methods.
const METHODS: &[(&str, ScoringMethod)] = &[
    ("mean", ScoringMethod::Mean),
    ("weighted_mean", ScoringMethod::WeightedMean),
    ("pass_at_k", ScoringMethod::PassAtK),
];

impl BenchmarkReading {
    fn read(self, context: &Context, source: &Arc<SourceFile>) -> Result<Loaded<Benchmark>, Diagnostics> {
        let format = match &self.source {
            BenchmarkSource::File(path) => format_of(path),
            BenchmarkSource::BuiltIn => tree::Format::Json,
        };
        decode_text(context, source, format, msg!("skills-load-benchmark-empty"), |root, problems| {
            self.benchmark(root, problems)
        })
    }

    fn benchmark(self, root: &Node, problems: &mut Problems) -> Option<Benchmark> {
        if let (BenchmarkForm::Tasks, NodeData::List(items)) = (self.form, &root.data) {
            let tasks = self.tasks(root, items, ScoringMethod::Mean, problems);
            let id = self.stem();
            return Some(self.finished(BenchmarkHead { name: id.clone(), id, ..BenchmarkHead::default() }, tasks));
        }
        let fields = decode::object(root, KEYS, problems)?;
        let head = self.head(fields, problems);
        let method = head.as_ref().map(|head| head.method).unwrap_or_default();
        let tasks_node = fields.require("tasks", problems);
        let tasks = tasks_node
            .and_then(|node| Some((node, decode::list(node, "list-of-tasks", problems)?)))
            .map(|(node, items)| self.tasks(node, items, method, problems));
        Some(self.finished(head?, tasks?))
    }

    fn stem(&self) -> String {
        let BenchmarkSource::File(path) = &self.source else { return String::new() };
        path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }

    fn head(&self, fields: ObjectFields<'_>, problems: &mut Problems) -> Option<BenchmarkHead> {
        let id = match (self.form, fields.get("id")) {
            (BenchmarkForm::Tasks, None) => Some(self.stem()),
            _ => fields.require("id", problems).and_then(|node| decode_tasks::id(node, problems)),
        };
        let mut text = |key| fields.get(key).and_then(|node| decode::text(node, problems));
        let (name, version, domain) = (text("name"), text("version"), text("domain"));
        let description = text("description").unwrap_or_default();
        let method = fields.get("scoringMethod").and_then(|node| decode::named(node, METHODS, problems));
        let latency = fields.get("maxLatencyMs").and_then(|node| decode::whole(node, 1..=MAX_MS, problems));
        let metadata = fields.decoded("metadata", decode::any_object, problems);
        let id = id?;
        Some(BenchmarkHead {
            name: name.filter(|name| !name.trim().is_empty()).unwrap_or_else(|| id.clone()),
            id,
            version: version.unwrap_or_default(),
            domain,
            description,
            max_latency: latency.map(Duration::from_millis),
            metadata: metadata.map(|fields| tree::map(fields.entries)).unwrap_or_default(),
            method: method.unwrap_or_default(),
        })
    }

    fn tasks(&self, node: &Node, items: &[Node], method: ScoringMethod, problems: &mut Problems) -> Vec<Task> {
        if items.is_empty() && self.form == BenchmarkForm::Tasks && !node.cut {
            problems.error(node.span, msg!("skills-load-tasks-empty"));
        }
        let folder = match &self.source {
            BenchmarkSource::File(path) => path.parent(),
            BenchmarkSource::BuiltIn => None,
        };
        let is_weighted = method == ScoringMethod::WeightedMean;
        let around = scorer::ScorerContext { default: self.default, is_weighted, folder };
        let tasks = decode_tasks::tasks(items, &around, problems);
        if !tasks.is_empty() && tasks.iter().all(|task| task.weight == Some(0.0)) {
            problems.error(node.span, msg!("skills-load-weightless"));
        }
        tasks
    }

    fn finished(self, head: BenchmarkHead, tasks: Vec<Task>) -> Benchmark {
        let max_latency = head.max_latency.unwrap_or(DEFAULT_TIMEOUT);
        Benchmark {
            hash: hash(&tasks, max_latency, head.method),
            id: head.id,
            name: head.name,
            version: head.version,
            domain: head.domain.unwrap_or_else(|| "general".to_owned()),
            description: head.description,
            scoring_method: head.method,
            max_latency,
            metadata: head.metadata,
            tasks,
            source: self.source,
        }
    }
}

/// The keys above the tasks.
#[derive(Default)]
struct BenchmarkHead {
    id: String,
    name: String,
    version: String,
    domain: Option<String>,
    description: String,
    max_latency: Option<Duration>,
    metadata: Map<String, Value>,
    method: ScoringMethod,
}

/// SHA-256 over everything that decides a score: names, descriptions and tags don't, the contents of custom scorers do.
/// Of a GAIA question's file the name counts: where the data lies on this machine is no part of the question.
fn hash(tasks: &[Task], max_latency: Duration, method: ScoringMethod) -> String {
    let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    let task = |task: &Task| {
        let mut of = json!({
            "id": &*task.id,
            "input": without_folder(task),
            "scorer": scorer::fingerprint(&task.scorer),
            "timeoutMs": task.timeout.map(millis),
        });
        if let Some(weight) = task.weight {
            of["weight"] = json!(weight);
        }
        of
    };
    let tasks: Vec<Value> = tasks.iter().map(task).collect();
    let whole = json!({"scoringMethod": method, "maxLatencyMs": millis(max_latency), "tasks": tasks});
    sha256_hex(canonical_json(&whole).as_bytes())
}

/// A task's input as it enters the hash.
fn without_folder(task: &Task) -> Value {
    let mut input = task.input.clone();
    if let (ScorerType::Gaia, Some(Value::String(file))) = (task.scorer.kind(), input.get_mut("file"))
        && let Some((_, name)) = file.rsplit_once(['/', '\\'])
    {
        *file = name.to_owned();
    }
    input
}
