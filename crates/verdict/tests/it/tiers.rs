//! Tiers, their order, exit codes.

use std::collections::BTreeMap;

use eval_format::{
    AdjustedInputs, CachedControlInputs, CheckCounts, DeliveryCounts, DiffInputs, IncompleteReason, JudgingInputs,
    LayerInputs, Layers, MissingInputs, MissingRuns, OutcomeCounts, PartInputs, RuntimeCounts, TaskInputs, Tier,
    TreatmentInputs, Unlike, UnseenInputs, VerdictInputs,
};
use eval_verdict::verdict;

use crate::made::{diff, inputs, tier_of, treatment};

fn panel(agreement: Option<f64>) -> JudgingInputs {
    JudgingInputs { judges: 2, agreement, agreement_why: None, pairwise_agreement: None, self_preference: Vec::new() }
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
        ("a loss that may be a matter of rounding", diff(40, -0.05, -0.09, -0.01), Tier::Noise),
        ("the least loss", diff(40, -0.1, -0.19, -0.01), Tier::Regress),
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
        ("eighty equal losses, each a matter of rounding", point(80, -0.05, 0.000_01), Tier::Noise),
        ("six equal losses, each a matter of rounding", point(6, -0.05, 0.031_25), Tier::Underpowered),
        ("no difference at all, 20 pairs", point(20, 0.0, 1.0), Tier::Noise),
        ("no difference at all, 19 pairs", point(19, 0.0, 1.0), Tier::Underpowered),
    ];
    for (name, diff, tier) in table {
        assert_eq!(verdict(&inputs(vec![treatment("t", diff)])).tier, tier, "{name}");
    }
}

#[test]
fn a_layer_that_falls_under_the_gate_is_a_regression_whatever_the_composite_says() {
    let other = LayerInputs { mean: Some(5.0), diff: diff(40, 1.0, 0.5, 1.5), best: None };
    let layer =
        |mean, diff| Layers { fact: Some(LayerInputs { mean, diff, best: None }), behavior: Some(other), judge: None };
    let fell = diff(40, -1.0, -1.4, -0.6);
    let tier = |layers| tier_of(|inputs| inputs.treatments[0].layers = layers);
    assert_eq!(tier(layer(Some(3.4), fell)).0, Tier::Regress);
    assert_eq!(tier(layer(Some(3.4), fell)).1, ["report-why-layer-below"]);
    let reaches = tier(layer(Some(3.5), fell));
    assert_eq!((reaches.0, reaches.1[1].as_str()), (Tier::Cautious, "report-doubt-layer-fell"), "it reaches the gate");
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
        ("report-alarm-versions", |i| {
            i.control.runtimes = Some(runtimes(|of| &mut of.versions, &[("2.1.330", 40)]));
            i.treatments[0].arm.runtimes = Some(runtimes(|of| &mut of.versions, &[("2.1.330", 39), ("2.1.331", 1)]));
        }),
        ("report-alarm-program", |i| {
            i.treatments[0].arm.runtimes = Some(runtimes(|of| &mut of.replaced_by, &[("0123456789ab", 1)]));
        }),
        ("report-alarm-files", |i| {
            i.treatments[0].arm.runtimes = Some(runtimes(|of| &mut of.changed_cwds, &[("0123456789ab", 1)]));
        }),
        ("report-alarm-tools", |i| {
            i.control.runtimes = Some(runtimes(|of| &mut of.tools, &[("Read", 40), ("Bash", 37)]));
            i.treatments[0].arm.runtimes =
                Some(runtimes(|of| &mut of.tools, &[("Read", 40), ("Bash", 40), ("Skill", 40), ("mcp__a__b", 40)]));
        }),
        ("report-alarm-server", |i| i.control.runtimes = Some(runtimes(|of| &mut of.failed_servers, &[("docs", 1)]))),
        ("report-alarm-judges-missing", |i| {
            i.treatments[0].arm.opinions.missing = 5;
            i.control.opinions.missing = 3;
        }),
        ("report-alarm-judges-differ", |i| i.treatments[0].arm.opinions.missing = 3),
        ("report-alarm-judges-differ", |i| i.control.opinions.missing = 3),
        ("report-doubt-invalid", |i| i.control.opinions.missing = 9),
        ("report-alarm-agreement", |i| i.judging = Some(panel(Some(0.399)))),
        ("report-doubt-unanswered", |i| i.treatments[0].missing = Some(unanswered(diff(40, 0.2, 0.0, 0.4)))),
        ("report-doubt-lost", |i| i.treatments[0].missing = Some(lost(0.0, 0.9))),
        ("report-doubt-unseen", |i| i.treatments[0].unseen = Some(unseen(0.0501, 0.0, 0.0))),
        ("report-doubt-layer-fell", |i| i.treatments[0].layers.behavior = Some(layer(diff(40, -0.2, -0.4, -0.01)))),
        ("report-doubt-capability-fell", |i| {
            i.treatments[0].capabilities = vec![capability(6, -0.2, 0.5, Some(diff(6, -0.2, -0.4, -0.01)))];
        }),
        ("report-doubt-capability-collapsed", |i| {
            i.treatments[0].capabilities = vec![capability(3, -2.0, -1.0, None)];
        }),
        ("report-doubt-capability-collapsed", |i| {
            let unshown = DiffInputs { degenerate: true, p: Some(0.08), ..diff(8, -3.0, -3.0, -3.0) };
            i.treatments[0].capabilities = vec![capability(8, -3.0, -3.0, Some(unshown))];
        }),
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

fn layer(diff: DiffInputs) -> LayerInputs {
    LayerInputs { mean: Some(4.0), diff, best: None }
}

fn capability(n: u64, mean: f64, best: f64, diff: Option<DiffInputs>) -> PartInputs {
    PartInputs { name: "refund".to_owned(), tasks: n, n, mean: Some(mean), best: Some(best), diff }
}

fn unseen(no_gain: f64, worse: f64, better: f64) -> UnseenInputs {
    UnseenInputs {
        no_gain,
        pairs_for_gain: Some(50),
        no_loss: 0.0,
        pairs_for_loss: None,
        worse,
        better,
        worse_than_margin: None,
        control_room: Some(0.4),
        treatment_room: Some(0.4),
    }
}

/// Samples with lost runs, and the bounds with them.
fn lost(low: f64, high: f64) -> MissingInputs {
    let lost = MissingRuns { samples: 2, control: 1, treatment: 1 };
    MissingInputs { planned: 42, lost, low: Some(low), high: Some(high), ..MissingInputs::default() }
}

fn unanswered(floor: DiffInputs) -> MissingInputs {
    let unanswered = MissingRuns { samples: 2, control: 0, treatment: 2 };
    let (low, high) = (floor.low, floor.high);
    MissingInputs { planned: 42, unanswered, floor: Some(floor), low, high, ..MissingInputs::default() }
}

/// Beside each attack, what is fair keeps its verdict.
#[test]
fn what_is_missing_or_unseen_or_fell_decides_only_where_it_could_turn_the_verdict() {
    type Change = fn(&mut TreatmentInputs);
    let gain = diff(40, 0.5, 0.2, 0.8);
    let same = diff(60, 0.0, -0.1, 0.1);
    let loss = diff(40, -0.5, -0.8, -0.2);
    let table: &[(&str, DiffInputs, Change, Tier, Option<&str>)] = &[
        ("lost, still a gain", gain, |t| t.missing = Some(lost(0.01, 1.0)), Tier::Progress, None),
        (
            "unanswered, still a gain",
            gain,
            |t| t.missing = Some(unanswered(diff(42, 0.3, 0.1, 0.5))),
            Tier::Progress,
            None,
        ),
        ("no kind could undo it", gain, |t| t.unseen = Some(unseen(0.05, 1.0, 1.0)), Tier::Progress, None),
        (
            "a layer that may not have fallen",
            gain,
            |t| t.layers.fact = Some(layer(diff(40, -0.2, -0.4, 0.0))),
            Tier::Progress,
            None,
        ),
        (
            "a task of three that fell less",
            gain,
            |t| t.capabilities = vec![capability(3, -2.0, -0.99, None)],
            Tier::Progress,
            None,
        ),
        ("two tasks", gain, |t| t.capabilities = vec![capability(2, -3.0, -2.0, None)], Tier::Progress, None),
        ("lost, still the same", same, |t| t.missing = Some(lost(-0.2, 0.2)), Tier::Noise, None),
        (
            "lost, perhaps worse",
            same,
            |t| t.missing = Some(lost(-0.21, 0.1)),
            Tier::Underpowered,
            Some("report-doubt-lost"),
        ),
        (
            "lost, perhaps better",
            same,
            |t| t.missing = Some(lost(-0.1, 0.21)),
            Tier::Underpowered,
            Some("report-doubt-lost"),
        ),
        (
            "unanswered, not the same",
            same,
            |t| t.missing = Some(unanswered(diff(62, -0.2, -0.4, 0.1))),
            Tier::Underpowered,
            Some("report-doubt-unanswered"),
        ),
        ("no kind could matter", same, |t| t.unseen = Some(unseen(1.0, 0.05, 0.05)), Tier::Noise, None),
        (
            "a kind could be worse",
            same,
            |t| t.unseen = Some(unseen(1.0, 0.0501, 0.0)),
            Tier::Underpowered,
            Some("report-doubt-unseen-difference"),
        ),
        (
            "a kind could be better",
            same,
            |t| t.unseen = Some(unseen(1.0, 0.0, 0.0501)),
            Tier::Underpowered,
            Some("report-doubt-unseen-difference"),
        ),
        (
            "one sample that is no pair, by checks that only one arm could evaluate",
            same,
            |t| t.unlike = Unlike { samples: 1, checks: vec!["custom".to_owned()] },
            Tier::Underpowered,
            Some("report-alarm-unlike"),
        ),
        (
            "a loss of the samples that are pairs",
            loss,
            |t| t.unlike = Unlike { samples: 1, checks: vec!["custom".to_owned()] },
            Tier::Regress,
            Some("report-alarm-unlike"),
        ),
        (
            "a layer fell, the whole didn't",
            same,
            |t| t.layers.fact = Some(layer(diff(60, -0.1, -0.2, -0.01))),
            Tier::Cautious,
            Some("report-doubt-layer-fell"),
        ),
        ("a loss is a loss", loss, |t| t.missing = Some(lost(-1.0, 0.1)), Tier::Regress, Some("report-why-loss-lost")),
        ("a certain loss", loss, |t| t.missing = Some(lost(-1.0, -0.1)), Tier::Regress, None),
        (
            "a control with nothing to lose",
            same,
            |t| t.unseen = Some(UnseenInputs { control_room: Some(0.39), ..unseen(0.0, 0.0, 0.0) }),
            Tier::Underpowered,
            Some("report-doubt-nothing-to-lose"),
        ),
        (
            "a treatment with nothing to lose",
            same,
            |t| t.unseen = Some(UnseenInputs { treatment_room: Some(0.39), ..unseen(0.0, 0.0, 0.0) }),
            Tier::Underpowered,
            Some("report-doubt-nothing-to-lose"),
        ),
        (
            "a gain needs no room",
            gain,
            |t| t.unseen = Some(UnseenInputs { control_room: Some(0.0), ..unseen(0.0, 1.0, 1.0) }),
            Tier::Progress,
            None,
        ),
        ("a gain over samples, too", gain, |t| t.diff.over_samples = Some(0.25), Tier::Progress, None),
        (
            "a gain of clusters",
            gain,
            |t| t.diff.over_samples = Some(0.24),
            Tier::Cautious,
            Some("report-doubt-gain-of-clusters"),
        ),
        ("the same over samples, too", same, |t| t.diff.over_samples = Some(-0.2), Tier::Noise, None),
        (
            "a loss that clusters hide",
            same,
            |t| t.diff.over_samples = Some(-0.21),
            Tier::Underpowered,
            Some("report-doubt-clusters-hide"),
        ),
        ("a loss over samples, too", loss, |t| t.diff.over_samples = Some(-0.01), Tier::Regress, None),
        (
            "a loss of clusters",
            loss,
            |t| t.diff.over_samples = Some(0.0),
            Tier::Regress,
            Some("report-why-loss-of-clusters"),
        ),
        (
            "a dimension that may not have fallen",
            gain,
            |t| t.dimensions = vec![capability(40, -0.2, 1.0, Some(diff(40, -0.2, -0.5, 0.0)))],
            Tier::Progress,
            None,
        ),
        (
            "a dimension fell, and another pays",
            gain,
            |t| t.dimensions = vec![capability(40, -0.2, 1.0, Some(diff(40, -0.2, -0.5, -0.01)))],
            Tier::Cautious,
            Some("report-doubt-dimension-fell"),
        ),
        (
            "a dimension fell by rounding",
            gain,
            |t| t.dimensions = vec![capability(40, -0.004, 0.0, Some(diff(40, -0.004, -0.006, -0.001)))],
            Tier::Progress,
            None,
        ),
        (
            "a small dimension collapsed, the whole is the same",
            same,
            |t| t.dimensions = vec![capability(3, -2.0, -1.0, None)],
            Tier::Cautious,
            Some("report-doubt-dimension-collapsed"),
        ),
        (
            "a small layer collapsed",
            gain,
            |t| t.layers.judge = Some(LayerInputs { best: Some(-1.0), ..layer(diff(5, -2.0, -4.0, 0.5)) }),
            Tier::Cautious,
            Some("report-doubt-layer-collapsed"),
        ),
        (
            "a small layer that fell less",
            gain,
            |t| t.layers.judge = Some(LayerInputs { best: Some(-0.99), ..layer(diff(5, -2.0, -4.0, 0.5)) }),
            Tier::Progress,
            None,
        ),
        ("a loss needs no guard", loss, |t| t.unseen = Some(unseen(1.0, 1.0, 1.0)), Tier::Regress, None),
        (
            "a loss that a kind could make up for",
            loss,
            |t| t.unseen = Some(UnseenInputs { no_loss: 0.101, ..unseen(1.0, 1.0, 1.0) }),
            Tier::Regress,
            Some("report-why-loss-unseen-ever"),
        ),
        ("a loss by rounding", diff(40, -0.099, -0.15, -0.01), |_| (), Tier::Noise, Some("report-why-small-loss")),
        ("a loss that may matter", diff(40, -0.099, -0.21, -0.01), |_| (), Tier::Underpowered, Some("report-why-wide")),
        ("the least loss", diff(40, -0.1, -0.15, -0.01), |_| (), Tier::Regress, None),
    ];
    for (name, diff, change, tier, reason) in table {
        let mut treated = treatment("t", *diff);
        treated.layers.fact = Some(layer(DiffInputs { high: Some(0.5), ..*diff }));
        treated.layers.behavior = Some(layer(DiffInputs { high: Some(0.5), ..*diff }));
        change(&mut treated);
        let got = verdict(&inputs(vec![treated]));
        let reasons: Vec<String> = got.per_treatment[0]
            .reasons
            .iter()
            .skip(usize::from(reason.is_none()))
            .map(|r| r.message_key.id.to_string())
            .collect();
        assert_eq!(got.tier, *tier, "{name}: {reasons:?}");
        assert_eq!(reasons.iter().any(|got| Some(got.as_str()) == *reason), reason.is_some(), "{name}: {reasons:?}");
        assert!(reason.is_some() || reasons.is_empty(), "{name}: {reasons:?}");
    }
}

/// Copies count once, and the reader is told.
#[test]
fn fewer_tasks_than_samples_are_named() {
    let (tier, reasons, _) = tier_of(|i| i.tasks = TaskInputs { samples: 80, tasks: 40 });
    assert_eq!((tier, reasons.last().map(String::as_str)), (Tier::Progress, Some("report-why-tasks")));
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

/// The worst of several tiers is CAUTIOUS though others are UNDERPOWERED or NOISE, which the gate never lets through.
#[test]
fn the_cautious_gate_looks_at_every_treatment() {
    let gain = |n| treatment("a", diff(n, 0.5, 0.2, 0.8));
    let code = |treatments| {
        let mut inputs = inputs(treatments);
        inputs.limits.gate = eval_spec::suite::GateTier::Cautious;
        verdict(&inputs).exit_code
    };
    assert_eq!(code(vec![gain(19), gain(40)]), 0);
    assert_eq!(code(vec![gain(19), treatment("b", diff(40, 0.0, -0.5, 0.5))]), 1);
    assert_eq!(code(vec![gain(19), treatment("b", diff(60, 0.0, -0.1, 0.1))]), 1);
}

type Counts = fn(&mut RuntimeCounts) -> &mut BTreeMap<String, u64>;

fn runtimes(of: Counts, counts: &[(&str, u64)]) -> RuntimeCounts {
    let mut runtimes = RuntimeCounts { executions: 40, ..RuntimeCounts::default() };
    of(&mut runtimes).extend(counts.iter().map(|(name, count)| ((*name).to_owned(), *count)));
    runtimes
}

#[test]
fn agents_that_are_the_same_raise_no_alarm() {
    let loader = |i: &mut VerdictInputs| {
        i.control.runtimes = Some(runtimes(|of| &mut of.tools, &[("Read", 40), ("Bash", 39)]));
        i.treatments[0].arm.runtimes = Some(runtimes(|of| &mut of.tools, &[("Read", 40), ("Bash", 40), ("Skill", 40)]));
    };
    assert_eq!(tier_of(loader).0, Tier::Progress);
    let files = |i: &mut VerdictInputs| {
        i.control.runtimes = Some(runtimes(|of| &mut of.tools, &[("Read", 40)]));
        i.treatments[0].arm.runtimes = Some(runtimes(|of| &mut of.tools, &[("Read", 40), ("Bash", 40)]));
        let delivered = DeliveryCounts { executions: 40, offered: Some(40), loaded: None, read: 40 };
        i.treatments[0].arm.delivery = Some(delivered);
    };
    assert_eq!(tier_of(files).0, Tier::Progress);
}

/// A control from the cache of which 8 tasks were asked again.
fn beside_cached(i: &mut VerdictInputs, drift: DiffInputs, adjusted: f64) {
    i.control.cached = 32;
    i.cached_control = Some(CachedControlInputs { asked_again: 8, drift, models_differ: false });
    i.treatments[0].adjusted = Some(AdjustedInputs { mean: 0.5, low: adjusted });
}

#[test]
fn cached_control_allows_progress_where_the_drift_leaves_the_gain() {
    let still = diff(8, 0.02, -0.1, 0.14);
    let (tier, reasons, code) = tier_of(|i| beside_cached(i, still, 0.1));
    assert_eq!((tier, code), (Tier::Progress, 0), "{reasons:?}");
    let cases: [(&str, DiffInputs, f64); 3] = [
        ("report-alarm-may-have-drifted", still, 0.0),
        ("report-alarm-drifted", diff(8, 0.3, 0.1, 0.5), 0.1),
        ("report-alarm-cached", diff(5, 0.0, -0.1, 0.1), 0.1),
    ];
    for (why, drift, adjusted) in cases {
        let (tier, reasons, code) = tier_of(|i| beside_cached(i, drift, adjusted));
        assert_eq!((tier, code), (Tier::Cautious, 1), "{why}");
        assert!(reasons.iter().any(|reason| reason == why), "{why}: {reasons:?}");
    }
    let other_model = |i: &mut VerdictInputs| {
        beside_cached(i, still, 0.1);
        i.cached_control.as_mut().unwrap().models_differ = true;
    };
    assert_eq!(tier_of(other_model).0, Tier::Cautious);
}

/// A loss of up to the margin leaves room for drift.
#[test]
fn cached_control_can_be_shown_not_to_be_better_by_more_than_the_margin() {
    let code = |adjusted: f64| {
        let mut inputs = inputs(vec![treatment("t", diff(60, 0.0, -0.1, 0.1))]);
        inputs.limits.margin = Some(0.2);
        beside_cached(&mut inputs, diff(12, 0.0, -0.05, 0.05), adjusted);
        verdict(&inputs).exit_code
    };
    assert_eq!((code(-0.15), code(-0.2)), (0, 1));
}

#[test]
fn all_of_a_cached_control_is_asked_again_where_only_its_age_speaks_against_a_gain() {
    let asks = |gain: DiffInputs, drift: DiffInputs, adjusted: f64| {
        let mut inputs = inputs(vec![treatment("t", gain)]);
        beside_cached(&mut inputs, drift, adjusted);
        eval_verdict::asks_all_again(&inputs)
    };
    let (still, gain) = (diff(8, 0.02, -0.1, 0.14), diff(40, 0.5, 0.2, 0.8));
    assert!(!asks(gain, still, 0.1), "the gain holds");
    assert!(asks(gain, still, -0.1), "it may be drift");
    assert!(!asks(diff(15, 0.5, 0.2, 0.8), still, -0.1), "too few pairs for progress anyway");
    assert!(!asks(diff(40, 0.0, -0.3, 0.3), still, -0.1), "there is no gain");
    assert!(asks(diff(40, 0.0, -0.3, 0.3), diff(8, 0.3, 0.1, 0.5), -0.1), "the control has moved");
    assert!(asks(gain, diff(5, 0.0, -0.1, 0.1), 0.1), "too few pairs to see it");
}
