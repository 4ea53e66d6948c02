//! The calls of all cells, and the working directories that can affect their answers.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use eval_cli::CommandError;
use eval_exec::ExecutorKind;
use eval_load as load;
use eval_message::msg;
use eval_spec::mock::Mocks;
use eval_spec::suite::{Delivery, Settings};
use eval_spec::surroundings::Withheld;
use eval_spec::variant::Artifact;
use eval_spec::{Call, CellKey, Context, Sample, Suite, Surroundings, Variant};
use serde_json::json;

use super::settings::normal;
use crate::commands::stored::directory;

/// Whether calls run as programs on this machine, so that the files around them can affect the answer. Only the cache
/// needs to know.
fn runs_here(settings: &Settings) -> bool {
    settings.cache && eval_exec::kind(&settings.executor).runs_here()
}

/// The paths of what a run reads and writes for itself, and of the artifacts. Their contents are part of the cache key as
/// far as they are sent: an edited assertion changes no answer.
fn ours(context: &Context, suite: &Suite) -> Vec<PathBuf> {
    let settings = &suite.settings;
    let reports = directory(context, settings);
    let written = [Some(&context.home), Some(&reports), settings.record.as_ref()];
    let inputs =
        [Some(&settings.samples), Some(&settings.skill_dir), settings.recordings.as_ref(), settings.gold_dir.as_ref()];
    let paths = written.into_iter().chain(inputs).flatten().map(|path| normal(path));
    let artifacts = suite.variants.iter().filter_map(|variant| variant.artifact.path.clone());
    let beside = settings
        .samples
        .parent()
        .into_iter()
        .flat_map(|folder| ["eval.yaml", "eval.yml"].map(|name| folder.join(name)));
    paths.chain(artifacts).chain(beside).collect()
}

/// The fingerprint of a directory as its agents see it.
fn tree(
    context: &Context,
    ours: &[PathBuf],
    withheld: Option<&Arc<Withheld>>,
    path: &Path,
) -> Result<Arc<str>, CommandError> {
    let failed = CommandError::io(msg!("cli-cwd", path = context.display(path)));
    let left_out = withheld.map(|withheld| eval_exec::left_out(path, withheld)).unwrap_or_default();
    Ok(load::cwd_fingerprint(path, &[ours, &left_out].concat()).map_err(failed)?.into())
}

/// What the copies of working directories lack; `None` where agents work in the directories themselves.
fn withheld(suite: &Suite, ours: Vec<PathBuf>) -> Option<Arc<Withheld>> {
    let settings = &suite.settings;
    let is_copied = settings.strict_baseline && eval_exec::kind(&settings.executor) == ExecutorKind::Agent;
    let artifacts = || suite.variants.iter().map(|variant| &variant.artifact);
    let texts = artifacts().filter_map(|artifact| Some(artifact.text()?.bytes.as_slice().into()));
    let skills = artifacts().filter_map(Artifact::skill_name).map(str::to_owned);
    is_copied.then(|| Arc::new(Withheld { paths: ours, texts: texts.collect(), skills: skills.collect() }))
}

/// What the agents of each variant find around them; `None` where nothing is an agent, or where it is not isolated.
fn surroundings(suite: &Suite, withheld: Option<Arc<Withheld>>) -> Vec<Option<Arc<Surroundings>>> {
    let reads_project = suite.settings.reads_project();
    let asks_for_load = suite.samples.iter().any(|sample| sample.trigger.is_some());
    let of = |variant: &Variant| {
        let withheld = Some(Arc::clone(withheld.as_ref()?));
        let is = |delivery| suite.settings.delivery_of_variant(variant) == delivery;
        let own = Some(&variant.artifact).filter(|_| is(Delivery::Skill));
        let artifact = own.and_then(Artifact::skill_name).map(str::to_owned);
        let skills = own.into_iter().chain(&variant.skills).filter_map(Artifact::offered_skill).map(Arc::new).collect();
        let files = if is(Delivery::Project) { variant.artifact.files.as_slice().into() } else { Arc::default() };
        Some(Arc::new(Surroundings { withheld, artifact, skills, files, reads_project, asks_for_load, mocks: None }))
    };
    suite.variants.iter().map(of).collect()
}

fn mocks(sample: &Sample) -> Option<Arc<Mocks>> {
    let is_mocked = !sample.mocks.is_empty() || sample.mocks_strict;
    is_mocked.then(|| Arc::new(Mocks { mocks: sample.mocks.clone(), strict: sample.mocks_strict }))
}

/// The text that is added to the system prompt.
fn system(settings: &Settings, variant: &Variant) -> Option<Arc<str>> {
    let is_text = settings.delivery_of_variant(variant) == Delivery::SystemPrompt;
    variant.artifact.body.as_deref().filter(|_| is_text).map(Into::into)
}

/// The fingerprints of the working directories when the run began, by path.
pub(crate) type Trees = BTreeMap<PathBuf, Arc<str>>;

/// The texts of all calls, shared by the cells that use them.
pub(super) struct Calls {
    prompts: Vec<Arc<str>>,
    systems: Vec<Option<Arc<str>>>,
    cwds: Vec<Option<PathBuf>>,
    sample_cwds: Vec<Option<PathBuf>>,
    trees: Trees,
    /// The mocks of each sample that has some.
    mocks: Vec<Option<Arc<Mocks>>>,
    /// What agents find around them, by variant.
    surroundings: Vec<Option<Arc<Surroundings>>>,
    /// The directory of calls without one of their own, if it can affect the answer.
    default_cwd: Option<PathBuf>,
    settings: Settings,
}

impl Calls {
    /// `known` are the fingerprints of a run that is resumed: files that its agents have written since don't change its
    /// identity.
    pub(super) fn new(context: &Context, suite: &Suite, known: Option<&Trees>) -> Result<Calls, CommandError> {
        let settings = &suite.settings;
        let ours = ours(context, suite);
        let withheld = withheld(suite, ours.clone());
        let cwds: Vec<_> = suite.variants.iter().map(|variant| variant.cwd.clone()).collect();
        let sample_cwds: Vec<_> = suite.samples.iter().map(|sample| sample.cwd.clone()).collect();
        let is_counted = known.map_or_else(|| runs_here(settings), |known| known.contains_key(&context.cwd));
        let default_cwd = is_counted.then(|| context.cwd.clone());
        let mut trees = Trees::new();
        for path in cwds.iter().chain(&sample_cwds).chain([&default_cwd]).flatten() {
            if !trees.contains_key(path) {
                let stored = known.and_then(|known| known.get(path)).cloned();
                let fingerprint = stored.map_or_else(|| tree(context, &ours, withheld.as_ref(), path), Ok)?;
                trees.insert(path.clone(), fingerprint);
            }
        }
        Ok(Calls {
            prompts: suite.samples.iter().map(|sample| sample.prompt_text().into()).collect(),
            systems: suite.variants.iter().map(|variant| system(settings, variant)).collect(),
            mocks: suite.samples.iter().map(mocks).collect(),
            surroundings: surroundings(suite, withheld),
            cwds,
            sample_cwds,
            trees,
            default_cwd,
            settings: settings.clone(),
        })
    }

    /// The fingerprints of the working directories.
    pub(super) fn cwds(&self) -> serde_json::Value {
        let hashes = self.trees.iter().map(|(path, hash)| (path.display().to_string(), json!(&**hash)));
        hashes.collect::<serde_json::Map<_, _>>().into()
    }

    /// Whether the files around the agents of two variants differ.
    pub(super) fn work_elsewhere(&self, one: usize, other: usize) -> bool {
        let is_same_for_all = self.sample_cwds.iter().all(Option::is_some);
        let tree = |of: usize| self.cwds[of].as_ref().or(self.default_cwd.as_ref()).and_then(|cwd| self.trees.get(cwd));
        let runs_here = eval_exec::kind(&self.settings.executor).runs_here();
        runs_here && !is_same_for_all && self.cwds[one] != self.cwds[other] && tree(one) != tree(other)
    }

    fn surroundings_of(&self, sample: usize, subject: usize) -> Option<Arc<Surroundings>> {
        let around = self.surroundings[subject].as_ref()?;
        Some(match &self.mocks[sample] {
            Some(mocks) => Arc::new(Surroundings { mocks: Some(Arc::clone(mocks)), ..(**around).clone() }),
            None => Arc::clone(around),
        })
    }

    pub(super) fn call(&self, key: CellKey, sample: usize, subject: usize) -> Call {
        let cwd = self.sample_cwds[sample].clone().or_else(|| self.cwds[subject].clone());
        let cwd_fingerprint = cwd.as_ref().or(self.default_cwd.as_ref()).and_then(|cwd| self.trees.get(cwd)).cloned();
        Call {
            key,
            model: self.settings.model.clone(),
            effort: self.settings.effort.clone(),
            system: self.systems[subject].clone(),
            prompt: Arc::clone(&self.prompts[sample]),
            cwd,
            cwd_fingerprint,
            surroundings: self.surroundings_of(sample, subject),
            generation: self.settings.generation.clone(),
            allowed_tools: self.settings.allowed_tools.clone(),
            timeout: Duration::from_millis(self.settings.timeout_ms),
        }
    }
}
