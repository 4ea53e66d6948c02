//! The order of execution: interleaved, drawn from the seed.

use std::collections::BTreeMap;
use std::fs;

use super::{Execution, executions, logging, says_better, starts, with_agent};
use crate::fixtures::context::TestContext;

/// The agent's starts in a run with `more` flags.
fn order(context: &TestContext, more: &[&str]) -> Vec<String> {
    let log = context.path("starts");
    let _ = fs::remove_file(&log);
    context.run(&with_agent(&[&["--no-cache", "--report-only"], more].concat())).expect(0);
    starts(&log)
}

fn split(cell: &str) -> (&str, &str) {
    cell.split_once('/').unwrap()
}

#[test]
fn samples_run_in_file_order_and_variants_alternate_in_going_first() {
    let context = logging("echo $a");
    context.samples(10, &says_better());
    let cells = order(&context, &["--repeat", "2"]);
    assert_eq!(cells.len(), 40);
    let samples: Vec<&str> = cells.chunks(2).map(|pair| split(&pair[0]).0).collect();
    let file_order: Vec<String> = (1..=10).chain(1..=10).map(|n| format!("s{n:03}")).collect();
    assert_eq!(samples, file_order, "repeats outermost, then the file's order");
    let mut first: BTreeMap<&str, usize> = BTreeMap::new();
    for (at, pair) in cells.chunks(2).enumerate() {
        let ((sample, arm), (other_sample, other_arm)) = (split(&pair[0]), split(&pair[1]));
        assert!(sample == other_sample && arm != other_arm, "{pair:?}");
        *first.entry(arm).or_default() += 1;
        if at % 2 == 1 {
            assert_eq!(first["v1"], first["v2"], "after {} samples: {cells:?}", at + 1);
        }
    }
}

#[test]
fn order_depends_only_on_the_seed() {
    let context = logging("echo $a");
    context.samples(8, &says_better());
    let of_seed = |seed: &str| order(&context, &["--seed", seed]);
    assert_eq!(of_seed("1"), of_seed("1"));
    assert_eq!(order(&context, &[]), order(&context, &[]), "the default seed comes from the test set");
    let different = (2..6).filter(|seed| of_seed(&seed.to_string()) != of_seed("1")).count();
    assert!(different >= 3, "{different} of 4 other seeds give another order");
}

#[test]
fn concurrency_preserves_the_starting_order() {
    let context = logging("sleep 0.02; echo $a");
    context.samples(20, &says_better());
    let alone = order(&context, &["--seed", "7"]);
    let _ = fs::remove_dir_all(context.home());
    context.run(&with_agent(&["--no-cache", "--report-only", "--seed", "7", "--concurrency", "4"])).expect(0);
    let executions = executions(&context.home());
    let together: Vec<&str> = executions.iter().map(|execution| execution.cell.as_str()).collect();
    assert_eq!(together, alone);
    let overlapping =
        |one: &Execution| executions.iter().filter(|other| other.began <= one.began && one.began < other.ended).count();
    let most = executions.iter().map(overlapping).max().unwrap();
    assert!((2..=4).contains(&most), "{most} at once");
}
