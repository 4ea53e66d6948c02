//! Texts of a terminal as a page shows them.

/// Without the marks of code of a terminal's text.
pub(super) fn plain(text: &str) -> String {
    text.replace('`', "")
}

/// With a true minus before figures.
pub(super) fn minus(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let mut before = ' ';
    while let Some(c) = chars.next() {
        let is_sign = c == '-'
            && (before.is_whitespace() || "(（±".contains(before))
            && chars.peek().is_some_and(|next| next.is_ascii_digit() || *next == '$');
        out.push(if is_sign { '−' } else { c });
        before = c;
    }
    out
}
