//! What a report holds against itself, where it doesn't hold what a number rests on: sums of what was paid, the
//! arithmetic of blocks that are taken as stored, and texts beside their keys.

use std::collections::BTreeSet;

use eval_analysis::analyse::Beside;
use eval_analysis::grid::Grid;
use eval_analysis::numbers::{Paid, snap};
use eval_format::{
    Analysis, KnownMessage, NotChecked, QualityFinding, QualityItem, SampleCheck, SampleQuality, SampleResult,
    Severity, Spent, VariantSummary,
};
use eval_message::Message;
use serde_json::{Map, Value, json};

use super::difference::{self, FollowsFrom, NotFollowing, difference, is_near};
use super::records;

/// The counts, sums and names in `meta` that the results decide; `ids` are those of the results.
pub(super) fn odd_meta(stored: &Analysis, again: &Analysis, ids: &[String]) -> Vec<NotFollowing> {
    let (was, is) = (&stored.meta, &again.meta);
    let mut all = Held::new(FollowsFrom::Results);
    all.hold("/meta/sampleCount", was.sample_count.into(), is.sample_count.into());
    all.hold("/meta/testSet/sampleCount", was.test_set.sample_count.into(), is.test_set.sample_count.into());
    all.hold("/meta/taskCount", was.task_count.into(), is.task_count.into());
    all.hold("/meta/variants", was.variants.clone().into(), is.variants.clone().into());
    all.hold("/meta/judgeModel", json!(was.judge_model), json!(is.judge_model));
    all.hold("/meta/settings/blind", was.settings.blind.into(), was.blind_mapping.is_some().into());
    let templates = was.judge_template.iter().chain(stored.pairwise.iter().map(|of| &of.template));
    if let Some(template) = templates.into_iter().find(|name| !name.is_empty()) {
        let asked = was.settings.debias_length;
        let of_ours = ["v3-cot-length", "v2-cot", "v3-pairwise-length", "v2-pairwise"].contains(&template.as_str());
        let told = if of_ours { template.ends_with("-length") } else { asked };
        all.hold("/meta/settings/debiasLength", asked.into(), told.into());
    }
    if let Some(mapping) = &was.blind_mapping {
        let labels: BTreeSet<&String> = was.variants.iter().collect();
        all.hold("/meta/blindMapping", json!(mapping.keys().collect::<BTreeSet<_>>()), json!(labels));
    }
    let here: BTreeSet<&String> = ids.iter().collect();
    for id in was.sample_hashes.keys().filter(|id| !here.contains(id)) {
        all.hold(&hash_of(id), was.sample_hashes[id].clone().into(), Value::Null);
    }
    for id in here.into_iter().filter(|id| !was.sample_hashes.contains_key(*id)) {
        all.hold(&hash_of(id), Value::Null, id.clone().into());
    }
    all.found
}

/// What rests on more than results — the samples' texts, people's scores — with all that results decide computed again.
pub(super) fn beside(stored: &Analysis, grid: &Grid, labels: &[String]) -> Beside {
    let judges = stored.meta.judge_models.as_slice();
    Beside {
        gold: stored.gold.as_ref().map(|gold| eval_analysis::gold::again(gold, grid, labels, judges)),
        quality: stored.analysis.sample_quality.as_ref().map(|of| quality(of, grid)),
    }
}

/// The checks of samples that rest on results, made again beside those that read texts.
fn quality(stored: &SampleQuality, grid: &Grid) -> SampleQuality {
    let made = eval_analysis::quality::of_results(grid);
    let kinds = checks_of(&made);
    let mut again = stored.clone();
    again.findings.retain(|of| !kinds.contains(&of.kind));
    again.passed.retain(|of| !kinds.contains(of));
    again.not_checked.retain(|of| !kinds.contains(&of.kind));
    again.formula = made.formula.clone();
    again.why = (again.findings.is_empty() && again.passed.is_empty()).then(|| made.why.clone()).flatten();
    again.findings.extend(made.findings.iter().cloned());
    again.passed.extend(made.passed.iter().cloned());
    again.not_checked.extend(made.not_checked.iter().cloned());
    // equal points keep the order of the checks
    again.findings.sort_by(|a, b| b.points.total_cmp(&a.points));
    again
}

/// Fields that nothing else in a report tells of: those that were taken out, and those that an older one doesn't have.
pub(super) fn lacking(stored: &Analysis, is_own: bool) -> (Vec<NotFollowing>, Vec<String>) {
    let judges = !stored.meta.judge_models.is_empty() && stored.meta.judge_cost.is_none();
    let read = stored.verdict.inputs.treatments.iter().any(|of| of.saturation.is_some());
    let fields = [
        ("/meta/judgeCost", judges, is_own),
        ("/analysis/sampleQuality", stored.analysis.sample_quality.is_none(), is_own),
        // whoever wrote what the verdict read of a curve, wrote the curve
        ("/analysis/saturation", read && stored.analysis.saturation.is_empty(), true),
    ];
    let (mut told, mut unknown) = (Vec::new(), Vec::new());
    for (path, _, is_told) in fields.into_iter().filter(|(_, lacks, _)| *lacks) {
        match is_told {
            true => told.push(difference(path.to_owned(), Value::Null, Value::Null, FollowsFrom::Version)),
            false => unknown.push(path.to_owned()),
        }
    }
    (told, unknown)
}

/// What failed attempts cost: known as a whole or not at all, and told wherever an attempt failed by whoever tells it.
pub(super) fn odd_attempts(at: usize, stored: &SampleResult, is_own: bool) -> Vec<NotFollowing> {
    let mut all = Held::new(FollowsFrom::Costs);
    for (name, of) in &stored.variants {
        for (i, run) in of.executions().iter().enumerate() {
            let mut path = format!("/results/{at}/variants/{}", difference::escaped(name));
            if of.runs.is_some() {
                path = format!("{path}/runs/{i}");
            }
            let path = format!("{path}/failedAttemptsCost");
            match run.failed_attempts_cost {
                Some(cost) => all.total(&format!("{path}/totalUSD"), cost),
                None if is_own && records::must_tell_attempts(run) => {
                    all.hold(&path, Value::Null, json!(run.attempts));
                }
                None => {}
            }
        }
    }
    all.found
}

fn hash_of(id: &str) -> String {
    format!("/meta/sampleHashes/{}", difference::escaped(id))
}

/// What was paid: a total is the known part or unknown, and the whole run's is the sum of the variants' and the judges'.
/// Where the results don't say what failed attempts or judges cost, no less than what they say was paid.
pub(super) fn odd_sums(stored: &Analysis, again: &Analysis, has_costs: bool) -> Vec<NotFollowing> {
    let meta = &stored.meta;
    let mut all = Held::new(FollowsFrom::Costs);
    let variants = stored.summary.values().map(paid).fold(Paid::NOTHING, Paid::plus);
    let whole = Spent { total_usd: meta.total_cost_usd, known_usd: meta.known_cost_usd };
    match meta.judge_cost {
        Some(judges) => {
            all.total("/meta/judgeCost/totalUSD", judges);
            all.spent("/meta", whole, variants.plus(judges.into()));
        }
        None if meta.judge_models.is_empty() => all.spent("/meta", whole, variants),
        None => {
            all.total("/meta/totalCostUSD", whole);
            all.at_least("/meta/knownCostUSD", meta.known_cost_usd, variants.known);
        }
    }
    for (name, of) in stored.summary.iter().filter(|_| !has_costs) {
        let path = format!("/summary/{}", difference::escaped(name));
        all.total(
            &format!("{path}/totalCostUSD"),
            Spent { total_usd: of.total_cost_usd, known_usd: of.known_cost_usd },
        );
        let seen = again.summary.get(name).map_or(0.0, |again| again.known_cost_usd);
        all.at_least(&format!("{path}/knownCostUSD"), of.known_cost_usd, seen);
    }
    all.found
}

fn paid(of: &VariantSummary) -> Paid {
    Paid { known: of.known_cost_usd, complete: of.total_cost_usd.is_some() }
}

/// The arithmetic of the samples' score: the findings rest on the samples, but the points follow from the findings, and
/// the score from the points.
pub(super) fn odd_quality(stored: &Analysis) -> Vec<NotFollowing> {
    let Some(of) = &stored.analysis.sample_quality else { return Vec::new() };
    let mut all = Held::new(FollowsFrom::Findings);
    let samples = stored.summary.values().next().map_or(of.samples, |summary| summary.total_samples);
    // of a run that ended early, the samples that were not looked at are samples all the same
    let samples = stored.stopping.as_ref().map_or(samples, |stopping| stopping.samples_planned);
    all.hold("/analysis/sampleQuality/samples", of.samples.into(), samples.into());
    for (at, finding) in of.findings.iter().enumerate() {
        let path = |field: &str| format!("/analysis/sampleQuality/findings/{at}/{field}");
        let points = eval_analysis::quality::points(finding.weight, finding.affected, finding.checked);
        all.hold(&path("points"), json!(finding.points), json!(points));
        all.hold(&path("affected"), finding.affected.into(), finding.affected.min(finding.checked).into());
        let listed = u64::try_from(finding.items.len()).unwrap_or(u64::MAX);
        let total =
            if finding.items.len() < eval_analysis::quality::ITEMS { listed } else { finding.total_items.max(listed) };
        all.hold(&path("totalItems"), finding.total_items.into(), total.into());
        for (i, item) in finding.items.iter().enumerate() {
            let listed = u64::try_from(item.sample_ids.len()).unwrap_or(u64::MAX);
            let whole = item.sample_ids.len() < eval_analysis::quality::NAMED;
            let total = if whole { listed } else { item.total_samples.max(listed) };
            all.hold(&path(&format!("items/{i}/totalSamples")), item.total_samples.into(), total.into());
        }
    }
    let made = !(of.findings.is_empty() && of.passed.is_empty());
    let score = made.then(|| eval_analysis::quality::score(&of.findings));
    all.hold("/analysis/sampleQuality/score", json!(of.score), json!(score));
    all.found
}

/// Of a report that this very version wrote: the checks of the samples are those that it makes, each weighs what it does,
/// and none is left out.
pub(super) fn odd_checks(stored: &Analysis, ids: &[String]) -> Vec<NotFollowing> {
    let ids: BTreeSet<&str> = ids.iter().map(String::as_str).collect();
    let ids = &ids;
    let Some(of) = &stored.analysis.sample_quality else { return Vec::new() };
    let mut all = Held::new(FollowsFrom::Findings);
    for (at, finding) in of.findings.iter().enumerate() {
        let weight = eval_analysis::quality::weight(&finding.kind);
        all.hold(&format!("/analysis/sampleQuality/findings/{at}/weight"), json!(finding.weight), json!(weight));
        all.finding(at, finding, ids);
    }
    all.hold("/analysis/sampleQuality", json!(checks_of(of)), json!(eval_analysis::quality::kinds()));
    all.found
}

/// The checks that read texts: the key of what they say, and of every case whether it is grave.
static BY_TEXTS: [(SampleCheck, &str); 4] = [
    (SampleCheck::NearDuplicates, "quality-duplicates"),
    (SampleCheck::LeakyPrompts, "quality-leaks"),
    (SampleCheck::AmbiguousRubrics, "quality-rubrics"),
    (SampleCheck::ThinCapabilities, "quality-capabilities"),
];

/// How grave such a finding is.
fn severity(of: &QualityFinding) -> Severity {
    let known = |item: &QualityItem| KnownMessage::of(&item.detail.message_key);
    let has_exact = || of.items.iter().any(|item| known(item) == Some(KnownMessage::ExactDuplicate));
    match of.kind {
        SampleCheck::ThinCapabilities => Severity::Info,
        SampleCheck::NearDuplicates if !has_exact() => Severity::Info,
        _ => Severity::Warning,
    }
}

fn checks_of(of: &SampleQuality) -> BTreeSet<&SampleCheck> {
    let found = of.findings.iter().map(|finding| &finding.kind);
    let not_made = of.not_checked.iter().map(|NotChecked { kind, .. }| kind);
    found.chain(&of.passed).chain(not_made).collect()
}

/// The blocks whose texts have nothing else to be held against: English beside its key.
pub(super) const TEXTS_OF: [&str; 4] = ["gold", "incompleteDetail", "stopping", "analysis"];

/// Of a report that this very version wrote: texts that don't say what their keys do.
pub(super) fn odd_texts(blocks: &Value) -> Vec<NotFollowing> {
    let mut all = Held::new(FollowsFrom::Key);
    for name in TEXTS_OF {
        texts(&format!("/{name}"), &blocks[name], &mut all);
    }
    all.found
}

fn texts(path: &str, of: &Value, all: &mut Held) {
    match of {
        Value::Array(items) => items.iter().enumerate().for_each(|(i, item)| texts(&format!("{path}/{i}"), item, all)),
        Value::Object(fields) => {
            text(path, fields, all);
            for (name, value) in fields {
                texts(&format!("{path}/{}", difference::escaped(name)), value, all);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn text(path: &str, fields: &Map<String, Value>, all: &mut Held) {
    let key = fields.get("messageKey").and_then(|key| serde_json::from_value::<Message>(key.clone()).ok());
    if let (Some(stored @ Value::String(_)), Some(key)) = (fields.get("message"), key) {
        all.hold(&format!("{path}/message"), stored.clone(), key.to_string().into());
    }
}

/// What doesn't hold, and what it is held against.
struct Held {
    from: FollowsFrom,
    found: Vec<NotFollowing>,
}

impl Held {
    fn new(from: FollowsFrom) -> Held {
        Held { from, found: Vec::new() }
    }

    fn hold(&mut self, path: &str, stored: Value, again: Value) {
        let is_same = match (stored.as_f64(), again.as_f64()) {
            (Some(was), Some(is)) => is_near(was, is),
            _ => stored == again,
        };
        if !is_same {
            self.found.push(difference(path.to_owned(), stored, again, self.from));
        }
    }

    /// A finding about texts says what it counted, of samples that there are.
    fn finding(&mut self, at: usize, of: &QualityFinding, ids: &BTreeSet<&str>) {
        let path = |field: &str| format!("/analysis/sampleQuality/findings/{at}/{field}");
        let Some((_, key)) = BY_TEXTS.iter().find(|(kind, _)| *kind == of.kind) else { return };
        self.hold(&path("severity"), json!(of.severity), json!(severity(of)));
        self.hold(&path("messageKey/id"), json!(of.message_key.id), json!(key));
        self.hold(&path("advice/messageKey/id"), json!(of.advice.message_key.id), json!(format!("{key}-advice")));
        let said = |name: &str| json!(of.message_key.args.get(name));
        self.hold(&path("messageKey/args/count"), said("count"), json!(of.affected));
        self.hold(&path("messageKey/args/total"), said("total"), json!(of.checked));
        if of.kind != SampleCheck::NearDuplicates {
            self.hold(&path("totalItems"), of.total_items.into(), of.affected.into());
        }
        for (i, item) in of.items.iter().enumerate() {
            for id in item.sample_ids.iter().filter(|id| !ids.contains(id.as_str())) {
                self.hold(&path(&format!("items/{i}/sample_ids")), json!(id), Value::Null);
            }
        }
    }

    fn spent(&mut self, path: &str, stored: Spent, again: Paid) {
        self.hold(&format!("{path}/totalCostUSD"), json!(stored.total_usd), json!(again.total()));
        self.hold(&format!("{path}/knownCostUSD"), json!(stored.known_usd), json!(snap(again.known)));
    }

    /// A total is unknown, or the known part is all of it.
    fn total(&mut self, path: &str, of: Spent) {
        self.hold(path, json!(of.total_usd), json!(of.total_usd.map(|_| of.known_usd)));
    }

    fn at_least(&mut self, path: &str, stored: f64, least: f64) {
        if stored < least && !is_near(stored, least) {
            self.hold(path, json!(stored), json!(snap(least)));
        }
    }
}
