//! A stored report computed again from what graders and judges found (T10).
//!
//! In comes a report's file. The checks, opinions, outcomes and usage that its `results` hold become records again, and
//! these go the way that a run's records go: there is one way to compute. Out goes every stored number that doesn't
//! follow, and what had to be taken as stored because the report doesn't hold what it rests on.

mod difference;
mod held;
mod records;
mod shape;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use eval_analysis::analyse::{Beside, conclude, labels, restrict, settings_of};
use eval_analysis::grid::Gathering;
use eval_analysis::numbers::CellNumbers;
use eval_analysis::results::sample_result;
use eval_analysis::{Cells, JudgeMeta, Meta, RunStatus, Template};
use eval_format::report::Note;
use eval_format::{
    Analysis, AssertionDetail, IncompleteReason, Report, ReportError, SCHEMA_VERSION, SampleResult, Status,
    VariantResult, Verdict,
};
use eval_message::{Message, msg};
use eval_spec::plan::Plan;
use eval_spec::sample::Metadata;
use eval_spec::variant::Artifact;
use eval_spec::{Assertion, Cell, JudgeMode, Pair, Sample, Suite, Variant};
use eval_verdict::advice::suggestions;
use eval_verdict::{decide, verdict};
use rayon::prelude::*;
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use self::difference::{Basis, Comparison, File, difference};
use self::shape::{Outline, Shape};

pub use self::difference::NotFollowing;

/// More judges were never asked at once: each pair of them is compared.
const MOST_JUDGES: usize = 200;

/// What came of computing a report again.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Recomputed {
    /// Whether every stored number follows.
    pub agrees: bool,
    /// The report's id.
    pub id: String,
    /// The stored verdict.
    pub stored: Verdict,
    /// What follows from the results.
    pub recomputed: Verdict,
    /// The numbers that don't follow, in the order in which they are computed.
    pub differences: Vec<NotFollowing>,
    /// What the report doesn't hold the basis of.
    pub taken_as_stored: Vec<AsStored>,
    /// Fields that the report doesn't have, so that nothing could be held against them.
    pub not_stored: Vec<String>,
    /// The version that wrote the report, where it isn't this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub written_by: Option<String>,
}

/// A part of a report that was taken as stored.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AsStored {
    /// Which, as a pattern of JSON pointers.
    pub path: String,
    /// Why.
    pub why: Note,
}

/// Computes the report in the file `path` again. `version` is that of this program.
///
/// # Errors
/// When the file can't be read, is no report or that of a newer program, or says what no run can have been.
pub fn recompute(path: &Path, version: &str) -> Result<Recomputed, ReportError> {
    let text = std::fs::read(path).map_err(|source| ReportError::File { path: path.to_owned(), source })?;
    let damaged = |source| eval_format::report::file::explain(path, source);
    let report: Report<Vec<&RawValue>> = serde_json::from_slice(&text).map_err(damaged)?;
    if report.schema_version > SCHEMA_VERSION {
        return Err(ReportError::Newer { path: path.to_owned(), version: report.schema_version });
    }
    let (stored, raw) = report.take_results();
    let unverifiable = |why| ReportError::Unverifiable { path: path.to_owned(), why };
    let no_order = |of: &eval_format::Stopping| of.unused.is_none() && of.order.is_empty();
    if stored.stopping.as_ref().is_some_and(no_order) {
        return Err(unverifiable(msg!("report-unverifiable-order")));
    }
    let outline = shape::outline(&raw).map_err(damaged)?;
    let shape = Shape::of(&stored, &outline).map_err(unverifiable)?;
    let is_own = stored.meta.cli_version == version;
    let pass = pass(&stored, &raw, (&shape, &outline), is_own).map_err(damaged)?;
    if pass.gathering.judges() > MOST_JUDGES {
        return Err(unverifiable(msg!("report-unverifiable-judges", count = pass.gathering.judges())));
    }
    let mut differences = pass.differences;
    let mut not_stored = pass.not_stored;
    let (lacking, unknown) = held::lacking(&stored, is_own);
    differences.extend(lacking);
    not_stored.extend(unknown);
    let mut again = again(&stored, &raw, (pass.suite, pass.gathering, pass.cells), (&shape, is_own))?;
    leave_unread(&stored, &mut again);
    let comparison = Comparison { basis: pass.basis, is_own };
    let bare = [stored.with_results(()), again.with_results(())];
    let file = File::of_report(&text);
    comparison.of_blocks(&bare[0], &bare[1], &file, &mut differences, &mut not_stored);
    drop(file);
    let [stored, again] = bare.map(|of| of.with_results(eval_format::report::NoResults));
    differences.extend(held::odd_meta(&stored, &again, &pass.ids));
    differences.extend(held::odd_sums(&stored, &again, pass.basis.has_costs));
    differences.extend(held::odd_quality(&stored));
    if is_own {
        differences.extend(held::odd_checks(&stored, &pass.ids));
        differences.extend(held::odd_texts(&texts(&text)));
    }
    Ok(Recomputed {
        agrees: differences.is_empty(),
        id: stored.id.clone(),
        taken_as_stored: as_stored(&stored, pass.basis),
        written_by: (stored.meta.cli_version != version).then(|| stored.meta.cli_version.clone()),
        stored: stored.verdict,
        recomputed: again.verdict,
        differences,
        not_stored,
    })
}

/// An older report doesn't say whether more samples would help, and so no reason of its verdict does. It changes no tier.
fn leave_unread(stored: &Analysis, again: &mut Analysis) {
    let mut inputs = again.verdict.inputs.clone();
    for (was, is) in stored.verdict.inputs.treatments.iter().zip(&mut inputs.treatments) {
        is.saturation = is.saturation.filter(|_| was.saturation.is_some());
    }
    if inputs == again.verdict.inputs {
        return;
    }
    let decided = verdict(&inputs);
    again.analysis.suggestions = suggestions(&decided, &again.comparisons, again.pairwise.as_ref());
    again.verdict = Verdict { inputs: again.verdict.inputs.clone(), ..decided };
}

/// The blocks of a report but the results, as they stand in the file: what a field's absence shows in.
fn texts(text: &[u8]) -> Value {
    let blocks: HashMap<Cow<str>, &RawValue> = serde_json::from_slice(text).unwrap_or_default();
    let parsed = blocks.into_iter().filter(|(name, _)| held::TEXTS_OF.contains(&&**name));
    let parsed = parsed.filter_map(|(name, raw)| Some((name.into_owned(), serde_json::from_str(raw.get()).ok()?)));
    Value::Object(parsed.collect())
}

impl Recomputed {
    /// Where the verdict stands, when numbers don't follow.
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

/// What the results came to.
struct Pass {
    suite: Suite,
    gathering: Gathering,
    cells: Vec<CellNumbers>,
    ids: Vec<String>,
    basis: Basis,
    differences: Vec<NotFollowing>,
    not_stored: Vec<String>,
}

/// What one sample's results came to.
struct Of {
    sample: Sample,
    cells: Vec<CellNumbers>,
    basis: Basis,
    differences: Vec<NotFollowing>,
    not_stored: Vec<String>,
}

/// Reads every sample's results once, and keeps a few numbers of each.
fn pass(
    stored: &Analysis,
    raw: &[&RawValue],
    (shape, outline): (&Shape, &[Outline]),
    is_own: bool,
) -> Result<Pass, serde_json::Error> {
    let gathering = Gathering::default();
    let mut suite = suite(stored);
    suite.settings.seed = shape::split_seed(stored, outline, &suite.settings);
    let pairwise: BTreeSet<&str> =
        stored.pairwise.iter().flat_map(|of| &of.pairs).map(|pair| pair.sample_id.as_str()).collect();
    let each = raw.par_iter().enumerate().map(|(at, raw)| one(at, raw, (shape, is_own), &suite, &pairwise, &gathering));
    let each = each.collect::<Result<Vec<Of>, _>>()?;
    let mut cells: Vec<Option<CellNumbers>> = Vec::new();
    cells.resize_with(shape.samples * shape.variants.len() * shape.repeat, || None);
    let (mut basis, mut differences, mut not_stored) = (Basis::default(), Vec::new(), BTreeSet::new());
    let mut samples = Vec::with_capacity(each.len());
    for (at, of) in each.into_iter().enumerate() {
        let places = (0..shape.variants.len()).flat_map(|v| (0..shape.repeat).map(move |r| shape.place(at, v, r)));
        for (place, numbers) in places.zip(of.cells) {
            cells[place] = Some(numbers);
        }
        basis = basis.and(of.basis);
        differences.extend(of.differences);
        not_stored.extend(of.not_stored);
        samples.push(of.sample);
    }
    suite.samples = samples;
    Ok(Pass {
        ids: suite.samples.iter().map(|sample| sample.id.clone()).collect(),
        suite,
        gathering,
        cells: cells.into_iter().map(|cell| cell.unwrap_or_else(CellNumbers::not_run)).collect(),
        basis,
        differences,
        not_stored: not_stored.into_iter().collect(),
    })
}

/// One sample: its results become records, and these its results again.
fn one(
    at: usize,
    raw: &RawValue,
    (shape, is_own): (&Shape, bool),
    suite: &Suite,
    pairwise: &BTreeSet<&str>,
    gathering: &Gathering,
) -> Result<Of, serde_json::Error> {
    let stored: SampleResult = serde_json::from_str(raw.get())?;
    let sample = sample(&stored, pairwise.contains(stored.sample_id.as_str()));
    let (mut records, mut cells, mut basis) = (Vec::new(), Vec::new(), Basis::default());
    let mut differences = Vec::new();
    for (variant, label) in shape.variants.iter().enumerate() {
        let runs = stored.variants.get(label).map(runs).unwrap_or_default();
        if runs.len() != shape.repeat {
            let path = format!("/results/{at}/variants/{}", difference::escaped(label));
            differences.push(difference(path, runs.len().into(), shape.repeat.into(), "report-from-repeat"));
        }
        let of_variant: Vec<_> = (0..shape.repeat)
            .map(|repeat| {
                let cell = shape.cell(at, &stored.sample_id, variant, repeat);
                let record = runs
                    .get(repeat)
                    .and_then(|run| records::record(run, &cell.key, suite.settings.judge_repeat, &mut basis));
                let numbers = gathering.take(shape.place(at, variant, repeat), &cell, record.as_ref());
                cells.push(records::with_attempts(numbers, runs.get(repeat)));
                record
            })
            .collect();
        records.push(of_variant);
    }
    let mut again = sample_result(&sample, &suite.settings, &shape.variants, &records, shape.is_early);
    records::pass_on(&stored, &mut again);
    let mut not_stored = Vec::new();
    if stored.questions.is_none() {
        let path = format!("/results/{at}/questions");
        match is_own {
            true => {
                differences.push(difference(path, Value::Null, again.questions.clone().into(), "report-from-checks"))
            }
            false => not_stored.push("/results/*/questions".to_owned()),
        }
    }
    differences.extend(held::odd_attempts(at, &stored, is_own));
    if again != stored {
        let comparison = Comparison { basis: Basis::default(), is_own };
        comparison.of_sample(at, raw, [&stored, &again], &mut differences, &mut not_stored);
    }
    Ok(Of { sample, cells, basis, differences, not_stored })
}

/// Every execution of a sample and variant.
fn runs(of: &VariantResult) -> Vec<&VariantResult> {
    of.runs.as_ref().map_or_else(|| vec![of], |runs| runs.iter().collect())
}

/// The suite as far as a report tells of it, its samples aside.
fn suite(stored: &Analysis) -> Suite {
    let own = stored.meta.blind_mapping.as_ref();
    let variant = |label: &String| Variant {
        name: own.and_then(|names| names.get(label)).unwrap_or(label).clone(),
        artifact: Artifact::baseline(),
        cwd: None,
    };
    Suite {
        samples: Vec::new(),
        variants: stored.meta.variants.iter().map(variant).collect(),
        settings: settings_of(&stored.meta),
        warnings: Vec::new(),
    }
}

/// A sample as far as its results tell of it. Older reports don't say whether there was a rubric where nothing was
/// graded: what has no score there is planned.
fn sample(stored: &SampleResult, compared: bool) -> Sample {
    let mut runs = stored.variants.values().flat_map(runs);
    let judged = |run: &VariantResult| run.judged.iter().map(|of| of.dimension.clone().unwrap_or_default()).collect();
    let asked: Vec<String> = match &stored.questions {
        Some(questions) => questions.iter().map(|name| if name == "rubric" { "" } else { name }.to_owned()).collect(),
        None => runs.clone().find(|run| !run.judged.is_empty()).map(judged).unwrap_or_default(),
    };
    let unknown = stored.questions.is_none() && runs.all(|run| run.composite_score.is_none());
    let is_rubric = asked.iter().all(String::is_empty) && (!asked.is_empty() || unknown || compared);
    let details = stored.variants.values().next().map(|of| of.assertions.details.as_slice()).unwrap_or_default();
    Sample {
        id: stored.sample_id.clone(),
        prompt: String::new(),
        context: None,
        cwd: None,
        rubric: is_rubric.then(String::new),
        dimensions: if is_rubric { Vec::new() } else { asked.into_iter().map(|name| (name, String::new())).collect() },
        assertions: details.iter().map(assertion).collect(),
        metadata: Metadata::default(),
        mocks: Vec::new(),
        mocks_strict: false,
        tripwire: stored.tripwire,
        judge: Some(if stored.pairwise || compared { JudgeMode::Pairwise } else { JudgeMode::Rubric }),
        environment: None,
        eval: None,
        place: None,
    }
}

/// An assertion as far as its result tells of it.
fn assertion(detail: &AssertionDetail) -> Assertion {
    Assertion {
        kind: detail.kind.clone(),
        weight: detail.weight,
        not: detail.not,
        written: detail.written.clone(),
        children: detail.children.iter().map(assertion).collect(),
        base: std::path::PathBuf::new(),
        place: None,
        field_places: BTreeMap::new(),
    }
}

/// Everything but the results, computed from them.
fn again(
    stored: &Analysis,
    raw: &[&RawValue],
    (suite, gathering, cells): (Suite, Gathering, Vec<CellNumbers>),
    (shape, is_own): (&Shape, bool),
) -> Result<Analysis, ReportError> {
    let (plan, places) = plan(stored, &suite, shape);
    let mut cells: Vec<Option<CellNumbers>> = cells.into_iter().map(Some).collect();
    let cells = places.iter().map(|&at| cells[at].take().unwrap_or_else(CellNumbers::not_run)).collect();
    let pairs = pairs(stored);
    let pair = |[earlier, later]: [usize; 2]| {
        let (earlier, later) = (&plan.cells[earlier].key, &plan.cells[later].key);
        Ok(pairs.get(&(&*earlier.sample, earlier.repeat, &*earlier.subject, &*later.subject)).cloned())
    };
    let read = |at: usize| {
        let cell: &Cell = &plan.cells[at];
        let of: SampleResult = serde_json::from_str(raw[cell.sample].get())?;
        let runs = of.variants.get(&*cell.key.subject).map(runs).unwrap_or_default();
        let run = runs.get(cell.key.repeat as usize);
        Ok(run.and_then(|run| records::record(run, &cell.key, suite.settings.judge_repeat, &mut Basis::default())))
    };
    let from = Cells { plan: &plan, read: &read, pair: &pair };
    let mut grid = gathering.moved(&places).grid(&suite, &plan, cells);
    let names = match stored.meta.settings.blind && stored.meta.blind_mapping.is_some() {
        true => labels(&suite, stored.meta.seed),
        false => shape.variants.clone(),
    };
    let ended = ended(stored);
    let looked = restrict(&mut grid, &from, &names, &ended)?;
    let beside = if is_own { held::beside(stored, &grid, &names) } else { Beside::of(stored) };
    conclude(&grid, looked.as_ref(), &from, names, beside, meta(stored), ended).map(decide)
}

/// The plan, and for each of its cells its [place](Shape::place): repeats outermost, or whole samples in a drawn order
/// where the run could end after any of them.
fn plan(stored: &Analysis, suite: &Suite, shape: &Shape) -> (Plan, Vec<usize>) {
    let variants = shape.variants.len();
    let drawn = stored.stopping.as_ref().map(|of| of.order.as_slice()).unwrap_or_default();
    let rank: HashMap<&str, usize> = drawn.iter().enumerate().map(|(i, id)| (id.as_str(), i)).collect();
    let mut places: Vec<usize> = (0..shape.samples * variants * shape.repeat).collect();
    if !rank.is_empty() {
        let of = |place: &usize| rank.get(suite.samples[place / variants % shape.samples].id.as_str());
        places.sort_by_key(|place| of(place).copied().unwrap_or(usize::MAX));
    }
    let cell = |&place: &usize| {
        let sample = place / variants % shape.samples;
        shape.cell(sample, &suite.samples[sample].id, place % variants, place / variants / shape.samples)
    };
    (Plan { cells: places.iter().map(cell).collect(), hash: String::new() }, places)
}

type PairKey<'a> = (&'a str, u32, &'a str, &'a str);

/// What judges said of two answers, where they were asked.
fn pairs(stored: &Analysis) -> HashMap<PairKey<'_>, Pair> {
    let all = stored.pairwise.iter().flat_map(|of| &of.pairs).filter(|pair| !pair.questions.is_empty());
    all.map(|of| {
        let pair = Pair {
            sample: of.sample_id.as_str().into(),
            repeat: of.repeat,
            earlier: of.earlier.as_str().into(),
            later: of.later.as_str().into(),
            questions: of
                .questions
                .iter()
                .map(|asked| records::numbered(asked, stored.meta.settings.judge_repeat))
                .collect(),
        };
        ((of.sample_id.as_str(), of.repeat, of.earlier.as_str(), of.later.as_str()), pair)
    })
    .collect()
}

/// What a run tells of itself beside its records.
fn meta(stored: &Analysis) -> Meta {
    let meta = &stored.meta;
    Meta {
        id: stored.id.clone(),
        timestamp: meta.timestamp.parse().unwrap_or_default(),
        cli_version: meta.cli_version.clone(),
        node_version: meta.node_version.clone(),
        seed: meta.seed,
        test_set_path: meta.test_set.path.clone(),
        test_set_id: meta.test_set.id.clone(),
        project: meta.test_set.project.clone(),
        sample_hashes: meta.sample_hashes.clone(),
        executor: meta.executor_runtime.clone(),
        judge: judge(stored),
        regrade_of: meta.regrade_of.clone(),
        skill_isolation: BTreeMap::new(),
        git: None,
        gold: None,
    }
}

fn judge(stored: &Analysis) -> Option<JudgeMeta> {
    let meta = &stored.meta;
    let judging = stored.judging.as_ref();
    let template = meta.judge_template.clone().or_else(|| judging?.template.clone());
    let pairwise = stored.pairwise.as_ref();
    (template.is_some() || pairwise.is_some() || meta.judge_runtime.is_some()).then(|| JudgeMeta {
        models: meta.judge_models.clone(),
        template: template.unwrap_or_default(),
        prompt_hash: meta.judge_prompt_hash.clone().unwrap_or_default(),
        cost: meta.judge_cost.and_then(|cost| cost.total_usd),
        known_cost: meta.judge_cost.map_or(0.0, |cost| cost.known_usd),
        requests: Vec::new(),
        runtimes: match meta.judge_runtimes.is_empty() {
            true => meta.judge_runtime.iter().cloned().collect(),
            false => meta.judge_runtimes.clone(),
        },
        pairwise: pairwise.map(|of| Template { name: of.template.clone(), hash: of.prompt_hash.clone() }),
    })
}

/// How the run ended, as far as its records don't tell.
fn ended(stored: &Analysis) -> RunStatus {
    match stored.incomplete_reason {
        Some(
            reason @ (IncompleteReason::Interrupted | IncompleteReason::BudgetExhausted | IncompleteReason::Aborted),
        ) => RunStatus::Incomplete { reason, detail: None },
        // what was not run was not needed, though nothing was decided: the answers of an earlier run ended there
        None if stored.stopping.as_ref().is_some_and(|of| of.is_early() && of.decided_after.is_none()) => {
            RunStatus::AnswersEnd
        }
        Some(IncompleteReason::RecordsMissing | IncompleteReason::TooManyFailures) | None => RunStatus::Complete,
    }
}

/// What the report doesn't hold the basis of, in this report.
fn as_stored(stored: &Analysis, basis: Basis) -> Vec<AsStored> {
    let mut all = Vec::new();
    let mut note = |path: &str, why: Message| all.push(AsStored { path: path.to_owned(), why: why.into() });
    note("/results/*/variants/*/assertions/details/*/passed", msg!("report-as-stored-checks"));
    note("/meta", msg!("report-as-stored-meta"));
    if stored.gold.is_some() {
        note("/gold", msg!("report-as-stored-gold"));
    }
    if !basis.has_costs {
        note("/summary/*/totalCostUSD", msg!("report-as-stored-costs"));
    }
    if !basis.has_opinions {
        note("/results/*/variants/*/llmScore", msg!("report-as-stored-opinions"));
    }
    if stored.status == Status::Incomplete {
        note("/incompleteReason", msg!("report-as-stored-ended"));
    }
    all.extend(
        difference::AS_STORED
            .iter()
            .filter(|known| known.is_in(stored))
            .map(|known| AsStored { path: known.pointer(), why: known.why().into() }),
    );
    all
}
