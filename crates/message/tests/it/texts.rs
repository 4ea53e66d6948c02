//! Style rules of the texts.

use eval_message::{CATALOGUES, Lang, msg};

fn is_han(c: char) -> bool {
    ('\u{4e00}'..='\u{9fff}').contains(&c)
}

/// Chinese text takes full-width punctuation; text in backticks is code.
#[test]
fn chinese_texts_have_chinese_punctuation() {
    let narrow = |c: char| ",;:()!?".contains(c);
    let mut wrong = Vec::new();
    for (name, _, chinese) in CATALOGUES {
        for line in chinese.lines().filter(|line| !line.starts_with('#')) {
            let prose: String = line.split('`').step_by(2).collect::<Vec<_>>().join("`");
            let chars: Vec<char> = prose.chars().collect();
            if chars.windows(2).any(|pair| is_han(pair[0]) && narrow(pair[1]) || narrow(pair[0]) && is_han(pair[1])) {
                wrong.push(format!("{name}.ftl: {line}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn english_texts_have_no_chinese_and_none_has_control_characters() {
    for (name, english, chinese) in CATALOGUES {
        assert!(!english.contains(is_han), "{name}.ftl");
        let control = |text: &str| text.contains(|c: char| c.is_control() && c != '\n');
        assert!(!control(english) && !control(chinese), "{name}.ftl");
    }
}

/// [`msg!`] calls this at compile time, where a panic is a compiler error.
#[test]
fn messages_need_a_key_of_the_catalogues_and_all_its_arguments() {
    let is_message = |key: &'static str, arguments: &'static [&str]| {
        std::panic::catch_unwind(|| eval_message::check::message(key, arguments)).is_ok()
    };
    assert!(is_message("report-next-solo", &["variant"]));
    assert!(msg!("report-next-solo", variant = "v1").text(Lang::En).starts_with("compare `v1` with something"));
    assert!(!is_message("report-next-sole", &["variant"]), "no such key");
    assert!(!is_message("report-next-solo", &[]), "an argument is missing");
    assert!(!is_message("report-next-solo", &["variant", "n"]), "one too many");
}

#[test]
fn a_message_inside_a_message_gets_its_arguments() {
    let message = msg!("load-expected", expected = "flag", kind = "number", written = "1");
    assert_eq!(message.text(Lang::En), "expected `true` or `false`, found the number `1`");
    assert_eq!(message.text(Lang::Zh), "这里需要 `true` 或 `false`\u{ff0c}实际是数字 `1`");
}

/// A report of another version may hold keys that this one lacks.
#[test]
fn an_unknown_message_shows_its_key() {
    let message: eval_message::Message = serde_json::from_str(r#"{"id": "run-later", "args": {"n": 1}}"#).unwrap();
    assert_eq!(message.text(Lang::Zh), "run-later");
}

/// Messages with a count that is 1 in a small run.
const COUNTS: [&str; 17] = [
    "gaps-rate",
    "gaps-none-executed",
    "people-preferred",
    "cli-progress-comparing",
    "cli-import-done",
    "report-doubt-pairs",
    "report-doubt-unanswered",
    "report-holdout-solo",
    "report-why-preference",
    "report-length-shift",
    "report-gold-none",
    "report-doubt-gold-few",
    "report-why-tasks",
    "report-stopping-unused",
    "site-live-finished",
    "skills-report-alike",
    "story-figures-equal",
];

#[test]
fn a_count_of_one_is_no_plural() {
    for key in COUNTS {
        let names = "variant set count treatment control better worse alike opinions blind total written dir n needed low \
                     high diff train holdout m preference mean annotations files samples tasks first finished rate weighted \
                     path unit p of";
        let args: serde_json::Map<String, serde_json::Value> =
            names.split_whitespace().map(|name| (name.to_owned(), 1.into())).collect();
        let message = serde_json::json!({ "id": key, "args": args });
        let message: eval_message::Message = serde_json::from_value(message).unwrap();
        let text = message.text(Lang::En);
        let plural = |noun: &str| text.contains(&format!("1 {noun}s")) || text.contains("of 1 samples");
        let nouns = ["sample", "pair", "task", "run", "rating", "opinion", "annotation", "file", "execution"];
        assert!(text != key && !nouns.into_iter().any(plural), "{key}: {text}");
    }
}
