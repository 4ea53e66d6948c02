//! The texts of comparisons.

use eval_grade::internals::{CHINESE_PAIRS, ENGLISH_PAIRS};
use eval_grade::{pairwise_template_hash, pairwise_template_name};

/// Verdicts of two hashes are not comparable: a change of a text changes these on purpose, gives the
/// template a new name, and says so in the changelog.
#[test]
fn the_templates_are_frozen() {
    let templates = [true, false].map(|debias| (pairwise_template_name(debias), pairwise_template_hash(debias)));
    let frozen = [("v3-pairwise-length", "f5dc3799e1ed".to_owned()), ("v2-pairwise", "b5b492a4c751".to_owned())];
    assert_eq!(templates, frozen);
}

#[test]
fn length_is_all_that_sets_them_apart() {
    for texts in [&ENGLISH_PAIRS, &CHINESE_PAIRS] {
        let mut others = texts.all().into_iter().filter(|text| *text != texts.length);
        assert!(others.all(|text| !text.contains("ength") && !text.contains("长度")));
    }
}
