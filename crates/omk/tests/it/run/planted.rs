//! Markers planted wherever an agent may find something by itself: the installed agents must show none of them to the
//! model, and of the artifacts only the variant's own.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::json;
use testkit::{FakeAnswer, FakeApi, FakeReply, ReplyScript, Request};

use super::{answer, asked, eval_with, installed, says_better, valid};
use crate::fixtures::context::TestContext;

/// What a file of the project, or of the user's home, tells the model.
const OF_PROJECT: &[(&str, &str)] = &[
    ("CLAUDE.md", "MARK-claude-md"),
    ("CLAUDE.local.md", "MARK-claude-local"),
    ("AGENTS.md", "MARK-agents-md"),
    ("GEMINI.md", "MARK-gemini-md"),
    ("sub/GEMINI.md", "MARK-gemini-sub"),
    (".claude/skills/planted/SKILL.md", "---\nname: planted\ndescription: MARK-claude-skill\n---\nbody\n"),
    (".claude/commands/planted.md", "---\ndescription: MARK-claude-command\n---\nbody\n"),
    (".claude/agents/planted.md", "---\nname: planted\ndescription: MARK-claude-agent\n---\nbody\n"),
    (".claude/rules/planted.md", "MARK-claude-rule"),
    (
        ".claude/settings.json",
        r#"{"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "echo MARK-claude-hook; touch hook-ran"}]}]}}"#,
    ),
    (".mcp.json", r#"{"mcpServers": {"mark-mcp": {"command": "sh", "args": ["-c", "touch mcp-ran"]}}}"#),
    (".agents/skills/planted/SKILL.md", "---\nname: planted\ndescription: MARK-agents-skill\n---\nbody\n"),
    (".codex/skills/planted/SKILL.md", "---\nname: planted\ndescription: MARK-codex-skill\n---\nbody\n"),
    (".codex/config.toml", "developer_instructions = \"MARK-codex-config\"\n"),
    (".gemini/skills/planted/SKILL.md", "---\nname: planted\ndescription: MARK-gemini-skill\n---\nbody\n"),
    (
        ".gemini/settings.json",
        r#"{"context": {"fileName": ["MARKED.md"]}, "mcpServers": {"mark-mcp": {"command": "sh", "args": ["-c", "touch mcp-ran"]}}}"#,
    ),
    ("MARKED.md", "MARK-gemini-context"),
    (".env", "GEMINI_SYSTEM_MD=MARKED.md\nGOOGLE_GEMINI_BASE_URL=http://127.0.0.1:9\nHTTPS_PROXY=http://127.0.0.1:9\n"),
    (".gemini/.env", "GEMINI_SYSTEM_MD=MARKED.md\n"),
    (".gemini/system.md", "MARK-gemini-system"),
    (".gemini/commands/planted.toml", "description = \"MARK-gemini-command\"\nprompt = \"p\"\n"),
    (".gemini/agents/planted.md", "---\nname: planted\ndescription: MARK-gemini-agent\n---\nbody\n"),
    (
        ".gemini/extensions/planted/gemini-extension.json",
        r#"{"name": "planted", "version": "1.0.0", "contextFileName": "../../../MARKED.md"}"#,
    ),
    (".gemini/policies/planted.toml", "[[rule]]\ntoolName = \"*\"\ndecision = \"deny\"\npriority = 999\n"),
    ("AGENTS.override.md", "MARK-agents-override"),
    (".codex/AGENTS.md", "MARK-codex-agents-md"),
    (
        ".codex/hooks.json",
        r#"{"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "echo MARK-codex-hook; touch hook-ran"}]}]}}"#,
    ),
    (".codex/rules/planted.rules", "prefix_rule(pattern = [\"find\"], decision = \"forbidden\")\n"),
    (".claude/CLAUDE.md", "MARK-claude-folder"),
    (
        ".claude/output-styles/planted.md",
        "---\nname: planted\ndescription: MARK-claude-style\n---\nMARK-claude-style\n",
    ),
    (".claude/settings.local.json", r#"{"outputStyle": "planted", "env": {"MARK_env": "1"}}"#),
    (".worktreeinclude", "MARK-worktree"),
    (".claude/AGENTS.md", "MARK-claude-agents-md"),
    (".claude/agent-memory/planted/MEMORY.md", "MARK-claude-agent-memory"),
    (".claude/workflows/planted.js", "export const meta = {name: 'planted', description: 'MARK-claude-workflow'}\n"),
    ("sub/CLAUDE.md", "MARK-claude-sub"),
    ("sub/AGENTS.md", "MARK-agents-sub"),
    (
        ".codex/agents/planted.toml",
        "name = \"planted\"\ndescription = \"MARK-codex-agent\"\ndeveloper_instructions = \"d\"\n",
    ),
    (".codex/prompts/planted.md", "---\ndescription: MARK-codex-prompt\n---\nbody\n"),
    (".codex/.env", "MARK_CODEX=MARK-codex-env\n"),
    (
        ".agents/plugins/marketplace.json",
        r#"{"name": "planted", "plugins": [{"name": "planted", "source": {"source": "local", "path": "./planted"}}]}"#,
    ),
    ("planted/.codex-plugin/plugin.json", r#"{"name": "planted", "version": "1.0.0", "skills": "./skills/"}"#),
    ("planted/skills/planted/SKILL.md", "---\nname: planted\ndescription: MARK-codex-plugin\n---\nbody\n"),
    (".geminiignore", "MARKED.md\n"),
];

const OF_USER: &[(&str, &str)] = &[
    (".claude/CLAUDE.md", "MARK-user-claude-md"),
    (".claude/skills/mine/SKILL.md", "---\nname: mine\ndescription: MARK-user-skill\n---\nbody\n"),
    (".claude/commands/mine.md", "---\ndescription: MARK-user-command\n---\nbody\n"),
    (".claude/agents/mine.md", "---\nname: mine\ndescription: MARK-user-agent\n---\nbody\n"),
    (
        ".claude/settings.json",
        r#"{"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "echo MARK-user-hook; touch hook-ran"}]}]}}"#,
    ),
    (".claude.json", r#"{"mcpServers": {"mark-user-mcp": {"command": "sh", "args": ["-c", "touch mcp-ran"]}}}"#),
    (".codex/AGENTS.md", "MARK-user-agents-md"),
    (".codex/skills/mine/SKILL.md", "---\nname: mine\ndescription: MARK-user-codex-skill\n---\nbody\n"),
    (".codex/config.toml", "developer_instructions = \"MARK-user-codex-config\"\n"),
    (".agents/skills/mine/SKILL.md", "---\nname: mine\ndescription: MARK-user-agents-skill\n---\nbody\n"),
    (".gemini/GEMINI.md", "MARK-user-gemini-md"),
    (".gemini/skills/mine/SKILL.md", "---\nname: mine\ndescription: MARK-user-gemini-skill\n---\nbody\n"),
    (".claude/rules/mine.md", "MARK-user-rule"),
    (".claude/output-styles/mine.md", "---\nname: mine\ndescription: MARK-user-style\n---\nMARK-user-style\n"),
    (".claude/settings.local.json", r#"{"outputStyle": "mine", "env": {"MARK_env": "1"}}"#),
    (".claude/AGENTS.md", "MARK-user-claude-agents-md"),
    (".codex/AGENTS.override.md", "MARK-user-agents-override"),
    (
        ".codex/agents/mine.toml",
        "name = \"mine\"\ndescription = \"MARK-user-codex-agent\"\ndeveloper_instructions = \"d\"\n",
    ),
    (".codex/prompts/mine.md", "---\ndescription: MARK-user-codex-prompt\n---\nbody\n"),
    (".codex/memories/MEMORY.md", "MARK-user-codex-memory"),
    (".codex/memories/memory_summary.md", "MARK-user-codex-memory"),
    (
        ".codex/hooks.json",
        r#"{"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "echo MARK-user-codex-hook; touch hook-ran"}]}]}}"#,
    ),
    (".codex/rules/default.rules", "prefix_rule(pattern = [\"find\"], decision = \"forbidden\")\n"),
    (".codex/.env", "OPENAI_BASE_URL=http://127.0.0.1:9\nHTTPS_PROXY=http://127.0.0.1:9\n"),
    (".env", "GEMINI_SYSTEM_MD=MARKED.md\nGOOGLE_GEMINI_BASE_URL=http://127.0.0.1:9\n"),
    (".gemini/.env", "GEMINI_SYSTEM_MD=MARKED.md\nGOOGLE_GEMINI_BASE_URL=http://127.0.0.1:9\n"),
    (
        ".gemini/settings.json",
        r#"{"context": {"fileName": ["MARKED.md"]}, "mcpServers": {"mark-mcp": {"command": "sh", "args": ["-c", "touch mcp-ran"]}}}"#,
    ),
    (".gemini/commands/mine.toml", "description = \"MARK-user-gemini-command\"\nprompt = \"p\"\n"),
    (".gemini/agents/mine.md", "---\nname: mine\ndescription: MARK-user-gemini-agent\n---\nbody\n"),
    (
        ".gemini/extensions/mine/gemini-extension.json",
        r#"{"name": "mine", "version": "1.0.0", "contextFileName": "MARKED.md"}"#,
    ),
    (".gemini/extensions/mine/MARKED.md", "MARK-user-gemini-extension"),
    (".gemini/policies/mine.toml", "[[rule]]\ntoolName = \"*\"\ndecision = \"deny\"\npriority = 999\n"),
    (".gemini/system.md", "MARK-user-gemini-system"),
    // What variables of the user's name.
    ("plugin/.claude-plugin/plugin.json", r#"{"name": "plugin", "version": "1.0.0"}"#),
    ("plugin/agents/mine.md", "---\nname: mine\ndescription: MARK-plugin-agent\n---\nbody\n"),
    ("defaults.json", r#"{"context": {"fileName": ["MARKED.md"]}}"#),
];

/// Variables of the user's that name files of theirs.
fn name_files(context: &mut TestContext, user: &Path) {
    let path = |name: &str| user.join(name).display().to_string();
    context.env("CLAUDE_CODE_PLUGIN_DIRS", &path("plugin"));
    context.env("GEMINI_CLI_SYSTEM_DEFAULTS_PATH", &path("defaults.json"));
}

/// A directory for temporary files, above which everything is planted that a project may have.
fn planted_above(context: &mut TestContext) -> tempfile::TempDir {
    let above = tempfile::tempdir().unwrap();
    let of_home = OF_USER.iter().filter(|(name, _)| *name == ".gemini/GEMINI.md");
    for (name, text) in OF_PROJECT.iter().chain(of_home) {
        let path = above.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        // Where the copy lies, a path that isn't absolute leads nowhere.
        let marked = above.path().join("MARKED.md").display().to_string();
        fs::write(path, text.replace("SYSTEM_MD=MARKED.md", &format!("SYSTEM_MD={marked}"))).unwrap();
    }
    let temporary = above.path().join("between/tmp");
    fs::create_dir_all(&temporary).unwrap();
    context.env("TMPDIR", &temporary.display().to_string());
    above
}

/// Where one variant finds the text of the other one in the project, besides `skills/v1.md` and `skills/v2.md`.
fn plant_artifacts(context: &TestContext) {
    // A copy under another name, a link, an earlier version under the skill's own name.
    context.write("notes/copy.md", "ANSWER better\n");
    std::os::unix::fs::symlink(context.path("skills/v2.md"), context.path("link.md")).unwrap();
    std::os::unix::fs::symlink(context.path("skills"), context.path("linked-skills")).unwrap();
    context.write("old/skills/v2/SKILL.md", "---\nname: v2\ndescription: older\n---\nANSWER earlier\n");
    context.write("old/skills/v1.md", "ANSWER earlier\n");
    // The history has them as well.
    let git = |arguments: &[&str]| {
        let identity = ["-c", "user.name=t", "-c", "user.email=t@localhost"];
        let done = Command::new("git").args(identity).args(arguments).current_dir(context.root()).output().unwrap();
        assert!(done.status.success(), "{done:?}");
    };
    git(&["init", "-q"]);
    git(&["add", "-A"]);
    git(&["commit", "-q", "-m", "COMMIT-OF-ALL"]);
}

/// Reads all files below the working directory, their names, and what the repository remembers.
const LOOK: &str = "find . -type f ; grep -rh ANSWER . ; git log -p --all 2>&1 ; cat data.txt";

struct Agent {
    name: &'static str,
    program: Option<std::path::PathBuf>,
    key: (&'static str, &'static str),
    base: fn(&FakeApi) -> (&'static str, String),
    tool: (&'static str, &'static str),
    flags: &'static [&'static str],
    /// Some of what it shows the model where nothing is cut.
    open: &'static [&'static str],
}

fn agents() -> [Agent; 3] {
    [
        Agent {
            name: "claude",
            program: testkit::tools::claude(),
            key: ("ANTHROPIC_API_KEY", "sk-ant-planted-0123456789"),
            base: |api| ("ANTHROPIC_BASE_URL", api.url.clone()),
            tool: ("Bash", "command"),
            flags: &["--allowed-tools", "Bash,Read"],
            open: &[
                "MARK-claude-md",
                "MARK-claude-skill",
                "MARK-claude-hook",
                "MARK-user-skill",
                "MARK-user-claude-md",
                "MARK-plugin-agent",
                "ANSWER earlier",
            ],
        },
        Agent {
            name: "codex",
            program: testkit::tools::codex(),
            key: ("OPENAI_API_KEY", "sk-planted-0123456789"),
            base: |api| ("OPENAI_BASE_URL", format!("{}/v1", api.url)),
            tool: ("exec_command", "cmd"),
            flags: &[],
            open: &[
                "MARK-agents-md",
                "MARK-agents-skill",
                "MARK-user-codex-skill",
                "MARK-user-agents-override",
                "ANSWER earlier",
            ],
        },
        Agent {
            name: "gemini",
            program: testkit::tools::gemini(),
            key: ("GEMINI_API_KEY", "AIza-planted-0123456789"),
            base: |api| ("GOOGLE_GEMINI_BASE_URL", api.url.clone()),
            tool: ("grep_search", "pattern"),
            flags: &[],
            open: &[],
        },
    ]
}

/// The requests of a run with the marked project.
fn requests(agent: &Agent, more: &[&str]) -> Option<(Vec<Request>, serde_json::Value)> {
    let program = agent.program.clone()?;
    let (tool, argument) = agent.tool;
    let argument = json!({argument: if agent.name == "gemini" { "ANSWER|kept" } else { LOOK }});
    let api = FakeApi::start(ReplyScript::with(move |request| {
        let is_first = !["tool_result", "function_call_output", "functionResponse"].iter().any(|of| asked(request, of));
        match is_first {
            true => FakeReply::answer(FakeAnswer {
                tool: Some((tool.to_owned(), argument.clone())),
                ..answer("let me look")
            }),
            false => FakeReply::answer(answer("better")),
        }
    }));
    let (base, url) = (agent.base)(&api);
    let mut context = installed(agent.name, program, &[agent.key, (base, &url)]);
    let user = tempfile::tempdir().unwrap();
    let _above = planted_above(&mut context);
    context.env("HOME", &user.path().display().to_string());
    name_files(&mut context, user.path());
    let write = |root: &Path, (name, text): &(&str, &str)| {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    OF_PROJECT.iter().for_each(|file| write(context.root(), file));
    OF_USER.iter().for_each(|file| write(user.path(), file));
    context.write("data.txt", "the data is kept\n");
    for (name, text) in [("v1", "plain"), ("v2", "better")].iter().filter(|_| more.contains(&"skill")) {
        let text = format!("---\nname: {name}\ndescription: OFFERED-{name}\n---\nANSWER {text}\n");
        context.write(&format!("skills/{name}.md"), &text);
    }
    plant_artifacts(&context);
    context.samples(1, &says_better());
    let mut flags = [agent.flags, more].concat();
    flags.extend(["--report-only", "--timeout", "120", "--no-cache"]);
    let finished = context.run(&eval_with(agent.name, &flags));
    assert!([0, 3].contains(&finished.code), "{finished:#?}");
    for ran in ["hook-ran", "mcp-ran"] {
        assert!(more.contains(&"--no-strict-baseline") || !context.path(ran).exists(), "{ran} by {}", agent.name);
    }
    Some((api.requests(), valid(context.report())))
}

#[test]
fn nothing_planted_around_an_agent_reaches_the_model() {
    for agent in agents() {
        let Some((requests, report)) = requests(&agent, &[]) else { continue };
        let (mut looked, mut own) = (0, [0, 0]);
        for request in requests.iter().filter(|request| request.method == "POST") {
            let text = request.body.to_string();
            // The files of the project are there for both variants alike: a file is no instruction.
            let is_after_tool = text.contains("let me look");
            let marks: Vec<&str> = text.split("MARK").skip(1).map(|rest| &rest[..rest.len().min(24)]).collect();
            assert!(is_after_tool || marks.is_empty(), "{}: {marks:?}", agent.name);
            for lost in ["ANSWER earlier", "v1.md", "v2.md", "eval-samples", "COMMIT-OF-ALL"] {
                assert!(!text.contains(lost), "{}: {lost} in {text}", agent.name);
            }
            let artifacts = ["ANSWER plain", "ANSWER better"].map(|artifact| text.contains(artifact));
            assert!(artifacts != [true, true], "{}: {text}", agent.name);
            own[usize::from(artifacts[1])] += 1;
            assert!(artifacts[0] || artifacts[1] || !text.contains("question 1"), "{}: {text}", agent.name);
            looked += usize::from(is_after_tool && text.contains("data is kept"));
        }
        assert_eq!(looked, 2, "{}: the files of the project are there", agent.name);
        assert!(own[0] >= 2 && own[1] >= 2, "{}: {own:?}", agent.name);
        for variant in ["v1", "v2"] {
            let channels = &report["meta"]["skillIsolation"][variant];
            assert!(channels.as_object().unwrap().values().all(|state| state == "cut"), "{}: {channels}", agent.name);
        }
    }
}

#[test]
fn agent_that_is_offered_a_skill_is_offered_no_planted_one() {
    for agent in agents() {
        let Some((requests, _)) = requests(&agent, &["--delivery", "skill"]) else { continue };
        let posts = requests.iter().filter(|request| request.method == "POST" && !asked(request, "let me look"));
        let mut offered = 0;
        for request in posts {
            let text = request.body.to_string();
            let marks: Vec<&str> = text.split("MARK").skip(1).map(|rest| &rest[..rest.len().min(24)]).collect();
            assert!(marks.is_empty(), "{}: {marks:?}", agent.name);
            offered += usize::from(text.contains("OFFERED-v2"));
        }
        assert!(offered > 0, "{}: the artifact is offered", agent.name);
    }
}

#[test]
fn what_is_planted_does_reach_the_model_where_nothing_is_cut() {
    for agent in agents().iter().filter(|agent| !agent.open.is_empty()) {
        let Some((requests, report)) = requests(agent, &["--no-strict-baseline"]) else { continue };
        let all: String = requests.iter().map(|request| request.body.to_string()).collect();
        for mark in agent.open {
            assert!(
                all.contains(mark),
                "{}: {mark} is not in the requests, so the other test shows nothing",
                agent.name
            );
        }
        let channels = &report["meta"]["skillIsolation"]["v1"];
        assert!(channels.as_object().unwrap().values().all(|state| state != "cut"), "{}: {channels}", agent.name);
    }
}

/// A project is read with its own settings, and what the user has for all projects is none of them.
#[test]
fn files_of_a_project_bring_nothing_of_the_users() {
    for agent in agents() {
        let Some(program) = agent.program.clone() else { continue };
        let (tool, argument) = agent.tool;
        let argument = json!({argument: if agent.name == "gemini" { "ANSWER" } else { "alias; declare -F; echo at $HOME; echo $OWN_URL" }});
        let api = FakeApi::start(ReplyScript::with(move |request| {
            let is_first =
                !["tool_result", "function_call_output", "functionResponse"].iter().any(|of| asked(request, of));
            let tool = is_first.then(|| (tool.to_owned(), argument.clone()));
            FakeReply::answer(FakeAnswer { tool, ..answer("better") })
        }));
        let (base, url) = (agent.base)(&api);
        let mut context = installed(agent.name, program, &[agent.key, (base, &url)]);
        let user = tempfile::tempdir().unwrap();
        let _above = planted_above(&mut context);
        context.env("HOME", &user.path().display().to_string());
        name_files(&mut context, user.path());
        context.env("SHELL", "/bin/bash");
        let more = [
            ("CLAUDE.md", "MARK-home-claude-md"),
            (".bashrc", "alias MARK_alias=ls\nMARK_bashrc() { :; }\necho MARK-bashrc\n"),
            (".bash_profile", "alias MARK_alias=ls\nMARK_profile() { :; }\n"),
        ];
        for (name, text) in OF_USER.iter().chain(&more) {
            let path = user.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        for name in ["CLAUDE.md", "AGENTS.md", "GEMINI.md"] {
            context.write(&format!("setups/v1/{name}"), "OWN plain\n");
            context.write(&format!("setups/v2/{name}"), "OWN better\n");
        }
        let hooks = json!([{"hooks": [{"type": "command", "command": "echo OWN hook"}]}]);
        // Where requests go is the user's to say.
        let elsewhere = json!({
            "ANTHROPIC_BASE_URL": "http://127.0.0.1:9", "HTTPS_PROXY": "http://127.0.0.1:9", "http_proxy": "http://127.0.0.1:9",
            "ALL_PROXY": "http://127.0.0.1:9", "CLAUDE_CODE_USE_BEDROCK": "1", "ANTHROPIC_BEDROCK_BASE_URL": "http://127.0.0.1:9",
            "ANTHROPIC_CUSTOM_HEADERS": "x-mark: MARK-header", "OWN_URL": "https://example.test/own",
        });
        let settings = json!({"hooks": {"SessionStart": hooks}, "env": elsewhere});
        context.write("setups/v2/.claude/settings.json", &settings.to_string());
        context.write("setups/v2/.gemini/.env", "GOOGLE_GEMINI_BASE_URL=http://127.0.0.1:9\n");
        context.write(
            "setups/v2/.codex/config.toml",
            "openai_base_url = \"http://127.0.0.1:9\"\nmodel_provider = \"other\"\n\
             [model_providers.other]\nname = \"other\"\nbase_url = \"http://127.0.0.1:9\"\n\
             [model_providers.omk]\nname = \"omk\"\nbase_url = \"http://127.0.0.1:9\"\nhttp_headers = { x-mark = \"MARK-header\" }\n",
        );
        context.samples(1, &says_better());
        let eval = format!(
            "delivery: project\ncontrol: ./setups/v1\ntreatments: [./setups/v2]\nexecutor: {}\nreportOnly: true\n",
            agent.name
        );
        context.write("eval.yaml", &eval);
        context.run(&[&["eval", "--no-cache", "--timeout", "120"], agent.flags].concat()).expect(0);
        let is_hooked = api.requests().iter().any(|request| asked(request, "OWN hook"));
        assert!(is_hooked || agent.name != "claude", "hooks of the project run");
        let texts: Vec<String> = api.requests().iter().map(|request| request.body.to_string()).collect();
        assert!(texts.iter().any(|text| text.contains("OWN better")), "{}", agent.name);
        // Tools work with what lies there all the same, also where the project has hooks.
        let home = format!("at {}", user.path().display());
        assert!(agent.name == "gemini" || texts.iter().any(|text| text.contains(&home)), "{}", agent.name);
        let has_own = texts.iter().any(|text| text.contains("example.test/own"));
        assert!(has_own || agent.name != "claude", "variables for the project's tools are theirs");
        let heads: Vec<String> = api.requests().iter().map(|request| format!("{:?}", request.headers)).collect();
        assert!(heads.iter().all(|head| !head.contains("MARK")), "{}: {heads:?}", agent.name);
        for text in texts {
            let marks: Vec<&str> = text.split("MARK").skip(1).map(|rest| &rest[..rest.len().min(24)]).collect();
            assert!(marks.is_empty(), "{}: {marks:?}", agent.name);
        }
        for ran in ["hook-ran", "mcp-ran"] {
            assert!(!context.path(ran).exists(), "{ran} by {}", agent.name);
        }
    }
}
