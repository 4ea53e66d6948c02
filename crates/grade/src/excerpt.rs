//! Text of models and users, cut to lengths that fit a report.

/// The longest excerpt stored as evidence, in characters.
pub(crate) const EVIDENCE: usize = 200;

/// The longest excerpt inside a message, in characters.
pub(crate) const INLINE: usize = 80;

/// At most `limit` characters of `text`, with `…` where something was cut.
pub(crate) fn excerpt(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        None => text.to_owned(),
        Some((cut, _)) => format!("{}…", &text[..cut]),
    }
}

/// At most `limit` texts, each an excerpt.
pub(crate) fn excerpts<'a>(texts: impl IntoIterator<Item = &'a str>, limit: usize) -> Vec<String> {
    texts.into_iter().take(limit).map(|text| excerpt(text, EVIDENCE)).collect()
}

#[cfg(test)]
mod tests {
    use super::excerpt;

    #[test]
    fn a_cut_is_between_characters_and_marked() {
        assert_eq!(excerpt("审查代码", 4), "审查代码");
        assert_eq!(excerpt("审查代码", 2), "审查…");
    }
}
