//! Planned looks: what a run with five looks decides, how many samples it reads, and what a run of all samples decides.

use eval_format::Tier;

use crate::made::{LooksTaken, MadeReport, MadeSample, report};
use crate::random::Random;
use crate::{Options, Share, data_sets};

/// Nothing may be called better, or worse, more often.
const FALSE_DECISION: f64 = 0.03;
/// Where a share of the samples falls far and the rest makes up for it, PROGRESS may be false so often.
const WHERE_RARE: f64 = 0.065;
/// How far a share may lie from the one that the rules were chosen by, in points.
const NEAR: f64 = 3.0;

/// One size of a run: its samples, the spread of its differences, and the shares that the rules were chosen by: NOISE without a
/// difference, PROGRESS at gains of 0.2, 0.3 and 0.5.
struct Size {
    n: usize,
    spread: f64,
    expected: [f64; 4],
}

const SIZES: [Size; 4] = [
    Size { n: 60, spread: 0.55, expected: [47.0, 71.0, 97.0, 100.0] },
    Size { n: 80, spread: 0.8, expected: [13.0, 57.0, 90.0, 100.0] },
    Size { n: 120, spread: 0.8, expected: [50.0, 75.0, 98.0, 100.0] },
    Size { n: 200, spread: 0.8, expected: [86.0, 93.0, 100.0, 100.0] },
];
const GAINS: [f64; 4] = [0.0, 0.2, 0.3, 0.5];
/// Shares of samples that fall, and by how many points.
const FALLING: [f64; 5] = [0.02, 0.03, 0.05, 0.08, 0.12];
const FALLS: [f64; 2] = [3.0, 4.0];

pub(crate) fn table(o: &Options) -> Vec<String> {
    println!("Five planned looks, {} data sets a cell, {} resamples; in percent.", o.data_sets, o.resamples);
    println!(
        "NOISE without a difference and PROGRESS at a gain, of a run of all samples and with looks, and in brackets the"
    );
    println!("mean number of samples that were read. `false` is PROGRESS or REGRESS without a difference, with looks.");
    println!(
        "`early`: how much the gains of runs that ended early with PROGRESS are overstated on average; `all`: those of"
    );
    println!("all runs.\n");
    println!("  N    SD   false       0                +0.2             +0.3             +0.5");
    let sizes = if o.is_short { &SIZES[..1] } else { &SIZES[..] };
    let mut missed: Vec<String> = sizes.iter().flat_map(|size| size.row(o)).collect();
    println!(
        "\nA share of the samples falls by 3 or 4 points, the rest rises as much on the whole: false PROGRESS with looks.\n"
    );
    println!("  N    SD   by  {}", FALLING.map(|share| format!("{:>9.0} %", share * 100.0)).join(" "));
    let falls = if o.is_short { &FALLS[1..] } else { &FALLS[..] };
    missed.extend(sizes.iter().flat_map(|size| falls.iter().flat_map(|&fall| size.rare_row(fall, o))));
    missed
}

impl Size {
    /// Prints one line; the bounds that it misses.
    fn row(&self, o: &Options) -> Vec<String> {
        let mut missed = Vec::new();
        let mut cells = Vec::new();
        let mut overstated = Vec::new();
        let mut false_decisions = String::new();
        for (gain, expected) in GAINS.into_iter().zip(self.expected) {
            let right = if gain == 0.0 { Tier::Noise } else { Tier::Progress };
            let run = |planned: u32| -> Vec<MadeReport> {
                let looks = LooksTaken::planned(planned);
                let draw = |random: &mut Random| normal(self.n, gain, self.spread, random);
                data_sets(o, |i, random| report(&draw(random), looks, o.seed ^ (i << 20), o))
            };
            let share = |of: &[MadeReport], tier: Tier| Share::of(of, |report| report.tier == tier);
            let (fixed, looks) = (run(0), run(5));
            let found = share(&looks, right);
            cells.push(format!(
                "{:3.0} · {:3.0} ({:3.0})",
                100.0 * share(&fixed, right).value,
                100.0 * found.value,
                mean_pairs(&looks)
            ));
            if gain > 0.0 {
                let ended_early = |of: &&MadeReport| of.tier == Tier::Progress && of.pairs < self.n as u64;
                let [early, all] = [mean_of(looks.iter().filter(ended_early)), mean_of(looks.iter())];
                overstated.push(format!("early {:+.3}, all {:+.3}", early - gain, all - gain));
            }
            let cell = format!("{} samples, spread {}, gain {gain}", self.n, self.spread);
            let bounds = [expected - NEAR, expected + NEAR].map(|percent| percent / 100.0);
            if !found.is_within(bounds, o.slack) {
                missed.push(format!("{cell}: {} % {}, to be near {expected}", found.text(), right.name()));
            }
            if gain == 0.0 {
                let sides = [Tier::Progress, Tier::Regress].map(|tier| share(&looks, tier));
                false_decisions = sides.map(|side| format!("{:.1}", 100.0 * side.value)).join(" ");
                let over = sides.into_iter().filter(|side| !side.is_within([0.0, FALSE_DECISION], o.slack));
                missed.extend(over.map(|side| format!("{cell}: {} % decided falsely", side.text())));
            }
        }
        println!("{:3}  {:.2}  {false_decisions:9}  {}", self.n, self.spread, cells.join("  "));
        println!("                       overstated:     {}", overstated.join("  "));
        missed
    }

    fn rare_row(&self, fall: f64, o: &Options) -> Vec<String> {
        let share_of = |falling: f64| {
            let draw = |random: &mut Random| falling_share(self.n, falling, fall, self.spread / 4.0, random);
            let found = data_sets(o, |i, random| report(&draw(random), LooksTaken::planned(5), o.seed ^ (i << 20), o));
            Share::of(&found, |report| report.tier == Tier::Progress)
        };
        let shares = FALLING.map(share_of);
        let text = shares.map(|share| format!("{:>11}", share.text())).join(" ");
        println!("{:3}  {:.2}  {fall:.0}  {text}", self.n, self.spread);
        let over = shares.into_iter().zip(FALLING).filter(|(share, _)| !share.is_within([0.0, WHERE_RARE], o.slack));
        let told = |(share, falling): (Share, f64)| {
            format!("{} samples, {falling} of which fall by {fall}: {} % PROGRESS", self.n, share.text())
        };
        over.map(told).collect()
    }
}

/// The mean of the differences seen.
fn mean_of<'r>(of: impl Iterator<Item = &'r MadeReport>) -> f64 {
    let means: Vec<f64> = of.map(|report| report.mean).collect();
    eval_stats::mean(&means).unwrap_or(f64::NAN)
}

#[expect(clippy::cast_precision_loss, reason = "counts of samples")]
fn mean_pairs(of: &[MadeReport]) -> f64 {
    of.iter().map(|report| report.pairs as f64).sum::<f64>() / of.len() as f64
}

/// Normal differences in the middle of the scale, which has room for them.
fn normal(n: usize, gain: f64, spread: f64, random: &mut Random) -> Vec<MadeSample> {
    let one = |_| {
        let difference = gain + spread * random.normal();
        MadeSample::scored([3.0 - difference / 2.0, 3.0 + difference / 2.0])
    };
    (0..n).map(one).collect()
}

/// Samples of which a share falls, and the others rise so that the mean difference is 0.
fn falling_share(n: usize, share: f64, fall: f64, spread: f64, random: &mut Random) -> Vec<MadeSample> {
    let rise = fall * share / (1.0 - share);
    let one = |_| match random.uniform() < share {
        true => MadeSample::scored([5.0, 5.0 - fall]),
        false => MadeSample::scored([3.5, 3.5 + rise + spread * random.normal()]),
    };
    (0..n).map(one).collect()
}
