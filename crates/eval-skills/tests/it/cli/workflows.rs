//! Every command block of the seed, run as it is written there, in scratch directories that look as its
//! examples assume. Each block is followed by what must be true after it.

use std::fs;

use serde_json::{Value, json};
use testkit::skills;

use crate::fixtures::shell::Place;

/// The ids of a list of skills.
fn ids(list: &Value) -> Vec<&str> {
    list.as_array().map_or_else(Vec::new, |list| list.iter().filter_map(|skill| skill["id"].as_str()).collect())
}

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
fn find_eval_select_run_and_convert() {
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
fn the_gate_refuses_one_bad_skill() {
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
fn create() {
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
fn diff() {
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
fn init_and_config() {
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

const MY_BENCHMARK: &str = r#"{
"id": "my-benchmark",
"name": "My Custom Benchmark",
"version": "1.0.0",
"domain": "general",
"scoringMethod": "mean",
"maxLatencyMs": 30000,
"metadata": { "source": "internal", "lastUpdated": "2026-02-28" },
"tasks": [
{
"id": "task_001",
"description": "Test basic addition",
"inputData": { "expression": "2+3" },
"expectedOutput": { "type": "exact", "value": "5" },
"evaluator": { "type": "exact" },
"timeoutMs": 10000,
"tags": ["math"]
},
{
"id": "task_002",
"description": "Test keyword presence",
"inputData": { "query": "TypeScript" },
"expectedOutput": { "type": "contains", "keywords": ["JavaScript", "Microsoft"] },
"evaluator": { "type": "contains", "caseSensitive": false },
"timeoutMs": 15000,
"tags": ["search"]
}
]
}
"#;

/// "Custom Benchmark": the file of the seed and the command under it.
#[test]
fn custom_benchmark() {
    let place = Place::new();
    fs::write(place.path("my-benchmark.json"), MY_BENCHMARK).unwrap();
    let answers = [
        (json!({"expression": "2+3"}), json!("5")),
        (json!({"query": "TypeScript"}), json!({"result": "A language over javascript."})),
    ];
    skills::lookup(&place.path("my-skill"), &answers);
    place.ok("eval-skills eval --skills ./my-skill/ --benchmark ./my-benchmark.json\n");
    let report = place.report("my-skill");
    // Half of the keywords are half a point, and no pass.
    assert_eq!((&report["summary"]["completionRate"], &report["summary"]["partialScore"]), (&json!(0.5), &json!(0.75)));
    assert_eq!(report["tagResults"]["math"]["completionRate"], 1.0);
    assert_eq!(report["tagResults"]["search"]["completionRate"], 0.0);
}

const CREATE_CALC: &str = r"# 1. Create a skill skeleton
eval-skills create --name my_calc --from-template python_script
";

const EVAL_CALC: &str = r"# 3. Run evaluation against the coding-easy benchmark
eval-skills eval \
--skills ./skills/my_calc/skill.json \
--benchmark coding-easy \
--runs 3 \
--format json markdown
# 4. Review the report
cat ./reports/eval-result-*.md
";

/// "Evaluating a Single Skill".
#[test]
fn a_single_skill() {
    let place = Place::new();
    place.ok(CREATE_CALC);
    // 2. Implement your logic in skills/my_calc/skill.py
    skills::implement_in_python(&place.path("skills/my_calc"));
    let report = place.ok(EVAL_CALC).stdout;
    assert!(report.contains("my_calc") && report.contains("coding-easy"), "{report}");
    assert_eq!(place.completion("my_calc"), 1.0);
}

const DISCOVER: &str = r#"# 1. Discover candidates
eval-skills find --query "weather" --skills-dir ./skills
"#;

const EVAL_WEATHER: &str = r"# 2. Evaluate all candidates on the same benchmark
eval-skills eval \
--skills ./skills/weather_v1 ./skills/weather_v2 ./skills/weather_v3 \
--benchmark web-search-basic \
--runs 3
";

const SELECT_WEATHER: &str = r"# 3. Select the best
eval-skills select \
--from ./skills \
--reports ./reports/eval-result-*.json \
--min-completion 0.8 \
--top-k 2
";

const DIFF_WEATHER: &str = r#"# 4. Compare two versions
eval-skills report diff \
./reports/v1.json ./reports/v2.json \
--label-a "weather_v1" --label-b "weather_v2"
"#;

/// "Comparing Multiple Candidate Skills".
#[test]
fn several_candidates() {
    let place = Place::new();
    place.calculator();
    for (name, known) in [("weather_v1", 2), ("weather_v2", 8), ("weather_v3", 7)] {
        skills::searcher(&place.path(&format!("skills/{name}")), known);
    }
    let found = place.ok(DISCOVER).stdout;
    for name in ["weather_v1", "weather_v2", "weather_v3"] {
        assert!(found.contains(name), "{found}");
    }
    assert!(!found.contains("calculator"), "{found}");
    place.ok(EVAL_WEATHER);
    let rates = ["weather_v1", "weather_v2", "weather_v3"].map(|skill| place.completion(skill));
    assert_eq!(rates, [0.25, 1.0, 0.875]);
    let selection: Value = serde_json::from_str(&place.ok(SELECT_WEATHER).stdout).unwrap();
    assert_eq!(ids(&selection["skills"]), ["weather_v2", "weather_v3"]);
    assert_eq!(ids(&selection["excluded"]), ["calculator", "weather_v1"]);
    place.recorded("v1", false);
    place.recorded("v2", true);
    let diff = place.ok(DIFF_WEATHER).stdout;
    assert!(diff.contains("weather_v1") && diff.contains("weather_v2"), "{diff}");
}

const PIPELINE: &str = r"eval-skills run \
--skills-dir ./skills \
--benchmark coding-easy \
--top-k 3 \
--min-completion 0.7 \
--format json markdown html \
--output-dir ./reports
";

/// "Full Pipeline (One Command)", over skills of all kinds: the best three of those that work.
#[test]
fn the_full_pipeline() {
    let place = Place::new();
    place.calculator();
    place.search();
    skills::persistent_calculator(&place.path("skills/persistent"));
    skills::node_calculator(&place.path("skills/node"));
    skills::compiled_calculator(&place.path("skills/compiled"));
    skills::shell_calculator(&place.path("skills/shell"));
    skills::mcp_calculator(&place.path("skills/tool"), "structured");
    skills::searcher(&place.path("skills/weather"), 8);
    place.ok(PIPELINE);
    for skill in ["calculator", "search", "persistent", "node", "compiled", "shell", "tool"] {
        assert_eq!(place.completion(skill), 1.0, "{}", place.report(skill));
    }
    assert_eq!(place.completion("weather"), 0.0);
    let selected = place.json("reports/selected.json");
    assert_eq!(selected["skills"].as_array().unwrap().len(), 3);
    for extension in ["json", "md", "html"] {
        assert!(place.path(&format!("reports/eval-result.{extension}")).exists());
    }
}

const GATE: &str = r"# In your CI pipeline — fail the build if completion rate drops below 80%
eval-skills eval \
--skills ./skills/production_skill \
--benchmark coding-easy \
--exit-on-fail \
--min-completion 0.8 \
--format json
";

/// "CI/CD Quality Gate": passes, and fails the build once the skill gets worse.
#[test]
fn the_quality_gate() {
    let place = Place::new();
    let folder = skills::persistent_calculator(&place.path("skills/production_skill"));
    place.ok(GATE);
    assert!(!place.path("reports/eval-result.md").exists(), "only JSON was asked for");
    let code = fs::read_to_string(folder.join("skill.py")).unwrap();
    fs::write(folder.join("skill.py"), code.replace("float(value)", "float(value) + 1")).unwrap();
    assert_eq!(place.run(GATE).code, 1);
    assert_eq!(place.completion("production_skill"), 0.5);
}

/// "Best Practices" and "Global Options", as far as they name flags.
#[test]
fn best_practices_and_global_options() {
    let place = Place::new();
    place.calculator();
    let dry = place.ok("eval-skills eval --skills ./skills/calculator --benchmark coding-easy --dry-run");
    assert!(dry.stdout.contains("coding-easy") || dry.stderr.contains("coding-easy"), "{dry:?}");
    assert!(!place.path("reports").exists() && !place.path("eval-skills.db").exists());
    place.ok("eval-skills eval --skills ./skills/calculator --concurrency 1 --store ./eval-skills.db");
    place.ok("eval-skills eval --skills ./skills/calculator --concurrency 8 --store ./eval-skills.db");
    let trend = place.ok("eval-skills trend --skill calculator --benchmark coding-easy --json").stdout;
    assert!(
        serde_json::from_str::<Value>(&trend).unwrap().to_string().matches("completionRate").count() >= 2,
        "{trend}"
    );
    assert!(place.ok("eval-skills --version").stdout.contains(env!("CARGO_PKG_VERSION")));
    let help = place.ok("eval-skills -h").stdout;
    for command in ["find", "create", "eval", "select", "run", "report", "init", "config"] {
        assert!(help.contains(command), "{help}");
    }
    fs::write(place.path("other.yaml"), "concurrency: 2\n").unwrap();
    for block in [
        "eval-skills --json find",
        "eval-skills find --json",
        "eval-skills find --no-color -v",
        "eval-skills -c other.yaml config get concurrency",
        "eval-skills config get concurrency --config other.yaml",
    ] {
        place.ok(block);
    }
    let json = place.ok("eval-skills eval --skills ./skills/calculator --json").stdout;
    assert_eq!(serde_json::from_str::<Value>(&json).unwrap()["kind"], "eval-skills-result");
}
