//! Text of models and users, cut to lengths that fit a report.

pub(crate) use eval_message::plain::shortened as excerpt;

/// The longest excerpt stored as evidence, in characters.
pub(crate) const EVIDENCE: usize = 200;

/// The longest excerpt inside a message, in characters.
pub(crate) const INLINE: usize = 80;

/// At most `limit` texts, each an excerpt.
pub(crate) fn excerpts<'a>(texts: impl IntoIterator<Item = &'a str>, limit: usize) -> Vec<String> {
    texts.into_iter().take(limit).map(|text| excerpt(text, EVIDENCE)).collect()
}
