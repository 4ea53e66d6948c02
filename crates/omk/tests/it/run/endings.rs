//! How a run of an installed agent ends, and what becomes of that: one table for all agents.
#![cfg(target_os = "linux")]

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use testkit::{Behaviour, FakeAnswer, FakeReply, FakeStop, Request};

use super::installed_agents::{AGENTS, InstalledAgent, one};
use super::{answer, asked, eval_alone, journal, results, says, says_better, valid};

/// What happens | the outcome, or the class of the failure, with claude | with codex | with gemini. `-`: it has no such thing.
///
/// The command line of gemini doesn't tell that an answer was cut, and that of codex ends after SIGINT as after any error.
const ENDINGS: &str = "
several tool calls     | answered     | answered     | answered
a sub-agent            | answered     | answered     | answered
a background command   | answered     | -            | -
a background sub-agent | answered     | -            | -
status 401             | auth         | auth         | auth
status 429             | rate-limited | rate-limited | rate-limited
status 500             | server       | server       | server
a stream that is cut   | dropped      | dropped      | dropped
endless silence        | timeout      | timeout      | timeout
a refusal              | refused      | refused      | refused
the output limit       | truncated    | truncated    | answered
an answer of no words  | empty        | empty        | empty
SIGTERM                | killed       | killed       | killed
SIGINT                 | killed       | crashed      | killed
";

/// It ends the run, so it has one of its own.
const REFUSED_KEY: &str = "status 401";

fn rows() -> impl Iterator<Item = Vec<&'static str>> {
    ENDINGS.trim().lines().map(|line| line.split('|').map(str::trim).collect())
}

/// The row that a request belongs to: its prompt has the number, also that of a sub-agent.
fn row(request: &Request) -> Option<&'static str> {
    let body = request.body.to_string();
    let number = |rest: &str| rest[..rest.find(|c: char| !c.is_ascii_digit())?].parse::<usize>().ok();
    let number = body.split("question ").skip(1).find_map(number)?;
    rows().nth(number - 1).map(|row| row[0])
}

#[derive(Clone, Copy, PartialEq)]
enum Vendor {
    Anthropic,
    OpenAi,
    Google,
}

fn vendor(request: &Request) -> Vendor {
    match request.path.as_str() {
        path if path.contains("/messages") => Vendor::Anthropic,
        path if path.ends_with("/responses") => Vendor::OpenAi,
        _ => Vendor::Google,
    }
}

fn call(name: &str, input: Value) -> FakeReply {
    FakeReply::answer(FakeAnswer { tool: Some((name.to_owned(), input)), ..answer("let me see") })
}

fn better() -> FakeReply {
    FakeReply::answer(answer("better"))
}

/// How many tool calls have returned to the model.
fn returned(request: &Request) -> usize {
    let body = request.body.to_string();
    ["\"tool_result\"", "\"function_call_output\"", "\"functionResponse\""]
        .map(|of| body.matches(of).count())
        .iter()
        .sum()
}

/// Two calls, the second of which fails, then the answer.
fn several_calls(request: &Request) -> FakeReply {
    let command = "wc -l missing.txt";
    match (vendor(request), returned(request)) {
        (Vendor::Anthropic, 0) => call("Read", json!({"file_path": "notes.txt"})),
        (Vendor::Anthropic, 1) => call("Bash", json!({"command": command, "description": "count"})),
        (Vendor::OpenAi, 0) => call("exec_command", json!({"cmd": "cat notes.txt"})),
        (Vendor::OpenAi, 1) => call("exec_command", json!({"cmd": command})),
        (Vendor::Google, 0) => call("read_file", json!({"file_path": "notes.txt"})),
        (Vendor::Google, 1) => call("read_file", json!({"file_path": "missing.txt"})),
        _ => better(),
    }
}

const SUBTASK: &str = "SUBTASK";

/// Whether a sub-agent sends it: its prompt is the first that a user gave it.
fn is_of_sub_agent(request: &Request) -> bool {
    match vendor(request) {
        Vendor::Anthropic => request.body["messages"][0].to_string().contains(SUBTASK),
        Vendor::OpenAi => {
            let items = request.body["input"].as_array().into_iter().flatten();
            items.filter(|item| item["role"] == "user").any(|item| item.to_string().contains(SUBTASK))
        }
        Vendor::Google => request.body["contents"][0].to_string().contains(SUBTASK),
    }
}

/// A sub-agent that calls two tools and reports; one in the background reports later.
fn sub_agent(request: &Request, number: usize, in_background: bool) -> FakeReply {
    let prompt = format!("{SUBTASK} of question {number}: read the notes");
    let calls = returned(request);
    match vendor(request) {
        Vendor::Google if is_of_sub_agent(request) && calls == 2 => {
            call("complete_task", json!({"result": {"response": "one line"}}))
        }
        _ if is_of_sub_agent(request) && calls < 2 => several_calls(request),
        _ if is_of_sub_agent(request) => FakeReply::answer(answer("one line")),
        Vendor::Anthropic if calls == 0 => {
            let input = json!({"description": "look", "prompt": prompt, "subagent_type": "general-purpose",
                "run_in_background": in_background});
            call("Agent", input)
        }
        Vendor::OpenAi if calls == 0 => call("multi_agent_v1/spawn_agent", json!({"message": prompt})),
        Vendor::OpenAi if calls == 1 => {
            let body = request.body.to_string();
            let id = body.split_once("agent_id").unwrap().1.trim_start_matches(|c: char| !c.is_ascii_hexdigit());
            call("multi_agent_v1/wait_agent", json!({"targets": [&id[..36]], "timeout_ms": 60_000}))
        }
        Vendor::Google if calls == 0 => call("invoke_agent", json!({"agent_name": "generalist", "prompt": prompt})),
        // The first of two answers.
        _ if in_background && !asked(request, "<task-notification>") => FakeReply::answer(answer("later")),
        _ => better(),
    }
}

fn background_command(request: &Request) -> FakeReply {
    let input = json!({"command": "sleep 1; echo built", "description": "build", "run_in_background": true});
    match returned(request) {
        0 => call("Bash", input),
        _ if !asked(request, "<task-notification>") => FakeReply::answer(answer("later")),
        _ => better(),
    }
}

/// A tool call; when its result comes, the agent alone gets a signal.
fn ended_by(signal: Signal, request: &Request) -> FakeReply {
    if returned(request) == 0 {
        return several_calls(request);
    }
    ended_at_once_by(signal, request)
}

fn ended_at_once_by(signal: Signal, request: &Request) -> FakeReply {
    let agent = request.sender().and_then(Pid::from_raw).expect("the agent waits for its reply");
    kill_process(agent, signal).unwrap();
    FakeReply::answer(answer("never")).behaving(Behaviour::Silence)
}

fn reply(request: &Request) -> FakeReply {
    let Some(row) = row(request) else { return better() };
    let number = rows().position(|other| other[0] == row).unwrap() + 1;
    match row {
        "several tool calls" => several_calls(request),
        "a sub-agent" => sub_agent(request, number, false),
        "a background command" => background_command(request),
        "a background sub-agent" => sub_agent(request, number, true),
        REFUSED_KEY => FakeReply::error(401, "authentication_error", "invalid x-api-key"),
        "status 429" => FakeReply::error(429, "rate_limit_error", "slow down"),
        "status 500" => FakeReply::error(500, "api_error", "oh no"),
        "a stream that is cut" => FakeReply::answer(answer("cut")).behaving(Behaviour::HalfBody),
        "endless silence" => FakeReply::answer(answer("never")).behaving(Behaviour::Silence),
        "a refusal" => FakeReply::answer(FakeAnswer { stop: FakeStop::Refusal, ..answer("") }),
        "the output limit" => FakeReply::answer(FakeAnswer { stop: FakeStop::Length, ..answer("half an ans") }),
        "an answer of no words" => FakeReply::answer(answer("")),
        "SIGTERM" => ended_by(Signal::TERM, request),
        "SIGINT" => ended_by(Signal::INT, request),
        other => panic!("no reply for {other}"),
    }
}

/// The samples of some rows; each has the number of its row.
fn samples(agent: &InstalledAgent, is_one: impl Fn(&str) -> bool) {
    let rows = (1..).zip(rows()).filter(|(_, row)| is_one(row[0]));
    let sample = |number: usize| json!({"sample_id": format!("s{number:03}"), "prompt": format!("question {number}"), "assertions": says_better()});
    let samples: Vec<Value> = rows.map(|(number, _)| sample(number)).collect();
    agent.context.write("eval-samples.json", &json!(samples).to_string());
    agent.context.write("notes.txt", "notes of the project\n");
}

/// A `claude` that runs tasks in the background all the same, as versions do that don't know the switch.
fn allow_background_tasks(agent: &InstalledAgent) {
    let program = agent.context.path("bin/claude");
    let real = fs::canonicalize(&program).unwrap();
    fs::remove_file(&program).unwrap();
    let script = format!("unset CLAUDE_CODE_DISABLE_BACKGROUND_TASKS\nexec '{}' \"$@\"\n", real.display());
    agent.context.script("bin/claude", &script);
}

fn run<'a>(agent: &InstalledAgent, more: &[&'a str]) -> Vec<&'a str> {
    let tools = if agent.name == "claude" { &["--allowed-tools", "Read,Bash,Agent"][..] } else { &[] };
    let common = ["--timeout", "25", "--concurrency", "4", "--no-cache", "--report-only"];
    eval_alone(agent.name, &[&common, tools, more].concat())
}

/// The words of the agent's column, `-` for a row that was not run.
fn found(agent: &InstalledAgent, report: &Value) -> Vec<String> {
    let results = results(report);
    let word = |number: usize| {
        let Some(result) = results.get(format!("s{number:03}/v2").as_str()) else { return "-".to_owned() };
        result["error"]["failure"].as_str().or(result["outcome"].as_str()).unwrap_or("-").to_owned()
    };
    let mut words: Vec<_> = (1..=rows().count()).map(word).collect();
    let refused = rows().position(|row| row[0] == REFUSED_KEY).unwrap();
    words[refused] = ending_of_a_refused_key(agent);
    words
}

/// The run ends at once and names the remedy, which no other failure has.
fn ending_of_a_refused_key(agent: &InstalledAgent) -> String {
    samples(agent, |row| row == REFUSED_KEY);
    let before = agent.api.count();
    let finished = agent.context.run(&run(agent, &[])).expect(3);
    assert!(agent.api.count() - before < 4, "{}: {} requests", agent.name, agent.api.count() - before);
    let remedy = format!("`{}` is not logged in or its key was refused", agent.name);
    if says(&finished, &remedy) { "auth".to_owned() } else { finished.stderr }
}

#[track_caller]
fn assert_endings(name: &'static str) {
    let Some(agent) = &one(name, reply) else { return };
    let column = AGENTS.iter().position(|other| *other == name).unwrap() + 1;
    if name == "claude" {
        allow_background_tasks(agent);
    }
    samples(agent, |row| row != REFUSED_KEY && rows().any(|of| of[0] == row && of[column] != "-"));
    agent.context.run(&run(agent, &["--retry", "0", "--max-failure-rate", "1"])).expect(0);
    let (report, journal) = (valid(agent.context.report()), journal(&agent.context.home()));
    let expected: Vec<_> = rows().map(|row| format!("{} | {}", row[0], row[column])).collect();
    let found = rows().zip(found(agent, &report)).map(|(row, word)| format!("{} | {word}", row[0]));
    assert_eq!(found.collect::<Vec<_>>().join("\n"), expected.join("\n"), "{name}");
    assert_everything_is_counted_once(agent, &report);
    assert_partial_traces(agent, &journal);
}

#[test]
fn every_ending_of_claude_is_what_the_table_says() {
    assert_endings("claude");
}

#[test]
fn every_ending_of_codex_is_what_the_table_says() {
    assert_endings("codex");
}

#[test]
fn every_ending_of_gemini_is_what_the_table_says() {
    assert_endings("gemini");
}

/// Somebody else ended it: that says nothing about the artifact.
#[test]
fn an_agent_that_somebody_ended_is_asked_again() {
    for name in AGENTS {
        let first = AtomicBool::new(true);
        let signal = if name == "codex" { Signal::TERM } else { Signal::INT };
        let script =
            move |request: &Request| match asked(request, "ANSWER better") && first.swap(false, Ordering::SeqCst) {
                true => ended_at_once_by(signal, request),
                false => better(),
            };
        let Some(agent) = one(name, script) else { continue };
        agent.context.samples(1, &says_better());
        agent.context.run(&run(&agent, &["--retry", "1"])).expect(0);
        let report = valid(agent.context.report());
        let result = results(&report)["s001/v2"];
        let found = [&result["outcome"], &result["fullOutput"], &result["attempts"]];
        assert_eq!(found, [&json!("answered"), &json!("better"), &json!(2)], "{name}: {result}");
    }
}

/// Answers with calls have the last text, and the tokens of each request once, sub-agents' among them.
fn assert_everything_is_counted_once(agent: &InstalledAgent, report: &Value) {
    let results = results(report);
    let mut costs = Vec::new();
    for (number, row) in (1..).zip(rows()).take(4) {
        let Some(result) = results.get(format!("s{number:03}/v2").as_str()) else { continue };
        assert_eq!(result["fullOutput"], "better", "{}: {}: {result}", agent.name, row[0]);
        let requests = agent.api.requests();
        let of_row: Vec<_> = requests.iter().filter(|request| self::row(request) == Some(row[0])).collect();
        let (sub, own): (Vec<_>, Vec<_>) = of_row.into_iter().partition(|request| is_of_sub_agent(request));
        let (sub, own) = (sub.len(), own.len());
        assert_eq!(result["outputTokens"], 7 * (own + sub), "{}: {}: {own} + {sub} requests", agent.name, row[0]);
        // Not every model of gemini has a price.
        costs.extend(result["costUSD"].as_f64().map(|cost| cost / (own + sub) as f64));
    }
    assert!(
        costs.iter().all(|cost| (cost / costs[0] - 1.0).abs() < 1e-9),
        "{}: dollars a request: {costs:?}",
        agent.name
    );
}

/// What an agent did before it got a signal is in the journal.
fn assert_partial_traces(agent: &InstalledAgent, journal: &[Value]) {
    for signal in ["SIGTERM", "SIGINT"] {
        let number = rows().position(|row| row[0] == signal).unwrap() + 1;
        let of_cell = journal.iter().map(|line| &line["execution"]);
        let key = json!(format!("s{number:03}/v2/0"));
        let execution = of_cell.into_iter().find(|execution| execution["key"] == key).unwrap();
        let partial = &execution["result"]["failed"]["partial"];
        assert!(partial["trace"].to_string().contains("notes"), "{} after {signal}: {execution}", agent.name);
    }
}
