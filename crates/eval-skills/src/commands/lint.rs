//! `eval-skills lint`: skills' files against their formats.

use std::path::PathBuf;

use eval_callable::SkillSetup;
use eval_cli::terminal::diagnostic_document;
use eval_cli::{CommandError, Terminal, exit};
use eval_exec::BuildError;
use eval_load as load;
use eval_load::SkillLint;
use eval_message::msg;
use eval_spec::callable::{CallableSkill, SkillsConfig};
use eval_spec::source::DiagnosticSeverity;
use eval_spec::{Context, Diagnostic};
use serde_json::{Value, json};

use crate::cli::LintArgs;
use crate::session::Session;

/// Prints the diagnostics; exits with 2 on errors, with `--strict` on warnings too. A program or token that is missing on
/// this machine is always a warning: the files may be right.
pub(crate) fn run(session: &Session<'_>, arguments: &LintArgs) -> Result<u8, CommandError> {
    let &Session { context, terminal, .. } = session;
    let settings = session.settings(SkillsConfig::default())?;
    let paths: Vec<PathBuf> = match arguments.paths.is_empty() {
        true => vec![settings.skills_dir],
        false => arguments.paths.clone(),
    };
    let mut lints = load::lint_skills(context, &paths)?;
    if arguments.strict {
        let all = lints.iter_mut().flat_map(|lint| &mut lint.diagnostics);
        all.for_each(|diagnostic| diagnostic.severity = DiagnosticSeverity::Error);
    }
    let setup = SkillSetup { context, langchain: settings.langchain.as_deref(), custom: settings.custom.as_deref() };
    for lint in &mut lints {
        let problem = lint.skill.as_ref().and_then(|skill| uncallable(context, skill, &setup));
        lint.diagnostics.extend(problem);
    }
    let count = |severity| lints.iter().flat_map(|lint| &lint.diagnostics).filter(|d| d.severity == severity).count();
    let (errors, warnings) = (count(DiagnosticSeverity::Error), count(DiagnosticSeverity::Warning));
    terminal.json(|| document(context, terminal, &lints, errors, warnings));
    if !terminal.is_json() {
        lints.iter().for_each(|lint| terminal.diagnostics(&lint.diagnostics));
        let files: usize = lints.iter().map(|lint| lint.files.len()).sum();
        let skills = lints.iter().filter(|lint| !lint.files.is_empty()).count();
        terminal.say(&msg!("skills-cli-lint", skills = skills, files = files, errors = errors, warnings = warnings));
    }
    Ok(if errors == 0 { exit::OK } else { exit::USAGE })
}

/// Why a skill can't be called here: a warning if something is missing on this machine, else an error.
fn uncallable(context: &Context, skill: &CallableSkill, setup: &SkillSetup<'_>) -> Option<Diagnostic> {
    let error = eval_callable::check(skill, setup).err()?;
    let message = error.message().clone();
    if !matches!(error, BuildError::Missing { .. }) {
        let help = msg!("skills-cli-unready-help", path = context.display(&skill.file));
        return Some(Diagnostic::error(message, None).help(error.help().first().cloned().unwrap_or(help)));
    }
    let message = msg!("skills-cli-lint-lacks", why = message.text(context.lang));
    let warning = Diagnostic::warning(message, None);
    Some(error.help().first().cloned().into_iter().fold(warning, Diagnostic::help))
}

fn document(context: &Context, terminal: &Terminal, lints: &[SkillLint], errors: usize, warnings: usize) -> Value {
    let one = |lint: &SkillLint| {
        let files: Vec<String> = lint.files.iter().map(|file| context.display(file)).collect();
        let diagnostics: Vec<Value> =
            lint.diagnostics.iter().map(|of| diagnostic_document(of, terminal.lang())).collect();
        json!({
            "directory": context.display(&lint.directory),
            "id": lint.skill.as_ref().map(|skill| &*skill.id),
            "files": files,
            "diagnostics": diagnostics,
        })
    };
    json!({"errors": errors, "warnings": warnings, "skills": lints.iter().map(one).collect::<Vec<_>>()})
}
