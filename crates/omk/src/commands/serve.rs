//! `omk report`: stored reports as pages.

use std::path::Path;

use eval_cli::{CommandError, Terminal, serve};
use eval_serve::library::RunFacts;
use eval_spec::Context;
use eval_spec::record::Header;
use eval_spec::suite::Settings;
use serde_json::Value;

use super::observe::directory as analyses;
use super::stored::usual_directory_at;
use crate::cli::ServeReportsArgs;

pub(crate) fn run(context: &Context, terminal: &Terminal, arguments: &ServeReportsArgs) -> Result<u8, CommandError> {
    let reports = arguments.reports.path(context);
    let of_runs = context.clone();
    let analyses = Some(analyses(context, &arguments.analyses));
    let served = serve::ServedReports { reports, analyses, blind: arguments.blind };
    serve::run(context, terminal, "omk", served, arguments.serve, move |header| facts(&of_runs, header))
}

/// What a journal says of a run of ours.
fn facts(context: &Context, header: &Header) -> Option<RunFacts> {
    let settings: Settings = serde_json::from_value(header.settings.clone()).ok()?;
    let count = |what: &str| header.inputs.get(what).and_then(Value::as_object).map(|all| all.len() as u64);
    let cells = count("samples").zip(count("variants")).map(|(samples, variants)| samples * variants);
    let usual = || usual_directory_at(context, Path::new(&header.cwd));
    Some(RunFacts {
        reports: settings.output_dir.clone().unwrap_or_else(usual),
        planned: cells.map(|cells| cells * u64::from(settings.repeat)),
        budget_usd: settings.budget_usd,
        stops_when_decided: settings.planned_looks().is_some(),
        blind: settings.blind,
        resume: format!("omk eval --resume {}", header.id),
    })
}
