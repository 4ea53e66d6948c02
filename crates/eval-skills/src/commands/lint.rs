//! `eval-skills lint`: skills' files against their formats.

use std::path::PathBuf;

use eval_cli::Terminal;
use eval_cli::exit::{self, Failure};
use eval_spec::callable::SkillsConfig;
use eval_spec::load::{self, SkillLint};
use eval_spec::source::{Place, Severity};
use eval_spec::{Context, Diagnostic, msg};
use serde_json::{Value, json};

use crate::cli::{Global, LintArgs};
use crate::evaluation::settings;

/// Prints what is wrong; exit code 2 when something is an error, or anything is with `--strict`.
pub(crate) fn run(
    context: &Context,
    terminal: &Terminal,
    global: &Global,
    arguments: &LintArgs,
) -> Result<u8, Failure> {
    let paths: Vec<PathBuf> = match arguments.paths.is_empty() {
        true => vec![settings(context, global, SkillsConfig::default())?.0.skills_dir],
        false => arguments.paths.clone(),
    };
    let mut lints = load::lint_skills(context, &paths)?;
    if arguments.strict {
        let all = lints.iter_mut().flat_map(|lint| &mut lint.diagnostics);
        all.for_each(|diagnostic| diagnostic.severity = Severity::Error);
    }
    let count = |severity| lints.iter().flat_map(|lint| &lint.diagnostics).filter(|d| d.severity == severity).count();
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    terminal.json(|| document(context, terminal, &lints, errors, warnings));
    if !terminal.is_json() {
        lints.iter().for_each(|lint| terminal.diagnostics(&lint.diagnostics));
        let files: usize = lints.iter().map(|lint| lint.files.len()).sum();
        terminal.say(&msg!(
            "skills-cli-lint",
            skills = lints.len(),
            files = files,
            errors = errors,
            warnings = warnings
        ));
    }
    Ok(if errors == 0 { exit::OK } else { exit::USAGE })
}

fn document(context: &Context, terminal: &Terminal, lints: &[SkillLint], errors: usize, warnings: usize) -> Value {
    let one = |lint: &SkillLint| {
        let files: Vec<String> = lint.files.iter().map(|file| context.display(file)).collect();
        let diagnostics: Vec<Value> = lint.diagnostics.iter().map(|d| diagnostic(terminal, d)).collect();
        json!({
            "directory": context.display(&lint.directory),
            "id": lint.id.as_deref(),
            "files": files,
            "diagnostics": diagnostics,
        })
    };
    json!({"errors": errors, "warnings": warnings, "skills": lints.iter().map(one).collect::<Vec<_>>()})
}

fn diagnostic(terminal: &Terminal, of: &Diagnostic) -> Value {
    let at = of.place.as_ref().map(Place::line_column);
    json!({
        "severity": match of.severity { Severity::Error => "error", Severity::Warning => "warning" },
        "message": of.message.text(terminal.lang()),
        "help": of.help.as_ref().map(|help| help.text(terminal.lang())),
        "file": of.place.as_ref().map(|place| place.file.name.as_str()),
        "line": at.map(|(line, _)| line),
        "column": at.map(|(_, column)| column),
    })
}
