//! Figures with their bounds: measured, printed as a table, and checked.

#![expect(clippy::print_stdout, reason = "a program that prints its figures")]

use std::collections::HashMap;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// How often a bench with a broken bound is run in all: other work on the machine makes a run slower, never faster.
const ATTEMPTS: usize = 3;

/// The time of [`yardstick`] on the machine that the bounds in seconds are of.
const YARDSTICK: Duration = Duration::from_millis(160);

/// A measured number.
pub(crate) struct Figure {
    name: String,
    value: f64,
    unit: &'static str,
    bound: Option<f64>,
    /// What the bound is multiplied by: for a time how much slower the machine was, else 1.
    slowness: f64,
}

impl Figure {
    /// Makes a figure that may not exceed `bound`; a bound of a time, in `s` or `ms`, grows with a slower machine.
    pub(crate) fn at_most(bound: f64, unit: &'static str, name: impl Into<String>, value: f64) -> Figure {
        Figure { bound: Some(bound), ..Figure::unbound(unit, name, value) }
    }

    /// Makes a figure that nothing is promised about.
    pub(crate) fn unbound(unit: &'static str, name: impl Into<String>, value: f64) -> Figure {
        Figure { name: name.into(), value, unit, bound: None, slowness: 1.0 }
    }

    fn is_broken(&self) -> bool {
        self.bound.is_some_and(|bound| self.value > bound * self.slowness)
    }

    fn print(&self, bench: &str) {
        let Figure { name, value, unit, bound, slowness, .. } = self;
        let bound = bound.map_or("-".to_owned(), |bound| format!("{bound} {unit}"));
        let factor = if *slowness > 1.0 { format!("x {slowness:.2}") } else { String::new() };
        let mark = if self.is_broken() { "BROKEN" } else { "" };
        println!("{bench:<11} {name:<58} {value:>9.2} {unit:<8} {bound:>12} {factor:<6} {mark}");
    }
}

/// Times work of the kind that the programs do: making, sorting, finding and reading strings. On one core.
fn yardstick() -> Duration {
    let work = || {
        let begun = Instant::now();
        let mut texts: Vec<String> =
            (0..200_000_u64).map(|i| format!("{:016x}", i.wrapping_mul(0x9E37_79B9_7F4A_7C15))).collect();
        texts.sort();
        let places: HashMap<&str, usize> = texts.iter().enumerate().map(|(place, text)| (&**text, place)).collect();
        let found: usize = texts.iter().rev().map(|text| places[&**text] + usize::from(text.ends_with('f'))).sum();
        std::hint::black_box(found);
        begun.elapsed()
    };
    (0..3).map(|_| work()).min().unwrap_or_default()
}

/// The most that a bound grows: on a machine that is slower, figures say nothing.
const SLOWEST: f64 = 2.0;

/// Returns how much longer this machine takes now than the one that the bounds are of; 1 for a faster one.
fn slowness() -> f64 {
    (yardstick().as_secs_f64() / YARDSTICK.as_secs_f64()).clamp(1.0, SLOWEST)
}

/// A bench by the name that picks it.
pub(crate) type Bench = (&'static str, fn() -> Vec<Figure>);

/// Runs the benches that the command line names, or all; fails if a bound is broken or a name unknown.
pub(crate) fn main(benches: &[Bench]) -> ExitCode {
    // cargo adds `--bench`
    let names: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    if let Some(unknown) = names.iter().find(|name| benches.iter().all(|(bench, _)| bench != name)) {
        println!(
            "no bench `{unknown}`; there are: {}",
            benches.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(" ")
        );
        return ExitCode::FAILURE;
    }
    let (now, usual) = (yardstick(), YARDSTICK);
    println!("yardstick: {now:.0?}; bounds of times grow where it takes more than {usual:?}, up to {SLOWEST} times\n");
    println!("{:<11} {:<58} {:>9} {:<8} {:>12} slower", "bench", "figure", "measured", "", "bound");
    let mut broken = Vec::new();
    for (bench, measure) in
        benches.iter().filter(|(bench, _)| names.is_empty() || names.iter().any(|name| name == bench))
    {
        for figure in best(*measure) {
            figure.print(bench);
            if figure.is_broken() {
                broken.push(format!("{bench}: {}", figure.name));
            }
        }
    }
    broken.iter().for_each(|figure| println!("broken bound: {figure}"));
    if broken.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Measures until no bound is broken, at most [`ATTEMPTS`] times, and returns the best of each figure.
fn best(bench: fn() -> Vec<Figure>) -> Vec<Figure> {
    let measure = || {
        let before = slowness();
        let mut figures = bench();
        let slowness = before.min(slowness());
        let times = figures.iter_mut().filter(|figure| matches!(figure.unit, "s" | "ms"));
        times.for_each(|figure| figure.slowness = slowness);
        figures
    };
    let mut figures = measure();
    for _ in 1..ATTEMPTS {
        if !figures.iter().any(Figure::is_broken) {
            break;
        }
        for (figure, again) in figures.iter_mut().zip(measure()) {
            if again.value / again.slowness < figure.value / figure.slowness {
                *figure = again;
            }
        }
    }
    figures
}
