//! Filter → score → rank → top K, with a reason for every candidate that is left out. Pure.

use std::collections::{BTreeMap, BTreeSet};

use eval_format::skills::{
    BenchmarkMeta, EvaluationStatus, SELECTION_KIND, SkillCompletionReport, SkillEvaluation, SkillSummary, StatusCounts,
};
use eval_message::figures;
use eval_message::plain::shortened;
use eval_message::{Lang, Message, msg};
use eval_spec::callable::{AdapterType, CallableSkill, SortKey, SortOrder, Strategy};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A skill that may be selected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Candidate {
    /// Its id.
    pub id: String,
    /// Its name.
    #[serde(default)]
    pub name: String,
    /// Its version.
    #[serde(default)]
    pub version: String,
    /// What it does.
    #[serde(default)]
    pub description: String,
    /// Its tags.
    #[serde(default)]
    pub tags: Vec<String>,
    /// Its adapter; `None` when a list of candidates has none.
    #[serde(default)]
    pub adapter_type: Option<AdapterType>,
    /// The path of its `skill.json`, as given.
    #[serde(default)]
    pub path: String,
    /// SHA-256 over its files; `None` when a list of candidates has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skill_hash: Option<String>,
}

impl Candidate {
    /// A skill of a directory; `path` is its file as it should be shown.
    #[must_use]
    pub fn of(skill: &CallableSkill, path: String) -> Candidate {
        Candidate {
            id: skill.id.to_string(),
            name: skill.name.clone(),
            version: skill.version.clone(),
            description: skill.description.clone(),
            tags: skill.tags.clone(),
            adapter_type: Some(skill.adapter),
            path,
            skill_hash: Some(skill.hash.to_string()),
        }
    }
}

/// The measurement of a skill: its newest report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Measured {
    /// The evaluation.
    pub evaluation: String,
    /// When it ended, RFC 3339.
    pub finished_at: String,
    /// Whether everything planned was run; else the numbers are of a part of the benchmark.
    pub is_complete: bool,
    /// The version of the skill that was evaluated.
    pub skill_version: String,
    /// The hash of its files.
    pub skill_hash: String,
    /// The benchmark.
    pub benchmark: BenchmarkMeta,
    /// How its tasks ended.
    pub counts: StatusCounts,
    /// The numbers.
    pub summary: SkillSummary,
}

impl Measured {
    /// Every skill of an evaluation.
    pub fn all(of: &SkillEvaluation) -> impl Iterator<Item = (String, Measured)> + '_ {
        of.skills.iter().map(|skill| (skill.skill_id.clone(), Measured::of(of, skill)))
    }

    fn of(of: &SkillEvaluation, skill: &SkillCompletionReport) -> Measured {
        Measured {
            evaluation: of.id.clone(),
            finished_at: of.finished_at.clone(),
            is_complete: of.status == EvaluationStatus::Complete,
            skill_version: skill.skill_version.clone(),
            skill_hash: skill.skill_hash.clone(),
            benchmark: of.benchmark.clone(),
            counts: skill.counts,
            summary: skill.summary.clone(),
        }
    }

    /// The order of preference: complete before partial, then newer before older, then by the evaluation's id.
    fn worth(&self) -> (bool, Option<jiff::Timestamp>, &str) {
        (self.is_complete, self.finished_at.parse().ok(), &self.evaluation)
    }

    fn is_of(&self, benchmark: &BenchmarkMeta) -> bool {
        (&self.benchmark.id, &self.benchmark.hash) == (&benchmark.id, &benchmark.hash)
    }

    /// Whether the skill is another one by now; `None` when the candidate doesn't say.
    fn is_stale(&self, of: &Candidate) -> Option<bool> {
        of.skill_hash.as_ref().map(|hash| *hash != self.skill_hash)
    }
}

/// The selected skills in rank order, and the excluded ones: a document that `--from` reads.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Selection {
    /// [`SELECTION_KIND`].
    pub kind: &'static str,
    /// 1.
    pub schema_version: u32,
    /// The rules.
    pub strategy: Strategy,
    /// The benchmark of all measurements; `null` without any.
    pub benchmark: Option<BenchmarkMeta>,
    /// The selected ones, the best first.
    pub skills: Vec<Selected>,
    /// The other candidates, by id.
    pub excluded: Vec<ExcludedSkill>,
}

/// A selected skill.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Selected {
    /// The skill.
    #[serde(flatten)]
    pub skill: Candidate,
    /// From 1.
    pub rank: usize,
    /// The value it was ranked by; `null` when unknown.
    pub score: Option<f64>,
    /// Its measurement.
    pub report: Measured,
    /// Whether its files changed since; `null` when the list of candidates has no hash.
    pub stale: Option<bool>,
}

/// A candidate that was not selected.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ExcludedSkill {
    /// Its id.
    pub id: String,
    /// Its `skill.json`.
    pub path: String,
    /// The first rule that it fails.
    pub why: ExclusionReason,
    /// The same in a sentence.
    pub reason: String,
    /// Whether its files changed since it was measured; `null` when that isn't known.
    pub stale: Option<bool>,
}

/// Why a candidate was not selected.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase", tag = "rule")]
pub enum ExclusionReason {
    /// No report has it.
    NoReport,
    /// Another candidate has the same id.
    SameId,
    /// Only evaluations on other benchmarks have it, or on other contents of this one: rates of different tasks can't be
    /// compared.
    #[serde(rename_all = "camelCase")]
    OtherBenchmark {
        /// The newest of them.
        evaluation: String,
        /// Its benchmark.
        benchmark: String,
        /// The hash of its contents.
        hash: String,
    },
    /// None of its results counted.
    Unmeasured,
    /// Only evaluations have it that were stopped before everything was run.
    #[serde(rename_all = "camelCase")]
    Incomplete {
        /// The newest of them.
        evaluation: String,
    },
    /// More than 5 % of its results could not be counted, so that its numbers say little.
    #[serde(rename_all = "camelCase")]
    Uncounted {
        /// How many.
        uncounted: usize,
        /// Of how many that were tried.
        tried: usize,
    },
    /// Its completion rate is lower.
    #[serde(rename_all = "camelCase")]
    CompletionRate {
        /// Its value.
        value: Option<f64>,
        /// The required minimum.
        least: f64,
    },
    /// Its error rate is higher, or unknown.
    #[serde(rename_all = "camelCase")]
    ErrorRate {
        /// Its value.
        value: Option<f64>,
        /// The allowed maximum.
        most: f64,
    },
    /// Its P95 latency is higher, or unknown.
    #[serde(rename_all = "camelCase")]
    LatencyP95 {
        /// Its value.
        value: Option<f64>,
        /// The allowed maximum.
        most: f64,
    },
    /// It has another type of adapter.
    #[serde(rename_all = "camelCase")]
    AdapterType {
        /// Its adapter.
        value: Option<AdapterType>,
    },
    /// It lacks tags.
    #[serde(rename_all = "camelCase")]
    Tags {
        /// The missing metrics.
        missing: Vec<String>,
    },
    /// It passes every filter, but others rank higher.
    #[serde(rename_all = "camelCase")]
    TopK {
        /// Its rank.
        rank: usize,
        /// How many skills are selected.
        kept: usize,
    },
}

impl ExclusionReason {
    fn elsewhere(of: &Measured) -> ExclusionReason {
        let (benchmark, hash) = (of.benchmark.id.clone(), of.benchmark.hash.clone());
        ExclusionReason::OtherBenchmark { evaluation: of.evaluation.clone(), benchmark, hash }
    }

    /// The sentence.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            ExclusionReason::NoReport => msg!("skills-report-why-no-report"),
            ExclusionReason::SameId => msg!("skills-report-why-same-id"),
            ExclusionReason::OtherBenchmark { evaluation, benchmark, hash } => msg!(
                "skills-report-why-benchmark",
                evaluation = evaluation,
                benchmark = format!("{benchmark}@{}", shortened(hash, 12))
            ),
            ExclusionReason::Unmeasured => msg!("skills-report-why-unmeasured"),
            ExclusionReason::Incomplete { evaluation } => msg!("skills-report-why-incomplete", evaluation = evaluation),
            ExclusionReason::Uncounted { uncounted, tried } => {
                msg!("skills-report-why-uncounted", uncounted = *uncounted, tried = *tried)
            }
            ExclusionReason::CompletionRate { value, least } => {
                let [value, least] = figures::percents(*value, *least);
                msg!("skills-report-why-completion", value = value, least = least)
            }
            ExclusionReason::ErrorRate { value, most } => {
                let [value, most] = figures::percents(*value, *most);
                msg!("skills-report-why-errors", value = value, most = most)
            }
            ExclusionReason::LatencyP95 { value, most } => {
                let [value, most] = figures::times(*value, *most);
                msg!("skills-report-why-latency", value = value, most = most)
            }
            ExclusionReason::AdapterType { value } => {
                msg!("skills-report-why-adapter", value = value.map_or(figures::NONE, AdapterType::name))
            }
            ExclusionReason::Tags { missing } => msg!("skills-report-why-tags", missing = missing.join(", ")),
            ExclusionReason::TopK { rank, kept } => msg!("skills-report-why-top", rank = *rank, kept = *kept),
        }
    }
}

/// Why nothing can be selected.
#[derive(Clone, Debug, PartialEq)]
pub enum SelectError {
    /// No candidate was measured on the benchmark that was asked for.
    Benchmark {
        /// Its id.
        benchmark: String,
        /// The ids of those that candidates were measured on.
        known: Vec<String>,
    },
    /// The document is no list of candidates.
    Candidates {
        /// The text for people.
        why: Message,
    },
}

impl SelectError {
    /// The text for people.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            SelectError::Benchmark { benchmark, .. } => msg!("skills-report-select-benchmark", benchmark = benchmark),
            SelectError::Candidates { why } => why.clone(),
        }
    }

    /// What to do about it.
    #[must_use]
    pub fn help(&self) -> Message {
        match self {
            SelectError::Benchmark { known, .. } if known.is_empty() => msg!("skills-report-why-no-report"),
            SelectError::Benchmark { known, .. } => {
                msg!("skills-report-select-benchmark-help", known = known.join(", "))
            }
            SelectError::Candidates { .. } => msg!("skills-report-select-candidates-help"),
        }
    }
}

/// The candidates of a JSON document: an array of skills, or an earlier selection, or anything else with `skills`.
///
/// # Errors
/// When it is something else, or a skill has no id.
pub fn candidates_of(document: &Value) -> Result<Vec<Candidate>, SelectError> {
    let list = document.as_array().or_else(|| document.get("skills").and_then(Value::as_array));
    let Some(list) = list else {
        return Err(SelectError::Candidates { why: msg!("skills-report-select-no-list") });
    };
    let one = |(i, value): (usize, &Value)| {
        let broken =
            |why: String| SelectError::Candidates { why: msg!("skills-report-select-entry", place = i + 1, why = why) };
        // a report's skills say `skillId` and so on
        let renamed = value.get("skillId").is_some().then(|| {
            let mut value = value.clone();
            let fields = value.as_object_mut()?;
            for (from, to) in [("skillId", "id"), ("skillName", "name"), ("skillVersion", "version")] {
                let moved = fields.remove(from).unwrap_or_default();
                fields.insert(to.to_owned(), moved);
            }
            Some(value)
        });
        let value = renamed.flatten().unwrap_or_else(|| value.clone());
        serde_json::from_value(value).map_err(|error| broken(error.to_string()))
    };
    list.iter().enumerate().map(one).collect()
}

/// Selects by reports of one benchmark: the one that is asked for by its id, and of that the contents which the newest
/// complete report is of. Of several reports of a skill the newest complete one counts; those of skills that are no
/// candidates don't matter.
///
/// # Errors
/// When no candidate has a report of the benchmark that is asked for.
pub fn select(
    candidates: Vec<Candidate>,
    reports: impl IntoIterator<Item = (String, Measured)>,
    strategy: &Strategy,
    benchmark: Option<&str>,
    lang: Lang,
) -> Result<Selection, SelectError> {
    let ids: BTreeSet<&str> = candidates.iter().map(|of| of.id.as_str()).collect();
    let reports: Vec<_> = reports.into_iter().filter(|(id, _)| ids.contains(id.as_str())).collect();
    let benchmark = one_benchmark(&reports, benchmark)?;
    let (here, elsewhere): (Vec<_>, Vec<_>) =
        reports.into_iter().partition(|(_, of)| benchmark.as_ref().is_none_or(|benchmark| of.is_of(benchmark)));
    let (measured, elsewhere) = (newest(here), newest(elsewhere));
    let mut out = Vec::new();
    let mut seen = BTreeSet::new();
    let mut fit: Vec<(Candidate, Measured)> = Vec::new();
    for candidate in candidates {
        match (seen.insert(candidate.id.clone()), measured.get(&candidate.id)) {
            (false, _) => out.push((candidate, ExclusionReason::SameId)),
            (true, None) => {
                let why = elsewhere.get(&candidate.id).map_or(ExclusionReason::NoReport, ExclusionReason::elsewhere);
                out.push((candidate, why));
            }
            (true, Some(known)) => match unfit(&candidate, known, strategy) {
                Some(why) => out.push((candidate, why)),
                None => fit.push((candidate, known.clone())),
            },
        }
    }
    rank(&mut fit, strategy);
    let kept = strategy.top_k.unwrap_or(usize::MAX);
    let mut skills = Vec::new();
    for (place, (skill, report)) in fit.into_iter().enumerate() {
        let rank = place + 1;
        let (score, stale) = (score(&report.summary, strategy.sort_by), report.is_stale(&skill));
        match rank <= kept {
            true => skills.push(Selected { score, skill, rank, report, stale }),
            false => out.push((skill, ExclusionReason::TopK { rank, kept })),
        }
    }
    let excluded = |(of, why): (Candidate, ExclusionReason)| {
        let stale = measured.get(&of.id).and_then(|known| known.is_stale(&of));
        ExcludedSkill { id: of.id, path: of.path, reason: why.message().text(lang), why, stale }
    };
    let mut excluded: Vec<ExcludedSkill> = out.into_iter().map(excluded).collect();
    excluded.sort_by(|a, b| (&a.id, &a.path).cmp(&(&b.id, &b.path)));
    let strategy = strategy.clone();
    Ok(Selection { kind: SELECTION_KIND, schema_version: 1, strategy, benchmark, skills, excluded })
}

impl Selection {
    /// How many candidates were left out because only other benchmarks know them.
    #[must_use]
    pub fn elsewhere(&self) -> usize {
        self.excluded.iter().filter(|of| matches!(of.why, ExclusionReason::OtherBenchmark { .. })).count()
    }

    /// Ids of candidates whose files changed since they were measured.
    pub fn stale(&self) -> impl Iterator<Item = &str> {
        let selected = self.skills.iter().map(|of| (&of.skill.id, of.stale));
        let excluded = self.excluded.iter().map(|of| (&of.id, of.stale));
        selected.chain(excluded).filter(|(_, stale)| *stale == Some(true)).map(|(id, _)| id.as_str())
    }
}

/// Whether a skill with these tags has one; case doesn't matter.
#[must_use]
pub fn has_tag(tags: &[String], wanted: &str) -> bool {
    tags.iter().any(|own| own.to_lowercase() == wanted.to_lowercase())
}

fn newest(reports: Vec<(String, Measured)>) -> BTreeMap<String, Measured> {
    let mut all: BTreeMap<String, Measured> = BTreeMap::new();
    for (id, report) in reports {
        match all.get(&id) {
            Some(known) if known.worth() >= report.worth() => {}
            _ => drop(all.insert(id, report)),
        }
    }
    all
}

/// The benchmark of the newest complete report, among those with the id that is asked for. `None` when there is none.
fn one_benchmark(reports: &[(String, Measured)], asked: Option<&str>) -> Result<Option<BenchmarkMeta>, SelectError> {
    let fits = |of: &&Measured| asked.is_none_or(|id| of.benchmark.id == id);
    let newest = reports.iter().map(|(_, of)| of).filter(fits).max_by(|a, b| a.worth().cmp(&b.worth()));
    match (newest, asked) {
        (Some(of), Some(_)) => Ok(Some(of.benchmark.clone())),
        (Some(of), None) => Ok(of.is_complete.then(|| of.benchmark.clone())),
        (None, None) => Ok(None),
        (None, Some(id)) => {
            let known: BTreeSet<&String> = reports.iter().map(|(_, of)| &of.benchmark.id).collect();
            Err(SelectError::Benchmark { benchmark: id.to_owned(), known: known.into_iter().cloned().collect() })
        }
    }
}

/// Why a skill has no usable measurement, else the first filter that it fails. An unknown value fails its filter.
fn unfit(of: &Candidate, known: &Measured, strategy: &Strategy) -> Option<ExclusionReason> {
    let (filters, summary, counts) = (&strategy.filters, &known.summary, &known.counts);
    if !known.is_complete {
        return Some(ExclusionReason::Incomplete { evaluation: known.evaluation.clone() });
    }
    if summary.completion_rate.is_none() {
        return Some(ExclusionReason::Unmeasured);
    }
    if counts.is_unsound() {
        return Some(ExclusionReason::Uncounted {
            uncounted: counts.uncounted(),
            tried: counts.counted() + counts.uncounted(),
        });
    }
    let above = |value: Option<f64>, most: f64| value.is_none_or(|value| value > most);
    if let Some(least) = filters.min_completion_rate
        && summary.completion_rate.is_none_or(|rate| rate < least)
    {
        return Some(ExclusionReason::CompletionRate { value: summary.completion_rate, least });
    }
    if let Some(most) = filters.max_error_rate.filter(|most| above(summary.error_rate, *most)) {
        return Some(ExclusionReason::ErrorRate { value: summary.error_rate, most });
    }
    if let Some(most) = filters.max_latency_p95_ms.filter(|most| above(summary.p95_latency_ms, *most)) {
        return Some(ExclusionReason::LatencyP95 { value: summary.p95_latency_ms, most });
    }
    if let Some(types) = &filters.adapter_types
        && !of.adapter_type.is_some_and(|adapter| types.contains(&adapter))
    {
        return Some(ExclusionReason::AdapterType { value: of.adapter_type });
    }
    let missing: Vec<String> = filters.required_tags.iter().filter(|tag| !has_tag(&of.tags, tag)).cloned().collect();
    (!missing.is_empty()).then_some(ExclusionReason::Tags { missing })
}

fn score(of: &SkillSummary, by: SortKey) -> Option<f64> {
    match by {
        SortKey::CompositeScore => of.composite_score,
        SortKey::CompletionRate => of.completion_rate,
        SortKey::Latency => of.p95_latency_ms,
        SortKey::TokenCost => of.token_cost,
    }
}

/// The best first: the highest score or rate, the lowest latency or cost, unless the order says otherwise. Unknown
/// values come last either way, those that complete more first (skills that were never called have no composite
/// score); ties break by id.
fn rank(fit: &mut [(Candidate, Measured)], strategy: &Strategy) {
    let order = strategy.order.unwrap_or(match strategy.sort_by {
        SortKey::CompositeScore | SortKey::CompletionRate => SortOrder::Desc,
        SortKey::Latency | SortKey::TokenCost => SortOrder::Asc,
    });
    let rate = |of: &Measured| of.summary.completion_rate.unwrap_or(-1.0);
    fit.sort_by(|(a, of_a), (b, of_b)| {
        let scores = (score(&of_a.summary, strategy.sort_by), score(&of_b.summary, strategy.sort_by));
        let by_score = match (scores, order) {
            ((Some(a), Some(b)), SortOrder::Asc) => a.total_cmp(&b),
            ((Some(a), Some(b)), SortOrder::Desc) => b.total_cmp(&a),
            ((None, None), _) => rate(of_b).total_cmp(&rate(of_a)),
            ((a, b), _) => b.is_some().cmp(&a.is_some()),
        };
        by_score.then_with(|| a.id.cmp(&b.id))
    });
}
