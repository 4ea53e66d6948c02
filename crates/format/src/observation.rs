//! What `omk observe` stores: how skills do in sessions of real use.

use std::collections::BTreeMap;
use std::path::Path;

use eval_message::{Message, msg};
use eval_spec::call::Usage;
use eval_spec::files;
use eval_spec::gap::{GapClass, SignalKind};
use serde::{Deserialize, Serialize};

use crate::gap_status::{GAP_STATUS_FILE, GapDecision, GapStatus, GapStatusFile};
use crate::impossible::{ImpossibleValue, counts, first, missing, ordered, part, rate, same, share, sum};
use crate::report::{GapAnchor, VariantCoverage, VariantGaps};
use crate::skills::RateInterval;
use crate::version::version_in;

/// The version of the form; a reader refuses every other one.
pub const OBSERVATION_VERSION: u32 = 1;

/// How skills did in sessions of real use.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Observation {
    /// The version of this form.
    pub schema_version: u32,
    /// Its id, unique among stored observations.
    pub id: String,
    /// When it was made, RFC 3339.
    pub created_at: String,
    /// The version of omk.
    pub omk_version: String,
    /// What was read.
    pub sources: ObservationSources,
    /// All segments together.
    pub overall: SkillHealth,
    /// Each skill, the one with the most segments first, and last the work without a skill.
    pub skills: Vec<SkillHealth>,
    /// What is missing again and again: the same thing in several segments, the most wanted first.
    pub inbox: Vec<GapGroup>,
    /// Skills that the model was offered and never loaded, by their names.
    pub never_loaded: Vec<NeverLoadedSkill>,
}

/// Reads a stored observation; `shown` is its path as messages have it.
///
/// # Errors
/// When it can't be read, is none, has another version, or has numbers that nothing can have measured.
pub fn read_observation(path: &Path, shown: &str) -> Result<Observation, Message> {
    let unreadable = |why: String| msg!("observe-unreadable", path = shown, why = why);
    let text = files::read_regular(path, files::LARGEST_REPORT).map_err(|error| unreadable(error.to_string()))?;
    let version = version_in(&text, "schemaVersion").filter(|version| *version != OBSERVATION_VERSION);
    if let Some(version) = version {
        return Err(msg!("format-version", path = shown, version = version, reads = OBSERVATION_VERSION));
    }
    let found: Observation = serde_json::from_slice(&text).map_err(|error| unreadable(error.to_string()))?;
    if let Some(what) = found.impossible() {
        return Err(msg!("observe-impossible", path = shown, what = what.message().to_string()));
    }
    let beside = path.with_file_name(GAP_STATUS_FILE);
    let shown_beside = Path::new(shown).with_file_name(GAP_STATUS_FILE);
    let statuses = GapStatusFile::read(&beside, &shown_beside.to_string_lossy())?;
    Ok(found.decided(&statuses))
}

impl Observation {
    /// The observation with what people decided on its gaps: open ones first, then those that are done, then dismissed ones.
    #[must_use]
    pub fn decided(mut self, statuses: &GapStatusFile) -> Observation {
        for of in &mut self.inbox {
            let ids = std::iter::once(&of.id).chain(&of.ids);
            of.decision = ids.filter_map(|id| statuses.gaps.get(id)).next().cloned();
        }
        self.inbox.sort_by_key(|of| (of.is_closed(), of.class, of.decision.as_ref().map(|of| of.status)));
        self
    }

    /// What of it nothing can have measured, if there is any.
    fn impossible(&self) -> Option<ImpossibleValue> {
        let (overall, sources) = (&self.overall, &self.sources);
        let skill = |(at, of): (usize, &SkillHealth)| {
            let within = || {
                first([
                    part("segments", of.segments, overall.segments),
                    part("sessions", of.sessions, overall.sessions),
                ])
            };
            of.impossible().or_else(within).map(|of| of.inside(&format!("skills[{at}]")))
        };
        let group = |(at, of): (usize, &GapGroup)| {
            let found = first([
                part("sessions", of.sessions, sources.sessions.min(of.signals)),
                part("evidence", of.evidence.len() as u64, of.signals),
            ]);
            found.map(|of| of.inside(&format!("inbox[{at}]")))
        };
        let failed = overall.gaps.kinds().get(&SignalKind::FailedSearch).map_or(0, |of| of.signals);
        let offered = self.never_loaded.iter().map(|of| ("neverLoaded.sessions", of.sessions));
        let read = [
            ("sources.copies", sources.copies),
            ("sources.searchesElsewhere", sources.searches_elsewhere),
            ("sources.unreadableLines", sources.unreadable_lines),
            ("sources.unknownRecords", sources.unknown_records),
        ];
        let formats = sources.formats.values().map(|of| ("sources.formats", *of));
        (overall.impossible().map(|of| of.inside("overall")))
            .or_else(|| self.skills.iter().enumerate().find_map(skill))
            .or_else(|| same("overall.sessions", overall.sessions, Some(sources.sessions)))
            .or_else(|| same("overall.segments", overall.segments, sum(self.skills.iter().map(|of| of.segments))))
            .or_else(|| self.inbox.iter().enumerate().find_map(group))
            .or_else(|| part("inbox.signals", sum(self.inbox.iter().map(|of| of.signals)).unwrap_or(u64::MAX), failed))
            .or_else(|| counts(offered.chain(read).chain(formats)))
    }
}

impl SkillHealth {
    fn impossible(&self) -> Option<ImpossibleValue> {
        let each = [("turns", self.turns), ("outputTokens", self.output_tokens), ("durationMs", self.duration_ms)];
        let unordered =
            |(field, of): (&str, Option<Quartiles>)| of.and_then(|of| ordered(field, &[of.lower, of.median, of.upper]));
        let usage = self.usage.unwrap_or_default();
        let tokens = [usage.input_tokens, usage.output_tokens, usage.cache_read_tokens, usage.cache_write_tokens];
        let tools = self.tools;
        let known = tools.known();
        let has_known = known.is_some_and(|known| known > 0);
        (self.gaps.impossible().map(|of| of.inside("gaps")))
            .or_else(|| self.coverage.as_ref()?.impossible().map(|of| of.inside("coverage")))
            .or_else(|| {
                first([
                    part("gaps.samples", self.gaps.samples(), self.segments),
                    rate("toolFailureRate", self.tool_failure_rate, self.tool_failure_rate_ci.as_ref()),
                    known.is_none().then(|| ImpossibleValue::new("tools", "> 2⁶⁴")),
                    share("toolFailureRate", self.tool_failure_rate, tools.failed, known.unwrap_or_default()),
                    missing("toolFailureRate", self.tool_failure_rate.is_some(), has_known),
                    missing("toolFailureRateCi", self.tool_failure_rate_ci.is_some(), has_known),
                    rate("dispersion", self.dispersion, None),
                    part("sessions", self.sessions, self.segments),
                    part("interrupted", self.interrupted, self.segments),
                    part("attribution", sum(self.attribution.values().copied()).unwrap_or(u64::MAX), self.segments),
                    counts([("segments", self.segments), ("carried", self.carried)]),
                    counts([("contextChars", self.context_chars.unwrap_or_default())]),
                    counts([("tools.ok", tools.ok), ("tools.noMatch", tools.no_match), ("tools.failed", tools.failed)]),
                    counts([("tools.notRun", tools.not_run), ("tools.unknown", tools.unknown)]),
                    counts(tokens.map(|of| ("usage", of))),
                ])
            })
            .or_else(|| each.into_iter().find_map(unordered))
    }
}

impl ToolCounts {
    /// Calls whose end is known; `None` where that is more than a number holds.
    #[must_use]
    pub fn known(&self) -> Option<u64> {
        self.ok.checked_add(self.no_match)?.checked_add(self.failed)
    }
}

/// One missing thing, and who wanted it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct GapGroup {
    /// The id of the gap, as in reports.
    pub id: String,
    /// The ids of all members: what people decided on one of them holds for the gap.
    pub ids: Vec<String>,
    /// What is missing: a fact for a page, or a place in code.
    pub class: GapClass,
    /// The question that users asked most often where it was wanted: masked, and cut when it is
    /// long; absent where nobody asked one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    /// What was looked for, as it was written first.
    pub subject: String,
    /// The skills whose segments wanted it; without a skill, none.
    pub skills: Vec<String>,
    /// The sessions that wanted it; where gaps were merged, at least so many.
    pub sessions: u64,
    /// The signals.
    pub signals: u64,
    /// When it was wanted last, RFC 3339.
    pub last: Option<String>,
    /// Where it was wanted, the latest first.
    pub evidence: Vec<GapEvidence>,
    /// The texts that were looked for and count as this gap, each once.
    pub members: Vec<String>,
    /// Where was searched: files and folders, as seen from the working directory (`.`), `server:` and `web:`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub searched_in: Vec<String>,
    /// Pages of the knowledge base that have the words, with the line where one line has them all: they exist, and were not found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub existing_pages: Vec<String>,
    /// What people decided on it; absent while it is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<GapDecision>,
    /// What a model took for the same thing in other words, and put here; absent where none was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merged: Option<MergedGaps>,
}

impl GapGroup {
    /// Whether it is dismissed, or was done after it was wanted last.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.decision.as_ref().is_some_and(|of| of.status == GapStatus::Dismissed || !self.is_back())
    }

    /// Whether it was wanted after it was marked as done.
    #[must_use]
    pub fn is_back(&self) -> bool {
        let done = self.decision.as_ref().filter(|of| of.status == GapStatus::Done);
        done.zip(self.last.as_ref()).is_some_and(|(of, last)| of.at.get(..19) < last.get(..19))
    }

    /// Whether it is an open gap of the knowledge base.
    #[must_use]
    pub fn is_wanted(&self) -> bool {
        !self.is_closed() && self.class == GapClass::Knowledge
    }
}

/// Gaps that a model takes for one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct MergedGaps {
    /// The gaps' ids, the most wanted first.
    pub ids: Vec<String>,
    /// What was looked for under each.
    pub subjects: Vec<String>,
    /// How sure the model is, 0 to 1, by its own account.
    pub confidence: f64,
    /// Why, in the model's words.
    pub reason: String,
}

/// A place where something was missing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct GapEvidence {
    /// The segment: the session's name and the number in it.
    pub segment: String,
    /// The kind of signal.
    pub kind: SignalKind,
    /// Where it stands.
    pub anchor: GapAnchor,
    /// What the user had asked: masked, and cut when it is
    /// long; absent where nobody asked one.
    pub prompt: Option<String>,
}

/// What was read for an observation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ObservationSources {
    /// The files and folders that were looked into.
    pub paths: Vec<String>,
    /// Sessions of each format.
    pub formats: BTreeMap<String, u64>,
    /// Sessions with a segment in the period.
    pub sessions: u64,
    /// Segments that stand in several files, since a session was copied or resumed; they count once.
    pub copies: u64,
    /// Lines that are no record, such as torn ones.
    pub unreadable_lines: u64,
    /// Records of an unknown type.
    pub unknown_records: u64,
    /// Files that could not be read, or are of no known format.
    pub unread_files: Vec<UnreadFile>,
    /// The beginning of the period that was asked for, RFC 3339.
    pub from: Option<String>,
    /// The end of the period that was asked for, RFC 3339.
    pub to: Option<String>,
    /// The time of the first segment, RFC 3339.
    pub first: Option<String>,
    /// The time of the last segment, RFC 3339.
    pub last: Option<String>,
    /// The skills that were asked for; empty for all.
    pub skills: Vec<String>,
    /// The knowledge base to which the inbox is limited, as it was named; empty where it isn't.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub knowledge_base: Vec<String>,
    /// Failed searches that are not in the inbox, since they are neither in nor for that knowledge base.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub searches_elsewhere: u64,
    /// Whether marks and doubts were looked for in what models think, too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub thinking: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// A file that was not read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct UnreadFile {
    /// The file.
    pub path: String,
    /// Why not, in English.
    pub reason: String,
}

/// A skill that was offered and never loaded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct NeverLoadedSkill {
    /// Its name.
    pub name: String,
    /// The sessions in which it was offered.
    pub sessions: u64,
}

/// How a skill did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SkillHealth {
    /// The skill; `null` for the work without one, and for all segments together.
    pub skill: Option<String>,
    /// The band: the worst of what the gap rate and the failure rate say.
    pub band: HealthBand,
    /// How far the band and the rates can be trusted, by the number of segments.
    pub confidence: ObservationConfidence,
    /// Segments: the work on one prompt with one skill.
    pub segments: u64,
    /// The sessions with them.
    pub sessions: u64,
    /// How the segments are known to be the skill's.
    pub attribution: BTreeMap<Attribution, u64>,
    /// Later prompts of sessions with the skill that are not counted to it, because nothing shows that it was used.
    pub carried: u64,
    /// What was looked for and not found. A sample is a segment here.
    pub gaps: VariantGaps,
    /// Which files of the knowledge base were read; absent where none was given. A sample is a segment here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<VariantCoverage>,
    /// Tool calls by their ends.
    pub tools: ToolCounts,
    /// Failed calls of those whose end is known; `null` without any.
    pub tool_failure_rate: Option<f64>,
    /// Its interval, calls clustered by session.
    pub tool_failure_rate_ci: Option<RateInterval>,
    /// Segments in which the user stopped the agent.
    pub interrupted: u64,
    /// Messages of the model per segment.
    pub turns: Option<Quartiles>,
    /// Output tokens per segment.
    pub output_tokens: Option<Quartiles>,
    /// Milliseconds per segment, from the prompt to the last thing that happened.
    pub duration_ms: Option<Quartiles>,
    /// How much segments differ in their output tokens: (Q3 − Q1) / (Q3 + Q1), from 0 for none to 1 (Bonett 2006,
    /// "Confidence interval for a coefficient of quartile variation"); `null` below 4 segments with tokens.
    pub dispersion: Option<f64>,
    /// The tokens of all segments, cached ones apart; `null` where the files tell none.
    pub usage: Option<Usage>,
    /// The characters that its text takes in the model's context each time that it is loaded, at most; `null` where the
    /// files don't hold the text.
    pub context_chars: Option<u64>,
    /// The models that answered.
    pub models: Vec<String>,
}

/// How a segment is known to be a skill's, the weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Attribution {
    /// It was loaded for an earlier prompt, and a file of it was used for this one.
    Used,
    /// It was loaded for this prompt.
    Loaded,
    /// The agent's program wrote it beside the messages.
    Recorded,
}

/// A first judgement of a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum HealthBand {
    /// Little was missing, and few tools failed.
    Green,
    /// Worth a look.
    Yellow,
    /// Much was missing, or many tools failed.
    Red,
}

/// How far a skill's numbers can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ObservationConfidence {
    /// Fewer than 5 segments: nothing follows yet.
    Underpowered,
    /// Fewer than 20: only large gaps show.
    Low,
    /// 20 and more.
    High,
}

/// Tool calls by their ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ToolCounts {
    /// Calls that did what was asked.
    pub ok: u64,
    /// Searches that ran and found nothing.
    pub no_match: u64,
    /// Calls that failed.
    pub failed: u64,
    /// Calls that were refused or cancelled.
    pub not_run: u64,
    /// Calls whose end the file doesn't tell.
    pub unknown: u64,
}

/// Quartiles (definition 6 of Hyndman and Fan).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Quartiles {
    /// A quarter of the segments is below.
    pub lower: f64,
    /// Half of them.
    pub median: f64,
    /// Three quarters.
    pub upper: f64,
}
