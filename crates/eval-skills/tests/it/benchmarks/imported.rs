//! `benchmark import`: cases of other tools become tasks that a real skill is evaluated on.

use serde_json::{Value, json};

use crate::fixtures::context::TestContext;
use crate::fixtures::results::{result, statuses};

/// A skill that does with its input what `code` says; `of` is the input.
fn skill(context: &TestContext, code: &str) {
    context.skill("skills/one", &json!({}));
    let program = format!(
        "import json, sys\nasked = json.load(sys.stdin)\nof = asked['params']\n{code}\n\
         print(json.dumps({{'jsonrpc': '2.0', 'id': asked['id'], 'result': found}}))\n"
    );
    context.write("skills/one/skill.py", &program);
}

fn import(context: &TestContext, arguments: &[&str]) -> Value {
    context.run(&[&["benchmark", "import", "--json"], arguments].concat()).expect(0).json()
}

fn evaluated(context: &TestContext, benchmark: &str) -> Value {
    context.evaluate(&["--skills", "skills", "--benchmark", benchmark], 0)["skills"][0].clone()
}

fn tasks(context: &TestContext, file: &str) -> Vec<Value> {
    let benchmark: Value = serde_json::from_str(&context.read(file)).unwrap();
    benchmark["tasks"].as_array().unwrap().clone()
}

fn difference<'a>(document: &'a Value, what: &str) -> &'a Value {
    let all = document["differences"].as_array().unwrap();
    all.iter().find(|of| of["what"] == what).unwrap_or_else(|| panic!("{what}: {all:#?}"))
}

#[test]
fn promptfoo_tests_give_a_skill_their_variables() {
    let context = TestContext::new();
    context.write(
        "promptfooconfig.yaml",
        r#"
prompts: ['Translate {{text}} into {{language}}']
providers: [openai:gpt-4o-mini]
tests:
  - description: Greeting
    vars: { text: hello, language: fr }
    assert: [{ type: icontains, value: BONJOUR }, { type: icontains, value: '!' }]
    metadata: { category: words }
  - vars: { text: hello, language: de }
    assert: [{ type: equals, value: 'guten tag!' }]
  - vars: { text: hello, language: es }
    assert: [{ type: contains, value: 'hola' }, { type: regex, value: '!$' }, { type: not-contains, value: bonjour }]
  - vars: { text: hello, language: it }
    assert: [{ type: not-icontains, value: 'CIAO' }]
  - vars: { text: hello, language: pt }
    assert: [{ type: icontains-any, value: [ola, oi] }]
  - vars: { text: hello, language: nl }
    assert: [{ type: python, value: 'len(output) < 9' }, { type: equals, value: hallo! }, { type: latency, threshold: 9 }]
  - vars: { text: hello, language: ja }
    assert: [{ type: javascript, value: 'output.length < 9' }]
"#,
    );
    let document = import(&context, &["promptfoo", "promptfooconfig.yaml"]);
    assert_eq!(document["id"], "promptfooconfig");
    assert_eq!(document["tests"], json!({"whole": 5, "partly": 1, "not": 1, "unchecked": 0}));
    // `equals` is near: white space around the answer doesn't count.
    assert_eq!(document["checks"], json!({"same": 7, "nearly": 2, "not": 3}));
    assert!(difference(&document, "`python`")["place"].as_str().unwrap().ends_with("promptfooconfig.yaml:18"));
    assert!(difference(&document, "`latency`")["why"].as_str().unwrap().contains("timeoutMs"));
    assert!(difference(&document, "`javascript`")["why"].as_str().unwrap().contains("customScorerPath"));
    assert_eq!(difference(&document, "tests")["count"], 1);

    skill(
        &context,
        "words = {'fr': 'Bonjour!', 'de': 'guten tag!', 'es': 'hola!', 'it': 'ciao', 'pt': 'OI', 'nl': 'hallo!'}\n\
         found = {'result': words[of['language']] if of['text'] == 'hello' else ''}",
    );
    let report = evaluated(&context, "promptfooconfig");
    assert_eq!(statuses(&report), ["pass", "pass", "pass", "fail", "pass", "pass"], "{report:#}");
    assert_eq!(result(&report, "Greeting")["tags"], json!(["words"]));
    // The same skill with the one word that the negated check refuses left out.
    let code = context.read("skills/one/skill.py").replace("'ciao'", "'salve'").replace("'hola!'", "'hola! bonjour!'");
    context.write("skills/one/skill.py", &code);
    let report = evaluated(&context, "promptfooconfig");
    assert_eq!(statuses(&report), ["pass", "pass", "fail", "pass", "pass", "pass"], "{report:#}");
    let score = report["taskResults"][2]["score"].as_f64().unwrap();
    assert!((score - 2.0 / 3.0).abs() < 1e-12, "two of three checks of one task: {score}");
}

#[test]
fn rows_become_tasks_with_typed_inputs_and_answers() {
    let context = TestContext::new();
    let rows = [
        json!({"id": "math/1", "a": 2, "b": 3, "expected": 5}),
        json!({"id": "math/2", "a": 2, "b": -3, "expected": -1}),
        json!({"id": "math/3", "a": 2, "b": 3, "expected": null}),
        json!({"id": "math/4", "a": 1, "b": 1, "expected": [2, "two"]}),
    ];
    let lines: Vec<String> = rows.iter().map(ToString::to_string).collect();
    context.write("sums.jsonl", &lines.join("\n"));
    let refused = context.run(&["benchmark", "import", "rows", "sums.jsonl"]).expect(2);
    refused.says(&["--input", "`a`"]);
    let document = import(&context, &["rows", "sums.jsonl", "--input", "a=x", "b=y", "--output", "adding.json"]);
    assert_eq!(document["id"], "adding");
    assert_eq!(document["tests"], json!({"whole": 3, "partly": 0, "not": 1, "unchecked": 0}));
    assert!(difference(&document, "rows")["place"].as_str().unwrap().ends_with("sums.jsonl:3"));
    assert_eq!(tasks(&context, "adding.json")[0]["inputData"], json!({"x": 2, "y": 3}));
    skill(&context, "found = of['x'] + of['y']");
    let report = evaluated(&context, "./adding.json");
    assert_eq!(statuses(&report), ["pass", "pass", "pass"], "{report:#}");
    assert_eq!(result(&report, "math/4")["scorer"], "regex");

    // An existing file stays as it is.
    let again = ["benchmark", "import", "rows", "sums.jsonl", "--input", "a", "--output", "adding.json"];
    context.run(&again).expect(2).says(&["adding.json", "--force"]);
    context.run(&["benchmark", "import", "rows", "sums.jsonl", "--input", "c"]).expect(2).says(&["`c`", "`expected`"]);
    context.run(&["benchmark", "import", "gaia", "sums.jsonl", "--input", "a"]).expect(2).says(&["rows"]);
}

#[test]
fn questions_of_data_sets_are_answered_by_a_skill() {
    let context = TestContext::new();
    skill(&context, "found = {'answer': 'It is Paris' if 'France' in str(of) else 'B'}");
    // OpenAI's evals, Inspect, Hugging Face's SQuAD and ARC.
    let openai =
        json!({"input": [{"role": "user", "content": "Capital of France?"}], "ideal": ["Paris", "paris city"]});
    let inspect = json!({"id": 1, "input": "Capital of France?", "target": "It is Paris"});
    let squad = json!({
        "id": "56be", "title": "t", "context": "Paris is in France.", "question": "Which city?",
        "answers": {"text": ["It is Paris", "It is Paris"], "answer_start": [0, 0]},
    });
    let arc = json!({
        "id": "m1", "question": "Which is a metal?", "choices": {"text": ["wood", "iron"], "label": ["A", "B"]}, "answerKey": "B",
    });
    let mmlu = json!({"question": "Which is a metal?", "subject": "s", "choices": ["wood", "iron"], "answer": 1});
    for (name, row, more, input) in [
        ("openai", &openai, &["--scorer", "contains"][..], json!({"input": "Capital of France?"})),
        ("inspect", &inspect, &[], json!({"input": "Capital of France?"})),
        ("squad", &squad, &[], json!({"question": "Which city?", "context": "Paris is in France."})),
        ("arc", &arc, &[], json!({"question": "Which is a metal?\n\nA) wood\nB) iron"})),
        ("mmlu", &mmlu, &["--scorer", "contains"], json!({"question": "Which is a metal?\n\nA) wood\nB) iron"})),
    ] {
        let file = format!("{name}.jsonl");
        context.write(&file, &format!("{row}\n"));
        import(&context, &[&["rows", &file], more].concat());
        let made = tasks(&context, &format!("benchmarks/{name}.json"));
        assert_eq!(made[0]["inputData"], input, "{name}");
        assert_eq!(statuses(&evaluated(&context, name)), ["pass"], "{name}: {made:#?}");
    }
    context.write("table.csv", "question;expected\nno table\n");
    context.run(&["benchmark", "import", "rows", "table.csv"]).expect(2);
    context.write("table.csv", "question,expected\nCapital of France?,It is Paris\n");
    let shown = context.run(&["benchmark", "import", "rows", "table.csv"]).expect(0);
    for words in ["benchmarks/table.json", "1 of 1", "exact_match", "--scorer"] {
        assert!(shown.stdout.contains(words), "{words}: {}", shown.stdout);
    }
    assert_eq!(statuses(&evaluated(&context, "table")), ["pass"]);
    // A letter is no part of a word.
    skill(&context, "found = 'Boron'");
    assert_eq!(statuses(&evaluated(&context, "mmlu")), ["fail"]);
}

#[test]
fn cases_of_agents_are_no_tasks() {
    let context = TestContext::new();
    context.write_json(
        "evals.json",
        &json!({"skill_name": "s", "evals": [{"id": 1, "prompt": "p", "expectations": ["e"]}]}),
    );
    let refused = context.run(&["benchmark", "import", "agent-skills", "evals.json"]).expect(2);
    refused.says(&["agent-skills", "omk import"]);
    let unknown = context.run(&["benchmark", "import", "nope", "evals.json"]).expect(2).stderr;
    assert!(unknown.contains("toolbench, promptfoo, rows") && !unknown.contains("plugin-eval"), "{unknown}");
    context.run(&["benchmark", "import", "rows", "evals.json"]).expect(2);
    context.run(&["benchmark", "import", "promptfoo", "evals.json"]).expect(2);
    assert!(!context.path("benchmarks").exists());
}

#[test]
fn benchmark_on_standard_output_has_its_differences_on_standard_error() {
    let context = TestContext::new();
    context.write("rows.json", r#"[{"question": "q", "answer": "a"}, {"question": "r"}]"#);
    let shown = context.run(&["benchmark", "import", "rows", "rows.json", "--output", "-"]).expect(0);
    let document: Value = serde_json::from_str(&shown.stdout).unwrap();
    assert_eq!(document["tasks"].as_array().unwrap().len(), 1);
    assert!(shown.stderr.contains("rows.json:1"), "{}", shown.stderr);
}

#[test]
fn benchmark_on_standard_output_by_its_path_is_named_after_the_imported_file() {
    let context = TestContext::new();
    context.write("rows.json", r#"[{"question": "q", "answer": "a"}]"#);
    let shown = context.run(&["benchmark", "import", "rows", "rows.json", "--output", "/dev/stdout"]).expect(0);
    let document: Value = serde_json::from_str(&shown.stdout).unwrap();
    assert_eq!(document["id"], "rows");
}

#[test]
fn force_replaces_a_benchmark_and_nothing_else() {
    let context = TestContext::new();
    context.write("rows.json", r#"[{"question": "q", "answer": "a"}]"#);
    let force = ["benchmark", "import", "rows", "rows.json", "--force", "--output"];
    for (name, text) in [("notes.md", "my notes"), ("list.json", "[1]"), ("other.json", "{}")] {
        context.write(name, text);
        context.run(&[&force[..], &[name]].concat()).expect(2).says(&[name]);
        assert_eq!(context.read(name), text);
    }
    context.write("empty.json", "");
    context.run(&[&force[..], &["empty.json"]].concat()).expect(0);
    context.run(&[&force[..], &["empty.json"]].concat()).expect(0);
    assert_eq!(tasks(&context, "empty.json").len(), 1);
}

#[test]
fn answer_of_many_digits_is_met_by_that_number_alone() {
    let context = TestContext::new();
    context.write("rows.jsonl", r#"{"id": "f", "question": "25! + 1", "answer": 15511210043330985984000001}"#);
    import(&context, &["rows", "rows.jsonl"]);
    for (returned, status) in [("15511210043330985984000001", "pass"), ("15511210043330985984000002", "fail")] {
        skill(&context, &format!("found = {{'result': {returned}}}"));
        assert_eq!(statuses(&evaluated(&context, "rows")), [status], "{returned}");
    }
}
