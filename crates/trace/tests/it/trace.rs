//! What a trace holds beyond counts.

use eval_spec::call::{Step, ToolCall};
use eval_trace::AgentExit;
use eval_trace::claude::STREAM_JSON;
use serde_json::json;

use crate::recordings::stdout;

fn calls(name: &str) -> Vec<ToolCall> {
    let mut reader = STREAM_JSON.reader();
    reader.push(&stdout(name));
    let output = reader.finish(&AgentExit { code: Some(0), stderr: "" }).unwrap();
    output.trace.tool_calls().cloned().collect()
}

#[test]
fn a_call_has_its_input_and_its_output() {
    let calls = calls("success.stream-json");
    let first = calls[0].output.as_ref().unwrap();
    assert_eq!(calls[0].name, "Read");
    assert_eq!(calls[0].input, json!({"file_path": "/home/dev/demo-project/docs/rules.md"}));
    assert!(first.text.contains("The magic number is 42."), "{}", first.text);
    assert!(!first.is_error);
}

#[test]
fn a_failed_call_is_an_error_and_a_search_without_match_is_a_note() {
    let calls = calls("permission-denied.stream-json");
    let missing = calls[1].output.as_ref().unwrap();
    assert!(missing.is_error && missing.text.starts_with("File does not exist."), "{missing:?}");
    let grep = calls[4].output.as_ref().unwrap();
    assert_eq!((grep.is_error, grep.note.as_deref()), (false, Some("No matches found")));
}

#[test]
fn a_call_that_was_refused_says_it_did_not_run() {
    let calls = calls("bash-failures.stream-json");
    let notes: Vec<_> = calls.iter().map(|call| call.output.as_ref().unwrap().note.as_deref()).collect();
    assert!(notes.contains(&Some("user-rejected")), "{notes:?}");
}

#[test]
fn a_sub_agents_call_names_the_call_it_happened_in() {
    for name in ["subagent.stream-json", "subagent.forward.stream-json"] {
        let calls = calls(name);
        assert_eq!((calls[0].name.as_str(), calls[1].name.as_str()), ("Agent", "Read"), "{name}");
        assert_eq!((calls[0].parent.as_deref(), calls[1].parent.as_deref()), (None, Some(calls[0].id.as_str())));
    }
}

#[test]
fn texts_of_sub_agents_and_of_the_cli_itself_are_not_the_models() {
    for (name, code) in [("subagent.forward.stream-json", 0), ("maxtok.stream-json", 1)] {
        let mut reader = STREAM_JSON.reader();
        reader.push(&stdout(name));
        let output = reader.finish(&AgentExit { code: Some(code), stderr: "" }).unwrap();
        for step in &output.trace.steps {
            if let Step::Text { text } = step {
                assert!(!text.contains("API Error") && !text.contains("SUBTASK"), "{name}: {text}");
            }
        }
    }
}

#[test]
fn the_setup_tells_version_model_and_what_leaked_in() {
    let mut reader = STREAM_JSON.reader();
    reader.push(&stdout("mcp-bad.stream-json"));
    let transcript = reader.transcript();
    let init = transcript.setup().unwrap();
    assert_eq!(init.version.as_deref(), Some("2.1.330"));
    assert_eq!(init.model.as_deref(), Some("claude-opus-5-5"));
    assert!(init.mcp_servers.iter().any(|(_, status)| status == "failed"), "{:?}", init.mcp_servers);
    assert!(
        !init.skills.as_ref().unwrap().is_empty()
            && init.tools.contains(&"Bash".to_owned())
            && !init.memory_paths.is_empty()
    );
}
