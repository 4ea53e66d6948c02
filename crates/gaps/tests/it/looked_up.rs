//! Which files calls of tools meet, how, and in which lines.

use std::path::{Path, PathBuf};

use eval_gaps::{AssistantTurn, Conversation, KnowledgeConcern, KnowledgeFiles, SearchedPlaces, looked_up};
use eval_spec::call::{ToolCall, ToolOutput};
use eval_spec::gap::GapClass;
use eval_spec::knowledge::{KnowledgeBase, KnowledgeFile};
use serde_json::{Value, json};

fn call(name: &str, input: &Value, output: &str) -> ToolCall {
    let output = ToolOutput { text: output.to_owned(), ..ToolOutput::default() };
    ToolCall { name: name.to_owned(), input: input.clone(), output: Some(output), ..ToolCall::default() }
}

fn conversation(call: ToolCall) -> Conversation {
    let turn = AssistantTurn { number: 1, calls: vec![call], ..AssistantTurn::default() };
    Conversation { turns: vec![turn], ..Conversation::default() }
}

/// `read docs/a.md 1-40`, one for each path.
fn met(name: &str, input: &Value, output: &str) -> Vec<String> {
    let accesses = looked_up(&conversation(call(name, input, output))).paths;
    let line = |end: Option<u64>| end.map_or_else(String::new, |line| line.to_string());
    let shown = accesses.iter().map(|of| {
        let lines = of.lines.map(|lines| format!(" {}-{}", lines.first, line(lines.last))).unwrap_or_default();
        format!("{:?} {}{lines}", of.kind, of.path).to_lowercase()
    });
    shown.collect()
}

#[test]
fn reading_tools_name_the_file_and_the_lines_that_they_ask_for() {
    let read = |input| met("Read", &input, "1\ttext");
    assert_eq!(read(json!({"file_path": "/p/docs/a.md"})), ["read /p/docs/a.md"]);
    assert_eq!(read(json!({"file_path": "a.md", "offset": 20, "limit": 10})), ["read a.md 20-29"]);
    assert_eq!(read(json!({"file_path": "a.md", "offset": 20})), ["read a.md 20-"]);
    let end = u64::MAX;
    let whole = format!("read a.md {end}-{end}");
    assert_eq!(
        read(json!({"file_path": "a.md", "offset": end, "limit": end})),
        [whole.as_str()],
        "an agent may write any number"
    );
    assert_eq!(read(json!({"file_path": "a.md", "limit": 5})), ["read a.md 1-5"]);
    assert_eq!(met("view", &json!({"path": "a.md", "view_range": [3, 9]}), "text"), ["read a.md 3-9"]);
    let several = json!({"paths": ["docs/a.md", "docs/b c.md"]});
    assert_eq!(met("read_many_files", &several, "text"), ["read docs/a.md", "read docs/b c.md"]);
    let lines = json!({"absolute_path": "/p/a.md", "start_line": 2, "end_line": 4});
    assert_eq!(met("read_file", &lines, "text"), ["read /p/a.md 2-4"]);
}

#[test]
fn searches_name_the_files_whose_lines_they_show() {
    let grep = |output| met("Grep", &json!({"pattern": "x"}), output);
    assert_eq!(grep("docs/a.md:12:an x\ndocs/b-2.md-13-near"), ["match docs/a.md 12-12", "match docs/b-2.md 13-13"]);
    assert_eq!(grep("Found 2 files\ndocs/a.md\ndocs/b.md")[1..], ["match docs/a.md", "match docs/b.md"]);
    assert_eq!(grep("docs/a.md\n12:an x\n14:x"), ["match docs/a.md", "match docs/a.md 12-12", "match docs/a.md 14-14"]);
    let alone = met("Grep", &json!({"pattern": "x", "path": "docs/a.md"}), "7:an x");
    assert_eq!(alone, ["match docs/a.md 7-7"]);
}

/// As Gemini CLI 0.61.0 writes them.
#[test]
fn hits_and_listings_of_gemini_name_their_files() {
    let hits = "Found 1 match for pattern \"x\" in path \"docs\":\n---\nFile: a.md\nL3: an x\nL4- \n---";
    let grep = |input| met("grep_search", &input, hits);
    let of_file = |all: Vec<String>, file: &str| all.iter().filter(|of| of.contains(file)).cloned().collect::<Vec<_>>();
    assert_eq!(
        of_file(grep(json!({"pattern": "x", "dir_path": "docs"})), "a.md"),
        ["match docs/a.md 3-3", "match docs/a.md 4-4"]
    );
    assert_eq!(of_file(grep(json!({"pattern": "x"})), "a.md"), ["match a.md 3-3", "match a.md 4-4"]);
    let listing = "Directory listing for /w/docs:\n[DIR] deep\na.md (34 bytes)";
    let listed = met("list_directory", &json!({"dir_path": "docs"}), listing);
    assert_eq!(listed, ["list /w/docs/deep", "list /w/docs/a.md"]);
}

#[test]
fn lines_of_a_shell_are_read_command_by_command() {
    let bash = |command: &str, output: &str| met("Bash", &json!({"command": command}), output);
    assert_eq!(bash("cd docs && cat a.md ../b.md", "text"), ["read docs/a.md", "read docs/../b.md"]);
    assert_eq!(bash("sed -n '10,20p' docs/a.md", "text"), ["read docs/a.md 10-20"]);
    assert_eq!(bash("head -n 30 docs/a.md", "text"), ["read docs/a.md 1-30"]);
    assert_eq!(bash("cat docs/*.md", "text"), ["read docs/*.md"]);
    assert_eq!(bash("rg -n revenue docs", "docs/a.md:3:revenue"), ["match docs/a.md 3-3"]);
    assert!(bash("grep -n revenue docs/a.md", "3:revenue").contains(&"match docs/a.md 3-3".to_owned()));
    assert_eq!(bash("ls docs", "a.md\nb.md"), ["list docs/a.md", "list docs/b.md"]);
    assert_eq!(bash("find docs -name '*.md'", "docs/a.md"), ["list docs/a.md"]);
    assert!(bash("cat docs/a.md > copy.md", "").is_empty(), "the agent saw nothing of it");
    assert!(bash("make && ./deploy docs/a.md", "done").is_empty(), "nothing was looked up");
}

#[test]
fn what_was_not_found_or_was_answered_by_a_mock_is_no_access() {
    let missing = met("Read", &json!({"file_path": "docs/a.md"}), "File does not exist.");
    assert_eq!(missing, [""; 0]);
    let mut mocked = call("Read", &json!({"file_path": "docs/a.md"}), "text");
    mocked.mock = Some(0);
    assert_eq!(looked_up(&conversation(mocked)).searches, 0);
    assert_eq!(
        looked_up(&conversation(call("Read", &json!({"file_path": "docs/a.md"}), "File does not exist."))).searches,
        1
    );
}

#[test]
fn search_in_the_folder_of_a_skill_is_one_in_its_knowledge() {
    let mut files = KnowledgeFiles::default();
    files.add_elsewhere("tables/references/schema.md", None, String::new());
    let concern = |path: &str| {
        let places = SearchedPlaces::Paths(vec![path.to_owned()]);
        files.concern(&places, GapClass::Code, Path::new("/project"), None)
    };
    for path in [
        ".claude/skills/tables/references",
        "/tmp/copy/.agents/skills/tables",
        ".gemini/skills/tables/references/missing.md",
    ] {
        assert_eq!(concern(path), KnowledgeConcern::In, "{path}");
    }
    for path in ["src/tables", ".claude/skills", ".claude/skills/other/references"] {
        assert_eq!(concern(path), KnowledgeConcern::None, "{path}");
    }
}

/// A shell's `~` is the home that the knowledge base is in, on whatever machine that was.
#[test]
fn paths_below_the_home_are_those_of_the_knowledge_base() {
    let path = PathBuf::from("/home/ann/notes/a.md");
    let file = KnowledgeFile { name: "notes/a.md".to_owned(), path, hash: None };
    let files = KnowledgeFiles::new(&KnowledgeBase {
        cwd: PathBuf::from("/work"),
        roots: vec![PathBuf::from("/home/ann/notes")],
        files: vec![file],
    });
    let is_met = |path: &str| {
        let command = json!({"command": format!("cat {path}")});
        let looked = looked_up(&conversation(call("Bash", &command, "text")));
        !files.met(&looked, Path::new("/work"), None).is_empty()
    };
    for path in ["/home/ann/notes/a.md", "~/notes/a.md", "$HOME/notes/a.md", "~/notes/*.md"] {
        assert!(is_met(path), "{path}");
    }
    for path in ["~/a.md", "~/other/a.md", "notes/a.md"] {
        assert!(!is_met(path), "{path}");
    }
    let concern = |path: &str| {
        let searched = SearchedPlaces::Paths(vec![path.to_owned()]);
        files.concern(&searched, GapClass::Knowledge, Path::new("/work"), None)
    };
    assert_eq!(concern("~/notes"), KnowledgeConcern::In);
    assert_eq!(concern("~/other"), KnowledgeConcern::None);
}
