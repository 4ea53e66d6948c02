//! `omk diff`: two reports side by side, or the variants of one.

use eval_report::{Diff, DiffError, SlimReport, diff, diff_inside, diff_text, read_slim};
use eval_spec::{Context, msg};

use super::eval::Style;
use super::report::show;
use super::stored::{find, unreadable};
use crate::cli::DiffArgs;
use eval_cli::exit::{self, Failure};
use eval_cli::terminal::Terminal;

/// The exit code of `--fail-on-regress`.
const REGRESSED: u8 = 1;

/// Compares and shows. A look and no gate, unless it is asked to be one.
pub(crate) fn run(context: &Context, terminal: &Terminal, arguments: &DiffArgs) -> Result<u8, Failure> {
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
    let found = found.map_err(unreadable)?.map_err(|why| refused(&why))?;
    if [Some(&a), b.as_ref()].into_iter().flatten().any(|of| of.stopping.is_some()) {
        terminal.warn(&msg!("cli-diff-stopping"));
    }
    terminal.json(|| serde_json::to_value(&found).unwrap_or_default());
    terminal.text(&diff_text(&found, show(terminal, Style::Eval)));
    Ok(guard(terminal, arguments, &found, [&a, b.as_ref().unwrap_or(&a)]))
}

/// `a:b`, or one name for both.
fn named(pair: &str) -> (String, String) {
    let (a, b) = pair.split_once(':').unwrap_or((pair, pair));
    (a.to_owned(), b.to_owned())
}

/// Why reports can't be held against each other, with the samples in the way.
pub(super) fn refused(why: &DiffError) -> Failure {
    let (message, help) = why.messages();
    Failure::usage(message, help)
}

/// A gate must not open because nothing was measured: without a valid measurement, or without enough pairs, it says
/// so with the code of a run that is none. Intervals of a run that ended when it was decided hold for its own
/// comparison only: it ended because its differences were large.
fn guard(terminal: &Terminal, arguments: &DiffArgs, found: &Diff, [a, b]: [&SlimReport; 2]) -> u8 {
    if !arguments.fail_on_regress {
        return exit::OK;
    }
    if let Some(of) = [a, b].into_iter().find(|of| !of.verdict.valid || of.stopping.is_some()) {
        let message = match of.verdict.valid {
            true => msg!("cli-diff-early", id = &of.id),
            false => msg!("cli-diff-invalid", id = &of.id),
        };
        terminal.error(&message, None);
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
        let needed = b.verdict.inputs.limits.min_pairs;
        terminal.error(&msg!("cli-diff-few", variants = list(&unmeasured), needed = needed), None);
        return exit::INVALID;
    }
    exit::OK
}
