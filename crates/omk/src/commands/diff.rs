//! `omk diff`: two reports side by side, or the variants of one.

use eval_report::{Diff, DiffError, SlimReport, diff, diff_inside, diff_text, read_slim};
use eval_spec::{Context, msg};

use super::eval::Style;
use super::report::show;
use super::stored::{find, unreadable};
use crate::cli::DiffArgs;
use crate::exit::{self, Failure};
use crate::terminal::Terminal;

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
    terminal.json(|| serde_json::to_value(&found).unwrap_or_default());
    terminal.text(&diff_text(&found, show(terminal, Style::Eval)));
    Ok(guard(terminal, arguments, &found, b.as_ref().unwrap_or(&a)))
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

fn guard(terminal: &Terminal, arguments: &DiffArgs, found: &Diff, b: &SlimReport) -> u8 {
    let regressed = found.regressed(b);
    if !arguments.fail_on_regress || regressed.is_empty() {
        return exit::OK;
    }
    let list = regressed.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    terminal.error(&msg!("cli-diff-regressed", variants = list), None);
    REGRESSED
}
