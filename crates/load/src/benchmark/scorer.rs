//! How a task is scored: `evaluator.type`, else `expectedOutput.type`, else the default, and what each takes.

use std::path::{Path, PathBuf};

use eval_message::msg;
use eval_spec::callable::{QualityCheck, Scorer, ScorerType};
use eval_spec::hash::sha256_hex;
use eval_spec::source::Span;
use serde_json::{Value, json};

use super::super::decode::{self, Keys, ObjectFields};
use super::super::file;
use super::super::problems::Problems;
use super::super::tree::{Node, NodeData};

/// The inputs of a task's scorer besides the task.
pub(super) struct ScorerContext<'a> {
    /// The scorer of tasks that name none.
    pub(super) default: ScorerType,
    /// Whether scores are weighed by their tasks' `weight`.
    pub(super) is_weighted: bool,
    /// The folder of custom scorers; `None` for benchmarks that are compiled in.
    pub(super) folder: Option<&'a Path>,
}

const EVALUATOR: Keys<'_> = Keys {
    known: &[
        "type",
        "caseSensitive",
        "pattern",
        "patterns",
        "flags",
        "rubric",
        "judgePrompt",
        "criteria",
        "schema",
        "customScorerPath",
        "anyOrder",
        "metadata",
    ],
    foreign: FOREIGN,
};
const EXPECTED: Keys<'_> = Keys {
    known: &[
        "type",
        "value",
        "keywords",
        "schema",
        "pattern",
        "patterns",
        "flags",
        "rubric",
        "judgePrompt",
        "criteria",
        "customScorerPath",
        "caseSensitive",
        "answer",
        "calls",
        "anyOrder",
        "check",
        "description",
        "metadata",
    ],
    foreign: FOREIGN,
};
const FOREIGN: &[(&str, &str)] = &[
    ("expected", "value"),
    ("contains", "keywords"),
    ("words", "keywords"),
    ("jsonSchema", "schema"),
    ("regex", "pattern"),
    ("scorerPath", "customScorerPath"),
    ("path", "customScorerPath"),
    ("case_sensitive", "caseSensitive"),
    ("ignoreCase", "caseSensitive"),
];

/// The largest custom scorer.
const MAX_SCRIPT_BYTES: u64 = 1024 * 1024;

const CHECKS: &[(&str, QualityCheck)] = &[
    ("metadata", QualityCheck::Metadata),
    ("description", QualityCheck::Description),
    ("schemas", QualityCheck::Schemas),
    ("tests", QualityCheck::Tests),
    ("structure", QualityCheck::Structure),
];

/// The scorer of the task at `node`.
pub(super) fn read(
    node: &Node,
    fields: ObjectFields<'_>,
    around: &ScorerContext<'_>,
    problems: &mut Problems,
) -> Option<Scorer> {
    let mut part = |key, keys| match fields.get(key) {
        Some(node) => decode::object(node, keys, problems).map(Some),
        None => Some(None),
    };
    let (evaluator, expected) = (part("evaluator", EVALUATOR), part("expectedOutput", EXPECTED));
    let (evaluator, expected) = (evaluator?, expected?);
    let parts = ScorerParts {
        evaluator,
        expected,
        // Where something is missing: in what is expected, where that is written.
        place: fields.get("expectedOutput").unwrap_or(node).span,
    };
    let kind = match [evaluator, expected].into_iter().flatten().find_map(|part| part.get("type")) {
        Some(node) => decode::scorer_type(node, problems)?,
        None => around.default,
    };
    parts.scorer(kind, around, problems)
}

/// `evaluator` and `expectedOutput` of one task.
struct ScorerParts<'n> {
    evaluator: Option<ObjectFields<'n>>,
    expected: Option<ObjectFields<'n>>,
    place: Span,
}

impl<'n> ScorerParts<'n> {
    /// The expected value is in `expectedOutput`; some files have it beside the scorer's name.
    fn get(&self, key: &str) -> Option<&'n Node> {
        [self.expected, self.evaluator].into_iter().flatten().find_map(|part| part.get(key))
    }

    fn require(&self, key: &'static str, kind: ScorerType, problems: &mut Problems) -> Option<&'n Node> {
        let found = self.get(key);
        if found.is_none() {
            let message = msg!("skills-load-scorer-needs", scorer = kind.name(), key = key);
            problems.error(self.place, message);
        }
        found
    }

    fn scorer(&self, kind: ScorerType, around: &ScorerContext<'_>, problems: &mut Problems) -> Option<Scorer> {
        let case = self.case_sensitive(problems);
        Some(match kind {
            ScorerType::ExactMatch => {
                let value = self.require("value", kind, problems)?.value();
                Scorer::Exact { value, case_sensitive: case.unwrap_or(true) }
            }
            ScorerType::Contains => {
                let keywords = self.keywords(problems)?;
                Scorer::Contains { keywords, case_sensitive: case.unwrap_or(false) }
            }
            ScorerType::JsonSchema => {
                let node = self.require("schema", kind, problems)?;
                match &node.data {
                    NodeData::Object(_) | NodeData::Bool(_) => Scorer::JsonSchema { schema: node.value() },
                    _ => return decode::unexpected(node, "schema", problems),
                }
            }
            ScorerType::Regex => {
                let patterns = self.patterns(problems)?;
                let flags = self.get("flags").map(|node| decode::text(node, problems));
                Scorer::Regex { patterns, flags: flags.unwrap_or(Some(String::new()))? }
            }
            ScorerType::Custom => {
                let node = self.require("customScorerPath", kind, problems)?;
                Scorer::Custom { path: script(node, around.folder, problems)? }
            }
            ScorerType::LlmJudge => {
                let other = ["judgePrompt", "criteria"].into_iter().find_map(|key| self.get(key));
                let node = match self.get("rubric").or(other) {
                    Some(node) => node,
                    None => self.require("rubric", kind, problems)?,
                };
                Scorer::LlmJudge { rubric: self.with_reference(decode::filled_text(node, problems)?) }
            }
            ScorerType::SkillQuality => {
                let node = self.require("check", kind, problems)?;
                Scorer::SkillQuality { check: decode::named(node, CHECKS, problems)? }
            }
            ScorerType::Gaia => {
                let node = self.get("answer").or_else(|| self.get("value"));
                let node = node.or_else(|| self.require("answer", kind, problems))?;
                Scorer::Gaia { answer: answer(node, problems)? }
            }
            ScorerType::ToolCalls => {
                let node = self.get("calls").or_else(|| self.get("value"));
                let node = node.or_else(|| self.require("calls", kind, problems))?;
                let any_order = self.get("anyOrder").map(|node| decode::flag(node, problems));
                Scorer::ToolCalls { calls: calls(node, problems)?, any_order: any_order.unwrap_or(Some(false))? }
            }
        })
    }

    /// The scorer's option, which some write beside what is expected.
    fn case_sensitive(&self, problems: &mut Problems) -> Option<bool> {
        let parts = [self.evaluator, self.expected];
        let node = parts.into_iter().flatten().find_map(|part| part.get("caseSensitive"))?;
        decode::flag(node, problems)
    }

    /// `pattern`, or `patterns`, of which all must be found.
    fn patterns(&self, problems: &mut Problems) -> Option<Vec<String>> {
        let Some(node) = self.get("patterns") else {
            let node = self.require("pattern", ScorerType::Regex, problems)?;
            return Some(vec![decode::filled_text(node, problems)?]);
        };
        if let Some(one) = self.get("pattern") {
            problems.error(one.span, msg!("skills-load-two-patterns"));
            return None;
        }
        let items = decode::list(node, "list", problems)?;
        if items.is_empty() {
            problems.error(node.span, msg!("skills-load-no-patterns"));
            return None;
        }
        let read: Vec<Option<String>> = items.iter().map(|item| decode::filled_text(item, problems)).collect();
        read.into_iter().collect()
    }

    /// A judge's criteria with the `value` that is expected, where one is written.
    fn with_reference(&self, rubric: String) -> String {
        match self.get("value").map(Node::value) {
            None | Some(Value::Null) => rubric,
            Some(Value::String(text)) => format!("{rubric}\n\nReference answer: {text}"),
            Some(other) => format!("{rubric}\n\nReference answer: {other}"),
        }
    }

    fn keywords(&self, problems: &mut Problems) -> Option<Vec<String>> {
        let node = self.require("keywords", ScorerType::Contains, problems)?;
        let keywords = decode::texts(node, problems)?;
        if keywords.is_empty() {
            problems.error(node.span, msg!("skills-load-no-keywords"));
            return None;
        }
        Some(keywords)
    }
}

/// Text, or a number as text: data sets have both.
fn answer(node: &Node, problems: &mut Problems) -> Option<String> {
    match &node.data {
        NodeData::Number(number) => Some(number.to_string()),
        _ => decode::filled_text(node, problems),
    }
}

const CALL_KEYS: &[&str] = &["name", "arguments"];

/// `[{name, arguments}]`; a list of none expects that no tool is called.
fn calls(node: &Node, problems: &mut Problems) -> Option<Value> {
    let items = decode::list(node, "list", problems)?;
    let mut is_right = true;
    for item in items {
        let fields = decode::object(item, Keys::new(CALL_KEYS), problems);
        let name = fields.and_then(|fields| fields.require("name", problems));
        is_right &= name.and_then(|node| decode::filled_text(node, problems)).is_some();
        if let Some(arguments) = fields.and_then(|fields| fields.get("arguments")) {
            is_right &= decode::any_object(arguments, problems).is_some();
        }
    }
    is_right.then(|| node.value())
}

/// A custom scorer: a file in the benchmark's folder or below it, wherever links lead.
fn script(node: &Node, folder: Option<&Path>, problems: &mut Problems) -> Option<PathBuf> {
    let written = decode::path_text(node, problems)?;
    let Some(folder) = folder else {
        problems.error(node.span, msg!("skills-load-scorer-outside", path = decode::short(&written)));
        return None;
    };
    let path = folder.join(Path::new(&written).strip_prefix(".").unwrap_or(Path::new(&written)));
    let (Ok(real), Ok(root)) = (path.canonicalize(), folder.canonicalize()) else {
        problems.error(node.span, msg!("load-file-missing", path = problems.shown(&path)));
        return None;
    };
    if !real.starts_with(&root) {
        let help = Some(msg!("skills-load-scorer-outside-help"));
        let message = msg!("skills-load-scorer-outside", path = decode::short(&written));
        problems.error_with_help(node.span, message, help);
        return None;
    }
    match file::read_bytes(&path, MAX_SCRIPT_BYTES) {
        Ok(_) => Some(path),
        Err(problem) => {
            problems.error(node.span, problem.diagnostic(&problems.shown(&path)).message);
            None
        }
    }
}

/// The parts of a scorer that affect a score, as JSON.
pub(super) fn fingerprint(scorer: &Scorer) -> Value {
    let what = match scorer {
        Scorer::Exact { value, case_sensitive } => json!({"value": value, "caseSensitive": case_sensitive}),
        Scorer::Contains { keywords, case_sensitive } => json!({"keywords": keywords, "caseSensitive": case_sensitive}),
        Scorer::JsonSchema { schema } => json!({"schema": schema}),
        Scorer::Regex { patterns, flags } => match patterns.as_slice() {
            [pattern] => json!({"pattern": pattern, "flags": flags}),
            several => json!({"patterns": several, "flags": flags}),
        },
        Scorer::Custom { path } => {
            let bytes = file::read_bytes(path, MAX_SCRIPT_BYTES).unwrap_or_default();
            json!({"script": sha256_hex(&bytes)})
        }
        Scorer::LlmJudge { rubric } => json!({"rubric": rubric}),
        Scorer::SkillQuality { check } => json!({"check": check}),
        Scorer::Gaia { answer } => json!({"answer": answer}),
        Scorer::ToolCalls { calls, any_order } => json!({"calls": calls, "anyOrder": any_order}),
    };
    json!({"type": scorer.kind().name(), "with": what})
}
