//! `eval.yaml`.

use eval_load::SETTING_KEYS;
use eval_spec::call::Generation;
use eval_spec::gap::GapRules;
use eval_spec::suite::{ArmPart, Delivery, HedgingClassifier, NetworkAccess, PermissionMode, VariantRef, Written};

use crate::world::{World, lines};

const FULL: &str = "
samples: ../tests/eval-samples.json
skillDir: skills
control: baseline
treatments:
  - v1
  - { name: second, artifact: 'git:HEAD~1:v2', cwd: work, delivery: project, allowedSkills: [other, ./skills/third], permissions: edits }
  - ./skills/v3.md
delivery: skill
varies: [cwd, artifact, cwd]
triggers: { queries: q.json, with: [one, ./skills/two] }
minRecall: 0.9
minPrecision: 0.8
maxGapRate: 0.3
gapRateRegression: 0.1
gap: { markers: [NEEDS CLARIFICATION, 【待补充】], searchTools: [mcp__wiki__*], emptyResult: [^none$] }
hedgingClassifier: { enabled: true, model: 'openai-api:small', maxCandidates: 7 }
kb: [docs, ../AGENTS.md]
executor: ./fake-model --fast
model: sonnet
effort: high
temperature: 0.5
maxTokens: 1000
maxTurns: 5
allowedTools: [Read, Bash]
permissions: bypass
sandbox: false
network: none
recordings: rec
record: out/rec
judge: false
judgeModel: sonnet
judgeModels: [haiku, openai-api:gpt-4o]
judgeExecutor: anthropic-api
judgeRepeat: 3
debiasLength: false
goldDir: gold
concurrency: 8
repeat: 3
timeout: 1.5
retry: 0
rpm: 60
tpm: 100000
urlFetch: false
allowMissingUrls: true
allowPrivateUrls: true
mcpConfig: .mcp.json
cache: false
budgetUsd: 5
budgetPerSampleUsd: 0.25
budgetPerSampleMs: 30000
allowUnknownCost: true
seed: 18446744073709551615
bootstrapSamples: 1000
ci: bca
minEffect: 0.3
minPreference: 0.05
trivialDiff: 0
threshold: 4
looks: 5
stopWhenDecided: true
maxSamples: 120
holdout: 0.25
gate: cautious
goal: not-worse
margin: 0.3
reportOnly: true
maxFailureRate: 0
outputDir: /tmp/reports
blind: true
texts: false
strictBaseline: false
customRuntime: node
";

#[test]
fn every_key_reaches_its_field() {
    let world = World::new();
    std::fs::create_dir(world.path("work")).unwrap();
    let written = world.settings(FULL).map_err(|e| e.to_string()).unwrap().value;
    let path = |relative: &str| world.context.cwd.join(relative);
    let second = VariantRef {
        name: Some("second".to_owned()),
        cwd: Some(path("work")),
        delivery: Some(Delivery::Project),
        allowed_skills: vec!["other".to_owned(), "./skills/third".to_owned()],
        permissions: Some(PermissionMode::Edits),
        ..VariantRef::new("git:HEAD~1:v2")
    };
    let expected = Written {
        eval_file: None,
        samples: Some(path("../tests/eval-samples.json")),
        skill_dir: Some(path("skills")),
        control: Some(Some(VariantRef::new("baseline"))),
        treatments: Some(vec![VariantRef::new("v1"), second, VariantRef::new("./skills/v3.md")]),
        delivery: Some(Delivery::Skill),
        triggers: Some(Some(path("q.json"))),
        run_triggers: None,
        neighbours: Some(vec!["one".to_owned(), "./skills/two".to_owned()]),
        min_recall: Some(Some(0.9)),
        min_precision: Some(Some(0.8)),
        max_gap_rate: Some(Some(0.3)),
        gap_rate_regression: Some(Some(0.1)),
        gap: Some(GapRules {
            markers: vec!["NEEDS CLARIFICATION".to_owned(), "【待补充】".to_owned()],
            search_tools: vec!["mcp__wiki__*".to_owned()],
            empty_result: vec!["^none$".to_owned()],
        }),
        hedging_classifier: Some(HedgingClassifier {
            enabled: Some(true),
            model: Some("openai-api:small".to_owned()),
            max_candidates: 7,
        }),
        kb: Some(vec![path("docs"), path("../AGENTS.md")]),
        varies: Some(vec![ArmPart::Artifact, ArmPart::Cwd]),
        executor: Some("./fake-model --fast".to_owned()),
        model: Some("sonnet".to_owned()),
        effort: Some(Some("high".to_owned())),
        generation: Some(Generation { temperature: Some(0.5), max_tokens: Some(1000), max_turns: Some(5) }),
        allowed_tools: Some(Some(vec!["Read".to_owned(), "Bash".to_owned()])),
        permissions: Some(PermissionMode::Bypass),
        sandbox: Some(false),
        network: Some(NetworkAccess::None),
        recordings: Some(Some(path("rec"))),
        record: Some(Some(path("out/rec"))),
        judge: Some(false),
        judge_mode: None,
        judge_models: Some(vec!["haiku".to_owned(), "openai-api:gpt-4o".to_owned()]),
        judge_executor: Some(Some("anthropic-api".to_owned())),
        judge_repeat: Some(3),
        debias_length: Some(false),
        gold_dir: Some(Some(path("gold"))),
        concurrency: Some(8),
        repeat: Some(3),
        timeout_ms: Some(1500),
        retry: Some(0),
        rpm: Some(Some(60)),
        tpm: Some(Some(100_000)),
        url_fetch: Some(false),
        allow_missing_urls: Some(true),
        allow_private_urls: Some(true),
        mcp_config: Some(Some(path(".mcp.json"))),
        cache: Some(false),
        budget_usd: Some(Some(5.0)),
        budget_per_sample_usd: Some(Some(0.25)),
        budget_per_sample_ms: Some(Some(30_000)),
        allow_unknown_cost: Some(true),
        seed: Some(Some(u64::MAX)),
        bootstrap_samples: Some(1000),
        ci: Some("bca".to_owned()),
        min_effect: Some(0.3),
        min_preference: Some(0.05),
        aa: None,
        trivial_diff: Some(0.0),
        threshold: Some(4.0),
        looks: Some(5),
        max_samples: Some(Some(120)),
        holdout: Some(Some(0.25)),
        gate: Some(eval_spec::suite::GateTier::Cautious),
        goal: Some(eval_spec::suite::Goal::NotWorse),
        margin: Some(0.3),
        report_only: Some(true),
        max_failure_rate: Some(0.0),
        output_dir: Some(Some("/tmp/reports".into())),
        blind: Some(true),
        texts: Some(false),
        strict_baseline: Some(false),
        custom_runtime: Some("node".to_owned()),
    };
    assert_eq!(written, expected);
}

#[test]
fn every_key_is_in_the_example_above() {
    for key in SETTING_KEYS {
        assert!(FULL.contains(&format!("\n{}:", key.name)), "{} is not tested", key.name);
    }
    assert_eq!(FULL.lines().filter(|line| line.contains(':') && !line.starts_with(' ')).count(), SETTING_KEYS.len());
}

#[test]
fn variants_know_where_they_stand() {
    let world = World::new();
    let written = world.settings("control: baseline\ntreatments: v1\n").unwrap().value;
    let treatments = written.treatments.unwrap();
    assert_eq!(treatments, [VariantRef::new("v1")]);
    assert_eq!(treatments[0].place.as_ref().unwrap().line_column(), (2, 13));
}

#[test]
fn paths_are_read_against_the_directory_of_the_file() {
    let world = World::new();
    let path = world.write("sub/eval.yaml", "samples: a.yaml\ncontrol: ./old.md\ntreatments: [v1, 'git:main:v1']\n");
    let written = eval_load::eval_file(&world.context, &path).unwrap().value;
    assert_eq!(written.samples, Some(world.path("sub/a.yaml")));
    assert_eq!(written.control.unwrap().unwrap().artifact, "sub/./old.md");
    assert_eq!(written.treatments.unwrap(), [VariantRef::new("v1"), VariantRef::new("git:main:v1")]);
}

#[test]
fn json_settings_work_too() {
    let world = World::new();
    let path = world.write("eval.json", r#"{"repeat": 2}"#);
    assert_eq!(eval_load::eval_file(&world.context, &path).unwrap().value.repeat, Some(2));
}

#[test]
fn an_empty_file_is_an_error() {
    let world = World::new();
    for text in ["", "# nothing yet\n", "---\n", "~"] {
        assert_eq!(lines(world.settings(text)), "eval.yaml:1:1: this file has no settings", "{text:?}");
    }
}

#[test]
fn judge_is_a_flag_or_says_how() {
    let world = World::new();
    let of = |value: &str| {
        let written = world.settings(format!("judge: {value}\n")).map_err(|e| e.to_string())?.value;
        Ok::<_, String>((written.judge, written.judge_mode))
    };
    assert_eq!(of("true"), Ok((Some(true), None)));
    assert_eq!(of("false"), Ok((Some(false), None)));
    assert_eq!(of("rubric"), Ok((Some(true), Some(eval_spec::JudgeMode::Rubric))));
    assert_eq!(of("pairwise"), Ok((Some(true), Some(eval_spec::JudgeMode::Pairwise))));
    assert!(of("pairs").unwrap_err().contains("pairwise") && of("3").is_err());
}

#[test]
fn the_settings_of_another_tool_are_not_read_as_ours() {
    let world = World::new();
    let waza =
        "name: greet-eval\nskill: greet\nbaseline: true\nconfig: { trials_per_task: 3 }\ntasks: [tasks/*.yaml]\n";
    assert!(lines(world.settings(waza)).contains("it is the file of another tool"));
    for ours in ["smaples: a.yaml\nx: 1\n", "samplesfile: a\n", "control: [\n"] {
        assert!(!lines(world.settings(ours)).contains("another tool"), "{ours}");
    }
}
