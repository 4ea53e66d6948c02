//! A stored report recomputed from the findings of its graders and judges.
//!
//! In comes a report's file. The checks, opinions, outcomes and usage that its `results` hold become records again, and
//! these go the way that a run's records go: there is one way to compute. Out goes every stored number that doesn't
//! follow, and the parts taken as stored because the report doesn't have their inputs.

mod compare;
mod expected;
mod given;
mod records;
mod shape;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use eval_analysis::recomputing::{CellNumbers, Clusters, Gathering, conclude, restrict, sample_result};
use eval_analysis::{Cells, RunStatus};
use eval_format::report::{NoResults, Note};
use eval_format::{Analysis, BlindFile, ReportError, ReportText, Status, UncheckedVerdict, Verdict};
use eval_message::{Message, msg};
use eval_spec::{Cell, Sample, Suite};
use eval_verdict::decide;
use rayon::prelude::*;
use serde::Serialize;
use serde_json::value::RawValue;

use self::compare::compare;
use self::shape::{Outline, ReportShape};

pub use self::compare::NotFollowing;

/// A recomputed report compared with the stored one.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Recomputed {
    /// Whether every stored number follows.
    pub agrees: bool,
    /// The report's id.
    pub id: String,
    /// The stored verdict.
    pub stored: Verdict,
    /// The verdict that follows from the results.
    pub recomputed: Verdict,
    /// The numbers that don't follow, in the order in which they are computed.
    pub differences: Vec<NotFollowing>,
    /// Parts whose inputs the report doesn't have.
    pub taken_as_stored: Vec<AsStored>,
    /// The version that wrote the report, where it isn't this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub written_by: Option<String>,
}

/// A part of a report that was taken as stored.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AsStored {
    /// Which, as a pattern of JSON pointers.
    pub path: String,
    /// The reason, as text and message.
    pub why: Note,
}

/// Computes the report in the file `path` again. `version` is that of this program.
///
/// # Errors
/// When the file can't be read, is no report or is impossible as the report of a run.
pub fn recompute(path: &Path, version: &str) -> Result<Recomputed, ReportError> {
    let text = ReportText::read(path)?;
    let report = text.report()?.with_verdict(UncheckedVerdict::as_stored);
    let (stored, raw) = report.take_results();
    // joint draws see the treatments in the order of their names
    let own = match stored.meta.settings.blind {
        true => BlindFile::fitting(path, &stored)?.and_then(BlindFile::into_names),
        false => None,
    };
    let unverifiable = |why| ReportError::Unverifiable { path: path.to_owned(), why };
    let outline = shape::outline(&text, &raw)?;
    let shape = ReportShape::of(&stored, &outline).map_err(unverifiable)?;
    let pass = pass(&stored, own.as_ref(), (&text, &raw), (&shape, &outline))?;
    if pass.gathering.judges() > eval_spec::MOST_JUDGES {
        return Err(unverifiable(msg!("report-unverifiable-judges", count = pass.gathering.judges())));
    }
    let Pass { suite, gathering, cells, ids, mut differences } = pass;
    let ended = given::ended(&stored);
    let mut again = again(&stored, (&text, &raw), (&suite, gathering, cells), &shape, ended)?;
    expected::settle(&stored, &mut again, &ids);
    // freeing millions of small fields takes a while, which nothing needs to wait for
    rayon::spawn(|| drop((suite, ids)));
    let recomputed = again.verdict.clone();
    let bare = [stored.with_results(()), again.with_results(())];
    differences.extend(compare(&[], &bare[0], &bare[1]));
    let [stored, again] = bare.map(|of| of.with_results(NoResults));
    rayon::spawn(|| drop((again, outline)));
    Ok(Recomputed {
        agrees: differences.is_empty(),
        id: stored.id.clone(),
        taken_as_stored: as_stored(&stored),
        written_by: (stored.meta.cli_version != version).then(|| stored.meta.cli_version.clone()),
        stored: stored.verdict,
        recomputed,
        differences,
    })
}

impl Recomputed {
    /// Whether the verdict changes, when numbers don't follow.
    #[must_use]
    pub fn headline(&self) -> Message {
        let (stored, again) = (&self.stored, &self.recomputed);
        match (stored.tier == again.tier, stored.exit_code == again.exit_code) {
            (true, true) => msg!("report-verdict-same", tier = again.tier.name(), code = u32::from(again.exit_code)),
            _ => msg!(
                "report-verdict-other",
                stored = stored.tier.name(),
                storedCode = u32::from(stored.exit_code),
                tier = again.tier.name(),
                code = u32::from(again.exit_code)
            ),
        }
    }
}

/// The inputs of the recomputation, from all results.
struct Pass {
    suite: Suite,
    gathering: Gathering,
    /// By [place](ReportShape::place); none where nothing was planned.
    cells: Vec<Option<CellNumbers>>,
    ids: Vec<String>,
    differences: Vec<NotFollowing>,
}

/// The inputs of the recomputation from one sample's results.
struct SamplePass {
    sample: Sample,
    cells: Vec<CellNumbers>,
    differences: Vec<NotFollowing>,
}

/// Reads every sample's results once, and keeps a few numbers of each.
fn pass(
    stored: &Analysis,
    own: Option<&BTreeMap<String, String>>,
    (text, raw): (&ReportText, &[&RawValue]),
    (shape, outline): (&ReportShape, &[Outline]),
) -> Result<Pass, ReportError> {
    let gathering = Gathering::default();
    let mut suite = given::suite(stored, own);
    suite.settings.seed = shape::split_seed(stored, outline, &suite.settings);
    let pairwise: BTreeSet<&str> =
        stored.pairwise.iter().flat_map(|of| &of.pairs).map(|pair| pair.sample_id.as_str()).collect();
    let each = raw.par_iter().enumerate().map(|(at, raw)| one(at, (text, raw), shape, &suite, &pairwise, &gathering));
    let each = each.collect::<Result<Vec<SamplePass>, _>>()?;
    let mut cells: Vec<Option<CellNumbers>> = Vec::new();
    cells.resize_with(shape.samples * shape.variants.len() * shape.repeat, || None);
    let mut differences = Vec::new();
    for (at, of) in each.into_iter().enumerate() {
        let places =
            (0..shape.variants.len()).flat_map(|v| (0..shape.repeats_of(at, v)).map(move |r| shape.place(at, v, r)));
        for (place, numbers) in places.zip(of.cells) {
            cells[place] = Some(numbers);
        }
        differences.extend(of.differences);
        suite.samples.push(of.sample);
    }
    Ok(Pass {
        ids: suite.samples.iter().map(|sample| sample.id.clone()).collect(),
        suite,
        gathering,
        cells,
        differences,
    })
}

/// One sample: its results become records, and these its results again.
fn one(
    at: usize,
    (text, raw): (&ReportText, &RawValue),
    shape: &ReportShape,
    suite: &Suite,
    pairwise: &BTreeSet<&str>,
    gathering: &Gathering,
) -> Result<SamplePass, ReportError> {
    let stored = text.sample_result(raw)?;
    let sample = given::sample(&stored, pairwise.contains(stored.sample_id.as_str()));
    let (mut records, mut cells) = (Vec::new(), Vec::new());
    for (variant, label) in shape.variants.iter().enumerate() {
        let runs = stored.variants.get(label).map(given::runs).unwrap_or_default();
        let of_variant = (0..shape.repeats_of(at, variant)).map(|repeat| {
            let (cell, run) = (shape.cell(at, &stored.sample_id, variant, repeat), runs.get(repeat));
            let record = run.and_then(|run| records::record(run, &cell.key, suite.settings.judge_repeat));
            let numbers = gathering.take(shape.place(at, variant, repeat), &cell, record.as_ref());
            cells.push(records::with_attempts(numbers, run));
            record
        });
        records.push(of_variant.collect());
    }
    let mut again =
        sample_result(&sample, stored.cluster.as_deref(), &suite.settings, &shape.variants, &records, shape.is_early);
    records::pass_on(&stored, &mut again);
    let differences = match again == stored {
        true => Vec::new(),
        false => compare(&["results", &at.to_string()], &stored, &again),
    };
    Ok(SamplePass { sample, cells, differences })
}

/// Everything but the results, computed from them.
fn again(
    stored: &Analysis,
    (text, raw): (&ReportText, &[&RawValue]),
    (suite, gathering, mut cells): (&Suite, Gathering, Vec<Option<CellNumbers>>),
    shape: &ReportShape,
    ended: RunStatus,
) -> Result<Analysis, ReportError> {
    let (plan, places) = given::plan(stored, suite, shape);
    let cells = places.iter().map(|&at| cells[at].take().unwrap_or_else(CellNumbers::not_run)).collect();
    let pairs = given::pairs(stored);
    let pair = |[earlier, later]: [usize; 2]| {
        let (earlier, later) = (&plan.cells[earlier].key, &plan.cells[later].key);
        Ok(pairs.get(&(&*earlier.sample, earlier.repeat, &*earlier.subject, &*later.subject)).cloned())
    };
    let read = |at: usize| {
        let cell: &Cell = &plan.cells[at];
        let of = text.sample_result(raw[cell.sample])?;
        let runs = of.variants.get(&*cell.key.subject).map(given::runs).unwrap_or_default();
        let run = runs.get(cell.key.repeat as usize);
        Ok(run.and_then(|run| records::record(run, &cell.key, suite.settings.judge_repeat)))
    };
    let from = Cells { plan: &plan, read: &read, replaced: &|_| Ok(None), pair: &pair, texts: None };
    let grid = gathering.moved(&places).grid(suite, &plan, cells, Clusters::declared(suite));
    let mut grid = grid.in_family(stored.meta.imported.as_ref());
    let names = shape.variants.clone();
    let meta = given::meta(stored);
    let looked = restrict(&mut grid, &from, &ended, &meta)?;
    let beside = expected::beside(stored, &grid, &names);
    conclude(&grid, looked.as_ref(), &from, names, beside, meta, ended).map(decide)
}

/// A part that is taken as stored: its path, why, and whether a report has it.
type TakenAsStored = (&'static str, fn() -> Message, fn(&Analysis) -> bool);

/// Parts of reports that have no inputs in the report.
const AS_STORED: [TakenAsStored; 15] = [
    ("/results/*/variants/*/assertions/details/*/passed", || msg!("report-as-stored-checks"), |_| true),
    ("/results/*/variants/*/artifactsRead", || msg!("report-as-stored-artifacts-read"), |of| has_leaks(of)),
    ("/results/*/variants/*/delivered", || msg!("report-as-stored-delivered"), |of| has_delivery(of)),
    ("/meta", || msg!("report-as-stored-meta"), |_| true),
    ("/meta/imported/family", || msg!("report-as-stored-family"), |of| has_family(of)),
    ("/gold", || msg!("report-as-stored-gold"), |of| of.gold.is_some()),
    ("/cachedControl/samples", || msg!("report-as-stored-cached"), |of| of.cached_control.is_some()),
    ("/feedback", || msg!("report-as-stored-feedback"), |of| !of.feedback.is_empty()),
    ("/incompleteReason", || msg!("report-as-stored-ended"), |of| of.status == Status::Incomplete),
    ("/analysis/sampleQuality", || msg!("report-as-stored-samples"), |_| true),
    ("/analysis/gap", || msg!("report-as-stored-gaps"), |of| !of.analysis.gap.is_empty()),
    ("/analysis/coverage", || msg!("report-as-stored-coverage"), |of| !of.analysis.coverage.is_empty()),
    ("/stopping/judgeCallsSaved", || msg!("report-as-stored-judge-calls"), |of| has(of, "judgeCallsSaved")),
    ("/stopping/costSavedEstimate", || msg!("report-as-stored-saved"), |of| has(of, "costSavedEstimate")),
    ("/stopping/costSavedWhy", || msg!("report-as-stored-saved"), |of| has(of, "costSavedWhy")),
];

fn has_family(of: &Analysis) -> bool {
    of.meta.imported.as_ref().is_some_and(|of| of.family.is_some())
}

fn has_delivery(of: &Analysis) -> bool {
    of.summary.values().any(|of| of.delivery.is_some())
}

fn has_leaks(of: &Analysis) -> bool {
    of.summary.values().any(|of| of.artifact_leaks > 0)
}

fn has(of: &Analysis, field: &str) -> bool {
    serde_json::to_value(&of.stopping).is_ok_and(|of| of.get(field).is_some())
}

fn as_stored(stored: &Analysis) -> Vec<AsStored> {
    let known = AS_STORED.iter().filter(|(_, _, is_in)| is_in(stored));
    known.map(|(path, why, _)| AsStored { path: (*path).to_owned(), why: why().into() }).collect()
}
