//! Samples: the test cases, as written.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::mock::Mock;
use crate::page::{ComparedTexts, InlinedTexts};
use crate::source::Place;

/// One test case.
#[derive(Clone, Debug, Default)]
pub struct Sample {
    /// Unique within the test set.
    pub id: String,
    /// What the model is asked; never empty.
    pub prompt: String,
    /// Text appended to the prompt in a code block.
    pub context: Option<String>,
    /// Whether the URLs in both stay as they are, whatever the setting says.
    pub keeps_urls: bool,
    /// Whether an agent's markup in both (`@path`, `$skill`) is text.
    pub is_plain: bool,
    /// Both with pages in place of their URLs, where there are any: what models and judges read.
    pub inlined: Option<Box<InlinedTexts>>,
    /// What statistics compare of it in their place, where it has URLs that are fetched.
    pub compared: Option<Box<ComparedTexts>>,
    /// The place of the prompt in the file.
    pub prompt_place: Option<Place>,
    /// The place of the context.
    pub context_place: Option<Place>,
    /// Working directory of this sample alone, absolute.
    pub cwd: Option<PathBuf>,
    /// What a judge scores against, 1–5.
    pub rubric: Option<String>,
    /// Judged dimensions by name, in the author's order; they win over `rubric`.
    pub dimensions: Vec<(String, String)>,
    /// The checks, in the author's order.
    pub assertions: Vec<Assertion>,
    /// Documentation that never changes a score.
    pub metadata: Metadata,
    /// Tool calls answered with prepared data, in order of precedence.
    pub mocks: Vec<Mock>,
    /// Their places in the file.
    pub mock_places: Vec<Place>,
    /// Whether a tool call that no mock matches is denied.
    pub mocks_strict: bool,
    /// A sample that is meant to fail.
    pub tripwire: bool,
    /// How its rubric or dimensions are judged; the setting decides when absent.
    pub judge: Option<JudgeMode>,
    /// What the sample declares as already set up.
    pub environment: Option<Environment>,
    /// The eval of an `evals.json` that it was made of.
    pub eval: Option<AgentSkillsEval>,
    /// Whether the skill under test should be loaded for it, where that is what the sample asks.
    pub trigger: Option<Trigger>,
    /// Its place in the file.
    pub place: Option<Place>,
}

/// What should happen to the skill under test when an agent gets a query.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Trigger {
    /// Whether the agent should load it.
    pub should: bool,
    /// Whether a query that it shouldn't be loaded for looks as if it should.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub near_miss: bool,
    /// The other skill that should be loaded instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instead: Option<String>,
}

/// What an eval of an Agent Skills `evals.json` says beside its prompt and its expectations.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentSkillsEval {
    /// Its id as written: a number or a text.
    pub id: Value,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// The files it names.
    pub files: Vec<String>,
}

impl Sample {
    /// The place of one of its mocks; its own where that has none.
    #[must_use]
    pub fn place_of_mock(&self, at: usize) -> Option<Place> {
        self.mock_places.get(at).or(self.place.as_ref()).cloned()
    }

    /// The text sent to the model, byte for byte, after the note that `environment`
    /// asks for.
    #[must_use]
    pub fn prompt_text(&self) -> String {
        let note = self.environment.as_ref().map(Environment::note).unwrap_or_default();
        match self.sent_context() {
            None => format!("{note}{}", self.sent_prompt()),
            Some(context) => {
                // What somebody else wrote ends no block; what the author wrote is sent as it is.
                let is_own = self.context.as_deref() == Some(context);
                let fence = if is_own { "```".to_owned() } else { fence(context) };
                format!("{note}{}\n\n{fence}\n{context}\n{fence}", self.sent_prompt())
            }
        }
    }

    /// The prompt as it is sent: with pages in place of URLs.
    #[must_use]
    pub fn sent_prompt(&self) -> &str {
        self.inlined.as_ref().map_or(&self.prompt, |inlined| &inlined.prompt)
    }

    /// The context as it is sent.
    #[must_use]
    pub fn sent_context(&self) -> Option<&str> {
        self.inlined.as_ref().map_or(self.context.as_deref(), |inlined| inlined.context.as_deref())
    }

    /// The prompt as it is compared with those of other samples: how its URLs look doesn't count.
    #[must_use]
    pub fn compared_prompt(&self) -> &str {
        self.compared.as_ref().map_or(&self.prompt, |compared| &compared.prompt)
    }

    /// The context as it is compared.
    #[must_use]
    pub fn compared_context(&self) -> Option<&str> {
        self.compared.as_ref().map_or(self.context.as_deref(), |compared| compared.context.as_deref())
    }

    /// What stands at its URLs, as it is compared.
    #[must_use]
    pub fn compared_pages(&self) -> &[String] {
        self.compared.as_ref().map_or(&[], |compared| &compared.pages)
    }

    /// What judges and people score of an answer: the dimensions' names, or `rubric`.
    #[must_use]
    pub fn questions(&self) -> Vec<String> {
        match (self.dimensions.is_empty(), &self.rubric) {
            (true, None) => Vec::new(),
            (true, Some(_)) => vec!["rubric".to_owned()],
            (false, _) => self.dimensions.iter().map(|(name, _)| name.clone()).collect(),
        }
    }

    /// Whether a judge is planned for this sample when judging is on: a rubric or dimensions.
    #[must_use]
    pub fn has_rubric(&self) -> bool {
        self.rubric.is_some() || !self.dimensions.is_empty()
    }

    /// Whether judges compare the variants' answers to it, instead of scoring each: `mode` is what the settings say.
    /// A sample that is meant to fail needs a score of its own: which of two answers fails less says nothing.
    #[must_use]
    pub fn is_pairwise(&self, mode: JudgeMode) -> bool {
        !self.tripwire && self.has_rubric() && self.judge.unwrap_or(mode) == JudgeMode::Pairwise
    }
}

/// The fence of a code block that nothing in `text` ends.
fn fence(text: &str) -> String {
    let runs = text.split(|c| c != '`').map(str::len);
    "`".repeat(runs.max().unwrap_or(0).max(2) + 1)
}

/// How judges read a rubric or dimensions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JudgeMode {
    /// Each answer gets 1–5.
    #[default]
    Rubric,
    /// The answers of two variants are compared, in both orders.
    Pairwise,
}

impl JudgeMode {
    /// What the modes are called in files and flags.
    pub const WORDS: &'static [&'static str] = &["rubric", "pairwise"];

    /// The mode of that name.
    #[must_use]
    pub fn named(word: &str) -> Option<JudgeMode> {
        match word {
            "rubric" => Some(JudgeMode::Rubric),
            "pairwise" => Some(JudgeMode::Pairwise),
            _ => None,
        }
    }
}

/// What is known of a sample beside its task; no score and no judge sees it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Metadata {
    /// The capabilities it covers.
    pub capability: Vec<String>,
    /// The task that it is a version of: samples of one cluster count as one.
    pub cluster: Option<String>,
    /// How hard it is.
    pub difficulty: Option<Difficulty>,
    /// What it measures: `necessity`, `quality`, `capability`, or the author's own word.
    pub construct: Option<String>,
    /// Where it comes from.
    pub provenance: Option<Provenance>,
}

/// How hard a sample is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Difficulty {
    Easy,
    Medium,
    Hard,
}

/// Where a sample comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Provenance {
    Human,
    LlmGenerated,
    ProductionTrace,
}

/// What a sample declares as set up (`environment`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Environment {
    /// Command-line programs.
    #[serde(default)]
    pub cli_available: Vec<String>,
    /// Files.
    #[serde(default)]
    pub files_available: Vec<String>,
    /// Anything else.
    #[serde(default)]
    pub notes: Option<String>,
}

impl Environment {
    /// The note put before the prompt of the model under test; empty if nothing is declared.
    #[must_use]
    pub fn note(&self) -> String {
        let mut lines = Vec::new();
        if !self.cli_available.is_empty() {
            lines.push(format!("- command-line programs: {}", self.cli_available.join(", ")));
        }
        if !self.files_available.is_empty() {
            lines.push(format!("- files: {}", self.files_available.join(", ")));
        }
        if let Some(notes) = &self.notes {
            lines.push(format!("- {notes}"));
        }
        match lines.is_empty() {
            true => String::new(),
            false => format!("Already available:\n{}\n\n", lines.join("\n")),
        }
    }
}

/// The type of an assertion that is an expectation of an `evals.json`; its text is `value`.
pub const EXPECTATION: &str = "expectation";

/// One check as written; what its fields mean is the business of its [type](crate::types::TypeSpec).
#[derive(Clone, Debug)]
pub struct Assertion {
    /// The type's name, such as `contains`.
    pub kind: String,
    /// Its share in the layer's score; greater than 0.
    pub weight: f64,
    /// Whether pass and fail are exchanged.
    pub not: bool,
    /// All that the author wrote, in the author's order, `type` included.
    pub written: Map<String, Value>,
    /// `assert-set` only: the checks inside.
    pub children: Vec<Assertion>,
    /// The directory of the sample file: what relative paths refer to.
    pub base: PathBuf,
    /// Its place in the file.
    pub place: Option<Place>,
    /// The places of its fields' values.
    pub field_places: BTreeMap<String, Place>,
}

impl Assertion {
    /// The value of a field, as written.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&Value> {
        self.written.get(name)
    }

    /// A field that is a text.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        self.field(name)?.as_str()
    }

    /// A field that is a list of texts.
    #[must_use]
    pub fn texts(&self, name: &str) -> Option<Vec<&str>> {
        self.field(name)?.as_array()?.iter().map(Value::as_str).collect()
    }
}
