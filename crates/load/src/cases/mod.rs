//! Cases in the formats of other tools → the files of a project of ours: samples, artifacts, settings.
//!
//! Nothing is executed, and no file outside of the imported one's folder and the working directory is read: a
//! configuration that somebody else wrote can't copy a private file into samples. What has no equal among our assertions
//! is counted and named with the nearest of ours; it is never dropped in silence, and never replaced by something that
//! means less.

mod agent_skills;
mod plugin_eval;
mod project;
mod promptfoo;
mod reader;
mod rows;
mod table;
mod tasks;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use super::problems::Problems;
use super::tree::{self, Format, Node};
use super::{Loaded, file};
use eval_message::msg;
use eval_spec::source::{SourceFile, Span};
use eval_spec::{Context, Diagnostic, Diagnostics};

pub use self::reader::{
    CarriedChecks, CarriedTests, CheckProbe, ImportDifference, ImportedCases, ProjectFile, RowColumns,
};
use self::reader::{CaseReader, CaseSource};

/// A format of cases: one file with a reader, one line here.
pub struct CaseFormat {
    /// The name of `--format`.
    pub name: &'static str,
    /// Whether a file looks like it.
    detect: fn(&CaseSource) -> bool,
    read: fn(&mut CaseReader, &CaseSource, &RowColumns),
    /// Whether its cases have inputs that a callable skill can be given.
    pub is_for_skills: bool,
}

/// The formats, in the order in which they are tried.
pub static CASE_FORMATS: &[CaseFormat] = &[
    CaseFormat { name: "promptfoo", detect: promptfoo::detect, read: promptfoo::read, is_for_skills: true },
    CaseFormat { name: "agent-skills", detect: agent_skills::detect, read: agent_skills::read, is_for_skills: false },
    CaseFormat { name: "plugin-eval", detect: plugin_eval::detect, read: plugin_eval::read, is_for_skills: false },
    CaseFormat { name: "rows", detect: rows::detect, read: rows::read, is_for_skills: true },
];

/// Reads the cases in the file at `path`, in the format of that name or in the one that it looks like.
///
/// # Errors
/// The file can't be read, is of no format known, has no test that could be carried over, or what is in it is not as
/// its format says.
pub fn import_cases(
    context: &Context,
    path: &Path,
    format: Option<&str>,
    columns: &RowColumns,
    probe: CheckProbe<'_>,
) -> Result<Loaded<ImportedCases>, Diagnostics> {
    read(context, path, CaseImport { format, columns, probe, is_for_skills: false }, project::imported)
}

/// Reads them as a benchmark for callable skills; its id is `id`, or made of the file's name.
///
/// # Errors
/// As of [`import_cases`]; the cases are for agents alone; or what [`benchmark_file`](super::benchmark_file) would
/// refuse in the benchmark.
pub fn import_benchmark(
    context: &Context,
    path: &Path,
    format: Option<&str>,
    columns: &RowColumns,
    id: Option<&str>,
    probe: CheckProbe<'_>,
) -> Result<Loaded<ImportedCases>, Diagnostics> {
    let asked = CaseImport { format, columns, probe, is_for_skills: true };
    let imported = read(context, path, asked, |reader, format, name| {
        let own = tasks::benchmark_id(name);
        tasks::imported(reader, format, name, id.unwrap_or(&own))
    })?;
    for file in &imported.value.files {
        super::benchmark::check_text(context, &file.name, file.text.clone())?;
    }
    Ok(imported)
}

/// How cases are to be read.
struct CaseImport<'a> {
    format: Option<&'a str>,
    columns: &'a RowColumns,
    probe: CheckProbe<'a>,
    is_for_skills: bool,
}

fn read(
    context: &Context,
    path: &Path,
    asked: CaseImport<'_>,
    finish: impl FnOnce(CaseReader, &'static str, &str) -> ImportedCases,
) -> Result<Loaded<ImportedCases>, Diagnostics> {
    let path = context.absolute(path);
    let evals = plugin_eval::evals_file(&path).filter(|_| asked.format.is_none_or(|name| name != "plugin-eval"));
    let path = evals.unwrap_or(path);
    let is_folder = path.is_dir();
    if is_parquet(&path) {
        let message = msg!("import-parquet", path = context.display(&path));
        let help = msg!("import-parquet-help", path = quoted(&context.display(&path)), to = quoted(&lines_name(&path)));
        return Err(Diagnostic::error(message, None).help(help).into());
    }
    // A folder has no text of its own; what is in it is read by its format.
    let source = match is_folder {
        true => Arc::new(SourceFile { name: context.display(&path), text: String::new() }),
        false => file::read(context, &path)?,
    };
    let mut problems = Problems::new(context, &source);
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let root = tree_of(&name, &source.text, &mut problems);
    let cases = CaseSource { name, text: source.text.clone(), root, is_folder };
    // A list is rows to a callable skill, whatever agents would make of it.
    let is_for_others = |of: &CaseFormat| asked.is_for_skills && !of.is_for_skills && rows::detect(&cases);
    let is_detected = |of: &CaseFormat| (of.detect)(&cases) && !is_for_others(of);
    let is_chosen = |of: &&CaseFormat| asked.format.map_or_else(|| is_detected(of), |name| of.name == name);
    let Some(chosen) = CASE_FORMATS.iter().find(is_chosen) else {
        if !problems.has_errors() {
            problems.error_with_help(Span::default(), msg!("import-unknown"), Some(msg!("import-unknown-help")));
        }
        return Err(problems.finish(()).err().unwrap_or_default());
    };
    if asked.is_for_skills && !chosen.is_for_skills {
        let message = msg!("import-task-agents", format = chosen.name);
        problems.error_with_help(Span::default(), message, Some(msg!("import-task-agents-help")));
        return Err(problems.finish(()).err().unwrap_or_default());
    }
    let mut reader = CaseReader {
        context,
        folder: if is_folder { &path } else { path.parent().unwrap_or(Path::new("/")) },
        problems: &mut problems,
        cases: Vec::new(),
        artifacts: Vec::new(),
        has_bare_prompt: false,
        parses_answers: false,
        model: None,
        functions: BTreeMap::new(),
        probe: asked.probe,
        is_for_skills: asked.is_for_skills,
        tests_left: 0,
        checks: CarriedChecks::default(),
        differences: Vec::new(),
    };
    (chosen.read)(&mut reader, &cases, asked.columns);
    let imported = finish(reader, chosen.name, &cases.name);
    if imported.tests.whole + imported.tests.partly == 0 && !problems.has_errors() {
        let lacking = || imported.differences.iter().filter(|of| !of.is_near);
        // A key that has no equal is seldom why a test is none, and a provider never.
        let others = [msg!("import-key-unused"), msg!("import-provider-unknown")];
        let help = lacking().find(|of| !others.contains(&of.why)).or_else(|| lacking().next()).map(|of| of.why.clone());
        problems.error_with_help(Span::default(), msg!("import-nothing"), help);
    }
    problems.finish(imported)
}

/// Whether a file is Parquet, by how it begins; no other file of cases begins so.
fn is_parquet(path: &Path) -> bool {
    let beginning = file::read_beginning::<4>(path);
    beginning.is_some_and(|bytes| bytes.eq(b"PAR1") || bytes.eq(b"PARE"))
}

/// The name of JSON lines beside a file.
fn lines_name(path: &Path) -> String {
    path.with_extension("jsonl").file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// A word of a shell.
fn quoted(word: &str) -> String {
    let is_plain = |of: char| of.is_ascii_alphanumeric() || "-_./".contains(of);
    match word.chars().all(is_plain) && !word.starts_with('-') {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// JSON and YAML as a tree; JSON lines and CSV are read by their format.
fn tree_of(name: &str, text: &str, problems: &mut Problems) -> Option<Node> {
    let name = name.to_lowercase();
    let ends = |ending: &str| name.ends_with(ending);
    if ends(".json") {
        tree::parse(Format::Json, text, 0, problems)
    } else if ends(".yaml") || ends(".yml") {
        tree::parse(Format::ForeignYaml, text, 0, problems)
    } else {
        None
    }
}
