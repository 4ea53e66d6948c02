//! How artifacts reach agents: as skills that they may load, as files of the project; and what the report says of it.

use std::sync::Arc;

use serde_json::{Value, json};
use testkit::{FakeAnswer, FakeApi, FakeReply, ReplyScript, Request};

use super::{answer, asked, installed, results, says, says_better, valid, with_agent};
use crate::fixtures::context::TestContext;

/// How one of the installed agents is asked, and loads a skill.
struct Loading {
    name: &'static str,
    context: TestContext,
    api: Arc<FakeApi>,
}

fn skill(answer: &str) -> String {
    format!("---\nname: tickets\ndescription: Sorts tickets of customers. WHEN-TO-USE\n---\nANSWER {answer}\n")
}

/// Each of the agents with two versions of a skill, `plain` and `better`. Its model loads the skill where `loads` says so,
/// and then answers as the skill says; without it, `plain`.
fn each(loads: fn(&Request) -> bool) -> Vec<Loading> {
    type Loader = fn(&str) -> (&'static str, Value);
    let claude: Loader = |_| ("Skill", json!({"skill": "plugin:tickets"}));
    let codex: Loader = |body| {
        // The list of skills names its folder, and short paths below it.
        let folder = body.split("`r0` = `").nth(1).and_then(|rest| rest.split('`').next()).unwrap_or_default();
        ("exec_command", json!({"cmd": format!("cat {folder}/tickets/SKILL.md")}))
    };
    let gemini: Loader = |_| ("activate_skill", json!({"name": "tickets"}));
    let agents = [
        (
            "claude",
            testkit::tools::claude(),
            ("ANTHROPIC_API_KEY", "sk-ant-loads-0123456789"),
            "ANTHROPIC_BASE_URL",
            claude,
        ),
        ("codex", testkit::tools::codex(), ("OPENAI_API_KEY", "sk-loads-0123456789"), "OPENAI_BASE_URL", codex),
        (
            "gemini",
            testkit::tools::gemini(),
            ("GEMINI_API_KEY", "AIza-loads-0123456789"),
            "GOOGLE_GEMINI_BASE_URL",
            gemini,
        ),
    ];
    let installed_ones = agents.into_iter().filter_map(|(name, program, key, base, tool)| {
        let program = program?;
        let api = Arc::new(FakeApi::start(ReplyScript::with(move |request| {
            let text = request.body.to_string();
            let is_first =
                !["tool_result", "function_call_output", "functionResponse"].iter().any(|of| text.contains(of));
            let (tool, input) = tool(&request.body.to_string().replace("\\n", " "));
            match is_first && text.contains("WHEN-TO-USE") && loads(request) {
                true => FakeReply::answer(FakeAnswer { tool: Some((tool.to_owned(), input)), ..answer("let me look") }),
                false if text.contains("ANSWER better") => FakeReply::answer(answer("better")),
                false => FakeReply::answer(answer("plain")),
            }
        })));
        let url = if name == "codex" { format!("{}/v1", api.url) } else { api.url.clone() };
        let context = installed(name, program, &[key, (base, &url)]);
        for version in ["plain", "better"] {
            context.write(&format!("skills/{version}/SKILL.md"), &skill(version));
            context.write(&format!("skills/{version}/notes.md"), "more\n");
        }
        Some(Loading { name, context, api })
    });
    installed_ones.collect()
}

fn flags<'a>(agent: &'a Loading, more: &[&'a str]) -> Vec<&'a str> {
    let fixed =
        ["eval", "--executor", agent.name, "--delivery", "skill", "--report-only", "--timeout", "120", "--no-cache"];
    fixed.into_iter().chain(more.iter().copied()).collect()
}

#[test]
fn skill_is_offered_to_its_variant_alone_and_loaded_by_choice() {
    for agent in each(|request| asked(request, "question 1")) {
        agent.context.samples(2, &json!([{"type": "contains", "value": "better"}, {"type": "skill_used"}]));
        let more = ["--control", "baseline", "--treatment", "better", "--concurrency", "2"];
        agent.context.run(&flags(&agent, &more)).expect(0);
        let report = valid(agent.context.report());
        let results = results(&report);
        let offered = if agent.name == "claude" { json!(true) } else { Value::Null };
        for (cell, loaded, text) in [("s001/better", true, "better"), ("s002/better", false, "plain")] {
            let result = results[cell];
            assert_eq!(result["fullOutput"], text, "{}: {result}", agent.name);
            assert_eq!(
                result["delivered"],
                json!({"offered": offered, "loaded": loaded, "read": result["delivered"]["read"]}),
                "{}",
                agent.name
            );
            assert_eq!(result["assertions"]["details"][1]["passed"], loaded, "{}: {result}", agent.name);
        }
        assert!(results["s001/baseline"]["delivered"].is_null() && results["s001/baseline"]["fullOutput"] == "plain");
        let counts = &report["summary"]["better"]["delivery"];
        assert_eq!((&counts["executions"], &counts["loaded"]), (&json!(2), &json!(1)), "{}", agent.name);
        for request in agent.api.requests().iter().filter(|request| request.method == "POST") {
            // The body of a skill comes with a call of a tool, never by itself; the control has neither.
            let is_loaded = asked(request, "ANSWER better");
            assert!(!is_loaded || asked(request, "let me look"), "{}: {}", agent.name, request.body);
            assert!(!asked(request, "ANSWER plain"), "{}: {}", agent.name, request.body);
        }
        let offers = agent.api.requests().iter().filter(|request| asked(request, "WHEN-TO-USE")).count();
        let all = agent.api.requests().iter().filter(|request| asked(request, "question")).count();
        assert!((3..all).contains(&offers), "{}: {offers} of {all}", agent.name);
    }
}

#[test]
fn skill_that_is_rarely_loaded_is_the_first_line_under_the_verdict() {
    for agent in each(|request| asked(request, "question 1")).into_iter().take(1) {
        agent.context.samples(6, &says_better());
        let more = ["--control", "plain", "--treatment", "better", "--concurrency", "4"];
        let finished = agent.context.run(&flags(&agent, &more)).expect(0);
        let lines: Vec<&str> = finished.stdout.lines().collect();
        let verdict = lines.iter().position(|line| line.starts_with("UNDERPOWERED")).unwrap();
        let first = lines[verdict..].iter().find(|line| line.starts_with("  - ")).unwrap();
        assert!(first.contains("`better` was loaded in 1 of 6: the description is the problem"), "{}", finished.stdout);
        let shown = agent.context.run(&["report", "export", "latest", "--format", "terminal"]).expect(0);
        assert!(shown.stdout.contains("`better` was loaded in 1 of 6 executions"), "{}", shown.stdout);
        let again = agent.context.run(&["report", "verdict", "latest"]).expect(0);
        assert!(again.stdout.contains("every stored number follows from the results"), "{again:#?}");
    }
}

#[test]
fn skill_that_no_agent_is_offered_is_an_invalid_measurement() {
    let mut context = TestContext::with_agent();
    context.write("skills/better/SKILL.md", &skill("better"));
    let init = json!({"type": "system", "subtype": "init", "skills": ["another"], "session_id": "1"});
    let text = json!([{"type": "text", "text": "better"}]);
    let said = json!({"type": "assistant", "message": {"id": "m1", "model": "claude-x", "content": text}});
    let stream = json!({"type": "result", "subtype": "success", "is_error": false, "result": "better"});
    context.script(
        "bin/claude",
        &format!(
            "[ \"$1\" = --version ] && {{ echo 2.1.330; exit; }}\ncat > /dev/null; echo '{init}'; echo '{said}'; echo '{stream}'"
        ),
    );
    context.env("PATH", &format!("{}:{}", context.path("bin").display(), std::env::var("PATH").unwrap()));
    context.env("ANTHROPIC_API_KEY", "sk-ant-offers-0123456789");
    context.samples(3, &says_better());
    let finished =
        context.run(&["eval", "--delivery", "skill", "--control", "baseline", "--treatment", "better"]).expect(3);
    let flat = finished.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains("no agent had the artifact of better on offer: it was not measured"), "{finished:#?}");
    assert!(finished.stdout.contains("exit code 3"), "{finished:#?}");
}

#[test]
fn files_of_a_project_lie_in_the_working_directory_of_their_variant() {
    let api = FakeApi::start(ReplyScript::with(|request| {
        FakeReply::answer(answer(if asked(request, "ANSWER better") { "better" } else { "plain" }))
    }));
    let Some(program) = testkit::tools::claude() else { return };
    let key = ("ANTHROPIC_API_KEY", "sk-ant-project-0123456789");
    let context = installed("claude", program, &[key, ("ANTHROPIC_BASE_URL", &api.url)]);
    context.write("setups/new/CLAUDE.md", "ANSWER better\n");
    context
        .write("setups/new/.claude/skills/inner/SKILL.md", "---\nname: inner\ndescription: INNER-SKILL\n---\nbody\n");
    context.write("setups/old/CLAUDE.md", "ANSWER plain\n");
    context.write("CLAUDE.md", "the project's own\n");
    context.samples(1, &says_better());
    context.write(
        "eval.yaml",
        "delivery: project\ncontrol: ./setups/old\ntreatments: [./setups/new]\nexecutor: claude\nreportOnly: true\n",
    );
    context.run(&["eval", "--no-cache"]).expect(0);
    let report = valid(context.report());
    let results = results(&report);
    assert_eq!(
        (&results["s001/old"]["fullOutput"], &results["s001/new"]["fullOutput"]),
        (&json!("plain"), &json!("better"))
    );
    assert_eq!(results["s001/new"]["delivered"], json!({"offered": true, "loaded": null, "read": false}));
    assert_eq!(report["meta"]["skillIsolation"]["new"]["project-settings"], "open");
    assert_eq!(report["meta"]["skillIsolation"]["new"]["user-settings"], "cut");
    for request in api.requests().iter().filter(|request| asked(request, "question 1")) {
        assert!(asked(request, "ANSWER plain") != asked(request, "ANSWER better"), "{}", request.body);
        assert_eq!(asked(request, "INNER-SKILL"), asked(request, "ANSWER better"), "{}", request.body);
    }
    assert_eq!(context.read("CLAUDE.md"), "the project's own\n");
}

#[test]
fn skills_that_a_variant_is_allowed_are_on_offer_besides_its_own() {
    let api = FakeApi::start(ReplyScript::with(|_| FakeReply::answer(answer("plain"))));
    let Some(program) = testkit::tools::claude() else { return };
    let key = ("ANTHROPIC_API_KEY", "sk-ant-allowed-0123456789");
    let context = installed("claude", program, &[key, ("ANTHROPIC_BASE_URL", &api.url)]);
    context.write("skills/better/SKILL.md", &skill("better"));
    context.write("skills/other/SKILL.md", "---\nname: other\ndescription: OTHER-SKILL\n---\nbody\n");
    context.samples(1, &says_better());
    context.write(
        "eval.yaml",
        "delivery: skill\ncontrol: { artifact: baseline, allowedSkills: [other] }\n\
         treatments: [{ artifact: better, allowedSkills: [other] }]\nexecutor: claude\nreportOnly: true\n",
    );
    context.run(&["eval", "--no-cache"]).expect(0);
    let asked_ones: Vec<[bool; 2]> = api
        .requests()
        .iter()
        .filter(|request| asked(request, "question 1"))
        .map(|request| ["OTHER-SKILL", "WHEN-TO-USE"].map(|text| asked(request, text)))
        .collect();
    assert!(asked_ones.contains(&[true, false]) && asked_ones.contains(&[true, true]), "{asked_ones:?}");
    assert!(asked_ones.iter().all(|of| of[0]), "{asked_ones:?}");
}

#[test]
fn delivery_that_cannot_be_is_refused_with_the_remedy() {
    let context = TestContext::with_agent();
    context.samples(1, &says_better());
    context.write("skills/good/SKILL.md", &skill("better"));
    let no_agent = context.run(&with_agent(&["--delivery", "skill"])).expect(2);
    assert!(says(&no_agent, "can't be offered as a skill"), "{no_agent:#?}");
    let named = ["--control", "baseline", "--treatment", "good", "--delivery", "skill"];
    let no_agent = context.run(&[&["eval", "--executor", "./agent"], &named[..]].concat()).expect(2);
    assert!(says(&no_agent, "`./agent` can't be offered skills"), "{no_agent:#?}");
    let open = [&["eval", "--executor", "claude", "--no-strict-baseline"], &named[..]].concat();
    let open = context.run(&open).expect(2);
    assert!(says(&open, "an agent that is isolated"), "{open:#?}");
    let more = context.run(&["eval", "--executor", "./agent", "--control", "baseline", "--treatment", "good"]);
    assert!(!says(&more, "not its other file"), "{more:#?}");
    context.write("skills/good/script.py", "print(1)\n");
    let more = context.run(&["eval", "--executor", "./agent", "--control", "baseline", "--treatment", "good"]);
    assert!(says(&more, "only the text of `good` reaches the model, not its other file"), "{more:#?}");
}

/// A way in which a model may get at a file of the skill, whose folder is `FOLDER` and its parent `SKILLS`; and whether it has
/// read the instructions then.
type Way = (&'static str, &'static str, bool);

const SHELL_WAYS: [Way; 14] = [
    ("there", "cd FOLDER && cat SKILL.md", true),
    ("head", "head -n 50 FOLDER/SKILL.md", true),
    ("cat numbered", "cd FOLDER; cat -n *.md", true),
    ("grep files", "grep -rn '' FOLDER", true),
    ("glob", "cat SKILLS/*/S*.md", true),
    ("variable", "d=FOLDER; f=SKILL; cat \"$d/$f.md\"", true),
    ("find", "find SKILLS -name 'SKILL.md' -exec cat {} +", true),
    ("xargs", "ls SKILLS/tickets/SKILL.md | xargs cat", true),
    ("python", "python3 -c \"import pathlib; print(pathlib.Path('FOLDER/SKILL.md').read_text())\"", true),
    ("list", "ls -la FOLDER", false),
    ("count", "ls SKILLS/*/SKILL.md | wc -l", false),
    ("names", "grep -rl tickets SKILLS", false),
    ("beside", "cat FOLDER/notes.md", false),
    ("missing", "cat FOLDER/OTHER.md", false),
];

/// Calls of Gemini's tools, which read nothing outside of its workspace; skills lie elsewhere.
const TOOL_WAYS: [(&str, &str, &str, bool); 3] = [
    ("read", "read_file", r#"{"file_path": "FOLDER/SKILL.md"}"#, false),
    ("searched", "grep_search", r#"{"pattern": ".*", "dir_path": "FOLDER"}"#, false),
    ("found", "glob", r#"{"pattern": "**/SKILL.md", "dir_path": "FOLDER"}"#, false),
];

/// The ways of an agent: name, tool, arguments, whether the instructions were read.
fn ways(agent: &str) -> Vec<(String, String, String, bool)> {
    let (tool, argument) = if agent == "codex" { ("exec_command", "cmd") } else { ("run_shell_command", "command") };
    // A call of Gemini's takes seconds, and its shell is the same.
    let few = |way: &&Way| agent == "codex" || ["there", "grep files", "list"].contains(&way.0);
    let shell = SHELL_WAYS.iter().filter(few).map(|(name, line, is_read)| {
        ((*name).to_owned(), tool.to_owned(), json!({argument: line}).to_string(), *is_read)
    });
    let tools = TOOL_WAYS.iter().filter(|_| agent == "gemini");
    let tools = tools
        .map(|(name, tool, input, is_read)| ((*name).to_owned(), (*tool).to_owned(), (*input).to_owned(), *is_read));
    shell.chain(tools).collect()
}

/// The folder of the skill, as the agent says it to its model.
fn folder_of(agent: &str, body: &str) -> Option<String> {
    let text = body.replace("\\n", " ");
    match agent {
        "codex" => Some(format!("{}/tickets", text.split("`r0` = `").nth(1)?.split('`').next()?)),
        _ => {
            let mut paths = text.split("<location>").skip(1).filter_map(|rest| rest.split("</location>").next());
            paths
                .find_map(|path| path.strip_suffix("/SKILL.md").filter(|folder| folder.ends_with("/tickets")))
                .map(str::to_owned)
        }
    }
}

/// The models of Codex and Gemini open files as they like: what the output shows decides.
#[test]
fn skill_is_loaded_in_whatever_way_its_file_is_read() {
    let agents = [
        ("codex", testkit::tools::codex(), ("OPENAI_API_KEY", "sk-loads-0123456789"), "OPENAI_BASE_URL"),
        ("gemini", testkit::tools::gemini(), ("GEMINI_API_KEY", "AIza-loads-0123456789"), "GOOGLE_GEMINI_BASE_URL"),
    ];
    for (name, program, key, base) in agents {
        let Some(program) = program else { continue };
        let api = FakeApi::start(ReplyScript::with(move |request| {
            let text = request.body.to_string();
            let is_first = !["function_call_output", "functionResponse"].iter().any(|word| text.contains(word));
            let way = ways(name).into_iter().find(|(way, ..)| text.contains(&format!("way <{way}>")));
            let planned = is_first.then_some(()).and(folder_of(name, &text)).zip(way);
            let Some((folder, (_, tool, input, _))) = planned else { return FakeReply::answer(answer("done")) };
            let skills = folder.rsplit_once('/').map_or("", |(skills, _)| skills);
            let input = input.replace("FOLDER", &folder).replace("SKILLS", skills);
            let input: Value = serde_json::from_str(&input).unwrap();
            FakeReply::answer(FakeAnswer { tool: Some((tool, input)), ..answer("let me look") })
        }));
        let url = if name == "codex" { format!("{}/v1", api.url) } else { api.url.clone() };
        let context = installed(name, program, &[key, (base, &url)]);
        let rules =
            "Sort each ticket by its customer.\nAnswer in at most two sentences.\nNever name the price of a ticket.\n";
        context.write("skills/tickets/SKILL.md", &format!("{}\n{rules}", skill("better")));
        context.write("skills/tickets/notes.md", "more\n");
        let sample = |(way, ..): &(String, String, String, bool)| json!({"sample_id": way.replace(' ', "-"), "prompt": format!("Do it in the way <{way}>."), "assertions": [{"type": "contains", "value": "done"}]});
        let samples: Vec<Value> = ways(name).iter().map(sample).collect();
        context.write("eval-samples.json", &json!(samples).to_string());
        let fixed = ["eval", "--executor", name, "--delivery", "skill", "--report-only", "--timeout", "120"];
        let more = ["--control", "tickets", "--no-cache", "--concurrency", "6", "--permissions", "bypass"];
        context.run(&[&fixed[..], &more[..]].concat()).expect(0);
        let report = valid(context.report());
        let all = results(&report);
        let wrong: Vec<String> = ways(name)
            .iter()
            .map(|(way, .., is_read)| (way, is_read, all[&*format!("{}/tickets", way.replace(' ', "-"))]))
            .filter(|(_, is_read, result)| result["delivered"]["loaded"] != json!(is_read))
            .map(|(way, is_read, result)| {
                format!("{way}, read {is_read}: {} {}", result["delivered"], result["toolCalls"])
            })
            .collect();
        assert!(wrong.is_empty(), "{name}: {}", wrong.join("\n"));
    }
}
