//! Wishes of a reader: language, width, colours.

use eval_message::Lang;

/// How to show something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Show {
    pub lang: Lang,
    /// Columns of the terminal; at least 40 are used.
    pub width: usize,
    pub color: bool,
    /// `true` if the exit code is explained: not where another gate decides (`bench ci`).
    pub exit_code: bool,
}

impl Show {
    /// Returns how a file is written: no terminal is wider or narrower, and none shows colours.
    #[must_use]
    pub fn file(lang: Lang) -> Show {
        Show { lang, width: 80, color: false, exit_code: true }
    }
}
