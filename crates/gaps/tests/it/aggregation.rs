//! What a sample weighs.

use eval_gaps::{GapSignal, SearchedPlaces, gap_weight};
use eval_spec::gap::GapClass;
use eval_spec::gap::SignalKind::{ExplicitMarker, FailedSearch, Hedging, RepeatedFailure};

#[test]
fn sample_weighs_as_its_strongest_signal_and_not_as_their_sum() {
    for (kinds, expected) in [
        (&[][..], 0.0),
        (&[Hedging], 0.5),
        (&[ExplicitMarker], 0.5),
        (&[FailedSearch], 1.0),
        (&[RepeatedFailure], 1.0),
        (&[ExplicitMarker, Hedging, Hedging], 0.5),
        (&[Hedging, FailedSearch], 1.0),
        (&[FailedSearch, FailedSearch, RepeatedFailure], 1.0),
    ] {
        let signal = |kind: &_| GapSignal {
            kind: *kind,
            turn: 1,
            thread: None,
            calls: Vec::new(),
            subject: String::new(),
            context: String::new(),
            intent: None,
            class: GapClass::Knowledge,
            searched: SearchedPlaces::default(),
            place: None,
        };
        let signals: Vec<GapSignal> = kinds.iter().map(signal).collect();
        assert!((gap_weight(&signals) - expected).abs() < 1e-12, "{kinds:?}");
    }
}
