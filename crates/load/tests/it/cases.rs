//! Cases of other tools: what is carried over keeps its meaning, and what is not is told with the reason that is true.

use std::path::Path;

use eval_load as load;
use eval_load::{CheckProbe, ImportedCases, RowColumns};
use serde_json::{Value, json};

use crate::world::{TYPES, World, lines};

const PROBE: CheckProbe<'static> = CheckProbe { types: TYPES, function: |_| Ok(()) };

fn import(world: &World, name: &str) -> Result<ImportedCases, eval_spec::Diagnostics> {
    load::import_cases(&world.context, Path::new(name), None, &RowColumns::default(), PROBE).map(|of| of.value)
}

fn benchmark(world: &World, name: &str) -> Value {
    let columns = RowColumns::default();
    let found = load::import_benchmark(&world.context, Path::new(name), Some("rows"), &columns, None, PROBE);
    serde_json::from_str(&found.unwrap().value.files[0].text).unwrap()
}

/// The samples as the loader reads them back, with the texts of one field.
fn samples(world: &World, imported: &ImportedCases) -> Vec<Value> {
    let file = imported.files.iter().find(|file| file.name == "eval-samples.yaml").unwrap();
    world.samples("eval-samples.yaml", &file.text).unwrap();
    serde_saphyr::from_str(&file.text).unwrap()
}

/// The reasons, with what they are about.
fn reasons(imported: &ImportedCases) -> Vec<String> {
    imported.differences.iter().map(|of| format!("{}: {}", of.what, of.why)).collect()
}

#[test]
fn numbers_of_rows_keep_their_digits() {
    let world = World::new();
    let rows = [
        r#"{"id": 12345678901234567890123, "question": "25! + 1?", "answer": 15511210043330985984000001}"#,
        r#"{"id": 2.0, "question": "a thousand", "answer": 1e3}"#,
        r#"{"id": 3, "question": "a half", "answer": 2.50}"#,
        r#"{"id": 4, "question": "many", "answer": 100000000000000000000}"#,
        r#"{"id": 5, "question": "more", "answer": 0.30000000000000004}"#,
    ];
    let yaml = "- { id: 12345678901234567890123, question: '25! + 1?', answer: 15511210043330985984000001 }\n\
                - { id: 2.0, question: a thousand, answer: 1e3 }\n\
                - { id: 3, question: a half, answer: 2.50 }\n\
                - { id: 4, question: many, answer: 100000000000000000000 }\n\
                - { id: 5, question: more, answer: 0.30000000000000004 }\n";
    let texts = [
        ("rows.jsonl", rows.join("\n")),
        ("rows.json", format!("[{}]", rows.join(","))),
        ("rows.yaml", yaml.to_owned()),
    ];
    for (name, text) in texts {
        world.write(name, text);
        let samples = samples(&world, &import(&world, name).unwrap());
        let ids: Vec<&Value> = samples.iter().map(|sample| &sample["sample_id"]).collect();
        assert_eq!(ids, ["12345678901234567890123", "2", "3", "4", "5"], "{name}");
        let expected: Vec<&Value> = samples.iter().map(|sample| &sample["assertions"][0]["value"]).collect();
        let digits = ["15511210043330985984000001", "1000", "2.5", "100000000000000000000", "0.30000000000000004"];
        assert_eq!(expected, digits, "{name}");
        // A text equals the number that it spells.
        let tasks = benchmark(&world, name);
        let typed: Vec<String> = (0..5).map(|at| tasks["tasks"][at]["expectedOutput"]["value"].to_string()).collect();
        assert_eq!(typed[..2], ["\"15511210043330985984000001\"", "1000"], "{name}");
    }
}

#[test]
fn table_with_an_open_quote_or_a_column_that_stands_twice_is_refused() {
    let world = World::new();
    let refused = [
        ("open.csv", "id,question,answer\n1,q1,\"yes\n2,q2,no\n3,q3,no\n", "open.csv:2:"),
        ("behind.csv", "id,question,answer\n1,\"what,42\n2,\"who\",7\n", "open"),
        ("twice.csv", "id,question,answer,answer\n1,q,right,wrong\n", "two columns are called `answer`"),
    ];
    for (name, text, part) in refused {
        world.write(name, text);
        let found = lines(import(&world, name));
        assert!(found.contains(part), "{name}: {found}");
        // The same of a table that a configuration of promptfoo names.
        let heads = text.replace("question", "q").replace("answer", "__expected");
        world.write("tests.csv", heads);
        world.write("promptfooconfig.yaml", "prompts: ['{{q}}']\ntests: [file://tests.csv, { vars: { q: x } }]\n");
        let imported = import(&world, "promptfooconfig.yaml").unwrap();
        assert_eq!((imported.tests.whole, imported.tests.not), (1, 1), "{name}");
        assert!(reasons(&imported)[0].starts_with("`tests.csv`: "), "{:?}", reasons(&imported));
    }
}

#[test]
fn table_may_have_semicolons() {
    let world = World::new();
    world.write("semi.csv", "\u{feff}id;question;answer\n1;\"what; where\";42\n2;who, when;7\n");
    let samples = samples(&world, &import(&world, "semi.csv").unwrap());
    assert_eq!((&samples[0]["prompt"], &samples[1]["prompt"]), (&json!("what; where"), &json!("who, when")));
    world.write("few.tsv", "question, in words\tid\nq\t1\n");
    let columns = RowColumns { prompt: Some("question, in words".to_owned()), ..RowColumns::default() };
    let read = load::import_cases(&world.context, Path::new("few.tsv"), None, &columns, PROBE).unwrap();
    assert_eq!(read.value.tests.whole, 1);
}

#[test]
fn row_is_named_by_its_line() {
    let world = World::new();
    let row = |at: usize| format!("{{\"question\": \"é {at}\", \"answer\": \"a\"}}\r\n");
    let rows: String = (0..30_000).map(row).collect();
    world.write("rows.jsonl", rows + "\n{\"question\": \"\", \"answer\": \"a\"}\n");
    let imported = import(&world, "rows.jsonl").unwrap();
    assert_eq!((imported.tests.whole, imported.tests.not), (30_000, 1));
    let empty = imported.differences.iter().find(|of| !of.is_near).unwrap();
    assert_eq!(empty.place, "rows.jsonl:30002");
}
