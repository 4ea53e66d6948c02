//! Sample files.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use eval_message::msg;
use eval_spec::hash::{canonical_json, sha256_hex, short_hash};
use eval_spec::mock::Mock;
use eval_spec::sample::{Difficulty, Environment, Metadata, Provenance};
use eval_spec::source::SourceFile;
use eval_spec::types::TypeSpec;
use eval_spec::{Context, Diagnostic, Diagnostics, JudgeMode, Sample};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::alike_ids::{PlacedId, alike_ids};
use super::assertion::{self, AssertionTypes};
use super::decode::{self, Keys, ObjectFields};
use super::document::decode_text;
use super::problems::Problems;
use super::sample_keys::{ENVIRONMENT_KEYS, SAMPLE_KEYS, names};
use super::tree::{Format, Node, NodeData};
use super::{Loaded, agent_evals, file, lookalike, mock, triggers};

/// A sample file, read and checked.
#[derive(Clone, Debug)]
pub struct SampleFile {
    /// The samples, in file order.
    pub samples: Vec<Sample>,
    /// The file, absolute.
    pub path: PathBuf,
    /// The file's identity in reports.
    pub test_set: SampleSet,
    /// `(sample id, 12 hex digits)`, in file order.
    pub hashes: Vec<(String, String)>,
}

/// Which samples a run used: `meta.testSet` of the report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SampleSet {
    /// The file, as it is shown.
    pub path: String,
    /// File name + `@` + 8 hex digits over all samples; the order of the samples doesn't change it.
    pub id: String,
    /// How many samples.
    pub sample_count: usize,
}

/// Reads a sample file; `types` is the table of assertion types it may use.
///
/// # Errors
/// Everything that is wrong with the file, in file order.
pub fn samples(context: &Context, path: &Path, types: &[TypeSpec]) -> Result<Loaded<SampleFile>, Diagnostics> {
    let path = context.absolute(path);
    let format = format_of(context, &path)?;
    let source = file::read(context, &path)?;
    let base = path.parent().unwrap_or(Path::new(""));
    let Loaded { value, warnings } =
        decode_text(context, &source, format, msg!("load-samples-empty"), |root, problems| {
            Some(all_samples(root, types, base, problems))
        })?;
    Ok(Loaded { value: sample_file(value, path, &source), warnings })
}

/// The sample file to use: `explicit`, or the only `eval-samples.{json,yaml,yml}` in `dir`.
///
/// # Errors
/// There is none, or more than one.
pub fn find_samples(context: &Context, explicit: Option<&Path>, dir: &Path) -> Result<PathBuf, Diagnostics> {
    if let Some(path) = explicit {
        return Ok(context.absolute(path));
    }
    let dir = context.absolute(dir);
    let candidates = ["eval-samples.json", "eval-samples.yaml", "eval-samples.yml"];
    let present: Vec<PathBuf> = candidates.iter().map(|name| dir.join(name)).filter(|path| path.exists()).collect();
    match present.as_slice() {
        [one] => Ok(one.clone()),
        [] => Err(no_samples(context, &dir).into()),
        several => {
            let names: Vec<String> = several.iter().map(|path| format!("`{}`", context.display(path))).collect();
            let message = msg!("load-samples-several", files = names.join(", "));
            Err(Diagnostic::error(message, None).help(msg!("load-samples-several-help")).into())
        }
    }
}

fn no_samples(context: &Context, dir: &Path) -> Diagnostic {
    let agent_skills = dir.join("evals").join("evals.json");
    let help = match agent_skills.is_file() {
        true => msg!("load-samples-none-evals", path = context.display(&agent_skills)),
        false => msg!("load-samples-none-help"),
    };
    Diagnostic::error(msg!("load-samples-none", dir = context.display(dir)), None).help(help)
}

fn format_of(context: &Context, path: &Path) -> Result<Format, Diagnostics> {
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase();
    match extension.as_str() {
        "json" => Ok(Format::Json),
        "yaml" | "yml" => Ok(Format::Yaml),
        _ if path.is_dir() => Err(file::ReadProblem::Directory.diagnostic(&context.display(path)).into()),
        _ => {
            let message = msg!("load-samples-format", path = context.display(path));
            let text = file::read(context, path)?;
            let help = lookalike::other_format(&text.text).map(|(_, help)| help);
            Err(Diagnostic { help, ..Diagnostic::error(message, None) }.into())
        }
    }
}

fn sample_file(samples: Vec<Sample>, path: PathBuf, source: &Arc<SourceFile>) -> SampleFile {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let (id, hashes) = hashed(&name, &samples);
    let test_set = SampleSet { path: source.name.clone(), id, sample_count: samples.len() };
    SampleFile { samples, path, test_set, hashes }
}

impl SampleFile {
    /// The same with pages in place of URLs: what was asked is another test set when a page has changed.
    #[must_use]
    pub fn inlined(self, inline: impl Fn(Sample) -> Sample) -> SampleFile {
        let name = self.test_set.id.rsplit_once('@').map_or("", |(name, _)| name).to_owned();
        let samples: Vec<Sample> = self.samples.into_iter().map(inline).collect();
        let (id, hashes) = hashed(&name, &samples);
        SampleFile { samples, test_set: SampleSet { id, ..self.test_set }, hashes, ..self }
    }
}

/// The id of a test set, and the hash of each sample.
fn hashed(name: &str, samples: &[Sample]) -> (String, Vec<(String, String)>) {
    let contents: Vec<(String, String)> =
        samples.iter().map(|sample| (sample.id.clone(), canonical_json(&scored(sample)))).collect();
    let id = format!("{name}@{}", set_hash(&contents));
    (id, contents.into_iter().map(|(id, text)| (id, short_hash(text.as_bytes(), 12))).collect())
}

/// The fields that affect a sample's score, or how it counts. Absent fields are left out, so a new optional field changes no
/// hash.
fn scored(sample: &Sample) -> Value {
    let mut parts = Map::new();
    parts.insert("prompt".to_owned(), json!(sample.sent_prompt()));
    let mut put = |name: &str, value: Option<Value>| {
        parts.extend(value.map(|value| (name.to_owned(), value)));
    };
    put("context", sample.sent_context().map(|context| json!(context)));
    put("rubric", sample.rubric.as_ref().map(|rubric| json!(rubric)));
    let dimensions: Map<String, Value> =
        sample.dimensions.iter().map(|(name, rubric)| (name.clone(), json!(rubric))).collect();
    put("dimensions", (!dimensions.is_empty()).then_some(Value::Object(dimensions)));
    let written = |map: &Map<String, Value>| Value::Object(map.clone());
    let assertions: Vec<Value> = sample.assertions.iter().map(|a| written(&a.written)).collect();
    put("assertions", (!assertions.is_empty()).then_some(Value::Array(assertions)));
    let mocks: Vec<Value> = sample.mocks.iter().map(Mock::key_parts).collect();
    put("mocks", (!mocks.is_empty()).then_some(Value::Array(mocks)));
    put("mocksStrict", sample.mocks_strict.then_some(Value::Bool(true)));
    put("judge", sample.judge.map(|mode| json!(mode)));
    put("trigger", sample.trigger.as_ref().map(|trigger| json!(trigger)));
    put("environment", sample.environment.as_ref().map(|environment| json!(environment)));
    put("tripwire", sample.tripwire.then_some(Value::Bool(true)));
    put("cluster", sample.metadata.cluster.as_ref().map(|cluster| json!(cluster)));
    let capability = &sample.metadata.capability;
    put("capability", (!capability.is_empty()).then(|| json!(capability)));
    Value::Object(parts)
}

fn set_hash(contents: &[(String, String)]) -> String {
    let mut lines: Vec<String> =
        contents.iter().map(|(id, text)| format!("{}\0{}\n", id, sha256_hex(text.as_bytes()))).collect();
    lines.sort_unstable();
    short_hash(lines.concat().as_bytes(), 8)
}

fn all_samples(root: &Node, types: &[TypeSpec], base: &Path, problems: &mut Problems) -> Vec<Sample> {
    if let Some(queries) = triggers::queries(root) {
        let samples = triggers::samples(queries, base, problems);
        return unique(samples, problems);
    }
    if agent_evals::list(root).is_some() {
        let samples = agent_evals::evals(root, base, problems);
        return unique(samples, problems);
    }
    let Some(nodes) = sample_nodes(root, problems) else { return Vec::new() };
    if nodes.is_empty() && !root.cut {
        problems.error(root.span, msg!("load-samples-empty"));
    }
    let mut reader = SampleReader { base, checker: AssertionTypes::new(types, base), problems };
    let samples = nodes.iter().filter_map(|node| reader.sample(node)).collect();
    unique(samples, problems)
}

fn sample_nodes<'n>(root: &'n Node, problems: &mut Problems) -> Option<&'n [Node]> {
    match &root.data {
        NodeData::List(items) => Some(items),
        NodeData::Object(_) => {
            let keys = Keys { known: &["samples"], foreign: &[("tests", "samples"), ("cases", "samples")] };
            let fields = decode::object(root, keys, problems)?;
            decode::list(fields.require("samples", problems)?, "list-of-samples", problems)
        }
        NodeData::Null => {
            problems.error(root.span, msg!("load-samples-empty"));
            None
        }
        _ => decode::unexpected(root, "list-of-samples", problems),
    }
}

/// Reports ids that come twice.
fn unique(samples: Vec<Sample>, problems: &mut Problems) -> Vec<Sample> {
    let mut first: HashMap<&str, &Sample> = HashMap::with_capacity(samples.len());
    for sample in &samples {
        let Some(place) = &sample.place else { continue };
        match first.get(sample.id.as_str()).and_then(|earlier| earlier.place.clone()) {
            Some(earlier) => {
                let message = msg!("load-duplicate-sample", id = sample.id.as_str());
                problems.push(Diagnostic::error(message, place.clone()).also(earlier, msg!("load-first-here")));
            }
            None => drop(first.insert(&sample.id, sample)),
        }
    }
    let ids = samples.iter().filter(|of| !of.id.is_empty());
    let ids = ids.map(|of| PlacedId { id: &of.id, place: of.place.as_ref() });
    alike_ids(ids).into_iter().for_each(|found| problems.push(found));
    samples
}

const KEYS: Keys<'static> = Keys {
    known: &names::<{ SAMPLE_KEYS.len() }>(SAMPLE_KEYS),
    foreign: &[
        ("id", "sample_id"),
        ("name", "sample_id"),
        ("input", "prompt"),
        ("question", "prompt"),
        ("assert", "assertions"),
        ("expectations", "assertions"),
        ("criteria", "rubric"),
        ("env", "environment"),
    ],
};

struct SampleReader<'a> {
    base: &'a Path,
    checker: AssertionTypes<'a>,
    problems: &'a mut Problems,
}

impl SampleReader<'_> {
    /// The sample at `node`. Fields that are wrong are reported and left out; without an id there
    /// is no sample, so that ids can still be compared when something else is wrong.
    fn sample(&mut self, node: &Node) -> Option<Sample> {
        let fields = decode::object(node, KEYS, self.problems)?;
        let id_node = fields.require("sample_id", self.problems);
        let id = id_node.and_then(|node| sample_id(node, self.problems));
        let prompt = fields.require("prompt", self.problems).and_then(|n| decode::filled_text(n, self.problems));
        let mocks = fields.get("mocks").map(|node| mock::mocks(node, self.base, self.problems)).unwrap_or_default();
        let (mocks, mock_places) = mocks.into_iter().unzip();
        let sample = Sample {
            id: id.clone().unwrap_or_default(),
            prompt: prompt.unwrap_or_default(),
            context: self.context(fields),
            keeps_urls: fields.decoded("urlFetch", decode::flag, self.problems) == Some(false),
            is_plain: fields.decoded("agentMarkup", decode::flag, self.problems) == Some(false),
            inlined: None,
            compared: None,
            prompt_place: fields.get("prompt").map(|node| self.problems.place(node.span)),
            context_place: fields.get("context").map(|node| self.problems.place(node.span)),
            cwd: fields.get("cwd").and_then(|node| decode::directory(node, self.base, self.problems)),
            rubric: fields.decoded("rubric", decode::filled_text, self.problems),
            dimensions: fields.get("dimensions").map(|node| self.dimensions(node)).unwrap_or_default(),
            assertions: self.assertions(fields),
            metadata: self.metadata(fields),
            mocks,
            mock_places,
            mocks_strict: self.flag(fields, "mocksStrict"),
            tripwire: self.flag(fields, "tripwire"),
            judge: fields.decoded("judge", judge_mode, self.problems),
            environment: fields.get("environment").and_then(|node| self.environment(node)),
            eval: None,
            trigger: None,
            place: id_node.map(|node| self.problems.head(node.span)),
        };
        self.review(node, fields);
        id.map(|_| sample)
    }

    fn context(&mut self, fields: ObjectFields<'_>) -> Option<String> {
        let node = fields.get("context")?;
        let context = decode::text(node, self.problems)?;
        if context.is_empty() {
            self.problems.warning(node.span, msg!("load-empty-context"), None);
            return None;
        }
        Some(context)
    }

    fn dimensions(&mut self, node: &Node) -> Vec<(String, String)> {
        let Some(fields) = decode::any_object(node, self.problems) else { return Vec::new() };
        if fields.entries.is_empty() && !node.cut {
            self.problems.error(node.span, msg!("load-dimensions-empty"));
        }
        let mut dimensions = Vec::new();
        for entry in fields.entries {
            if entry.key.trim().is_empty() {
                self.problems.error(entry.key_span, msg!("load-dimension-unnamed"));
            }
            let rubric = decode::filled_text(&entry.value, self.problems);
            dimensions.extend(rubric.map(|rubric| (entry.key.clone(), rubric)));
        }
        dimensions
    }

    fn assertions(&mut self, fields: ObjectFields<'_>) -> Vec<eval_spec::Assertion> {
        let Some(node) = fields.get("assertions") else { return Vec::new() };
        let Some(items) = decode::list(node, "list-of-assertions", self.problems) else { return Vec::new() };
        assertion::all(items, &self.checker, self.problems)
    }

    fn metadata(&mut self, fields: ObjectFields<'_>) -> Metadata {
        const LEVELS: &[(&str, Difficulty)] =
            &[("easy", Difficulty::Easy), ("medium", Difficulty::Medium), ("hard", Difficulty::Hard)];
        const SOURCES: &[(&str, Provenance)] = &[
            ("human", Provenance::Human),
            ("llm-generated", Provenance::LlmGenerated),
            ("production-trace", Provenance::ProductionTrace),
        ];
        Metadata {
            capability: fields.decoded("capability", decode::texts, self.problems).unwrap_or_default(),
            cluster: fields.decoded("cluster", decode::filled_text, self.problems),
            difficulty: fields.get("difficulty").and_then(|node| decode::named(node, LEVELS, self.problems)),
            construct: fields.decoded("construct", decode::filled_text, self.problems),
            provenance: fields.get("provenance").and_then(|node| decode::named(node, SOURCES, self.problems)),
        }
    }

    fn flag(&mut self, fields: ObjectFields<'_>, key: &str) -> bool {
        fields.get(key).and_then(|node| decode::flag(node, self.problems)).unwrap_or(false)
    }

    fn environment(&mut self, node: &Node) -> Option<Environment> {
        const NAMES: [&str; ENVIRONMENT_KEYS.len()] = names(ENVIRONMENT_KEYS);
        let fields = decode::object(node, Keys::new(&NAMES), self.problems)?;
        let mut texts = |key| fields.get(key).and_then(|node| decode::texts(node, self.problems)).unwrap_or_default();
        let (cli_available, files_available) = (texts("cli_available"), texts("files_available"));
        let notes = fields.decoded("notes", decode::filled_text, self.problems);
        Some(Environment { cli_available, files_available, notes })
    }

    /// Warns about what is allowed but probably a mistake.
    fn review(&mut self, node: &Node, fields: ObjectFields<'_>) {
        let has = |key| fields.get(key).is_some();
        let no_assertions =
            fields.get("assertions").is_none_or(|n| matches!(&n.data, NodeData::List(l) if l.is_empty()));
        if no_assertions && !has("rubric") && !has("dimensions") && !node.cut {
            let help = Some(msg!("load-nothing-scored-help"));
            self.problems.warning(node.span, msg!("load-nothing-scored"), help);
        }
        if let (Some(rubric), true) = (fields.get("rubric"), has("dimensions")) {
            self.problems.warning(rubric.span, msg!("load-rubric-unused"), None);
        }
    }
}

fn judge_mode(node: &Node, problems: &mut Problems) -> Option<JudgeMode> {
    decode::one_of(node, JudgeMode::WORDS, problems).and_then(JudgeMode::named)
}

/// An id that prints on one line and compares as it looks.
pub(super) fn sample_id(node: &Node, problems: &mut Problems) -> Option<String> {
    const MAX_CHARS: usize = 200;
    let id = decode::filled_text(node, problems)?;
    if id.trim() != id || id.chars().any(char::is_control) {
        problems.error(node.span, msg!("load-sample-id-space", id = decode::short(&id)));
        return None;
    }
    if id.chars().count() > MAX_CHARS {
        problems.error(node.span, msg!("load-sample-id-long", limit = MAX_CHARS));
        return None;
    }
    Some(id)
}
