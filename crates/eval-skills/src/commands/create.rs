//! `eval-skills create`: skills from a template, or from an OpenAPI document (K9).

use std::path::{Path, PathBuf};

use eval_cli::Terminal;
use eval_cli::exit::{self, Failure};
use eval_report::skills::{write_new, write_whole};
use eval_spec::callable::SkillsConfig;
use eval_spec::{Context, load, msg};
use serde_json::json;

use crate::cli::{CreateArgs, Global};
use crate::create::{Draft, TEMPLATES, draft, id_of, openapi};
use crate::evaluation::settings;
use crate::files;
use crate::told;

/// Writes the skills, all or none.
pub(crate) fn run(
    context: &Context,
    terminal: &Terminal,
    global: &Global,
    arguments: &CreateArgs,
) -> Result<u8, Failure> {
    let output = match &arguments.output_dir {
        Some(path) => context.absolute(path).components().collect(),
        None => settings(context, global, SkillsConfig::default())?.0.skills_dir,
    };
    let drafts = match &arguments.from_openapi {
        Some(file) => from_openapi(context, terminal, arguments, file)?,
        None => vec![from_template(arguments)?],
    };
    check(context, &output, &drafts, arguments.force)?;
    let mut created = Vec::new();
    for draft in &drafts {
        for (name, content) in &draft.files {
            let path = output.join(&draft.id).join(name);
            let shown = context.display(&path);
            match arguments.force {
                true => write_whole(&path, |file| file.write_all(content.as_bytes())),
                false => write_new(&path, |file| file.write_all(content.as_bytes())).map(drop),
            }
            .map_err(|error| told::file(context, &error))?;
            // A hundred operations are four hundred files.
            if arguments.from_openapi.is_none() {
                terminal.say(&msg!("cli-init-created", path = &shown));
            }
        }
        let directory = context.display(&output.join(&draft.id));
        if arguments.from_openapi.is_some() {
            terminal.say(&msg!("cli-init-created", path = &directory));
        }
        let names: Vec<&str> = draft.files.iter().map(|(name, _)| *name).collect();
        created.push(json!({"id": draft.id, "directory": directory, "files": names}));
    }
    terminal.json(|| json!({"skills": created}));
    next(context, terminal, arguments, &output, &drafts);
    Ok(exit::OK)
}

fn from_template(arguments: &CreateArgs) -> Result<Draft, Failure> {
    let name = arguments.name.as_deref().unwrap_or_default();
    let id = id(name)?;
    let template = arguments.from_template.as_deref().unwrap_or(TEMPLATES[0].name);
    let description = arguments.description.as_deref().unwrap_or_default();
    draft(template, &id, name.trim(), description).ok_or_else(|| {
        let known: Vec<&str> = TEMPLATES.iter().map(|template| template.name).collect();
        let help = msg!("cli-usage-valid", values = known.join(", "));
        Failure::usage(msg!("skills-cli-create-no-template", name = template), help)
    })
}

fn id(name: &str) -> Result<String, Failure> {
    let nothing = || Failure::usage(msg!("skills-cli-create-no-id", name = name), msg!("skills-load-skill-id-help"));
    id_of(name).ok_or_else(nothing)
}

fn from_openapi(
    context: &Context,
    terminal: &Terminal,
    arguments: &CreateArgs,
    file: &Path,
) -> Result<Vec<Draft>, Failure> {
    let loaded = load::data_file(context, file)?;
    terminal.diagnostics(&loaded.warnings);
    let prefix = arguments.name.as_deref().map(id).transpose()?;
    let shown = context.display(&context.absolute(file));
    // Where the document lay on this machine is nobody's business.
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let made = openapi::drafts(&loaded.value, &name, prefix.as_deref(), arguments.description.as_deref())
        .map_err(|message| Failure::usage(message, None))?;
    made.notes.iter().for_each(|note| terminal.warn(note));
    if made.drafts.is_empty() {
        return Err(Failure::usage(msg!("skills-cli-openapi-none", path = shown), None));
    }
    Ok(made.drafts)
}

/// Nothing is overwritten without `--force`, and nothing is written through a link, which could lead anywhere.
fn check(context: &Context, output: &Path, drafts: &[Draft], force: bool) -> Result<(), Failure> {
    for draft in drafts {
        let directory = output.join(&draft.id);
        let files: Vec<PathBuf> = draft.files.iter().map(|(name, _)| directory.join(name)).collect();
        for path in [&directory, &directory.join("tests")].into_iter().chain(&files) {
            let Ok(metadata) = path.symlink_metadata() else { continue };
            if metadata.is_symlink() {
                return Err(Failure::usage(msg!("skills-cli-create-link", path = context.display(path)), None));
            }
            if metadata.is_file() && !force {
                let message = msg!("skills-cli-create-exists", path = context.display(path));
                return Err(Failure::usage(message, msg!("skills-cli-create-exists-help")));
            }
        }
    }
    Ok(())
}

fn next(context: &Context, terminal: &Terminal, arguments: &CreateArgs, output: &Path, drafts: &[Draft]) {
    let Some(first) = drafts.first() else { return };
    let directory = context.display(&output.join(&first.id));
    let template = match &arguments.from_openapi {
        Some(_) => "openapi",
        None => arguments.from_template.as_deref().unwrap_or(TEMPLATES[0].name),
    };
    terminal.say(&msg!("cli-init-next"));
    terminal.say_at(2, &msg!("skills-cli-create-next", template = template, directory = &directory));
    let word = files::quoted(&directory);
    let benchmark = files::quoted(&format!("{directory}/tests/basic.eval.json"));
    terminal.text(&format!("  eval-skills eval --skills {word} --benchmark {benchmark}"));
}
