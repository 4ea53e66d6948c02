//! Samples that became too easy.

use super::{eval, project, said, set_agent, set_samples};
use crate::fixtures::context::Finished;
use crate::run::pages;

#[test]
fn three_low_rates_in_a_row_ask_for_other_samples() {
    let context = project();
    set_agent(&context, &[]);
    let nudged = |run: &Finished| said(run).contains("Consider expanding the sample set");
    assert!(!nudged(&eval(&context)));
    assert!(!nudged(&eval(&context)));
    let third = eval(&context);
    assert!(nudged(&third) && said(&third).contains("3 evaluations in a row (eval-samples.json@"), "{}", third.stdout);
    assert_eq!(third.code, 0);
    for page in pages(&context) {
        let (_, nudge) = page.split_once("3 evaluations in a row (eval-samples.json@").expect(&page);
        assert!(nudge.contains("Consider expanding the sample set"), "{page}");
    }
    set_samples(&context, &["the table", "other", "more"]);
    assert!(!nudged(&eval(&context)), "other samples");
    set_samples(&context, &["the table", "other"]);
    set_agent(&context, &["revenue_schema"]);
    assert!(!nudged(&eval(&context)), "a high rate");
    set_agent(&context, &[]);
    assert!(!nudged(&eval(&context)), "the row begins anew");
}
