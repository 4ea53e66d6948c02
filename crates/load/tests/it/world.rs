//! A working directory of its own for each test, a small table of assertion types, and diagnostics
//! as text.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use eval_load as load;
use eval_load::{Loaded, SampleFile};
use eval_message::{Lang, key, msg};
use eval_spec::context::Clock;
use eval_spec::source::{DiagnosticSeverity, Place};
use eval_spec::suite::Written;
use eval_spec::types::{FieldProblem, FieldShape, FieldSpec, TypeSpec};
use eval_spec::{Assertion, Context, Diagnostic, Diagnostics, Layer};

/// A fresh working directory.
pub(crate) struct World {
    // Kept for its drop.
    _dir: tempfile::TempDir,
    pub(crate) context: Context,
}

impl World {
    pub(crate) fn new() -> World {
        let dir = tempfile::tempdir().unwrap();
        // What git needs to be found, and nothing of the user's.
        let env: BTreeMap<String, String> = [
            ("PATH", std::env::var("PATH").unwrap_or_default().as_str()),
            ("GIT_CONFIG_GLOBAL", "/dev/null"),
            ("GIT_CONFIG_NOSYSTEM", "1"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into();
        let cwd = dir.path().canonicalize().unwrap();
        let context = Context {
            home: cwd.join("home"),
            cwd,
            env,
            lang: Lang::En,
            stdout_is_terminal: false,
            stderr_is_terminal: false,
            outputs: Vec::new(),
            clock: Clock::System,
            in_inputs: std::collections::BTreeSet::new(),
        };
        World { _dir: dir, context }
    }

    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.context.cwd.join(relative)
    }

    pub(crate) fn write(&self, relative: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(relative);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        path
    }

    pub(crate) fn samples(&self, name: &str, content: impl AsRef<[u8]>) -> Result<Loaded<SampleFile>, Diagnostics> {
        let path = self.write(name, content);
        load::samples(&self.context, &path, TYPES)
    }

    pub(crate) fn settings(&self, content: impl AsRef<[u8]>) -> Result<Loaded<Written>, Diagnostics> {
        let path = self.write("eval.yaml", content);
        load::eval_file(&self.context, &path)
    }
}

/// A table as the grading crate would hand it in.
pub(crate) const TYPES: &[TypeSpec] = &[
    spec("contains", &[field("value", FieldShape::TextLike, true)]),
    spec("contains_all", &[field("values", FieldShape::Texts, true)]),
    TypeSpec {
        validate: valid_regex,
        ..spec("regex", &[field("pattern", FieldShape::NonEmptyText, true), field("flags", FieldShape::Text, false)])
    },
    spec("min_length", &[field("value", FieldShape::WholeNumber(0), true)]),
    spec("latency_max", &[field("value", FieldShape::Number(0.0, f64::INFINITY), true)]),
    spec("custom", &[field("fn", FieldShape::NonEmptyText, true), field("value", FieldShape::Any, false)]),
    spec("cost_max", &[field("value", FieldShape::Number(0.0, f64::INFINITY), true)]),
    spec(
        "rouge_n_min",
        &[
            field("reference", FieldShape::NonEmptyText, true),
            field("threshold", FieldShape::Number(0.0, 1.0), false),
            field("n", FieldShape::WholeNumber(1), false),
        ],
    ),
    spec("json_valid", &[field("extract", FieldShape::OneOf(&["fenced"]), false)]),
    spec("json_schema", &[field("schema", FieldShape::Schema, true)]),
    spec(
        "tool_input_contains",
        &[field("tool", FieldShape::NonEmptyText, true), field("input", FieldShape::Any, false)],
    ),
    spec(
        "assert-set",
        &[field("mode", FieldShape::OneOf(&["any", "all"]), true), field("children", FieldShape::Assertions, true)],
    ),
];

const fn spec(name: &'static str, fields: &'static [FieldSpec]) -> TypeSpec {
    TypeSpec { name, layer: Layer::Fact, summary: key!("grade-type-contains"), fields, judged: false, validate: always }
}

const fn field(name: &'static str, shape: FieldShape, required: bool) -> FieldSpec {
    FieldSpec { name, shape, required }
}

fn always(_: &Assertion) -> Result<(), FieldProblem> {
    Ok(())
}

/// Stands for a compiler of patterns: an open parenthesis does not compile.
fn valid_regex(assertion: &Assertion) -> Result<(), FieldProblem> {
    let pattern = assertion.text("pattern").unwrap().replace("\\(", "").replace("\\)", "");
    match pattern.matches('(').count() == pattern.matches(')').count() {
        true => Ok(()),
        false => Err(FieldProblem { field: "pattern", message: msg!("load-json-ends"), help: None }),
    }
}

/// The errors of a failed load.
pub(crate) fn errors<T>(result: Result<T, Diagnostics>) -> Diagnostics {
    match result {
        Ok(_) => panic!("loading should have failed"),
        Err(errors) => {
            assert!(errors.has_errors(), "a failure without an error:\n{}", draw(&errors.0));
            errors
        }
    }
}

/// The first line of every diagnostic, with its position.
pub(crate) fn lines<T>(result: Result<T, Diagnostics>) -> String {
    errors(result).to_string()
}

/// Diagnostics as people see them, without colour: position, text, the line with a mark, advice.
pub(crate) fn draw(diagnostics: &[Diagnostic]) -> String {
    let mut text = String::new();
    for diagnostic in diagnostics {
        let severity = match diagnostic.severity {
            DiagnosticSeverity::Error => "error",
            DiagnosticSeverity::Warning => "warning",
        };
        writeln!(text, "{severity}: {}", diagnostic.message).unwrap();
        if let Some(place) = &diagnostic.place {
            draw_place(&mut text, place, "");
        }
        for (place, label) in &diagnostic.also {
            draw_place(&mut text, place, &label.to_string());
        }
        if let Some(help) = &diagnostic.help {
            writeln!(text, "  help: {help}").unwrap();
        }
    }
    text
}

fn draw_place(text: &mut String, place: &Place, label: &str) {
    let (line, column) = place.line_column();
    let name = Path::new(&place.file.name).file_name().unwrap().to_string_lossy();
    writeln!(text, "  {name}:{line}:{column}").unwrap();
    let shown = place.file.text.lines().nth(line - 1).unwrap_or("");
    let end = (place.span.start + place.span.len).min(place.file.text.len());
    let width = place.file.text.get(place.span.start..end).unwrap().chars().count().max(1);
    let mark = format!("{}{} {label}", " ".repeat(column - 1), "^".repeat(width));
    writeln!(text, "    | {shown}\n    | {}", mark.trim_end()).unwrap();
}
