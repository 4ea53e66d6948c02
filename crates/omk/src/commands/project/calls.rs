//! The calls of all cells, and the working directories that can affect their answers.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use eval_cli::CommandError;
use eval_exec::{CopyError, ExecutorKind, Survey};
use eval_load::{self as load, ChangedPath};
use eval_message::msg;
use eval_spec::mock::Mocks;
use eval_spec::page::with_changed_pages;
use eval_spec::suite::{Delivery, Settings};
use eval_spec::surroundings::{UncopiedFiles, UncopiedWhy, Withheld};
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

/// Names of what is ours beside the samples.
const BESIDE: [&str; 4] = ["eval.yaml", "eval.yml", "mocks.yaml", "mocks.files"];

/// The paths of what a run reads and writes for itself, and of the artifacts. Their contents are part of the cache key as
/// far as they are sent: an edited assertion changes no answer.
fn ours(context: &Context, suite: &Suite) -> Vec<PathBuf> {
    let settings = &suite.settings;
    let reports = directory(context, settings);
    let written = [Some(&context.home), Some(&reports), settings.record.as_ref()];
    let folders = [settings.recordings.as_ref(), settings.gold_dir.as_ref()];
    let inputs = [settings.eval_file.as_ref(), Some(&settings.samples), Some(&settings.skill_dir)];
    let inputs = inputs.into_iter().chain(folders);
    let paths = written.into_iter().chain(inputs).flatten().map(|path| normal(path));
    let artifacts = suite.variants.iter().filter_map(|variant| variant.artifact.path.clone());
    let folder = settings.samples.parent();
    let beside = folder.into_iter().flat_map(|folder| BESIDE.map(|name| folder.join(name)));
    // An agent would find the answers of its tools.
    let mocks = suite.samples.iter().flat_map(|sample| &sample.mocks);
    let answers = mocks.filter_map(|mock| Some(folder?.join(mock.written.get("return_file")?.as_str()?)));
    let own = context.outputs.iter().cloned();
    paths.chain(artifacts).chain(beside).chain(answers.map(|path| normal(&path))).chain(own).collect()
}

fn same_file(one: &Path, other: &Path) -> bool {
    one.canonicalize().is_ok_and(|one| other.canonicalize().is_ok_and(|other| one.starts_with(other)))
}

/// So many files that a copy lacks are named.
const NAMED: usize = 5;

/// A directory as its agents see it.
struct TreeSurvey {
    fingerprint: Arc<str>,
    /// Paths that they don't see though these aren't ours by name.
    others: Vec<PathBuf>,
    /// Other files that their copies lack.
    uncopied: Vec<UncopiedFiles>,
}

/// Reads a directory as its agents see it.
fn tree(
    context: &Context,
    ours: &[PathBuf],
    withheld: Option<&Arc<Withheld>>,
    path: &Path,
) -> Result<TreeSurvey, CommandError> {
    let failed = || CommandError::io(msg!("cli-cwd", path = context.display(path)));
    let Survey { left_out, tracked, uncopied } =
        eval_exec::survey(path, withheld, context).map_err(|error| match error {
            CopyError::Io(error) => failed()(error),
            error => CommandError::usage(error.message(path), None),
        })?;
    let fingerprint = load::cwd_fingerprint(path, &[ours, &left_out].concat(), &tracked).map_err(failed())?;
    let is_ours = |path: &PathBuf| ours.iter().any(|of| path.starts_with(of) || same_file(path, of));
    let uncopied = [UncopiedWhy::Ignored, UncopiedWhy::Unreadable].into_iter().filter_map(|why| {
        let all: Vec<&PathBuf> =
            uncopied.iter().filter(|(path, reason)| *reason == why && !is_ours(path)).map(|(path, _)| path).collect();
        let inside = |file: &&PathBuf| file.strip_prefix(path).unwrap_or(file).display().to_string();
        let first: Vec<String> = all.iter().take(NAMED).map(inside).collect();
        let directory = context.display(path);
        (!all.is_empty()).then_some(UncopiedFiles { directory, why, count: all.len() as u64, first })
    });
    let uncopied = uncopied.collect();
    let others = left_out.into_iter().filter(|path| !is_ours(path)).collect();
    Ok(TreeSurvey { fingerprint: fingerprint.into(), others, uncopied })
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
        let permissions = suite.settings.permissions_of_variant(variant);
        Some(Arc::new(Surroundings {
            withheld,
            artifact,
            skills,
            files,
            reads_project,
            asks_for_load,
            permissions,
            ..Surroundings::default()
        }))
    };
    suite.variants.iter().map(of).collect()
}

fn mocks(sample: &Sample) -> Option<Arc<Mocks>> {
    let is_mocked = !sample.mocks.is_empty() || sample.mocks_strict;
    is_mocked.then(|| Arc::new(Mocks { mocks: sample.mocks.clone(), strict: sample.mocks_strict }))
}

/// The text that a sample asks. What somebody else wrote decides nothing about what an agent reads: its pages load no skill, and a
/// prompt that is plain attaches no file either.
fn prompt(settings: &Settings, surroundings: &[Option<Arc<Surroundings>>], sample: &Sample) -> String {
    let prompt = sample.prompt_text();
    let row = eval_exec::named(&settings.executor);
    let mark = row.and_then(|row| row.mention);
    let prompt = match row.is_some_and(|row| row.attaches && sample.is_plain) {
        true => eval_exec::without_attachments(&prompt),
        false => prompt,
    };
    if mark.is_none() || sample.inlined.is_none() && !sample.is_plain {
        return prompt;
    }
    let offered: BTreeSet<&str> =
        surroundings.iter().flatten().flat_map(|around| &around.skills).map(|skill| skill.name.as_str()).collect();
    let as_text = |page: &str| {
        offered.iter().fold(page.to_owned(), |page, skill| eval_exec::without_mentions(mark, &page, skill))
    };
    if sample.is_plain { as_text(&prompt) } else { with_changed_pages(&prompt, as_text).into_owned() }
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
    /// The fingerprints now, of those whose files changed since the run began that is resumed.
    changed: Trees,
    /// The mocks of each sample that has some.
    mocks: Vec<Option<Arc<Mocks>>>,
    /// What agents find around them, by variant.
    surroundings: Vec<Option<Arc<Surroundings>>>,
    /// Copies and other versions of artifacts, and recordings, which agents find nothing of either.
    left_out: Vec<PathBuf>,
    /// Other files that the copies of working directories lack.
    uncopied: Vec<UncopiedFiles>,
    /// What is no part of a fingerprint.
    ours: Vec<PathBuf>,
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
        let is_copied = withheld.is_some();
        let is_counted =
            known.map_or_else(|| is_copied || runs_here(settings), |known| known.contains_key(&context.cwd));
        let is_counted = is_counted && [&cwds, &sample_cwds].iter().all(|of| of.iter().any(Option::is_none));
        let default_cwd = is_counted.then(|| context.cwd.clone());
        let (mut trees, mut changed, mut left_out, mut uncopied) = (Trees::new(), Trees::new(), Vec::new(), Vec::new());
        for path in cwds.iter().chain(&sample_cwds).chain([&default_cwd]).flatten() {
            if !trees.contains_key(path) {
                let stored = known.and_then(|known| known.get(path)).cloned();
                // In a directory that isn't copied the agents write themselves.
                let now = (is_copied || stored.is_none())
                    .then(|| tree(context, &ours, withheld.as_ref(), path))
                    .transpose()?;
                let now = now.map(|survey| {
                    left_out.extend(survey.others);
                    uncopied.extend(survey.uncopied);
                    survey.fingerprint
                });
                let differs = now.clone().filter(|now| stored.as_ref().is_some_and(|stored| stored != now));
                changed.extend(differs.map(|now| (path.clone(), now)));
                trees.extend(stored.or(now).map(|fingerprint| (path.clone(), fingerprint)));
            }
        }
        let surroundings = surroundings(suite, withheld);
        let prompts = suite.samples.iter().map(|sample| prompt(settings, &surroundings, sample).into()).collect();
        Ok(Calls {
            prompts,
            systems: suite.variants.iter().map(|variant| system(settings, variant)).collect(),
            mocks: suite.samples.iter().map(mocks).collect(),
            surroundings,
            cwds,
            sample_cwds,
            trees,
            changed,
            left_out,
            uncopied,
            ours,
            default_cwd,
            settings: settings.clone(),
        })
    }

    /// The fingerprints of the working directories.
    pub(super) fn cwds(&self) -> serde_json::Value {
        let hashes = self.trees.iter().map(|(path, hash)| (path.display().to_string(), json!(&**hash)));
        hashes.collect::<serde_json::Map<_, _>>().into()
    }

    /// What agents would find changed since a run began, in each of their working directories.
    pub(super) fn changed_files(&self, began: SystemTime) -> Vec<ChangedPath> {
        let of = |path: &PathBuf| match load::changed_since(path, &self.ours, began) {
            // Only what is withheld from agents decides what is seen of the rest: nothing is later than the run.
            none if none.is_empty() => vec![ChangedPath::Written(path.clone())],
            changed => changed,
        };
        self.changed.keys().flat_map(of).collect()
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
        let mocks = self.mocks[sample].clone();
        let changed_cwd = self.cwd_of(sample, subject).and_then(|cwd| self.changed.get(cwd)).cloned();
        Some(match (mocks, changed_cwd) {
            (None, None) => Arc::clone(around),
            (mocks, changed_cwd) => Arc::new(Surroundings { mocks, changed_cwd, ..(**around).clone() }),
        })
    }

    /// The directories of which agents get copies, each with whether somebody chose it; none where they get none.
    pub(super) fn copied(&self) -> Vec<(&Path, bool)> {
        let is_copied = self.surroundings.iter().flatten().any(|around| around.withheld.is_some());
        let is_chosen = |path: &PathBuf| self.cwds.iter().chain(&self.sample_cwds).flatten().any(|of| of == path);
        self.trees.keys().filter(|_| is_copied).map(|path| (path.as_path(), is_chosen(path))).collect()
    }

    /// What agents find nothing of: what a run reads and writes for itself, and the artifacts.
    pub(super) fn ours(&self) -> &[PathBuf] {
        &self.ours
    }

    /// What the copies lack though nobody named it: copies and other versions of artifacts, and recordings.
    pub(super) fn left_out(&self) -> &[PathBuf] {
        &self.left_out
    }

    /// Returns the other files that the copies lack, by directory and reason.
    pub(super) fn uncopied(&self) -> &[UncopiedFiles] {
        &self.uncopied
    }

    /// The directories in which agents work on a sample.
    pub(super) fn directories_of(&self, sample: usize) -> Vec<&Path> {
        (0..self.cwds.len()).filter_map(|subject| self.cwd_of(sample, subject)).map(PathBuf::as_path).collect()
    }

    /// Whether a variant's agents have a skill on offer.
    pub(super) fn offers(&self, subject: usize, skill: &str) -> bool {
        self.surroundings[subject].as_ref().is_some_and(|around| around.skills.iter().any(|of| of.name == skill))
    }

    /// The names of all skills that agents have on offer.
    pub(super) fn offered(&self) -> impl Iterator<Item = &str> {
        self.surroundings.iter().flatten().flat_map(|around| &around.skills).map(|skill| skill.name.as_str())
    }

    /// The text that a sample asks, in full.
    pub(super) fn prompt(&self, sample: usize) -> &str {
        &self.prompts[sample]
    }

    /// Where an agent works, if that can affect its answer.
    fn cwd_of(&self, sample: usize, subject: usize) -> Option<&PathBuf> {
        self.sample_cwds[sample].as_ref().or(self.cwds[subject].as_ref()).or(self.default_cwd.as_ref())
    }

    pub(super) fn call(&self, key: CellKey, sample: usize, subject: usize) -> Call {
        let cwd = self.sample_cwds[sample].clone().or_else(|| self.cwds[subject].clone());
        let cwd_fingerprint = self.cwd_of(sample, subject).and_then(|cwd| self.trees.get(cwd)).cloned();
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
