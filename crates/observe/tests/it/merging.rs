//! Which missing things are one gap.

use super::{ClaudeFile, misses, observed};

/// How many entries the inbox has for searches in sessions of their own, and how many texts the first one lists.
fn entries(queries: &[&str]) -> (usize, usize) {
    let session = |(at, query): (usize, &&str)| {
        misses(ClaudeFile::new(&format!("session-{at}")).prompt("Where is it?"), &format!("call-{at}"), None, query)
    };
    let sessions: Vec<ClaudeFile> = queries.iter().enumerate().map(session).collect();
    let inbox = observed(&sessions.iter().collect::<Vec<_>>()).inbox;
    (inbox.len(), inbox[0].members.len())
}

#[test]
fn searches_for_the_same_are_one_gap_whose_members_are_listed() {
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
fn searches_for_other_things_are_two_gaps() {
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
