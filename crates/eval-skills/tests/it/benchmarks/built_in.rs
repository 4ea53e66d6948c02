//! Built-in benchmarks, and the import of published data.

use serde_json::{Value, json};
use testkit::skills::{self};

use crate::fixtures::context::{Finished, TestContext};
use crate::fixtures::results::statuses;

#[test]
fn five_benchmarks_are_built_in_and_missing_data_is_reported() {
    let context = TestContext::new();
    let list = context.run(&["benchmark", "list", "--json"]).expect(0).json();
    let find = |id: &str| list.as_array().unwrap().iter().find(|one| one["id"] == id).unwrap().clone();
    for (id, domain, tasks) in [
        ("coding-easy", "coding", 20),
        ("skill-quality", "tool-use", 5),
        ("web-search-basic", "web", 8),
        ("gaia-v1", "general", 0),
        ("toolbench-lite", "tool-use", 0),
    ] {
        let one = find(id);
        assert_eq!(
            (&one["domain"], &one["tasks"], &one["source"]),
            (&json!(domain), &json!(tasks), &json!("built-in"))
        );
    }
    assert_eq!(find("coding-easy")["scorers"], json!(["exact_match"]));
    let shown = context.run(&["benchmark", "list"]).expect(0).stdout;
    assert!(shown.lines().count() == 5 && shown.contains("to be imported"), "{shown}");

    // Answers as numbers and as texts score the same.
    skills::lookup(&context.path("skills/one"), &[]);
    skills::persistent_calculator(&context.path("skills/numbers"));
    skills::python_calculator(&context.path("skills/texts"));
    let eval =
        |skill: &str, id: &str| -> Finished { context.run(&["eval", "--json", "--skills", skill, "--benchmark", id]) };
    for id in ["gaia-v1", "toolbench-lite"] {
        eval("skills/one", id).expect(2).says(&[id, "not included", "benchmark import"]);
    }
    let report = eval("skills/numbers", "coding-easy").expect(0).json();
    assert_eq!(report["skills"][0]["summary"]["completionRate"], 1.0, "{}", report["skills"][0]["counts"]);

    // The scorer checks the skill's files itself: the skill is not started.
    skills::write(&context.path("skills/broken"), &json!({"entrypoint": "./nothing"}), &json!({}), &[]);
    let report = eval("skills/broken", "skill-quality").expect(0).json();
    let of = &report["skills"][0];
    assert_eq!((&of["counts"]["error"], of["taskResults"].as_array().unwrap().len()), (&json!(0), 5), "{of}");
    assert!(of["taskResults"].as_array().unwrap().iter().all(|result| result["reason"].is_string()), "{of}");
    assert!(of["counts"]["fail"].as_u64().unwrap() > 0, "its entrypoint is not there");
}

#[test]
fn published_data_is_imported_and_scored() {
    let context = TestContext::new();
    let line = |id: &str, question: &str, answer: &str| {
        json!({"task_id": id, "Question": question, "Level": 1, "Final answer": answer, "file_name": ""}).to_string()
    };
    context.write("metadata.jsonl", &[line("a", "How many?", "1000"), line("b", "Who?", "Ada Lovelace")].join("\n"));
    let imported = context.run(&["benchmark", "import", "gaia", "metadata.jsonl", "--json"]).expect(0).json();
    assert_eq!(imported["tasks"], 2);
    let written: Value = serde_json::from_str(&context.read(imported["path"].as_str().unwrap())).unwrap();
    let inputs: Vec<&Value> = written["tasks"].as_array().unwrap().iter().map(|task| &task["inputData"]).collect();
    let answers = [(inputs[0].clone(), json!("$1,000")), (inputs[1].clone(), json!("ada lovelace."))];
    skills::lookup(&context.path("skills/one"), &answers);
    let id = imported["id"].as_str().unwrap();
    let report = context.evaluate(&["--skills", "skills", "--benchmark", id], 0);
    assert_eq!(statuses(&report["skills"][0]), ["pass", "pass"], "{report}");
    context.run(&["benchmark", "import", "gaia", "metadata.jsonl"]).expect(2).says(&["--force"]);

    let tool = json!({"tool_name": "Weather", "api_name": "today", "category_name": "x", "required_parameters": [], "optional_parameters": []});
    let query =
        json!([{"query_id": 7, "query": "Will it rain?", "api_list": [tool], "relevant APIs": [["Weather", "today"]]}]);
    context.write_json("queries.json", &query);
    let imported = context.run(&["benchmark", "import", "toolbench", "queries.json", "--json"]).expect(0).json();
    assert_eq!(imported["tasks"], 1);
    context
        .run(&["eval", "--skills", "skills", "--benchmark", imported["id"].as_str().unwrap(), "--dry-run"])
        .expect(0);
}
