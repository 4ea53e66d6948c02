//! Runs whose agent read the artifact of another variant from the disk: what they measure is not their own variant.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::path::Path;

use eval_spec::Output;
use eval_spec::call::{ToolCall, ToolOutput};
use eval_spec::files::{below_home, home_in};
use eval_spec::record::{Executed, Record};
use eval_spec::suite::Suite;
use eval_spec::variant::{Artifact, ArtifactKind, Variant};
use serde_json::Value;

/// A shorter line says too little of where it comes from.
const TELLING_CHARS: usize = 20;
/// So many lines of an artifact in what tools returned tell that it was read; all of them, where it has fewer.
const TELLING_LINES: usize = 3;
/// In the paths of the folders of runs: one of them, with a line that tells, was read from another call's folder.
const RUNS: &str = "/omk-run-";
/// A text as it is, and without the escapes of a JSON text in a JSON text.
const FORMS: usize = 3;

/// What tells that an agent read the artifacts of a suite's variants.
#[derive(Debug)]
pub struct ForeignArtifacts {
    /// By variant: the signs of each other artifact, without what the variant's own artifact and the prompts have as well.
    of: Vec<Vec<ArtifactSigns>>,
    /// What names our home and the directory of reports: journals and reports have the texts of all artifacts.
    homes: Vec<String>,
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
    /// Those of `suite`, whose variants the report calls `labels`; journals and reports lie in `homes`.
    #[must_use]
    pub fn of(suite: &Suite, labels: &[String], homes: &[&Path]) -> ForeignArtifacts {
        let all: HashSet<&str> = suite.variants.iter().flat_map(|variant| lines(&variant.artifact)).collect();
        let mut prompts: HashSet<&str> = HashSet::new();
        for sample in suite.samples.iter().filter(|_| !all.is_empty()) {
            let prompt = sample.prompt_text();
            prompts.extend(all.iter().filter(|line| stands_in(line, &prompt)));
        }
        let signs = |reader: &Variant, (label, variant): (&String, &Variant)| {
            let (own_paths, own_lines) = (paths(&reader.artifact), lines(&reader.artifact));
            let is_own = |line: &str| own_lines.iter().any(|own| is_telling(line) && own.contains(line));
            let is_new = |line: &&str| !own_lines.contains(line) && !is_own(line) && !prompts.contains(line);
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
        let ours = ["OMK_HOME", ".oh-my-knowledge", ".omk/reports"].map(str::to_owned);
        let homes = ours.into_iter().chain(homes.iter().map(|home| home.display().to_string())).collect();
        ForeignArtifacts { of: suite.variants.iter().map(of_reader).collect(), homes }
    }

    /// Notes in a record of the variant at `variant` whose artifacts its agent read.
    pub fn mark(&self, variant: usize, record: &mut Record) {
        let Executed::Output(output) = &record.execution.result else { return };
        let others = self.of.get(variant).into_iter().flatten();
        record.artifacts_read =
            others.filter(|of| of.were_read(output, &self.homes)).map(|of| of.label.clone()).collect();
    }
}

impl ArtifactSigns {
    fn were_read(&self, output: &Output, homes: &[String]) -> bool {
        let calls = || output.trace.tool_calls().filter_map(|call| Some((call, call.output.as_ref()?)));
        // Of several commands in one call the last may have failed.
        let has_returned = |of: &ToolOutput| !of.is_error || !found(&of.text, &self.lines).is_empty();
        // Lines that tell little by themselves tell enough where reports and journals were looked into.
        let is_of_home = |(call, of): (&ToolCall, &ToolOutput)| {
            names(&call.input, &|text| homes.iter().any(|home| text.contains(home)))
                && !found(&of.text, &self.lines).is_empty()
        };
        let is_of_call = |of: &ToolOutput| of.text.contains(RUNS) && !found(&of.text, &self.telling).is_empty();
        calls().any(|(call, of)| self.is_named(&call.input) && has_returned(of))
            || calls().any(is_of_home)
            || calls().any(|(_, of)| is_of_call(of))
            || self.is_quoted(calls().map(|(_, of)| of))
    }

    /// Whether a tool's arguments name one of the files.
    fn is_named(&self, input: &Value) -> bool {
        names(input, &|text| words(text).any(|word| self.paths.iter().any(|path| is_path_of(word, path))))
    }

    /// Whether what tools returned has enough of its lines, however they got at it.
    fn is_quoted<'a>(&'a self, outputs: impl Iterator<Item = &'a ToolOutput>) -> bool {
        let needed = self.telling.len().min(TELLING_LINES);
        let all: HashSet<&str> = outputs.flat_map(|output| found(&output.text, &self.telling)).collect();
        needed > 0 && all.len() >= needed
    }
}

/// Whether one of the texts in a tool's arguments does.
fn names(input: &Value, does: &dyn Fn(&str) -> bool) -> bool {
    match input {
        Value::String(text) => does(text),
        Value::Array(all) => all.iter().any(|value| names(value, does)),
        Value::Object(all) => all.values().any(|value| names(value, does)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Those of `lines` that stand in a text: a telling one anywhere, whatever a tool put around it (a number, a file's name, the
/// sign of a difference), any other one as a line. Also as JSON writes them, once and twice: a journal's text, quoted in a trace.
fn found<'a>(text: &str, lines: &'a HashSet<String>) -> HashSet<&'a str> {
    let mut forms = vec![Cow::Borrowed(text)];
    while let Some(plain) = forms.last().and_then(|form| unescaped(form)).filter(|_| forms.len() < FORMS) {
        forms.push(Cow::Owned(plain));
    }
    let whole: HashSet<&str> = forms.iter().flat_map(|form| form.lines().flat_map(unnumbered)).collect();
    let mut all: HashSet<&str> = lines.iter().map(String::as_str).filter(|line| whole.contains(line)).collect();
    let mut by_beginning: HashMap<&[u8], Vec<&str>> = HashMap::new();
    for line in lines.iter().filter(|line| is_telling(line)) {
        by_beginning.entry(&line.as_bytes()[..TELLING_CHARS]).or_default().push(line);
    }
    // Artifacts and what tools return may both be long: each place is looked at once.
    for bytes in forms.iter().map(|form| form.as_bytes()).filter(|_| !by_beginning.is_empty()) {
        for (at, beginning) in bytes.windows(TELLING_CHARS).enumerate() {
            let begun = by_beginning.get(beginning).into_iter().flatten();
            all.extend(begun.filter(|line| bytes[at..].starts_with(line.as_bytes())));
        }
    }
    all
}

/// Whether a line stands in a text: anywhere, if it tells where it comes from.
fn stands_in(line: &str, text: &str) -> bool {
    if is_telling(line) { text.contains(line) } else { text.lines().any(|of| of.trim() == line) }
}

/// A text without the escapes of JSON; `None` where it has none.
fn unescaped(text: &str) -> Option<String> {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, escaped)) = rest.split_once('\\') {
        plain.push_str(before);
        let (c, length) = escape(escaped).unwrap_or(('\\', 0));
        plain.push(c);
        rest = &escaped[length..];
    }
    plain.push_str(rest);
    (plain != text).then_some(plain)
}

/// What follows a backslash means, and how many bytes of it do.
fn escape(text: &str) -> Option<(char, usize)> {
    let first = text.chars().next()?;
    match first {
        'n' => Some(('\n', 1)),
        't' => Some(('\t', 1)),
        'r' => Some(('\r', 1)),
        '"' | '\\' | '/' => Some((first, 1)),
        'u' => u32::from_str_radix(text.get(1..5)?, 16).ok().and_then(char::from_u32).map(|c| (c, 5)),
        _ => None,
    }
}

/// A line as a tool printed it, and without what it may have put before it: a number, the name of a file, both, a sign.
fn unnumbered(line: &str) -> impl Iterator<Item = &str> {
    let colon = after(line, ':');
    let sign = line.trim_start().trim_start_matches(['+', '-', '<', '>', '|', ' ']);
    [Some(line), Some(sign), after(line, '→'), after(line, '\t'), colon, colon.and_then(|rest| after(rest, ':'))]
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
    let is_below_home = |below: &str| home_in(Path::new(path)).is_some_and(|home| home.join(below) == Path::new(path));
    word == path
        || word.strip_suffix(path).is_some_and(|before| before.ends_with('/'))
        || below_home(word).is_some_and(is_below_home)
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
