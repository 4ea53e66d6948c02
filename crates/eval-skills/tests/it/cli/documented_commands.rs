//! The documented commands, run as they are written, one block after the other.

use std::fs;

use serde_json::{Value, json};

use crate::fixtures::numbered::ids;
use crate::fixtures::shell::Place;

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

/// Capabilities 1, 3, 4, 5 and the first half of 6, one after the other.
#[test]
fn find_eval_select_run_and_convert_work_in_sequence() {
    let place = Place::new();
    place.calculator();
    place.search();

    // Without a history nobody is known to complete 80 %.
    let found: Value = serde_json::from_str(&place.ok(&format!("{} --json", FIND.trim_end())).stdout).unwrap();
    assert_eq!(found["skills"], json!([]));

    place.ok(EVAL);
    for skill in ["calculator", "search"] {
        let report = place.report(skill);
        assert_eq!(report["summary"]["completionRate"], 1.0, "{report}");
        assert_eq!(report["summary"]["consistencyScore"], 1.0);
        assert_eq!(
            report["counts"],
            json!({"total": 60, "pass": 60, "fail": 0, "error": 0, "timeout": 0, "unscored": 0, "harnessError": 0})
        );
        assert_eq!(report["runs"].as_array().unwrap().len(), 3);
    }
    assert!(place.text("reports/eval-result.md").contains("calculator"));
    assert!(place.text("reports/eval-result.html").to_lowercase().starts_with("<!doctype html>"));
    assert!(fs::read(place.path("eval-skills.db")).unwrap().starts_with(b"SQLite format 3\0"));

    let shown = place.ok(FIND).stdout;
    assert!(shown.contains("search") && !shown.contains("calculator"), "{shown}");

    fs::write(place.path("strategy.yaml"), STRATEGY).unwrap();
    place.ok(SELECT);
    let selected = place.json("selected.json");
    assert_eq!(ids(&selected["skills"]), ["calculator"]);
    // It is not ready for production.
    assert_eq!(ids(&selected["excluded"]), ["search"]);

    fs::remove_file(place.path("reports/eval-result.html")).unwrap();
    place.ok(CONVERT);
    assert!(place.text("reports/eval-result.html").contains("calculator"));

    fs::remove_dir_all(place.path("reports")).unwrap();
    place.ok(RUN);
    assert_eq!(place.completion("calculator"), 1.0);
    assert_eq!(place.json("reports/eval-result.json")["skills"].as_array().unwrap().len(), 1, "`search` is no math");
    assert!(place.path("reports/eval-result.md").exists());
}

/// The gate of capability 3: one skill below the threshold is enough.
#[test]
fn gate_refuses_one_bad_skill() {
    let place = Place::new();
    place.calculator();
    place.search();
    // Wrong answers are not tried again, errors would be.
    let code = fs::read_to_string(place.path("skills/calculator/skill.py")).unwrap();
    let wrong = code.replace("float(value) if \"expression\" in task else value", "\"out of order\"");
    assert_ne!(wrong, code);
    fs::write(place.path("skills/calculator/skill.py"), wrong).unwrap();
    let ended = place.run(EVAL);
    assert_eq!(ended.code, 1, "{ended:?}");
    assert_eq!((place.completion("calculator"), place.completion("search")), (0.0, 1.0));
    let report = place.report("calculator");
    assert_eq!((&report["counts"]["fail"], &report["summary"]["errorRate"]), (&json!(60), &json!(0.0)));
    assert!(report["taskResults"][0].to_string().contains("out of order"), "{report}");
}

const CREATE: &str = r#"eval-skills create \
--name my_api_skill \
--from-template http_request \
--output-dir ./skills \
--description "Fetches weather data from OpenWeather API"
"#;

/// Capability 2, with all templates.
#[test]
fn create_works_with_every_template() {
    let place = Place::new();
    place.ok(CREATE);
    let skill = place.json("skills/my_api_skill/skill.json");
    assert_eq!(skill["id"], "my_api_skill");
    assert_eq!(skill["description"], "Fetches weather data from OpenWeather API");
    assert_eq!(skill["adapterType"], "http");
    assert!(place.json("skills/my_api_skill/adapter.config.json").is_object());
    assert_eq!(place.json("skills/my_api_skill/tests/basic.eval.json")["tasks"].as_array().unwrap().len(), 1);
    assert!(!place.path("skills/my_api_skill/skill.py").exists());

    for (template, adapter, has_code) in [("python_script", "subprocess", true), ("mcp_tool", "mcp", false)] {
        place.ok(&format!("eval-skills create --name of_{template} --from-template {template}"));
        let folder = format!("skills/of_{template}");
        assert_eq!(place.json(&format!("{folder}/skill.json"))["adapterType"], adapter);
        assert_eq!(place.path(&format!("{folder}/skill.py")).exists(), has_code);
    }
    assert_eq!(place.run(CREATE).code, 2, "a second time it would overwrite");
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

/// The second half of capability 6, and the workflow "Regression Detection".
#[test]
fn diff_finds_a_regression() {
    let place = Place::new();
    place.recorded("v1", false);
    place.recorded("v2", true);
    place.ok(DIFF);
    let diff = place.text("reports/diff.md");
    for words in ["v1.0", "v2.0", "calculator", "math_001", "▲"] {
        assert!(diff.contains(words), "no {words} in {diff}");
    }
    fs::copy(place.path("reports/v2.json"), place.path("reports/baseline.json")).unwrap();
    fs::copy(place.path("reports/v1.json"), place.path("reports/latest.json")).unwrap();
    place.ok(REGRESSION);
    let check = place.text("reports/regression-check.md");
    for words in ["baseline", "latest", "calculator", "▼"] {
        assert!(check.contains(words), "no {words} in {check}");
    }
    let gate = "eval-skills report diff ./reports/baseline.json ./reports/latest.json --fail-on-regression";
    assert_eq!(place.run(gate).code, 1);
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

/// Capabilities 7 and 8.
#[test]
fn init_and_config_work() {
    let place = Place::new();
    place.ok(INIT);
    assert!(place.text("eval-skills.config.yaml").contains("concurrency"));
    for folder in ["skills", "benchmarks", "reports"] {
        assert!(place.path(folder).is_dir(), "{folder}");
    }
    let defaults = place.ok("eval-skills config list").stdout;
    for words in ["concurrency", "timeoutMs", "30000", "outputDir", "reports"] {
        assert!(defaults.contains(words), "no {words} in {defaults}");
    }
    place.ok(CONFIG);
    let kept = place.text(".home/.eval-skills/config.yaml");
    assert!(kept.contains("concurrency") && kept.contains("gpt-4o"), "{kept}");
    assert_eq!(place.ok("eval-skills config get llm.model").stdout.trim(), "\"gpt-4o\"");
    assert_eq!(place.ok("eval-skills config get llm.temperature").stdout.trim(), "0");
}
