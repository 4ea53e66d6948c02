//! `omk doctor`: what it finds, what it says to do, and what it never does.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::thread;

use serde_json::{Value, json};

use crate::cli::{assert_chinese, project, width};
use crate::fixtures::context::{Finished, TestContext};

/// Every line of this check: its status, message, remedy and place in one text.
fn lines(document: &Value, check: &str) -> Vec<(String, String)> {
    let all =
        document["checks"].as_array().unwrap().iter().filter(|line| line["check"] == check || line["name"] == check);
    let text = |line: &Value| {
        let place = line["line"].as_u64().map(|at| format!("{}:{at}: ", line["file"].as_str().unwrap()));
        format!(
            "{}{} | {}",
            place.unwrap_or_default(),
            line["message"].as_str().unwrap(),
            line["remedy"].as_str().unwrap_or_default()
        )
    };
    all.map(|line| (line["status"].as_str().unwrap().to_owned(), text(line))).collect()
}

fn doctor(context: &TestContext, more: &[&str]) -> Finished {
    context.run(&[&["doctor", "--json"], more].concat())
}

/// A directory of programs that say a version and log how they were started, and the `PATH` with nothing else in it.
fn programs(context: &mut TestContext, names: &[&str]) {
    for name in names {
        let log = context.path("started");
        context.script(&format!("bin/{name}"), &format!("echo {name} \"$@\" >> {}\necho 9.8.7\n", log.display()));
    }
    let bin = context.path("bin").display().to_string();
    context.env("PATH", &format!("{bin}:/usr/bin:/bin"));
    // Nothing leaves this machine.
    context.env("HTTPS_PROXY", &nobody());
}

/// A server that answers everything with this status line; gives its address and, when it is joined, the one request.
fn server(status: &'static str) -> (String, thread::JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let request = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let (mut bytes, mut buffer) = (Vec::new(), [0; 4096]);
        while !bytes.windows(4).any(|end| end == b"\r\n\r\n") {
            let count = stream.read(&mut buffer).unwrap();
            bytes.extend_from_slice(&buffer[..count]);
        }
        write!(stream, "HTTP/1.1 {status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").unwrap();
        String::from_utf8(bytes).unwrap()
    });
    (address, request)
}

/// An address of this machine where nothing listens.
fn nobody() -> String {
    format!("http://{}", TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap())
}

/// A project whose agent is `executor`, with a skill of its own.
fn of_agent(executor: &str) -> TestContext {
    let context = TestContext::new();
    context.write("eval.yaml", &format!("executor: {executor}\ncontrol: baseline\ntreatments: [mail]\n"));
    context
        .write("skills/mail/SKILL.md", "---\nname: mail\ndescription: Sorts mails by topic.\n---\nSort the mails.\n");
    context.samples(2, &json!([{"type": "contains", "value": "x"}]));
    context
}

#[test]
fn a_project_that_can_run_has_no_problem() {
    let context = project(3);
    context.write("eval.yaml", "executor: ./agent\ncontrol: v1\ntreatments: [v2]\n");
    let said = context.run(&["doctor"]).expect(0);
    assert!(said.stdout.contains("ok  ") && said.stdout.ends_with("All is well.\n"), "{}", said.stdout);
    let document = doctor(&context, &[]).expect(0).json();
    assert_eq!(document["status"], "ok");
    for check in ["settings", "samples", "disk"] {
        assert!(lines(&document, check).iter().all(|(status, _)| status == "ok"), "{document:#}");
    }
    assert_eq!(lines(&document, "claude")[0].0, "info", "no one needs it");
}

#[test]
fn a_missing_program_is_a_problem_where_it_is_needed() {
    let mut context = of_agent("codex");
    programs(&mut context, &["claude"]);
    let document = doctor(&context, &[]).expect(2).json();
    let codex = &lines(&document, "codex")[0];
    assert!(codex.0 == "problem" && codex.1.contains("npm install -g @openai/codex"), "{codex:?}");
    let claude = &lines(&document, "claude")[0];
    assert!(claude.0 == "info" && claude.1.starts_with("9.8.7"), "{claude:?}");
    let claude = &lines(&doctor(&context, &["--executor", "claude"]).json(), "claude")[0];
    assert_eq!(claude.0, "ok", "{claude:?}");
    // A program that is no agent is listed where it is used.
    assert_eq!(lines(&document, "openai"), []);
    let openai = &lines(&doctor(&context, &["--executor", "openai"]).expect(2).json(), "openai")[0];
    assert_eq!(openai.0, "problem", "{openai:?}");
    context.script("bin/openai", "echo openai 2.3.1\n");
    let found = doctor(&context, &["--executor", "openai"]).expect(2).json();
    let openai = &lines(&found, "openai")[0];
    assert!(openai.0 == "ok" && openai.1.starts_with("2.3.1"), "{openai:?}");
    assert_eq!(lines(&found, "credentials")[0].0, "problem", "{found:#}");
}

#[test]
fn judges_need_their_programs_as_well() {
    let mut context = project(1);
    programs(&mut context, &["codex"]);
    let sample = json!([{"sample_id": "s", "prompt": "p", "rubric": "Is it polite?", "assertions": [{"type": "contains", "value": "x"}]}]);
    context.write("eval-samples.json", &sample.to_string());
    for (settings, claude, codex) in [
        ("", "problem", "info"),
        ("judgeExecutor: codex\n", "info", "ok"),
        ("judgeModels: ['codex:gpt-5', 'claude:haiku']\n", "problem", "ok"),
        ("judge: false\n", "info", "info"),
    ] {
        context.write("eval.yaml", &format!("executor: ./agent\ncontrol: v1\ntreatments: [v2]\n{settings}"));
        let document = doctor(&context, &[]).json();
        let status = |name| lines(&document, name)[0].0.clone();
        assert_eq!([status("claude"), status("codex")], [claude, codex], "{settings}");
    }
}

#[test]
fn an_unknown_executor_is_answered_with_those_that_there_are() {
    let context = project(1);
    context.write("eval.yaml", "executor: claud\ncontrol: v1\ntreatments: [v2]\n");
    let plan = &lines(&doctor(&context, &[]).expect(2).json(), "plan")[0];
    assert!(plan.0 == "problem" && plan.1.starts_with("eval.yaml:1: "), "{plan:?}");
    assert!(plan.1.contains("claude, codex, gemini"), "{plan:?}");
}

#[test]
fn a_program_without_a_version_is_a_problem_where_it_is_needed() {
    let mut context = of_agent("claude");
    programs(&mut context, &[]);
    context.script("bin/claude", "echo broken >&2\nexit 3\n");
    let claude = &lines(&doctor(&context, &[]).expect(2).json(), "claude")[0];
    assert!(claude.0 == "problem" && claude.1.contains("claude --version"), "{claude:?}");
}

#[test]
fn credentials_are_found_and_never_shown() {
    const KEY: &str = "sk-ant-0123456789-secret";
    for (executor, variable) in [("claude", "ANTHROPIC_AUTH_TOKEN"), ("anthropic-api", "ANTHROPIC_API_KEY")] {
        let mut context = of_agent(executor);
        programs(&mut context, &["claude"]);
        let (address, request) = server("404 Not Found");
        context.env("HOME", &context.path("nobody").display().to_string());
        context.env("ANTHROPIC_BASE_URL", &address.replace("http://", &format!("http://me:{KEY}@")));
        context.env(variable, KEY);
        let found = doctor(&context, &[]).expect(0);
        let credentials = &lines(&found.json(), "credentials")[0];
        assert!(credentials.0 == "ok" && credentials.1.contains(variable), "{credentials:?}");
        let endpoint = &lines(&found.json(), "endpoint")[0];
        assert!(endpoint.0 == "ok" && endpoint.1.starts_with(&address), "{endpoint:?}");
        // No key and no call: nothing that could cost anything.
        let request = request.join().unwrap();
        assert!(request.starts_with("HEAD / ") && !request.contains(KEY), "{request}");
        assert!(!request.to_lowercase().contains("authorization"), "{request}");
        let shown = format!("{}{}", found.stdout, found.stderr);
        assert!(!shown.contains(KEY), "{shown}");
    }
}

#[test]
fn no_credentials_are_a_problem_where_the_vendor_answers() {
    let mut context = of_agent("claude");
    programs(&mut context, &["claude"]);
    let home = context.path("me").display().to_string();
    context.env("HOME", &home);
    let document = doctor(&context, &[]).expect(2).json();
    let missing = &lines(&document, "credentials")[0];
    assert!(missing.0 == "problem" && missing.1.contains("`ANTHROPIC_API_KEY`"), "{missing:?}");
    let silent = &lines(&document, "endpoint")[0];
    assert!(silent.0 == "problem" && silent.1.starts_with("https://api.anthropic.com: "), "{silent:?}");

    context.write("me/.claude/.credentials.json", "{\"claudeAiOauth\": {\"accessToken\": \"hidden\"}}");
    let found = doctor(&context, &[]).expect(2);
    let login = &lines(&found.json(), "credentials")[0];
    assert!(login.0 == "ok" && login.1.contains(".credentials.json") && !found.stdout.contains("hidden"), "{login:?}");

    // A server of one's own may ask for none, but this program asks nobody without a login.
    context.env("ANTHROPIC_BASE_URL", &nobody());
    context.env("HOME", &context.path("nobody").display().to_string());
    assert_eq!(lines(&doctor(&context, &[]).json(), "credentials")[0].0, "problem");
    let mut context = of_agent("codex");
    programs(&mut context, &["codex"]);
    context.env("OPENAI_BASE_URL", &nobody());
    assert_eq!(lines(&doctor(&context, &[]).json(), "credentials")[0].0, "warning");
}

#[test]
fn an_endpoint_that_fails_is_a_warning() {
    let mut context = of_agent("openai-api");
    let (address, request) = server("503 Service Unavailable");
    context.env("OPENAI_BASE_URL", &address);
    context.env("OPENAI_API_KEY", "k");
    let endpoint = &lines(&doctor(&context, &[]).expect(1).json(), "endpoint")[0];
    assert!(endpoint.0 == "warning" && endpoint.1.contains("503"), "{endpoint:?}");
    request.join().unwrap();
}

#[test]
fn errors_of_the_inputs_are_all_told_with_their_places() {
    let context = project(2);
    context.write("eval.yaml", "executor: ./agent\ncontrol: v1\ntreatments: [v2, v3]\n");
    context.write(
        "eval-samples.json",
        "[\n  {\"sample_id\": \"a\"},\n  {\"sample_id\": \"a\", \"prompt\": \"p\", \"no\": 1}\n]\n",
    );
    let document = doctor(&context, &[]).expect(2).json();
    let samples = lines(&document, "samples");
    assert!(
        samples.iter().any(|(status, text)| status == "problem" && text.starts_with("eval-samples.json:2: ")),
        "{samples:?}"
    );
    assert!(
        samples.iter().any(|(status, text)| status == "problem" && text.starts_with("eval-samples.json:3: ")),
        "{samples:?}"
    );
    assert!(lines(&document, "skills").iter().any(|(status, text)| status == "problem" && text.contains("v3")));
    assert_eq!(lines(&document, "plan"), [], "each is told once");

    context.write("eval.yaml", "executor: ./agent\nnonsense: 1\n");
    let document = doctor(&context, &[]).expect(2).json();
    assert!(lines(&document, "settings")[0].1.starts_with("eval.yaml:2: "), "{document:#}");
    assert_eq!(lines(&document, "git").len(), 1, "the rest is looked at all the same");

    context.write("eval.yaml", "executor: ./nothing\ncontrol: v1\ntreatments: [v2]\n");
    context.samples(2, &json!([{"type": "contains", "value": "x"}]));
    let plan = &lines(&doctor(&context, &[]).expect(2).json(), "plan")[0];
    assert!(plan.0 == "problem" && plan.1.contains("./nothing"), "{plan:?}");
    context.run(&["doctor", "nowhere"]).expect(2);
}

#[test]
fn samples_that_give_their_answer_away_are_a_warning() {
    let context = project(1);
    context.write("eval.yaml", "executor: ./agent\ncontrol: v1\ntreatments: [v2]\n");
    let leaky = json!([
        {"sample_id": "leaky", "prompt": "Say xylophone.", "assertions": [{"type": "contains", "value": "xylophone"}]},
        {"sample_id": "fine", "prompt": "Name a fruit that is red.", "assertions": [{"type": "contains", "value": "apple"}]},
    ]);
    context.write("eval-samples.json", &leaky.to_string());
    let samples = lines(&doctor(&context, &[]).expect(1).json(), "samples");
    let told = samples.iter().find(|(status, _)| status == "warning");
    let screen = context.run(&["doctor"]).stdout;
    let at = |line: &str| line.split_whitespace().nth(1).is_some_and(|word| word == "samples");
    let rows: Vec<usize> = screen.lines().enumerate().filter(|(_, line)| at(line)).map(|(at, _)| at).collect();
    let between: Vec<&str> = screen.lines().skip(rows[0]).take(rows[rows.len() - 1] - rows[0]).collect();
    assert!(rows.len() > 1 && between.iter().all(|line| at(line) || line.starts_with("      ")), "together: {screen}");
    assert!(told.is_some_and(|(_, text)| text.contains("leaky") && !text.contains("fine")), "{samples:?}");
}

#[test]
fn mocks_that_can_never_match_are_named() {
    let mut context = project(1);
    programs(&mut context, &["claude"]);
    context.write("eval.yaml", "executor: claude\ncontrol: v1\ntreatments: [v2]\n");
    let mock = |tool: &str, condition: Value| json!({"tool": tool, "match": condition, "return": "x"});
    let with = |mocks: Value| {
        let sample = json!([{"sample_id": "s", "prompt": "p", "mocks": mocks, "assertions": [{"type": "contains", "value": "x"}]}]);
        context.write("eval-samples.json", &sample.to_string());
        lines(&doctor(&context, &[]).json(), "mocks")
    };
    let status = mock("Bash", json!({"command_glob": "git status*"}));
    for (mocks, said) in [
        (json!([{"tool": "Bash", "return": "x"}, status]), "mock 2"),
        (json!([{"tool": "*", "return": "x"}, {"tool": "mcp__a__b", "return": "y"}]), "mock 2"),
        (json!([status, mock("Bash", json!({"command_glob": "git status*", "input_contains": "x"}))]), "mock 2"),
        (json!([{"tool": "bash", "return": {"exit": 1}}]), "did you mean `Bash`?"),
        (json!([mock("Read", json!({"command_glob": "cat*"}))]), "`command_glob`"),
    ] {
        let found = with(mocks.clone());
        assert!(found.len() == 1 && found[0].0 == "warning" && found[0].1.contains(said), "{mocks}: {found:?}");
    }
    for mocks in [
        json!([status, {"tool": "Bash", "return": "x"}]),
        json!([{"tool": "Bash", "return_seq": ["x"]}, status]),
        json!([mock("Bash", json!({"command_glob": "ls*"})), status]),
        json!([mock("mcp__a__b", json!({"file_path": "x"})), mock("Read", json!({"file_path_endswith": "a.md"}))]),
    ] {
        let found = with(mocks.clone());
        assert!(found.len() == 1 && found[0].0 == "ok", "{mocks}: {found:?}");
    }
}

#[test]
fn what_samples_declare_as_available_is_looked_for() {
    let mut context = project(1);
    programs(&mut context, &["jq"]);
    context.write("eval.yaml", "executor: ./agent\ncontrol: v1\ntreatments: [v2]\n");
    context.write("data/there.csv", "a\n");
    let declared = json!({"cli_available": ["jq 1.7", "no-such-program>=2"], "files_available": ["data/there.csv", "data/gone.csv"]});
    let sample = json!([{"sample_id": "s1", "prompt": "p", "environment": declared, "assertions": [{"type": "contains", "value": "x"}]}]);
    context.write("eval-samples.json", &sample.to_string());
    let found = lines(&doctor(&context, &[]).expect(1).json(), "environment");
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found.iter().all(|(status, text)| status == "warning" && text.contains("s1")), "{found:?}");
    assert!(found[0].1.contains("`no-such-program`") && found[1].1.contains("`data/gone.csv`"), "{found:?}");
    // Only looked for.
    let started = std::fs::read_to_string(context.path("started")).unwrap_or_default();
    assert!(!started.contains("jq"), "{started}");

    context.write("data/gone.csv", "b\n");
    programs(&mut context, &["no-such-program"]);
    assert_eq!(lines(&doctor(&context, &[]).expect(0).json(), "environment")[0].0, "ok");
}

#[test]
fn skills_are_linted_against_the_specification() {
    let context = of_agent("./agent");
    context.script("agent", "echo x\n");
    let lint = |name: &str, text: &str| {
        context.write(&format!("skills/{name}/SKILL.md"), text);
        context.write("eval.yaml", &format!("executor: ./agent\ncontrol: baseline\ntreatments: [{name}]\n"));
        let of_project = lines(&doctor(&context, &[]).json(), "skills");
        let alone = doctor(&context, &[&format!("skills/{name}")]);
        assert_eq!(lines(&alone.json(), "skills"), of_project);
        of_project
    };
    let long = "x".repeat(1025);
    let rows = "one line\n".repeat(501);
    for (name, text, said) in [
        ("a", "---\nname: b\ndescription: d\n---\nx\n".to_owned(), "skills/a/SKILL.md:2: "),
        ("B", "---\nname: B\ndescription: d\n---\nx\n".to_owned(), "skills/B/SKILL.md:2: "),
        ("a", format!("---\nname: a\ndescription: {long}\n---\nx\n"), "1025"),
        ("a", "---\nname: a\n---\nx\n".to_owned(), "description"),
        ("a", "no front matter\n".to_owned(), "front matter"),
        ("a", format!("---\nname: a\ndescription: d\n---\n{rows}"), "501 lines"),
        ("a", format!("---\nname: a\ndescription: d\n---\n{}", "word ".repeat(4100)), "5125 tokens"),
        (
            "a",
            "---\nname: a\ndescription: d\n---\nSee\n[g](references/gone.md).\n".to_owned(),
            "SKILL.md:6: the skill has no file `references/gone.md`",
        ),
    ] {
        let found = lint(name, &text);
        assert!(found.iter().any(|(status, text)| status == "warning" && text.contains(said)), "{said}: {found:?}");
    }
    context.write("skills/good/references/there.md", "x\n");
    context.write("skills/good/SKILL.md", "---\nname: good\ndescription: d\n---\nSee [g](references/there.md).\n");
    let found = lines(&doctor(&context, &["skills/good"]).expect(0).json(), "skills");
    assert!(found.len() == 1 && found[0].0 == "ok", "{found:?}");
    let found = lint("bad", "---\nname: [\n---\nx\n");
    assert!(
        found.iter().any(|(status, text)| status == "problem" && text.starts_with("skills/bad/SKILL.md:")),
        "{found:?}"
    );
    doctor(&context, &["skills/good/SKILL.md"]).expect(0);
    let mut inside = context.command(&["doctor"]);
    assert_eq!(inside.current_dir(context.path("skills/good")).output().unwrap().status.code(), Some(0));
    doctor(&context, &["skills/bad"]).expect(2);
}

#[test]
fn the_screen_shows_problems_before_what_it_has_no_room_for() {
    let context = of_agent("./agent");
    context.script("agent", "echo x\n");
    let gone: String = (0..9).map(|i| format!("[r](references/gone-{i}.md)\n")).collect();
    context.write("skills/mail/SKILL.md", &format!("---\nname: mail\ndescription: d\n---\n{gone}"));
    context.write("skills/broken/SKILL.md", "---\nname: [\n---\nx\n");
    context.write("eval.yaml", "executor: ./agent\ncontrol: mail\ntreatments: [broken]\n");
    let screen = context.run(&["doctor"]).expect(2).stdout;
    assert!(screen.contains("problem  skills") && screen.contains("skills/broken/SKILL.md:"), "{screen}");
}

#[test]
fn nothing_that_the_inputs_name_is_executed() {
    let mut context = of_agent("./agent");
    programs(&mut context, &["claude", "node", "git", "jq"]);
    let log = context.path("started").display().to_string();
    context.script("agent", &format!("echo agent >> {log}\n"));
    context.script("skills/mail/scripts/run.sh", &format!("echo skill >> {log}\n"));
    context.write(
        "check.mjs",
        &format!("import fs from 'node:fs';\nfs.appendFileSync({log:?}, 'check\\n');\nexport default () => true;\n"),
    );
    let sample = json!([{
        "sample_id": "s", "prompt": "p", "environment": {"cli_available": ["jq"]},
        "assertions": [{"type": "custom", "fn": "check.mjs"}, {"type": "contains", "value": "x"}],
    }]);
    context.write("eval-samples.json", &sample.to_string());
    for runtime in ["node", "embedded"] {
        context.write(
            "eval.yaml",
            &format!("executor: ./agent\ncustomRuntime: {runtime}\ncontrol: baseline\ntreatments: [mail]\n"),
        );
        // Its script reaches no program.
        doctor(&context, &[]).expect(1);
    }
    let started = std::fs::read_to_string(&log).unwrap();
    let mut started: Vec<&str> = started.lines().collect();
    started.sort_unstable();
    started.dedup();
    assert_eq!(started, ["claude --version", "git --version", "node --version"]);
    assert!(!Path::new(&context.home()).join("journal").exists(), "nothing is written");
}

#[test]
fn a_script_that_a_run_refuses_is_not_run_to_find_out() {
    let context = of_agent("./agent");
    context.script("agent", "echo x\n");
    context.write("check.mjs", "while (true) {}\n");
    context.samples(1, &json!([{"type": "custom", "fn": "check.mjs"}, {"type": "contains", "value": "x"}]));
    // Run, it would take as long as a script may, and fail.
    doctor(&context, &[]).expect(0);
}

#[test]
fn the_cost_of_a_run_is_that_of_the_dry_run() {
    let mut context = of_agent("openai-api");
    context.env("OPENAI_BASE_URL", &nobody());
    let dry = context.run(&["eval", "--dry-run", "--json"]).expect(0).json();
    let cost = &lines(&doctor(&context, &[]).json(), "cost")[0];
    assert!(dry["calls"] == 4 && cost.1.starts_with("4 calls: about $"), "{cost:?}");
    let text = context.run(&["eval", "--dry-run"]).stdout;
    for sum in cost.1.split_whitespace().filter(|word| word.starts_with('$')) {
        assert!(text.contains(sum), "{sum} in\n{text}");
    }
    context.write("eval.yaml", "executor: openai-api\nbudgetUsd: 0.000001\ncontrol: baseline\ntreatments: [mail]\n");
    let cost = &lines(&doctor(&context, &[]).json(), "cost")[0];
    assert!(cost.0 == "warning" && cost.1.contains("budget"), "{cost:?}");
}

#[test]
fn the_screen_fits_a_terminal_in_both_languages() {
    let mut context = of_agent("claude");
    programs(&mut context, &["codex"]);
    context.env("HOME", &context.path("nobody").display().to_string());
    let gone: String = (0..9).map(|i| format!("[r](references/gone-{i}.md)\n")).collect();
    context.write("skills/mail/SKILL.md", &format!("---\nname: mail\ndescription: d\nextra: 1\n---\n{gone}"));
    let english = context.run(&["doctor"]).expect(2).stdout;
    let chinese = context.run(&["doctor", "--lang", "zh"]).expect(2).stdout;
    for text in [&english, &chinese] {
        assert!(text.lines().all(|line| width(line) <= 80), "{text}");
        assert!(text.lines().count() <= 50, "{text}");
    }
    assert!(english.contains("and 6 more; `--json` has all"), "{english}");
    assert!(english.contains("\n3 problems, 10 warnings\n"), "{english}");
    assert_chinese(&chinese);
    assert_eq!(lines(&doctor(&context, &[]).json(), "skills").len(), 10);
}

/// A skill beside its evals, with the `eval.yaml` of waza.
#[test]
fn a_skill_beside_its_evals_and_the_settings_of_another_tool_is_checked() {
    let context = of_agent("./agent");
    context.write("greet/SKILL.md", "---\nname: greet\ndescription: d\n---\nSay hello.\n");
    context.write(
        "greet/eval.yaml",
        "name: greet-eval\nskill: greet\nconfig: { trials_per_task: 3 }\ntasks: [tasks/*.yaml]\n",
    );
    context.write("greet/evals/evals.json", r#"{"evals": [{"id": 1, "prompt": "p", "expectations": ["e"]}]}"#);
    let checked = doctor(&context, &["greet"]).expect(0).json();
    assert!(lines(&checked, "settings")[0].1.contains("another tool"), "{checked}");
    assert_eq!(lines(&checked, "samples")[0].0, "ok");
    assert_eq!(lines(&checked, "skills")[0].0, "ok");
}

/// A collection as `openai/skills` and others have it: no samples, skills at several depths, also in hidden folders.
#[test]
fn a_collection_of_skills_is_checked_as_each_skill_is() {
    let context = of_agent("./agent");
    for folder in ["skills/.curated/one", "plugins/p/skills/two", ".claude/skills/three"] {
        let name = folder.rsplit('/').next().unwrap();
        context.write(&format!("all/{folder}/SKILL.md"), &format!("---\nname: {name}\ndescription: d\n---\nText.\n"));
    }
    let checked = doctor(&context, &["all"]).expect(0).json();
    let skills = lines(&checked, "skills");
    assert!(skills[0].0 == "ok" && skills[0].1.contains('3'), "{checked}");
    context.write("all/skills/.curated/one/SKILL.md", "---\nname: other\ndescription: d\n---\nText.\n");
    let checked = doctor(&context, &["all"]).expect(1).json();
    assert!(checked.to_string().contains("all/skills/.curated/one/SKILL.md"), "{checked}");
}

/// Another file that can't be read leaves the findings of the text.
#[cfg(unix)]
#[test]
fn the_text_of_a_skill_is_checked_beside_a_link_that_leads_out_of_it() {
    let context = of_agent("./agent");
    context.write("shared.md", "text");
    context.write("greet/SKILL.md", "---\nname: greet\ndescription: d\nowner: me\n---\nText.\n");
    std::os::unix::fs::symlink("../shared.md", context.path("greet/shared.md")).unwrap();
    let checked = doctor(&context, &["greet"]).expect(2).json();
    let texts: Vec<String> = lines(&checked, "skills").into_iter().map(|(_, text)| text).collect();
    assert!(texts.iter().any(|text| text.contains("put the file itself there")), "{texts:?}");
    assert!(texts.iter().any(|text| text.contains("`owner`")), "{texts:?}");
}

/// A program may print what stands in its environment, or an address from its configuration.
#[test]
fn versions_are_shown_without_secrets() {
    const KEY: &str = "sk-ant-0123456789-secret";
    let mut context = of_agent("claude");
    programs(&mut context, &["git", "node"]);
    context.script("bin/claude", "echo \"$ANTHROPIC_AUTH_TOKEN\"\n");
    context.script("bin/git", "echo https://me:sekrit@mirror.example/git\n");
    context.env("HOME", &context.path("nobody").display().to_string());
    context.env("ANTHROPIC_BASE_URL", &nobody());
    context.env("ANTHROPIC_AUTH_TOKEN", KEY);
    let finished = doctor(&context, &[]);
    assert!(finished.stdout.contains("@mirror.example/git"), "{finished:#?}");
    for text in [&finished.stdout, &finished.stderr] {
        assert!(!text.contains(KEY) && !text.contains("sekrit"), "{finished:#?}");
    }
}
