//! Compares results with `expected.json`, which a separate script counted from the same files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use eval_results::{ArrangeOptions, ArrangedResults, ReadOptions, ResultsError, RowEnd, arrange, read_results};
use serde_json::Value;

/// Returns the path of a file that a real tool wrote.
pub(crate) fn data(folder: &str, name: &str) -> PathBuf {
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

/// Counts of an arm.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct ArmTally {
    pub(crate) cases: usize,
    pub(crate) trials: usize,
    /// Infrastructure failures.
    pub(crate) errors: usize,
    /// Answers whose score is missing.
    pub(crate) unscored: usize,
    pub(crate) scored: usize,
    /// Mean over the trials with a score.
    pub(crate) mean: f64,
}

#[expect(clippy::cast_precision_loss, reason = "a few trials")]
pub(crate) fn tallies(results: &ArrangedResults) -> BTreeMap<String, ArmTally> {
    let tally = |(index, arm): (usize, &String)| {
        let trials = || results.cases.iter().flat_map(move |case| &case.trials[index]);
        let scores: Vec<f64> = trials().filter_map(|trial| trial.share).map(|share| share.get()).collect();
        let tally = ArmTally {
            cases: results.cases.iter().filter(|case| !case.trials[index].is_empty()).count(),
            trials: trials().count(),
            errors: trials().filter(|trial| matches!(trial.row.end, RowEnd::Failed(_))).count(),
            unscored: trials().filter(|trial| matches!(trial.row.end, RowEnd::Ungraded(_))).count(),
            scored: scores.len(),
            mean: scores.iter().sum::<f64>() / scores.len() as f64,
        };
        (arm.clone(), tally)
    };
    results.arms.iter().enumerate().map(tally).collect()
}

/// Returns what the script counted for a score in an arm.
pub(crate) fn expected(folder: &str, file: &str, arm: &str, score: &str) -> ArmTally {
    let text = std::fs::read_to_string(data(folder, "expected.json")).unwrap();
    let all: Value = serde_json::from_str(&text).unwrap();
    let counted = &all["files"][file]["arms"][arm];
    let count =
        |value: &Value| usize::try_from(value.as_u64().unwrap_or_else(|| panic!("{file} {arm} {counted}"))).unwrap();
    let scores = &counted["scores"][score];
    ArmTally {
        cases: count(&counted["cases"]),
        trials: count(&counted["trials"]),
        errors: count(&counted["errors"]),
        unscored: count(&scores["missing"]),
        scored: count(&scores["n"]),
        mean: scores["mean"].as_f64().unwrap(),
    }
}

#[track_caller]
pub(crate) fn assert_tally(tally: &ArmTally, expected: &ArmTally) {
    assert!((tally.mean - expected.mean).abs() < 2e-6, "{tally:?}, expected {expected:?}");
    assert_eq!(tally, &ArmTally { mean: tally.mean, ..*expected });
}
