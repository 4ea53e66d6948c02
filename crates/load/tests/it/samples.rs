//! Sample files: what they hold, their fingerprints, and where files are found.

use std::path::Path;

use eval_load as load;
use eval_load::SampleFile;
use eval_spec::Sample;
use eval_spec::hash::sha256_hex;
use eval_spec::sample::{Difficulty, Provenance};
use serde_json::json;

use crate::world::{TYPES, World, draw, errors, lines};

fn load(world: &World, name: &str, content: &str) -> SampleFile {
    world.samples(name, content).map_err(|e| e.to_string()).unwrap().value
}

/// Every key of the sample format, in YAML.
const FULL: &str = r#"
- sample_id: s001
  prompt: 审查这段代码的安全性
  context: |
    function auth() {}
  cwd: project
  rubric: 应识别 SQL 注入风险
  assertions:
    - { weight: 0.5, value: SQL 注入, type: contains, not: true }
    - type: assert-set
      mode: any
      children:
        - { type: contains, value: 42 }
        - type: assert-set
          mode: all
          children: [{ type: contains_all, values: [a, b] }]
  capability: [security, review]
  difficulty: hard
  construct: necessity
  provenance: production-trace
  mocksStrict: true
  tripwire: true
  mocks:
    - tool: Bash
      match: { command_glob: "git *", input: { deep: [1, { a: null }] }, input_contains: [x, y] }
      return_seq: [first, { stdout: out, stderr: err, exit: 2 }]
      return: last
    - { tool: "*", return_file: answer.txt }
  environment:
    cli_available: [git]
    files_available: [README.md]
    notes: ready
- sample_id: s002
  prompt: x
  dimensions: { security: finds it, actionability: fixes it }
"#;

fn full_world() -> World {
    let world = World::new();
    world.write("answer.txt", "42");
    std::fs::create_dir(world.path("project")).unwrap();
    world
}

#[test]
fn every_field_of_a_sample_is_read() {
    let world = full_world();
    let file = load(&world, "eval-samples.yaml", FULL);
    let sample = &file.samples[0];
    assert_eq!(sample.id, "s001");
    assert_eq!(sample.context.as_deref(), Some("function auth() {}\n"));
    assert_eq!(sample.cwd.as_deref(), Some(world.path("project").as_path()));
    assert_eq!(sample.metadata.capability, ["security", "review"]);
    assert_eq!(sample.metadata.difficulty, Some(Difficulty::Hard));
    assert_eq!(sample.metadata.construct.as_deref(), Some("necessity"));
    assert_eq!(sample.metadata.provenance, Some(Provenance::ProductionTrace));
    assert!(sample.mocks_strict && sample.tripwire);
    assert_eq!(sample.environment.as_ref().unwrap().notes.as_deref(), Some("ready"));
    let tools: Vec<&str> = sample.mocks.iter().map(|mock| mock.tool.as_str()).collect();
    assert_eq!(tools, ["Bash", "*"]);
    assert_eq!(sample.mocks[0].written["match"]["input"], json!({"deep": [1, {"a": null}]}));
    let dimensions = [("security", "finds it"), ("actionability", "fixes it")].map(|(a, b)| (a.into(), b.into()));
    assert_eq!(file.samples[1].dimensions, dimensions);
    assert_eq!(file.path, world.path("eval-samples.yaml"));
    assert_eq!((file.test_set.path.as_str(), file.test_set.sample_count), ("eval-samples.yaml", 2));
}

#[test]
fn assertions_keep_order_kinds_and_places() {
    let world = full_world();
    let file = load(&world, "eval-samples.yaml", FULL);
    let [first, set] = file.samples[0].assertions.as_slice() else { panic!("two assertions") };
    assert_eq!((first.kind.as_str(), first.weight, first.not), ("contains", 0.5, true));
    let keys: Vec<&String> = first.written.keys().collect();
    assert_eq!(keys, ["weight", "value", "type", "not"]);
    assert_eq!(first.field_places["value"].line_column(), (9, 29));
    assert_eq!(first.place.as_ref().unwrap().line_column(), (9, 7));
    assert_eq!(first.base, world.context.cwd);
    // `42` stays a number: how it compares is the type's business.
    assert_eq!(set.children[0].written["value"], json!(42));
    assert_eq!(set.children[1].children[0].texts("values").unwrap(), ["a", "b"]);
    assert_eq!(set.written["children"][1]["mode"], json!("all"));
}

#[test]
fn integers_and_floats_are_preserved() {
    let world = World::new();
    for (name, quote) in [("a.yaml", ""), ("a.json", "\"")] {
        let text = format!(
            "[{{{q}sample_id{q}: \"s\", {q}prompt{q}: \"p\", {q}assertions{q}: [{{{q}type{q}: \"tool_input_contains\", \
             {q}tool{q}: \"t\", {q}input{q}: [1, 1.0, 1e2, -0.5, 18446744073709551615]}}]}}]",
            q = quote
        );
        let file = load(&world, name, &text);
        let input = file.samples[0].assertions[0].written["input"].to_string();
        assert_eq!(input, "[1,1.0,100.0,-0.5,18446744073709551615]", "{name}");
    }
}

#[test]
fn json_and_yaml_of_the_same_samples_have_the_same_hashes() {
    let world = full_world();
    let yaml = load(&world, "a.yaml", FULL);
    let json_text = serde_json::to_string_pretty(&json!([
        {"sample_id": "s002", "dimensions": {"actionability": "fixes it", "security": "finds it"}, "prompt": "x"},
        {
            "sample_id": "s001", "prompt": "审查这段代码的安全性", "context": "function auth() {}\n",
            "rubric": "应识别 SQL 注入风险",
            "assertions": [
                {"type": "contains", "value": "SQL 注入", "weight": 0.5, "not": true},
                {"type": "assert-set", "mode": "any", "children": [
                    {"type": "contains", "value": 42},
                    {"type": "assert-set", "mode": "all", "children": [{"type": "contains_all", "values": ["a", "b"]}]},
                ]},
            ],
            "difficulty": "easy", "capability": ["security", "review"], "tripwire": true,
            "mocksStrict": true,
            "mocks": [
                {"tool": "Bash",
                 "match": {"command_glob": "git *", "input": {"deep": [1, {"a": null}]}, "input_contains": ["x", "y"]},
                 "return_seq": ["first", {"stdout": "out", "stderr": "err", "exit": 2}], "return": "last"},
                {"tool": "*", "return_file": "answer.txt"},
            ],
            "environment": {"cli_available": ["git"], "files_available": ["README.md"], "notes": "ready"},
        },
    ]))
    .unwrap();
    let json = load(&world, "a.json", &json_text);
    let mut reversed = json.hashes.clone();
    reversed.reverse();
    assert_eq!(yaml.hashes, reversed);
    // The file's name and the samples make the id; metadata and order don't.
    let hex = |file: &SampleFile| file.test_set.id.split_once('@').unwrap().1.to_owned();
    assert_eq!(hex(&yaml), hex(&json));
    assert_eq!(hex(&yaml).len(), 8);
    assert!(json.test_set.id.starts_with("a.json@"));
}

/// Fingerprints, computed by hand.
#[test]
fn a_hash_is_that_of_the_canonical_json() {
    let world = World::new();
    let file = load(&world, "a.json", r#"[{"sample_id":"s","prompt":"p","rubric":"r","difficulty":"easy"}]"#);
    let hash = sha256_hex(br#"{"prompt":"p","rubric":"r"}"#)[..12].to_owned();
    assert_eq!(file.hashes, [("s".to_owned(), hash)]);
}

#[test]
fn what_decides_a_score_or_verdict_changes_the_hash_and_nothing_else_does() {
    let world = World::new();
    let hash = |extra: &str| {
        let file = load(&world, "a.json", &format!(r#"[{{"sample_id":"s","prompt":"p","rubric":"r"{extra}}}]"#));
        file.hashes[0].1.clone()
    };
    let plain = hash("");
    for same in [r#","difficulty":"hard""#, r#","construct":"quality""#] {
        assert_eq!(hash(same), plain, "{same}");
    }
    let others = [
        r#","context":"c""#,
        r#","dimensions":{"d":"e"}"#,
        r#","assertions":[{"type":"contains","value":"x"}]"#,
        r#","assertions":[{"type":"contains","value":"x","weight":2}]"#,
        r#","mocks":[{"tool":"*","return":""}]"#,
        r#","mocksStrict":true"#,
        r#","environment":{"notes":"n"}"#,
        r#","cluster":"c""#,
        r#","capability":["x"]"#,
        r#","tripwire":true"#,
    ];
    let mut hashes: Vec<String> = others.iter().map(|extra| hash(extra)).collect();
    hashes.push(plain);
    hashes.sort();
    hashes.dedup();
    assert_eq!(hashes.len(), others.len() + 1);
}

#[test]
fn an_object_with_samples_and_a_byte_order_mark_are_fine() {
    let world = World::new();
    let file =
        load(&world, "a.json", "\u{feff}{\"samples\": [{\"sample_id\": \"s\", \"prompt\": \"p\", \"rubric\": \"r\"}]}");
    assert_eq!(file.samples[0].place.as_ref().unwrap().line_column(), (1, 28));
    load(&world, "a.yaml", "\u{feff}samples:\r\n  - sample_id: s\r\n    prompt: p\r\n    rubric: r\r\n");
}

#[test]
fn yaml_words_of_old_are_text() {
    let world = World::new();
    let text = "- { sample_id: no, prompt: off, rubric: 1_000, assertions: [{ type: contains, value: yes }] }";
    let file = load(&world, "a.yaml", text);
    let sample = &file.samples[0];
    assert_eq!((sample.id.as_str(), sample.prompt.as_str()), ("no", "off"));
    assert_eq!(sample.assertions[0].written["value"], json!("yes"));
}

#[test]
fn anchors_and_merges_save_typing() {
    let world = World::new();
    let text = "
- &base
  sample_id: a
  prompt: p
  assertions: &checks [{ type: contains, value: x }]
- <<: *base
  sample_id: b
- sample_id: c
  prompt: q
  assertions: *checks
";
    let file = load(&world, "a.yaml", text);
    let ids: Vec<&str> = file.samples.iter().map(|sample| sample.id.as_str()).collect();
    assert_eq!(ids, ["a", "b", "c"]);
    assert!(file.samples.iter().all(|sample| sample.assertions.len() == 1));
    assert_eq!(file.samples[1].prompt, "p");
}

#[test]
fn what_is_odd_but_allowed_is_a_warning() {
    let world = World::new();
    let text = "
- { sample_id: a, prompt: p }
- { sample_id: b, prompt: p, rubric: r, dimensions: { d: e }, context: \"\" }
";
    let loaded = world.samples("a.yaml", text).unwrap();
    assert_eq!(loaded.value.samples[1].context, None);
    insta::assert_snapshot!(draw(&loaded.warnings), @r#"
    warning: this sample has nothing that scores it
      a.yaml:2:3
        | - { sample_id: a, prompt: p }
        |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^
      help: add `assertions`, a `rubric` or `dimensions`
    warning: the rubric is not used, because `dimensions` win over it
      a.yaml:3:38
        | - { sample_id: b, prompt: p, rubric: r, dimensions: { d: e }, context: "" }
        |                                      ^
    warning: the empty context is taken as no context
      a.yaml:3:72
        | - { sample_id: b, prompt: p, rubric: r, dimensions: { d: e }, context: "" }
        |                                                                        ^^
    "#);
}

#[test]
fn a_weight_that_hides_all_others_is_refused() {
    let world = World::new();
    let sample = |weight: &str| {
        format!("- {{ sample_id: a, prompt: p, assertions: [{{ type: contains, value: x, weight: {weight} }}] }}\n")
    };
    assert!(world.samples("most.yaml", sample("1000000")).is_ok());
    let refused = lines(world.samples("more.yaml", sample("1000001")));
    assert!(refused.starts_with("more.yaml:1:"), "{refused}");
}

#[test]
fn agent_skills_evals_become_judged_expectations() {
    let world = World::new();
    let text = r#"{
  "skill_name": "csv-analyzer",
  "evals": [
    { "id": 1, "prompt": "chart", "expected_output": "A chart.", "files": ["evals/files/a.csv"],
      "expectations": ["axes are labeled", {"text": "3 months", "passed": true}] },
    { "id": "two", "prompt": "clean", "assertions": ["a count"], "weightage": 2 }
  ]
}"#;
    let loaded = world.samples("evals/evals.json", text).unwrap();
    let [first, second] = loaded.value.samples.as_slice() else { panic!("two samples") };
    assert_eq!((first.id.as_str(), second.id.as_str()), ("1", "two"));
    let expected = |sample: &Sample| -> Vec<String> {
        sample.assertions.iter().filter_map(|one| one.text("value")).map(str::to_owned).collect()
    };
    assert_eq!(expected(first), ["axes are labeled", "3 months"]);
    assert_eq!(expected(second), ["a count"]);
    assert!(first.rubric.is_none() && first.assertions.iter().all(|one| one.kind == "expectation"));
    assert_eq!(first.eval.as_ref().map(|eval| &eval.id), Some(&serde_json::json!(1)));
    assert_eq!(first.environment.as_ref().unwrap().files_available, ["evals/files/a.csv"]);
    let warnings: Vec<String> = loaded.warnings.iter().map(|warning| warning.message.to_string()).collect();
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    let text = r#"{"evals": [{"id": 1, "prompt": "p", "expected_output": "A chart."}]}"#;
    let alone = world.samples("evals/alone.json", text).unwrap();
    assert_eq!(expected(&alone.value.samples[0]), ["A chart."], "what is expected, where nothing else is");
    let nothing = lines(world.samples("evals/nothing.json", r#"{"evals": [{"id": 1, "prompt": "p"}]}"#));
    assert!(nothing.contains("no eval says what is expected"), "{nothing}");
    let wrong = r#"{ "evals": [{ "id": 1.5, "prompt": "" }, { "prompt": "x" }, { "id": 1, "prompt": "x" }, { "id": "1", "prompt": "y" }] }"#;
    assert_eq!(
        lines(world.samples("evals/evals.json", wrong)),
        "evals/evals.json:1:21: expected text, found the number `1.5`\n\
         evals/evals.json:1:36: expected text, found empty text\n\
         evals/evals.json:1:42: missing key `id`\n\
         evals/evals.json:1:97: sample `1` is there twice"
    );
}

#[test]
fn files_that_cannot_be_read_say_why() {
    let world = World::new();
    std::fs::create_dir(world.path("dir.json")).unwrap();
    let load = |path: &str| lines(load::samples(&world.context, Path::new(path), TYPES));
    assert_eq!(load("missing.yaml"), "there is no file `missing.yaml`");
    assert_eq!(load("dir.json"), "`dir.json` is a directory, expected a file");
    assert_eq!(load("dir.json/x.json"), "there is no file `dir.json/x.json`");
    world.write("a.txt", "x");
    assert_eq!(load("a.txt"), "`a.txt` is not a sample file, expected `.json`, `.yaml` or `.yml`");
    let large = std::fs::File::create(world.path("large.json")).unwrap();
    large.set_len(64 * 1024 * 1024 + 1).unwrap();
    assert_eq!(load("large.json"), "`large.json` is larger than 64 MiB");
    world.write("empty.json", " \n");
    assert_eq!(load("empty.json"), "empty.json:1:1: there are no samples in this file");
}

#[cfg(unix)]
#[test]
fn a_pipe_is_refused_before_it_blocks() {
    let world = World::new();
    let path = world.path("pipe.yaml");
    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    assert_eq!(lines(load::samples(&world.context, &path, TYPES)), "`pipe.yaml` is not a regular file");
}

#[test]
fn the_sample_file_is_found_by_name() {
    let world = World::new();
    let find = |explicit: Option<&str>| load::find_samples(&world.context, explicit.map(Path::new), Path::new("."));
    insta::assert_snapshot!(draw(&errors(find(None)).0), @"
    error: there is no sample file in `.`
      help: create `eval-samples.yaml` or `eval-samples.json`, or name a file with `--samples`; `omk init` makes a small project to start from
    ");
    world.write("evals/evals.json", "");
    insta::assert_snapshot!(draw(&errors(find(None)).0), @"
    error: there is no sample file in `.`
      help: to use the Agent Skills file that is there, add `--samples evals/evals.json`
    ");
    for name in ["eval-samples.json", "eval-samples.yaml", "eval-samples.yml"] {
        let path = world.write(name, "");
        assert_eq!(find(None).unwrap(), path);
        assert_eq!(find(Some("other.yaml")).unwrap(), world.path("other.yaml"));
        std::fs::remove_file(path).unwrap();
    }
    world.write("eval-samples.json", "");
    world.write("eval-samples.yml", "");
    insta::assert_snapshot!(draw(&errors(find(None)).0), @"
    error: there is more than one sample file: `eval-samples.json`, `eval-samples.yml`
      help: choose one with `--samples`
    ");
}

#[test]
fn very_many_problems_are_counted() {
    let world = World::new();
    let items: Vec<String> = (0..20_000).map(|i| format!("{{\"sample_id\": {i}}}")).collect();
    let errors = errors(world.samples("a.json", format!("[{}]", items.join(",\n"))));
    assert_eq!(errors.0.len(), 101);
    assert_eq!(errors.0[100].message.to_string(), "and 39900 more problems in this file");
}

#[test]
fn ids_that_look_the_same_are_named_as_a_pair() {
    let world = World::new();
    let file = |ids: [&str; 2]| {
        let samples = ids.map(|id| format!("{{\"sample_id\": {}, \"prompt\": \"p\"}}", json!(id)));
        world.samples("s.json", format!("[{}]", samples.join(",\n")))
    };
    let said = |ids: [&str; 2]| match file(ids) {
        Ok(loaded) => draw(&loaded.warnings),
        Err(errors) => draw(&errors.0),
    };
    for (ids, shown, kind) in [
        (["café", "cafe\u{301}"], "`caf⟦U+0065⟧⟦U+0301⟧` and `caf⟦U+00E9⟧`", "warning: "),
        (["case 1", "case  1"], "`case⟦U+0020⟧⟦U+0020⟧1` and `case⟦U+0020⟧1`", "warning: "),
        (["case 1", "case\u{a0}1"], "`case⟦U+00A0⟧1` and `case⟦U+0020⟧1`", "warning: "),
        (["ca\u{200b}se", "case"], "`case` and `ca⟦U+200B⟧se`", "warning: "),
        (["case", "case\u{200b}"], "`case⟦U+200B⟧` and `case`", "error: "),
    ] {
        let said = said(ids);
        assert!(said.starts_with(kind) && said.contains(&shown.replace("⟦U+0065⟧", "e")), "{ids:?}: {said}");
        assert!(said.contains("s.json:2:") && !said.contains("there twice"), "{ids:?}: {said}");
    }
    for ids in [["a", "b"], ["case 1", "case 2"], ["é", "e"], ["应识别", "应 识别1"]] {
        assert!(!said(ids).contains("differ only"), "{ids:?}: {}", said(ids));
    }
    let twice = said(["a", "a"]);
    assert!(twice.contains("sample `a` is there twice") && !twice.contains("differ only"), "{twice}");
}

#[test]
fn evals_without_the_object_around_them_are_evals() {
    let world = World::new();
    let list = r#"[{"id": 1, "prompt": "Greet Ada.", "expectations": ["names Ada"], "files": ["a.txt"]},
                   {"id": 2, "prompt": "Greet Bob.", "expected_output": "A greeting."}]"#;
    let loaded = world.samples("greet/evals/evals.json", list).unwrap();
    let kinds = loaded.value.samples.iter().flat_map(|sample| &sample.assertions).map(|of| of.kind.as_str());
    assert_eq!(kinds.collect::<Vec<_>>(), ["expectation", "expectation"]);
    world.write("greet/SKILL.md", "---\nname: greet\ndescription: d\n---\nx\n");
    let skill = load::evals_skill(&world.context, Path::new("greet/evals/evals.json"));
    assert_eq!(skill, Some(world.path("greet")));
}

#[test]
fn queries_stand_under_evals_too() {
    let world = World::new();
    let text = r#"{"about": "x", "evals": [{"query": "Greet Ada", "should_trigger": true}, {"query": "2+3?", "should_trigger": false}]}"#;
    let loaded = world.samples("greet/evals/trigger-eval.json", text).unwrap();
    assert!(loaded.value.samples.iter().all(|sample| sample.trigger.is_some()));
    world.write("greet/SKILL.md", "---\nname: greet\ndescription: d\n---\nx\n");
    let path = Path::new("greet/evals/trigger-eval.json");
    assert!(load::is_triggers(&world.context, path));
    assert_eq!(load::evals_skill(&world.context, path), None, "triggers choose their skill otherwise");
}

#[test]
fn evals_beside_the_skills_of_a_plugin_are_of_the_skill_that_they_name() {
    let world = World::new();
    let evals = |name: &str| format!(r#"{{{name}"evals": [{{"id": 1, "prompt": "p", "expectations": ["e"]}}]}}"#);
    let skill = |path: &str| load::evals_skill(&world.context, Path::new(path));
    for folder in ["plug/skills/greet", "plug/skills/other", "proj/.claude/skills/greet"] {
        world.write(&format!("{folder}/SKILL.md"), "---\nname: x\ndescription: d\n---\nx\n");
    }
    world.write("plug/evals/evals.json", evals(r#""skill_name": "greet", "#));
    assert_eq!(skill("plug/evals/evals.json"), Some(world.path("plug/skills/greet")));
    world.write("plug/evals/greet/evals.json", evals(r#""skill_name": "greet", "#));
    assert_eq!(skill("plug/evals/greet/evals.json"), Some(world.path("plug/skills/greet")));
    world.write("plug/evals/evals.json", evals(""));
    assert_eq!(skill("plug/evals/evals.json"), None, "one of two");
    world.write("plug/evals/evals.json", evals(r#""skill_name": "../../plug/skills/greet", "#));
    assert_eq!(skill("plug/evals/evals.json"), None, "a path is no name");
    world.write("proj/evals/evals.json", evals(""));
    assert_eq!(skill("proj/evals/evals.json"), Some(world.path("proj/.claude/skills/greet")));
}

#[test]
fn evals_that_name_no_skill_of_their_plugin_are_refused() {
    let world = World::new();
    let evals = |name: &str| {
        format!(r#"{{"skill_name": "{name}", "evals": [{{"id": 1, "prompt": "p", "expectations": ["e"]}}]}}"#)
    };
    let read =
        |path: &str| load::samples(&world.context, Path::new(path), &[]).map(drop).map_err(|errors| errors.to_string());
    world.write("alone/evals/evals.json", evals("gret"));
    assert_eq!(read("alone/evals/evals.json"), Ok(()), "there are no skills to choose from");
    for skill in ["greet", "other"] {
        world.write(&format!("plug/skills/{skill}/SKILL.md"), "---\nname: x\ndescription: d\n---\nx\n");
    }
    world.write("plug/evals/evals.json", evals("gret"));
    let error = read("plug/evals/evals.json").unwrap_err();
    assert!(error.contains("plug/evals/evals.json:1:16") && error.contains("`greet`, `other`"), "{error}");
    world.write("plug/evals/evals.json", evals("greet"));
    assert_eq!(read("plug/evals/evals.json"), Ok(()));
}
