//! What word processors and input methods write for the signs of JSON and YAML, and other formats under their names.

use eval_message::{Message, msg};

/// The sign that a character looks like; `None` for one that looks like none.
fn sign(character: char) -> Option<char> {
    Some(match character {
        '“' | '”' | '„' | '‟' | '＂' => '"',
        '‘' | '’' | '‚' | '＇' => '\'',
        '：' => ':',
        '，' => ',',
        '［' | '【' => '[',
        '］' | '】' => ']',
        '｛' => '{',
        '｝' => '}',
        '－' | '–' | '—' => '-',
        '＃' => '#',
        '\u{a0}' | '\u{3000}' | '\u{2000}'..='\u{200a}' | '\u{202f}' => ' ',
        _ => return None,
    })
}

/// What to write for a character that looks like a sign.
pub(super) fn help(character: char) -> Option<Message> {
    let code = format!("U+{:04X}", u32::from(character));
    match sign(character)? {
        ' ' => Some(msg!("load-lookalike-space", code = code)),
        sign => Some(msg!("load-lookalike", character = character.to_string(), code = code, sign = sign.to_string())),
    }
}

/// The first such character in a text, by its place, and what to write for it.
pub(super) fn first(text: &str) -> Option<(usize, Message)> {
    text.char_indices().find_map(|(at, character)| Some((at, help(character)?)))
}

/// The same in the line of a text that holds a place, else in the line before, where its sign would be part of the syntax: a
/// dash within a text explains nothing.
pub(super) fn near(text: &str, at: usize) -> Option<(usize, Message)> {
    let start_of = |at: usize| text[..at].rfind('\n').map_or(0, |end| end + 1);
    let start = start_of(at);
    let end = text[start..].find('\n').map_or(text.len(), |length| start + length);
    let in_line = |start: usize, end: usize| {
        let line = &text[start..end];
        let mut found = line.char_indices().filter(|(at, character)| is_syntax(&line[..*at], *character));
        found.find_map(|(at, character)| Some((start + at, help(character)?)))
    };
    let before = || start.checked_sub(1).and_then(|end| in_line(start_of(end), end));
    in_line(start, end).or_else(before)
}

/// Whether the sign that a character looks like would be part of YAML's syntax after the beginning of a line.
fn is_syntax(before: &str, character: char) -> bool {
    let plain = before.trim();
    let begins_value = plain.is_empty() || plain.ends_with([':', '：', '-', '[', '{', ',', '，', '［', '【', '｛']);
    match sign(character) {
        Some('"' | '\'' | '[' | '{' | '-') => begins_value,
        Some('#') => plain.is_empty() || before.ends_with([' ', '\t']),
        // A key is one word, or a text in quotes.
        Some(':') => {
            let key = plain.trim_start_matches(['-', ' ', '{', '[', '｛', '［', '【']);
            !key.contains(": ") && (key.ends_with(['"', '\'', '”', '’']) || !key.contains(char::is_whitespace))
        }
        Some(',' | ']' | '}') => before.contains(['[', '{', '［', '【', '｛']),
        Some(' ') => begins_value,
        _ => false,
    }
}

/// What a text is that is neither JSON nor YAML, and what to do with it, as far as that is sure.
pub(super) fn other_format(text: &str) -> Option<(Message, Message)> {
    if is_json_lines(text) {
        Some((msg!("load-is-json-lines"), msg!("load-is-json-lines-help")))
    } else if is_csv(text) {
        Some((msg!("load-is-csv"), msg!("load-is-csv-help")))
    } else {
        None
    }
}

/// Several lines, each an object of its own.
fn is_json_lines(text: &str) -> bool {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let is_object = |line: &str| line.starts_with('{') && serde_json::from_str::<serde_json::Value>(line).is_ok();
    lines().count() > 1 && lines().take(3).all(is_object)
}

/// A line of names, and lines with as many commas or more: a comma may stand within quotes.
pub fn is_csv(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let Some(head) = lines.next() else { return false };
    let names: Vec<&str> = head.split([',', ';', '\t']).map(|name| name.trim().trim_matches('"')).collect();
    let is_name = |name: &&str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "_- .".contains(c));
    let Some(separator) = head.chars().find(|c| [',', ';', '\t'].contains(c)) else { return false };
    let mut rest = lines.take(3).peekable();
    rest.peek().is_some()
        && names.iter().all(is_name)
        && rest.all(|line| line.matches(separator).count() + 1 >= names.len())
}
