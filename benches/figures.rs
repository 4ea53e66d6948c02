//! Figures with their bounds: measured, printed as a table, and checked.

#![expect(clippy::print_stdout, reason = "a program that prints its figures")]

use std::process::ExitCode;

/// How often a bench with a broken bound is run in all: other work on the machine makes a run slower, never faster.
const ATTEMPTS: usize = 3;

/// A measured number.
pub(crate) struct Figure {
    name: String,
    value: f64,
    unit: &'static str,
    bound: Option<f64>,
}

impl Figure {
    /// Makes a figure that may not exceed `bound`.
    pub(crate) fn at_most(bound: f64, unit: &'static str, name: impl Into<String>, value: f64) -> Figure {
        Figure { name: name.into(), value, unit, bound: Some(bound) }
    }

    /// Makes a figure that nothing is promised about.
    pub(crate) fn unbound(unit: &'static str, name: impl Into<String>, value: f64) -> Figure {
        Figure { name: name.into(), value, unit, bound: None }
    }

    fn is_broken(&self) -> bool {
        self.bound.is_some_and(|bound| self.value > bound)
    }

    fn print(&self, bench: &str) {
        let Figure { name, value, unit, bound } = self;
        let bound = bound.map_or("-".to_owned(), |bound| format!("{bound} {unit}"));
        let mark = if self.is_broken() { "BROKEN" } else { "" };
        println!("{bench:<11} {name:<58} {value:>9.2} {unit:<8} {bound:>12} {mark}");
    }
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
    println!("{:<11} {:<58} {:>9} {:<8} {:>12}", "bench", "figure", "measured", "", "bound");
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

/// Measures until no bound is broken, at most [`ATTEMPTS`] times, and returns the least of each figure.
fn best(measure: fn() -> Vec<Figure>) -> Vec<Figure> {
    let mut figures = measure();
    for _ in 1..ATTEMPTS {
        if !figures.iter().any(Figure::is_broken) {
            break;
        }
        for (figure, again) in figures.iter_mut().zip(measure()) {
            figure.value = figure.value.min(again.value);
        }
    }
    figures
}
