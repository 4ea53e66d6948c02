//! Grouping searches into gaps.

use super::{ClaudeFile, misses, observed};

/// Searches for each query in a separate session; returns the number of inbox entries, and of texts of the first one.
fn entries(queries: &[&str]) -> (usize, usize) {
    let session = |(i, query): (usize, &&str)| {
        misses(ClaudeFile::new(&format!("session-{i}")).prompt("Where is it?"), &format!("call-{i}"), None, query)
    };
    let sessions: Vec<ClaudeFile> = queries.iter().enumerate().map(session).collect();
    let inbox = observed(&sessions.iter().collect::<Vec<_>>()).inbox;
    (inbox.len(), inbox[0].members.len())
}

#[test]
fn equal_searches_are_one_gap_with_listed_members() {
    for queries in [
        ["revenue_schema", "schema revenue"],
        ["RevenueSchema", "revenue_schema"],
        ["refund policy", "refund policies"],
        ["time_out", "timeout"],
        ["profile.*user", "user_profile"],
        ["/w/docs/a.md", "docs/a.md"],
    ] {
        assert_eq!(entries(&queries), (1, 2), "{queries:?}");
    }
    assert_eq!(entries(&["revenue_schema", "revenue_schema"]), (1, 1));
}

#[test]
fn different_searches_are_two_gaps() {
    for queries in [
        ["billing/README.md", "shipping/README.md"],
        ["docs/a.md", "docs/b.md"],
        ["docs/plan.md", "docs/plan.yaml"],
        ["src/**/*.md", "docs/**/*.md"],
        ["refund", "refund policy gold"],
        ["option_a", "option_b"],
        ["error 1", "error 2"],
        ["version 12", "version 1 2"],
        ["https://a.example/docs/api", "https://b.example/docs/api"],
        ["sk-live-aaaaaaaaaaaaaaaaaaaaaaaa", "sk-live-bbbbbbbbbbbbbbbbbbbbbbbb"],
        ["kim@example.com", "lee@example.com"],
    ] {
        assert_eq!(entries(&queries).0, 2, "{queries:?}");
    }
    assert_eq!(entries(&["kim@example.com", "kim@example.com"]).0, 1);
}
