//! Every command block of the seed, run as it is written there, in scratch directories that look as its
//! examples assume. Each block is followed by what must be true after it.

use std::fs;

use serde_json::{Value, json};
use testkit::skills;

use crate::fixtures::numbered::ids;
use crate::fixtures::shell::Place;

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
fn custom_benchmark_is_evaluated() {
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
fn single_skill_is_created_and_evaluated() {
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
fn several_candidates_are_compared() {
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
fn full_pipeline_selects_the_best_skills() {
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
fn quality_gate_fails_the_build_after_a_regression() {
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
fn documented_flags_are_accepted() {
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
