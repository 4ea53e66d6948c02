//! Planned looks: what a run with five looks decides, how many samples it reads, and what a run of all samples decides.

use eval_analysis::Risk;
use eval_format::{POINTS, Tier, UNSEEN_RISK};
use eval_stats::{IntervalMethod, PlannedLook, PlannedLooks, Resampling, SeenDifferences, look_interval};

use crate::made::{LooksTaken, MadeReport, MadeSample, report};
use crate::random::Random;
use crate::{Options, Share, data_sets};

const LOOKS: u32 = 5;
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

static SIZES: [Size; 4] = [
    Size { n: 60, spread: 0.55, expected: [47.0, 71.0, 97.0, 100.0] },
    Size { n: 80, spread: 0.8, expected: [13.0, 57.0, 90.0, 100.0] },
    Size { n: 120, spread: 0.8, expected: [50.0, 75.0, 98.0, 100.0] },
    Size { n: 200, spread: 0.8, expected: [86.0, 93.0, 100.0, 100.0] },
];
const GAINS: [f64; 4] = [0.0, 0.2, 0.3, 0.5];
/// Shares of samples that fall, and by how many points.
const FALLING: [f64; 5] = [0.02, 0.03, 0.05, 0.08, 0.12];
const FALLS: [f64; 2] = [3.0, 4.0];
/// What the short form asks of the first size: gains, and a share that falls by 4.
const BRIEF_GAINS: [f64; 2] = [0.0, 0.3];
const BRIEF_SHARE: f64 = 0.05;

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
    let gains = gains(o).map(|gain| format!("{:17}", if gain > 0.0 { format!("+{gain}") } else { "0".to_owned() }));
    println!("  N    SD   false      {}", gains.collect::<String>().trim_end());
    sizes(o).iter().flat_map(|size| size.row(o)).collect()
}

pub(crate) fn rare(o: &Options) -> Vec<String> {
    println!("Five planned looks, {} data sets a cell, {} resamples; in percent.", o.data_sets, o.resamples);
    println!("A share of the samples falls by 3 or 4 points, the rest rises as much on the whole: false PROGRESS.\n");
    let shares = falling(o).map(|share| format!("{:>9.0} %", share * 100.0));
    println!("  N    SD   by  {}", shares.collect::<Vec<_>>().join(" "));
    let falls = if o.is_short { &FALLS[1..] } else { &FALLS[..] };
    sizes(o).iter().flat_map(|size| falls.iter().flat_map(|&fall| size.rare_row(fall, o))).collect()
}

fn sizes(o: &Options) -> &'static [Size] {
    if o.is_short { &SIZES[..1] } else { &SIZES }
}

fn gains(o: &Options) -> impl Iterator<Item = f64> {
    let is_short = o.is_short;
    GAINS.into_iter().filter(move |gain| !is_short || BRIEF_GAINS.contains(gain))
}

fn falling(o: &Options) -> impl Iterator<Item = f64> {
    let is_short = o.is_short;
    FALLING.into_iter().filter(move |share| !is_short || *share == BRIEF_SHARE)
}

impl Size {
    /// Prints one line; the bounds that it misses.
    fn row(&self, o: &Options) -> Vec<String> {
        let mut missed = Vec::new();
        let mut cells = Vec::new();
        let mut overstated = Vec::new();
        let mut false_decisions = String::new();
        for (gain, expected) in GAINS.into_iter().zip(self.expected) {
            if !gains(o).any(|of| of == gain) {
                continue;
            }
            let right = if gain == 0.0 { Tier::Noise } else { Tier::Progress };
            let run = |planned: u32| -> Vec<MadeReport> {
                let looks = LooksTaken::planned(planned);
                let draw = |random: &mut Random| normal(self.n, gain, self.spread, random);
                data_sets(o, |i, random| report(&draw(random), looks, o.seed ^ (i << 20), o))
            };
            let share = |of: &[MadeReport], tier: Tier| Share::of(of, |report| report.tier == tier);
            let (fixed, looks) = (run(0), run(LOOKS));
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
            let found = data_sets(o, |i, random| {
                let samples = draw(random);
                may_be_progress(&samples)
                    && report(&samples, LooksTaken::planned(LOOKS), o.seed ^ (i << 20), o).tier == Tier::Progress
            });
            Share::of(&found, |is_progress| *is_progress)
        };
        let shares: Vec<(Share, f64)> = falling(o).map(|falling| (share_of(falling), falling)).collect();
        let text: Vec<String> = shares.iter().map(|(share, _)| format!("{:>11}", share.text())).collect();
        println!("{:3}  {:.2}  {fall:.0}  {}", self.n, self.spread, text.join(" "));
        let over = shares.into_iter().filter(|(share, _)| !share.is_within([0.0, WHERE_RARE], o.slack));
        let told = |(share, falling): (Share, f64)| {
            format!("{} samples, {falling} of which fall by {fall}: {} % PROGRESS", self.n, share.text())
        };
        over.map(told).collect()
    }
}

/// Rejects data sets that no look calls PROGRESS by Student's bound and the guard against unseen kinds: the default interval is
/// never narrower. Saves most of the analyses.
fn may_be_progress(samples: &[MadeSample]) -> bool {
    let differences: Vec<f64> = samples.iter().filter_map(MadeSample::difference).collect();
    let student = Resampling { method: IntervalMethod::T, ..Resampling::default() };
    let decides = |look: &PlannedLook| {
        let seen = &differences[..look.samples];
        let (mean, sd) = (eval_stats::mean(seen).unwrap_or(f64::NAN), eval_stats::sd(seen).unwrap_or(f64::NAN));
        let of_look = SeenDifferences { n: look.samples, mean, sd, widest: POINTS };
        look_interval(seen, look.tail, &student).is_some_and(|interval| interval.low > 0.0)
            && of_look.unseen_risk(0.0) <= look.unseen_risk
    };
    let looks = PlannedLooks::new(differences.len(), LOOKS, Risk::default().alpha / 2.0, UNSEEN_RISK);
    looks.is_none_or(|looks| looks.all().iter().any(decides))
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
