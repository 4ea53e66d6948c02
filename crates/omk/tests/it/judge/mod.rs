//! Scores that models and people give.

mod failures;
mod feedback;
mod gold;
mod gold_files;
mod injection;
mod pairwise;
mod regrade;
mod resume;
mod scores;
mod settings;
mod summary;

use testkit::FakeReply;

use crate::fixtures::judged::{JudgeQuestion, JudgedProject};

type MakeReply = fn(&JudgeQuestion<'_>) -> FakeReply;

fn deserved(sample: usize, names_the_cause: bool) -> u8 {
    let odd = u8::from(sample % 2 == 1);
    if names_the_cause { 5 - odd } else { 1 + odd }
}

fn tier_of(project: &JudgedProject) -> String {
    project.context.report()["verdict"]["tier"].as_str().unwrap().to_owned()
}
