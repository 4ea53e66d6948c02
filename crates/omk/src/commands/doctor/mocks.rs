//! Mocks that can never match: the agent would call the real tool, or get another mock's answer.

use eval_exec::ExecutorKind;
use eval_message::{Message, msg};
use eval_spec::Sample;
use eval_spec::mock::Mock;
use eval_spec::suite::Settings;
use serde_json::{Map, Value};

use super::finding::{DoctorLine, DoctorTopic};

/// Tools of the agents whose input is known, and the conditions that can hold for it.
const TOOLS: &[(&str, &[&str])] = &[
    ("Bash", &["command_glob"]),
    ("Read", &["file_path", "file_path_endswith"]),
    ("Write", &["file_path", "file_path_endswith"]),
    ("Edit", &["file_path", "file_path_endswith"]),
    ("WebFetch", &["url", "url_glob"]),
];

/// Conditions that hold for the input of any tool.
const ANY: [&str; 2] = ["input", "input_contains"];

/// The mocks of all samples.
pub(super) fn lines(settings: &Settings, samples: &[Sample]) -> Vec<DoctorLine> {
    let topic = DoctorTopic::Mocks;
    let count: usize = samples.iter().map(|sample| sample.mocks.len()).sum();
    if count == 0 {
        return Vec::new();
    }
    if eval_exec::kind(&settings.executor) == ExecutorKind::Model {
        let text = msg!("doctor-mocks-no-tools", count = count, executor = &settings.executor);
        return vec![DoctorLine::warning(topic, text, msg!("doctor-mocks-no-tools-remedy"))];
    }
    let mut lines = Vec::new();
    for sample in samples {
        for at in 0..sample.mocks.len() {
            if let Some((text, remedy)) = never(sample, at) {
                lines.push(DoctorLine::warning(topic.clone(), text, remedy).at(sample.place.clone()));
            }
        }
    }
    if lines.is_empty() {
        lines.push(DoctorLine::ok(topic, msg!("doctor-mocks", count = count)));
    }
    lines
}

/// Why a mock can never match, and what to do about it.
fn never(sample: &Sample, at: usize) -> Option<(Message, Message)> {
    let mock = &sample.mocks[at];
    let (id, tool, number) = (&sample.id, &mock.tool, at + 1);
    if let Some(earlier) = sample.mocks[..at].iter().position(|earlier| covers(earlier, mock)) {
        let text = msg!("doctor-mock-covered", sample = id, number = number, tool = tool, earlier = earlier + 1);
        return Some((text, msg!("doctor-mock-covered-remedy")));
    }
    if let Some((known, _)) = TOOLS.iter().find(|(known, _)| known.eq_ignore_ascii_case(tool) && known != tool) {
        let text = msg!("doctor-mock-case", sample = id, number = number, tool = tool);
        return Some((text, msg!("doctor-mock-case-remedy", known = *known)));
    }
    let (_, possible) = TOOLS.iter().find(|(known, _)| known == tool)?;
    let foreign = |key: &&String| !possible.contains(&key.as_str()) && !ANY.contains(&key.as_str());
    let key = conditions(mock)?.keys().find(foreign)?;
    let text = msg!("doctor-mock-condition", sample = id, number = number, tool = tool, key = key);
    Some((text, msg!("doctor-mock-condition-remedy", keys = [*possible, &ANY].concat().join(", "))))
}

fn conditions(mock: &Mock) -> Option<&Map<String, Value>> {
    mock.written.get("match")?.as_object()
}

/// Whether every call that `later` matches is answered by `earlier` already: the same tool or any, and no condition that
/// `later` lacks. One that answers a number of times only may be used up.
fn covers(earlier: &Mock, later: &Mock) -> bool {
    let is_used_up = earlier.written.contains_key("return_seq") && !earlier.written.contains_key("return");
    let is_same_tool = earlier.tool == "*" || earlier.tool == later.tool;
    let later = conditions(later);
    let holds = |(key, value): (&String, &Value)| later.is_some_and(|later| later.get(key) == Some(value));
    is_same_tool && !is_used_up && conditions(earlier).is_none_or(|earlier| earlier.iter().all(holds))
}
