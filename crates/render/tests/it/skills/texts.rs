//! The summary on a terminal, 80 columns wide.

use eval_message::{CATALOGUES, Lang, has};
use eval_render::skills::evaluation_text;
use unicode_width::UnicodeWidthStr;

use super::convert::hostile;
use super::made::{FAIL, PASS, eventful, one};
use crate::world::root;

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

/// The templates' keys are checked by the compiler only as text.
#[test]
fn every_text_of_ours_is_used() {
    let (_, english, _) = CATALOGUES.iter().find(|(name, ..)| *name == "skills").unwrap();
    let mut sources = String::new();
    for folder in ["analysis", "format", "history", "render", "serve", "eval-skills", "cli"] {
        collect(&root().join("crates").join(folder).join("src"), &mut sources);
    }
    for line in english.lines() {
        let Some((key, _)) = line.split_once(" = ") else { continue };
        if key.starts_with("skills-report-") || key.starts_with("skills-store-") {
            assert!(sources.contains(&format!("\"{key}\"")), "{key} is never used");
            assert!(has(Lang::Zh, key));
        }
    }
}

fn collect(folder: &std::path::Path, into: &mut String) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => collect(&path, into),
            false => into.push_str(&std::fs::read_to_string(&path).unwrap()),
        }
    }
}
