//! What holds of every verdict.

use eval_format::{ArmInputs, CheckCounts, DiffInputs, LayerInputs, Layers, OutcomeCounts, Tier, TreatmentInputs};
use eval_verdict::verdict;
use proptest::prelude::*;

use crate::made::{arm, inputs};

prop_compose! {
    fn any_diff()(
        n in 0_u64..60,
        mean in prop::option::of(-4.0..4.0_f64),
        low in prop::option::of(-4.0..4.0_f64),
        width in 0.0..4.0_f64,
        degenerate: bool,
        p in prop::option::of(0.0..1.0_f64),
    ) -> DiffInputs {
        DiffInputs { n, mean, over_samples: None, low, high: low.map(|low| if degenerate { low } else { low + width }), degenerate, p }
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
        let layers = Layers { fact: Some(LayerInputs { mean: layer_mean, diff: layer, best: None }), behavior: None, judge: None };
        TreatmentInputs { arm, diff, layers, ..TreatmentInputs::default() }
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
