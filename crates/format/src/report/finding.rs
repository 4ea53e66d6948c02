//! `analysis`: what else catches the eye.

use std::collections::BTreeMap;

use eval_message::Message;
use serde::{Deserialize, Serialize};

use super::{SampleQuality, Saturation, VariantCoverage, VariantGaps};

/// Observations beside the verdict.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Findings {
    /// Patterns in samples and assertions.
    pub insights: Vec<Insight>,
    /// What to do next.
    pub suggestions: Vec<Insight>,
    /// Whether there were enough samples, for each treatment; empty with `--stop-when-decided`, whose intervals narrow by
    /// another law.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub saturation: Vec<Saturation>,
    /// Defects of the samples themselves.
    pub sample_quality: SampleQuality,
    /// What agents looked for and didn't find, by variant; empty where no execution has a trace.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub gap: BTreeMap<String, VariantGaps>,
    /// Which files of the knowledge base agents accessed, by variant; empty without a knowledge base, and where no execution
    /// has a trace.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub coverage: BTreeMap<String, VariantCoverage>,
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Insight {
    /// What kind, such as `uniform_scores`.
    #[serde(rename = "type")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub kind: InsightKind,
    /// How much it matters.
    pub severity: Severity,
    /// The English text.
    pub message: String,
    /// Its key and arguments.
    pub message_key: Message,
    /// The samples it is about.
    pub sample_ids: Vec<String>,
    /// The assertions it is about, at most twenty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<CheckRef>,
}

/// What kind of finding or suggestion it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InsightKind {
    /// Samples on which all variants score alike.
    UniformScores,
    /// Assertions that end alike for all variants.
    LowDiscrimination,
    /// Assertions that every run fails.
    AllFail,
    /// Assertions that every run passes.
    AllPass,
    /// Regular expressions that match no answer.
    UnmatchedRegex,
    /// Samples that cost far more than the others.
    HighCost,
    /// Judges of the vendor whose model they judge.
    SelfPreference,
    /// Judges that don't agree, or can't be seen to.
    JudgeAgreement,
    /// Samples that are meant to fail, and were passed.
    TripwirePassed,
    /// A check without which a difference has the other sign, or none.
    TurningCheck,
    /// A variant whose answers are all the same, whatever was asked.
    PromptIgnored,
    /// Variants whose answers are the same for every sample.
    ArtifactIgnored,
    /// Suggested: make the run a valid measurement.
    RepairRun,
    /// Suggested: get the opinions of judges that are missing.
    MendJudges,
    /// Suggested: take judges that don't go by position.
    ReplaceJudges,
    /// Suggested: make the judges agree.
    SettleJudges,
    /// Suggested: make the judge agree with people.
    MendJudge,
    /// Suggested: mend checks that could be evaluated in one arm only.
    MendChecks,
    /// Suggested: mend what leaves nothing to score.
    MendOutcomes,
    /// Suggested: run again without the cache.
    RunAfresh,
    /// Suggested: find out why samples are no pairs.
    CheckExcluded,
    /// Suggested: raise a layer above the gate.
    RaiseLayer,
    /// Suggested: hold out more samples.
    HoldOutMore,
    /// Suggested: make agents load the skill.
    MendDescription,
    /// Suggested: tune on other samples.
    TuneLess,
    /// Suggested: weigh a small gain against its cost.
    WeighCost,
    /// Suggested: read the samples that the treatment lost.
    LookAtLosses,
    /// Suggested: add samples.
    AddSamples,
    /// Suggested: add harder samples.
    AddHarderSamples,
    /// Suggested: add samples on which the variants do well.
    AddEasierSamples,
    /// Suggested: add what narrows the interval most.
    NarrowInterval,
    /// Suggested: keep the simpler of the two.
    DropOrKeep,
    /// Suggested: ship the treatment.
    Ship,
    /// Suggested: compare the variant with something.
    AddControl,
}

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Severity {
    Info,
    Warning,
    Error,
}

/// One assertion of one sample.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CheckRef {
    /// The sample.
    pub sample_id: String,
    /// Which of its assertions, from 0.
    pub index: u64,
    /// Its type and its expected value, shortened.
    pub label: String,
}

impl Insight {
    /// An insight without assertions.
    #[must_use]
    pub fn new(kind: InsightKind, severity: Severity, message: Message, sample_ids: Vec<String>) -> Insight {
        Insight { kind, severity, message: message.to_string(), message_key: message, sample_ids, checks: Vec::new() }
    }
}
