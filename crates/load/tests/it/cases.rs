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

#[test]
fn tests_without_a_check_and_tests_with_a_difference_are_counted_apart() {
    let world = World::new();
    world.write("tests.csv", "q,__prefix,__expected\na,,contains: a\nb,Now:,contains: b\n");
    world.write(
        "promptfooconfig.yaml",
        "prompts: ['Say {{q}}']\n\
         tests:\n\
         - { vars: { q: x } }\n\
         - { vars: { q: x }, assert: [{ type: contains, value: x }] }\n\
         - { vars: { q: x }, assert: [{ type: llm-rubric, value: polite }], threshold: 0.5 }\n\
         - { vars: { q: x }, assert: [{ type: python, value: x }] }\n\
         - { vars: { q: x }, assert: [{ type: contains, value: x }], providerOutput: y }\n\
         - file://tests.csv\n",
    );
    let tests = import(&world, "promptfooconfig.yaml").unwrap().tests;
    assert_eq!((tests.whole, tests.partly, tests.not, tests.unchecked), (3, 4, 0, 2));
    let shared = "prompts: ['Say {{q}}']\ndefaultTest: { options: { prefix: 'Now: ' } }\n\
                  tests: [{ vars: { q: x }, assert: [{ type: contains, value: x }] }]\n";
    world.write("promptfooconfig.yaml", shared);
    assert_eq!(import(&world, "promptfooconfig.yaml").unwrap().tests.partly, 1);
}

#[test]
fn settings_that_name_the_other_files_come_last() {
    let world = World::new();
    let check = "{ type: javascript, value: 'output.length > 1' }";
    let config = format!("prompts: ['Say {{{{q}}}}']\ntests: [{{ vars: {{ q: x }}, assert: [{check}] }}]\n");
    world.write("promptfooconfig.yaml", config);
    let imported = import(&world, "promptfooconfig.yaml").unwrap();
    let names: Vec<&str> = imported.files.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["skills/prompt-1.md", "imported-checks.mjs", "eval-samples.yaml", "eval.yaml"]);
}

#[test]
fn variables_are_the_text_of_any_file_but_programs() {
    let world = World::new();
    world.write("schema.sql", "CREATE TABLE a (b int);\n");
    world.write("Notes", "plain");
    world.write("articles/a.txt", "first");
    world.write("articles/b.txt", "second");
    world.write("articles/.hidden.txt", "editor's");
    world.write("code.py", "print(1)");
    world.write("picture.jpg", b"\xff\xd8\xff\xe0");
    world.write("zeros.bin", b"a\0b");
    world.write("drawing.svg", "<svg/>");
    let files = [
        "schema.sql",
        "Notes",
        "articles/*.txt",
        "code.py",
        "picture.jpg",
        "zeros.bin",
        "drawing.svg",
        "none/*.txt",
        "gone.txt",
    ];
    let tests: String = files.iter().map(|file| format!("  - vars: {{ q: 'file://{file}' }}\n")).collect();
    world.write("promptfooconfig.yaml", format!("prompts: ['{{{{q}}}}']\ntests:\n{tests}"));
    let imported = import(&world, "promptfooconfig.yaml").unwrap();
    let samples = samples(&world, &imported);
    let prompts: Vec<&Value> = samples.iter().map(|sample| &sample["prompt"]).collect();
    assert_eq!(prompts, ["CREATE TABLE a (b int);", "plain", "first", "second"]);
    assert_eq!(imported.tests.not, 6);
    let reasons = reasons(&imported);
    let parts = ["is a program", "not UTF-8 text", "is no text", "is no text", "no file has such a name", "gone.txt"];
    assert_eq!(reasons.len(), parts.len(), "{reasons:#?}");
    parts.iter().for_each(|part| assert!(reasons.iter().any(|of| of.contains(part)), "{part}: {reasons:#?}"));
}

#[test]
fn prompts_are_read_from_lines_and_tables() {
    let world = World::new();
    let chat = |system: &str| json!([{"role": "system", "content": system}, {"role": "user", "content": "{{q}}"}]);
    world.write("chats.jsonl", format!("{}\n\n{}\n", chat("Be brief."), chat("Be kind.")));
    world.write("prompts.csv", "prompt,label\n\"Say, now: {{q}}\",now\nSay it: {{q}}\n");
    world.write("plain.csv", "prompt\nTell me: {{q}}\n");
    world.write("program.py", "def f(): pass\n");
    world.write(
        "promptfooconfig.yaml",
        "prompts: [file://chats.jsonl, file://prompts.csv, plain.csv, file://program.py]\ntests: [{ vars: { q: x } }]\n",
    );
    let imported = import(&world, "promptfooconfig.yaml").unwrap();
    let artifact = |name: &str| imported.files.iter().find(|file| file.name == name).unwrap().text.clone();
    assert_eq!(artifact("skills/chats-1.md"), "Be brief.\n");
    assert_eq!(artifact("skills/chats-2.md"), "Be kind.\n");
    assert_eq!(artifact("skills/now.md"), "Say, now:\n");
    assert_eq!(artifact("skills/prompts-2.md"), "Say it:\n");
    assert_eq!(artifact("skills/plain-1.md"), "Tell me:\n");
    let lacking: Vec<String> = imported.differences.iter().filter(|of| !of.is_near).map(|of| of.what.clone()).collect();
    assert_eq!(lacking, ["`program.py`"]);
}

#[test]
fn reason_why_nothing_is_carried_over_is_the_true_one() {
    let red = "redteam: { plugins: [politics] }\n";
    let told = [
        (format!("targets: [openai:gpt-4o]\n{red}"), "generates the tests of a red team"),
        (
            format!("prompts: ['Answer: {{{{prompt}}}}']\ntargets: [openai:gpt-4o]\n{red}"),
            "generates the tests of a red team",
        ),
        ("prompts: [What is it?, Who is it?]\ntests: [{ vars: { q: x }, foo: bar }]\n".to_owned(), "no variable"),
        ("prompts: ['{{q}}']\ntests: [{ vars: { other: x } }]\n".to_owned(), "the prompt is empty"),
    ];
    for (config, part) in told {
        let world = World::new();
        world.write("promptfooconfig.yaml", &config);
        let found = import(&world, "promptfooconfig.yaml").unwrap_err();
        let help = found.0[0].help.as_ref().map(ToString::to_string).unwrap_or_default();
        assert!(help.contains(part), "{config}: {help}");
    }
}
