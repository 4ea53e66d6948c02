//! The number of samples that decides, against a search by SciPy 1.17.1 (`tests/decisive_oracle.py` wrote it), and its edges.

use eval_stats::*;
use serde::Deserialize;

#[derive(Deserialize)]
struct Counted {
    sd: f64,
    n: usize,
    worst_fall: f64,
    worst_rise: f64,
    effect: f64,
    sd_bound: f64,
    decisive: usize,
    gain: usize,
}

#[test]
fn as_many_as_counting_up_finds() {
    let rows: Vec<Counted> = serde_json::from_str(include_str!("../data/decisive_oracle.json")).expect("rows");
    assert!(rows.len() > 200);
    for row in rows {
        let pilot = Pilot { sd: row.sd, n: row.n, worst_fall: row.worst_fall, worst_rise: row.worst_rise };
        let bound = sd_bound(row.sd, row.n, 0.35).expect("exists");
        assert!((bound - row.sd_bound).abs() <= 1e-9 * row.sd_bound, "{bound} for {}", row.sd_bound);
        assert_eq!(pilot.decisive_pairs(row.effect), Some(row.decisive), "{pilot:?} {}", row.effect);
        assert_eq!(pilot.pairs_for_gain(row.effect), Some(row.gain), "{pilot:?} {}", row.effect);
    }
}

const PILOT: Pilot = Pilot { sd: 0.6, n: 12, worst_fall: 2.5, worst_rise: 2.7 };

#[test]
fn an_exact_pilot_still_needs_enough_samples_to_have_met_every_kind() {
    let exact = Pilot { sd: 0.0, ..PILOT };
    let needed = exact.decisive_pairs(0.2).expect("exists");
    let q = |n| unseen_share(n, UNSEEN_RISK_OF_NO_DIFFERENCE);
    assert!(q(needed) * 2.7 <= 0.2 && q(needed - 1) * 2.7 > 0.2, "{needed}");
    assert_eq!(Pilot { worst_fall: 0.0, worst_rise: 0.0, ..exact }.decisive_pairs(0.2), Some(20));
}

#[test]
fn a_gain_as_large_as_the_effect_never_needs_more() {
    for effect in [0.1, 0.2, 0.5, 1.0] {
        let (decisive, gain) = (PILOT.decisive_pairs(effect), PILOT.pairs_for_gain(effect));
        assert!(decisive >= gain && gain >= Some(20), "{decisive:?} {gain:?}");
    }
}

#[test]
fn questions_without_an_answer() {
    for pilot in [
        Pilot { n: 1, ..PILOT },
        Pilot { sd: -0.1, ..PILOT },
        Pilot { sd: f64::NAN, ..PILOT },
        Pilot { worst_fall: -1.0, ..PILOT },
        Pilot { worst_rise: f64::INFINITY, ..PILOT },
        Pilot { sd: 1e9, ..PILOT },
    ] {
        assert_eq!((pilot.decisive_pairs(0.2), pilot.pairs_for_gain(0.2)), (None, None), "{pilot:?}");
    }
    for effect in [0.0, -0.2, f64::NAN, f64::INFINITY] {
        assert_eq!((PILOT.decisive_pairs(effect), PILOT.pairs_for_gain(effect)), (None, None));
    }
}
