//! Scores of the full-text search, by its own functions: `find` shows the order alone.

#[path = "../../../src/search.rs"]
#[expect(dead_code, reason = "`rank` is for the program")]
mod functions;

use functions::{count, indexed, scores, words};

fn texts(texts: &[&str]) -> Vec<Vec<String>> {
    texts.iter().map(|text| words(text)).collect()
}

#[test]
fn words_of_scripts_with_and_without_spaces() {
    assert_eq!(words("Web-Search_v2, API"), ["web", "search", "v2", "api"]);
    assert_eq!(words("查询天气 weather天"), ["查询", "询天", "天气", "weather", "天"]);
    assert_eq!(words("  "), Vec::<String>::new());
}

/// By hand: N = 2, one holder, so the weight is ln(1 + 1.5 / 1.5) = ln 2; both texts have two words, the mean, so the
/// rest is 1 · 2.2 / (1 + 1.2) = 1.
#[test]
fn the_score_is_that_of_the_formula() {
    let scores = scores(&texts(&["weather report", "math sum"]), &["weather".to_owned()]);
    assert!((scores[0] - 2.0_f64.ln()).abs() < 1e-12, "{scores:?}");
    assert!(scores[1].abs() < 1e-12);
}

#[test]
fn a_lone_character_finds_the_words_that_it_is_in() {
    let indexed = indexed("查询天气 v2 天");
    assert_eq!(indexed, ["查询", "询天", "天气", "v2", "查", "询", "天", "气", "天"]);
    assert!((count(&indexed, "天") - 2.0).abs() < 1e-12);
    assert_eq!(words("天气"), ["天气"], "what is asked for is the pair alone");
}

#[test]
fn more_words_rare_words_and_short_texts_rank_higher() {
    let scores = scores(
        &texts(&["weather api", "weather", "api of a very long text about nothing at all"]),
        &["weather".to_owned(), "api".to_owned()],
    );
    assert!(scores[0] > scores[1] && scores[1] > scores[2], "{scores:?}");
}

#[test]
fn the_beginning_of_a_word_counts_less_than_the_word() {
    assert!((count(&words("calculator calc"), "calc") - 1.5).abs() < 1e-12);
    assert!(count(&words("calculator"), "ca").abs() < 1e-12);
}
