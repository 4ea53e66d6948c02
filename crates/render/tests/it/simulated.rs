//! What `examples/coverage` hands to the verdict is what a report does.

use eval_format::DiffInputs;

use crate::world::{World, facts};

#[path = "../../../verdict/examples/coverage/decide.rs"]
#[expect(dead_code, reason = "the example looks at more of it")]
mod decide;

/// Points of a sample in a variant: three shapes, one of them without spread.
fn points(shape: usize, sample: usize, variant: usize) -> usize {
    match shape {
        0 => 1 + (sample * 7 + variant * 13 + sample * sample % 3) % 5,
        1 => 1 + (sample * 3 + sample / 4 * variant) % 5,
        _ => 2 + variant,
    }
}

#[test]
fn a_simulated_data_set_is_read_as_a_report_is() {
    for (shape, samples) in [(0, 23), (1, 50), (2, 9)] {
        let world = World::new(samples, &["v1", "v2"], 1, |at| facts(points(shape, at.sample, at.variant) - 1, 4));
        let read = world.report().verdict.inputs.treatments[0].diff;
        let difference = |i| points(shape, i, 1) as f64 - points(shape, i, 0) as f64;
        let differences: Vec<f64> = (0..samples).map(difference).collect();
        let resampling = eval_stats::Resampling { seed: world.seed, ..eval_stats::Resampling::default() };
        let simulated = decide::diff_inputs(&differences, &resampling);
        assert_eq!(read.degenerate, shape == 2);
        // the example leaves out a p-value that nobody reads
        let p = simulated.p.or(read.p);
        assert_eq!(DiffInputs { p, ..simulated }, read);
    }
}
