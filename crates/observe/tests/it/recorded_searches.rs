//! Sessions recorded by real agents, with a hit and a miss of each search tool.

use eval_spec::gap::SignalKind;

use super::read;

/// Returns the failed searches of a recorded session: call, subject and line.
fn failed(name: &str) -> Vec<(String, String, u64)> {
    let path = format!("{}/../trace/tests/fixtures/session-files/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let segments = read(&text, &[]).segments;
    let signals = segments.iter().flat_map(|segment| &segment.signals);
    let entries = signals.filter(|entry| entry.signal.kind == SignalKind::FailedSearch);
    let line = |call: &str| text.lines().position(|line| line.contains(&format!("\"{call}\"")));
    let searches: Vec<_> =
        entries.map(|entry| (entry.signal.calls.join(" "), entry.signal.subject.clone(), entry.anchor.line)).collect();
    for (calls, _, found_line) in &searches {
        let first = calls.split(' ').next().and_then(line).map(|line| line as u64 + 1);
        assert_eq!(Some(*found_line), first, "{name}: {calls}");
    }
    searches
}

fn calls(name: &str) -> Vec<(String, String)> {
    failed(name).into_iter().map(|(calls, subject, _)| (calls, subject)).collect()
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(calls, subject)| ((*calls).to_owned(), (*subject).to_owned())).collect()
}

#[test]
fn misses_of_claude_are_failed_searches_and_hits_are_not() {
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
fn misses_of_codex_are_failed_searches_and_hits_and_missing_tools_are_not() {
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
fn misses_of_gemini_are_failed_searches_and_hits_and_missing_tools_are_not() {
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
