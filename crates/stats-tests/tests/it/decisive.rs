//! Sample sizes that settle a comparison, against a search by SciPy 1.17.1 (`tests/decisive_oracle.py`), and edge
//! cases.

use eval_stats::*;
use serde::Deserialize;

#[derive(Deserialize)]
struct Counted {
    sd: f64,
    n: usize,
    tail: f64,
    unseen_risk: f64,
    effect: f64,
    sd_bound: f64,
    settle: usize,
    gain: usize,
}

/// The risk that a verdict allows.
const UNSEEN_RISK: f64 = 0.05;
const FIRST: PlannedReading = PlannedReading { tail: 0.025, unseen_risk: UNSEEN_RISK };
/// A second look at a test set that grew.
const SECOND: PlannedReading = PlannedReading { tail: 0.0125, unseen_risk: UNSEEN_RISK / 2.0 };
const TRIVIAL: f64 = 0.1;
const PILOT: Pilot = Pilot { sd: 0.6, n: 12, widest: 4.0 };

#[test]
fn sizes_are_those_of_counting_up() {
    let rows: Vec<Counted> = serde_json::from_str(include_str!("../data/decisive_oracle.json")).expect("rows");
    assert!(rows.len() > 200);
    for row in rows {
        let pilot = Pilot { sd: row.sd, n: row.n, widest: 4.0 };
        let reading = PlannedReading { tail: row.tail, unseen_risk: row.unseen_risk };
        let bound = sd_bound(row.sd, row.n, 0.35).expect("exists");
        assert!((bound - row.sd_bound).abs() <= 1e-9 * row.sd_bound, "{bound} for {}", row.sd_bound);
        assert_eq!(
            pilot.pairs_to_settle(row.effect, &reading),
            Some(row.settle),
            "{pilot:?} {reading:?} {}",
            row.effect
        );
        assert_eq!(
            pilot.pairs_for_gain(row.effect, TRIVIAL, &reading),
            Some(row.gain),
            "{pilot:?} {reading:?} {}",
            row.effect
        );
    }
}

/// The published numbers for a spread that is known.
#[test]
fn published_sizes_for_exact_spreads() {
    for (reading, settle, gain) in
        [(FIRST, [61, 81, 170, 380], [39, 42, 58, 128]), (SECOND, [76, 98, 201, 449], [49, 53, 70, 155])]
    {
        for ((sd, settle), gain) in [0.3, 0.55, 0.8, 1.2].into_iter().zip(settle).zip(gain) {
            let exact = Pilot { sd, n: 100_000_000, widest: 4.0 };
            assert_eq!(exact.pairs_to_settle(0.2, &reading), Some(settle), "{sd} {reading:?}");
            assert_eq!(exact.pairs_for_gain(0.3, TRIVIAL, &reading), Some(gain), "{sd} {reading:?}");
        }
    }
    for (sd, gain) in [0.3, 0.55, 0.8, 1.2].into_iter().zip([24, 25, 27, 47]) {
        let exact = Pilot { sd, n: 100_000_000, widest: 4.0 };
        assert_eq!(exact.pairs_for_gain(0.5, TRIVIAL, &FIRST), Some(gain), "{sd}");
    }
}

#[test]
fn an_exact_pilot_still_needs_enough_samples_to_have_met_every_kind() {
    let needed = Pilot { sd: 0.0, ..PILOT }.pairs_to_settle(0.2, &FIRST).expect("exists");
    let risk = |n| SeenDifferences { n, mean: 0.2, sd: 0.0, widest: 4.0 }.unseen_risk(0.0);
    assert!(risk(needed) <= UNSEEN_RISK && risk(needed - 1) > UNSEEN_RISK, "{needed}");
}

#[test]
fn a_gain_as_large_as_the_effect_never_needs_more() {
    for effect in [0.15, 0.2, 0.5, 1.0] {
        let settled = PILOT.pairs_to_settle(effect, &FIRST);
        let gain = PILOT.pairs_for_gain(effect, 0.0, &FIRST);
        assert!(settled >= gain && gain >= Some(20), "{settled:?} {gain:?}");
    }
}

#[test]
fn a_gain_must_be_shown_to_be_more_than_trivial() {
    let gain = |trivial| PILOT.pairs_for_gain(0.2, trivial, &FIRST);
    assert!(gain(0.15) > gain(0.1) && gain(0.1) >= gain(0.0), "{:?}", [0.15, 0.1, 0.0].map(gain));
    assert_eq!([gain(0.2), gain(0.3)], [None, None]);
}

#[test]
fn questions_without_an_answer() {
    let both = |pilot: Pilot, effect, reading: &PlannedReading| {
        (pilot.pairs_to_settle(effect, reading), pilot.pairs_for_gain(effect, 0.0, reading))
    };
    for pilot in [
        Pilot { n: 1, ..PILOT },
        Pilot { sd: -0.1, ..PILOT },
        Pilot { sd: f64::NAN, ..PILOT },
        Pilot { widest: 0.0, ..PILOT },
        Pilot { widest: f64::INFINITY, ..PILOT },
        Pilot { sd: 1e9, ..PILOT },
    ] {
        assert_eq!(both(pilot, 0.2, &FIRST), (None, None), "{pilot:?}");
    }
    for effect in [0.0, -0.2, f64::NAN, f64::INFINITY] {
        assert_eq!(both(PILOT, effect, &FIRST), (None, None));
    }
    for tail in [0.0, 0.5, f64::NAN] {
        assert_eq!(both(PILOT, 0.2, &PlannedReading { tail, ..FIRST }), (None, None));
    }
}
