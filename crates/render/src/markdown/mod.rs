//! Markdown layout, readable as it is and on every forge.

mod quote;

use std::fmt::Write as _;

use eval_message::Lang;

use crate::document::{Block, Table, of_this_run};
use crate::voice::Voice;

pub(crate) use quote::{html, inline, name};

/// Returns how Markdown writes texts.
pub(crate) fn voice(lang: Lang) -> Voice {
    Voice { lang, tick: "`", quote: quote::inline, name: quote::name, code: quote::in_code }
}

pub(crate) fn laid_out(blocks: &[Block], lang: Lang) -> String {
    let mut text = String::new();
    write(&mut text, blocks, voice(lang));
    text
}

fn write(text: &mut String, blocks: &[Block], voice: Voice) {
    let mut is_list = false;
    for block in blocks {
        let is_item = matches!(block, Block::Item(_) | Block::Advice(..) | Block::Line(1.., _));
        if !(is_list && is_item) {
            gap(text);
        }
        is_list = is_item;
        let _ = match block {
            Block::Title(level, title) => writeln!(text, "{} {}", "#".repeat(*level), voice.say(title)),
            Block::Tagged { tag, text: sentence, .. } => writeln!(text, "**{tag}** {}", voice.say(sentence)),
            Block::Line(0, line) => writeln!(text, "{}", voice.say(line)),
            Block::Line(indent, line) => writeln!(text, "{}- {}", " ".repeat(indent / 4 * 2), voice.say(line)),
            Block::Item(item) => writeln!(text, "- {}", voice.say(item)),
            Block::Advice(item, run) => writeln!(text, "- {}", of_this_run(&voice.say(item), run)),
            Block::Table(of) => {
                table(text, of, voice);
                Ok(())
            }
            Block::Fold(title, blocks) => {
                let _ = writeln!(text, "<details><summary>{}</summary>", quote::html(&title.text(voice.lang)));
                write(text, blocks, voice);
                gap(text);
                writeln!(text, "</details>")
            }
        };
    }
}

/// Writes an empty line, but never two.
fn gap(text: &mut String) {
    if !text.is_empty() && !text.ends_with("\n\n") {
        text.push('\n');
    }
}

fn table(text: &mut String, table: &Table, voice: Voice) {
    let mut row =
        |cells: Vec<String>, sign: &str| _ = writeln!(text, "|{sign}{}{sign}|", cells.join(&format!("{sign}|{sign}")));
    row(table.heads.iter().map(|cell| voice.say(cell)).collect(), " ");
    let rule = |i: usize| if table.texts.contains(&i) { "---" } else { "---:" }.to_owned();
    row((0..table.heads.len()).map(rule).collect(), "");
    table.rows.iter().for_each(|cells| row(cells.iter().map(|cell| voice.say(cell)).collect(), " "));
}
