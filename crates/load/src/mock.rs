//! Mocks, with the files that they take their answers from; the executors of agents apply them.

use std::path::Path;

use eval_message::msg;
use eval_spec::mock::{Mock, MockAnswer, MockConditions};
use eval_spec::source::Place;
use serde_json::{Map, Value};

use super::decode::{self, Keys, ObjectFields};
use super::file::{self, ReadProblem};
use super::problems::Problems;
use super::sample_keys::{MATCH_KEYS, MOCK_KEYS, names};
use super::tree::{self, Node, NodeData};

const KEYS: Keys<'static> = Keys {
    known: &names::<{ MOCK_KEYS.len() }>(MOCK_KEYS),
    foreign: &[("name", "tool"), ("response", "return"), ("output", "return"), ("when", "match")],
};

/// The longest answer from a file, in bytes.
const MAX_ANSWER: u64 = 16 << 20;

const MATCH_NAMES: [&str; MATCH_KEYS.len()] = names(MATCH_KEYS);

/// The mocks of a sample, in order of precedence, with their places.
pub(super) fn mocks(node: &Node, base: &Path, problems: &mut Problems) -> Vec<(Mock, Place)> {
    let Some(items) = decode::list(node, "list-of-mocks", problems) else { return Vec::new() };
    items.iter().filter_map(|item| Some((mock(item, base, problems)?, problems.head(item.span)))).collect()
}

fn mock(node: &Node, base: &Path, problems: &mut Problems) -> Option<Mock> {
    let fields = decode::object(node, KEYS, problems)?;
    let conditions = fields.get("match").map(|node| conditions(node, problems)).unwrap_or_default();
    let (sequence, always) = answers(node, fields, base, problems);
    let description = fields.decoded("description", decode::filled_text, problems);
    let input_schema = fields.decoded("input_schema", schema, problems);
    let tool = tool(fields.require("tool", problems)?, problems)?;
    Some(Mock { tool, conditions, sequence, always, description, input_schema, written: tree::map(fields.entries) })
}

/// A name; `*` is none of them unless it is all.
fn tool(node: &Node, problems: &mut Problems) -> Option<String> {
    let name = decode::filled_text(node, problems)?;
    if name != "*" && name.contains('*') {
        problems.error_with_help(
            node.span,
            msg!("load-mock-tool-star", tool = name),
            Some(msg!("load-mock-tool-star-help")),
        );
        return None;
    }
    if name.starts_with("mcp__") && !name.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c)) {
        problems.error_with_help(
            node.span,
            msg!("load-mock-tool-name", tool = name),
            Some(msg!("load-mock-tool-name-help")),
        );
        return None;
    }
    Some(name)
}

/// The input of a tool of a server. For one that is no object, agents drop every tool of the server.
fn schema(node: &Node, problems: &mut Problems) -> Option<Map<String, Value>> {
    let schema = object(node, problems)?;
    if schema.get("type").is_some_and(|of| of == "object") || node.cut {
        return Some(schema);
    }
    let place = node.get("type").unwrap_or(node).span;
    problems.error_with_help(place, msg!("load-mock-schema"), Some(msg!("load-mock-schema-help")));
    None
}

fn object(node: &Node, problems: &mut Problems) -> Option<Map<String, Value>> {
    Some(tree::map(decode::any_object(node, problems)?.entries))
}

fn conditions(node: &Node, problems: &mut Problems) -> MockConditions {
    let Some(fields) = decode::object(node, Keys::new(&MATCH_NAMES), problems) else {
        return MockConditions::default();
    };
    let mut text = |name: &str| fields.decoded(name, decode::filled_text, problems);
    let (file_path, file_path_endswith) = (text("file_path"), text("file_path_endswith"));
    let (url, url_glob, command_glob) = (text("url"), text("url_glob"), text("command_glob"));
    MockConditions {
        file_path,
        file_path_endswith,
        url,
        url_glob,
        command_glob,
        input: fields.decoded("input", object, problems),
        input_contains: fields.decoded("input_contains", one_or_more, problems).unwrap_or_default(),
    }
}

fn one_or_more(node: &Node, problems: &mut Problems) -> Option<Vec<String>> {
    match node.data {
        NodeData::List(_) => decode::texts(node, problems),
        _ => Some(vec![decode::filled_text(node, problems)?]),
    }
}

/// The answers to the first calls, and the one to all others.
fn answers(
    node: &Node,
    fields: ObjectFields<'_>,
    base: &Path,
    problems: &mut Problems,
) -> (Vec<MockAnswer>, Option<MockAnswer>) {
    let (single, file, sequence) = (fields.get("return"), fields.get("return_file"), fields.get("return_seq"));
    if single.is_none() && file.is_none() && sequence.is_none() && !node.cut {
        problems.error(node.span, msg!("load-mock-no-answer"));
    }
    if let (Some(_), Some(file)) = (single, file) {
        problems.error(file.span, msg!("load-mock-two-answers"));
    }
    let always = single.and_then(|node| answer(node, problems));
    let from_file = file.and_then(|node| content(node, base, problems));
    let always = always.or(from_file);
    (sequence.map(|node| answers_in_turn(node, problems)).unwrap_or_default(), always)
}

fn answers_in_turn(node: &Node, problems: &mut Problems) -> Vec<MockAnswer> {
    match &node.data {
        NodeData::List(items) if !items.is_empty() => items.iter().filter_map(|item| answer(item, problems)).collect(),
        _ => decode::unexpected(node, "list-of-answers", problems).unwrap_or_default(),
    }
}

fn answer(node: &Node, problems: &mut Problems) -> Option<MockAnswer> {
    const KEYS: &[&str] = &["stdout", "stderr", "exit"];
    match &node.data {
        NodeData::Text(_) => {
            Some(MockAnswer { stdout: decode::text(node, problems)?.into_bytes(), ..MockAnswer::default() })
        }
        NodeData::Object(_) => {
            let fields = decode::object(node, Keys::new(KEYS), problems)?;
            let mut text = |name: &str| fields.decoded(name, decode::text, problems).unwrap_or_default();
            let (stdout, stderr) = (text("stdout").into_bytes(), text("stderr"));
            let code = fields.decoded("exit", |node, problems| decode::whole(node, 0..=255, problems), problems);
            Some(MockAnswer { stdout, stderr, exit: code.and_then(|code| u8::try_from(code).ok()).unwrap_or(0) })
        }
        _ => decode::unexpected(node, "answer", problems),
    }
}

fn content(node: &Node, base: &Path, problems: &mut Problems) -> Option<MockAnswer> {
    let path = base.join(decode::path_text(node, problems)?);
    match file::read_bytes(&path, MAX_ANSWER) {
        Ok(stdout) => Some(MockAnswer { stdout, ..MockAnswer::default() }),
        Err(problem) => {
            let near = if let ReadProblem::Missing = problem { file::near(&path) } else { None };
            let help = near.map(|near| msg!("load-did-you-mean", suggestion = problems.shown(&near)));
            let message = problem.diagnostic(&problems.shown(&path)).message;
            problems.error_with_help(node.span, message, help);
            None
        }
    }
}
