//! Shapes of paired scores with a given true mean difference: kinds of samples that are rare and fall far, and the fair ones beside them.

use crate::likert::Design;
use crate::random::Random;

/// Draws the scores of control and treatment on one sample.
pub(crate) type DrawPair = Box<dyn Fn(&mut Random) -> [f64; 2] + Send + Sync>;

/// What a shape is a case of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    RareFalls,
    HardSets,
    PassFail,
    Ties,
    Ordinary,
    /// No rule was chosen with these.
    HeldOut,
}

pub(crate) struct Shape {
    pub(crate) what: String,
    pub(crate) family: Family,
    pub(crate) draw: DrawPair,
}

/// A share of the samples: the control's score there, and by how much the treatment differs.
#[derive(Clone, Copy)]
struct Kind {
    share: f64,
    control: f64,
    by: f64,
}

/// Where ordinary samples lie: differences have room to both sides.
const MIDDLE: f64 = 3.0;

/// A control as good as it gets loses all that there is.
const BEST: f64 = 5.0;

const RARE_SHARES: [u32; 7] = [1, 2, 3, 5, 8, 11, 15];
const RARE_FALLS: [u32; 3] = [2, 3, 4];
const RARE_SPREADS: [f64; 2] = [0.0, 0.3];

/// All shapes with this true mean difference. Whole scores have none but 0.
pub(crate) fn shapes(truth: f64) -> Vec<Shape> {
    let mut all = Vec::new();
    for spread in RARE_SPREADS {
        for fall in RARE_FALLS {
            all.extend(RARE_SHARES.map(|percent| rare(percent, fall, spread, truth)));
        }
    }
    let hard_sets = [(3, 3), (4, 4), (5, 5), (6, 6), (10, 10), (20, 20), (6, 3), (10, 5), (20, 10)];
    // unsolved samples can't lose
    let are_possible = |&(_, broken): &(u32, u32)| share(broken) * 4.0 + truth >= 0.0;
    all.extend(hard_sets.into_iter().filter(are_possible).map(|(solved, broken)| hard(solved, broken, truth)));
    all.extend([2, 5, 10].map(|broken| pass_fail(broken, Family::PassFail, truth)));
    let ties = [(5, 4, 20), (5, 2, 10), (2, 4, 8), (10, 2, 20), (4, 3, 12)];
    all.extend(ties.map(|(percent, fall, gain)| mostly_ties(percent, fall, gain, truth)));
    all.extend([0.3, 0.8].map(|spread| normal(spread, truth)));
    all.push(shape("skewed: 0.5 - Exp(0.5)".to_owned(), Family::Ordinary, move |random| {
        [MIDDLE, MIDDLE + truth + 0.5 + 0.5 * random.uniform().ln()]
    }));
    if truth == 0.0 {
        all.extend([0.0, 0.6, 0.9].map(likert));
    }
    all.extend(held_out(truth));
    all
}

/// Shares of 1 to 20 % that fall by 3 or 4, with spreads from almost none to much.
pub(crate) fn sweep() -> Vec<Shape> {
    let falls = [3, 4].into_iter().flat_map(|fall| (1..=20).map(move |percent| (percent, fall)));
    falls.flat_map(|(percent, fall)| [0.05, 0.2, 0.4, 0.6].map(|spread| rare(percent, fall, spread, 0.0))).collect()
}

/// Some shapes that the short form asks for.
pub(crate) fn brief() -> Vec<Shape> {
    vec![rare(5, 3, 0.0, 0.0), hard(10, 5, 0.0), hard(3, 3, 0.0), normal(0.8, 0.0)]
}

/// Ordinary scores, and kinds that are just rare enough for some sizes of a growing set.
pub(crate) fn growing() -> Vec<Shape> {
    let rare_falls = [(3, 4, 0.3), (5, 3, 0.3), (5, 4, 0.3), (5, 4, 0.6), (7, 4, 0.6), (11, 4, 0.6)];
    let rare_falls = rare_falls.map(|(percent, fall, spread)| rare(percent, fall, spread, 0.0));
    [pass_fail(10, Family::PassFail, 0.0), likert(0.6)].into_iter().chain(rare_falls).collect()
}

fn shape(what: String, family: Family, draw: impl Fn(&mut Random) -> [f64; 2] + Send + Sync + 'static) -> Shape {
    Shape { what, family, draw: Box::new(draw) }
}

fn share(percent: u32) -> f64 {
    f64::from(percent) / 100.0
}

/// The kind that `at` in 0..1 falls into, `None` beyond them all.
fn kind(kinds: &[Kind], mut at: f64) -> Option<Kind> {
    for kind in kinds {
        if at < kind.share {
            return Some(*kind);
        }
        at -= kind.share;
    }
    None
}

/// Kinds of samples, and the others with a control's score of `others`, which all differ by what is missing to the truth, beside a
/// normal deviation.
fn made_up(kinds: Vec<Kind>, others: f64, spread: f64, truth: f64) -> impl Fn(&mut Random) -> [f64; 2] {
    let of_kinds: f64 = kinds.iter().map(|kind| kind.share * kind.by).sum();
    let rest: f64 = 1.0 - kinds.iter().map(|kind| kind.share).sum::<f64>();
    let by = (truth - of_kinds) / rest;
    move |random| match kind(&kinds, random.uniform()) {
        Some(kind) => [kind.control, kind.control + kind.by],
        None if spread > 0.0 => [others, others + by + spread * random.normal()],
        None => [others, others + by],
    }
}

/// A share falls, all others rise alike.
fn rare(percent: u32, fall: u32, spread: f64, truth: f64) -> Shape {
    let falls = Kind { share: share(percent), control: BEST, by: -f64::from(fall) };
    let what = format!("{percent} % fall by {fall}, spread {spread}");
    shape(what, Family::RareFalls, made_up(vec![falls], MIDDLE, spread, truth))
}

/// The control solves few samples, and so many of them break; on those that it can't solve, the treatment passes a little more.
fn hard(solved: u32, broken: u32, truth: f64) -> Shape {
    let breaks = Kind { share: share(broken), control: BEST, by: 1.0 - BEST };
    let stays = Kind { share: share(solved - broken), control: BEST, by: 0.0 };
    let what = format!("{solved} % solved, {} break", if broken == solved { "all" } else { "half" });
    shape(what, Family::HardSets, made_up(vec![breaks, stays], 1.0, 0.0, truth))
}

/// One check: some samples break, and about as many are fixed.
fn pass_fail(broken: u32, family: Family, truth: f64) -> Shape {
    let breaks = Kind { share: share(broken), control: BEST, by: 1.0 - BEST };
    let what = format!("pass/fail, {broken} % break, as many fixed");
    shape(what, family, in_steps(breaks, 1.0, 4.0, truth))
}

/// Most samples don't differ; some fall, more gain one point.
fn mostly_ties(percent: u32, fall: u32, gain: u32, truth: f64) -> Shape {
    let falls = Kind { share: share(percent), control: BEST, by: -f64::from(fall) };
    shape(format!("{percent} % lose {fall}, {gain} % gain 1"), Family::Ties, in_steps(falls, MIDDLE, 1.0, truth))
}

/// One kind falls; of the others as many differ by one `step` as make up the truth, and the rest doesn't differ.
fn in_steps(falls: Kind, others: f64, step: f64, truth: f64) -> impl Fn(&mut Random) -> [f64; 2] {
    let missing = truth - falls.share * falls.by;
    let (share, by) = (missing.abs() / step, step.copysign(missing));
    let control = if missing < 0.0 { BEST } else { others };
    let kinds = vec![falls, Kind { share, control, by }];
    move |random| kind(&kinds, random.uniform()).map_or([MIDDLE, MIDDLE], |kind| [kind.control, kind.control + kind.by])
}

fn normal(spread: f64, truth: f64) -> Shape {
    shape(format!("normal, SD {spread}"), Family::Ordinary, made_up(Vec::new(), MIDDLE, spread, truth))
}

fn likert(rho: f64) -> Shape {
    let design = Design { n: 1, rho, shift: 0.0 };
    shape(format!("Likert, rho {rho}"), Family::Ordinary, move |random| design.pair(random))
}

fn held_out(truth: f64) -> Vec<Shape> {
    let alike = |percent: u32| {
        // by 1, 2, 3 or 4, as often each
        let kinds = [1.0, 2.0, 3.0, 4.0].map(|fall| Kind { share: share(percent) / 4.0, control: BEST, by: -fall });
        let what = format!("{percent} % fall by 1 to 4");
        shape(what, Family::HeldOut, made_up(kinds.to_vec(), MIDDLE, 0.2, truth))
    };
    let two = [(0.03, 4.0), (0.10, 1.0)].map(|(share, fall)| Kind { share, control: BEST, by: -fall });
    let two = made_up(two.to_vec(), MIDDLE, 0.1, truth);
    let log_normal =
        move |random: &mut Random| [MIDDLE, MIDDLE + truth + (0.125_f64.exp() - (0.5 * random.normal()).exp()) / 2.0];
    // one of three answers to such a task fails as a coin falls; a task is the mean of its three
    let unstable = move |random: &mut Random| match random.uniform() < 0.06 {
        true => {
            let fails = (0..3).filter(|_| random.uniform() < 0.5).count();
            [BEST, BEST - 4.0 * fails as f64 / 3.0]
        }
        false => [MIDDLE, MIDDLE + (truth + 0.06 * 2.0) / 0.94 + 0.1 * random.normal()],
    };
    let one = made_up(vec![Kind { share: 0.05, control: BEST, by: -3.0 }], MIDDLE, 0.2, truth);
    let clusters = move |random: &mut Random| {
        let samples = 1 + (random.uniform() * 3.0) as usize;
        let sum = (0..samples).map(|_| one(random)).fold([0.0; 2], |sum, of| [sum[0] + of[0], sum[1] + of[1]]);
        sum.map(|points| points / samples as f64)
    };
    let named = |what: &str, draw: DrawPair| Shape { what: what.to_owned(), family: Family::HeldOut, draw };
    vec![
        alike(4),
        alike(8),
        named("log-normal falls", Box::new(log_normal)),
        named("3 % fall by 4, 10 % by 1", Box::new(two)),
        named("6 % unstable, 3 repeats", Box::new(unstable)),
        named("clusters of 1 to 3, 5 % fall by 3", Box::new(clusters)),
        pass_fail(3, Family::HeldOut, truth),
        pass_fail(7, Family::HeldOut, truth),
    ]
}
