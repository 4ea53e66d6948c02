//! Gap rates over time. As everywhere, no rate leaves this file without its test set.

use eval_message::{Message, msg};
use serde::Serialize;

use super::gap_guard::is_low;
use super::{KnowledgeChange, TestSet};
use crate::skills::RateInterval;

/// Gap rate and coverage of a variant in one run, with the test set that they hold for.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GapTrendPoint {
    /// The variant.
    pub variant: String,
    pub(super) test_set: TestSet,
    pub(super) gap_rate: Option<f64>,
    pub(super) gap_rate_ci: Option<RateInterval>,
    pub(super) weighted_gap_rate: Option<f64>,
    pub(super) coverage: Option<f64>,
    /// The warning that goes with every gap rate.
    pub notice: String,
    /// What changed in the knowledge base since the run before of the same variant and test set; absent where nothing did, as far
    /// as the reports tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub knowledge_change: Option<KnowledgeChange>,
}

impl GapTrendPoint {
    /// Whether there is a rate.
    #[must_use]
    pub fn is_measured(&self) -> bool {
        self.gap_rate.is_some()
    }

    /// Coverage, gap rate with its interval, test set, number of samples.
    #[must_use]
    pub fn cells(&self) -> [String; 4] {
        let none = || "–".to_owned();
        let range = self.gap_rate_ci.as_ref().map(|ci| format!(" [{:.0}, {:.0}]", ci.low * 100.0, ci.high * 100.0));
        let rate = self.gap_rate.map(|rate| percent(rate) + &range.unwrap_or_default());
        let count = self.test_set.sample_count.to_string();
        [self.coverage.map_or_else(none, percent), rate.unwrap_or_else(none), self.test_set.id.clone(), count]
    }
}

/// The gap rates of one variant on one test set, run by run, to be drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct GapCurve {
    /// How the rate moved, with the test set.
    pub caption: Message,
    /// How to read that.
    pub readings: Vec<Message>,
    /// The runs, the oldest first.
    pub marks: Vec<GapMark>,
}

/// A run's gap rate.
#[derive(Clone, Debug, PartialEq)]
pub struct GapMark {
    /// Which of the points it is of.
    pub run: usize,
    /// The rate, 0 to 1.
    pub rate: f64,
    /// Its interval.
    pub range: Option<(f64, f64)>,
    /// Whether the knowledge base changed since the mark before.
    pub knowledge_changed: bool,
}

/// Rates that differ by less have hardly moved.
const HARDLY: f64 = 0.05;

impl GapCurve {
    /// A curve for each test set of one variant's points, which are in the order of time; the set that was measured last is
    /// the first.
    #[must_use]
    pub fn each(points: &[&GapTrendPoint]) -> Vec<GapCurve> {
        let mut sets: Vec<&TestSet> = Vec::new();
        for point in points.iter().rev().filter(|point| point.gap_rate.is_some()) {
            if !sets.iter().any(|set| set.id == point.test_set.id) {
                sets.push(&point.test_set);
            }
        }
        sets.into_iter().filter_map(|set| GapCurve::of(set, points)).collect()
    }

    fn of(set: &TestSet, points: &[&GapTrendPoint]) -> Option<GapCurve> {
        let mark = |(run, point): (usize, &&GapTrendPoint)| {
            let rate = point.gap_rate.filter(|_| point.test_set.id == set.id)?;
            let range = point.gap_rate_ci.as_ref().map(|ci| (ci.low, ci.high));
            Some(GapMark { run, rate, range, knowledge_changed: point.knowledge_change.is_some() })
        };
        let marks: Vec<GapMark> = points.iter().enumerate().filter_map(mark).collect();
        let (first, last) = (marks.first()?, marks.last()?);
        let caption = msg!(
            "gaps-curve",
            variant = points[first.run].variant.clone(),
            first = percent(first.rate),
            last = percent(last.rate),
            runs = marks.len(),
            set = set.id.clone(),
            path = set.path.clone(),
            count = set.sample_count
        );
        Some(GapCurve { caption, readings: readings(&marks, set), marks })
    }
}

/// What the shape of a curve says, and what to look at. Only what follows a change of the knowledge base is put down to it.
fn readings(marks: &[GapMark], set: &TestSet) -> Vec<Message> {
    let ([first, .., last], rates) = (marks, marks.iter().map(|of| of.rate)) else { return Vec::new() };
    let changes = marks.iter().filter(|of| of.knowledge_changed).count();
    let (never_rose, moved) = (rates.is_sorted_by(|a, b| b <= a), last.rate - first.rate);
    let is_low = is_low(last.rate);
    let shape = match changes {
        _ if moved >= HARDLY => Some(msg!("gaps-reading-rises", set = set.id.clone())),
        0 => None,
        _ if moved > -HARDLY => (!is_low).then(|| msg!("gaps-reading-flat")),
        _ => never_rose.then(|| msg!("gaps-reading-falls", set = set.id.clone())),
    };
    let marked = (changes > 0).then(|| msg!("gaps-curve-changes", count = changes));
    let near_zero = is_low.then(|| msg!("gaps-reading-near-zero"));
    [marked, shape, near_zero].into_iter().flatten().collect()
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}
