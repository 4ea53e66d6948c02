//! Which files of the knowledge base the samples made agents read.

use std::collections::{BTreeMap, HashMap};
use std::path::{Component, Path, PathBuf};

use eval_format::{CoverageMeasures, FileAccess, TestSet, VariantCoverage};
use eval_gaps::{LookedUp, PathAccess};
use eval_spec::gap::{AccessKind, LineRange};
use eval_spec::suite::Delivery;
use eval_spec::{Sample, Suite, Variant};
use globset::GlobBuilder;

use crate::grid::Grid;
use crate::numbers::count;

/// The files of the knowledge base of one variant: the project's, and what its artifact has beside its own text.
#[derive(Clone, Debug, Default)]
pub(crate) struct KnowledgeFiles {
    cwd: PathBuf,
    /// As they are shown.
    names: Vec<String>,
    by_path: HashMap<PathBuf, usize>,
    /// Files of a skill, which lies elsewhere for each agent, by the end of their path.
    by_end: Vec<(String, usize)>,
}

/// What an execution looked up in the knowledge base.
#[derive(Clone, Debug, Default)]
pub(crate) struct CellCoverage {
    /// Whether it looked up anything anywhere.
    has_looked: bool,
    accesses: Vec<(usize, AccessKind, Option<LineRange>)>,
}

impl KnowledgeFiles {
    /// Those of each variant.
    pub(crate) fn of(suite: &Suite) -> Vec<KnowledgeFiles> {
        suite.variants.iter().map(|variant| KnowledgeFiles::of_variant(suite, variant)).collect()
    }

    fn of_variant(suite: &Suite, variant: &Variant) -> KnowledgeFiles {
        let base = &suite.knowledge;
        let mut all = KnowledgeFiles { cwd: base.cwd.clone(), ..KnowledgeFiles::default() };
        for file in &base.files {
            all.by_path.insert(file.path.clone(), all.names.len());
            all.names.push(file.name.clone());
        }
        // Only then does the agent get the files, and not just the text.
        let is_given = suite.settings.delivery_of_variant(variant) != Delivery::default();
        let text = variant.artifact.text().map(|file| file.path.as_str());
        let skill = variant.artifact.skill_name().unwrap_or(&variant.name);
        for file in variant.artifact.files.iter().filter(|file| is_given && Some(file.path.as_str()) != text) {
            let name = format!("{skill}/{}", file.path);
            let own = variant.artifact.path.as_ref().map(|path| path.join(&file.path));
            let at = match own.as_ref().and_then(|own| all.by_path.get(own)) {
                Some(at) => *at,
                None => {
                    all.names.push(name.clone());
                    all.names.len() - 1
                }
            };
            all.by_path.extend(own.map(|own| (own, at)));
            all.by_end.push((format!("/{name}"), at));
        }
        all
    }

    /// What an execution of a sample looked up, in a working directory that the transcript may name.
    pub(crate) fn covered(
        &self,
        sample: &Sample,
        variant: &Variant,
        cwd: Option<&str>,
        looked: &LookedUp,
    ) -> CellCoverage {
        let source = sample.cwd.as_ref().or(variant.cwd.as_ref()).unwrap_or(&self.cwd);
        let mut accesses = Vec::new();
        for access in &looked.paths {
            accesses.extend(self.files_at(access, source, cwd).into_iter().map(|at| (at, access.kind, access.lines)));
        }
        accesses.sort_unstable();
        accesses.dedup();
        CellCoverage { has_looked: looked.searches > 0, accesses }
    }

    /// The files that a path, or a pattern of paths, names.
    fn files_at(&self, access: &PathAccess, source: &Path, cwd: Option<&str>) -> Vec<usize> {
        let path = access.path.trim_matches(['"', '\'']).trim_start_matches("@");
        // Agents often work in a copy.
        let inside = cwd.and_then(|cwd| Path::new(path).strip_prefix(cwd).ok());
        let whole = normal(&source.join(inside.unwrap_or(Path::new(path))));
        if path.contains('*') && access.kind == AccessKind::Read {
            let glob = GlobBuilder::new(&whole.to_string_lossy()).literal_separator(true).build();
            let Ok(glob) = glob.map(|glob| glob.compile_matcher()) else { return Vec::new() };
            return self.by_path.iter().filter(|(file, _)| glob.is_match(file)).map(|(_, at)| *at).collect();
        }
        if let Some(at) = self.by_path.get(&whole) {
            return vec![*at];
        }
        let whole = whole.to_string_lossy();
        self.by_end.iter().find(|(end, _)| whole.ends_with(end)).map(|(_, at)| *at).into_iter().collect()
    }
}

/// A path without `.` and `..`.
fn normal(path: &Path) -> PathBuf {
    let mut whole = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                whole.pop();
            }
            part => whole.push(part),
        }
    }
    whole
}

/// The coverage of each variant that has a knowledge base; empty where no execution has a trace.
pub(crate) fn coverage(grid: &Grid, labels: &[String], test_set: &TestSet) -> BTreeMap<String, VariantCoverage> {
    if grid.traces.is_empty() {
        return BTreeMap::new();
    }
    let all = KnowledgeFiles::of(grid.suite);
    let known = labels.iter().zip(all).enumerate().filter(|(_, (_, files))| !files.names.is_empty());
    known
        .map(|(variant, (label, files))| {
            (label.clone(), VariantCoverage::new(test_set.clone(), measures(grid, variant, files)))
        })
        .collect()
}

/// The lines of each way in which each sample met a file.
type AccessesOfFile = BTreeMap<(AccessKind, usize), Vec<Option<LineRange>>>;

fn measures(grid: &Grid, variant: usize, files: KnowledgeFiles) -> CoverageMeasures {
    let mut samples = 0;
    let mut looked = 0;
    let mut by_file = vec![AccessesOfFile::new(); files.names.len()];
    for sample in grid.samples() {
        let runs: Vec<&CellCoverage> = grid
            .index
            .of(sample, variant)
            .iter()
            .filter_map(|cell| grid.traces.get(cell))
            .map(|trace| &trace.coverage)
            .collect();
        samples += usize::from(!runs.is_empty());
        looked += usize::from(runs.iter().any(|run| run.has_looked));
        for (at, kind, lines) in runs.iter().flat_map(|run| &run.accesses) {
            if let Some(of) = by_file.get_mut(*at) {
                of.entry((*kind, sample)).or_default().push(*lines);
            }
        }
    }
    let access = |((kind, sample), lines): ((AccessKind, usize), Vec<Option<LineRange>>)| FileAccess {
        how: kind,
        sample_id: grid.suite.samples[sample].id.clone(),
        lines: merged(lines),
    };
    CoverageMeasures {
        samples: count(samples),
        looked_up: count(looked),
        files: files
            .names
            .into_iter()
            .zip(by_file)
            .map(|(name, of)| (name, of.into_iter().map(access).collect()))
            .collect(),
    }
}

/// The ranges in order, those that touch as one; none where one access was to the whole file or its lines are unknown.
fn merged(lines: Vec<Option<LineRange>>) -> Vec<LineRange> {
    let Some(mut all) = lines.into_iter().collect::<Option<Vec<LineRange>>>() else { return Vec::new() };
    all.sort_unstable();
    let mut merged: Vec<LineRange> = Vec::new();
    for range in all {
        match merged.last_mut() {
            Some(last) if last.last.is_none_or(|end| range.first <= end.saturating_add(1)) => {
                last.last = last.last.zip(range.last).map(|(a, b)| a.max(b));
            }
            _ => merged.push(range),
        }
    }
    merged
}
