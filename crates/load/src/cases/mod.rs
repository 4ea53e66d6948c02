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

use std::path::Path;
use std::sync::Arc;

use super::problems::Problems;
use super::tree::{self, Format, Node};
use super::{Loaded, file};
use eval_message::msg;
use eval_spec::source::{SourceFile, Span};
use eval_spec::{Context, Diagnostics};

pub use self::reader::{CarriedChecks, CarriedTests, ImportDifference, ImportedCases, ProjectFile, RowColumns};
use self::reader::{CaseReader, CaseSource};

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
