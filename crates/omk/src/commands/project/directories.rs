//! What agents would be given otherwise than somebody expects: a working directory whose copy is empty, and prompts that lead to
//! an artifact, to the directory that was copied, or that only agents with a skill understand.

use std::path::{Path, PathBuf};

use eval_message::msg;
use eval_spec::{Context, Diagnostic, Suite};

use super::calls::Calls;

/// So many paths are named.
const LISTED: usize = 3;

/// Errors and warnings about the directories that agents get copies of.
pub(super) fn findings(context: &Context, suite: &Suite, calls: &Calls) -> Vec<Diagnostic> {
    let copied = calls.copied();
    let withheld = copied.iter().filter_map(|(path, is_chosen)| is_withheld(context, suite, calls, path, *is_chosen));
    let mut found: Vec<Diagnostic> = withheld.collect();
    if !copied.is_empty() {
        let samples = 0..suite.samples.len();
        found.extend(samples.clone().filter_map(|at| names_artifact(context, suite, calls, at)));
        found.extend(samples.filter_map(|at| loads_by_name(suite, calls, at)));
        found.extend(names_directory(context, suite, calls));
        found.extend(left_out(context, calls));
    }
    found
}

/// A directory that is withheld itself has nothing that may be copied.
fn is_withheld(context: &Context, suite: &Suite, calls: &Calls, path: &Path, is_chosen: bool) -> Option<Diagnostic> {
    let root = path.canonicalize().ok()?;
    let is_it = |of: &PathBuf| of.canonicalize().is_ok_and(|of| of == root);
    calls.ours().iter().find(|of| is_it(of))?;
    let of_sample = suite.samples.iter().find(|sample| sample.cwd.as_deref() == Some(path));
    let place = of_sample.and_then(|sample| sample.place.clone());
    let directory = context.display(path);
    Some(match is_chosen {
        true => Diagnostic::error(msg!("cli-cwd-withheld", directory = directory), place)
            .help(msg!("cli-cwd-withheld-help")),
        false => {
            Diagnostic::warning(msg!("cli-cwd-empty", directory = directory), None).help(msg!("cli-cwd-withheld-help"))
        }
    })
}

/// A prompt that says where an artifact lies, outside of what is copied, leads the agents of all variants to it.
fn names_artifact(context: &Context, suite: &Suite, calls: &Calls, at: usize) -> Option<Diagnostic> {
    let directories = calls.directories_of(at);
    let is_inside = |path: &Path| directories.iter().any(|of| path.starts_with(of));
    let artifacts = suite.variants.iter().filter_map(|variant| variant.artifact.path.as_deref());
    let named = artifacts.filter(|path| !is_inside(path)).find(|path| eval_exec::names_path(calls.prompt(at), path))?;
    let sample = &suite.samples[at];
    let error = msg!("cli-prompt-names-artifact", sample = &sample.id, path = context.display(named));
    Some(Diagnostic::error(error, sample.place.clone()).help(msg!("cli-prompt-names-artifact-help")))
}

/// A prompt that loads a skill by its name is another one to the agents of a variant that hasn't the skill.
fn loads_by_name(suite: &Suite, calls: &Calls, at: usize) -> Option<Diagnostic> {
    let row = eval_exec::named(&suite.settings.executor)?;
    let is_offered = |skill: &str| (0..suite.variants.len()).map(|of| calls.offers(of, skill)).collect::<Vec<_>>();
    let loaded = |skill: &&str| {
        eval_exec::loads_by_name(row.mention, calls.prompt(at), skill) && is_offered(skill).contains(&false)
    };
    let skill = calls.offered().find(loaded)?;
    let sample = &suite.samples[at];
    let error = msg!("cli-prompt-loads-skill", sample = &sample.id, skill = skill, executor = row.name);
    Some(Diagnostic::error(error, sample.place.clone()).help(msg!("cli-prompt-loads-skill-help")))
}

/// Files that an agent may be asked about, and doesn't find.
fn left_out(context: &Context, calls: &Calls) -> Option<Diagnostic> {
    let all = calls.left_out();
    let names: Vec<String> = all.iter().take(LISTED).map(|path| format!("`{}`", context.display(path))).collect();
    let text = || msg!("cli-copy-left-out", count = all.len(), paths = names.join(", "));
    (!all.is_empty()).then(|| Diagnostic::warning(text(), None))
}

/// Agents are told the path of their copy instead.
fn names_directory(context: &Context, suite: &Suite, calls: &Calls) -> Option<Diagnostic> {
    let named =
        |at: &usize| calls.directories_of(*at).into_iter().find(|path| eval_exec::names_path(calls.prompt(*at), path));
    let samples: Vec<usize> = (0..suite.samples.len()).filter(|at| named(at).is_some()).collect();
    let (first, path) = samples.first().and_then(|at| Some((&suite.samples[*at], named(at)?)))?;
    let text =
        msg!("cli-prompt-names-cwd", sample = &first.id, count = samples.len(), directory = context.display(path));
    Some(Diagnostic::warning(text, first.place.clone()))
}
