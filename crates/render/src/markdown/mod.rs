//! The layout for Markdown, readable as it is and on every forge.

mod quote;

use std::fmt::Write as _;

use eval_message::Lang;

use crate::view::{Block, Table, Voice};

pub(crate) use quote::{html, inline, message, name};

/// How Markdown writes texts.
pub(crate) fn voice(lang: Lang) -> Voice {
    Voice { lang, quote: quote::inline, name: quote::name, message: quote::message }
}

/// The document.
pub(crate) fn laid_out(blocks: &[Block]) -> String {
    let mut text = String::new();
    write(&mut text, blocks);
    text
}

fn write(text: &mut String, blocks: &[Block]) {
    let mut is_open = false;
    for block in blocks {
        let is_item = matches!(block, Block::Bullet(_) | Block::Title { .. });
        if is_open && !is_item {
            text.push('\n');
        }
        is_open = matches!(block, Block::Bullet(_) | Block::Table(_));
        one(text, block);
    }
}

fn one(text: &mut String, block: &Block) {
    let _ = match block {
        Block::Title { level, text: title } => {
            if !text.is_empty() {
                text.push('\n');
            }
            writeln!(text, "{} {title}\n", "#".repeat(*level))
        }
        Block::Line(line) => writeln!(text, "{line}\n"),
        Block::Bullet(item) => writeln!(text, "- {item}"),
        Block::Table(of) => {
            table(text, of);
            Ok(())
        }
        Block::Fold { title, blocks } => {
            let _ = writeln!(text, "<details><summary>{}</summary>\n", quote::html(title));
            write(text, blocks);
            writeln!(text, "\n</details>\n")
        }
    };
}

fn table(text: &mut String, of: &Table) {
    row(text, &of.heads);
    let rules: Vec<&str> = (0..of.heads.len()).map(|i| if of.texts.contains(&i) { "---" } else { "---:" }).collect();
    let _ = writeln!(text, "|{}|", rules.join("|"));
    of.rows.iter().for_each(|cells| row(text, cells));
}

fn row(text: &mut String, cells: &[String]) {
    let _ = writeln!(text, "| {} |", cells.join(" | "));
}
