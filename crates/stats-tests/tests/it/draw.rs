//! Draws of balls and of colours.

use eval_stats::internals::{Draw, Streams, Urn, draw_indexes};

#[test]
fn draws_are_the_same_today_and_tomorrow() {
    let mut out = [0; 6];
    draw_indexes(&mut Streams::bootstrap(42).stream(7), 100, &mut out);
    assert_eq!(out, [94, 83, 58, 91, 45, 8]);
}

#[test]
fn every_ball_is_drawn_equally_often() {
    let streams = Streams::bootstrap(1);
    let draws = Urn::Balls(5).replicates(&streams, 20_000, |draw| match draw {
        Draw::Balls(indexes) => indexes.to_vec(),
        Draw::Colours(_) => Vec::new(),
    });
    for ball in 0..5 {
        let seen = draws.iter().flatten().filter(|&&i| i == ball).count();
        assert!(seen.abs_diff(20_000) < 600, "ball {ball}: {seen}");
    }
}

#[test]
fn few_colours_are_drawn_as_counts_and_many_as_balls() {
    assert!(Urn::new(&[64, 64]).is_some_and(|(_, by_colour)| by_colour));
    assert!(Urn::new(&[1; 100]).is_some_and(|(_, by_colour)| !by_colour));
    assert!(Urn::new(&[]).is_none());
    assert!(Urn::new(&[u32::MAX, 1]).is_none());
}
