//! What was asked for: flags over configuration over defaults, and as the journal keeps it.

use std::path::{Path, PathBuf};

use eval_cli::Failure;
use eval_exec::ExecutorKind;
use eval_load as load;
use eval_message::msg;
use eval_render::agent_skills::Configuration;
use eval_spec::Context;
use eval_spec::callable::SkillsConfig;
use eval_spec::suite::{Settings, VariantRef};
use serde::{Deserialize, Serialize};

use crate::cli::{EvalsArgs, Global};

/// Runs of each eval and configuration when nobody says how many.
const RUNS: u32 = 3;
/// How long one answer may take.
const TIMEOUT_MS: u64 = 600_000;

/// Everything that a run of evals is asked for. Paths are absolute.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Ask {
    /// The skill's directory.
    pub(crate) skill: PathBuf,
    pub(crate) executor: String,
    /// Empty means the executor's default.
    pub(crate) model: String,
    pub(crate) judge_executor: Option<String>,
    pub(crate) judge_model: Option<String>,
    pub(crate) runs: u32,
    pub(crate) concurrency: usize,
    pub(crate) timeout_ms: u64,
    pub(crate) budget_usd: Option<f64>,
    pub(crate) seed: Option<u64>,
    /// The workspace at first; the iteration's own folder once there is one.
    pub(crate) folder: PathBuf,
}

impl Ask {
    /// What the flags ask for.
    pub(crate) fn new(context: &Context, global: &Global, arguments: &EvalsArgs) -> Result<Ask, Failure> {
        let config = load::skills_config(context, global.config.as_deref())?.value;
        let configured = SkillsConfig::default().over(config).resolve(&context.cwd);
        let skill = directory(context, arguments.skill.as_deref().unwrap_or(Path::new(".")))?;
        let named = arguments.executor.clone();
        // A model belongs to its executor.
        let model = arguments.model.clone().or_else(|| configured.llm.model.clone().filter(|_| named.is_none()));
        Ok(Ask {
            folder: match &arguments.output_dir {
                Some(given) => context.absolute(given),
                None => workspace(context, &skill)?,
            },
            executor: named.or(configured.llm.executor).unwrap_or_else(|| Settings::default().executor),
            model: model.unwrap_or_default(),
            judge_executor: arguments.judge_executor.clone(),
            judge_model: arguments.judge_model.clone(),
            runs: arguments.runs.unwrap_or(RUNS),
            concurrency: arguments.concurrency.map_or(configured.concurrency, |n| usize::try_from(n).unwrap_or(1)),
            timeout_ms: arguments.timeout.unwrap_or(TIMEOUT_MS),
            budget_usd: arguments.budget_usd,
            seed: arguments.seed.or(configured.seed),
            skill,
        })
    }

    /// The same as settings of a run of omk.
    pub(crate) fn settings(&self, context: &Context) -> Settings {
        let variant = |artifact: String, of: Configuration| VariantRef {
            name: Some(of.name().to_owned()),
            ..VariantRef::new(artifact)
        };
        let skill = self.skill.join("SKILL.md").display().to_string();
        let is_replay = eval_exec::kind(&self.executor) == ExecutorKind::Recordings;
        Settings {
            samples: self.evals_file(),
            skill_dir: self.skill.clone(),
            control: Some(variant("baseline".to_owned(), Configuration::WithoutSkill)),
            treatments: vec![variant(skill, Configuration::WithSkill)],
            executor: self.executor.clone(),
            model: self.model.clone(),
            recordings: is_replay.then(|| context.cwd.join("recordings")),
            judge_executor: self.judge_executor.clone(),
            judge_models: self.judge_model.iter().cloned().collect(),
            concurrency: self.concurrency,
            repeat: self.runs,
            timeout_ms: self.timeout_ms,
            budget_usd: self.budget_usd,
            seed: self.seed,
            output_dir: Some(self.folder.clone()),
            // Every run is a new observation, and the exit code tells of the harness only.
            cache: false,
            report_only: true,
            ..Settings::default()
        }
    }

    /// Where the evals stand.
    pub(crate) fn evals_file(&self) -> PathBuf {
        self.skill.join("evals").join("evals.json")
    }
}

/// The skill's directory, whatever it was named by.
fn directory(context: &Context, given: &Path) -> Result<PathBuf, Failure> {
    let path = context.absolute(given);
    let is_file = path.file_name().is_some_and(|name| name == "SKILL.md") && path.is_file();
    let path = if is_file { path.parent().map(Path::to_owned).unwrap_or_default() } else { path };
    if !path.join("SKILL.md").is_file() {
        let message = msg!("skills-evals-no-skill", path = context.display(&path));
        return Err(Failure::usage(message, msg!("skills-evals-no-skill-help")));
    }
    let shown = context.display(&path);
    path.canonicalize().map_err(Failure::io(msg!("cli-cwd", path = shown)))
}

/// `DIR-workspace` beside the skill.
fn workspace(context: &Context, skill: &Path) -> Result<PathBuf, Failure> {
    match (skill.parent(), skill.file_name()) {
        (Some(parent), Some(name)) => {
            let mut name = name.to_owned();
            name.push("-workspace");
            Ok(parent.join(name))
        }
        _ => Err(Failure::usage(msg!("skills-evals-no-place", path = context.display(skill)), None)),
    }
}
