//! What the words of a tool are about: the search, or the name of what was looked for.

use eval_gaps::{AssistantTurn, Conversation, SIGNALS};
use eval_spec::call::{ToolCall, ToolOutput, ToolStatus};
use eval_spec::gap::SignalKind;
use serde_json::json;

/// What a call is, and how it ended.
struct Call<'a> {
    name: &'a str,
    input: serde_json::Value,
    output: &'a str,
    code: Option<i64>,
    status: ToolStatus,
}

/// How many failed searches are in calls that are made one after the other.
fn count(prompt: &str, calls: &[Call<'_>]) -> usize {
    let turn = |(number, call): (u32, &Call<'_>)| {
        let is_error = call.status == ToolStatus::Failed;
        let output = ToolOutput { text: call.output.to_owned(), is_error, note: None, exit_code: call.code };
        let call = ToolCall {
            id: number.to_string(),
            name: call.name.to_owned(),
            input: call.input.clone(),
            output: Some(output),
            status: Some(call.status),
            ..ToolCall::default()
        };
        AssistantTurn { number, calls: vec![call], ..AssistantTurn::default() }
    };
    let turns = (1..).zip(calls).map(turn).collect();
    let conversation = Conversation { prompts: vec![prompt.to_owned()], turns, ..Conversation::default() };
    let detector = SIGNALS.iter().find(|detector| detector.kind == SignalKind::FailedSearch).unwrap();
    (detector.detect)(&conversation).len()
}

fn failed_searches(name: &str, input: serde_json::Value, output: &str) -> usize {
    count("", &[Call { name, input, output, code: None, status: ToolStatus::Failed }])
}

fn line<'a>(command: &str, output: &'a str, code: i64) -> Call<'a> {
    let status = if code == 0 { ToolStatus::Ok } else { ToolStatus::Failed };
    Call { name: "Bash", input: json!({"command": command}), output, code: Some(code), status }
}

/// Checks lines of a shell: the line, its output, its exit code, and whether it is a failed search.
fn check(lines: &[(&str, &str, i64, bool)]) {
    for (command, output, code, is_failed) in lines {
        assert_eq!(count("", &[line(command, output, *code)]), usize::from(*is_failed), "{command}");
    }
}

#[test]
fn search_that_found_nothing_is_a_failed_search_and_one_that_found_is_none() {
    use ToolStatus::{Failed, Ok};
    let (grep, read) = (json!({"pattern": "revenue"}), json!({"file_path": "docs/guess.md"}));
    for (name, input, output, status, expected) in [
        ("Grep", &grep, "", Ok, 1),
        ("Grep", &grep, "No matches found", Ok, 1),
        ("Grep", &grep, "", Failed, 1),
        ("Grep", &grep, "docs/a.md:1:revenue", Ok, 0),
        ("Read", &read, "File does not exist.", Failed, 1),
        ("Read", &read, "text", Ok, 0),
    ] {
        let call = Call { name, input: input.clone(), output, code: None, status };
        assert_eq!(count("", &[call]), expected, "{name} {output} {status:?}");
    }
    check(&[
        ("grep -rn revenue docs", "", 1, true),
        ("rg revenue", "", 1, true),
        ("find . -name 'revenue*'", "", 0, true),
        ("grep -rn revenue docs", "docs/a.md:1:revenue", 0, false),
        ("make", "", 1, false),
        ("git commit -m 'fix grep'", "", 1, false),
    ]);
}

#[test]
fn file_that_the_user_gave_is_no_path_of_the_agents_own() {
    let read = |path: &str| Call {
        name: "Read",
        input: json!({"file_path": path}),
        output: "File does not exist.",
        code: None,
        status: ToolStatus::Failed,
    };
    for (prompt, path, expected) in [
        ("Read docs/plan.md and sum it up.", "docs/plan.md", 0),
        ("Read docs/plan.md and sum it up.", "/w/project/docs/plan.md", 0),
        ("Read the plan.", "docs/plan.md", 1),
        ("Read docs/plan.md and sum it up.", "docs/other.md", 1),
    ] {
        assert_eq!(count(prompt, &[read(path)]), expected, "{prompt} {path}");
    }
}

#[test]
fn text_that_a_line_has_itself_is_filtered_and_not_searched() {
    check(&[
        ("echo \"$PATH\" | grep cargo", "", 1, false),
        ("printf '%s' \"$out\" 2>&1 | grep -c error", "0", 1, false),
        ("grep foo <<< \"$out\"", "", 1, false),
        ("grep foo <<EOF\nbar\nEOF", "", 1, false),
        ("grep foo < notes.md", "", 1, true),
    ]);
}

#[test]
fn exit_code_belongs_to_what_it_is_of() {
    check(&[
        ("! grep -q console.log a.js", "", 0, true),
        ("! grep -q console.log a.js", "", 1, false),
        ("! grep -q console.log a.js && echo clean", "clean", 0, true),
        ("! grep -q console.log a.js || echo dirty", "dirty", 0, false),
        ("if ! grep -q dist .gitignore; then echo dist >> .gitignore; fi", "", 0, false),
        ("grep -n foo a.c; npm test; echo rc=$?", "3: foo\nrc=1", 0, false),
        ("npm test; grep -q foo a.c; echo rc=$?", "rc=1", 0, true),
    ]);
}

#[test]
fn search_behind_a_test_that_does_not_hold_was_not_run() {
    check(&[
        ("[ -f a.md ] && cat a.md", "", 1, false),
        ("test -d docs && ls docs || echo missing", "missing", 0, false),
        ("[[ -e a.md ]] && grep -n foo a.md", "", 1, false),
        ("if [ -d docs ]; then ls docs; fi", "", 0, false),
        ("[ -f a.md ] && cat a.md; grep -rn foo .", "", 1, true),
    ]);
}

#[test]
fn what_a_variable_caught_is_seen_where_it_is_printed() {
    check(&[
        ("v=$(grep '^pinned' a.toml | cut -d= -f2); echo \"pinned=[$v]\"", "pinned=[]", 0, true),
        ("v=$(grep '^pinned' a.toml | cut -d= -f2); echo \"pinned=[$v]\"", "pinned=[3]", 0, false),
        ("v=\"$(grep -h pinned a.toml)\"; echo \"${v:-none}\"", "none", 0, true),
        ("v=$(grep -h pinned a.toml); docker build -t x:$v .", "", 0, false),
    ]);
}

#[test]
fn only_programs_of_the_line_complain() {
    check(&[
        ("tail -1 err.log", "cat: x: No such file or directory", 0, false),
        (
            "python run.py && cat out.txt",
            "python: can't open file 'run.py': [Errno 2] No such file or directory",
            2,
            false,
        ),
        ("cd legacy && grep -rn foo .", "bash: cd: legacy: No such file or directory", 1, true),
        ("cat de.md", "cat: de.md: Datei oder Verzeichnis nicht gefunden", 1, true),
        ("cat de.md", "cat: de.md: Input/output error", 1, false),
    ]);
}

#[test]
fn what_is_printed_beside_a_search_is_no_find() {
    check(&[
        ("time rg -n foo src", "\nreal\t0m0.021s\nuser\t0m0.010s\nsys\t0m0.008s", 1, true),
        ("rg --json foo src", "{\"data\":{\"stats\":{\"matches\":0}},\"type\":\"summary\"}", 1, true),
        ("rg --json foo src", "{\"type\":\"match\",\"data\":{}}", 0, false),
        ("cat a.md | wc -l", "0", 0, false),
        ("grep -rn foo . | wc -l", "0", 0, true),
        ("git ls-files --others --exclude-standard", "", 0, false),
        ("git ls-files '*.proto'", "", 0, true),
    ]);
}

#[test]
fn place_that_the_user_named_is_no_guess() {
    let absent = "No such file or directory";
    let ls = format!("ls: cannot access 'packages/old': {absent}");
    let both = format!("a.md\ncat: docs/b.md: {absent}");
    let page = || json!({"url": "https://docs.example.org/v3/pool.html"});
    let fetch = || Call {
        name: "WebFetch",
        input: page(),
        output: "Request failed with status code 404",
        code: None,
        status: ToolStatus::Failed,
    };
    for (prompt, call, expected) in [
        ("What's in packages/old?", line("ls packages/old", &ls, 2), 0),
        ("What's in there?", line("ls packages/old", &ls, 2), 1),
        ("Read docs/b.md", line("ls docs; cat docs/b.md", &both, 1), 0),
        ("Read docs/c.md", line("ls docs; cat docs/b.md", &both, 1), 1),
        ("Look at https://docs.example.org/v3/pool.html", fetch(), 0),
        ("Look at docs.example.org", fetch(), 1),
    ] {
        assert_eq!(count(prompt, &[call]), expected, "{prompt}");
    }
}

#[test]
fn near_identical_searches_are_one() {
    let grep = |pattern: &str| Call {
        name: "Grep",
        input: json!({"pattern": pattern}),
        output: "No matches found",
        code: None,
        status: ToolStatus::Ok,
    };
    for (a, b, expected) in [
        ("timeout", "time_out", 1),
        ("quota", r"\bquota\b", 1),
        ("deploy_guide", "deployment guide", 1),
        ("handleLogin", "handleLogout", 2),
        ("tariff", "discount", 2),
    ] {
        assert_eq!(count("", &[grep(a), grep(b)]), expected, "{a} {b}");
    }
    let found = Call { output: "docs/a.md:1:quota", ..grep("timeout") };
    assert_eq!(count("", &[grep("quota"), found, grep("quota")]), 2, "only one after the other");
}

#[test]
fn failure_that_tells_nothing_of_finding_is_no_failed_search() {
    for text in
        ["spawn E2BIG", "Error: no such tool available: Grep", "Error: EACCES: permission denied, scandir '/root'"]
    {
        assert_eq!(failed_searches("Grep", json!({"pattern": "x"}), text), 0, "{text}");
    }
    for text in ["", "Error: No matches found", "<tool_use_error>Path does not exist: /w/docs</tool_use_error>"] {
        assert_eq!(failed_searches("Grep", json!({"pattern": "x"}), text), 1, "{text}");
    }
}

#[test]
fn missing_file_is_missing_whatever_its_name_says() {
    for name in ["password.md", "encoding.md", "binary.md", "offset.md", "quota.md", "404.html", "timeout.md"] {
        let path = format!("docs/{name}");
        let missing = format!("File does not exist: {path}");
        assert_eq!(failed_searches("Read", json!({"file_path": path}), &missing), 1, "{name}");
    }
    let too_long = "The file has 20 lines, which is shorter than the provided offset (40).";
    assert_eq!(failed_searches("Read", json!({"file_path": "docs/a.md"}), too_long), 0);
}

#[test]
fn command_that_failed_without_a_word_found_nothing() {
    assert_eq!(failed_searches("Bash", json!({"command": "grep -rn revenue docs"}), ""), 1);
}
