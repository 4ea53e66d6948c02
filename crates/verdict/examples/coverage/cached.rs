//! How often a treatment that changes nothing is called PROGRESS because the model drifted between the cached answers of
//! the control and today's, and what it costs to find that out.
//!
//! Data sets go as records through the analysis, the rule that asks for the rest of the control, and the verdict.

use eval_format::Tier;
use eval_verdict::asks_all_again;

use crate::made::{BesideCached, beside_cached};
use crate::random::Random;
use crate::{Options, Share, data_sets};

/// The control's mean score, so that drift has room.
const CENTRE: f64 = 3.0;
/// The standard deviation of the treatment's effect over samples.
const EFFECT: f64 = 0.4;
/// One in so many tasks is asked again, and at least so many.
const ASKED: (usize, usize) = (5, 6);
/// False PROGRESS is to be at most so often, where all samples drift alike.
const FALSE_PROGRESS: f64 = 0.05;
/// A true gain of half a point is to be found at least so often.
const FOUND: f64 = 0.95;

/// What differs between today's answers and the cached ones.
struct Drift {
    what: &'static str,
    /// The share of samples that drift, and by how much.
    share: f64,
    by: f64,
    gain: f64,
    /// The standard deviation of an answer's score over repeats.
    noise: f64,
}

const fn drift(what: &'static str, share: f64, by: f64, gain: f64, noise: f64) -> Drift {
    Drift { what, share, by, gain, noise }
}

impl Drift {
    /// Rare drifts have none, as the documentation says: they may be in none of the samples that are asked again.
    fn has_bound(&self) -> bool {
        self.gain > 0.0 || self.share >= 1.0
    }
}

const DRIFTS: &[Drift] = &[
    drift("none", 1.0, 0.0, 0.0, 0.4),
    drift("all by 0.1", 1.0, 0.1, 0.0, 0.4),
    drift("all by 0.3", 1.0, 0.3, 0.0, 0.4),
    drift("all by 0.3, steady answers", 1.0, 0.3, 0.0, 0.1),
    drift("1 in 7 by 2", 1.0 / 7.0, 2.0, 0.0, 0.4),
    drift("1 in 7 by 2, steady answers", 1.0 / 7.0, 2.0, 0.0, 0.1),
    drift("none, true gain 0.5", 1.0, 0.0, 0.5, 0.4),
];

/// One data set, decided in four ways.
struct DriftRun {
    /// As if the cached answers were of today.
    naive: Tier,
    /// By the interval of the drift alone: where it has 0 in it, the cached answers count as of today.
    by_interval: Tier,
    /// As a run decides.
    decided: Tier,
    /// With all of the control of today.
    fresh: Tier,
    asked_all: bool,
}

pub(crate) fn table(o: &Options) -> Vec<String> {
    println!("PROGRESS beside a control from the cache, {} data sets a cell; in percent.", o.data_sets);
    println!("A fifth of the control, at least 6, is asked again. `age unread`: cached answers count as today's;");
    println!("`interval`: they do where the interval of the drift has 0 in it; `run`: what a run decides;");
    println!("`fresh`: all of the control is of today; `asks all`: how often a run asks for all of it.\n");
    println!("drift                          N  age unread  interval  run          fresh  asks all");
    let sizes: &[usize] = if o.is_short { &[40] } else { &[30, 40, 100] };
    let drifts = DRIFTS.iter().filter(|of| !o.is_short || of.has_bound());
    drifts.flat_map(|of| sizes.iter().filter_map(|&n| row(of, n, o))).collect()
}

fn row(of: &Drift, n: usize, o: &Options) -> Option<String> {
    let found = data_sets(o, |i, random| one(of, n, o, i, random));
    let progress = |tier: fn(&DriftRun) -> Tier| Share::of(&found, |run| tier(run) == Tier::Progress);
    let decided = progress(|run| run.decided);
    let percent = |share: Share| format!("{:.1}", share.value * 100.0);
    println!(
        "{:<28} {n:3}  {:>10}  {:>8}  {:<11}  {:>5}  {:>8}",
        of.what,
        percent(progress(|run| run.naive)),
        percent(progress(|run| run.by_interval)),
        decided.text(),
        percent(progress(|run| run.fresh)),
        percent(Share::of(&found, |run| run.asked_all)),
    );
    let is_held = match of.gain > 0.0 {
        true => n < 40 || decided.is_within([FOUND, 1.0], o.slack),
        false => !of.has_bound() || decided.is_within([0.0, FALSE_PROGRESS], o.slack),
    };
    (!is_held).then(|| format!("drift {}, N {n}: PROGRESS {} %", of.what, decided.text()))
}

fn one(of: &Drift, n: usize, o: &Options, seed: u64, random: &mut Random) -> DriftRun {
    let answer = |base: f64, random: &mut Random| (base + of.noise * random.normal()).clamp(1.0, 5.0);
    let mut data = BesideCached::default();
    for _ in 0..n {
        let drift = if random.uniform() < of.share { of.by } else { 0.0 };
        let effect = of.gain + EFFECT * random.normal();
        data.cached.push(answer(CENTRE, random));
        data.again.push(answer(CENTRE + drift, random));
        data.treatment.push(answer(CENTRE + drift + effect, random));
    }
    let asked = n.div_ceil(ASKED.0).max(ASKED.1);
    let part = beside_cached(&data, asked, seed, o);
    let fresh = beside_cached(&data, n, seed, o);
    let asked_all = asks_all_again(&part.verdict.inputs);
    let drift = &part.cached_control.as_ref().map(|of| of.drift.clone()).unwrap_or_default();
    let holds_0 = drift.ci.is_some_and(|ci| ci.low <= 0.0 && ci.high >= 0.0);
    let mut naive = part.verdict.inputs.clone();
    naive.control.cached = 0;
    let naive = eval_verdict::decision(&naive).tier;
    DriftRun {
        naive,
        by_interval: if holds_0 { naive } else { fresh.verdict.tier },
        decided: if asked_all { fresh.verdict.tier } else { part.verdict.tier },
        fresh: fresh.verdict.tier,
        asked_all,
    }
}
