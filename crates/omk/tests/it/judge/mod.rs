//! Scores that models and people give.

mod failures;
mod gold;
mod gold_files;
mod injection;
mod pairwise;
mod regrade;
mod resume;
mod scores;
mod settings;
mod summary;

use testkit::Reply;

use crate::fixtures::judged::{Case, Court};

type MakeReply = fn(&Case<'_>) -> Reply;

fn deserved(sample: usize, names_the_cause: bool) -> u8 {
    let odd = u8::from(sample % 2 == 1);
    if names_the_cause { 5 - odd } else { 1 + odd }
}

fn tier_of(court: &Court) -> String {
    court.context.report()["verdict"]["tier"].as_str().unwrap().to_owned()
}
