//! `meta.imported`: what is known of results that another tool wrote.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The files that the results were read from, and how. The executions were another tool's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ImportedResults {
    /// The format, as `omk verdict --format` names it.
    pub format: String,
    /// The tool that wrote them; absent where any may have, as for CSV.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// Its version, where the file tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_version: Option<String>,
    /// The files.
    pub files: Vec<ImportedFile>,
    /// The score that was read; others of the files were not.
    pub score: String,
    /// From that score to a share, of which the points are `1 + 4 × share`.
    pub mapping: ScoreMapping,
    /// How the cases of the arms were matched.
    pub paired_by: PairedBy,
    /// Cases that not all arms have, at most 200 of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unpaired: Vec<UnpairedCase>,
    /// How many such cases there are.
    pub unpaired_cases: u64,
    /// All cases, those that an arm lacks among them.
    pub cases: u64,
    /// How many of them the arm lacks that lacks most.
    pub most_lacking: u64,
    /// Whether they are left out of the mean (`--paired-only`); otherwise what an arm lacks counts as failed. Bounds allow for
    /// any score of them either way.
    pub paired_only: bool,
    /// Results that the file has for a case and arm beyond the first are repeats; whether the file numbers them.
    pub numbered_trials: bool,
    /// The models that answered, by arm, as far as the files name them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub models: BTreeMap<String, Vec<String>>,
    /// Whether the arms are different models by intention.
    pub by_model: bool,
    /// What the files don't tell.
    pub unknown: Vec<UnknownFact>,
    /// All treatments of the files, if fewer are compared; absent if all are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub family: Option<FileFamily>,
}

/// All treatments of the files, of which some are compared. The intervals hold for all of them at once: the best of twelve
/// must not have the interval of one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct FileFamily {
    /// Number of treatments that the files have.
    pub treatments: u64,
    /// The level of one interval, both tails together, at which those of all treatments hold at once.
    pub alpha: f64,
    /// The p-values of the treatments that are not compared, which Holm's adjustment needs; absent where they couldn't be
    /// read together, so that p-values are adjusted as Bonferroni's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p_values: Option<Vec<f64>>,
}

/// A file of results.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ImportedFile {
    /// Its name.
    pub name: String,
    /// 64 hex digits of SHA-256 over it.
    pub sha256: String,
}

/// From the score of a file to a share in 0..=1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum ScoreMapping {
    /// The share itself.
    AsIs,
    /// 1 for passed, 0 for failed.
    PassFail,
    /// `(score − worst) ÷ (best − worst)`, as declared.
    Scale {
        /// What maps to 0.
        worst: f64,
        /// What maps to 1.
        best: f64,
    },
}

/// How the cases of two arms were matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PairedBy {
    /// By their ids.
    Id,
    /// By what was asked: the same text is the same case.
    Input,
}

/// A case that not all arms have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct UnpairedCase {
    /// Its id.
    pub case: String,
    /// The arms that have results for it.
    pub only_in: Vec<String>,
}

/// What a file of results doesn't tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum UnknownFact {
    /// Who or what gave the scores.
    Grader,
    /// The version of the tool.
    ToolVersion,
    /// The models that answered.
    Models,
    /// The order of the executions, and whether the arms took turns.
    Order,
    /// The seed.
    Seed,
    /// What was asked.
    Prompts,
    /// What was answered.
    Answers,
    /// What failed for other reasons than the answer.
    Errors,
    /// What it cost.
    Cost,
}

impl UnknownFact {
    /// All of them, the most important first.
    pub const ALL: [UnknownFact; 9] = [
        UnknownFact::Grader,
        UnknownFact::ToolVersion,
        UnknownFact::Models,
        UnknownFact::Order,
        UnknownFact::Seed,
        UnknownFact::Prompts,
        UnknownFact::Answers,
        UnknownFact::Errors,
        UnknownFact::Cost,
    ];

    /// Its name in messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            UnknownFact::Grader => "grader",
            UnknownFact::ToolVersion => "tool-version",
            UnknownFact::Models => "models",
            UnknownFact::Order => "order",
            UnknownFact::Seed => "seed",
            UnknownFact::Prompts => "prompts",
            UnknownFact::Answers => "answers",
            UnknownFact::Errors => "errors",
            UnknownFact::Cost => "cost",
        }
    }
}

/// What the verdict says of results that another tool wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ImportedInputs {
    /// The tool, or the format where any tool may have written it.
    pub tool: String,
    /// The score that was read.
    pub score: String,
    /// What the files don't tell.
    pub unknown: Vec<UnknownFact>,
    /// Cases that an arm lacks and that are left out of the mean; absent where there are none, or where they count as failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<LeftOutCases>,
    /// Number of treatments that the files have, if fewer are compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_treatments: Option<u64>,
}

/// Cases that an arm lacks and that are left out of the mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct LeftOutCases {
    /// How many the arm lacks that lacks most.
    pub lacking: u64,
    /// All cases.
    pub of: u64,
}
