//! Looks that nobody planned: how often one of several looks at the same two artifacts finds PROGRESS where nothing differs, if each
//! is read by itself, and if looks are counted.

use eval_analysis::Risk;
use eval_analysis::measure::Strictness;
use eval_format::LookInputs;
use eval_stats::{IntervalMethod, Resampling, mean_interval};

use crate::decide::{Call, readings};
use crate::likert::Design;
use crate::random::Random;
use crate::shapes::{Family, Shape, growing};
use crate::{Options, Share, data_sets, resampling};

/// The sizes of a set that grows, look by look.
const GROWING: [[usize; 6]; 2] = [[20, 32, 46, 60, 75, 90], [40, 62, 84, 106, 128, 150]];
/// Series are stopped after so many looks.
const LOOKS: [usize; 4] = [1, 2, 4, 6];
const RERUNS: [usize; 4] = [1, 2, 4, 8];
/// Sizes of a set that is looked at after every sample.
const EVERY: std::ops::RangeInclusive<usize> = 10..=100;
/// The samples of a set that is run again and again.
const SAME: usize = 80;
/// Counted looks find something falsely in so many series, and where few samples fall far.
const MOST: f64 = 0.045;
const MOST_IF_RARE: f64 = 0.075;

/// Whether each look of a series is PROGRESS: read by itself, and counted.
type Looks = Vec<[bool; 2]>;

pub(crate) fn table(o: &Options) -> Vec<String> {
    println!(
        "False PROGRESS in any of several looks, {} series a line, {} resamples; in percent.",
        o.data_sets, o.resamples
    );
    println!("Left where each look is read by itself, right where looks are counted.\n");
    let mut missed = Vec::new();
    if !o.is_short {
        every_sample(o);
    }
    let shapes = growing();
    let (shapes, sets) = if o.is_short { (&shapes[..1], &GROWING[..1]) } else { (&shapes[..], &GROWING[..]) };
    for sizes in sets {
        heading(&format!("the set grows: {}, {} ... {} samples", sizes[0], sizes[1], sizes[5]), &LOOKS);
        for shape in shapes {
            let series = data_sets(o, |i, random| grown(shape, sizes, i, random, o));
            let most = if shape.family == Family::RareFalls { MOST_IF_RARE } else { MOST };
            missed.extend(line(&shape.what, &series, &LOOKS, most, o));
        }
    }
    heading(&format!("{SAME} samples, asked anew"), &RERUNS);
    let steady = if o.is_short { &[0.0][..] } else { &[0.0, 0.25, 0.5] };
    for &steady in steady {
        let series = data_sets(o, |i, random| asked_anew(steady, i, random, o));
        let what = format!("  {:.0} % of the variance are the samples'", 100.0 * steady);
        missed.extend(line(&what, &series, &RERUNS, MOST, o));
    }
    missed
}

fn heading(what: &str, looks: &[usize]) {
    let looks: String = looks.iter().map(|n| format!("{n:5}")).collect();
    println!("{what:42}{looks}   {looks}");
}

/// Prints how often the interval excludes 0 after any sample, where nothing differs.
fn every_sample(o: &Options) {
    let designs = [0.0, 0.6].map(|rho| Design { n: *EVERY.end(), rho, shift: 0.0 });
    for design in designs {
        let series = data_sets(o, |i, random| {
            let differences = design.differences(random);
            EVERY.into_iter().any(|n| excludes_0(&differences[..n], &resampling(o, i)))
        });
        let share = Share::of(&series, |is_wrong| *is_wrong);
        println!(
            "the interval excludes 0 after one of {} to {} samples, Likert, rho {}: {}",
            EVERY.start(),
            EVERY.end(),
            design.rho,
            share.text()
        );
    }
    println!();
}

/// Student's interval, which is never wider, is asked first.
fn excludes_0(differences: &[f64], resampling: &Resampling) -> bool {
    let is_out = |resampling: &Resampling| {
        mean_interval(differences, resampling).is_some_and(|of| !of.degenerate && (of.low > 0.0 || of.high < 0.0))
    };
    is_out(&Resampling { method: IntervalMethod::T, ..*resampling }) && is_out(resampling)
}

/// The looks at a set that grows.
fn grown(shape: &Shape, sizes: &[usize], i: u64, random: &mut Random, o: &Options) -> Looks {
    let pairs: Vec<[f64; 2]> = (0..sizes[sizes.len() - 1]).map(|_| (shape.draw)(random)).collect();
    let at = |(number, n): (u64, &usize)| look(&pairs[..*n], LookInputs { number, same_samples: 1 }, i, o);
    (1..).zip(sizes).map(at).collect()
}

/// The looks at one set that is run again and again: this share of the variance stays the same.
fn asked_anew(steady: f64, i: u64, random: &mut Random, o: &Options) -> Looks {
    let samples: Vec<f64> = (0..SAME).map(|_| 0.55 * steady.sqrt() * random.normal()).collect();
    let mut at = |number: u64| {
        let pair = |sample: &f64| [3.0, 3.0 + sample + 0.55 * (1.0 - steady).sqrt() * random.normal()];
        let pairs: Vec<[f64; 2]> = samples.iter().map(pair).collect();
        look(&pairs, LookInputs { number, same_samples: number }, i, o)
    };
    (1..=RERUNS[RERUNS.len() - 1] as u64).map(&mut at).collect()
}

/// Whether a look is PROGRESS: read by itself, and counted.
fn look(pairs: &[[f64; 2]], looks: LookInputs, i: u64, o: &Options) -> [bool; 2] {
    let is_progress = |looks: Option<LookInputs>| {
        let strictness = Strictness::once(Risk::of(looks));
        readings(pairs, Call::Progress, &strictness, &resampling(o, i)).all
    };
    let alone = is_progress(None);
    // what a look by itself doesn't find, a stricter one doesn't either
    [alone, alone && (looks.number == 1 || is_progress(Some(looks)))]
}

/// Prints one line; the bound, if it is missed.
fn line(what: &str, series: &[Looks], looks: &[usize], most: f64, o: &Options) -> Option<String> {
    let by = |rule: usize| looks.iter().map(move |&k| Share::of(series, |of| of[..k].iter().any(|look| look[rule])));
    let text = |rule| by(rule).map(|share| format!("{:5.1}", 100.0 * share.value)).collect::<String>();
    println!("{what:42}{}   {}", text(0), text(1));
    let last = by(1).next_back()?;
    (!last.is_within([0.0, most], o.slack))
        .then(|| format!("{what}: {} % after {} looks", last.text(), looks[looks.len() - 1]))
}
