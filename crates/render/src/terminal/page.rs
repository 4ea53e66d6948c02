//! Terminal layout: text as it grows, in the reader's language, width and colours.

use eval_message::{Arg, Message, Separator};
use owo_colors::{OwoColorize, Style};

use super::layout::{columns, glued, in_blocks, unglued, wrap};
use crate::document::{Block, Tone, of_this_run};
use crate::show::Show;
use crate::voice::{Voice, in_ticks};

impl Show {
    /// Returns the voice of a terminal: names are told apart from what is around them, whatever is in them.
    fn voice(self) -> Voice {
        Voice { lang: self.lang, tick: "`", quote: str::to_owned, name: glued, code: in_ticks }
    }

    pub(crate) fn text(self, message: &Message) -> String {
        self.voice().text(message)
    }

    pub(crate) fn say(self, text: &Arg) -> String {
        self.voice().say(text)
    }

    pub(crate) fn columns(self) -> usize {
        self.width.max(40)
    }

    pub(crate) fn semicolon(self) -> &'static str {
        Separator::Semicolon.text(self.lang)
    }

    pub(crate) fn list(self, each: &[String]) -> String {
        each.join(Separator::Comma.text(self.lang))
    }

    pub(crate) fn painted(self, text: &str, style: Style) -> String {
        if self.color { text.style(style).to_string() } else { text.to_owned() }
    }
}

pub(crate) struct TerminalPage {
    pub(crate) show: Show,
    pub(crate) text: String,
}

impl TerminalPage {
    pub(crate) fn new(show: Show) -> TerminalPage {
        TerminalPage { show, text: String::new() }
    }

    /// Writes blocks below an empty line.
    pub(crate) fn section(&mut self, blocks: &[Block]) {
        self.gap();
        self.blocks(blocks);
    }

    pub(crate) fn blocks(&mut self, blocks: &[Block]) {
        for block in blocks {
            match block {
                Block::Tagged { tag, tone, text } => {
                    let text = wrap(&format!("{tag}  {}", self.show.say(text)), self.show.columns(), 2);
                    self.text.push_str(&text.replacen(tag, &self.show.painted(tag, style(*tone)), 1));
                    self.text.push('\n');
                }
                Block::Title(_, text) => self.head(&self.show.say(text)),
                Block::Line(indent, text) => self.raw(*indent, &self.show.say(text)),
                Block::Item(text) => self.bullet(&self.show.say(text)),
                Block::Advice(text, run) => self.bullet(&of_this_run(&self.show.say(text), run)),
                Block::Table(table) => {
                    let text = |cells: &Vec<Arg>| cells.iter().map(|cell| self.show.say(cell)).collect::<Vec<_>>();
                    let rows: Vec<Vec<String>> = std::iter::once(&table.heads).chain(&table.rows).map(text).collect();
                    for line in in_blocks(&rows, self.show.columns() - table.indent).lines() {
                        let indent = " ".repeat(table.indent);
                        self.text.push_str(format!("{indent}{}", unglued(line)).trim_end());
                        self.text.push('\n');
                    }
                }
                Block::Fold(_, blocks) => self.blocks(blocks),
            }
        }
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
        self.head(&self.show.text(message));
    }

    fn head(&mut self, text: &str) {
        self.text.push_str(&self.show.painted(text, Style::new().bold()));
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

fn style(tone: Tone) -> Style {
    match tone {
        Tone::Better => Style::new().green().bold(),
        Tone::Worse => Style::new().red().bold(),
        Tone::Doubtful | Tone::Equal => Style::new().yellow().bold(),
        Tone::Plain => Style::new().bold(),
    }
}
