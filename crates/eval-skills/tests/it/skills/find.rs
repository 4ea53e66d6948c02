//! `find`: relevance, filters, limits.

use serde_json::{Value, json};

use crate::fixtures::context::TestContext;

fn skills() -> TestContext {
    let context = TestContext::new();
    for (id, description, tags, adapter) in [
        ("calculator", "Evaluates math expressions", &["math", "pure"][..], "subprocess"),
        ("weather_v1", "Weather forecast from a web service", &["retrieval", "api"][..], "http"),
        ("search", "Web search over many engines, weather included", &["retrieval", "api", "web"][..], "http"),
        ("tianqi", "查询城市的天气预报", &["天气"][..], "mcp"),
    ] {
        let entrypoint = if adapter == "http" { "https://example.com/x" } else { "python3 skill.py" };
        let other = json!({"description": description, "tags": tags, "adapterType": adapter, "entrypoint": entrypoint});
        context.skill(&format!("skills/{id}"), &other);
    }
    context
}

fn ids(context: &TestContext, arguments: &[&str]) -> Vec<String> {
    let found = context.run(&[&["find", "--json"], arguments].concat()).expect(0).json();
    found["skills"].as_array().unwrap().iter().map(|skill| skill["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn find_ranks_by_relevance_over_several_words() {
    let context = skills();
    assert_eq!(ids(&context, &["--query", "weather"]), ["weather_v1", "search"]);
    assert_eq!(ids(&context, &["-q", "web search"]), ["search", "weather_v1"]);
    assert_eq!(ids(&context, &["-q", "calc"]), ["calculator"]);
    assert_eq!(ids(&context, &["-q", "天气"]), ["tianqi"]);
    assert_eq!(ids(&context, &["-q", "城市天气"]), ["tianqi"]);
    assert!(ids(&context, &["-q", "nothing-like-it"]).is_empty());
}

#[test]
fn filters_are_intersected_and_limited() {
    let context = skills();
    assert_eq!(ids(&context, &["--tag", "retrieval", "api"]), ["search", "weather_v1"]);
    assert_eq!(ids(&context, &["--tag", "retrieval", "web"]), ["search"]);
    assert_eq!(ids(&context, &["--adapter", "mcp"]), ["tianqi"]);
    assert_eq!(ids(&context, &["-q", "web", "-t", "api", "-a", "http", "--limit", "1"]).len(), 1);
    let found = context.run(&["find", "--limit", "2", "--json"]).expect(0).json();
    assert_eq!((&found["total"], found["skills"].as_array().map(Vec::len)), (&Value::from(4), Some(2)));
    context.run(&["find", "--min-completion", "1.5"]).expect(2);
    context.run(&["find", "--adapter", "soap"]).expect(2);
}

#[test]
fn minimum_completion_filters_by_the_store() {
    let context = skills();
    let none = context.run(&["find", "--min-completion", "0.5"]).expect(0);
    none.says(&["eval-skills.db", "no evaluations yet"]);
    assert!(!context.path("eval-skills.db").exists(), "reading makes no store");
}

#[test]
fn find_without_words_ranks_by_history() {
    let context = TestContext::new();
    let answer = |text: &str| {
        format!(
            "import json, sys\nfor line in sys.stdin:\n    print(json.dumps({{'jsonrpc': '2.0', 'id': json.loads(line)['id'], 'result': '{text}'}}))\n"
        )
    };
    for (id, text) in [("a_wrong", "no"), ("b_right", "yes"), ("c_never", "yes")] {
        context.skill(&format!("skills/{id}"), &json!({}));
        context.write(&format!("skills/{id}/skill.py"), &answer(text));
    }
    context.write_json("tasks.json", &json!([{"id": "t", "inputData": {}, "expectedOutput": {"value": "yes"}}]));
    context.run(&["eval", "--skills", "skills/a_wrong", "skills/b_right", "--tasks", "tasks.json"]).expect(0);
    assert_eq!(ids(&context, &[]), ["b_right", "a_wrong", "c_never"]);
    assert_eq!(ids(&context, &["--min-completion", "0.5"]), ["b_right"]);
}

#[test]
fn broken_skill_is_named_and_hides_no_other() {
    let context = skills();
    context.write("skills/broken/skill.json", "{ \"id\": 3 }");
    let found = context.run(&["find"]).expect(0);
    assert!(found.stdout.contains("calculator"));
    found.says(&["`skills/broken/skill.json` is left out"]);
    context.run(&["find", "--skills-dir", "nowhere"]).expect(2).says(&["nowhere"]);
}

#[test]
fn single_chinese_character_finds_the_words_containing_it() {
    let context = TestContext::new();
    context.skill("skills/weather", &json!({"description": "查询天气"}));
    context.skill("skills/news", &json!({"description": "查询新闻"}));
    assert_eq!(ids(&context, &["-q", "天"]), ["weather"]);
    assert_eq!(ids(&context, &["-q", "天气"]), ["weather"]);
    assert_eq!(ids(&context, &["-q", "查"]).len(), 2);
}

#[test]
fn empty_directory_gets_a_hint() {
    TestContext::new().run(&["find"]).expect(2).says(&["`skills`", "eval-skills init", "--skills-dir"]);
}
