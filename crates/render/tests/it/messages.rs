//! Texts of reports.

use eval_message::{Lang, msg};
use eval_spec::Layer;

use crate::world::{Came, World};

#[test]
fn what_fell_fell_by_so_much_and_not_by_less_than_nothing() {
    let world = World::new(24, &["v1", "v2"], 1, |at| {
        let kept = at.variant == 0 || at.sample % 3 > 0;
        Came::To(vec![(Layer::Fact, 1.0, Some(kept)), (Layer::Behavior, 1.0, Some(at.variant == 1))])
    });
    let report = world.report();
    let why = &report.verdict.per_treatment[0].reasons[0].message;
    let fell = "the `fact` layer fell by 1.33, and its mean of 3.67 is below the threshold of 4.00";
    assert_ne!(why, fell, "3.67 reaches the threshold of 3.5");
    let mut strict = world;
    strict.suite.settings.threshold = 4.0;
    let report = strict.report();
    assert_eq!(report.verdict.per_treatment[0].reasons[0].message, fell);
}

#[test]
fn one_is_one() {
    for (message, text) in [
        (msg!("report-plan-cached", cached = 1, calls = 1), "1 of 1 call would be answered from the cache"),
        (
            msg!("report-next-first-samples", treatment = "t", n = 1, needed = 20),
            "add samples: `t` has 1 pair, and progress can be seen from 20 on",
        ),
        (
            msg!("report-alarm-missing", variant = "v", missing = 1, planned = 1, limit = 10),
            "`v` has no score for 1 of 1 execution; at most 10 % may be missing",
        ),
        (
            msg!("report-invalid-failures", failed = 1, ran = 1, limit = "10 %"),
            "1 of 1 execution failed; at most 10 % may fail",
        ),
        (msg!("report-alarm-budget", variant = "v", count = 1), "the budget kept 1 execution of `v` from running"),
    ] {
        assert_eq!(message.text(Lang::En), text);
    }
}
