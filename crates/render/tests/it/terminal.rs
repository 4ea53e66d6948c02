//! The summary for a terminal, as a person sees it.

use eval_analysis::RunStatus;
use eval_format::IncompleteReason;
use eval_history::by_key::GroupOfScores;
use eval_history::{CostEstimate, GroupedScores, GroupingKey, PlannedPower, PlannedTreatment, preview};
use eval_message::{Lang, msg};
use eval_render::{Show, by_key_text, plan_text, summary_text};
use eval_spec::{ExecError, Failure, Layer, Outcome};
use unicode_width::UnicodeWidthStr;

use crate::world::{At, Came, World, fact, facts};

fn show(lang: Lang) -> Show {
    Show { lang, width: 80, color: false, exit_code: true }
}

fn text(world: &World, lang: Lang) -> String {
    summary_text(&world.analyse(), show(lang), Some("reports/2026-03-24T15-30-45-v1-v2.json"))
}

/// Fact and behaviour checks; the treatment finds more, and now and then writes too much.
fn review(at: At) -> Came {
    let found = if at.variant == 0 { 1 + at.sample % 2 } else { 2 + usize::from(!at.sample.is_multiple_of(5)) };
    let mut checks: Vec<_> = (0..4).map(|i| (Layer::Fact, 1.0, Some(i < found || i == 3))).collect();
    checks.push((Layer::Behavior, 1.0, Some(at.variant == 0 || at.sample % 12 != 5)));
    Came::To(checks)
}

#[test]
fn progress() {
    let world = World::new(24, &["v1", "v2"], 1, review);
    insta::assert_snapshot!("progress-en", text(&world, Lang::En));
    insta::assert_snapshot!("progress-zh", text(&world, Lang::Zh));
}

#[test]
fn cautious() {
    let mut world = World::new(40, &["v1", "v2"], 1, |at| match (at.variant, at.sample) {
        (1, 0..4) => Came::Ended(Outcome::Refused),
        (1, 4) => Came::Failed(Failure::Timeout),
        _ => review(at),
    });
    let at = At { sample: 20, variant: 0, repeat: 0 };
    world.record(at).execution.failed_attempts =
        vec![ExecError::new(Failure::RateLimited, msg!("report-missing-rate-limited"))];
    world.record(at).execution.cached = true;
    insta::assert_snapshot!("cautious-en", text(&world, Lang::En));
    insta::assert_snapshot!("cautious-zh", text(&world, Lang::Zh));
}

#[test]
fn regress() {
    let world = World::new(20, &["v1", "v2"], 2, |at| review(At { variant: 1 - at.variant, ..at }));
    insta::assert_snapshot!("regress-en", text(&world, Lang::En));
    insta::assert_snapshot!("regress-zh", text(&world, Lang::Zh));
}

#[test]
fn underpowered() {
    let world = World::new(8, &["v1", "v2"], 1, |at| facts(1 + (at.sample + at.variant) % 3, 4));
    insta::assert_snapshot!("underpowered-en", text(&world, Lang::En));
    insta::assert_snapshot!("underpowered-zh", text(&world, Lang::Zh));
}

#[test]
fn noise() {
    let world = World::new(24, &["v1", "v2"], 1, |_| fact(true));
    insta::assert_snapshot!("noise-en", text(&world, Lang::En));
    insta::assert_snapshot!("noise-zh", text(&world, Lang::Zh));
}

#[test]
fn no_verdict() {
    let mut world = World::new(24, &["v1", "v2"], 1, |at| match (at.variant, at.sample) {
        (1, 3..) => Came::NotRun,
        _ => review(at),
    });
    world.ended = RunStatus::Incomplete { reason: IncompleteReason::Interrupted, detail: None };
    insta::assert_snapshot!("no-verdict-en", text(&world, Lang::En));
    insta::assert_snapshot!("no-verdict-zh", text(&world, Lang::Zh));
}

#[test]
fn solo() {
    let world = World::new(3, &["v1"], 1, review);
    insta::assert_snapshot!("solo-en", text(&world, Lang::En));
    insta::assert_snapshot!("solo-zh", text(&world, Lang::Zh));
}

#[test]
fn many_treatments() {
    let names = ["基线", "第一版评审技能", "v2", "v3", "a-variant-with-a-name-that-is-much-too-long-for-a-column"];
    let world = World::new(24, &names, 1, |at| review(At { variant: at.variant.min(1), ..at }));
    insta::assert_snapshot!("many-en", text(&world, Lang::En));
    insta::assert_snapshot!("many-zh", text(&world, Lang::Zh));
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    let worlds = [
        World::new(24, &["v1", "v2"], 1, review),
        World::new(8, &["基线", "第一版评审技能"], 2, |at| facts((at.sample + at.variant) % 4, 4)),
        World::new(8, &["a", "b"], 1, |at| if at.variant == 1 { Came::Failed(Failure::Auth) } else { fact(true) }),
    ];
    for world in worlds {
        for lang in [Lang::En, Lang::Zh] {
            for width in [60, 80, 120] {
                let shown = summary_text(&world.analyse(), Show { width, ..show(lang) }, None);
                for line in shown.lines() {
                    assert!(line.width() <= width, "{width}: {line}");
                }
            }
        }
    }
}

#[test]
fn colour_adds_nothing_that_words_do_not_say() {
    let world = World::new(24, &["v1", "v2"], 1, review);
    let analysis = world.analyse();
    let colored = summary_text(&analysis, Show { color: true, ..show(Lang::En) }, None);
    let plain = summary_text(&analysis, show(Lang::En), None);
    assert!(colored.contains("\u{1b}["));
    let mut stripped = String::new();
    let mut rest = colored.as_str();
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        stripped.push_str(before);
        rest = after.split_once('m').unwrap().1;
    }
    stripped.push_str(rest);
    assert_eq!(stripped, plain);
}

#[test]
fn hostile_names_and_texts_reach_no_terminal() {
    let hostile = "\u{1b}[2J\u{1b}]0;owned\u{7}PROGRESS\u{202e}\r\n";
    let mut world = World::new(8, &["v1", "v2"], 1, |at| match (at.variant, at.sample) {
        (1, 0) => Came::To(vec![(Layer::Fact, 1.0, None)]),
        _ => facts((at.sample + at.variant) % 4, 4),
    });
    for sample in &mut world.suite.samples {
        sample.id = format!("{hostile}{}", sample.id);
        for assertion in &mut sample.assertions {
            assertion.written.insert("value".to_owned(), hostile.into());
        }
    }
    world.suite.variants[1].name = format!("v2{hostile}");
    world.suite.settings.model = hostile.to_owned();
    let at = At { sample: 0, variant: 1, repeat: 0 };
    world.record(at).grade.as_mut().unwrap().checks[0].outcome =
        eval_spec::CheckOutcome::Unscored { why: msg!("report-error-record", why = hostile) };
    for lang in [Lang::En, Lang::Zh] {
        let shown = summary_text(&world.analyse(), show(lang), Some(hostile));
        assert!(!shown.contains('\u{1b}') && !shown.contains('\u{202e}') && !shown.contains('\r'), "{shown:?}");
        assert!(!shown.contains("owned"));
    }
    let plan = preview(&world.suite, &world.plan, hostile, None, None, None);
    assert!(!plan_text(&plan, show(Lang::En)).contains('\u{1b}'));
}

#[test]
fn dry_run() {
    let mut world = World::new(12, &["v1", "v2"], 2, review);
    world.suite.settings.concurrency = 4;
    world.suite.settings.budget_usd = Some(1.5);
    world.suite.samples[3].assertions.clear();
    let cost =
        CostEstimate::new(0.12, 0.48, msg!("report-about", samples = 12, repeat = 2, executor = "x", model = "none"));
    let power = PlannedPower {
        report: "2026-03-20T10-00-00-v1-v2".to_owned(),
        test_set: "eval-samples.yaml@0123abcd".to_owned(),
        unchanged_samples: None,
        repeat: 1,
        treatments: vec![PlannedTreatment {
            treatment: "v2".to_owned(),
            known: true,
            earlier_pairs: 20,
            observed: Some(0.33),
            sd: 0.69,
            samples: 24,
            minimum_detectable: Some(0.41),
            needed_for_min_effect: Some(96),
            needed_for_observed: Some(37),
            alpha: 0.05,
            mean_samples: None,
        }],
    };
    let mut plan = preview(&world.suite, &world.plan, "claude", Some(6), Some(cost), Some(power));
    plan.differs = vec![eval_spec::suite::ArmPart::Artifact];
    insta::assert_snapshot!("dry-run-en", plan_text(&plan, show(Lang::En)));
    insta::assert_snapshot!("dry-run-zh", plan_text(&plan, show(Lang::Zh)));
    let json = serde_json::to_value(&plan).unwrap();
    assert_eq!((json["calls"].as_u64(), json["cost"]["low"].as_f64()), (Some(48), Some(0.12)));
    let small = World::new(1, &["v1"], 1, |_| fact(true));
    let plan = preview(&small.suite, &small.plan, "claude", None, None, None);
    insta::assert_snapshot!("dry-run-small-en", plan_text(&plan, show(Lang::En)));
}

#[test]
fn a_thousand_reasons_are_not_listed() {
    let mut report = World::new(24, &["v1", "v2"], 1, review).analyse();
    let reasons = &mut report.verdict.per_treatment[0].reasons;
    let reason = eval_format::Note::from(msg!("report-doubt-scores"));
    *reasons = vec![reason.clone(); 12];
    let bullets = |text: &str| text.lines().filter(|line| line.trim_start().starts_with("- ")).count();
    let full = summary_text(&report, show(Lang::En), None);
    report.verdict.per_treatment[0].reasons = vec![reason; 1000];
    for (lang, more) in [(Lang::En, "and 988 more"), (Lang::Zh, "另有 988 条")] {
        let text = summary_text(&report, show(lang), None);
        assert!(text.contains(more), "{text}");
        assert_eq!(bullets(&text), bullets(&full) + 1);
    }
    assert!(!full.contains("JSON report"), "{full}");
}

#[test]
fn a_table_of_a_thousand_groups_shows_the_largest_and_counts_the_others() {
    let group = |i: u64| GroupOfScores {
        value: Some(format!("group {i:04}")),
        samples: if i % 100 == 7 { 50 } else { 2 },
        tasks: 2,
        means: vec![Some(4.0), Some(4.5)],
        differences: Vec::new(),
    };
    let table = |groups: u64| {
        let variants = vec!["v1".to_owned(), "v2".to_owned()];
        by_key_text(
            &GroupedScores { key: GroupingKey::Construct, variants, groups: (0..groups).map(group).collect() },
            show(Lang::En),
        )
    };
    let large = table(1000);
    assert_eq!(large.lines().filter(|line| line.contains("group ")).count(), 40);
    assert!(large.contains("the 40 rows with the most samples; 960 more are left out"), "{large}");
    let at = |name: &str| large.find(name).expect(name);
    assert!(at("group 0007") < at("group 0008") && at("group 0030") < at("group 0907"), "in order");
    assert!(!large.contains("group 0035") && !table(40).contains("left out"), "{large}");
}
