//! What judges preferred, as the verdict reads it.

use eval_format::{
    DiffInputs, LayerInputs, Layers, MissingRuns, PairInputs, PartInputs, PositionInputs, Tier, TreatmentInputs,
    Unlike, VerdictInputs,
};
use eval_verdict::verdict;
use proptest::prelude::*;

use crate::made::{arm, diff, inputs, treatment};

/// A preference in points.
fn preferred(diff: DiffInputs) -> PairInputs {
    let preference = diff.mean.map(|mean| mean / 4.0);
    PairInputs { planned: diff.n, preference, diff, ..PairInputs::default() }
}

/// Nothing but preferences is planned.
fn alone(of: PairInputs) -> VerdictInputs {
    let mut inputs = beside(DiffInputs::default(), of);
    let treatment = &mut inputs.treatments[0];
    treatment.layers = Layers { fact: None, behavior: None, judge: None };
    for arm in [&mut inputs.control, &mut treatment.arm] {
        (arm.planned_scores, arm.mean) = (0, Some(0.0));
    }
    inputs
}

fn beside(scores: DiffInputs, of: PairInputs) -> VerdictInputs {
    let mut treated = treatment("t", scores);
    treated.pairwise = Some(of);
    inputs(vec![treated])
}

fn decided(inputs: &VerdictInputs) -> (Tier, Vec<String>, u8) {
    let verdict = verdict(inputs);
    let notes = verdict.reasons.iter().chain(&verdict.per_treatment[0].reasons);
    (verdict.tier, notes.map(|note| note.message_key.id.to_string()).collect(), verdict.exit_code)
}

#[test]
fn a_preference_alone_decides_by_the_same_borders() {
    let table = [
        ("above 0", diff(24, 2.0, 0.01, 3.0), Tier::Progress),
        ("19 samples", diff(19, 2.0, 0.01, 3.0), Tier::Cautious),
        ("trivial", diff(24, 0.09, 0.01, 0.2), Tier::Cautious),
        ("touches 0", diff(24, 2.0, 0.0, 3.0), Tier::Underpowered),
        ("below 0", diff(24, -2.0, -3.0, -0.01), Tier::Regress),
        ("inside", diff(24, 0.0, -0.2, 0.2), Tier::Noise),
        ("5 samples", diff(5, 4.0, 3.0, 4.0), Tier::Underpowered),
        ("nothing", DiffInputs::default(), Tier::Underpowered),
        ("all won", DiffInputs { degenerate: true, p: Some(0.001), ..diff(24, 4.0, 4.0, 4.0) }, Tier::Progress),
        ("all tied", DiffInputs { degenerate: true, p: Some(1.0), ..diff(24, 0.0, 0.0, 0.0) }, Tier::Noise),
        ("few, all tied", DiffInputs { degenerate: true, p: Some(1.0), ..diff(8, 0.0, 0.0, 0.0) }, Tier::Underpowered),
    ];
    for (name, diff, tier) in table {
        let (is, reasons, exit_code) = decided(&alone(preferred(diff)));
        assert_eq!((is, exit_code == 0), (tier, tier == Tier::Progress), "{name}: {reasons:?}");
        let told = reasons.contains(&"report-why-preference-points".to_owned());
        assert_eq!(told, diff.mean.is_some(), "{name}");
    }
}

#[test]
fn beside_scores_it_takes_away_and_never_adds() {
    let (up, down, wide) = (diff(40, 0.5, 0.2, 0.8), diff(40, -0.5, -0.8, -0.2), diff(40, 0.1, -0.5, 0.7));
    let inside = diff(40, 0.0, -0.1, 0.1);
    let few = diff(3, 0.5, 0.2, 0.8);
    let table = [
        ("both up", up, up, Tier::Progress),
        ("scores up, preference unknown", up, wide, Tier::Progress),
        ("scores up, preference down", up, down, Tier::Regress),
        ("scores down, preference up", down, up, Tier::Regress),
        ("scores alike, preference up", inside, up, Tier::Cautious),
        ("scores unknown, preference up", wide, up, Tier::Cautious),
        ("scores of too few samples say nothing, preference up", few, up, Tier::Progress),
        ("few scores, preference down", few, down, Tier::Regress),
        ("both alike", inside, inside, Tier::Noise),
        ("scores alike, preference unknown", inside, wide, Tier::Underpowered),
        ("few of both", few, few, Tier::Underpowered),
        ("few preferences down", up, diff(5, -4.0, -4.0, -3.0), Tier::Progress),
    ];
    for (name, scores, preference, tier) in table {
        let (is, reasons, _) = decided(&beside(scores, preferred(preference)));
        assert_eq!(is, tier, "{name}: {reasons:?}");
        assert!(!reasons.is_empty(), "{name}");
    }
}

/// Judges who prefer the whole don't make up for the part that fell.
#[test]
fn a_part_that_fell_is_named_beside_a_preference_that_scores_dont_show() {
    let (up, inside) = (diff(66, 0.5, 0.2, 0.8), diff(66, 0.0, -0.1, 0.1));
    let with = |scores: DiffInputs, change: fn(&mut TreatmentInputs)| {
        let mut inputs = beside(scores, preferred(up));
        change(&mut inputs.treatments[0]);
        decided(&inputs)
    };
    let fell = |t: &mut TreatmentInputs| {
        t.layers.behavior = Some(LayerInputs { mean: Some(4.0), diff: diff(66, -0.4, -0.6, -0.2), best: None });
    };
    let collapsed = |t: &mut TreatmentInputs| {
        let (name, mean, best) = ("refund".to_owned(), Some(-2.0), Some(-1.0));
        t.capabilities = vec![PartInputs { name, tasks: 3, n: 3, mean, best, diff: None }];
    };
    for scores in [inside, diff(66, 0.1, -0.5, 0.7)] {
        let (tier, reasons, _) = with(scores, fell);
        assert_eq!(tier, Tier::Cautious);
        assert!(reasons.contains(&"report-doubt-layer-fell".to_owned()), "{reasons:?}");
        let (tier, reasons, _) = with(scores, collapsed);
        assert_eq!(tier, Tier::Cautious);
        assert!(reasons.contains(&"report-doubt-capability-collapsed".to_owned()), "{reasons:?}");
        let (_, reasons, _) = with(scores, |_| ());
        assert!(!reasons.iter().any(|reason| reason.contains("fell") || reason.contains("collapsed")), "{reasons:?}");
    }
}

/// An answer that was asked for again until it was good might have lost at first; where both arms were, it selects nothing.
#[test]
fn answers_that_one_arm_was_asked_for_again_could_turn_a_preference() {
    let with = |control: u64, treatment: u64| {
        let again = MissingRuns { samples: control.max(treatment), control, treatment };
        decided(&alone(PairInputs { again, ..preferred(diff(36, 2.0, 1.0, 3.0)) }))
    };
    // 2 − 4 · 8/36 − √(1² + 1.96² · 4 · (8/36)²) = −0.22
    let (tier, reasons, _) = with(0, 4);
    assert!(tier == Tier::Cautious && reasons.contains(&"report-doubt-asked-again".to_owned()), "{reasons:?}");
    assert_eq!([with(0, 2).0, with(12, 12).0, with(12, 0).0], [Tier::Progress; 3]);
    // where judges compared them anew, as many of the other arm make up for none
    let redrawn = MissingRuns { samples: 4, control: 4, treatment: 4 };
    let inputs = PairInputs { again: redrawn, redrawn, ..preferred(diff(36, 2.0, 1.0, 3.0)) };
    let (tier, reasons, _) = decided(&alone(inputs));
    assert!(tier == Tier::Cautious && reasons.contains(&"report-doubt-redrawn".to_owned()), "{reasons:?}");
}

/// Preferences decide on all samples, whatever checks evaluated of their answers.
#[test]
fn samples_that_are_no_pair_of_scores_hide_no_preference() {
    let mut inputs = beside(diff(3, 0.5, 0.2, 0.8), preferred(diff(66, 0.0, -0.1, 0.1)));
    inputs.treatments[0].unlike = Unlike { samples: 1, checks: vec!["custom".to_owned()] };
    let (tier, reasons, _) = decided(&inputs);
    assert_eq!(tier, Tier::Noise);
    assert!(reasons.contains(&"report-alarm-unlike".to_owned()), "{reasons:?}");
}

#[test]
fn what_is_missing_or_goes_by_position_is_named() {
    let up = diff(36, 2.0, 1.0, 3.0);
    let with = |change: fn(&mut PairInputs)| {
        let mut of = preferred(up);
        (of.planned, of.missing) = (40, 4);
        change(&mut of);
        decided(&alone(of))
    };
    let names = |(_, reasons, _): &(Tier, Vec<String>, u8), id: &str| reasons.iter().any(|reason| reason == id);
    assert_eq!(with(|_| {}).0, Tier::Progress, "10 % may be missing");
    let lost = with(|of| of.missing = 5);
    assert!(lost.0 == Tier::Cautious && names(&lost, "report-alarm-pairs"), "{lost:?}");
    let silent = with(|of| (of.missing, of.unjudged) = (5, 5));
    assert!(silent.2 == 3 && names(&silent, "report-invalid-pairs"), "{silent:?}");
    let few = with(|of| of.unjudged = 4);
    assert!(few.2 == 0, "{few:?}");

    let position = |share, low, high| {
        let mut of = preferred(up);
        of.position = Some(PositionInputs { share, low, high });
        decided(&alone(of))
    };
    for (share, low, high, tier) in [
        (0.66, 0.55, 0.75, Tier::Cautious),
        (0.34, 0.2, 0.45, Tier::Cautious),
        (0.65, 0.6, 0.7, Tier::Progress),
        (0.9, 0.45, 0.99, Tier::Progress),
    ] {
        let is = position(share, low, high);
        assert_eq!((is.0, names(&is, "report-alarm-position")), (tier, tier == Tier::Cautious), "{share}");
    }
    // Judges that always name the first shown find no difference, because they look at none.
    let mut of = preferred(diff(24, 0.0, 0.0, 0.0));
    of.position = Some(PositionInputs { share: 1.0, low: 0.86, high: 1.0 });
    let is = decided(&alone(of));
    assert!(is.0 == Tier::Underpowered && names(&is, "report-alarm-position"), "{is:?}");
}

proptest! {
    #[test]
    fn a_preference_never_makes_a_verdict_of_scores_better(
        mean in -2.0..2.0f64, width in 0.01..2.0f64, n in 6..50u64, towards in -2.0..2.0f64, of in 0..50u64,
    ) {
        let scores = diff(n, mean, mean - width, mean + width);
        let mut without = beside(scores, PairInputs::default());
        without.treatments[0].pairwise = None;
        let with = beside(scores, preferred(diff(of, towards, towards - width, towards + width)));
        let (with, without) = (verdict(&with), verdict(&without));
        // tiers are ordered, the worst first
        prop_assert!(with.exit_code >= without.exit_code && with.tier <= without.tier);
        let stored: eval_format::Verdict = serde_json::from_str(&serde_json::to_string(&with).unwrap()).unwrap();
        prop_assert_eq!(verdict(&stored.inputs), with);
    }
}

#[test]
fn an_old_report_without_preferences_reads_as_before() {
    let mut stored = serde_json::to_value(inputs(vec![treatment("t", diff(40, 0.5, 0.2, 0.8))])).unwrap();
    assert!(stored["treatments"][0].as_object_mut().unwrap().remove("pairwise").is_none());
    let read: VerdictInputs = serde_json::from_value(stored).unwrap();
    assert_eq!((verdict(&read).tier, arm("c").planned_scores), (Tier::Progress, 40));
}
