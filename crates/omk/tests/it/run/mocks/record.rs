//! `omk mocks record`: what it records, and that a run with it shows the model the same.

use std::fs;
use std::sync::Arc;

use regex::Regex;
use serde_json::{Value, json};
use testkit::{FakeAnswer, FakeApi, FakeReply, ReplyScript, Request};

use super::{all_shown, claude, makes, only_with, outside, replace_program, restore_program, run, sample, shown};
use crate::fixtures::context::TestContext;
use crate::run::{answer, asked, installed, results, says, valid};

/// Puts what was recorded of the only sample into the sample file, with an assertion for each of these mocks.
fn put_into_samples(context: &TestContext, recorded: &str, hits: &[&str]) {
    let assertions: Vec<String> =
        hits.iter().map(|hit| format!("    - {{ type: mock_hit, value: \"{hit}\" }}\n")).collect();
    let rest = format!("  prompt: question 1\n  mocksStrict: true\n  assertions:\n{}", assertions.concat());
    drop(fs::remove_file(context.path("eval-samples.json")));
    context.write("eval-samples.yaml", &format!("{recorded}{rest}"));
}

/// A model that makes these calls, in which `WORK` stands for the agent's working directory.
fn makes_there(calls: &[(&str, Value)]) -> ReplyScript {
    let calls: Vec<(String, String)> =
        calls.iter().map(|(tool, input)| ((*tool).to_owned(), input.to_string())).collect();
    ReplyScript::with(move |request| {
        let text = request.body.to_string();
        let place = Regex::new(r"/[^\\ ]*/omk-run-\w+/omk-call-\w+/work").unwrap().find(&text);
        let place = place.map_or("/nowhere", |found| found.as_str());
        let next = calls.get(shown(request).len()).filter(|_| asked(request, "question"));
        let next =
            next.map(|(tool, input)| (tool.clone(), serde_json::from_str(&input.replace("WORK", place)).unwrap()));
        FakeReply::answer(FakeAnswer { tool: next, ..answer("better") })
    })
}

#[test]
fn a_run_with_recorded_mocks_shows_the_model_what_the_recording_did() {
    let Some(server) = testkit::tools::mcp_everything() else { return };
    let outside = outside();
    let folder = outside.path();
    let path = |name: &str| folder.join(name).display().to_string();
    let long: String = (1..=400).map(|n| format!("line {n} of a long file\n")).collect();
    fs::write(folder.join("long.txt"), &long).unwrap();
    let bash = |command: &str| ("Bash", json!({"command": command, "description": "x"}));
    let noted = format!("echo ran >> {}", path("ran"));
    let count = format!("wc -l < {}", path("ran"));
    let calls = [
        bash(&format!("{noted}; printf '  two\\n\\n lines \\n'; echo careful >&2")),
        bash(&count),
        bash(&format!("{noted}; echo half; echo broken >&2; exit 3")),
        bash(&count),
        bash(&format!("{noted}; true")),
        bash("cat WORK/notes.txt"),
        bash(&format!("grep nothing {}", path("app.conf"))),
        ("Read", json!({"file_path": path("app.conf")})),
        ("Read", json!({"file_path": path("app.conf"), "offset": 2, "limit": 1})),
        ("Read", json!({"file_path": path("long.txt")})),
        ("Read", json!({"file_path": "WORK/notes.txt"})),
        ("Read", json!({"file_path": path("missing.txt")})),
        ("Grep", json!({"pattern": "ERROR", "path": path("logs"), "output_mode": "content"})),
        ("Grep", json!({"pattern": "nothing", "path": path("logs")})),
        ("Glob", json!({"pattern": "*.log", "path": path("logs")})),
        ("mcp__everything__echo", json!({"message": "hi"})),
        ("Write", json!({"file_path": "WORK/made.txt", "content": "x"})),
    ];
    let Some((context, api)) = claude(makes_there(&calls)) else { return };
    // Real calls write outside of their copy.
    context.write("eval.yaml", "sandbox: false\n");
    context.write("notes.txt", "notes of the project\n\ttabbed: \"quoted\"\n");
    let servers = json!({"mcpServers": {"everything": {"command": "node", "args": [server, "stdio"]}}});
    context.write("servers.json", &servers.to_string());
    let with = format!("--mcp-config '{}' --add-dir '{}'", context.path("servers.json").display(), folder.display());
    let real = replace_program(&context, "claude", &only_with("-p", &format!("set -- \"$@\" {with}")));
    // Neither its mocks nor its assertions count while the tools are real.
    sample(&context, &json!([{"tool": "*", "return": "fake"}]), true, &json!([{"type": "mock_hit", "value": "*:1"}]));
    let tools = "Bash,Read,Grep,Glob,Write,mcp__everything__echo";
    let record = ["mocks", "record", "--variant", "v1", "--allowed-tools", tools];
    let finished = context.run(&record).expect(0);
    let of_tools = all_shown(&api);
    assert_eq!(of_tools.len(), calls.len(), "{of_tools:#?}");
    assert_eq!(of_tools[16]["is_error"], false, "{of_tools:#?}");
    assert!(says(&finished, "no mock can answer this call of `Write`"), "{finished:#?}");
    let recorded = fs::read_to_string(context.path("mocks.yaml")).unwrap();
    assert!(recorded.contains("# sample `s001`: no mock can answer this call of `Write`"), "{recorded}");
    assert!(recorded.contains("return_seq:\n        - \"1\"\n      return: \"2\"\n"), "{recorded}");
    assert!(recorded.contains("return_file: \"mocks.files/s001-1.txt\""), "{recorded}");
    assert!(recorded.contains("command_glob: \"cat */notes.txt\""), "{recorded}");
    // What is there is not overwritten without a word.
    let refused = context.run(&record).expect(2);
    assert!(says(&refused, "mocks.yaml exists"), "{refused:#?}");
    assert_eq!(fs::read_to_string(context.path("mocks.yaml")).unwrap(), recorded);

    for name in ["ran", "app.conf", "long.txt", "logs/a.log", "logs/b.log"] {
        fs::remove_file(folder.join(name)).unwrap();
    }
    fs::remove_file(context.path("notes.txt")).unwrap();
    restore_program(&context, "claude", &real);
    put_into_samples(&context, &recorded, &["Bash:1", "Bash:2", "mcp__everything__echo:1"]);
    let before = api.count();
    run(&context, tools, 0);
    let of_mocks: Vec<Value> =
        api.requests().split_off(before).iter().map(shown).max_by_key(Vec::len).unwrap_or_default();
    let place = Regex::new(r"/[^\\ ]*/omk-run-\w+/omk-call-\w+/work").unwrap();
    for ((call, real), mocked) in calls.iter().zip(&of_tools).zip(&of_mocks).take(16) {
        // The copy, which is gone, also at the end of a sentence.
        let content = real["content"].as_str().map(|text| json!(place.replace_all(text, ".").replace(" ..", " ./.")));
        let real =
            content.map_or_else(|| real.clone(), |content| json!({"is_error": real["is_error"], "content": content}));
        assert_eq!(*mocked, real, "{call:?}");
    }
    assert_eq!(of_mocks[16]["content"], "Permission to use Write has been denied.");
    assert!(super::super::all_files(folder).is_empty(), "something real was made");
    let report = valid(context.report());
    assert_eq!(results(&report)["s001/v1"]["layeredScores"]["behaviorScore"], 5.0, "{report}");
}

#[test]
fn secrets_are_masked_in_a_recording_and_failed_samples_are_said() {
    const SECRET: &str = "sk-ant-mocks-0123456789";
    let calls = [("Bash", json!({"command": format!("echo {SECRET}"), "description": "x"}))];
    let Some((context, api)) = claude(makes(&calls)) else { return };
    sample(&context, &json!([]), false, &json!([]));
    let record = ["mocks", "record", "--allowed-tools", "Bash", "--variant", "v1", "--output", "out/r.yaml"];
    context.run(&[&record[..], &["--sample", "s001,s001"]].concat()).expect(0);
    let recorded = fs::read_to_string(context.path("out/r.yaml")).unwrap();
    assert_eq!(recorded.matches("- sample_id").count(), 1, "what is named twice is paid for once: {recorded}");
    assert!(recorded.contains("- tool: Bash") && !recorded.contains(SECRET), "{recorded}");
    // What is masked matches nothing.
    assert!(recorded.contains("command_glob: \"echo *\"") && !recorded.contains("command: \"echo"), "{recorded}");
    // By this, working copies know what they have to lack.
    let first = recorded.lines().next().unwrap();
    assert!(first.starts_with('#') && first.contains("`omk mocks record`"), "{recorded}");
    drop(api);
    let failed = context.run(&["mocks", "record", "--variant", "v1", "--timeout", "20"]).expect(3);
    assert!(says(&failed, "sample `s001` was not recorded"), "{failed:#?}");
    assert!(!context.path("mocks.yaml").exists());
    for (arguments, said) in [
        (&["--executor", "gemini"][..], "the tool calls of `gemini` can't be recorded"),
        (&["--executor", "gemini"], "whose calls can be recorded: claude, codex"),
        (&["--executor", "cluade"], "did you mean `claude`?"),
        (&["--variant", "v9"], "there is no variant `v9`"),
        (&["--sample", "s009"], "there is no sample `s009`"),
        (&["--output", "eval-samples.json", "--force"], "eval-samples.json"),
    ] {
        let refused = context.run(&[&["mocks", "record"], arguments].concat()).expect(2);
        assert!(says(&refused, said), "{said}: {refused:#?}");
    }
}

/// What can't be written is known before anything is paid for, and no input is lost.
#[test]
fn outputs_that_cannot_be_written_or_are_inputs_are_refused_before_the_first_call() {
    let Some((context, api)) = claude(makes(&[])) else { return };
    context.write("answers/a.txt", "the answer of a file");
    sample(&context, &json!([{"tool": "Read", "return_file": "answers/a.txt"}]), false, &json!([]));
    context.write("skills/folder/SKILL.md", "---\nname: folder\ndescription: How to deploy.\n---\nBODY\n");
    context.write("there/file.txt", "");
    context.write("taken", "");
    context.write("busy.files", "");
    std::os::unix::fs::symlink(context.path("nowhere/at/all"), context.path("dangling")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(context.path("fifo")).status().unwrap();
    assert!(made.success());
    for (output, said) in [
        ("eval-samples.json/x/m.yaml", "eval-samples.json/x"),
        ("/proc/m.yaml", "/proc"),
        ("dangling", "dangling"),
        ("there", "there"),
        ("fifo", "fifo"),
        ("busy.yaml", "busy.files"),
        ("answers/a.txt", "is an input of this command"),
        ("skills/v1.md", "is an input of this command"),
        ("skills/folder/SKILL.md", "is an input of this command"),
    ] {
        let one = ["mocks", "record", "--allowed-tools", "Bash", "--timeout", "60", "--force"];
        let variant = if output.contains("folder") { "skills/folder" } else { "v1" };
        context.write("eval.yaml", &format!("samples: eval-samples.json\ncontrol: {variant}\nexecutor: claude\n"));
        let refused = context.run(&[&one[..], &["--output", output]].concat()).expect(2);
        assert!(says(&refused, said), "{output}: {refused:#?}");
        assert_eq!(api.count(), 0, "{output}");
    }
    assert_eq!(fs::read_to_string(context.path("answers/a.txt")).unwrap(), "the answer of a file");
}

#[test]
fn calls_of_a_sample_that_ran_out_of_time_are_kept_and_marked() {
    let script = ReplyScript::with(|request| match shown(request).len() {
        0 if asked(request, "question") => FakeReply::answer(FakeAnswer {
            tool: Some(("Bash".to_owned(), json!({"command": "echo paid", "description": "x"}))),
            ..answer("first")
        }),
        0 => FakeReply::answer(answer("better")),
        _ => FakeReply::answer(answer("late")).after(std::time::Duration::from_secs(300)),
    });
    let Some((context, _api)) = claude(script) else { return };
    sample(&context, &json!([]), false, &json!([]));
    let arguments = ["mocks", "record", "--allowed-tools", "Bash", "--variant", "v1", "--timeout", "20"];
    let failed = context.run(&arguments).expect(3);
    assert!(says(&failed, "sample `s001` was cut short"), "{failed:#?}");
    let recorded = fs::read_to_string(context.path("mocks.yaml")).unwrap();
    assert!(recorded.contains("  # sample `s001` was cut short"), "{recorded}");
    assert!(recorded.contains("command: \"echo paid\"") && recorded.contains("return: \"paid\""), "{recorded}");
}

#[test]
fn commands_of_codex_are_recorded_with_their_exit_codes() {
    let outputs = |request: &Request| -> Vec<String> {
        let items = request.body["input"].as_array().map_or(&[][..], Vec::as_slice);
        let outputs = items.iter().filter(|item| item["type"] == "function_call_output");
        outputs.map(|item| item["output"].as_str().unwrap().split_once("Process").unwrap().1.to_owned()).collect()
    };
    let api = Arc::new(FakeApi::start(ReplyScript::with(move |request| {
        let commands = ["cat notes.txt", "cat notes.txt; exit 3", "grep nothing notes.txt", "true"];
        let next = commands.get(outputs(request).len()).filter(|_| asked(request, "question"));
        let next = next.map(|command| ("exec_command".to_owned(), json!({"cmd": command})));
        FakeReply::answer(FakeAnswer { tool: next, ..answer("better") })
    })));
    let Some(program) = testkit::tools::codex() else { return };
    let base = format!("{}/v1", api.url);
    let keys = [("OPENAI_API_KEY", "sk-codex-mocks-0123456789"), ("OPENAI_BASE_URL", base.as_str())];
    let context = installed("codex", program, &keys);
    context.write("notes.txt", "notes of\nthe project\n");
    sample(&context, &json!([]), false, &json!([]));
    context.run(&["mocks", "record", "--executor", "codex", "--variant", "v1"]).expect(0);
    let all = |requests: &[Request]| requests.iter().map(outputs).max_by_key(Vec::len).unwrap_or_default();
    let of_tools = all(&api.requests());
    assert!(of_tools.len() == 4 && of_tools[1].starts_with(" exited with code 3"), "{of_tools:#?}");
    let recorded = fs::read_to_string(context.path("mocks.yaml")).unwrap();
    fs::remove_file(context.path("notes.txt")).unwrap();
    put_into_samples(&context, &recorded, &["Bash:1", "Bash:2", "Bash:3", "Bash:4"]);
    let before = api.count();
    let one = ["eval", "--control", "v1", "--executor", "codex", "--report-only", "--timeout", "100", "--no-cache"];
    context.run(&one).expect(0);
    assert_eq!(all(&api.requests().split_off(before)), of_tools, "{recorded}");
    let report = valid(context.report());
    assert_eq!(results(&report)["s001/v1"]["layeredScores"]["behaviorScore"], 5.0, "{report}");
}

/// A denial tells nothing of the real tool, and a path of the copy nothing to the next run.
#[test]
fn what_was_denied_is_said_and_never_recorded() {
    let bash = |command: &str| ("Bash", json!({"command": command, "description": "x"}));
    let calls = [
        bash("echo lost > \"$OUTSIDE/lost\""),
        bash("curl -sS http://127.0.0.1:9/ 2>&1"),
        ("Write", json!({"file_path": "WORK/made.txt", "content": "x"})),
        bash("pwd && ls WORK|wc -l"),
    ];
    let Some((mut context, api)) = claude(makes_there(&calls)) else { return };
    let outside = outside();
    context.env("OUTSIDE", &outside.path().display().to_string());
    sample(&context, &json!([]), false, &json!([]));
    let record = |more: &[&str]| {
        let arguments = ["mocks", "record", "--variant", "v1", "--force", "--allowed-tools", "Bash", "--json"];
        let finished = context.run(&[&arguments, more].concat()).expect(0);
        (finished, fs::read_to_string(context.path("mocks.yaml")).unwrap())
    };
    let (finished, recorded) = record(&["--network", "none"]);
    for said in [
        "the sandbox stopped this call of `Bash` from writing",
        "this call of `Bash` found the network closed",
        "the agent was denied this call of `Write`",
        "Claude requested permissions to write",
    ] {
        assert!(says(&finished, said), "{said}: {finished:#?}");
        assert!(recorded.contains(said), "{said}: {recorded}");
    }
    assert_eq!(
        finished.json(),
        json!({"file": "mocks.yaml", "samples": 1, "mocks": 1, "notRecorded": 0, "denied": 3, "failed": 0})
    );
    assert!(recorded.contains("command_glob: \"pwd && ls *|wc -l\""), "{recorded}");
    assert!(recorded.contains("return: |-\n        .\n") && !recorded.contains("omk-run-"), "{recorded}");

    let (finished, recorded) = record(&["--permissions", "edits", "--no-sandbox"]);
    assert!(!says(&finished, "denied") && says(&finished, "no mock can answer this call of `Write`"), "{finished:#?}");
    assert!(recorded.contains("lost") && recorded.contains("exit: 7"), "{recorded}");
    assert!(outside.path().join("lost").exists());
    assert!(api.count() > 0);
    let refused = context.run(&["mocks", "record", "--force", "--permissions", "bypass", "--no-sandbox"]).expect(2);
    assert!(says(&refused, "only run in a sandbox"), "{refused:#?}");
}
