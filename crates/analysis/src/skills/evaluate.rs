//! Task results of all skills → the evaluation that is stored.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Duration;

use eval_format::skills::{
    BenchmarkMeta, EvaluationSettings, EvaluationStatus, Gate, GateReason, SKILL_RESULT_KIND, SKILL_RESULT_VERSION,
    SkillCompletionReport, SkillEvaluation, TaskResult, TaskStatus,
};
use eval_message::{Lang, Message, msg};
use eval_spec::callable::{Benchmark, CallableSkill, McpServerInfo, Task};
use eval_spec::record::{Executed, Record};

use super::summary::{Design, Summarised, summarised};
use super::task::task_result;

/// The metadata of an evaluation.
#[derive(Clone, Debug)]
pub struct EvaluationInputs<'a> {
    /// Its id, from [`evaluation_id`](eval_format::evaluation_id).
    pub id: String,
    /// The version of the program.
    pub tool_version: String,
    /// RFC 3339.
    pub started_at: String,
    /// RFC 3339.
    pub finished_at: String,
    /// Whether everything planned was run.
    pub status: EvaluationStatus,
    /// Why not, in a sentence.
    pub incomplete_reason: Option<String>,
    /// With what settings.
    pub settings: EvaluationSettings,
    /// On what.
    pub benchmark: &'a Benchmark,
    /// The benchmark's file as it was named, or `built-in`.
    pub benchmark_source: String,
    /// The gate's threshold, if there is a gate.
    pub min_completion: Option<f64>,
    /// The language of the notes that are added.
    pub lang: Lang,
}

/// One skill and its results so far.
#[derive(Clone, Debug)]
pub struct SkillResults<'a> {
    /// The skill.
    pub skill: &'a CallableSkill,
    /// Its `skill.json`, as it was named.
    pub path: String,
    /// The requested restrictions that could not be enforced.
    pub not_enforced: Vec<String>,
    /// The hashes of the single files in its folder.
    pub files: BTreeMap<String, Option<String>>,
    /// The hash of the programs that it is run by, where they are known.
    pub program_hash: Option<String>,
    /// The restrictions enforced in every call so far; `None` before the first.
    enforced: Option<BTreeSet<String>>,
    servers: BTreeSet<McpServerInfo>,
    results: Vec<TaskResult>,
}

impl<'a> SkillResults<'a> {
    /// A skill without results.
    #[must_use]
    pub fn new(skill: &'a CallableSkill, path: String, not_enforced: Vec<String>) -> SkillResults<'a> {
        SkillResults {
            skill,
            path,
            not_enforced,
            files: BTreeMap::new(),
            program_hash: None,
            enforced: None,
            servers: BTreeSet::new(),
            results: Vec::new(),
        }
    }

    /// Adds a record, and returns its result. Arguments as of [`task_result`].
    pub fn add(&mut self, task: &Task, record: &Record, timeout: Duration, lang: Lang) -> &TaskResult {
        let output = match &record.execution.result {
            Executed::Output(output) => Some(&**output),
            Executed::Failed(error) => error.partial.as_deref(),
        };
        if let Some(run) = output.and_then(|output| output.skill.as_deref()) {
            self.servers.extend(run.server.clone());
            let now: BTreeSet<String> = run.enforced.iter().cloned().collect();
            self.enforced = Some(match self.enforced.take() {
                Some(before) => before.intersection(&now).cloned().collect(),
                None => now,
            });
        }
        self.push(task_result(self.skill, task, record, timeout, lang))
    }

    /// Adds a known result, such as one from the store.
    pub fn push(&mut self, result: TaskResult) -> &TaskResult {
        let at = self.results.len();
        self.results.push(result);
        &self.results[at]
    }
}

/// The evaluation with all its numbers. A gate without a counted result fails.
#[must_use]
pub fn evaluate(inputs: EvaluationInputs<'_>, skills: Vec<SkillResults<'_>>) -> SkillEvaluation {
    let skills: Vec<_> = skills.into_iter().map(|of| report(&inputs, of)).collect();
    let gate = inputs.min_completion.map(|least| gate(&skills, inputs.status, least));
    let notes = skills
        .iter()
        .flat_map(|skill| [uncounted_note(skill), uncalled_note(skill), servers_note(skill), schema_note(skill)])
        .flatten();
    let notes = notes.map(|note| note.text(inputs.lang)).collect();
    with_soundness(SkillEvaluation {
        kind: SKILL_RESULT_KIND.to_owned(),
        schema_version: SKILL_RESULT_VERSION,
        id: inputs.id,
        tool_version: inputs.tool_version,
        started_at: inputs.started_at,
        finished_at: inputs.finished_at,
        status: inputs.status,
        incomplete_reason: inputs.incomplete_reason,
        settings: inputs.settings,
        benchmark: meta(inputs.benchmark, inputs.benchmark_source),
        unsound: false,
        skills,
        gate,
        notes,
    })
}

/// The evaluation with `unsound` as its numbers say.
pub(crate) fn with_soundness(of: SkillEvaluation) -> SkillEvaluation {
    SkillEvaluation { unsound: of.is_unsound(), ..of }
}

/// The gate recomputed from the numbers, where there is one.
pub(crate) fn gate_again(of: &SkillEvaluation) -> Option<Gate> {
    of.gate.as_ref().map(|was| gate(&of.skills, of.status, was.min_completion))
}

/// The metadata of a benchmark in a result.
#[must_use]
pub fn meta(of: &Benchmark, source: String) -> BenchmarkMeta {
    BenchmarkMeta {
        id: of.id.clone(),
        name: of.name.clone(),
        version: of.version.clone(),
        domain: of.domain.clone(),
        source,
        hash: of.hash.clone(),
        tasks: of.tasks.len(),
        scoring_method: of.scoring_method,
        max_latency_ms: limit_ms(of),
    }
}

fn limit_ms(of: &Benchmark) -> u64 {
    u64::try_from(of.max_latency.as_millis()).unwrap_or(u64::MAX)
}

fn report(inputs: &EvaluationInputs<'_>, of: SkillResults<'_>) -> SkillCompletionReport {
    let SkillResults { skill, path, not_enforced, files, program_hash, enforced, servers, mut results } = of;
    let places: HashMap<&str, usize> =
        inputs.benchmark.tasks.iter().enumerate().map(|(place, task)| (&*task.id, place)).collect();
    results.sort_by_key(|of| (places.get(of.task_id.as_str()).copied().unwrap_or(usize::MAX), of.run));
    let design = Design {
        tasks: inputs.benchmark.tasks.len(),
        runs: inputs.settings.runs,
        limit_ms: limit_ms(inputs.benchmark),
        method: inputs.benchmark.scoring_method,
        has_schema: skill.output_schema.is_some(),
        seed: Some(inputs.settings.seed),
    };
    let Summarised { summary, counts, runs, tag_results } = summarised(&results, &design);
    SkillCompletionReport {
        skill_id: skill.id.to_string(),
        skill_name: skill.name.clone(),
        skill_version: skill.version.clone(),
        description: skill.description.clone(),
        tags: skill.tags.clone(),
        adapter_type: skill.adapter,
        path,
        skill_hash: skill.hash.to_string(),
        files,
        servers: servers.into_iter().collect(),
        program_hash,
        summary,
        counts,
        runs,
        tag_results,
        enforced: enforced.into_iter().flatten().collect(),
        not_enforced,
        task_results: results,
    }
}

fn gate(skills: &[SkillCompletionReport], status: EvaluationStatus, least: f64) -> Gate {
    let why = |of: &SkillCompletionReport| match of.summary.completion_rate {
        _ if of.counts.is_unsound() => Some(GateReason::Uncounted),
        Some(rate) if rate < least => Some(GateReason::Below),
        None => Some(GateReason::Unknown),
        Some(_) if status == EvaluationStatus::Interrupted => Some(GateReason::Incomplete),
        Some(_) => None,
    };
    let failing = skills.iter().filter_map(|of| Some((of.skill_id.clone(), why(of)?)));
    let (failing, reasons): (Vec<String>, Vec<GateReason>) = failing.unzip();
    Gate { min_completion: least, passed: failing.is_empty() && !skills.is_empty(), failing, reasons }
}

fn uncounted_note(of: &SkillCompletionReport) -> Option<Message> {
    let why = |status| of.task_results.iter().filter(move |result| result.status == status);
    let first = why(TaskStatus::HarnessError).chain(why(TaskStatus::Unscored)).next()?;
    let reason = first.error.as_ref().or(first.reason.as_ref()).map_or("", String::as_str);
    Some(msg!(
        "skills-report-note-uncounted",
        skill = &of.skill_id,
        count = of.counts.uncounted(),
        reason = eval_message::plain::clip(reason, 160)
    ))
}

/// That one skill was answered by several versions of a server.
fn servers_note(of: &SkillCompletionReport) -> Option<Message> {
    let names = || of.servers.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    (of.servers.len() > 1).then(|| msg!("skills-report-note-servers", skill = &of.skill_id, servers = names()))
}

/// Says how many outputs of a skill don't match its schema, and how the first of them doesn't.
fn schema_note(skill: &SkillCompletionReport) -> Option<Message> {
    let mismatches = skill.task_results.iter().filter(|result| !result.schema_mismatches.is_empty());
    let first = mismatches.clone().next()?;
    Some(msg!(
        "skills-report-note-schema",
        skill = &skill.skill_id,
        count = mismatches.count(),
        task = &first.task_id,
        why = eval_message::plain::clip(&first.schema_mismatches[0], 160)
    ))
}

/// Why there is no composite score, where there is a completion rate.
fn uncalled_note(of: &SkillCompletionReport) -> Option<Message> {
    let is_uncalled = of.summary.completion_rate.is_some() && of.summary.composite_score.is_none();
    is_uncalled.then(|| msg!("skills-report-note-uncalled", skill = &of.skill_id))
}
