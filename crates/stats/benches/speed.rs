//! Times of intervals and tests: `cargo bench -p eval-stats --bench speed`.
//! One thread: `RAYON_NUM_THREADS=1`.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use eval_stats::*;

use figures::Figure;

#[path = "../../../benches/figures.rs"]
mod figures;

fn main() -> ExitCode {
    figures::main(&[("one core", one_core), ("intervals", intervals), ("planning", planning)])
}

/// 10,000 resamples of 1000 paired samples for four metrics, values of many levels, on one core.
fn one_core() -> Vec<Figure> {
    let r = Resampling::default();
    let (four, rows) = four(1000, 1 << 20);
    #[expect(clippy::unwrap_used, reason = "a measurement may as well fail loudly")]
    let core = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    core.install(|| {
        let alone = taken(|| four.iter().map(|column| mean_interval(column, &r)).collect::<Vec<_>>());
        let at_once = taken(|| simultaneous_mean_intervals(&rows, &r));
        vec![
            Figure::at_most(100.0, "ms", "10,000 x 1000 x 4, each alone", alone),
            Figure::at_most(100.0, "ms", "10,000 x 1000 x 4, all at once", at_once),
        ]
    })
}

fn intervals() -> Vec<Figure> {
    let r = Resampling::default();
    let mut figures = Vec::new();
    let mut add = |name: String, time: f64| figures.push(Figure::unbound("ms", name, time));
    for n in [20, 200, 1000, 50_000] {
        let (likert, fine) = (column(n, 9, 1), column(n, 1 << 20, 1));
        add(format!("mean_interval, 9 levels, n = {n}"), taken(|| mean_interval(&likert, &r)));
        add(format!("mean_interval, all distinct, n = {n}"), taken(|| mean_interval(&fine, &r)));
        add(format!("cohen_dz, 9 levels, n = {n}"), taken(|| cohen_dz(&likert, &r)));
        add(format!("sign_flip_test, all distinct, n = {n}"), taken(|| sign_flip_test(&fine, 0)));
    }
    for (n, levels) in [(1000, 9), (1000, 1 << 20), (50_000, 9)] {
        let (_, rows) = four(n, levels);
        let time = taken(|| simultaneous_mean_intervals(&rows, &r));
        add(format!("four simultaneous intervals, {levels} levels, n = {n}"), time);
    }
    figures
}

fn planning() -> Vec<Figure> {
    vec![
        Figure::unbound("ms", "sign_flip_test, exact, n = 20", taken(|| sign_flip_test(&column(20, 1 << 20, 1), 0))),
        Figure::unbound(
            "ms",
            "minimum_detectable_difference, n = 50",
            taken(|| minimum_detectable_difference(0.8, 50, 0.05, 0.8)),
        ),
        Figure::unbound("ms", "pairs_needed, about 6,300", taken(|| pairs_needed(1.0, 0.035_3, 0.05, 0.8))),
    ]
}

/// Four columns, and the same as rows.
fn four(n: u64, levels: u64) -> (Vec<Vec<f64>>, Vec<Vec<Option<f64>>>) {
    let four: Vec<Vec<f64>> = (0..4).map(|salt| column(n, levels, salt)).collect();
    let rows = four.iter().map(|column| column.iter().copied().map(Some).collect()).collect();
    (four, rows)
}

/// Made-up values on `levels` levels around 0, from Knuth's multiplicative hash.
fn column(n: u64, levels: u64, salt: u64) -> Vec<f64> {
    let hash = |i: u64| ((i + 1) * (salt + 7)).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
    (0..n).map(|i| ((hash(i) * levels) >> 24) as f64 - (levels / 2) as f64).collect()
}

/// The least of three times, in milliseconds.
fn taken<T>(work: impl Fn() -> T) -> f64 {
    let once = || {
        let start = Instant::now();
        std::hint::black_box(work());
        start.elapsed()
    };
    (0..3).map(|_| once()).min().unwrap_or(Duration::MAX).as_secs_f64() * 1000.0
}
