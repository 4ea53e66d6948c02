//! The documented commands, run as they are written, one block after the other.

use std::fs;

use serde_json::{Value, json};

use crate::fixtures::numbered::ids;
use crate::fixtures::shell::ShellProject;

const FIND: &str = r#"eval-skills find \
--query "web search" \
--tag retrieval api \
--adapter http \
--min-completion 0.8 \
--skills-dir ./skills \
--limit 10
"#;

const EVAL: &str = r"eval-skills eval \
--skills ./skills/calculator/skill.json ./skills/search/ \
--benchmark coding-easy \
--concurrency 4 \
--timeout 30000 \
--retries 2 \
--runs 3 \
--evaluator exact \
--format json markdown html \
--output-dir ./reports \
--exit-on-fail --min-completion 0.8 \
--store ./eval-skills.db
";

const STRATEGY: &str = "filters:
  minCompletionRate: 0.8
  maxErrorRate: 0.1
  maxLatencyP95Ms: 5000
  adapterTypes: [http, subprocess]
  requiredTags: [production-ready]
sortBy: compositeScore
order: desc
topK: 5
";

const SELECT: &str = r"eval-skills select \
--from ./skills \
--reports ./reports/eval-result.json \
--strategy ./strategy.yaml \
--min-completion 0.8 \
--top-k 5 \
--output ./selected.json
";

const RUN: &str = r#"eval-skills run \
--query "math" \
--benchmark coding-easy \
--skills-dir ./skills \
--top-k 3 \
--min-completion 0.7 \
--format json markdown \
--output-dir ./reports
"#;

const CONVERT: &str = r"eval-skills report convert \
--input ./reports/eval-result.json \
--format html \
--output ./reports/eval-result.html
";

/// `find`, `eval`, `select`, `run` and `report convert`, one after the other.
#[test]
fn find_eval_select_run_and_convert_work_in_sequence() {
    let project = ShellProject::new();
    project.calculator();
    project.search();

    // Without a history no skill is known to complete 80 %.
    let found: Value = serde_json::from_str(&project.ok(&format!("{} --json", FIND.trim_end())).stdout).unwrap();
    assert_eq!(found["skills"], json!([]));

    project.ok(EVAL);
    for skill in ["calculator", "search"] {
        let report = project.report(skill);
        assert_eq!(report["summary"]["completionRate"], 1.0, "{report}");
        assert_eq!(report["summary"]["consistencyScore"], 1.0);
        assert_eq!(
            report["counts"],
            json!({"total": 60, "pass": 60, "fail": 0, "error": 0, "timeout": 0, "unscored": 0, "harnessError": 0})
        );
        assert_eq!(report["runs"].as_array().unwrap().len(), 3);
    }
    assert!(project.read("reports/eval-result.md").contains("calculator"));
    assert!(project.read("reports/eval-result.html").to_lowercase().starts_with("<!doctype html>"));
    assert!(fs::read(project.path("eval-skills.db")).unwrap().starts_with(b"SQLite format 3\0"));

    let shown = project.ok(FIND).stdout;
    assert!(shown.contains("search") && !shown.contains("calculator"), "{shown}");

    fs::write(project.path("strategy.yaml"), STRATEGY).unwrap();
    project.ok(SELECT);
    let selected = project.json("selected.json");
    assert_eq!(ids(&selected["skills"]), ["calculator"]);
    // It lacks the tag `production-ready`.
    assert_eq!(ids(&selected["excluded"]), ["search"]);

    fs::remove_file(project.path("reports/eval-result.html")).unwrap();
    project.ok(CONVERT);
    assert!(project.read("reports/eval-result.html").contains("calculator"));

    fs::remove_dir_all(project.path("reports")).unwrap();
    project.ok(RUN);
    assert_eq!(project.completion("calculator"), 1.0);
    assert_eq!(project.json("reports/eval-result.json")["skills"].as_array().unwrap().len(), 1, "`search` is no math");
    assert!(project.path("reports/eval-result.md").exists());
}

/// One skill below the threshold is enough.
#[test]
fn gate_refuses_one_bad_skill() {
    let project = ShellProject::new();
    project.calculator();
    project.search();
    // Wrong answers are not retried; errors would be.
    let code = fs::read_to_string(project.path("skills/calculator/skill.py")).unwrap();
    let wrong = code.replace("float(value) if \"expression\" in task else value", "\"out of order\"");
    assert_ne!(wrong, code);
    fs::write(project.path("skills/calculator/skill.py"), wrong).unwrap();
    let ended = project.shell(EVAL);
    assert_eq!(ended.code, 1, "{ended:?}");
    assert_eq!((project.completion("calculator"), project.completion("search")), (0.0, 1.0));
    let report = project.report("calculator");
    assert_eq!((&report["counts"]["fail"], &report["summary"]["errorRate"]), (&json!(60), &json!(0.0)));
    assert!(report["taskResults"][0].to_string().contains("out of order"), "{report}");
}

const CREATE: &str = r#"eval-skills create \
--name my_api_skill \
--from-template http_request \
--output-dir ./skills \
--description "Fetches weather data from OpenWeather API"
"#;

/// `create`, with all templates.
#[test]
fn create_works_with_every_template() {
    let project = ShellProject::new();
    project.ok(CREATE);
    let skill = project.json("skills/my_api_skill/skill.json");
    assert_eq!(skill["id"], "my_api_skill");
    assert_eq!(skill["description"], "Fetches weather data from OpenWeather API");
    assert_eq!(skill["adapterType"], "http");
    assert!(project.json("skills/my_api_skill/adapter.config.json").is_object());
    assert_eq!(project.json("skills/my_api_skill/tests/basic.eval.json")["tasks"].as_array().unwrap().len(), 1);
    assert!(!project.path("skills/my_api_skill/skill.py").exists());

    for (template, adapter, has_code) in [("python_script", "subprocess", true), ("mcp_tool", "mcp", false)] {
        project.ok(&format!("eval-skills create --name of_{template} --from-template {template}"));
        let folder = format!("skills/of_{template}");
        assert_eq!(project.json(&format!("{folder}/skill.json"))["adapterType"], adapter);
        assert_eq!(project.path(&format!("{folder}/skill.py")).exists(), has_code);
    }
    assert_eq!(project.shell(CREATE).code, 2, "a second time it would overwrite");
}

const DIFF: &str = r#"eval-skills report diff \
./reports/v1.json ./reports/v2.json \
--label-a "v1.0" --label-b "v2.0" \
--output ./reports/diff.md
"#;

const REGRESSION: &str = r#"# Compare today's evaluation against the baseline
eval-skills report diff \
./reports/baseline.json ./reports/latest.json \
--label-a "baseline" --label-b "latest" \
--output ./reports/regression-check.md
"#;

/// `report diff`, and the regression check in a pipeline.
#[test]
fn diff_finds_a_regression() {
    let project = ShellProject::new();
    project.recorded("v1", false);
    project.recorded("v2", true);
    project.ok(DIFF);
    let diff = project.read("reports/diff.md");
    for words in ["v1.0", "v2.0", "calculator", "math_001", "▲"] {
        assert!(diff.contains(words), "no {words} in {diff}");
    }
    fs::copy(project.path("reports/v2.json"), project.path("reports/baseline.json")).unwrap();
    fs::copy(project.path("reports/v1.json"), project.path("reports/latest.json")).unwrap();
    project.ok(REGRESSION);
    let check = project.read("reports/regression-check.md");
    for words in ["baseline", "latest", "calculator", "▼"] {
        assert!(check.contains(words), "no {words} in {check}");
    }
    let gate = "eval-skills report diff ./reports/baseline.json ./reports/latest.json --fail-on-regression";
    assert_eq!(project.shell(gate).code, 1);
}

const INIT: &str = "eval-skills init --dir .\n";

const CONFIG: &str = r"# List all current configuration values
eval-skills config list
# Get a specific value (supports dot notation)
eval-skills config get llm.model
# Set a value (persisted to ~/.eval-skills/config.yaml)
eval-skills config set concurrency 8
eval-skills config set llm.model gpt-4o
eval-skills config set llm.temperature 0
";

/// `init` and `config`.
#[test]
fn init_and_config_work() {
    let project = ShellProject::new();
    project.ok(INIT);
    assert!(project.read("eval-skills.config.yaml").contains("concurrency"));
    for folder in ["skills", "benchmarks", "reports"] {
        assert!(project.path(folder).is_dir(), "{folder}");
    }
    let defaults = project.ok("eval-skills config list").stdout;
    for words in ["concurrency", "timeoutMs", "30000", "outputDir", "reports"] {
        assert!(defaults.contains(words), "no {words} in {defaults}");
    }
    project.ok(CONFIG);
    let configuration = project.read(".home/.eval-skills/config.yaml");
    assert!(configuration.contains("concurrency") && configuration.contains("gpt-4o"), "{configuration}");
    assert_eq!(project.ok("eval-skills config get llm.model").stdout.trim(), "\"gpt-4o\"");
    assert_eq!(project.ok("eval-skills config get llm.temperature").stdout.trim(), "0");
}
