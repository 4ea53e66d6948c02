//! The gap signals of a run, and the share of samples that have any.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use eval_format::skills::{RateInterval, RateMethod};
use eval_format::{GapEntry, GapMeasures, GapStatus, TestSet, VariantGaps, WantedGap};
use eval_gaps::{
    AssistantTurn, Conversation, GapPatterns, GapSignal, KnowledgeLookup, gap_id, gap_key, gap_weight,
    guessed_search_tools, looked_up, same_gaps, signals,
};
use eval_spec::call::Step;
use eval_spec::gap::{GapClass, SearchIntent, SignalKind};
use eval_spec::record::{Executed, Record};
use eval_spec::{Cell, Suite};
use eval_stats::wilson_of_share;

use crate::gap_history::GapHistory;
use crate::grid::Grid;
use crate::hedging::HedgingReview;
use crate::intervals::LEVEL;
use crate::knowledge::VariantKnowledge;
use crate::numbers::{average, count, snap};

/// How much of what was looked for is stored: a pattern is short, a sentence may be long.
const SUBJECT_CHARS: usize = 300;

/// What the traces of executions tell, by their places in the plan.
pub(crate) type TracesByCell = BTreeMap<usize, CellTrace>;

/// What the trace of an execution tells.
pub(crate) struct CellTrace {
    pub(crate) signals: Vec<GapSignal>,
    pub(crate) lookup: KnowledgeLookup,
    /// Tools of servers that are taken for searches by their names.
    pub(crate) guessed: BTreeSet<String>,
}

/// How traces are read.
pub(crate) struct TraceReading {
    knowledge: Vec<VariantKnowledge>,
    rules: GapPatterns,
}

impl TraceReading {
    pub(crate) fn of(suite: &Suite) -> TraceReading {
        TraceReading { knowledge: VariantKnowledge::of(suite), rules: GapPatterns::new(&suite.settings.gap) }
    }
}

/// What an execution's trace tells; `None` where it has none.
pub(crate) fn of_record(suite: &Suite, reading: &TraceReading, cell: &Cell, record: &Record) -> Option<CellTrace> {
    let Executed::Output(output) = &record.execution.result else { return None };
    let (sample, variant) = (suite.samples.get(cell.sample)?, suite.variants.get(cell.subject)?);
    // A model that is asked without tools answers in one turn, and that is all of its trace.
    if output.trace.steps.is_empty() {
        return None;
    }
    let own = sample.cwd.as_ref().or(variant.cwd.as_ref()).map(|cwd| cwd.display().to_string());
    let cwd = output.trace.cwd.clone().or(own);
    let mut conversation = Conversation::of_trace(vec![sample.prompt_text()], cwd, &output.trace);
    conversation.rules = reading.rules.clone();
    let is_answer = |step: &Step| matches!(step, Step::Text { text } if text.contains(output.text.trim()));
    if !output.trace.steps.iter().any(is_answer) {
        let number = conversation.turns.last().map_or(1, |turn| turn.number + 1);
        conversation.turns.push(AssistantTurn { number, text: output.text.clone(), ..AssistantTurn::default() });
    }
    let files = reading.knowledge.get(cell.subject)?;
    let lookup = files.met(sample, variant, output.trace.cwd.as_deref(), &looked_up(&conversation));
    let mut signals = signals(&conversation);
    let cwd = conversation.cwd.as_deref();
    for signal in signals.iter_mut().filter(|signal| files.was_searched(sample, variant, cwd, signal)) {
        signal.class = GapClass::Knowledge;
    }
    // A copy has another path in each execution.
    if let Some(cwd) = &output.trace.cwd {
        let folder = format!("{cwd}/");
        signals.iter_mut().for_each(|signal| signal.subject = signal.subject.replace(&folder, ""));
    }
    Some(CellTrace { signals, lookup, guessed: guessed_search_tools(&conversation) })
}

/// The gap signals of each variant; empty where no execution has a trace.
pub(crate) fn gaps(
    grid: &Grid,
    labels: &[String],
    test_set: &TestSet,
    history: &GapHistory,
    review: Option<&HedgingReview>,
) -> BTreeMap<String, VariantGaps> {
    if grid.traces.is_empty() {
        return BTreeMap::new();
    }
    let of = |(variant, label): (usize, &String)| {
        (label.clone(), VariantGaps::new(test_set.clone(), measures(grid, variant, history, review)))
    };
    labels.iter().enumerate().map(of).collect()
}

fn measures(grid: &Grid, variant: usize, history: &GapHistory, review: Option<&HedgingReview>) -> GapMeasures {
    let earlier = history.earlier.get(variant);
    let mut measures = GapMeasures {
        low_before: earlier.map_or(0, |of| of.low_in_a_row),
        beside: earlier.and_then(|of| of.beside.clone()),
        ..GapMeasures::default()
    };
    let (mut shares, mut weights, mut executed) = (Vec::new(), Vec::new(), BTreeSet::new());
    for sample in grid.samples() {
        let cells = grid.index.of(sample, variant);
        let is_dropped = |signal: &&GapSignal| review.is_some_and(|review| review.drops(signal));
        let traces = cells.iter().filter_map(|cell| grid.traces.get(cell));
        let runs: Vec<Vec<&GapSignal>> =
            traces.map(|of| of.signals.iter().filter(|of| !is_dropped(of)).collect()).collect();
        if runs.is_empty() {
            measures.without_trace += 1;
            continue;
        }
        executed.insert(sample);
        let share = |of: &dyn Fn(&Vec<&GapSignal>) -> f64| average(&runs.iter().map(of).collect::<Vec<_>>());
        shares.extend(share(&|run| f64::from(u8::from(!run.is_empty()))));
        weights.extend(share(&|run| gap_weight(run.iter().copied())));
        for (run, cell) in (0..).zip(cells) {
            for signal in grid.traces.get(cell).into_iter().flat_map(|of| &of.signals) {
                let entry = entry(&grid.suite.samples[sample].id, run, signal, history, review);
                if is_dropped(&signal) { &mut measures.filtered } else { &mut measures.inventory }.push(entry);
            }
        }
    }
    measures.hedging = review.map(|review| review.counts(traces_of(grid, variant).flat_map(|of| &of.signals)));
    measures.guessed_tools = traces_of(grid, variant).flat_map(|of| of.guessed.iter().cloned()).collect();
    measures.wanted = wanted(grid.suite, &measures.inventory);
    measures.samples = count(shares.len());
    measures.gap_rate = average(&shares).map(snap);
    measures.weighted_gap_rate = average(&weights).map(snap);
    #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^53 tasks")]
    let tasks = grid.clusters.count(executed.into_iter()) as f64;
    let interval = measures.gap_rate.and_then(|rate| wilson_of_share(rate, tasks, LEVEL));
    let method = RateMethod::ClusteredWilson;
    measures.gap_rate_ci =
        interval.map(|of| RateInterval { low: snap(of.low), high: snap(of.high), level: LEVEL, method });
    measures
}

fn traces_of<'g>(grid: &'g Grid, variant: usize) -> impl Iterator<Item = &'g CellTrace> {
    grid.samples().flat_map(move |sample| grid.index.of(sample, variant)).filter_map(|cell| grid.traces.get(cell))
}

/// What tools looked for in vain, the same thing once: wanted by the most samples, then by the most searches. What an agent only
/// made sure of is no page to write, nor is what people dismissed.
fn wanted(suite: &Suite, inventory: &[GapEntry]) -> Vec<WantedGap> {
    let is_dismissed = |of: &GapEntry| of.decision.as_ref().is_some_and(|of| of.status == GapStatus::Dismissed);
    let is_wanted = |of: &&GapEntry| {
        let names_something = of.subject.contains(char::is_alphanumeric);
        of.kind == SignalKind::FailedSearch
            && of.intent != Some(SearchIntent::Verification)
            && names_something
            && !is_dismissed(of)
    };
    let all: Vec<&GapEntry> = inventory.iter().filter(is_wanted).collect();
    let subjects: Vec<&str> = all.iter().map(|of| of.subject.as_str()).collect();
    let keys: Vec<String> = subjects.iter().map(|subject| gap_key(subject)).collect();
    let group = |places: Vec<usize>| {
        let of: Vec<&GapEntry> = places.iter().map(|at| all[*at]).collect();
        let distinct = |text: &dyn Fn(&GapEntry) -> Option<String>| -> Vec<String> {
            of.iter().filter_map(|of| text(of)).collect::<BTreeSet<_>>().into_iter().collect()
        };
        let facts = of.iter().filter(|of| of.class == GapClass::Knowledge).count();
        let question = |of: &&GapEntry| {
            let sample = suite.samples.iter().find(|sample| *sample.id == of.sample_id)?;
            let text = sample.sent_prompt().split_whitespace().collect::<Vec<_>>().join(" ");
            (!text.is_empty()).then(|| text.chars().take(SUBJECT_CHARS).collect())
        };
        WantedGap {
            class: if facts * 2 >= of.len() { GapClass::Knowledge } else { GapClass::Code },
            question: of.first().and_then(question),
            subject: of.first().map(|of| of.subject.clone()).unwrap_or_default(),
            ids: distinct(&|of| Some(of.id.clone())),
            samples: distinct(&|of| Some(of.sample_id.clone())),
            signals: count(of.len()),
            members: distinct(&|of| Some(of.subject.clone())),
        }
    };
    let mut groups: Vec<WantedGap> = same_gaps(&subjects, &keys).into_iter().map(group).collect();
    groups.sort_by_key(|of| (of.class, Reverse(of.samples.len()), Reverse(of.signals)));
    groups
}

fn entry(sample: &str, run: u32, signal: &GapSignal, history: &GapHistory, review: Option<&HedgingReview>) -> GapEntry {
    let id = gap_id(&signal.subject);
    GapEntry {
        decision: history.decisions.get(&id).cloned(),
        id,
        sample_id: sample.to_owned(),
        run,
        turn: signal.turn,
        sub_agent: signal.thread.clone(),
        kind: signal.kind,
        subject: signal.subject.chars().take(SUBJECT_CHARS).collect(),
        calls: signal.calls.clone(),
        class: signal.class,
        intent: signal.intent,
        place: signal.place,
        classifier_verdict: review.and_then(|review| review.verdict(signal)).cloned(),
        anchor: None,
    }
}
