//! Statistics: how much the samples of a run can show.

mod asked_again;
mod clusters;
mod holdout;
mod mirror;
mod paired_differences;
mod reproducibility;
mod same_artifact;
mod sample_size;
mod turning_checks;
mod variance;

use crate::fixtures::context::TestContext;
use crate::fixtures::recorded::{CellIndex, RecordedProject};
use crate::fixtures::scores::ground;

/// Differences of −10 to +15 hundredths around 2.
fn wide(sample: usize) -> (u32, u32) {
    let moved = [15, -10, 12, -8, 2, 9, -5];
    (ground(sample), ground(sample).saturating_add_signed(moved[sample % 7]))
}

fn underpowered(samples: usize) -> RecordedProject {
    RecordedProject::pairs(&(0..samples).map(wide).collect::<Vec<_>>())
}

/// Terminal columns: Han, kana and full-width forms take two.
fn columns(line: &str) -> usize {
    line.chars().map(|c| if c >= '\u{2e80}' { 2 } else { 1 }).sum()
}

/// The text without line breaks.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The output on a terminal of 80 columns in both languages; checks that no line is wider.
#[track_caller]
fn shown(context: &TestContext, arguments: &[&str], code: i32) -> [String; 2] {
    let details: &[&str] =
        if arguments[0] == "eval" && !arguments.contains(&"--dry-run") { &["--details"] } else { &[] };
    ["en", "zh"].map(|lang| {
        let text = context.run(&[arguments, details, &["--lang", lang]].concat()).expect(code).stdout;
        text.lines().for_each(|line| assert!(columns(line) <= 80, "{line}"));
        text
    })
}

fn hundredths(at: CellIndex) -> u32 {
    let wobble = [0, 5, 2, 9, 4, 7][(at.sample * 5 + at.variant * 3 + at.repeat as usize * 7) % 6];
    ground(at.sample) - 10 + wobble + if at.variant == 0 { 0 } else { [4, 0, 9][(at.sample + at.variant) % 3] }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn variance(values: &[f64]) -> f64 {
    let centre = mean(values);
    values.iter().map(|x| (x - centre).powi(2)).sum::<f64>() / (values.len() - 1) as f64
}
