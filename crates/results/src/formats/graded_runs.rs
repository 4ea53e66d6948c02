//! Agent Skills: a folder of runs, `EVAL/CONFIGURATION/run-N/grading.json`, as skill-creator's graders write it. A single run
//! may be in the folder of its configuration. `benchmark.json` leaves out ungraded runs; here they are missing results.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use eval_format::UnknownFact;
use eval_message::msg;
use eval_spec::hash::Sha256;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::agent_skills::{self, SkillBenchmarkExpectation, SkillBenchmarkResult, SkillBenchmarkRun};
use crate::error::ResultsError;
use crate::format::{ReadOptions, ResultFormat};
use crate::row::{ForeignRow, PlaceUnit, ReadResults, RowEnd, ScoreDirections};
use crate::source::{RowSink, read_json};

/// Levels of folders above a run that are searched; `runs/EVAL/CONFIGURATION/run-N` has three.
const MAX_DEPTH: usize = 5;

/// Limit on the folders that are searched.
const MAX_FOLDERS: usize = 200_000;

/// Limit on the size of a run's file, in bytes.
const MAX_BYTES: u64 = 4 << 20;

/// One run of one eval.
struct GradedRunFolder {
    path: PathBuf,
    eval: PathBuf,
    configuration: String,
    number: u64,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct RunGrading {
    #[serde(alias = "assertions")]
    expectations: Vec<SkillBenchmarkExpectation>,
    summary: SkillBenchmarkResult,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct EvalMetadata {
    eval_id: Value,
    prompt: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct RunTiming {
    total_duration_seconds: Option<f64>,
}

/// Reads the runs in a folder; `None` if no run has a `grading.json`.
///
/// # Errors
/// If the runs are of several iterations, or the folders too many.
pub(super) fn read(
    format: &'static ResultFormat,
    folder: &Path,
    shown: &str,
    options: &ReadOptions,
) -> Result<Option<ReadResults>, ResultsError> {
    if options.format.as_ref().is_some_and(|name| name != format.name) {
        return Ok(None);
    }
    let (mut runs, mut stray) = (Vec::new(), Vec::new());
    let mut left = MAX_FOLDERS;
    collect(folder, 0, &mut left, &mut runs, &mut stray);
    if left == 0 {
        return Err(ResultsError::new(msg!("results-many-folders", file = shown, most = MAX_FOLDERS)));
    }
    if !runs.iter().any(|run| run.path.join("grading.json").is_file()) {
        return Ok(None);
    }
    let parents: BTreeSet<&Path> = runs.iter().filter_map(|run| run.eval.parent()).collect();
    if parents.len() > 1 {
        let paths = parents.iter().take(3).map(|path| path.strip_prefix(folder).unwrap_or(path).display().to_string());
        let folders = paths.collect::<Vec<_>>().join(", ");
        return Err(ResultsError::new(msg!("results-iterations", file = shown, folders = folders))
            .help(msg!("results-iterations-help")));
    }
    runs.sort_by_cached_key(|run| {
        let name = run.eval.file_name().unwrap_or_default().to_string_lossy().into_owned();
        (number(&name), name, run.configuration.clone(), run.number)
    });
    let (mut rows, mut hash) = (RowSink::named(shown), Sha256::default());
    for (position, run) in (1..).zip(&runs) {
        rows.push(row(position, run, folder, &mut hash))?;
    }
    Ok(Some(ReadResults {
        format,
        file: shown.to_owned(),
        sha256: hash.hex(),
        tool_version: None,
        unit: PlaceUnit::Record("run"),
        rows: rows.rows(),
        overall: Some("pass_rate".into()),
        directions: ScoreDirections::rising(),
        unknown: UnknownFact::ALL.into_iter().filter(|fact| *fact != UnknownFact::ToolVersion).collect(),
        notes: stray
            .iter()
            .map(|path| {
                msg!("results-spare-grading", file = path.strip_prefix(folder).unwrap_or(path).display().to_string())
            })
            .collect(),
    }))
}

/// Collects runs down to [`MAX_DEPTH`], without following links. `stray` gets gradings in folders that have numbered runs.
fn collect(folder: &Path, depth: usize, left: &mut usize, runs: &mut Vec<GradedRunFolder>, stray: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())) {
        *left = left.saturating_sub(1);
        if *left == 0 {
            return;
        }
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        match name.strip_prefix("run-").and_then(|number| number.parse().ok()) {
            Some(number) if depth > 1 => {
                let eval = folder.parent().unwrap_or(folder).to_owned();
                let configuration = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
                runs.push(GradedRunFolder { path, eval, configuration, number });
            }
            None if depth > 0 && is_single_run(&path) => {
                runs.push(GradedRunFolder { path, eval: folder.to_owned(), configuration: name, number: 1 });
            }
            _ if depth < MAX_DEPTH => {
                let grading = path.join("grading.json");
                if depth > 0 && grading.is_file() {
                    stray.push(grading);
                }
                collect(&path, depth + 1, left, runs, stray);
            }
            _ => {}
        }
    }
}

/// Returns whether a configuration's folder is itself a run: it has a run's files, and no numbered runs.
fn is_single_run(path: &Path) -> bool {
    let has_files = path.join("grading.json").is_file() || path.join("outputs").is_dir();
    let is_numbered = |name: &str| name.strip_prefix("run-").is_some_and(|number| number.parse::<u64>().is_ok());
    let entries = || std::fs::read_dir(path).into_iter().flatten().flatten();
    has_files && !entries().any(|entry| is_numbered(&entry.file_name().to_string_lossy()) && entry.path().is_dir())
}

/// Returns 12 for `eval-12`.
fn number(name: &str) -> Option<u64> {
    name.rsplit_once('-').and_then(|(_, number)| number.parse().ok())
}

fn row(position: u64, run: &GradedRunFolder, root: &Path, hash: &mut Sha256) -> ForeignRow {
    let metadata: EvalMetadata =
        bytes(&run.eval.join("eval_metadata.json")).and_then(|bytes| json(&bytes)).unwrap_or_default();
    let timing: RunTiming = bytes(&run.path.join("timing.json")).and_then(|bytes| json(&bytes)).unwrap_or_default();
    let name = run.eval.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let id = match metadata.eval_id {
        Value::Null | Value::Array(_) | Value::Object(_) => number(&name).map_or(Value::String(name), Value::from),
        written => written,
    };
    let grading_bytes = bytes(&run.path.join("grading.json"));
    hash.update(run.path.strip_prefix(root).unwrap_or(&run.path).to_string_lossy().as_bytes());
    hash.update([0]);
    hash.update(grading_bytes.as_deref().unwrap_or_else(|why| why.as_bytes()));
    hash.update([0]);
    let graded = grading_bytes.and_then(|bytes| json::<RunGrading>(&bytes));
    let has_output = std::fs::read_dir(run.path.join("outputs")).is_ok_and(|mut entries| entries.next().is_some());
    let end = match &graded {
        Ok(grading) if grading.expectations.iter().any(|expectation| expectation.passed.is_some()) => RowEnd::Graded,
        Ok(grading) if grading.summary.total.is_some_and(|total| total > 0) => RowEnd::Graded,
        Ok(_) => RowEnd::Ungraded("grading.json: no expectations".to_owned()),
        Err(why) if has_output || run.path.join("grading.json").exists() => {
            RowEnd::Ungraded(format!("grading.json: {why}"))
        }
        Err(_) => RowEnd::Failed("no grading.json, no outputs".to_owned()),
    };
    let grading = graded.unwrap_or_default();
    let result = SkillBenchmarkResult { time_seconds: timing.total_duration_seconds, ..grading.summary };
    let run = SkillBenchmarkRun {
        eval_id: id,
        configuration: run.configuration.clone(),
        run_number: Some(run.number),
        result,
        expectations: grading.expectations,
    };
    ForeignRow { input: metadata.prompt.map(Into::into), end, ..agent_skills::row(position, run) }
}

/// Reads a file of a run; the error is the reason in words.
fn bytes(path: &Path) -> Result<Vec<u8>, String> {
    let metadata = std::fs::symlink_metadata(path).map_err(|error| error.to_string())?;
    if !metadata.is_file() || metadata.len() > MAX_BYTES {
        return Err(format!("no file of at most {} MiB", MAX_BYTES >> 20));
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| error.to_string())?;
    file.take(MAX_BYTES).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    Ok(bytes)
}

fn json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    read_json(bytes).map_err(|error| error.to_string())
}
