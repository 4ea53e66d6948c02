//! Simulated coverage of the intervals around a judge: prediction-powered means, agreement, Bradley–Terry strengths,
//! differences at equal length.
//!
//! ```text
//! cargo run --release -p eval-stats-tests --example judge_coverage -- [DATA_SETS=2000] [RESAMPLES=2000] [SEED=1] [ppi|alpha|strengths|length]
//! ```
//!
//! Each part documents its data. Monte-Carlo error of a coverage near 0.95: 0.005 for 2,000 data sets, 0.0015 for
//! 20,000.
#![allow(clippy::print_stdout, reason = "a command-line example; its output is its purpose")]

mod random;

use eval_stats::*;
use random::{Random, likert};
use rayon::prelude::*;

struct Options {
    data_sets: u64,
    resamples: u32,
    seed: u64,
}

fn main() {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize, default: u64| given.get(i).and_then(|a| a.parse().ok()).unwrap_or(default);
    let options = Options { data_sets: number(0, 2000), resamples: number(1, 2000) as u32, seed: number(2, 1) };
    match given.get(3).map(String::as_str) {
        Some("ppi") => all_ppi(&options),
        Some("alpha") => all_alpha(&options),
        Some("strengths") => all_strengths(&options),
        Some("length") => all_lengths(&options),
        _ => [all_ppi, all_alpha, all_strengths, all_lengths].iter().for_each(|part| part(&options)),
    }
}

fn data_sets<T: Send>(o: &Options, draw: impl Fn(u64, &mut Random) -> Option<T> + Sync) -> Vec<T> {
    let each = (0..o.data_sets).into_par_iter();
    each.filter_map(|i| draw(i, &mut Random::new(o.seed, i))).collect()
}

fn resampling(o: &Options, data_set: u64, method: IntervalMethod) -> Resampling {
    Resampling { seed: o.seed ^ (data_set << 20), resamples: o.resamples, level: 0.95, method }
}

/// Formats the coverage and the mean width of some intervals.
fn coverage(intervals: impl Iterator<Item = (f64, f64)>, truth: f64) -> String {
    let (mut count, mut holding, mut width) = (0.0, 0.0, 0.0);
    for (low, high) in intervals {
        count += 1.0;
        holding += f64::from(u8::from(low - 1e-9 <= truth && truth <= high + 1e-9));
        width += high - low;
    }
    format!("{:.3} {:5.2}", holding / count, width / count)
}

/// A judge of paired differences. People score `3.5 + item + noise` for both variants (variance ½ each), so that the true
/// difference is 0; the judge reads the same latent score with error `blur` and adds half a point to the treatment. The
/// `rare` judge instead copies people, who tie in 85 % of the samples and lean to the treatment in the others.
#[derive(Clone, Copy)]
enum Judge {
    Blurred(f64),
    Rare,
}

impl Judge {
    /// Human and judge difference of one sample.
    fn sample(self, random: &mut Random) -> Labelled {
        match self {
            Self::Blurred(blur) => {
                let item = 3.5 + 0.5_f64.sqrt() * random.normal();
                let mut arm = |favour: f64| {
                    let latent = item + 0.5_f64.sqrt() * random.normal();
                    (likert(latent), likert(latent + favour + blur * random.normal()))
                };
                let (control, treatment) = (arm(0.0), arm(0.5));
                Labelled { human: treatment.0 - control.0, judge: treatment.1 - control.1 }
            }
            Self::Rare => {
                // P(|normal| > 1.4395) = 0.15, then a quarter each for −1, 1, 2, 3
                let differs = random.normal().abs() > 1.4395;
                let (a, b) = (random.normal() > 0.0, random.normal() > 0.0);
                let human = match (differs, a, b) {
                    (false, ..) => 0.0,
                    (_, false, false) => -1.0,
                    (_, false, true) => 1.0,
                    (_, true, false) => 2.0,
                    (_, true, true) => 3.0,
                };
                let slips = random.normal().abs() > 1.4395;
                Labelled { human, judge: if slips { f64::from(u8::from(random.normal() > 0.0)) } else { human } }
            }
        }
    }

    fn truth(self) -> f64 {
        match self {
            Self::Blurred(_) => 0.0,
            Self::Rare => 0.15 * 5.0 / 4.0,
        }
    }
}

fn all_ppi(o: &Options) {
    println!("mean paired difference from labels and a judge: coverage and width at 0.95");
    println!("judge    labelled  of  λ     judge alone   labels alone  paper         ours          effective n");
    for (name, judge) in [("close", Judge::Blurred(0.5)), ("weak", Judge::Blurred(1.5)), ("rare", Judge::Rare)] {
        for (labelled, all) in [(5, 50), (10, 50), (20, 100), (50, 100), (20, 200), (50, 200)] {
            ppi(name, judge, labelled, all, o);
        }
    }
}

fn ppi(name: &str, judge: Judge, labels: usize, all: usize, o: &Options) {
    let results: Vec<(Option<Interval>, Option<Interval>, PredictionPowered)> = data_sets(o, |_, random| {
        let samples: Vec<Labelled> = (0..all).map(|_| judge.sample(random)).collect();
        let judged: Vec<f64> = samples.iter().map(|s| s.judge).collect();
        let human: Vec<f64> = samples[..labels].iter().map(|s| s.human).collect();
        let powered = ppi_mean(&samples[..labels], &judged[labels..], 0.95).ok()?;
        Some((t_interval(&judged, 0.95), t_interval(&human, 0.95), powered))
    });
    let ends = |i: &Interval| (i.low, i.high);
    let truth = judge.truth();
    let mean_of =
        |f: &dyn Fn(&PredictionPowered) -> f64| results.iter().map(|d| f(&d.2)).sum::<f64>() / results.len() as f64;
    println!(
        "{name:8} {labels:4}     {all:4} {:.2}  {}   {}   {}   {}   {:.0}",
        mean_of(&|p| p.lambda),
        coverage(results.iter().filter_map(|d| d.0.as_ref().map(ends)), truth),
        coverage(results.iter().filter_map(|d| d.1.as_ref().map(ends)), truth),
        coverage(results.iter().map(|d| d.2.asymptotic), truth),
        coverage(results.iter().map(|d| ends(&d.2.interval)), truth),
        mean_of(&|p| p.effective_n.unwrap_or(labels as f64)),
    );
}

/// Two raters who read one latent score (variance 1 around 3) with errors of `blur`. The true α is that of 200,000 units.
fn all_alpha(o: &Options) {
    println!("Krippendorff's α of two raters: coverage and width at 0.95");
    println!(
        "true α  units  method                         coverage width  without interval  share with low > α + 0.1"
    );
    for blur in [0.65, 1.1] {
        let mut random = Random::new(o.seed, u64::MAX);
        let truth = krippendorff_alpha_ordinal(&rated(&mut random, 200_000, blur)).map_or(f64::NAN, |a| a.value);
        for units in [10, 20, 50] {
            for method in [IntervalMethod::Expanded, IntervalMethod::Percentile, IntervalMethod::Bca, IntervalMethod::T]
            {
                alpha(truth, blur, units, method, o);
            }
        }
    }
}

fn rated(random: &mut Random, units: usize, blur: f64) -> Vec<[Option<f64>; 2]> {
    let unit = |_| {
        let latent = 3.0 + random.normal();
        [(); 2].map(|()| Some(likert(latent + blur * random.normal())))
    };
    (0..units).map(unit).collect()
}

fn alpha(truth: f64, blur: f64, units: usize, method: IntervalMethod, o: &Options) {
    let intervals: Vec<Option<Interval>> = data_sets(o, |i, random| {
        let estimate = alpha_interval(&rated(random, units, blur), &resampling(o, i, method));
        Some(estimate.ok().and_then(|a| a.interval))
    });
    let all = intervals.len() as f64;
    let ends = intervals.iter().flatten().map(|i| (i.low, i.high));
    let high = ends.clone().filter(|(low, _)| *low > truth + 0.1).count() as f64 / all;
    let none = intervals.iter().filter(|i| i.is_none()).count() as f64 / all;
    println!(
        "{truth:.3}   {units:4}   {:30} {}   {none:.3}             {high:.3}",
        format!("{method:?}"),
        coverage(ends, truth)
    );
}

/// Three variants with qualities 0.5, 0, −0.5; in each sample every quality moves by a normal of `wobble`, and a judge
/// with logistic doubt, which prefers the first place by `place`, sees each pair in both orders and ties when in doubt.
/// The true log odds are those of 200,000 samples.
fn all_strengths(o: &Options) {
    println!("Bradley–Terry log odds of the best against the worst: coverage and width of the bounded at 0.95");
    println!("wobble  place  samples  true   coverage  one-sided  width");
    for (wobble, place) in [(0.0, 0.0), (1.0, 0.0), (1.0, 0.8)] {
        let few = Resampling { resamples: 0, ..Resampling::default() };
        let mut random = Random::new(o.seed, u64::MAX);
        let many = bradley_terry(3, &judged(&mut random, 200_000, wobble, place), Weighing::Comparisons, &few);
        let truth = many.map_or(f64::NAN, |m| -m.contrasts[1].log_odds);
        for samples in [10, 20, 50] {
            strengths(truth, samples, wobble, place, o);
        }
    }
}

fn judged(random: &mut Random, samples: usize, wobble: f64, place: f64) -> Vec<Vec<PairComparison>> {
    let sample = |_| {
        let quality = [0.5, 0.0, -0.5].map(|q| q + wobble * random.normal());
        let orders = [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)];
        orders.map(|(first, second)| {
            let doubt = logit(random);
            let margin: f64 = quality[first] - quality[second] + place + doubt;
            let outcome = match margin {
                m if m > 0.3 => PairOutcome::First,
                m if m < -0.3 => PairOutcome::Second,
                _ => PairOutcome::Tie,
            };
            PairComparison { first, second, outcome }
        })
    };
    (0..samples).map(sample).map(|s| s.to_vec()).collect()
}

/// Approximates a logistic number by a normal one of the same variance.
fn logit(random: &mut Random) -> f64 {
    random.normal() * std::f64::consts::PI / 3.0_f64.sqrt()
}

fn strengths(truth: f64, samples: usize, wobble: f64, place: f64, o: &Options) {
    let bounds: Vec<StrengthBounds> = data_sets(o, |i, random| {
        let units = judged(random, samples, wobble, place);
        let fit = bradley_terry(3, &units, Weighing::Comparisons, &resampling(o, i, IntervalMethod::Expanded)).ok()?;
        Some(fit.contrasts[1].bounds)
    });
    // the contrast is the worst against the best
    let ends = |b: &StrengthBounds| (-b.high.unwrap_or(f64::INFINITY), -b.low.unwrap_or(f64::NEG_INFINITY));
    let holding = bounds.iter().map(ends).filter(|(low, high)| *low <= truth && truth <= *high).count();
    let bounded: Vec<f64> = bounds.iter().map(ends).map(|(l, h)| h - l).filter(|w| w.is_finite()).collect();
    println!(
        "{wobble:.1}     {place:.1}    {samples:4}     {truth:.3}  {:.3}     {:.3}      {:.2}",
        holding as f64 / bounds.len() as f64,
        1.0 - bounded.len() as f64 / bounds.len() as f64,
        bounded.iter().sum::<f64>() / bounded.len() as f64,
    );
}

/// Length differences `e^normal − 0.8` (a long right tail), scores `0.2 + 0.3 Δ + noise`, the noise either even or growing
/// with the length difference.
fn all_lengths(o: &Options) {
    println!("difference at equal length: coverage and width at 0.95");
    println!("noise    pairs  difference   slope per unit of length");
    for (name, growth) in [("even", 0.0), ("growing", 0.5)] {
        for pairs in [6, 10, 20, 50, 200] {
            let estimates: Vec<EqualLengthEstimate> = data_sets(o, |_, random| {
                let pair = |_| {
                    let longer_by = random.normal().exp() - 0.8;
                    let noise = (1.0 + growth * longer_by.abs()) * random.normal();
                    LengthPair { difference: 0.2 + 0.3 * longer_by + noise, longer_by }
                };
                difference_at_equal_length(&(0..pairs).map(pair).collect::<Vec<_>>(), 0.95).ok()
            });
            println!(
                "{name:8} {pairs:4}   {}   {}",
                coverage(estimates.iter().map(|f| (f.interval.low, f.interval.high)), 0.2),
                coverage(
                    estimates.iter().map(|f| (f.slope_interval.low / f.length_sd, f.slope_interval.high / f.length_sd)),
                    0.3
                ),
            );
        }
    }
}
