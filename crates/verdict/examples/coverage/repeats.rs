//! Whether the repeats that a report advises in place of more samples decide: pilots with repeats, and then the same samples asked
//! anew as often as it says, which is a second look.

use eval_format::Tier;

use crate::guards::{bound_text, missed};
use crate::made::{LooksTaken, MadeReport, MadeRun, MadeSample, report};
use crate::random::Random;
use crate::{Options, Share, data_sets};

/// The repeats of a pilot.
const REPEATS: u32 = 3;
/// The second run is to end decided so often, in percent.
const DECIDED: [f64; 2] = [78.0, 100.0];

/// How answers are scored.
#[derive(Clone, Copy)]
enum Scored {
    /// By one check that the control passes with this chance, and the treatment with this.
    PassFail(f64, f64),
    /// By a judge: this mean difference; the spread of differences between samples, and of the answers to one.
    Judged { gain: f64, of_samples: f64, of_answers: f64 },
}

const CELLS: [(&str, Scored, usize); 8] = [
    ("pass/fail, 70 % in both", Scored::PassFail(0.7, 0.7), 250),
    ("pass/fail, 70 -> 75 %", Scored::PassFail(0.7, 0.75), 250),
    ("pass/fail, 70 -> 80 %", Scored::PassFail(0.7, 0.8), 250),
    ("judged, answers vary by 0.6, +0.0", Scored::Judged { gain: 0.0, of_samples: 0.2, of_answers: 0.6 }, 60),
    ("judged, answers vary by 0.6, +0.2", Scored::Judged { gain: 0.2, of_samples: 0.2, of_answers: 0.6 }, 60),
    ("judged, answers vary by 0.6, +0.3", Scored::Judged { gain: 0.3, of_samples: 0.2, of_answers: 0.6 }, 60),
    ("judged, answers vary by 0.9, +0.0", Scored::Judged { gain: 0.0, of_samples: 0.2, of_answers: 0.9 }, 80),
    ("judged, answers vary by 0.9, +0.2", Scored::Judged { gain: 0.2, of_samples: 0.2, of_answers: 0.9 }, 80),
];

pub(crate) fn table(o: &Options) -> Vec<String> {
    println!(
        "Pilots with {REPEATS} repeats; where they advise more repeats of the same samples, these are asked anew so often,",
    );
    println!("read as a second look; {} of each, in percent of those that advise it.\n", o.data_sets);
    println!("{:36}  N  advised  repeats  decided  PROGRESS  NOISE", "");
    CELLS.iter().filter_map(|(what, scored, n)| scored.row(what, *n, o)).collect()
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
        println!(
            "{what:36} {n:3} {:8.1} {:8.1} {:8.1} {:9.1} {:6.1}  {}",
            100.0 * advised.value,
            eval_stats::mean(&repeats).unwrap_or(f64::NAN),
            100.0 * decided.value,
            100.0 * share(&[Tier::Progress]).value,
            100.0 * share(&[Tier::Noise]).value,
            bound_text("decided", DECIDED),
        );
        missed(&format!("repeats, {what}: decided"), decided, DECIDED).filter(|_| !runs.is_empty())
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
