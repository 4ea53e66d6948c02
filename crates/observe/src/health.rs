//! Computes a skill's health from its segments.

use std::collections::{BTreeMap, BTreeSet};

use eval_format::skills::{RateInterval, RateMethod};
use eval_format::{
    CoverageMeasures, FileAccess, GapAnchor, GapEntry, GapMeasures, HealthBand, ObservationConfidence, Quartiles,
    SkillHealth, TestSet, ToolCounts, VariantCoverage, VariantGaps,
};
use eval_gaps::{KnowledgeAccess, KnowledgeFiles, gap_id, gap_weight};
use eval_spec::gap::SignalKind;
use eval_stats::{quantile, wilson_of_share};

use crate::segment::{AnchoredSignal, Segment};

/// Confidence level of the intervals.
const LEVEL: f64 = 0.95;
/// Weighted gap rates from which a skill is yellow and red.
const GAP_LIMITS: [f64; 2] = [0.2, 0.5];
/// Shares of failed tool calls from which a skill is yellow and red.
const FAILURE_LIMITS: [f64; 2] = [0.1, 0.3];
/// Numbers of segments from which confidence is low and high; below, only large gaps can be seen.
const CONFIDENCE_LIMITS: [u64; 2] = [5, 20];

/// A segment with its session and file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlacedSegment<'a> {
    /// Name of the session, unique in an observation.
    pub(crate) session: &'a str,
    /// Name of the session's file, for messages.
    pub(crate) file: &'a str,
    pub(crate) segment: &'a Segment,
}

impl PlacedSegment<'_> {
    /// Names the segment by its session and its number there.
    pub(crate) fn name(&self) -> String {
        format!("{}#{}", self.session, self.segment.number)
    }
}

/// Computes the numbers of a skill from its segments; `carried` counts later segments that may still use it.
pub(crate) fn health(
    skill: Option<&str>,
    all: &[PlacedSegment<'_>],
    carried: u64,
    set: &TestSet,
    files: Option<&KnowledgeFiles>,
) -> SkillHealth {
    let sessions: BTreeSet<&str> = all.iter().map(|placed| placed.session).collect();
    let segments = all.len() as u64;
    let mut tools = ToolCounts::default();
    all.iter().for_each(|placed| add(&mut tools, &placed.segment.tools));
    let outcomes = tools.ok + tools.no_match + tools.failed;
    let clusters: BTreeSet<&str> =
        all.iter().filter(|placed| calls(&placed.segment.tools) > 0).map(|placed| placed.session).collect();
    let rate = (outcomes > 0).then(|| share(tools.failed, outcomes));
    let measures = measures(all, sessions.len());
    let weighted = measures.weighted_gap_rate;
    let mut attribution = BTreeMap::new();
    for kind in all.iter().filter_map(|placed| placed.segment.attribution) {
        *attribution.entry(kind).or_insert(0) += 1;
    }
    let numbers = |value: &dyn Fn(&Segment) -> Option<u64>| -> Vec<f64> {
        #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^53")]
        all.iter().filter_map(|placed| value(placed.segment)).map(|number| number as f64).collect()
    };
    let output = numbers(&|segment| segment.usage.map(|usage| usage.output_tokens));
    let output_tokens = quartiles(&output);
    let models: BTreeSet<&String> = all.iter().flat_map(|placed| &placed.segment.models).collect();
    SkillHealth {
        skill: skill.map(str::to_owned),
        band: band(weighted, GAP_LIMITS).max(band(rate, FAILURE_LIMITS)),
        confidence: confidence(segments),
        segments,
        sessions: sessions.len() as u64,
        attribution,
        carried,
        gaps: VariantGaps::new(set.clone(), measures),
        coverage: files.map(|files| VariantCoverage::new(set.clone(), coverage(all, files))),
        tools,
        tool_failure_rate: rate.map(round),
        tool_failure_rate_ci: rate.and_then(|rate| interval(rate, clusters.len())),
        interrupted: all.iter().filter(|placed| placed.segment.is_interrupted).count() as u64,
        turns: quartiles(&numbers(&|segment| Some(segment.turns))),
        output_tokens,
        duration_ms: quartiles(&numbers(&|segment| segment.duration_ms)),
        dispersion: output_tokens.filter(|_| output.len() >= 4).and_then(|tokens| {
            let sum = tokens.upper + tokens.lower;
            (sum > 0.0).then(|| round((tokens.upper - tokens.lower) / sum))
        }),
        usage: all.iter().filter_map(|placed| placed.segment.usage).reduce(|sum, usage| sum + usage),
        context_chars: all.iter().map(|placed| placed.segment.skill_chars as u64).max().filter(|&chars| chars > 0),
        models: models.into_iter().cloned().collect(),
    }
}

/// Computes the gap rates; sessions are the clusters.
fn measures(all: &[PlacedSegment<'_>], sessions: usize) -> GapMeasures {
    let mean = |value: &dyn Fn(&Segment) -> f64| {
        #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^53 segments")]
        (!all.is_empty()).then(|| all.iter().map(|placed| value(placed.segment)).sum::<f64>() / all.len() as f64)
    };
    let weight = |segment: &Segment| gap_weight(segment.signals.iter().map(|entry| &entry.signal));
    let gap_rate = mean(&|segment| f64::from(u8::from(!segment.signals.is_empty()))).map(round);
    GapMeasures {
        gap_rate,
        gap_rate_ci: gap_rate.and_then(|rate| interval(rate, sessions)),
        weighted_gap_rate: mean(&weight).map(round),
        samples: all.len() as u64,
        without_trace: 0,
        low_before: 0,
        guessed_tools: all.iter().flat_map(|placed| placed.segment.guessed_tools.iter().cloned()).collect(),
        inventory: all.iter().flat_map(entries).collect(),
        ..GapMeasures::default()
    }
}

/// Computes which files of the knowledge base the agents read.
fn coverage(all: &[PlacedSegment<'_>], files: &KnowledgeFiles) -> CoverageMeasures {
    let lookups = || (0..).zip(all).filter_map(|(index, placed)| Some((index, placed.segment.lookup.as_ref()?)));
    let access = |(how, index, lines): KnowledgeAccess| FileAccess { how, sample_id: all[index].name(), lines };
    let accesses = files.accesses(lookups()).into_iter();
    CoverageMeasures {
        samples: all.len() as u64,
        looked_up: lookups().filter(|(_, lookup)| lookup.has_looked).count() as u64,
        files: accesses.map(|(name, of_file)| (name, of_file.into_iter().map(access).collect())).collect(),
        ..CoverageMeasures::default()
    }
}

fn entries(placed: &PlacedSegment<'_>) -> impl Iterator<Item = GapEntry> {
    let (name, file) = (placed.name(), placed.file.to_owned());
    placed.segment.signals.iter().map(move |anchored| GapEntry {
        id: gap_id(&anchored.signal.subject),
        decision: None,
        sample_id: name.clone(),
        run: 0,
        turn: anchored.signal.turn,
        sub_agent: anchored.signal.thread.clone(),
        kind: anchored.signal.kind,
        subject: anchored.signal.subject.clone(),
        calls: match anchored.signal.kind {
            SignalKind::RepeatedFailure | SignalKind::FailedSearch => anchored.signal.calls.clone(),
            SignalKind::ExplicitMarker | SignalKind::Hedging => Vec::new(),
        },
        class: anchored.signal.class,
        intent: anchored.signal.intent,
        place: anchored.signal.place,
        classifier_verdict: None,
        anchor: Some(anchor(&file, anchored)),
    })
}

/// Returns the place of a signal.
pub(crate) fn anchor(file: &str, signal: &AnchoredSignal) -> GapAnchor {
    let file = signal.anchor.file.as_deref().unwrap_or(file).to_owned();
    GapAnchor { file, line: signal.anchor.line, at: signal.anchor.time.map(|time| time.to_string()) }
}

fn add(sum: &mut ToolCounts, counts: &ToolCounts) {
    sum.ok += counts.ok;
    sum.no_match += counts.no_match;
    sum.failed += counts.failed;
    sum.not_run += counts.not_run;
    sum.unknown += counts.unknown;
}

fn calls(counts: &ToolCounts) -> u64 {
    counts.ok + counts.no_match + counts.failed
}

fn share(part: u64, whole: u64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^53 calls")]
    let share = part as f64 / whole as f64;
    share
}

/// Computes Wilson's interval; each session counts as one trial.
fn interval(rate: f64, sessions: usize) -> Option<RateInterval> {
    #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^53 sessions")]
    let ci = wilson_of_share(rate, sessions as f64, LEVEL)?;
    Some(RateInterval { low: round(ci.low), high: round(ci.high), level: LEVEL, method: RateMethod::ClusteredWilson })
}

fn quartiles(values: &[f64]) -> Option<Quartiles> {
    let value = |share| quantile(values, share);
    Some(Quartiles { lower: value(0.25)?, median: value(0.5)?, upper: value(0.75)? })
}

fn band(rate: Option<f64>, [yellow, red]: [f64; 2]) -> HealthBand {
    match rate {
        Some(rate) if rate >= red => HealthBand::Red,
        Some(rate) if rate >= yellow => HealthBand::Yellow,
        _ => HealthBand::Green,
    }
}

fn confidence(segments: u64) -> ObservationConfidence {
    match segments {
        n if n < CONFIDENCE_LIMITS[0] => ObservationConfidence::Underpowered,
        n if n < CONFIDENCE_LIMITS[1] => ObservationConfidence::Low,
        _ => ObservationConfidence::High,
    }
}

/// Rounds to twelve decimals, so that stored values are the same on every machine.
fn round(value: f64) -> f64 {
    (value * 1e12).round() / 1e12
}
