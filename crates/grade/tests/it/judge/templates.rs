//! The texts of questions.

use eval_grade::internals::{CHINESE, ENGLISH};
use eval_grade::{expectation_template_hash, template_hash, template_name};

/// Scores of two hashes are not comparable: a change of a text changes these on purpose, gives the
/// template a new name, and says so in the changelog.
#[test]
fn the_templates_are_frozen() {
    let templates = [true, false].map(|debias| (template_name(debias), template_hash(debias)));
    let frozen = [("v3-cot-length", "e5eeb5c28939".to_owned()), ("v2-cot", "132fab3e8254".to_owned())];
    assert_eq!(templates, frozen);
    assert_eq!(expectation_template_hash(), "2d791d3ff78f");
}

#[test]
fn length_is_all_that_sets_them_apart() {
    for texts in [&ENGLISH, &CHINESE] {
        let others = texts.all().into_iter().filter(|text| *text != texts.length);
        assert!(others.clone().all(|text| !text.contains("ength") && !text.contains("长度")), "{:?}", others.count());
    }
}
