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
        ("exec_command", json!({"cmd": "rg -n '' ~/.agents/skills/v2/SKILL.md"})),
        ("shell", json!({"command": ["rg", "-tmd", "", "skills/v2/SKILL.md"]})),
        ("Bash", json!({"command": "/usr/bin/rg --no-heading -e . ~/skills/v2/SKILL.md | head"})),
        ("Bash", json!({"command": "cat ~/.claude/skills/v2/SKILL.md"})),
        ("run_shell_command", json!({"command": format!("egrep . {path}")})),
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
        ("Bash", json!({"command": "rg -l polite ~/skills/v2/SKILL.md"})),
        ("Bash", json!({"command": format!("grep -c . {path}")})),
        ("Bash", json!({"command": format!("rg --files-with-matches x {path}")})),
        ("Bash", json!({"command": "rg skills/v2/SKILL.md notes"})),
    ] {
        assert!(!trace(name, input.clone()).has_loaded("v2"), "{name} {input}");
    }
}

/// How agents without a tool for skills open them: the command names no path that says so, its output does.
#[test]
fn skill_is_loaded_where_the_output_shows_it() {
    let shown = |text: &str, is_error: bool| {
        let mut trace = trace("exec_command", json!({"cmd": "cd skills && for f in */S*; do cat $f; done"}));
        let Step::Tool(call) = &mut trace.steps[0] else { unreachable!() };
        call.output = Some(ToolOutput { text: text.to_owned(), is_error, ..ToolOutput::default() });
        trace
    };
    let file = "---\nname: v2\ndescription: d\n---\n\n# Rules\n---\nAnswer politely.\n";
    for text in [file.to_owned(), format!("==> a <==\n---\nname: v1\n---\nx\n{file}"), file.replace("v2", "\"v2\"")] {
        assert!(shown(&text, false).has_loaded("v2"), "{text}");
        assert!(shown(&text, true).has_loaded("v2"), "a later command failed: {text}");
        assert!(!shown(&text, false).has_loaded("v3"), "{text}");
    }
    let numbered: String = file.lines().zip(1..).map(|(line, at)| format!("{at:>6}\t{line}\n")).collect();
    assert!(shown(&numbered, false).has_loaded("v2"));
    let searched = |file: &str, lines: &[&str]| -> String {
        lines.iter().zip(1..).map(|(line, number)| format!("{file}:{number}:{line}\n")).collect()
    };
    let all: Vec<&str> = file.lines().collect();
    assert!(shown(&(searched("a/n.md", &["x"]) + &searched("a/SKILL.md", &all)), false).has_loaded("v2"));
    let fronts = searched("a/SKILL.md", &all[..4]) + &searched("b/SKILL.md", &["---", "name: v1", "---", "x"]);
    assert!(!shown(&fronts, false).has_loaded("v2"), "the next file's text: {fronts}");
    assert!(shown("---\nname: v2\n---\nREADME.md: how it is used.\n", false).has_loaded("v2"));
    // A list of skills, a count, and the front matter alone.
    for text in
        ["./v2/SKILL.md:name: v2\n", "v2\n", "---\nname: v2\ndescription: d\n---\n\n==> b <==\n", "name: v2\n---\nx\n"]
    {
        assert!(!shown(text, false).has_loaded("v2"), "{text}");
    }
    let text = "First rule of the artifact.\nSecond rule of the artifact.\nThird rule of the artifact.\nFourth rule of it all.\n";
    let part: String = text.lines().skip(1).map(|line| format!("{line}\n")).collect();
    assert!(shown(&part, false).has_shown(text));
    assert!(shown(&part.replace("\n", "\nskills/v2/SKILL.md:12:"), false).has_shown(text));
    assert!(!shown("Second rule of the artifact.\n", false).has_shown(text));
    assert!(!shown("ok\nyes\n", false).has_shown("ok\n"), "too short to tell where it comes from");
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
