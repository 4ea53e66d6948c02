//! Skills that run.

mod adapters;
mod evals;
mod hostile_skills;
mod resume;
