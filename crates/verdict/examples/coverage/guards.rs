//! How often the verdict is misled by data made to mislead it, and what the guards against that cost where all is fair.
//!
//! Data sets go as records through the analysis and the decision of the program itself.

use eval_format::Tier;

use crate::families::{self, DrawSamples};
use crate::made::{LooksTaken, MadeReport, report};
use crate::{Options, Share, data_sets};

/// One kind of data in several sizes.
struct DataFamily {
    what: &'static str,
    draw: DrawSamples,
    /// The true mean difference; `None` where no interval is asked for it.
    truth: Option<f64>,
    /// Planned looks; 0 for a run that is read once.
    looks: u32,
    /// Whether the interval is to hold the truth.
    is_clustered: bool,
    /// The number of samples that the short form asks for; 0 where it leaves these data out.
    short: usize,
    /// What is demanded.
    tier: Tier,
    /// Samples, and between which percentages of the data sets are to have that tier.
    cells: &'static [(usize, f64, f64)],
}

/// Intervals of clusters are to hold the truth so often, in percent.
const LEAST_COVERAGE: f64 = 93.5;
/// A share is out of its bounds when it is so many Monte-Carlo errors beyond them.
const SLACK: f64 = 3.0;

const fn fair(what: &'static str, draw: DrawSamples, truth: f64, cells: &'static [(usize, f64, f64)]) -> DataFamily {
    DataFamily { what, draw, truth: Some(truth), looks: 0, is_clustered: false, short: 0, tier: Tier::Progress, cells }
}

const fn stopped(what: &'static str, draw: DrawSamples, truth: f64, cells: &'static [(usize, f64, f64)]) -> DataFamily {
    DataFamily { looks: 5, ..fair(what, draw, truth, cells) }
}

const fn in_clusters(of: DataFamily) -> DataFamily {
    DataFamily { is_clustered: true, ..of }
}

/// The short form asks with so many samples.
const fn briefly(short: usize, of: DataFamily) -> DataFamily {
    DataFamily { short, ..of }
}

const NEVER: [f64; 2] = [0.0, 0.5];
const NOMINAL: [f64; 2] = [0.0, 2.5];

const fn cell(n: usize, [least, most]: [f64; 2]) -> (usize, f64, f64) {
    (n, least, most)
}

/// Mean differences of samples that are each a task of its own.
const DIFFERENCES: (&str, &[DataFamily]) = (
    "differences; the true mean is 0 where no gain is named",
    &[
        fair("normal, SD 0.55", families::even, 0.0, &[cell(20, NOMINAL), cell(40, NOMINAL), cell(100, NOMINAL)]),
        fair(
            "skewed: 0.5 - Exp(0.5)",
            families::exponential,
            0.0,
            &[cell(20, NOMINAL), cell(30, NOMINAL), cell(40, NOMINAL), cell(60, NOMINAL), cell(100, NOMINAL)],
        ),
        briefly(
            30,
            fair(
                "rare: 5 % fall by 3, the rest +0.16",
                families::rare,
                0.002,
                &[cell(20, NEVER), cell(30, NEVER), cell(40, NEVER), cell(60, NEVER), cell(100, NOMINAL)],
            ),
        ),
        fair(
            "log-normal, sigma 0.5 (not tuned on)",
            families::log_normal,
            0.0,
            &[cell(20, NOMINAL), cell(30, NOMINAL), cell(40, NOMINAL), cell(60, NOMINAL), cell(100, NOMINAL)],
        ),
        fair(
            "whole scores, 10 % fall by 2 (not tuned on)",
            families::whole,
            0.0,
            &[cell(20, NEVER), cell(30, NOMINAL), cell(40, [0.0, 3.0]), cell(60, NOMINAL), cell(100, NOMINAL)],
        ),
        fair(
            "gain 0.3, SD 0.55",
            families::gain_of_3_tenths,
            0.3,
            &[
                cell(20, [3.0, 100.0]),
                cell(30, [38.0, 100.0]),
                cell(40, [74.0, 100.0]),
                cell(60, [96.0, 100.0]),
                cell(100, [99.0, 100.0]),
            ],
        ),
        briefly(
            30,
            fair(
                "gain 0.5, SD 0.55",
                families::gain_of_half,
                0.5,
                &[cell(20, [46.0, 100.0]), cell(30, [95.0, 100.0]), cell(40, [99.0, 100.0])],
            ),
        ),
    ],
);

/// Samples that are versions of fewer tasks.
const CLUSTERS: (&str, &[DataFamily]) = (
    "clusters of 3 with ICC 0.9",
    &[
        briefly(
            60,
            in_clusters(fair(
                "no difference",
                families::clusters,
                0.0,
                &[cell(30, NEVER), cell(60, NOMINAL), cell(120, NOMINAL)],
            )),
        ),
        in_clusters(fair(
            "gain 0.5",
            families::clusters_gain,
            0.5,
            &[cell(60, [43.0, 100.0]), cell(120, [97.0, 100.0])],
        )),
    ],
);

/// Runs without a score.
const MISSING: (&str, &[DataFamily]) = (
    "missing; the true mean is 0 where no gain is named",
    &[
        briefly(
            40,
            fair(
                "10 % of each arm lost, on other samples",
                families::lost,
                0.0,
                &[cell(40, NEVER), cell(60, NEVER), cell(100, NEVER)],
            ),
        ),
        briefly(
            40,
            fair(
                "treatment refuses the hardest 5 %",
                families::refused,
                0.0,
                &[cell(40, [0.0, 1.0]), cell(60, NOMINAL), cell(100, NOMINAL)],
            ),
        ),
        fair("bad repeats time out (10 %)", families::bad_repeats_lost, 0.0, &[cell(40, NOMINAL), cell(60, NOMINAL)]),
        fair(
            "bad repeats are refused (10 %)",
            families::bad_repeats_refused,
            0.0,
            &[cell(40, NOMINAL), cell(60, NOMINAL)],
        ),
        fair(
            "gain 0.5, 2 % lost at random",
            families::lost_at_random,
            0.5,
            &[cell(40, [82.0, 100.0]), cell(60, [91.0, 100.0]), cell(100, [98.0, 100.0])],
        ),
    ],
);

/// Layers and capabilities.
const PARTS: (&str, &[DataFamily]) = (
    "parts: 3 layers, 4 capabilities; `as one` are the same composites without them",
    &[
        DataFamily {
            tier: Tier::Cautious,
            ..fair("gain 0.5 in all", families::parts_gain, 0.5, &[cell(40, [0.0, 4.0]), cell(100, [0.0, 3.0])])
        },
        DataFamily {
            tier: Tier::Cautious,
            ..fair("gain 0.5, as one", families::parts_gain_as_one, 0.5, &[cell(40, [0.0, 4.0]), cell(100, [0.0, 3.0])])
        },
        DataFamily {
            tier: Tier::Cautious,
            ..fair("nothing differs", families::parts_even, 0.0, &[cell(100, [0.0, 6.0]), cell(160, [0.0, 6.0])])
        },
        DataFamily {
            tier: Tier::Cautious,
            ..fair(
                "nothing differs, as one",
                families::parts_even_as_one,
                0.0,
                &[cell(100, [0.0, 3.0]), cell(160, [0.0, 3.0])],
            )
        },
        briefly(
            40,
            fair(
                "a layer fell 5.0 to 3.8, another pays",
                families::layer_fell,
                0.4,
                &[cell(20, NEVER), cell(40, NEVER)],
            ),
        ),
        fair("8 of one capability fell from 5 to 1", families::capability_collapsed, 0.416, &[cell(100, NEVER)]),
        fair("8 of one capability fell by 1", families::capability_lost_a_point, 0.387, &[cell(60, [0.0, 25.0])]),
    ],
);

/// Runs that may end early, with what is missing and with clusters.
const EARLY: (&str, &[DataFamily]) = (
    "five planned looks",
    &[
        briefly(
            100,
            stopped(
                "10 % of each arm lost, on other samples",
                families::lost,
                0.0,
                // the risk that the sequence itself takes
                &[cell(100, NOMINAL), cell(200, NOMINAL)],
            ),
        ),
        stopped("treatment refuses the hardest 5 %", families::refused, 0.0, &[cell(100, NOMINAL), cell(200, NOMINAL)]),
        briefly(
            100,
            stopped(
                "gain 0.5, 2 % lost at random",
                families::lost_at_random,
                0.5,
                &[cell(100, [95.0, 100.0]), cell(200, [95.0, 100.0])],
            ),
        ),
        briefly(
            120,
            in_clusters(stopped(
                "clusters, no difference",
                families::clusters_shuffled,
                0.0,
                &[cell(120, NOMINAL), cell(240, NOMINAL)],
            )),
        ),
        stopped(
            "clusters, gain 0.5",
            families::clusters_gain_shuffled,
            0.5,
            &[cell(120, [80.0, 100.0]), cell(240, [95.0, 100.0])],
        ),
    ],
);

/// Scores of 5 in both arms, always the same data.
const TIES: DataFamily = DataFamily {
    what: "ties",
    draw: families::ties,
    truth: None,
    looks: 0,
    is_clustered: false,
    short: 0,
    tier: Tier::Noise,
    cells: &[(20, 0.0, 0.0), (58, 0.0, 0.0), (64, 100.0, 100.0)],
};

pub(crate) fn differences(o: &Options) -> Vec<String> {
    section(&DIFFERENCES, o)
}

pub(crate) fn clusters(o: &Options) -> Vec<String> {
    section(&CLUSTERS, o)
}

pub(crate) fn missing(o: &Options) -> Vec<String> {
    section(&MISSING, o)
}

pub(crate) fn parts(o: &Options) -> Vec<String> {
    section(&PARTS, o)
}

pub(crate) fn early(o: &Options) -> Vec<String> {
    section(&EARLY, o)
}

pub(crate) fn ties(o: &Options) -> Vec<String> {
    section(&("all scores 5 in both arms; nothing is drawn", &[TIES]), &Options { data_sets: 1, is_short: false, ..*o })
}

/// Prints one table; the bounds that it misses.
fn section((what, all): &(&str, &[DataFamily]), o: &Options) -> Vec<String> {
    heading(what, o);
    all.iter().flat_map(|of| of.rows(o)).collect()
}

fn heading(what: &str, o: &Options) {
    println!("{what}");
    println!("Data sets as records, through analysis and decision, {} a cell, {} resamples.", o.data_sets, o.resamples);
    println!(
        "In percent; UNDERP. is UNDERPOWERED; `holds`: intervals that hold the true mean; `pairs`: their mean number."
    );
    println!("The last column is the bound, broken when a share is {SLACK} Monte-Carlo errors beyond it.\n");
    println!("{:43}    N  PROGRESS  NOISE  UNDERP.  CAUTIOUS  REGRESS  holds  pairs", "");
}

impl DataFamily {
    /// Prints the lines; the bounds that they miss.
    fn rows(&self, o: &Options) -> Vec<String> {
        let is_asked = |(n, _, _): &&(usize, f64, f64)| !o.is_short || *n == self.short;
        self.cells.iter().filter(is_asked).flat_map(|&(n, least, most)| self.row(n, [least, most], o)).collect()
    }

    fn row(&self, n: usize, bounds: [f64; 2], o: &Options) -> Vec<String> {
        let looks = LooksTaken::planned(self.looks);
        let found = data_sets(o, |i, random| report(&(self.draw)(n, random), looks, o.seed ^ (i << 20), o));
        let tier = |tier: Tier| Share::of(&found, move |of: &MadeReport| of.tier == tier);
        let percent = |share: Share| share.value * 100.0;
        let holds = self.truth.map(|truth| Share::of(&found, |of| of.low <= truth && truth <= of.high));
        #[expect(clippy::cast_precision_loss, reason = "counts of pairs and data sets")]
        let pairs = found.iter().map(|of| of.pairs as f64).sum::<f64>() / found.len() as f64;
        println!(
            "{:43} {n:4} {:9.2} {:6.2} {:8.2} {:9.2} {:8.2}  {}  {pairs:5.1}  {}",
            self.what,
            percent(tier(Tier::Progress)),
            percent(tier(Tier::Noise)),
            percent(tier(Tier::Underpowered)),
            percent(tier(Tier::Cautious)),
            percent(tier(Tier::Regress)),
            holds.map_or_else(|| " ".repeat(5), |holds| format!("{:5.1}", percent(holds))),
            bound_text(self.tier.name(), bounds),
        );
        let cell = format!("{}, N {n}", self.what);
        let out = missed(&format!("{cell}: {}", self.tier.name()), tier(self.tier), bounds);
        let holds = holds.filter(|_| self.is_clustered);
        out.into_iter()
            .chain(holds.and_then(|of| missed(&format!("{cell}: holds"), of, [LEAST_COVERAGE, 100.0])))
            .collect()
    }
}

/// The bound as a line shows it, in percent.
pub(crate) fn bound_text(what: &str, [least, most]: [f64; 2]) -> String {
    if most >= 100.0 { format!("{what} >= {least}") } else { format!("{what} <= {most}") }
}

/// That a share lies outside its bounds, which are percentages.
pub(crate) fn missed(what: &str, share: Share, [least, most]: [f64; 2]) -> Option<String> {
    let is_inside = share.is_within([least, most].map(|percent| percent / 100.0), SLACK);
    (!is_inside).then(|| format!("{what} in {} %, to be {least} to {most}", share.text().trim()))
}
