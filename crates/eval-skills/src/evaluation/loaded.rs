//! The inputs of an evaluation, read and checked before anything runs.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use eval_callable::{SkillHost, SkillSetup};
use eval_cli::driver::journal::seed_of;
use eval_cli::judges::{Seat, only_seat};
use eval_cli::prices::prices;
use eval_cli::{CommandError, Terminal};
use eval_exec::{Build, BuildError};
use eval_grade::Judge;
use eval_grade::scorer::{Scoring, ScoringSetup, check_inputs};
use eval_load as load;
use eval_message::{Message, msg};
use eval_spec::callable::{Benchmark, BenchmarkSource, CallableSkill, Scorer, Task};
use eval_spec::hash::{canonical_json, sha256_hex};
use eval_spec::plan::Plan;
use eval_spec::source::DiagnosticSeverity;
use eval_spec::suite::Settings;
use eval_spec::{Call, Cell, CellKey, Context, Diagnostic, Diagnostics, Executor};
use serde_json::{Value, json};

use super::Ask;
use super::chosen_tasks::choose;
use super::files_only::{is_scored_by_files, spare, uncalled};

/// The name of the programs' hashes in a journal's header.
pub(super) const PROGRAMS: &str = "programs";

/// The time limit of a request to a judge, in addition to that of the task.
const JUDGE_TIMEOUT: Duration = Duration::from_secs(120);

/// Hexadecimal digits of the default seed: at most 2^52, which every JSON parser reads exactly.
const SEED_DIGITS: usize = 13;

pub(crate) struct LoadedEvaluation {
    pub(crate) ask: Ask,
    pub(crate) skills: Vec<CallableSkill>,
    pub(crate) benchmark: Benchmark,
    /// What part of the benchmark was chosen, unless it is the whole.
    pub(crate) part: Option<Message>,
    /// `built-in`, or the benchmark's file as people see it.
    pub(crate) benchmark_source: String,
    pub(crate) judge: Option<Seat>,
    pub(crate) plan: Plan,
    pub(crate) seed: u64,
    script_hashes: Value,
    /// The hashes of programs that skills are run by, by skill, as far as they are known.
    program_hashes: BTreeMap<Arc<str>, String>,
    /// The hashes of the files in the folders of skills, by skill.
    files: BTreeMap<Arc<str>, BTreeMap<String, Option<String>>>,
    inputs: Vec<Arc<str>>,
    /// The indices of skills and tasks by id.
    at: (HashMap<Arc<str>, usize>, HashMap<Arc<str>, usize>),
}

impl LoadedEvaluation {
    /// Reads skills and benchmark, and compiles the scorers.
    pub(crate) fn load(context: &Context, terminal: &Terminal, ask: Ask) -> Result<LoadedEvaluation, CommandError> {
        let skills = terminal.loaded(load::callable_skills(context, &ask.skills)?);
        let benchmarks = ask.benchmarks_dir.as_deref();
        let mut benchmark = terminal.loaded(match &ask.tasks {
            Some(file) => load::tasks_file(context, file, ask.evaluator)?,
            None => load::benchmark(context, &ask.benchmark, benchmarks, ask.evaluator)?,
        });
        let part = choose(&ask, &mut benchmark)?;
        let skills = ready(context, terminal, &ask, skills, &benchmark)?;
        let inputs = Diagnostics(check_inputs(&benchmark.tasks, &skills));
        if inputs.has_errors() {
            return Err(inputs.into());
        }
        terminal.diagnostics(&inputs.0);
        let judge = match benchmark.tasks.iter().any(is_judged) {
            true => Some(seat(context, &ask)?),
            false => None,
        };
        let scoring = Scoring::new(&benchmark.tasks, &skills, scoring_setup(judge.as_ref().map(plain)))?;
        benchmark.hash = with_scripts(&benchmark.hash, scoring.script_hashes());
        let scripts: serde_json::Map<String, Value> =
            scoring.script_hashes().iter().map(|(path, hash)| (context.display(path), json!(hash))).collect();
        let benchmark_source = match &benchmark.source {
            BenchmarkSource::BuiltIn => "built-in".to_owned(),
            BenchmarkSource::File(path) => context.display(path),
        };
        let inputs: Vec<Arc<str>> = benchmark.tasks.iter().map(|task| task.input.to_string().into()).collect();
        let seed = ask.seed.unwrap_or_else(|| self::seed(&skills, &benchmark));
        let at = (
            skills.iter().enumerate().map(|(at, skill)| (Arc::clone(&skill.id), at)).collect(),
            benchmark.tasks.iter().enumerate().map(|(at, task)| (Arc::clone(&task.id), at)).collect(),
        );
        let files = skills.iter().map(|skill| (Arc::clone(&skill.id), load::skill_files(&skill.directory))).collect();
        let mut loaded = LoadedEvaluation {
            at,
            files,
            plan: Plan::default(),
            script_hashes: Value::Object(scripts),
            program_hashes: BTreeMap::new(),
            ask,
            skills,
            benchmark,
            part,
            benchmark_source,
            judge,
            seed,
            inputs,
        };
        loaded.plan = loaded.make_plan();
        loaded.program_hashes = match loaded.is_only_files() {
            true => loaded.skills.iter().map(|skill| (Arc::clone(&skill.id), programs_hash(&[]))).collect(),
            false => program_hashes(&loaded.skills, &setup(context, &loaded.ask)),
        };
        Ok(loaded)
    }

    fn make_plan(&self) -> Plan {
        let tasks: Vec<Arc<str>> = self.benchmark.tasks.iter().map(|task| Arc::clone(&task.id)).collect();
        let skills: Vec<Arc<str>> = self.skills.iter().map(|skill| Arc::clone(&skill.id)).collect();
        let order = eval_run::order(tasks.len(), skills.len(), self.ask.runs, self.seed);
        let fingerprint = |task: usize, skill: usize, run: u32| -> Arc<str> {
            let parts = json!([self.skills[skill].hash, &*self.inputs[task], run]);
            sha256_hex(canonical_json(&parts).as_bytes()).into()
        };
        let grading = canonical_json(&json!([self.benchmark.hash, self.script_hashes, self.judge_label()]));
        eval_run::plan(&tasks, &skills, order, fingerprint, &grading)
    }

    /// Hashes by name, to say what changed when an evaluation can't be resumed.
    pub(crate) fn hashes(&self) -> Value {
        let skills: serde_json::Map<String, Value> =
            self.skills.iter().map(|skill| (skill.id.to_string(), json!(&*skill.hash))).collect();
        let none = programs_hash(&[]);
        let outside = self.program_hashes.iter().filter(|(_, hash)| **hash != none);
        let programs: serde_json::Map<String, Value> =
            outside.map(|(id, hash)| (id.to_string(), json!(hash))).collect();
        let programs = if self.is_only_files() { Value::Null } else { Value::Object(programs) };
        json!({"benchmark": self.benchmark.hash, "skills": skills, "scripts": self.script_hashes, PROGRAMS: programs})
    }

    /// The hashes of the files in a skill's folder.
    pub(super) fn files(&self, skill: &CallableSkill) -> BTreeMap<String, Option<String>> {
        self.files.get(&skill.id).cloned().unwrap_or_default()
    }

    /// The hash of the programs outside of its folder that a skill is run by; `None` where they aren't known.
    pub(super) fn program_hash(&self, skill: &CallableSkill) -> Option<String> {
        self.program_hashes.get(&skill.id).cloned()
    }

    pub(crate) fn call(&self, cell: &Cell) -> Call {
        let timeout = self.benchmark.tasks.get(cell.sample).map_or(self.timeout(), |task| self.limit_of(task));
        Call {
            key: cell.key.clone(),
            model: String::new(),
            effort: None,
            system: None,
            prompt: self.inputs.get(cell.sample).map_or_else(|| "null".into(), Arc::clone),
            cwd: None,
            cwd_fingerprint: None,
            surroundings: None,
            generation: eval_spec::call::Generation::default(),
            allowed_tools: None,
            timeout,
        }
    }

    pub(crate) fn of(&self, key: &CellKey) -> Option<(&CallableSkill, &Task)> {
        let (skills, tasks) = &self.at;
        Some((self.skills.get(*skills.get(&key.subject)?)?, self.benchmark.tasks.get(*tasks.get(&key.sample)?)?))
    }

    /// The time limit of tasks without one of their own.
    pub(crate) fn timeout(&self) -> Duration {
        Duration::from_millis(self.ask.timeout_ms)
    }

    fn limit_of(&self, task: &Task) -> Duration {
        task.timeout.unwrap_or(self.timeout())
    }

    /// One executor for each skill, in order.
    pub(crate) fn executors(
        &self,
        context: &Context,
        host: &Arc<SkillHost>,
    ) -> Result<Vec<Arc<dyn Executor>>, CommandError> {
        let texts = self.benchmark.tasks.iter().flat_map(|task| [task.input.to_string(), task.expected.to_string()]);
        let in_inputs = eval_exec::in_inputs(context, texts.map(Cow::Owned));
        let context = &Context { in_inputs, ..context.clone() };
        let setup = setup(context, &self.ask);
        if self.is_only_files() {
            return Ok(self.skills.iter().map(uncalled).collect());
        }
        let built = |skill: &CallableSkill| match eval_callable::build(skill, host, &setup) {
            Ok(executor) => Ok(spare(executor, &self.benchmark.tasks)),
            // Not `CommandError::Executor`, which would list the executors of models.
            Err(error) => Err(CommandError::usage(error.message().clone(), error.help().first().cloned())),
        };
        self.skills.iter().map(built).collect()
    }

    /// The scorers, with `judge` for the tasks that need one.
    pub(crate) fn scoring(&self, judge: Option<Judge>) -> Result<Scoring, CommandError> {
        Ok(Scoring::new(&self.benchmark.tasks, &self.skills, scoring_setup(judge))?)
    }

    pub(crate) fn judge_label(&self) -> Option<&str> {
        self.judge.as_ref().map(|seat| seat.label.as_str())
    }

    /// Whether all tasks are scored by files, so that no skill is started.
    pub(crate) fn is_only_files(&self) -> bool {
        only_files(&self.benchmark)
    }
}

fn only_files(benchmark: &Benchmark) -> bool {
    benchmark.tasks.iter().all(is_scored_by_files)
}

pub(super) fn setup<'a>(context: &'a Context, ask: &'a Ask) -> SkillSetup<'a> {
    SkillSetup { context, langchain: ask.langchain.as_deref(), custom: ask.custom.as_deref() }
}

/// The skills that can be called here; the others are an error, or left out with a warning if the request says so.
fn ready(
    context: &Context,
    terminal: &Terminal,
    ask: &Ask,
    skills: Vec<CallableSkill>,
    benchmark: &Benchmark,
) -> Result<Vec<CallableSkill>, CommandError> {
    // A skill that is never called needs neither its program nor its token.
    if only_files(benchmark) {
        return Ok(skills);
    }
    let (mut ready, mut problems) = (Vec::new(), Vec::new());
    for skill in skills {
        match eval_callable::check(&skill, &setup(context, ask)) {
            Ok(()) => ready.push(skill),
            Err(error) => problems.push(unready(context, &skill, &error)),
        }
    }
    if !problems.is_empty() && (ready.is_empty() || !ask.leaves_out) {
        return Err(Diagnostics(problems).into());
    }
    let left_out = |problem: Diagnostic| Diagnostic { severity: DiagnosticSeverity::Warning, ..problem };
    terminal.diagnostics(&problems.into_iter().map(left_out).collect::<Vec<_>>());
    Ok(ready)
}

fn unready(context: &Context, skill: &CallableSkill, error: &BuildError) -> Diagnostic {
    let where_it_is = || msg!("skills-cli-unready-help", path = context.display(&skill.file));
    let help = error.help().first().cloned().unwrap_or_else(where_it_is);
    Diagnostic::error(error.message().clone(), None).help(help)
}

/// The judge outside of a run, to compile the scorers that need one.
fn plain(seat: &Seat) -> Judge {
    Judge { label: seat.label.clone(), executor: Arc::clone(&seat.executor), model: seat.model.clone(), cwd: None }
}

fn is_judged(task: &Task) -> bool {
    matches!(task.scorer, Scorer::LlmJudge { .. })
}

fn scoring_setup(judge: Option<Judge>) -> ScoringSetup {
    ScoringSetup { judge, judge_timeout: JUDGE_TIMEOUT, ..ScoringSetup::default() }
}

/// Hashes, by skill, the programs outside of its directory that run it, where all can be read; reads each file once.
fn program_hashes(skills: &[CallableSkill], setup: &SkillSetup<'_>) -> BTreeMap<Arc<str>, String> {
    let mut by_path: HashMap<PathBuf, Option<String>> = HashMap::new();
    let mut hashes = BTreeMap::new();
    for skill in skills {
        let hash = |file: PathBuf| by_path.entry(file.clone()).or_insert_with(|| load::file_hash(&file)).clone();
        let files = eval_callable::programs(skill, setup);
        let files: Option<Vec<String>> = files.and_then(|files| files.into_iter().map(hash).collect());
        hashes.extend(files.map(|files| (Arc::clone(&skill.id), programs_hash(&files))));
    }
    hashes
}

/// The hash of the programs with these hashes.
fn programs_hash(files: &[String]) -> String {
    sha256_hex(files.join(" ").as_bytes())
}

/// The hash of a benchmark with the scripts that its scorers load.
fn with_scripts<'a>(hash: &str, scripts: impl IntoIterator<Item = (&'a std::path::PathBuf, &'a String)>) -> String {
    let mut hashes: Vec<&str> = scripts.into_iter().map(|(_, hash)| hash.as_str()).collect();
    hashes.sort_unstable();
    match hashes.is_empty() {
        true => hash.to_owned(),
        false => sha256_hex(canonical_json(&json!([hash, hashes])).as_bytes()),
    }
}

/// A seed made of skills and benchmark: the same evaluation draws the same numbers.
fn seed(skills: &[CallableSkill], benchmark: &Benchmark) -> u64 {
    let names: Vec<&str> = skills.iter().map(|skill| &*skill.id).collect();
    seed_of(&canonical_json(&json!([names, benchmark.hash])), SEED_DIGITS)
}

fn seat(context: &Context, ask: &Ask) -> Result<Seat, CommandError> {
    let by_model = || Some(eval_exec::for_model(ask.judge_model.as_deref()?)?.name.to_owned());
    let no_judge = || CommandError::usage(msg!("skills-cli-no-judge"), msg!("skills-cli-no-judge-help"));
    let name = ask.judge_executor.clone().or_else(by_model).ok_or_else(no_judge)?;
    let judge_models = ask.judge_model.iter().filter(|model| !model.is_empty()).cloned().collect();
    let settings = Settings { judge_executor: Some(name), judge_models, ..Settings::default() };
    let build = Build { context, settings: &settings, prices: Arc::new(prices(context)?) };
    let seat = only_seat(&settings, &build)?.ok_or_else(no_judge)?;
    Ok(Seat { executor: super::temperature::at(seat.executor, ask.judge_temperature), ..seat })
}
