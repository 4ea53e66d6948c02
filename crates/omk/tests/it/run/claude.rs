//! `claude`: a stand-in that plays recordings, and the installed program with a fake API.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::path::PathBuf;

use serde_json::json;
use testkit::{FakeAnswer, FakeApi, FakeReply, ReplyScript};

use super::{assert_nowhere, eval_with, installed, results, says, says_better, sum, valid};
use crate::fixtures::context::TestContext;

pub(super) const KEY: &str = "sk-ant-claude-0123456789";

/// A project with a `claude` first in `PATH` that answers `--version` and runs `body` otherwise.
pub(crate) fn stand_in(body: &str) -> TestContext {
    let mut context = TestContext::with_agent();
    let version = "if [ \"$1\" = --version ]; then echo '2.1.330 (Claude Code)'; exit; fi";
    context.script("bin/claude", &format!("{version}\n{body}\n"));
    let path = format!("{}:{}", context.path("bin").display(), std::env::var("PATH").unwrap());
    context.env("PATH", &path);
    context.env("ANTHROPIC_API_KEY", KEY);
    context
}

/// A `claude` that plays the recording selected by the prompt's number.
fn player() -> TestContext {
    let folder: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../trace/tests/fixtures/claude-2.1.330"].iter().collect();
    stand_in(&format!(
        r#"case "$(cat)" in
"question 1") name=success exit=0 ;;
"question 2") name=refusal exit=1 ;;
"question 3") name=max-turns exit=1 ;;
"question 4") name=maxtok exit=1 ;;
"question 5") name=empty exit=0 ;;
"question 6") name=err529 exit=1 ;;
*) exit 9 ;;
esac
cat '{}'/$name.stream-json.stdout; exit $exit"#,
        folder.display()
    ))
}

#[test]
fn recorded_claude_stream_yields_trace_tokens_and_cost() {
    let context = player();
    context.samples(
        1,
        &json!([
            {"type": "contains", "value": "magic number is 42"},
            {"type": "tools_called", "values": ["Read"]},
            {"type": "turns_max", "value": 5},
            {"type": "tool_sequence", "values": [{"tool": "Read", "input_contains": "rules.md"}, "Read", "Grep", "Bash", "Bash"]},
            {"type": "tool_call_f1", "values": ["Read", "Grep"], "threshold": 0.57},
        ]),
    );
    let finished = context.run(&eval_with("claude", &["--report-only"])).expect(0);
    let report = valid(context.report());
    let result = results(&report)["s001/v1"];
    assert_eq!(
        (&result["outcome"], &result["turns"], &result["costUSD"]),
        (&json!("answered"), &json!(5), &json!(0.016_292))
    );
    assert_eq!((&result["costSource"], &result["outputTokens"]), (&json!("reported"), &json!(182)));
    // 213 new tokens, 9000 read from the vendor's cache, 2000 written to it.
    assert_eq!((&result["inputTokens"], &result["cacheReadTokens"]), (&json!(11_213), &json!(9000)));
    let tools: Vec<&str> =
        result["toolCalls"].as_array().unwrap().iter().map(|call| call["name"].as_str().unwrap()).collect();
    assert!(tools.len() == 5 && tools.contains(&"Read"), "{tools:?}");
    let missing = &result["toolCalls"][1];
    assert_eq!(
        (&missing["status"], &missing["startedAt"], &missing["durationMs"], &missing["turn"]),
        (&json!("failed"), &json!("2026-11-21T20:46:46.301Z"), &json!(21), &json!(2)),
    );
    assert_eq!(result["toolCalls"][2]["status"], "no-match");
    assert_eq!((&result["assertions"]["passed"], &result["assertions"]["total"]), (&json!(5), &json!(5)), "{result}");
    assert_eq!(report["meta"]["executorRuntime"]["version"], "2.1.330");
    assert_eq!(report["meta"]["model"], "sonnet");
    assert_nowhere(KEY, &context, &finished);
}

#[test]
fn claude_endings_are_counted_by_outcome() {
    let context = player();
    context.samples(6, &says_better());
    context.run(&eval_with("claude", &["--retry", "0", "--max-failure-rate", "0.5", "--report-only"])).expect(0);
    let report = valid(context.report());
    for variant in ["v1", "v2"] {
        let outcomes = &report["summary"][variant]["outcomes"];
        for class in ["answered", "refused", "limitHit", "truncated", "empty", "failed"] {
            assert_eq!(outcomes[class], 1, "{class}: {outcomes}");
        }
        assert_eq!(report["summary"][variant]["failures"], json!({"server": 1}));
    }
    assert_eq!(results(&report)["s006/v1"]["error"]["status"], 529);
}

#[test]
fn missing_claude_error_lists_alternatives() {
    let mut context = TestContext::with_agent();
    context.samples(1, &says_better());
    context.env("PATH", &context.path("empty").display().to_string());
    let finished = context.run(&["eval", "--control", "v1", "--treatment", "v2"]).expect(2);
    for text in
        ["npm install -g @anthropic-ai/claude-code", "anthropic-api", "openai-api", "replay", "any command line"]
    {
        assert!(says(&finished, text), "{text}: {finished:#?}");
    }
}

#[test]
fn installed_claude_runs_a_comparison() {
    let Some(program) = testkit::tools::claude() else { return };
    let mut beginning = [0; 2];
    fs::File::open(&program).unwrap().read_exact(&mut beginning).unwrap();
    let api = FakeApi::start(ReplyScript::with(|request| {
        let text = request.body.to_string();
        let words = if text.contains("ANSWER better") { "better" } else { "plain" };
        let answer =
            |text: &str| FakeAnswer { text: Some(text.to_owned()), usage: Some((100, 7)), ..FakeAnswer::default() };
        match text.contains("question 2") && !text.contains("tool_result") {
            true => FakeReply::answer(FakeAnswer {
                tool: Some(("Read".to_owned(), json!({"file_path": "notes.txt"}))),
                ..answer("let me look")
            }),
            false => FakeReply::answer(answer(words)),
        }
    }));
    let context = installed("claude", program, &[("ANTHROPIC_API_KEY", KEY), ("ANTHROPIC_BASE_URL", &api.url)]);
    context.samples(2, &says_better());
    context.write("notes.txt", "notes of the project\n");
    let more = ["--model", "claude-opus-5-5", "--concurrency", "2", "--timeout", "120", "--report-only"];
    let finished = context.run(&eval_with("claude", &more)).expect(0);
    let report = valid(context.report());
    let results = results(&report);
    for (cell, answer) in [("s001/v1", "plain"), ("s001/v2", "better"), ("s002/v1", "plain"), ("s002/v2", "better")] {
        let result = results[cell];
        assert_eq!((&result["outcome"], &result["fullOutput"]), (&json!("answered"), &json!(answer)), "{result}");
        assert!(result["costUSD"].as_f64().unwrap() > 0.0 && result["durationMs"].as_u64().unwrap() > 0, "{result}");
    }
    assert_eq!((&results["s001/v1"]["turns"], &results["s001/v1"]["outputTokens"]), (&json!(1), &json!(7)));
    assert_eq!(results["s002/v1"]["turns"], 2);
    let read = &results["s002/v1"]["toolCalls"][0];
    assert!(read["name"] == "Read" && read["output"]["text"].as_str().unwrap().contains("of the project"), "{read}");
    assert_eq!(report["summary"]["v2"]["avgCompositeScore"].as_f64(), Some(5.0));
    assert_eq!(sum(&report, "/outcomes/answered"), 4);
    let version = report["meta"]["executorRuntime"]["version"].as_str().unwrap();
    assert!(version.starts_with(|c: char| c.is_ascii_digit()), "{version}");
    assert_eq!(report["meta"]["executorRuntime"]["program"]["script"], beginning == *b"#!");
    let runtimes = &report["summary"]["v1"]["runtimes"];
    assert_eq!((&runtimes["versions"][version], &runtimes["tools"]["Read"]), (&json!(2), &json!(2)), "{runtimes}");
    // No variant sees the other's artifact.
    let asked = api.requests();
    let messages: BTreeSet<(bool, bool)> = asked
        .iter()
        .filter(|request| request.path == "/v1/messages")
        .map(|request| {
            let system = request.body["system"].to_string();
            (system.contains("ANSWER plain"), system.contains("ANSWER better"))
        })
        .collect();
    assert_eq!(messages, BTreeSet::from([(true, false), (false, true)]));
    assert_nowhere(KEY, &context, &finished);
}

/// The installed program as the judge of a command: without tools, without the project's files, with our prompt.
#[test]
fn installed_claude_judges() {
    let Some(program) = testkit::tools::claude() else { return };
    let api = FakeApi::start(ReplyScript::with(|request| {
        let text = request.body.to_string();
        let id = text.split("<<<").nth(1).and_then(|rest| rest.split("\\n").next()).unwrap_or_default().to_owned();
        let score = if text.contains("better\\n") { 5 } else { 2 };
        let reply = json!({"id": id, "reasoning": "so it says", "score": score}).to_string();
        FakeReply::answer(FakeAnswer { text: Some(reply), usage: Some((100, 7)), ..FakeAnswer::default() })
    }));
    let context = installed("claude", program, &[("ANTHROPIC_API_KEY", KEY), ("ANTHROPIC_BASE_URL", &api.url)]);
    context.write("CLAUDE.md", "PROJECT MEMORY");
    context.write("eval-samples.json", r#"[{"sample_id": "s", "prompt": "question", "rubric": "is right"}]"#);
    // A command is no judge: the default is `claude`, and its default model is `haiku`.
    context.run(&eval_with("./agent", &["--timeout", "120", "--report-only"])).expect(0);
    let report = valid(context.report());
    let results = results(&report);
    assert_eq!((&results["s/v1"]["llmScore"], &results["s/v2"]["llmScore"]), (&json!(2.0), &json!(5.0)), "{report}");
    assert_eq!(report["meta"]["judgeModel"], "claude:haiku");
    let asked: Vec<_> = api.requests().into_iter().filter(|request| request.path == "/v1/messages").collect();
    let judged = asked.iter().filter(|request| request.body.to_string().contains("The answer to grade"));
    for request in judged.clone() {
        let text = request.body.to_string();
        assert!(!text.contains("PROJECT MEMORY"), "{text}");
        assert!(request.body["tools"].as_array().is_none_or(Vec::is_empty), "{}", request.body["tools"]);
        assert!(request.body["model"].as_str().unwrap().contains("haiku"));
    }
    assert_eq!(judged.count(), 2);
}

/// A `claude` whose first variant calls a tool, which returns a text, and whose second one answers at once.
fn calling(tool: &serde_json::Value, returned: &serde_json::Value) -> TestContext {
    let line = |event: &serde_json::Value| format!("printf '%s\\n' '{}'", event.to_string().replace('\'', "'\\''"));
    let assistant = |id: &str, content: serde_json::Value| {
        json!({"type": "assistant", "parent_tool_use_id": null,
            "message": {"id": id, "role": "assistant", "model": "m", "content": [content]}})
    };
    let result = json!({"type": "result", "subtype": "success", "is_error": false, "result": "better", "num_turns": 2,
        "total_cost_usd": 0.01, "modelUsage": {"m": {"inputTokens": 5, "outputTokens": 5, "costUSD": 0.01}}});
    let events = [
        assistant("m1", tool.clone()),
        json!({"type": "user", "parent_tool_use_id": null, "message": {"role": "user", "content": [returned]}}),
    ];
    stand_in(&format!(
        "cat > /dev/null\nwhile [ $# -gt 0 ]; do [ \"$1\" != --append-system-prompt-file ] || file=$2; shift; done\n\
         if grep -q plain \"$file\"; then\n{}\nfi\n{}\n{}",
        events.iter().map(line).collect::<Vec<_>>().join("\n"),
        line(&assistant("m2", json!({"type": "text", "text": "better"}))),
        line(&result),
    ))
}

#[test]
fn run_whose_agent_read_another_variants_artifact_is_invalid() {
    let text = "Begin every answer with the word REVIEW.\nName the file and the line of each finding.\nEnd with a verdict: ship or hold.\n";
    let read = |path: &str| json!({"type": "tool_use", "id": "t1", "name": "Read", "input": {"file_path": path}});
    let bash = |command: &str| json!({"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": command}});
    let returned = |text: &str, is_error: bool| json!({"type": "tool_result", "tool_use_id": "t1", "content": text, "is_error": is_error});
    let numbered = "     1→Begin every answer with the word REVIEW.\n     2→Name the file and the line of each finding.\n     3→End with a verdict: ship or hold.";
    let found = "s/v2.md:1:Begin every answer with the word REVIEW.\ns/v2.md:2:Name the file and the line of each finding.\ns/v2.md:3:End with a verdict: ship or hold.";
    let differing = text.lines().map(|line| format!("+{line}\n")).collect::<String>();
    let escaped = json!({"artifact": {"text": text}}).to_string();
    let cases = [
        (read("/srv/project/skills/v2.md"), returned("better", false), true),
        (bash("cd /srv && cat ./project/skills/v2.md | head"), returned("better", false), true),
        (read("/elsewhere/copy.md"), returned(numbered, false), true),
        (bash("grep -rn e s"), returned(found, false), true),
        (bash("cat skills/v2.md; false"), returned("Begin every answer with the word REVIEW.", true), true),
        (bash("git log -p"), returned(&differing, false), true),
        (bash("grep -rh verdict /srv"), returned(&escaped, false), true),
        (bash("grep -rh verdict /srv | jq -R ."), returned(&json!(escaped).to_string(), false), true),
        (
            bash("grep -rh verdict $OMK_HOME"),
            returned("{\"text\":\"End with a verdict: ship or hold.\\n\"}", false),
            true,
        ),
        (bash("cat ~/.oh-my-knowledge/runs/a.jsonl"), returned("nothing of it", false), false),
        // its own artifact, one that isn't there, a name that only ends alike, a listing, a line that others may have
        (read("/srv/project/skills/v1.md"), returned("plain", false), false),
        (read("/srv/project/skills/v2.md"), returned("File does not exist.", true), false),
        (read("/srv/project/myskills/v2.md"), returned("other", false), false),
        (bash("ls skills"), returned("v1.md\nv2.md", false), false),
        (bash("cat notes"), returned("Name the file and the line of each finding.", false), false),
    ];
    for (call, answer, is_leak) in cases {
        let context = calling(&call, &answer);
        context.write("skills/v2.md", text);
        context.samples(2, &says_better());
        let finished = context.run(&eval_with("claude", &["--report-only"])).expect(if is_leak { 3 } else { 0 });
        let report = valid(context.report());
        let read = results(&report)["s001/v1"]["artifactsRead"].clone();
        assert_eq!(read == json!(["v2"]), is_leak, "{call}: {read}");
        let flat = finished.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(flat.contains("read the artifact of another variant"), is_leak, "{call}: {finished:#?}");
        let verdict = &report["verdict"];
        assert_eq!(verdict["valid"] == json!(false), is_leak, "{call}: {verdict}");
        assert_eq!(report["summary"]["v1"]["artifactLeaks"] == json!(2), is_leak, "{call}");
        let again = context.run(&["report", "verdict", "latest"]).expect(if is_leak { 3 } else { 0 });
        assert!(again.stdout.contains("every stored number follows from the results"), "{again:#?}");
    }
}

#[test]
fn agents_are_not_told_of_our_variables() {
    let mut context =
        stand_in("env | grep '^OMK_' | grep -v '^OMK_PROCESS=' | sort >> \"$LOG\"; echo end >> \"$LOG\"\nexit 1");
    context.samples(1, &says_better());
    context.env("LOG", &context.path("calls").display().to_string());
    context.env("OMK_NAMED", "one");
    context.env("OMK_OTHER", "two");
    context.env("OMK_PASS_ENV", "OMK_NAMED");
    context.run(&eval_with("claude", &["--report-only", "--retry", "0", "--no-sandbox"]));
    assert_eq!(context.read("calls"), "OMK_NAMED=one\nend\n".repeat(2));
}

/// One line of an artifact tells nothing by itself, and enough where reports lie, wherever that is.
#[test]
fn reports_outside_of_the_home_are_no_place_for_agents_to_look_into() {
    let folder = tempfile::tempdir().unwrap();
    let reports = folder.path().join("ci-reports");
    for (place, is_leak) in [(reports.display().to_string(), true), ("/srv/other".to_owned(), false)] {
        let call = json!({"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": format!("jq . {place}/a.json")}});
        let text = json!({"text": "End with a verdict: ship or hold.\n"}).to_string();
        let context = calling(&call, &json!({"type": "tool_result", "tool_use_id": "t1", "content": text}));
        context.write(
            "skills/v2.md",
            "Name the file.\nName the line.\nEnd with a verdict: ship or hold.\nBegin now with it, and say why.\n",
        );
        context.samples(2, &says_better());
        let flags = ["--report-only", "--output-dir", &reports.display().to_string()];
        context.run(&eval_with("claude", &flags)).expect(if is_leak { 3 } else { 0 });
        let file = crate::fixtures::context::files(&reports).pop().unwrap();
        let report: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
        assert_eq!(results(&report)["s001/v1"]["artifactsRead"] == json!(["v2"]), is_leak, "{place}");
        std::fs::remove_dir_all(&reports).unwrap();
    }
}
