//! `eval-skills report convert` and `report diff` (K8).

use std::path::{Path, PathBuf};

use eval_cli::Terminal;
use eval_cli::exit::{self, Failure};
use eval_report::skills::{
    Format, SkillDiff, SkillEvaluation, diff_markdown, diff_skills, read, render, skill_diff_text, write_whole,
};
use eval_spec::{Context, msg};

use super::select::show;
use crate::cli::{ConvertArgs, DiffArgs};
use crate::told;

/// Writes a stored report in another format.
pub(crate) fn convert(context: &Context, terminal: &Terminal, arguments: &ConvertArgs) -> Result<u8, Failure> {
    let input = context.absolute(&arguments.input);
    let evaluation = read(&input).map_err(|error| told::file(context, &error))?;
    let Some(format) = Format::of(&arguments.format) else {
        return Err(Failure::usage(msg!("skills-report-no-format", format = &arguments.format), None));
    };
    let output = match &arguments.output {
        Some(output) => context.absolute(output),
        None => input.with_extension(format.extension()),
    };
    if is_same(&input, &output) {
        return Err(Failure::usage(msg!("skills-report-onto-itself", path = context.display(&output)), None));
    }
    let lang = context.lang;
    write_whole(&output, |file| render(&evaluation, format, lang, file))
        .map_err(|error| told::file(context, &error))?;
    terminal.json(|| serde_json::json!({ "format": format.name(), "path": context.display(&output) }));
    terminal.say(&msg!("skills-cli-written", paths = context.display(&output)));
    Ok(exit::OK)
}

fn is_same(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => a == b,
    }
}

/// Compares two stored reports. A look and no gate, unless it is asked to be one.
pub(crate) fn diff(context: &Context, terminal: &Terminal, arguments: &DiffArgs) -> Result<u8, Failure> {
    let open = |path: &PathBuf| read(&context.absolute(path)).map_err(|error| told::file(context, &error));
    let (a, b) = (open(&arguments.a)?, open(&arguments.b)?);
    let labels = [label(arguments.label_a.as_deref(), &arguments.a), label(arguments.label_b.as_deref(), &arguments.b)];
    let found = diff_skills(&a, &b, [&labels[0], &labels[1]], arguments.force)
        .map_err(|error| Failure::usage(error.message(), error.help()))?;
    terminal.json(|| serde_json::to_value(&found).unwrap_or_default());
    match &arguments.output {
        Some(file) => {
            let path = context.absolute(file);
            let text = diff_markdown(&found, context.lang);
            write_whole(&path, |file| file.write_all(text.as_bytes())).map_err(|error| told::file(context, &error))?;
            terminal.text(&skill_diff_text(&found, show(terminal)));
            terminal.note(&msg!("skills-cli-written", paths = context.display(&path)));
        }
        None if context.stdout_is_terminal => terminal.text(&skill_diff_text(&found, show(terminal))),
        None => terminal.text(&diff_markdown(&found, context.lang)),
    }
    Ok(if arguments.fail_on_regression { gate(terminal, &found, &b) } else { exit::OK })
}

/// What a side is called: the label, else its file's name.
fn label(given: Option<&str>, path: &Path) -> String {
    let name = || path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    given.map_or_else(name, str::to_owned)
}

/// A regression is refused; and a gate must not open because nothing was measured.
fn gate(terminal: &Terminal, found: &SkillDiff, b: &SkillEvaluation) -> u8 {
    let list = |ids: &[&str]| ids.iter().map(|id| format!("`{id}`")).collect::<Vec<_>>().join(", ");
    let (regressed, unmeasured) = (found.regressed(), found.unmeasured());
    if !regressed.is_empty() {
        terminal.error(&msg!("skills-report-gate-regressed", skills = list(&regressed)), None);
        return exit::REFUSED;
    }
    let gone: Vec<&str> = found.only_a.iter().map(String::as_str).collect();
    let silent: Vec<&str> = unmeasured.into_iter().chain(gone).collect();
    if !silent.is_empty() {
        terminal.error(&msg!("skills-report-gate-unmeasured", skills = list(&silent)), None);
        return exit::INVALID;
    }
    if b.is_unsound() {
        terminal.error(&msg!("skills-report-gate-unsound", id = &b.id), None);
        return exit::INVALID;
    }
    exit::OK
}
