//! Texts of a terminal as a page shows them.

/// Without the marks of code of a terminal's text.
pub(super) fn plain(text: &str) -> String {
    text.replace('`', "")
}
