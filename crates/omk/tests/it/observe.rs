//! `omk observe`: real files, the built program.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};

use crate::fixtures::context::TestContext;

/// A session of Claude Code with one prompt, a skill where there is one, and a search for each pattern that finds nothing.
fn session(id: &str, cwd: &str, day: &str, skill: Option<&str>, patterns: &[&str]) -> String {
    let mut lines = vec![];
    let mut second = 0;
    let mut push = |kind: &str, message: Value, more: Value| {
        let mut record = json!({
            "parentUuid": null, "isSidechain": false, "type": kind, "message": message, "cwd": cwd, "sessionId": id,
            "uuid": format!("{id}-{second}"), "timestamp": format!("{day}T10:00:{second:02}.000Z"), "version": "2.1.330",
        });
        record.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        second += 1;
        lines.push(format!("{record}\n"));
    };
    push("user", json!({"role": "user", "content": "Where is the revenue?"}), json!({}));
    for (at, pattern) in patterns.iter().enumerate() {
        let call =
            json!({"type": "tool_use", "id": format!("{id}-{at}"), "name": "Grep", "input": {"pattern": pattern}});
        let usage = json!({"input_tokens": 100, "output_tokens": 10});
        let message = json!({"id": format!("m-{id}-{at}"), "role": "assistant", "model": "claude-x", "content": [call], "usage": usage});
        push("assistant", message, skill.map_or(json!({}), |skill| json!({"attributionSkill": skill})));
        let result = json!({"type": "tool_result", "tool_use_id": format!("{id}-{at}"), "content": "No matches found"});
        push("user", json!({"role": "user", "content": [result]}), json!({}));
    }
    lines.concat()
}

pub(crate) fn with_sessions() -> TestContext {
    let mut context = TestContext::new();
    context.write("logs/a.jsonl", &session("aaaaaaaa", "/p", "2026-03-01", Some("review"), &["revenue_schema"]));
    context.write(
        "logs/b.jsonl",
        &session("bbbbbbbb", "/p", "2026-03-08", Some("review"), &["revenueSchema", "user_profile"]),
    );
    context.write("logs/deep/c.jsonl", &session("cccccccc", "/p", "2026-03-09", None, &["other_table"]));
    context.write("logs/notes.txt", "not a session");
    fs::create_dir_all(context.path(".omk")).unwrap();
    context.env("HOME", &context.path("home").to_string_lossy());
    context
}

pub(crate) fn shown(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub(crate) fn observation(context: &TestContext) -> Value {
    let mut files: Vec<_> = fs::read_dir(context.path(".omk/analyses")).unwrap().map(|of| of.unwrap().path()).collect();
    files.retain(|path| !path.ends_with("gaps.json"));
    files.sort_by_key(|path| path.file_stem().map(ToOwned::to_owned));
    serde_json::from_slice(&fs::read(files.last().unwrap()).unwrap()).unwrap()
}

#[test]
fn sessions_are_shown_and_stored_skill_by_skill() {
    let context = with_sessions();
    let run = context.run(&["observe", "logs"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let text = shown(&run.stdout);
    for part in [
        "3 segments of work in 3 sessions, 2026-03-01 to 2026-03-09",
        "`review`: too few segments for a judgement (2 in 2 sessions",
        "gap rate 100.0 %",
        "on 2 of 3 segments of sessions@",
        "1. Where is the revenue? — wanted in 2 sessions, 2 searches, last on 2026-03-08",
        "looked for: `revenue_schema`, `revenueSchema`",
        "does not represent the knowledge base's absolute completeness",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let stored = observation(&context);
    assert_eq!(stored["sources"]["formats"], json!({"claude-session": 3}));
    assert_eq!(stored["skills"][0]["gaps"]["testSet"]["sampleCount"], 3);
    let file = fs::read_dir(context.path(".omk/analyses")).unwrap().next().unwrap().unwrap();
    assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600, "what users asked is private");
}

#[test]
fn period_and_skills_leave_out_what_was_not_asked_for() {
    let context = with_sessions();
    let counted = |arguments: &[&str]| {
        let run = context.run(&[&["observe", "logs", "--json"], arguments].concat());
        let found: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{}", run.stderr));
        found["overall"]["segments"].as_u64()
    };
    assert_eq!(counted(&["--from", "2026-03-08"]), Some(2));
    assert_eq!(counted(&["--to", "2026-03-08"]), Some(2), "the whole day is in it");
    assert_eq!(counted(&["--to", "2026-03-08T10:00:00Z"]), Some(1));
    assert_eq!(counted(&["--skills", "review"]), Some(2));
    for (arguments, text) in [
        (vec!["--last", "7x"], "`7x` can't be read as --last"),
        (vec!["--last", "0d"], "`0d`"),
        (vec!["--from", "yesterday"], "`yesterday` can't be read as --from"),
        (vec!["--from", "2026-03-09", "--to", "2026-03-01"], "ends before it begins"),
        (vec!["--skills", "nobody"], "3 sessions were found, and no work in it fits"),
        (vec!["--last", "1m", "--from", "2026-03-01"], "exclude each other"),
    ] {
        let run = context.run(&[&["observe", "logs"], &arguments[..]].concat());
        assert_eq!(run.code, 2, "{arguments:?}\n{}", run.stdout);
        assert!(shown(&run.stderr).contains(text), "{text}\n{}", run.stderr);
    }
}

#[test]
fn the_agents_own_sessions_of_this_project_need_no_path() {
    let context = with_sessions();
    let project = fs::canonicalize(context.path(".")).unwrap().to_string_lossy().into_owned();
    let folder: String = project.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let none = context.run(&["observe"]);
    assert_eq!(none.code, 2, "{}", none.stdout);
    assert!(none.stderr.contains("no agent keeps a session of this project here"), "{}", none.stderr);
    let here = session("dddddddd", &project, "2026-03-10", Some("review"), &["here_table"]);
    context.write(&format!("home/.claude/projects/{folder}/d.jsonl"), &here);
    let run = context.run(&["observe"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("here_table"), "{}", run.stdout);
}

#[test]
fn inbox_names_the_places_and_what_was_asked() {
    let context = with_sessions();
    let early = context.run(&["observe", "inbox"]);
    assert_eq!(early.code, 2);
    assert!(early.stderr.contains("make one: omk observe"), "{}", early.stderr);
    context.run(&["observe", "logs"]);
    let run = context.run(&["observe", "inbox"]);
    let text = shown(&run.stdout);
    for part in [
        "1. Where is the revenue? — wanted",
        "looked for: `revenue_schema`",
        "logs/b.jsonl:2 Where is the revenue?",
        "logs/a.jsonl:2",
        "sessions@",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let json: Value = serde_json::from_str(&context.run(&["observe", "inbox", "--json"]).stdout).unwrap();
    assert_eq!(json[0]["evidence"][0]["segment"], "bbbbbbbb#1");
}

#[test]
fn gap_of_the_inbox_is_closed_and_opened_again() {
    let context = with_sessions();
    context.run(&["observe", "logs"]).expect(0);
    let inbox = || context.run(&["observe", "inbox"]).expect(0).stdout;
    let id = observation(&context)["inbox"][0]["ids"][0].as_str().unwrap().to_owned();
    let unknown = context.run(&["observe", "done", "gap-00000000"]).expect(2);
    assert!(unknown.stderr.contains("no gap `gap-00000000`"), "{}", unknown.stderr);
    context.run(&["observe", "dismiss", &id, "--reason", " "]).expect(2);
    context.run(&["observe", "dismiss", &id, "--reason", "another team's"]).expect(0);
    let file: Value = serde_json::from_slice(&fs::read(context.path(".omk/analyses/gaps.json")).unwrap()).unwrap();
    assert_eq!(file["gaps"][&id]["status"], "dismissed");
    let text = shown(&inbox());
    let (open, closed) = text.split_once("Done and dismissed").unwrap_or_else(|| panic!("{text}"));
    assert!(!open.contains(&id) && closed.contains(&id) && closed.contains("another team's"), "{text}");
    let again = context.run(&["observe", "logs", "--json"]).expect(0).json();
    let last = again["inbox"].as_array().unwrap().last().unwrap();
    assert_eq!(
        (&last["id"], &last["decision"]["status"]),
        (&json!(id), &json!("dismissed")),
        "the next one has it, too"
    );
    context.run(&["sample", "--from-traces"]).expect(0);
    assert!(!fs::read_to_string(context.path("eval-samples.draft.yaml")).unwrap().contains("revenue_schema"));
    context.run(&["observe", "done", &id]).expect(0);
    assert!(shown(&inbox()).contains("done on "), "it was wanted before that");
    context.run(&["observe", "reopen", &id]).expect(0);
    assert!(!inbox().contains("Done and dismissed"));
    context.write(".omk/analyses/gaps.json", "{");
    let damaged = context.run(&["observe", "inbox"]).expect(2);
    assert!(shown(&damaged.stderr).contains("gaps.json` can't be read, line 1"), "{}", damaged.stderr);
}

#[test]
fn inbox_of_a_knowledge_base_has_its_searches_and_pages_that_exist() {
    let context = with_sessions();
    context.write("docs/users.md", "# User profiles\n\nA profile of a user has a name.\n");
    let here = context.path("").display().to_string();
    let asked = session("eeeeeeee", here.trim_end_matches('/'), "2026-03-09", None, &["user_profile", "parseInvoice"]);
    context.write("logs/here.jsonl", &asked);
    let run = context.run(&["observe", "logs/here.jsonl", "--kb", "docs"]).expect(0);
    let text = shown(&run.stdout);
    for part in
        ["exists, not found: `docs/users.md:1`", "limited to searches in or for docs; one search elsewhere is not"]
    {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert!(!text.contains("parseInvoice"), "{text}");
    let all = shown(&context.run(&["observe", "logs/here.jsonl"]).expect(0).stdout);
    let later = shown(&context.run(&["observe", "inbox", "--kb", "docs"]).expect(0).stdout);
    assert!(later.contains("exists, not found: `docs/users.md:1`") && !later.contains("parseInvoice"), "{later}");
    let (pages, code) = all.split_once("Code that was looked for and not found").unwrap_or_else(|| panic!("{all}"));
    assert!(pages.contains("user_profile") && code.contains("parseInvoice"), "{all}");
}

/// What a comparison of these sessions says, in the terminal and on the page.
pub(crate) const COMPARED: [&str; 5] = [
    "proves nothing by itself",
    "before: gap rate 100.0 %",
    "on 1 of 1 segments",
    "after: gap rate",
    "new: no segment before",
];

#[test]
fn two_observations_are_compared_and_nothing_is_concluded() {
    let context = with_sessions();
    context.run(&["observe", "logs", "--to", "2026-03-01"]);
    let first = observation(&context)["id"].as_str().unwrap().to_owned();
    context.run(&["observe", "logs"]);
    let run = context.run(&["observe", "compare", &first]);
    let text = shown(&run.stdout);
    for part in COMPARED {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let missing = context.run(&["observe", "compare", "20200101-000000"]);
    assert_eq!(missing.code, 2, "{}", missing.stderr);
    context.write("other.json", "{\"schemaVersion\": 1}");
    let foreign = context.run(&["observe", "show", "other.json"]);
    assert_eq!(foreign.code, 2);
    assert!(foreign.stderr.contains("no stored observation"), "{}", foreign.stderr);
}

#[test]
fn what_others_wrote_is_harmless_in_a_terminal() {
    let context = TestContext::new();
    let hostile = "\u{1b}]0;x\u{7}\u{202e}evil\u{1b}[31m";
    context.write("s.jsonl", &session("aaaaaaaa", "/p", "2026-03-01", Some(hostile), &[hostile]));
    let run = context.run(&["observe", "s.jsonl"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(!run.stdout.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{:?}", run.stdout);
    assert!(run.stdout.contains("evil"));
}

#[test]
fn files_that_are_no_sessions_are_named_and_cost_nothing_else() {
    let context = with_sessions();
    let run = context.run(&["observe", "logs/a.jsonl", "logs/notes.txt"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(shown(&run.stdout).contains("not read: `logs/notes.txt`: it is of no known format"), "{}", run.stdout);
    let missing = context.run(&["observe", "nowhere"]);
    assert_eq!(missing.code, 2);
    assert!(missing.stderr.contains("there is no `nowhere`"), "{}", missing.stderr);
}

#[test]
fn drafts_of_samples_are_questions_that_were_not_answered() {
    let context = with_sessions();
    let early = context.run(&["sample", "--from-traces"]);
    assert_eq!(early.code, 2, "{}", early.stdout);
    context.run(&["observe", "logs"]);
    let run = context.run(&["sample", "--from-traces"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let again = context.run(&["sample", "--from-traces"]);
    assert_eq!(again.code, 2, "{}", again.stdout);
    assert!(again.stderr.contains("exists, and is kept"), "{}", again.stderr);
    let text = fs::read_to_string(context.path("eval-samples.draft.yaml")).unwrap();
    assert_eq!(text.matches("sample_id").count(), 1, "one question was asked thrice: {text}");
    for part in ["\"Where is the revenue?\"", "production-trace", "revenue_schema", "# Drafts of one sample"] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    context.write("skills/v1.md", "one");
    let plan = context.run(&["eval", "--samples", "eval-samples.draft.yaml", "--control", "v1", "--dry-run"]);
    assert_eq!(plan.code, 0, "{}", plan.stderr);
}

#[test]
fn drafts_hold_no_yaml_of_a_user() {
    let context = TestContext::new();
    fs::create_dir_all(context.path(".omk")).unwrap();
    let prompt = "x\"\n- sample_id: evil\n  prompt: # {{a}} \u{1b}[0m";
    let text = session("aaaaaaaa", "/p", "2026-03-01", None, &["alpha_table"]);
    context.write("s.jsonl", &text.replace("Where is the revenue?", json!(prompt).to_string().trim_matches('"')));
    context.run(&["observe", "s.jsonl"]);
    let run = context.run(&["sample", "--from-traces", "--output", "d.yaml"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    context.write("skills/v1.md", "one");
    let plan = context.run(&["eval", "--samples", "d.yaml", "--control", "v1", "--dry-run", "--json"]);
    assert_eq!(plan.code, 0, "{}", plan.stderr);
    assert!(!plan.stdout.contains("\"evil\""), "{}", plan.stdout);
}

#[test]
fn latest_is_the_last_of_two_observations_in_the_same_second() {
    let context = with_sessions();
    context.run(&["observe", "logs"]).expect(0);
    let mut stored = observation(&context);
    let id = stored["id"].as_str().unwrap().to_owned();
    stored["id"] = json!(format!("{id}-2"));
    context.write(&format!(".omk/analyses/{id}-2.json"), &stored.to_string());
    let latest: Value = serde_json::from_str(&context.run(&["observe", "show", "--json"]).expect(0).stdout).unwrap();
    assert_eq!(latest["id"], stored["id"]);
}

/// A session of Claude Code that reads files, each with its arguments.
fn reading(cwd: &str, skill: &str, files: &[Value]) -> String {
    let mut text = session("dddddddd", cwd, "2026-03-02", Some(skill), &[]);
    for (at, input) in files.iter().enumerate() {
        let call = json!({"type": "tool_use", "id": format!("r-{at}"), "name": "Read", "input": input});
        let said = json!({"id": format!("m-{at}"), "role": "assistant", "model": "claude-x", "content": [call]});
        let result = json!({"type": "tool_result", "tool_use_id": format!("r-{at}"), "content": "1\tText of the file"});
        for (kind, message) in [("assistant", said), ("user", json!({"role": "user", "content": [result]}))] {
            let record = json!({
                "type": kind, "message": message, "uuid": format!("{kind}-{at}"), "cwd": cwd, "sessionId": "dddddddd",
                "timestamp": "2026-03-02T10:05:00.000Z", "attributionSkill": skill, "isSidechain": false,
            });
            text.push_str(&format!("{record}\n"));
        }
    }
    text
}

/// Also where the session worked in another copy of the project, and the knowledge base isn't all that it read.
#[test]
fn coverage_of_a_knowledge_base_is_shown_by_skill_with_its_sessions() {
    let context = with_sessions();
    for file in ["docs/a.md", "docs/b.md", "docs/deep/c.md"] {
        context.write(file, "text");
    }
    let inside = context.path("docs/a.md").display().to_string();
    let here = [json!({"file_path": inside, "offset": 3, "limit": 2}), json!({"file_path": "/etc/hosts"})];
    context.write("logs/here.jsonl", &reading(&context.path("").display().to_string(), "deploy", &here));
    let elsewhere = reading("/elsewhere/demo", "deploy", &[json!({"file_path": "/elsewhere/demo/docs/deep/c.md"})]);
    context.write("logs/there.jsonl", &elsewhere.replace("dddddddd", "eeeeeeee"));
    let run = context.run(&["observe", "logs", "--kb", "docs"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let text = shown(&run.stdout);
    let set = observation(&context)["overall"]["coverage"]["testSet"]["id"].as_str().unwrap().to_owned();
    assert!(text.contains(&format!("knowledge base: 2 of 3 files read (66.7 %), in 2 segments of {set}")), "{text}");
    assert!(text.contains("docs/a.md") && text.contains("dddddddd#1:3-4"), "{text}");
    assert!(text.contains("docs/b.md"), "{text}");
    let of = |skill: &str| {
        let all = observation(&context)["skills"].clone();
        all.as_array().unwrap().iter().find(|of| of["skill"] == skill).unwrap()["coverage"].clone()
    };
    assert_eq!(
        (of("deploy")["coverage"].as_f64(), &of("deploy")["uncovered"]),
        (Some(2.0 / 3.0), &json!(["docs/b.md"]))
    );
    // It searched, and met no file.
    assert_eq!((&of("review")["accessed"], of("review")["coverage"].as_f64()), (&json!(0), Some(0.0)));
    let without = context.run(&["observe", "logs"]);
    assert!(!without.stdout.contains("knowledge base:"), "{}", without.stdout);
    let wrong = context.run(&["observe", "logs", "--kb", "nowhere"]);
    assert_eq!(wrong.code, 2, "{}", wrong.stdout);
    assert!(wrong.stderr.contains("nowhere"), "{}", wrong.stderr);
}

#[test]
fn values_of_secret_variables_are_masked_in_what_is_stored() {
    let mut context = with_sessions();
    context.env("DEPLOY_TOKEN", "correct-horse-battery");
    context.write("s.jsonl", &session("ffffffff", "/p", "2026-03-01", None, &["correct-horse-battery in config"]));
    let run = context.run(&["observe", "s.jsonl"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let stored = observation(&context).to_string();
    assert!(stored.contains("[secret] in config") && !stored.contains("correct-horse"), "{stored}");
}

#[test]
fn stored_numbers_that_nothing_can_have_measured_are_refused() {
    let context = with_sessions();
    context.run(&["observe", "logs"]).expect(0);
    let stored = observation(&context);
    let id = stored["id"].as_str().unwrap();
    let path = context.path(&format!(".omk/analyses/{id}.json"));
    let show = |pointer: &str, value: Value| {
        let mut changed = stored.clone();
        *changed.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}: {stored:#}")) = value;
        fs::write(&path, changed.to_string()).unwrap();
        context.run(&["observe", "show", id])
    };
    for (pointer, value, field) in [
        ("/overall/gaps/gapRate", json!(7.77), "gapRate"),
        ("/overall/gaps/weightedGapRate", json!(-3.3), "weightedGapRate"),
        ("/overall/gaps/gapRateCi/low", json!(1.0001), "gapRate"),
        ("/overall/gaps/gapRateCi", json!(null), "gapRateCi"),
        ("/overall/gaps/gapRateCi/level", json!(7), "gapRate"),
        ("/overall/gaps/weightedGapRate", json!(null), "weightedGapRate"),
        ("/skills/0/gaps/samples", json!(4), "samples"),
        ("/skills/0/gaps/inventory", json!([]), "gapRate"),
        ("/skills/0/toolFailureRate", json!(0.5), "toolFailureRate"),
        ("/skills/0/toolFailureRate", json!(null), "toolFailureRate"),
        ("/skills/0/toolFailureRateCi", json!(null), "toolFailureRateCi"),
        ("/skills/0/tools/ok", json!(u64::MAX), "tools"),
        ("/skills/0/tools/unknown", json!(u64::MAX), "tools.unknown"),
        ("/skills/0/sessions", json!(3), "sessions"),
        ("/skills/0/segments", json!(1), "gaps.samples"),
        ("/skills/0/segments", json!(u64::MAX), "segments"),
        ("/skills/0/carried", json!(u64::MAX), "carried"),
        ("/skills/0/interrupted", json!(3), "interrupted"),
        ("/skills/0/turns/median", json!(-1.0), "turns"),
        ("/skills/0/turns/upper", json!(1e300), "turns"),
        ("/overall/sessions", json!(2), "overall.sessions"),
        ("/skills/1/segments", json!(2), "overall.segments"),
        ("/inbox/0/sessions", json!(99), "sessions"),
        ("/inbox/0/signals", json!(99), "inbox.signals"),
        ("/sources/copies", json!(u64::MAX), "sources.copies"),
    ] {
        let refused = show(pointer, value).expect(2).stderr;
        let parts = [&*format!("{id}.json"), &format!("{field}`"), "omk observe"];
        assert!(parts.iter().all(|part| refused.contains(part)), "{pointer}: {refused}");
    }
    // one of nothing is not measured
    let mut none = stored["skills"][0].clone();
    for (pointer, value) in [
        ("/gaps/gapRate", json!(0.0)),
        ("/gaps/gapRateCi", Value::Null),
        ("/gaps/weightedGapRate", json!(0.0)),
        ("/gaps/samples", json!(0)),
        ("/gaps/kinds", json!({})),
        ("/gaps/inventory", json!([])),
    ] {
        *none.pointer_mut(pointer).unwrap() = value;
    }
    let shown_text = shown(&show("/skills/0", none).expect(0).stdout);
    assert!(shown_text.contains("gap rate: not measured") && !shown_text.contains("gap rate 0"), "{shown_text}");
}

#[test]
fn thinking_is_read_where_that_is_asked_for() {
    let context = with_sessions();
    let thinking = json!({"type": "thinking", "thinking": "I'm not sure who owns it.", "signature": "s"});
    let search = session("eeeeeeee", "/p", "2026-03-10", None, &["owner_table"]);
    let call = "[{\"type\":\"tool_use\"";
    assert!(search.contains(call), "{search}");
    context.write("think/e.jsonl", &search.replace(call, &format!("[{thinking},{{\"type\":\"tool_use\"")));
    let places = |context: &TestContext| {
        let of = observation(context);
        let inventory = of["overall"]["gaps"]["inventory"].as_array().unwrap().clone();
        let kinds = inventory.iter().map(|of| (of["kind"].clone(), of.get("where").cloned())).collect::<Vec<_>>();
        (kinds, of["sources"].get("thinking").cloned())
    };
    let searched = (json!("failed_search"), None);
    context.run(&["observe", "think"]).expect(0);
    assert_eq!(places(&context), (vec![searched.clone()], None));
    let run = context.run(&["observe", "think", "--thinking"]).expect(0);
    let thought = (json!("hedging"), Some(json!("thinking")));
    assert_eq!(places(&context), (vec![searched, thought], Some(json!(true))));
    assert!(shown(&run.stdout).contains("what models think, too: 1 of the signals stand only there"), "{}", run.stdout);
}

#[test]
fn file_of_a_folder_that_ends_as_a_session_and_is_none_is_named() {
    let context = with_sessions();
    context.write("logs/old.traj.json", "[{\"role\": \"system\", \"content\": \"s\"}]");
    let folder = context.run(&["observe", "logs"]).expect(0);
    assert!(shown(&folder.stdout).contains("not read: `logs/old.traj.json`"), "{}", folder.stdout);
    assert!(!folder.stdout.contains("notes.txt"), "{}", folder.stdout);
    let named = context.run(&["observe", "logs/old.traj.json"]).expect(2);
    assert!(shown(&named.stderr).contains("`logs/old.traj.json`: it is of no known format"), "{}", named.stderr);
}

#[test]
fn session_that_is_named_has_its_sub_agents() {
    let mut context = TestContext::new();
    context.env("HOME", &context.path("home").to_string_lossy());
    fs::create_dir_all(context.path(".omk")).unwrap();
    context.write("logs/a.jsonl", &session("aaaaaaaa", "/p", "2026-03-01", None, &["revenue_schema"]));
    let below = session("aaaaaaaa", "/p", "2026-03-01", None, &["user_profile"]).replace("aaaaaaaa-", "agent-");
    context.write("logs/a/subagents/agent-1.jsonl", &below.replace("\"isSidechain\":false", "\"isSidechain\":true"));
    let calls = |path: &str| {
        let run = context.run(&["observe", path, "--json"]).expect(0);
        serde_json::from_str::<Value>(&run.stdout).unwrap()["overall"]["tools"].clone()
    };
    assert_eq!(calls("logs")["noMatch"], 2);
    assert_eq!(calls("logs/a.jsonl"), calls("logs"));
}

#[test]
fn each_gap_has_a_draft_before_one_has_a_second() {
    let context = TestContext::new();
    fs::create_dir_all(context.path(".omk")).unwrap();
    for (at, (pattern, prompt)) in
        [("alpha", "Where is one?"), ("alpha", "Where is two?"), ("beta", "Where is three?")].iter().enumerate()
    {
        let text = session(&format!("session{at}"), "/p", "2026-03-01", None, &[&format!("{pattern}_table")]);
        context.write(&format!("logs/{at}.jsonl"), &text.replace("Where is the revenue?", prompt));
    }
    context.run(&["observe", "logs"]).expect(0);
    context.run(&["sample", "--from-traces", "--limit", "2", "--output", "d.yaml"]).expect(0);
    let text = fs::read_to_string(context.path("d.yaml")).unwrap();
    assert!(text.contains("alpha_table") && text.contains("beta_table"), "{text}");
}
