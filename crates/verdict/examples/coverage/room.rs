//! Two ends of the guard against kinds that never came up: controls that have next to nothing to lose, and preferences.

use eval_analysis::Risk;
use eval_analysis::measure::Strictness;

use crate::decide::{Call, Readings, preference_readings, readings};
use crate::random::Random;
use crate::unseen::{SIZES, both, heading, line};
use crate::{Options, Share, data_sets, resampling};

/// The samples that a room is looked at with.
const ROOM_SIZES: [usize; 3] = [60, 80, 100];
/// So many of 100 samples are solved by the control; the others have the lowest score in both arms.
const SOLVED: [u32; 7] = [0, 3, 5, 8, 10, 15, 25];
/// Of 100 samples, those that break make a loss of 0.2 points.
const BREAKING: u32 = 5;
/// Nothing is called falsely more often.
const MOST: f64 = 0.065;

/// What happens to the samples that the control solves.
#[derive(Clone, Copy)]
enum Change {
    Nothing,
    /// A loss of 0.2 points on the whole, all of it by solved samples that break.
    Loss,
}

pub(crate) fn room(o: &Options) -> Vec<String> {
    println!(
        "Few samples are solved by the control, all others fail in both arms; {} data sets a cell, in percent.",
        o.data_sets
    );
    println!("With the guard against unseen kinds, and with that of room beside it.\n");
    let columns = ROOM_SIZES.map(|n| format!("{n:9}    ")).concat();
    println!("{:38}  NOISE{columns} not worse{columns}", "");
    let solved_by = if o.is_short { &SOLVED[..1] } else { &SOLVED[..] };
    let mut missed: Vec<String> = solved_by.iter().flat_map(|&solved| room_row(solved, Change::Nothing, o)).collect();
    let breaking = SOLVED.into_iter().filter(|solved| *solved >= BREAKING && !o.is_short);
    missed.extend(breaking.flat_map(|solved| room_row(solved, Change::Loss, o)));
    missed
}

/// Prints one line; the bounds that it misses.
fn room_row(solved: u32, change: Change, o: &Options) -> Vec<String> {
    let (what, is_false) = match change {
        // all checks fail in both arms: nothing is measured
        Change::Nothing => ("nothing differs", solved == 0),
        Change::Loss => ("5 % break, -0.2", true),
    };
    let mut missed = Vec::new();
    let mut text = String::new();
    for call in [Call::Noise, Call::NotWorse] {
        for n in ROOM_SIZES {
            let found = few_solved(solved, change, n, call, o);
            let [guarded, all] = [Share::of(&found, |of| of.guarded), Share::of(&found, |of| of.all)];
            text += &format!("{:5.1} {:5.1}  ", 100.0 * guarded.value, 100.0 * all.value);
            if is_false && !all.is_within([0.0, MOST], o.slack) {
                missed.push(format!("{solved} % solved, {what}, N {n}: {} %", all.text()));
            }
        }
        text += "  ";
    }
    println!("{:38}  {}", format!("{what}, {solved} % solved"), text.trim_end());
    missed
}

fn few_solved(solved: u32, change: Change, n: usize, call: Call, o: &Options) -> Vec<Readings> {
    let solved = f64::from(solved) / 100.0;
    let strictness = Strictness::once(Risk::default());
    data_sets(o, |i, random| {
        let draw = |random: &mut Random| match (random.uniform(), change) {
            (at, Change::Loss) if at < f64::from(BREAKING) / 100.0 => [5.0, 1.0],
            (at, _) if at < solved => [5.0, 5.0],
            _ => [1.0, 1.0],
        };
        let pairs: Vec<[f64; 2]> = (0..n).map(|_| draw(random)).collect();
        readings(&pairs, call, &strictness, &resampling(o, i))
    })
}

/// One preference, −1 to 1.
type Preference = fn(&mut Random) -> f64;

/// A share prefers the control for sure, the others prefer the treatment a little, alike or by halves.
fn alike<const PERCENT: u32>(random: &mut Random) -> f64 {
    let share = f64::from(PERCENT) / 100.0;
    if random.uniform() < share { -1.0 } else { share / (1.0 - share) }
}

fn by_halves<const PERCENT: u32>(random: &mut Random) -> f64 {
    let share = f64::from(PERCENT) / 100.0;
    match random.uniform() {
        at if at < share => -1.0,
        at if at < 3.0 * share => 0.5,
        _ => 0.0,
    }
}

fn fair<const PERCENT: u32>(random: &mut Random) -> f64 {
    (f64::from(PERCENT) / 100.0 + 0.3 * random.normal()).clamp(-1.0, 1.0)
}

const NO_GAIN: [(&str, Preference); 9] = [
    ("2 % against, all others +0.02", alike::<2>),
    ("3 % against, all others +0.03", alike::<3>),
    ("5 % against, all others +0.05", alike::<5>),
    ("8 % against, all others +0.09", alike::<8>),
    ("12 % against, all others +0.14", alike::<12>),
    ("5 % against, 10 % half for", by_halves::<5>),
    ("10 % against, 20 % half for", by_halves::<10>),
    ("20 % against, 40 % half for", by_halves::<20>),
    ("normal, SD 0.3", fair::<0>),
];
const GAINS: [(&str, Preference); 3] =
    [("gain 0.1, SD 0.3", fair::<10>), ("gain 0.2, SD 0.3", fair::<20>), ("gain 0.3, SD 0.3", fair::<30>)];

pub(crate) fn preferences(o: &Options) -> Vec<String> {
    println!("Pairwise judging alone, preferences of -1 to 1, {} data sets a cell; PROGRESS in percent.", o.data_sets);
    println!("Left by the interval alone, right with the guard against kinds that never came up.\n");
    println!("{:38}{}   {}", "no gain", heading(&SIZES), heading(&SIZES));
    let mut missed = Vec::new();
    let (no_gain, sizes) = if o.is_short { (&NO_GAIN[2..3], &SIZES[..1]) } else { (&NO_GAIN[..], &SIZES[..]) };
    for &(what, draw) in no_gain {
        for (n, share) in sizes.iter().zip(preferred(what, draw, sizes, o)) {
            if !share.is_within([0.0, MOST], o.slack) {
                missed.push(format!("preferences, {what}, N {n}: {} %", share.text()));
            }
        }
    }
    println!("a gain");
    for (what, draw) in GAINS.into_iter().filter(|_| !o.is_short) {
        preferred(what, draw, sizes, o);
    }
    missed
}

/// Prints one line; the shares with the guard.
fn preferred(what: &str, draw: Preference, sizes: &[usize], o: &Options) -> Vec<Share> {
    let of_size = |n: usize| {
        let found: Vec<Readings> = data_sets(o, |i, random| {
            let preferences: Vec<f64> = (0..n).map(|_| draw(random)).collect();
            preference_readings(&preferences, &resampling(o, i))
        });
        both(&found)
    };
    let found: Vec<[Share; 2]> = sizes.iter().map(|&n| of_size(n)).collect();
    line(&format!("  {what}"), &found.iter().map(|of| of.map(|share| share.value)).collect::<Vec<_>>());
    found.into_iter().map(|[_, guarded]| guarded).collect()
}
