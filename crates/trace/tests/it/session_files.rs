//! Session files of agents, each against the figures of a script that reads them without our code.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::process::Command;

use eval_spec::call::{ToolCall, ToolStatus, Usage};
use eval_trace::sessions::{LineKind, SESSION_FORMATS, SessionEvent, SessionFormat, session_format};
use serde_json::{Value, json};

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

fn is_session(path: &str) -> bool {
    let folders = ["/transcripts/", "/rollouts/", "/sessions/", "/session-files/"];
    let is_other = path.ends_with(".meta.json") || path.ends_with("README.md");
    folders.iter().any(|folder| path.contains(folder)) && !is_other
}

/// All session files by their paths below the fixtures.
pub(crate) fn files() -> BTreeMap<String, Vec<u8>> {
    let root = tests().join("fixtures");
    let (mut open, mut found) = (vec![root.clone()], BTreeMap::new());
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
            match path.is_dir() {
                true => open.push(path),
                false if is_session(&format!("/{name}")) => _ = found.insert(name, std::fs::read(path).unwrap()),
                false => {}
            }
        }
    }
    found
}

pub(crate) fn format_of(name: &str, bytes: &[u8]) -> Option<&'static SessionFormat> {
    session_format(name, &String::from_utf8_lossy(bytes))
}

#[derive(Default)]
pub(crate) struct Read {
    pub(crate) events: Vec<SessionEvent>,
    unknown: u64,
    pub(crate) unreadable: u64,
}

pub(crate) fn read(format: &SessionFormat, bytes: &[u8]) -> Read {
    let (mut reader, mut read) = ((format.reader)(), Read::default());
    let text = String::from_utf8_lossy(bytes);
    let mut kinds: Vec<LineKind> = text.split('\n').map(|line| reader.line(line, &mut read.events)).collect();
    kinds.push(reader.end(&mut read.events));
    read.unknown = kinds.iter().filter(|kind| **kind == LineKind::Unknown).count() as u64;
    read.unreadable = kinds.iter().filter(|kind| **kind == LineKind::Unreadable).count() as u64;
    read
}

impl Read {
    fn prompts(&self) -> Vec<&str> {
        let prompts = self.events.iter().filter_map(|event| match event {
            SessionEvent::Prompt { text, .. } => Some(text.as_str()),
            _ => None,
        });
        prompts.collect()
    }

    /// Calls with their results.
    fn calls(&self) -> Vec<ToolCall> {
        let (mut calls, mut places) = (Vec::<ToolCall>::new(), HashMap::new());
        for event in &self.events {
            match event {
                SessionEvent::Call { call, .. } => {
                    places.insert(call.id.clone(), calls.len());
                    calls.push(call.clone());
                }
                SessionEvent::Result { call, output, status, .. } => {
                    let place: usize = places[call];
                    assert!(calls[place].output.is_none(), "a second result of {call}");
                    (calls[place].output, calls[place].status) = (Some(output.clone()), *status);
                }
                _ => {}
            }
        }
        calls
    }

    fn call(&self, id: &str) -> ToolCall {
        self.calls().into_iter().find(|call| call.id == id).unwrap_or_else(|| panic!("no call {id}"))
    }

    fn messages(&self) -> u64 {
        let pieces = self.events.iter().filter_map(|event| match event {
            SessionEvent::Message(piece) => Some(&piece.id),
            _ => None,
        });
        let (mut ids, mut count) = (std::collections::HashSet::new(), 0);
        pieces.for_each(|id| count += u64::from(id.as_ref().is_none_or(|id| ids.insert(id.clone()))));
        count
    }

    fn usage(&self) -> Usage {
        let mut by_id: HashMap<String, Usage> = HashMap::new();
        for (place, event) in self.events.iter().enumerate() {
            let SessionEvent::Message(piece) = event else { continue };
            if let Some(usage) = piece.usage {
                by_id.insert(piece.id.clone().unwrap_or_else(|| format!("#{place}")), usage);
            }
        }
        by_id.into_values().fold(Usage::default(), |sum, usage| sum + usage)
    }

    fn text(&self) -> String {
        let of = |event: &SessionEvent| {
            if let SessionEvent::Message(piece) = event { piece.text.clone() } else { String::new() }
        };
        self.events.iter().map(of).collect::<Vec<_>>().join("\n")
    }

    fn count(&self, of: fn(&SessionEvent) -> bool) -> u64 {
        self.events.iter().filter(|event| of(event)).count() as u64
    }

    pub(crate) fn figures(&self, format: &str) -> Value {
        let (calls, usage) = (self.calls(), self.usage());
        let ended = |status| calls.iter().filter(|call| call.status == Some(status)).count();
        let unknown = calls.iter().filter(|call| call.status.is_none() && call.output.is_some()).count();
        json!({
            "format": format,
            "prompts": self.prompts().len(),
            "messages": self.messages(),
            "calls": calls.len(),
            "ok": ended(ToolStatus::Ok),
            "failed": ended(ToolStatus::Failed),
            "noMatch": ended(ToolStatus::NoMatch),
            "notRun": ended(ToolStatus::NotRun),
            "untold": unknown,
            "tokens": [usage.input_tokens, usage.output_tokens, usage.cache_read_tokens, usage.cache_write_tokens],
            "skills": self.count(|event| matches!(event, SessionEvent::SkillLoaded { .. })),
            "unknown": self.unknown,
            "unreadable": self.unreadable,
        })
    }
}

fn expected() -> BTreeMap<String, Value> {
    let text = std::fs::read_to_string(tests().join("expected.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn every_session_file_has_the_figures_that_an_independent_script_counts() {
    let (files, expected) = (files(), expected());
    assert!(files.len() > 40, "{}", files.len());
    assert_eq!(files.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
    let mut wrong = Vec::new();
    for (name, bytes) in &files {
        let Some(format) = format_of(name, bytes) else { panic!("{name} is of no format") };
        let found = read(format, bytes).figures(format.name);
        if found != expected[name] {
            wrong.push(format!("{name}\n  found    {found}\n  expected {}", expected[name]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_expected_figures_are_what_the_script_prints() {
    let script = tests().join("count_sessions.py");
    let Ok(output) = Command::new("python3").arg(script).output() else {
        assert!(std::env::var_os("CI").is_none(), "python3 is missing");
        return;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed: BTreeMap<String, Value> = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(printed, expected());
}

#[test]
fn exactly_one_format_claims_each_session_file_and_none_any_other_file() {
    let claims = |name: &str, bytes: &[u8]| -> Vec<&str> {
        let head = String::from_utf8_lossy(bytes);
        let of = SESSION_FORMATS.iter().filter(|format| format.extensions.iter().any(|end| name.ends_with(end)));
        of.filter(|format| (format.is_one)(&head)).map(|format| format.name).collect()
    };
    let expected = expected();
    for (name, bytes) in files() {
        assert_eq!(claims(&name, &bytes), [expected[&name]["format"].as_str().unwrap()], "{name}");
    }
    let others: Vec<PathBuf> = ["tests/fixtures", "../../docs", "../../examples", ".."]
        .iter()
        .flat_map(|folder| below(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)))
        .filter(|path| !is_session(&path.to_str().unwrap().replace('\\', "/")))
        .collect();
    assert!(others.len() > 300, "{}", others.len());
    for path in others {
        let bytes = std::fs::read(&path).unwrap();
        let name = path.to_str().unwrap();
        // What agents print looks like their sessions.
        let name = name.strip_suffix(".stdout").map_or(name.to_owned(), |name| format!("{name}.jsonl"));
        assert_eq!(claims(&name, &bytes), [""; 0], "{name}");
    }
}

fn below(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { below(&path) } else { vec![path] }).collect()
}

fn of_file(name: &str) -> Read {
    let name = format!("session-files/{name}");
    let bytes = std::fs::read(tests().join("fixtures").join(&name)).unwrap();
    read(format_of(&name, &bytes).unwrap(), &bytes)
}

#[test]
fn prompts_are_what_the_user_wrote_and_nothing_else() {
    for (name, prompts) in [
        (
            "claude-sidechain.jsonl",
            vec!["Where are the prices kept?", "Look in the wiki, too", "Then write it down as unknown."],
        ),
        ("codex-bare.jsonl", vec!["Which port does the shop use?"]),
        ("codex-sums.jsonl", vec!["Use $port-finder", "So which port?"]),
        ("session-2025-11-02T10-00-0a1b2c3d.json", vec!["Who owns the billing page?", "See @notes.md"]),
        ("openclaw.jsonl", vec!["When does the shop close?", "Thanks"]),
        ("pi.jsonl", vec!["for Sunday"]),
        ("atif.json", vec!["Which tax rate applies?"]),
        ("atif.jsonl", vec!["Ask a helper.", "Hi"]),
        ("swe-agent.traj", vec!["Fix the price parser."]),
        ("mini.traj.json", vec!["Count the tests."]),
        ("otel-attributes.jsonl", vec!["What is the refund limit?", "Ask Bob."]),
        ("otel-events.json", vec!["Is it open?", "And on Monday?"]),
        ("otel-logs.jsonl", vec!["Who wrote this?"]),
        ("log-headings.md", vec!["Where is the return policy?", "Thanks."]),
        ("log-labels.md", vec!["Does the importer read TSV files?", "And CSV?"]),
        ("log-zh.md", vec!["退货期限是多少天？", "那就先记下来。"]),
        ("log-terminal.md", vec!["Which database does it use?"]),
        ("specstory.md", vec!["Which currency do invoices use?"]),
        ("specstory-older.md", vec!["Add a field for the tax number.", "Then make one."]),
    ] {
        assert_eq!(of_file(name).prompts(), prompts, "{name}");
    }
}

#[test]
fn texts_of_the_model_are_complete_and_there_once() {
    for (name, text) in [
        ("claude-sidechain.jsonl", "I ask a helper. There is no price table. The prices are [unknown]."),
        ("codex-sums.jsonl", "Now I change it. I could not find out."),
        ("session-2025-11-02T10-00-0a1b2c3d.json", "Let me search. I'm not sure who owns it."),
        ("openclaw.jsonl", "Hello. I don't know when it closes."),
        ("atif.json", "I look. 19 %."),
        ("otel-attributes.jsonl", "I could not find it. Bob says 50."),
        ("otel-events.json", "I do not know."),
        ("otel-logs.jsonl", "Nobody knows."),
        ("log-zh.md", "我先查一下。 文档里没有写，无法确认。 好的，已记为【未知】。"),
        ("log-labels.md", "I check. I'm not sure that it does. User: this is no label here. Yes."),
        ("log-terminal.md", "It doesn't say."),
        ("specstory.md", "I look it up. I need to verify which currency it is."),
        ("specstory-older.md", "I'll look for the form. There is no such form. Done."),
    ] {
        let found = of_file(name).text();
        assert_eq!(found.split_whitespace().collect::<Vec<_>>().join(" "), text, "{name}");
    }
}

#[test]
fn calls_have_name_input_output_and_end_as_the_file_shows_them() {
    let ended = |call: &ToolCall| call.output.as_ref().map(|output| output.text.trim().to_owned()).unwrap_or_default();
    for (name, id, tool, input, output, status) in [
        (
            "codex-bare.jsonl",
            "call_2",
            "shell",
            json!({"command": ["bash", "-lc", "cat config/port.txt"]}),
            "cat: config/port.txt: No such file or directory",
            Some(ToolStatus::Failed),
        ),
        (
            "codex-sums.jsonl",
            "call_b",
            "shell_command",
            json!({"command": "ls config"}),
            "shop.toml",
            Some(ToolStatus::Ok),
        ),
        (
            "codex-sums.jsonl",
            "call_c",
            "apply_patch",
            json!({"input": "*** Begin Patch\n*** End Patch"}),
            "patch rejected by user",
            Some(ToolStatus::NotRun),
        ),
        ("openclaw.jsonl", "oc2", "exec", json!({"command": "grep -n close hours.txt"}), "", Some(ToolStatus::NoMatch)),
        (
            "openclaw.jsonl",
            "oc5",
            "web_fetch",
            json!({"url": "https://example.org"}),
            "[openclaw] missing tool result in session history; inserted synthetic error result for transcript repair.",
            None,
        ),
        (
            "swe-agent.traj",
            "t1",
            "search_dir",
            json!({"search_term": "parse_price"}),
            "No matches found for \"parse_price\" in /repo",
            Some(ToolStatus::NoMatch),
        ),
        (
            "swe-agent.traj",
            "step-3",
            "bash",
            json!({"command": "vim src/main.py"}),
            "Operation 'vim src/main.py' is not supported by this environment.",
            Some(ToolStatus::NotRun),
        ),
        (
            "mini.traj.json",
            "step-2-0",
            "bash",
            json!({"command": "pytest"}),
            "pytest: not found",
            Some(ToolStatus::Failed),
        ),
        ("otel-events.json", "g1", "hours", json!({"day": "Sunday"}), "unknown day", None),
        (
            "log-headings.md",
            "call-1",
            "Grep",
            json!({"pattern": "return policy", "path": "docs"}),
            "No matches found",
            Some(ToolStatus::NoMatch),
        ),
        (
            "log-headings.md",
            "call-2",
            "Read",
            json!({"file_path": "docs/returns.md"}),
            "File does not exist.",
            Some(ToolStatus::Failed),
        ),
        ("log-labels.md", "call-1", "Bash", json!({"command": "grep -rn tsv src"}), "", Some(ToolStatus::NoMatch)),
        ("log-labels.md", "call-2", "Bash", json!({"command": "./import --help"}), "usage: import FILE", None),
        ("log-zh.md", "call-1", "Grep", json!({"pattern": "退货"}), "No matches found", Some(ToolStatus::NoMatch)),
        (
            "log-terminal.md",
            "call-1",
            "Bash",
            json!({"command": "rg -n \"postgres\" config"}),
            "Error: rg: config: No such file or directory\nin the shell",
            None,
        ),
        (
            "log-terminal.md",
            "call-2",
            "Search",
            json!({"pattern": "sqlite", "path": "src"}),
            "No matches found",
            Some(ToolStatus::NoMatch),
        ),
        (
            "log-terminal.md",
            "call-3",
            "Read",
            json!({"file_path": "README.md"}),
            "[Request interrupted by user for tool use]",
            Some(ToolStatus::NotRun),
        ),
        ("specstory.md", "call-1", "Bash", json!({"command": "grep -rn currency src"}), "", Some(ToolStatus::NoMatch)),
        (
            "specstory.md",
            "call-2",
            "Grep",
            json!({"path": "./docs", "pattern": "currency"}),
            "No matches found",
            Some(ToolStatus::NoMatch),
        ),
        (
            "specstory.md",
            "call-3",
            "Read",
            json!({"file_path": "./docs/log.md"}),
            "_**User (2026-06-01 07:00:00Z)**_\n\n```\n</details></tool-use>\n```",
            None,
        ),
        (
            "specstory.md",
            "call-4",
            "Task",
            json!({"description": "look", "prompt": "Look again."}),
            "nothing",
            Some(ToolStatus::Ok),
        ),
    ] {
        let call = of_file(name).call(id);
        assert_eq!((call.name.as_str(), &call.input), (tool, &input), "{name} {id}");
        assert_eq!((ended(&call).as_str(), call.status), (output, status), "{name} {id}");
    }
}

/// SpecStory's forms of Cursor's calls: April 2025, without a name; October 2025, the name above; 2026, within an element.
const CURSOR_IN_SPECSTORY: &str = r#"<!-- Generated by SpecStory -->

_**User**_

Who sends the letters?

---

_**Assistant**_

I'll look.

---

_****_

<details>
            <summary>Grep search for "sendLetter" • **0** files</summary>
        
No results found
</details>

---

<details>
            <summary>Searched codebase "who sends letters" • **2** results</summary>
        
| File | Lines |
|------|-------|
| `src/mail.ts` | L1-23 |

</details>

---

Tool use: **grep**

<details>
<summary>Grep for "^letter$" in ".gitignore" • 0 matches</summary>

Output mode: content


_No matches found_

</details>

---

Tool use: **read_file**

Read file: docs/mail.md

---

Tool use: **run_terminal_cmd**

```bash
git status
```

---

<tool-use data-tool-type="search" data-tool-name="grep">
<details>
<summary>Tool use: **grep** • Grep for "letter" in "src" • 1 match</summary>

Output mode: files_with_matches


| File |
|------|
| `src/mail.ts` |

</details>
</tool-use>

<tool-use data-tool-type="generic" data-tool-name="glob_file_search">
<details>
<summary>Tool use: **glob_file_search** • Searched codebase "**/letter*.ts" • **0** result in **1** directory</summary>

Directory: **/repo** (0 file)


</details>
</tool-use>

<tool-use data-tool-type="search" data-tool-name="grep">
<details>
<summary>Tool use: **grep** • Grep for "unsent" in "src" • 0 matches</summary>

Output mode: count


</details>
</tool-use>

<tool-use data-tool-type="search" data-tool-name="copilot_searchCodebase">
<details>
<summary>Tool use: **copilot_searchCodebase** • Searching codebase for "letters by day"</summary>

No results found
</details>
</tool-use>

The mailer does.
"#;

#[test]
fn calls_of_cursor_in_each_form_of_specstory_are_calls_and_no_words_of_the_agent() {
    let read = read(format_of("cursor.md", CURSOR_IN_SPECSTORY.as_bytes()).unwrap(), CURSOR_IN_SPECSTORY.as_bytes());
    let calls = read.calls();
    let shown: Vec<_> = calls
        .iter()
        .map(|call| {
            let output = call.output.as_ref().map(|output| output.text.trim().lines().next().unwrap_or_default());
            (call.name.as_str(), call.input.clone(), output, call.status)
        })
        .collect();
    let none = Some(ToolStatus::NoMatch);
    let expected = [
        ("grep_search", json!({"pattern": "sendLetter"}), Some("No results found"), none),
        ("codebase_search", json!({"query": "who sends letters"}), Some("| File | Lines |"), None),
        ("grep", json!({"pattern": "^letter$", "path": ".gitignore"}), Some("No results found"), none),
        ("read_file", json!({"file_path": "docs/mail.md"}), None, None),
        ("run_terminal_cmd", json!({"command": "git status"}), None, None),
        ("grep", json!({"pattern": "letter", "path": "src"}), Some("| File |"), None),
        ("glob_file_search", json!({"query": "**/letter*.ts"}), Some("No results found"), none),
        ("grep", json!({"pattern": "unsent", "path": "src"}), Some("No results found"), none),
        ("copilot_searchCodebase", json!({"query": "letters by day"}), Some("No results found"), none),
    ];
    assert_eq!(shown.len(), expected.len(), "{shown:#?}");
    for (shown, expected) in shown.iter().zip(&expected) {
        assert_eq!(shown, expected);
    }
    let words = read.text().replace("---", "");
    assert_eq!(words.split_whitespace().collect::<Vec<_>>().join(" "), "I'll look. The mailer does.");
}

#[test]
fn what_sub_agents_do_is_below_the_call_that_started_each() {
    for (name, id, parent) in [
        ("claude-sidechain.jsonl", "toolu_s1", Some("toolu_t1")),
        ("claude-sidechain.jsonl", "toolu_r1", None),
        ("atif.jsonl", "c", Some("a")),
        ("atif.jsonl", "a", None),
        ("specstory.md", "call-5", Some("call-4")),
        ("specstory.md", "call-4", None),
    ] {
        assert_eq!(of_file(name).call(id).parent.as_deref(), parent, "{name} {id}");
    }
    let said = of_file("claude-sidechain.jsonl").events.into_iter().find_map(|event| match event {
        SessionEvent::Message(piece) if piece.id.as_deref() == Some("msg_s2") => piece.parent,
        _ => None,
    });
    assert_eq!(said.as_deref(), Some("toolu_t1"));
}

#[test]
fn sessions_tell_where_and_by_which_version_they_were_made() {
    let last = |name: &str| {
        let infos = of_file(name).events.into_iter().rev();
        let info = infos
            .filter_map(|event| if let SessionEvent::Info(info) = event { Some(info) } else { None })
            .next()
            .unwrap();
        [info.id, info.cwd, info.version, info.sub_agent].map(|of| of.unwrap_or_else(|| "-".to_owned())).join(" ")
    };
    for (name, info) in [
        ("claude-sidechain.jsonl", "5d7c1c0a-0000-4000-8000-000000000001 /home/dev/shop 1.0.88 -"),
        ("codex-sums.jsonl", "0c0ffee0-0000-4000-8000-000000000003 /home/dev/shop 0.80.0 -"),
        ("openclaw.jsonl", "0b0b0b0b-0000-4000-8000-000000000005 /home/dev/.openclaw/workspace - -"),
        ("specstory.md", "0d0d0d0d-0000-4000-8000-000000000007 - - -"),
        ("otel-attributes.jsonl", "conv-1 - 3 -"),
        (
            "../gemini-0.61.0/sessions/sub-agent.stream-json.below.jsonl",
            "f34fb522-5f4b-40d6-925f-2104a85a75cc /tmp/demo/project - f34fb522-5f4b-40d6-925f-2104a85a75cc",
        ),
        (
            "../codex-0.169.0/rollouts/sub-agents.jsonl-rollout-2026-11-24T07-01-13-01a20c5b-d0cd-7483-9b1c-3bf8dbedd282.jsonl",
            "01a20c5b-d063-7bf2-a0ef-02e9fc0b1b7d /tmp/demo/project 0.169.0 01a20c5b-d0cd-7483-9b1c-3bf8dbedd282",
        ),
        (
            "../claude-2.1.330/transcripts/subagent.d/subagents/agent-a1b2f07e78f89a85e.jsonl",
            "- /home/dev/demo-project 2.1.330 a1b2f07e78f89a85e",
        ),
    ] {
        let found = last(name);
        let found = if info.starts_with("- ") { format!("- {}", found.split_once(' ').unwrap().1) } else { found };
        assert_eq!(found, info, "{name}");
    }
}

#[test]
fn breaks_and_compactions_and_skills_are_told() {
    for (name, interrupted, compacted, skill) in [
        ("claude-sidechain.jsonl", 1, 2, None),
        ("codex-sums.jsonl", 1, 1, Some("port-finder")),
        ("openclaw.jsonl", 1, 1, Some("hours")),
        ("session-2025-11-02T10-00-0a1b2c3d.json", 1, 0, Some("owners")),
        ("pi.jsonl", 0, 0, Some("hours")),
    ] {
        let read = of_file(name);
        let counts = (
            read.count(|event| matches!(event, SessionEvent::Interrupted)),
            read.count(|event| matches!(event, SessionEvent::Compacted)),
        );
        assert_eq!(counts, (interrupted, compacted), "{name}");
        let loaded = read.events.iter().find_map(|event| match event {
            SessionEvent::SkillLoaded { name, .. } => Some(name.as_str()),
            _ => None,
        });
        assert_eq!(loaded, skill, "{name}");
    }
    let offered = of_file("codex-sums.jsonl").events.into_iter().find_map(|event| match event {
        SessionEvent::SkillsOffered(names) => Some(names),
        _ => None,
    });
    assert_eq!(offered.unwrap(), ["port-finder", "shipping"]);
}

fn of_claude(records: &[Value]) -> Read {
    let text = records.iter().map(Value::to_string).collect::<Vec<_>>().join("\n");
    let format = format_of("session.jsonl", text.as_bytes()).unwrap();
    assert_eq!(format.name, "claude-session");
    read(format, text.as_bytes())
}

fn claude_record(kind: &str, id: &str, session: &str, content: Value) -> Value {
    json!({"parentUuid": null, "type": kind, "uuid": id, "sessionId": session, "isSidechain": false,
        "message": {"id": format!("msg_{id}"), "role": kind, "content": content}})
}

#[test]
fn forked_session_has_its_own_id_and_the_ids_of_what_was_copied() {
    let read = of_claude(&[
        claude_record("user", "u1", "first", json!("Hello?")),
        claude_record("user", "u2", "second", json!([{"type": "text", "text": "And now?"}])),
    ]);
    let last = read.events.iter().rev().find_map(|event| match event {
        SessionEvent::Info(info) => info.id.clone(),
        _ => None,
    });
    assert_eq!(last.as_deref(), Some("second"));
    let ids = read.events.iter().filter_map(|event| match event {
        SessionEvent::Prompt { id, .. } => id.as_deref(),
        _ => None,
    });
    assert_eq!(ids.collect::<Vec<_>>(), ["u1", "u2"]);
}

#[test]
fn sub_agent_whose_start_is_not_in_the_file_is_no_answer_of_the_agent() {
    let side = |kind, id, parent: &str, content| {
        let mut record = claude_record(kind, id, "s", content);
        (record["isSidechain"], record["parentUuid"]) = (json!(true), json!(parent));
        record
    };
    let read = of_claude(&[
        claude_record("user", "u1", "s", json!("Hello?")),
        side("user", "u2", "", json!("A task from before.")),
        side("assistant", "u3", "u2", json!([{"type": "tool_use", "id": "t", "name": "Read", "input": {}}])),
    ]);
    assert_eq!(read.prompts(), ["Hello?"]);
    assert_eq!(read.call("t").parent.as_deref(), Some("u2"));
}

#[test]
fn refusals_of_older_versions_are_calls_that_were_not_run() {
    for (text, status) in [
        ("The user doesn't want to take this action right now. STOP", ToolStatus::NotRun),
        ("<tool_use_error>Sibling tool call errored</tool_use_error>", ToolStatus::NotRun),
        ("PreToolUse:Bash hook error: no", ToolStatus::NotRun),
        ("Permission to use Bash has been denied.", ToolStatus::NotRun),
        ("Exit code 1", ToolStatus::Failed),
    ] {
        let read = of_claude(&[
            claude_record(
                "assistant",
                "u1",
                "s",
                json!([{"type": "tool_use", "id": "t", "name": "Bash", "input": {}}]),
            ),
            claude_record(
                "user",
                "u2",
                "s",
                json!([{"type": "tool_result", "tool_use_id": "t", "content": text, "is_error": true}]),
            ),
        ]);
        assert_eq!(read.call("t").status, Some(status), "{text}");
    }
}

#[test]
fn formats_have_names_of_their_own_and_rows_in_both_guides() {
    let names: std::collections::BTreeSet<&str> = SESSION_FORMATS.iter().map(|format| format.name).collect();
    assert_eq!(names.len(), SESSION_FORMATS.len());
    for lang in ["en", "zh"] {
        let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../docs/{lang}/observe.md"));
        let guide = std::fs::read_to_string(guide).unwrap();
        let lacks: Vec<_> = names.iter().filter(|name| !guide.contains(&format!("\n| `{name}` |"))).collect();
        assert!(lacks.is_empty(), "docs/{lang}/observe.md lacks {lacks:?}");
    }
    assert!(SESSION_FORMATS.iter().all(|format| !format.source.is_empty() && !format.extensions.is_empty()));
}

/// The ends of the calls of a session file, in order.
fn ends(name: &str) -> Vec<ToolStatus> {
    let bytes = std::fs::read(tests().join("fixtures/session-files").join(name)).unwrap();
    let calls = read(format_of("a.jsonl", &bytes).unwrap(), &bytes).calls();
    calls.iter().map(|call| call.status.unwrap()).collect()
}

#[test]
fn each_mode_of_a_search_counts_its_own_hits() {
    use ToolStatus::{Failed, NoMatch, Ok};
    let by_mode = [Ok, NoMatch, Ok, NoMatch, Ok, NoMatch];
    // Glob; a hit whose text says "No matches found", and a page behind the last hit; a shell; a file.
    let others = [Ok, NoMatch, Ok, Ok, Ok, NoMatch, Ok, Ok, Failed];
    assert_eq!(ends("claude-search-modes.jsonl"), [&by_mode[..], &others[..]].concat());
    assert_eq!(ends("claude-older-bash.jsonl"), [NoMatch]);
    let grep = [Ok, NoMatch, Ok, NoMatch, NoMatch];
    let others = [Ok, NoMatch, Ok, Ok, Failed, Ok, Failed, Failed, Failed];
    let shell = [Ok, NoMatch, Ok];
    let found = ends("gemini-search-tools.jsonl");
    assert_eq!(found[..14], [&grep[..], &others[..]].concat());
    assert_eq!(found[14..], shell);
}

#[test]
fn gemini_session_without_its_first_line_is_known_by_its_messages() {
    let whole = files().remove("gemini-0.61.0/sessions/success.stream-json.jsonl").unwrap();
    let start = whole.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    let rest = &whole[start..];
    let format = format_of("session-2026-11-21T21-33-50457cdf.jsonl", rest).expect("a known format");
    assert_eq!(format.name, "gemini-session");
    let is_info = |event: &SessionEvent| matches!(event, SessionEvent::Info(_));
    let events =
        |bytes: &[u8]| read(format, bytes).events.into_iter().filter(|event| !is_info(event)).collect::<Vec<_>>();
    assert_eq!(events(rest), events(&whole));
    assert!(format_of("s.jsonl", b"{\"id\": \"1\", \"type\": \"user\", \"content\": \"hi\"}\n").is_none());
}
