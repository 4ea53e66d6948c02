//! Which cells there are and in which order they start.

use std::sync::Arc;

use eval_spec::hash::Sha256;
use eval_spec::plan::Plan;
use eval_spec::{Cell, CellKey};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

/// The order of starting, as `(sample, subject, repeat)`: repeats outermost, samples in file order,
/// and within a sample the subjects as `seed` draws them.
///
/// The draw is balanced, not merely random: every block of as many consecutive samples as there are
/// subjects is a shuffled Latin square, so within it each subject takes each place exactly once.
/// A drift in time then can't favour one arm, not even by bad luck.
#[must_use]
pub fn order(samples: usize, subjects: usize, repeats: u32, seed: u64) -> Vec<(usize, usize, u32)> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let places = (0..repeats).flat_map(|repeat| (0..samples).map(move |sample| (sample, repeat)));
    with_subjects(places, subjects, &mut random)
}

/// The order of a run that may end after any sample: whole samples, all subjects and repeats of one before the next, in
/// an order that `seed` draws. Those that `is_first` names come before the others, for they are run in any case. `head` is a
/// sample of the same task, the same for all of them: whole tasks are drawn, so that a large one comes no later than others.
///
/// The subjects of a sample and repeat are drawn as in [`order`].
#[must_use]
pub fn order_by_sample(
    samples: usize,
    subjects: usize,
    repeats: u32,
    seed: u64,
    is_first: impl Fn(usize) -> bool,
    head: impl Fn(usize) -> usize,
) -> Vec<(usize, usize, u32)> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut drawn: Vec<usize> = (0..samples).collect();
    shuffle(&mut drawn, &mut random);
    let mut drawn_at = vec![0; samples];
    drawn.iter().enumerate().for_each(|(place, &sample)| drawn_at[sample] = place);
    // Stable: both parts stay as drawn, but for the samples of a task, which follow its head.
    drawn.sort_by_key(|&sample| (!is_first(sample), drawn_at[head(sample)]));
    let places = drawn.into_iter().flat_map(|sample| (0..repeats).map(move |repeat| (sample, repeat)));
    with_subjects(places, subjects, &mut random)
}

/// Every place, a sample and repeat, with all subjects in an order drawn by the rows of Latin squares.
fn with_subjects(
    places: impl Iterator<Item = (usize, u32)>,
    subjects: usize,
    random: &mut ChaCha8Rng,
) -> Vec<(usize, usize, u32)> {
    let mut rows = Vec::new();
    let mut cells = Vec::new();
    for (sample, repeat) in places {
        if rows.is_empty() {
            rows = latin_square(subjects, random);
        }
        let row = rows.pop().unwrap_or_default();
        cells.extend(row.into_iter().map(|subject| (sample, subject, repeat)));
    }
    cells
}

/// The plan over `sample_ids` × `subject_names`, with the cells of `order` as `(sample, subject, repeat)`.
///
/// `fingerprint` maps `(sample, subject, repeat)` to a hash; `grading_hash` covers everything that
/// decides the grades. The plan's hash covers all of it, so that a resumed run detects a change.
pub fn plan(
    sample_ids: &[Arc<str>],
    subject_names: &[Arc<str>],
    order: Vec<(usize, usize, u32)>,
    fingerprint: impl Fn(usize, usize, u32) -> Arc<str> + Sync,
    grading_hash: &str,
) -> Plan {
    let cells: Vec<Cell> = order
        .into_par_iter()
        .map(|(sample, subject, repeat)| Cell {
            key: CellKey {
                sample: Arc::clone(&sample_ids[sample]),
                subject: Arc::clone(&subject_names[subject]),
                repeat,
            },
            sample,
            subject,
            fingerprint: fingerprint(sample, subject, repeat),
        })
        .collect();
    let hash = hash(&cells, grading_hash);
    Plan { cells, hash }
}

fn latin_square(size: usize, random: &mut ChaCha8Rng) -> Vec<Vec<usize>> {
    let mut columns: Vec<usize> = (0..size).collect();
    shuffle(&mut columns, random);
    let mut rows: Vec<Vec<usize>> = (0..size)
        .map(|shift| {
            let mut row = columns.clone();
            row.rotate_left(shift);
            row
        })
        .collect();
    shuffle(&mut rows, random);
    rows
}

/// Fisher–Yates, written out: a library's shuffle may change with its version, and the order of a
/// seed must not.
fn shuffle<T>(items: &mut [T], random: &mut ChaCha8Rng) {
    for last in (1..items.len()).rev() {
        let scaled = u128::from(random.next_u64()) * (last as u128 + 1);
        let pick = usize::try_from(scaled >> 64).unwrap_or(last);
        items.swap(last, pick);
    }
}

fn hash(cells: &[Cell], grading_hash: &str) -> String {
    let mut digest = Sha256::default();
    // Lengths go first, so that no two lists of texts give the same bytes.
    let mut add = |text: &str| {
        digest.update((text.len() as u64).to_le_bytes());
        digest.update(text);
    };
    add(grading_hash);
    for cell in cells {
        add(&cell.key.to_string());
        add(&cell.fingerprint);
    }
    digest.hex()
}
