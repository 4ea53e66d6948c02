//! `omk completions`, `omk man`: made from the parser, so that they can't go stale.

use std::path::Path;

use clap::CommandFactory;
use eval_spec::{Context, msg};

use crate::cli::{Cli, help};
use crate::exit::{self, Failure};
use crate::terminal::Terminal;

/// Prints the completion script of `shell`.
pub(crate) fn completions(context: &Context, terminal: &Terminal, shell: clap_complete::Shell) -> Result<u8, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut help::localised(Cli::command(), context.lang), "omk", &mut script);
    terminal.bytes(&script);
    Ok(exit::OK)
}

/// Prints the manual page, or writes one page per command into `directory`.
pub(crate) fn man(context: &Context, terminal: &Terminal, directory: Option<&Path>) -> Result<u8, Failure> {
    let command = help::localised(Cli::command(), context.lang);
    let failed = |path: &Path| Failure::io(msg!("cli-cannot-write", path = context.display(path)));
    match directory {
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(command).render(&mut page).map_err(failed(Path::new("-")))?;
            terminal.bytes(&page);
        }
        Some(directory) => {
            let directory = context.absolute(directory);
            std::fs::create_dir_all(&directory).map_err(failed(&directory))?;
            clap_mangen::generate_to(command, &directory).map_err(failed(&directory))?;
        }
    }
    Ok(exit::OK)
}
