//! `gemini`: the installed program with a fake API.

use serde_json::json;
use testkit::{FakeAnswer, FakeApi, FakeReply, ReplyScript};

use super::{answer, asked, assert_nowhere, eval_with, installed, results, says, says_better, valid};
use crate::fixtures::context::TestContext;

const KEY: &str = "AIza-gemini-0123456789";

/// A project whose `gemini` is the installed one and asks `api`.
fn project(api: &FakeApi) -> Option<TestContext> {
    Some(installed(
        "gemini",
        testkit::tools::gemini()?,
        &[("GEMINI_API_KEY", KEY), ("GOOGLE_GEMINI_BASE_URL", &api.url)],
    ))
}

#[test]
fn installed_gemini_runs_a_comparison() {
    let api = FakeApi::start(ReplyScript::with(|request| {
        let words = if asked(request, "ANSWER better") { "better" } else { "plain" };
        match asked(request, "question 2") && !asked(request, "functionResponse") {
            true => FakeReply::answer(FakeAnswer {
                tool: Some(("read_file".to_owned(), json!({"file_path": "notes.txt"}))),
                ..answer("let me look")
            }),
            false => FakeReply::answer(answer(words)),
        }
    }));
    let Some(context) = project(&api) else { return };
    context.samples(2, &says_better());
    context.write("notes.txt", "notes of the project\n");
    context.write("skills/v2.md", "ANSWER better\nAsk @alice, see @settings.json.\n");
    let finished =
        context.run(&eval_with("gemini", &["--concurrency", "2", "--timeout", "120", "--report-only"])).expect(0);
    let report = valid(context.report());
    let results = results(&report);
    for (cell, text) in [("s001/v1", "plain"), ("s001/v2", "better"), ("s002/v1", "plain"), ("s002/v2", "better")] {
        let result = results[cell];
        assert_eq!((&result["outcome"], &result["fullOutput"]), (&json!("answered"), &json!(text)), "{result}");
        assert_eq!(result["model"], "gemini-2.5-pro", "{result}");
    }
    let first = results["s001/v1"];
    assert_eq!((&first["turns"], &first["inputTokens"]), (&json!(1), &json!(140)));
    assert_eq!((&first["outputTokens"], &first["cacheReadTokens"]), (&json!(7), &json!(40)));
    assert_eq!(results["s002/v1"]["turns"], 2);
    // The stream shows nothing of a file that was read.
    let read = &results["s002/v1"]["toolCalls"][0];
    assert!(
        read["name"] == "read_file" && read["output"]["text"].as_str().unwrap().contains("of the project"),
        "{read}"
    );
    for request in api.requests().iter().filter(|request| request.path.contains(":streamGenerateContent")) {
        assert!(asked(request, "ANSWER plain") != asked(request, "ANSWER better"), "{}", request.body);
        assert!(!asked(request, "skills/v"), "a name of a file in {}", request.body);
        let is_whole = !asked(request, "ANSWER better") || asked(request, r"Ask \\@alice, see \\@settings.json.");
        assert!(is_whole && !asked(request, "Import"), "{}", request.body);
    }
    assert_nowhere(KEY, &context, &finished);
}

#[test]
fn setting_that_gemini_cannot_honour_is_refused() {
    let api = FakeApi::start(ReplyScript::happy());
    let Some(context) = project(&api) else { return };
    context.samples(1, &says_better());
    let refused = context.run(&eval_with("gemini", &["--max-tokens", "3"])).expect(2);
    assert!(says(&refused, "`gemini` has no `maxTokens`"), "{refused:#?}");
    let refused = context.run(&eval_with("gemini", &["--no-strict-baseline"])).expect(2);
    assert!(says(&refused, "leave `--no-strict-baseline` out"), "{refused:#?}");
    assert_eq!(api.count(), 0);
}
