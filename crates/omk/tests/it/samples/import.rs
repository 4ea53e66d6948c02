//! Cases of other tools as a project of ours.

use std::fs;

use serde_json::{Value, json};

use crate::fixtures::context::TestContext;

/// What promptfoo itself said of each answer.
const PROMPTFOO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/samples/imported/promptfoo-0.123.1");

fn imported(context: &TestContext, more: &[&str]) -> Value {
    context.run(&[&["import", "--json"], more].concat()).expect(0).json()
}

/// The samples that an import wrote, as the loader of YAML that others wrote reads them.
fn samples(context: &TestContext) -> Vec<Value> {
    serde_saphyr::from_str(&context.read("eval-samples.yaml")).unwrap()
}

/// How many tests were carried over whole, partly and not.
fn carried(document: &Value) -> Value {
    let tests = &document["tests"];
    json!([tests["whole"], tests["partly"], tests["not"]])
}

/// Runs the imported project with an agent that answers with its prompt.
fn run(context: &TestContext) -> Value {
    context.script("agent", "jq -c '{output: .prompt}'\n");
    let eval = ["eval", "--control", "baseline", "--executor", "./agent", "--no-judge", "--report-only", "--json"];
    context.run(&eval).expect(0).json()
}

fn difference<'a>(document: &'a Value, what: &str) -> &'a Value {
    let all = document["differences"].as_array().unwrap();
    all.iter().find(|of| of["what"] == what).unwrap_or_else(|| panic!("{what}: {all:#?}"))
}

#[test]
fn each_check_passes_the_answers_that_it_passes_in_promptfoo() {
    let context = TestContext::new();
    let config = fs::read_to_string(format!("{PROMPTFOO}/promptfooconfig.json")).unwrap();
    let written: Value = serde_json::from_str(&config).unwrap();
    let outcomes: Value =
        serde_json::from_str(&fs::read_to_string(format!("{PROMPTFOO}/outcomes.json")).unwrap()).unwrap();
    context.write("promptfooconfig.json", &config);
    let document = imported(&context, &["promptfooconfig.json"]);
    let tests = written["tests"].as_array().unwrap();
    assert_eq!(carried(&document), json!([tests.len(), 0, 0]));
    let report = run(&context);
    let results = report["results"].as_array().unwrap();
    assert_eq!(results.len(), tests.len());
    let mut compared = 0;
    for (test, expected) in tests.iter().zip(outcomes["passed"].as_array().unwrap()) {
        let id = test["description"].as_str().unwrap().replace(' ', "-");
        let result = results.iter().find(|result| result["sample_id"] == id.as_str()).unwrap();
        let check = &result["variants"]["baseline"]["assertions"]["details"][0];
        assert_eq!(&check["passed"], expected, "{test:#}\n{check:#}");
        compared += 1;
    }
    assert!(compared >= 170);
}

#[test]
fn what_stands_before_the_first_variable_becomes_the_artifact() {
    let context = TestContext::new();
    context.write(
        "promptfooconfig.yaml",
        "
prompts:
  - 'Answer in one word. {{question}}'
  - { label: Careful one, raw: 'Think first, then answer. {{question}}' }
providers: [openai:gpt-4o-mini, anthropic:messages:claude-x]
defaultTest: { assert: [{ type: contains, value: '{{want}}' }] }
tests:
  - { description: Capital of France, vars: { question: 'Which city is it?', want: Paris } }
  - { vars: { question: [One?, Two?], want: x }, assert: [{ type: latency, threshold: 500, weight: 2 }] }
",
    );
    let document = imported(&context, &["promptfooconfig.yaml"]);
    assert_eq!(carried(&document), json!([3, 0, 0]));
    assert_eq!(document["checks"], json!({"same": 5, "nearly": 0, "not": 0}));
    assert_eq!(context.read("skills/prompt-1.md"), "Answer in one word.\n");
    assert_eq!(context.read("skills/careful-one.md"), "Think first, then answer.\n");
    let eval: Value = serde_saphyr::from_str(&context.read("eval.yaml")).unwrap();
    assert_eq!(
        eval,
        json!({"samples": "eval-samples.yaml", "control": "prompt-1", "treatments": ["careful-one"],
            "executor": "openai-api", "model": "gpt-4o-mini"})
    );
    let samples = samples(&context);
    let prompts: Vec<&Value> = samples.iter().map(|sample| &sample["prompt"]).collect();
    assert_eq!(prompts, ["Which city is it?", "One?", "Two?"]);
    assert_eq!(samples[0]["sample_id"], "capital-of-france");
    assert_eq!(samples[0]["assertions"][0]["pattern"], "Paris");
    assert_eq!(samples[2]["assertions"][1], json!({"type": "latency_max", "value": 500, "weight": 2}));
    context.run(&["eval", "--executor", "cat", "--model", "m", "--dry-run"]).expect(0);
}

#[test]
fn variables_in_different_places_are_named_in_the_artifacts() {
    let context = TestContext::new();
    context.write(
        "chat.json",
        r#"[{"role": "system", "content": "You are terse."}, {"role": "user", "content": "{{q}}, please"}]"#,
    );
    context.write(
        "promptfooconfig.yaml",
        "
prompts: ['Translate {{q}} into {{lang}}.', file://chat.json]
tests: [{ vars: { q: cat, lang: German }, assert: [{ type: icontains, value: katze }] }]
",
    );
    let document = imported(&context, &["promptfooconfig.yaml"]);
    assert_eq!(difference(&document, "`prompts`")["isNear"], true);
    assert_eq!(context.read("skills/prompt-1.md"), "Translate <q> into <lang>.\n");
    assert_eq!(context.read("skills/chat.md"), "You are terse.\n\n<q>, please\n");
    assert_eq!(samples(&context)[0]["prompt"], "q: cat\nlang: German");
}

#[test]
fn tests_come_from_tables_files_and_scenarios() {
    let context = TestContext::new();
    context.write("prompts/a.txt", "First: {{x}}\n---\nSecond: {{x}}\n");
    context.write("cases/a.yaml", "- { vars: { x: from a }, assert: [{ type: is-json }] }\n");
    context.write("cases/b.yaml", "- { vars: { x: from b }, assert: [{ $ref: '#/assertionTemplates/short' }] }\n");
    context.write("table.csv", "x,__expected,__expected2\nrow 1,icontains: yes,\"contains-any: a,b\"\nrow 2,plain,\n");
    context.write("text.md", "the content");
    context.write(
        "promptfooconfig.yaml",
        "
prompts: file://prompts/*.txt
assertionTemplates: { short: { type: word-count, value: { max: 3 } } }
tests: ['file://cases/*.yaml', file://table.csv, { vars: { x: file://text.md }, assert: [{ type: equals, value: y }] }]
scenarios:
  - config: [{ vars: { lang: de } }, { vars: { lang: fr } }]
    tests: [{ vars: { x: 'hi {{lang}}' }, assert: [{ type: starts-with, value: h }] }]
",
    );
    let document = imported(&context, &["promptfooconfig.yaml"]);
    assert_eq!(carried(&document), json!([7, 0, 0]));
    let samples = samples(&context);
    let prompts: Vec<&Value> = samples.iter().map(|sample| &sample["prompt"]).collect();
    assert_eq!(prompts, ["from a", "from b", "row 1", "row 2", "the content", "hi de", "hi fr"]);
    assert_eq!(samples[1]["assertions"], json!([{"type": "word_count_max", "value": 3}]));
    assert_eq!(samples[2]["assertions"][1]["pattern"], "a|b");
    assert_eq!(samples[3]["assertions"], json!([{"type": "equals", "value": "plain"}]));
    assert_eq!(
        (context.read("skills/a-1.md"), context.read("skills/a-2.md")),
        ("First:\n".to_owned(), "Second:\n".to_owned())
    );
}

#[test]
fn what_has_no_equal_is_listed_with_the_nearest_of_ours() {
    let context = TestContext::new();
    context.write(
        "promptfooconfig.yaml",
        "
prompts: ['{{q}}']
tests:
  - vars: { q: one }
    assert:
      - { type: python, value: 'len(output) > 3' }
      - { type: contains, value: x }
      - { type: llm-rubric, value: polite }
      - { type: javascript, value: \"require('fs').readFileSync('/etc/passwd')\" }
      - { type: no-such-type, value: x }
  - { vars: { q: two }, assert: [{ type: select-best, value: best }, { type: similar, value: y, threshold: 0.9 }] }
  - file://generate.py
",
    );
    let document = imported(&context, &["promptfooconfig.yaml"]);
    assert_eq!(carried(&document), json!([0, 2, 1]));
    assert_eq!(document["checks"], json!({"same": 2, "nearly": 1, "not": 4}));
    let python = difference(&document, "`python`");
    assert_eq!((&python["place"], &python["isNear"]), (&json!("promptfooconfig.yaml:6"), &json!(false)));
    assert!(python["why"].as_str().unwrap().contains("`custom`"), "{python}");
    assert!(difference(&document, "`select-best`")["why"].as_str().unwrap().contains("pairwise"));
    assert_eq!(difference(&document, "`similar`")["isNear"], true);
    assert_eq!(samples(&context)[0]["rubric"], "polite");
    let chinese = TestContext::new();
    chinese.write("promptfooconfig.yaml", &context.read("promptfooconfig.yaml"));
    let said = chinese.run(&["import", "promptfooconfig.yaml", "--lang", "zh"]).expect(0).stdout;
    for part in ["未导入：", "`custom`", "1 × `python`（promptfooconfig.yaml:6）"] {
        assert!(said.contains(part), "{said}");
    }
}

#[test]
fn files_outside_of_the_project_are_not_read_and_code_is_not_run() {
    let context = TestContext::new();
    let elsewhere = TestContext::new();
    let secret = elsewhere.write("secret.txt", "a private key");
    let config = format!(
        "prompts: ['{{{{q}}}}']\ntests:\n  - {{ vars: {{ q: 'file://{}' }} }}\n  - {{ vars: {{ q: ok }}, assert: [{{ type: contains, value: 'file:///etc/hostname' }}] }}\n  - {{ vars: {{ q: '{{% for i in range(100000000) %}}x{{% endfor %}}' }} }}\n",
        secret.display()
    );
    context.write("inside/promptfooconfig.yaml", &config);
    fs::create_dir_all(context.path("inside/out")).unwrap();
    let document = imported(&context, &["inside/promptfooconfig.yaml"]);
    let all = context.read("eval-samples.yaml");
    assert!(!all.contains("private key"), "{all}");
    assert_eq!(carried(&document), json!([0, 1, 2]), "{document:#}");
    context.write("promptfooconfig.js", "module.exports = {}");
    context
        .run(&["import", "--format", "promptfoo", "promptfooconfig.js"])
        .expect(2)
        .says(&["is a program, and is not run"]);
}

#[test]
fn import_touches_no_file_that_is_there() {
    let context = TestContext::new();
    context.write(
        "promptfooconfig.yaml",
        "prompts: ['Say {{q}}']\ntests: [{ vars: { q: a }, assert: [{ type: is-json }] }]\n",
    );
    context.write("skills/prompt-1.md", "mine");
    context.run(&["import", "promptfooconfig.yaml"]).expect(2).says(&["skills/prompt-1.md` exists", "--output"]);
    assert!(!context.path("eval-samples.yaml").exists());
    assert_eq!(context.read("skills/prompt-1.md"), "mine");
    context.run(&["import", "promptfooconfig.yaml", "--output", "other"]).expect(0);
    assert_eq!(context.read("other/skills/prompt-1.md"), "Say\n");
}

#[test]
fn rows_of_a_data_set_become_samples() {
    let context = TestContext::new();
    context.write(
        "evals.jsonl",
        r#"{"input": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "2+2?"}], "ideal": ["4", "four"]}
{"input": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Capital of France?"}], "ideal": "Paris"}
"#,
    );
    let document = imported(&context, &["evals.jsonl", "--output", "."]);
    assert_eq!(document["format"], "rows");
    assert_eq!(context.read("skills/system.md"), "Be brief.\n");
    let first = &samples(&context)[0];
    assert_eq!(
        (&first["prompt"], &first["assertions"][0]),
        (&json!("2+2?"), &json!({"type": "contains_any", "values": ["4", "four"]}))
    );

    let context = TestContext::new();
    context.write("table.csv", "frage,soll,id\n\"Was ist 1+1,\nbitte?\",2,eins\n,3,leer\n");
    context.run(&["import", "table.csv"]).expect(2).says(&["`frage`, `soll`, `id`", "--prompt-column"]);
    let document = imported(
        &context,
        &["table.csv", "--prompt-column", "frage", "--expected-column", "soll", "--check", "equals"],
    );
    assert_eq!(carried(&document), json!([1, 0, 1]));
    let sample = &samples(&context)[0];
    assert_eq!(sample["prompt"], "Was ist 1+1,\nbitte?");
    assert_eq!(
        (&sample["sample_id"], &sample["assertions"][0]),
        (&json!("eins"), &json!({"type": "equals", "value": "2"}))
    );

    let context = TestContext::new();
    context.write(
        "inspect.jsonl",
        "{\"input\": \"Pick.\", \"choices\": [\"red\", \"blue\"], \"target\": \"B\"}\n\n{\"input\": \"broken\n",
    );
    context.run(&["import", "inspect.jsonl"]).expect(2).says(&["inspect.jsonl:3"]);
    context.write("inspect.jsonl", "{\"input\": \"Pick.\", \"choices\": [\"red\", \"blue\"], \"target\": \"B\"}\n");
    imported(&context, &["inspect.jsonl", "--check", "starts_with"]);
    assert_eq!(samples(&context)[0]["prompt"], "Pick.\n\nA) red\nB) blue");
}

#[test]
fn evals_of_an_agent_skill_become_criteria() {
    let context = TestContext::new();
    let evals =
        json!({"skill_name": "s", "evals": [{"id": 1, "prompt": "Do it.", "expectations": ["is done", "is told"]}]});
    context.write_json("s/evals/evals.json", &evals);
    let document = imported(&context, &["s/evals/evals.json"]);
    assert_eq!((&document["format"], &document["checks"]["same"]), (&json!("agent-skills"), &json!(2)));
    let sample = &samples(&context)[0];
    assert_eq!(sample["dimensions"], json!({"criterion-1": "is done", "criterion-2": "is told"}));
    context
        .run(&[
            "eval",
            "--executor",
            "cat",
            "--model",
            "m",
            "--judge-models",
            "m",
            "--judge-executor",
            "cat",
            "--dry-run",
        ])
        .expect(0);
}

#[test]
fn case_folders_of_plugin_evals_become_samples() {
    let cases = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/samples/imported/claude-plugin-eval/evals");
    let context = TestContext::new();
    let document = imported(&context, &[cases]);
    assert_eq!(
        (&document["format"], &document["tests"]),
        (&json!("plugin-eval"), &json!({"whole": 0, "partly": 3, "not": 0, "unchecked": 0}))
    );
    // Each has a limit of turns of its own.
    assert_eq!((&difference(&document, "`max_turns`")["count"], &document["checks"]["not"]), (&json!(3), &json!(0)));
    assert_eq!(difference(&document, "`expected_outcome`")["isNear"], false);
    let samples = samples(&context);
    assert_eq!(samples[0]["prompt"], "What is 17 + 26?");
    assert_eq!(samples[0]["rubric"], "The reply states 43 as the answer to: What is 17 + 26?");
    assert_eq!(samples[0]["assertions"][1], json!({"type": "regex", "pattern": "43", "flags": "", "weight": 2}));
    assert_eq!(samples[0]["capability"], json!(["arithmetic", "en"]));
    assert_eq!(samples[1]["assertions"][1]["type"], "skill_used");
    assert_eq!((&samples[2]["sample_id"], &samples[2]["assertions"][0]["pattern"]), (&json!("c30"), &json!("13")));

    let context = TestContext::new();
    context.write("evals/a/prompt.md", "---\nname: a\n---\nDo it.\n");
    context.write("evals/a/graders/f.md", "---\ntype: file_exists\npath: x\n---\n");
    context.write("evals/a/graders/t.md", "---\ntype: tool_order\nbefore: Read\nafter: Edit\n---\n");
    let document = imported(&context, &["evals"]);
    assert_eq!(document["checks"], json!({"same": 1, "nearly": 0, "not": 1}));
    assert_eq!(difference(&document, "grader `file_exists`")["place"], "evals/a/graders/f.md");
    context.write("evals/b/prompt.md", "---\nname: [\n---\nDo it.\n");
    context.run(&["import", "evals", "--output", "other"]).expect(2).says(&["evals/b/prompt.md:2"]);
}

#[test]
fn file_of_no_known_format_is_refused() {
    let context = TestContext::new();
    for (name, content) in
        [("a.yaml", "just: this"), ("b.txt", "text"), ("c.json", "{\"prompts\": ["), ("d.jsonl", "[1]\n")]
    {
        context.write(name, content);
        context.run(&["import", name]).expect(2).says(&[name]);
        assert!(!context.path("eval-samples.yaml").exists());
    }
    context.run(&["import", "no-such-file.yaml"]).expect(2).says(&["no-such-file.yaml"]);
}

/// Rows as pyarrow wrote them.
const PYARROW: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/samples/imported/rows-pyarrow-26.0.1");

#[test]
fn parquet_is_told_with_the_line_that_makes_json_lines_of_it() {
    let context = TestContext::new();
    let name = "my rows.parquet";
    fs::copy(format!("{PYARROW}/rows.parquet"), context.path(name)).unwrap();
    let refused = context.run(&["import", name]).expect(2);
    refused.says(&["Parquet", "pyarrow.parquet", "'my rows.parquet' > 'my rows.jsonl'"]);
    // Whatever its name, and whatever else is in it.
    context.write("rows.csv", "PAR1 and no more of it");
    context.run(&["import", "rows.csv"]).expect(2).says(&["Parquet"]);
    context.write("short.csv", "PAR");
    assert!(!context.run(&["import", "short.csv"]).expect(2).stderr.contains("Parquet"));

    // What that line writes is imported, nested columns and all.
    fs::copy(format!("{PYARROW}/rows.jsonl"), context.path("my rows.jsonl")).unwrap();
    let document = imported(&context, &["my rows.jsonl"]);
    assert_eq!(carried(&document), json!([2, 1, 0]));
    let samples = samples(&context);
    assert_eq!(samples[0]["assertions"], json!([{"type": "contains", "value": "Paris"}]));
    assert_eq!((&samples[1]["prompt"], &samples[1]["context"]), (&json!("哪个是首都?"), &json!("北京是首都。")));
}

#[test]
fn choice_is_found_by_its_letter_which_stands_alone() {
    let context = TestContext::new();
    let rows = [
        json!({"question": "Metal?", "choices": ["wood", "iron"], "answer": 1}),
        json!({"question": "Metal?", "choices": {"text": ["wood", "iron"], "label": ["A", "B"]}, "answer": "B"}),
        json!({"question": "How many?", "choices": ["two", "three"], "answer": 7}),
        json!({"question": "How many?", "answer": 7}),
    ];
    let lines: Vec<String> = rows.iter().map(ToString::to_string).collect();
    context.write("rows.jsonl", &lines.join("\n"));
    let document = imported(&context, &["rows.jsonl"]);
    // No choice has the place 7.
    assert_eq!(carried(&document), json!([3, 1, 0]));
    context.script("agent", "jq -c '{output: (if .prompt | test(\"iron\") then \"Clearly B.\" else \"7\" end)}'\n");
    let eval = ["eval", "--control", "baseline", "--executor", "./agent", "--no-judge", "--report-only", "--json"];
    let passed = |report: &Value| -> Vec<bool> {
        let results = report["results"].as_array().unwrap();
        let checks =
            results.iter().filter_map(|of| of["variants"]["baseline"]["assertions"]["details"][0]["passed"].as_bool());
        checks.collect()
    };
    assert_eq!(passed(&context.run(&eval).expect(0).json()), [true, true, true]);
    // A word with the letter in it is no choice.
    context.script("agent", "jq -c '{output: \"Bronze, or ABBA\"}'\n");
    assert_eq!(passed(&context.run(&eval).expect(0).json()), [false, false, false]);
}

#[test]
fn prompt_called_baseline_is_compared_and_the_printed_command_runs() {
    let context = TestContext::new();
    context.write(
        "promptfooconfig.yaml",
        "
prompts:
  - { label: baseline, raw: 'You are plain. {{q}}' }
  - { label: Placebo, raw: 'You are clever. {{q}}' }
tests: [{ vars: { q: 'Capital of France?' }, assert: [{ type: icontains, value: Paris }] }]
",
    );
    let said = context.run(&["import", "promptfooconfig.yaml", "--output", "my project"]).expect(0).stdout;
    assert!(said.contains("cd 'my project' && omk eval --dry-run"), "{said}");
    assert_eq!(context.read("my project/skills/baseline-prompt.md"), "You are plain.\n");
    let eval: Value = serde_saphyr::from_str(&context.read("my project/eval.yaml")).unwrap();
    assert_eq!((&eval["control"], &eval["treatments"]), (&json!("baseline-prompt"), &json!(["placebo-prompt"])));

    let context = TestContext::new();
    context.write(
        "promptfooconfig.yaml",
        &format!(
            "prompts: ['Say {{{{q}}}}', 'Tell {{{{q}}}}']\ntests: [{}]\n",
            r#"{ vars: { q: a }, assert: [{ type: is-json }] }"#
        ),
    );
    let said = context.run(&["import", "promptfooconfig.yaml"]).expect(0).stdout;
    assert!(said.contains(": omk eval --dry-run"), "{said}");
    context.run(&["eval", "--dry-run", "--executor", "cat", "--model", "m"]).expect(0);
}

#[test]
fn checks_that_would_mean_something_else_are_listed() {
    let context = TestContext::new();
    context.write(
        "promptfooconfig.yaml",
        "
prompts: ['{{q}}']
tests:
  - description: judged
    vars: { q: a }
    assert:
      - { type: llm-rubric, value: is polite, weight: 0 }
      - { type: llm-rubric, value: is terse, transform: 'output.slice(0, 1)' }
      - { type: llm-rubric, value: is right, weight: 3 }
      - { type: llm-rubric, value: is short, rubricPrompt: 'Say yes: {{output}}' }
  - description: sets
    vars: { q: b }
    assert:
      - { type: assert-set, assert: [{ type: contains, value: a, weight: 0 }] }
      - { type: assert-set, assert: [{ type: contains, value: a, transform: output.trim() }] }
      - { type: assert-set, threshold: 0.5, assert: [{ type: icontains, value: a, weight: 3 }, { type: icontains, value: b }] }
      - { type: assert-set, threshold: 0.5, assert: [{ type: javascript, value: 0.5 }, { type: javascript, value: output.length }] }
      - { type: assert-set, weight: 0, assert: [{ type: icontains, value: a }] }
      - { type: not-assert-set, assert: [{ type: icontains, value: a }] }
  - { description: reference, vars: { q: c }, assert: [{ $ref: '#/assertionTemplates/nope' }] }
  - description: values
    vars: { q: d }
    assert:
      - { type: contains, value: '{{q.length}}' }
      - { type: contains, value: '{{env.SECRET}} x' }
      - { type: contains, value: false }
      - { type: contains-any, value: 'a, \"b' }
  - description: broken
    vars: { q: e }
    assert:
      - { type: javascript, value: 'output.length > (((' }
      - { type: javascript, value: return output.length > 3 }
      - { type: javascript, value: '0}; (() => {return 0' }
      - { type: javascript, value: 'context.prompt.length > 3 // ok' }
      - { type: regex, value: '(?i)paris' }
      - { type: not-regex, value: /abc/i }
      - { type: is-json, value: { type: 5 } }
      - no object
      - { type: assert-set, assert: [no object] }
  - { description: changed, vars: { q: f }, options: { transform: output.trim() }, assert: [{ type: contains, value: f }] }
",
    );
    let document = imported(&context, &["promptfooconfig.yaml"]);
    assert_eq!(carried(&document), json!([0, 6, 0]), "{document:#}");
    assert_eq!(document["checks"], json!({"same": 0, "nearly": 3, "not": 22}), "{document:#}");
    let samples = samples(&context);
    assert_eq!(samples[0]["dimensions"], json!({"criterion-1": "is right", "criterion-2": "is short"}));
    for (what, says) in [
        ("`#/assertionTemplates/nope`", "assertionTemplates"),
        ("`not-assert-set`", "no assertion type"),
        ("`options.transform`", "not changed on their way"),
    ] {
        assert!(difference(&document, what)["why"].as_str().unwrap().contains(says), "{document:#}");
    }
    // What is left is valid: one function of many that can't be read doesn't take the others with it.
    context
        .run(&["eval", "--control", "baseline", "--executor", "cat", "--model", "m", "--no-judge", "--dry-run"])
        .expect(0);
    assert!(context.read("imported-checks.mjs").contains("`return context.prompt.length > 3 // ok`"));
}

#[test]
fn settings_that_have_no_equal_are_listed() {
    let context = TestContext::new();
    context.write(
        "t.csv",
        "q,__expected,__threshold,__prefix,__suffix,__providerOutput,__config:__expected:threshold,__other,__expected2\n\
         hello,levenshtein: hallo,0.5,PRE ,\" SUF\",fixed,2,x,\"contains-any: \"\"x, y\"\",z\"\nhi,levenshtein: hi,,,,,,,\n",
    );
    context.write(
        "promptfooconfig.yaml",
        "
prompts: ['{{q}}']
providers: [{ id: 'openai:gpt-4o', config: { temperature: 0 } }, 'anthropic:messages:claude-3']
evaluateOptions: { repeat: 3 }
tests:
  - file://t.csv
  - { vars: { q: one }, providerOutput: fixed, assertScoringFunction: file://x.js, metadata: { conversationId: a }, assert: [{ type: icontains, value: a }] }
  - { vars: { q: two }, options: { provider: openai:gpt-4, storeOutputAs: x }, assert: [{ type: llm-rubric, value: good }] }
",
    );
    let document = imported(&context, &["promptfooconfig.yaml"]);
    for what in [
        "provider `config`",
        "`providers`",
        "`evaluateOptions.repeat`",
        "`__threshold`",
        "`__prefix`",
        "`__providerOutput`",
        "`__other`",
        "`providerOutput`",
        "`assertScoringFunction`",
        "`conversationId`",
        "`options.storeOutputAs`",
        "`llm-rubric`",
    ] {
        difference(&document, what);
    }
    let samples = samples(&context);
    assert_eq!(samples[0]["prompt"], "PRE hello SUF");
    let checks = &samples[0]["assertions"];
    assert_eq!(checks[0], json!({"type": "levenshtein_max", "value": 2, "reference": "hallo"}));
    assert_eq!(checks[1]["pattern"], "x, y|z");
    assert_eq!(samples[1]["assertions"][0]["value"], 0);

    let context = TestContext::new();
    context.write(
        "promptfooconfig.yaml",
        "
prompts: ['Say {{x | upper}} to me', 'To {{x}} say hi']
tests: [{ vars: { x: abc }, assert: [{ type: icontains, value: z }] }]
",
    );
    let document = imported(&context, &["promptfooconfig.yaml"]);
    assert_eq!(difference(&document, "prompt `prompt-1`")["isNear"], false);
    assert!(!context.path("skills/prompt-1.md").exists());
}

#[test]
fn every_entry_and_folder_is_counted() {
    let context = TestContext::new();
    context.write("list.json", r#"["lost one", {"question": "q1", "answer": "x"}, 5, null, ["a"]]"#);
    let document = imported(&context, &["list.json"]);
    assert_eq!(carried(&document), json!([1, 0, 4]));

    let context = TestContext::new();
    let key = context.write("secret/key", "---\nname: s\n---\nAWS_SECRET=topsecret\n");
    context.write("evals/a/prompt.md", "---\nname: a\n---\nDo the thing\n");
    context.write("evals/a/graders/1.md", "---\ntype: regex\npattern: foo\nweight: 0\n---\n");
    context.write("evals/a/graders/2.md", "---\ntype: llm\nweight: 5\narm: with-only\n---\nIs nice\n");
    context.write("evals/a/graders/3.md", "no front matter");
    context.write("evals/a/graders/4.md", "---\ntype: regex\npattern: '(?i)x'\n---\n");
    context.write("evals/b/prompt.md", "Just a prompt\n");
    context.write("evals/b/graders/1.md", "---\ntype: regex\npattern: x\n---\n");
    context.write("evals/c/graders/1.md", "---\ntype: regex\npattern: x\n---\n");
    std::os::unix::fs::symlink(&key, context.path("evals/b/graders/k.md")).unwrap();
    std::os::unix::fs::symlink(&key, context.path("evals/c/prompt.md")).unwrap();
    let document = imported(&context, &["evals"]);
    assert_eq!(carried(&document), json!([0, 2, 1]), "{document:#}");
    assert_eq!(document["checks"], json!({"same": 1, "nearly": 1, "not": 4}), "{document:#}");
    assert_eq!(samples(&context)[1]["prompt"], "Just a prompt");
    let all = context.read("eval-samples.yaml");
    assert!(!all.contains("topsecret"), "{all}");
    assert!(
        difference(&document, "`prompt`")["why"].as_str().unwrap().contains("a link that leads out"),
        "{document:#}"
    );
}

#[test]
fn project_is_written_whole_or_not_at_all() {
    let context = TestContext::new();
    context.write(
        "promptfooconfig.yaml",
        "prompts: ['Say {{q}}']\ntests: [{ vars: { q: a }, assert: [{ type: is-json }] }]\n",
    );
    context.write("out/skills", "mine");
    let said = context.run(&["import", "promptfooconfig.yaml", "--output", "out"]).expect(2).stderr;
    assert!(said.contains("out/skills/prompt-1.md"), "{said}");
    let names: Vec<_> = fs::read_dir(context.path("out")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["skills"]);
    fs::remove_file(context.path("out/skills")).unwrap();
    context.run(&["import", "promptfooconfig.yaml", "--output", "out"]).expect(0);
}

#[test]
fn tests_of_one_description_are_numbered() {
    let context = TestContext::new();
    let test =
        |at: usize| format!("  - {{ description: Same, vars: {{ q: '{at}' }}, assert: [{{ type: is-json }}] }}\n");
    let tests: String = (0..40).map(test).collect();
    context.write("promptfooconfig.yaml", &format!("prompts: ['{{{{q}}}}']\ntests:\n{tests}"));
    imported(&context, &["promptfooconfig.yaml"]);
    let samples = samples(&context);
    let ids: Vec<&str> = samples.iter().map(|sample| sample["sample_id"].as_str().unwrap()).collect();
    let expected: Vec<String> =
        (1..=40).map(|at| if at == 1 { "same".to_owned() } else { format!("same-{at}") }).collect();
    assert_eq!(ids, expected);
}

#[test]
fn samples_without_a_check_are_told_apart_and_settings_are_written_last() {
    let context = TestContext::new();
    context.write(
        "rows.jsonl",
        "{\"question\": \"a\", \"answer\": \"b\"}\n{\"question\": \"c\"}\n{\"question\": \"d\"}\n",
    );
    let document = imported(&context, &["rows.jsonl", "--output", "first"]);
    assert_eq!(document["tests"]["unchecked"], 2);
    let files = document["files"].as_array().unwrap();
    assert_eq!(files.last().unwrap(), "first/eval.yaml");
    let said = context.run(&["import", "rows.jsonl", "--output", "second"]).expect(0).stdout;
    assert!(said.contains("2 of those carried over have no check"), "{said}");
    let said = context.run(&["import", "rows.jsonl", "--output", "third", "--lang", "zh"]).expect(0).stdout;
    assert!(said.contains("2 个没有任何检查"), "{said}");
}
