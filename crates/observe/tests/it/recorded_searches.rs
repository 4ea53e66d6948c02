//! Searches that agents' own programs recorded, each tool with a hit and a miss.

use eval_spec::gap::SignalKind;

use super::read;

/// What was looked for in vain in a recorded session, with the call and its line.
fn failed(name: &str) -> Vec<(String, String, u64)> {
    let path = format!("{}/../trace/tests/fixtures/session-files/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let segments = read(&text, &[]).segments;
    let signals = segments.iter().flat_map(|segment| &segment.signals);
    let searches = signals.filter(|of| of.signal.kind == SignalKind::FailedSearch);
    let line = |call: &str| text.lines().position(|line| line.contains(&format!("\"{call}\"")));
    let found: Vec<_> =
        searches.map(|of| (of.signal.calls.join(" "), of.signal.subject.clone(), of.anchor.line)).collect();
    for (calls, _, at) in &found {
        let first = calls.split(' ').next().and_then(line).map(|line| line as u64 + 1);
        assert_eq!(Some(*at), first, "{name}: {calls}");
    }
    found
}

fn calls(name: &str) -> Vec<(String, String)> {
    failed(name).into_iter().map(|(calls, subject, _)| (calls, subject)).collect()
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(calls, subject)| ((*calls).to_owned(), (*subject).to_owned())).collect()
}

#[test]
fn every_miss_of_claude_is_a_failed_search_and_no_hit_is() {
    let expected = [
        ("toolu_1", "revenue_schema"),
        ("toolu_3", "revenue_schema"),
        ("toolu_5", "revenue_schema"),
        ("toolu_7", "**/*.sql"),
        ("toolu_11 toolu_12", "revenue_schema"),
        ("toolu_14", "/w/docs/refund.md"),
    ];
    assert_eq!(calls("claude-search-modes.jsonl"), pairs(&expected));
    assert_eq!(calls("claude-older-bash.jsonl"), pairs(&[("toolu_12", "revenue_schema")]));
}

#[test]
fn every_miss_of_codex_is_a_failed_search_and_no_hit_or_missing_tool_is() {
    let expected = [
        ("call_1 call_2", "revenue_schema"),
        ("call_4", "refund*"),
        ("call_6", "docs/refund.md"),
        ("call_8", "wiki"),
        ("call_10", "docs/sla.md"),
        ("call_12", "revenue_schema"),
    ];
    assert_eq!(calls("codex-search-lines.jsonl"), pairs(&expected));
}

#[test]
fn every_miss_of_gemini_is_a_failed_search_and_no_hit_or_missing_tool_is() {
    let expected = [
        ("grep_search__c1", "revenue_schema"),
        ("grep_search__c3", "revenue_schema"),
        ("grep_search__c4", "revenue_total"),
        ("glob__c6", "**/*.sql"),
        ("list_directory__c8", "empty"),
        ("list_directory__c9", "wiki"),
        ("read_file__c11", "docs/refund.md"),
        ("run_shell_command__c15", "revenue_schema"),
    ];
    assert_eq!(calls("gemini-search-tools.jsonl"), pairs(&expected));
}
