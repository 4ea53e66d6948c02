//! Gap rates over time. As everywhere, no rate leaves this file without its test set.

use eval_message::{Message, msg};
use serde::Serialize;

use super::TestSet;
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
}

impl GapTrendPoint {
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
}

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
            Some(GapMark { run, rate, range: point.gap_rate_ci.as_ref().map(|ci| (ci.low, ci.high)) })
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
        Some(GapCurve { caption, marks })
    }
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}
