//! Texts of no meaning in the form of others.

use eval_load::internals::{Language, Neutral};

fn neutral(text: &str) -> String {
    Neutral::new(Language::of(text)).text(text)
}

#[test]
fn structure_and_length_stay_and_no_word_does() {
    let real = "# Review rules\n\n- Check every query\n  1. bind parameters\n\n| Rule | Why |\n|---|---|\n| escape | safety \
                matters |\n\n```sql\nSELECT secret\n```\n> Never skip\n---\n*all* of it, -5 degrees and 3 files\n";
    let placebo = neutral(real);
    let marks = |text: &str| -> Vec<String> {
        let of = |line: &str| line.chars().filter(|c| "#>|`".contains(*c) || *c == '\n').collect();
        text.split_inclusive('\n').map(of).collect()
    };
    assert_eq!(marks(&placebo), marks(real));
    for word in ["Review", "query", "parameters", "escape", "SELECT", "sql", "skip", "degrees"] {
        assert!(!placebo.contains(word), "{word} in {placebo}");
    }
    assert!(placebo.contains("\n  1. ") && placebo.contains("\n- ") && placebo.contains("\n---\n"), "{placebo}");
    let lengths = placebo.chars().count().abs_diff(real.chars().count());
    assert!(lengths <= 8, "{lengths}: {placebo}");
    assert_eq!(placebo, neutral(real));
}

#[test]
fn language_is_that_of_the_text() {
    assert_eq!(Language::of("Review the code. Name each fault."), Language::English);
    assert_eq!(Language::of("审查代码，使用 `cargo clippy` 与 rustfmt。每个问题单独一行。"), Language::Chinese);
    assert_eq!(Language::of("コードをレビューしてください。問題を一つずつ書いてください。"), Language::Other);
    let german = "Prüfe jede Anfrage an die Datenbank. Nenne zuerst den schwersten Fehler, danach die leichten. Schreibe \
                  keine Einleitung und wiederhole nichts. Wenn etwas unklar ist, frage nach, bevor du antwortest, und \
                  nenne immer die Zeile, in der etwas steht, damit man es gleich findet.";
    assert_eq!(Language::of(german), Language::Other);
    let chinese = neutral("# 审查\n\n- 检查每一条查询，指出没有绑定的参数。\n");
    assert_eq!(chinese.chars().count(), "# 审查\n\n- 检查每一条查询，指出没有绑定的参数。\n".chars().count());
    assert!(chinese.starts_with("# 湖在\n\n- "), "{chinese}");
}
