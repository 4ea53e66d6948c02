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
        let digits = ["15511210043330985984000001", "1000", "2.50", "100000000000000000000", "0.30000000000000004"];
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

/// The prompts and the assertions of a configuration's samples.
fn carried(world: &World, config: &str) -> (ImportedCases, Vec<Value>) {
    world.write("promptfooconfig.yaml", config);
    let imported = import(world, "promptfooconfig.yaml").unwrap();
    let samples = samples(world, &imported);
    (imported, samples)
}

fn prompts(samples: &[Value]) -> Vec<&str> {
    samples.iter().filter_map(|sample| sample["prompt"].as_str()).collect()
}

/// How many tests were carried over whole, in part and not.
fn counts(imported: &ImportedCases) -> [usize; 3] {
    [imported.tests.whole, imported.tests.partly, imported.tests.not]
}

#[test]
fn list_in_a_variable_is_several_tests_only_if_it_begins_with_a_text() {
    let world = World::new();
    let (imported, samples) = carried(
        &world,
        "prompts: ['{{q}} {{items}}.']\n\
         tests:\n\
         - vars: { q: numbers, items: [1, 2, 3] }\n\
         - vars: { q: none, items: [] }\n\
         - vars: { q: objects, items: [{ a: 1 }, { a: 2 }] }\n\
         - vars: { q: lists, items: [[1, 2], [null]] }\n\
         - vars: { q: texts, items: [a, 2] }\n",
    );
    // As promptfoo's `generateVarCombinations` has them, and Nunjucks prints them.
    let expected =
        ["numbers 1,2,3.", "none .", "objects [object Object],[object Object].", "lists 1,2,.", "texts a.", "texts 2."];
    assert_eq!(prompts(&samples), expected);
    assert_eq!(counts(&imported), [6, 0, 0]);
}

#[test]
fn files_of_scenarios_variables_and_checks_are_read_where_promptfoo_reads_them() {
    let world = World::new();
    let check = "assert: [{ type: contains, value: x }]";
    world.write(
        "scenarios/a.yaml",
        format!("- config: [{{ vars: {{ lang: de }} }}, {{ vars: {{ lang: fr }} }}]\n  tests: [{{ vars: {{ q: 'hi {{{{lang}}}}' }}, {check} }}]\n"),
    );
    world.write("scenarios/b.json", json!({"config": [{"vars": {"q": "b"}}], "tests": null}).to_string());
    world.write("sets/a.yaml", "{ q: a, r: first }\n");
    world.write("sets/b.yaml", "{ q: b }\n");
    world.write("sub/own.yaml", "{ q: own }\n");
    world.write("checks.yaml", "[{ type: contains, value: y }, { type: contains, value: z }]\n");
    world.write(
        "sub/tests.yaml",
        "- { vars: own.yaml, assert: file://checks.yaml }\n- { vars: { q: in place }, assert: file://gone.yaml }\n- no test\n",
    );
    let (imported, samples) = carried(
        &world,
        &format!(
            "prompts: ['{{{{q}}}} {{{{r}}}}']\n\
             tests:\n\
             - {{ vars: [file://sets/a.yaml, sets/b.yaml], {check} }}\n\
             - {{ vars: 'sets/*.yaml', {check} }}\n\
             - {{ vars: {{ q: three }}, options: file://sets/a.yaml }}\n\
             - {{ vars: [5], {check} }}\n\
             - {{ vars: {{ q: two }}, assert: file://checks.yaml }}\n\
             - file://sub/tests.yaml\n\
             - 5\n\
             scenarios: ['file://scenarios/*.yaml', file://scenarios/b.json, {{ tests: [{{ vars: {{ q: x }} }}] }}]\n",
        ),
    );
    assert_eq!(prompts(&samples), ["b first", "b first", "three", "two", "own", "in place", "hi de", "hi fr", "b"]);
    assert_eq!(samples[4]["assertions"].as_array().map(Vec::len), Some(2));
    let reasons = reasons(&imported);
    for part in
        ["`assert`: the checks of a test are a list", "gone.yaml", "`tests`: a test is an object", "a scenario has"]
    {
        assert!(reasons.iter().any(|of| of.contains(part)), "{part}: {reasons:#?}");
    }
    // Of the tests whose checks are lost, and of those that are none.
    assert_eq!(counts(&imported), [6, 3, 4], "{reasons:#?}");
    assert_eq!(imported.checks.not, 2);
}

#[test]
fn references_are_replaced_wherever_they_stand_and_keys_beside_them_win() {
    let world = World::new();
    let (imported, samples) = carried(
        &world,
        "prompts: ['{{q}}']\n\
         assertionTemplates:\n\
         \x20 has: { type: icontains, value: x }\n\
         \x20 both: { type: assert-set, assert: [{ $ref: '#/assertionTemplates/has' }, { $ref: '#/assertionTemplates/has', value: y }] }\n\
         shared: { vars: { q: shared }, 'a/b c': [{ q: listed }] }\n\
         tests:\n\
         - vars: { $ref: '#/shared/vars' }\n\
         \x20 assert:\n\
         \x20 - { $ref: '#/assertionTemplates/has', weight: 5 }\n\
         \x20 - { $ref: '#/assertionTemplates/has', value: other }\n\
         \x20 - { $ref: '#/assertionTemplates/both' }\n\
         - { $ref: '#/shared', description: beside }\n\
         - { vars: { $ref: '#/shared/a~1b%20c/0', r: x } }\n\
         - { vars: { q: gone, $ref: '#/nothing' } }\n\
         - { vars: { q: sets }, assert: [{ type: assert-set, assert: [{ $ref: '#/assertionTemplates/no' }] }] }\n",
    );
    assert_eq!(prompts(&samples), ["shared", "shared", "listed", "gone", "sets"]);
    let has = |value: &str| json!({"type": "contains", "value": value});
    assert_eq!(
        samples[0]["assertions"],
        json!([
            {"type": "contains", "value": "x", "weight": 5},
            has("other"),
            {"type": "assert-set", "mode": "all", "children": [has("x"), has("y")]},
        ])
    );
    let reasons = reasons(&imported);
    assert_eq!(reasons.iter().filter(|of| of.contains("names nothing")).count(), 2, "{reasons:#?}");
    // The other key of `shared` is none of a test's; `shared` itself is used.
    assert!(!reasons.iter().any(|of| of.starts_with("`shared`")), "{reasons:#?}");
    assert_eq!(counts(&imported), [2, 3, 0], "{reasons:#?}");
}

#[test]
fn references_that_never_end_or_multiply_are_left_as_they_are() {
    let world = World::new();
    let rounds = "prompts: ['{{q}}']\n\
                  round: { $ref: '#/round/x' }\n\
                  loop: { q: looped, again: { $ref: '#/loop' } }\n\
                  tests: [{ vars: { $ref: '#/loop' } }, { vars: { q: r, x: { $ref: '#/round/x' } } }]\n";
    let (imported, samples) = carried(&world, rounds);
    assert_eq!(prompts(&samples), ["looped", "r"]);
    assert_eq!(counts(&imported), [0, 2, 0], "{:#?}", reasons(&imported));
    let level = |at: usize| format!("  l{at}: [{{ $ref: '#/big/l{0}' }}, {{ $ref: '#/big/l{0}' }}]\n", at - 1);
    let levels: String = (1..40).map(level).collect();
    let tests = "tests: [{ vars: { q: big, x: { $ref: '#/big/l39' } } }]\n";
    let (imported, _) = carried(&world, &format!("prompts: ['{{{{q}}}}']\nbig:\n  l0: {{ a: b }}\n{levels}{tests}"));
    assert_eq!(counts(&imported), [0, 1, 0], "{:#?}", reasons(&imported));
}

#[test]
fn template_that_javascript_would_render_otherwise_is_listed() {
    let world = World::new();
    world.write("levels.csv", "q,level\nwhat,1\n");
    let (_, samples) = carried(
        &world,
        "prompts: [\"{% if level == 1 or level == 'high' and q != 'x' %}Easy{% else %}Hard{% endif %}: {{q}}\"]\n\
         tests: [{ vars: { q: number, level: 1 } }, { vars: { q: other, level: 2 } }, { vars: { q: none } }]\n",
    );
    // A number is compared with a text in each of them, but `level` that isn't set equals neither.
    assert_eq!(prompts(&samples), ["Hard: none"]);
    let rendered = |template: &str, vars: &str| {
        world.write("promptfooconfig.yaml", format!("prompts: [\"{template}: {{{{q}}}}\"]\ntests: [{vars}]\n"));
        let imported = import(&world, "promptfooconfig.yaml").ok()?;
        Some(prompts(&self::samples(&world, &imported))[0].to_owned())
    };
    let easy = |condition: &str| format!("{{% if {condition} %}}Easy{{% else %}}Hard{{% endif %}}");
    // What Nunjucks 3.2.4 renders, where it is the same here.
    for (condition, vars, expected) in [
        ("level == 1", "{ vars: { q: a, level: 1 } }", "Easy: a"),
        ("level >= 1.5", "{ vars: { q: a, level: 1 } }", "Hard: a"),
        ("level > -1", "{ vars: { q: a, level: 0 } }", "Easy: a"),
        ("level == '1'", "{ vars: { q: a, level: '1' } }", "Easy: a"),
        ("level == 1", "{ vars: { q: a } }", "Hard: a"),
        ("a.b != 1", "{ vars: { q: a, a: { b: 2 } } }", "Easy: a"),
        ("level", "{ vars: { q: a, level: 'x' } }", "Easy: a"),
    ] {
        assert_eq!(rendered(&easy(condition), vars).as_deref(), Some(expected), "{condition}, {vars}");
    }
    // What it renders otherwise, or what isn't known.
    for (template, vars) in [
        (easy("level == 1"), "file://levels.csv"),
        (easy("level > 9"), "{ vars: { q: a, level: '10' } }"),
        (easy("q and not 1 != level"), "{ vars: { q: a, level: '1' } }"),
        (easy("level < 9"), "{ vars: { q: a } }"),
        (easy("level == other"), "{ vars: { q: a, level: 1, other: '1' } }"),
        (easy("level == true"), "{ vars: { q: a, level: 1 } }"),
        (easy("(level) == 1"), "{ vars: { q: a, level: '1' } }"),
        (easy("level | trim == 1"), "{ vars: { q: a, level: '1' } }"),
        (easy("level"), "{ vars: { q: a, level: [] } }"),
        (easy("level"), "{ vars: { q: a, level: {} } }"),
        ("{{ 'Easy' if level == 1 else 'Hard' }}".to_owned(), "{ vars: { q: a, level: '1' } }"),
        (format!("{{% set level = '1' %}}{}", easy("level == 1")), "{ vars: { q: a, level: 1 } }"),
        (format!("{{% for of in a %}}{}{{% endfor %}}", easy("of == 1")), "{ vars: { q: a, a: [['1']] } }"),
    ] {
        assert_eq!(rendered(&template, vars), None, "{template}, {vars}");
    }
}

#[test]
fn choice_is_meant_by_its_label_text_place_or_letter() {
    let world = World::new();
    let arc = |text: &[&str], answer: Value| json!({"question": "Which?", "choices": {"text": text, "label": ["1", "2", "3", "4"]}, "answerKey": answer});
    let metals = ["wood", "air", "iron", "water"];
    let listed = |answer: Value| json!({"question": "Which?", "choices": metals, "answerKey": answer});
    let letter = |letters: &str| Some(format!("(?<![A-Za-z])[{letters}](?![A-Za-z])"));
    let told = [
        (arc(&metals, json!("3")), letter("C")),
        (arc(&metals, json!(3)), letter("C")),
        (arc(&["4", "3", "2", "1"], json!("3")), letter("C")),
        (arc(&metals, json!("B")), letter("B")),
        (arc(&metals, json!("0")), None),
        (listed(json!("2")), letter("C")),
        (listed(json!("c")), letter("C")),
        (listed(json!([0, "C"])), letter("AC")),
        (listed(json!([0, "iron"])), letter("AC")),
        (listed(json!(["A", "tin"])), None),
        (listed(json!("E")), None),
        (listed(json!(4)), None),
        (listed(json!("tin")), None),
    ];
    let rows: Vec<String> = told.iter().map(|(row, _)| row.to_string()).collect();
    world.write("rows.jsonl", rows.join("\n"));
    let imported = import(&world, "rows.jsonl").unwrap();
    for ((row, expected), sample) in told.iter().zip(samples(&world, &imported)) {
        let pattern = sample["assertions"][0]["pattern"].as_str().map(str::to_owned);
        assert_eq!(&pattern, expected, "{row}: {sample}");
        assert!(pattern.is_some() || sample["assertions"].is_null(), "{row}: {sample}");
    }
    assert_eq!((counts(&imported), imported.checks.not), ([8, 5, 0], 5));
    let lost = imported.differences.iter().find(|of| !of.is_near).unwrap();
    assert_eq!((lost.what.as_str(), lost.count, lost.place.as_str()), ("`answerKey`", 5, "rows.jsonl:5"));
    assert!(lost.why.to_string().contains("none of the choices"), "{}", lost.why);

    // A text of a choice stays what the answer contains, and choices that can't be printed are told.
    let many: Vec<usize> = (0..27).collect();
    let rows = [
        listed(json!("iron")),
        json!({"question": "Which?", "choices": many, "answerKey": "x"}),
        json!({"question": "Which?", "choices": "a, b", "answerKey": "x"}),
    ];
    world.write("rows.jsonl", rows.map(|row| row.to_string()).join("\n"));
    let imported = import(&world, "rows.jsonl").unwrap();
    assert_eq!(samples(&world, &imported)[0]["assertions"][0]["value"], "iron");
    assert_eq!(counts(&imported), [1, 2, 0]);
    // A callable skill that is given the columns themselves sees no letters.
    let inputs = vec![("choices".to_owned(), "of".to_owned())];
    let columns = RowColumns { inputs, ..RowColumns::default() };
    world.write("one.jsonl", listed(json!(2)).to_string());
    let made = load::import_benchmark(&world.context, Path::new("one.jsonl"), Some("rows"), &columns, None, PROBE);
    let made: Value = serde_json::from_str(&made.unwrap().value.files[0].text).unwrap();
    assert_eq!(made["tasks"][0]["expectedOutput"]["value"], 2);
}

#[test]
fn settings_of_agents_cases_are_listed_and_their_tests_count_in_part() {
    let world = World::new();
    let grader = |name: &str, flags: &str| {
        world.write(&format!("evals/{name}/graders/g.md"), format!("---\ntype: regex\nflags: {flags}\n---\nfoo\n"));
    };
    world.write("evals/a/prompt.md", "---\nname: a\ndescription: d\ntags: [t]\nschema_version: '1.0'\n---\nDo it\n");
    grader("a", "gi");
    world.write(
        "evals/b/prompt.md",
        "---\nmax_turns: 3\nmodel: opus\ntimeout_seconds: 5\nruns: 9\nexpected_outcome: A table\nappend_system_prompt: x\n\
         allowed_tools: [Read]\nartifact_publish: true\n---\nDo it\n",
    );
    grader("b", "y");
    world.write(
        "evals/c/case.yaml",
        "schema_version: '1.0'\nname: c\nexecution: { prompt: Do it, max_turns: 2 }\n\
         graders: [{ name: g, type: regex, pattern: foo }]\n",
    );
    let imported = import(&world, "evals").unwrap();
    let mut named: Vec<&str> = imported.differences.iter().map(|of| of.what.trim_matches('`')).collect();
    named.sort_unstable();
    let mut expected = [
        "allowed_tools",
        "append_system_prompt",
        "artifact_publish",
        "expected_outcome",
        "grader `regex",
        "max_turns",
        "model",
        "runs",
        "timeout_seconds",
    ];
    expected.sort_unstable();
    assert_eq!(named, expected);
    assert_eq!(counts(&imported), [1, 2, 0]);
    assert_eq!((imported.checks.same, imported.checks.not), (2, 1));

    let evals = json!({"skill_name": "s", "evals": [
        {"id": 1, "prompt": "p", "expectations": ["e"], "files": ["a.txt"]},
        {"id": 2, "prompt": "p", "expectations": ["e"]},
    ]});
    world.write("evals.json", evals.to_string());
    assert_eq!(counts(&import(&world, "evals.json").unwrap()), [1, 1, 0]);
}

fn promptfoo(world: &World, config: &str) -> ImportedCases {
    world.write("promptfooconfig.yaml", config);
    import(world, "promptfooconfig.yaml").unwrap()
}

fn settings(imported: &ImportedCases) -> Value {
    let file = imported.files.iter().find(|file| file.name == "eval.yaml").unwrap();
    serde_saphyr::from_str(&file.text).unwrap()
}

#[test]
fn addresses_in_imported_texts_stay_addresses() {
    let world = World::new();
    world.write("rows.jsonl", "{\"question\": \"Open https://shop.invalid/a\", \"answer\": \"x\"}\n");
    world.write(
        "evals.json",
        r#"{"evals": [{"id": 1, "prompt": "Open https://shop.invalid/a", "expectations": ["x"]}]}"#,
    );
    world.write("cases/one/prompt.md", "Open https://shop.invalid/a\n");
    world.write("cases/one/graders/a.md", "---\ntype: regex\n---\nx\n");
    let config = "prompts: ['{{q}}']\ntests:\n- { vars: { q: 'Open https://shop.invalid/a' }, assert: [{ type: icontains, value: x }] }\n- { vars: { q: plain } }\n";
    world.write("promptfooconfig.yaml", config);
    for name in ["promptfooconfig.yaml", "rows.jsonl", "evals.json", "cases"] {
        let samples = samples(&world, &import(&world, name).unwrap());
        assert_eq!(samples[0]["urlFetch"], false, "{name}");
        assert!(samples.get(1).is_none_or(|sample| sample.get("urlFetch").is_none()));
    }
    // The file itself is read so, too.
    let own = load::samples(&world.context, Path::new("evals.json"), TYPES).unwrap();
    assert!(own.value.samples.iter().all(|sample| sample.keeps_urls));
}

/// A model reads `@path` and `$skill` as text; an agent attaches the file and loads the skill, where the cases are its own.
#[test]
fn markup_of_agents_in_imported_texts_is_text() {
    let world = World::new();
    world.write("rows.jsonl", "{\"question\": \"Mail a@b.test, or load $review\", \"answer\": \"x\"}\n");
    let config = "prompts: ['{{q}}']\ntests:\n- { vars: { q: 'Read @notes.md' }, assert: [{ type: icontains, value: x }] }\n- { vars: { q: plain } }\n";
    world.write("promptfooconfig.yaml", config);
    world.write("evals.json", r#"{"evals": [{"id": 1, "prompt": "Read @notes.md", "expectations": ["x"]}]}"#);
    for (name, markup) in [("promptfooconfig.yaml", Some(false)), ("rows.jsonl", Some(false)), ("evals.json", None)] {
        let samples = samples(&world, &import(&world, name).unwrap());
        assert_eq!(samples[0].get("agentMarkup").and_then(Value::as_bool), markup, "{name}");
        assert!(samples.get(1).is_none_or(|sample| sample.get("agentMarkup").is_none()));
    }
    world.write("s.yaml", "- { sample_id: a, prompt: '@x', agentMarkup: false }\n- { sample_id: b, prompt: '@x' }\n");
    let own = load::samples(&world.context, Path::new("s.yaml"), TYPES).unwrap().value.samples;
    assert_eq!([own[0].is_plain, own[1].is_plain], [true, false]);
}

#[test]
fn error_of_a_file_without_tests_names_no_provider() {
    let world = World::new();
    let config = "providers: [file://agent.ts]\nprompts: ['{{message}}']\ntests: [{ vars: { turns: [a] }, assert: [{ type: equals, value: x }] }]\n";
    world.write("promptfooconfig.yaml", config);
    let errors = import(&world, "promptfooconfig.yaml").unwrap_err().to_string();
    assert!(errors.contains("could be carried over") && !errors.contains("is no executor"), "{errors}");
}

#[test]
fn conversation_in_yaml_is_a_conversation() {
    let world = World::new();
    world.write(
        "chat.txt",
        "- role: system\n  content: |\n    You are patient.\n- role: user\n  content: {{question}}\n",
    );
    for prompt in [
        "file://chat.txt",
        "\"- role: system\\n  content: You are patient.\\n- role: user\\n  content: '{{question}}'\"",
    ] {
        let config = format!("prompts: [{prompt}]\ntests: [{{ vars: {{ question: What is a loop? }} }}]\n");
        let imported = promptfoo(&world, &config);
        assert_eq!(imported.files[0].text, "You are patient.\n", "{prompt}");
        assert_eq!(samples(&world, &imported)[0]["prompt"], "What is a loop?");
    }
    let turns = "prompts: [\"- role: user\\n  content: a\\n- role: assistant\\n  content: '{{q}}'\"]\ntests: [{ vars: { q: x } }]\n";
    world.write("promptfooconfig.yaml", turns);
    let help = import(&world, "promptfooconfig.yaml").unwrap_err().0[0].help.clone().unwrap().to_string();
    assert!(help.contains("conversation of several turns"), "{help}");
}

#[test]
fn bare_prompt_is_the_control_however_many_there_are() {
    let world = World::new();
    let tests = "tests: [{ vars: { q: x, prompt: y } }]\n";
    let of = |prompts: &str| settings(&promptfoo(&world, &format!("{prompts}\n{tests}")));
    let three = of("prompts: ['{{q}}', 'Be brief. {{q}}', 'Be kind. {{q}}']");
    assert_eq!((&three["control"], &three["treatments"]), (&json!("baseline"), &json!(["prompt-2", "prompt-3"])));
    let two = of("prompts: ['Be brief. {{q}}', 'Be kind. {{q}}']");
    assert_eq!((&two["control"], &two["treatments"]), (&json!("prompt-1"), &json!(["prompt-2"])));
    // Without prompts, promptfoo asks the variable of that name.
    let imported = promptfoo(&world, &format!("providers: [echo]\n{tests}"));
    assert_eq!(samples(&world, &imported)[0]["prompt"], "y");
}

#[test]
fn what_answers_there_and_not_here_is_named() {
    let world = World::new();
    for id in ["file://agent.py", "exec:python x.py", "https://api.invalid/x", "bedrock:amazon.nova"] {
        let config = format!(
            "prompts: ['Say {{{{q}}}}']\nproviders: ['{id}', openai:gpt-4o]\ntests: [{{ vars: {{ q: x }} }}]\n"
        );
        let told = reasons(&promptfoo(&world, &config));
        assert!(told.iter().any(|reason| reason.starts_with(&format!("provider `{id}`: "))), "{told:?}");
        assert!(!told.iter().any(|reason| reason.starts_with("provider `openai:gpt-4o`")), "{told:?}");
    }
}

#[test]
fn check_of_what_an_answer_came_with_is_not_carried_over() {
    let world = World::new();
    let checks = |code: &str| {
        let code = serde_json::to_string(code).unwrap();
        let check = format!("{{ type: javascript, value: {code} }}");
        promptfoo(&world, &format!("prompts: ['Say {{{{q}}}}']\ntests: [{{ vars: {{ q: x }}, assert: [{check}] }}]\n"))
            .checks
    };
    for absent in [
        "(context.providerResponse?.tokenUsage?.total || 0) < 1000",
        "context?.logProbs === undefined",
        "const { vars, trace } = context; return !trace;",
        "!context.test.metadata",
        "context.provider === undefined",
    ] {
        assert_eq!(checks(absent).not, 1, "{absent}");
    }
    for there in
        ["output.includes(context.vars.q)", "const { vars, config } = context; return vars.q", "context.test.vars.q"]
    {
        assert_eq!(checks(there).not, 0, "{there}");
    }
}

#[test]
fn answers_with_a_schema_are_parsed_for_the_checks_that_get_objects() {
    let world = World::new();
    let of = |provider: &str| {
        let checks = "[{ type: javascript, value: output.a === 1 }, { type: contains, value: a }, { type: is-json }]";
        let config = format!(
            "prompts: ['Say {{{{q}}}}']\nproviders: [{{ id: '{provider}', config: {{ response_format: {{ type: json_schema }} }} }}]\n\
             tests: [{{ vars: {{ q: x }}, assert: {checks} }}]\n"
        );
        let imported = promptfoo(&world, &config);
        let sample = samples(&world, &imported).remove(0);
        (imported.checks.same, imported.checks.nearly, sample["assertions"][0]["value"]["parsed"].clone())
    };
    assert_eq!(of("openai:gpt-4o"), (1, 2, json!(true)));
    assert_eq!(of("anthropic:messages:claude-x"), (3, 0, Value::Null));
}

#[test]
fn schema_with_keywords_later_than_draft_7_means_nearly_the_same() {
    let world = World::new();
    let of = |schema: &str| {
        let check = format!("{{ type: is-json, value: {schema} }}");
        promptfoo(&world, &format!("prompts: ['Say {{{{q}}}}']\ntests: [{{ vars: {{ q: x }}, assert: [{check}] }}]\n"))
            .checks
            .nearly
    };
    assert_eq!(of("{ properties: { a: { prefixItems: [{ type: string }] } } }"), 1);
    assert_eq!(of("{ anyOf: [{ dependentRequired: { a: [b] } }] }"), 1);
    assert_eq!(of("{ properties: { prefixItems: { type: string } } }"), 0, "the name of a property");
}

#[test]
fn json_within_an_answer_is_the_whole_answer_or_its_fenced_block() {
    let world = World::new();
    let config = "prompts: ['Say {{q}}']\ntests: [{ vars: { q: x }, assert: [{ type: contains-json }, { type: not-contains-json }] }]\n";
    let imported = promptfoo(&world, config);
    let assertions = samples(&world, &imported)[0]["assertions"].clone();
    let set = json!({"type": "assert-set", "mode": "any",
        "children": [{"type": "json_valid"}, {"type": "json_valid", "extract": "fenced"}]});
    assert_eq!((&assertions[0], &assertions[1]["not"]), (&set, &json!(true)));
}

#[test]
fn files_are_found_by_patterns_as_there() {
    let world = World::new();
    for folder in ["a", "b"] {
        world.write(&format!("tests/{folder}/x.yaml"), format!("- {{ vars: {{ q: from {folder} }} }}\n"));
    }
    world.write("tests/a/notes.py", "x");
    world.write("tests/.hidden/x.yaml", "- { vars: { q: hidden } }\n");
    for (pattern, count) in [("tests/*/x.yaml", 2), ("tests/**/*.yaml", 2), ("tests/*/*", 2), ("tests/{a,c}/?.yaml", 1)]
    {
        let imported = promptfoo(&world, &format!("prompts: ['Say {{{{q}}}}']\ntests: ['file://{pattern}']\n"));
        assert_eq!(imported.tests.whole, count, "{pattern}: {:?}", reasons(&imported));
        assert_eq!(imported.tests.not, usize::from(pattern == "tests/*/*"), "{pattern}");
    }
}

#[test]
fn prompts_are_files_and_programs_where_promptfoo_takes_them_for_some() {
    let world = World::new();
    world.write("prompts/a.txt", "Be brief. {{q}}");
    world.write("prompts/b.txt", "Be kind. {{q}}");
    let of = |prompts: &str| promptfoo(&world, &format!("prompts: {prompts}\ntests: [{{ vars: {{ q: x }} }}]\n"));
    let names =
        |imported: &ImportedCases| imported.files.iter().filter(|file| file.name.starts_with("skills/")).count();
    assert_eq!(names(&of("['prompts/*']")), 2);
    assert_eq!(names(&of("['a *bold* word: {{q}}', 'prompts/a.txt']")), 2);
    for program in ["prompts.py:main", "exec:./make.sh"] {
        let imported = of(&format!("['{program}', 'Say {{{{q}}}}']"));
        assert_eq!(names(&imported), 1, "{program}");
        assert!(reasons(&imported)[0].contains("made by a program"), "{:?}", reasons(&imported));
    }
}

#[test]
fn function_of_a_program_is_a_program() {
    let world = World::new();
    world.write("x.py", "def main(): pass\n");
    let config = "prompts: ['Say {{q}}']\ntests:\n- { vars: { q: 'file://x.py:main' } }\n\
                  - { vars: { q: y }, assert: [{ type: contains, value: 'file://x.py:main' }] }\n";
    let told = reasons(&promptfoo(&world, config)).join("; ");
    assert!(told.contains("`file://x.py:main` is a program") && told.contains("write a `custom` check"), "{told}");
}

#[test]
fn time_and_cost_are_checked_whatever_becomes_of_the_text() {
    let world = World::new();
    let checks = "[{ type: latency, threshold: 500 }, { type: cost, threshold: 0.1 }, { type: contains, value: x }]";
    let config = format!(
        "prompts: ['Say {{{{q}}}}']\ntests: [{{ vars: {{ q: x }}, options: {{ transform: output.a }}, assert: {checks} }}]\n"
    );
    let checks = promptfoo(&world, &config).checks;
    assert_eq!((checks.same, checks.not), (2, 1));
}

#[test]
fn quoted_text_over_lines_needs_no_indentation_in_what_others_read() {
    let world = World::new();
    let config = "prompts:\n  - \"Be brief.\n\nNow answer: {{q}}\"\n  - 'Be kind.\n\n  Now answer: {{q}}'\ntests:\n- vars: { q: hello }\n  assert: [{ type: webhook }]\n";
    let imported = promptfoo(&world, config);
    assert_eq!(samples(&world, &imported)[0]["prompt"], "hello");
    assert_eq!(imported.files[0].text, "Be brief.\nNow answer:\n");
    let webhook = imported.differences.iter().find(|of| of.what == "`webhook`").unwrap();
    assert_eq!(webhook.place, "promptfooconfig.yaml:10");
    // Another fault has the place that it has.
    world.write("promptfooconfig.yaml", format!("{config}  x: [\n"));
    let told = lines(import(&world, "promptfooconfig.yaml"));
    assert!(told.contains("promptfooconfig.yaml:11"), "{told}");
}

#[test]
fn list_of_evals_keeps_its_assertions_and_unused_columns_are_listed() {
    let world = World::new();
    let evals = r#"[{"id": "a", "prompt": "Check", "expected_output": "It is fine.", "files": ["b.txt"], "assertions": ["contains 'fine'", "no 'broken'"]}]"#;
    world.write("evals.json", evals);
    let imported = import(&world, "evals.json").unwrap();
    assert_eq!((imported.format, imported.tests.partly), ("agent-skills", 1));
    let told = reasons(&imported).join("; ");
    assert!(told.contains("`files`") && told.contains("`expected_output`"), "{told}");
    assert_eq!(samples(&world, &imported)[0]["dimensions"]["criterion-2"], "no 'broken'");
    let columns = RowColumns::default();
    let tasks = load::import_benchmark(&world.context, Path::new("evals.json"), None, &columns, None, PROBE).unwrap();
    assert_eq!(tasks.value.format, "rows");
    world.write("rows.jsonl", "{\"question\": \"q\", \"answer\": \"a\", \"difficulty\": 3}\n".repeat(2));
    let imported = import(&world, "rows.jsonl").unwrap();
    let column = imported.differences.iter().find(|of| of.what == "`difficulty`").unwrap();
    assert_eq!((column.count, column.is_near), (2, false));
    let labels = "prompts: ['Say {{q}}']\ntests: [{ vars: { q: x }, metadata: { owner: ann }, assert: [{ type: contains, value: x, metric: M }] }]\n";
    let told = reasons(&promptfoo(&world, labels)).join("; ");
    assert!(told.contains("`metadata.owner`") && told.contains("`metric`"), "{told}");
}
#[test]
fn every_file_of_a_plugin_case_is_carried_over_or_named() {
    let world = World::new();
    world.write("evals/a/prompt.md", "Do it\n");
    world.write("evals/a/rubric.md", "The answer names Ada.\n");
    world.write("evals/a/input/name.txt", "Ada\n");
    world.write("evals/a/graders/check.sh", "exit 0\n");
    world.write("evals/a/README.md", "notes\n");
    world.write("evals/evals.json", r#"{"evals": []}"#);
    let imported = import(&world, "evals").unwrap();
    let mut named: Vec<&str> = imported.differences.iter().map(|of| of.what.as_str()).collect();
    named.sort_unstable();
    assert_eq!(named, ["`evals.json`", "`input`", "`rubric.md`", "grader `check.sh`"]);
    assert_eq!(counts(&imported), [0, 1, 0]);
    let file = imported.files.iter().find(|file| file.name == "eval-samples.yaml").unwrap();
    assert!(file.text.contains("names Ada"), "{}", file.text);
}

#[test]
fn evals_are_imported_by_their_folder_and_as_a_list() {
    let world = World::new();
    let list = json!([{"id": 1, "prompt": "p", "expectations": ["names Ada"]}]);
    world.write("plug/evals/evals.json", list.to_string());
    for path in ["plug", "plug/evals", "plug/evals/evals.json"] {
        let imported = import(&world, path).unwrap();
        assert_eq!((imported.format, imported.checks.same), ("agent-skills", 1), "{path}");
    }
}
