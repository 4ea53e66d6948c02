//! What the verdict reads when several questions are asked at once, and that rounding is no difference.

use eval_format::{InsightKind, Tier};
use eval_spec::Layer;

use crate::world::{Came, World, fact, facts};

#[test]
fn several_treatments_are_held_to_intervals_that_hold_at_once() {
    // the same noisy win, asked alone and as one of four
    let came = |variants: usize| {
        World::new(24, &["v1", "v2", "v3", "v4", "v5"][..variants], 1, move |at| {
            let jitter = (at.sample * 7 + at.variant * 13) % 5;
            facts(if at.variant == 0 { 3 } else { 2 + jitter }, 8)
        })
    };
    let (alone, among) = (came(2).report(), came(5).report());
    let (one, of_four) = (&alone.comparisons[0].diff, &among.comparisons[0].diff);
    assert_eq!(one.mean, of_four.mean);
    assert_eq!((one.ci.unwrap().family, of_four.ci.unwrap().family), (1, 4));
    assert_eq!(one.ci_unadjusted, None);
    let (plain, adjusted) = (of_four.ci_unadjusted.unwrap(), of_four.ci.unwrap());
    assert_eq!((plain.low, plain.high), (one.ci.unwrap().low, one.ci.unwrap().high));
    assert!(adjusted.low < plain.low && adjusted.high > plain.high);
    assert_eq!(one.p_value, of_four.p_value);
    assert_eq!(one.p_value_adjusted, one.p_value);
    assert!(of_four.p_value_adjusted > of_four.p_value);
    // the verdict reads those
    let read = &among.verdict.inputs.treatments[0].diff;
    assert_eq!((read.low, read.p), (Some(adjusted.low), of_four.p_value_adjusted));
}

#[test]
fn layers_are_one_family_too() {
    let world = World::new(24, &["v1", "v2"], 1, |at| {
        let jitter = (at.sample * 7 + at.variant * 5) % 3;
        Came::To(vec![
            (Layer::Fact, 1.0, Some(jitter > 0)),
            (Layer::Behavior, 1.0, Some((jitter + at.sample) % 2 == 0)),
        ])
    });
    let comparison = &world.report().comparisons[0];
    assert_eq!(comparison.diff.ci.unwrap().family, 1);
    assert_eq!(comparison.layers.fact.as_ref().unwrap().ci.unwrap().family, 2);
    assert_eq!(comparison.layers.judge, None);
}

#[test]
fn a_fallen_layer_is_seen_under_a_risen_composite() {
    // behavior 1 → 5 for all, fact 5 → 1 for two thirds
    let world = World::new(30, &["v1", "v2"], 1, |at| {
        let fact = at.variant == 0 || at.sample % 3 == 0;
        Came::To(vec![(Layer::Fact, 1.0, Some(fact)), (Layer::Behavior, 1.0, Some(at.variant == 1))])
    });
    let report = world.report();
    assert!(report.comparisons[0].diff.mean.unwrap() > 0.0);
    assert_eq!(report.verdict.tier, Tier::Regress);
    assert_eq!(report.verdict.per_treatment[0].reasons[0].message_key.id, "report-why-layer-below");
}

#[test]
fn rounding_is_no_difference() {
    // both arms have the scores 1 + 4/3, 1 + 8/3 and 5 of three repeats, added in another order
    let orders = [[1, 2, 3], [3, 1, 2], [2, 3, 1]];
    let world = World::new(60, &["v1", "v2"], 3, |at| facts(orders[at.variant * (1 + at.sample % 2)][at.repeat], 3));
    let report = world.report();
    let comparison = &report.comparisons[0];
    assert_eq!((comparison.wins, comparison.losses, comparison.ties), (0, 0, 60));
    assert!(comparison.diff.ci.unwrap().degenerate);
    assert_eq!(report.verdict.tier, Tier::Noise);
}

#[test]
fn a_mean_that_is_the_threshold_reaches_it() {
    // 3.5 as the mean of 1 + 4·(1/3), 1 + 4·(2/3), 1 + 4·(7/8)
    let world = World::new(24, &["v1"], 1, |at| match at.sample % 3 {
        0 => facts(1, 3),
        1 => facts(2, 3),
        _ => facts(7, 8),
    });
    assert_eq!(world.report().summary["v1"].avg_composite_score, Some(3.5));
    assert_eq!(world.report().verdict.exit_code, 0);
}

#[test]
fn power_says_how_many_samples_are_needed() {
    // differences ±1 and 0, spread 0.8 or so
    let world = World::new(24, &["v1", "v2"], 1, |at| facts(1 + (at.sample + at.variant) % 3, 4));
    let report = world.report();
    let comparison = &report.comparisons[0];
    let (sd, needed) = (comparison.diff.sd.unwrap(), comparison.power.pairs_for_min_effect.unwrap());
    // the normal approximation, plus the two or so that Student's t asks for
    let normal = ((1.959_963_985 + 0.841_621_234) * sd / 0.2).powi(2);
    assert!((needed as f64 - normal).abs() < 4.0, "{needed} against {normal}");
    assert_eq!(report.verdict.tier, Tier::Underpowered);
    assert_eq!(report.analysis.suggestions[0].kind, InsightKind::AddSamples);
}

#[test]
fn an_unscored_layer_is_not_asked_of_every_variant() {
    // one sample fails everywhere: which layers it plans, nobody knows, so none is missing
    let world = World::new(24, &["v1", "v2"], 1, |at| match at.sample {
        0 => Came::NotRun,
        _ => fact(true),
    });
    let report = world.report();
    assert_eq!(report.summary["v1"].layers.judge, None);
    assert_eq!(report.summary["v1"].layers.fact.as_ref().unwrap().n, 23);
}
