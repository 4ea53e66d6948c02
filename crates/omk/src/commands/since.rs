//! `--since REF`: only what changed since a commit is evaluated.

use std::path::{Path, PathBuf};

use eval_cli::{CommandError, Terminal};
use eval_message::{Message, msg};
use eval_spec::variant::Artifact;
use eval_spec::{Context, files};
use serde_json::json;

use super::project::{Chosen, InputPlaces, Project, settings};
use crate::cli::EvalArgs;
use crate::commands::project::purpose::{Purpose, is_replay};

/// The settings with the treatments that changed since `reference`: all of them, where the control or an input that all
/// share did. `None` when nothing did.
pub(super) fn changed(
    context: &Context,
    arguments: &EvalArgs,
    place: &InputPlaces,
    reference: &str,
) -> Result<Option<Chosen>, CommandError> {
    let choose = || settings(context, arguments.written(), arguments.directories(), place);
    let project = Project::load(context, choose()?, Purpose::Preview)?;
    let changed = eval_load::files_changed_since(context, &place.base, reference);
    let changed = changed.map_err(|why| CommandError::usage(why, msg!("cli-since-help")))?;
    let changed: Vec<PathBuf> = changed.into_iter().map(resolved).collect();
    let has_changed = |artifact: &Artifact| {
        artifact.path.as_ref().is_some_and(|path| changed.iter().any(|file| file.starts_with(resolved(path.clone()))))
    };
    let mut chosen = choose()?;
    let [control, treatments @ ..] = project.suite.variants.as_slice() else { return Ok(Some(chosen)) };
    if has_changed(&control.artifact) || changed.iter().any(|file| is_shared(context, &project, place, file)) {
        return Ok(Some(chosen));
    }
    let kept: Vec<bool> =
        treatments.iter().map(|of| has_changed(&of.artifact) || of.skills.iter().any(has_changed)).collect();
    let mut is_kept = kept.iter();
    chosen.settings.treatments.retain(|_| is_kept.next().copied().unwrap_or(true));
    Ok(kept.contains(&true).then_some(chosen))
}

/// Says that nothing changed, so that nothing was run.
pub(super) fn say_nothing(terminal: &Terminal, reference: &str) {
    let message: Message = msg!("cli-since-nothing", reference = reference);
    terminal.json(|| json!({"evaluated": false, "since": reference, "message": message.to_string()}));
    terminal.say(&message);
}

/// Whether a file is an input of every variant: settings, samples and what they name, a working directory.
fn is_shared(context: &Context, project: &Project, place: &InputPlaces, file: &Path) -> bool {
    let settings = &project.suite.settings;
    let own = [place.file.as_ref(), Some(&settings.samples), settings.gold_dir.as_ref()];
    let recordings = settings.recordings.as_ref().filter(|_| is_replay(settings));
    let is_in = |path: &PathBuf| file.starts_with(resolved(context.absolute(path)));
    if own.into_iter().flatten().chain(recordings).any(is_in) || is_named(place, &settings.samples, file) {
        return true;
    }
    let is_artifact = file.starts_with(resolved(settings.skill_dir.clone()))
        || project.suite.variants.iter().filter_map(|of| of.artifact.path.as_ref()).any(is_in);
    !is_artifact && project.working_directories().iter().any(|directory| file.starts_with(resolved(directory.into())))
}

/// Whether samples or settings name a file: a script of a check, the answer of a mock.
fn is_named(place: &InputPlaces, samples: &Path, file: &Path) -> bool {
    let folder = resolved(samples.parent().unwrap_or(samples).to_owned());
    let Some(name) = file.strip_prefix(&folder).ok().and_then(Path::to_str) else { return false };
    let texts = [Some(samples), place.file.as_deref()].into_iter().flatten();
    texts.filter_map(|path| files::read_regular_text(path, files::LARGEST_TEXT).ok()).any(|text| text.contains(name))
}

/// Without links: git names files by their real paths. A file that is gone has none.
fn resolved(path: PathBuf) -> PathBuf {
    let (parent, name) = (path.parent().map(Path::to_owned), path.file_name().map(ToOwned::to_owned));
    match (path.canonicalize(), parent, name) {
        (Ok(path), _, _) => path,
        (Err(_), Some(parent), Some(name)) => resolved(parent).join(name),
        (Err(_), _, _) => path,
    }
}
