//! Answers that are asked for again until a better one comes: how often the verdict is misled by it, and what it costs where attempts
//! fail by chance.
//!
//! Data sets go as records through the analysis and the decision of the program itself.

use eval_format::Tier;

use crate::families::scores;
use crate::made::{LooksTaken, MadeRun, MadeSample, report};
use crate::random::Random;
use crate::{Options, Share, data_sets};

/// The control's mean score.
const CENTRE: f64 = 3.6;
/// The standard deviation of the differences of samples run once: a part belongs to the sample, the other to the answer.
const OF_SAMPLE: f64 = 0.4;
const OF_ANSWER: f64 = 0.38;
/// Shares of the treatment's answers that would score 1, and are asked for again.
const HIDDEN: [f64; 4] = [0.05, 0.10, 0.15, 0.20];
/// PROGRESS is false at most so often where bad answers are hidden.
const MOST: f64 = 0.085;

/// How many samples, of how many in a cluster, and how often each is run.
#[derive(Clone, Copy)]
struct Size {
    what: &'static str,
    samples: usize,
    in_cluster: usize,
    repeats: usize,
    /// A gain that is found in most runs, and what failures by chance may leave of that.
    gain: f64,
    least: f64,
}

const SIZES: [Size; 5] = [
    Size { what: "40 x 1", samples: 40, in_cluster: 1, repeats: 1, gain: 0.45, least: 0.75 },
    Size { what: "80 x 1", samples: 80, in_cluster: 1, repeats: 1, gain: 0.28, least: 0.70 },
    Size { what: "30 x 3", samples: 30, in_cluster: 1, repeats: 3, gain: 0.45, least: 0.85 },
    Size { what: "40 clusters of 3 x 1", samples: 120, in_cluster: 3, repeats: 1, gain: 0.45, least: 0.75 },
    Size { what: "30 clusters of 2 x 2", samples: 60, in_cluster: 2, repeats: 2, gain: 0.45, least: 0.75 },
];
const CHANCE: [f64; 3] = [0.01, 0.02, 0.05];

/// What happens to the answers of a run.
#[derive(Clone, Copy, Default)]
struct Happens {
    /// The gain of the first attempts.
    gain: f64,
    /// The share of the treatment's answers that would score 1, and is asked for again.
    hidden: f64,
    /// The share of all answers that is asked for again by chance.
    by_chance: f64,
    /// Whether attempts before the last are forgotten.
    is_uncounted: bool,
}

pub(crate) fn table(o: &Options) -> Vec<String> {
    println!(
        "Answers asked for again after a time limit, {} data sets a cell, {} resamples; in percent.",
        o.data_sets, o.resamples
    );
    println!("So many of the treatment's answers would score 1 and are asked for again; first attempts don't differ");
    println!(
        "on the whole. False PROGRESS where attempts before the last are forgotten, and where they are counted, with"
    );
    println!("0, 1 and 2 % of all answers asked for again by chance.\n");
    if o.is_short {
        return SIZES[0].brief(o);
    }
    println!("{:22}  forgotten: {}   0 %: {}   1 %: {}   2 %: {}", "", percents(), percents(), percents(), percents());
    let mut missed: Vec<String> = SIZES.iter().flat_map(|size| size.hidden_row(o)).collect();
    println!("\nA true gain; so many of all answers are asked for again by chance: PROGRESS.\n");
    println!("{:22}  gain    0 %    1 %    2 %    5 %", "");
    for size in SIZES {
        missed.extend(size.chance_row(size.gain, size.least, o));
        if size.samples == 40 {
            missed.extend(size.chance_row(0.28, 0.45, o));
        }
    }
    missed
}

fn percents() -> String {
    HIDDEN.map(|share| format!("{:4.0} %", 100.0 * share)).join("")
}

impl Size {
    /// What the short form asks: a share that is hidden, and a true gain where few attempts fail.
    fn brief(&self, o: &Options) -> Vec<String> {
        let happens = Happens { hidden: 0.10, by_chance: 0.01, ..Happens::default() };
        let hidden = self.progress(happens, o);
        println!("{}, 10 % hidden: {}", self.what, hidden.text());
        let over = (!hidden.is_within([0.0, MOST], o.slack)).then(|| format!("10 % hidden: {} %", hidden.text()));
        let gain = self.progress(Happens { gain: self.gain, by_chance: 0.02, ..Happens::default() }, o);
        println!("{}, gain {}, 2 % by chance: {}", self.what, self.gain, gain.text());
        let under =
            (!gain.is_within([self.least, 1.0], o.slack)).then(|| format!("a gain is found in {} %", gain.text()));
        over.into_iter().chain(under).collect()
    }

    /// Prints one line; the bounds that it misses.
    fn hidden_row(&self, o: &Options) -> Vec<String> {
        let mut missed = Vec::new();
        let mut text = String::new();
        let counted = [0.0, 0.01, 0.02].map(|by_chance| Happens { by_chance, ..Happens::default() });
        let forgotten = Happens { is_uncounted: true, ..Happens::default() };
        for happens in std::iter::once(&forgotten).chain(&counted) {
            for hidden in HIDDEN {
                let share = self.progress(Happens { hidden, ..*happens }, o);
                text += &format!("{:6.1}", 100.0 * share.value);
                if !happens.is_uncounted && !share.is_within([0.0, MOST], o.slack) {
                    missed.push(format!("{}, {hidden} hidden: {} % PROGRESS", self.what, share.text()));
                }
            }
            text += "      ";
        }
        println!("{:22}  {}", self.what, text.trim_end());
        missed
    }

    /// Prints one line; the bound, if it is missed at 2 %.
    fn chance_row(&self, gain: f64, least: f64, o: &Options) -> Option<String> {
        let found = |by_chance: f64| self.progress(Happens { gain, by_chance, ..Happens::default() }, o);
        let (none, shares) = (found(0.0), CHANCE.map(found));
        let text = shares.map(|share| format!("{:6.1}", 100.0 * share.value)).join(" ");
        println!("{:22}  {gain:.2} {:6.1} {text}", self.what, 100.0 * none.value);
        let is_met = shares[1].is_within([least, 1.0], o.slack);
        (!is_met).then(|| format!("{}, gain {gain}, 2 % asked again by chance: {} %", self.what, shares[1].text()))
    }

    fn progress(&self, happens: Happens, o: &Options) -> Share {
        let found = data_sets(o, |i, random| {
            report(&self.draw(happens, random), LooksTaken::default(), o.seed ^ (i << 20), o).tier
        });
        Share::of(&found, |tier| *tier == Tier::Progress)
    }

    fn draw(&self, happens: Happens, random: &mut Random) -> Vec<MadeSample> {
        // what is left after hiding must make up for what is hidden
        let gain = (happens.gain + happens.hidden * (CENTRE - 1.0)) / (1.0 - happens.hidden);
        let mut of_cluster = 0.0;
        let sample = |i: usize| {
            if i.is_multiple_of(self.in_cluster) {
                of_cluster = OF_SAMPLE * random.normal();
            }
            let (mut control, mut treatment) = (Vec::new(), Vec::new());
            for _ in 0..self.repeats {
                let [before, after] = scores(CENTRE, gain, of_cluster + OF_ANSWER * random.normal());
                control.push(run(before, happens, random.uniform() < happens.by_chance));
                let is_again = random.uniform() < happens.hidden || random.uniform() < happens.by_chance;
                treatment.push(run(after, happens, is_again));
            }
            let cluster = (self.in_cluster > 1).then_some(i / self.in_cluster);
            MadeSample { cluster, capability: None, runs: vec![control, treatment] }
        };
        (0..self.samples).map(sample).collect()
    }
}

fn run(points: f64, happens: Happens, is_again: bool) -> MadeRun {
    match is_again && !happens.is_uncounted {
        true => MadeRun::AskedAgain(vec![points]),
        false => MadeRun::Scored(vec![points]),
    }
}
