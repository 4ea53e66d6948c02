//! T9, T10 and C4: tiers, their order, exit codes.

use std::collections::BTreeMap;

use eval_format::{
    ArmInputs, CheckCounts, DiffInputs, GoldDiffInputs, GoldInputs, IncompleteReason, JudgingInputs, LayerInputs,
    Layers, Limits, OpinionCounts, OutcomeCounts, Tier, TreatmentInputs, TripwireInputs, Unlike, VerdictInputs,
};
use eval_verdict::{threshold_gate, verdict};
use proptest::prelude::*;

pub(crate) fn arm(name: &str) -> ArmInputs {
    ArmInputs {
        name: name.to_owned(),
        mean: Some(4.2),
        planned_scores: 40,
        missing_scores: 0,
        outcomes: OutcomeCounts { answered: 40, ..OutcomeCounts::default() },
        checks: CheckCounts { passed: 60, failed: 20, unscored: 0 },
        unscored_share: Layers::default(),
        cached: 0,
        models: BTreeMap::from([("m".to_owned(), 40)]),
        unnamed_answers: 0,
        opinions: OpinionCounts { planned: 40, missing: 0 },
    }
}

pub(crate) fn diff(n: u64, mean: f64, low: f64, high: f64) -> DiffInputs {
    DiffInputs { n, mean: Some(mean), low: Some(low), high: Some(high), degenerate: false, p: Some(0.5) }
}

pub(crate) fn treatment(name: &str, diff: DiffInputs) -> TreatmentInputs {
    let layer = LayerInputs { mean: Some(4.2), diff };
    let layers = Layers { fact: Some(layer), behavior: None, judge: None };
    TreatmentInputs {
        arm: arm(name),
        diff,
        unlike: Unlike::default(),
        layers,
        pairwise: None,
        holdout: None,
        saturation: None,
    }
}

pub(crate) fn inputs(treatments: Vec<TreatmentInputs>) -> VerdictInputs {
    let settings = eval_spec::suite::Written::default().resolve();
    VerdictInputs {
        limits: Limits::new(&settings),
        incomplete_reason: None,
        control: arm("control"),
        treatments,
        judging: None,
        gold: None,
        tripwires: TripwireInputs::default(),
    }
}

fn panel(agreement: Option<f64>) -> JudgingInputs {
    JudgingInputs { judges: 2, agreement, agreement_why: None, pairwise_agreement: None, self_preference: Vec::new() }
}

fn tier_of(change: impl FnOnce(&mut VerdictInputs)) -> (Tier, Vec<String>, u8) {
    let mut inputs = inputs(vec![treatment("t", diff(40, 0.5, 0.2, 0.8))]);
    change(&mut inputs);
    let verdict = verdict(&inputs);
    let reasons = verdict.per_treatment[0].reasons.iter().map(|r| r.message_key.id.to_string()).collect();
    (verdict.tier, reasons, verdict.exit_code)
}

#[test]
fn every_tier_and_its_borders() {
    let table: &[(&str, DiffInputs, Tier)] = &[
        ("above 0", diff(40, 0.5, 0.01, 0.9), Tier::Progress),
        ("touches 0 from above", diff(40, 0.5, 0.0, 0.9), Tier::Underpowered),
        ("exactly 20 pairs", diff(20, 0.5, 0.01, 0.9), Tier::Progress),
        ("19 pairs", diff(19, 0.5, 0.01, 0.9), Tier::Cautious),
        ("exactly the trivial difference", diff(40, 0.1, 0.01, 0.2), Tier::Progress),
        ("below the trivial difference", diff(40, 0.09, 0.01, 0.2), Tier::Cautious),
        ("below 0", diff(40, -0.5, -0.9, -0.01), Tier::Regress),
        ("touches 0 from below", diff(40, -0.5, -0.9, 0.0), Tier::Underpowered),
        ("a tiny loss is a loss", diff(40, -0.05, -0.09, -0.01), Tier::Regress),
        ("inside", diff(40, 0.0, -0.2, 0.2), Tier::Noise),
        ("just outside", diff(40, 0.0, -0.2, 0.21), Tier::Underpowered),
        ("inside with 6 pairs", diff(6, 0.0, -0.1, 0.1), Tier::Noise),
        ("5 pairs, far above", diff(5, 3.0, 2.0, 4.0), Tier::Underpowered),
        ("5 pairs, far below", diff(5, -3.0, -4.0, -2.0), Tier::Underpowered),
        ("6 pairs, far below", diff(6, -3.0, -4.0, -2.0), Tier::Regress),
        ("no pair", DiffInputs::default(), Tier::Underpowered),
    ];
    for (name, diff, tier) in table {
        let got = verdict(&inputs(vec![treatment("t", *diff)]));
        assert_eq!(got.tier, *tier, "{name}");
        assert_eq!(got.exit_code, u8::from(*tier != Tier::Progress), "{name}");
        assert!(!got.per_treatment[0].reasons.is_empty(), "{name} names no reason");
    }
}

#[test]
fn without_spread_the_p_value_is_read_in_place_of_the_interval() {
    let point = |n, at, p| DiffInputs { degenerate: true, p: Some(p), ..diff(n, at, at, at) };
    let table = [
        ("two huge wins", point(2, 4.0, 0.5), Tier::Underpowered),
        ("six equal wins", point(6, 1.0, 0.031_25), Tier::Cautious),
        ("six equal wins, asked with two others", point(6, 1.0, 0.093_75), Tier::Underpowered),
        ("twenty equal wins", point(20, 1.0, 0.000_001_9), Tier::Progress),
        ("six equal losses", point(6, -1.0, 0.031_25), Tier::Regress),
        ("no difference at all, 20 pairs", point(20, 0.0, 1.0), Tier::Noise),
        ("no difference at all, 19 pairs", point(19, 0.0, 1.0), Tier::Underpowered),
    ];
    for (name, diff, tier) in table {
        assert_eq!(verdict(&inputs(vec![treatment("t", diff)])).tier, tier, "{name}");
    }
}

#[test]
fn a_layer_that_falls_under_the_gate_is_a_regression_whatever_the_composite_says() {
    let layer = |mean, diff| Layers { fact: Some(LayerInputs { mean, diff }), behavior: None, judge: None };
    let fell = diff(40, -1.0, -1.4, -0.6);
    let tier = |layers| tier_of(|inputs| inputs.treatments[0].layers = layers);
    assert_eq!(tier(layer(Some(3.4), fell)).0, Tier::Regress);
    assert_eq!(tier(layer(Some(3.4), fell)).1, ["report-why-layer-below"]);
    assert_eq!(tier(layer(Some(3.5), fell)).0, Tier::Progress, "it fell but still reaches the gate");
    assert_eq!(tier(layer(Some(3.4), diff(40, -0.1, -0.4, 0.1))).0, Tier::Cautious, "under the gate, but not fallen");
    assert_eq!(tier(layer(Some(1.0), diff(5, -4.0, -4.0, -3.0))).0, Tier::Cautious, "too few pairs in that layer");
    let missing = tier(layer(None, DiffInputs::default()));
    assert_eq!((missing.0, missing.1[1].as_str()), (Tier::Cautious, "report-doubt-layer-missing"));
}

#[test]
fn every_alarm_blocks_progress_and_is_named() {
    type Change = fn(&mut VerdictInputs);
    let table: &[(&str, Change)] = &[
        ("report-alarm-missing", |i| {
            i.treatments[0].arm.missing_scores = 5;
            i.control.missing_scores = 5;
        }),
        ("report-alarm-missing-differs", |i| i.treatments[0].arm.missing_scores = 3),
        ("report-alarm-missing-differs", |i| i.control.missing_scores = 3),
        ("report-alarm-outcomes", |i| {
            i.control.outcomes = OutcomeCounts { answered: 37, refused: 3, ..OutcomeCounts::default() };
        }),
        ("report-alarm-budget", |i| {
            i.treatments[0].arm.outcomes = OutcomeCounts { answered: 39, over_budget: 1, ..OutcomeCounts::default() };
        }),
        ("report-alarm-checks", |i| i.treatments[0].arm.checks = CheckCounts { passed: 60, failed: 15, unscored: 5 }),
        ("report-alarm-unlike", |i| {
            i.treatments[0].unlike = Unlike { samples: 1, checks: vec!["custom".to_owned()] };
        }),
        ("report-alarm-cached", |i| i.control.cached = 3),
        ("report-alarm-cached", |i| i.treatments[0].arm.cached = 3),
        ("report-alarm-models", |i| i.control.models = BTreeMap::from([("other".to_owned(), 40)])),
        ("report-alarm-models-unnamed", |i| {
            i.treatments[0].arm.models.clear();
            i.treatments[0].arm.unnamed_answers = 40;
        }),
        ("report-alarm-models-unnamed", |i| i.control.unnamed_answers = 3),
        ("report-alarm-judges-missing", |i| {
            i.treatments[0].arm.opinions.missing = 5;
            i.control.opinions.missing = 3;
        }),
        ("report-alarm-judges-differ", |i| i.treatments[0].arm.opinions.missing = 3),
        ("report-alarm-judges-differ", |i| i.control.opinions.missing = 3),
        ("report-doubt-invalid", |i| i.control.opinions.missing = 9),
        ("report-alarm-agreement", |i| i.judging = Some(panel(Some(0.399)))),
        ("report-doubt-pairs", |i| i.treatments[0].diff.n = 19),
        ("report-doubt-trivial", |i| i.treatments[0].diff.mean = Some(0.099)),
        ("report-doubt-layer", |i| i.treatments[0].layers.fact.as_mut().unwrap().mean = Some(3.499)),
        ("report-doubt-invalid", |i| i.incomplete_reason = Some(IncompleteReason::BudgetExhausted)),
    ];
    assert_eq!(tier_of(|_| ()).0, Tier::Progress);
    for (reason, change) in table {
        let (tier, reasons, exit_code) = tier_of(change);
        assert_eq!(tier, Tier::Cautious, "{reason}");
        assert!(reasons.iter().any(|got| got == reason), "{reason} is not among {reasons:?}");
        assert_ne!(exit_code, 0);
    }
}

#[test]
fn limits_are_met_exactly() {
    // 4 of 40 is 10 %, and 2 of 40 against 0 is 5 points: neither is more
    let (tier, ..) = tier_of(|i| {
        i.treatments[0].arm.missing_scores = 4;
        i.control.missing_scores = 2;
        i.control.cached = 2;
    });
    assert_eq!(tier, Tier::Progress);
    let (tier, ..) = tier_of(|i| {
        i.treatments[0].arm.opinions.missing = 4;
        i.control.opinions.missing = 2;
        i.judging = Some(panel(Some(0.4)));
    });
    assert_eq!(tier, Tier::Progress);
    assert_eq!(tier_of(|i| i.judging = Some(panel(None))).0, Tier::Progress, "undefined is no alarm");
    // 3 of 20 against 2 of 20, which differ by 0.05 and a bit as floating point numbers
    let (tier, ..) = tier_of(|i| {
        for (arm, missing) in [(&mut i.control, 1), (&mut i.treatments[0].arm, 2)] {
            (arm.planned_scores, arm.missing_scores) = (20, missing);
        }
    });
    assert_eq!(tier, Tier::Progress);
}

#[test]
fn the_worst_treatment_decides() {
    let of = |tier| match tier {
        Tier::Regress => diff(40, -0.5, -0.8, -0.2),
        Tier::Cautious => diff(12, 0.5, 0.2, 0.8),
        Tier::Underpowered => diff(40, 0.0, -0.5, 0.5),
        Tier::Noise => diff(40, 0.0, -0.1, 0.1),
        Tier::Progress | Tier::Solo => diff(40, 0.5, 0.2, 0.8),
    };
    // REGRESS < CAUTIOUS < UNDERPOWERED < NOISE < PROGRESS
    let worst_first = [Tier::Regress, Tier::Cautious, Tier::Underpowered, Tier::Noise, Tier::Progress];
    for (i, a) in worst_first.into_iter().enumerate() {
        for (j, b) in worst_first.into_iter().enumerate() {
            let verdict = verdict(&inputs(vec![treatment("a", of(a)), treatment("b", of(b))]));
            assert_eq!(verdict.tier, worst_first[i.min(j)]);
            assert_eq!(verdict.per_treatment[0].tier, a);
            assert_eq!(verdict.per_treatment[1].tier, b);
        }
    }
}

#[test]
fn one_variant_alone_is_held_against_the_threshold() {
    let solo = |mean, missing| {
        let mut inputs = inputs(Vec::new());
        inputs.control.mean = mean;
        inputs.control.missing_scores = missing;
        let verdict = verdict(&inputs);
        (verdict.tier, verdict.exit_code, verdict.reasons[0].message_key.id.to_string())
    };
    assert_eq!(solo(Some(3.5), 0), (Tier::Solo, 0, "report-solo-reached".to_owned()));
    assert_eq!(solo(Some(3.49), 0), (Tier::Solo, 1, "report-solo-under".to_owned()));
    assert_eq!(solo(None, 40), (Tier::Solo, 1, "report-solo-unscored".to_owned()));
    assert_eq!(
        solo(Some(5.0), 30),
        (Tier::Solo, 1, "report-alarm-missing".to_owned()),
        "the other ten don't speak for all"
    );
}

#[test]
fn exit_codes() {
    let code = |change: fn(&mut VerdictInputs)| {
        let mut inputs = inputs(vec![treatment("t", diff(40, 0.0, -0.1, 0.1))]);
        change(&mut inputs);
        let verdict = verdict(&inputs);
        (verdict.exit_code, verdict.valid)
    };
    assert_eq!(code(|_| ()), (1, true));
    assert_eq!(code(|i| i.limits.report_only = true), (0, true));
    assert_eq!(code(|i| i.incomplete_reason = Some(IncompleteReason::BudgetExhausted)), (3, false));
    assert_eq!(code(|i| i.incomplete_reason = Some(IncompleteReason::Aborted)), (3, false));
    assert_eq!(code(|i| i.incomplete_reason = Some(IncompleteReason::RecordsMissing)), (3, false));
    assert_eq!(code(|i| i.incomplete_reason = Some(IncompleteReason::Interrupted)), (130, false));
    let failed = |failed| OutcomeCounts { answered: 40 - failed, failed, ..OutcomeCounts::default() };
    assert_eq!(failed(0).total(), 40);
    // 8 of 80 executions is the allowed 10 %; 9 are more
    assert_eq!(
        code(|i| i.control.outcomes = OutcomeCounts { answered: 32, failed: 8, ..Default::default() }),
        (1, true)
    );
    assert_eq!(
        code(|i| i.control.outcomes = OutcomeCounts { answered: 31, failed: 9, ..Default::default() }),
        (3, false)
    );
    // the gate being off doesn't make a measurement
    assert_eq!(
        code(|i| {
            i.limits.report_only = true;
            i.control.outcomes = OutcomeCounts { failed: 40, ..Default::default() };
        }),
        (3, false)
    );
}

#[test]
fn one_dead_arm_among_many_is_no_measurement() {
    let mut many = inputs((0..19).map(|i| treatment(&format!("t{i}"), diff(40, 0.0, -0.1, 0.1))).collect());
    many.treatments[3].arm.outcomes = OutcomeCounts { failed: 40, ..OutcomeCounts::default() };
    let decided = verdict(&many);
    assert_eq!((decided.exit_code, decided.valid), (3, false), "5 % of all executions, but all of one variant's");
    assert_eq!(decided.reasons[0].message_key.id, "report-invalid-dead");
    many.limits.max_failure_rate = 1.0;
    assert_eq!(verdict(&many).exit_code, 1);
}

#[test]
fn the_threshold_gate_of_bench_ci() {
    let mut two = inputs(vec![treatment("t", diff(40, -0.5, -0.8, -0.2))]);
    assert_eq!(threshold_gate(&two).exit_code, 0, "it asks for every variant's composite and nothing else");
    two.treatments[0].arm.mean = Some(3.49);
    let gate = threshold_gate(&two);
    assert_eq!((gate.exit_code, gate.below), (1, vec![("t".to_owned(), Some(3.49))]));
    two.treatments[0].arm.mean = None;
    assert_eq!(threshold_gate(&two).below, [("t".to_owned(), None)]);
    assert!(threshold_gate(&two).unmeasured.is_empty(), "`below` says that there is no score");
    two.control.outcomes = OutcomeCounts { failed: 40, ..OutcomeCounts::default() };
    assert_eq!(threshold_gate(&two).exit_code, 3);
    two.incomplete_reason = Some(IncompleteReason::Interrupted);
    assert_eq!(threshold_gate(&two).exit_code, 130);
}

#[test]
fn the_threshold_gate_does_not_pass_a_mean_over_the_few_that_could_be_scored() {
    let gate = |change: fn(&mut VerdictInputs)| {
        let mut two = inputs(vec![treatment("t", diff(40, 0.0, -0.1, 0.1))]);
        change(&mut two);
        let gate = threshold_gate(&two);
        let why: Vec<_> = gate.unmeasured.iter().map(ToString::to_string).collect();
        (gate.exit_code, gate.below.len(), why)
    };
    assert_eq!(gate(|i| i.control.missing_scores = 4), (0, 0, Vec::new()), "10 % may be missing");
    let refused = gate(|i| {
        i.control.missing_scores = 32;
        i.treatments[0].arm.missing_scores = 32;
    });
    assert_eq!((refused.0, refused.1, refused.2.len()), (1, 0, 2), "they are not low");
    assert_eq!(refused.2[0], "`control` has no score for 32 of 40 executions, more than 10 %");
    let unscored = gate(|i| i.treatments[0].arm.unscored_share.fact = Some(0.11));
    assert_eq!((unscored.0, unscored.2.len()), (1, 1));
}

prop_compose! {
    fn any_diff()(
        n in 0_u64..60,
        mean in prop::option::of(-4.0..4.0_f64),
        low in prop::option::of(-4.0..4.0_f64),
        width in 0.0..4.0_f64,
        degenerate: bool,
        p in prop::option::of(0.0..1.0_f64),
    ) -> DiffInputs {
        DiffInputs { n, mean, low, high: low.map(|low| if degenerate { low } else { low + width }), degenerate, p }
    }
}

prop_compose! {
    fn any_treatment()(
        diff in any_diff(),
        layer in any_diff(),
        layer_mean in prop::option::of(1.0..5.0_f64),
        missing in 0_u64..40,
        counts in prop::array::uniform8(0_u64..20),
        unscored in 0_u64..20,
    ) -> TreatmentInputs {
        let [answered, refused, truncated, limit_hit, empty, failed, over_budget, not_run] = counts;
        let outcomes =
            OutcomeCounts { answered, refused, truncated, limit_hit, empty, failed, over_budget, not_run };
        let arm = ArmInputs {
            missing_scores: missing,
            outcomes,
            checks: CheckCounts { passed: 10, failed: 10, unscored },
            ..arm("t")
        };
        let layers = Layers { fact: Some(LayerInputs { mean: layer_mean, diff: layer }), behavior: None, judge: None };
        TreatmentInputs { arm, diff, unlike: Unlike::default(), layers, pairwise: None, holdout: None, saturation: None }
    }
}

proptest! {
    #[test]
    fn a_verdict_follows_from_its_inputs_alone(treatments in prop::collection::vec(any_treatment(), 0..4)) {
        let inputs = inputs(treatments);
        let decided = verdict(&inputs);
        prop_assert_eq!(&decided, &verdict(&inputs));
        // and from what is left of them in a file
        let stored = serde_json::to_string(&decided).unwrap();
        let read: eval_format::Verdict = serde_json::from_str(&stored).unwrap();
        prop_assert_eq!(&read, &decided);
        prop_assert_eq!(verdict(&read.inputs), decided);
    }

    #[test]
    fn progress_asks_for_everything(treatment in any_treatment()) {
        let inputs = inputs(vec![treatment.clone()]);
        let decided = verdict(&inputs);
        if decided.tier == Tier::Progress {
            prop_assert!(decided.valid);
            prop_assert!(treatment.diff.n >= 20);
            prop_assert!(treatment.diff.low.unwrap() > 0.0);
            prop_assert!(treatment.diff.mean.is_none_or(|mean| mean >= 0.1));
            prop_assert!(treatment.layers.fact.unwrap().mean.unwrap() >= 3.5);
            prop_assert!(treatment.arm.missing_scores * 10 <= treatment.arm.planned_scores);
        }
        if treatment.diff.n < 6 {
            prop_assert_eq!(decided.tier, Tier::Underpowered);
        }
        prop_assert_eq!(decided.exit_code == 0, decided.tier == Tier::Progress && decided.valid);
    }
}

/// A judge layer that scores what the composite scores, and gold that is content with it.
fn gold() -> GoldInputs {
    let people = GoldDiffInputs { low: Some(0.1), high: Some(0.9), labelled: 20, untied: 10 };
    GoldInputs {
        means: BTreeMap::new(),
        min_alpha: 0.4,
        min_untied: 10,
        n: 40,
        alpha: Some(0.7),
        alpha_low: Some(0.4),
        differences: BTreeMap::from([("t".to_owned(), people)]),
    }
}

#[test]
fn gold_forbids_progress_on_a_judge_s_word_that_people_don_t_confirm() {
    type Change = fn(&mut GoldInputs, &mut GoldDiffInputs);
    let table: &[(&str, Change)] = &[
        ("", |_, _| {}),
        ("report-doubt-gold-alpha", |gold, _| gold.alpha_low = Some(0.399)),
        ("report-doubt-gold-undefined", |gold, _| gold.alpha_low = None),
        ("report-doubt-gold-undefined", |gold, _| (gold.alpha, gold.alpha_low) = (None, None)),
        ("report-doubt-gold-interval", |_, people| people.low = Some(0.0)),
        ("report-doubt-gold-interval", |_, people| people.low = Some(-0.2)),
        ("report-doubt-gold-worse", |_, people| (people.low, people.high) = (Some(-0.5), Some(-0.01))),
        ("report-doubt-gold-few", |_, people| people.untied = 9),
        ("report-doubt-gold-few", |_, people| (people.low, people.high) = (None, None)),
        ("report-doubt-gold-none", |gold, _| gold.differences.clear()),
        ("report-doubt-gold-gate", |gold, _| gold.means = BTreeMap::from([("t".to_owned(), Some(3.49))])),
    ];
    for (reason, change) in table {
        let given = |inputs: &mut VerdictInputs| {
            let layer = LayerInputs { mean: Some(4.2), diff: diff(40, 0.5, 0.2, 0.8) };
            inputs.treatments[0].layers.judge = Some(layer);
            let mut gold = gold();
            let mut people = gold.differences["t"];
            change(&mut gold, &mut people);
            gold.differences.values_mut().for_each(|of| *of = people);
            inputs.gold = Some(gold);
        };
        let (tier, reasons, exit_code) = tier_of(given);
        let expected = if reason.is_empty() { (Tier::Progress, 0) } else { (Tier::Cautious, 1) };
        assert_eq!((tier, exit_code), expected, "{reason}: {reasons:?}");
        assert!(reason.is_empty() || reasons.contains(&(*reason).to_owned()), "{reason}: {reasons:?}");
        // where no judge is planned, gold has nothing to say
        let unjudged = tier_of(|inputs| {
            given(inputs);
            inputs.treatments[0].layers.judge = None;
        });
        assert_eq!(unjudged.0, Tier::Progress, "{reason}");
        // where the judge sees no gain of its own, people need not confirm one, but their loss counts
        let flat = tier_of(|inputs| {
            given(inputs);
            inputs.treatments[0].layers.judge = Some(LayerInputs { mean: Some(4.2), diff: diff(40, 0.0, -0.2, 0.2) });
        });
        let counts = ["alpha", "undefined", "worse", "gate"].map(|why| format!("report-doubt-gold-{why}"));
        assert_eq!(flat.0 == Tier::Cautious, counts.iter().any(|why| why == reason), "{reason}");
    }
}
