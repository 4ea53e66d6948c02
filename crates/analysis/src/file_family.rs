//! All treatments of another tool's files, where fewer are compared: whoever picks the best of twelve must not get the
//! interval of one.

use eval_format::{FileFamily, ReportError};
use eval_spec::Suite;

use crate::cells::Cells;
use crate::clusters::Clusters;
use crate::family_level::ALPHA;
use crate::grid::Grid;
use crate::imputed::{Lack, imputed_differences, lack};
use crate::intervals::resampling;
use crate::numbers::count;
use crate::pairs::{composites, differences, differences_by_name};
use crate::quality::AlikeSamples;
use crate::summary::LOWEST;

/// Returns the family of all treatments of a suite, of which those with the names `compared` are compared.
///
/// # Errors
/// When a record can't be read, or the suite's interval method is none of ours.
pub fn file_family(
    AlikeSamples(duplicates): &AlikeSamples,
    suite: &Suite,
    cells: &Cells,
    seed: u64,
    compared: &[String],
) -> Result<FileFamily, ReportError> {
    let grid = Grid::read(suite, cells, Clusters::new(suite, duplicates))?;
    let resampling = resampling(&suite.settings, seed)?;
    let treatments: Vec<usize> = (1..suite.variants.len()).collect();
    let measured = differences(&grid, &treatments, &composites(&grid, suite.variants.len()), &resampling);
    // answers that the artifact failed to give have the worst score in a second analysis, which is a family as well
    let is_floored =
        (0..suite.variants.len()).any(|arm| grid.arm(arm).any(|cell| lack(cell) == Some(Lack::Unanswered)));
    let floors = is_floored.then(|| {
        let column = |&treatment| imputed_differences(&grid, treatment, Some(LOWEST), [None; 2]);
        let tasks: Vec<_> = treatments.iter().map(|treatment| grid.clusters.tasks(&column(treatment))).collect();
        differences_by_name(&grid, &treatments, &tasks, &resampling)
    });
    let all = || measured.iter().chain(floors.iter().flatten());
    let is_other = |treatment: &&usize| !compared.contains(&suite.variants[**treatment].name);
    let p_value = |treatment: &usize| {
        let floor = floors.as_ref().and_then(|floors| floors[treatment - 1].p_value);
        Some(measured[treatment - 1].p_value?.max(floor.unwrap_or_default()))
    };
    Ok(FileFamily {
        p_values: Some(treatments.iter().filter(is_other).filter_map(p_value).collect()),
        alpha: all().filter_map(|difference| difference.alpha).fold(ALPHA, f64::min),
        treatments: count(treatments.len()),
    })
}
