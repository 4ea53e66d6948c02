//! What an agent did: the skills that it loaded, and arguments as records hold them.

use eval_spec::call::{Step, ToolCall, ToolOutput, Trace};
use serde_json::{Value, json};

fn trace(name: &str, input: Value) -> Trace {
    let output = ToolOutput { text: "text".to_owned(), is_error: false, ..ToolOutput::default() };
    let call = ToolCall { name: name.to_owned(), input, output: Some(output), ..ToolCall::default() };
    Trace { turns: None, cwd: None, steps: vec![Step::Tool(call)] }
}

#[test]
fn skill_is_loaded_by_reading_it_and_by_nothing_else_that_names_it() {
    let path = "/c/skills/v2/SKILL.md";
    for (name, input) in [
        ("Skill", json!({"skill": "plugin:v2"})),
        ("Read", json!({"file_path": path})),
        ("read_file", json!({"absolute_path": path})),
        ("Bash", json!({"command": format!("cat '{path}' 2>/dev/null")})),
        ("exec_command", json!({"command": format!("/bin/bash -lc \"sed -n '1,200p' {path}\"")})),
        ("exec_command", json!({"cmd": ["bash", "-lc", format!("cd /c && head -50 {path}")]})),
    ] {
        assert!(trace(name, input.clone()).has_loaded("v2"), "{name} {input}");
    }
    for (name, input) in [
        ("Skill", json!({"skill": "plugin:v22"})),
        ("Read", json!({"file_path": "/c/skills/other-v2/SKILL.md"})),
        ("Write", json!({"file_path": path, "content": "x"})),
        ("Agent", json!({"prompt": format!("Do not use {path}")})),
        ("Bash", json!({"command": format!("ls {path} || echo none")})),
        ("Bash", json!({"command": format!("cat > {path} <<EOF")})),
        ("Bash", json!({"command": format!("test -f {path}; cat other.md")})),
    ] {
        assert!(!trace(name, input.clone()).has_loaded("v2"), "{name} {input}");
    }
}

#[test]
fn deep_arguments_become_texts_that_records_can_hold() {
    let mut deep = json!("end");
    for _ in 0..120 {
        deep = json!({"a": deep});
    }
    let mut trace = trace("Any", json!({"deep": deep, "plain": [1, {"b": 2}]}));
    trace.flatten();
    let text = serde_json::to_string(&json!({"record": {"output": {"trace": trace}}})).unwrap();
    let read: Value = serde_json::from_str(&text).unwrap();
    assert!(text.contains("end"));
    assert_eq!(read["record"]["output"]["trace"]["steps"][0]["tool"]["input"]["plain"], json!([1, {"b": 2}]));
}
