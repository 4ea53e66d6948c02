//! The crate through its public interface.

mod agent_skills;
mod cached_control;
mod family;
mod holdout;
mod likeness;
mod model;
mod quality;
mod rubrics;
