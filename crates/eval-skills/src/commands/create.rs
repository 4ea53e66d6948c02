//! `eval-skills create`: skills from a template, or from an OpenAPI document.

use std::cell::OnceCell;
use std::path::Path;

use eval_cli::{CommandError, Terminal, exit};
use eval_load as load;
use eval_message::msg;
use eval_spec::Context;
use eval_spec::callable::SkillsConfig;
use eval_spec::source::DiagnosticSeverity;
use serde_json::json;

use crate::cli::CreateArgs;
use crate::create::{Draft, TEMPLATES, draft, id_of, loses_letters, openapi};
use crate::session::Session;
use crate::{files, staging};

/// Writes the skills, all or none.
pub(crate) fn run(session: &Session<'_>, arguments: &CreateArgs) -> Result<u8, CommandError> {
    let &Session { context, terminal, .. } = session;
    let output = match &arguments.output_dir {
        Some(path) => context.absolute(path).components().collect(),
        None => session.settings(SkillsConfig::default())?.skills_dir,
    };
    let drafts = match &arguments.from_openapi {
        Some(file) => from_openapi(session, arguments, file)?,
        None => vec![from_template(terminal, arguments)?],
    };
    check(context, &output, &drafts, arguments.force)?;
    let cannot = || CommandError::io(msg!("cli-cannot-write", path = context.display(&output)));
    let staged = staging::stage(&output, &drafts).map_err(cannot())?;
    let drafts = match loadable(session, staged.path(), drafts) {
        Ok(drafts) => drafts,
        Err(failure) => {
            staged.discard();
            return Err(failure);
        }
    };
    staged.commit(&drafts).map_err(cannot())?;
    list(session, arguments, &output, &drafts);
    next_step(session, arguments, &output, &drafts);
    Ok(exit::OK)
}

/// The drafts that the loader accepts; the others are left out with a warning that says why.
fn loadable(session: &Session<'_>, stage: &Path, drafts: Vec<Draft>) -> Result<Vec<Draft>, CommandError> {
    let lints = load::lint_skills(session.context, &[stage.to_owned()])?;
    let broken = |draft: &Draft| {
        let own = lints.iter().find(|lint| lint.directory.file_name().is_some_and(|name| *name == *draft.id))?;
        own.diagnostics.iter().find(|diagnostic| diagnostic.severity == DiagnosticSeverity::Error)
    };
    let (mut whole, mut skipped) = (Vec::new(), Vec::new());
    for draft in drafts {
        match broken(&draft).map(|error| error.message.text(session.context.lang)) {
            None => whole.push(draft),
            Some(why) => skipped.push(msg!("skills-cli-create-broken", id = &draft.id, why = why)),
        }
    }
    let failure = skipped.pop_if(|_| whole.is_empty()).map(|message| CommandError::usage(message, None));
    skipped.iter().for_each(|message| session.terminal.warn(message));
    failure.map_or(Ok(whole), Err)
}

/// Prints what was created, and which skills change data.
fn list(session: &Session<'_>, arguments: &CreateArgs, output: &Path, drafts: &[Draft]) {
    let &Session { context, terminal, .. } = session;
    let mut created = Vec::new();
    for draft in drafts {
        let directory = context.display(&output.join(&draft.id));
        let names: Vec<&str> = draft.files.iter().map(|(name, _)| *name).collect();
        match arguments.from_openapi {
            // A hundred operations are four hundred files.
            Some(_) => terminal.say(&msg!("cli-init-created", path = &directory)),
            None => {
                let path = |name: &&str| context.display(&output.join(&draft.id).join(name));
                names.iter().for_each(|name| terminal.say(&msg!("cli-init-created", path = path(name))));
            }
        }
        created.push(json!({"id": draft.id, "directory": directory, "files": names, "changesDataAt": draft.changes}));
    }
    terminal.json(|| json!({"skills": created}));
    let changing: Vec<&Draft> = drafts.iter().filter(|draft| draft.changes.is_some()).collect();
    if let Some(first) = changing.first() {
        let mut hosts: Vec<&str> = changing.iter().filter_map(|draft| draft.changes.as_deref()).collect();
        hosts.sort_unstable();
        hosts.dedup();
        let (count, hosts) = (changing.len(), hosts.join(", "));
        terminal.warn(&msg!("skills-cli-create-changes", count = count, first = &first.id, hosts = hosts));
    }
}

fn from_template(terminal: &Terminal, arguments: &CreateArgs) -> Result<Draft, CommandError> {
    let name = arguments.name.as_deref().unwrap_or_default();
    let id = id(terminal, name)?;
    let template = arguments.from_template.as_deref().unwrap_or(TEMPLATES[0].name);
    let description = arguments.description.as_deref().unwrap_or_default();
    draft(template, &id, name.trim(), description).ok_or_else(|| {
        let known: Vec<&str> = TEMPLATES.iter().map(|template| template.name).collect();
        let help = msg!("cli-usage-valid", values = known.join(", "));
        CommandError::usage(msg!("skills-cli-create-no-template", name = template), help)
    })
}

/// The id of a name, with a warning if letters are lost.
fn id(terminal: &Terminal, name: &str) -> Result<String, CommandError> {
    let nothing =
        || CommandError::usage(msg!("skills-cli-create-no-id", name = name), msg!("skills-load-skill-id-help"));
    let id = id_of(name).ok_or_else(nothing)?;
    if loses_letters(name) {
        terminal.warn(&msg!("skills-cli-create-id", name = name, id = &id));
    }
    Ok(id)
}

fn from_openapi(session: &Session<'_>, arguments: &CreateArgs, file: &Path) -> Result<Vec<Draft>, CommandError> {
    let &Session { context, terminal, .. } = session;
    let document = terminal.loaded(load::data_file(context, file)?);
    let bundle = openapi::bundled(context, file, document);
    bundle.notes.iter().for_each(|note| terminal.warn(note));
    if let Some(first) = bundle.files.first() {
        terminal.say(&msg!("skills-cli-openapi-files", count = bundle.files.len(), first = first));
    }
    let prefix = arguments.name.as_deref().map(|name| id(terminal, name)).transpose()?;
    let shown = context.display(&context.absolute(file));
    // Skills name the document's file without its directory on this machine.
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let places = OnceCell::new();
    let line_of = |keys: &[&str]| {
        let line = places.get_or_init(|| load::DataPlaces::read(context, file)).line(keys)?;
        Some(format!("{shown}:{line}"))
    };
    let description = arguments.description.as_deref();
    let (drafts, notes) = openapi::drafts(&bundle.document, &name, prefix.as_deref(), description, &line_of)
        .map_err(|message| CommandError::usage(message, None))?;
    notes.iter().for_each(|note| terminal.warn(note));
    if drafts.is_empty() {
        return Err(CommandError::usage(msg!("skills-cli-openapi-none", path = shown), None));
    }
    Ok(drafts)
}

/// Refuses to overwrite without `--force`, to replace anything but files, and to write through links.
fn check(context: &Context, output: &Path, drafts: &[Draft], force: bool) -> Result<(), CommandError> {
    for draft in drafts {
        let directory = output.join(&draft.id);
        let files = draft.files.iter().map(|(name, _)| (directory.join(name), true));
        for (path, is_file) in [(directory.clone(), false), (directory.join("tests"), false)].into_iter().chain(files) {
            let Ok(metadata) = path.symlink_metadata() else { continue };
            let path = context.display(&path);
            if metadata.is_symlink() {
                return Err(CommandError::usage(msg!("skills-cli-create-link", path = path), None));
            }
            let is_other = if is_file { !metadata.is_file() } else { !metadata.is_dir() };
            if is_other {
                let kind = if is_file { "file" } else { "directory" };
                return Err(CommandError::usage(msg!("skills-cli-create-other", path = path, kind = kind), None));
            }
            if is_file && !force {
                let message = msg!("skills-cli-create-exists", path = path);
                return Err(CommandError::usage(message, msg!("skills-cli-create-exists-help")));
            }
        }
    }
    Ok(())
}

/// Prints the next command. It never changes data: it calls a skill that only reads, or else is a dry run.
fn next_step(session: &Session<'_>, arguments: &CreateArgs, output: &Path, drafts: &[Draft]) {
    let &Session { context, terminal, .. } = session;
    let reading = drafts.iter().find(|draft| draft.changes.is_none());
    let Some(first) = reading.or(drafts.first()) else { return };
    let directory = context.display(&output.join(&first.id));
    let template = match &arguments.from_openapi {
        Some(_) => "openapi",
        None => arguments.from_template.as_deref().unwrap_or(TEMPLATES[0].name),
    };
    terminal.say(&msg!("cli-init-next"));
    terminal.say_at(2, &msg!("skills-cli-create-next", template = template, directory = &directory));
    let word = files::quoted(&directory);
    let benchmark = files::quoted(&format!("{directory}/tests/basic.eval.json"));
    let dry = if first.changes.is_some() { " --dry-run" } else { "" };
    terminal.text(&format!("  eval-skills eval --skills {word} --benchmark {benchmark}{dry}"));
}
