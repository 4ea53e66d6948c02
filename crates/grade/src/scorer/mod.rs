//! Scorers: what a callable skill returned, against what a benchmark's task expects.
//!
//! One file and one line of [`compile`] make a scorer. Everything that is wrong with a task's scorer is found when
//! [`Scoring`] is made, before anything runs. A scorer has limits of time and memory and never panics; what it can't
//! tell is unscored, neither pass nor fail.
//!
//! The result that most scorers look at is found in [`result`]; `json_schema`, `custom` and `llm_judge` see the whole
//! output.

mod contains;
mod custom;
mod exact;
mod gaia;
mod json_schema;
mod llm_judge;
mod output_schema;
mod quality;
mod regex;
mod result;
mod scored;
mod setup;
pub(crate) mod shown;
mod tool_calls;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use eval_message::msg;
use eval_spec::callable::{CallableSkill, Scorer, ScorerType, Task};
use eval_spec::{BoxFuture, Cell, Check, Diagnostic, Diagnostics, Grade, Grader, Judged, Layer, Output};

use crate::finding::CheckFinding;
use crate::json::{self, JsonReading};
use crate::judge::{Judge, Panel};
use crate::pattern::PatternProblem;
use crate::scorer::scored::{CompiledScorer, How, ScoredOutput, ScorerScope};
use crate::scorer::setup::ScoredSkill;
use crate::script::LoadedScripts;

pub use output_schema::{OutputSchema, check_inputs};
pub use setup::ScoringSetup;

/// Longer outputs are scored on a thread that may block.
const LONG: usize = 256 << 10;

/// Scores what skills answer to tasks: a cell's sample is the task's index, its subject the skill's.
///
/// A grade holds one check whose `kind` is the scorer's name ([`ScorerType::name`]): outcome, `score` where there is
/// more to tell than pass or fail, and a `message` that says why, whichever way it went. For a skill with an
/// `outputSchema` a second check of kind [`OUTPUT_SCHEMA_CHECK`](eval_spec::callable::OUTPUT_SCHEMA_CHECK) and weight 0
/// follows: `actual` lists the mismatches as texts. [`score_check`](eval_spec::callable::score_check) and
/// [`schema_mismatches`](eval_spec::callable::schema_mismatches) read both back.
pub struct Scoring {
    tasks: Vec<Arc<CompiledTask>>,
    skills: Vec<Arc<ScoredSkill>>,
    panel: Option<Panel>,
    script_hashes: BTreeMap<PathBuf, String>,
}

impl Scoring {
    /// Compiles schemas, patterns and scripts of all tasks; scripts are read and their top level run.
    ///
    /// # Errors
    /// Everything that is wrong with them, in the order of the tasks, at the task it is wrong in.
    pub fn new(tasks: &[Task], skills: &[CallableSkill], setup: ScoringSetup) -> Result<Scoring, Diagnostics> {
        let scope = ScorerScope { setup: &setup, scripts: LoadedScripts::default() };
        let (mut compiled, mut problems) = (Vec::with_capacity(tasks.len()), Vec::new());
        for task in tasks {
            match compile(task, &scope) {
                Ok(scored) => compiled.push(Arc::new(CompiledTask { kind: task.scorer.kind(), scored })),
                Err(PatternProblem { message, help }) => {
                    problems.push(Diagnostic { help, ..Diagnostic::error(message, task.place.clone()) });
                }
            }
        }
        if !problems.is_empty() {
            return Err(Diagnostics(problems));
        }
        let script_hashes = scope.scripts.into_scripts().flat_map(|(file, script)| {
            let folder = file.parent().map(PathBuf::from).unwrap_or_default();
            script.hashes().into_iter().map(move |(name, hash)| (folder.join(name), hash))
        });
        Ok(Scoring {
            tasks: compiled,
            skills: skills.iter().map(|skill| Arc::new(ScoredSkill::new(skill))).collect(),
            script_hashes: script_hashes.collect(),
            panel: setup.judge.map(|judge| panel(judge, setup.judge_timeout)),
        })
    }

    /// The SHA-256 of every file that `custom` scorers run, imports included: an evaluation that is resumed after one
    /// of them changed must score anew.
    #[must_use]
    pub fn script_hashes(&self) -> &BTreeMap<PathBuf, String> {
        &self.script_hashes
    }

    async fn score(&self, cell: &Cell, output: &Output) -> Grade {
        let (Some(task), Some(skill)) = (self.tasks.get(cell.sample), self.skills.get(cell.subject)) else {
            return Grade::default();
        };
        let judged = match (&task.scored.how, &self.panel) {
            (How::Judge(question), Some(panel)) => llm_judge::ask(panel, question, cell, &output.text).await,
            _ => None,
        };
        match tokio::runtime::Handle::try_current() {
            Ok(runtime) if task.scored.slow || output.text.len() > LONG => {
                let (job, subject, text) = (Arc::clone(task), Arc::clone(skill), output.text.clone());
                let graded = runtime.spawn_blocking(move || grade(&job, &subject, &text, judged)).await;
                graded.unwrap_or_else(|_| task.alone(broke(task.kind)))
            }
            _ => grade(task, skill, &output.text, judged),
        }
    }
}

impl Grader for Scoring {
    /// Scores at once where that takes microseconds, else on a thread that may block.
    fn grade<'a>(&'a self, cell: &'a Cell, output: &'a Output) -> BoxFuture<'a, Grade> {
        Box::pin(self.score(cell, output))
    }
}

struct CompiledTask {
    kind: ScorerType,
    scored: CompiledScorer,
}

impl CompiledTask {
    fn alone(&self, finding: CheckFinding) -> Grade {
        Grade { checks: vec![self.check(finding)] }
    }

    fn check(&self, finding: CheckFinding) -> Check {
        let layer = match self.kind {
            ScorerType::LlmJudge => Layer::Judge,
            ScorerType::SkillQuality => Layer::Behavior,
            _ => Layer::Fact,
        };
        finding.check(self.kind.name(), layer, 1.0)
    }
}

/// The table of all scorers.
fn compile(task: &Task, scope: &ScorerScope<'_>) -> Result<CompiledScorer, PatternProblem> {
    let compiled = match &task.scorer {
        Scorer::Exact { value, case_sensitive } => Ok(exact::compile(value, *case_sensitive)),
        Scorer::Contains { keywords, case_sensitive } => contains::compile(keywords, *case_sensitive),
        Scorer::JsonSchema { schema } => json_schema::compile(schema),
        Scorer::Regex { patterns, flags } => return regex::compile(patterns, flags, scope),
        Scorer::Custom { path } => custom::compile(path, task, scope),
        Scorer::LlmJudge { rubric } => llm_judge::compile(rubric, task, scope),
        Scorer::SkillQuality { check } => Ok(quality::compile(*check)),
        Scorer::Gaia { answer } => gaia::compile(answer),
        Scorer::ToolCalls { calls, any_order } => tool_calls::compile(calls, *any_order),
    };
    compiled.map_err(|message| PatternProblem { message, help: None })
}

fn grade(task: &CompiledTask, skill: &ScoredSkill, text: &str, judged: Option<Judged>) -> Grade {
    let guarded =
        |score: &dyn Fn() -> CheckFinding| catch_unwind(AssertUnwindSafe(score)).unwrap_or_else(|_| broke(task.kind));
    if let How::Files(look) = &task.scored.how {
        return task.alone(guarded(&|| look(&skill.skill)));
    }
    let output = match json::exactly(text) {
        JsonReading::Value(output) => output,
        JsonReading::Invalid(error) => {
            return task.alone(CheckFinding::unscored(msg!("skills-grade-not-json", error = error)));
        }
        JsonReading::Unreadable(error) => {
            return task.alone(CheckFinding::unscored(msg!("skills-grade-unreadable", error = error)));
        }
    };
    let seen = ScoredOutput { output: &output, json: text, skill };
    let finding = match &task.scored.how {
        How::Answer(score) => guarded(&|| score(&seen)),
        How::Judge(_) => llm_judge::finding(judged),
        How::Files(_) => return Grade::default(),
    };
    let beside = skill.output_schema.as_ref().map(|schema| output_schema::check(schema, &seen.with_numbers()));
    Grade { checks: [task.check(finding)].into_iter().chain(beside).collect() }
}

/// The finding of a scorer that panicked.
fn broke(kind: ScorerType) -> CheckFinding {
    CheckFinding::unscored(msg!("grade-check-broke", kind = kind.name()))
}

fn panel(judge: Judge, timeout: Duration) -> Panel {
    Panel { judges: vec![judge], repeat: 1, debias_length: true, timeout }
}
