//! `create`: skills from templates.

use serde_json::{Value, json};

use crate::fixtures::context::TestContext;

#[test]
fn every_template_creates_valid_documented_files() {
    for (template, more) in
        [("http_request", None), ("python_script", Some("skill.py")), ("mcp_tool", Some("server.py"))]
    {
        let context = TestContext::new();
        let arguments = ["create", "--name", "my_api_skill", "--from-template", template, "--output-dir", "./skills"];
        context.run(&[&arguments[..], &["--description", "Fetches \"weather\""]].concat()).expect(0);
        let mut names = vec!["adapter.config.json", "skill.json", "tests"];
        names.extend(more);
        names.sort_unstable();
        assert_eq!(context.names("skills/my_api_skill"), names);
        assert_eq!(context.names("skills/my_api_skill/tests"), ["basic.eval.json"]);
        let skill: Value = serde_json::from_str(&context.read("skills/my_api_skill/skill.json")).unwrap();
        assert_eq!(skill["description"], "Fetches \"weather\"");
        context.run(&["lint", "--strict"]).expect(0);
    }
    let context = TestContext::new();
    context.run(&["create", "--name", "x", "--from-template", "rust"]).expect(2);
    context.run(&["create", "--name", "x"]).expect(0);
    assert!(context.read("skills/x/skill.json").contains("\"http\""));
}

#[test]
fn name_cannot_leave_the_directory_and_nothing_is_overwritten() {
    let context = TestContext::new();
    let long = "x".repeat(300);
    for (name, id) in [
        ("../../evil", "evil"),
        ("/tmp/abs", "tmp_abs"),
        ("x$(touch pwned)", "x_touch_pwned"),
        ("my_api_skill", "my_api_skill"),
        ("My Skill v1.2", "my_skill_v1_2"),
        ("../../etc/passwd", "etc_passwd"),
        ("/abs\\olute", "abs_olute"),
        ("--help", "help"),
        (&long, &long[..64]),
    ] {
        context.run(&["create", &format!("--name={name}"), "--output-dir", "out/skills"]).expect(0);
        assert!(context.path("out/skills").join(id).join("skill.json").is_file(), "{name}");
    }
    assert_eq!(context.names("."), ["out"]);
    assert_eq!(context.names("out"), ["skills"]);
    for name in ["天气", "", " ", "..", "___"] {
        context.run(&["create", "--name", name]).expect(2).says(&[name]);
    }
    context.write("out/skills/evil/adapter.config.json", "mine");
    let again = ["create", "--name", "evil", "--output-dir", "out/skills"];
    context.run(&again).expect(2).says(&["already", "--force"]);
    assert_eq!(context.read("out/skills/evil/adapter.config.json"), "mine");
    context.run(&[&again[..], &["--force"]].concat()).expect(0);
    assert_ne!(context.read("out/skills/evil/adapter.config.json"), "mine");
    std::fs::create_dir(context.path("elsewhere")).unwrap();
    std::os::unix::fs::symlink(context.path("elsewhere"), context.path("out/skills/linked")).unwrap();
    context.run(&["create", "--name", "linked", "--output-dir", "out/skills", "--force"]).expect(2).says(&["link"]);
    assert!(context.names("elsewhere").is_empty());
}

#[test]
fn placeholders_in_names_are_not_replaced() {
    let context = TestContext::new();
    let name = "\"quoted\" \\ {{description}}\nx";
    context.run(&["create", "--name", name, "--description", "d"]).expect(0);
    let skill: Value = serde_json::from_str(&context.read("skills/quoted_description_x/skill.json")).unwrap();
    assert_eq!(skill["name"], name);
    assert_eq!(skill["description"], "d");
}

#[test]
fn created_mcp_tool_passes_its_starter_benchmark_only_when_it_works() {
    let context = TestContext::new();
    context.run(&["create", "--name", "my_tool", "--from-template", "mcp_tool"]).expect(0);
    let gate = || {
        let benchmark = "skills/my_tool/tests/basic.eval.json";
        context.run(&["eval", "--skills", "skills/my_tool", "--benchmark", benchmark, "--exit-on-fail", "--json"])
    };
    let before = gate().expect(1).json();
    assert_eq!(before["skills"][0]["taskResults"][0]["status"], "error");
    assert!(before.to_string().contains("write what the tool does"), "{before:#}");
    let server = context.read("skills/my_tool/server.py");
    let raise = "raise NotImplementedError(\"write what the tool does into `run` of server.py\")";
    for (result, is_structured) in [("{\"result\": \"pong\"}", true), ("\"pong\"", false)] {
        context.write("skills/my_tool/server.py", &server.replace(raise, &format!("return {result}")));
        let after = gate().expect(0).json();
        assert_eq!(after["skills"][0]["taskResults"][0]["output"].is_object(), is_structured);
    }
    context.write("skills/my_tool/server.py", &format!("import nothing_like_it\n{server}"));
    assert!(gate().expect(1).json().to_string().contains("No module named 'nothing_like_it'"));
}

#[test]
fn created_skill_passes_its_starter_benchmark_only_when_it_works() {
    let context = TestContext::new();
    context.run(&["create", "--name", "my_calc", "--from-template", "python_script"]).expect(0);
    let gate = |protocol: &str| {
        context.write_json("skills/my_calc/adapter.config.json", &json!({"protocol": protocol}));
        let benchmark = "skills/my_calc/tests/basic.eval.json";
        context.run(&["eval", "--skills", "skills/my_calc", "--benchmark", benchmark, "--exit-on-fail", "--json"])
    };
    let before = gate("jsonrpc").expect(1).json();
    assert_eq!(before["skills"][0]["taskResults"][0]["status"], "error");
    assert!(before.to_string().contains("write what the skill does"), "{before:#}");
    let script = context.read("skills/my_calc/skill.py");
    let implemented = script.replace(
        "raise NotImplementedError(\"write what the skill does into `run` of skill.py\")",
        "return {\"result\": \"pong\"}",
    );
    assert_ne!(script, implemented);
    context.write("skills/my_calc/skill.py", &implemented);
    for protocol in ["jsonrpc", "jsonrpc-lines"] {
        let after = gate(protocol).expect(0).json();
        assert_eq!(after["skills"][0]["summary"]["completionRate"], 1.0, "{protocol}");
    }
}

/// Obstacles are found before anything is written, and no partial result remains.
#[test]
fn files_are_created_all_or_none() {
    for (in_the_way, is_directory) in [
        ("skills/d/skill.json", true),
        ("skills/d/adapter.config.json", true),
        ("skills/d/tests/basic.eval.json", true),
        ("skills/d/tests", false),
        ("skills/d", false),
    ] {
        for force in [&[][..], &["--force"]] {
            let context = TestContext::new();
            match is_directory {
                true => std::fs::create_dir_all(context.path(in_the_way)).unwrap(),
                false => drop(context.write(in_the_way, "mine")),
            }
            let before = context.tree();
            let refused = context.run(&[&["create", "--name", "d"], force].concat()).expect(2);
            assert!(refused.stdout.is_empty(), "{refused:?}");
            refused.says(&[in_the_way]);
            assert_eq!(context.tree(), before, "{in_the_way}");
        }
    }
    // Other files are no obstacle, and `--force` replaces the skill's own.
    let context = TestContext::new();
    context.write("skills/d/README.md", "mine");
    context.run(&["create", "--name", "d"]).expect(0);
    context.write("skills/d/skill.json", "broken");
    context.run(&["create", "--name", "d", "--force"]).expect(0);
    assert_eq!(context.read("skills/d/README.md"), "mine");
    assert_eq!(context.names("skills"), ["d"]);
    assert_eq!(context.names("skills/d"), ["README.md", "adapter.config.json", "skill.json", "tests"]);
    context.run(&["lint", "--strict"]).expect(0);
}

#[test]
fn shortened_id_is_reported() {
    let context = TestContext::new();
    context.run(&["create", "--name", "我的 calc"]).expect(0).says(&["`我的 calc` is `calc`"]);
    let plain = context.run(&["create", "--name", "My Skill"]).expect(0);
    assert!(plain.stderr.is_empty(), "{plain:?}");
}
