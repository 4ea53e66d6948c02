//! Negative figures as a page shows them.

/// With a true minus before figures.
pub(crate) fn minus(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let mut before = ' ';
    while let Some(c) = chars.next() {
        let is_sign = c == '-'
            && (before.is_whitespace() || "(（±[".contains(before))
            && chars.peek().is_some_and(|next| next.is_ascii_digit() || *next == '$');
        out.push(if is_sign { '−' } else { c });
        before = c;
    }
    out
}
