//! Times of intervals and tests: `cargo bench -p eval-stats --bench speed`.
//! One thread: `RAYON_NUM_THREADS=1`.
#![allow(clippy::print_stdout, reason = "a program that prints its figures")]

use std::process::ExitCode;
use std::time::{Duration, Instant};

use eval_stats::*;

/// The most time that intervals of four metrics may take on one core.
const BOUND: Duration = Duration::from_millis(100);

fn main() -> ExitCode {
    let r = Resampling::default();
    let is_within = one_core(&r) <= BOUND;
    for n in [20, 200, 1000, 50_000] {
        let (likert, fine) = (column(n, 9, 1), column(n, 1 << 20, 1));
        timed(&format!("mean_interval, 9 levels, n = {n}"), || mean_interval(&likert, &r));
        timed(&format!("mean_interval, all distinct, n = {n}"), || mean_interval(&fine, &r));
        timed(&format!("cohen_dz, 9 levels, n = {n}"), || cohen_dz(&likert, &r));
        timed(&format!("sign_flip_test, all distinct, n = {n}"), || sign_flip_test(&fine, 0));
    }
    for (n, levels) in [(1000, 9), (1000, 1 << 20), (50_000, 9)] {
        let four: Vec<_> = (0..4).map(|c| column(n, levels, c)).collect();
        timed(&format!("four mean intervals, {levels} levels, n = {n}"), || {
            four.iter().map(|c| mean_interval(c, &r)).collect::<Vec<_>>()
        });
        let rows: Vec<Vec<Option<f64>>> = four.iter().map(|c| c.iter().copied().map(Some).collect()).collect();
        timed(&format!("four simultaneous intervals, {levels} levels, n = {n}"), || {
            simultaneous_mean_intervals(&rows, &r)
        });
    }
    timed("sign_flip_test, exact, n = 20", || sign_flip_test(&column(20, 1 << 20, 1), 0));
    timed("minimum_detectable_difference, n = 50", || minimum_detectable_difference(0.8, 50, 0.05, 0.8));
    timed("pairs_needed, about 6,300", || pairs_needed(1.0, 0.035_3, 0.05, 0.8));
    if is_within {
        return ExitCode::SUCCESS;
    }
    println!("broken bound: 10,000 x 1000 x 4 on one core, {BOUND:?}");
    ExitCode::FAILURE
}

/// Times the figure of `docs/en/performance.md`: 10,000 resamples of 1000 paired samples for four metrics, values of many
/// levels, each interval alone and all simultaneous; returns the slower.
fn one_core(r: &Resampling) -> Duration {
    let four: Vec<Vec<f64>> = (0..4).map(|c| column(1000, 1 << 20, c)).collect();
    let rows: Vec<Vec<Option<f64>>> = four.iter().map(|c| c.iter().copied().map(Some).collect()).collect();
    let Ok(core) = rayon::ThreadPoolBuilder::new().num_threads(1).build() else { return Duration::MAX };
    core.install(|| {
        let alone = timed("10,000 x 1000 x 4 on one core, each alone [bound 100 ms]", || {
            four.iter().map(|c| mean_interval(c, r)).collect::<Vec<_>>()
        });
        let name = "10,000 x 1000 x 4 on one core, all at once [bound 100 ms]";
        alone.max(timed(name, || simultaneous_mean_intervals(&rows, r)))
    })
}

/// Made-up values on `levels` levels around 0, from Knuth's multiplicative hash.
fn column(n: u64, levels: u64, salt: u64) -> Vec<f64> {
    let hash = |i: u64| ((i + 1) * (salt + 7)).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
    (0..n).map(|i| ((hash(i) * levels) >> 24) as f64 - (levels / 2) as f64).collect()
}

fn timed<T>(what: &str, work: impl Fn() -> T) -> Duration {
    let best = (0..3)
        .map(|_| {
            let start = Instant::now();
            std::hint::black_box(work());
            start.elapsed()
        })
        .min()
        .unwrap_or_default();
    println!("{what:<60} {best:>10.2?}");
    best
}
