//! Runs whose agent read the artifact of another variant from the disk: what they measure is not their own variant.

use std::collections::HashSet;

use eval_spec::Output;
use eval_spec::call::ToolOutput;
use eval_spec::record::{Executed, Record};
use eval_spec::suite::Suite;
use eval_spec::variant::{Artifact, ArtifactKind, Variant};
use serde_json::Value;

/// A shorter line says too little of where it comes from.
const TELLING_CHARS: usize = 20;
/// So many lines of an artifact in what tools returned tell that it was read; all of them, where it has fewer.
const TELLING_LINES: usize = 3;

/// What tells that an agent read the artifacts of a suite's variants.
#[derive(Debug)]
pub struct ForeignArtifacts {
    /// By variant: the signs of each other artifact, without what the variant's own artifact and the prompts have as well.
    of: Vec<Vec<ArtifactSigns>>,
}

#[derive(Debug)]
struct ArtifactSigns {
    /// The variant's name in the report.
    label: String,
    /// The paths of its files.
    paths: Vec<String>,
    /// Its lines.
    lines: HashSet<String>,
    /// Those of them that are long enough to tell where they come from.
    telling: HashSet<String>,
}

impl ForeignArtifacts {
    /// Those of `suite`, whose variants the report calls `labels`.
    #[must_use]
    pub fn of(suite: &Suite, labels: &[String]) -> ForeignArtifacts {
        let all: HashSet<&str> = suite.variants.iter().flat_map(|variant| lines(&variant.artifact)).collect();
        let mut prompts: HashSet<&str> = HashSet::new();
        for sample in suite.samples.iter().filter(|_| !all.is_empty()) {
            prompts.extend(sample.prompt_text().lines().filter_map(|line| all.get(line.trim())));
        }
        let signs = |reader: &Variant, (label, variant): (&String, &Variant)| {
            let (own_paths, own_lines) = (paths(&reader.artifact), lines(&reader.artifact));
            let is_new = |line: &&str| !own_lines.contains(line) && !prompts.contains(line);
            let new = || lines(&variant.artifact).into_iter().filter(is_new);
            let of = ArtifactSigns {
                label: label.clone(),
                paths: paths(&variant.artifact).into_iter().filter(|path| !own_paths.contains(path)).collect(),
                lines: new().map(str::to_owned).collect(),
                telling: new().filter(|line| is_telling(line)).map(str::to_owned).collect(),
            };
            (variant.artifact.hash() != reader.artifact.hash()).then_some(of)
        };
        let of_reader =
            |reader: &Variant| labels.iter().zip(&suite.variants).filter_map(|of| signs(reader, of)).collect();
        ForeignArtifacts { of: suite.variants.iter().map(of_reader).collect() }
    }

    /// Notes in a record of the variant at `variant` whose artifacts its agent read.
    pub fn mark(&self, variant: usize, record: &mut Record) {
        let Executed::Output(output) = &record.execution.result else { return };
        let others = self.of.get(variant).into_iter().flatten();
        record.artifacts_read = others.filter(|of| of.were_read(output)).map(|of| of.label.clone()).collect();
    }
}

impl ArtifactSigns {
    fn were_read(&self, output: &Output) -> bool {
        let calls = || output.trace.tool_calls().filter_map(|call| Some((call, call.output.as_ref()?)));
        // Of several commands in one call the last may have failed.
        let has_returned = |of: &ToolOutput| !of.is_error || found(&of.text, &self.lines).next().is_some();
        calls().any(|(call, of)| self.is_named(&call.input) && has_returned(of))
            || self.is_quoted(calls().map(|(_, of)| of))
    }

    /// Whether a tool's arguments name one of the files.
    fn is_named(&self, input: &Value) -> bool {
        match input {
            Value::String(text) => words(text).any(|word| self.paths.iter().any(|path| is_path_of(word, path))),
            Value::Array(all) => all.iter().any(|value| self.is_named(value)),
            Value::Object(all) => all.values().any(|value| self.is_named(value)),
            Value::Null | Value::Bool(_) | Value::Number(_) => false,
        }
    }

    /// Whether what tools returned has enough of its lines, however they got at it.
    fn is_quoted<'a>(&'a self, outputs: impl Iterator<Item = &'a ToolOutput>) -> bool {
        let needed = self.telling.len().min(TELLING_LINES);
        let all: HashSet<&str> = outputs.flat_map(|output| found(&output.text, &self.telling)).collect();
        needed > 0 && all.len() >= needed
    }
}

/// The lines of a text that are among `lines`.
fn found<'a>(text: &'a str, lines: &'a HashSet<String>) -> impl Iterator<Item = &'a str> {
    text.lines().filter_map(|line| unnumbered(line).find(|line| lines.contains(*line)))
}

/// A line as a tool printed it, and without what it may have put before it: a number, the name of a file, both.
fn unnumbered(line: &str) -> impl Iterator<Item = &str> {
    let colon = after(line, ':');
    [Some(line), after(line, '→'), after(line, '\t'), colon, colon.and_then(|rest| after(rest, ':'))]
        .into_iter()
        .flatten()
        .map(str::trim)
}

fn after(text: &str, separator: char) -> Option<&str> {
    text.split_once(separator).map(|(_, rest)| rest)
}

/// The parts of a text that may be paths: a shell's words, without its quotes and operators.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_whitespace() || "'\"`;|&<>()=,:[]{}".contains(c)).filter(|word| !word.is_empty())
}

fn is_path_of(word: &str, path: &str) -> bool {
    let word = word.trim_start_matches("./");
    word == path || word.strip_suffix(path).is_some_and(|before| before.ends_with('/'))
}

/// The paths of an artifact's files; none of one that lies in no folder, as in the history of a repository.
fn paths(artifact: &Artifact) -> Vec<String> {
    let root = artifact.origin.as_deref().map(|origin| origin.trim_start_matches("./").trim_end_matches('/'));
    let Some(root) = root.filter(|root| !root.is_empty() && *root != "." && !root.starts_with("git:")) else {
        return Vec::new();
    };
    match artifact.kind {
        ArtifactKind::Baseline => Vec::new(),
        ArtifactKind::File => vec![root.to_owned()],
        ArtifactKind::Directory => artifact.files.iter().map(|file| format!("{root}/{}", file.path)).collect(),
    }
}

fn lines(artifact: &Artifact) -> HashSet<&str> {
    let texts = artifact.files.iter().filter_map(|file| std::str::from_utf8(&file.bytes).ok());
    texts.flat_map(str::lines).map(str::trim).filter(|line| !line.is_empty()).collect()
}

fn is_telling(line: &str) -> bool {
    line.chars().nth(TELLING_CHARS - 1).is_some()
}
