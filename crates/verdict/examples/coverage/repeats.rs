//! Whether the repeats that a report advises in place of more samples decide: pilots with repeats, and then the same samples asked
//! anew as often as it says, which is a second look.

use eval_analysis::Risk;
use eval_format::{LookInputs, POINTS, Tier};
use eval_stats::{Pilot, PlannedReading};

use crate::guards::{bound_text, missed};
use crate::made::{LooksTaken, MadeReport, MadeRun, MadeSample, report};
use crate::random::Random;
use crate::{Options, Share, data_sets};

/// The repeats of a pilot.
const REPEATS: u32 = 3;
/// The second run is to end decided so often, in percent.
const DECIDED: [f64; 2] = [78.0, 100.0];
/// The smallest difference that matters, by default.
const MIN_EFFECT: f64 = 0.2;
/// With so many samples a spread is known.
const KNOWN: usize = 1_000_000;

/// How answers are scored.
#[derive(Clone, Copy)]
enum Scored {
    /// By one check that the control passes with this chance, and the treatment with this.
    PassFail(f64, f64),
    /// By a judge: this mean difference; the spread of differences between samples, and of the answers to one.
    Judged { gain: f64, of_samples: f64, of_answers: f64 },
}

const fn judged(gain: f64, of_answers: f64) -> Scored {
    Scored::Judged { gain, of_samples: 0.2, of_answers }
}

const CELLS: [(&str, Scored, usize); 12] = [
    ("pass/fail, 70 % in both", Scored::PassFail(0.7, 0.7), 250),
    ("pass/fail, 70 -> 75 %", Scored::PassFail(0.7, 0.75), 250),
    ("pass/fail, 70 -> 80 %", Scored::PassFail(0.7, 0.8), 250),
    ("judged, answers vary by 0.6, +0.0", judged(0.0, 0.6), 60),
    ("judged, answers vary by 0.6, +0.2", judged(0.2, 0.6), 60),
    ("judged, answers vary by 0.6, +0.3", judged(0.3, 0.6), 60),
    ("judged, answers vary by 0.6, +0.0", judged(0.0, 0.6), 70),
    ("judged, answers vary by 0.6, +0.2", judged(0.2, 0.6), 70),
    ("judged, answers vary by 0.9, +0.0", judged(0.0, 0.9), 80),
    ("judged, answers vary by 0.9, +0.2", judged(0.2, 0.9), 80),
    ("judged, answers vary by 0.9, +0.0", judged(0.0, 0.9), 100),
    ("judged, answers vary by 0.9, +0.2", judged(0.2, 0.9), 100),
];
/// The cell of the short form.
const BRIEF: std::ops::Range<usize> = 6..7;
/// More repeats than this are never advised.
const MOST: u32 = 10;

pub(crate) fn table(o: &Options) -> Vec<String> {
    println!(
        "Pilots with {REPEATS} repeats; where they advise more repeats of the same samples, these are asked anew so often,",
    );
    println!("read as a second look; {} of each, in percent of those that advise it.", o.data_sets);
    println!("`enough`: the repeats that the true spread asks for; without, the bound doesn't apply.\n");
    println!("{:36}  N  enough  advised  repeats  decided  PROGRESS  NOISE", "");
    let cells = if o.is_short { &CELLS[BRIEF] } else { &CELLS[..] };
    cells.iter().filter_map(|(what, scored, n)| scored.row(what, *n, o)).collect()
}

impl Scored {
    /// Prints one line; the bound, if it is missed.
    fn row(self, what: &str, n: usize, o: &Options) -> Option<String> {
        let runs = data_sets(o, |i, random| self.asked_anew(n, i, random, o));
        let advised = Share::of(&runs, Option::is_some);
        let runs: Vec<(u32, MadeReport)> = runs.into_iter().flatten().collect();
        let share = |wanted: &[Tier]| Share::of(&runs, |(_, run)| wanted.contains(&run.tier));
        let repeats: Vec<f64> = runs.iter().map(|(repeats, _)| f64::from(*repeats)).collect();
        let decided = share(&[Tier::Progress, Tier::Noise]);
        let enough = self.enough(n);
        println!(
            "{what:36} {n:3} {:>7} {:8.1} {:8.1} {:8.1} {:9.1} {:6.1}  {}",
            enough.map_or("-".to_owned(), |repeats| repeats.to_string()),
            100.0 * advised.value,
            eval_stats::mean(&repeats).unwrap_or(f64::NAN),
            100.0 * decided.value,
            100.0 * share(&[Tier::Progress]).value,
            100.0 * share(&[Tier::Noise]).value,
            if enough.is_some() { bound_text("decided", DECIDED) } else { String::new() },
        );
        missed(&format!("repeats, {what}, N {n}: decided"), decided, DECIDED).filter(|_| enough.is_some())
    }

    /// The fewest repeats with which the true spread settles whether there is a difference on so many samples.
    fn enough(self, n: usize) -> Option<u32> {
        let risk = Risk::of(Some(LookInputs { number: 2, same_samples: 2 }));
        let by = PlannedReading { tail: risk.alpha / 2.0, unseen_risk: risk.unseen };
        let needed = |repeats: u32| {
            let sd = self.variance(f64::from(repeats)).sqrt();
            Pilot { sd, n: KNOWN, widest: POINTS }.pairs_to_settle(MIN_EFFECT, &by)
        };
        (REPEATS + 1..=MOST).find(|repeats| needed(*repeats).is_some_and(|needed| needed <= n))
    }

    /// The true variance of differences of means over so many repeats.
    fn variance(self, repeats: f64) -> f64 {
        match self {
            Scored::PassFail(control, treatment) => {
                let of = |chance: f64| 16.0 * chance * (1.0 - chance);
                (of(control) + of(treatment)) / repeats
            }
            Scored::Judged { of_samples, of_answers, .. } => {
                of_samples * of_samples + 2.0 * of_answers * of_answers / repeats
            }
        }
    }

    /// The repeats that a pilot advises, and what they show; `None` where it advises none on so many samples.
    fn asked_anew(self, n: usize, i: u64, random: &mut Random, o: &Options) -> Option<(u32, MadeReport)> {
        let seed = o.seed ^ (i << 20);
        let samples: Vec<f64> = (0..n).map(|_| random.normal()).collect();
        let pilot = report(&self.answered(&samples, REPEATS, random), LooksTaken::default(), seed, o);
        let plan = pilot.repeats.filter(|plan| plan.samples <= n as u64)?;
        let looks = LooksTaken { before: 1, had_same_samples: true, ..LooksTaken::default() };
        Some((plan.repeat, report(&self.answered(&samples, plan.repeat, random), looks, seed, o)))
    }

    fn answered(self, samples: &[f64], repeats: u32, random: &mut Random) -> Vec<MadeSample> {
        let mut sample = |deviation: &f64| {
            let mut arm = |is_treatment: bool| -> Vec<MadeRun> {
                (0..repeats).map(|_| MadeRun::Scored(vec![self.points(is_treatment, *deviation, random)])).collect()
            };
            MadeSample { cluster: None, capability: None, runs: vec![arm(false), arm(true)] }
        };
        samples.iter().map(&mut sample).collect()
    }

    fn points(self, is_treatment: bool, deviation: f64, random: &mut Random) -> f64 {
        match (self, is_treatment) {
            (Scored::PassFail(chance, _), false) | (Scored::PassFail(_, chance), true) => {
                if random.uniform() < chance {
                    5.0
                } else {
                    1.0
                }
            }
            (Scored::Judged { of_answers, .. }, false) => 3.0 + of_answers * random.normal(),
            (Scored::Judged { gain, of_samples, of_answers }, true) => {
                3.0 + gain + of_samples * deviation + of_answers * random.normal()
            }
        }
    }
}
