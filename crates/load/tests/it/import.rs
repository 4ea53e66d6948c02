//! The files of GAIA and ToolBench, as they are published, become benchmarks that the loader reads.

use std::path::Path;

use eval_load as load;
use eval_load::{DataSet, Loaded};
use eval_spec::callable::{Benchmark, Scorer, ScorerType};
use eval_spec::{Context, Diagnostics};
use serde_json::{Value, json};

use crate::world::World;

fn import(world: &World, name: &str, set: DataSet) -> Result<Loaded<Value>, Diagnostics> {
    load::import(&world.context, Path::new(name), set)
}

/// Through the loader, as `--benchmark` would read it.
fn loaded(world: &World, document: &Value) -> Benchmark {
    world.write("benchmarks/imported.json", document.to_string());
    let context: &Context = &world.context;
    load::benchmark(context, "./benchmarks/imported.json", None, ScorerType::ExactMatch).unwrap().value
}

const GAIA: DataSet = DataSet::Gaia { level: None };

fn gaia_line(id: &str, level: Value, answer: &str, file: &str) -> String {
    let line = json!({
        "task_id": id,
        "Question": format!("What is {id}?"),
        "Level": level,
        "Final answer": answer,
        "file_name": file,
        "Annotator Metadata": {"Steps": "1. Look", "Number of steps": "1", "How long did this take?": "1 minute", "Tools": "1. Eyes", "Number of tools": "1"},
    });
    format!("{line}\n")
}

#[test]
fn gaia_metadata_becomes_a_benchmark() {
    let world = World::new();
    let lines = [
        gaia_line("a", json!(1), "17", ""),
        "\r\n".to_owned(),
        gaia_line("b", json!("1"), "b, e", "sheet.xlsx"),
        gaia_line("c", json!(1), "?", ""),
        gaia_line("d", json!(1), "right", "gone.png"),
    ];
    world.write("data/metadata.jsonl", lines.concat());
    world.write("data/sheet.xlsx", "x");
    let imported = import(&world, "data/metadata.jsonl", GAIA).unwrap();
    let said: Vec<String> = imported.warnings.iter().map(|warning| warning.message.to_string()).collect();
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(
        said[0].contains("withheld answers (`?`), as in the test set: 1 left out") && said[1].contains("`gone.png`"),
        "{said:?}"
    );
    let benchmark = loaded(&world, &imported.value);
    assert_eq!(benchmark.id, "gaia-v1");
    let ids: Vec<&str> = benchmark.tasks.iter().map(|task| &*task.id).collect();
    assert_eq!(ids, ["a", "b", "d"]);
    assert_eq!(benchmark.tasks[0].input, json!({"question": "What is a?"}));
    assert_eq!(benchmark.tasks[0].scorer, Scorer::Gaia { answer: "17".to_owned() });
    let file = benchmark.tasks[1].input["file"].as_str().unwrap();
    assert!(Path::new(file).is_absolute() && Path::new(file).is_file(), "{file}");
    assert_eq!(benchmark.tasks[1].tags, ["level-1", "file"]);
    assert!(!imported.value.to_string().contains("Look"), "the solution is not handed on");
}

#[test]
fn the_same_data_in_two_folders_is_one_benchmark() {
    let world = World::new();
    let hash = |folder: &str, file: &str| {
        world.write(&format!("{folder}/metadata.jsonl"), gaia_line("b", json!(1), "b, e", file));
        world.write(&format!("{folder}/{file}"), "x");
        loaded(&world, &import(&world, &format!("{folder}/metadata.jsonl"), GAIA).unwrap().value).hash
    };
    assert_eq!(hash("here", "sheet.xlsx"), hash("there/below", "sheet.xlsx"));
    assert_ne!(hash("here", "sheet.xlsx"), hash("here", "other.xlsx"));
}

#[test]
fn calls_are_mapped_or_refused() {
    let world = World::new();
    let imported = |calls: Value| {
        world.write("q.json", json!([{"query_id": 1, "query": "What?", "tools": [], "calls": calls}]).to_string());
        import(&world, "q.json", DataSet::ToolBench)
    };
    let document = imported(json!([{"tool": "f", "args": {"x": 1}}, {"name": "g"}])).unwrap().value;
    let expected = json!([{"name": "f", "arguments": {"x": 1}}, {"name": "g"}]);
    assert_eq!(document["tasks"][0]["expectedOutput"]["calls"], expected);
    loaded(&world, &document);
    for (calls, says) in [
        (json!(["f"]), "no call"),
        (json!([{"args": {}}]), "no call"),
        (json!([{"name": "f", "arguments": "x"}]), "q.json:1:"),
        (json!([{"name": "f", "retries": 2}]), "`retries`"),
    ] {
        let said = imported(calls.clone()).unwrap_err().to_string();
        assert!(said.contains(says), "{calls}: {said}");
    }
    let long = r#"[{"query": "What?", "tools": [], "calls": [{"name": "f", "arguments": {"n": 15511210043330985984000000}}]}]"#;
    world.write("q.json", long);
    assert!(import(&world, "q.json", DataSet::ToolBench).unwrap_err().to_string().contains("more digits"));
    // What only the loader knows.
    world.write("q.json", json!([{"id": " x", "query": "What?", "tools": [], "calls": []}]).to_string());
    assert!(import(&world, "q.json", DataSet::ToolBench).unwrap_err().to_string().contains("can't be an id"));
}

#[test]
fn only_the_requested_gaia_level_is_imported() {
    let world = World::new();
    let lines = [gaia_line("a", json!(1), "17", ""), gaia_line("b", json!(2), "18", "")];
    world.write("metadata.jsonl", lines.concat());
    for (level, id, tasks) in [(None, "gaia-v1", 1), (Some(1), "gaia-v1", 1), (Some(2), "gaia-v1-level-2", 1)] {
        let document = import(&world, "metadata.jsonl", DataSet::Gaia { level }).unwrap().value;
        assert_eq!((document["id"].as_str(), document["tasks"].as_array().map(Vec::len)), (Some(id), Some(tasks)));
    }
    let warnings = |level| import(&world, "metadata.jsonl", DataSet::Gaia { level }).unwrap().warnings;
    let said = warnings(None)[0].message.to_string();
    assert_eq!(said, "`gaia-v1` is level 1: 1 question of another level is left out");
    assert!(warnings(Some(1)).is_empty());
    let none = import(&world, "metadata.jsonl", DataSet::Gaia { level: Some(3) }).unwrap_err();
    assert!(none.to_string().contains("nothing in it that can be scored"), "{none}");
}

#[test]
fn errors_in_gaia_data_are_reported_at_their_lines() {
    let world = World::new();
    let lines = [
        gaia_line("a", json!(1), "17", ""),
        "{\"task_id\": \n".to_owned(),
        "[1]\n".to_owned(),
        "{\"task_id\":\"x\",\"Question\":\" \",\"Level\":1,\"Final answer\":\"1\"}\n".to_owned(),
        gaia_line("b", json!(4), "17", ""),
        gaia_line("c", json!(1), "17", "../../etc/passwd"),
        gaia_line("a", json!(1), "18", ""),
        "{\"Question\":\"q\",\"Level\":1,\"Final answer\":\"1\"}".to_owned(),
    ];
    world.write("bad.jsonl", lines.concat());
    let errors = import(&world, "bad.jsonl", GAIA).unwrap_err();
    let at: Vec<usize> = errors.0.iter().map(|error| error.place.as_ref().unwrap().line_column().0).collect();
    assert_eq!(at, [2, 3, 4, 5, 6, 7, 8], "{errors}");
    assert!(errors.to_string().contains("`a` is there twice"));
    for empty in ["", "\n\n", "{}"] {
        world.write("empty.jsonl", empty);
        assert!(import(&world, "empty.jsonl", GAIA).is_err());
    }
}

fn api(tool: &str, name: &str) -> Value {
    json!({
        "category_name": "Data",
        "tool_name": tool,
        "api_name": name,
        "api_description": "finds things",
        "required_parameters": [{"name": "q", "type": "STRING", "description": "words", "default": ""}],
        "optional_parameters": [{"name": "Limit To", "type": "NUMBER", "description": "", "default": "5"}],
        "method": "GET",
    })
}

#[test]
fn toolbench_queries_expect_functions_in_any_order() {
    let world = World::new();
    let queries = json!([
        {"query_id": 588, "query": "Find it", "api_list": [api("My Tool", "Search all"), api("My Tool", "id")],
         "relevant APIs": [["My Tool", "id"], ["My Tool", "Search all"]]},
        {"query_id": 589, "query": "Lost", "api_list": [], "relevant APIs": [["A", "B"]]},
        {"query": "Add", "tools": [{"name": "add"}], "calls": [{"name": "add", "arguments": {"a": 1}}]},
    ]);
    world.write("G1_instruction.json", queries.to_string());
    let imported = import(&world, "G1_instruction.json", DataSet::ToolBench).unwrap();
    assert_eq!(imported.warnings.len(), 1, "{:?}", imported.warnings);
    let benchmark = loaded(&world, &imported.value);
    assert_eq!((benchmark.id.as_str(), benchmark.tasks.len()), ("toolbench-lite", 2));
    let task = &benchmark.tasks[0];
    assert_eq!(&*task.id, "588");
    let calls = json!([{"name": "is_id_for_my_tool"}, {"name": "search_all_for_my_tool"}]);
    assert_eq!(task.scorer, Scorer::ToolCalls { calls, any_order: true });
    assert_eq!(task.input["tools"][0]["parameters"]["required"], json!(["q"]));
    assert_eq!(task.input["tools"][0]["parameters"]["properties"]["limit_to"]["type"], json!("number"));
    let own = json!([{"name": "add", "arguments": {"a": 1}}]);
    assert_eq!(benchmark.tasks[1].scorer, Scorer::ToolCalls { calls: own, any_order: false });
    assert_eq!(&*benchmark.tasks[1].id, "query-3");
}

#[test]
fn errors_in_toolbench_data_are_reported_at_their_lines() {
    let world = World::new();
    world.write("bad.json", "[\n{\"query\": 1},\n{\"query\": \"q\"},\n7,\n{\"api_list\": []}\n]");
    let errors = import(&world, "bad.json", DataSet::ToolBench).unwrap_err();
    let at: Vec<usize> = errors.0.iter().map(|error| error.place.as_ref().unwrap().line_column().0).collect();
    assert_eq!(at, [2, 3, 4, 5], "{errors}");
    for wrong in ["{}", "", "[", "[]", "null"] {
        world.write("wrong.json", wrong);
        assert!(import(&world, "wrong.json", DataSet::ToolBench).is_err(), "{wrong}");
    }
}
