//! Blocks that a document consists of. Layouts write them; their texts are messages with data, in no language yet.

use eval_message::{Arg, Message};

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Block {
    /// Heading, the document's own at level 1.
    Title(usize, Arg),
    /// Sentence behind the verdict's tag.
    Tagged {
        tag: String,
        tone: Tone,
        text: Arg,
    },
    /// Paragraph, or the item of a list where it is indented, by as many columns as a terminal shows.
    Line(usize, Arg),
    /// Item of a list with a mark.
    Item(Arg),
    /// Item whose commands about the last run are about the run of this id.
    Advice(Arg, String),
    Table(Table),
    /// Part that is shown on demand.
    Fold(Message, Vec<Block>),
}

/// Tone of a verdict; layouts have colours or classes for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    Better,
    Worse,
    Doubtful,
    Equal,
    Plain,
}

/// Rows of equal columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Table {
    pub(crate) indent: usize,
    pub(crate) heads: Vec<Arg>,
    /// Indices of text columns; the other columns have numbers.
    pub(crate) texts: &'static [usize],
    pub(crate) rows: Vec<Vec<Arg>>,
}

/// Heading of a section.
pub(crate) fn title(text: impl Into<Arg>) -> Block {
    Block::Title(3, text.into())
}

pub(crate) fn line(indent: usize, text: impl Into<Arg>) -> Block {
    Block::Line(indent, text.into())
}

pub(crate) fn item(text: impl Into<Arg>) -> Block {
    Block::Item(text.into())
}
