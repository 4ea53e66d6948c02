//! The documented workflows, run as they are written, in scratch directories that match the examples. Each block is
//! followed by checks of its result.

use std::fs;

use serde_json::{Value, json};
use testkit::skills;

use crate::fixtures::numbered::ids;
use crate::fixtures::shell::ShellProject;

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

/// A benchmark of one's own: the documented file and the command.
#[test]
fn custom_benchmark_is_evaluated() {
    let project = ShellProject::new();
    fs::write(project.path("my-benchmark.json"), MY_BENCHMARK).unwrap();
    let answers = [
        (json!({"expression": "2+3"}), json!("5")),
        (json!({"query": "TypeScript"}), json!({"result": "A language over javascript."})),
    ];
    skills::lookup(&project.path("my-skill"), &answers);
    project.ok("eval-skills eval --skills ./my-skill/ --benchmark ./my-benchmark.json\n");
    let report = project.report("my-skill");
    // Half of the keywords give half a point and no pass.
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

/// Creating and evaluating one skill.
#[test]
fn single_skill_is_created_and_evaluated() {
    let project = ShellProject::new();
    project.ok(CREATE_CALC);
    // 2. Implement your logic in skills/my_calc/skill.py
    skills::implement_in_python(&project.path("skills/my_calc"));
    let report = project.ok(EVAL_CALC).stdout;
    assert!(report.contains("my_calc") && report.contains("coding-easy"), "{report}");
    assert_eq!(project.completion("my_calc"), 1.0);
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

/// Comparing candidates.
#[test]
fn several_candidates_are_compared() {
    let project = ShellProject::new();
    project.calculator();
    for (name, known) in [("weather_v1", 2), ("weather_v2", 8), ("weather_v3", 7)] {
        skills::searcher(&project.path(&format!("skills/{name}")), known);
    }
    let found = project.ok(DISCOVER).stdout;
    for name in ["weather_v1", "weather_v2", "weather_v3"] {
        assert!(found.contains(name), "{found}");
    }
    assert!(!found.contains("calculator"), "{found}");
    project.ok(EVAL_WEATHER);
    let rates = ["weather_v1", "weather_v2", "weather_v3"].map(|skill| project.completion(skill));
    assert_eq!(rates, [0.25, 1.0, 0.875]);
    let selection: Value = serde_json::from_str(&project.ok(SELECT_WEATHER).stdout).unwrap();
    assert_eq!(ids(&selection["skills"]), ["weather_v2", "weather_v3"]);
    assert_eq!(ids(&selection["excluded"]), ["calculator", "weather_v1"]);
    project.recorded("v1", false);
    project.recorded("v2", true);
    let diff = project.ok(DIFF_WEATHER).stdout;
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

/// The pipeline in one command, over skills of all kinds: the best three of those that work.
#[test]
fn full_pipeline_selects_the_best_skills() {
    let project = ShellProject::new();
    project.calculator();
    project.search();
    skills::persistent_calculator(&project.path("skills/persistent"));
    skills::node_calculator(&project.path("skills/node"));
    skills::compiled_calculator(&project.path("skills/compiled"));
    skills::shell_calculator(&project.path("skills/shell"));
    skills::mcp_calculator(&project.path("skills/tool"), "structured");
    skills::searcher(&project.path("skills/weather"), 8);
    project.ok(PIPELINE);
    for skill in ["calculator", "search", "persistent", "node", "compiled", "shell", "tool"] {
        assert_eq!(project.completion(skill), 1.0, "{}", project.report(skill));
    }
    assert_eq!(project.completion("weather"), 0.0);
    let selected = project.json("reports/selected.json");
    assert_eq!(selected["skills"].as_array().unwrap().len(), 3);
    for extension in ["json", "md", "html"] {
        assert!(project.path(&format!("reports/eval-result.{extension}")).exists());
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

/// The gate in a CI pipeline: passes, then fails the build after a regression.
#[test]
fn quality_gate_fails_the_build_after_a_regression() {
    let project = ShellProject::new();
    let folder = skills::persistent_calculator(&project.path("skills/production_skill"));
    project.ok(GATE);
    assert!(!project.path("reports/eval-result.md").exists(), "only JSON was asked for");
    let code = fs::read_to_string(folder.join("skill.py")).unwrap();
    fs::write(folder.join("skill.py"), code.replace("float(value)", "float(value) + 1")).unwrap();
    assert_eq!(project.shell(GATE).code, 1);
    assert_eq!(project.completion("production_skill"), 0.5);
}

/// Flags of the documented best practices and global options.
#[test]
fn documented_flags_are_accepted() {
    let project = ShellProject::new();
    project.calculator();
    let dry = project.ok("eval-skills eval --skills ./skills/calculator --benchmark coding-easy --dry-run");
    assert!(dry.stdout.contains("coding-easy") || dry.stderr.contains("coding-easy"), "{dry:?}");
    assert!(!project.path("reports").exists() && !project.path("eval-skills.db").exists());
    project.ok("eval-skills eval --skills ./skills/calculator --concurrency 1 --store ./eval-skills.db");
    project.ok("eval-skills eval --skills ./skills/calculator --concurrency 8 --store ./eval-skills.db");
    let trend = project.ok("eval-skills trend --skill calculator --benchmark coding-easy --json").stdout;
    assert!(
        serde_json::from_str::<Value>(&trend).unwrap().to_string().matches("completionRate").count() >= 2,
        "{trend}"
    );
    assert!(project.ok("eval-skills --version").stdout.contains(env!("CARGO_PKG_VERSION")));
    let help = project.ok("eval-skills -h").stdout;
    for command in ["find", "create", "eval", "select", "run", "report", "init", "config"] {
        assert!(help.contains(command), "{help}");
    }
    fs::write(project.path("other.yaml"), "concurrency: 2\n").unwrap();
    for block in [
        "eval-skills --json find",
        "eval-skills find --json",
        "eval-skills find --no-color -v",
        "eval-skills -c other.yaml config get concurrency",
        "eval-skills config get concurrency --config other.yaml",
    ] {
        project.ok(block);
    }
    let json = project.ok("eval-skills eval --skills ./skills/calculator --json").stdout;
    assert_eq!(serde_json::from_str::<Value>(&json).unwrap()["kind"], "eval-skills-result");
}
