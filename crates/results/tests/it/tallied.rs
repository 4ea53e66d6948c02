//! Results as read here, compared with `expected.json`, which a script of its own counted in the same files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use eval_results::{ArrangeOptions, ArrangedResults, ReadOptions, ResultsError, RowEnd, arrange, read_results};
use serde_json::Value;

/// A file made by a real tool.
pub(crate) fn made(folder: &str, name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(folder).join(name)
}

pub(crate) fn read(
    paths: &[PathBuf],
    reading: &ReadOptions,
    options: &ArrangeOptions,
) -> Result<ArrangedResults, ResultsError> {
    let name = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
    let files = paths.iter().map(|path| read_results(path, name(path), reading)).collect::<Result<Vec<_>, _>>()?;
    arrange(files, options)
}

/// What is known of an arm.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct ArmTally {
    pub(crate) cases: usize,
    pub(crate) trials: usize,
    /// Errors of infrastructure.
    pub(crate) errors: usize,
    /// Answers whose score is missing.
    pub(crate) unscored: usize,
    pub(crate) scored: usize,
    /// Over the trials that have a score.
    pub(crate) mean: f64,
}

#[expect(clippy::cast_precision_loss, reason = "a few trials")]
pub(crate) fn tallies(of: &ArrangedResults) -> BTreeMap<String, ArmTally> {
    let tally = |(at, arm): (usize, &String)| {
        let trials = || of.cases.iter().flat_map(move |case| &case.trials[at]);
        let scores: Vec<f64> = trials().filter_map(|trial| trial.share).map(|share| share.get()).collect();
        let tally = ArmTally {
            cases: of.cases.iter().filter(|case| !case.trials[at].is_empty()).count(),
            trials: trials().count(),
            errors: trials().filter(|trial| matches!(trial.row.end, RowEnd::Failed(_))).count(),
            unscored: trials().filter(|trial| matches!(trial.row.end, RowEnd::Ungraded(_))).count(),
            scored: scores.len(),
            mean: scores.iter().sum::<f64>() / scores.len() as f64,
        };
        (arm.clone(), tally)
    };
    of.arms.iter().enumerate().map(tally).collect()
}

/// What the script counted of a score in an arm.
pub(crate) fn expected(folder: &str, file: &str, arm: &str, score: &str) -> ArmTally {
    let text = std::fs::read_to_string(made(folder, "expected.json")).unwrap();
    let all: Value = serde_json::from_str(&text).unwrap();
    let of = &all["files"][file]["arms"][arm];
    let count = |value: &Value| usize::try_from(value.as_u64().unwrap_or_else(|| panic!("{file} {arm} {of}"))).unwrap();
    let scores = &of["scores"][score];
    ArmTally {
        cases: count(&of["cases"]),
        trials: count(&of["trials"]),
        errors: count(&of["errors"]),
        unscored: count(&scores["missing"]),
        scored: count(&scores["n"]),
        mean: scores["mean"].as_f64().unwrap(),
    }
}

#[track_caller]
pub(crate) fn assert_tally(found: &ArmTally, expected: &ArmTally) {
    assert!((found.mean - expected.mean).abs() < 2e-6, "{found:?}, expected {expected:?}");
    assert_eq!(found, &ArmTally { mean: found.mean, ..*expected });
}
