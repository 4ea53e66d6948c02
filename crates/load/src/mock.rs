//! Mocks: only their shape is checked here; the agent executors interpret them.

use std::path::Path;

use eval_message::msg;
use eval_spec::sample::Mock;

use super::decode::{self, Keys, ObjectFields};
use super::file;
use super::problems::Problems;
use super::sample_keys::{MATCH_KEYS, MOCK_KEYS, names};
use super::tree::{self, Node, NodeData};

const KEYS: Keys<'static> = Keys {
    known: &names::<{ MOCK_KEYS.len() }>(MOCK_KEYS),
    foreign: &[("name", "tool"), ("response", "return"), ("output", "return"), ("when", "match")],
};

const MATCH_NAMES: [&str; MATCH_KEYS.len()] = names(MATCH_KEYS);

/// The mocks of a sample, in order of precedence.
pub(super) fn mocks(node: &Node, base: &Path, problems: &mut Problems) -> Vec<Mock> {
    let Some(items) = decode::list(node, "list-of-mocks", problems) else { return Vec::new() };
    items.iter().filter_map(|item| mock(item, base, problems)).collect()
}

fn mock(node: &Node, base: &Path, problems: &mut Problems) -> Option<Mock> {
    let fields = decode::object(node, KEYS, problems)?;
    if let Some(node) = fields.get("match") {
        check_match(node, problems);
    }
    check_answers(node, fields, base, problems);
    let tool = decode::filled_text(fields.require("tool", problems)?, problems)?;
    Some(Mock { tool, written: tree::map(fields.entries) })
}

fn check_match(node: &Node, problems: &mut Problems) {
    let Some(fields) = decode::object(node, Keys::new(&MATCH_NAMES), problems) else { return };
    for entry in fields.entries {
        match entry.key.as_str() {
            "input" => drop(decode::any_object(&entry.value, problems)),
            "input_contains" if matches!(entry.value.data, NodeData::List(_)) => {
                drop(decode::texts(&entry.value, problems));
            }
            key if MATCH_NAMES.contains(&key) => drop(decode::filled_text(&entry.value, problems)),
            _ => {}
        }
    }
}

fn check_answers(node: &Node, fields: ObjectFields<'_>, base: &Path, problems: &mut Problems) {
    let (single, file, sequence) = (fields.get("return"), fields.get("return_file"), fields.get("return_seq"));
    if single.is_none() && file.is_none() && sequence.is_none() && !node.cut {
        problems.error(node.span, msg!("load-mock-no-answer"));
    }
    if let (Some(_), Some(file)) = (single, file) {
        problems.error(file.span, msg!("load-mock-two-answers"));
    }
    if let Some(node) = single {
        check_answer(node, problems);
    }
    if let Some(node) = file {
        check_file(node, base, problems);
    }
    if let Some(node) = sequence {
        check_sequence(node, problems);
    }
}

fn check_sequence(node: &Node, problems: &mut Problems) {
    match &node.data {
        NodeData::List(items) if !items.is_empty() => items.iter().for_each(|item| check_answer(item, problems)),
        _ => drop(decode::unexpected::<()>(node, "list-of-answers", problems)),
    }
}

fn check_answer(node: &Node, problems: &mut Problems) {
    const KEYS: &[&str] = &["stdout", "stderr", "exit"];
    match node.data {
        NodeData::Text(_) => {}
        NodeData::Object(_) => {
            let Some(fields) = decode::object(node, Keys::new(KEYS), problems) else { return };
            for key in ["stdout", "stderr"] {
                fields.get(key).map(|node| decode::text(node, problems));
            }
            fields.get("exit").map(|node| decode::whole(node, 0..=255, problems));
        }
        _ => drop(decode::unexpected::<()>(node, "answer", problems)),
    }
}

fn check_file(node: &Node, base: &Path, problems: &mut Problems) {
    let Some(path) = decode::path_text(node, problems) else { return };
    let path = base.join(path);
    if !path.is_file() {
        let message = msg!("load-file-missing", path = problems.shown(&path));
        let help = file::near(&path).map(|near| msg!("load-did-you-mean", suggestion = problems.shown(&near)));
        problems.error_with_help(node.span, message, help);
    }
}
