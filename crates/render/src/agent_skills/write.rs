//! The files of an iteration, in the layout that `skill-creator` reads: `eval-ID/CONFIGURATION/run-N`.

use std::collections::HashSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use eval_analysis::agent_skills::Configuration;
use eval_format::skills::FileError;
use eval_format::{EvalMeta, Report, SampleResult, VariantResult, write_whole};
use eval_message::{Lang, Message, msg};
use serde::Serialize;
use serde_json::{Value, json};

use super::Variants;
use super::benchmark::{GradedRun, benchmark, shown};
use super::grading::{expectations, grading, timing};
use super::page::benchmark_markdown;

/// Characters of an id in a folder's name, at most.
const LONGEST: usize = 80;

/// Why a report has no place in the format, or could not be written.
#[derive(Debug, thiserror::Error)]
pub enum AgentSkillsError {
    /// Its samples are no evals of an `evals.json`.
    #[error("`{id}` is no report on an evals.json")]
    NotEvals { id: String },
    /// It does not compare one treatment with a control.
    #[error("`{id}` compares {count} variants")]
    NotTwo { id: String, count: usize },
    /// It hides which variant is the skill.
    #[error("`{id}` is blind")]
    Blind { id: String },
    #[error(transparent)]
    File(#[from] FileError),
}

impl AgentSkillsError {
    /// Returns the error in the reader's language; `show` writes paths.
    pub fn message(&self, show: &dyn Fn(&Path) -> String) -> Message {
        match self {
            AgentSkillsError::NotEvals { id } => msg!("skills-evals-no-evals", id = id),
            AgentSkillsError::NotTwo { id, count } => msg!("skills-evals-not-two", id = id, count = *count),
            AgentSkillsError::Blind { id } => msg!("skills-evals-blind", id = id),
            AgentSkillsError::File(error) => error.told(show),
        }
    }
}

/// Writes the files of `report` into the next `iteration-N` of the folder `workspace`, and returns its path. What is there
/// is never touched.
///
/// # Errors
/// It is no report on an `evals.json` with and without a skill, or a file can't be written.
pub fn write(report: &Report, workspace: &Path, lang: Lang) -> Result<PathBuf, AgentSkillsError> {
    let variants = variants(report)?;
    let evals: Vec<(&EvalMeta, &SampleResult)> =
        report.results.iter().filter_map(|result| Some((result.eval.as_ref()?, result))).collect();
    if evals.is_empty() {
        return Err(AgentSkillsError::NotEvals { id: report.id.clone() });
    }
    let iteration = next_iteration(workspace)?;
    let mut runs = Vec::new();
    for ((eval, result), name) in evals.iter().zip(names(evals.iter().map(|(eval, _)| &eval.id))) {
        runs.extend(write_eval(&iteration.join(name), eval, result, &variants, lang)?);
    }
    let whole = benchmark(report, &variants, &runs, lang);
    put_json(&iteration.join("benchmark.json"), &whole)?;
    put(&iteration.join("benchmark.md"), benchmark_markdown(&whole, lang).as_bytes())?;
    Ok(iteration)
}

/// The control is what runs without the skill.
fn variants(report: &Report) -> Result<Variants<'_>, AgentSkillsError> {
    let id = || report.id.clone();
    if report.meta.settings.blind {
        return Err(AgentSkillsError::Blind { id: id() });
    }
    match report.meta.variants.as_slice() {
        [without_skill, with_skill] => Ok(Variants { with_skill, without_skill }),
        others => Err(AgentSkillsError::NotTwo { id: id(), count: others.len() }),
    }
}

/// Writes what came of every run of an eval: with the skill first.
fn write_eval(
    folder: &Path,
    eval: &EvalMeta,
    result: &SampleResult,
    variants: &Variants<'_>,
    lang: Lang,
) -> Result<Vec<GradedRun>, AgentSkillsError> {
    let any = result.variants.values().next();
    let about = json!({
        "eval_id": eval.id,
        "eval_name": eval.name.clone().unwrap_or_else(|| shown(&eval.id)),
        "prompt": eval.prompt,
        "assertions": any.map(|of| expectations(of).map(|(text, _)| text).collect::<Vec<_>>()).unwrap_or_default(),
    });
    // The format's aggregation reads it here, its viewer beside each run.
    put_json(&folder.join("eval_metadata.json"), &about)?;
    let mut runs = Vec::new();
    for configuration in Configuration::ALL {
        let executions = result.variants.get(variants.of(configuration)).map(VariantResult::executions);
        for (number, run) in (1..).zip(executions.unwrap_or_default()) {
            let place = folder.join(configuration.name()).join(format!("run-{number}"));
            let grading = grading(run, lang);
            put_json(&place.join("eval_metadata.json"), &about)?;
            put_json(&place.join("grading.json"), &grading)?;
            if run.attempts > 0 {
                put_json(&place.join("timing.json"), &timing(run))?;
            }
            if let Some(answer) = &run.full_output {
                put(&place.join("outputs").join("answer.md"), answer.as_bytes())?;
            }
            let (id, name) = (eval.id.clone(), eval.name.clone());
            runs.push(GradedRun { id, name, configuration, number, tokens: run.total_tokens, grading });
        }
    }
    Ok(runs)
}

/// Makes the next `iteration-N` in `workspace`.
fn next_iteration(workspace: &Path) -> Result<PathBuf, FileError> {
    let failed = |source| FileError::File { path: workspace.to_owned(), source };
    std::fs::create_dir_all(workspace).map_err(failed)?;
    let number = |name: &str| name.strip_prefix("iteration-")?.parse::<u64>().ok();
    let there = std::fs::read_dir(workspace).map_err(failed)?.flatten();
    let last = there.filter_map(|entry| number(&entry.file_name().to_string_lossy())).max().unwrap_or(0);
    let mut next = last.saturating_add(1);
    loop {
        let folder = workspace.join(format!("iteration-{next}"));
        match std::fs::create_dir(&folder) {
            Ok(()) => return Ok(folder),
            // another process made it first
            Err(error) if error.kind() == ErrorKind::AlreadyExists && next < u64::MAX => next += 1,
            Err(error) => return Err(failed(error)),
        }
    }
}

/// A folder's name for each eval: ids are untrusted, and a file system may take two of them for the same.
pub fn names<'e>(ids: impl Iterator<Item = &'e Value>) -> Vec<String> {
    let mut taken = HashSet::new();
    let name = |id: &Value| {
        let safe = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '_' };
        let plain = format!("eval-{}", shown(id).chars().take(LONGEST).map(safe).collect::<String>());
        let numbered = (2_u64..).map(|n| format!("{plain}-{n}"));
        let is_free = |name: &String| !taken.contains(&name.to_ascii_lowercase());
        let name = std::iter::once(plain.clone()).chain(numbered).find(is_free).unwrap_or_default();
        taken.insert(name.to_ascii_lowercase());
        name
    };
    ids.map(name).collect()
}

fn put_json(path: &Path, document: &impl Serialize) -> Result<(), FileError> {
    let failed = |error: serde_json::Error| FileError::File { path: path.to_owned(), source: error.into() };
    let mut text = serde_json::to_vec_pretty(document).map_err(failed)?;
    text.push(b'\n');
    put(path, &text)
}

fn put(path: &Path, content: &[u8]) -> Result<(), FileError> {
    Ok(write_whole(path, |file| file.write_all(content))?)
}
