//! Declared capabilities: of which tasks their differences are, with planned looks or without.

use crate::world::{World, facts};

/// Fifths of a point that the treatment gains on a sample.
fn gain(sample: usize) -> f64 {
    f64::from(u8::try_from(sample * 5 % 7).unwrap()) - 3.0
}

/// 48 samples in four capabilities by turns. Two of the first are one task; of another task, two have a half each.
fn world(looks: bool) -> World {
    let mut world = World::new(48, &["v1", "v2"], 1, |at| match at.variant {
        0 => facts(10, 20),
        _ => facts(7 + at.sample * 5 % 7, 20),
    });
    world.suite.settings.looks = if looks { 5 } else { 0 };
    for (i, sample) in world.suite.samples.iter_mut().enumerate() {
        sample.metadata.capability = vec![format!("c{}", i % 4)];
        sample.metadata.cluster = match i {
            8 | 12 => Some("within".to_owned()),
            9 | 10 => Some("across".to_owned()),
            _ => None,
        };
    }
    world
}

#[test]
fn each_has_the_differences_of_its_own_tasks() {
    for looks in [false, true] {
        let report = world(looks).analyse();
        let found = &report.comparisons[0].capabilities;
        assert_eq!(found.len(), 4);
        for (capability, of) in found.iter().enumerate() {
            let mut tasks: Vec<(usize, f64)> =
                (capability..48).step_by(4).map(|i| (if i == 9 { 10 } else { i }, gain(i) / 5.0)).collect();
            if capability == 0 {
                tasks.retain(|(i, _)| ![8, 12].contains(i));
                tasks.push((8, (gain(8) + gain(12)) / 10.0));
                tasks.sort_by_key(|(i, _)| *i);
            }
            let values: Vec<f64> = tasks.into_iter().map(|(_, value)| value).collect();
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            let best = values.iter().copied().fold(f64::MIN, f64::max);
            let diff = of.diff.as_ref().unwrap();
            assert_eq!(
                (of.n, diff.n, diff.ci.unwrap().family),
                (values.len() as u64, values.len() as u64, 4),
                "{of:?}"
            );
            assert!((of.mean.unwrap() - mean).abs() < 1e-9 && (of.best.unwrap() - best).abs() < 1e-9, "{of:?}");
        }
        assert_eq!(report.stopping.is_some(), looks);
    }
}
