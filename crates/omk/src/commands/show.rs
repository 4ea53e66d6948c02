//! `omk show`: one sample of a stored report, with every answer to it.

use eval_cli::{CommandError, Terminal, exit};
use eval_format::{Analysis, NoResults, SampleResult};
use eval_message::{Message, msg};
use eval_spec::Context;

use super::stored::read;
use crate::cli::ShowArgs;

/// Finds the sample, and shows it.
pub(crate) fn run(context: &Context, terminal: &Terminal, arguments: &ShowArgs) -> Result<u8, CommandError> {
    let report = read(&arguments.reports.find(terminal, context, &arguments.report)?)?;
    let (mut report, mut results) = report.take_results();
    let Some(at) = results.iter().position(|one| one.sample_id == arguments.sample) else {
        return Err(unknown(&report, &results, &arguments.sample));
    };
    let mut sample = results.swap_remove(at);
    if let Some(variant) = &arguments.variant {
        if !sample.variants.contains_key(variant) {
            let names: Vec<String> = report.meta.variants.iter().map(|name| format!("`{name}`")).collect();
            let help = msg!("cli-gold-variants", variants = names.join(", "));
            return Err(CommandError::usage(msg!("cli-gold-no-variant", variant = variant), help));
        }
        sample.variants.retain(|name, _| name == variant);
        report.meta.variants.retain(|name| name == variant);
    }
    terminal.json(|| serde_json::to_value(&sample).unwrap_or_default());
    terminal.text(&eval_render::sample_text(&report.with_results(NoResults), &sample, terminal.show()));
    Ok(exit::OK)
}

/// The samples that there are, those first that are written almost alike.
fn unknown(report: &Analysis, results: &[SampleResult], wanted: &str) -> CommandError {
    const NAMED: usize = 8;
    let mut ids: Vec<&str> = results.iter().map(|one| one.sample_id.as_str()).collect();
    let is_near = |id: &str| id.to_lowercase().contains(&wanted.to_lowercase());
    ids.sort_by_key(|id| !is_near(id));
    let more = if ids.len() > NAMED { ", …" } else { "" };
    let named: Vec<String> = ids.iter().take(NAMED).map(|id| format!("`{id}`")).collect();
    let help: Message = msg!("cli-cache-unknown-sample-help", samples = format!("{}{more}", named.join(", ")));
    CommandError::usage(msg!("cli-show-no-sample", sample = wanted, report = &report.id), help)
}
