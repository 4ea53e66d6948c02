//! `eval-skills run`: find → evaluate → select → report, in one go.

use std::path::{Path, PathBuf};

use eval_cli::{CommandError, Terminal};
use eval_format::skills::{EvaluationStatus, SkillEvaluation, StoredDocument};
use eval_history::skills::{Candidate, Measured, Selection};
use eval_load as load;
use eval_message::msg;
use eval_render::skills::selection_text;
use eval_spec::Context;
use eval_spec::callable::{CallableSkill, SkillsConfig, Sourced, Strategy};
use serde_json::json;

use super::select::{self, refused, show, written};
use crate::cli::{RunArgs, SkillsGlobal};
use crate::evaluation::{Ask, Evaluated, evaluate, settings};
use crate::files::check;
use crate::search;

/// The list of selected skills, beside the reports.
const SELECTED: &str = "selected.json";

pub(crate) fn run(
    context: &Context,
    terminal: &Terminal,
    global: &SkillsGlobal,
    arguments: &RunArgs,
) -> Result<u8, CommandError> {
    // A wrong strategy must not be found out after an hour of evaluation.
    let strategy = strategy(context, terminal, global, arguments)?;
    let found = find(context, terminal, global, arguments)?;
    let paths = found.iter().map(|skill| skill.file.clone()).collect();
    let ask = Ask::new(context, global, &arguments.evaluation, paths)?;
    // Whoever asks for all that there are means those that work here; a gate must not open for want of the others.
    let ask = Ask { leaves_out: !arguments.evaluation.exit_on_fail, ..ask };
    let output: PathBuf = ask.output_dir.join(SELECTED);
    // nor that the list can't be written
    check(context, &output, std::iter::empty::<&Path>(), Some(StoredDocument::Selection))?;
    let driven = evaluate(context, terminal, ask)?;
    let Some(Evaluated { evaluation, .. }) = &driven.analysis else { return Ok(driven.code) };
    // What a part of the tasks says of a skill selects nobody.
    if evaluation.status != EvaluationStatus::Complete {
        terminal.json(|| json!({"evaluation": evaluation, "selection": null}));
        terminal.note(&msg!("skills-cli-not-selected", output = context.display(&output)));
        return Ok(driven.code);
    }
    let candidates = found.iter().map(|skill| Candidate::of(skill, context.display(&skill.file))).collect();
    let measured = Measured::all(evaluation);
    let selection = eval_history::skills::select(candidates, measured, &strategy, None, context.lang)
        .map_err(|error| refused(&error))?;
    written(&output, &selection)?;
    tell(context, terminal, evaluation, &selection, &output);
    Ok(driven.code)
}

fn tell(context: &Context, terminal: &Terminal, evaluation: &SkillEvaluation, selection: &Selection, output: &Path) {
    terminal.json(|| json!({"evaluation": evaluation, "selection": selection}));
    terminal.text(&selection_text(selection, show(terminal)));
    terminal.note(&msg!("skills-cli-written", paths = context.display(output)));
}

/// The skills of the directory that the words mean, all of them without words.
fn find(
    context: &Context,
    terminal: &Terminal,
    global: &SkillsGlobal,
    arguments: &RunArgs,
) -> Result<Vec<CallableSkill>, CommandError> {
    let flags = SkillsConfig { skills_dir: arguments.skills_dir.clone().map(Sourced::flag), ..SkillsConfig::default() };
    let (settings, _) = settings(context, global, flags)?;
    let loaded = match arguments.evaluation.exit_on_fail {
        true => load::callable_skills(context, std::slice::from_ref(&settings.skills_dir))?,
        false => load::scan_skills(context, &settings.skills_dir)?,
    };
    terminal.diagnostics(&loaded.warnings);
    let path = context.display(&settings.skills_dir);
    let found: Vec<CallableSkill> = match &arguments.query {
        None => loaded.value,
        Some(query) => {
            let ranked = search::rank(&loaded.value, query);
            ranked.into_iter().filter_map(|(at, _)| loaded.value.get(at).cloned()).collect()
        }
    };
    match (found.is_empty(), &arguments.query) {
        (false, _) => Ok(found),
        (true, Some(query)) => Err(CommandError::usage(
            msg!("skills-cli-run-none-fits", query = query, path = path),
            msg!("skills-cli-run-none-fits-help"),
        )),
        (true, None) => {
            Err(CommandError::usage(msg!("skills-load-no-skill", path = path), msg!("skills-load-no-skill-help")))
        }
    }
}

/// The strategy's file, and the flags above it; the gate's default is no filter.
fn strategy(
    context: &Context,
    terminal: &Terminal,
    global: &SkillsGlobal,
    arguments: &RunArgs,
) -> Result<Strategy, CommandError> {
    let config = crate::files::configuration(context, global.config.as_deref())?.value;
    let least = [arguments.evaluation.min_completion, config.min_completion.map(|given| given.value)];
    select::strategy(context, terminal, arguments.strategy.as_deref(), least, arguments.top_k)
}
