//! Configuration: flags over project over user over defaults, key by key; `config` and `init`.

use crate::fixtures::context::TestContext;

#[test]
fn configuration_files_are_merged_key_by_key() {
    let context = TestContext::new();
    let get = |key: &str| context.run(&["config", "get", key]).expect(0).stdout.trim().to_owned();
    assert_eq!(get("concurrency"), "4");
    assert_eq!(get("timeoutMs"), "30000");
    assert_eq!(get("outputDir"), "\"./reports\"");
    context.write(".home/config.yaml", "concurrency: 8\nllm: { model: gpt-4o, temperature: 0 }\n");
    assert_eq!(get("concurrency"), "8");
    context.write("eval-skills.config.yaml", "# mine\nconcurrency: 2\nllm:\n  model: sonnet\n");
    assert_eq!((get("concurrency"), get("llm.model")), ("2".to_owned(), "\"sonnet\"".to_owned()));
    assert_eq!(get("llm"), r#"{"executor":null,"model":"sonnet","temperature":0}"#);
    context.write("other.yaml", "runs: 5\n");
    let other = context.run(&["config", "list", "-c", "other.yaml", "--json"]).expect(0).json();
    assert_eq!((&other["runs"]["value"], &other["runs"]["file"]), (&5.into(), &"other.yaml".into()));
    assert_eq!((&other["concurrency"]["value"], &other["concurrency"]["source"]), (&8.into(), &"file".into()));
    assert_eq!(other["retries"]["source"], "default");
}

#[test]
fn flag_overrides_the_configuration_and_a_default_does_not() {
    let context = TestContext::new();
    context.write("eval-skills.config.yaml", "skillsDir: ./mine\n");
    context.skill("mine/a", &serde_json::json!({}));
    context.skill("skills/b", &serde_json::json!({}));
    let found = |arguments: &[&str]| context.run(arguments).expect(0).json()["skills"][0]["id"].clone();
    assert_eq!(found(&["find", "--json"]), "a");
    assert_eq!(found(&["find", "--json", "--skills-dir", "skills"]), "b");
}

#[test]
fn unknown_keys_and_wrong_values_are_errors_with_a_position() {
    let context = TestContext::new();
    for (text, wrong) in [
        ("concurency: 3\n", "did you mean `concurrency`"),
        ("llm:\n  modle: x\n", "did you mean `model`"),
        ("concurrency: many\n", "expected a whole number"),
        ("minCompletion: 80\n", "out of range"),
        ("format: [json, pdf]\n", "`pdf` is not one of"),
        ("format: json\nformats: [html]\n", "there twice"),
    ] {
        context.write("eval-skills.config.yaml", text);
        context.run(&["config", "list"]).expect(2).says(&[wrong, "eval-skills.config.yaml:"]);
        context.run(&["find", "--skills-dir", "."]).expect(2).says(&[wrong]);
    }
    context.run(&["config", "list", "-c", "missing.yaml"]).expect(2).says(&["missing.yaml"]);
}

#[test]
fn get_and_set_of_unknown_keys_exit_with_2() {
    let context = TestContext::new();
    context.run(&["config", "get", "concurency"]).expect(2).says(&["did you mean `concurrency`"]);
    context.run(&["config", "set", "nothing", "1"]).expect(2).says(&["no key `nothing`"]);
    context.run(&["config", "set", "concurrency", "-1"]).expect(2);
    context.run(&["config", "set", "evaluator", "vibes"]).expect(2);
    assert!(!context.path(".home/config.yaml").exists());
}

#[test]
fn set_preserves_comments_and_other_keys() {
    let context = TestContext::new();
    for (key, value) in
        [("concurrency", "8"), ("llm.model", "gpt-4o"), ("llm.temperature", "0"), ("format", "json html")]
    {
        context.run(&["config", "set", key, value]).expect(0);
    }
    assert_eq!(
        context.read(".home/config.yaml"),
        "concurrency: 8\nllm:\n  temperature: 0\n  model: gpt-4o\nformat: [json, html]\n"
    );
    let written = "# mine\nconcurrency: 4 # few\nllm:\n  # who judges\n  model: \"a\"\nruns:\n  3\n";
    context.write(".home/config.yaml", written);
    context.run(&["config", "set", "concurrency", "9"]).expect(0);
    context.run(&["config", "set", "llm.model", "yes"]).expect(0);
    context.run(&["config", "set", "runs", "5"]).expect(0);
    assert_eq!(
        context.read(".home/config.yaml"),
        "# mine\nconcurrency: 9 # few\nllm:\n  # who judges\n  model: \"yes\"\nruns:\n  5\n"
    );
    // Values in a form that cannot be edited in place stay as they are.
    context.write(".home/config.yaml", "{concurrency: 3, llm: {model: b}}\n");
    context.run(&["config", "set", "llm.temperature", "0.5"]).expect(0);
    assert_eq!(context.read(".home/config.yaml"), "concurrency: 3\nllm:\n  model: b\n  temperature: 0.5\n");
    // `set` refuses a file with errors.
    context.write(".home/config.yaml", "concurency: 3\n");
    context.run(&["config", "set", "runs", "2"]).expect(2).says(&["did you mean `concurrency`"]);
    assert_eq!(context.read(".home/config.yaml"), "concurency: 3\n");
}

#[test]
fn init_creates_the_documented_scaffold_and_overwrites_nothing() {
    let context = TestContext::new();
    context.run(&["init", "--dir", "."]).expect(0);
    assert_eq!(context.names("."), ["benchmarks", "eval-skills.config.yaml", "reports", "skills"]);
    context.write("eval-skills.config.yaml", "runs: 3\n");
    context.run(&["init", "--dir", "."]).expect(0);
    assert_eq!(context.read("eval-skills.config.yaml"), "runs: 3\n");
    let files = context.run(&["init", "--dir", "new place", "--json"]).expect(0).json();
    assert_eq!(files["files"][0]["path"], "new place/eval-skills.config.yaml");
    // The scaffold is a valid configuration, with and without its comment signs.
    let text = context.read("new place/eval-skills.config.yaml");
    context.write("eval-skills.config.yaml", &text);
    context.run(&["config", "list"]).expect(0);
    let is_key = |line: &str| {
        let key = line.trim_start_matches("# ").split(':').next().unwrap();
        key.starts_with(|c: char| c.is_ascii_lowercase()) && key.chars().all(|c| c.is_ascii_alphabetic())
    };
    let lines: Vec<&str> = text.lines().filter(|line| is_key(line) && line.contains(':')).collect();
    let bare: String = lines.iter().map(|line| format!("{}\n", line.strip_prefix("# ").unwrap_or(line))).collect();
    context.write("eval-skills.config.yaml", &bare);
    context.run(&["config", "list"]).expect(0);
}

#[test]
fn command_is_split_like_in_a_shell() {
    let context = TestContext::new();
    context.run(&["config", "set", "adapters.custom", "python3 './my dir/x.py' \"a b\""]).expect(0);
    let set = context.run(&["config", "get", "adapters.custom"]).expect(0).stdout;
    assert_eq!(set.trim(), r#"["python3","./my dir/x.py","a b"]"#);
    context.run(&["config", "set", "adapters.custom", "python3 'x"]).expect(2).says(&["a quote isn't closed"]);
    context.run(&["config", "set", "format", "json, csv html"]).expect(0);
    assert_eq!(context.run(&["config", "get", "format"]).expect(0).stdout.trim(), r#"["json","csv","html"]"#);
}

/// Only an absent file is ignored; an unreadable one must not silently change the settings of a run.
#[test]
fn unreadable_configuration_is_an_error() {
    let context = TestContext::new();
    context.write(".home", "a file where the directory should be");
    context.run(&["config", "list"]).expect(2).says(&["config.yaml"]);
    let context = TestContext::new();
    std::os::unix::fs::symlink("eval-skills.config.yaml", context.path("eval-skills.config.yaml")).unwrap();
    context.run(&["config", "list"]).expect(2).says(&["eval-skills.config.yaml"]);
}
