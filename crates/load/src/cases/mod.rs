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
mod rows;

use std::path::Path;
use std::sync::Arc;

use eval_message::{Message, msg};
use eval_spec::source::{SourceFile, Span};
use eval_spec::{Context, Diagnostics};
use serde::Serialize;
use serde_json::Value;

use super::problems::Problems;
use super::tree::{self, Format, Node, NodeData};
use super::{Loaded, file};

pub use self::rows::RowColumns;

/// A format of cases: one file with a reader, one line here.
pub struct CaseFormat {
    /// The name of `--format`.
    pub name: &'static str,
    /// Whether a file looks like it.
    detect: fn(&CaseSource) -> bool,
    read: fn(&mut CaseReader, &CaseSource, &RowColumns),
}

/// The formats, in the order in which they are tried.
pub static CASE_FORMATS: &[CaseFormat] = &[
    CaseFormat { name: "promptfoo", detect: promptfoo::detect, read: promptfoo::read },
    CaseFormat { name: "agent-skills", detect: agent_skills::detect, read: agent_skills::read },
    CaseFormat { name: "plugin-eval", detect: plugin_eval::detect, read: plugin_eval::read },
    CaseFormat { name: "rows", detect: rows::detect, read: rows::read },
];

/// The files of a project, and what became of each test.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ImportedCases {
    /// The format that was read.
    pub format: &'static str,
    /// The files to write, by their names within the project.
    #[serde(skip)]
    pub files: Vec<ProjectFile>,
    /// The tests of the file.
    pub tests: CarriedTests,
    /// The checks of all tests; one that is shared by several counts in each.
    pub checks: CarriedChecks,
    /// What was not carried over, or not in the same meaning, by kind.
    pub differences: Vec<ImportDifference>,
}

/// A file to write.
#[derive(Debug)]
pub struct ProjectFile {
    /// Its path within the project, with `/`.
    pub name: String,
    /// Its content.
    pub text: String,
}

/// How many tests were carried over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CarriedTests {
    /// Samples whose prompt and every check were carried over.
    pub whole: usize,
    /// Samples that lack at least one check.
    pub partly: usize,
    /// Tests that became no sample.
    pub not: usize,
}

/// How many checks were carried over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CarriedChecks {
    /// In the same meaning.
    pub same: usize,
    /// In nearly the same meaning; the differences say how it differs.
    pub nearly: usize,
    /// Not at all.
    pub not: usize,
}

/// Something that was not carried over, or not in the same meaning.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ImportDifference {
    /// What, in the words of its format: an assertion type, a key, a file.
    pub what: String,
    /// Whether something stands in its place all the same.
    pub is_near: bool,
    /// What differs, or what to write instead.
    #[serde(serialize_with = "as_text")]
    pub why: Message,
    /// How often.
    pub count: usize,
    /// The first place, as `file:line`.
    pub place: String,
}

fn as_text<S: serde::Serializer>(message: &Message, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&message.to_string())
}

/// A file of cases, read.
struct CaseSource {
    name: String,
    text: String,
    /// Its tree, where it is JSON or YAML.
    root: Option<Node>,
    is_folder: bool,
}

impl CaseSource {
    fn has(&self, key: &str) -> bool {
        self.root.as_ref().is_some_and(|root| root.get(key).is_some())
    }

    fn is_list(&self) -> bool {
        matches!(&self.root, Some(Node { data: NodeData::List(_), .. }))
    }

    fn ends_in(&self, endings: &[&str]) -> bool {
        let name = self.name.to_lowercase();
        endings.iter().any(|ending| name.ends_with(ending))
    }
}

/// What a reader gathers.
struct CaseReader<'a> {
    context: &'a Context,
    /// The folder of the imported file.
    folder: &'a Path,
    problems: &'a mut Problems,
    cases: Vec<Case>,
    /// Texts to compare, with their names; none where the cases bring none.
    artifacts: Vec<(String, String)>,
    /// The model that the configuration names first, as an executor and a model of ours.
    model: Option<(&'static str, String)>,
    /// Functions of the checks.
    functions: Vec<String>,
    tests_left: usize,
    checks: CarriedChecks,
    differences: Vec<ImportDifference>,
}

/// A test that becomes a sample.
#[derive(Default)]
struct Case {
    id: Option<String>,
    prompt: String,
    context: Option<String>,
    assertions: Vec<Value>,
    /// What a judge scores.
    criteria: Vec<String>,
    capability: Vec<String>,
    /// Whether a check is missing.
    is_partial: bool,
}

impl CaseReader<'_> {
    /// Notes what was not carried over in the same meaning; the same of another place is counted.
    fn differs(&mut self, what: impl Into<String>, is_near: bool, why: Message, span: Span) {
        let place = self.problems.place(span);
        let place = format!("{}:{}", place.file.name, place.line_column().0);
        self.note(what.into(), is_near, why, place);
    }

    fn note(&mut self, what: String, is_near: bool, why: Message, place: String) {
        match self.differences.iter_mut().find(|of| of.what.eq(&what) && of.why == why) {
            Some(of) => of.count += 1,
            None => self.differences.push(ImportDifference { what, is_near, why, count: 1, place }),
        }
    }

    /// The same in a file of its own.
    fn differs_in(&mut self, what: impl Into<String>, is_near: bool, why: Message, file: &Path) {
        let place = self.problems.shown(file);
        self.note(what.into(), is_near, why, place);
    }

    /// Notes something that was not carried over.
    fn lacks(&mut self, what: impl Into<String>, why: Message, span: Span) {
        self.differs(what, false, why, span);
    }

    /// Reads a file that the imported one names, if it lies in its folder or in the working directory.
    fn beside(&self, written: &str) -> Result<String, Message> {
        let path = self.folder.join(written.strip_prefix("file://").unwrap_or(written));
        let unreadable = |detail: &str| msg!("import-file-unreadable", path = written, detail = detail);
        let real = path.canonicalize().map_err(|error| unreadable(&error.to_string()))?;
        let within = |folder: &Path| folder.canonicalize().is_ok_and(|folder| real.starts_with(folder));
        if !within(self.folder) && !within(&self.context.absolute(Path::new("."))) {
            return Err(msg!("import-file-outside", path = written));
        }
        let source = file::read(self.context, &real);
        source.map(|source| source.text.clone()).map_err(|Diagnostics(found)| {
            found.into_iter().next().map_or_else(|| unreadable(""), |diagnostic| diagnostic.message)
        })
    }
}

/// A number as people write it: whole ones without a point.
fn number(value: f64) -> Value {
    match value.fract() == 0.0 && value.abs() < 1e15 {
        #[expect(clippy::cast_possible_truncation, reason = "whole, and far from the bounds")]
        true => Value::from(value as i64),
        false => Value::from(value),
    }
}

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
) -> Result<Loaded<ImportedCases>, Diagnostics> {
    let path = context.absolute(path);
    let is_folder = path.is_dir();
    // A folder has no text of its own; what is in it is read by its format.
    let source = match is_folder {
        true => Arc::new(SourceFile { name: context.display(&path), text: String::new() }),
        false => file::read(context, &path)?,
    };
    let mut problems = Problems::new(context, &source);
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let root = tree_of(&name, &source.text, &mut problems);
    let cases = CaseSource { name, text: source.text.clone(), root, is_folder };
    let chosen = CASE_FORMATS.iter().find(|of| format.map_or_else(|| (of.detect)(&cases), |name| of.name == name));
    let Some(chosen) = chosen else {
        if !problems.has_errors() {
            problems.error_with_help(Span::default(), msg!("import-unknown"), Some(msg!("import-unknown-help")));
        }
        return Err(problems.finish(()).err().unwrap_or_default());
    };
    let mut reader = CaseReader {
        context,
        folder: if is_folder { &path } else { path.parent().unwrap_or(Path::new("/")) },
        problems: &mut problems,
        cases: Vec::new(),
        artifacts: Vec::new(),
        model: None,
        functions: Vec::new(),
        tests_left: 0,
        checks: CarriedChecks::default(),
        differences: Vec::new(),
    };
    (chosen.read)(&mut reader, &cases, columns);
    let imported = project::imported(reader, chosen.name, &cases.name);
    if imported.tests.whole + imported.tests.partly == 0 && !problems.has_errors() {
        let help = imported.differences.iter().find(|of| !of.is_near).map(|of| of.why.clone());
        problems.error_with_help(Span::default(), msg!("import-nothing"), help);
    }
    problems.finish(imported)
}

/// JSON and YAML as a tree; JSON lines and CSV are read by their format.
fn tree_of(name: &str, text: &str, problems: &mut Problems) -> Option<Node> {
    let name = name.to_lowercase();
    let ends = |ending: &str| name.ends_with(ending);
    if ends(".json") {
        tree::parse(Format::Json, text, 0, problems)
    } else if ends(".yaml") || ends(".yml") {
        tree::parse(Format::Yaml, text, 0, problems)
    } else {
        None
    }
}
