//! Held-out samples only take away.

use eval_format::{GapInputs, HoldoutInputs, SplitInputs, Tier};
use eval_verdict::verdict;
use proptest::prelude::*;

use crate::made::{diff, inputs, treatment};

fn part(n: u64, mean: f64, low: f64) -> SplitInputs {
    SplitInputs { n, mean: Some(mean), low: Some(low) }
}

#[test]
fn held_out_samples_forbid_progress_where_the_gain_is_not_theirs() {
    let gap = |low| Some(GapInputs { mean: 0.4, low, high: 0.9, degenerate: false });
    let table = [
        ("it carries over", part(30, 0.6, 0.3), part(10, 0.4, -0.2), gap(-0.1), vec![]),
        ("it touches 0", part(30, 0.6, 0.3), part(10, 0.4, -0.2), gap(0.0), vec![]),
        ("it shrinks", part(30, 0.6, 0.3), part(10, 0.2, -0.2), gap(0.01), vec!["report-doubt-gap"]),
        ("it is gone", part(30, 0.6, 0.3), part(10, 0.0, -0.4), gap(-0.1), vec!["report-doubt-holdout"]),
        ("it never was clear", part(30, 0.6, -0.01), part(10, -0.1, -0.4), gap(-0.1), vec![]),
        ("nobody can tell", part(30, 0.6, 0.3), part(1, -2.0, -2.0), None, vec!["report-doubt-holdout-few"]),
    ];
    for (name, train, held_out, gap, expected) in table {
        let mut inputs = inputs(vec![treatment("t", diff(40, 0.5, 0.2, 0.8))]);
        inputs.treatments[0].holdout = Some(HoldoutInputs { train, held_out, gap });
        let decided = verdict(&inputs);
        let reasons: Vec<String> =
            decided.per_treatment[0].reasons[1..].iter().map(|why| why.message_key.id.to_string()).collect();
        assert_eq!(reasons, expected, "{name}");
        assert_eq!(decided.tier, if expected.is_empty() { Tier::Progress } else { Tier::Cautious }, "{name}");
    }
}

proptest! {
    #[test]
    fn held_out_samples_never_make_a_tier_better(
        (low, width) in (-2.0..2.0_f64, 0.0..2.0_f64),
        (train, held_out, gap) in (-2.0..2.0_f64, -2.0..2.0_f64, -1.0..1.0_f64),
        n in 0_u64..40,
    ) {
        let without = inputs(vec![treatment("t", diff(n, low + width / 2.0, low, low + width))]);
        let mut with = without.clone();
        with.treatments[0].holdout = Some(HoldoutInputs {
            train: part(n, train, train - 0.1),
            held_out: part(3, held_out, held_out - 0.5),
            gap: Some(GapInputs { mean: gap, low: gap - 0.2, high: gap + 0.2, degenerate: false }),
        });
        let (without, with) = (verdict(&without), verdict(&with));
        let is_cautious_now = without.tier == Tier::Progress && with.tier == Tier::Cautious;
        prop_assert!(with.tier == without.tier || is_cautious_now, "{:?} {:?}", without.tier, with.tier);
        prop_assert!(with.exit_code >= without.exit_code);
    }
}
