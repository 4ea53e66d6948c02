//! `omk diff`: two reports side by side, or the variants of one.

use eval_cli::{CommandError, Terminal, exit};
use eval_history::{Diff, DiffError, SlimReport, diff, diff_inside, read_slim};
use eval_message::msg;
use eval_render::diff_text;
use eval_spec::Context;

use super::report::{Style, show};
use super::stored::{find, unreadable};
use crate::cli::DiffArgs;

/// The exit code of `--fail-on-regress`.
const REGRESSED: u8 = 1;

/// Compares and shows. A look and no gate, unless it is asked to be one.
pub(crate) fn run(context: &Context, terminal: &Terminal, arguments: &DiffArgs) -> Result<u8, CommandError> {
    let read = |report: &str| {
        let path = find(context, report, arguments.reports_dir.as_deref())?;
        read_slim(&path).map_err(unreadable)
    };
    let a = read(&arguments.a)?;
    let b = arguments.b.as_deref().map(read).transpose()?;
    let variants: Vec<(String, String)> = arguments.variant.iter().map(|pair| named(pair)).collect();
    let found = match &b {
        Some(b) => diff(&a, b, &variants, arguments.force),
        None => diff_inside(&a, &variants),
    };
    let found = found.map_err(|why| refused(&why))?;
    terminal.json(|| serde_json::to_value(&found).unwrap_or_default());
    terminal.text(&diff_text(&found, show(terminal, Style::Eval)));
    Ok(guard(terminal, arguments, &found, [&a, b.as_ref().unwrap_or(&a)]))
}

/// `a:b`, or one name for both.
fn named(pair: &str) -> (String, String) {
    let (a, b) = pair.split_once(':').unwrap_or((pair, pair));
    (a.to_owned(), b.to_owned())
}

/// Why reports can't be compared.
pub(super) fn refused(why: &DiffError) -> CommandError {
    CommandError::usage(why.message(), why.help())
}

/// A gate must not open because nothing was measured: without a valid measurement, or without enough pairs, it says
/// so with the code of a run that is none. The intervals of a run that might have ended early hold whenever it did.
fn guard(terminal: &Terminal, arguments: &DiffArgs, found: &Diff, [a, b]: [&SlimReport; 2]) -> u8 {
    if !arguments.fail_on_regress {
        return exit::OK;
    }
    if let Some(of) = [a, b].into_iter().find(|of| !of.verdict.valid) {
        terminal.error(&msg!("cli-diff-invalid", id = &of.id), None);
        return exit::INVALID;
    }
    if found.has_no_intervals() {
        terminal.error(&msg!("cli-diff-two-orders"), None);
        return exit::INVALID;
    }
    let regressed = found.regressed(b);
    let unmeasured = found.unmeasured(b);
    let list = |names: &[&str]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    if !regressed.is_empty() {
        terminal.error(&msg!("cli-diff-regressed", variants = list(&regressed)), None);
        return REGRESSED;
    }
    if !unmeasured.is_empty() {
        let needed = found.least_pairs(b);
        terminal.error(&msg!("cli-diff-few", variants = list(&unmeasured), needed = needed), None);
        return exit::INVALID;
    }
    exit::OK
}
