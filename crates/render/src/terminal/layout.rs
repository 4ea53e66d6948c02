//! Text of ours, fitted into a terminal's width.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// `text` in lines of at most `width` columns, the second and later ones indented by `indent`. Lines break at spaces
/// and between wide characters; a word wider than a line, such as a path, stays whole.
#[must_use]
pub fn wrap(text: &str, width: usize, indent: usize) -> String {
    let mut lines: Vec<String> = vec![String::new()];
    let mut used = 0;
    for word in words(text) {
        let room = width.saturating_sub(if lines.len() > 1 { indent } else { 0 });
        let bare = word.trim_end();
        if used > 0 && used + bare.width() > room {
            lines.push(String::new());
            used = 0;
        }
        used += word.width();
        if let Some(line) = lines.last_mut() {
            line.push_str(word);
        }
    }
    let joined: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
    joined.join(&format!("\n{}", " ".repeat(indent)))
}

/// Pieces after which a line may break: a word with the space behind it, or a wide character with the closing
/// punctuation behind it, which may not begin a line.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((i, c)) = chars.next() {
        let Some(&(_, next)) = chars.peek() else {
            break;
        };
        let wide = c.width() == Some(2) || next.width() == Some(2);
        // a percent sign stays with its number, though a space stands between them
        let breaks = next != ' ' && ((c == ' ' && next != '%') || (c != ' ' && wide && !sticks(c, next)));
        if breaks {
            words.push(&text[start..i + c.len_utf8()]);
            start = i + c.len_utf8();
        }
    }
    words.push(&text[start..]);
    words
}

/// Closing punctuation stays with what is before it, opening punctuation with what is after it, and quoted code whole.
fn sticks(c: char, next: char) -> bool {
    "（(`[“「".contains(c) || "，。；：、）！？”」)`,.;:!?]%".contains(next)
}

/// `text` filled up with spaces to `width` columns.
pub(crate) fn pad(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.width())))
}

/// Rows as lines, each column as wide as its widest cell.
#[must_use]
pub fn columns<const N: usize>(rows: &[[String; N]]) -> Vec<String> {
    let widths: Vec<usize> = (0..N).map(|i| rows.iter().map(|row| row[i].width()).max().unwrap_or_default()).collect();
    let line = |row: &[String; N]| {
        let cells: Vec<String> = row.iter().zip(&widths).map(|(cell, width)| pad(cell, *width)).collect();
        cells.join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
