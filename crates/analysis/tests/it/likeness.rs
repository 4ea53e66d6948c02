//! Folding, shingles and Jaccard: worked examples.

use eval_analysis::grouping::{Signature, folded, groups, jaccard, shingles};
use eval_analysis::internals::{SimilarTexts, stir};

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

#[test]
fn a_signature_estimates_jaccard() {
    // two runs of numbers that share 60 %: 3/7 = 0.43
    let a: Vec<u64> = (10_000..11_000).map(stir).collect();
    let b: Vec<u64> = (10_400..11_400).map(stir).collect();
    let estimate = Signature::of(&a).estimate(&Signature::of(&b));
    assert!((0.2..0.7).contains(&estimate), "{estimate}");
}

#[test]
fn groups_are_those_that_were_compared() {
    let texts: Vec<String> = (0..60).map(|i| format!("text number {} of some length, more or less", i % 20)).collect();
    let sets: Vec<Vec<u64>> = texts.iter().map(|text| of(text)).collect();
    let signatures: Vec<_> = sets.iter().map(|set| Some(Signature::of(set))).collect();
    let found = groups(&signatures, 1.0, &|a, b| jaccard(&sets[a], &sets[b]));
    assert_eq!(found.len(), 20);
    assert_eq!(found[3], SimilarTexts { places: vec![3, 23, 43], likeness: 1.0 });
}

/// A crowd in which everybody is half like everybody else is the worst case.
#[test]
fn comparisons_grow_with_the_texts_and_not_with_their_pairs() {
    let n = 2000;
    let common: Vec<u64> = (0..100).map(|i| stir(1 << 40 | i)).collect();
    let sets: Vec<Vec<u64>> = (0..n)
        .map(|at: u64| common.iter().copied().chain((0..60).map(|i| stir(at << 20 | i | 1 << 50))).collect())
        .collect();
    let signatures: Vec<_> = sets.iter().map(|set| Some(Signature::of(set))).collect();
    let compared = std::cell::Cell::new(0);
    let found = groups(&signatures, 0.6, &|_, _| {
        compared.set(compared.get() + 1);
        0.45
    });
    assert_eq!(found, []);
    assert!(compared.get() > 0 && compared.get() <= 8 * 8 * 4 * sets.len(), "{}", compared.get());
}
