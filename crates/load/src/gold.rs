//! Gold files: `<gold-dir>/<sample_id>.json`.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use eval_message::msg;
use eval_spec::gold::{Annotation, GOLD_VERSION, Gold, GoldQuestions, Settled, file_name};
use eval_spec::hash::sha256_hex;
use eval_spec::source::{Place, Span};
use eval_spec::{Context, Diagnostic, Diagnostics};

use super::decode::{self, Keys, ObjectFields};
use super::document::decode_file;
use super::problems::Problems;
use super::tree::{Node, NodeData};
use super::{Loaded, samples};

/// The most files that are read.
const MAX_FILES: usize = 100_000;
/// Errors of further files are counted, not listed.
const MAX_LISTED: usize = 100;

/// Reads a directory of gold files: all `.json` files whose names don't begin with a dot.
///
/// With `questions`, every score must answer one of them; files of samples that it doesn't know are read, and warned
/// about, since one directory may serve several test sets.
///
/// # Errors
/// Everything that is wrong with the files, by file name and then in file order.
pub fn gold(context: &Context, dir: &Path, questions: Option<&GoldQuestions>) -> Result<Loaded<Gold>, Diagnostics> {
    let dir = context.absolute(dir);
    let paths = paths(context, &dir)?;
    let mut gold = Gold { directory: context.display(&dir), path: dir, files: paths.len(), annotations: Vec::new() };
    let (mut errors, mut warnings, mut more) = (Vec::new(), Vec::new(), 0_usize);
    for path in paths {
        match path.and_then(|path| one_file(context, &path, questions)) {
            Ok(loaded) => {
                gold.annotations.extend(loaded.value);
                warnings.extend(loaded.warnings);
            }
            Err(found) if errors.len() >= MAX_LISTED => more += found.0.len(),
            Err(found) => errors.extend(found.0),
        }
    }
    if more > 0 {
        errors.push(Diagnostic::error(msg!("load-gold-more", count = more), None));
    }
    let hidden = warnings.len().saturating_sub(MAX_LISTED);
    warnings.truncate(MAX_LISTED);
    if hidden > 0 {
        warnings.push(Diagnostic::warning(msg!("load-gold-more", count = hidden), None));
    }
    if errors.is_empty() { Ok(Loaded { value: gold, warnings }) } else { Err(Diagnostics(errors)) }
}

/// The gold files of a directory, sorted; a link that leads out of it is an error in its place.
fn paths(context: &Context, dir: &Path) -> Result<Vec<Result<PathBuf, Diagnostics>>, Diagnostics> {
    let missing = |error: &std::io::Error| {
        let message = match error.kind() {
            std::io::ErrorKind::NotFound => msg!("load-gold-no-directory", path = context.display(dir)),
            std::io::ErrorKind::NotADirectory => msg!("load-not-a-directory", path = context.display(dir)),
            _ => msg!("load-file-unreadable", path = context.display(dir), detail = error.to_string()),
        };
        Diagnostics(vec![Diagnostic::error(message, None).help(msg!("load-gold-no-directory-help"))])
    };
    let real = dir.canonicalize().map_err(|error| missing(&error))?;
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).map_err(|error| missing(&error))? {
        let path = entry.map_err(|error| missing(&error))?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if name.starts_with('.') || !name.to_ascii_lowercase().ends_with(".json") {
            continue;
        }
        if found.len() == MAX_FILES {
            let message = msg!("load-gold-too-many", path = context.display(dir), limit = MAX_FILES);
            return Err(Diagnostic::error(message, None).into());
        }
        found.push(path);
    }
    found.sort();
    Ok(found.into_iter().map(|path| inside(context, &real, path)).collect())
}

/// The path, unless it is a link out of the directory.
fn inside(context: &Context, real: &Path, path: PathBuf) -> Result<PathBuf, Diagnostics> {
    let is_link = path.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink());
    if is_link && !path.canonicalize().is_ok_and(|target| target.starts_with(real)) {
        let message = msg!("load-gold-link", path = context.display(&path));
        return Err(Diagnostic::error(message, None).help(msg!("load-gold-link-help")).into());
    }
    Ok(path)
}

fn one_file(
    context: &Context,
    path: &Path,
    questions: Option<&GoldQuestions>,
) -> Result<Loaded<Vec<Annotation>>, Diagnostics> {
    decode_file(context, path, msg!("load-gold-empty"), |root, problems| {
        Some(GoldReader { path, questions, problems }.document(root))
    })
}

const FILE: [&str; 5] = ["version", "sample_id", "prompt", "criteria", "annotations"];
const ENTRY: [&str; 11] =
    ["annotator", "variant", "repeat", "outputSha256", "scores", "output", "source", "at", "note", "blind", "settled"];
const SINGLE: [&str; 15] = [
    "version",
    "sample_id",
    "prompt",
    "criteria",
    "annotator",
    "variant",
    "repeat",
    "outputSha256",
    "scores",
    "output",
    "source",
    "at",
    "note",
    "blind",
    "settled",
];
const FOREIGN: &[(&str, &str)] = &[
    ("id", "sample_id"),
    ("rater", "annotator"),
    ("reviewer", "annotator"),
    ("human", "annotator"),
    ("score", "scores"),
    ("ratings", "scores"),
    ("labels", "scores"),
    ("sha256", "outputSha256"),
    ("hash", "outputSha256"),
    ("run", "repeat"),
    ("comment", "note"),
];

struct GoldReader<'q, 'p> {
    path: &'p Path,
    questions: Option<&'q GoldQuestions>,
    problems: &'p mut Problems,
}

impl<'q> GoldReader<'q, '_> {
    fn document(mut self, root: &Node) -> Vec<Annotation> {
        let has_list = root.get("annotations").is_some();
        let known: &[&str] = if has_list { &FILE } else { &SINGLE };
        let Some(fields) = decode::object(root, Keys { known, foreign: FOREIGN }, self.problems) else {
            return Vec::new();
        };
        self.version(fields);
        fields.get("prompt").map(|node| decode::text(node, self.problems));
        fields.get("criteria").map(|node| decode::any_object(node, self.problems));
        let Some(sample_id) = self.sample_id(root, fields) else { return Vec::new() };
        let questions = self.questions_of(&sample_id, fields, root);
        let Some(list) = fields.get("annotations") else {
            return self.entry(root, fields, &sample_id, questions).into_iter().map(|(entry, _)| entry).collect();
        };
        let items = decode::list(list, "list-of-annotations", self.problems).unwrap_or_default();
        let keys = Keys { known: &ENTRY, foreign: FOREIGN };
        let mut entries = Vec::with_capacity(items.len());
        for item in items {
            if let Some(fields) = decode::object(item, keys, self.problems) {
                entries.extend(self.entry(item, fields, &sample_id, questions));
            }
        }
        self.unique(&entries);
        entries.into_iter().map(|(entry, _)| entry).collect()
    }

    fn version(&mut self, fields: ObjectFields<'_>) {
        let Some(node) = fields.get("version") else { return };
        let version = decode::whole(node, 1..=u64::MAX, self.problems);
        if version.is_some_and(|version| version != u64::from(GOLD_VERSION)) {
            self.problems.error(node.span, msg!("load-gold-version", reads = GOLD_VERSION));
        }
    }

    /// The sample's id, which the file's name must agree with.
    fn sample_id(&mut self, root: &Node, fields: ObjectFields<'_>) -> Option<String> {
        let name = self.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let stem = name.get(..name.len().saturating_sub(".json".len())).unwrap_or_default();
        let Some(node) = fields.get("sample_id") else {
            if stem.trim().is_empty() {
                self.problems.error(root.span, msg!("load-missing-key", key = "sample_id"));
                return None;
            }
            return Some(stem.to_owned());
        };
        let id = samples::sample_id(node, self.problems)?;
        let expected = file_name(&id);
        if stem != id && !name.eq_ignore_ascii_case(&expected) {
            let message = msg!("load-gold-name", id = id.as_str());
            self.problems.error_with_help(node.span, message, Some(msg!("load-gold-name-help", name = expected)));
        }
        Some(id)
    }

    /// The sample's questions; a sample that isn't known is warned about.
    fn questions_of(&mut self, id: &str, fields: ObjectFields<'_>, root: &Node) -> Option<&'q [String]> {
        let known = self.questions?;
        if let Some(questions) = known.get(id) {
            return questions.as_deref();
        }
        let span = fields.get("sample_id").map_or(root.span, |node| node.span);
        let ids: Vec<&str> = known.keys().map(String::as_str).collect();
        let help = decode::closest(id, &ids).map(|id| msg!("load-did-you-mean", suggestion = id));
        self.problems.warning(span, msg!("load-gold-sample", id = id), help);
        None
    }

    fn entry(
        &mut self,
        node: &Node,
        fields: ObjectFields<'_>,
        sample_id: &str,
        questions: Option<&[String]>,
    ) -> Option<(Annotation, Place)> {
        let annotator = fields.require("annotator", self.problems);
        let annotator = annotator.and_then(|node| decode::filled_text(node, self.problems));
        let variant = self.optional(fields, "variant", decode::filled_text);
        let repeat = self.optional(fields, "repeat", |node, problems| {
            decode::whole(node, 0..=u64::from(u32::MAX), problems).and_then(|n| u32::try_from(n).ok())
        });
        for name in ["source", "at", "note"] {
            self.optional(fields, name, decode::text);
        }
        self.optional(fields, "blind", decode::flag);
        let settled = self.optional(fields, "settled", |node, problems| {
            decode::one_of(node, &Settled::ALL.map(Settled::word), problems).and_then(Settled::named)
        });
        let source = fields.get("source").and_then(text_of);
        let output_sha256 = self.output(fields);
        let scores = fields.require("scores", self.problems);
        let (scores, open) = scores.and_then(|node| self.scores(node, questions))?;
        let annotation = Annotation {
            sample_id: sample_id.to_owned(),
            annotator: annotator?.trim().to_owned(),
            variant,
            repeat,
            output_sha256,
            scores,
            open,
            source,
            settled,
        };
        Some((annotation, self.problems.head(node.span)))
    }

    /// The value of a key that may be absent or `null`.
    fn optional<T>(
        &mut self,
        fields: ObjectFields<'_>,
        key: &str,
        read: impl Fn(&Node, &mut Problems) -> Option<T>,
    ) -> Option<T> {
        let node = fields.get(key).filter(|node| node.data != NodeData::Null)?;
        read(node, self.problems)
    }

    /// The hash of the output that was scored. Where the output is given beside it, they must agree: else the person saw
    /// another text than the one that the hash names.
    fn output(&mut self, fields: ObjectFields<'_>) -> Option<String> {
        let shown = self.optional(fields, "output", decode::text).map(|text| sha256_hex(text.as_bytes()));
        let node = fields.get("outputSha256").filter(|node| node.data != NodeData::Null);
        let Some(node) = node else { return shown };
        let written = decode::text(node, self.problems)?.to_ascii_lowercase();
        if written.len() != 64 || !written.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            self.problems.error(node.span, msg!("load-gold-hash", written = decode::short(&written)));
            return None;
        }
        if shown.is_some_and(|shown| shown != written) {
            let help = Some(msg!("load-gold-output-help"));
            self.problems.error_with_help(node.span, msg!("load-gold-output"), help);
        }
        Some(written)
    }

    fn scores(&mut self, node: &Node, questions: Option<&[String]>) -> Option<(Vec<(String, f64)>, usize)> {
        let (mut open, mut scores) = (0, Vec::new());
        let known: Option<Vec<&str>> = questions.map(|known| known.iter().map(String::as_str).collect());
        for entry in decode::any_object(node, self.problems)?.entries {
            if let Some(known) = known.as_ref().filter(|known| !known.contains(&entry.key.as_str())) {
                self.unknown_question(&entry.key, entry.key_span, known);
            }
            self.score(&entry.key, &entry.value, &mut scores, &mut open);
        }
        Some((scores, open))
    }

    fn unknown_question(&mut self, key: &str, span: Span, known: &[&str]) {
        let help = match known {
            [] => Some(msg!("load-gold-no-question")),
            known => decode::did_you_mean(decode::closest(key, known), known),
        };
        self.problems.error_with_help(span, msg!("load-gold-question", key = key), help);
    }

    /// 1–5 in steps of a half, or `null` for a question that is not scored yet.
    fn score(&mut self, key: &str, node: &Node, scores: &mut Vec<(String, f64)>, open: &mut usize) {
        if node.data == NodeData::Null {
            *open += 1;
            return;
        }
        let Some(score) = decode::number(node, 1.0..=5.0, self.problems) else { return };
        if (score * 2.0).fract() != 0.0 {
            self.problems.error(node.span, msg!("load-gold-half", written = score.to_string()));
            return;
        }
        scores.push((key.to_owned(), score));
    }

    /// One person scores one output once.
    fn unique(&mut self, entries: &[(Annotation, Place)]) {
        type What<'e> = (&'e str, Option<&'e str>, Option<&'e str>, Option<u32>);
        let mut first: HashMap<What<'_>, &Place> = HashMap::new();
        for (entry, place) in entries {
            let hash = entry.output_sha256.as_deref();
            let what = match hash {
                Some(_) => (entry.annotator.as_str(), hash, None, None),
                None => (entry.annotator.as_str(), None, entry.variant.as_deref(), entry.repeat),
            };
            match first.get(&what) {
                Some(earlier) => {
                    let message = msg!("load-gold-twice", annotator = entry.annotator.as_str());
                    let error = Diagnostic::error(message, place.clone());
                    self.problems.push(error.also((*earlier).clone(), msg!("load-first-here")));
                }
                None => drop(first.insert(what, place)),
            }
        }
    }
}

fn text_of(node: &Node) -> Option<String> {
    match &node.data {
        NodeData::Text(text) => Some(text.clone()),
        _ => None,
    }
}
