//! Text of ours, fitted into a terminal's width.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// `text` in lines of at most `width` columns, the second and later ones indented by `indent`. Lines break at spaces
/// and between wide characters; a word wider than a line, such as a path, stays whole. So do what stands between
/// backticks, such as a name or a command to copy, and what is [`glued`].
#[must_use]
pub fn wrap(text: &str, width: usize, indent: usize) -> String {
    let mut lines: Vec<String> = vec![String::new()];
    let mut used = 0;
    for word in words(text) {
        let room = width.saturating_sub(if lines.len() > 1 { indent } else { 0 });
        let bare = word.trim_end_matches(' ');
        if used > 0 && used + bare.width() > room {
            lines.push(String::new());
            used = 0;
        }
        used += word.width();
        if let Some(line) = lines.last_mut() {
            line.push_str(word);
        }
    }
    let joined: Vec<&str> = lines.iter().map(|line| line.trim_end_matches(' ')).collect();
    unglued(&joined.join(&format!("\n{}", " ".repeat(indent))))
}

/// A space that no line breaks at.
const FIXED_SPACE: char = '\u{a0}';
/// Between two wide characters: no line breaks there. It takes no room.
const JOINER: char = '\u{2060}';

/// A name, an id or another text that no line break may divide. Cleaned text has neither of the two marks.
pub fn glued(text: &str) -> String {
    let mut whole = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            ' ' => whole.push(FIXED_SPACE),
            c if c.width() == Some(2) => whole.extend([JOINER, c, JOINER]),
            c => whole.push(c),
        }
    }
    whole.trim_matches(JOINER).to_owned()
}

/// The text without the marks of [`glued`].
pub fn unglued(text: &str) -> String {
    text.chars().filter(|c| *c != JOINER).map(|c| if c == FIXED_SPACE { ' ' } else { c }).collect()
}

/// Pieces after which a line may break: a word with the space behind it, or a wide character with the closing
/// punctuation behind it, which may not begin a line.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut start = 0;
    let mut is_quoted = false;
    let mut chars = text.char_indices().peekable();
    while let Some((i, c)) = chars.next() {
        let Some(&(_, next)) = chars.peek() else {
            break;
        };
        if c == '`' {
            // one that nothing closes quotes nothing
            is_quoted = !is_quoted && text[i + 1..].contains('`');
        }
        let wide = c.width() == Some(2) || next.width() == Some(2);
        // a percent sign stays with its number, though a space stands between them
        let breaks = !is_quoted && next != ' ' && ((c == ' ' && next != '%') || (c != ' ' && wide && !sticks(c, next)));
        if breaks {
            words.push(&text[start..i + c.len_utf8()]);
            start = i + c.len_utf8();
        }
    }
    words.push(&text[start..]);
    words
}

/// Closing punctuation stays with what is before it, opening punctuation with what is after it.
fn sticks(c: char, next: char) -> bool {
    let joined = |c: char| c == JOINER || c == FIXED_SPACE;
    joined(c) || joined(next) || "（([“「".contains(c) || "，。；：、）！？”」),.;:!?]%".contains(next)
}

/// `text` filled up with spaces to `width` columns.
#[must_use]
pub fn pad(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.width())))
}

/// Columns between two columns.
pub(crate) const GAP: &str = "  ";

/// How wide the widest of some cells is.
#[must_use]
pub fn widest<'c>(cells: impl IntoIterator<Item = &'c String>) -> usize {
    cells.into_iter().map(|cell| cell.width()).max().unwrap_or_default()
}

/// Rows as lines, each column as wide as its widest cell. What a short row lacks is empty.
#[must_use]
pub fn columns<R: AsRef<[String]>>(rows: &[R]) -> Vec<String> {
    let count = rows.iter().map(|row| row.as_ref().len()).max().unwrap_or_default();
    let widths: Vec<usize> = (0..count).map(|i| widest(rows.iter().filter_map(|row| row.as_ref().get(i)))).collect();
    let line = |row: &R| {
        let cells: Vec<String> = row.as_ref().iter().zip(&widths).map(|(cell, width)| pad(cell, *width)).collect();
        cells.join(GAP).trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

/// Rows as lines that fit: beside the first column as many others as there is room for, then the next block.
pub(crate) fn in_blocks(rows: &[Vec<String>], width: usize) -> String {
    let count = rows.iter().map(Vec::len).max().unwrap_or_default();
    let widths: Vec<usize> = (0..count).map(|i| widest(rows.iter().filter_map(|row| row.get(i)))).collect();
    let (mut blocks, mut first) = (Vec::new(), 1);
    while first < count {
        let mut used = widths[0];
        let fits = |column: &&usize| {
            used += GAP.len() + **column;
            used <= width
        };
        let end = first + widths[first..].iter().take_while(fits).count().max(1);
        let block = rows.iter().map(|row| {
            let cells = row.iter().take(1).chain(row.iter().take(end).skip(first));
            cells.cloned().collect::<Vec<String>>()
        });
        blocks.push(columns(&block.collect::<Vec<_>>()).join("\n") + "\n");
        first = end;
    }
    blocks.join("\n")
}

/// One bar for each share of 1, the last sixty; a dot for one that isn't known.
pub(crate) fn sparkline(shares: impl ExactSizeIterator<Item = Option<f64>>) -> String {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    const LONGEST: usize = 60;
    let bar = |share: f64| {
        let place = (share.clamp(0.0, 1.0) * 7.0).round();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 7")]
        BARS[place as usize]
    };
    let earlier = shares.len().saturating_sub(LONGEST);
    shares.skip(earlier).map(|share| share.map_or('·', bar)).collect()
}
