//! A report as its reader sees it, before it is laid out.
//!
//! Both kinds of report become the same small trees: [`Block`]s (titles, lines, lists, tables, folded parts) for people,
//! [`cases`] for what reads test results, [`rows`] for spreadsheets. Layouts know the trees and no report.

pub(crate) mod cases;
pub(crate) mod comparison;
pub(crate) mod evaluation;
pub(crate) mod rows;

use eval_message::{Lang, Message};

/// A part of a report for people; its texts are harmless in the layout that it is made for.
pub(crate) enum Block {
    /// A title, the report's own at level 1.
    Title {
        /// 1 to 6.
        level: usize,
        /// The text.
        text: String,
    },
    /// A paragraph.
    Line(String),
    /// One item of a list.
    Bullet(String),
    /// A table.
    Table(Table),
    /// What is shown on demand.
    Fold {
        /// What is always shown of it, as it is: the layout makes it harmless.
        title: String,
        /// What isn't.
        blocks: Vec<Block>,
    },
}

/// Rows of equal columns.
pub(crate) struct Table {
    /// The columns' names.
    pub(crate) heads: Vec<String>,
    /// The columns that hold text; the others hold numbers.
    pub(crate) texts: &'static [usize],
    /// The rows.
    pub(crate) rows: Vec<Vec<String>>,
}

/// How a layout writes texts: the language, and how text of others is made harmless.
#[derive(Clone, Copy)]
pub(crate) struct Voice {
    /// The reader's language.
    pub(crate) lang: Lang,
    /// Text of others within a line.
    pub(crate) quote: fn(&str) -> String,
    /// A name of others, such as a variant's.
    pub(crate) name: fn(&str) -> String,
    /// A message whose arguments others wrote.
    pub(crate) message: fn(&Message, Lang) -> String,
}

impl Voice {
    /// A message whose arguments are ours, or quoted.
    pub(crate) fn own(self, message: &Message) -> String {
        message.text(self.lang)
    }

    /// A message whose arguments others wrote.
    pub(crate) fn text(self, message: &Message) -> String {
        (self.message)(message, self.lang)
    }

    /// Several things in one line.
    pub(crate) fn list(self, each: &[String]) -> String {
        each.join(if self.lang == Lang::Zh { "、" } else { ", " })
    }
}
