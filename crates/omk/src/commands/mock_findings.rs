//! Mocks that the executor can't have answered, which are refused, and mocks that can never match: the agent would call the real
//! tool, or get another mock's answer.

use eval_exec::ExecutorKind;
use eval_load as load;
use eval_message::msg;
use eval_spec::mock::Mock;
use eval_spec::suite::Settings;
use eval_spec::{Diagnostic, Sample};
use serde_json::{Map, Value};

/// Tools of the agents whose input is known: the arguments that each call has, and those that it may have.
const TOOLS: &[(&str, &[&str], &[&str])] = &[
    ("Bash", &["command"], &["description", "timeout", "run_in_background", "dangerouslyDisableSandbox"]),
    ("Read", &["file_path"], &["allow_large", "offset", "limit", "pages"]),
    ("Write", &["file_path", "content"], &[]),
    ("Edit", &["file_path", "old_string", "new_string"], &["replace_all"]),
    ("NotebookEdit", &["notebook_path", "new_source"], &["cell_id", "cell_type", "edit_mode"]),
    ("Glob", &["pattern"], &["path"]),
    ("Grep", &["pattern"], &GREP),
    ("WebFetch", &["url"], &["offset", "prompt"]),
    ("WebSearch", &["query"], &["allowed_domains", "blocked_domains"]),
];

const GREP: [&str; 14] = [
    "path",
    "glob",
    "type",
    "output_mode",
    "multiline",
    "head_limit",
    "offset",
    "context",
    "-A",
    "-B",
    "-C",
    "-i",
    "-n",
    "-o",
];

/// The conditions on one argument, and the names that tools have for it.
const ON_ARGUMENTS: [(&str, &[&str]); 5] = [
    ("command_glob", &["command"]),
    ("file_path", &PATHS),
    ("file_path_endswith", &PATHS),
    ("url", &["url"]),
    ("url_glob", &["url"]),
];

const PATHS: [&str; 3] = ["file_path", "path", "notebook_path"];

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
        let error = Diagnostic::error(msg!("cli-mocks-open", sample = &sample.id), sample.place_of_mock(0));
        return Some(error.help(msg!("cli-delivery-open-help")));
    }
    let error = eval_exec::refuses_mocks(&settings.executor, sample)?;
    let refused = eval_exec::refused_mock(&settings.executor, sample);
    Some(match refused.and_then(|at| meant(&settings.executor, &sample.mocks[at])) {
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
    let mock = &sample.mocks[at];
    let (id, tool, number) = (&sample.id, &mock.tool, at + 1);
    let known = TOOLS.iter().find(|(known, ..)| known == tool);
    let required = known.map_or(&[][..], |(_, required, _)| required);
    let covering = || sample.mocks[..at].iter().position(|earlier| covers(executor, earlier, mock, required));
    let (text, remedy) = if let Some(earlier) = covering() {
        let text = msg!("doctor-mock-covered", sample = id, number = number, tool = tool, earlier = earlier + 1);
        (text, msg!("doctor-mock-covered-remedy"))
    } else if let Some(known) = meant(executor, mock) {
        let text = msg!("doctor-mock-unknown", sample = id, number = number, tool = tool, executor = executor);
        (text, msg!("load-did-you-mean", suggestion = known))
    } else if let Some(own) = taken(executor, sample, mock) {
        let text = msg!("doctor-mock-taken", sample = id, number = number, tool = tool, own = own);
        (text, msg!("doctor-mock-taken-remedy", own = own))
    } else if let Some((key, path)) = no_path(mock) {
        let text = msg!("doctor-mock-path", sample = id, number = number, key = key, path = path);
        (text, msg!("doctor-mock-path-remedy"))
    } else {
        let (_, required, optional) = known?;
        let arguments = [*required, *optional].concat();
        let key = foreign(mock, &arguments)?;
        let text = msg!("doctor-mock-condition", sample = id, number = number, tool = tool, key = key);
        (text, msg!("doctor-mock-condition-remedy", keys = possible(&arguments), arguments = arguments.join(", ")))
    };
    Some(Diagnostic::warning(text, sample.place_of_mock(at)).help(remedy))
}

/// The tool that is offered under the name of this mock's, because another mock is for it.
fn taken(executor: &str, sample: &Sample, mock: &Mock) -> Option<&'static str> {
    let own = eval_exec::stands_for(&mock.tool).filter(|own| eval_exec::mocked_tools(executor).contains(own))?;
    sample.mocks.iter().any(|other| other.tool == own || other.tool == "*").then_some(own)
}

/// A condition with a path that no file has: nothing in it is a pattern or stands for the user's home.
fn no_path(mock: &Mock) -> Option<(&'static str, &str)> {
    let of = &mock.conditions;
    let paths = [("file_path", &of.file_path), ("file_path_endswith", &of.file_path_endswith)];
    let paths = paths.into_iter().filter_map(|(key, path)| Some((key, path.as_deref()?)));
    paths.into_iter().find(|(_, path)| path.contains('*') || path.starts_with("~/"))
}

/// A condition, or a key of the condition `input`, that calls with these arguments have nothing for.
fn foreign<'m>(mock: &'m Mock, arguments: &[&str]) -> Option<&'m str> {
    let keys = || conditions(mock).into_iter().flat_map(Map::keys).map(String::as_str);
    let is_of_argument = |key: &str| ON_ARGUMENTS.iter().any(|(known, _)| *known == key);
    let input = mock.conditions.input.iter().flat_map(Map::keys).map(String::as_str);
    let condition = keys().find(|key| is_of_argument(key) && !can_hold(key, arguments));
    condition.or_else(|| input.into_iter().find(|key| !arguments.contains(key)))
}

fn can_hold(condition: &str, arguments: &[&str]) -> bool {
    let of = ON_ARGUMENTS.iter().find(|(known, _)| *known == condition);
    of.is_some_and(|(_, names)| names.iter().any(|name| arguments.contains(name)))
}

/// The conditions that can hold for calls with these arguments.
fn possible(arguments: &[&str]) -> String {
    let of_arguments = ON_ARGUMENTS.iter().map(|(key, _)| *key).filter(|key| can_hold(key, arguments));
    of_arguments.chain(["input", "input_contains"]).collect::<Vec<_>>().join(", ")
}

fn conditions(mock: &Mock) -> Option<&Map<String, Value>> {
    mock.written.get("match")?.as_object()
}

/// Whether every call that `later` matches is answered by `earlier` already. A mock of any tool answers with a success only where
/// it can.
fn covers(executor: &str, earlier: &Mock, later: &Mock, required: &[&str]) -> bool {
    let fails = || earlier.sequence.iter().chain(&earlier.always).all(|answer| answer.exit != 0);
    let is_for_it = || earlier.tool == later.tool || fails() || eval_exec::gives_success(executor, &later.tool);
    eval_exec::covers(earlier, later, required) && is_for_it()
}
