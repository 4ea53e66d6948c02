//! Files of skills, through `lint` and `find`.

use serde_json::json;

use crate::fixtures::context::TestContext;

#[test]
fn all_errors_of_a_skill_are_reported_with_file_line_and_field() {
    let context = TestContext::new();
    context.write(
        "skills/bad/skill.json",
        r#"{
  "id": "Bad Id",
  "version": "1.0",
  "adapterTyp": "subprocess",
  "entrypoint": " ",
  "tags": "math",
  "inputSchema": [],
  "outputSchema": "text",
  "metadata": 3
}"#,
    );
    context.write("skills/bad/adapter.config.json", r#"{ "comand": "x", "protocol": "json" }"#);
    let lint = context.run(&["lint", "--json"]).expect(2).json();
    let found = lint["skills"][0]["diagnostics"].as_array().unwrap();
    let at = |line: u64, part: &str| {
        let hit = |d: &&serde_json::Value| {
            d["line"] == line && d["file"] == "skills/bad/skill.json" && d["message"].as_str().unwrap().contains(part)
        };
        assert!(found.iter().any(|d| hit(&d)), "line {line}, `{part}`: {found:#?}");
    };
    at(2, "not an id");
    at(3, "not a version");
    at(4, "unknown key `adapterTyp`");
    at(5, "empty text");
    at(6, "list of texts");
    at(7, "empty list");
    at(8, "`text`");
    at(9, "number");
    let help = |part: &str| found.iter().any(|d| d["help"].as_str().is_some_and(|help| help.contains(part)));
    assert!(help("adapterType") && help("command"), "{found:#?}");
    assert_eq!(lint["errors"], 10, "{found:#?}");
}

#[test]
fn ids_and_versions_are_validated() {
    for (key, good, bad) in [
        ("id", &["a", "my_skill_v1", "a-1"][..], &["", "A", "a.b", "a b", "ä", "../x"][..]),
        ("version", &["1.0.0", "0.0.1", "1.2.3-beta.1"][..], &["1", "1.0", "v1.0.0", "01.0.0", ""][..]),
    ] {
        for (values, code) in [(good, 0), (bad, 2)] {
            for value in values {
                let context = TestContext::new();
                context.skill("skills/x", &json!({ key: value }));
                let finished = context.run(&["lint"]);
                assert_eq!(finished.code, code, "{key} `{value}`: {finished:#?}");
            }
        }
    }
}

#[test]
fn missing_required_fields_are_errors() {
    for key in ["id", "version", "adapterType", "entrypoint"] {
        let context = TestContext::new();
        context.skill("skills/x", &json!({ key: null }));
        context.run(&["lint"]).expect(2).says(&[&format!("missing key `{key}`")]);
    }
    let context = TestContext::new();
    context.skill("skills/x", &json!({"adapterType": "soap"}));
    context.run(&["lint"]).expect(2).says(&["`soap` is not one of", "`langchain`"]);
}

#[test]
fn http_entrypoint_must_be_an_address_without_credentials() {
    let cases: [(&str, Option<&str>, Option<&str>); 9] = [
        ("https://example.com/run", None, None),
        ("/run", Some("http://localhost:8080/v1"), None),
        ("/run", None, Some("no `baseUrl`")),
        ("run", Some("http://localhost"), Some("not an address")),
        ("python3 skill.py", None, Some("not an address")),
        ("ftp://example.com/", None, Some("`ftp` is not a scheme")),
        ("https://user:secret@example.com/", None, Some("may not hold a user name")),
        ("/run", Some("http://u:p@localhost"), Some("may not hold a user name")),
        ("/run", Some("localhost:8080"), Some("expected an address")),
    ];
    for (entrypoint, base, wrong) in cases {
        let context = TestContext::new();
        context.skill("skills/x", &json!({"adapterType": "http", "entrypoint": entrypoint}));
        if let Some(base) = base {
            context.write_json("skills/x/adapter.config.json", &json!({"baseUrl": base}));
        }
        let finished = context.run(&["lint"]);
        match wrong {
            Some(wrong) => drop(finished.expect(2).says(&[wrong])),
            None => drop(finished.expect(0)),
        }
    }
}

#[test]
fn password_in_an_address_is_refused_and_not_printed() {
    let context = TestContext::new();
    context.skill("skills/x", &json!({"adapterType": "http", "entrypoint": "http://user:hunter22@host/run"}));
    let refused = context.run(&["lint"]).expect(2).says(&["http://*************@host/run"]);
    assert!(!format!("{refused:?}").contains("hunter22"));
    context.skill("skills/x", &json!({"adapterType": "http", "entrypoint": "/run"}));
    context.write_json("skills/x/adapter.config.json", &json!({"baseUrl": "https://hunter22@host", "workers": 0}));
    let refused = context.run(&["eval", "--skills", "skills/x", "--benchmark", "coding-easy"]).expect(2);
    assert!(!format!("{refused:?}").contains("hunter22"), "{refused:?}");
    context.skill("skills/x", &json!({"adapterType": "http", "entrypoint": "https://host/run?api_key=hunter22"}));
    context.write_json("skills/x/adapter.config.json", &json!({}));
    let warned = context.run(&["lint"]).expect(0).says(&["api_key=********"]);
    assert!(!format!("{warned:?}").contains("hunter22"), "{warned:?}");
}

#[test]
fn adapter_config_is_validated_and_unused_fields_are_warnings() {
    let context = TestContext::new();
    context.skill("skills/x", &json!({}));
    context
        .write_json("skills/x/adapter.config.json", &json!({"protocol": "jsonrpc-lines", "workers": 2, "tool": "x"}));
    context.run(&["lint"]).expect(0).says(&["`tool` does nothing for skills of type `subprocess`"]);
    context.run(&["lint", "--strict"]).expect(2);
    context.write_json("skills/x/adapter.config.json", &json!({"workers": 2}));
    context.run(&["lint"]).expect(0).says(&["`workers` does nothing with the protocol `jsonrpc`", "jsonrpc-lines"]);
    context.skill("skills/y", &json!({"adapterType": "mcp", "entrypoint": "python3 server.py"}));
    let token = json!({"authType": "bearer", "authTokenEnvKey": "TOKEN"});
    context.write_json("skills/y/adapter.config.json", &token);
    context.run(&["lint", "skills/y"]).expect(0).says(&[
        "`authType` does nothing for an MCP server that is a program",
        "`authTokenEnvKey` does nothing",
        "name the variable in `env`",
    ]);
    context.write_json("skills/y/adapter.config.json", &json!({"workers": 4}));
    context.run(&["lint", "skills/y", "--strict"]).expect(0);
    context.skill("skills/y", &json!({"adapterType": "mcp", "entrypoint": "HTTPS://example.com/mcp"}));
    context
        .run(&["lint", "skills/y"])
        .expect(0)
        .says(&["`workers` does nothing for an MCP server that has an address"]);
    context.write_json("skills/y/adapter.config.json", &token);
    context.run(&["lint", "skills/y", "--strict"]).expect(0);
    context.write_json("skills/y/adapter.config.json", &json!({"env": ["TOKEN"], "memoryMb": 9}));
    context.run(&["lint", "skills/y"]).expect(0).says(&["`env` does nothing for an MCP server that has an address"]);
    for (config, wrong) in [
        (json!({"authType": "bearer"}), "needs `authTokenEnvKey`"),
        (json!({"authTokenEnvKey": "X"}), "without `authType`"),
        (json!({"authType": "digest"}), "`digest` is not one of"),
        (json!({"workers": 0}), "0 is out of range"),
        (json!({"env": {"KEY": "secret"}}), "list of names of environment variables"),
        (json!({"env": ["A=b"]}), "not the name of an environment variable"),
        (json!({"cpuSeconds": -1}), "-1 is out of range"),
        (json!({"request": {"method": "get"}}), "`get` is not one of"),
    ] {
        context.write_json("skills/x/adapter.config.json", &config);
        context.run(&["lint"]).expect(2).says(&[wrong, "adapter.config.json"]);
    }
}

#[test]
fn request_placeholders_and_parameters_must_match() {
    let context = TestContext::new();
    context.skill("skills/x", &json!({"adapterType": "http", "entrypoint": "/pets/{id}"}));
    let config = |parameters: serde_json::Value| json!({"baseUrl": "http://localhost", "request": {"method": "GET", "parameters": parameters}});
    let of = |parameters| context.write_json("skills/x/adapter.config.json", &config(parameters));
    of(json!([]));
    context.run(&["lint"]).expect(2).says(&["fills in `{id}`"]);
    of(json!([{"name": "id", "in": "path"}, {"name": "no", "in": "path"}]));
    context.run(&["lint"]).expect(2).says(&["no `{no}`"]);
    of(json!([{"name": "id", "in": "path"}, {"name": "id", "in": "path"}]));
    context.run(&["lint"]).expect(2).says(&["there twice"]);
    of(json!([{"name": "id", "in": "path"}, {"name": "id", "in": "query", "field": "other"}]));
    context.run(&["lint"]).expect(0);
}

#[test]
fn duplicate_id_is_an_error_with_both_positions() {
    let context = TestContext::new();
    context.skill("a/x", &json!({"id": "same"}));
    context.skill("b/y", &json!({"id": "same"}));
    let finished = context.run(&["eval", "--skills", "a", "b", "--dry-run"]).expect(2);
    finished.says(&["another skill has the id `same`", "a/x/skill.json", "b/y/skill.json"]);
    // The same file by two paths is one skill.
    context.run(&["eval", "--skills", "a", "./a/x", "a/x/skill.json", "--dry-run"]).expect(0);
}

#[test]
fn skill_is_found_by_file_directory_or_tree() {
    let context = TestContext::new();
    context.skill("skills/deep/calc", &json!({}));
    context.skill("skills/node_modules/other", &json!({}));
    context.skill("skills/.hidden/other", &json!({}));
    std::os::unix::fs::symlink(context.path("skills"), context.path("skills/loop")).unwrap();
    for path in ["skills/deep/calc/skill.json", "skills/deep/calc", "./skills/deep/calc/", "skills", "."] {
        let found = context.run(&["find", "--skills-dir", path, "--json"]).expect(0).json();
        assert_eq!(found["total"], 1, "{path}: {found}");
        assert_eq!(found["skills"][0]["path"], "skills/deep/calc/skill.json", "{path}");
    }
}

#[test]
fn paths_without_a_skill_are_named() {
    let context = TestContext::new();
    context.write("empty/README.md", "");
    context.write("text/SKILL.md", "---\nname: text\ndescription: d\n---\nx\n");
    let finished = context.run(&["eval", "--skills", "empty", "missing", "text", "--dry-run"]).expect(2);
    finished.says(&["there is no skill in `empty`", "no file or directory `missing`", "`skill.json` beside it"]);
}

#[test]
fn directory_names_are_not_interpreted() {
    let context = TestContext::new();
    context.skill("skills/x$(touch pwned)", &json!({"id": "calm"}));
    context.skill("skills/`touch pwned`; \u{1b}[31m", &json!({"id": "calmer"}));
    let find = context.run(&["find"]).expect(0);
    assert!(find.stdout.contains("x$(touch pwned)") && !find.stdout.contains('\u{1b}'), "{find:#?}");
    context.run(&["lint"]).expect(0);
    assert_eq!(context.names("."), ["skills"]);
}

#[test]
fn skill_md_is_linted_and_its_findings_do_not_prevent_a_run() {
    let context = TestContext::new();
    context.skill("skills/calc", &json!({}));
    context.write("skills/calc/SKILL.md", "---\nname: Other\nlicence: MIT\n---\nText.\n");
    let lint = context.run(&["lint"]).expect(0);
    lint.says(&["`licence`", "`description`", "SKILL.md"]);
    context.write("skills/calc/SKILL.md", "---\nname: [\n");
    context.run(&["lint"]).expect(2).says(&["SKILL.md"]);
    context.run(&["eval", "--skills", "skills", "--dry-run"]).expect(0).says(&["SKILL.md"]);
}

#[test]
fn lint_reads_starter_benchmarks() {
    let context = TestContext::new();
    context.skill("skills/calc", &json!({}));
    context
        .write_json("skills/calc/tests/basic.eval.json", &json!({"id": "x", "tasks": [{"id": "t", "inputData": {}}]}));
    context.run(&["lint"]).expect(2).says(&["`exact_match` needs `value`", "basic.eval.json"]);
}

/// `lint` accepts nothing that `eval` refuses: what no machine can run is an error, what this machine lacks is a
/// warning.
#[test]
fn lint_reports_everything_that_eval_would_refuse() {
    for (skill, config, code, says) in [
        (json!({"entrypoint": "python3 'unclosed"}), json!({}), 2, "unclosed"),
        (json!({"entrypoint": "./nope"}), json!({}), 0, "./nope"),
        (json!({"entrypoint": "no-such-program-anywhere"}), json!({}), 0, "no-such-program-anywhere"),
        (json!({"adapterType": "langchain", "entrypoint": "chain.py"}), json!({}), 0, "adapters.langchain"),
        (
            json!({"adapterType": "http", "entrypoint": "https://example.com/x"}),
            json!({"authType": "bearer", "authTokenEnvKey": "NOBODY_SETS_THIS"}),
            0,
            "NOBODY_SETS_THIS",
        ),
    ] {
        let context = TestContext::new();
        context.skill("skills/a", &skill);
        context.write_json("skills/a/adapter.config.json", &config);
        context.run(&["eval", "--skills", "skills/a", "--dry-run"]).expect(2).says(&[says]);
        let linted = context.run(&["lint"]).expect(code).says(&[says]);
        let label = if code == 0 { "can't be called on this machine" } else { "error" };
        linted.says(&[label]);
        // The files may be correct on another machine.
        context.run(&["lint", "--strict"]).expect(code);
    }
}

/// An unreadable directory is reported and the others are searched; the same holds for directories too deep.
#[test]
fn search_continues_past_unreadable_directories() {
    let context = TestContext::new();
    let root = "r".repeat(250);
    context.skill(&format!("{root}/a"), &json!({}));
    context.write(&format!("{root}/a/skill.py"), "");
    // A path so long that not even root can read it.
    let dig = "import os\nfor i in range(16):\n    os.mkdir('d' * 255)\n    os.chdir('d' * 255)\n";
    let dug = std::process::Command::new("python3").args(["-c", dig]).current_dir(context.path(&root)).status();
    assert!(dug.unwrap().success());
    let found = context.run(&["find", "--json", "--skills-dir", &root]).expect(0).says(&["cannot read"]);
    assert_eq!(found.json()["skills"][0]["id"], "a");
    context.run(&["lint", &root]).expect(2).says(&["cannot read"]);
    context.run(&["eval", "--skills", &root, "--dry-run"]).expect(2).says(&["cannot read"]);
    context.run(&["eval", "--skills", &format!("{root}/a"), "--dry-run"]).expect(0);

    let context = TestContext::new();
    context.skill("skills/a", &json!({}));
    context.skill(&format!("skills/{}deep", "d/".repeat(17)), &json!({}));
    let found = context.run(&["find", "--json"]).expect(0).says(&["deeper than 16 directories"]);
    assert_eq!(found.json()["total"], 1);
}

#[test]
fn skills_of_agents_and_below_skills_are_linted_with_their_references() {
    let context = TestContext::new();
    let text = "---\nname: NAME\ndescription: d\n---\nSee [g](references/gone.md) and [the other](../other/SKILL.md).\n\
                Run `scripts/deploy.sh`, e.g. with `assets/made-up.png`.\nThen `scripts/gone.sh`.\n";
    for (folder, name) in [
        (".claude/skills/greet", "greet"),
        (".claude/skills/other", "other"),
        (".agents/skills/one", "one"),
        (".gemini/skills/two", "two"),
        (".cursor/skills/three", "three"),
        ("skills/.curated/four", "four"),
        ("outer", "outer"),
        ("outer/skills/inner", "inner"),
    ] {
        let body = if name == "greet" {
            text.replace("NAME", name)
        } else {
            text.replace("NAME", name).replace("\nSee", "\n")
        };
        let plain = format!("---\nname: {name}\ndescription: d\n---\nx\n");
        context.write(&format!("{folder}/SKILL.md"), if name == "greet" { &body } else { &plain });
    }
    for folder in [".venv", ".git", "cached", ".env"] {
        context.write(&format!("{folder}/skills/no/SKILL.md"), "no front matter\n");
    }
    context.write("cached/CACHEDIR.TAG", "Signature: 8a477f597d28d172789f06886806bc55\n");
    context.write(".env/pyvenv.cfg", "version = 3.12\n");
    // The project's own.
    context.write("scripts/deploy.sh", "exit 0\n");
    let lint = context.run(&["lint", ".", "--json"]).expect(0).json();
    let skills = lint["skills"].as_array().unwrap();
    assert_eq!(skills.len(), 8, "{skills:#?}");
    let found: Vec<&str> = skills
        .iter()
        .flat_map(|skill| skill["diagnostics"].as_array().unwrap())
        .map(|of| of["message"].as_str().unwrap())
        .collect();
    assert_eq!(found, ["the skill has no file `references/gone.md`", "the skill has no file `scripts/gone.sh`"]);
}
