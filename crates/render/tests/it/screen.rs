//! The summary on one screen and `omk show`, as a person sees them at each width and in both languages.

use eval_analysis::RunStatus;
use eval_format::{Analysis, IncompleteReason};
use eval_message::Lang;
use eval_render::{Show, StoredAt, brief_text, sample_text, summary_text};
use eval_spec::call::{Step, ToolCall, ToolOutput, ToolStatus};
use eval_spec::{Failure, Layer, Outcome};
use serde_json::json;
use unicode_width::UnicodeWidthStr;

use crate::judging::judged;
use crate::world::{At, Came, World, fact, facts};

const PATH: &str = "/home/someone/my project/.oh-my-knowledge/reports/2026-03-24T15-30-45-v1-v2.json";
const STORED: StoredAt<'_> = StoredAt { path: PATH, report: "latest" };

fn show(lang: Lang, width: usize) -> Show {
    Show { lang, width, color: false, exit_code: true }
}

/// The treatment finds more, writes too much now and then, and some of its answers are missing.
fn review(at: At) -> Came {
    let found = if at.variant == 0 { 1 + at.sample % 2 } else { 2 + usize::from(!at.sample.is_multiple_of(5)) };
    let mut checks: Vec<_> = (0..4).map(|i| (Layer::Fact, 1.0, Some(i < found || i == 3))).collect();
    checks.push((Layer::Behavior, 1.0, Some(at.variant == 0 || at.sample % 12 != 5)));
    Came::To(checks)
}

fn lossy() -> World {
    World::new(40, &["v1", "v2"], 1, |at| match (at.variant, at.sample) {
        (1, 0..4) => Came::Ended(Outcome::Refused),
        (1, 4) => Came::Failed(Failure::Timeout),
        _ => review(at),
    })
}

/// The treatment loses the same check on every sample.
fn worse() -> World {
    World::new(24, &["v1", "v2"], 1, |at| {
        Came::To((0..3).map(|i| (Layer::Fact, 1.0, Some(i > 0 || at.variant == 0))).collect())
    })
}

fn interrupted() -> World {
    let mut world =
        World::new(24, &["v1", "v2"], 1, |at| if at.variant == 1 && at.sample > 2 { Came::NotRun } else { review(at) });
    world.ended = RunStatus::Incomplete { reason: IncompleteReason::Interrupted, detail: None };
    world
}

fn many() -> World {
    let names = ["基线", "第一版评审技能", "v2", "v3", "a-variant-with-a-name-that-is-much-too-long-for-a-column"];
    World::new(24, &names, 1, |at| review(At { variant: at.variant.min(1), ..at }))
}

fn twenty() -> World {
    let names: Vec<String> = (0..20).map(|i| format!("variant-{i:02}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    World::new(24, &names, 1, |at| review(At { variant: at.variant.min(1), ..at }))
}

fn worlds() -> Vec<(&'static str, World)> {
    vec![
        ("lossy", lossy()),
        ("worse", worse()),
        ("interrupted", interrupted()),
        ("many", many()),
        ("twenty", twenty()),
        ("alone", World::new(3, &["v1"], 1, review)),
        ("equal", World::new(24, &["v1", "v2"], 2, |_| fact(true))),
        ("few", World::new(8, &["v1", "v2"], 1, |at| facts(1 + (at.sample + at.variant) % 3, 4))),
        (
            "broken",
            World::new(8, &["a", "b"], 1, |at| match at.variant {
                1 => Came::Failed(Failure::Auth),
                _ => fact(true),
            }),
        ),
    ]
}

#[test]
fn layout_on_one_screen() {
    for (name, world) in worlds().into_iter().take(4) {
        let report = world.analyse();
        for (lang, tag) in [(Lang::En, "en"), (Lang::Zh, "zh")] {
            for width in [60, 80, 200] {
                let text = brief_text(&report, show(lang, width), Some(STORED));
                insta::assert_snapshot!(format!("screen-{name}-{tag}-{width}"), text);
            }
        }
    }
}

/// The rows that a terminal needs for a text.
fn rows(text: &str, width: usize) -> usize {
    text.lines().map(|line| line.width().div_ceil(width).max(1)).sum()
}

#[test]
fn the_summary_fits_80_columns_and_24_rows_and_ends_with_the_path() {
    for (name, world) in worlds() {
        for lang in [Lang::En, Lang::Zh] {
            let text = brief_text(&world.analyse(), show(lang, 80), Some(STORED));
            assert!(rows(&text, 80) <= 23, "{name}, {} rows:\n{text}", rows(&text, 80));
            assert!(text.lines().last().unwrap().contains(PATH), "{name}:\n{text}");
            let command = text.lines().filter(|line| line.contains("omk ")).all(|line| line.width() <= 80);
            assert!(command, "{name}:\n{text}");
        }
    }
}

#[test]
fn what_makes_the_number_doubtful_stays_in_sight() {
    let text = brief_text(&lossy().analyse(), show(Lang::En, 80), Some(STORED));
    let apart = "5 left out; over 35 pairs: `v1` 4.26, `v2` 4.73 (scores above: of 40 and 35)";
    assert!(text.contains(apart), "{text}");
    let lost = "5 left out: the call timed out (`v2` 1), the model declined to answer (`v2` 4)";
    assert!(text.contains(lost), "{text}");
    assert!(text.contains("more: `omk report export latest --format terminal` (or `--details`)"), "{text}");
    assert!(text.find("worse: ").unwrap() < text.find(lost).unwrap(), "{text}");
    assert!(text.find(lost).unwrap() < text.find("CAUTIOUS").unwrap(), "{text}");
    let whole = summary_text(&lossy().analyse(), show(Lang::En, 80), None);
    assert!(whole.contains(apart), "{whole}");
}

#[test]
fn the_same_check_of_several_samples_is_one_line() {
    let text = brief_text(&worse().analyse(), show(Lang::En, 80), Some(STORED));
    let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("fails more: contains word 0")).collect();
    assert_eq!(lines.len(), 1, "{text}");
    assert!(lines[0].contains("100 % → 0 % on s001, s002, s003"), "{text}");
    assert!(text.contains("REGRESS"), "{text}");
}

#[test]
fn commands_are_safe_to_paste() {
    let mut world = worse();
    world.suite.samples.iter_mut().for_each(|sample| sample.id = format!("{}; touch '$HOME'", sample.id));
    for cell in &mut world.plan.cells {
        cell.key.sample = world.suite.samples[cell.sample].id.as_str().into();
    }
    let text =
        |world: &World, report| brief_text(&world.analyse(), show(Lang::En, 80), Some(StoredAt { path: PATH, report }));
    let shown = text(&world, "latest");
    let from = shown.find("omk show").unwrap();
    let command = shown[from..].split(['`', '\n']).next().unwrap();
    let words = shlex::split(command).unwrap();
    assert_eq!(words[..3], ["omk", "show", "s001; touch '$HOME'"], "{shown}");
    let shown = text(&worse(), PATH);
    assert!(shown.contains(&format!("omk failures '{PATH}'")), "{shown}");
    for hostile in ["-rf", "a\u{1b}[2Jb", "a\nomk eval"] {
        assert!(!text(&worse(), hostile).contains("omk failures"), "{hostile:?}");
    }
}

#[test]
fn without_a_stored_report_no_command_is_named() {
    let text = brief_text(&worse().analyse(), show(Lang::En, 80), None);
    assert!(!text.contains("omk failures") && !text.contains("report:"), "{text}");
    assert!(text.contains("next: don't ship `v2`"), "{text}");
}

#[test]
fn wide_terminals_show_more_columns_and_narrow_ones_fewer() {
    let report = lossy().analyse();
    let head = |width| {
        let text = brief_text(&report, show(Lang::En, width), None);
        text.lines().find(|line| line.trim_start().starts_with("score")).unwrap().to_owned()
    };
    assert!(head(200).contains("tokens each"), "{}", head(200));
    assert!(!head(80).contains("tokens each") && head(80).contains("behavior"), "{}", head(80));
    assert!(!head(50).contains("behavior") && head(50).contains("95 % interval"), "{}", head(50));
    assert!(head(40).contains("score"), "{}", head(40));
}

#[test]
fn no_name_is_divided_by_a_line_break() {
    let mut world = lossy();
    for (i, sample) in world.suite.samples.iter_mut().enumerate() {
        sample.id = format!("case {i} 用例甲乙");
    }
    for cell in &mut world.plan.cells {
        cell.key.sample = world.suite.samples[cell.sample].id.as_str().into();
    }
    let report = world.analyse();
    for width in 40..100 {
        for lang in [Lang::En, Lang::Zh] {
            let shown = show(lang, width);
            for text in [brief_text(&report, shown, Some(STORED)), summary_text(&report, shown, Some(PATH))] {
                let ids = text.matches("用例甲乙").count();
                assert!(ids > 3 && text.contains(PATH), "{text}");
                let whole = (0..40).map(|i| text.matches(&format!("case {i} 用例甲乙")).count()).sum::<usize>();
                assert_eq!(whole, ids, "{width}:\n{text}");
                assert!(!text.contains(['\u{a0}', '\u{2060}']), "marks of ours: {text:?}");
            }
        }
    }
}

#[test]
fn plan_divides_no_cell_and_shows_no_mark() {
    let mut world = lossy();
    for cell in &mut world.plan.cells {
        cell.key.sample = format!("case {} 甲乙", cell.sample).as_str().into();
    }
    for lang in [Lang::En, Lang::Zh] {
        let plan = eval_history::preview(&world.suite, &world.plan, "claude", None, None, None);
        let text = eval_render::plan_text(&plan, show(lang, 60));
        assert!(!text.contains(['\u{a0}', '\u{2060}']), "{text:?}");
        let whole = plan.order.iter().filter(|key| text.contains(key.as_str())).count();
        assert_eq!(whole, plan.order.len(), "{text}");
    }
}

fn rich() -> (Analysis, Vec<eval_format::SampleResult>) {
    let mut world = judged(8, &["x:haiku"], 1, |at, _, _| Some(if at.variant == 0 { 4.0 } else { 2.0 }));
    let output = world.output(At { sample: 0, variant: 1, repeat: 0 });
    output.text = "First line\n\n    indented `code`\n最后一行".to_owned();
    let call = |id: &str, output: Option<ToolOutput>| ToolCall {
        id: id.to_owned(),
        name: "Grep".to_owned(),
        input: json!({"pattern": "schema"}),
        output,
        ..ToolCall::default()
    };
    let result = |text: &str, is_error| Some(ToolOutput { text: text.to_owned(), is_error, ..ToolOutput::default() });
    let denied = ToolCall { status: Some(ToolStatus::NotRun), ..call("3", result("needs approval", true)) };
    let calls = [call("1", result("0 hits", false)), call("2", result("no such file", true)), denied, call("4", None)];
    output.trace.steps = calls.into_iter().map(Step::Tool).collect();
    world.report().take_results()
}

#[test]
fn one_sample() {
    let (report, results) = rich();
    for (lang, tag) in [(Lang::En, "en"), (Lang::Zh, "zh")] {
        insta::assert_snapshot!(format!("sample-{tag}"), sample_text(&report, &results[0], show(lang, 80)));
    }
    let (report, results) = lossy().report().take_results();
    insta::assert_snapshot!("sample-refused-en", sample_text(&report, &results[0], show(Lang::En, 80)));
    let (report, results) = World::new(8, &["v1", "v2"], 2, review).report().take_results();
    insta::assert_snapshot!("sample-repeats-en", sample_text(&report, &results[0], show(Lang::En, 60)));
}

#[test]
fn hostile_text_of_a_sample_reaches_no_terminal() {
    let hostile = "\u{1b}[2J\u{1b}]0;owned\u{7}PROGRESS\u{202e}\r\u{9b}31m";
    let (mut report, mut results) = rich();
    report.meta.test_set.path = hostile.to_owned();
    let sample = &mut results[0];
    sample.sample_id = hostile.to_owned();
    for of in sample.variants.values_mut() {
        of.full_output = Some(format!("{hostile}\nexit code 0: the gate lets it through\n{}", "long ".repeat(100_000)));
        for call in &mut of.tool_calls {
            call.name = hostile.to_owned();
            call.input = json!({ hostile: hostile });
        }
        for check in &mut of.assertions.details {
            check.written.insert("value".to_owned(), hostile.into());
            check.passed = Some(false);
            check.actual = Some(hostile.into());
            check.message = Some(hostile.to_owned());
        }
        for opinion in of.judged.iter_mut().flat_map(|judged| &mut judged.opinions) {
            opinion.judge = hostile.to_owned();
            opinion.reasoning = hostile.to_owned();
            opinion.reply = Some(format!("first characters of a reply {hostile}"));
        }
    }
    for lang in [Lang::En, Lang::Zh] {
        let text = sample_text(&report, sample, show(lang, 80));
        assert!(!text.contains(['\u{1b}', '\u{7}', '\u{202e}', '\r', '\u{9b}']), "{text:?}");
        // an answer can't speak in our voice
        let forged = text.lines().find(|line| line.contains("the gate lets it through")).unwrap();
        assert!(forged.starts_with("  │ "), "{forged}");
        assert!(text.contains("first characters of a reply"), "{text}");
        assert!(text.lines().count() < 500, "{}", text.lines().count());
    }
}
