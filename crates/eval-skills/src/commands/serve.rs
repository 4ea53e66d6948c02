//! `eval-skills report`: stored reports as pages.

use eval_cli::{CommandError, serve};
use eval_serve::library::RunFacts;
use eval_spec::callable::SkillsConfig;
use eval_spec::record::Header;

use crate::cli::SkillsReportArgs;
use crate::evaluation::{Ask, KIND};
use crate::session::Session;

pub(crate) fn run(session: &Session<'_>, arguments: &SkillsReportArgs) -> Result<u8, CommandError> {
    let &Session { context, terminal, .. } = session;
    let settings = session.settings(SkillsConfig::default())?;
    let reports = context.absolute(arguments.output_dir.as_deref().unwrap_or(&settings.output_dir));
    let served = serve::ServedReports { reports, analyses: None, blind: false };
    serve::run(context, terminal, "eval-skills", served, arguments.serve, facts)
}

/// What a journal says of an evaluation. How many tasks there are is not in it.
fn facts(header: &Header) -> Option<RunFacts> {
    header.settings.get("kind").filter(|kind| *kind == KIND)?;
    let ask: Ask = serde_json::from_value(header.settings.get("ask")?.clone()).ok()?;
    Some(RunFacts {
        reports: ask.output_dir,
        planned: None,
        budget_usd: None,
        stops_when_decided: false,
        blind: false,
        resume: format!("eval-skills eval --resume {}", header.id),
    })
}
