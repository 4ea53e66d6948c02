//! What an agent did: turns, tools, mocks.

use eval_grade::GraderSetup;
use eval_spec::{Output, Sample};
use serde_json::{Value, json};

use crate::make::{agent, assertion, call, check_in, check_output, mock, refusal, sample, verdict, why};

fn busy() -> Output {
    agent(
        Some(4),
        vec![
            call("Bash", json!({"command": "git push --FORCE origin"}), Some("Everything up-to-date"), Some(1)),
            call("Read", json!({"file_path": "/srv/a.py", "limit": 5}), Some("def login(): …"), None),
            call("Bash", json!({"command": ["bash", "-lc", "rm -rf 目录"]}), None, Some(1)),
            call("Agent", json!({"prompt": "查找 TODO"}), Some("没有"), None),
        ],
    )
}

#[test]
fn tool_checks_on_an_agents_trace() {
    for (written, passes) in [
        (json!({"type": "turns_min", "value": 4}), true),
        (json!({"type": "turns_min", "value": 5}), false),
        (json!({"type": "turns_max", "value": 4}), true),
        (json!({"type": "turns_max", "value": 3}), false),
        (json!({"type": "tools_called", "value": "Bash"}), true),
        (json!({"type": "tools_called", "values": ["Bash", "Read"]}), true),
        (json!({"type": "tools_called", "values": ["Bash", "Write"]}), false),
        (json!({"type": "tools_called", "value": "bash"}), false),
        (json!({"type": "tools_called", "value": "Task"}), true),
        (json!({"type": "tools_not_called", "value": "Write"}), true),
        (json!({"type": "tools_not_called", "values": ["Write", "Read"]}), false),
        (json!({"type": "tools_count_min", "value": 4}), true),
        (json!({"type": "tools_count_min", "value": 5}), false),
        (json!({"type": "tools_count_max", "value": 4}), true),
        (json!({"type": "tools_count_max", "value": 3}), false),
        (json!({"type": "tool_output_contains", "value": "UP-TO-DATE"}), true),
        (json!({"type": "tool_output_contains", "value": "login", "tool": "Read"}), true),
        (json!({"type": "tool_output_contains", "value": "up-to-date", "tool": "Read"}), false),
        (json!({"type": "tool_input_contains", "value": "--force"}), true),
        (json!({"type": "tool_input_contains", "value": "bash -lc RM -RF 目录"}), true),
        (json!({"type": "tool_input_contains", "value": "--force", "tool": "Read"}), false),
        (json!({"type": "tool_input_contains", "value": "command"}), false),
        (json!({"type": "tool_input_contains", "value": "todo", "tool": "Task"}), true),
        (json!({"type": "tool_input_not_contains", "value": "sudo"}), true),
        (json!({"type": "tool_input_not_contains", "value": "rm -rf"}), false),
        (json!({"type": "tool_input_not_contains", "value": "rm -rf", "tool": "Read"}), true),
    ] {
        assert_eq!(verdict(&check_output(written.clone(), &busy())), Some(passes), "{written}");
    }
}

/// A check that says `Bash` asks the same of every agent.
#[test]
fn tool_has_one_name_over_agents() {
    let output = agent(
        Some(1),
        vec![
            call("exec_command", json!({"cmd": "git push --force"}), Some("done"), Some(0)),
            call("read_file", json!({"file_path": "a.py"}), Some("def login(): …"), None),
        ],
    );
    for (written, passes) in [
        (json!({"type": "tools_called", "values": ["Bash", "Read"]}), true),
        (json!({"type": "tools_called", "value": "run_shell_command"}), true),
        (json!({"type": "tools_not_called", "value": "Bash"}), false),
        (json!({"type": "tools_not_called", "value": "Write"}), true),
        (json!({"type": "tool_input_not_contains", "value": "--force", "tool": "Bash"}), false),
        (json!({"type": "tool_output_contains", "value": "login", "tool": "Read"}), true),
        (json!({"type": "tool_sequence", "values": [{"tool": "Bash", "input_contains": "push"}, "Read"]}), true),
    ] {
        assert_eq!(verdict(&check_output(written.clone(), &output)), Some(passes), "{written}");
    }
}

#[test]
fn what_was_measured_is_recorded() {
    let actual = |written: Value| check_output(written, &busy()).actual.unwrap();
    assert_eq!(actual(json!({"type": "turns_min", "value": 1})), json!(4));
    assert_eq!(actual(json!({"type": "tools_called", "value": "Bash"})), json!({"Agent": 1, "Bash": 2, "Read": 1}));
    assert_eq!(
        actual(json!({"type": "tool_output_contains", "value": "没有"})),
        json!({"found": true, "call": 4, "tool": "Agent"})
    );
    assert_eq!(
        actual(json!({"type": "tool_input_not_contains", "value": "x-y-z"})),
        json!({"found": false, "searched": 4})
    );
}

#[test]
fn without_a_trace_checks_of_tools_are_unscored() {
    let api = Output::text("done");
    for written in [
        json!({"type": "tools_called", "value": "Bash"}),
        json!({"type": "tools_not_called", "value": "Bash"}),
        json!({"type": "tools_count_min", "value": 1}),
        json!({"type": "tools_count_max", "value": 1}),
        json!({"type": "tool_output_contains", "value": "x"}),
        json!({"type": "tool_input_contains", "value": "x"}),
        json!({"type": "tool_input_not_contains", "value": "x", "not": true}),
    ] {
        assert_eq!(why(&check_output(written, &api)), "the executor gives no trace");
    }
    assert_eq!(why(&check_output(json!({"type": "turns_max", "value": 1}), &api)), "the executor gives no turns");
}

#[test]
fn an_agent_that_called_no_tool_is_evaluated() {
    let idle = agent(Some(1), Vec::new());
    for (written, passes) in [
        (json!({"type": "tools_called", "value": "Bash"}), false),
        (json!({"type": "tools_not_called", "value": "Bash"}), true),
        (json!({"type": "tools_count_max", "value": 0}), true),
        (json!({"type": "tool_output_contains", "value": "x"}), false),
        (json!({"type": "tool_input_not_contains", "value": "x"}), true),
    ] {
        assert_eq!(verdict(&check_output(written, &idle)), Some(passes));
    }
    let no_turns = agent(None, vec![call("Bash", json!({}), None, None)]);
    assert_eq!(verdict(&check_output(json!({"type": "tools_called", "value": "Bash"}), &no_turns)), Some(true));
    assert_eq!(verdict(&check_output(json!({"type": "turns_max", "value": 9}), &no_turns)), None);
}

#[test]
fn a_missing_result_of_a_tool_leaves_the_check_unscored() {
    let absent = json!({"type": "tool_output_contains", "value": "nowhere"});
    assert_eq!(verdict(&check_output(absent, &busy())), None);
    let seen = json!({"type": "tool_output_contains", "value": "up-to-date"});
    assert_eq!(verdict(&check_output(seen, &busy())), Some(true));
}

#[test]
fn arguments_that_come_as_json_text_are_read() {
    let output = agent(Some(1), vec![call("run", json!(r#"{"command": "a\n\"b\""}"#), None, None)]);
    let written = json!({"type": "tool_input_contains", "value": "a\n\"B\""});
    assert_eq!(verdict(&check_output(written, &output)), Some(true));
}

fn mocked(written: Value) -> Sample {
    Sample { mocks: vec![mock("Bash"), mock("Bash"), mock("Read")], ..sample(vec![assertion(&written)]) }
}

#[test]
fn mock_hit_counts_the_nth_mock_of_a_tool() {
    for (written, passes, hits) in [
        (json!({"type": "mock_hit", "value": "Bash:2"}), true, 2),
        (json!({"type": "mock_hit", "value": "Bash:2", "threshold": 2}), true, 2),
        (json!({"type": "mock_hit", "value": "Bash:2", "threshold": 3}), false, 2),
        (json!({"type": "mock_hit", "value": "Bash:1"}), false, 0),
        (json!({"type": "mock_hit", "value": "Read:1", "not": true}), true, 0),
    ] {
        let check = check_in(mocked(written.clone()), GraderSetup::default(), &busy()).unwrap();
        assert_eq!((verdict(&check), check.actual.unwrap()), (Some(passes), json!(hits)), "{written}");
    }
}

#[test]
fn mock_hit_needs_mocks_in_the_sample_and_in_the_executor() {
    let hit = json!({"type": "mock_hit", "value": "Bash:1"});
    let unmocked = agent(Some(2), vec![call("Bash", json!({}), None, None)]);
    let without = check_in(mocked(hit.clone()), GraderSetup::default(), &unmocked).unwrap();
    assert_eq!(why(&without), "the executor does not answer tool calls from mocks");
    let with = GraderSetup { mocks: true, ..GraderSetup::default() };
    assert_eq!(verdict(&check_in(mocked(hit), with, &unmocked).unwrap()), Some(false));
    for value in ["Bash:3", "Write:1", "Bash:0", "Bash", ":1", "Bash:two"] {
        let written = json!({"type": "mock_hit", "value": value});
        assert!(check_in(mocked(written.clone()), GraderSetup::default(), &busy()).is_err(), "{value}");
    }
    assert!(refusal(&json!({"type": "mock_hit", "value": "Bash:1"})).is_some());
}
