//! How often the default interval holds the true difference, and how often chance alone is called PROGRESS.
//!
//! ```text
//! cargo run --release --example coverage                    # 10,000 data sets in each of 12 cells
//! cargo run --release --example coverage -- --data-sets 1000 --seed 7
//! cargo run --release --example coverage -- stopping        # with --stop-when-decided
//! ```
//!
//! Prints the tables of `docs/en/statistics-coverage.md` and `statistics-stopping.md`, and ends with 1 if a bound is
//! missed.
#![expect(clippy::print_stdout, reason = "a program to be looked at")]

mod decide;
mod likert;
#[path = "../../../stats/examples/random/mod.rs"]
mod random;
mod stopping;

use std::process::ExitCode;
use std::time::Instant;

use eval_format::Tier;
use eval_stats::Resampling;
use rayon::prelude::*;

use crate::likert::Design;
use crate::random::Random;

/// The default interval is to hold the truth so often, where samples share at most 0.6 of their variance.
const COVERAGE: std::ops::RangeInclusive<f64> = 0.935..=0.975;
const COVERED_UP_TO: f64 = 0.6;
/// No difference is to be called PROGRESS at most so often.
const FALSE_PROGRESS: f64 = 0.025;

/// What was asked for on the command line.
pub(crate) struct Options {
    pub(crate) data_sets: u64,
    pub(crate) seed: u64,
}

/// A table, printed as it is made; the bounds that it misses.
type Table = fn(&Options) -> Vec<String>;

/// Tables by the word that asks for them; the first is printed without one.
const TABLES: &[(&str, Table)] = &[("verdict", verdicts), ("stopping", stopping::table)];

fn main() -> ExitCode {
    let (options, table) = match read_arguments(std::env::args().skip(1)) {
        Ok(read) => read,
        Err(word) => {
            let words: Vec<&str> = TABLES.iter().map(|(word, _)| *word).collect();
            println!("what is `{word}`? [{}] [--data-sets N] [--seed N]", words.join("|"));
            return ExitCode::from(2);
        }
    };
    let start = Instant::now();
    let missed = table(&options);
    println!("{:.0} s on {} threads", start.elapsed().as_secs_f64(), rayon::current_num_threads());
    missed.iter().for_each(|bound| println!("MISSED: {bound}"));
    if missed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn read_arguments(mut words: impl Iterator<Item = String>) -> Result<(Options, Table), String> {
    let (mut options, mut table) = (Options { data_sets: 10_000, seed: 1 }, TABLES[0].1);
    while let Some(word) = words.next() {
        let mut number = || words.next().and_then(|n| n.parse().ok()).filter(|n| *n > 0).ok_or(word.clone());
        match (word.as_str(), TABLES.iter().find(|(name, _)| *name == word)) {
            ("--data-sets", _) => options.data_sets = number()?,
            ("--seed", _) => options.seed = number()?,
            (_, Some((_, named))) => table = *named,
            _ => return Err(word),
        }
    }
    Ok((options, table))
}

/// `one` of every data set, in their order; each has its own random stream.
pub(crate) fn data_sets<T: Send>(o: &Options, one: impl Fn(u64, &mut Random) -> T + Sync) -> Vec<T> {
    (0..o.data_sets).into_par_iter().map(|i| one(i, &mut Random::new(o.seed, i))).collect()
}

/// What is resampled with, as in a run: 10,000 resamples, 95 %, the default method; data sets have seeds of their own.
pub(crate) fn resampling(o: &Options, data_set: u64) -> Resampling {
    Resampling { seed: o.seed ^ (data_set << 20), ..Resampling::default() }
}

/// A share of the data sets, with its Monte-Carlo error.
#[derive(Clone, Copy)]
pub(crate) struct Share {
    pub(crate) value: f64,
    error: f64,
}

impl Share {
    #[expect(clippy::cast_precision_loss, reason = "counts of data sets")]
    pub(crate) fn of<T>(all: &[T], is: impl Fn(&T) -> bool) -> Share {
        let (n, value) = (all.len() as f64, all.iter().filter(|x| is(x)).count() as f64 / all.len() as f64);
        Share { value, error: (value * (1.0 - value) / n).sqrt() }
    }

    /// In percent.
    pub(crate) fn text(self) -> String {
        format!("{:.2} ± {:.2}", self.value * 100.0, self.error * 100.0)
    }
}

fn verdicts(o: &Options) -> Vec<String> {
    println!("Two variants without a difference, Likert scores 1 to 5, {} data sets a cell.", o.data_sets);
    println!("Percent ± one Monte-Carlo error. `--threshold` lets everything pass, so that it");
    println!("hides no false alarm.\n");
    println!("  N  rho  coverage      width  PROGRESS     CAUTIOUS     REGRESS      NOISE");
    let cells = [5, 10, 20, 50].into_iter().flat_map(|n| [0.0, 0.6, 0.9].map(|rho| Design { n, rho, shift: 0.0 }));
    cells.flat_map(|design| verdict_row(&design, o)).collect()
}

/// Prints one line; the bounds that it misses.
fn verdict_row(design: &Design, o: &Options) -> Vec<String> {
    let found = data_sets(o, |i, random| decide::decided(&design.differences(random), &resampling(o, i)));
    let truth = design.true_difference();
    let coverage = Share::of(&found, |d| d.low <= truth && truth <= d.high);
    let tier = |tier: Tier| Share::of(&found, move |d| d.tier == tier);
    let progress = tier(Tier::Progress);
    #[expect(clippy::cast_precision_loss, reason = "counts of data sets")]
    let width = found.iter().map(|d| d.high - d.low).sum::<f64>() / found.len() as f64;

    let tiers = [progress, tier(Tier::Cautious), tier(Tier::Regress), tier(Tier::Noise)];
    let shares = tiers.map(|share| format!("{:<11}", share.text())).join("  ");
    println!("{:3}  {:.1}  {}  {width:.3}  {}", design.n, design.rho, coverage.text(), shares.trim_end());
    let cell = format!("N {}, rho {}", design.n, design.rho);
    let covers = design.rho > COVERED_UP_TO || COVERAGE.contains(&coverage.value);
    let uncovered = (!covers).then(|| format!("{cell}: coverage {} %, to be 93.5 to 97.5", coverage.text()));
    let alarms = (progress.value > FALSE_PROGRESS)
        .then(|| format!("{cell}: false PROGRESS {} %, to be at most 2.5", progress.text()));
    uncovered.into_iter().chain(alarms).collect()
}
