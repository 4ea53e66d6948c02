//! The page of a comparison as a file: what stands on it, and what others wrote can't do.

use eval_analysis::RunStatus;
use eval_format::{DimensionText, IncompleteReason, PartDifference, Report, SampleTexts};
use eval_message::Lang;
use eval_render::run_page::run_file;
use eval_spec::call::ToolCall;
use eval_spec::{Failure, Outcome};

use crate::world::{At, Came, World, facts};

const HOSTILE: &str = "</pre></style></script><script>alert(1)</script>\"><img src=x onerror=alert(1)>`[x](javascript:alert(1))`\u{202e}\u{1b}[31mred\u{0}\u{9b}31m@team ![i](//host)";

/// Better, worse and equal samples, one without an answer, one that wasn't run.
fn eventful() -> World {
    World::new(12, &["v1", "v2"], 2, |at| match (at.sample, at.variant) {
        (0, 1) => Came::Failed(Failure::Timeout),
        (1, 1) => facts(1, 4),
        (2, 1) => Came::Ended(Outcome::Refused),
        (3, 0) => facts(2, 4),
        (4, _) if at.repeat == 1 => facts(3, 4),
        _ => facts(4, 4),
    })
}

fn asked(text: &str) -> SampleTexts {
    let dimensions = vec![DimensionText { name: text.to_owned(), rubric: text.to_owned() }];
    SampleTexts { prompt: text.to_owned(), rubric: Some(text.to_owned()), dimensions }
}

fn page(report: &Report) -> String {
    run_file(report, Lang::En).unwrap()
}

/// The texts between tags, and the tags with the names of their attributes: values are quoted, and quotes in them escaped.
fn parts(page: &str) -> (String, String) {
    let body = page.split_once("<body>").unwrap().1.split_once("<script>").unwrap().0;
    let mut pieces = body.split('<');
    let (mut texts, mut tags) = (pieces.next().unwrap().to_owned(), String::new());
    for piece in pieces {
        let (tag, text) = piece.split_once('>').unwrap();
        let names: String = tag.split('"').step_by(2).collect::<Vec<_>>().join("…");
        tags.push_str(&format!("<{names}>"));
        texts.push_str(text);
    }
    (texts, tags)
}

/// By the time that it is read, another run may be the last one.
#[test]
fn advice_on_a_stored_run_names_it() {
    let mut world = eventful();
    world.ended = RunStatus::Incomplete { reason: IncompleteReason::Interrupted, detail: None };
    let report = world.report();
    let page = page(&report);
    assert!(page.contains(&format!("omk eval --resume {}", report.id)) && !page.contains("latest"), "{page}");
}

#[test]
fn rows_begin_with_what_fell_and_count_every_kind() {
    let mut report = eventful().report();
    report.results[1].texts = Some(asked("What does it cost?"));
    let page = page(&report);
    let (texts, _) = parts(&page);
    let at = |class: &str| page.find(&format!("class=\"row {class}\"")).unwrap_or_else(|| panic!("{class} in {page}"));
    assert!(at("worse") < at("doubt") && at("doubt") < at("better") && at("better") < at("equal"), "{page}");
    let pair = report.comparisons[0].pairs.iter().find(|pair| pair.diff < 0.0).unwrap();
    assert!(texts.contains(&format!("\u{2212}{:.2}", -pair.diff)), "{texts}");
    assert!(texts.contains("What does it cost?") && texts.contains("▼ 1 worse"), "{texts}");
    for (filter, count) in [("all", 12), ("worse", 1), ("better", 1), ("left-out", 2), ("wavering", 1), ("failed", 2)] {
        let button = page.split(&format!(r#"data-filter="{filter}""#)).nth(1).unwrap();
        let shown = button.split_once("<b>").unwrap().1.split_once("</b>").unwrap().0;
        assert_eq!(shown, count.to_string(), "{filter}");
        let rows = page
            .split("data-kinds=\"")
            .skip(1)
            .filter(|row| row.split('"').next().unwrap().split(' ').any(|of| of == filter));
        assert_eq!(rows.count(), count, "{filter}");
    }
}

#[test]
fn what_others_wrote_is_text_wherever_it_stands() {
    let mut world = eventful();
    for sample in &mut world.suite.samples {
        sample.metadata.capability = vec![HOSTILE.to_owned()];
    }
    for sample in 3..12 {
        for variant in 0..2 {
            let output = world.output(At { sample, variant, repeat: 0 });
            output.text = HOSTILE.to_owned();
            output.model = Some(HOSTILE.to_owned());
        }
    }
    let mut report = world.report();
    for result in &mut report.results {
        result.texts = Some(asked(HOSTILE));
        result.sample_id = format!("{HOSTILE}{}", result.sample_id);
        for of in result.variants.values_mut() {
            let call = serde_json::json!({"id": HOSTILE, "name": HOSTILE, "input": {"command": HOSTILE},
                "output": {"text": HOSTILE, "isError": true, "is_error": true, "note": null}});
            of.tool_calls.extend(serde_json::from_value::<ToolCall>(call).ok());
        }
    }
    report.meta.test_set.path = HOSTILE.to_owned();
    let page = page(&report);
    let (texts, tags) = parts(&page);
    for forbidden in ["<script", "<img", "onerror", "javascript:", "<iframe", "style=…", "src=…"] {
        assert!(!tags.contains(forbidden), "{forbidden}: {tags}");
    }
    assert_eq!(page.matches("<script>").count(), 1);
    assert_eq!(page.matches("</style>").count(), 1);
    assert!(texts.contains("⟦U+202E⟧") && texts.contains("⟦U+0000⟧"), "{texts}");
    let unseen = |c: char| c.is_control() && !"\n\t".contains(c) || ('\u{202a}'..='\u{202e}').contains(&c);
    assert_eq!(page.chars().find(|c| unseen(*c) && *c != '\u{1f}'), None);
}

#[test]
fn every_kind_of_report_has_a_page_without_holes() {
    let all = |came: fn(At) -> Came, samples: usize, variants: &[&str]| World::new(samples, variants, 1, came).report();
    let failed: fn(At) -> Came = |_| Came::Failed(Failure::Timeout);
    let even: fn(At) -> Came = |_| facts(4, 4);
    let mixed: fn(At) -> Came = |at| facts((at.sample + at.variant) % 5, 4);
    for report in [
        all(failed, 4, &["v1", "v2"]),
        all(even, 1, &["v1", "v2"]),
        all(even, 30, &["v1", "v2"]),
        all(mixed, 30, &["v1"]),
        all(mixed, 40, &["a", "b", "c", "d"]),
        all(mixed, 400, &["v1", "v2"]),
        eventful().report(),
    ] {
        for lang in [Lang::En, Lang::Zh] {
            let page = run_file(&report, lang).unwrap();
            let (texts, tags) = parts(&page);
            assert!(!texts.contains("NaN") && !tags.contains("NaN") && !tags.contains("inf%"), "{texts}");
            assert!(!texts.contains('{') && !texts.contains("page-"), "{texts}");
            assert!(page.contains("<section class=\"story "), "{tags}");
        }
    }
}

/// Many capabilities don't push the samples from the first screen; what fell most stays in sight.
#[test]
fn parts_beyond_seven_are_folded_and_the_worst_comes_first() {
    let mut report = eventful().report();
    let part = |at: u32| PartDifference {
        name: format!("skill {at}"),
        tasks: 3,
        n: 3,
        mean: Some(1.0 - f64::from(at) / 5.0),
        best: None,
        diff: None,
    };
    report.comparisons[0].capabilities = (0..10).map(part).collect();
    let page = page(&report);
    let (_, figure) = page.split_once("By layer and part</h2>").unwrap();
    let (shown, folded) = figure.split_once("</figure>").unwrap().0.split_once("<details>").unwrap();
    let rows = |svg: &str| svg.matches("class=\"p-figure\"").count();
    assert_eq!((rows(shown), rows(folded)), (7, 12 - 7), "{figure}");
    assert!(shown.contains("skill 9") && folded.contains("skill 0") && !folded.contains("skill 9"), "{figure}");
}
