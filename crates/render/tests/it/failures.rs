//! Failure clusters: what goes together, in which order, and which variant has it.

use std::path::PathBuf;

use eval_history::failures::{ClusterMove, ClusteredBy};
use eval_history::{FailureClusters, read_failures};
use eval_message::Lang;
use eval_render::{Show, failures_text};
use eval_spec::{Assertion, CheckOutcome, Failure, Judged, Layer, Outcome};
use serde_json::{Value, json};
use unicode_width::UnicodeWidthStr;

use crate::world::{At, Came, World, fact, facts};

fn clusters_of(world: &World, variant: Option<&str>) -> FailureClusters {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), world.json()).unwrap();
    read_failures(file.path()).unwrap().clusters(variant)
}

fn clusters(world: &World) -> FailureClusters {
    clusters_of(world, None)
}

fn assertion(written: &Value) -> Assertion {
    Assertion {
        kind: written["type"].as_str().unwrap().to_owned(),
        weight: 1.0,
        not: written["not"] == true,
        written: written.as_object().unwrap().clone(),
        children: Vec::new(),
        base: PathBuf::from("."),
        place: None,
        field_places: Default::default(),
    }
}

/// Each sample looks for a word of its own.
fn own_words(world: &mut World) {
    for (i, sample) in world.suite.samples.iter_mut().enumerate() {
        sample.assertions = vec![assertion(&json!({"type": "contains", "value": format!("own word {i}")}))];
    }
}

fn say(world: &mut World, sample: usize, variant: usize, text: &str) {
    text.clone_into(&mut world.output(At { sample, variant, repeat: 0 }).text);
}

fn by(of: &FailureClusters) -> Vec<(ClusteredBy, u64)> {
    of.clusters.iter().map(|cluster| (cluster.by, cluster.count)).collect()
}

#[test]
fn the_same_failing_checks_go_together_and_tell_what_the_treatment_does() {
    // check 0 fails for the control on samples 0–5 and for the treatment on 4–6; check 1 for the treatment on 8 and 9
    let world = World::new(12, &["v1", "v2"], 1, |at| {
        let first = !matches!((at.variant, at.sample), (0, 0..6) | (1, 4..7));
        let second = !matches!((at.variant, at.sample), (1, 8..10));
        Came::To(vec![(Layer::Fact, 1.0, Some(first)), (Layer::Fact, 1.0, Some(second))])
    });
    let found = clusters(&world);
    assert_eq!((found.results, found.failed, found.total_clusters), (24, 11, 2));
    assert_eq!(by(&found), [(ClusteredBy::Checks, 9), (ClusteredBy::Checks, 2)]);
    let first = &found.clusters[0];
    assert_eq!((first.checks[0].label.as_str(), first.checks[0].count), ("contains word 0", 9));
    assert_eq!((first.share, first.samples, first.sample_ids.len()), (0.8182, 7, 7));
    assert_eq!(first.variants, [("v1".to_owned(), 6), ("v2".to_owned(), 3)].into());
    let moved = |new, fixed, common| vec![ClusterMove { treatment: "v2".to_owned(), new, fixed, common }];
    assert_eq!(first.compared, moved(1, 4, 2));
    assert_eq!(found.clusters[1].compared, moved(2, 0, 0));

    let treatment = clusters_of(&world, Some("v2"));
    assert_eq!((treatment.results, treatment.failed), (12, 5));
    assert_eq!(treatment.clusters[0].variants, [("v2".to_owned(), 3)].into());
    assert!(treatment.clusters[0].compared.is_empty());
}

#[test]
fn a_check_is_the_same_whatever_it_weighs_and_another_one_when_it_is_inverted() {
    let mut world = World::new(4, &["v1"], 1, |_| fact(false));
    for (i, sample) in world.suite.samples.iter_mut().enumerate() {
        let written = json!({"type": "contains", "value": "x", "weight": i + 1, "not": i > 1});
        sample.assertions = vec![Assertion { weight: (i + 1) as f64, ..assertion(&written) }];
    }
    let found = clusters(&world);
    let labels: Vec<&str> = found.clusters.iter().map(|cluster| cluster.checks[0].label.as_str()).collect();
    assert_eq!((by(&found), labels), (vec![(ClusteredBy::Checks, 2); 2], vec!["contains x", "not contains x"]));
}

#[test]
fn who_fails_by_less_is_not_worse() {
    // the control fails both checks of all samples, the treatment the second alone
    let world = World::new(6, &["v1", "v2"], 1, |at| {
        let failed = (Layer::Fact, 1.0, Some(false));
        Came::To(vec![(Layer::Fact, 1.0, Some(at.variant == 1)), failed])
    });
    let found = clusters(&world);
    let moved = |new, fixed, common| vec![ClusterMove { treatment: "v2".to_owned(), new, fixed, common }];
    assert_eq!(found.clusters[0].compared, moved(0, 6, 0), "one of both checks is mended");
    assert_eq!(found.clusters[1].compared, moved(0, 0, 6), "the other one failed before");
}

#[test]
fn what_one_variant_never_answered_is_neither_new_nor_gone() {
    let world = World::new(6, &["v1", "v2"], 1, |at| match (at.variant, at.sample) {
        (0, 0) => Came::NotRun,
        (0, 1) => Came::Failed(Failure::Timeout),
        (0, 2) => Came::To(vec![(Layer::Fact, 1.0, None)]),
        (0, _) => fact(true),
        _ => fact(false),
    });
    let found = clusters(&world);
    let moved = |new, fixed, common| vec![ClusterMove { treatment: "v2".to_owned(), new, fixed, common }];
    assert_eq!(found.clusters[0].compared, moved(3, 0, 0));
    assert_eq!((found.clusters[1].checks[0].label.as_str(), &found.clusters[1].compared), ("timeout", &moved(0, 1, 0)));
}

#[test]
fn infrastructure_failures_go_by_class_and_are_no_failed_checks() {
    let mut world = World::new(8, &["v1", "v2"], 1, |at| match (at.variant, at.sample) {
        (0, 0..3) => Came::Failed(Failure::Timeout),
        (1, 0) => Came::Ended(Outcome::Refused),
        (1, 1) => Came::NotRun,
        (1, 2) => Came::Failed(Failure::RateLimited),
        _ => fact(true),
    });
    world.ended = eval_analysis::RunStatus::Complete;
    let found = clusters(&world);
    assert_eq!((found.results, found.failed, found.not_run), (16, 5, 1));
    let classes: Vec<_> = found.clusters.iter().map(|of| (of.by, of.checks[0].label.as_str(), of.count)).collect();
    let class = |name, count| (ClusteredBy::Failure, name, count);
    assert_eq!(classes, [class("timeout", 3), class("refused", 1), class("rate-limited", 1)]);
}

#[test]
fn checks_of_their_own_go_by_alike_answers_and_then_by_type() {
    let mut world = World::new(9, &["v1"], 1, |_| fact(false));
    own_words(&mut world);
    for sample in 0..9 {
        let text = match sample {
            0..4 => {
                format!("I am sorry, but as a language model I can't help you with that, whatever it is. ({sample})")
            }
            4..6 => format!("对不起，作为语言模型我无法帮助您完成这个请求，请联系客服人员处理。{sample}"),
            _ => format!("{} {}", ["ox", "yak", "emu"][sample - 6], ["grazes", "sleeps", "runs fast"][sample - 6]),
        };
        say(&mut world, sample, 0, &text);
    }
    let found = clusters(&world);
    assert_eq!(by(&found), [(ClusteredBy::Outputs, 4), (ClusteredBy::Types, 3), (ClusteredBy::Outputs, 2)]);
    assert_eq!((found.clusters[0].alike, found.clusters[0].total_checks), (4, 4));
    assert_eq!(found.clusters[1].sample_ids, ["s007", "s008", "s009"]);
}

#[test]
fn a_check_that_results_have_in_common_goes_before_the_types() {
    let mut world = World::new(5, &["v1"], 1, |_| Came::To(vec![(Layer::Fact, 1.0, Some(false)); 2]));
    own_words(&mut world);
    for (sample, animal) in ["ox", "yak", "emu", "gnu", "koi"].into_iter().enumerate() {
        let own = world.suite.samples[sample].assertions[0].clone();
        let shared = assertion(&json!({"type": "starts_with", "value": if sample < 3 { "REQUEST" } else { animal }}));
        world.suite.samples[sample].assertions = vec![own, shared];
        world.record(At { sample, variant: 0, repeat: 0 }).grade.as_mut().unwrap().checks[1].kind =
            "starts_with".into();
        say(&mut world, sample, 0, animal);
    }
    let found = clusters(&world);
    assert_eq!(by(&found), [(ClusteredBy::Check, 3), (ClusteredBy::Types, 2)]);
    assert_eq!(found.clusters[0].checks[0].label, "starts_with REQUEST");
    assert_eq!(
        (found.clusters[0].total_checks, &*found.clusters[1].types),
        (4, &["contains".into(), "starts_with".into()][..])
    );
}

#[test]
fn the_most_frequent_answer_stands_for_the_cluster() {
    let mut world = World::new(6, &["v1"], 1, |_| fact(false));
    for sample in 0..6 {
        let text = if sample < 2 {
            format!("something else {sample}{sample}{sample}")
        } else {
            "\u{1b}[2JNo idea at all".to_owned()
        };
        say(&mut world, sample, 0, &text);
    }
    let cluster = &clusters(&world).clusters[0];
    assert_eq!((cluster.alike, cluster.examples[0].output.as_str()), (4, "No idea at all"));
    assert_eq!((cluster.examples[0].sample_id.as_str(), cluster.examples.len()), ("s003", 3));
}

#[test]
fn judged_scores_fail_under_the_threshold_by_dimension() {
    let mut world = World::new(4, &["v1"], 1, |_| Came::To(vec![(Layer::Judge, 1.0, Some(true)); 2]));
    for sample in 0..4 {
        let low = if sample < 3 { 3.0 } else { 4.0 };
        let grade = world.record(At { sample, variant: 0, repeat: 0 }).grade.as_mut().unwrap();
        for (check, (name, score)) in grade.checks.iter_mut().zip([("tone", low), ("facts", 3.5)]) {
            check.outcome = CheckOutcome::Rated { ratio: eval_spec::units::Ratio::new((score - 1.0) / 4.0).unwrap() };
            let dimension = Some(name.to_owned());
            let judged = Judged { dimension, lang: Lang::En, score: Some(score), opinions: Vec::new() };
            check.judged = Some(Box::new(judged));
        }
    }
    let found = clusters(&world);
    assert_eq!((found.failed, found.clusters.len(), found.threshold), (3, 1, 3.5));
    assert_eq!(found.clusters[0].checks.iter().map(|check| check.label.as_str()).collect::<Vec<_>>(), ["rubric tone"]);
}

#[test]
fn a_check_that_failed_in_one_repeat_failed() {
    let mut world = World::new(2, &["v1"], 3, |at| fact(at.repeat != 1 || at.sample == 1));
    say(&mut world, 0, 0, "the good one");
    world.output(At { sample: 0, variant: 0, repeat: 1 }).text = "the bad one".to_owned();
    let found = clusters(&world);
    assert_eq!((found.results, found.failed), (2, 1));
    assert_eq!(found.clusters[0].examples[0].output, "the bad one");
}

#[test]
fn what_could_not_be_scored_and_what_is_meant_to_fail_is_in_no_cluster() {
    let mut world = World::new(3, &["v1", "v2"], 1, |at| match at.sample {
        0 => Came::To(vec![(Layer::Fact, 1.0, None)]),
        _ => fact(at.sample == 2),
    });
    world.suite.samples[1].tripwire = true;
    let found = clusters(&world);
    assert_eq!((found.failed, found.unscored, found.tripwires), (0, 2, 2));
    assert!(found.clusters.is_empty());
}

#[test]
fn no_order_of_threads_changes_anything() {
    let mut world = World::new(60, &["v1", "v2"], 1, |at| facts(at.sample % 4, 4));
    own_words(&mut world);
    let of = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        serde_json::to_string(&pool.install(|| clusters(&world))).unwrap()
    };
    assert_eq!(of(1), of(7));
}

#[test]
fn what_is_shown_fits_and_is_harmless() {
    let mut world = World::new(30, &["v1", "v2"], 1, |at| facts(if at.variant == 0 { at.sample % 4 } else { 3 }, 4));
    for sample in 0..30 {
        say(
            &mut world,
            sample,
            0,
            "\u{1b}[31mPROGRESS\u{202e} a long answer that goes on and on, 还有很多很多中文内容在里面，没完没了。"
                .repeat(9)
                .as_str(),
        );
    }
    let found = clusters(&world);
    for lang in [Lang::En, Lang::Zh] {
        let text = failures_text(&found, Show { lang, width: 80, color: false, exit_code: true });
        assert!(text.lines().all(|line| line.width() <= 80), "{text}");
        assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text}");
        insta::assert_snapshot!(format!("failures-{}", if lang == Lang::Zh { "zh" } else { "en" }), text);
    }
}
