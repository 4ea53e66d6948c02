//! Labels correct a biased judge: a small, seeded form of `examples/judge_coverage.rs`.

use eval_stats::*;

use crate::random::{Random, likert};

/// Human and judge difference of one sample: two Likert scores of the same latent values, no true difference, and a judge
/// that adds half a point to the treatment.
fn sample(random: &mut Random) -> Labelled {
    let item = 3.5 + 0.5_f64.sqrt() * random.normal();
    let mut arm = |favour: f64| {
        let latent = item + 0.5_f64.sqrt() * random.normal();
        (likert(latent), likert(latent + favour + 0.5 * random.normal()))
    };
    let (control, treatment) = (arm(0.0), arm(0.5));
    Labelled { human: treatment.0 - control.0, judge: treatment.1 - control.1 }
}

/// 600 data sets: the Monte-Carlo error of a coverage of 0.95 is 0.009; three times that is allowed.
#[test]
fn labels_correct_a_biased_judge() {
    for (labels, all) in [(20, 100), (50, 200)] {
        let (mut powered, mut judge_alone, mut narrower) = (0, 0, 0);
        for data_set in 0..600 {
            let mut random = Random::new(7, data_set);
            let samples: Vec<Labelled> = (0..all).map(|_| sample(&mut random)).collect();
            let judged: Vec<f64> = samples.iter().map(|s| s.judge).collect();
            let human: Vec<f64> = samples[..labels].iter().map(|s| s.human).collect();
            let ours = ppi_mean(&samples[..labels], &judged[labels..], 0.95).expect("exists").interval;
            let gold = t_interval(&human, 0.95).expect("exists");
            powered += i32::from(ours.contains(0.0));
            judge_alone += i32::from(t_interval(&judged, 0.95).expect("exists").contains(0.0));
            narrower += i32::from(ours.width() < gold.width());
        }
        let share = |n: i32| f64::from(n) / 600.0;
        assert!((share(powered) - 0.95).abs() < 0.027, "{labels} of {all}: {}", share(powered));
        assert!(share(judge_alone) < 0.1, "{labels} of {all}: {}", share(judge_alone));
        assert!(share(narrower) > 0.9, "{labels} of {all}: {}", share(narrower));
    }
}
