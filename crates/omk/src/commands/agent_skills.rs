//! `omk report export REPORT --format agent-skills`: the files that `skill-creator` reads.

use std::path::{Path, PathBuf};

use eval_cli::{CommandError, Terminal, exit};
use eval_format::Report;
use eval_message::{Message, msg};
use eval_render::agent_skills as evals;
use eval_spec::Context;

use super::stored::read;

/// The name of the format, which is a directory of files.
pub(crate) const FORMAT: &str = "agent-skills";

/// What the format is, in one line.
pub(crate) fn about() -> Message {
    msg!("skills-evals-format")
}

/// Writes the report on a skill's evals into a new folder of its workspace.
pub(crate) fn export(
    context: &Context,
    terminal: &Terminal,
    stored: &Path,
    output: Option<&Path>,
) -> Result<u8, CommandError> {
    let report = read(stored)?;
    let workspace = output.map_or_else(|| workspace(&report), Path::to_owned);
    let folder = evals::write(&report, &context.absolute(&workspace), context.lang)
        .map_err(|error| CommandError::usage(error.message(&|path: &Path| context.display(path)), None))?;
    let shown = context.display(&folder);
    terminal.json(|| serde_json::json!({"format": FORMAT, "path": shown}));
    terminal.say(&msg!("skills-evals-written", path = shown));
    Ok(exit::OK)
}

/// `SKILL-workspace`, with a file name made of the variant's name.
fn workspace(report: &Report) -> PathBuf {
    let safe = |c: char| if c.is_alphanumeric() || matches!(c, '-' | '_') { c } else { '_' };
    let skill: String = report.meta.variants.last().map(|name| name.chars().map(safe).collect()).unwrap_or_default();
    PathBuf::from(format!("{skill}-workspace"))
}
