//! Mocks of the installed gemini.

use std::sync::Arc;

use serde_json::{Value, json};
use testkit::{FakeAnswer, FakeApi, FakeReply, ReplyScript, Request};

use super::{only_with, replace_program, restore_program, sample};
use crate::fixtures::context::{Finished, TestContext};
use crate::run::{answer, asked, installed, results, says, valid};

/// What the model made of the tools, in order.
fn shown(request: &Request) -> Vec<Value> {
    let contents = request.body["contents"].as_array().map_or(&[][..], Vec::as_slice);
    let parts = contents.iter().filter_map(|content| content["parts"].as_array()).flatten();
    parts.map(|part| part["functionResponse"]["response"].clone()).filter(|response| !response.is_null()).collect()
}

fn all_shown(requests: &[Request]) -> Vec<Value> {
    requests.iter().map(shown).max_by_key(Vec::len).unwrap_or_default()
}

/// The installed gemini in a project that asks a model which makes these calls one after another.
fn gemini(calls: &[(&str, Value)]) -> Option<(TestContext, Arc<FakeApi>)> {
    let program = testkit::tools::gemini()?;
    let calls: Vec<(String, Value)> = calls.iter().map(|(tool, input)| ((*tool).to_owned(), input.clone())).collect();
    let api = Arc::new(FakeApi::start(ReplyScript::with(move |request| {
        let next = calls.get(shown(request).len()).filter(|_| asked(request, "question")).cloned();
        FakeReply::answer(FakeAnswer { tool: next, ..answer("better") })
    })));
    let keys = [("GEMINI_API_KEY", "AIza-gemini-mocks-0123456789"), ("GOOGLE_GEMINI_BASE_URL", api.url.as_str())];
    Some((installed("gemini", program, &keys), api))
}

fn run(context: &TestContext, code: i32) -> Finished {
    let one = ["eval", "--control", "v1", "--executor", "gemini", "--report-only", "--timeout", "100", "--no-cache"];
    context.run(&one).expect(code)
}

#[test]
fn model_sees_of_mocked_servers_what_it_sees_of_real_ones() {
    let Some(server) = testkit::tools::mcp_everything() else { return };
    let calls =
        [("mcp_everything_echo", json!({"message": "hi"})), ("mcp_everything_get-sum", json!({"a": 2, "b": 3}))];
    let Some((context, api)) = gemini(&calls) else { return };
    // The real server is put into the settings of the call.
    let servers = json!({"everything": {"command": "node", "args": [server, "stdio"], "trust": true}}).to_string();
    let add = format!(
        "f=$GEMINI_CLI_HOME/.gemini/settings.json; \
         node -e 'const fs = require(\"fs\"), f = process.argv[1], s = JSON.parse(fs.readFileSync(f)); \
         s.mcpServers = JSON.parse(process.argv[2]); fs.writeFileSync(f, JSON.stringify(s))' \"$f\" '{servers}'"
    );
    let real = replace_program(&context, "gemini", &only_with("-m", &add));
    sample(&context, &json!([]), false, &json!([{"type": "contains", "value": "better"}]));
    run(&context, 0);
    let of_tools = all_shown(&api.requests());
    assert!(of_tools.len() == 2 && of_tools[1].to_string().contains('5'), "{of_tools:#?}");

    restore_program(&context, "gemini", &real);
    let mocks = json!([
        {"tool": "mcp__everything__echo", "match": {"input": {"message": "hi"}}, "return": "Echo: hi"},
        {"tool": "mcp__everything__get-sum", "match": {"input": {"a": 2, "b": 3}}, "return": "The sum of 2 and 3 is 5."},
    ]);
    let hits = ["mcp__everything__echo:1", "mcp__everything__get-sum:1"];
    sample(&context, &mocks, false, &hits.iter().map(|mock| json!({"type": "mock_hit", "value": mock})).collect());
    let before = api.count();
    run(&context, 0);
    assert_eq!(all_shown(&api.requests().split_off(before)), of_tools);
    let report = valid(context.report());
    assert_eq!(results(&report)["s001/v1"]["layeredScores"]["behaviorScore"], 5.0, "{report}");
}

#[test]
fn strict_mocks_deny_every_other_call_and_leave_the_artifact_readable() {
    let calls = [
        ("activate_skill", json!({"name": "v1"})),
        ("read_file", json!({"file_path": "notes.txt"})),
        ("read_file", json!({})),
        ("mcp_tracker_get", json!({"number": 7})),
        ("mcp_tracker_get", json!({"number": 8})),
        ("list_directory", json!({"dir_path": "."})),
    ];
    let Some((context, api)) = gemini(&calls) else { return };
    context.write("notes.txt", "notes of the project\n");
    context.write("skills/v1/SKILL.md", "---\nname: v1\ndescription: How to deploy.\n---\nSKILL BODY\n");
    drop(std::fs::remove_file(context.path("skills/v1.md")));
    let mocks = json!([{"tool": "mcp__tracker__get", "match": {"input": {"number": 7}}, "return": "the seventh"}]);
    sample(
        &context,
        &mocks,
        true,
        &json!([{"type": "mock_hit", "value": "mcp__tracker__get:1"}, {"type": "skill_used"}]),
    );
    let one = ["eval", "--control", "v1", "--executor", "gemini", "--report-only", "--timeout", "100"];
    context.run(&[&one[..], &["--delivery", "skill", "--no-cache"]].concat()).expect(0);
    let shown = all_shown(&api.requests());
    let has = [
        "SKILL BODY",
        "permission to use this tool has been denied",
        "file_path",
        "the seventh",
        "No answer is prepared",
        "permission to use this tool has been denied",
    ];
    for (shown, has) in shown.iter().zip(has) {
        assert!(shown.to_string().contains(has), "{has}: {shown}");
    }
    assert_eq!(shown.len(), has.len());
    assert!(!api.requests().iter().any(|request| asked(request, "notes of the project")));
    let report = valid(context.report());
    let result = results(&report)["s001/v1"].clone();
    assert_eq!(result["layeredScores"]["behaviorScore"], 5.0, "{result}");
}

#[test]
fn call_that_passes_a_mock_by_spoils_the_execution() {
    let calls = [("read_file", json!({"file_path": "notes.txt"}))];
    let Some((context, _api)) = gemini(&calls) else { return };
    context.write("notes.txt", "notes of the project\n");
    // A version that knows nothing of hooks.
    let forget = "sed -i 's/\"BeforeTool\"/\"Unknown\"/' \"$GEMINI_CLI_HOME/.gemini/settings.json\"";
    replace_program(&context, "gemini", &only_with("-m", forget));
    sample(&context, &json!([]), true, &json!([{"type": "contains", "value": "better"}]));
    let finished = run(&context, 3);
    assert!(says(&finished, "ran `read_file` without asking omk"), "{finished:#?}");
    let report = valid(context.report());
    assert_eq!(results(&report)["s001/v1"]["error"]["failure"], "mock", "{report}");
}
