//! `omk doctor [TARGET]`: whether everything that an evaluation needs is there, before it costs anything.
//!
//! Nothing that a skill, a sample or a check names is executed: the only programs that are started are the agents' own, `git`
//! and Node, which are asked for their version, `git` for variants out of history, and once for each version the agent itself,
//! against a server of ours that asks for nothing.

mod finding;
mod inputs;
mod isolation;
mod machine;
mod page;
mod programs;
mod providers;
mod stand_in;

use std::path::{Path, PathBuf};

use eval_cli::driver::Evaluation;
use eval_cli::{CommandError, Terminal, exit};
use eval_load as load;
use eval_message::msg;
use eval_spec::suite::{Delivery, Settings, VariantRef, Written};
use eval_spec::{Context, Sample};

use self::finding::{DoctorLine, DoctorTopic};
use self::programs::Needs;
use super::preview;
use super::project::{Chosen, InputPlaces, settings};
use super::work::ProjectWork;
use crate::cli::{Directories, DoctorArgs};
use crate::commands::project::purpose::Purpose;

pub(crate) fn run(context: &Context, terminal: &Terminal, arguments: &DoctorArgs) -> Result<u8, CommandError> {
    let skills = skills_alone(context, arguments.target.as_deref());
    let mut lines = match skills.is_empty() {
        false => of_skills(context, &skills),
        true => of_project(context, terminal, arguments)?,
    };
    finding::sort(&mut lines);
    page::show(terminal, &lines);
    Ok(match finding::worst(&lines) {
        finding::DoctorStatus::Problem => exit::USAGE,
        finding::DoctorStatus::Warning => exit::REFUSED,
        _ => exit::OK,
    })
}

/// The folders of the skills at and below the target, if it is no project: without an `eval.yaml` of ours and samples for
/// several skills. A project that has no samples yet is checked as its skills are.
fn skills_alone(context: &Context, target: Option<&Path>) -> Vec<PathBuf> {
    let path = context.absolute(target.unwrap_or(Path::new(".")));
    let is_text = path.file_name().is_some_and(|name| name == "SKILL.md");
    let Some(folder) = (if is_text { path.parent() } else { Some(&*path) }) else { return Vec::new() };
    let is_project = settings_files(folder).iter().any(|file| load::is_eval_file(context, file));
    let is_skill = folder.join("SKILL.md").is_file();
    let has_samples = load::find_samples(context, None, folder).is_ok();
    let has_skills = || !load::discover(context, &folder.join("skills")).is_empty();
    match !folder.is_dir() || is_project || has_samples && (!is_skill || has_skills()) {
        true => Vec::new(),
        false => load::skill_folders(context, folder),
    }
}

/// The files of settings in a folder.
fn settings_files(folder: &Path) -> Vec<PathBuf> {
    ["eval.yaml", "eval.yml"].iter().map(|name| folder.join(name)).filter(|file| file.exists()).collect()
}

fn of_skills(context: &Context, folders: &[PathBuf]) -> Vec<DoctorLine> {
    // Where all their files reach the agent, as they do wherever a skill is installed.
    let delivery = Some(Delivery::Project);
    let skill =
        |folder: &PathBuf| VariantRef { delivery, ..VariantRef::new(folder.join("SKILL.md").display().to_string()) };
    let settings = Settings { treatments: folders.iter().map(skill).collect(), ..Written::default().resolve() };
    let mut lines = programs::lines(context, &Needs::default());
    for folder in folders {
        for file in settings_files(folder) {
            let message = msg!("doctor-foreign-settings", path = context.display(&file));
            lines.push(DoctorLine::info(DoctorTopic::Settings, message));
        }
        let evals = Some(folder.join("evals").join("evals.json")).filter(|file| file.is_file());
        for samples in load::find_samples(context, None, folder).ok().into_iter().chain(evals) {
            lines.extend(inputs::samples(context, &Settings { samples, ..settings.clone() }).1);
        }
    }
    lines.extend(inputs::skills(context, &settings));
    lines
}

fn of_project(context: &Context, terminal: &Terminal, arguments: &DoctorArgs) -> Result<Vec<DoctorLine>, CommandError> {
    let place = InputPlaces::find(context, arguments.target.as_deref())?;
    let chosen = match project_settings(context, arguments, &place) {
        Ok(chosen) => chosen,
        Err(failure) => {
            let mut lines = finding::of_failure(DoctorTopic::Settings, &failure);
            lines.extend(programs::lines(context, &Needs::default()));
            lines.extend(machine::disk(context));
            return Ok(lines);
        }
    };
    let settings = chosen.settings.clone();
    let mut lines = vec![chosen_line(context, &place, &settings)];
    let (samples, of_samples) = inputs::samples(context, &settings);
    let needs = Needs::of(context, &settings, &samples);
    lines.extend(programs::lines(context, &needs));
    lines.extend(providers::lines(context, &settings, &needs)?);
    lines.extend(of_samples);
    lines.extend(inputs::mocks(&settings, &samples));
    lines.extend(machine::declared(context, &settings, &samples));
    lines.extend(inputs::skills(context, &settings));
    lines.extend(machine::disk(context));
    let again = || project_settings(context, arguments, &place);
    let planned = planned(context, terminal, chosen, &again, &lines, arguments.isolation);
    lines.extend(planned);
    if arguments.isolation {
        lines.extend(isolation::check(context, again()?)?);
    }
    Ok(lines)
}

fn project_settings(context: &Context, arguments: &DoctorArgs, place: &InputPlaces) -> Result<Chosen, CommandError> {
    settings(context, arguments.written(), Directories::default(), place)
}

fn chosen_line(context: &Context, place: &InputPlaces, settings: &Settings) -> DoctorLine {
    let file = place.file.as_ref().map_or_else(|| context.display(&place.base), |file| context.display(file));
    let variants: Vec<String> =
        settings.control.iter().chain(&settings.treatments).map(|of| format!("`{}`", load::variant_name(of))).collect();
    let executor = eval_exec::masked(context, &settings.executor);
    let model = if settings.model.is_empty() { eval_exec::default_model(&settings.executor) } else { &settings.model };
    let names = variants.join(", ");
    DoctorLine::ok(
        DoctorTopic::Settings,
        match model {
            "" => msg!("doctor-settings-no-model", file = file, variants = names, executor = executor),
            model => msg!("doctor-settings", file = file, variants = names, executor = executor, model = model),
        },
    )
}

/// What stops or mars the run beside what `told` says already: settings that go with no sample, arms that differ in more than
/// they may. Else the quality of the samples, and what the run would cost.
fn planned(
    context: &Context,
    terminal: &Terminal,
    chosen: Chosen,
    again: &dyn Fn() -> Result<Chosen, CommandError>,
    told: &[DoctorLine],
    checks_isolation: bool,
) -> Vec<DoctorLine> {
    let new = |found: Vec<DoctorLine>| -> Vec<DoctorLine> {
        found.into_iter().filter(|line| !told.iter().any(|known| known.is_same(line))).collect()
    };
    let work = match ProjectWork::load(context, chosen, Purpose::Checkup) {
        Ok(work) => work,
        Err(failure) => return new(finding::of_failure(DoctorTopic::Plan, &failure)),
    };
    let warned = work.warnings().iter().map(|found| DoctorLine::of(DoctorTopic::Plan, found));
    let mut lines = new(warned.collect());
    lines.extend(isolation::sandbox(&work));
    lines.extend(isolation::remembered(context, &work).filter(|_| !checks_isolation));
    if let Ok(chosen) = again() {
        isolation::measure(context, chosen, &work);
    }
    match preview::of(context, terminal, &work.project, &work.plan) {
        Ok(plan) => {
            lines.extend(inputs::quality(&plan.sample_quality, context.lang));
            match work.check() {
                Err(failure) => lines.extend(finding::of_failure(DoctorTopic::Cost, &failure)),
                Ok(()) => lines.push(machine::cost(&plan, &work.project.suite.settings)),
            }
        }
        Err(failure) => lines.extend(finding::of_failure(DoctorTopic::Plan, &failure)),
    }
    lines
}

/// Whether any judge is asked.
fn asks_judges(settings: &Settings, samples: &[Sample]) -> bool {
    settings.judge && samples.iter().any(|sample| sample.has_rubric() || super::unmet::has_judged(sample))
}
