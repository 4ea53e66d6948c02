//! `omk completions`, `omk man`: made from the parser, so that they can't go stale.

use std::path::Path;

use clap::{Command, CommandFactory};
use eval_cli::{CommandError, Terminal, exit};
use eval_message::{Lang, msg};
use eval_spec::Context;

use crate::cli::{Cli, help};

pub(crate) fn completions(
    context: &Context,
    terminal: &Terminal,
    shell: clap_complete::Shell,
) -> Result<u8, CommandError> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut help::localised(Cli::command(), context.lang), "omk", &mut script);
    terminal.bytes(&script);
    Ok(exit::OK)
}

/// Prints the manual page, or writes one page per command into `directory`.
pub(crate) fn man(context: &Context, terminal: &Terminal, directory: Option<&Path>) -> Result<u8, CommandError> {
    let mut command = help::localised(Cli::command(), context.lang);
    command.build();
    let failed = |path: &Path| CommandError::io(msg!("cli-cannot-write", path = context.display(path)));
    match directory {
        None => {
            let (_, page) = page(&command, context.lang).map_err(failed(Path::new("-")))?;
            terminal.bytes(page.as_bytes());
        }
        Some(directory) => {
            let directory = context.absolute(directory);
            std::fs::create_dir_all(&directory).map_err(failed(&directory))?;
            write_pages(&command, context.lang, &directory).map_err(failed(&directory))?;
        }
    }
    Ok(exit::OK)
}

fn write_pages(command: &Command, lang: Lang, directory: &Path) -> std::io::Result<()> {
    let (name, page) = page(command, lang)?;
    std::fs::write(directory.join(name), page)?;
    command.get_subcommands().try_for_each(|child| write_pages(child, lang, directory))
}

fn page(command: &Command, lang: Lang) -> std::io::Result<(String, String)> {
    let man = clap_mangen::Man::new(command.clone());
    let mut page = Vec::new();
    man.render(&mut page)?;
    Ok((man.get_filename(), help::headings(&String::from_utf8_lossy(&page), lang)))
}
