//! Folding, shingles and Jaccard: worked examples.

use eval_analysis::grouping::{folded, jaccard, shingles};

fn of(text: &str) -> Vec<u64> {
    shingles(&folded(text), 0)
}

#[test]
fn folding_leaves_what_is_written_and_not_how() {
    assert_eq!(folded("  Review\tTHIS \n code！ "), "review this code!");
    assert_eq!(folded("ＳＱＬ　注入\u{200b}"), "sql 注入");
    assert_ne!(folded("a + b"), folded("a - b"));
}

#[test]
fn shingles_are_six_latin_letters_or_two_han_characters() {
    assert_eq!(of("abcdefgh").len(), 3);
    assert_eq!(of("审查这段代码").len(), 5);
    assert_eq!((of("ab").len(), of("").len()), (1, 0));
    assert_eq!(of("aaaaaaaaaaaa").len(), 1, "each once");
}

#[test]
fn jaccard_is_the_share_of_what_both_have() {
    // abcdef bcdefg | bcdefg cdefgh
    assert!((jaccard(&of("abcdefg"), &of("bcdefgh")) - 1.0 / 3.0).abs() < 1e-12);
    assert_eq!(jaccard(&of("审查代码"), &of("审查代码")).to_bits(), 1.0_f64.to_bits());
    assert_eq!(jaccard::<u64>(&[], &[]).to_bits(), 0.0_f64.to_bits());
}
