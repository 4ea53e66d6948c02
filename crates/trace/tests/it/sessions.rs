//! The files of sessions, those of sub-agents among them: one row each for what they add to the stream.

use std::collections::BTreeSet;

use eval_spec::Output;
use eval_spec::call::ToolCall;
use eval_trace::AgentExit;
use serde_json::{Value, json};

use crate::recordings::{AGENTS, RecordedAgent, rollouts};

/// Case | tokens in/out/cache read/cache write | turns | tool calls, `>` before those of a sub-agent. The figures were counted
/// in the raw files, and in the log of the server that was asked.
const SESSIONS: &str = "
err500.jsonl | - | - | -
maxtok.jsonl | 9620/4/0/0 | 1 | -
sub-agents.jsonl | 1000/70/400/0 | 5 | spawn_agent >exec_command >exec_command spawn_agent >exec_command wait_agent wait_agent
success.bypass.jsonl | 2050/155/3800/0 | 5 | exec_command exec_command exec_command exec_command no_such_tool
success.jsonl | 2050/155/3800/0 | 5 | exec_command exec_command exec_command exec_command no_such_tool
hook-rewrite | 5350/165/500/0 | 5 | read_file read_file grep_search run_shell_command run_shell_command no_such_tool
maxtok_gem.stream-json | 8275/4/0/0 | 1 | -
sub-agent.stream-json | 600/42/240/0 | 3 | invoke_agent >read_file >read_file >complete_task read_file
success.stream-json | 5350/165/500/0 | 5 | read_file read_file grep_search run_shell_command run_shell_command no_such_tool
";

fn read(agent: &RecordedAgent, case: &str, exit: i32, sessions: &[Vec<u8>]) -> Option<Output> {
    let mut reader = agent.format.reader();
    reader.push(&agent.read(&format!("{case}.stdout")));
    sessions.iter().for_each(|bytes| reader.session(&bytes[..]));
    match reader.finish(&AgentExit { code: Some(exit), stderr: "" }) {
        Ok(output) => Some(output),
        Err(error) => error.partial.map(|partial| *partial),
    }
}

fn row(case: &str, output: Option<&Output>) -> String {
    let none = || "-".to_owned();
    let usage = output.and_then(|output| output.usage).map(|usage| {
        let parts = [usage.input_tokens, usage.output_tokens, usage.cache_read_tokens, usage.cache_write_tokens];
        parts.map(|tokens| tokens.to_string()).join("/")
    });
    let name = |call: &ToolCall| format!("{}{}", if call.parent.is_some() { ">" } else { "" }, call.name);
    let calls = output.map(|output| output.trace.tool_calls().map(name).collect::<Vec<_>>().join(" "));
    let turns = output.and_then(|output| output.trace.turns).map(|turns| turns.to_string());
    let calls = calls.filter(|calls| !calls.is_empty());
    [case.to_owned(), usage.unwrap_or_else(none), turns.unwrap_or_else(none), calls.unwrap_or_else(none)].join(" | ")
}

fn of_codex(case: &str) -> Option<Output> {
    let exit = if case.starts_with("su") { 0 } else { 1 };
    read(&AGENTS[1], case, exit, &rollouts(case))
}

fn of_gemini(case: &str) -> Option<Output> {
    let of_case = |name: &String| name.starts_with(&format!("{case}."));
    let mut files: Vec<String> = AGENTS[2].files("sessions").into_iter().filter(of_case).collect();
    files.reverse();
    let sessions: Vec<_> = files.iter().map(|name| AGENTS[2].read(&format!("sessions/{name}"))).collect();
    let stream = if case.starts_with("hook") { format!("hooks/{case}.stream-json") } else { case.to_owned() };
    read(&AGENTS[2], &stream, 0, &sessions)
}

#[test]
fn every_session_adds_what_its_row_says() {
    let cases = |files: &[String], end: &str| -> BTreeSet<String> {
        files.iter().map(|name| name.split(end).next().unwrap().trim_end_matches(".below").to_owned()).collect()
    };
    let (codex, gemini) = (AGENTS[1].files("rollouts"), AGENTS[2].files("sessions"));
    let codex = cases(&codex, "-rollout").into_iter().map(|case| row(&case, of_codex(&case).as_ref()));
    let gemini = cases(&gemini, ".jsonl").into_iter().map(|case| row(&case, of_gemini(&case).as_ref()));
    assert_eq!(codex.chain(gemini).collect::<Vec<_>>().join("\n"), SESSIONS.trim());
}

#[test]
fn calls_of_sub_agents_are_below_the_call_that_started_each() {
    let output = of_codex("sub-agents.jsonl").unwrap();
    let calls: Vec<&ToolCall> = output.trace.tool_calls().collect();
    let below = |at: usize| calls.iter().filter(|call| call.parent.as_ref() == Some(&calls[at].id)).count();
    assert_eq!((below(0), below(3)), (2, 1));
    assert_eq!(output.text, "One line, and nothing of it.", "a sub-agent's last text is no answer");
    assert!(calls[1].output.as_ref().unwrap().text.contains("note of the project") && calls[1].duration_ms.is_some());
    assert_eq!((calls[1].turn, calls[2].turn), (Some(1), Some(2)), "in the thread of its own agent");
    let output = of_gemini("sub-agent.stream-json").unwrap();
    let calls: Vec<&ToolCall> = output.trace.tool_calls().collect();
    assert!(calls[1..4].iter().all(|call| call.parent.as_ref() == Some(&calls[0].id)), "{calls:?}");
    assert!(calls[2].output.as_ref().unwrap().is_error && calls[2].started_at.is_some());
}

/// Before 0.169 a sub-agent's file names its parent in the source alone, has no numbers, and may begin with the parent's records; its
/// sums of tokens go on from the parent's or begin anew.
#[test]
fn sub_agent_of_an_older_codex_counts_once() {
    let expected = of_codex("sub-agents.jsonl").unwrap();
    let records = |file: &[u8]| -> Vec<Value> {
        file.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect()
    };
    let older = |mut record: Value| {
        record.as_object_mut().unwrap().remove("ordinal");
        if record["type"] == "session_meta" {
            let header = record["payload"].as_object_mut().unwrap();
            header.remove("parent_thread_id");
            header.remove("subagent_history_start_ordinal");
        }
        (record["type"] != "token_usage_record").then_some(record)
    };
    let sessions: Vec<Vec<Value>> =
        rollouts("sub-agents.jsonl").iter().map(|file| records(file).into_iter().filter_map(older).collect()).collect();
    let parent = &sessions[0];
    let sum = |record: &Value| record["payload"]["info"]["total_token_usage"].clone();
    let ends = parent.iter().position(|record| sum(record).is_object()).unwrap() + 1;
    let base = sum(&parent[ends - 1]);
    for (has_copy, goes_on) in [(false, false), (true, false), (true, true)] {
        let files: Vec<Vec<u8>> = sessions
            .iter()
            .zip(0..)
            .map(|(own, at)| {
                let copy = if has_copy && at > 0 { &parent[..ends] } else { &[] };
                let mut own = own.clone();
                // The recorded answers all have the same numbers.
                for record in own.iter_mut().filter(|record| at > 0 && sum(record).is_object()) {
                    for name in ["total_token_usage", "last_token_usage"] {
                        for (field, tokens) in record["payload"]["info"][name].as_object_mut().unwrap() {
                            let begins = base[field].as_u64().filter(|_| goes_on && name == "total_token_usage");
                            *tokens = json!(tokens.as_u64().unwrap() * 7_u64.pow(at) + begins.unwrap_or(0));
                        }
                    }
                }
                let lines = own[..1].iter().chain(copy).chain(&own[1..]);
                lines.map(|record| format!("{record}\n")).collect::<String>().into_bytes()
            })
            .collect();
        let output = read(&AGENTS[1], "sub-agents.jsonl", 0, &files).unwrap();
        let calls = |output: &Output| -> Vec<(String, Option<String>)> {
            output.trace.tool_calls().map(|call| (call.id.clone(), call.parent.clone())).collect()
        };
        assert_eq!(calls(&output), calls(&expected), "{has_copy} {goes_on}");
        // 35 are the main thread's, 21 and 14 the sub-agents'.
        assert_eq!(output.usage.unwrap().output_tokens, 35 + 7 * 21 + 49 * 14, "{has_copy} {goes_on}");
    }
}

/// A killed run may leave nothing of its own session.
#[test]
fn sub_agent_whose_start_is_not_known_is_still_one() {
    let sessions = rollouts("sub-agents.jsonl");
    for kept in [&sessions[1..], &sessions[..0]] {
        let output = read(&AGENTS[1], "sub-agents.jsonl", 0, kept).unwrap();
        let below = output.trace.tool_calls().filter(|call| call.parent.is_some()).count();
        assert_eq!((below, output.usage.unwrap().output_tokens), if kept.is_empty() { (0, 35) } else { (3, 70) });
    }
}

/// Each session file of `claude` against the stream of the same run: the same calls with the same words.
#[test]
fn streams_of_claude_have_every_call_of_their_sessions() {
    let blocks = |record: &Value| record["message"]["content"].as_array().cloned().unwrap_or_default();
    let files = AGENTS[0].files("transcripts");
    assert!(files.len() > 8, "{files:?}");
    for file in files {
        let case = file.trim_end_matches(".jsonl");
        let folder = if case.starts_with("hook") { "hooks/" } else { "" };
        let output = read(&AGENTS[0], &format!("{folder}{case}.stream-json"), 0, &[]);
        let session = AGENTS[0].read(&format!("transcripts/{file}"));
        let records =
            session.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice::<Value>(line).ok());
        let uses = records.flat_map(|record| blocks(&record)).filter(|block| block["type"] == "tool_use");
        let mut expected: Vec<(String, Value)> =
            uses.map(|block| (block["id"].as_str().unwrap().to_owned(), block["input"].clone())).collect();
        let calls = output.iter().flat_map(|output| output.trace.tool_calls()).filter(|call| call.parent.is_none());
        let mut found: Vec<(String, Value)> = calls.map(|call| (call.id.clone(), call.input.clone())).collect();
        if ["resume", "skill-tool"].contains(&case) {
            // The two are one session, so that each file has the calls of both.
            expected.retain(|(id, _)| found.iter().any(|(other, _)| other == id));
            assert!(!found.is_empty());
        }
        expected.sort_by(|a, b| a.0.cmp(&b.0));
        found.sort_by(|a, b| a.0.cmp(&b.0));
        assert_eq!(found, expected, "{case}");
    }
}
