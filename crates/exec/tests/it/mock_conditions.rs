//! Calls that a mock is for.

use std::path::Path;

use eval_exec::covers;
use eval_exec::internals::matches;
use eval_spec::mock::MockAnswer;
use eval_spec::mock::{Mock, MockConditions};
use serde_json::Value;
use serde_json::json;

#[expect(clippy::needless_pass_by_value, reason = "written in place")]
fn holds_for(conditions: MockConditions, input: Value) -> bool {
    matches(&Mock { tool: "*".to_owned(), conditions, ..Mock::default() }, "Any", &input, Path::new("/home/dev/a"))
}

#[test]
fn paths_are_those_of_the_working_directory() {
    let mock = |path: &str| MockConditions { file_path: Some(path.to_owned()), ..MockConditions::default() };
    assert!(holds_for(mock("/etc/app.conf"), json!({"file_path": "/etc/app.conf"})));
    assert!(holds_for(mock("conf/a.yaml"), json!({"file_path": "/home/dev/a/conf/a.yaml"})));
    assert!(holds_for(mock("./conf/a.yaml"), json!({"path": "conf/a.yaml"})));
    assert!(!holds_for(mock("a.yaml"), json!({"file_path": "/home/dev/a/conf/a.yaml"})));
    assert!(!holds_for(mock("a.yaml"), json!({"command": "cat a.yaml"})));
}

#[test]
fn ends_of_paths_begin_at_a_name() {
    let mock = |end: &str| MockConditions { file_path_endswith: Some(end.to_owned()), ..MockConditions::default() };
    assert!(holds_for(mock("conf/a.yaml"), json!({"file_path": "/x/conf/a.yaml"})));
    assert!(holds_for(mock("/a.yaml"), json!({"file_path": "/x/conf/a.yaml"})));
    assert!(!holds_for(mock("a.yaml"), json!({"file_path": "/x/conf/data.yaml"})));
}

#[test]
fn stars_of_patterns_span_lines_and_nothing_else_is_special() {
    let mock = |pattern: &str| MockConditions { command_glob: Some(pattern.to_owned()), ..MockConditions::default() };
    assert!(holds_for(mock("psql *"), json!({"command": "psql -c '\nselect 1'"})));
    assert!(holds_for(mock("jq '.[0]' *"), json!({"command": "jq '.[0]' x.json"})));
    assert!(!holds_for(mock("psql"), json!({"command": "psql -c 1"})));
    assert!(!holds_for(mock("p?ql*"), json!({"command": "psql"})));
    let url = MockConditions { url_glob: Some("https://a.example/*?x=1".to_owned()), ..MockConditions::default() };
    assert!(holds_for(url.clone(), json!({"url": "https://a.example/b/c?x=1"})));
    assert!(!holds_for(url, json!({"url": "https://a.example/b/c&x=1"})));
}

#[test]
fn parts_of_the_input_and_texts_in_it_all_hold() {
    let part = json!({"query": {"repo": "a"}, "limit": 3});
    let both = MockConditions {
        input: part.as_object().cloned(),
        input_contains: vec!["OPEN".to_owned()],
        ..MockConditions::default()
    };
    let call = json!({"query": {"repo": "a", "is": "x"}, "limit": 3, "labels": [{"state": "open"}]});
    assert!(holds_for(both.clone(), call.clone()));
    let mut other = call.clone();
    other["query"]["repo"] = json!("b");
    assert!(!holds_for(both.clone(), other));
    let mut closed = call;
    closed["labels"] = json!([]);
    assert!(!holds_for(both, closed));
}

fn mock(conditions: &Value) -> Mock {
    let text = |name: &str| conditions[name].as_str().map(str::to_owned);
    let conditions = MockConditions {
        file_path: text("file_path"),
        file_path_endswith: text("file_path_endswith"),
        url: text("url"),
        url_glob: text("url_glob"),
        command_glob: text("command_glob"),
        input: conditions["input"].as_object().cloned(),
        input_contains: text("input_contains").into_iter().collect(),
    };
    Mock { tool: "Any".to_owned(), conditions, always: Some(MockAnswer::default()), ..Mock::default() }
}

#[test]
fn mock_is_covered_by_an_earlier_one_that_is_for_all_of_its_calls() {
    for (earlier, later, is_covered) in [
        (json!({}), json!({"url": "a"}), true),
        (json!({"command_glob": "*"}), json!({"input_contains": "a"}), true),
        (json!({"command_glob": "git *"}), json!({"command_glob": "git push *"}), true),
        (json!({"command_glob": "git push *"}), json!({"command_glob": "git *"}), false),
        (json!({"command_glob": "a*b"}), json!({"command_glob": "a*"}), false),
        (json!({"command_glob": "git *"}), json!({"input": {"command": "git log"}}), true),
        (json!({"url_glob": "*"}), json!({}), false),
        (json!({"url_glob": "https://a/*"}), json!({"url": "https://a/b"}), true),
        (json!({"url_glob": "https://a/*"}), json!({"url": "https://b/b"}), false),
        (json!({"file_path_endswith": "a.conf"}), json!({"file_path": "./etc/a.conf"}), true),
        (json!({"file_path_endswith": "a.conf"}), json!({"file_path_endswith": "etc/a.conf"}), true),
        (json!({"file_path_endswith": "etc/a.conf"}), json!({"file_path_endswith": "a.conf"}), false),
        (json!({"file_path": "a.conf"}), json!({"file_path": "./a.conf"}), true),
        (json!({"file_path": "a.conf"}), json!({}), false),
        (json!({"input": {"a": 1}}), json!({"input": {"a": 1, "b": 2}}), true),
        (json!({"input": {"a": 1, "b": 2}}), json!({"input": {"a": 1}}), false),
        (json!({"input_contains": "Err"}), json!({"input_contains": "an error"}), true),
        (json!({"input_contains": "an error"}), json!({"input_contains": "Err"}), false),
    ] {
        assert_eq!(covers(&mock(&earlier), &mock(&later), &["command"]), is_covered, "{earlier} {later}");
    }
    let mut used_up = mock(&json!({}));
    used_up.sequence.extend(used_up.always.take());
    assert!(!covers(&used_up, &mock(&json!({})), &[]));
}
