//! The formats: CSV and JUnit hold everything, and hostile text stays text.

use eval_format::skills::{EvaluationStatus, SkillEvaluation, TaskStatus};
use eval_message::Lang;
use eval_render::Show;
use eval_render::formats::{FormatSpec, file_formats, format_named};
use eval_render::skills::evaluation_text;
use serde_json::json;

use super::made::{ERROR, FAIL, HARNESS, Made, PASS, TIMEOUT, UNSCORED, eventful, one};

pub(crate) fn format(name: &str) -> &'static FormatSpec {
    format_named::<SkillEvaluation>(name).unwrap()
}

pub(crate) fn rendered(of: &SkillEvaluation, name: &str) -> String {
    rendered_in(of, name, Lang::En)
}

fn rendered_in(of: &SkillEvaluation, name: &str, lang: Lang) -> String {
    let mut bytes = Vec::new();
    format(name).render(of, Show::file(lang), &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

pub(crate) const HOSTILE: [&str; 8] = [
    "<script>alert(1)</script>",
    "\"onmouseover=\"alert(1)",
    "]]>&lt;",
    "\u{202e}evil\u{2066}",
    "=HYPERLINK(\"http://x\")",
    "\u{0}\u{1b}[31m\u{fffe}\u{85}",
    "| a | [x](http://y) `code` ![i](http://z) @someone",
    "--><!--</style></title>{{ 7*7 }}",
];

/// Every text of others is hostile, in turn.
pub(crate) fn hostile() -> SkillEvaluation {
    let mut of = eventful().evaluation();
    let mut next = HOSTILE.iter().cycle().map(|text| (*text).to_owned());
    let mut text = || next.next().unwrap();
    of.benchmark.name = text();
    of.benchmark.id = text();
    of.benchmark.version = text();
    of.benchmark.hash = text();
    of.notes = vec![text(), text()];
    of.tool_version = text();
    of.started_at = text();
    for skill in &mut of.skills {
        skill.skill_id = text();
        skill.skill_name = text();
        skill.skill_version = text();
        skill.description = text();
        skill.enforced = vec![text()];
        skill.not_enforced = vec![text()];
        let tags = std::mem::take(&mut skill.tag_results);
        skill.tag_results = tags.into_values().map(|tag| (text(), tag)).collect();
        for result in &mut skill.task_results {
            result.task_id = text();
            result.description = text();
            result.reason = Some(text());
            result.error = result.error.as_ref().map(|_| text());
            result.output = Some(json!({ text(): text() }));
            result.input = json!([text()]);
            result.expected = json!(text());
            result.stderr = Some(text());
            result.schema_mismatches = vec![text()];
            result.failed_attempts = vec![text()];
        }
    }
    if let Some(gate) = &mut of.gate {
        gate.failing = of.skills.iter().map(|skill| skill.skill_id.clone()).collect();
        gate.passed = false;
    }
    of.skills[0].task_results[0].output = Some(json!("x".repeat(1 << 20)));
    of
}

#[test]
fn csv_has_one_line_for_each_result() {
    let of = eventful().evaluation();
    let text = rendered(&of, "csv");
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let heads = reader.headers().unwrap().clone();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 3 * 3 * 20);
    let column = |name: &str| heads.iter().position(|head| head == name).unwrap();
    let passed = rows.iter().filter(|row| &row[column("skill")] == "weather_v2" && &row[column("status")] == "pass");
    assert_eq!(passed.count(), of.skills[1].counts.pass);
    assert_eq!(&rows[0][column("input")], "{\"n\":0}");
}

#[test]
fn no_cell_of_others_is_a_formula() {
    let mut of = one(vec![PASS; 9]);
    // one result for each text
    for (result, text) in of.skills[0].task_results.iter_mut().zip([
        "=1+1",
        "+1",
        "-1",
        "@SUM(A1)",
        "\t=1",
        "\r=1",
        " =1",
        "＝1",
        "\u{feff}=1",
    ]) {
        result.task_id = text.to_owned();
        result.output = Some(json!(-5));
    }
    let text = rendered(&of, "csv");
    for row in csv::Reader::from_reader(text.as_bytes()).records().map(Result::unwrap) {
        assert!(row[4].starts_with('\''), "{:?}", &row[4]);
        assert!(row.iter().any(|cell| cell == "-5"), "a number stays one");
    }
}

/// `cat` of a report obeys nobody.
#[test]
fn csv_holds_no_control_characters() {
    let mut of = one(vec![ERROR]);
    of.skills[0].task_results[0].error = Some("\u{1b}[31mred\u{7}\u{7f}\u{9b}2J\tand\nmore".to_owned());
    of.skills[0].task_results[0].stderr = Some("\u{1b}]0;title\u{7}".to_owned());
    let text = rendered(&of, "csv");
    assert!(!text.chars().any(|c| c.is_control() && !matches!(c, '\t' | '\r' | '\n')), "{text:?}");
    assert!(text.contains("␛[31mred␇␡\u{fffd}2J\tand\nmore") && text.contains("␛]0;title␇"), "{text}");
}

#[test]
fn junit_shows_what_was_not_run_what_is_unsound_and_the_gate() {
    let mut made = Made::of(vec![("good", vec![vec![PASS; 4]]), ("poor", vec![vec![PASS, FAIL]])]);
    made.gate = Some(0.8);
    let text = rendered(&made.evaluation(), "junit");
    assert!(text.contains("gate: good") && text.contains("gate: poor") && !text.contains("<error"), "{text}");
    assert_eq!(text.matches(r#"type="gate""#).count(), 1, "{text}");
    made.status = EvaluationStatus::Interrupted;
    let text = rendered(&made.evaluation(), "junit");
    assert_eq!(text.matches(r#"type="gate""#).count(), 2, "{text}");
    assert!(
        text.contains(r#"type="incomplete""#) && text.contains("2 of 4 results were planned and not run"),
        "{text}"
    );
    let unsound = one(vec![PASS, PASS, UNSCORED]);
    let text = rendered(&unsound, "junit");
    assert!(text.contains(r#"type="unsound""#) && text.contains(r#"name="unsound" value="true""#), "{text}");
    assert!(!rendered(&one(vec![PASS]), "junit").contains("eval-skills\""));
}

/// Every format says the same of an evaluation that says little.
#[test]
fn every_format_says_that_it_is_interrupted_unsound_and_refused() {
    let mut made = Made::of(vec![("good", vec![vec![PASS, PASS, UNSCORED]])]);
    (made.gate, made.status) = (Some(0.5), EvaluationStatus::Interrupted);
    let of = made.evaluation();
    let json = serde_json::to_value(&of).unwrap();
    assert_eq!((&json["unsound"], &json["gate"]["passed"]), (&json!(true), &json!(false)));
    assert_eq!(json["gate"]["reasons"], json!(["uncounted"]));
    for text in [
        rendered(&of, "markdown"),
        rendered(&of, "html").replace('\u{a0}', " "),
        rendered(&of, "junit"),
        evaluation_text(&of, Lang::En, 400, false),
    ] {
        for said in
            ["the evaluation is incomplete", "more than 5.0 % could not be counted, so", "gate refused: more than"]
        {
            assert!(text.contains(said), "{said}: {text}");
        }
    }
}

#[test]
fn the_gate_shows_as_many_decimals_as_it_takes() {
    let mut made = Made::of(vec![("good", vec![vec![PASS, PASS, FAIL]])]);
    made.gate = Some(0.6667);
    let text = evaluation_text(&made.evaluation(), Lang::En, 200, false);
    assert!(text.contains("below 66.670 %: good (66.667 %)"), "{text}");
}

#[test]
fn junit_tells_failures_errors_and_skipped_apart() {
    let of = one(vec![PASS, FAIL, ERROR, TIMEOUT, UNSCORED, HARNESS]);
    let text = rendered(&of, "junit");
    assert!(
        text.contains(r#"<testsuite name="adder" tests="6" disabled="1" errors="3" failures="1">"#)
            || text.contains(r#"errors="3" failures="1""#),
        "{text}"
    );
    assert_eq!(text.matches("<failure").count(), 1);
    assert_eq!(text.matches("<error").count(), 4, "three results, and that the evaluation is unsound");
    assert_eq!(text.matches("<skipped").count(), 1);
    assert!(text.contains(r#"type="timeout""#) && text.contains(r#"type="harness_error""#));
}

#[test]
fn junit_is_well_formed_whatever_stands_in_it() {
    let text = rendered(&hostile(), "junit");
    let mut depth = 0_i32;
    // a reader of its own: tags nest, no bare `<` or `&`, only characters that XML allows
    let mut rest = text.split_once("?>").unwrap().1;
    while let Some(at) = rest.find('<') {
        let (before, tag) = rest.split_at(at);
        assert!(before.split('&').skip(1).all(|entity| entity.contains(';')), "{before}");
        let end = tag.find('>').unwrap();
        let inside = &tag[1..end];
        depth += if inside.starts_with('/') { -1 } else { i32::from(!inside.ends_with('/')) };
        assert!(!inside.contains('<') && depth >= 0);
        rest = &tag[end + 1..];
    }
    assert_eq!(depth, 0);
    let allowed =
        |c: char| matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
    assert!(text.chars().all(allowed));
    assert!(text.len() < 3 << 20, "a megabyte of output is cut");
}

#[test]
fn markdown_is_what_it_says_and_hostile_text_stays_text() {
    let text = rendered(&eventful().evaluation(), "markdown");
    assert!(text.starts_with("# A benchmark\n"), "{text}");
    assert!(text.contains("| weather_v1 | 1.0.0 |"), "{text}");
    let hostile = rendered(&hostile(), "markdown");
    for markup in ["<script", "](http", "`code`", "@someone", "\u{202e}", "\u{1b}", "<!--"] {
        let bare = hostile.match_indices(markup).find(|(at, _)| !hostile[..*at].ends_with('\\'));
        assert!(bare.is_none(), "{markup}: {bare:?}");
    }
    let tables = hostile.lines().filter(|line| line.starts_with('|'));
    let columns = |line: &str| line.replace("\\|", "").matches('|').count();
    assert!(tables.map(columns).all(|columns| [12, 8, 7].contains(&columns)), "no cell breaks its table");
}

/// What a forge reads in the page that it rendered; `\u{200b}` ends a word there, and backslashes are gone.
#[test]
fn markdown_refers_to_nothing() {
    let mut of = one(vec![FAIL]);
    let told = |of: &mut SkillEvaluation, text: &str| {
        of.skills[0].task_results[0].reason = Some(format!("see {text} there"));
        let page = rendered(of, "markdown");
        let row = page.lines().find(|line| line.contains("see ")).unwrap();
        let why = row.split("see ").nth(1).unwrap().split(" there").next().unwrap();
        why.replace('\\', "").replace("&#64;", "@").replace("&amp;", "&")
    };
    for (text, broken) in [
        ("www.evil.com", "www|.evil.com"),
        ("WWW.evil.com", "WWW|.evil.com"),
        ("a@evil.com", "a@|evil.com"),
        ("@someone", "@|someone"),
        ("owner/repo#12", "owner/repo#|12"),
        ("GH-12", "GH-|12"),
        ("gh-12", "gh-|12"),
        ("!12 %12 &12", "!|12 %|12 &|12"),
        ("16c999e8c71134401a78d4d46435517b2271d6ac", "1|6c999e8c71134401a78d4d46435517b2271d6ac"),
        ("0beec7b", "0|beec7b"),
        ("20260301-120000 feedback facade 12", "20260301-120000 feedback facade 12"),
    ] {
        assert_eq!(told(&mut of, text), broken.replace('|', "\u{200b}"), "{text}");
    }
    assert!(
        rendered(
            &{
                told(&mut of, "https://evil.com");
                of
            },
            "markdown"
        )
        .contains("https\\://evil.com")
    );
}

#[test]
fn json_and_csv_are_the_same_in_every_language_and_the_others_are_not() {
    let of = eventful().evaluation();
    let in_chinese = |name| rendered_in(&of, name, Lang::Zh);
    for name in file_formats().map(|format| format.name) {
        let same = in_chinese(name) == rendered(&of, name);
        assert_eq!(same, matches!(name, "json" | "csv" | "jsonl"), "{name}");
    }
    assert!(in_chinese("markdown").contains("完成率"));
    assert_eq!(of.skills[0].task_results[0].status, TaskStatus::Fail);
}

#[test]
fn markdown_and_html_say_the_same_of_what_held_a_skill() {
    let mut of = eventful().evaluation();
    of.skills[0].enforced = vec!["process-group".to_owned()];
    of.skills[0].not_enforced = vec!["landlock".to_owned()];
    for format in ["markdown", "html"] {
        let text = rendered(&of, format);
        for said in ["held by: process-group", "asked for, not enforced: landlock", "2 more where the connection fails"]
        {
            assert!(text.contains(said), "{format} lacks {said}");
        }
    }
}

#[test]
fn settings_are_shown_as_they_were_typed_and_a_missing_version_leaves_no_gap() {
    let mut of = eventful().evaluation();
    of.benchmark.version = String::new();
    of.benchmark.tasks = 1;
    of.settings.timeout_ms = 30_000;
    for format in ["markdown", "html"] {
        let text = rendered(&of, format);
        assert!(text.contains("30 s a task") && !text.contains("30.0 s"), "{format}");
        assert!(text.contains(", 1 task ") && !text.contains(" , 1 task"), "{format}");
    }
}

#[test]
fn html_shows_no_backticks_of_our_own() {
    let mut of = eventful().evaluation();
    of.unsound = true;
    of.status = EvaluationStatus::Interrupted;
    of.notes = vec!["`calc`: 1 result".to_owned()];
    of.incomplete_reason = Some("see `x`".to_owned());
    for lang in [Lang::En, Lang::Zh] {
        let page = rendered_in(&of, "html", lang);
        let at = page.match_indices('`').map(|(at, _)| page[..at].chars().rev().take(60).collect::<Vec<_>>());
        let shown: Vec<String> = at.map(|before| before.into_iter().rev().collect()).collect();
        assert!(shown.is_empty(), "{lang:?}: {shown:#?}");
    }
}

#[test]
fn markdown_and_html_have_the_sum_of_the_tokens() {
    let mut of = eventful().evaluation();
    for result in &mut of.skills[0].task_results {
        result.tokens = None;
    }
    of.skills.truncate(1);
    for format in ["markdown", "html"] {
        assert!(!rendered(&of, format).contains("Tokens: "), "{format}: nothing is known");
    }
    of.skills[0].task_results[0].tokens = Some(1200);
    of.skills[0].task_results[1].tokens = Some(34);
    for format in ["markdown", "html"] {
        assert!(rendered(&of, format).contains("Tokens: 1234 in all, over the 2 results that report them"), "{format}");
    }
}
