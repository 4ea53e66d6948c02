//! Where nothing changed, `report diff` may call at most one comparison in twenty a regression, however often each side
//! was run, and no list of flips may lean to one side.

use eval_format::skills::{SkillEvaluation, TaskStatus};
use eval_history::skills::diff_skills;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::made::{PASS, several};

/// Comparisons of each design.
const TIMES: usize = 300;

/// How likely each task passes, the same on both sides.
type Rates = fn(usize) -> f64;

const ALIKE: Rates = |_| 0.7;
/// Some tasks never pass, some always do, the rest may.
const MIXED: Rates = |task| [0.0, 0.3, 0.5, 0.8, 0.95, 1.0][task % 6];

/// Runs every task of an evaluation anew.
fn drawn(of: &mut SkillEvaluation, runs: usize, rates: Rates, random: &mut ChaCha8Rng) {
    for (place, result) in of.skills[0].task_results.iter_mut().enumerate() {
        let unit = (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        result.status = if unit < rates(place / runs) { TaskStatus::Pass } else { TaskStatus::Fail };
    }
}

/// How many of [`TIMES`] comparisons are regressions, the flips in either direction over all of them, and how many of
/// McNemar's tests are at most 0.05.
fn simulated(tasks: usize, runs: [usize; 2], rates: Rates) -> (usize, [usize; 2], usize) {
    let mut random = ChaCha8Rng::seed_from_u64(20_260_301);
    let [mut a, mut b] = runs.map(|runs| several(vec![vec![PASS; tasks]; runs]));
    let (mut regressed, mut flips, mut unlikely) = (0, [0, 0], 0);
    for _ in 0..TIMES {
        drawn(&mut a, runs[0], rates, &mut random);
        drawn(&mut b, runs[1], rates, &mut random);
        let found = diff_skills(&a, &b, ["a", "b"], false).unwrap();
        let of = &found.skills[0];
        regressed += usize::from(!found.regressed().is_empty());
        flips[0] += of.newly_failing.len() + of.less_often.len();
        flips[1] += of.newly_passing.len() + of.more_often.len();
        unlikely += usize::from(of.mcnemar_p <= 0.05);
    }
    (regressed, flips, unlikely)
}

#[test]
fn nothing_changed_is_seldom_a_regression_however_often_each_side_ran() {
    // five per cent, and three standard errors of their share
    let most = (TIMES as f64 * (0.05 + 3.0 * (0.05 * 0.95 / TIMES as f64).sqrt())) as usize;
    for runs in [[1, 1], [3, 3], [5, 5], [1, 5], [5, 1], [3, 1], [3, 5]] {
        for (tasks, rates) in [(20, MIXED), (40, ALIKE)] {
            let (regressed, [down, up], unlikely) = simulated(tasks, runs, rates);
            assert!(regressed <= most, "{runs:?}, {tasks} tasks: {regressed} of {TIMES} regressions");
            assert!(unlikely <= most, "{runs:?}, {tasks} tasks: McNemar's p ≤ 0.05 in {unlikely} of {TIMES}");
            let lean = (down as f64 - up as f64).abs() / ((down + up) as f64).sqrt();
            assert!(lean < 4.0, "{runs:?}, {tasks} tasks: {down} down, {up} up");
        }
    }
}
