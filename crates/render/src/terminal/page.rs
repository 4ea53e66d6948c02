//! Text for a terminal as it grows, in the reader's language, width and colours.

use eval_message::{Lang, Message};
use owo_colors::{OwoColorize, Style};

use super::layout::{columns, wrap};
use crate::quoted::{in_ticks, quoted};

/// How to show something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Show {
    /// The reader's language.
    pub lang: Lang,
    /// Columns of the terminal; at least 40 are used.
    pub width: usize,
    /// Whether colours may be used.
    pub color: bool,
    /// Whether the exit code is explained: yes for `omk eval`, no where another gate decides (`bench ci`).
    pub exit_code: bool,
}

impl Show {
    /// As a file is written: no terminal is wider or narrower, and none shows colours.
    #[must_use]
    pub fn file(lang: Lang) -> Show {
        Show { lang, width: 80, color: false, exit_code: true }
    }

    /// A text whose names are told apart from what is around them, whatever is in them.
    pub(crate) fn text(self, message: &Message) -> String {
        quoted(message, self.lang, "`", |text, is_code| if is_code { in_ticks(text) } else { text.to_owned() })
    }

    pub(crate) fn columns(self) -> usize {
        self.width.max(40)
    }

    /// The separator between clauses.
    pub(super) fn semicolon(self) -> &'static str {
        if self.lang == Lang::Zh { "；" } else { "; " }
    }

    /// Several things in one line.
    pub(crate) fn list(self, each: &[String]) -> String {
        each.join(if self.lang == Lang::Zh { "、" } else { ", " })
    }

    pub(crate) fn painted(self, text: &str, style: Style) -> String {
        if self.color { text.style(style).to_string() } else { text.to_owned() }
    }
}

/// Text as it grows.
pub(crate) struct TerminalPage {
    pub(crate) show: Show,
    pub(crate) text: String,
}

impl TerminalPage {
    /// An empty page.
    pub(crate) fn new(show: Show) -> TerminalPage {
        TerminalPage { show, text: String::new() }
    }

    /// A wrapped line, its continuation two columns further in.
    pub(crate) fn line(&mut self, indent: usize, message: &Message) {
        let text = self.show.text(message);
        self.raw(indent, &text);
    }

    pub(crate) fn raw(&mut self, indent: usize, text: &str) {
        let lines = wrap(text, self.show.columns() - indent, 2);
        for line in lines.lines() {
            self.text.push_str(&" ".repeat(indent));
            self.text.push_str(line);
            self.text.push('\n');
        }
    }

    /// A line that is as long as it is: a path can be copied only whole.
    pub(crate) fn unbroken(&mut self, message: &Message) {
        let text = self.show.text(message);
        self.text.push_str(&text);
        self.text.push('\n');
    }

    pub(crate) fn bullet(&mut self, text: &str) {
        self.raw(2, &format!("- {text}"));
    }

    pub(crate) fn title(&mut self, message: &Message) {
        let text = self.show.text(message);
        self.text.push_str(&self.show.painted(&text, Style::new().bold()));
        self.text.push('\n');
    }

    /// A table, some columns in.
    pub(crate) fn table<R: AsRef<[String]>>(&mut self, indent: usize, rows: &[R]) {
        for line in columns(rows) {
            self.text.push_str(format!("{}{line}", " ".repeat(indent)).trim_end());
            self.text.push('\n');
        }
    }

    /// An empty line, but never two.
    pub(crate) fn gap(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }
}
