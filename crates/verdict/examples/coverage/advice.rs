//! Whether the numbers of samples that a report advises decide: pilots, and then the same set grown to as many as they say, which is
//! a second look.

use eval_format::Tier;

use crate::families::ordinary;
use crate::guards::{bound_text, missed};
use crate::made::{LooksTaken, MadeReport, report};
use crate::random::Random;
use crate::{Options, Share, data_sets};

/// The samples of a pilot.
const PILOT: usize = 20;
/// The second run is to end decided so often, in percent.
const DECIDED: [f64; 2] = [78.0, 100.0];
/// True mean differences, and standard deviations of normal differences.
const TRUTHS: [f64; 3] = [0.0, 0.2, 0.3];
const SPREADS: [f64; 3] = [0.3, 0.55, 0.8];
/// The gain that pilots are drawn with for the second number.
const GAINS: [f64; 3] = [0.2, 0.3, 0.5];
/// The spread that the short form asks for.
const BRIEF: f64 = 0.3;

/// Which of the two numbers is followed, and how the added samples differ.
#[derive(Clone, Copy)]
enum Advised {
    /// To settle whether there is a difference that matters; they differ as those of the pilot do in truth.
    ToSettle,
    /// For the gain that was seen; they gain as much as was seen.
    IfAsSeen,
    /// For the gain that was seen; they gain what is true.
    WhateverSeen,
}

pub(crate) fn table(o: &Options) -> Vec<String> {
    println!(
        "Pilots of {PILOT} samples, then the set grown to the number that they advise, read as a second look; {} of each,",
        o.data_sets
    );
    println!("in percent of those that advise one.\n");
    let spreads = || SPREADS.into_iter().filter(|spread| !o.is_short || *spread == BRIEF);
    let mut out = Vec::new();
    heading("to settle +-0.2");
    for truth in TRUTHS.into_iter().filter(|truth| !o.is_short || *truth < 0.3) {
        out.extend(spreads().filter_map(|spread| row(Advised::ToSettle, truth, spread, o)));
    }
    for (advised, what) in [
        (Advised::IfAsSeen, "if the gain is as seen, and it is"),
        (Advised::WhateverSeen, "if the gain is as seen, whatever it is"),
    ] {
        if !o.is_short {
            heading(what);
            for truth in GAINS {
                out.extend(spreads().filter_map(|spread| row(advised, truth, spread, o)));
            }
        }
    }
    out
}

fn heading(what: &str) {
    println!(
        "{what}\ntruth   SD  decided  PROGRESS  NOISE  UNDERP.  CAUTIOUS  REGRESS  advised: pilots, mean, least, most"
    );
}

fn row(advised: Advised, truth: f64, spread: f64, o: &Options) -> Option<String> {
    let runs = data_sets(o, |i, random| grown(advised, truth, spread, i, random, o));
    let runs: Vec<(usize, MadeReport)> = runs.into_iter().flatten().collect();
    let tier = |wanted: &[Tier]| Share::of(&runs, |(_, run)| wanted.contains(&run.tier));
    let tiers = [Tier::Progress, Tier::Noise, Tier::Underpowered, Tier::Cautious, Tier::Regress];
    let [progress, noise, under, cautious, regress] = tiers.map(|of| tier(&[of]).value * 100.0);
    let decided = tier(&[Tier::Progress, Tier::Noise]);
    let sizes = || runs.iter().map(|(size, _)| *size);
    #[expect(clippy::cast_precision_loss, reason = "counts of samples")]
    let mean = sizes().sum::<usize>() as f64 / runs.len() as f64;
    let is_bound = !matches!(advised, Advised::WhateverSeen);
    println!(
        "  {truth:.1} {spread:4.2} {:8.2} {progress:9.2} {noise:6.2} {under:8.2} {cautious:9.2} {regress:8.2}  {:15} {mean:5.1} {:6} {:5}  {}",
        decided.value * 100.0,
        runs.len(),
        sizes().min().unwrap_or(0),
        sizes().max().unwrap_or(0),
        if is_bound { bound_text("decided", DECIDED) } else { String::new() },
    );
    missed(&format!("advice at truth {truth}, SD {spread}: decided"), decided, DECIDED).filter(|_| is_bound)
}

/// The number that a pilot advises, and what the grown set shows; `None` where it advises none, or no more than it has.
fn grown(
    advised: Advised,
    truth: f64,
    spread: f64,
    i: u64,
    random: &mut Random,
    o: &Options,
) -> Option<(usize, MadeReport)> {
    let seed = o.seed ^ (i << 20);
    let mut samples = ordinary(PILOT, truth, spread, random);
    let pilot = report(&samples, LooksTaken::default(), seed, o);
    let number = match advised {
        Advised::ToSettle => pilot.decisive,
        Advised::IfAsSeen | Advised::WhateverSeen => pilot.decisive_for_gain,
    };
    let number = number.and_then(|n| usize::try_from(n).ok()).filter(|n| *n > PILOT)?;
    let gain = if matches!(advised, Advised::IfAsSeen) { pilot.mean } else { truth };
    samples.extend(ordinary(number - PILOT, gain, spread, random));
    Some((number, report(&samples, LooksTaken { before: 1, ..LooksTaken::default() }, seed, o)))
}
