//! What goes to pull requests: the comment, the annotations, GitLab's findings; and the events of the evaluation.

use eval_format::Report;
use eval_message::Lang;
use eval_render::Show;
use eval_render::formats::format_named;
use eval_spec::{Failure, Layer, Outcome};
use serde_json::Value;

use crate::world::{At, Came, World, facts};

fn rendered(report: &Report, format: &str, lang: Lang) -> String {
    let mut bytes = Vec::new();
    format_named::<Report>(format).unwrap().render(report, Show::file(lang), &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// The treatment finds more, and much less on every sixth sample.
fn mixed(at: At) -> Came {
    let found = match (at.variant, at.sample % 6) {
        (0, _) => 3,
        (_, 5) => 0,
        (_, place) => 4 - usize::from(place == 4),
    };
    let mut checks: Vec<_> = (0..4).map(|i| (Layer::Fact, 1.0, Some(i < found))).collect();
    checks.push((Layer::Behavior, 1.0, Some(true)));
    Came::To(checks)
}

#[test]
fn comment_says_the_verdict_and_what_got_worse_first() {
    let report = World::new(24, &["v1", "v2"], 1, mixed).report();
    insta::assert_snapshot!("comment-en", rendered(&report, "github", Lang::En));
    insta::assert_snapshot!("comment-zh", rendered(&report, "github", Lang::Zh));
}

#[test]
fn alert_goes_with_the_tier() {
    let first = |world: &World| rendered(&world.report(), "github", Lang::En).lines().nth(1).unwrap().to_owned();
    let gain = |at: At| facts(if at.variant == 0 { 1 + at.sample % 2 } else { 4 }, 4);
    let mut invalid = World::new(24, &["v1", "v2"], 1, |at| if at.variant == 1 { Came::NotRun } else { gain(at) });
    invalid.ended =
        eval_analysis::RunStatus::Incomplete { reason: eval_format::IncompleteReason::BudgetExhausted, detail: None };
    let worlds = [
        ("> [!TIP]", World::new(24, &["v1", "v2"], 1, gain)),
        ("> [!CAUTION]", World::new(24, &["v1", "v2"], 1, |at| gain(At { variant: 1 - at.variant, ..at }))),
        ("> [!WARNING]", World::new(12, &["v1", "v2"], 1, gain)),
        ("> [!IMPORTANT]", World::new(4, &["v1", "v2"], 1, gain)),
        ("> [!NOTE]", World::new(64, &["v1", "v2"], 1, |_| facts(4, 4))),
        ("> [!TIP]", World::new(24, &["v1"], 1, |_| facts(4, 4))),
        ("> [!CAUTION]", World::new(24, &["v1"], 1, |_| facts(1, 4))),
        ("> [!CAUTION]", invalid),
    ];
    for (alert, world) in &worlds {
        assert_eq!(first(world), *alert);
    }
}

/// Lines outside of fences.
fn outside(comment: &str) -> Vec<&str> {
    let mut fence: Option<String> = None;
    let mut lines = Vec::new();
    for line in comment.lines() {
        let ticks: String = line.chars().take_while(|c| *c == '`').collect();
        match &fence {
            None if ticks.len() >= 3 => fence = Some(ticks),
            None => lines.push(line),
            Some(open) if ticks.len() >= open.len() && line.trim() == ticks => fence = None,
            Some(_) => {}
        }
    }
    assert_eq!(fence, None, "a fence is open: {comment}");
    lines
}

/// A line without the marks around a sample's name: what stands where, and a row's number.
fn without_marks(line: &str) -> String {
    let mut parts = line.split("<!-- omk:]s-");
    let first = parts.next().unwrap_or_default().replacen("<!-- omk:[ -->", "", 1);
    let rest =
        parts.map(|part| part.trim_start_matches(|c: char| c.is_ascii_digit()).strip_prefix(" -->").unwrap_or("-->"));
    std::iter::once(first.as_str()).chain(rest).collect()
}

#[test]
fn nothing_in_a_comment_is_born_from_an_answer_or_a_name() {
    let evil =
        "@octocat ![x](http://evil.example/x.png) <img src=x onerror=alert(1)> </details> #12 --> \u{202e}\u{1b}[2J";
    let names = ["v1`@octocat", "v2 --> @octocat | ![x](http://evil.example)"];
    let mut world = World::new(24, &names, 1, mixed);
    for (i, sample) in world.suite.samples.iter_mut().enumerate() {
        sample.id = format!("{evil} {i}");
        sample.assertions.iter_mut().for_each(|check| {
            check.written.insert("value".to_owned(), Value::String(evil.to_owned()));
        });
    }
    let ids: Vec<std::sync::Arc<str>> = world.suite.samples.iter().map(|sample| sample.id.as_str().into()).collect();
    for cell in &mut world.plan.cells {
        cell.key.sample = ids[cell.sample].clone();
    }
    for sample in 0..24 {
        for variant in 0..2 {
            let answers =
                [evil.repeat(4), "`".repeat(10_000), format!("```\n{evil}\n````\n{evil}"), "x".repeat(5_000_000)];
            world.output(At { sample, variant, repeat: 0 }).text = answers[sample % 4].clone();
        }
    }
    let report = world.report();
    for lang in [Lang::En, Lang::Zh] {
        let comment = rendered(&report, "github", lang);
        assert!(comment.lines().count() <= 60 && comment.len() <= 20_000, "{} bytes", comment.len());
        for line in outside(&comment) {
            let is_ours = line.starts_with("<!-- omk:") || line.starts_with("<details>") || line.starts_with("<sub>");
            let line = &without_marks(line);
            let plain: String = line.split('`').step_by(2).collect();
            let plain = plain.replace("\\]", "").replace("\\[", "").replace("\\:", "");
            for bad in ["![", "](http", "://", "<img", "onerror=alert(1)>", "\u{202e}", "\u{1b}"] {
                assert!(!plain.contains(bad), "{bad}: {line}");
            }
            assert!(is_ours || !plain.contains("-->"), "{line}");
            let mentions =
                plain.match_indices('@').filter(|(at, _)| plain[at + 1..].starts_with(char::is_alphanumeric));
            assert!(is_ours || mentions.count() == 0, "{line}");
        }
        let commands = rendered(&report, "github-annotations", lang);
        assert!(commands.lines().all(|line| line.starts_with("::") && line.matches("::").count() >= 2), "{commands}");
    }
}

#[test]
fn annotations_are_commands_with_escaped_properties() {
    let report = World::new(24, &["v1", "v2"], 1, mixed).report();
    let commands = rendered(&report, "github-annotations", Lang::En);
    let first = commands.lines().next().unwrap();
    assert!(first.starts_with("::error ") && first.contains("title=omk%3A "), "{first}");
    assert!(first.contains("%0A") && first.contains("95 %25 interval") == first.contains("95 %25"), "{first}");
    assert!(commands.lines().skip(1).all(|line| line.starts_with("::warning ")), "{commands}");
    assert_eq!(commands.lines().count(), 1 + report.comparisons[0].moved.worse.len());
}

#[test]
fn gitlab_gets_the_fields_of_code_quality() {
    let report = World::new(24, &["v1", "v2"], 1, mixed).report();
    let findings: Vec<Value> = serde_json::from_str(&rendered(&report, "gitlab", Lang::En)).unwrap();
    let mut fingerprints = std::collections::BTreeSet::new();
    for of in &findings {
        assert!(["info", "minor", "major", "critical", "blocker"].contains(&of["severity"].as_str().unwrap()));
        assert!(of["description"].is_string() && of["check_name"].is_string() && of["location"]["path"].is_string());
        assert!(of["location"]["lines"]["begin"].as_u64().unwrap() >= 1);
        assert!(fingerprints.insert(of["fingerprint"].as_str().unwrap()), "{of}");
    }
    assert_eq!(findings.len(), 1 + report.comparisons[0].moved.worse.len());
}

#[test]
fn evaluation_events_have_what_the_conventions_ask_for() {
    let world = World::new(3, &["v1", "v2"], 2, mixed);
    let report = world.report();
    let text = rendered(&report, "otel-logs", Lang::En);
    let traces = rendered(&report, "otel", Lang::En);
    let spans: Vec<Value> = traces.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let root = |line: &Value| line["resourceSpans"][0]["scopeSpans"][0]["spans"][0].clone();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((lines.len(), spans.len()), (12, 12), "one for each execution");
    for (line, span) in lines.iter().zip(&spans) {
        let records = line["resourceLogs"][0]["scopeLogs"][0]["logRecords"].as_array().unwrap();
        assert_eq!(records.len(), 6, "the composite and five checks");
        for record in records {
            let attribute = |key: &str| {
                record["attributes"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .find(|of| of["key"] == key)
                    .map(|of| of["value"].clone())
            };
            assert_eq!(record["eventName"], "gen_ai.evaluation.result");
            assert!(attribute("gen_ai.evaluation.name").unwrap()["stringValue"].is_string());
            let score = attribute("gen_ai.evaluation.score.value").map(|of| of["doubleValue"].is_number());
            let label = attribute("gen_ai.evaluation.score.label").map(|of| of["stringValue"].is_string());
            assert_eq!(score.or(label), Some(true), "a score or a label");
            assert_eq!((&record["traceId"], &record["spanId"]), (&root(span)["traceId"], &root(span)["spanId"]));
            assert!(record["timeUnixNano"].as_str().unwrap().parse::<u64>().unwrap() > 0);
        }
    }
}

#[test]
fn executions_without_a_score_have_an_event_that_says_why() {
    let world = World::new(12, &["v1", "v2"], 2, |at| match at.sample {
        0 => Came::Failed(Failure::RateLimited),
        1 => Came::Ended(Outcome::Refused),
        _ => mixed(at),
    });
    let text = rendered(&world.report(), "otel-logs", Lang::En);
    assert_eq!(text.lines().count(), 48, "one for each execution");
    let errors = |kind: &str| {
        text.matches(&format!("{{\"key\":\"error.type\",\"value\":{{\"stringValue\":\"{kind}\"}}}}")).count()
    };
    assert_eq!((errors("rate-limited"), errors("refused")), (4, 4), "{}", text.lines().next().unwrap());
    assert_eq!(text.matches("error.type").count(), 8);
}
