//! Width of the terminal.

use eval_spec::Context;

/// Returns the width of the terminal: `COLUMNS`, or the terminal's own; `None` for a file or a pipe.
pub(super) fn columns(context: &Context) -> Option<usize> {
    let given = context.var("COLUMNS").and_then(|columns| columns.parse().ok());
    let measured = || {
        let (width, _) = terminal_size::terminal_size_of(std::io::stdout())?;
        Some(usize::from(width.0)).filter(|width| *width > 0)
    };
    given.or_else(|| context.stdout_is_terminal.then(measured)?)
}
