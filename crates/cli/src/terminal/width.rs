//! How wide the terminal is.

use eval_spec::Context;

/// The width of the terminal: `COLUMNS`, else what a terminal on standard output says; `None` for a file or a pipe.
pub(super) fn columns(context: &Context) -> Option<usize> {
    let given = context.var("COLUMNS").and_then(|columns| columns.parse().ok());
    let measured = || {
        let (width, _) = terminal_size::terminal_size_of(std::io::stdout())?;
        Some(usize::from(width.0)).filter(|width| *width > 0)
    };
    given.or_else(|| context.stdout_is_terminal.then(measured)?)
}
