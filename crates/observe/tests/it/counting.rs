//! Counting, without counting anything twice.

use eval_format::{HealthBand, ObservationConfidence};
use serde_json::json;

use super::{ClaudeFile, call, misses, observed, observed_sessions, read, text};

#[test]
fn tokens_of_a_message_count_once_and_cached_ones_separately() {
    let file = ClaudeFile::new("s").prompt("Do").says("m", None, &[text("One."), text("Two."), text("Three.")]);
    let usage = read(&file.text(), &[]).segments[0].usage.unwrap();
    assert_eq!((usage.input_tokens, usage.output_tokens, usage.cache_read_tokens), (100, 10, 7));
}

#[test]
fn outcomes_of_tools_are_counted_separately() {
    let file = ClaudeFile::new("s").prompt("Do").says(
        "m",
        None,
        &[
            call("ok", "Bash", json!({"command": "make"})),
            call("failed", "Bash", json!({"command": "make test"})),
            call("none", "Grep", json!({"pattern": "x_y"})),
            call("cancelled", "Read", json!({"file_path": "a.md"})),
            call("open", "Bash", json!({"command": "sleep 9"})),
        ],
    );
    let cancelled = "<tool_use_error>Sibling tool call errored</tool_use_error>";
    let file = file
        .result("ok", "built", false)
        .result("failed", "Exit code 2\nboom", true)
        .result("none", "No matches found", false)
        .result("cancelled", cancelled, true);
    let all = observed(&[&file]);
    let tools = all.overall.tools;
    assert_eq!((tools.ok, tools.failed, tools.no_match, tools.not_run, tools.unknown), (1, 1, 1, 1, 1));
    assert_eq!(all.overall.tool_failure_rate.map(|rate| (rate * 3.0).round()), Some(1.0), "of the known ends");
}

#[test]
fn copied_session_counts_once_by_its_longest_copy() {
    let first = misses(ClaudeFile::new("s").prompt("Do"), "a", None, "alpha_table");
    let longer = misses(ClaudeFile::new("s").prompt("Do"), "a", None, "alpha_table");
    let longer = misses(longer, "b", None, "beta_table").prompt("More").says("m", None, &[text("Done.")]);
    for order in [[&first, &longer], [&longer, &first]] {
        let all = observed(&order);
        assert_eq!((all.overall.segments, all.sources.copies), (2, 1));
        assert_eq!(all.overall.gaps.inventory().len(), 2);
    }
}

#[test]
fn searches_with_the_same_words_are_one_group_in_any_notation() {
    let search = |session: &str, pattern: &str| misses(ClaudeFile::new(session).prompt("Do"), session, None, pattern);
    let files = [
        search("a", "revenue_schema"),
        search("b", "revenueSchema"),
        search("c", "revenue.*schema"),
        search("d", "user_profile"),
    ];
    let all = observed(&files.iter().collect::<Vec<_>>());
    let groups: Vec<_> = all.inbox.iter().map(|group| (group.subject.as_str(), group.sessions)).collect();
    assert_eq!(groups, [("revenue_schema", 3), ("user_profile", 1)]);
    assert_eq!(all.inbox[0].evidence[0].anchor.line, 2);
    assert_eq!(all.inbox[0].evidence[0].prompt.as_deref(), Some("Do"));
}

#[test]
fn verification_is_no_inbox_entry() {
    let search = call("a", "Grep", json!({"pattern": "old_name"}));
    let file = ClaudeFile::new("s")
        .prompt("Rename it")
        .says("m", None, &[text("Let me verify that it is not used anywhere else."), search])
        .result("a", "No matches found", false);
    let all = observed(&[&file]);
    assert!(all.inbox.is_empty());
    assert_eq!(all.overall.gaps.inventory().len(), 1, "but it counts");
}

#[test]
fn stored_secrets_are_masked() {
    let key = format!("sk-ant-api03-{}", "a1B2".repeat(8));
    let prompt = format!("Use {key}, I am kim@example.com in /home/kim/x");
    let file = misses(ClaudeFile::new("s").prompt(&prompt), "a", None, &format!("{key} /home/kim/notes"));
    let stored = serde_json::to_string(&observed(&[&file])).unwrap();
    for secret in [key.as_str(), "kim@example.com", "/home/kim"] {
        assert!(!stored.contains(secret), "{secret} in {stored}");
    }
    assert!(stored.contains("[key]") && stored.contains("[e-mail]"));
}

#[test]
fn confidence_grows_with_the_number_of_segments() {
    let file = |n: usize| misses(ClaudeFile::new(&format!("s{n}")).prompt("Do"), &format!("c{n}"), None, "alpha_table");
    for (count, confidence) in [
        (4, ObservationConfidence::Underpowered),
        (5, ObservationConfidence::Low),
        (19, ObservationConfidence::Low),
        (20, ObservationConfidence::High),
    ] {
        let files: Vec<ClaudeFile> = (0..count).map(file).collect();
        let all = observed(&files.iter().collect::<Vec<_>>());
        assert_eq!((all.overall.confidence, all.overall.band), (confidence, HealthBand::Red));
    }
}

#[test]
fn fork_counts_only_its_new_part() {
    let first = misses(ClaudeFile::new("first-session").prompt("Do"), "a", None, "alpha_table");
    let fork = first.text() + &misses(ClaudeFile::new("fork-session").prompt("More"), "b", None, "beta_table").text();
    let read = [("1.jsonl".to_owned(), read(&first.text(), &[])), ("2.jsonl".to_owned(), read(&fork, &[]))];
    let all = observed_sessions(&read);
    assert_eq!((all.overall.segments, all.sources.sessions, all.sources.copies), (2, 2, 1));
    let places: Vec<_> = all.overall.gaps.inventory().iter().map(|entry| entry.sample_id.as_str()).collect();
    assert_eq!(places, ["first-se#1", "fork-ses#2"]);
}

/// Returns a turn of Codex before 0.169, whose records have no ids.
fn codex_turn(minute: u32, turn: Option<&str>, ask: &str, call: &str) -> Vec<serde_json::Value> {
    let record = |kind: &str, payload: serde_json::Value| json!({"timestamp": format!("2026-07-01T10:{minute:02}:00.000Z"), "type": kind, "payload": payload});
    let failed = json!({"output": "cat: missing.md: No such file or directory", "metadata": {"exit_code": 1}});
    let part = |kind: &str, text: &str| json!([{"type": kind, "text": text}]);
    vec![
        record("event_msg", json!({"type": "task_started", "turn_id": turn})),
        record("turn_context", json!({"cwd": "/p", "model": "gpt-5", "turn_id": turn})),
        record("response_item", json!({"type": "message", "role": "user", "content": part("input_text", ask)})),
        record(
            "response_item",
            json!({"type": "function_call", "name": "shell", "arguments": "{\"command\": [\"cat\", \"missing.md\"]}", "call_id": call}),
        ),
        record("response_item", json!({"type": "function_call_output", "call_id": call, "output": failed.to_string()})),
        record("response_item", json!({"type": "message", "role": "assistant", "content": part("output_text", ask)})),
        record(
            "event_msg",
            json!({"type": "token_count", "info": {
                "total_token_usage": {"input_tokens": minute * 100, "output_tokens": minute},
                "last_token_usage": {"input_tokens": 100, "output_tokens": 1},
            }}),
        ),
    ]
}

fn codex_header(id: &str, more: serde_json::Value) -> Vec<serde_json::Value> {
    let mut payload = json!({"id": id, "timestamp": "2026-07-01T10:20:00.000Z", "cwd": "/p", "cli_version": "0.145.0"});
    payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    vec![json!({"timestamp": "2026-07-01T10:20:00.000Z", "type": "session_meta", "payload": payload})]
}

#[test]
fn fork_of_an_older_codex_counts_only_its_new_part() {
    let file = |records: &[serde_json::Value]| records.iter().map(|record| format!("{record}\n")).collect::<String>();
    let spawn = json!({"source": {"subagent": {"thread_spawn": {"parent_thread_id": "P", "depth": 1}}}});
    let fork = json!({"forked_from_id": "P", "source": "cli"});
    for more in [&fork, &spawn] {
        for turns in [[None, None, None], [Some("1"), Some("2"), Some("2")]] {
            let parent = [codex_header("P", json!({})), codex_turn(1, turns[0], "read the rules", "a")].concat();
            // some versions give the copy its own time, others keep the parent's
            for is_stamped in [true, false] {
                let mut copy = parent.clone();
                let stamp = |record: &mut serde_json::Value| record["timestamp"] = json!("2026-07-01T10:20:00.000Z");
                copy.iter_mut().filter(|_| is_stamped).for_each(stamp);
                let child = |id: &str, ask: &str, turn| {
                    let new = codex_turn(2, turn, ask, &format!("call-{id}"));
                    file(&[codex_header(id, more.clone()), copy.clone(), new].concat())
                };
                let files = [file(&parent), child("C", "and the other", turns[1]), child("D", "and a third", turns[2])];
                let sessions: Vec<_> =
                    files.iter().enumerate().map(|(index, text)| (format!("{index}.jsonl"), read(text, &[]))).collect();
                let all = observed_sessions(&sessions);
                let usage = all.overall.usage.unwrap();
                let counted = (all.overall.segments, all.sources.copies, all.overall.tools.failed, usage.input_tokens);
                assert_eq!(counted, (3, 2, 3, 300), "{more} {turns:?} {is_stamped}");
            }
        }
    }
    // equal prompts in separate sessions are no copies
    let two = ["P", "Q"].map(|id| {
        let text = file(&[codex_header(id, json!({})), codex_turn(1, None, "go on", id)].concat());
        (format!("{id}.jsonl"), read(&text, &[]))
    });
    let all = observed_sessions(&two);
    assert_eq!((all.overall.segments, all.sources.copies), (2, 0));
}
