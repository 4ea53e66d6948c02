//! The configuration of `eval-skills`: flags > the project's file > the user's file > defaults, merged key by key.
//!
//! One table says which keys there are, what they hold and where they go; reading, writing, merging, listing and
//! "did you mean" use it.

use eval_message::{MessageKey, key};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;

use super::{DEFAULT_TIMEOUT, ScorerType};
use crate::context::Context;
use crate::source::Place;

/// A value and where it comes from.
#[derive(Clone, Debug)]
pub struct Sourced<T> {
    /// The value.
    pub value: T,
    /// Where it comes from.
    pub source: ConfigSource,
}

/// Where a value of the configuration comes from.
#[derive(Clone, Debug)]
pub enum ConfigSource {
    /// A flag of this call.
    Flag,
    /// A file.
    File {
        /// The file, absolute.
        path: PathBuf,
        /// The value's place in the file.
        place: Place,
    },
    /// Not configured: the default.
    Default,
}

/// A value that may not have been given.
pub type Setting<T> = Option<Sourced<T>>;

/// The values given by flags or files, without defaults.
#[derive(Clone, Debug, Default)]
pub struct SkillsConfig {
    /// `concurrency`: tasks at once.
    pub concurrency: Setting<u64>,
    /// `timeoutMs`: for one attempt at a task without a limit of its own.
    pub timeout_ms: Setting<u64>,
    /// `retries`: further attempts after an error or a timeout.
    pub retries: Setting<u64>,
    /// `runs`: how often each task is run.
    pub runs: Setting<u64>,
    /// `evaluator`: the scorer of tasks that name none.
    pub evaluator: Setting<ScorerType>,
    /// `format` (also `formats`): the names of the formats that reports are written in.
    pub formats: Setting<Vec<String>>,
    /// `outputDir`: where reports go.
    pub output_dir: Setting<PathBuf>,
    /// `skillsDir`: where skills are looked for and created.
    pub skills_dir: Setting<PathBuf>,
    /// `benchmarksDir`: further benchmarks.
    pub benchmarks_dir: Setting<PathBuf>,
    /// `benchmark`: an id, or a path.
    pub benchmark: Setting<String>,
    /// `store`: the SQLite file of all results.
    pub store: Setting<PathBuf>,
    /// `minCompletion`: the gate.
    pub min_completion: Setting<f64>,
    /// `sandbox`: whether skills are confined.
    pub sandbox: Setting<bool>,
    /// `seed`: of everything drawn.
    pub seed: Setting<u64>,
    /// `llm.executor`: what judges, as in omk.
    pub llm_executor: Setting<String>,
    /// `llm.model`: the model that judges.
    pub llm_model: Setting<String>,
    /// `llm.temperature`: of the judge.
    pub llm_temperature: Setting<f64>,
    /// `adapters.langchain`: the command that speaks the subprocess protocol for `langchain` skills.
    pub langchain: Setting<Vec<String>>,
    /// `adapters.custom`: the same for `custom` skills.
    pub custom: Setting<Vec<String>>,
}

/// The resolved configuration: given values, defaults for the others.
#[derive(Clone, Debug, PartialEq)]
pub struct SkillsSettings {
    /// Tasks at once; 4.
    pub concurrency: usize,
    /// For one attempt; 30 s.
    pub timeout: Duration,
    /// Further attempts; 0.
    pub retries: u32,
    /// How often each task is run; 1.
    pub runs: u32,
    /// The scorer of tasks that name none; `exact_match`.
    pub evaluator: ScorerType,
    /// The names of the formats that reports are written in, each once; JSON and Markdown.
    pub formats: Vec<String>,
    /// Where reports go; `./reports`.
    pub output_dir: PathBuf,
    /// Where skills are; `./skills`.
    pub skills_dir: PathBuf,
    /// Further benchmarks; `./benchmarks` if that is there, and what was given even if it isn't.
    pub benchmarks_dir: Option<PathBuf>,
    /// The benchmark; `coding-easy`.
    pub benchmark: String,
    /// The SQLite file; `./eval-skills.db`.
    pub store: PathBuf,
    /// The gate; 0.7.
    pub min_completion: f64,
    /// Whether skills are confined; they are.
    pub sandbox: bool,
    /// Of everything drawn; made from skills and benchmark unless given.
    pub seed: Option<u64>,
    /// What judges.
    pub llm: LlmSettings,
    /// The command of `langchain` skills, program first.
    pub langchain: Option<Vec<String>>,
    /// The command of `custom` skills, program first.
    pub custom: Option<Vec<String>>,
}

/// The judge of `llm_judge` tasks; absent values are the executor's defaults.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LlmSettings {
    /// The executor.
    pub executor: Option<String>,
    /// The model.
    pub model: Option<String>,
    /// The temperature.
    pub temperature: Option<f64>,
}

/// One key of the configuration.
#[derive(Clone, Copy, Debug)]
pub struct ConfigKey {
    /// The key; a dot separates levels.
    pub name: &'static str,
    /// One line for people: a message key.
    pub doc: MessageKey,
    /// What it holds.
    pub shape: ConfigShape,
}

/// What a key holds, and where in [`SkillsConfig`].
#[derive(Clone, Copy, Debug)]
pub enum ConfigShape {
    /// A whole number from the first to the second bound, both included.
    Whole(u64, u64, fn(&mut SkillsConfig) -> &mut Setting<u64>),
    /// A number from the first to the second bound, both included.
    Number(f64, f64, fn(&mut SkillsConfig) -> &mut Setting<f64>),
    /// `true` or `false`.
    Flag(fn(&mut SkillsConfig) -> &mut Setting<bool>),
    /// Text that is not empty.
    Text(fn(&mut SkillsConfig) -> &mut Setting<String>),
    /// An id; or a path when it has a `/` or ends in `.json`, relative to the project's file.
    Reference(fn(&mut SkillsConfig) -> &mut Setting<String>),
    /// A path, relative to the project's file, or to the working directory in the user's file.
    Path(fn(&mut SkillsConfig) -> &mut Setting<PathBuf>),
    /// The name of a scorer.
    Scorer(fn(&mut SkillsConfig) -> &mut Setting<ScorerType>),
    /// One format or a list of them.
    Formats(fn(&mut SkillsConfig) -> &mut Setting<Vec<String>>),
    /// A program and its arguments.
    Command(fn(&mut SkillsConfig) -> &mut Setting<Vec<String>>),
}

use ConfigShape::{Command, Flag, Formats, Number, Path as PathShape, Reference, Scorer, Text, Whole};

const fn setting(name: &'static str, doc: MessageKey, shape: ConfigShape) -> ConfigKey {
    ConfigKey { name, doc, shape }
}

/// The keys, in the order of `config list`.
pub const CONFIG_KEYS: &[ConfigKey] = &[
    setting("concurrency", key!("skills-config-concurrency"), Whole(1, 10_000, |c| &mut c.concurrency)),
    setting("timeoutMs", key!("skills-config-timeout"), Whole(1, 86_400_000, |c| &mut c.timeout_ms)),
    setting("retries", key!("skills-config-retries"), Whole(0, 100, |c| &mut c.retries)),
    setting("runs", key!("skills-config-runs"), Whole(1, 1_000, |c| &mut c.runs)),
    setting("evaluator", key!("skills-config-evaluator"), Scorer(|c| &mut c.evaluator)),
    setting("format", key!("skills-config-format"), Formats(|c| &mut c.formats)),
    setting("outputDir", key!("skills-config-output-dir"), PathShape(|c| &mut c.output_dir)),
    setting("skillsDir", key!("skills-config-skills-dir"), PathShape(|c| &mut c.skills_dir)),
    setting("benchmarksDir", key!("skills-config-benchmarks-dir"), PathShape(|c| &mut c.benchmarks_dir)),
    setting("benchmark", key!("skills-config-benchmark"), Reference(|c| &mut c.benchmark)),
    setting("store", key!("skills-config-store"), PathShape(|c| &mut c.store)),
    setting("minCompletion", key!("skills-config-min-completion"), Number(0.0, 1.0, |c| &mut c.min_completion)),
    setting("sandbox", key!("skills-config-sandbox"), Flag(|c| &mut c.sandbox)),
    setting("seed", key!("skills-config-seed"), Whole(0, u64::MAX, |c| &mut c.seed)),
    setting("llm.executor", key!("skills-config-llm-executor"), Text(|c| &mut c.llm_executor)),
    setting("llm.model", key!("skills-config-llm-model"), Text(|c| &mut c.llm_model)),
    setting("llm.temperature", key!("skills-config-llm-temperature"), Number(0.0, 2.0, |c| &mut c.llm_temperature)),
    setting("adapters.langchain", key!("skills-config-langchain"), Command(|c| &mut c.langchain)),
    setting("adapters.custom", key!("skills-config-custom"), Command(|c| &mut c.custom)),
];

/// Other names of a key.
pub const ALIASES: &[(&str, &str)] = &[("formats", "format")];

impl ConfigKey {
    /// The key of a name or an alias.
    #[must_use]
    pub fn of(name: &str) -> Option<&'static ConfigKey> {
        let name = ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, name)| name);
        CONFIG_KEYS.iter().find(|key| key.name == name)
    }

    /// The value of this key: given, else its default; `null` without either.
    #[must_use]
    pub fn shown(&self, config: &SkillsConfig, context: &Context) -> Sourced<Value> {
        let mut config = config.clone();
        let given = match self.shape {
            Whole(_, _, field) => field(&mut config).take().map(|s| s.with(Value::from)),
            Number(_, _, field) => field(&mut config).take().map(|s| s.with(number)),
            Flag(field) => field(&mut config).take().map(|s| s.with(Value::from)),
            Text(field) | Reference(field) => field(&mut config).take().map(|s| s.with(Value::from)),
            PathShape(field) => field(&mut config).take().map(|s| s.with(|path| context.display(&path).into())),
            Scorer(field) => field(&mut config).take().map(|s| s.with(|scorer| scorer.name().into())),
            Formats(field) => field(&mut config).take().map(|s| s.with(Value::from)),
            Command(field) => field(&mut config).take().map(|s| s.with(Value::from)),
        };
        given.unwrap_or_else(|| Sourced { value: self.default(), source: ConfigSource::Default })
    }

    fn default(&self) -> Value {
        let settings = SkillsConfig::default().resolve(Path::new(""));
        match self.name {
            "concurrency" => settings.concurrency.into(),
            "timeoutMs" => u64::try_from(settings.timeout.as_millis()).unwrap_or(u64::MAX).into(),
            "retries" => settings.retries.into(),
            "runs" => settings.runs.into(),
            "evaluator" => settings.evaluator.name().into(),
            "format" => settings.formats.into(),
            "outputDir" => OUTPUT_DIR.into(),
            "skillsDir" => SKILLS_DIR.into(),
            "benchmarksDir" => BENCHMARKS_DIR.into(),
            "benchmark" => settings.benchmark.into(),
            "store" => STORE.into(),
            "minCompletion" => settings.min_completion.into(),
            "sandbox" => settings.sandbox.into(),
            _ => Value::Null,
        }
    }
}

/// A number as people write it: `0`, not `0.0`.
fn number(value: f64) -> Value {
    #[expect(clippy::cast_possible_truncation, reason = "only what is whole and small")]
    match value.fract() == 0.0 && value.abs() < 1e9 {
        true => Value::from(value as i64),
        false => Value::from(value),
    }
}

impl<T> Sourced<T> {
    /// A flag's value.
    pub fn flag(value: T) -> Sourced<T> {
        Sourced { value, source: ConfigSource::Flag }
    }

    fn with<U>(self, make: impl FnOnce(T) -> U) -> Sourced<U> {
        Sourced { value: make(self.value), source: self.source }
    }
}

const OUTPUT_DIR: &str = "./reports";
const SKILLS_DIR: &str = "./skills";
const BENCHMARKS_DIR: &str = "./benchmarks";
const STORE: &str = "./eval-skills.db";

impl SkillsConfig {
    /// These values, and those of `lower` where there are none.
    #[must_use]
    pub fn over(mut self, mut lower: SkillsConfig) -> SkillsConfig {
        fn fill<T>(upper: &mut Setting<T>, lower: &mut Setting<T>) {
            if upper.is_none() {
                *upper = lower.take();
            }
        }
        for key in CONFIG_KEYS {
            match key.shape {
                Whole(_, _, field) => fill(field(&mut self), field(&mut lower)),
                Number(_, _, field) => fill(field(&mut self), field(&mut lower)),
                Flag(field) => fill(field(&mut self), field(&mut lower)),
                Text(field) | Reference(field) => fill(field(&mut self), field(&mut lower)),
                PathShape(field) => fill(field(&mut self), field(&mut lower)),
                Scorer(field) => fill(field(&mut self), field(&mut lower)),
                Formats(field) => fill(field(&mut self), field(&mut lower)),
                Command(field) => fill(field(&mut self), field(&mut lower)),
            }
        }
        self
    }

    /// The values with the defaults of what wasn't given. Paths become absolute, read against `cwd`; whether the default
    /// directory of benchmarks is there is the one thing that is looked up.
    #[must_use]
    pub fn resolve(&self, cwd: &Path) -> SkillsSettings {
        let path = |setting: &Setting<PathBuf>, default: &str| {
            setting.as_ref().map_or_else(|| absolute(cwd, Path::new(default)), |s| absolute(cwd, &s.value))
        };
        let benchmarks = path(&self.benchmarks_dir, BENCHMARKS_DIR);
        SkillsSettings {
            concurrency: usize::try_from(or(&self.concurrency, 4)).unwrap_or(usize::MAX),
            timeout: self.timeout_ms.as_ref().map_or(DEFAULT_TIMEOUT, |s| Duration::from_millis(s.value)),
            retries: u32::try_from(or(&self.retries, 0)).unwrap_or(u32::MAX),
            runs: u32::try_from(or(&self.runs, 1)).unwrap_or(u32::MAX),
            evaluator: or(&self.evaluator, ScorerType::ExactMatch),
            formats: or(&self.formats, ["json", "markdown"].map(str::to_owned).into()),
            output_dir: path(&self.output_dir, OUTPUT_DIR),
            skills_dir: path(&self.skills_dir, SKILLS_DIR),
            benchmarks_dir: (self.benchmarks_dir.is_some() || benchmarks.is_dir()).then_some(benchmarks),
            benchmark: or(&self.benchmark, "coding-easy".to_owned()),
            store: path(&self.store, STORE),
            min_completion: or(&self.min_completion, 0.7),
            sandbox: or(&self.sandbox, true),
            seed: value(&self.seed),
            llm: LlmSettings {
                executor: value(&self.llm_executor),
                model: value(&self.llm_model),
                temperature: value(&self.llm_temperature),
            },
            langchain: value(&self.langchain),
            custom: value(&self.custom),
        }
    }
}

fn value<T: Clone>(setting: &Setting<T>) -> Option<T> {
    setting.as_ref().map(|setting| setting.value.clone())
}

fn or<T: Clone>(setting: &Setting<T>, default: T) -> T {
    value(setting).unwrap_or(default)
}

/// `path` against `cwd`, without the `.` that would stay in every message.
fn absolute(cwd: &Path, path: &Path) -> PathBuf {
    cwd.join(path).components().collect()
}
