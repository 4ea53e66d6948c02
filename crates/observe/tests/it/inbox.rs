//! Entries of the inbox: class, question, existing pages and decisions.

use std::io::BufReader;
use std::path::PathBuf;

use eval_format::{GapDecision, GapGroup, GapStatus, GapStatusFile, Observation, ObservationSources};
use eval_gaps::{KnowledgeFiles, KnowledgePages};
use eval_observe::{Knowledge, ObservedKnowledge, SessionReading, limited_inbox, observe, read_session};
use eval_spec::gap::GapClass;
use eval_spec::knowledge::{KnowledgeBase, KnowledgeFile};
use eval_trace::sessions::session_format;
use serde_json::{Value, json};

use super::{ClaudeFile, call, misses, observed};

/// Returns a session with one call that finds nothing.
fn session(number: usize, prompt: &str, tool: &str, input: &Value) -> ClaudeFile {
    let id = format!("call-{number}");
    let (result, is_error) = match tool {
        "Read" => ("File does not exist.", true),
        "Bash" => ("", false),
        _ => ("No matches found", false),
    };
    ClaudeFile::new(&format!("session-{number}"))
        .prompt(prompt)
        .says(&format!("m-{number}"), None, &[call(&id, tool, input.clone())])
        .result(&id, result, is_error)
}

fn classes(calls: &[(&str, Value)]) -> Vec<(String, GapClass)> {
    let all: Vec<ClaudeFile> =
        calls.iter().enumerate().map(|(i, (tool, input))| session(i, "Where does it stand?", tool, input)).collect();
    let inbox = observed(&all.iter().collect::<Vec<_>>()).inbox;
    inbox.into_iter().map(|group| (group.subject, group.class)).collect()
}

#[test]
fn searches_for_facts_have_the_class_knowledge() {
    let calls = [
        ("Grep", json!({"pattern": "revenue_schema"})),
        ("Grep", json!({"pattern": "return policy"})),
        ("Grep", json!({"pattern": "retention", "path": "docs"})),
        ("Grep", json!({"pattern": "refundWindow", "glob": "*.md"})),
        ("Grep", json!({"pattern": "退款政策"})),
        ("Read", json!({"file_path": "/srv/demo/handbook/oncall.md"})),
        ("Glob", json!({"pattern": "**/*sla*.md"})),
        ("Bash", json!({"command": "grep -rn --include=*.md escalation ."})),
        ("Bash", json!({"command": "find . -name 'runbook*.md'"})),
        ("mcp__wiki__search", json!({"query": "cost centre"})),
        ("WebSearch", json!({"query": "vat rate"})),
    ];
    let classes = classes(&calls);
    assert!(classes.iter().all(|(_, class)| *class == GapClass::Knowledge), "{classes:?}");
    assert_eq!(classes.len(), calls.len(), "{classes:?}");
}

#[test]
fn definitions_identifiers_manifests_and_logs_have_the_class_code() {
    let calls = [
        ("Grep", json!({"pattern": "def parse_invoice"})),
        ("Grep", json!({"pattern": "class\\s+Gateway"})),
        ("Grep", json!({"pattern": "PaymentGatewayClient"})),
        ("Grep", json!({"pattern": "parseInvoice"})),
        ("Grep", json!({"pattern": "MAX_RETRY_COUNT"})),
        ("Grep", json!({"pattern": "retry\\("})),
        ("Grep", json!({"pattern": "refund policy", "path": "src/billing"})),
        ("Grep", json!({"pattern": "ledger", "type": "rust"})),
        ("Grep", json!({"pattern": "total", "glob": "**/*.{py}"})),
        ("Read", json!({"file_path": "/srv/demo/src/billing.rs"})),
        ("Read", json!({"file_path": "/srv/demo/package.json"})),
        ("Read", json!({"file_path": "/var/log/app/current"})),
        ("Glob", json!({"pattern": "**/*.log"})),
        ("Glob", json!({"pattern": "**/Cargo.toml"})),
        ("Bash", json!({"command": "rg -t py handle_request"})),
        ("Bash", json!({"command": "find . -name pyproject.toml"})),
        ("Bash", json!({"command": "git log --grep=rollback"})),
    ];
    let classes = classes(&calls);
    assert!(classes.iter().all(|(_, class)| *class == GapClass::Code), "{classes:?}");
    assert_eq!(classes.len(), calls.len(), "{classes:?}");
}

/// `handle_request` may be the name of a table, or that of a function.
#[test]
fn ambiguous_word_is_code_if_the_agent_edits_code() {
    let class = |edits: bool| {
        let file = ClaudeFile::new("s").prompt("Why does the request fail?");
        let edit = call("e", "Edit", json!({"file_path": "/srv/demo/app/server.py", "old_string": "a"}));
        let file = if edits { file.says("m-e", None, &[edit]).result("e", "done", false) } else { file };
        observed(&[&misses(file, "a", None, "handle_request")]).inbox[0].class
    };
    assert_eq!((class(false), class(true)), (GapClass::Knowledge, GapClass::Code));
}

#[test]
fn question_of_an_entry_is_the_most_frequent_prompt_that_says_more_than_continue() {
    let ask = |number: usize, prompts: &[&str]| {
        let file = ClaudeFile::new(&format!("session-{number}"));
        misses(prompts.iter().fold(file, |file, prompt| file.prompt(prompt)), &format!("c-{number}"), None, "sla_tiers")
    };
    let (often, go_on) = ("Which SLA\n has gold?", ask(2, &["Which SLA\n has gold?", "2", "ok, continue"]));
    let inbox = observed(&[&ask(0, &["What is an SLA?"]), &ask(1, &[often]), &go_on]).inbox;
    assert_eq!(inbox.len(), 1);
    assert_eq!(inbox[0].question.as_deref(), Some("Which SLA has gold?"));
}

/// Some agents write the text of a command's template as the user's prompt.
#[test]
fn template_of_a_command_names_no_entry() {
    let ask = |number: usize, prompt: &str| {
        misses(ClaudeFile::new(&format!("session-{number}")).prompt(prompt), &format!("c-{number}"), None, "sla_tiers")
    };
    let named = |prompts: [&str; 3]| {
        let all: Vec<ClaudeFile> = prompts.iter().enumerate().map(|(number, prompt)| ask(number, prompt)).collect();
        observed(&all.iter().collect::<Vec<_>>()).inbox[0].question.clone()
    };
    for template in [
        "/review",
        "/spec:plan",
        "---\ndescription: Plans.\n---\n# Plan\n# Steps",
        "# Plan\n\nThink first.\n\n## Steps\n\n1. Read.",
        "User input:\n\n$ARGUMENTS\n\nPlan it.",
        "Review {{args}} at once.",
    ] {
        assert_eq!(
            named([template, "Which SLA has gold?", template]).as_deref(),
            Some("Which SLA has gold?"),
            "{template}"
        );
        assert_eq!(named([template; 3]), None, "{template}");
    }
    for question in ["/review the tiers", "/srv/docs/sla.md is gone", "# 3 is which tier?"] {
        assert_eq!(named([question; 3]).as_deref(), Some(question));
    }
}

/// Observes sessions with a knowledge base of one page in `project`; the sessions are in it or in a copy.
fn with_handbook(sessions: &[ClaudeFile], project: &str, is_limit: bool) -> Observation {
    let page = KnowledgeFile {
        name: "handbook/refunds.md".to_owned(),
        path: PathBuf::from(format!("{project}/handbook/refunds.md")),
        hash: None,
    };
    let roots = vec![PathBuf::from(format!("{project}/handbook"))];
    let files = KnowledgeFiles::new(&KnowledgeBase { cwd: PathBuf::from(project), roots, files: vec![page] });
    let text = "# Refunds\n\nThe window for refunds is 30 days.\n";
    let pages = KnowledgePages::new([("handbook/refunds.md".to_owned(), text.to_owned())]);
    let project = Knowledge { project: PathBuf::from(project), files: files.clone() };
    let reading = SessionReading { knowledge: Some(project), ..SessionReading::default() };
    let read = |file: &ClaudeFile| {
        let text = file.text();
        let format = session_format("s.jsonl", &text).unwrap();
        let file = BufReader::new(std::io::Cursor::new(text.into_bytes()));
        ("s.jsonl".to_owned(), read_session(format, &reading, file, []).unwrap())
    };
    let read: Vec<_> = sessions.iter().map(read).collect();
    let knowledge = ObservedKnowledge { files: Some(&files), pages: Some(&pages), is_limit };
    observe("id".to_owned(), "now".to_owned(), &read, ObservationSources::default(), knowledge)
}

fn subjects(observation: &Observation) -> Vec<&str> {
    let mut all: Vec<&str> = observation.inbox.iter().map(|group| group.subject.as_str()).collect();
    all.sort_unstable();
    all
}

#[test]
fn inbox_is_limited_to_searches_in_or_for_the_knowledge_base() {
    let calls = [
        ("Grep", json!({"pattern": "voucher"})),
        ("Grep", json!({"pattern": "chargeBack", "path": "handbook"})),
        ("Read", json!({"file_path": "/srv/demo/handbook/loyalty.md"})),
        ("Grep", json!({"pattern": "parseInvoice"})),
        ("Grep", json!({"pattern": "gift card", "path": "notes"})),
        ("Read", json!({"file_path": "/elsewhere/plan.md"})),
        ("WebSearch", json!({"query": "vat rate"})),
    ];
    let all: Vec<ClaudeFile> =
        calls.iter().enumerate().map(|(i, (tool, input))| session(i, "What about it?", tool, input)).collect();
    let wanted = ["/srv/demo/handbook/loyalty.md", "chargeBack", "voucher"];
    let limited = with_handbook(&all, "/srv/demo", true);
    assert_eq!((subjects(&limited), limited.sources.searches_elsewhere), (wanted.to_vec(), 4));
    assert!(limited.inbox.iter().all(GapGroup::is_wanted), "{:?}", limited.inbox);
    let copied = with_handbook(&all[..3], "/home/kim/demo", true);
    assert_eq!(copied.inbox.len(), 3, "the sessions worked in a copy of the project: {:?}", copied.inbox);
    let whole = with_handbook(&all, "/srv/demo", false);
    assert_eq!(whole.inbox.len(), calls.len());
    // limiting a stored observation in another copy of the project has the same result
    let roots = vec![PathBuf::from("/home/kim/demo/handbook")];
    let files = KnowledgeFiles::new(&KnowledgeBase { roots, ..KnowledgeBase::default() });
    let pages = KnowledgePages::new([("handbook/a.md".to_owned(), "A voucher.".to_owned())]);
    let (inbox, elsewhere) = limited_inbox(whole.inbox.clone(), &PathBuf::from("/home/kim/demo"), &files, &pages);
    let stored = Observation { inbox, ..whole };
    assert_eq!((subjects(&stored), elsewhere), (wanted.to_vec(), 4));
    let voucher = stored.inbox.iter().find(|group| group.subject == "voucher").unwrap();
    assert_eq!(voucher.existing_pages, ["handbook/a.md:1"]);
}

#[test]
fn search_without_words_is_no_entry() {
    let calls = [("Bash", json!({"command": "find . -type f"})), ("Grep", json!({"pattern": "^- \\[ \\]"}))];
    assert_eq!(classes(&calls), []);
}

#[test]
fn page_with_the_words_of_a_search_is_listed_as_existing() {
    let pages = |pattern: &str| {
        let search = session(0, "What about it?", "Grep", &json!({"pattern": pattern}));
        with_handbook(&[search], "/srv/demo", false).inbox[0].existing_pages.clone()
    };
    assert_eq!(pages("refund_window"), ["handbook/refunds.md:3"]);
    assert_eq!(pages("days.*windows"), ["handbook/refunds.md:3"]);
    assert_eq!(pages("handbook 30"), ["handbook/refunds.md"], "the name counts");
    for other in ["refund_voucher", "kim@example.com", "退款"] {
        assert!(pages(other).is_empty(), "{other}");
    }
    let guessed = session(0, "What about it?", "Read", &json!({"file_path": "/srv/demo/docs/refund-window.md"}));
    assert_eq!(with_handbook(&[guessed], "/srv/demo", false).inbox[0].existing_pages, ["handbook/refunds.md:3"]);
}

#[test]
fn decision_on_a_member_holds_for_the_entry_until_a_later_search() {
    let all = [
        session(0, "A?", "Grep", &json!({"pattern": "time_out"})),
        session(1, "B?", "Grep", &json!({"pattern": "timeout"})),
    ];
    let observation = observed(&all.iter().collect::<Vec<_>>());
    let ids = observation.inbox[0].ids.clone();
    assert_eq!(ids.len(), 2, "the same letters have ids of their own");
    let decided = |status, time: &str| {
        let decision = GapDecision { subject: "timeout".to_owned(), status, reason: None, at: time.to_owned() };
        let statuses = GapStatusFile { gaps: [(ids[1].clone(), decision)].into(), ..GapStatusFile::default() };
        let entry = observation.clone().decided(&statuses).inbox.remove(0);
        (entry.is_closed(), entry.is_back())
    };
    assert_eq!(decided(GapStatus::Done, "2026-04-01T00:00:00Z"), (true, false));
    assert_eq!(decided(GapStatus::Done, "2026-03-01T00:00:00Z"), (false, true), "it is wanted since");
    assert_eq!(decided(GapStatus::Dismissed, "2026-03-01T00:00:00Z"), (true, false));
}
