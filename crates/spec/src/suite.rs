//! The suite: samples, variants and settings, resolved.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

pub use crate::arm_part::ArmPart;
use crate::call::Generation;
pub use crate::delivery::Delivery;
use crate::gap::GapRules;
use crate::knowledge::KnowledgeBase;
pub use crate::network::NetworkAccess;
pub use crate::permissions::PermissionMode;
use crate::sample::{JudgeMode, Provenance, Sample};
use crate::source::{Diagnostic, Place};
use crate::variant::Variant;

/// Everything a run is made of.
#[derive(Clone, Debug)]
pub struct Suite {
    /// The test cases, in file order.
    pub samples: Vec<Sample>,
    /// The variants: the control first, then the treatments.
    pub variants: Vec<Variant>,
    /// The settings.
    pub settings: Settings,
    /// The files whose coverage is measured.
    pub knowledge: KnowledgeBase,
    /// The warnings of the input files.
    pub warnings: Vec<Diagnostic>,
}

impl Suite {
    /// Whether a model proposed all samples, so that people designed none.
    #[must_use]
    pub fn is_llm_generated(&self) -> bool {
        let is_proposed = |sample: &Sample| sample.metadata.provenance == Some(Provenance::LlmGenerated);
        !self.samples.is_empty() && self.samples.iter().all(is_proposed)
    }
}

/// A variant as asked for, not read yet.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct VariantRef {
    /// `v1`, `baseline`, `git:REF:name`, a path.
    pub artifact: String,
    /// The name in reports; derived from the reference when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The working directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<PathBuf>,
    /// How it reaches the model; the setting decides when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delivery: Option<Delivery>,
    /// References to skills that it is offered besides its artifact.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allowed_skills: Vec<String>,
    /// What its agent may do without asking; the setting decides when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub permissions: Option<PermissionMode>,
    /// The place of `artifact` in a file, for errors; neither stored nor compared.
    #[serde(skip)]
    pub place: Option<Place>,
}

impl VariantRef {
    /// A bare reference.
    #[must_use]
    pub fn new(artifact: impl Into<String>) -> VariantRef {
        VariantRef {
            artifact: artifact.into(),
            name: None,
            cwd: None,
            delivery: None,
            allowed_skills: Vec::new(),
            permissions: None,
            place: None,
        }
    }
}

impl PartialEq for VariantRef {
    fn eq(&self, other: &VariantRef) -> bool {
        // All but the place.
        let VariantRef { artifact, name, cwd, delivery, allowed_skills, permissions, place: _ } = self;
        (artifact, name, cwd, delivery, allowed_skills, permissions)
            == (&other.artifact, &other.name, &other.cwd, &other.delivery, &other.allowed_skills, &other.permissions)
    }
}

macro_rules! settings {
    ($( $(#[$doc:meta])* $name:ident : $type:ty = $default:expr ),* $(,)?) => {
        /// The settings as given in `eval.yaml` or as flags. A missing setting is `None`, so that a default never hides
        /// a value that was given elsewhere.
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct Written {
            $( $(#[$doc])* pub $name: Option<$type>, )*
        }

        impl Written {
            /// These settings, with `lower` where they say nothing.
            #[must_use]
            pub fn or(self, lower: Written) -> Written {
                Written { $( $name: self.$name.or(lower.$name), )* }
            }

            /// These settings, with the defaults where they say nothing.
            #[must_use]
            pub fn resolve(self) -> Settings {
                Settings { $( $name: self.$name.unwrap_or_else(|| $default), )* }
            }
        }

        /// The settings of a run, resolved: flags over `eval.yaml` over environment over defaults.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(rename_all = "camelCase")]
        pub struct Settings {
            $( $(#[$doc])* pub $name: $type, )*
        }

        impl Settings {
            /// How the artifact of a variant reaches the model.
            #[must_use]
            pub fn delivery_of(&self, variant: &VariantRef) -> Delivery {
                variant.delivery.unwrap_or(self.delivery)
            }

            /// How often the run is looked at while it goes on; `None` where it is read once.
            #[must_use]
            pub fn planned_looks(&self) -> Option<u32> {
                match (self.looks, self.max_samples) {
                    (0, None) => None,
                    (0, Some(_)) => Some(USUAL_LOOKS),
                    (looks, _) => Some(looks),
                }
            }

            /// The same of a variant that was read.
            #[must_use]
            pub fn delivery_of_variant(&self, variant: &Variant) -> Delivery {
                variant.delivery.unwrap_or(self.delivery)
            }

            /// What the agent of a variant may do without asking.
            #[must_use]
            pub fn permissions_of(&self, variant: &VariantRef) -> PermissionMode {
                variant.permissions.unwrap_or(self.permissions)
            }

            /// The same of a variant that was read.
            #[must_use]
            pub fn permissions_of_variant(&self, variant: &Variant) -> PermissionMode {
                variant.permissions.unwrap_or(self.permissions)
            }

            /// Whether agents read the files of the project that they take for their own: where artifacts are such files.
            #[must_use]
            pub fn reads_project(&self) -> bool {
                self.control.iter().chain(&self.treatments).any(|of| self.delivery_of(of) == Delivery::Project)
            }
        }

        impl Default for Settings {
            fn default() -> Settings {
                Written::default().resolve()
            }
        }

        impl Settings {
            /// The same, every setting as if it had been written.
            #[must_use]
            pub fn into_written(self) -> Written {
                Written { $( $name: Some(self.$name), )* }
            }
        }
    };
}

/// The looks of `--stop-when-decided`.
pub const USUAL_LOOKS: u32 = 5;

/// The worst tier that the gate lets through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum GateTier {
    /// PROGRESS only.
    #[default]
    Progress,
    /// CAUTIOUS too: better, with a doubt.
    Cautious,
}

impl GateTier {
    /// What the tiers are called in files and flags.
    pub const WORDS: &'static [&'static str] = &["progress", "cautious"];

    /// The tier of that name.
    #[must_use]
    pub fn named(word: &str) -> Option<GateTier> {
        match word {
            "progress" => Some(GateTier::Progress),
            "cautious" => Some(GateTier::Cautious),
            _ => None,
        }
    }

    /// Whether it is what holds when nothing is said.
    #[must_use]
    pub fn is_default(&self) -> bool {
        *self == GateTier::default()
    }
}

/// What a treatment must be, for the gate to let it through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Goal {
    /// Better than the control.
    #[default]
    Better,
    /// Not worse than the control by more than a margin: a test of non-inferiority.
    NotWorse,
}

impl Goal {
    /// What goals are called in files and flags.
    pub const WORDS: &'static [&'static str] = &["better", "not-worse"];

    /// The goal of that name.
    #[must_use]
    pub fn named(word: &str) -> Option<Goal> {
        match word {
            "better" => Some(Goal::Better),
            "not-worse" => Some(Goal::NotWorse),
            _ => None,
        }
    }

    /// Whether it is what holds when nothing is said.
    #[must_use]
    pub fn is_default(&self) -> bool {
        *self == Goal::default()
    }
}

/// The classifier of hedging: a model's second look at the sentences that the patterns find.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct HedgingClassifier {
    /// Whether it is asked; where nothing is said, in runs that have a judge.
    pub enabled: Option<bool>,
    /// `model`, or `executor:model`; the first judge when absent.
    pub model: Option<String>,
    /// Different sentences that it is asked about in a run, at most.
    pub max_candidates: u32,
}

impl Default for HedgingClassifier {
    fn default() -> HedgingClassifier {
        HedgingClassifier { enabled: None, model: None, max_candidates: 50 }
    }
}

/// The executor when none is named.
pub const DEFAULT_EXECUTOR: &str = "claude";

settings! {
    /// The file that these settings were read from.
    eval_file: Option<PathBuf> = None,
    /// The sample file; a default is found by name (`eval-samples.{json,yaml,yml}`).
    samples: PathBuf = PathBuf::from("eval-samples.json"),
    /// Where named variants are looked for.
    skill_dir: PathBuf = PathBuf::from("skills"),
    /// What the treatments are compared with.
    control: Option<VariantRef> = None,
    /// What is compared with the control.
    treatments: Vec<VariantRef> = Vec::new(),
    /// Whether the only treatment is the control again, so that no difference is real.
    aa: bool = false,
    /// How artifacts reach the model.
    delivery: Delivery = Delivery::default(),
    /// The queries that a skill should or should not be loaded for; the file of the settings where they stand in it.
    triggers: Option<PathBuf> = None,
    /// Whether they are run in place of the samples.
    run_triggers: bool = false,
    /// References to the skills that are on offer beside the one that the queries are about.
    neighbours: Vec<String> = Vec::new(),
    /// The share of the queries for which the skill should be loaded that it must be loaded for.
    min_recall: Option<f64> = None,
    /// The share of the loads that must be right.
    min_precision: Option<f64> = None,
    /// The highest gap rate that passes, 0 to 1.
    max_gap_rate: Option<f64> = None,
    /// By how much the gap rate may rise since the last report of the same test set and variant, 0 to 1.
    gap_rate_regression: Option<f64> = None,
    /// A team's own marks of a gap, and its search tools.
    gap: GapRules = GapRules::default(),
    /// A model's second look at sentences of doubt.
    hedging_classifier: HedgingClassifier = HedgingClassifier::default(),
    /// The files and folders of the knowledge base; what the project and the artifacts declare where there are none.
    kb: Vec<PathBuf> = Vec::new(),
    /// What may differ between the arms.
    varies: Vec<ArmPart> = vec![ArmPart::Artifact],
    /// The executor's name, or a command line.
    executor: String = DEFAULT_EXECUTOR.to_owned(),
    /// The model under test; empty means the executor's default.
    model: String = String::new(),
    /// The reasoning effort.
    effort: Option<String> = None,
    /// How the model samples.
    generation: Generation = Generation::default(),
    /// The tools an agent may use.
    allowed_tools: Option<Vec<String>> = None,
    /// What agents may do without asking.
    permissions: PermissionMode = PermissionMode::default(),
    /// Whether agents that are isolated run in a sandbox.
    sandbox: bool = true,
    /// What agents reach beyond their machine.
    network: NetworkAccess = NetworkAccess::default(),
    /// Where `replay` reads recordings.
    recordings: Option<PathBuf> = None,
    /// Where executions are recorded.
    record: Option<PathBuf> = None,
    /// Whether judges run.
    judge: bool = true,
    /// How judges read rubrics and dimensions.
    judge_mode: JudgeMode = JudgeMode::Rubric,
    /// Who judges: `model`, or `executor:model`; the executor's own default when there is none.
    judge_models: Vec<String> = Vec::new(),
    /// The executor of judges that name none; that of the run when absent.
    judge_executor: Option<String> = None,
    /// Opinions of each judge on each answer.
    judge_repeat: u32 = 1,
    /// Whether the judge's prompt says that length is no quality.
    debias_length: bool = true,
    /// The directory of people's scores, with which the judges' are compared.
    gold_dir: Option<PathBuf> = None,
    /// Calls at once, at most.
    concurrency: usize = 1,
    /// Executions of each sample and variant.
    repeat: u32 = 1,
    /// The time limit of a call, in milliseconds.
    timeout_ms: u64 = 600_000,
    /// Further attempts after an infrastructure failure.
    retry: u32 = 2,
    /// Requests a minute, at most, per provider.
    rpm: Option<u32> = None,
    /// Tokens a minute, at most, per provider.
    tpm: Option<u64> = None,
    /// Whether the URLs in prompts and contexts are replaced by what stands there.
    url_fetch: bool = true,
    /// Whether a URL that can't be fetched stays as text.
    allow_missing_urls: bool = false,
    /// Whether a URL may lead to an address that is not public.
    allow_private_urls: bool = false,
    /// The file of the MCP servers that fetch URLs.
    mcp_config: Option<PathBuf> = None,
    /// Whether answers are read from and written to the cache.
    cache: bool = true,
    /// The money the whole run may cost, in US dollars.
    budget_usd: Option<f64> = None,
    /// The money one sample may cost over all variants and repeats, in US dollars.
    budget_per_sample_usd: Option<f64> = None,
    /// The time the executions of one sample may take together, in milliseconds.
    budget_per_sample_ms: Option<u64> = None,
    /// Whether a money budget may run with a model whose price is unknown.
    allow_unknown_cost: bool = false,
    /// The seed of order and resampling; derived from the test set when absent.
    seed: Option<u64> = None,
    /// Bootstrap resamples; at least 1000.
    bootstrap_samples: u32 = 10_000,
    /// The interval: `expanded`, `percentile`, `bca`, `t`.
    ci: String = "expanded".to_owned(),
    /// The smallest difference that matters, in points of the 1–5 scale.
    min_effect: f64 = 0.2,
    /// The smallest preference that matters where judges compare answers, −1 to 1.
    min_preference: f64 = 0.1,
    /// A difference below this is not progress, in points.
    trivial_diff: f64 = 0.1,
    /// The gate of every layer, in points.
    threshold: f64 = 3.5,
    /// How often the run is looked at while it goes on, to end once every treatment is decided; 0 for a run that is read once.
    looks: u32 = 0,
    /// The tasks up to the last look, at most; all when absent.
    max_samples: Option<u64> = None,
    /// The share of the samples in the holdout, 0 to 1; none when absent.
    holdout: Option<f64> = None,
    /// The worst tier that the gate lets through.
    gate: GateTier = GateTier::default(),
    /// What a treatment must be.
    goal: Goal = Goal::default(),
    /// The loss that is still not worse, in points; read where that is the goal.
    margin: f64 = 0.2,
    /// Exit 0 whatever the verdict.
    report_only: bool = false,
    /// The share of executions that may fail before the run is no measurement.
    max_failure_rate: f64 = 0.1,
    /// Where reports go; the home's `reports/` when absent.
    output_dir: Option<PathBuf> = None,
    /// Whether reports hide the variants' names.
    blind: bool = false,
    /// Whether reports have the texts of samples and artifacts.
    texts: bool = true,
    /// Whether variants are isolated from each other's artifacts.
    strict_baseline: bool = true,
    /// What runs custom assertions: `embedded` or `node`.
    custom_runtime: String = "embedded".to_owned(),
}
