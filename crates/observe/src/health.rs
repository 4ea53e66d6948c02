//! Segments → how a skill did.

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

/// The level of the intervals.
const LEVEL: f64 = 0.95;
/// From this weighted gap rate on, a skill is yellow, and red.
const GAPS: [f64; 2] = [0.2, 0.5];
/// From this share of failed tool calls on, a skill is yellow, and red.
const FAILURES: [f64; 2] = [0.1, 0.3];
/// Below this number of segments nothing follows, and only large gaps show.
const CONFIDENT: [u64; 2] = [5, 20];

/// A segment and where it is found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlacedSegment<'a> {
    /// The session's name, unique in an observation.
    pub(crate) session: &'a str,
    /// The session's file, as it is shown.
    pub(crate) file: &'a str,
    pub(crate) segment: &'a Segment,
}

impl PlacedSegment<'_> {
    /// What it is named by: its session and its number there.
    pub(crate) fn name(&self) -> String {
        format!("{}#{}", self.session, self.segment.number)
    }
}

/// The numbers of some segments; `carried` are those after a skill that are not counted to it.
pub(crate) fn health(
    skill: Option<&str>,
    of: &[PlacedSegment<'_>],
    carried: u64,
    set: &TestSet,
    files: Option<&KnowledgeFiles>,
) -> SkillHealth {
    let sessions: BTreeSet<&str> = of.iter().map(|scope| scope.session).collect();
    let segments = of.len() as u64;
    let mut tools = ToolCounts::default();
    of.iter().for_each(|scope| add(&mut tools, &scope.segment.tools));
    let known = tools.ok + tools.no_match + tools.failed;
    let clusters: BTreeSet<&str> =
        of.iter().filter(|scope| calls(&scope.segment.tools) > 0).map(|scope| scope.session).collect();
    let rate = (known > 0).then(|| share(tools.failed, known));
    let measures = measures(of, sessions.len());
    let weighted = measures.weighted_gap_rate;
    let mut attribution = BTreeMap::new();
    for how in of.iter().filter_map(|scope| scope.segment.attribution) {
        *attribution.entry(how).or_insert(0) += 1;
    }
    let numbers = |of_one: &dyn Fn(&Segment) -> Option<u64>| -> Vec<f64> {
        #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^53")]
        of.iter().filter_map(|scope| of_one(scope.segment)).map(|number| number as f64).collect()
    };
    let output = numbers(&|segment| segment.usage.map(|usage| usage.output_tokens));
    let output_tokens = quartiles(&output);
    let models: BTreeSet<&String> = of.iter().flat_map(|scope| &scope.segment.models).collect();
    SkillHealth {
        skill: skill.map(str::to_owned),
        band: band(weighted, GAPS).max(band(rate, FAILURES)),
        confidence: confidence(segments),
        segments,
        sessions: sessions.len() as u64,
        attribution,
        carried,
        gaps: VariantGaps::new(set.clone(), measures),
        coverage: files.map(|files| VariantCoverage::new(set.clone(), coverage(of, files))),
        tools,
        tool_failure_rate: rate.map(snap),
        tool_failure_rate_ci: rate.and_then(|rate| interval(rate, clusters.len())),
        interrupted: of.iter().filter(|scope| scope.segment.is_interrupted).count() as u64,
        turns: quartiles(&numbers(&|segment| Some(segment.turns))),
        output_tokens,
        duration_ms: quartiles(&numbers(&|segment| segment.duration_ms)),
        dispersion: output_tokens.filter(|_| output.len() >= 4).and_then(|of| {
            let sum = of.upper + of.lower;
            (sum > 0.0).then(|| snap((of.upper - of.lower) / sum))
        }),
        usage: of.iter().filter_map(|scope| scope.segment.usage).reduce(|sum, usage| sum + usage),
        context_chars: of.iter().map(|scope| scope.segment.skill_chars as u64).max().filter(|&chars| chars > 0),
        models: models.into_iter().cloned().collect(),
    }
}

/// The gap rates, sessions being the clusters.
fn measures(of: &[PlacedSegment<'_>], sessions: usize) -> GapMeasures {
    let mean = |value: &dyn Fn(&Segment) -> f64| {
        #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^53 segments")]
        (!of.is_empty()).then(|| of.iter().map(|scope| value(scope.segment)).sum::<f64>() / of.len() as f64)
    };
    let weight = |segment: &Segment| gap_weight(segment.signals.iter().map(|of| &of.signal));
    let gap_rate = mean(&|segment| f64::from(u8::from(!segment.signals.is_empty()))).map(snap);
    GapMeasures {
        gap_rate,
        gap_rate_ci: gap_rate.and_then(|rate| interval(rate, sessions)),
        weighted_gap_rate: mean(&weight).map(snap),
        samples: of.len() as u64,
        without_trace: 0,
        low_before: 0,
        guessed_tools: of.iter().flat_map(|scope| scope.segment.guessed_tools.iter().cloned()).collect(),
        inventory: of.iter().flat_map(|scope| entries(scope)).collect(),
        ..GapMeasures::default()
    }
}

/// Which files of the knowledge base the segments made agents read.
fn coverage(of: &[PlacedSegment<'_>], files: &KnowledgeFiles) -> CoverageMeasures {
    let lookups = || of.iter().enumerate().filter_map(|(at, scope)| Some((at, scope.segment.lookup.as_ref()?)));
    let access = |(how, at, lines): KnowledgeAccess| FileAccess { how, sample_id: of[at].name(), lines };
    let met = files.accesses(lookups()).into_iter();
    CoverageMeasures {
        samples: of.len() as u64,
        looked_up: lookups().filter(|(_, lookup)| lookup.has_looked).count() as u64,
        files: met.map(|(name, of)| (name, of.into_iter().map(access).collect())).collect(),
        ..CoverageMeasures::default()
    }
}

fn entries(scope: &PlacedSegment<'_>) -> impl Iterator<Item = GapEntry> {
    let (name, file) = (scope.name(), scope.file.to_owned());
    scope.segment.signals.iter().map(move |of| GapEntry {
        id: Some(gap_id(&of.signal.subject)),
        decision: None,
        sample_id: name.clone(),
        run: 0,
        turn: of.signal.turn,
        sub_agent: of.signal.thread.clone(),
        kind: of.signal.kind,
        subject: of.signal.subject.clone(),
        calls: match of.signal.kind {
            SignalKind::RepeatedFailure | SignalKind::FailedSearch => of.signal.calls.clone(),
            SignalKind::ExplicitMarker | SignalKind::Hedging => Vec::new(),
        },
        class: of.signal.class,
        intent: of.signal.intent,
        place: of.signal.place,
        classifier_verdict: None,
        anchor: Some(anchor(&file, of)),
    })
}

/// Where a signal stands.
pub(crate) fn anchor(file: &str, of: &AnchoredSignal) -> GapAnchor {
    let file = of.anchor.file.as_deref().unwrap_or(file).to_owned();
    GapAnchor { file, line: of.anchor.line, at: of.anchor.at.map(|at| at.to_string()) }
}

fn add(sum: &mut ToolCounts, of: &ToolCounts) {
    sum.ok += of.ok;
    sum.no_match += of.no_match;
    sum.failed += of.failed;
    sum.not_run += of.not_run;
    sum.unknown += of.unknown;
}

fn calls(of: &ToolCounts) -> u64 {
    of.ok + of.no_match + of.failed
}

fn share(part: u64, whole: u64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^53 calls")]
    let share = part as f64 / whole as f64;
    share
}

/// Wilson's interval, each session counting as one trial.
fn interval(rate: f64, sessions: usize) -> Option<RateInterval> {
    #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^53 sessions")]
    let of = wilson_of_share(rate, sessions as f64, LEVEL)?;
    Some(RateInterval { low: snap(of.low), high: snap(of.high), level: LEVEL, method: RateMethod::ClusteredWilson })
}

fn quartiles(values: &[f64]) -> Option<Quartiles> {
    let at = |share| quantile(values, share);
    Some(Quartiles { lower: at(0.25)?, median: at(0.5)?, upper: at(0.75)? })
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
        n if n < CONFIDENT[0] => ObservationConfidence::Underpowered,
        n if n < CONFIDENT[1] => ObservationConfidence::Low,
        _ => ObservationConfidence::High,
    }
}

/// Twelve digits: what is stored is the same on every machine.
fn snap(value: f64) -> f64 {
    (value * 1e12).round() / 1e12
}
