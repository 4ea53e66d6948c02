//! Places of matches, fenced blocks and words in texts of any script.

use eval_spec::Output;
use serde_json::{Value, json};

use crate::make::check_output;

fn actual(assertion: Value, text: &str) -> Value {
    check_output(assertion, &Output::text(text)).actual.unwrap_or_default()
}

/// The position and the text of the first match.
fn place(assertion: Value, text: &str) -> Option<(usize, String)> {
    let actual = actual(assertion, text);
    let at = usize::try_from(actual.get("at")?.as_u64()?).ok()?;
    Some((at, actual["text"].as_str()?.to_owned()))
}

fn spot(text: &str, needle: &str) -> Option<(usize, String)> {
    place(json!({"type": "contains", "value": needle}), text)
}

#[test]
fn a_match_may_differ_in_case_and_has_a_position() {
    assert_eq!(spot("存在 SQL 注入风险", "sql 注入"), Some((3, "SQL 注入".to_owned())));
    assert_eq!(spot("ΣΊΣΥΦΟΣ", "σίσυφος"), Some((0, "ΣΊΣΥΦΟΣ".to_owned())));
    assert_eq!(spot("STRAẞE", "straße"), Some((0, "STRAẞE".to_owned())));
    assert_eq!(spot("7 K ⇒", "k"), Some((2, "K".to_owned())), "the Kelvin sign folds to k");
    assert_eq!(spot("ab", "abc"), None);
}

#[test]
fn simple_folding_never_changes_the_number_of_characters() {
    assert_eq!(spot("STRASSE", "straße"), None, "that would be full folding");
    assert_eq!(spot("İstanbul", "istanbul"), None, "that would be Turkic folding");
    assert_eq!(spot("ısı", "ISI"), None);
    assert_eq!(spot("DİE", "dİe"), Some((0, "DİE".to_owned())));
}

#[test]
fn characters_that_fold_to_another_length_keep_positions_right() {
    // U+2C62 has three bytes and folds to U+026B, which has two; U+023A grows from two to three.
    assert_eq!(spot("ⱢⱢ Needle", "needle"), Some((3, "Needle".to_owned())));
    assert_eq!(spot("ȺȺ Needle", "NEEDLE"), Some((3, "Needle".to_owned())));
}

#[test]
fn places_of_patterns_count_characters_not_utf_16_units() {
    for (pattern, flags, expected) in [
        ("a", "", (0, "a")),
        ("😀", "u", (1, "😀")),
        // Half of a surrogate pair.
        (r"\uDE00", "", (1, "😀")),
        ("中b", "", (2, "中b")),
        ("(?=中)", "", (2, "")),
        ("$", "", (4, "")),
    ] {
        let assertion = json!({"type": "regex", "pattern": pattern, "flags": flags});
        assert_eq!(place(assertion, "a😀中b"), Some((expected.0, expected.1.to_owned())), "{pattern}");
    }
}

/// Whether the one fenced block is JSON, or how many blocks there are.
fn fenced(text: &str) -> Result<bool, u64> {
    let actual = actual(json!({"type": "json_valid", "extract": "fenced"}), text);
    actual["blocks"].as_u64().map_or_else(|| Ok(actual["valid"] == true), Err)
}

#[test]
fn the_one_json_block_is_found_among_others() {
    assert_eq!(fenced("Sure:\n```json\n{\"a\": 1}\n```\nDone."), Ok(true));
    assert_eq!(fenced("```js\nf()\n```\n~~~JSON\n[]\n~~~"), Ok(true));
    assert_eq!(fenced("1. so:\n   ```\n   {}\n   ```\n"), Ok(true));
    assert_eq!(fenced("````json\n```\n````"), Ok(false));
    assert_eq!(fenced("```json\n[1]"), Ok(true));
}

#[test]
fn without_exactly_one_json_block_their_number_is_reported() {
    assert_eq!(fenced("{}"), Err(0));
    assert_eq!(fenced("```js\n1\n```"), Err(0));
    assert_eq!(fenced("```json\n1\n```\n```json\n2\n```"), Err(2));
    assert_eq!(fenced("use ```json``` inline"), Err(0));
}

#[test]
fn words_are_unicode_words_and_each_han_or_kana_character_is_one() {
    for (text, words) in [
        ("", 0),
        (" \n— … 🎉", 0),
        ("Don't panic: 3.14 is fine", 5),
        ("应识别 SQL 注入", 6),
        ("カタカナとひらがな", 9),
        ("iPhone を買う", 4),
        ("ﾃｽﾄ", 3),
        ("𠮷野家", 3),
        ("한국어 문장", 2),
        ("привет мир", 2),
    ] {
        let assertion = json!({"type": "word_count_min", "value": 0});
        assert_eq!(actual(assertion, text), json!(words), "{text}");
    }
}
