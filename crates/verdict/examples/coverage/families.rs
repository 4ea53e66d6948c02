//! Data made to fool a verdict, and the fair twins that must keep theirs. A control scores [`CENTRE`] where nothing else is
//! said, and all true differences are named in the table that draws them.

use crate::made::{MadeRun, MadeSample};
use crate::random::Random;

/// The control's mean score.
const CENTRE: f64 = 4.0;
/// The standard deviation of ordinary differences.
const SPREAD: f64 = 0.55;
/// The samples of a cluster.
const COPIES: usize = 3;
/// The share of a cluster in the variance of its samples' differences.
const ALIKE: f64 = 0.9;
/// The capabilities of samples that declare any.
const CAPABILITIES: usize = 4;
/// The samples of the one that falls.
const FALLING: usize = 8;

/// Draws a data set of so many samples.
pub(crate) type DrawSamples = fn(usize, &mut Random) -> Vec<MadeSample>;

fn all(n: usize, one: impl FnMut(usize) -> MadeSample) -> Vec<MadeSample> {
    (0..n).map(one).collect()
}

/// Scores of control and treatment that differ by `gain + deviation`, where the deviation goes to either as far as the scale
/// has room for it.
pub(crate) fn scores(control: f64, gain: f64, deviation: f64) -> [f64; 2] {
    let room = [5.0 - control, 5.0 - control - gain];
    let share = room[0] / (room[0] + room[1]);
    [control - share * deviation, control + gain + (1.0 - share) * deviation]
}

/// Normal differences.
pub(crate) fn ordinary(n: usize, gain: f64, spread: f64, random: &mut Random) -> Vec<MadeSample> {
    all(n, |_| MadeSample::scored(scores(CENTRE, gain, spread * random.normal())))
}

pub(crate) fn even(n: usize, random: &mut Random) -> Vec<MadeSample> {
    ordinary(n, 0.0, SPREAD, random)
}

pub(crate) fn gain_of_3_tenths(n: usize, random: &mut Random) -> Vec<MadeSample> {
    ordinary(n, 0.3, SPREAD, random)
}

pub(crate) fn gain_of_half(n: usize, random: &mut Random) -> Vec<MadeSample> {
    ordinary(n, 0.5, SPREAD, random)
}

/// `0.5 − Exp(0.5)`: few fall far.
pub(crate) fn exponential(n: usize, random: &mut Random) -> Vec<MadeSample> {
    all(n, |_| MadeSample::scored([CENTRE, CENTRE + 0.5 + 0.5 * random.uniform().ln()]))
}

/// Minus a log-normal around its mean, σ 0.5: a family that no rule was chosen with.
pub(crate) fn log_normal(n: usize, random: &mut Random) -> Vec<MadeSample> {
    all(n, |_| {
        let difference = (0.125_f64.exp() - (0.5 * random.normal()).exp()) / 2.0;
        MadeSample::scored([CENTRE, CENTRE + difference])
    })
}

/// Whole scores: one in ten falls by 2, and 2 of 9 others gain 1. No rule was chosen with it either.
pub(crate) fn whole(n: usize, random: &mut Random) -> Vec<MadeSample> {
    all(n, |_| {
        let falls = random.uniform() < 0.1;
        let gains = random.uniform() < 2.0 / 9.0;
        let difference = if falls { -2.0 } else { f64::from(u8::from(gains)) };
        MadeSample::scored([CENTRE, CENTRE + difference])
    })
}

/// 5 % fall by 3, all others gain 0.16.
pub(crate) fn rare(n: usize, random: &mut Random) -> Vec<MadeSample> {
    all(n, |_| {
        let difference = if random.uniform() < 0.05 { -3.0 } else { 0.16 };
        MadeSample::scored([CENTRE, CENTRE + difference])
    })
}

/// Three samples to a cluster, which are much alike.
fn clustered(n: usize, gain: f64, random: &mut Random) -> Vec<MadeSample> {
    let mut common = 0.0;
    all(n, |i| {
        if i % COPIES == 0 {
            common = random.normal();
        }
        let deviation = SPREAD * (ALIKE.sqrt() * common + (1.0 - ALIKE).sqrt() * random.normal());
        MadeSample { cluster: Some(i / COPIES), ..MadeSample::scored(scores(CENTRE, gain, deviation)) }
    })
}

pub(crate) fn clusters(n: usize, random: &mut Random) -> Vec<MadeSample> {
    clustered(n, 0.0, random)
}

pub(crate) fn clusters_gain(n: usize, random: &mut Random) -> Vec<MadeSample> {
    clustered(n, 0.5, random)
}

/// The same in another order, so that a run which may end early meets them by chance.
pub(crate) fn shuffled(mut samples: Vec<MadeSample>, random: &mut Random) -> Vec<MadeSample> {
    for last in (1..samples.len()).rev() {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below a count of samples")]
        #[expect(clippy::cast_precision_loss, reason = "a count of samples")]
        let other = (random.uniform() * (last + 1) as f64) as usize;
        samples.swap(last, other.min(last));
    }
    samples
}

pub(crate) fn clusters_shuffled(n: usize, random: &mut Random) -> Vec<MadeSample> {
    let samples = clusters(n, random);
    shuffled(samples, random)
}

pub(crate) fn clusters_gain_shuffled(n: usize, random: &mut Random) -> Vec<MadeSample> {
    let samples = clusters_gain(n, random);
    shuffled(samples, random)
}

/// The treatment fails a fifth of the samples, and half of these lack its run, the others the control's; the rest gain 0.75.
/// The true difference is 0, that of the pairs 0.75.
pub(crate) fn lost(n: usize, random: &mut Random) -> Vec<MadeSample> {
    let scored = |points: f64| MadeRun::Scored(vec![points]);
    let samples = all(n, |i| match i {
        _ if i < n / 10 => MadeSample::of([scored(CENTRE), MadeRun::TimedOut]),
        _ if i < n / 10 * 2 => MadeSample::of([MadeRun::TimedOut, scored(1.0)]),
        _ => MadeSample::scored(scores(CENTRE - 0.4, 0.75, SPREAD * random.normal())),
    });
    shuffled(samples, random)
}

/// The treatment refuses the twentieth of the samples which it would have failed; the rest gain 3/19.
pub(crate) fn refused(n: usize, random: &mut Random) -> Vec<MadeSample> {
    let samples = all(n, |i| match i {
        _ if i < n / 20 => MadeSample::of([MadeRun::Scored(vec![CENTRE]), MadeRun::Refused]),
        _ => MadeSample::scored(scores(CENTRE, 3.0 / 19.0, 0.4 * random.normal())),
    });
    shuffled(samples, random)
}

/// Three repeats of samples that don't differ; the tenth of the treatment's runs that came out worst for their sample ended
/// as `how`.
fn without_bad_repeats(n: usize, how: &MadeRun, random: &mut Random) -> Vec<MadeSample> {
    const REPEATS: usize = 3;
    let mut noise: Vec<f64> = (0..n * REPEATS).map(|_| 0.6 * random.normal()).collect();
    let worst = {
        let mut ranked = noise.clone();
        ranked.sort_by(f64::total_cmp);
        ranked[noise.len() / 10]
    };
    let mut control = |_| MadeRun::Scored(vec![CENTRE - 0.5 + 0.6 * random.normal()]);
    let controls: Vec<Vec<MadeRun>> = (0..n).map(|_| (0..REPEATS).map(&mut control).collect()).collect();
    let own: Vec<f64> = (0..n).map(|_| 0.3 * random.normal()).collect();
    controls
        .into_iter()
        .zip(own)
        .map(|(control, own)| {
            let runs = noise.drain(..REPEATS).map(|noise| match noise {
                _ if noise < worst => how.clone(),
                _ => MadeRun::Scored(vec![CENTRE - 0.5 + own + noise]),
            });
            MadeSample { cluster: None, capability: None, runs: vec![control, runs.collect()] }
        })
        .collect()
}

pub(crate) fn bad_repeats_lost(n: usize, random: &mut Random) -> Vec<MadeSample> {
    without_bad_repeats(n, &MadeRun::TimedOut, random)
}

pub(crate) fn bad_repeats_refused(n: usize, random: &mut Random) -> Vec<MadeSample> {
    without_bad_repeats(n, &MadeRun::Refused, random)
}

/// A gain of 0.5, and each run is lost by chance, in 2 of 100.
pub(crate) fn lost_at_random(n: usize, random: &mut Random) -> Vec<MadeSample> {
    let mut samples = gain_of_half(n, random);
    for run in samples.iter_mut().flat_map(|sample| &mut sample.runs).flatten() {
        if random.uniform() < 0.02 {
            *run = MadeRun::TimedOut;
        }
    }
    samples
}

/// Three layers and four capabilities that all gain alike. The composite's differences have a standard deviation of 0.57, a
/// layer's of 0.75.
fn alike_in_all_parts(n: usize, gain: f64, random: &mut Random) -> Vec<MadeSample> {
    all(n, |i| {
        let common = 0.45 * random.normal();
        let [mut control, mut treatment] = [Vec::new(), Vec::new()];
        for _ in 0..3 {
            let [before, after] = scores(CENTRE - 0.5, gain, common + 0.6 * random.normal());
            control.push(before);
            treatment.push(after);
        }
        let runs = [MadeRun::Scored(control), MadeRun::Scored(treatment)];
        MadeSample { capability: Some(i % CAPABILITIES), ..MadeSample::of(runs) }
    })
}

/// The same samples with their composites as one layer, and no capability.
fn in_one_part(samples: Vec<MadeSample>) -> Vec<MadeSample> {
    #[expect(clippy::cast_precision_loss, reason = "three layers")]
    let whole = |run: MadeRun| match run {
        MadeRun::Scored(layers) => {
            MadeRun::Scored(vec![layers.iter().map(|points| points.clamp(1.0, 5.0)).sum::<f64>() / layers.len() as f64])
        }
        other => other,
    };
    let one = |sample: MadeSample| MadeSample {
        capability: None,
        runs: sample.runs.into_iter().map(|runs| runs.into_iter().map(whole).collect()).collect(),
        ..sample
    };
    samples.into_iter().map(one).collect()
}

pub(crate) fn parts_even(n: usize, random: &mut Random) -> Vec<MadeSample> {
    alike_in_all_parts(n, 0.0, random)
}

pub(crate) fn parts_even_as_one(n: usize, random: &mut Random) -> Vec<MadeSample> {
    in_one_part(alike_in_all_parts(n, 0.0, random))
}

pub(crate) fn parts_gain(n: usize, random: &mut Random) -> Vec<MadeSample> {
    alike_in_all_parts(n, 0.5, random)
}

pub(crate) fn parts_gain_as_one(n: usize, random: &mut Random) -> Vec<MadeSample> {
    in_one_part(alike_in_all_parts(n, 0.5, random))
}

/// The layer of facts falls from 5.0 to 3.8, that of behavior rises from 2 to 4.
pub(crate) fn layer_fell(n: usize, random: &mut Random) -> Vec<MadeSample> {
    all(n, |_| {
        let fact = [5.0, 3.8 + 0.5 * random.normal()];
        let behavior = scores(2.0, 2.0, 0.5 * random.normal());
        let run = |variant: usize| MadeRun::Scored(vec![fact[variant], behavior[variant]]);
        MadeSample::of([run(0), run(1)])
    })
}

/// Eight samples of one capability fall, the others gain.
fn capability_fell(n: usize, fallen: [f64; 2], others: f64, random: &mut Random) -> Vec<MadeSample> {
    all(n, |i| {
        let capability = Some(if i < FALLING { 0 } else { 1 + i % (CAPABILITIES - 1) });
        let deviation = SPREAD * random.normal();
        let scores = match i < FALLING {
            true => [fallen[0], fallen[1] + if fallen[1] > 1.0 { deviation } else { 0.0 }],
            false => scores(CENTRE, others, deviation),
        };
        MadeSample { capability, ..MadeSample::scored(scores) }
    })
}

pub(crate) fn capability_collapsed(n: usize, random: &mut Random) -> Vec<MadeSample> {
    capability_fell(n, [5.0, 1.0], 0.8, random)
}

pub(crate) fn capability_lost_a_point(n: usize, random: &mut Random) -> Vec<MadeSample> {
    capability_fell(n, [4.5, 3.5], 0.6, random)
}

/// Nothing differs, and all scores are the best.
pub(crate) fn ties(n: usize, _: &mut Random) -> Vec<MadeSample> {
    all(n, |_| MadeSample::scored([5.0, 5.0]))
}
