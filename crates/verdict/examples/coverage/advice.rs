//! Whether the number of samples that a report advises decides: pilots, and then as many samples as they say.

use eval_format::Tier;

use crate::families::ordinary;
use crate::guards::{bound_text, missed};
use crate::made::{MadeReport, report};
use crate::{Options, Share, data_sets};

/// The samples of a pilot.
const PILOT: usize = 24;
/// The second run is to end decided so often, in percent.
const DECIDED: [f64; 2] = [78.0, 100.0];
/// True mean differences, and standard deviations of normal differences.
const CELLS: [(f64, f64); 6] = [(0.0, 0.3), (0.0, 0.55), (0.0, 0.8), (0.2, 0.3), (0.2, 0.55), (0.2, 0.8)];

/// The one that the short form asks for.
const SHORT: f64 = 0.3;

pub(crate) fn table(o: &Options) -> Vec<String> {
    println!(
        "Pilots of {PILOT} samples, then a run with the number that they advise; {} of each, in percent.\n",
        o.data_sets
    );
    println!("truth   SD  decided  PROGRESS  NOISE  UNDERP.  CAUTIOUS  REGRESS  advised: mean, least, most");
    let is_asked = |(_, spread): &&(f64, f64)| !o.is_short || *spread == SHORT;
    CELLS.iter().filter(is_asked).filter_map(|&(truth, spread)| row(truth, spread, o)).collect()
}

fn row(truth: f64, spread: f64, o: &Options) -> Option<String> {
    let runs = data_sets(o, |i, random| {
        let seed = o.seed ^ (i << 20);
        let pilot = report(&ordinary(PILOT, truth, spread, random), 0, seed, o);
        let advised = pilot.decisive.and_then(|n| usize::try_from(n).ok())?;
        Some((advised, report(&ordinary(advised, truth, spread, random), 0, seed, o)))
    });
    let tier = |wanted: &[Tier]| {
        let is_it = |of: &Option<(usize, MadeReport)>| of.as_ref().is_some_and(|(_, run)| wanted.contains(&run.tier));
        Share::of(&runs, is_it)
    };
    let tiers = [Tier::Progress, Tier::Noise, Tier::Underpowered, Tier::Cautious, Tier::Regress];
    let [progress, noise, under, cautious, regress] = tiers.map(|of| tier(&[of]).value * 100.0);
    let decided = tier(&[Tier::Progress, Tier::Noise]);
    let advised: Vec<usize> = runs.iter().flatten().map(|(advised, _)| *advised).collect();
    #[expect(clippy::cast_precision_loss, reason = "counts of samples")]
    let mean = advised.iter().sum::<usize>() as f64 / advised.len() as f64;
    println!(
        "  {truth:.1} {spread:4.2} {:8.2} {progress:9.2} {noise:6.2} {under:8.2} {cautious:9.2} {regress:8.2}  {mean:13.1} {:6} {:5}  {}",
        decided.value * 100.0,
        advised.iter().min().copied().unwrap_or(0),
        advised.iter().max().copied().unwrap_or(0),
        bound_text("decided", DECIDED),
    );
    missed(&format!("advice at truth {truth}, SD {spread}: decided"), decided, DECIDED)
}
