//! Words of texts.

use eval_grade::internals::rouge_tokens;

#[test]
fn rouge_tokens_include_words_of_other_scripts() {
    assert_eq!(rouge_tokens("The café's 2nd-best"), ["the", "caf", "s", "2nd", "best"]);
    assert_eq!(rouge_tokens("用SQL参数化"), ["用", "sql", "参", "数", "化"]);
    assert_eq!(rouge_tokens("Привет, мир 한국어"), ["привет", "мир", "한국어"]);
}
