//! `analysis.gap`: what agents looked for and didn't find.
//!
//! A gap rate says nothing but how one set of samples met a knowledge base. So no number of this file leaves it without
//! the test set that it holds for: not in JSON, and not as text.

use std::collections::{BTreeMap, BTreeSet};

use eval_message::{Message, msg};
use eval_spec::gap::{GapClass, HedgingVerdict, SearchIntent, SignalKind, SignalPlace};
use serde::{Deserialize, Serialize};

use super::gap_guard::{is_low, percent};
use super::{EarlierGaps, GapGuardInputs, GapTrendPoint, TestSet, VariantCoverage};
use crate::gap_status::{GapDecision, GapStatus};
use crate::impossible::{ImpossibleValue, ROUNDED, counts, first, missing, part, quotient, rate, same, sum};
use crate::skills::RateInterval;

/// The gap signals of one variant, and the share of samples that have any.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct VariantGaps {
    /// What the numbers hold for.
    test_set: TestSet,
    /// The warning that goes with the numbers, in English.
    notice: String,
    /// The share of samples with a signal; `null` where no sample was executed.
    gap_rate: Option<f64>,
    /// Its interval, samples clustered by their task.
    gap_rate_ci: Option<RateInterval>,
    /// The mean of the samples' weights: of each that of its strongest signal, 1 or 0.5.
    weighted_gap_rate: Option<f64>,
    /// Samples that were executed with a trace: what the rates are shares of.
    samples: u64,
    /// Samples that are left out, since none of their executions ended with a trace.
    without_trace: u64,
    /// How many signals and samples there are of each kind.
    kinds: BTreeMap<SignalKind, SignalCount>,
    /// How many complete reports of this test set in a row, this one as the last, have a gap rate of at most 10 %; absent
    /// where this one's is higher.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    low_in_a_row: Option<u64>,
    /// The gap rate of the variant in its last complete report on the other kind of samples: on those that a model proposed where
    /// people designed these, and the other way round. Absent where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    beside: Option<EarlierGaps>,
    /// What a model made of the sentences of doubt; absent where no model was to be asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hedging: Option<HedgingCounts>,
    /// What is missing across the samples, the most wanted first: which pages to write. Absent
    /// where nothing is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    wanted: Vec<WantedGap>,
    /// Tools of servers that are taken for searches by their names alone (`gap.searchTools` names them for certain); absent
    /// where there are none.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    guessed_tools: BTreeSet<String>,
    /// Every signal, sample by sample.
    inventory: Vec<GapEntry>,
    /// Sentences that the patterns found and the model took for no doubt: no signals, but here to be checked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    filtered: Vec<GapEntry>,
}

/// What a model made of the sentences of doubt that the patterns found. Whatever it didn't judge is kept.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct HedgingCounts {
    /// Sentences that the patterns found.
    pub found: u64,
    /// Those that the model took for doubt.
    pub confirmed: u64,
    /// Those that it took for none.
    pub dropped: u64,
    /// Those that it was not asked about or gave no usable answer to, by why.
    pub unjudged: BTreeMap<UnjudgedHedging, u64>,
}

/// Why there is no verdict on a sentence, which is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum UnjudgedHedging {
    /// As many sentences as `hedgingClassifier.maxCandidates` allows were asked about before it.
    BeyondLimit,
    /// The run's budget didn't allow the request.
    Budget,
    /// The request failed.
    Failed,
    /// The reply didn't have the requested form.
    Unreadable,
    /// The run ended before the model was asked.
    RunEnded,
}

impl UnjudgedHedging {
    /// The name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            UnjudgedHedging::BeyondLimit => "beyondLimit",
            UnjudgedHedging::Budget => "budget",
            UnjudgedHedging::Failed => "failed",
            UnjudgedHedging::Unreadable => "unreadable",
            UnjudgedHedging::RunEnded => "runEnded",
        }
    }
}

/// One missing thing, and the samples that wanted it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct WantedGap {
    /// What was looked for, as it was written first.
    pub subject: String,
    /// The gaps' ids: the same thing in other words has another id.
    pub ids: Vec<String>,
    /// The samples.
    pub samples: Vec<String>,
    /// The failed searches, all executions of the samples together.
    pub signals: u64,
    /// The texts that were looked for and count as this gap, each once.
    pub members: Vec<String>,
    /// What is missing: a fact for a page, or a place in code.
    pub class: GapClass,
    /// The question of the first of the samples, cut when it is long; absent where that has no prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
}

/// How often a kind of signal was found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SignalCount {
    /// Signals.
    pub signals: u64,
    /// Samples with one.
    pub samples: u64,
}

/// One signal with its place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct GapEntry {
    /// The gap's id: the same for all signals that want the same, from report to report.
    pub id: String,
    /// What people had decided on the gap when the run was made; absent where it was open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<GapDecision>,
    /// The sample.
    pub sample_id: String,
    /// Which of the sample's executions, from 0.
    pub run: u32,
    /// The turn, from 1.
    pub turn: u32,
    /// The call of the sub-agent in which it happened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sub_agent: Option<String>,
    /// Its kind.
    pub kind: SignalKind,
    /// What was looked for, or the sentence.
    pub subject: String,
    /// The calls behind it, by their ids in `toolCalls`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<String>,
    /// What a failed search is for, if not for a fact that a page could hold.
    #[serde(default, skip_serializing_if = "GapClass::is_default")]
    pub class: GapClass,
    /// Why was searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intent: Option<SearchIntent>,
    /// Where a mark or a doubt stands, if not in what the agent says to the user.
    #[serde(default, rename = "where", skip_serializing_if = "Option::is_none")]
    pub place: Option<SignalPlace>,
    /// What a model says of a sentence of doubt; absent where it was not asked, or gave no usable answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub classifier_verdict: Option<HedgingVerdict>,
    /// Where it stands, in signals of sessions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anchor: Option<GapAnchor>,
}

/// Where a signal stands in the files of a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct GapAnchor {
    /// The file, of the session or of a sub-agent.
    pub file: String,
    /// The line, from 1.
    pub line: u64,
    /// When, RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
}

impl GapEntry {
    /// Whether it is a signal of this gap.
    #[must_use]
    pub fn is_of(&self, gap: &str) -> bool {
        self.id == gap
    }
}

/// What is measured of one variant.
#[derive(Clone, Debug, Default)]
pub struct GapMeasures {
    /// See [`VariantGaps`].
    pub gap_rate: Option<f64>,
    /// See [`VariantGaps`].
    pub gap_rate_ci: Option<RateInterval>,
    /// See [`VariantGaps`].
    pub weighted_gap_rate: Option<f64>,
    /// See [`VariantGaps`].
    pub samples: u64,
    /// See [`VariantGaps`].
    pub without_trace: u64,
    /// Complete earlier reports of the test set in a row, the last ones, with a low gap rate.
    pub low_before: u64,
    /// See [`VariantGaps`].
    pub beside: Option<EarlierGaps>,
    /// See [`VariantGaps`].
    pub wanted: Vec<WantedGap>,
    /// See [`VariantGaps`].
    pub guessed_tools: BTreeSet<String>,
    /// See [`VariantGaps`].
    pub inventory: Vec<GapEntry>,
    /// See [`VariantGaps`].
    pub hedging: Option<HedgingCounts>,
    /// See [`VariantGaps`].
    pub filtered: Vec<GapEntry>,
}

/// From this share of soft signals on, the gap rate may be inflated by what the agent only says.
const SOFT: f64 = 0.1;
/// After so many reports with such a rate the samples should be expanded.
const TAME: u64 = 3;

impl VariantGaps {
    /// The measures with the test set that they hold for.
    #[must_use]
    pub fn new(test_set: TestSet, measures: GapMeasures) -> VariantGaps {
        let kinds = SignalKind::ALL.into_iter().map(|kind| (kind, count_of(&measures.inventory, kind))).collect();
        VariantGaps {
            test_set,
            notice: gap_notice().to_string(),
            gap_rate: measures.gap_rate,
            gap_rate_ci: measures.gap_rate_ci,
            weighted_gap_rate: measures.weighted_gap_rate,
            samples: measures.samples,
            without_trace: measures.without_trace,
            kinds,
            low_in_a_row: measures.gap_rate.filter(|rate| is_low(*rate)).map(|_| measures.low_before + 1),
            beside: measures.beside,
            hedging: measures.hedging,
            wanted: measures.wanted,
            guessed_tools: measures.guessed_tools,
            inventory: measures.inventory,
            filtered: measures.filtered,
        }
    }

    /// What of it nothing can have measured, if there is any.
    pub(crate) fn impossible(&self) -> Option<ImpossibleValue> {
        let failed = count_of(&self.inventory, SignalKind::FailedSearch).signals;
        let kind = |kind: SignalKind| {
            let (stored, counted) =
                (self.kinds.get(&kind).copied().unwrap_or_default(), count_of(&self.inventory, kind));
            first([
                same("kinds.signals", stored.signals, Some(counted.signals)),
                same("kinds.samples", stored.samples, Some(counted.samples)),
                part("kinds.samples", stored.samples, self.samples),
            ])
        };
        first([
            counts([("testSet.sampleCount", self.test_set.sample_count)]),
            rate("gapRate", self.gap_rate, self.gap_rate_ci.as_ref()),
            rate("weightedGapRate", self.weighted_gap_rate, None),
            missing("gapRate", self.gap_rate.is_some(), self.samples > 0),
            missing("gapRateCi", self.gap_rate_ci.is_some(), self.samples > 0),
            missing("weightedGapRate", self.weighted_gap_rate.is_some(), self.samples > 0),
            part("samples", self.samples, self.test_set.sample_count),
            part("withoutTrace", self.without_trace, self.test_set.sample_count.saturating_sub(self.samples)),
        ])
        .or_else(|| self.beside.as_ref()?.impossible().map(|of| of.inside("beside")))
        .or_else(|| self.impossible_rates())
        .or_else(|| SignalKind::ALL.into_iter().find_map(kind))
        .or_else(|| self.impossible_streak())
        .or_else(|| self.impossible_hedging())
        .or_else(|| part("wanted.signals", sum(self.wanted.iter().map(|of| of.signals)).unwrap_or(u64::MAX), failed))
    }

    /// A sample with a signal has at least one, and weighs half as much as others at least.
    fn impossible_rates(&self) -> Option<ImpossibleValue> {
        let (rate, weighted) = (self.gap_rate.unwrap_or_default(), self.weighted_gap_rate.unwrap_or_default());
        let signals = self.inventory.len() as u64;
        let is_of_signals = if signals == 0 { rate == 0.0 } else { self.samples > 0 && rate > 0.0 };
        let most = if self.samples == 0 { 1.0 } else { quotient(signals, self.samples) };
        let is_weighted = (rate / 2.0 - ROUNDED..=rate + ROUNDED).contains(&weighted);
        let of_signals =
            || ImpossibleValue::new("gapRate", format!("{rate} (`inventory`: {signals}/{})", self.samples));
        let of_rate = || ImpossibleValue::new("weightedGapRate", format!("{weighted} (`gapRate`: {rate})"));
        first([(!is_of_signals || rate > most + ROUNDED).then(of_signals), (!is_weighted).then(of_rate)])
    }

    /// Only a low rate is one of several in a row.
    fn impossible_streak(&self) -> Option<ImpossibleValue> {
        let count = self.low_in_a_row?;
        let is_low = self.rate().is_some_and(is_low);
        first([
            (count == 0 || !is_low).then(|| ImpossibleValue::new("lowInARow", count)),
            counts([("lowInARow", count)]),
        ])
    }

    /// Sentences are dropped, or they are signals.
    fn impossible_hedging(&self) -> Option<ImpossibleValue> {
        let of = self.hedging.clone().unwrap_or_default();
        let kept = sum([of.confirmed].into_iter().chain(of.unjudged.into_values()));
        let signals = self.kinds.get(&SignalKind::Hedging).copied().unwrap_or_default().signals;
        first([
            same("hedging.dropped", of.dropped, Some(self.filtered.len() as u64)),
            self.hedging
                .as_ref()
                .and_then(|_| same("hedging.found", of.found, kept.and_then(|kept| sum([kept, of.dropped])))),
            self.hedging.as_ref().and_then(|_| same("kinds.hedging.signals", signals, kept)),
        ])
    }

    /// The share of samples with a signal; that of no samples is not measured.
    fn rate(&self) -> Option<f64> {
        self.gap_rate.filter(|_| self.samples > 0)
    }

    /// The share, the weighted one, and the interval of the first.
    fn measured(&self) -> Option<(f64, f64, &RateInterval)> {
        Some((self.rate()?, self.weighted_gap_rate?, self.gap_rate_ci.as_ref()?))
    }

    /// Samples that were executed with a trace.
    pub(crate) fn samples(&self) -> u64 {
        self.samples
    }

    /// Whether what the rates hold for is this test set.
    pub(crate) fn is_of(&self, test_set: &TestSet) -> bool {
        self.test_set == *test_set
    }

    /// Every signal, sample by sample.
    #[must_use]
    pub fn inventory(&self) -> &[GapEntry] {
        &self.inventory
    }

    /// What a model made of the sentences of doubt.
    #[must_use]
    pub fn hedging(&self) -> Option<&HedgingCounts> {
        self.hedging.as_ref()
    }

    /// Sentences that the model took for no doubt.
    #[must_use]
    pub fn filtered(&self) -> &[GapEntry] {
        &self.filtered
    }

    /// How many signals there are of each kind.
    #[must_use]
    pub fn kinds(&self) -> &BTreeMap<SignalKind, SignalCount> {
        &self.kinds
    }

    /// What is missing across the samples, the most wanted first.
    #[must_use]
    pub fn wanted(&self) -> &[WantedGap] {
        &self.wanted
    }

    /// Tools of servers that are taken for searches by their names alone.
    #[must_use]
    pub fn guessed_tools(&self) -> &BTreeSet<String> {
        &self.guessed_tools
    }

    /// The test set that the rates hold for.
    #[must_use]
    pub fn test_set(&self) -> &TestSet {
        &self.test_set
    }

    /// The gap rate in percent; a dash without one.
    #[must_use]
    pub fn rate_text(&self) -> String {
        self.rate().map_or_else(|| "–".to_owned(), |rate| format!("{} %", percent(rate).trim_end_matches(".0")))
    }

    /// The rates in one sentence, with the test set.
    #[must_use]
    pub fn sentence(&self, variant: &str) -> Message {
        let set = &self.test_set;
        let Some((rate, weighted, RateInterval { low, high, .. })) = self.measured() else {
            return msg!("gaps-none-executed", variant = variant, set = set.id.clone(), count = set.sample_count);
        };
        msg!(
            "gaps-rate",
            variant = variant,
            rate = percent(rate),
            low = percent(*low),
            high = percent(*high),
            weighted = percent(weighted),
            samples = self.samples,
            set = set.id.clone(),
            path = set.path.clone(),
            count = set.sample_count
        )
    }

    /// Where a model proposed the samples, that it did; and the rate on the other kind of samples, with its own test set.
    pub fn beside(&self) -> impl Iterator<Item = Message> {
        let proposed = self.test_set.llm_generated.then(|| msg!("gaps-proposed", set = self.test_set.id.clone()));
        proposed.into_iter().chain(self.beside.as_ref().map(EarlierGaps::beside))
    }

    /// That the samples should be expanded, because the gap rate has been low again and again.
    #[must_use]
    pub fn domesticated(&self) -> Option<Message> {
        let count = self.low_in_a_row.filter(|count| *count >= TAME)?;
        Some(msg!("gaps-domesticated", count = count, set = self.test_set.id.clone()))
    }

    /// The gaps that people had marked as done, each once, with the sample that wants it again.
    #[must_use]
    pub fn came_back(&self) -> Vec<&GapEntry> {
        let mut seen = BTreeSet::new();
        let is_done = |entry: &&GapEntry| entry.decision.as_ref().is_some_and(|of| of.status == GapStatus::Done);
        self.inventory.iter().filter(is_done).filter(|entry| seen.insert(&entry.id)).collect()
    }

    /// A row of a table over time: with its coverage, its test set and the number of samples.
    #[must_use]
    pub fn trend_point(&self, variant: &str, coverage: Option<&VariantCoverage>) -> GapTrendPoint {
        GapTrendPoint {
            variant: variant.to_owned(),
            test_set: self.test_set.clone(),
            gap_rate: self.rate(),
            gap_rate_ci: self.gap_rate_ci.clone(),
            weighted_gap_rate: self.weighted_gap_rate,
            coverage: coverage.and_then(VariantCoverage::share),
            notice: gap_notice().to_string(),
            knowledge_change: None,
        }
    }

    /// [`sentence`](VariantGaps::sentence) of segments of sessions.
    #[must_use]
    pub fn segment_sentence(&self) -> Message {
        let set = &self.test_set;
        let Some((rate, weighted, RateInterval { low, high, .. })) = self.measured() else {
            return msg!("observe-rate-none", set = set.id.clone(), path = set.path.clone(), count = set.sample_count);
        };
        msg!(
            "observe-rate",
            rate = percent(rate),
            low = percent(*low),
            high = percent(*high),
            weighted = percent(weighted),
            segments = self.samples,
            set = set.id.clone(),
            path = set.path.clone(),
            count = set.sample_count
        )
    }

    /// Whether so many of the samples have only what the agent says, and nothing that a tool reports, that the gap rate
    /// may be too high.
    #[must_use]
    pub fn is_soft(&self) -> bool {
        self.gap_rate.zip(self.weighted_gap_rate).is_some_and(|(rate, weighted)| rate - weighted >= SOFT)
    }

    /// What a guard reads of it.
    #[must_use]
    pub fn guarded(&self, earlier: Option<EarlierGaps>) -> GapGuardInputs {
        GapGuardInputs::new(self.test_set.clone(), self.rate(), earlier)
    }

    /// What a later rate is compared with; `None` without a rate.
    #[must_use]
    pub fn as_earlier(&self, report: Option<String>) -> Option<EarlierGaps> {
        self.rate().map(|rate| EarlierGaps::new(report, self.test_set.clone(), rate))
    }
}

fn count_of(inventory: &[GapEntry], kind: SignalKind) -> SignalCount {
    let of: Vec<&GapEntry> = inventory.iter().filter(|entry| entry.kind == kind).collect();
    let samples: BTreeSet<&str> = of.iter().map(|entry| entry.sample_id.as_str()).collect();
    SignalCount { signals: of.len() as u64, samples: samples.len() as u64 }
}

/// The warning that goes with every gap rate.
#[must_use]
pub fn gap_notice() -> Message {
    msg!("gaps-notice")
}
