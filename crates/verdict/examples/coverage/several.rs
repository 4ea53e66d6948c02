//! Several treatments beside one control: PROGRESS of any that is no better, and of one that is, in runs that are read once and in
//! runs with planned looks.

use eval_format::Tier;

use crate::made::{LooksTaken, MadeReport, MadeSample, report};
use crate::random::Random;
use crate::{Options, Share, data_sets};

const SAMPLES: usize = 80;
/// The standard deviation of scores around 3; differences have √2 times as much.
const OF_SCORES: f64 = 0.55 / std::f64::consts::SQRT_2;
/// Any of several treatments that are no better is called so at most so often.
const MOST: f64 = 0.03;

struct Case {
    what: &'static str,
    /// True mean differences.
    gains: &'static [f64],
    /// At least so often the first treatment is found to be better, where it is.
    least: f64,
}

const CASES: [Case; 7] = [
    Case { what: "1, no better", gains: &[0.0], least: 0.0 },
    Case { what: "2, none better", gains: &[0.0; 2], least: 0.0 },
    Case { what: "3, none better", gains: &[0.0; 3], least: 0.0 },
    Case { what: "1, +0.3", gains: &[0.3], least: 0.95 },
    Case { what: "2, one +0.3", gains: &[0.3, 0.0], least: 0.95 },
    Case { what: "3, one +0.3", gains: &[0.3, 0.0, 0.0], least: 0.95 },
    Case { what: "3, all +0.3", gains: &[0.3; 3], least: 0.95 },
];
/// The cases of the short form.
const BRIEF: std::ops::Range<usize> = 4..5;

pub(crate) fn table(o: &Options) -> Vec<String> {
    println!("Several treatments, {SAMPLES} samples, spread of differences 0.55, {} data sets a cell;", o.data_sets);
    println!(
        "in percent. `false`: PROGRESS of any that is no better; `found`: PROGRESS of the first, where it is better.\n"
    );
    println!("                    read once        five planned looks");
    println!("treatments          false    found   false    found    samples read");
    let cases = if o.is_short { &CASES[BRIEF] } else { &CASES[..] };
    cases.iter().flat_map(|case| case.row(o)).collect()
}

impl Case {
    /// Prints one line; the bounds that it misses.
    fn row(&self, o: &Options) -> Vec<String> {
        let mut missed = Vec::new();
        let mut text = String::new();
        let mut read = String::new();
        for planned in [0, 5] {
            let found: Vec<MadeReport> = data_sets(o, |i, random| {
                report(&self.draw(random), LooksTaken::planned(planned), o.seed ^ (i << 20), o)
            });
            let is_false = |of: &MadeReport| {
                self.gains.iter().zip(&of.tiers).any(|(gain, tier)| *gain == 0.0 && *tier == Tier::Progress)
            };
            let falsely = Share::of(&found, is_false);
            let rightly = Share::of(&found, |of| self.gains[0] > 0.0 && of.tiers[0] == Tier::Progress);
            text += &format!("{:6.2}   {:6.2}  ", 100.0 * falsely.value, 100.0 * rightly.value);
            let pairs: Vec<f64> = found.iter().map(|of| of.pairs as f64).collect();
            read = format!("{:6.1}", eval_stats::mean(&pairs).unwrap_or(f64::NAN));
            let cell = format!("{}, {planned} planned looks", self.what);
            if !falsely.is_within([0.0, MOST], o.slack) {
                missed.push(format!("{cell}: {} % falsely PROGRESS", falsely.text()));
            }
            if !rightly.is_within([self.least, 1.0], o.slack) {
                missed.push(format!("{cell}: {} % found", rightly.text()));
            }
        }
        println!("{:18} {text} {read}", self.what);
        missed
    }

    /// All treatments are compared with the same answers of the control.
    fn draw(&self, random: &mut Random) -> Vec<MadeSample> {
        let sample = |_| {
            let mut run =
                |gain: f64| vec![crate::made::MadeRun::Scored(vec![3.0 + gain + OF_SCORES * random.normal()])];
            let runs = std::iter::once(&0.0).chain(self.gains).map(|gain| run(*gain)).collect();
            MadeSample { cluster: None, capability: None, runs }
        };
        (0..SAMPLES).map(sample).collect()
    }
}
