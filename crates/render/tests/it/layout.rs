//! Lines of the terminal.

use eval_render::terminal::layout::{glued, pad, unglued, wrap};

#[test]
fn wide_characters_fill_two_columns() {
    assert_eq!(pad("基线", 6), "基线  ");
}

#[test]
fn lines_break_at_spaces_and_between_wide_characters() {
    assert_eq!(wrap("one two three", 8, 2), "one two\n  three");
    assert_eq!(wrap("差值的区间,在零以下", 8, 0), "差值的区\n间,在零\n以下");
    assert_eq!(wrap("/a/very/long/path", 5, 0), "/a/very/long/path");
}

#[test]
fn what_is_quoted_or_glued_is_never_divided() {
    assert_eq!(wrap("run `omk show s 1` now", 12, 2), "run\n  `omk show s 1`\n  now");
    assert_eq!(wrap("变体 `第一版评审技能` 更好", 12, 0), "变体\n`第一版评审技能`\n更好");
    assert_eq!(wrap("a ` lone tick", 8, 0), "a ` lone\ntick");
    assert_eq!(wrap(&format!("sample {}, s2", glued("my first one")), 14, 0), "sample\nmy first one,\ns2");
    assert_eq!(wrap(&format!("用例{}", glued("甲乙丙丁")), 10, 0), "用例\n甲乙丙丁");
    assert_eq!(unglued(&glued("a b 甲乙")), "a b 甲乙");
}
