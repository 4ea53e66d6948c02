//! This machine: what samples declare as present, room on the disk, and what a run would cost.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use eval_history::PlanPreview;
use eval_message::msg;
use eval_process::disk::{free_bytes, is_writable};
use eval_process::programs::find;
use eval_spec::suite::Settings;
use eval_spec::units::Usd;
use eval_spec::{Context, Sample};

use super::finding::{DoctorLine, DoctorTopic};

/// Less room than this is too little for any run: the journal of a small one, and the copy of a small working directory.
const FULL: u64 = 100 << 20;
/// Less room than this can run out: every call of an agent has a copy of its working directory.
const SCARCE: u64 = 1 << 30;
/// Samples that a line names.
const NAMED: usize = 3;

/// The programs and files that samples declare as available. Programs are looked for and not started.
pub(super) fn declared(context: &Context, settings: &Settings, samples: &[Sample]) -> Vec<DoctorLine> {
    let topic = DoctorTopic::Environment;
    let declaring = || samples.iter().filter_map(|sample| Some((sample, sample.environment.as_ref()?)));
    if declaring().next().is_none() {
        return Vec::new();
    }
    if !eval_exec::kind(&settings.executor).runs_here() {
        return vec![DoctorLine::info(topic, msg!("doctor-environment-elsewhere", executor = &settings.executor))];
    }
    let mut programs: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut files: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    let mut count = 0;
    for (sample, environment) in declaring() {
        for program in &environment.cli_available {
            // `python3 3.12`, `node>=22`
            let end = |c: char| c.is_whitespace() || matches!(c, '>' | '<' | '=' | '@' | '(');
            let name = program.trim().split(end).next().unwrap_or_default();
            count += 1;
            if !name.is_empty() && find(name, context).is_none() {
                programs.entry(name).or_default().insert(&sample.id);
            }
        }
        for file in &environment.files_available {
            count += 1;
            for folder in folders(context, settings, sample) {
                let path = at(context, &folder, file);
                if !path.exists() {
                    files.entry(context.display(&path)).or_default().insert(&sample.id);
                }
            }
        }
    }
    let mut lines: Vec<DoctorLine> = programs
        .into_iter()
        .map(|(name, samples)| {
            let text = msg!("doctor-no-program", name = name, samples = few(&samples));
            DoctorLine::warning(topic.clone(), text, msg!("doctor-no-program-remedy"))
        })
        .collect();
    lines.extend(files.into_iter().map(|(path, samples)| {
        let text = msg!("doctor-no-file", path = path, samples = few(&samples));
        DoctorLine::warning(topic.clone(), text, msg!("doctor-no-file-remedy"))
    }));
    if lines.is_empty() {
        lines.push(DoctorLine::ok(topic, msg!("doctor-environment", count = count)));
    }
    lines
}

/// The directories in which a sample's executions work.
fn folders(context: &Context, settings: &Settings, sample: &Sample) -> BTreeSet<PathBuf> {
    if let Some(cwd) = &sample.cwd {
        return BTreeSet::from([cwd.clone()]);
    }
    let variants = settings.control.iter().chain(&settings.treatments);
    variants.map(|of| of.cwd.as_ref().map_or_else(|| context.cwd.clone(), |cwd| context.absolute(cwd))).collect()
}

/// A declared file, in a folder or below the user's home.
fn at(context: &Context, folder: &Path, file: &str) -> PathBuf {
    match (file.strip_prefix("~/"), context.var("HOME")) {
        (Some(below), Some(home)) => Path::new(home).join(below),
        _ => folder.join(file),
    }
}

fn few(samples: &BTreeSet<&str>) -> String {
    let named: Vec<&str> = samples.iter().copied().take(NAMED).collect();
    let more = if samples.len() > NAMED { ", …" } else { "" };
    format!("{}{more}", named.join(", "))
}

/// The room for journals and reports, and for the copies of working directories.
pub(super) fn disk(context: &Context) -> Vec<DoctorLine> {
    let temporary = context.var("TMPDIR").map_or_else(|| PathBuf::from("/tmp"), PathBuf::from);
    let folders = BTreeSet::from([existing(&context.home), existing(&temporary)]);
    let is_closed = |folder: &&PathBuf| !is_writable(folder);
    let closed = folders.iter().filter(is_closed).map(|folder| {
        let text = msg!("doctor-disk-closed", path = context.display(folder));
        DoctorLine::problem(DoctorTopic::Disk, text, msg!("doctor-disk-closed-remedy"))
    });
    let missing = (!temporary.is_dir()).then(|| {
        let text = msg!("doctor-disk-temporary", path = context.display(&temporary));
        DoctorLine::problem(DoctorTopic::Disk, text, msg!("cli-temporary-help"))
    });
    let mut lines: Vec<DoctorLine> = closed.chain(missing).collect();
    let least = folders.iter().filter_map(|folder| Some((free_bytes(folder)?, folder))).min();
    let Some((bytes, folder)) = least else { return lines };
    let (gib, path) = (size(bytes), context.display(folder));
    let topic = DoctorTopic::Disk;
    let text = msg!("doctor-disk", size = gib, path = path);
    let remedy = msg!("doctor-disk-remedy");
    lines.push(match bytes {
        ..FULL => DoctorLine::problem(topic, text, remedy),
        FULL..SCARCE => DoctorLine::warning(topic, text, remedy),
        _ => DoctorLine::ok(topic, text),
    });
    lines
}

/// The folder itself, or where it would be made.
fn existing(folder: &Path) -> PathBuf {
    folder.ancestors().find(|folder| folder.is_dir()).unwrap_or(Path::new("/")).to_owned()
}

fn size(bytes: u64) -> String {
    if bytes >= SCARCE { format!("{} GiB", bytes >> 30) } else { format!("{} MiB", bytes >> 20) }
}

/// What a run would cost by the price table, judges included.
pub(super) fn cost(plan: &PlanPreview, settings: &Settings) -> DoctorLine {
    let topic = DoctorTopic::Cost;
    let requests = plan.judge_requests.scores + plan.judge_requests.comparisons;
    let is_free = crate::commands::project::purpose::is_replay(settings);
    if is_free {
        return DoctorLine::ok(topic, msg!("doctor-cost-free", calls = plan.calls));
    }
    let judges = plan.judge_cost.as_ref();
    let Some(cost) = plan.cost.as_ref().filter(|_| requests == 0 || judges.is_some()) else {
        return DoctorLine::info(topic, msg!("doctor-cost-unknown", calls = plan.calls, requests = requests));
    };
    let low = cost.low + judges.map_or(0.0, |of| of.low);
    let high = cost.high + judges.map_or(0.0, |of| of.high);
    let (from, to) = (Usd(low).to_string(), Usd(high).to_string());
    let text = msg!("doctor-cost", calls = plan.calls, requests = requests, low = from, high = to);
    match plan.budget_usd.filter(|budget| *budget < high) {
        Some(budget) => {
            let remedy = msg!("doctor-cost-budget-remedy", budget = Usd(budget).to_string());
            DoctorLine::warning(topic, text, remedy)
        }
        None => DoctorLine::ok(topic, text),
    }
}
