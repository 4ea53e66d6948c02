//! What a format of cases reads into.

use std::collections::BTreeMap;
use std::path::Path;

use eval_message::{Message, msg};
use eval_spec::source::{SourceFile, Span};
use eval_spec::types::TypeSpec;
use eval_spec::{Context, Diagnostics};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::assertion::{self, AssertionTypes};
use crate::file;
use crate::problems::Problems;
use crate::tree::{self, Format, Node, NodeData};

/// What is to be known of checks that are carried over, so that a project of them is valid.
#[derive(Clone, Copy)]
pub struct CheckProbe<'a> {
    /// The assertion types.
    pub types: &'a [TypeSpec],
    /// The engine's error where a text is no body of a function in JavaScript.
    pub function: fn(&str) -> Result<(), String>,
}

/// Which columns hold what, where their names don't say so, and how an expected answer is checked.
#[derive(Clone, Debug, Default)]
pub struct RowColumns {
    /// The column of the prompt.
    pub prompt: Option<String>,
    /// The column of the expected answer.
    pub expected: Option<String>,
    /// The column of the id.
    pub id: Option<String>,
    /// The column of the context.
    pub context: Option<String>,
    /// The assertion that an expected answer becomes: `contains`, `equals`, `starts_with` or `semantic_similarity`.
    pub check: Option<String>,
    /// The columns that a callable skill is given, each with its name in the skill's input; the prompt's and the
    /// context's where there are none.
    pub inputs: Vec<(String, String)>,
}

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
    /// Samples that lack at least one check, or something else that their test says.
    pub partly: usize,
    /// Tests that became no sample.
    pub not: usize,
    /// Samples, among those that were carried over, without a check: nothing tells a good answer from a bad one.
    pub unchecked: usize,
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
pub(super) struct CaseSource {
    pub(super) name: String,
    pub(super) text: String,
    /// Its tree, where it is JSON or YAML.
    pub(super) root: Option<Node>,
    pub(super) is_folder: bool,
}

impl CaseSource {
    pub(super) fn has(&self, key: &str) -> bool {
        self.root.as_ref().is_some_and(|root| root.get(key).is_some())
    }

    pub(super) fn is_list(&self) -> bool {
        matches!(&self.root, Some(Node { data: NodeData::List(_), .. }))
    }

    pub(super) fn ends_in(&self, endings: &[&str]) -> bool {
        let name = self.name.to_lowercase();
        endings.iter().any(|ending| name.ends_with(ending))
    }
}

/// What a reader gathers.
pub(super) struct CaseReader<'a> {
    pub(super) context: &'a Context,
    /// The folder of the imported file.
    pub(super) folder: &'a Path,
    pub(super) problems: &'a mut Problems,
    pub(super) cases: Vec<Case>,
    /// Texts to compare, with their names; none where the cases bring none.
    pub(super) artifacts: Vec<(String, String)>,
    /// Whether a prompt to compare is nothing but the sample's own words: the baseline.
    pub(super) has_bare_prompt: bool,
    /// Whether an answer that is JSON is parsed before it is checked.
    pub(super) parses_answers: bool,
    /// The model that the configuration names first, as an executor and a model of ours.
    pub(super) model: Option<(&'static str, String)>,
    /// The bodies of the checks' functions, with their places in the list of all.
    pub(super) functions: BTreeMap<String, usize>,
    pub(super) probe: CheckProbe<'a>,
    /// Whether the cases become tasks for a callable skill, and not samples for a model.
    pub(super) is_for_skills: bool,
    pub(super) tests_left: usize,
    pub(super) checks: CarriedChecks,
    pub(super) differences: Vec<ImportDifference>,
}

/// A test that becomes a sample.
#[derive(Default)]
pub(super) struct Case {
    pub(super) id: Option<String>,
    pub(super) prompt: String,
    pub(super) context: Option<String>,
    /// What a callable skill is given; its prompt where this is empty.
    pub(super) input: Map<String, Value>,
    pub(super) description: Option<String>,
    pub(super) assertions: Vec<CaseCheck>,
    /// What a judge scores.
    pub(super) criteria: Vec<String>,
    pub(super) capability: Vec<String>,
    /// Whether a check is missing, or something else that its test says.
    pub(super) is_partial: bool,
    /// Where it is written, as `file:line`.
    pub(super) place: String,
}

/// An assertion of ours that a check became.
pub(super) struct CaseCheck {
    /// What it was, in the words of its format.
    pub(super) what: String,
    pub(super) written: Value,
    /// Whether it means nearly the same only.
    pub(super) is_near: bool,
}

impl CaseReader<'_> {
    /// Notes what was not carried over in the same meaning; the same of another place is counted.
    pub(super) fn differs(&mut self, what: impl Into<String>, is_near: bool, why: Message, span: Span) {
        let place = self.place(span);
        self.note(what.into(), is_near, why, place);
    }

    /// A place as `file:line`.
    pub(super) fn place(&self, span: Span) -> String {
        format!("{}:{}", self.problems.file().name, self.problems.line(span))
    }

    pub(super) fn note(&mut self, what: String, is_near: bool, why: Message, place: String) {
        match self.differences.iter_mut().find(|of| of.what.eq(&what) && of.why == why) {
            Some(of) => of.count += 1,
            None => self.differences.push(ImportDifference { what, is_near, why, count: 1, place }),
        }
    }

    /// The same in a file of its own.
    pub(super) fn differs_in(&mut self, what: impl Into<String>, is_near: bool, why: Message, file: &Path) {
        let place = self.problems.shown(file);
        self.note(what.into(), is_near, why, place);
    }

    /// Notes something that was not carried over.
    pub(super) fn lacks(&mut self, what: impl Into<String>, why: Message, span: Span) {
        self.differs(what, false, why, span);
    }

    /// Reads a file that the imported one names, if it lies in its folder or in the working directory.
    pub(super) fn beside(&self, written: &str) -> Result<String, Message> {
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

    /// Whether a file lies in the folder that is imported, and no link leads out of it.
    pub(super) fn is_inside(&self, path: &Path) -> bool {
        path.canonicalize().is_ok_and(|real| self.folder.canonicalize().is_ok_and(|folder| real.starts_with(folder)))
    }

    /// Why the loader of samples would refuse an assertion.
    pub(super) fn refusal(&self, check: &Value) -> Option<Message> {
        let text = check.to_string();
        let source = SourceFile { name: String::new(), text: text.clone() }.into();
        let mut problems = Problems::new(self.context, &source);
        // The file of the functions is not there yet; they are looked at one by one.
        let of_file = |spec: &TypeSpec| match spec.name {
            "custom" => TypeSpec { validate: |_| Ok(()), ..*spec },
            _ => *spec,
        };
        let types: Vec<TypeSpec> = self.probe.types.iter().map(of_file).collect();
        let node = tree::parse(Format::Json, &text, 0, &mut problems)?;
        assertion::all(std::slice::from_ref(&node), &AssertionTypes::new(&types, self.folder), &mut problems);
        problems.finish(()).err()?.0.into_iter().next().map(|found| found.message)
    }
}

/// A text with every sign of a pattern escaped.
pub(super) fn escaped(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len());
    for of in text.chars() {
        if r"\^$.|?*+()[]{}/".contains(of) {
            pattern.push('\\');
        }
        match of {
            '\n' => pattern.push_str("\\n"),
            other => pattern.push(other),
        }
    }
    pattern
}

/// A value whose whole numbers have no point, as JavaScript and people write them.
pub(super) fn whole(value: Value) -> Value {
    match value {
        Value::Number(of) if of.is_f64() => of.as_f64().map_or(Value::Null, number),
        Value::Array(items) => items.into_iter().map(whole).collect(),
        Value::Object(fields) => Value::Object(fields.into_iter().map(|(key, value)| (key, whole(value))).collect()),
        other => other,
    }
}

/// A number as people write it: whole ones without a point.
pub(super) fn number(value: f64) -> Value {
    match value.fract() == 0.0 && value.abs() < 1e15 {
        #[expect(clippy::cast_possible_truncation, reason = "whole, and far from the bounds")]
        true => Value::from(value as i64),
        false => Value::from(value),
    }
}
