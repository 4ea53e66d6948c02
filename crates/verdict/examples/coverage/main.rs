//! How often the default interval holds the true difference, how often chance alone or data made to mislead are called
//! PROGRESS, what the guards against that cost, and whether the advised number of samples decides.
//!
//! ```text
//! cargo run --release --example coverage                    # all tables, 10,000 data sets in each cell: takes hours
//! cargo run --release --example coverage -- --short         # 200 in each of fewer cells, 1,000 resamples: what CI runs
//! cargo run --release --example coverage -- missing parts --data-sets 2000 --resamples 1000 --seed 7
//! ```
//!
//! Words ask for single tables: `stopping`, `stopping-rare` and `several` are in `docs/en/statistics-stopping.md`, all others in
//! `docs/en/statistics-coverage.md` and its two sequels. Ends with 1 if a bound is missed.
#![expect(clippy::print_stdout, reason = "a program to be looked at")]

mod advice;
mod again;
mod cached;
mod decide;
mod families;
mod guards;
mod likert;
mod made;
mod power;
#[path = "../../../stats-tests/examples/random/mod.rs"]
mod random;
mod repeats;
mod room;
mod series;
mod several;
mod shapes;
mod stopping;
mod unseen;

use std::process::ExitCode;
use std::time::Instant;

use eval_format::Tier;
use eval_stats::Resampling;
use rayon::prelude::*;

use crate::likert::Design;
use crate::random::Random;

/// The default interval is to hold the truth so often, where samples share at most 0.6 of their variance.
const COVERAGE: [f64; 2] = [0.935, 0.975];
const COVERED_UP_TO: f64 = 0.6;
/// With fewer samples the interval is wide by design, and may hold the truth so often.
const FEW: usize = 10;
const COVERAGE_OF_FEW: f64 = 0.995;
/// No difference is to be called PROGRESS at most so often.
const FALSE_PROGRESS: f64 = 0.025;

/// What was asked for on the command line.
#[derive(Clone, Copy)]
pub(crate) struct Options {
    pub(crate) data_sets: u64,
    pub(crate) seed: u64,
    /// Resamples of each interval.
    pub(crate) resamples: u32,
    /// How many Monte-Carlo errors a share of ordinary data may lie beyond its bound; the bounds have room for those of
    /// 10,000 data sets.
    pub(crate) slack: f64,
    /// Only some cells of the tables that take long.
    pub(crate) is_short: bool,
}

const LONG: Options = Options { data_sets: 10_000, seed: 1, resamples: 10_000, slack: 0.0, is_short: false };
const SHORT: Options = Options { data_sets: 200, resamples: 1000, slack: 3.0, is_short: true, ..LONG };

/// A table, printed as it is made; the bounds that it misses.
type Table = fn(&Options) -> Vec<String>;

/// Tables by the word that asks for them; without a word all are printed. The short form leaves out what takes long.
const TABLES: &[(&str, Table, InShort)] = &[
    ("verdict", verdicts, InShort::Yes),
    ("differences", guards::differences, InShort::Yes),
    ("clusters", guards::clusters, InShort::Yes),
    ("missing", guards::missing, InShort::Yes),
    ("again", again::table, InShort::Yes),
    ("parts", guards::parts, InShort::Yes),
    ("early", guards::early, InShort::Yes),
    ("ties", guards::ties, InShort::Yes),
    ("cached", cached::table, InShort::Yes),
    ("unseen", unseen::table, InShort::Yes),
    ("sweep", unseen::swept, InShort::No),
    ("power", power::table, InShort::Yes),
    ("room", room::room, InShort::Yes),
    ("preferences", room::preferences, InShort::Yes),
    ("series", series::table, InShort::Yes),
    ("advice", advice::table, InShort::No),
    ("repeats", repeats::table, InShort::No),
    ("stopping", stopping::table, InShort::Yes),
    ("stopping-rare", stopping::rare, InShort::Yes),
    ("several", several::table, InShort::Yes),
];

/// Whether the short form prints a table unasked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum InShort {
    Yes,
    No,
}

fn main() -> ExitCode {
    let (options, tables) = match read_arguments(std::env::args().skip(1)) {
        Ok(read) => read,
        Err(word) => {
            let words: Vec<&str> = TABLES.iter().map(|(word, ..)| *word).collect();
            println!("what is `{word}`? [{}] [--short] [--data-sets N] [--resamples N] [--seed N]", words.join("|"));
            return ExitCode::from(2);
        }
    };
    let mut missed = Vec::new();
    for table in tables {
        let start = Instant::now();
        missed.extend(table(&options));
        println!("\n{:.0} s on {} threads\n", start.elapsed().as_secs_f64(), rayon::current_num_threads());
    }
    missed.iter().for_each(|bound| println!("MISSED: {bound}"));
    if missed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn read_arguments(mut words: impl Iterator<Item = String>) -> Result<(Options, Vec<Table>), String> {
    let (mut options, mut tables) = (LONG, Vec::new());
    let (mut data_sets, mut resamples, mut seed) = (None, None, None);
    while let Some(word) = words.next() {
        let mut number = || words.next().and_then(|n| n.parse().ok()).filter(|n| *n > 0).ok_or(word.clone());
        match (word.as_str(), TABLES.iter().find(|(name, ..)| *name == word)) {
            ("--short", _) => options = SHORT,
            ("--data-sets", _) => data_sets = Some(number()?),
            ("--resamples", _) => resamples = Some(u32::try_from(number()?).map_err(|_| word)?),
            ("--seed", _) => seed = Some(number()?),
            (_, Some((_, named, _))) => tables.push(*named),
            _ => return Err(word),
        }
    }
    options.data_sets = data_sets.unwrap_or(options.data_sets);
    options.resamples = resamples.unwrap_or(options.resamples);
    options.seed = seed.unwrap_or(options.seed);
    if tables.is_empty() {
        let is_asked = |(_, _, short): &&(_, _, InShort)| !options.is_short || *short == InShort::Yes;
        tables = TABLES.iter().filter(is_asked).map(|(_, table, _)| *table).collect();
    }
    Ok((options, tables))
}

/// `one` of every data set, in their order; each has its own random stream.
pub(crate) fn data_sets<T: Send>(o: &Options, one: impl Fn(u64, &mut Random) -> T + Sync) -> Vec<T> {
    (0..o.data_sets).into_par_iter().map(|i| one(i, &mut Random::new(o.seed, i))).collect()
}

/// What is resampled with, as in a run: 95 %, the default method; data sets have seeds of their own.
pub(crate) fn resampling(o: &Options, data_set: u64) -> Resampling {
    Resampling { seed: o.seed ^ (data_set << 20), resamples: o.resamples, ..Resampling::default() }
}

/// A share of the data sets, with its Monte-Carlo error.
#[derive(Clone, Copy)]
pub(crate) struct Share {
    pub(crate) value: f64,
    error: f64,
    data_sets: f64,
}

impl Share {
    #[expect(clippy::cast_precision_loss, reason = "counts of data sets")]
    pub(crate) fn of<T>(all: &[T], is: impl Fn(&T) -> bool) -> Share {
        let (n, value) = (all.len() as f64, all.iter().filter(|x| is(x)).count() as f64 / all.len() as f64);
        Share { value, error: (value * (1.0 - value) / n).sqrt(), data_sets: n }
    }

    /// The Monte-Carlo error that it would have if the true share was this.
    pub(crate) fn error_of(self, share: f64) -> f64 {
        (share * (1.0 - share) / self.data_sets).max(0.0).sqrt()
    }

    /// Whether it lies between bounds, or so many Monte-Carlo errors beyond.
    pub(crate) fn is_within(self, [least, most]: [f64; 2], slack: f64) -> bool {
        self.value >= least - slack * self.error_of(least) && self.value <= most + slack * self.error_of(most)
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
    let [least, most] = COVERAGE;
    let most = if design.n < FEW { COVERAGE_OF_FEW } else { most };
    let covers = design.rho > COVERED_UP_TO || coverage.is_within([least, most], o.slack);
    let [least, most] = [least, most].map(|share| share * 100.0);
    let uncovered = (!covers).then(|| format!("{cell}: coverage {} %, to be {least:.1} to {most:.1}", coverage.text()));
    let alarms = (!progress.is_within([0.0, FALSE_PROGRESS], o.slack))
        .then(|| format!("{cell}: false PROGRESS {} %, to be at most 2.5", progress.text()));
    uncovered.into_iter().chain(alarms).collect()
}
