//! Human gold: what people scored, each score belonging to the output that the person saw.

use std::collections::BTreeMap;

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The version of the format that this program writes.
pub const GOLD_VERSION: u32 = 1;

/// The scores of a directory of gold files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gold {
    /// The directory, as it is shown.
    pub directory: String,
    /// Where it is, absolute.
    pub path: PathBuf,
    /// Files read.
    pub files: usize,
    /// Everybody's scores, by file name and then in file order.
    pub annotations: Vec<Annotation>,
}

/// One person's scores of one output.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Annotation {
    /// The sample.
    pub sample_id: String,
    /// Who scored.
    pub annotator: String,
    /// The variant whose output it was, if that was written down.
    pub variant: Option<String>,
    /// The repeat, if that was written down.
    pub repeat: Option<u32>,
    /// SHA-256 of the output's UTF-8 bytes, 64 lower-case hex digits: what ties the scores to what the person saw.
    pub output_sha256: Option<String>,
    /// By question, a dimension's name or `rubric`: 1–5, in halves.
    pub scores: Vec<(String, f64)>,
    /// Questions that are still to be scored.
    pub open: usize,
    /// Where the scores were given, such as a report's page; files written by hand don't say.
    pub source: Option<String>,
    /// Who is wrong where the scores and a judge disagree, once that is settled.
    pub settled: Option<Settled>,
}

/// Who is wrong where a person and the judge disagree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Settled {
    /// The person: the scores count no longer.
    GoldWrong,
    /// The judge: the scores count, and are confirmed.
    JudgeWrong,
}

impl Settled {
    /// All of them.
    pub const ALL: [Settled; 2] = [Settled::GoldWrong, Settled::JudgeWrong];

    /// Its word in files and forms.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Settled::GoldWrong => "gold-wrong",
            Settled::JudgeWrong => "judge-wrong",
        }
    }

    /// The decision of this word.
    #[must_use]
    pub fn named(word: &str) -> Option<Settled> {
        Settled::ALL.into_iter().find(|of| of.word() == word)
    }
}

/// A gold file: several people's scores, or one person's without the list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
#[cfg_attr(feature = "schema", schemars(rename = "Gold"))]
pub enum GoldDocument {
    /// Any number of annotations.
    Several(GoldFile),
    /// One annotation; what it is compared with must be the only output there is, unless it says more.
    One(GoldSingle),
}

/// A gold file, `<gold-dir>/<sample_id>.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GoldFile {
    /// The version of the format.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u32>,
    /// The sample; the file's name without `.json` when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sample_id: Option<String>,
    /// What the model was asked, for the annotator to read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// What to score by: question → criteria.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub criteria: Map<String, Value>,
    /// Who scored which output.
    pub annotations: Vec<GoldEntry>,
}

/// A file with one annotation at its top level.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GoldSingle {
    /// The version of the format.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u32>,
    /// The sample; the file's name without `.json` when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sample_id: Option<String>,
    /// The annotation.
    #[serde(flatten)]
    pub entry: GoldEntry,
}

/// One person's scores of one output, as written.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct GoldEntry {
    /// Who scored.
    pub annotator: String,
    /// Whose output it was. Absent where the annotator should not know.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// Which repeat, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeat: Option<u32>,
    /// SHA-256 of the output's UTF-8 bytes, 64 hex digits. Scores belong to every output of the sample with this
    /// hash, and to no other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(regex(pattern = r"^[0-9a-fA-F]{64}$")))]
    pub output_sha256: Option<String>,
    /// By question, the name of a dimension or `rubric`: 1 to 5 in steps of a half; `null` is not scored yet.
    pub scores: GoldScores,
    /// The output, for the annotator to read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// Where the scores were given, such as a report's page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// When, RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// Whatever the annotator wants to keep; nothing reads it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Whether the annotator didn't know whose output it was, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blind: Option<bool>,
    /// Who is wrong where these scores and a judge disagree, once that is settled: with `gold-wrong` they count no longer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settled: Option<Settled>,
}

/// Scores by question, in the author's order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct GoldScores(
    /// Numbers from 1 to 5 in steps of a half, or `null`.
    #[cfg_attr(feature = "schema", schemars(extend(
        "additionalProperties" = {"type": ["number", "null"], "minimum": 1, "maximum": 5, "multipleOf": 0.5}
    )))]
    pub Map<String, Value>,
);

/// Returns the JSON Schema of a gold file, draft 2020-12. It is committed as `schemas/gold.schema.json`.
#[cfg(feature = "schema")]
#[must_use]
pub fn schema() -> Value {
    let settings = schemars::generate::SchemaSettings::draft2020_12();
    let mut schema = settings.into_generator().into_root_schema_for::<GoldDocument>();
    schema.insert("title".to_owned(), Value::from("omk gold"));
    schema.to_value()
}

/// The name of a sample's gold file: its id and `.json`; an id that is no plain file name is changed and gets eight
/// hex digits of its SHA-256, so that no two ids meet.
#[must_use]
pub fn file_name(sample_id: &str) -> String {
    const LONGEST: usize = 150;
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | ' ');
    let is_plain = sample_id.chars().all(plain) && !sample_id.starts_with('.') && sample_id.len() <= LONGEST;
    if is_plain {
        return format!("{sample_id}.json");
    }
    let safe: String = sample_id.chars().map(|c| if plain(c) { c } else { '_' }).collect();
    let safe = safe.trim_start_matches('.');
    let hash = crate::hash::short_hash(sample_id.as_bytes(), 8);
    format!("{}-{hash}.json", &safe[..safe.floor_char_boundary(LONGEST - 10)])
}

/// What may be scored: sample → its questions, the names of its dimensions or `rubric`; `None` where that isn't known.
pub type GoldQuestions = BTreeMap<String, Option<Vec<String>>>;
