//! `eval-skills report convert` and `report diff`.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use eval_cli::{CommandError, Terminal, exit};
use eval_format::skills::{EvaluationStatus, SkillEvaluation};
use eval_format::write_whole;
use eval_history::skills::{SkillDiff, diff_skills};
use eval_message::{Message, msg};
use eval_render::Show;
use eval_render::formats::{format_named, formats_of};
use eval_render::skills::{diff_markdown, skill_diff_text};

use crate::cli::{ConvertArgs, SkillsDiffArgs};
use crate::files::{OutputTarget, check, put, report};
use crate::session::Session;

/// How many of the tasks that B lacks are named.
const NAMED: usize = 5;

pub(crate) fn convert(session: &Session<'_>, arguments: &ConvertArgs) -> Result<u8, CommandError> {
    let &Session { context, terminal, .. } = session;
    let input = context.absolute(&arguments.input);
    let evaluation = report(context, &arguments.input)?;
    let Some(format) = format_named::<SkillEvaluation>(&arguments.format) else {
        return Err(CommandError::usage(no_format(&arguments.format), None));
    };
    let output = match &arguments.output {
        Some(given) => OutputTarget::of(context, terminal, given)?,
        None => OutputTarget::File(input.with_extension(format.extension)),
    };
    let show = Show::file(context.lang);
    let OutputTarget::File(output) = output else {
        let mut page = Vec::new();
        format.render(&evaluation, show, &mut page).map_err(CommandError::io(msg!("skills-cli-not-rendered")))?;
        terminal.bytes(&page);
        return Ok(exit::OK);
    };
    check(context, &output, [&*input], None)?;
    write_whole(&output, |file| format.render(&evaluation, show, file))
        .map_err(|error| CommandError::file(context, &error.into()))?;
    terminal.json(|| serde_json::json!({ "format": format.name, "path": context.display(&output) }));
    terminal.say(&msg!("skills-cli-written", paths = context.display(&output)));
    Ok(exit::OK)
}

fn no_format(name: &str) -> Message {
    let known: Vec<&str> = formats_of::<SkillEvaluation>().map(|format| format.name).collect();
    msg!("skills-report-no-format", format = name, known = known.join(", "))
}

/// Compares two stored reports. Only with `--fail-on-regression` does the result decide the exit code.
pub(crate) fn diff(session: &Session<'_>, arguments: &SkillsDiffArgs) -> Result<u8, CommandError> {
    let &Session { context, terminal, .. } = session;
    let (a, b) = (report(context, &arguments.a)?, report(context, &arguments.b)?);
    let given = [arguments.label_a.as_deref(), arguments.label_b.as_deref()];
    let labels = labels(given, [&context.absolute(&arguments.a), &context.absolute(&arguments.b)], [&a.id, &b.id]);
    let found = diff_skills(&a, &b, [&labels[0], &labels[1]], arguments.force)
        .map_err(|error| CommandError::usage(error.message(), error.help()))?;
    let output = arguments.output.as_deref().map(|given| OutputTarget::of(context, terminal, given)).transpose()?;
    match &output {
        Some(OutputTarget::File(path)) => {
            let inputs = [&arguments.a, &arguments.b].map(|input| context.absolute(input));
            check(context, path, inputs.iter().map(PathBuf::as_path), None)?;
            put(context, path, diff_markdown(&found, context.lang).as_bytes())?;
            terminal.text(&skill_diff_text(&found, terminal.show()));
            terminal.note(&msg!("skills-cli-written", paths = context.display(path)));
        }
        None if context.stdout_is_terminal => terminal.text(&skill_diff_text(&found, terminal.show())),
        Some(OutputTarget::Stdout) | None => terminal.text(&diff_markdown(&found, context.lang)),
    }
    terminal.json(|| serde_json::to_value(&found).unwrap_or_default());
    Ok(if arguments.fail_on_regression { gate(terminal, &found) } else { exit::OK })
}

/// The names of the two sides: their labels, else their file names; where those are the same, with the directory or
/// else the evaluation's id.
fn labels(given: [Option<&str>; 2], paths: [&Path; 2], ids: [&str; 2]) -> [String; 2] {
    let text = |part: Option<&OsStr>| part.map(|part| part.to_string_lossy().into_owned()).unwrap_or_default();
    let names = paths.map(|path| text(path.file_stem()));
    let folders = paths.map(|path| text(path.parent().and_then(Path::file_name)));
    let places = [0, 1].map(|side| format!("{}/{}", folders[side], names[side]));
    let identified = [0, 1].map(|side| format!("{} {}", names[side], ids[side]));
    let with_given = |of: [String; 2]| {
        let mut of = of.into_iter();
        given.map(|label| {
            let own = of.next().unwrap_or_default();
            label.map_or(own, str::to_owned)
        })
    };
    let candidates = [names, places, identified].map(with_given);
    let different = candidates.iter().find(|[a, b]| a != b);
    different.unwrap_or(&candidates[0]).clone()
}

/// The exit code of `--fail-on-regression`: a regression is refused, and an incomplete measurement is invalid.
fn gate(terminal: &Terminal, found: &SkillDiff) -> u8 {
    let list = |ids: &[&str]| ids.iter().map(|id| format!("`{id}`")).collect::<Vec<_>>().join(", ");
    let unknown = unknown(found, &list);
    unknown.iter().for_each(|message| terminal.error(message, None));
    let regressed = found.regressed();
    if !regressed.is_empty() {
        terminal.error(&msg!("skills-report-gate-regressed", skills = list(&regressed)), None);
        return exit::REFUSED;
    }
    if unknown.is_empty() { exit::OK } else { exit::INVALID }
}

/// Why the comparison can't rule out a regression.
fn unknown(found: &SkillDiff, list: &dyn Fn(&[&str]) -> String) -> Vec<Message> {
    let mut all = Vec::new();
    for side in [&found.a, &found.b] {
        if side.status == EvaluationStatus::Interrupted {
            all.push(msg!("skills-report-gate-side-incomplete", label = &side.label));
        }
        if side.unsound {
            all.push(msg!("skills-report-gate-side-unsound", label = &side.label));
        }
    }
    let silent: Vec<&str> = found.unmeasured().into_iter().chain(found.only_a.iter().map(String::as_str)).collect();
    if !silent.is_empty() {
        all.push(msg!("skills-report-gate-unmeasured", skills = list(&silent)));
    }
    for of in found.skills.iter().filter(|of| !of.missing.is_empty()) {
        let named: Vec<&str> = of.missing.iter().take(NAMED).map(String::as_str).collect();
        let more = if of.missing.len() > NAMED { ", …" } else { "" };
        all.push(msg!(
            "skills-report-gate-tasks-missing",
            label = &found.b.label,
            count = of.missing.len(),
            skill = format!("`{}`", of.b),
            tasks = format!("{}{more}", list(&named))
        ));
    }
    all
}
