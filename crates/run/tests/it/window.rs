//! Calls at once, after successes and rate limits.

use eval_run::internals::CongestionWindow;

fn answer(window: &mut CongestionWindow, calls: usize) {
    (0..calls).for_each(|_| window.succeeded());
}

fn round_trip(window: &mut CongestionWindow) -> usize {
    let calls = window.limit();
    answer(window, calls);
    window.limit()
}

fn full_window() -> CongestionWindow {
    let mut window = CongestionWindow::new(32, true);
    while round_trip(&mut window) < 32 {}
    window
}

#[test]
fn it_reaches_32_one_round_trip_after_the_first_call() {
    let mut window = CongestionWindow::new(32, true);
    let limits: Vec<usize> = (0..3).map(|_| round_trip(&mut window)).collect();
    assert_eq!(limits, [16, 32, 32]);
}

#[test]
fn after_a_429_it_is_half_and_grows_by_one_a_round_trip() {
    let mut window = full_window();
    assert!(window.limited(0));
    assert_eq!(window.limit(), 16);
    answer(&mut window, 17);
    assert_eq!(window.limit(), 17);
}

#[test]
fn a_burst_of_429s_halves_once() {
    let mut window = full_window();
    let falls = (0..32).filter(|_| window.limited(0)).count();
    assert_eq!((falls, window.limit()), (1, 16));
}

#[test]
fn it_never_falls_below_one() {
    let mut window = CongestionWindow::new(32, true);
    window.succeeded();
    let falls = (0..20).filter(|epoch| window.limited(*epoch)).count();
    assert_eq!(falls, 20);
    assert_eq!(window.limit(), 1);
}

#[test]
fn without_adapting_only_the_first_call_is_alone() {
    let mut window = CongestionWindow::new(8, false);
    assert_eq!(window.limit(), 1);
    window.failed();
    assert_eq!(window.limit(), 8);
}
