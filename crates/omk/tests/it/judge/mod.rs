//! Scores that models and people give.

mod gold;
mod pairwise;
mod regrade;
mod scores;
mod summary;
