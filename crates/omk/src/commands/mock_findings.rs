//! Mocks that the executor can't have answered, which are refused, and mocks that can never match: the agent would call the real
//! tool, or get another mock's answer.

use eval_exec::ExecutorKind;
use eval_load as load;
use eval_message::{Message, msg};
use eval_spec::mock::Mock;
use eval_spec::suite::Settings;
use eval_spec::{Diagnostic, Sample};
use serde_json::{Map, Value};

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

/// What is wrong with the mocks of all samples.
pub(crate) fn mock_findings(settings: &Settings, samples: &[Sample]) -> Vec<Diagnostic> {
    let of_sample = |sample: &Sample| match refusal(settings, sample) {
        Some(error) => vec![error],
        None => (0..sample.mocks.len()).filter_map(|at| never(&settings.executor, sample, at)).collect(),
    };
    // Recorded answers were given with their mocks.
    match eval_exec::kind(&settings.executor) {
        ExecutorKind::Recordings => Vec::new(),
        _ => samples.iter().flat_map(of_sample).collect(),
    }
}

/// Why the executor can't answer from the mocks of a sample: it would call the real tools, or has none.
fn refusal(settings: &Settings, sample: &Sample) -> Option<Diagnostic> {
    let kind = eval_exec::kind(&settings.executor);
    // A model without tools makes no call that would have to be denied.
    let is_denying = sample.mocks_strict && kind != ExecutorKind::Model;
    if sample.mocks.is_empty() && !is_denying {
        return None;
    }
    if kind == ExecutorKind::Agent && !settings.strict_baseline {
        let error = Diagnostic::error(msg!("cli-mocks-open", sample = &sample.id), sample.place.clone());
        return Some(error.help(msg!("cli-delivery-open-help")));
    }
    let error = eval_exec::refuses_mocks(&settings.executor, sample)?;
    let refused = eval_exec::refused_mock(&settings.executor, sample);
    Some(match refused.and_then(|mock| meant(&settings.executor, mock)) {
        Some(known) => error.help(msg!("load-did-you-mean", suggestion = known)),
        None => error,
    })
}

/// The tool of the executor that a mock means which names none.
fn meant(executor: &str, mock: &Mock) -> Option<&'static str> {
    let known = eval_exec::mocked_tools(executor);
    let is_free = mock.tool == "*" || mock.tool.starts_with("mcp__") || known.contains(&mock.tool.as_str());
    if is_free { None } else { load::closest(&mock.tool, known) }
}

/// Why a mock can never match, and what to do about it.
fn never(executor: &str, sample: &Sample, at: usize) -> Option<Diagnostic> {
    let warning = |text: Message, remedy: Message| Diagnostic::warning(text, sample.place.clone()).help(remedy);
    let mock = &sample.mocks[at];
    let (id, tool, number) = (&sample.id, &mock.tool, at + 1);
    if let Some(earlier) = sample.mocks[..at].iter().position(|earlier| covers(executor, earlier, mock)) {
        let text = msg!("doctor-mock-covered", sample = id, number = number, tool = tool, earlier = earlier + 1);
        return Some(warning(text, msg!("doctor-mock-covered-remedy")));
    }
    if let Some(known) = meant(executor, mock) {
        let text = msg!("doctor-mock-unknown", sample = id, number = number, tool = tool, executor = executor);
        return Some(warning(text, msg!("load-did-you-mean", suggestion = known)));
    }
    let (_, possible) = TOOLS.iter().find(|(known, _)| known == tool)?;
    let foreign = |key: &&String| !possible.contains(&key.as_str()) && !ANY.contains(&key.as_str());
    let key = conditions(mock)?.keys().find(foreign)?;
    let text = msg!("doctor-mock-condition", sample = id, number = number, tool = tool, key = key);
    Some(warning(text, msg!("doctor-mock-condition-remedy", keys = [*possible, &ANY].concat().join(", "))))
}

fn conditions(mock: &Mock) -> Option<&Map<String, Value>> {
    mock.written.get("match")?.as_object()
}

/// Whether every call that `later` matches is answered by `earlier` already: the same tool or any, and no condition that
/// `later` lacks. One that answers a number of times only may be used up.
fn covers(executor: &str, earlier: &Mock, later: &Mock) -> bool {
    let is_used_up = earlier.written.contains_key("return_seq") && !earlier.written.contains_key("return");
    let fails = || earlier.sequence.iter().chain(&earlier.always).all(|answer| answer.exit != 0);
    let is_for_any = || earlier.tool == "*" && (fails() || eval_exec::gives_success(executor, &later.tool));
    let is_same_tool = earlier.tool == later.tool || is_for_any();
    let later = conditions(later);
    let holds = |(key, value): (&String, &Value)| later.is_some_and(|later| later.get(key) == Some(value));
    is_same_tool && !is_used_up && conditions(earlier).is_none_or(|earlier| earlier.iter().all(holds))
}
