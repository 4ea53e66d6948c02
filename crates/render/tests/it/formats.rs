//! A comparison's report in every format: what other programs read back is what the report says.

use std::collections::BTreeMap;

use eval_format::Report;
use eval_format::skills::SkillEvaluation;
use eval_message::Lang;
use eval_render::Show;
use eval_render::formats::{FORMATS, format_named, formats_of};
use eval_spec::{Failure, Layer, Outcome};
use quick_xml::events::Event;
use serde_json::{Value, json};

use crate::skills::one;
use crate::world::{At, Came, World, fact, facts};

fn rendered_in(report: &Report, format: &str, lang: Lang) -> String {
    let mut bytes = Vec::new();
    format_named::<Report>(format).unwrap().render(report, Show::file(lang), &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn rendered(report: &Report, format: &str) -> String {
    rendered_in(report, format, Lang::En)
}

/// Ten samples in which everything happens, two of them for infrastructure's sake.
fn eventful() -> World {
    let mut world = World::new(10, &["v1", "v2"], 1, |at| match (at.sample, at.variant) {
        (0, 1) | (1, 0) => Came::Failed(Failure::Timeout),
        (2, 0) => facts(4, 4),
        (2, 1) => facts(3, 4),
        (3, _) => facts(1, 4),
        (4, 1) => Came::Ended(Outcome::Refused),
        (5, variant) => facts(3 + variant, 4),
        (9, 1) => Came::NotRun,
        _ => facts(4, 4),
    });
    world.suite.samples[7].tripwire = true;
    world
}

/// A case as an XML parser sees it: name, and how it ended.
type Ends = BTreeMap<String, BTreeMap<String, String>>;

/// The cases of each suite; the counts that each suite states are checked on the way.
fn junit(text: &str) -> Ends {
    let mut reader = quick_xml::Reader::from_str(text);
    let (mut suites, mut suite, mut case) = (Ends::new(), String::new(), String::new());
    let mut stated: BTreeMap<String, [usize; 4]> = BTreeMap::new();
    loop {
        let event = reader.read_event().unwrap();
        let (Event::Start(tag) | Event::Empty(tag)) = &event else {
            if event == Event::Eof {
                break;
            }
            continue;
        };
        let attribute = |name: &str| {
            let found = tag.try_get_attribute(name).unwrap();
            found.map(|of| of.normalized_value(quick_xml::XmlVersion::Implicit1_0).unwrap().into_owned())
        };
        match tag.name().as_ref() {
            b"testsuite" => {
                suite = attribute("name").unwrap();
                suites.entry(suite.clone()).or_default();
                let count = |name| attribute(name).unwrap().parse().unwrap();
                stated.insert(suite.clone(), ["tests", "failures", "errors", "skipped"].map(count));
            }
            b"testcase" => {
                case = attribute("name").unwrap();
                suites.get_mut(&suite).unwrap().insert(case.clone(), "passed".to_owned());
            }
            end @ (b"failure" | b"error" | b"skipped") => {
                let end = format!("{} {}", String::from_utf8_lossy(end), attribute("type").unwrap());
                suites.get_mut(&suite).unwrap().insert(case.clone(), end);
            }
            _ => {}
        }
    }
    for (suite, [tests, failures, errors, skipped]) in stated {
        let ends: Vec<&String> = suites[&suite].values().collect();
        let of = |kind: &str| ends.iter().filter(|end| end.starts_with(kind)).count();
        assert_eq!(
            [ends.len(), of("failure"), of("error"), of("skipped")],
            [tests, failures, errors, skipped],
            "{suite}"
        );
    }
    suites
}

#[test]
fn every_format_has_its_own_name_and_a_description_in_both_languages() {
    let names: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
    assert_eq!(
        names,
        [
            "terminal",
            "json",
            "markdown",
            "junit",
            "csv",
            "jsonl",
            "html",
            "github",
            "github-annotations",
            "gitlab",
            "otel",
            "otel-logs",
            "atif"
        ]
    );
    for format in FORMATS {
        let [english, chinese] = [Lang::En, Lang::Zh].map(|lang| (format.about)().text(lang));
        assert!(english.is_ascii() && chinese != english, "{english} {chinese}");
    }
}

#[test]
fn a_format_that_a_kind_lacks_is_not_among_its_formats() {
    assert!(format_named::<SkillEvaluation>("atif").is_none());
    let atif = FORMATS.iter().find(|format| format.name == "atif").unwrap();
    let refused = atif.render(&one(Vec::new()), Show::file(Lang::En), &mut Vec::new());
    assert_eq!(refused.unwrap_err().kind(), std::io::ErrorKind::Unsupported);
}

#[test]
fn json_is_the_stored_document() {
    let world = eventful();
    assert_eq!(rendered(&world.report(), "json").as_bytes(), world.json());
}

#[test]
fn terminal_is_the_summary() {
    let report = eventful().report();
    assert_eq!(rendered(&report, "terminal"), eval_render::summary_text(&report, Show::file(Lang::En), None));
}

#[test]
fn junit_tells_what_fell_what_broke_and_what_says_nothing() {
    let report = eventful().report();
    let suites = junit(&rendered(&report, "junit"));
    assert_eq!(suites.keys().collect::<Vec<_>>(), ["v2", "verdict"]);
    let cases: Vec<(&str, &str)> = suites["v2"].iter().map(|(name, end)| (&**name, &**end)).collect();
    assert_eq!(
        cases,
        [
            ("s001", "error timeout"),
            ("s002", "error timeout"),
            ("s003", "failure regression"),
            ("s004", "failure threshold"),
            ("s005", "skipped excluded"),
            ("s006", "passed"),
            ("s007", "passed"),
            ("s008", "skipped tripwire"),
            ("s009", "passed"),
            ("s010", "skipped excluded"),
        ]
    );
    assert_eq!(suites["verdict"]["verdict"], "error INVALID");
}

#[test]
fn junit_of_a_verdict_passes_fails_and_breaks_as_the_exit_code_says() {
    let better = |better: usize| {
        World::new(24, &["v1", "v2"], 1, move |at: At| fact(at.variant == better || at.sample.is_multiple_of(4)))
    };
    for (world, end) in [(better(1), "passed"), (better(0), "failure REGRESS"), (eventful(), "error INVALID")] {
        let report = world.report();
        let code = report.verdict.exit_code;
        let page = rendered(&report, "junit");
        assert_eq!(junit(&page)["verdict"]["verdict"], end, "exit code {code}");
        assert_eq!(page.contains("name=\"tier\""), report.verdict.valid, "no tier without a verdict: {page}");
    }
}

#[test]
fn junit_of_a_variant_alone_holds_it_to_the_threshold() {
    let world = World::new(3, &["v1"], 1, |at| facts(at.sample * 2, 4));
    let suites = junit(&rendered(&world.report(), "junit"));
    let ends: Vec<&str> = suites["v1"].values().map(String::as_str).collect();
    assert_eq!(ends, ["failure threshold", "failure threshold", "passed"]);
}

/// The means that the report states follow from the rows: repeats first, then samples.
#[test]
fn csv_sums_to_the_report() {
    let world = World::new(6, &["v1", "v2", "v3"], 3, |at| match (at.sample, at.variant, at.repeat) {
        (0, 1, 2) => Came::Failed(Failure::Server),
        (1, 2, _) => Came::Ended(Outcome::Empty),
        _ => Came::To(vec![
            (Layer::Fact, 1.0, Some((at.sample + at.variant) % 3 > 0)),
            (Layer::Fact, 1.0, Some(at.repeat > 0)),
            (Layer::Behavior, 1.0, Some(at.variant == 1)),
        ]),
    });
    let report = world.report();
    let text = rendered(&report, "csv");
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows: Vec<BTreeMap<String, String>> = reader.deserialize().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 6 * 3 * 3);
    for (name, summary) in &report.summary {
        let of: Vec<_> = rows.iter().filter(|row| row["variant"] == *name).collect();
        let number = |row: &BTreeMap<String, String>, column: &str| row[column].parse::<f64>().ok();
        let mean = |column: &str| {
            let mut samples: BTreeMap<&String, Vec<f64>> = BTreeMap::new();
            for row in &of {
                samples.entry(&row["sample"]).or_default().extend(number(row, column));
            }
            let means: Vec<f64> = samples
                .values()
                .filter(|values| !values.is_empty())
                .map(|values| values.iter().sum::<f64>() / values.len() as f64)
                .collect();
            means.iter().sum::<f64>() / means.len() as f64
        };
        let near = |a: f64, b: Option<f64>| assert!((a - b.unwrap()).abs() < 1e-9, "{name}: {a} {b:?}");
        near(mean("composite"), summary.avg_composite_score);
        near(mean("fact"), summary.layers.fact.as_ref().unwrap().mean);
        near(mean("behavior"), summary.layers.behavior.as_ref().unwrap().mean);
        let cost = of.iter().filter(|row| row["cached"] == "false").filter_map(|row| number(row, "cost_usd")).sum();
        near(cost, Some(summary.known_cost_usd));
        let outcome = |word: &str| of.iter().filter(|row| row["outcome"] == word).count() as u64;
        let outcomes = summary.outcomes;
        assert_eq!(
            [outcome("answered"), outcome("failed"), outcome("empty")],
            [outcomes.answered, outcomes.failed, outcomes.empty]
        );
        let passed: u64 = of.iter().map(|row| row["checks_passed"].parse::<u64>().unwrap()).sum();
        assert_eq!(passed, summary.checks.passed);
    }
    assert!(rows.iter().all(|row| (row["role"] == "control") == (row["variant"] == "v1")));
}

#[test]
fn csv_leaves_what_is_not_known_empty() {
    let mut world = eventful();
    world.output(At { sample: 8, variant: 1, repeat: 0 }).cost = None;
    let text = rendered(&world.report(), "csv");
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows: Vec<BTreeMap<String, String>> = reader.deserialize().map(Result::unwrap).collect();
    let row = |sample: &str| rows.iter().find(|row| row["sample"] == sample && row["variant"] == "v2").unwrap();
    assert_eq!((&*row("s009")["cost_usd"], &*row("s008")["tripwire"]), ("", "true"));
    assert_eq!((&*row("s001")["composite"], &*row("s001")["failure"]), ("", "timeout"));
    assert_eq!(row("s010")["outcome"], "not-run");
}

/// Each cell of the CSV is the line's value, and no line lacks a key.
#[test]
fn json_lines_have_the_columns_of_the_csv_with_their_types_and_details_beside_them() {
    let report = eventful().report();
    let lines: Vec<serde_json::Map<String, Value>> =
        rendered(&report, "jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let table = rendered(&report, "csv");
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let rows: Vec<BTreeMap<String, String>> = reader.deserialize().map(Result::unwrap).collect();
    assert_eq!(lines.len(), rows.len());
    let keys: Vec<&String> = lines[0].keys().collect();
    for (line, row) in lines.iter().zip(&rows) {
        assert_eq!(line.keys().collect::<Vec<_>>(), keys);
        for (column, cell) in row {
            let plain = match &line[column] {
                Value::Null => String::new(),
                Value::String(text) => text.clone(),
                Value::Number(number) => number.as_f64().unwrap().to_string(),
                other => other.to_string(),
            };
            assert_eq!(plain, *cell, "{column}");
        }
    }
    let line = |sample: &str| lines.iter().find(|of| of["sample"] == sample && of["variant"] == "v2").unwrap();
    let answered = line("s003");
    let passed = answered["assertions"].as_array().unwrap().iter().filter(|of| of["passed"] == true).count();
    assert_eq!((passed, &answered["checks_passed"], &answered["checks"]), (3, &json!(3), &json!(4)));
    let of = &report.results.iter().find(|of| of.sample_id == "s003").unwrap().variants["v2"];
    assert_eq!((&answered["answer"], &answered["composite"]), (&json!(of.full_output), &json!(of.composite_score)));
    let failed = line("s001");
    assert_eq!([&failed["composite"], &failed["answer"], &failed["cluster"]], [&Value::Null; 3]);
    assert_eq!((&failed["failure"], &failed["outcome"]), (&json!("timeout"), &json!("failed")));
    assert_eq!((&line("s008")["tripwire"], &line("s010")["outcome"]), (&json!(true), &json!("not-run")));
}

/// The means of Inspect's logs are the report's, as shares.
#[test]
fn logs_of_inspect_have_a_task_for_each_variant_with_the_means_of_the_report() {
    let report = eventful().report();
    let folder = tempfile::tempdir().unwrap();
    let files = eval_render::inspect_logs::write(&report, &folder.path().join("logs")).unwrap();
    let logs: Vec<Value> =
        files.iter().map(|path| serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()).collect();
    assert_eq!(logs.iter().map(|log| &log["eval"]["task"]).collect::<Vec<_>>(), ["v1", "v2"]);
    for log in &logs {
        let task = log["eval"]["task"].as_str().unwrap();
        let summary = &report.summary[task];
        let samples = log["samples"].as_array().unwrap();
        let scores: Vec<f64> = samples.iter().filter_map(|of| of["scores"]["composite"]["value"].as_f64()).collect();
        let mean = scores.iter().sum::<f64>() / scores.len() as f64;
        let stated = &log["results"]["scores"][0];
        assert_eq!(
            (&stated["name"], stated["scored_samples"].as_u64().unwrap()),
            (&json!("composite"), summary.scored_samples)
        );
        for of in [mean, stated["metrics"]["mean"]["value"].as_f64().unwrap()] {
            assert!((1.0 + 4.0 * of - summary.avg_composite_score.unwrap()).abs() < 1e-9, "{task}: {of}");
        }
        let unscored = samples.len() as u64 - summary.scored_samples;
        assert_eq!(stated["unscored_samples"].as_u64().unwrap(), unscored);
        let errors = samples.iter().filter(|of| of["error"].is_object()).count() as u64;
        assert_eq!((errors, log["status"].as_str().unwrap()), (summary.outcomes.failed, "cancelled"));
        assert!(samples.iter().all(|of| of["id"] != "s008"), "a tripwire would count in Inspect's mean");
        assert_eq!(samples.iter().any(|of| of["id"] == "s010"), task == "v1", "what never ran is not there");
    }
    let again = eval_render::inspect_logs::write(&report, &folder.path().join("logs")).unwrap();
    assert_eq!(again, files);
    assert_eq!(std::fs::read_dir(folder.path().join("logs")).unwrap().count(), 2);
}

#[test]
fn names_of_inspects_logs_are_harmless_and_keep_variants_apart() {
    for text in HOSTILE {
        let folder = tempfile::tempdir().unwrap();
        let mut report = hostile(text);
        report.meta.timestamp = format!("2026-03-24T15:30:45/../{text}");
        let files = eval_render::inspect_logs::write(&report, folder.path()).unwrap();
        let names: std::collections::BTreeSet<&str> =
            files.iter().map(|path| path.file_name().unwrap().to_str().unwrap()).collect();
        assert_eq!(names.len(), 2, "{text}");
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        assert!(names.iter().all(|name| name.starts_with("20") && name.chars().all(is_plain)), "{names:?}");
        assert!(files.iter().all(|path| path.parent() == Some(folder.path())), "{text}");
    }
}

const HOSTILE: [&str; 9] = [
    "<script>alert(1)</script>",
    "\"onmouseover=\"alert(1)",
    "]]>&lt;</details>",
    "\u{202e}evil\u{2066}\nnext\r\n\n# line",
    "=HYPERLINK(\"http://x\")",
    "\u{0}\u{1b}[31m\u{fffe}\u{85}",
    "| a | [x](http://y) `code` ![i](http://z) @someone",
    "--><!--</style></title>{{ 7*7 }}",
    "`` ``` ` ~~~ **bold** \\",
];

/// The report with `text` in the place of the treatment's name, a sample's id, a model, a label and every answer.
fn hostile(text: &str) -> Report {
    let world = World::new(12, &["v1", "v2"], 1, |at| match (at.sample, at.variant) {
        (0, 1) => Came::Failed(Failure::Timeout),
        (1, 1) => Came::To(vec![(Layer::Fact, 1.0, None)]),
        _ => Came::To(vec![(Layer::Fact, 1.0, Some(at.sample % 3 == at.variant)), (Layer::Behavior, 1.0, Some(true))]),
    });
    let mut json = String::from_utf8(world.json()).unwrap();
    let written = serde_json::to_string(text).unwrap();
    for place in ["v2", "s003", "sonnet", "replay", "contains", "word 0", "report-missing-timeout"] {
        json = json.replace(&format!("\"{place}\""), &written);
    }
    for part in ["contains: word 0", "The answer of s005 v1 0", "eval-samples.yaml@0123abcd", "0.1.0"] {
        json = json.replace(part, &written[1..written.len() - 1]);
    }
    serde_json::from_str(&json).unwrap()
}

/// A page without its code spans, in which a reader of Markdown sees no markup.
fn without_code(page: &str) -> String {
    let mut bare = String::new();
    let mut chars = page.chars();
    while let Some(c) = chars.next() {
        // what is escaped is no markup either
        if c == '\\' { chars.next().into_iter().for_each(drop) } else { bare.push(c) }
    }
    bare.lines().map(|line| line.split('`').step_by(2).collect::<Vec<_>>().join("␀") + "\n").collect()
}

#[test]
fn markdown_of_hostile_texts_holds_no_markup_of_others() {
    for text in HOSTILE {
        for lang in [Lang::En, Lang::Zh] {
            let page = rendered_in(&hostile(text), "markdown", lang);
            assert!(page.lines().all(|line| line.replace("\\`", "").matches('`').count() % 2 == 0), "{page}");
            let bare = without_code(&page);
            let ours = ["<details>", "</details>", "<summary>", "</summary>"];
            let rest = ours.iter().fold(bare.clone(), |rest, tag| rest.replace(tag, ""));
            // a space behind it makes it a sign of comparison
            assert!(!rest.replace("< ", "").contains('<'), "{text}: {rest}");
            assert_eq!(bare.matches("<details>").count(), bare.matches("</details>").count(), "{text}");
            for markup in ["](", "**bold", "@someone", "\u{202e}", "\u{1b}", "\n# line", "http://", "![", "~~~"] {
                assert!(!rest.contains(markup), "{text}: {markup} in {rest}");
            }
            assert!(!page.contains(['\u{0}', '\u{1b}', '\u{202e}']), "{text}");
            tables_are_whole(&page);
        }
    }
}

/// Every row of a table has as many cells as its head.
fn tables_are_whole(page: &str) {
    let cells = |line: &str| line.replace("\\|", "").matches('|').count();
    let lines: Vec<&str> = page.lines().collect();
    let mut tables = 0;
    for pair in lines.windows(2).filter(|pair| pair[0].starts_with('|') && pair[1].starts_with('|')) {
        assert_eq!(cells(pair[0]), cells(pair[1]), "{pair:?}");
        tables += 1;
    }
    assert!(tables > 0, "{page}");
}

#[test]
fn junit_and_csv_of_hostile_texts_are_read_back() {
    for text in HOSTILE {
        let report = hostile(text);
        assert_eq!(junit(&rendered(&report, "junit")).len(), 2, "{text}");
        for format in ["junit", "csv", "gitlab", "github", "markdown"] {
            let turning = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{1b}');
            let page = rendered(&report, format);
            assert!(!page.contains(turning), "{format}: {page}");
            assert!(!text.contains('\u{202e}') || page.contains("⟦U+202E⟧"), "{format}: {page}");
        }
        let page = rendered(&report, "csv");
        let mut reader = csv::Reader::from_reader(page.as_bytes());
        let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        assert_eq!(rows.len(), 24, "{text}");
        let formulas = ['=', '+', '-', '@', '|', '%'];
        for cell in rows.iter().flatten().filter(|cell| cell.starts_with(formulas)) {
            assert!(cell.parse::<f64>().is_ok(), "{cell}");
        }
    }
}

#[test]
fn markdown_says_the_verdict_first_and_fits_a_comment() {
    let world = World::new(30, &["v1", "v2", "v3"], 2, |at| match (at.sample, at.variant) {
        (0, 1) => Came::Failed(Failure::Timeout),
        (1, 2) => Came::Ended(Outcome::Refused),
        _ => Came::To(vec![
            (Layer::Fact, 1.0, Some((at.sample + at.variant) % 4 > 0)),
            (Layer::Behavior, 1.0, Some(at.variant > 0 || at.sample % 2 == 0)),
        ]),
    });
    let report = world.report();
    let page = rendered(&report, "markdown");
    let lines: Vec<&str> = page.lines().collect();
    assert_eq!(lines[0], format!("## omk: {}", report.verdict.tier.name()));
    let folded: usize =
        page.split("<details>").skip(1).map(|fold| fold.split("</details>").next().unwrap().lines().count()).sum();
    assert!(lines.len() - folded <= 60, "{} lines, {folded} of them folded: {page}", lines.len());
    for comparison in &report.comparisons {
        let (mean, ci) = (comparison.diff.mean.unwrap(), comparison.diff.ci.unwrap());
        let row = lines.iter().find(|line| line.starts_with(&format!("- `{}` − `v1`", comparison.treatment))).unwrap();
        for number in [mean, ci.low, ci.high] {
            assert!(row.contains(&eval_message::number::signed(number).replace('-', "−")), "{number} in {row}");
        }
    }
    assert!(page.contains("the call timed out") && page.contains("the model declined to answer"), "{page}");
    tables_are_whole(&page);
}

#[test]
fn markdown_of_a_variant_alone_has_its_numbers() {
    let world = World::new(8, &["v1"], 1, |at| facts(at.sample % 5, 4));
    let report = world.report();
    let page = rendered(&report, "markdown");
    let summary = &report.summary["v1"];
    let (mean, ci) = (summary.avg_composite_score.unwrap(), summary.ci.unwrap());
    assert!(page.starts_with("## omk: SOLO") && page.contains("| `v1` |"), "{page}");
    for number in [mean, ci.low, ci.high] {
        assert!(page.lines().any(|line| line.starts_with("| ") && line.contains(&format!("{number:.2}"))), "{page}");
    }
}

#[test]
fn formats_for_programs_are_the_same_in_every_language_and_the_others_are_not() {
    let report = eventful().report();
    for format in formats_of::<Report>() {
        let same = rendered_in(&report, format.name, Lang::Zh) == rendered(&report, format.name);
        assert_eq!(
            same,
            matches!(format.name, "json" | "csv" | "jsonl" | "otel" | "otel-logs" | "atif"),
            "{}",
            format.name
        );
    }
}

#[test]
fn golden_markdown() {
    insta::assert_snapshot!(rendered(&eventful().report(), "markdown"));
}
