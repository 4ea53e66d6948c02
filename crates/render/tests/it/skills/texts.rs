//! The summary on a terminal, 80 columns wide.

use eval_message::Lang;
use eval_render::skills::evaluation_text;
use unicode_width::UnicodeWidthStr;

use super::convert::hostile;
use super::made::{FAIL, PASS, eventful, one};

/// What is read off a skill's files is the same every time.
#[test]
fn nobody_is_told_to_run_again_what_was_never_called() {
    let mut of = one(vec![PASS, FAIL]);
    let advice = "--runs 3";
    assert!(evaluation_text(&of, Lang::En, 80, false).contains(advice));
    for result in &mut of.skills[0].task_results {
        result.scorer = eval_spec::callable::ScorerType::SkillQuality;
    }
    assert!(!evaluation_text(&of, Lang::En, 80, false).contains(advice));
}

#[test]
fn the_summary_of_an_eventful_evaluation() {
    insta::assert_snapshot!(evaluation_text(&eventful().evaluation(), Lang::En, 80, false));
}

#[test]
fn the_summary_of_a_perfect_one_is_short() {
    insta::assert_snapshot!(evaluation_text(&one(vec![PASS; 20]), Lang::En, 80, false));
}

#[test]
fn it_fits_in_both_languages_and_hostile_text_moves_nothing() {
    for lang in [Lang::En, Lang::Zh] {
        for of in [eventful().evaluation(), hostile()] {
            let text = evaluation_text(&of, lang, 80, false);
            for line in text.lines() {
                assert!(line.width() <= 82, "{} columns: {line}", line.width());
            }
            assert!(!text.contains(['\u{1b}', '\u{202e}', '\u{0}']));
        }
    }
}
