//! What the words of a tool are about: the search, or the name of what was looked for.

use eval_gaps::{AssistantTurn, Conversation, GapPatterns, SIGNALS};
use eval_spec::call::{ToolCall, ToolOutput, ToolStatus};
use eval_spec::gap::{GapRules, SignalKind};
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
fn exit_code_is_that_of_the_last_of_several_searches() {
    let listing = "total 8\n-rw-r--r-- 1 a a 12 Jun 7 01:54 urls.py";
    check(&[
        ("ls -la app && ls -la .config/deploy 2>/dev/null", listing, 2, true),
        ("ls -la app && ls -la .config/deploy 2>/dev/null", listing, 0, false),
        ("ls -la app; cat notes.md 2>/dev/null", listing, 1, true),
        ("ls -la app && grep -r token app 2>/dev/null", listing, 1, true),
        ("grep -n route app/urls.py; grep -n token app/urls.py", "4:route('a')", 1, true),
        // the search before it has found something, and what failed is no search
        ("ls -la app && make check", listing, 2, false),
        ("ls -la app && make check 2>/dev/null", listing, 2, false),
        // one search over several files that found something in one of them
        ("grep -n route app/urls.py app/other.py", "app/urls.py:4:route('a')", 2, false),
    ]);
}

/// `ls` ends with 1 on a Mac where a folder isn't there, and on Linux where one of its entries can't be looked at.
#[test]
fn listing_that_ends_with_one_failed_where_nothing_is_listed() {
    let listing = "total 8\ndrwxr-xr-x 2 a a 4096 Jun 7 01:54 .\n-rw-r--r-- 1 a a 12 Jun 7 01:54 urls.py";
    let gone = format!("ls: cannot access 'docs/': Input/output error\n{listing}");
    let absent = "ls: docs/: No such file or directory";
    check(&[
        ("ls -la docs/", absent, 1, true),
        ("ls -la docs/", &format!("Exit code 1\n{absent}"), 1, true),
        ("ls -la docs/ 2>/dev/null", "", 1, true),
        ("ls -la docs/", listing, 1, false),
        ("ls -la docs/", &gone, 1, false),
        ("ls -la app/; ls -la docs/", &format!("{listing}\n{absent}"), 1, true),
        ("ls -la app/; ls -la docs/ 2>&1", &format!("{listing}\n{absent}"), 1, true),
        (
            "ls -la app/ && ls -la ~/docs/",
            &format!("{listing}\nls: /Users/ann/docs/: No such file or directory"),
            1,
            true,
        ),
        ("ls -la app/; ls -la docs/ 2>/dev/null", listing, 1, true),
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
fn note_of_the_agents_shell_is_nothing_that_was_found() {
    let find = "find notes -name '*role*' 2>/dev/null";
    check(&[
        (find, "Shell cwd was reset to /work/app", 0, true),
        (find, "notes/roles.md\nShell cwd was reset to /work/app", 0, false),
        (
            find,
            r#"{"stdout":"","stderr":"Shell cwd was reset to /work/app","interrupted":false,"isImage":false}"#,
            0,
            true,
        ),
    ]);
}

#[test]
fn words_of_a_start_up_file_are_nothing_that_was_found() {
    let noise = "/opt/tools/cmd/env.sh: line 18: /bin/ps: Operation not permitted";
    let hit = format!("{noise}\nnotes/roles.md");
    check(&[
        ("rg --files -g 'roles.md'", noise, 1, true),
        ("ls drafts", noise, 0, true),
        ("rg --files -g 'roles.md'", &hit, 0, false),
    ]);
}

#[test]
fn empty_file_is_there_also_behind_a_wait() {
    check(&[("sleep 9 && cat out.log 2>/dev/null", "", 0, false), ("sleep 9 && cat out.log 2>/dev/null", "", 1, true)]);
}

#[test]
fn search_none_of_whose_places_is_there_missed_beside_other_output() {
    let missing = "/usr/bin/git\nls: cannot access '/opt/a': No such file or directory\n\
                   ls: cannot access '/opt/b': No such file or directory";
    let one = "/usr/bin/git\n/opt/a\nls: cannot access '/opt/b': No such file or directory";
    check(&[
        ("which git; ls /opt/a /opt/b 2>&1", missing, 2, true),
        ("which git; ls /opt/a /opt/b 2>&1", one, 2, false),
        (
            "cd app && echo '== kept ==' && git ls-files | grep -i steam\necho '== data ==' && ls -la data 2>/dev/null || echo 'no data dir'",
            "== kept ==\ndata/steam.csv\n== data ==\nno data dir",
            0,
            true,
        ),
    ]);
}

#[test]
fn folder_that_was_searched_in_vain_is_there() {
    let asked = "Clean up /repo/notes, please.";
    let glob = |output| Call {
        name: "Glob",
        input: json!({"pattern": "**/*role*.md", "path": "/repo/notes"}),
        output,
        code: None,
        status: ToolStatus::Ok,
    };
    assert_eq!(count(asked, &[glob("No files found")]), 1);
    let missing = Call { status: ToolStatus::Failed, ..glob("Directory does not exist: /repo/notes") };
    assert_eq!(count(asked, &[missing]), 0);
    // a file that was taken for a folder is there
    let file = json!({"pattern": "withdraw", "dir_path": "app/mail.py"});
    assert_eq!(failed_searches("grep_search", file, "Path is not a directory: /repo/app/mail.py"), 0);
    check(&[("ls app/mail.py/drafts", "ls: cannot access 'app/mail.py/drafts': Not a directory", 2, true)]);
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
    for text in [
        "spawn E2BIG",
        "Error: no such tool available: Grep",
        "Error: EACCES: permission denied, scandir '/root'",
        "Tool \"grep_search\" not found. Did you mean one of: \"read_file\", \"write_file\", \"replace\"?",
        "unsupported call: Grep",
    ] {
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

#[test]
fn hit_that_holds_the_words_for_nothing_is_a_hit() {
    use ToolStatus::Ok;
    let search = |mode: &str| json!({"pattern": "x", "output_mode": mode});
    for (mode, output, expected) in [
        ("content", "src/a.rs:3: numFiles: 0,\nsrc/b.rs:1:x", 0),
        ("content", "src/a.rs:3: \"numFiles\": 0", 0),
        ("content", "[] // x\n", 0),
        ("count", "docs/a.md:1\n\nFound 1 total occurrence across 1 file.", 0),
        ("count", "docs/a.md:0\n\nFound 0 total occurrences across 0 files.", 1),
        ("count", "No matches found\n\nFound 0 total occurrences across 0 files.", 1),
        ("content", r#"{"mode":"content","numFiles":0,"content":"","numLines":0}"#, 1),
        ("content", r#"{"mode":"content","numFiles":0,"content":"a:1:x","numLines":1}"#, 0),
        ("count", r#"{"mode":"count","numFiles":0,"content":"","numMatches":0}"#, 1),
    ] {
        let call = Call { name: "Grep", input: search(mode), output, code: None, status: Ok };
        assert_eq!(count("", &[call]), expected, "{mode} {output}");
    }
}

#[test]
fn search_without_a_match_is_one_where_only_the_program_says_so() {
    use ToolStatus::NoMatch;
    let bash = |command: &str| Call {
        name: "Bash",
        input: json!({"command": command}),
        output: "",
        code: None,
        status: NoMatch,
    };
    for (command, expected) in
        [("grep -rn x src", 1), ("rg x", 1), ("git grep x", 1), ("ls | grep x", 1), ("grep -q x f", 1), ("make", 0)]
    {
        assert_eq!(count("", &[bash(command)]), expected, "{command}");
    }
}

#[test]
fn line_that_the_shell_refused_searched_nothing() {
    let line_of_many = "G=$(go env GOMODCACHE) && grep -B5 \"type Config\" \"$G/x.go\" | head -40";
    check(&[
        (line_of_many, "Exit code 1\n(eval):1: parse error near `('", 1, false),
        ("grep -rn x docs/*.md", "zsh: no matches found: docs/*.md", 1, false),
        ("ls; grep -rn x *.foo", "a.txt\n(eval):1: no matches found: *.foo", 1, false),
        ("grep -rn (x docs", "zsh:1: parse error near `('", 1, false),
        ("status=1; grep x f", "(eval):1: read-only variable: status", 1, false),
        ("grep x ==", "(eval):1: == not found", 1, false),
        ("rg x docs", "zsh: command not found: rg", 127, false),
        ("rg x docs", "(eval):1: command not found: rg", 127, false),
        (
            "grep -rn (x docs",
            "bash: -c: line 1: syntax error near unexpected token `('\nbash: -c: line 1: `grep -rn (x docs'",
            2,
            false,
        ),
        ("grep 'x docs", "/bin/bash: eval: line 1: unexpected EOF while looking for matching `''", 2, false),
        ("grep x ${a b}", "bash: line 1: ${a b}: bad substitution", 1, false),
        ("rg x", "bash: line 1: rg: command not found", 127, false),
        ("grep (x f", "sh: 1: Syntax error: \"(\" unexpected", 2, false),
        ("grep x 'f", "/bin/sh: 1: Syntax error: Unterminated quoted string", 2, false),
        ("rg x", "sh: 1: rg: not found", 127, false),
        ("fd x", "-sh: fd: not found", 127, false),
        (
            "grep x docs/*.md",
            "fish: No matches for wildcard 'docs/*.md'. See `help wildcards-globbing`.\ngrep x docs/*.md\n       ^~~~~~~~^",
            124,
            false,
        ),
        ("rg x", "fish: Unknown command: rg", 127, false),
        (
            "a=1 && grep x $?",
            "fish: $? is not the exit status. In fish, please use $status.\na=1 && grep x $?\n    ^",
            127,
            false,
        ),
        // The shell ran these lines.
        ("cat build.log", "zsh: parse error near `('", 0, false),
        ("cd nowhere && grep x f", "(eval):cd:1: no such file or directory: nowhere", 1, true),
        ("cd nowhere && grep x f", "bash: line 1: cd: nowhere: No such file or directory", 1, true),
        ("grep x nowhere.md", "grep: nowhere.md: No such file or directory", 2, true),
    ]);
}

#[test]
fn service_that_gave_no_answer_is_no_failed_search() {
    use ToolStatus::Ok;
    let query = json!({"query": "go truncate"});
    let down = "Web search results for query: \"go truncate\"\n\nWeb search error: unavailable\n\nThe web search tool is \
                currently unavailable. However:\n- `[]rune(s)` converts a string.";
    for (output, expected) in [
        (down, 0),
        ("Web search results for query: \"go truncate\"\n\nWeb search error: max_uses_exceeded", 0),
        ("Web search results for query: \"go truncate\"\n\nWeb search error: too_many_requests\n\nI know that", 0),
        ("The web search service is temporarily unavailable. Please answer from memory.\nNo results.", 0),
        ("Web search results for query: \"go truncate\"\n\nNo links found.\n\nNothing on it.", 1),
        ("No search results or information found for query: \"go truncate\"", 1),
    ] {
        let call = Call { name: "WebSearch", input: query.clone(), output, code: None, status: Ok };
        assert_eq!(count("", &[call]), expected, "{output}");
    }
}

#[test]
fn search_that_still_runs_is_no_failed_search() {
    let running = [
        "Chunk ID: 56a964\nWall time: 1.0 seconds\nProcess running with session ID 4711\nOriginal token count: 0\nOutput:\n",
        "Command running in background with ID: bash_1",
        "Command is still running (session calm-reef, pid 4711).",
        "Command moved to background (PID: 4711). Output hidden.",
    ];
    for output in running {
        let call = Call {
            name: "exec_command",
            input: json!({"cmd": "find / -name protocol.md"}),
            output,
            code: None,
            status: ToolStatus::Ok,
        };
        assert_eq!(count("", &[call]), 0, "{output}");
    }
    let ended =
        "Chunk ID: 56a964\nWall time: 1.0 seconds\nProcess exited with code 0\nOriginal token count: 0\nOutput:\n";
    assert_eq!(count("", &[line("find / -name protocol.md", ended, 0)]), 1);
}

#[test]
fn a_team_says_which_tools_search_and_what_finding_nothing_looks_like() {
    let rules = |nothing: &[&str]| {
        GapPatterns::new(&GapRules {
            search_tools: ["AskHandbook".to_owned(), "mcp__wiki__*".to_owned()].into(),
            empty_result: nothing.iter().map(|pattern| (*pattern).to_owned()).collect(),
            ..GapRules::default()
        })
    };
    let of = |name: &str, output: &str, status: ToolStatus, rules: &GapPatterns| {
        let output = ToolOutput { text: output.to_owned(), is_error: false, note: None, exit_code: None };
        let input = json!({"topic": "refund of gold customers"});
        let (name, output, status) = (name.to_owned(), Some(output), Some(status));
        let calls = vec![ToolCall { id: "1".to_owned(), name, input, output, status, ..ToolCall::default() }];
        let turns = vec![AssistantTurn { number: 1, calls, ..AssistantTurn::default() }];
        Conversation { turns, rules: rules.clone(), ..Conversation::default() }
    };
    let failed = |conversation: &Conversation| eval_gaps::signals(conversation).len();
    let (ok, words, own) = (ToolStatus::Ok, rules(&[]), rules(&["(?i)^sorry, nothing", r#""hits":\s*0\b"#]));
    for (name, output, with_words, with_own) in [
        ("AskHandbook", "", 1, 0),
        ("AskHandbook", "No results found", 1, 0),
        ("AskHandbook", "Sorry, nothing on that.", 0, 1),
        ("askhandbook", "Sorry, nothing on that.", 0, 1),
        ("mcp__wiki__ask", r#"{"hits": 0, "took": 3}"#, 0, 1),
        ("mcp__wiki__ask", "Gold customers have 60 days.", 0, 0),
        ("mcp__other__ask", "", 0, 0),
    ] {
        let found = [&words, &own].map(|rules| failed(&of(name, output, ok, rules)));
        assert_eq!(found, [with_words, with_own], "{name}: {output}");
    }
    // a service that is down is no gap, whatever the patterns are
    assert_eq!(failed(&of("AskHandbook", "503 service unavailable", ToolStatus::Failed, &own)), 0);
    let subject = eval_gaps::signals(&of("AskHandbook", "Sorry, nothing", ok, &own)).remove(0).subject;
    assert_eq!(subject, "refund of gold customers");
    // only what nobody named is a guess
    let guessed = |name: &str| eval_gaps::guessed_search_tools(&of(name, "", ok, &words));
    assert_eq!(guessed("mcp__kb__search_docs").into_iter().collect::<Vec<_>>(), ["mcp__kb__search_docs"]);
    assert!(["mcp__wiki__search", "Grep", "mcp__kb__publish"].iter().all(|name| guessed(name).is_empty()));
}

#[test]
fn tool_of_a_server_with_search_in_its_name_searches() {
    use ToolStatus::Ok;
    let query = json!({"query": "gold refund policy"});
    for (name, output, expected) in [
        ("mcp__confluence__search", "No results found", 1),
        ("mcp__kb__search_docs", "[]", 1),
        ("mcp__kb__search_docs", "No documents matched your query.", 1),
        ("mcp__kb__findPages", r#"{"results":[],"start":0,"limit":25,"size":0}"#, 1),
        ("mcp__elastic__query", r#"{"took":3,"hits":{"total":{"value":0},"hits":[]}}"#, 1),
        ("mcp__rag__retrieve", "", 1),
        ("mcp__crm__lookup_customer", "{}", 1),
        ("mcp_confluence_search", r#"[{"type":"text","text":"No results found"}]"#, 1),
        ("mcp__kb__search_docs", r#"{"results":[{"title":"Refunds"}],"total":1}"#, 0),
        ("mcp__kb__search_docs", r#"[{"title":"Refunds"}]"#, 0),
        ("mcp__kb__search_docs", "Refunds: gold customers have 60 days", 0),
        ("mcp__kb__search_docs", "Error: service unavailable", 0),
        ("mcp__kb__create_search", "[]", 0),
        ("mcp__search__list_indexes", "[]", 0),
        ("mcp__kb__publish", "[]", 0),
    ] {
        let call = Call { name, input: query.clone(), output, code: None, status: Ok };
        assert_eq!(count("", &[call]), expected, "{name} {output}");
    }
}

#[test]
fn tools_of_cursor_have_their_own_words_for_nothing() {
    use ToolStatus::Ok;
    let raw = |inner: &str| {
        format!(
            r#"{{"success":{{"pattern":"x","path":"/w","outputMode":"content","workspaceResults":{{"/w":{inner}}}}}}}"#
        )
    };
    for (name, input, output, expected) in [
        ("ripgrep_raw_search", json!({"pattern": "x"}), raw(r#"{"content":{}}"#), 1),
        ("ripgrep_raw_search", json!({"pattern": "x"}), raw(r#"{"content":{"matches":[{"file":"a.md"}]}}"#), 0),
        ("ripgrep_raw_search", json!({"pattern": "x"}), raw(r#"{"files":{}}"#), 1),
        ("ripgrep_raw_search", json!({"pattern": "x"}), raw(r#"{"files":{"files":["a.md"],"totalFiles":1}}"#), 0),
        ("ripgrep_raw_search", json!({"pattern": "x"}), raw(r#"{"count":{}}"#), 1),
        ("ripgrep_raw_search", json!({"pattern": "x"}), raw(r#"{"count":{"counts":[{"file":"a","count":1}]}}"#), 0),
        ("ripgrep_raw_search", json!({"pattern": "("}), r#"{"error":{"error":"regex parse error"}}"#.to_owned(), 0),
        ("grep_search", json!({"query": "x"}), r#"{"internal":{"results":[]}}"#.to_owned(), 1),
        ("grep_search", json!({"query": "x"}), r#"{"internal":{"results":[{"resource":"a"}]}}"#.to_owned(), 0),
        ("glob_file_search", json!({"glob_pattern": "*.q"}), r#"{"directories":[{"absPath":"/w"}]}"#.to_owned(), 1),
        (
            "glob_file_search",
            json!({"globPattern": "*.md"}),
            r#"{"directories":[{"absPath":"/w","files":[{"relPath":"a.md"}],"totalFiles":1}]}"#.to_owned(),
            0,
        ),
        ("file_search", json!({"query": "x"}), r#"{"files":[],"limitHit":false,"numResults":0}"#.to_owned(), 1),
        ("file_search", json!({"query": "x"}), r#"{"files":[{"uri":"a"}],"numResults":1}"#.to_owned(), 0),
        ("codebase_search", json!({"query": "x"}), r#"{"codeResults":[]}"#.to_owned(), 1),
        ("codebase_search", json!({"query": "x"}), r#"{"codeResults":[{"codeBlock":{}}]}"#.to_owned(), 0),
        ("read_file", json!({"target_file": "a"}), r#"{"contents":""}"#.to_owned(), 0),
        ("read_file_v2", json!({"targetFile": "a.md"}), r#"{"error":"Could not find file 'a.md'."}"#.to_owned(), 1),
        ("list_dir", json!({"relative_workspace_path": "a"}), r#"{"files":[]}"#.to_owned(), 1),
        ("list_dir_v2", json!({"targetDirectory": "a"}), r#"{"files":[{"name":"b"}]}"#.to_owned(), 0),
        ("run_terminal_cmd", json!({"command": "grep -rn x ."}), r#"{"output":"","exitCode":1}"#.to_owned(), 1),
        ("run_terminal_command_v2", json!({"command": "rg x"}), r#"{"output":"a:1:x","exitCode":0}"#.to_owned(), 0),
        ("run_terminal_command_v2", json!({"command": "rg x"}), r#"{"output":"","rejected":true}"#.to_owned(), 0),
    ] {
        let call = Call { name, input, output: &output, code: None, status: Ok };
        assert_eq!(count("", &[call]), expected, "{name} {output}");
    }
}

#[test]
fn search_that_makes_sure_says_so_in_its_description_or_the_question() {
    let intent = |prompt: &str, description: &str| {
        let call = ToolCall {
            id: "1".to_owned(),
            name: "Bash".to_owned(),
            input: json!({"command": "grep -rn open_repository src", "description": description}),
            output: Some(ToolOutput { exit_code: Some(1), is_error: true, ..ToolOutput::default() }),
            status: Some(ToolStatus::Failed),
            ..ToolCall::default()
        };
        let turns = vec![AssistantTurn { number: 1, calls: vec![call], ..AssistantTurn::default() }];
        let conversation = Conversation { prompts: vec![prompt.to_owned()], turns, ..Conversation::default() };
        let detector = SIGNALS.iter().find(|detector| detector.kind == SignalKind::FailedSearch).unwrap();
        (detector.detect)(&conversation)[0].intent.unwrap()
    };
    use eval_spec::gap::SearchIntent::{Lookup, Verification};
    for (prompt, description, expected) in [
        ("Rename it.", "Check for remaining references", Verification),
        ("Rename it.", "Verify no usages are left", Verification),
        ("Is open_repository still used?", "look", Verification),
        ("Is it used anywhere?", "look", Verification),
        ("这个函数还在用吗？", "look", Verification),
        ("Make sure that the tests pass.", "Find the opener", Lookup),
        ("How do I open a repository?", "Search for the opener", Lookup),
    ] {
        assert_eq!(intent(prompt, description), expected, "{prompt} {description}");
    }
}
