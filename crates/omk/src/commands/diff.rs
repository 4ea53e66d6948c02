//! `omk diff`: two reports side by side, or the variants of one.

use std::path::Path;

use eval_cli::{CommandError, Terminal, exit};
use eval_history::{Diff, DiffError, SlimReport, diff, diff_inside};
use eval_message::msg;
use eval_render::diff_text;
use eval_spec::Context;

use crate::cli::DiffArgs;

/// Compares two reports. Only with `--fail-on-regress` does the result decide the exit code.
pub(crate) fn run(context: &Context, terminal: &Terminal, arguments: &DiffArgs) -> Result<u8, CommandError> {
    let read = |report: &str| arguments.reports.read_slim(terminal, context, report);
    let a = read(&arguments.a)?;
    let b = arguments.b.as_deref().map(read).transpose()?;
    let path_b = arguments.b.as_deref().map(|b| arguments.reports.find(terminal, context, b)).transpose()?;
    let variants: Vec<(String, String)> = arguments.variant.iter().map(|pair| named(pair)).collect();
    let found = match &b {
        Some(b) => {
            let directory = path_b.as_deref().and_then(Path::parent).unwrap_or(Path::new("."));
            diff(&a, b, &variants, arguments.force).map(|found| found.counting_runs(directory, [&a, b]))
        }
        None => diff_inside(&a, &variants),
    };
    let found = found.map_err(|why| refused(&why))?;
    terminal.json(|| serde_json::to_value(&found).unwrap_or_default());
    terminal.text(&diff_text(&found, terminal.show()));
    Ok(guard(terminal, arguments, &found, [&a, b.as_ref().unwrap_or(&a)]))
}

/// `a:b`, or one name for both.
fn named(pair: &str) -> (String, String) {
    let (a, b) = pair.split_once(':').unwrap_or((pair, pair));
    (a.to_owned(), b.to_owned())
}

/// Reports that can't be compared, and why.
pub(super) fn refused(why: &DiffError) -> CommandError {
    CommandError::usage(why.message(), why.help())
}

/// The exit code of `--fail-on-regress`. Without a valid measurement, or without enough pairs, it is that of an invalid
/// run. The intervals of a run that may end early are valid whenever it ends.
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
        return exit::REFUSED;
    }
    if !unmeasured.is_empty() {
        let needed = found.least_pairs(b);
        terminal.error(&msg!("cli-diff-few", variants = list(&unmeasured), needed = needed), None);
        return exit::INVALID;
    }
    exit::OK
}
