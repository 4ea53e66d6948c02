//! Text of others, made harmless for a terminal; and text of ours, fitted into its width.
//!
//! Model output, sample ids and error texts are hostile: an escape sequence could recolour a verdict, a control
//! character overwrite it, a bidirectional mark turn it around.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// `text` on one line, without escape sequences, control characters and marks that change the direction of text.
#[must_use]
pub fn clean(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\u{1b}' => skip_escape(&mut chars),
            '\u{9b}' => skip_control_sequence(&mut chars),
            '\u{90}' | '\u{98}' | '\u{9d}'..='\u{9f}' => skip_string(&mut chars),
            '\n' | '\r' | '\t' | '\u{2028}' | '\u{2029}' => out.push(' '),
            c if c.is_control() || turns_text(c) => {}
            c => out.push(c),
        }
    }
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// [`clean`], cut to `width` columns.
#[must_use]
pub fn clip(text: &str, width: usize) -> String {
    let text = clean(text);
    if text.width() <= width {
        return text;
    }
    let mut used = 1; // the ellipsis
    let fits = |c: &char| {
        used += c.width().unwrap_or(0);
        used <= width
    };
    let kept: String = text.chars().take_while(fits).collect();
    format!("{}…", kept.trim_end())
}

/// Marks and overrides of direction, and what takes no room at all.
pub(crate) fn turns_text(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{61c}')
}

type Chars<'a> = std::iter::Peekable<std::str::Chars<'a>>;

fn skip_escape(chars: &mut Chars) {
    match chars.next() {
        Some('[') => skip_control_sequence(chars),
        Some(']' | 'P' | 'X' | '^' | '_') => skip_string(chars),
        Some(' '..='/') => {
            chars.next();
        }
        _ => {}
    }
}

/// Parameters, then one final character. Anything else ends it without being eaten.
fn skip_control_sequence(chars: &mut Chars) {
    while chars.next_if(|c| (' '..='?').contains(c)).is_some() {}
    chars.next_if(|c| ('@'..='~').contains(c));
}

/// To the string's terminator; an unterminated one ends at the line's end, so that it can't hide what follows.
fn skip_string(chars: &mut Chars) {
    while let Some(c) = chars.next_if(|c| *c != '\n') {
        match c {
            '\u{7}' | '\u{9c}' => return,
            '\u{1b}' => {
                chars.next_if_eq(&'\\');
                return;
            }
            _ => {}
        }
    }
}

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
    fn escape_sequences_leave_nothing_behind() {
        for (hostile, harmless) in [
            ("\u{1b}[31mred\u{1b}[0m", "red"),
            ("\u{1b}]0;title\u{7}after", "after"),
            ("\u{1b}]8;;http://x\u{1b}\\link\u{1b}]8;;\u{1b}\\", "link"),
            ("\u{9b}2Jgone", "gone"),
            ("a\u{8}\u{8}b\r\nc\td", "ab c d"),
            ("\u{202e}evil\u{2066}", "evil"),
            ("\u{1b}(Bx\u{1b}7y", "xy"),
            ("\u{1b}]unterminated\nPROGRESS", "PROGRESS"),
            ("\u{1b}[", ""),
            ("\u{1b}", ""),
        ] {
            assert_eq!(clean(hostile), harmless, "{hostile:?}");
        }
    }

    #[test]
    fn wide_characters_count_twice() {
        assert_eq!(clip("代码审查", 8), "代码审查");
        assert_eq!(clip("代码审查", 7), "代码审…");
        assert_eq!(pad("基线", 6), "基线  ");
    }

    #[test]
    fn lines_break_at_spaces_and_between_wide_characters() {
        assert_eq!(wrap("one two three", 8, 2), "one two\n  three");
        assert_eq!(wrap("差值的区间,在零以下", 8, 0), "差值的区\n间,在零\n以下");
        assert_eq!(wrap("/a/very/long/path", 5, 0), "/a/very/long/path");
    }
}
