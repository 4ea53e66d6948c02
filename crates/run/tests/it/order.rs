//! The order of starting.

use std::collections::HashMap;
use std::sync::Arc;

use eval_run::{order, plan};
use proptest::prelude::*;

proptest! {
    #[test]
    fn every_cell_comes_once_repeats_outermost_samples_in_file_order(
        samples in 0usize..20, subjects in 1usize..6, repeats in 0u32..4, seed: u64,
    ) {
        let cells = order(samples, subjects, repeats, seed);
        let groups: Vec<(u32, usize)> = cells.iter().map(|&(sample, _, repeat)| (repeat, sample)).collect();
        prop_assert!(groups.is_sorted());
        let mut all = cells.clone();
        all.sort_unstable();
        all.dedup();
        prop_assert_eq!(all.len(), samples * subjects * repeats as usize);
        prop_assert_eq!(cells.len(), all.len());
    }

    #[test]
    fn each_subject_takes_each_place_equally_often(
        samples in 1usize..30, subjects in 1usize..6, repeats in 1u32..4, seed: u64,
    ) {
        let cells = order(samples, subjects, repeats, seed);
        let mut taken: HashMap<(usize, usize), usize> = HashMap::new();
        for (at, &(_, subject, _)) in cells.iter().enumerate() {
            *taken.entry((at % subjects, subject)).or_default() += 1;
        }
        let fewest = samples * repeats as usize / subjects;
        for place in 0..subjects {
            for subject in 0..subjects {
                let times = taken.get(&(place, subject)).copied().unwrap_or(0);
                prop_assert!((fewest..=fewest + 1).contains(&times), "{times} at place {place}, not about {fewest}");
            }
        }
    }
}

#[test]
fn who_goes_first_depends_on_the_seed_and_is_not_simply_alternating() {
    let first = |seed| -> Vec<usize> { order(100, 2, 1, seed).chunks(2).map(|pair| pair[0].1).collect() };
    assert_eq!(first(1), first(1));
    assert_ne!(first(1), first(2));
    let repeats = first(1).windows(2).filter(|pair| pair[0] == pair[1]).count();
    assert!((10..=40).contains(&repeats), "{repeats} of 99 neighbours alike, 25 expected");
}

#[test]
fn the_order_of_a_seed_is_frozen() {
    let order: Vec<(usize, usize)> = order(6, 3, 1, 42).into_iter().map(|(s, v, _)| (s, v)).collect();
    let subjects: Vec<usize> = order.iter().map(|cell| cell.1).collect();
    assert_eq!(subjects, FROZEN, "a journal of an older version could no longer be resumed");
}

const FROZEN: [usize; 18] = [1, 2, 0, 2, 0, 1, 0, 1, 2, 1, 2, 0, 2, 0, 1, 0, 1, 2];

#[test]
fn the_plans_hash_covers_cells_order_and_grading() {
    let names = |names: &[&str]| -> Vec<Arc<str>> { names.iter().map(|&name| name.into()).collect() };
    let hash = |samples: &[&str], seed, fingerprint: &'static str, grading| {
        plan(&names(samples), &names(&["a", "b"]), order(2, 2, 2, seed), |_, _, _| fingerprint.into(), grading).hash
    };
    let base = hash(&["s1", "s2"], 1, "f", "g");
    assert_eq!(base, hash(&["s1", "s2"], 1, "f", "g"));
    assert_eq!(base.len(), 64);
    let others = [
        hash(&["s1", "s3"], 1, "f", "g"),
        hash(&["s2", "s1"], 1, "f", "g"),
        hash(&["s1", "s2"], 2, "f", "g"),
        hash(&["s1", "s2"], 1, "e", "g"),
        hash(&["s1", "s2"], 1, "f", "h"),
    ];
    assert!(others.iter().all(|other| *other != base));
}
