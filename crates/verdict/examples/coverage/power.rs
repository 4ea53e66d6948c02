//! What the guard against kinds that never came up costs where all is fair: PROGRESS at true gains, NOISE and *not worse* where
//! nothing differs.

use eval_analysis::Risk;
use eval_analysis::measure::Strictness;

use crate::decide::{Call, Readings, readings};
use crate::random::Random;
use crate::unseen::{SIZES, both, heading, line};
use crate::{Options, Share, data_sets, resampling};

const CENTRES: [f64; 4] = [2.0, 3.0, 3.8, 4.5];
const GAINS: [f64; 3] = [0.2, 0.3, 0.5];
const SPREADS: [f64; 3] = [0.3, 0.55, 0.8];
/// The standard deviation of the control's scores over samples.
const OF_SAMPLES: f64 = 0.4;
/// Sizes at which nothing that differs can be shown to be so.
const NOISE_SIZES: [usize; 6] = [30, 40, 50, 60, 80, 100];
/// From 60 samples on a gain of 0.3 is found so often beside a control in the middle, where the spread is ordinary.
const FOUND: f64 = 0.94;
/// Where nothing differs, 80 samples say so that often at a spread of 0.3.
const SAID_SO: f64 = 0.95;

pub(crate) fn table(o: &Options) -> Vec<String> {
    println!("Right calls, {} data sets a cell, {} resamples; in percent.", o.data_sets, o.resamples);
    println!(
        "The control's scores lie around a mean with a spread of {OF_SAMPLES}; scores end at 1 and 5, which cuts gains."
    );
    println!("Left by the interval alone, right by all rules.\n");
    if o.is_short {
        let [_, all] = shares(&Case { centre: 3.0, gain: 0.3, spread: 0.55 }, 60, Call::Progress, o);
        println!("PROGRESS at a gain of 0.3, SD 0.55, 60 samples: {}", all.text());
        return missed("PROGRESS at a gain of 0.3 on 60 samples", all, FOUND, o);
    }
    let mut out = Vec::new();
    println!("{:38}{}   {}", "PROGRESS: control, SD, gain", heading(&SIZES), heading(&SIZES));
    for centre in CENTRES {
        for spread in SPREADS {
            for gain in GAINS {
                let case = Case { centre, gain, spread };
                let found = SIZES.map(|n| shares(&case, n, Call::Progress, o));
                line(&format!("  {centre:.1}  {spread:.2}  +{gain:.1}"), &values(&found));
                if (centre, spread, gain) == (3.0, 0.55, 0.3) {
                    out.extend(missed("PROGRESS at a gain of 0.3 on 60 samples", found[3][1], FOUND, o));
                }
            }
        }
    }
    let calls = [("NOISE", Call::Noise), ("not worse by more than 0.2", Call::NotWorse)];
    println!();
    println!("{:38}{}   {}", "nothing differs, control 3.0", heading(&NOISE_SIZES), heading(&NOISE_SIZES));
    for (what, call) in calls {
        for spread in SPREADS {
            let found = NOISE_SIZES.map(|n| shares(&Case { centre: 3.0, gain: 0.0, spread }, n, call, o));
            line(&format!("  {what}, SD {spread}"), &values(&found));
            if (what, spread) == ("NOISE", 0.3) {
                out.extend(missed("NOISE on 80 samples", found[4][1], SAID_SO, o));
            }
        }
    }
    out
}

fn missed(what: &str, share: Share, least: f64, o: &Options) -> Vec<String> {
    let is_met = share.is_within([least, 1.0], o.slack);
    (!is_met).then(|| format!("{what}: {} %", share.text())).into_iter().collect()
}

fn values(found: &[[Share; 2]]) -> Vec<[f64; 2]> {
    found.iter().map(|of| of.map(|share| share.value)).collect()
}

struct Case {
    centre: f64,
    gain: f64,
    spread: f64,
}

impl Case {
    fn draw(&self, random: &mut Random) -> [f64; 2] {
        let control = self.centre + OF_SAMPLES * random.normal();
        [control, control + self.gain + self.spread * random.normal()].map(|points| points.clamp(1.0, 5.0))
    }
}

fn shares(case: &Case, n: usize, call: Call, o: &Options) -> [Share; 2] {
    let strictness = Strictness::once(Risk::default());
    let found: Vec<Readings> = data_sets(o, |i, random| {
        let pairs: Vec<[f64; 2]> = (0..n).map(|_| case.draw(random)).collect();
        readings(&pairs, call, &strictness, &resampling(o, i))
    });
    both(&found)
}
