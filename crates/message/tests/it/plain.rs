//! Foreign text made harmless for terminals.

use eval_message::plain::{clean, clip, visible};

#[test]
fn escape_sequences_leave_nothing_behind() {
    for (hostile, harmless) in [
        ("\u{1b}[31mred\u{1b}[0m", "red"),
        ("\u{1b}]0;title\u{7}after", "after"),
        ("\u{1b}]8;;http://x\u{1b}\\link\u{1b}]8;;\u{1b}\\", "link"),
        ("\u{9b}2Jgone", "gone"),
        ("a\u{8}\u{8}b\r\nc\td", "a⟦U+0008⟧⟦U+0008⟧b c d"),
        ("\u{202e}evil\u{2066}", "⟦U+202E⟧evil⟦U+2066⟧"),
        ("zero\u{200b}width", "zero⟦U+200B⟧width"),
        ("\u{1b}(Bx\u{1b}7y", "xy"),
        ("\u{1b}]unterminated\nPROGRESS", "PROGRESS"),
        ("\u{1b}[", ""),
        ("\u{1b}", ""),
    ] {
        assert_eq!(clean(hostile), harmless, "{hostile:?}");
        // `clean` and `visible` show the same
        assert_eq!(visible(hostile).split_whitespace().collect::<Vec<_>>().join(" "), harmless, "{hostile:?}");
    }
}

#[test]
fn wide_characters_count_twice() {
    assert_eq!(clip("代码审查", 8), "代码审查");
    assert_eq!(clip("代码审查", 7), "代码审…");
}
