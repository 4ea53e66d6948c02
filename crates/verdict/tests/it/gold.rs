//! What gold says against progress.

use std::collections::BTreeMap;

use eval_format::{GoldDiffInputs, GoldInputs, LayerInputs, Tier, VerdictInputs};

use crate::made::{diff, tier_of};

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
            let layer = LayerInputs { mean: Some(4.2), diff: diff(40, 0.5, 0.2, 0.8), best: None };
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
            inputs.treatments[0].layers.judge =
                Some(LayerInputs { mean: Some(4.2), diff: diff(40, 0.0, -0.2, 0.2), best: None });
        });
        let counts = ["alpha", "undefined", "worse", "gate"].map(|why| format!("report-doubt-gold-{why}"));
        assert_eq!(flat.0 == Tier::Cautious, counts.iter().any(|why| why == reason), "{reason}");
    }
}
