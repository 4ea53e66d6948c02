//! Simulated coverage and power of each interval method: Likert scores 1–5 of two variants on the same samples.
//!
//! ```text
//! cargo run --release -p eval-stats-tests --example methods -- [DATA_SETS=2000] [RESAMPLES=2000] [SEED=1] [SHIFT=0] [means|layers|effects|skewed|rare]
//! ```
//!
//! Score of sample i under variant v: `3.5 + SHIFT·v + item_i + noise_iv`, rounded and clamped to 1..=5; item and noise
//! are normal with total variance 1, and `rho` is the item's share. The true mean difference follows from the normal
//! distribution function. Prints coverage per method, the share of intervals above or below 0, mean width, and the
//! share of data sets without spread; those count as holding the truth if their point is the truth.
//!
//! `skewed` and `rare` draw data that mislead intervals, whose true mean difference is about 0: see there.
#![allow(clippy::print_stdout, reason = "a command-line example; its output is its purpose")]

mod random;

use eval_stats::*;
use random::{Random, likert};
use rayon::prelude::*;
use statrs::distribution::{ContinuousCDF, Normal};

const BASE: f64 = 3.5;
const METHODS: [IntervalMethod; 4] =
    [IntervalMethod::Expanded, IntervalMethod::Percentile, IntervalMethod::Bca, IntervalMethod::T];

struct Options {
    data_sets: u64,
    resamples: u32,
    seed: u64,
    shift: f64,
}

fn main() {
    let mut given = std::env::args().skip(1).map(|a| a.parse::<f64>().ok());
    let mut next = |default: f64| given.next().flatten().unwrap_or(default);
    let options = Options {
        data_sets: next(2000.0) as u64,
        resamples: next(2000.0) as u32,
        seed: next(1.0) as u64,
        shift: next(0.0),
    };
    match std::env::args().nth(5).as_deref() {
        Some("means") => all_means(&options),
        Some("layers") => all_layers(&options),
        Some("effects") => all_effects(&options),
        Some("skewed") => all_skewed(&options),
        Some("rare") => all_rare(&options),
        _ => {
            all_means(&options);
            all_layers(&options);
            all_effects(&options);
            all_skewed(&options);
            all_rare(&options);
        }
    }
}

fn all_means(o: &Options) {
    println!("mean paired difference, true value {:.4}, level 0.95", truth(o.shift));
    println!("   n  rho  method                         coverage  not 0  width  no spread");
    for n in [5, 10, 20, 50] {
        for rho in [0.0, 0.6, 0.9] {
            for method in METHODS {
                means(n, rho, method, o);
            }
        }
    }
}

fn all_layers(o: &Options) {
    println!("all of 5 layers at once (rho 0.6 between layers)");
    println!("   n  simultaneous  single");
    for n in [5, 10, 20, 50] {
        layers(n, o);
    }
}

fn all_effects(o: &Options) {
    println!("effect sizes, normal differences, d_z = 0.5");
    println!("   n  method                         d_z    superiority");
    for n in [5, 10, 20, 50] {
        for method in METHODS {
            effects(n, method, o);
        }
    }
}

const SIZES: [usize; 5] = [20, 30, 40, 60, 100];

/// Differences with mean 0, three kinds of them with a long tail downwards: how often the interval lies above 0, which
/// is wrong, and below it, nominally 2.5 % each. The default interval was chosen with data like ordinary scores with
/// rare falls, which log-normal differences are not.
fn all_skewed(o: &Options) {
    println!("one-sided errors in percent, nominal 2.5; true mean difference 0");
    println!("   n  differences                    method                         above 0  below 0  width");
    let families: [(&str, DrawDifference); 4] = [
        ("normal", |random| 0.55 * random.normal()),
        ("0.5 - Exp(0.5)", |random| 0.5 + 0.5 * random.uniform().ln()),
        ("log-normal, sigma 0.5", |random| (0.125_f64.exp() - (0.5 * random.normal()).exp()) / 2.0),
        ("whole scores, 1 of 10 falls", |random| if random.uniform() < 0.1 { -2.0 } else { whole_gain(random) }),
    ];
    for (name, difference) in families {
        for n in SIZES {
            for method in METHODS {
                skewed(n, name, difference, method, o);
            }
        }
    }
}

/// One paired difference.
type DrawDifference = fn(&mut Random) -> f64;

/// 0 or 1, with a mean that offsets a fall by 2 in one of ten samples.
fn whole_gain(random: &mut Random) -> f64 {
    f64::from(u8::from(random.uniform() < 2.0 / 9.0))
}

fn skewed(n: usize, name: &str, difference: DrawDifference, method: IntervalMethod, o: &Options) {
    let intervals: Vec<Interval> = data_sets(o, |i, random| {
        let d: Vec<f64> = (0..n).map(|_| difference(random)).collect();
        mean_interval(&d, &resampling(o, i, method))
    });
    let percent =
        |f: fn(&&Interval) -> bool| 100.0 * intervals.iter().filter(f).count() as f64 / intervals.len() as f64;
    println!(
        "{n:4}  {name:29}  {:30} {:6.2}   {:6.2}   {:.3}",
        format!("{method:?}"),
        percent(|i| i.low > 0.0),
        percent(|i| i.high < 0.0),
        intervals.iter().map(Interval::width).sum::<f64>() / intervals.len() as f64,
    );
}

/// 5 % of the samples fall by 3 points and the rest gain 0.16, so that nothing is gained (+0.002): how often
/// the interval lies above 0 (a point does).
fn all_rare(o: &Options) {
    println!("5 % fall by 3, the rest gain 0.16: false alarms in percent");
    println!("   n  method                         above 0");
    for n in SIZES {
        for method in METHODS {
            rare(n, method, o);
        }
    }
}

fn rare(n: usize, method: IntervalMethod, o: &Options) {
    let is_above: Vec<bool> = data_sets(o, |i, random| {
        let d: Vec<f64> = (0..n).map(|_| if random.uniform() < 0.05 { -3.0 } else { 0.16 }).collect();
        Some(mean_interval(&d, &resampling(o, i, method))?.low > 0.0)
    });
    let above = 100.0 * is_above.iter().filter(|above| **above).count() as f64 / is_above.len() as f64;
    println!("{n:4}  {:30} {above:6.2}", format!("{method:?}"));
}

fn means(n: usize, rho: f64, method: IntervalMethod, o: &Options) {
    let target = truth(o.shift);
    let intervals: Vec<Interval> = data_sets(o, |i, random| {
        let d = likert_differences(random, n, rho, o.shift);
        mean_interval(&d, &resampling(o, i, method))
    });
    let share =
        |f: &dyn Fn(&Interval) -> bool| intervals.iter().filter(|i| f(i)).count() as f64 / intervals.len() as f64;
    println!(
        "{n:4}  {rho:.1}  {:30} {:.3}     {:.3}  {:.3}  {:.3}",
        format!("{method:?}"),
        share(&|i| i.low - 1e-9 <= target && target <= i.high + 1e-9),
        share(&|i| !i.degenerate && !i.contains(0.0)),
        intervals.iter().map(Interval::width).sum::<f64>() / intervals.len() as f64,
        share(&|i| i.degenerate),
    );
}

/// Five correlated columns of differences with mean 0: how often all intervals hold it.
fn layers(n: usize, o: &Options) {
    let both: Vec<(bool, bool)> = data_sets(o, |i, random| {
        let rows: Vec<f64> = (0..n).map(|_| random.normal()).collect();
        let column = |random: &mut Random| -> Vec<Option<f64>> {
            let value = |item: &f64| (0.6_f64.sqrt() * item + 0.4_f64.sqrt() * random.normal()).round();
            rows.iter().map(value).map(Some).collect()
        };
        let columns: Vec<_> = (0..5).map(|_| column(random)).collect();
        let r = resampling(o, i, IntervalMethod::Expanded);
        let holds = |i: Interval| i.low - 1e-9 <= 0.0 && 0.0 <= i.high + 1e-9;
        let joint = simultaneous_mean_intervals(&columns, &r);
        let single = |c: &Vec<Option<f64>>| mean_interval(&c.iter().copied().flatten().collect::<Vec<_>>(), &r);
        Some((joint.into_iter().flatten().all(holds), columns.iter().filter_map(single).all(holds)))
    });
    let share = |f: fn(&(bool, bool)) -> bool| both.iter().filter(|b| f(b)).count() as f64 / both.len() as f64;
    println!("{n:4}  {:.3}         {:.3}", share(|b| b.0), share(|b| b.1));
}

fn effects(n: usize, method: IntervalMethod, o: &Options) {
    let superiority = Normal::standard().cdf(0.5);
    let covered: Vec<(bool, bool)> = data_sets(o, |i, random| {
        let d: Vec<f64> = (0..n).map(|_| 0.5 + random.normal()).collect();
        let r = resampling(o, i, method);
        let holds = |e: Option<Effect>, x| e.and_then(|e| e.interval).is_some_and(|i| i.contains(x));
        Some((holds(cohen_dz(&d, &r), 0.5), holds(probability_of_superiority(&d, &r), superiority)))
    });
    let share = |f: fn(&(bool, bool)) -> bool| covered.iter().filter(|b| f(b)).count() as f64 / covered.len() as f64;
    println!("{n:4}  {:30} {:.3}  {:.3}", format!("{method:?}"), share(|b| b.0), share(|b| b.1));
}

fn data_sets<T: Send>(o: &Options, draw: impl Fn(u64, &mut Random) -> Option<T> + Sync) -> Vec<T> {
    let each = (0..o.data_sets).into_par_iter();
    each.filter_map(|i| draw(i, &mut Random::new(o.seed, i))).collect()
}

fn resampling(o: &Options, data_set: u64, method: IntervalMethod) -> Resampling {
    Resampling { seed: o.seed ^ (data_set << 20), resamples: o.resamples, level: 0.95, method }
}

fn likert_differences(random: &mut Random, n: usize, rho: f64, shift: f64) -> Vec<f64> {
    (0..n)
        .map(|_| {
            let item = rho.sqrt() * random.normal();
            let mut score = |v: f64| likert(BASE + shift * v + item + (1.0 - rho).sqrt() * random.normal());
            let control = score(0.0);
            score(1.0) - control
        })
        .collect()
}

/// `E[treatment] − E[control]`: scores are 1 plus the number of thresholds 1.5 … 4.5 passed.
fn truth(shift: f64) -> f64 {
    let expected =
        |centre: f64| -> f64 { [1.5, 2.5, 3.5, 4.5].map(|cut| Normal::standard().cdf(centre - cut)).iter().sum() };
    expected(BASE + shift) - expected(BASE)
}
